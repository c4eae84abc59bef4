"""Stochastic descent on the pairwise logistic loss, for tables and the formula.

The loss is that of RankNet (Burges et al. 2005), over the tied pairs of simulated events. Every
step plays fresh events. Gradients are rounded to integers before they are summed, so that the sums
are the same on every number of devices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from tb2learn.chess.results import Results
from tb2learn.config import Config
from tb2learn.simulation.event import Event
from tb2learn.simulation.run import SILENT, Progress, progress_bar, sum_events
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.simulation.truth import differences, tied_pairs
from tb2learn.tiebreaks.formula import FormulaRule
from tb2learn.tiebreaks.passes import looked_up
from tb2learn.training.least_squares import basis_rows, rule_before, strength
from tb2learn.training.surface import ValueSurface
from tb2learn.training.surface_fit import rising, roughness
from tb2learn.types import PerTeam

_LOSS_UNIT = 1 << 15  # losses and gradients, a team, are whole numbers of 1/32768

_START_SCALE, _START_REFINEMENT = 0.25, 0.05  # shares of the most match points
_START_LOG_BETA = 1.0
_FORMULA_RATE = 0.03  # learning rate of the formula
_PLATEAU = 0.05  # relative change of a constant of the formula that a further descent may show
_MOST_DESCENTS = 12


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
    - `match_points`, `strength`: who is tied, and who is better; pairs of equal strength do not
      count.
    """
    order = jnp.sign(differences(strength))
    margins = order * differences(scores) * jnp.exp(log_beta)[match_points][:, None]
    counted = tied_pairs(match_points) & (order != 0)
    return jnp.where(counted, jax.nn.softplus(-margins), 0.0).sum()


def table_gradient(
    key: jax.Array, event: Event, config: Config, args: tuple
) -> tuple[Int[Array, ""], Int[Array, ""], Any]:
    """Loss, tied pairs and gradient of one event for the table of one pass.

    **Arguments:** as a `run.Measure`; `args`: `(table, log_beta)`, both float, and the rule of the
    passes before.

    **Returns:** loss and gradient a team, in 1/32768, and the number of tied pairs.
    """
    shown, before = args
    results = event.results
    own, half_points = results.match_points[:, None], results.half_points.T
    opponent_score, counted = before.opponent_score(results), before.counted(results)

    def scores(table: Array) -> Array:
        values = looked_up(table, own, opponent_score, half_points)
        return jnp.where(counted, values, 0.0).sum(axis=-1)

    return _gradient(scores, shown, event, config)


def formula_gradient(
    key: jax.Array, event: Event, config: Config, args: tuple
) -> tuple[Int[Array, ""], Int[Array, ""], Any]:
    """Loss, tied pairs and gradient of one event for the formula.

    **Arguments:** as a `run.Measure`; `args`: `(logs, log_beta)`, logs of the scale and the
    refinement; and None.

    **Returns:** as `table_gradient`.
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
    return whole[0], tied_pairs(own).sum(), whole[1]


def descend_table(
    raw: Float[np.ndarray, "results basis basis"],
    surfaces: list[ValueSurface],
    config: Config,
    progress: Progress = SILENT,
) -> tuple[Float[np.ndarray, "results basis basis"], Float[np.ndarray, " steps"]]:
    """Improve the least-squares surface of a pass by descent.

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

    objective = PairLoss(
        table_gradient,
        shown,
        rule_before(surfaces, config),
        penalty=lambda parameters: plan.smoothness * roughness(parameters[0], axes=(0, 1, 2)),
    )
    start = (jnp.asarray(raw, jnp.float32), jnp.full(len(own), _START_LOG_BETA, jnp.float32))
    # These events follow those of the least squares and of earlier descents.
    first = config.train.events + len(surfaces) * plan.steps * plan.step_events
    schedule = Steps(plan.steps, plan.learning_rate, first)
    (best, _), losses = _descend(config, objective, start, schedule, progress)
    return np.asarray(rising(best), np.float64), losses


def descend_formula(
    config: Config, progress: Progress = SILENT
) -> tuple[Float[np.ndarray, "2"], Float[np.ndarray, " steps"], int]:
    """Fit the formula: its scale and its refinement.

    One descent over `config.train.events` events stops too early in some formats: the constants lie
    in a long valley, in which the scale falls as the refinement grows. So descents over further
    events follow, each from where the one before ended, until one moves neither constant by more
    than `_PLATEAU`; that one only confirms the constants it started from. After `_MOST_DESCENTS`
    the last constants stand.

    **Arguments:** as `descend_table`.

    **Returns:** scale and refinement (shares), the loss at every step of the descent that ended
    there, and how many descents led there.
    """
    objective = PairLoss(formula_gradient, shown=lambda parameters: parameters)
    log_beta = jnp.full(config.event.max_match_points + 1, _START_LOG_BETA, jnp.float32)
    logs = jnp.log(jnp.array([_START_SCALE, _START_REFINEMENT], jnp.float32))
    steps = max(1, config.train.events // config.decisions.step_events)
    at, losses, number = (logs, log_beta), np.zeros(0), 0
    while number < _MOST_DESCENTS:
        first = number * steps * config.decisions.step_events
        schedule = Steps(steps, _FORMULA_RATE, first)
        ended, found = _descend(config, objective, at, schedule, progress)
        if number and np.abs(np.asarray(ended[0] - at[0])).max() < np.log1p(_PLATEAU):
            break
        at, losses, number = ended, found, number + 1
    return np.exp(np.asarray(at[0], np.float64)), losses, number


@dataclass(frozen=True)
class PairLoss:
    """What a descent minimises: the pairwise logistic loss of some rule, and a penalty.

    **Fields:**

    - `measure`: loss, pairs and gradient of one event, with respect to what `shown` returns.
    - `shown`: from the parameters to the table or the constants that score an event.
    - `fixed`: further arguments of `measure`.
    - `penalty`: added to the loss, a function of the parameters alone.
    """

    measure: Callable[..., Any]
    shown: Callable[[Any], Any]
    fixed: Any = None
    penalty: Callable[[Any], Float[Array, ""]] | None = None


@dataclass(frozen=True)
class Steps:
    """Number of steps, learning rate, and first event in the stream of training."""

    steps: int
    rate: float
    first: int = 0


def _descend(
    config: Config, objective: PairLoss, parameters: Any, schedule: Steps, progress: Progress
) -> tuple[Any, np.ndarray]:
    """Stochastic descent: Adam, fresh events at every step.

    **Arguments:**

    - `parameters`: the start.
    - `progress`: shows a progress bar; its run may be asked to stop, but keeps no steps.

    **Returns:** the parameters, and the loss at every step.
    """
    import optax  # which takes a while to load, and most tables need no descent

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
                truth=True,
                rounded=True,
            )
            unit = config.event.teams / (_LOSS_UNIT * max(1, pairs))
            gradient = jax.tree.map(lambda x, unit=unit: jnp.float32(unit * x), gradient)
            parameters, state = update(parameters, state, gradient)
            losses.append(float(unit * loss))
            bar.update()
            if progress.run:
                progress.run.stop_if_asked(f"in step {step + 1:,} of {steps:,}")
    return parameters, np.array(losses)
