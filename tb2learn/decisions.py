r"""Fitting rules to decisions: order tied teams as the oracle does.

The first way is least squares: over all pairs of tied teams, of any match points, the difference of
their scores shall be the difference of their true strengths. A score is linear in the table's
entries, so everything the fit needs of the events are sums of integers, and the smooth table that
is best follows in closed form. The second way descends from there on the pairwise logistic loss

.. math:: -\sum_{i,j} \log \sigma(\beta_{MP} (S_i - S_j)), \quad i \text{ the better of the tied}

over fresh events at every step. The gradient of an event is rounded to whole numbers before it is
summed; so neither way depends on batches, devices or hosts.

Strength is the log-odds of the oracle's expected share of match points, on the scale on which it
grows by one with every match point: then scores say in match points how well a team played, and
the next pass can refine the opponents by them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import scipy.linalg
import scipy.sparse
from jaxtyping import Array, Float, Int

from tb2learn import games, oracle
from tb2learn.config import Config, EventFormat
from tb2learn.olympiad import Event
from tb2learn.rng import Purpose
from tb2learn.simulate import SILENT, EventRange, Progress, progress_bar, sum_events
from tb2learn.standings import Results
from tb2learn.surface import ValueSurface, basis, opponent_basis, rising, roughness, shares
from tb2learn.tables import Formula, formula_rule
from tb2learn.tabulate import pass_table
from tb2learn.tiebreaks import FormulaRule, PassRule
from tb2learn.tiebreaks.additive import TENTHS, looked_up, margin
from tb2learn.types import PerTeam

# --------------------------------------------------------------------------- least squares


STRENGTH_UNIT = 1000
"""Strengths are whole thousandths of a log-odds."""

_EDGE = 1e-4  # shares of the expected match points are kept this far from 0 and 1


def strength(event: Event, config: Config) -> PerTeam:
    """True strength: the log-odds of the oracle's expected share of match points.

    **Returns:** whole `1/STRENGTH_UNIT`.
    """
    most = 2.0 * games.UNIT * (len(event.rosters) - 1)
    share = oracle.true_strength(event.rosters, config.game) / most
    share = jnp.clip(share, _EDGE, 1.0 - _EDGE)
    return jnp.rint(STRENGTH_UNIT * (jnp.log(share) - jnp.log1p(-share))).astype(jnp.int32)


@dataclass(frozen=True)
class Moments:
    """The sums that least squares need; integers.

    A team's features are how often it met each cell of the table: a column and a result, in tenths
    between two columns.

    **Fields:**

    - `products`: `[shares, cells, cells]` by own match points: products of the differences of the
      features of two tied teams, over all pairs; in hundredths.
    - `moments`: `[shares, cells]` the same with the difference of their strengths; in tenths.
    - `pairs`: `[shares]` number of pairs.
    - `seen`: `[shares, cells]` sums of the features over all teams; in tenths.
    - `line`: number of teams, and sums of their match points `m`, strengths `y`, `m*m` and `m*y`.
    """

    products: Int[np.ndarray, "shares cells cells"]
    moments: Int[np.ndarray, "shares cells"]
    pairs: Int[np.ndarray, " shares"]
    seen: Int[np.ndarray, "shares cells"]
    line: Int[np.ndarray, "5"]


def collect_moments(
    config: Config,
    surfaces: list[ValueSurface],
    progress: Progress = SILENT,
    batch: int | None = None,
) -> Moments:
    """Play the training events and sum what least squares need for the pass after `surfaces`."""
    sums = sum_events(
        config,
        describe_event,
        EventRange(config.train.seed, Purpose.TRAIN, config.train.events),
        rule_before(surfaces, config),
        partial(_add_moments, config.event),
        batch=batch,
        progress=replace(progress, stage=f"train-{len(surfaces) + 1}"),
    )
    return Moments(*sums)


def rule_before(surfaces: list[ValueSurface], config: Config) -> PassRule:
    """The passes so far, and an empty one that is to be fitted."""
    event = config.event
    columns = event.max_match_points + 1 + 2 * margin(event.rounds)
    empty = np.zeros((1, event.max_match_points + 1, columns, event.max_half_points + 1), np.int32)
    points = [pass_table(surfaces, "before").points] if surfaces else []
    return PassRule(jnp.asarray(np.concatenate([*points, empty])), config.decisions.reduced)


def describe_event(
    key: jax.Array, event: Event, config: Config, before: PassRule
) -> tuple[PerTeam, PerTeam, Int[Array, "teams rounds"], Int[Array, "teams rounds"]]:
    """What of an event the moments are summed from.

    **Returns:** match points, strength, the lower cell of every match (-1 where none counts) and
    the tenths above it.
    """
    results = event.results
    reading = before.reading(results)
    column = reading // TENTHS + margin(config.event.rounds)
    cell = column * (config.event.max_half_points + 1) + results.half_points.T
    cell = jnp.where(before.counted(results), cell, -1)
    return event.match_points, strength(event, config), cell, reading % TENTHS


def _add_moments(event: EventFormat, numbers: np.ndarray, measured: tuple) -> tuple:
    own, y, cell, above = measured
    results, events = event.max_half_points + 1, len(own)
    cells = results * (event.max_match_points + 1 + 2 * margin(event.rounds))
    shares_ = event.max_match_points + 1
    products = np.zeros((shares_, cells, cells), np.int64)
    moments, seen = np.zeros((shares_, cells), np.int64), np.zeros((shares_, cells), np.int64)
    pairs = np.zeros(shares_, np.int64)
    for score in range(shares_):
        number, team = np.nonzero(own == score)
        if len(number) == 0:
            continue
        features = _features(cell[number, team], above[number, team], cells, results)
        target = y[number, team].astype(np.int64)
        ones = np.ones(len(number), np.int64)
        group = scipy.sparse.csr_array(
            (ones, (number, np.arange(len(number)))), shape=(events, len(number))
        )
        size = group.sum(axis=1)
        by_group, sums = group @ features, group @ target
        weighted = features.multiply(size[number][:, None]).tocsr()
        # Sum over pairs of (x_i - x_j)(x_i - x_j)' = n sum of x x' - (sum of x)(sum of x)'.
        products[score] = (weighted.T @ features - by_group.T @ by_group).toarray()
        moments[score] = weighted.T @ target - by_group.T @ sums
        pairs[score] = (size * (size - 1) // 2).sum()
        seen[score] = features.sum(axis=0)
    m, y = own.astype(np.int64), y.astype(np.int64)
    line = np.array([m.size, m.sum(), y.sum(), (m * m).sum(), (m * y).sum()], np.int64)
    return products, moments, pairs, seen, line


def _features(
    cell: np.ndarray, above: np.ndarray, cells: int, results: int
) -> scipy.sparse.csr_array:
    """A row a team: its matches by cell, in tenths."""
    row = np.broadcast_to(np.arange(len(cell))[:, None], cell.shape)
    parts = []
    for at, weight in ((cell, TENTHS - above), (cell + results, above)):
        kept = (cell >= 0) & (weight > 0)
        parts.append((weight[kept].astype(np.int64), row[kept], at[kept]))
    weight, row, at = (np.concatenate(part) for part in zip(*parts, strict=True))
    return scipy.sparse.csr_array((weight, (row, at)), shape=(len(cell), cells))


def least_squares(moments: Moments, config: Config) -> Float[np.ndarray, "results basis basis"]:
    """The smooth surface whose scores fit the strengths of tied teams best, made monotone.

    Minimises the mean over all pairs of tied teams of
    ``[(S_i - S_j) - (y_i - y_j)]^2 + smoothness * roughness``, strengths `y` in match points.
    """
    event, plan = config.event, config.decisions
    own, columns = basis_rows(config)
    results, size = event.max_half_points + 1, own.shape[1]
    teams, m, y, mm, my = moments.line.astype(np.float64)
    # How much strength grows with a match point; where these events do not show that it does, the
    # unit of strength stays.
    spread = teams * mm - m * m
    slope = (teams * my - m * y) / spread if spread > 0 else 0.0
    slope = slope if slope > 0 else 1.0
    pairs = max(1, moments.pairs.sum())

    by_column = np.kron(columns, np.eye(results))  # [cells, basis * results]
    unknowns = size * size * results
    normal = np.zeros((size, size * results, size, size * results))
    right = np.zeros((size, size * results))
    for row, products, moment in zip(own, moments.products, moments.moments, strict=True):
        if not products.any():
            continue
        quadratic = by_column.T @ (products / (TENTHS**2 * pairs)) @ by_column
        linear = by_column.T @ (moment / (TENTHS * pairs * slope))
        for one in np.flatnonzero(row):
            right[one] += row[one] * linear
            for other in np.flatnonzero(row):
                normal[one, :, other] += row[one] * row[other] * quadratic
    normal = normal.reshape(unknowns, unknowns)
    normal += plan.smoothness * _bending(size, results) + _RIDGE * np.eye(unknowns)
    solution = scipy.linalg.solve(normal, right.reshape(unknowns), assume_a="pos")
    raw = solution.reshape(size, size, results).transpose(2, 0, 1)
    return np.asarray(rising(jnp.asarray(raw, jnp.float32)), np.float64)


_RIDGE = 1e-7  # for coefficients that no event determines


def basis_rows(config: Config) -> tuple[np.ndarray, np.ndarray]:
    """The basis at every own score, and at every column."""
    rounds, knots = config.event.rounds, config.decisions.knots
    columns = np.arange(-margin(rounds), 2 * rounds + margin(rounds) + 1) / (2 * rounds)
    return basis(shares(rounds), knots), opponent_basis(columns, knots)


def _bending(size: int, results: int) -> np.ndarray:
    """The sum of squared second differences along own share, opponent's share and result."""

    def along(length: int) -> np.ndarray:
        second = np.diff(np.eye(length), n=2, axis=0)
        return second.T @ second

    one, many = np.eye(size), np.eye(results)
    return (
        np.kron(np.kron(along(size), one), many)
        + np.kron(np.kron(one, along(size)), many)
        + np.kron(np.kron(one, one), along(results))
    )


def normalised(raw: np.ndarray, moments: Moments, config: Config) -> ValueSurface:
    """The surface less its par, the mean value of a match by own score."""
    own, columns = basis_rows(config)
    grid = np.einsum("gab,oa,pb->opg", raw, own, columns).reshape(len(own), -1)
    matches = moments.seen.sum(axis=1)
    known = matches > 0
    par = np.zeros(len(own))  # where no match counts: one round, and its opponent is left out
    if known.any():
        seen = (grid * moments.seen).sum(axis=1)[known] / matches[known]
        par = np.interp(np.arange(len(own)), np.flatnonzero(known), seen)
    return ValueSurface(
        coefficients=raw,
        par=par,
        rounds=config.event.rounds,
    )


# --------------------------------------------------------------------------- descent


_LOSS_UNIT = 1 << 15  # losses and gradients, a team, are whole numbers of 1/32768
_START_SCALE, _START_REFINEMENT = 0.25, 0.05
_START_LOG_BETA = 1.0
_FORMULA_RATE = 0.03


def pairwise_logistic(
    scores: Float[Array, " teams"],
    log_beta: Float[Array, " shares"],
    match_points: PerTeam,
    strength: PerTeam,
) -> Float[Array, ""]:
    r"""Logistic loss of the margins of all tied pairs, summed.

    .. math:: \sum_{i,j} \log(1 + \exp(-\beta_{MP} (S_i - S_j))), \quad i \text{ the better}

    **Arguments:**

    - `scores`: of one event's teams.
    - `log_beta`: log of the steepness, by match points.
    - `match_points`, `strength`: who is tied, and who is better; equal strengths do not count.
    """
    order = jnp.sign(oracle.differences(strength))
    margins = order * oracle.differences(scores) * jnp.exp(log_beta)[match_points][:, None]
    counted = oracle.tied_pairs(match_points) & (order != 0)
    return jnp.where(counted, jax.nn.softplus(-margins), 0.0).sum()


def table_gradient(
    key: jax.Array, event: Event, config: Config, args: tuple
) -> tuple[Int[Array, ""], Int[Array, ""], Any]:
    """Loss, tied pairs and gradient of one event for the table of one pass.

    **Arguments:**

    - `args`: `(table, log_beta)`, both float, and the rule of the passes before.
    """
    shown, before = args
    results = event.results
    own, reading, half_points = (
        results.match_points[:, None],
        before.reading(results),
        results.half_points.T,
    )
    counted = before.counted(results)

    def scores(table: Array) -> Array:
        return jnp.where(counted, looked_up(table, own, reading, half_points), 0.0).sum(axis=-1)

    return _gradient(scores, shown, event, config)


def formula_gradient(
    key: jax.Array, event: Event, config: Config, args: tuple
) -> tuple[Int[Array, ""], Int[Array, ""], Any]:
    """Loss, tied pairs and gradient of one event for the formula.

    **Arguments:**

    - `args`: `(logs, log_beta)`: logs of the scale and the refinement; and None.
    """
    shown, _ = args
    results: Results = event.results

    def scores(logs: Array) -> Array:
        rule = FormulaRule(
            scale=jnp.exp(logs[0]),
            refinement=jnp.exp(logs[1]),
            boards=config.event.boards,
            passes=config.decisions.passes,
            rounds=config.event.rounds,
        )
        return rule.values(results).sum(axis=-1)

    return _gradient(scores, shown, event, config)


def _gradient(
    scores: Callable[[Array], Array], shown: Any, event: Event, config: Config
) -> tuple[Int[Array, ""], Int[Array, ""], Any]:
    truth, own = strength(event, config), event.match_points

    def loss(shown: tuple[Array, Array]) -> Array:
        return pairwise_logistic(scores(shown[0]), shown[1], own, truth) / len(own)

    value, gradient = jax.value_and_grad(loss)(shown)
    whole = jax.tree.map(lambda x: jnp.rint(_LOSS_UNIT * x).astype(jnp.int32), (value, gradient))
    return whole[0], oracle.tied_pairs(own).sum(), whole[1]


def descend_table(
    raw: Float[np.ndarray, "results basis basis"],
    surfaces: list[ValueSurface],
    config: Config,
    progress: Progress = SILENT,
) -> tuple[Float[np.ndarray, "results basis basis"], Float[np.ndarray, " steps"]]:
    """Descend from the surface of the least squares.

    **Arguments:**

    - `raw`: coefficients of that surface.
    - `surfaces`: of the passes before.
    - `config`: `config.decisions` says how many steps are taken, and how.
    - `progress`: shows a progress bar; its run may be asked to stop.

    **Returns:** the coefficients after the last step, and the loss at every step.
    """
    plan = config.decisions
    if plan.steps == 0:
        return raw, np.zeros(0)
    own, columns = (jnp.asarray(rows, jnp.float32) for rows in basis_rows(config))

    def shown(parameters: tuple[Array, Array]) -> tuple[Array, Array]:
        table = jnp.einsum("gab,oa,pb->opg", rising(parameters[0]), own, columns)
        return table, parameters[1]

    objective = Objective(
        table_gradient,
        shown,
        rule_before(surfaces, config),
        penalty=lambda parameters: plan.smoothness * roughness(parameters[0], axes=(0, 1, 2)),
    )
    start = (jnp.asarray(raw, jnp.float32), jnp.full(len(own), _START_LOG_BETA, jnp.float32))
    # The events after those of the least squares and of the descents of the passes before.
    first = config.train.events + len(surfaces) * plan.steps * plan.step_events
    schedule = Schedule(plan.steps, plan.learning_rate, first)
    (best, _), losses = _descend(config, objective, start, schedule, progress)
    return np.asarray(rising(best), np.float64), losses


def descend_formula(
    config: Config, progress: Progress = SILENT
) -> tuple[Float[np.ndarray, "2"], Float[np.ndarray, " steps"]]:
    """Fit the formula: its scale and its refinement (shares), and the loss at every step.

    **Arguments:** as `descend_table`.
    """
    objective = Objective(formula_gradient, shown=lambda parameters: parameters)
    logs = jnp.log(jnp.array([_START_SCALE, _START_REFINEMENT], jnp.float32))
    log_beta = jnp.full(config.event.max_match_points + 1, _START_LOG_BETA, jnp.float32)
    steps = max(1, config.train.events // config.decisions.step_events)
    schedule = Schedule(steps, _FORMULA_RATE)
    (logs, _), losses = _descend(config, objective, (logs, log_beta), schedule, progress)
    return np.exp(np.asarray(logs, np.float64)), losses


@dataclass(frozen=True)
class Objective:
    """What a descent lowers: the pairwise logistic loss of some rule, and a penalty.

    **Fields:**

    - `measure`: loss, pairs and gradient of one event, by what is `shown` to events.
    - `shown`: from the parameters to what events see of them.
    - `fixed`: further arguments of `measure`.
    - `penalty`: of the parameters, whatever the events.
    """

    measure: Callable[..., Any]
    shown: Callable[[Any], Any]
    fixed: Any = None
    penalty: Callable[[Any], Float[Array, ""]] | None = None


@dataclass(frozen=True)
class Schedule:
    """How a descent goes: steps, learning rate, and its first event in the stream of training."""

    steps: int
    rate: float
    first: int = 0


def _descend(
    config: Config, objective: Objective, parameters: Any, schedule: Schedule, progress: Progress
) -> tuple[Any, np.ndarray]:
    """Stochastic descent: Adam, fresh events at every step.

    **Arguments:**

    - `parameters`: the start.
    - `progress`: shows a progress bar; its run may be asked to stop. No step is kept.

    **Returns:** the parameters, and the loss at every step.
    """
    steps, size = schedule.steps, config.decisions.step_events
    optimiser = optax.adam(optax.cosine_decay_schedule(schedule.rate, steps))
    state = optimiser.init(parameters)

    @jax.jit
    def update(parameters: Any, state: Any, gradient: Any) -> tuple[Any, Any]:
        total = jax.vjp(objective.shown, parameters)[1](gradient)[0]
        if objective.penalty:
            bend = jax.grad(objective.penalty)(parameters)
            total = jax.tree.map(jnp.add, total, bend)
        updates, state = optimiser.update(total, state)
        return optax.apply_updates(parameters, updates), state

    show = jax.jit(objective.shown)
    losses = []
    with progress_bar(steps, progress.label, "step") as bar:
        for step in range(steps):
            loss, pairs, gradient = sum_events(
                config,
                objective.measure,
                EventRange(config.train.seed, Purpose.TRAIN, size, schedule.first + step * size),
                (show(parameters), objective.fixed),
            )
            unit = config.event.teams / (_LOSS_UNIT * max(1, pairs))
            gradient = jax.tree.map(lambda x, unit=unit: jnp.float32(unit * x), gradient)
            parameters, state = update(parameters, state, gradient)
            losses.append(float(unit * loss))
            bar.update()
            if progress.run:
                progress.run.stop_if_asked(f"in step {step + 1:,} of {steps:,}")
    return parameters, np.array(losses)


# --------------------------------------------------------------------------- passes and formula


@dataclass(frozen=True)
class PassFit:
    """How well one pass of a table, or a formula, decides.

    **Fields:**

    - `losses`: `[steps]` mean pairwise logistic loss a tied pair, on the fresh events of each step.
    - `held_out_pairs`, `held_out_errors`: tied pairs of the held-out events, wrong verdicts (an
      equal score is half a one).
    """

    losses: Float[np.ndarray, " steps"]
    held_out_pairs: int
    held_out_errors: float


@dataclass(frozen=True)
class DecisionFit:
    """The surfaces of all passes, and a `PassFit` of each."""

    surfaces: tuple[ValueSurface, ...]
    passes: tuple[PassFit, ...]


def fit_passes(config: Config, progress: Progress = SILENT) -> DecisionFit:
    """Fit the tables of all passes, one after the other.

    **Arguments:**

    - `config`: `train` says how many events, of which seed; `decisions` how they are fitted.
    - `progress`: shows progress bars, and keeps the counts while they grow.

    **Returns:** a `DecisionFit`. The first passes of a longer fit are those of a shorter one.
    """
    surfaces: list[ValueSurface] = []
    passes: list[PassFit] = []
    for number in range(1, config.decisions.passes + 1):
        moments = collect_moments(config, surfaces, progress.part(f"pass {number}"))
        raw = least_squares(moments, config)
        part = progress.part(f"pass {number}, descent")
        raw, losses = descend_table(raw, surfaces, config, part)
        surfaces.append(normalised(raw, moments, config))
        table = pass_table(surfaces, "table", reduced=config.decisions.reduced)
        held_out = Progress(run=progress.run, stage=f"held-out-{number}")
        passes.append(PassFit(losses, *_judge(table.tiebreak(), config, held_out)))
    if progress.run:
        progress.run.all_counted()
    return DecisionFit(tuple(surfaces), tuple(passes))


def fit_formula(config: Config, progress: Progress = SILENT) -> tuple[Formula, PassFit]:
    """Fit the constants of the formula, rounded to two digits, in its display units.

    **Arguments:** as `fit_passes`.

    **Returns:** the formula and how well it decides.
    """
    event = config.event
    most = event.max_match_points
    (scale, refinement), losses = descend_formula(config, progress.part("formula"))
    formula = formula_rule(
        "formula",
        event.rounds,
        event.boards,
        scale=_two_digits(scale * most) / most,
        refinement=_two_digits(refinement * most / event.boards) * event.boards / most,
        passes=config.decisions.passes,
    )
    held_out = Progress(run=progress.run, stage="held-out")
    fit = PassFit(losses, *_judge(formula.tiebreak(), config, held_out))
    if progress.run:
        progress.run.all_counted()
    return formula, fit


def _two_digits(x: float) -> float:
    return float(f"{x:.2g}")


def _judge(rule: PassRule | FormulaRule, config: Config, progress: Progress) -> tuple[int, float]:
    """Tied pairs and errors of a rule on the held-out events."""
    events = EventRange(config.train.seed, Purpose.HELD_OUT, config.train.held_out)
    pairs, wrong = sum_events(config, count_errors, events, rule, progress=progress)
    return int(pairs), float(wrong) / 2.0


def count_errors(
    key: jax.Array, event: Event, config: Config, rule: PassRule | FormulaRule
) -> tuple[Int[Array, ""], Int[Array, ""]]:
    """Tied pairs of an event, and twice the errors of a rule on them."""
    tied = oracle.tied_pairs(event.match_points)
    truth = oracle.true_strength(event.rosters, config.game)
    wrong = oracle.wrong_verdicts(rule.scores(event.results), truth)
    return tied.sum(), jnp.where(tied, wrong, 0).sum()
