"""Does a learned table become better if own strength is refined, too, or all passes fit together?

Today's table refines what opponents count as; a team itself counts as its match points. Here the
team is refined by its own sum of the pass before, too. And the entries of all passes are fitted
together by descent, instead of pass after pass. Events that judge are those of nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Float
from scipy import sparse
from threadpoolctl import threadpool_limits

from studies.choice import WORLDS, errors_and_preferences, frame_of
from studies.script import events_option, report, script, written
from studies.worlds import ROSTERS, TOP, Cell, load_config
from tb2learn.arrays import namespace
from tb2learn.chess.results import EventView, Results
from tb2learn.config import Config, Setting
from tb2learn.simulation.event import Event
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress, progress_bar, sum_events
from tb2learn.tiebreaks.passes import HUNDRED, TENTHS, margin, most_refinement
from tb2learn.tiebreaks.rules import Rule
from tb2learn.tiebreaks.sums import without_own_match
from tb2learn.tiebreaks.tables import nearest
from tb2learn.training import checkpoint
from tb2learn.training.fit_surface import rising
from tb2learn.training.fit_tables import worlds_of
from tb2learn.training.near_pairs import strength
from tb2learn.training.objectives import value_surfaces
from tb2learn.training.surface import DEGREE, basis, opponent_basis
from tb2learn.training.table_least_squares import Equations, basis_rows, least_squares
from tb2learn.types import AnyArray, PerTeam, pytree, static

PLAIN, OTHERS, ALL = "plain", "own without the match", "own with all matches"
"""What a team itself counts as from the second pass on: its match points; these and its own sum
without the match that is looked up; these and its whole own sum."""

JOINT = "joint"

RATE, STEPS, STEP_EVENTS = 1e-3, 1000, 16
"""The descent: the rate of Adam in match points, steps, and events of each world a step."""

_CHUNK = 250  # events at a time: 45,000 teams, whose features take 100 MB


class Played(NamedTuple):
    """What is kept of the training events of a world.

    **Fields:** opponents and half points, `[events, rounds, teams]`; match points and strengths,
    these in match points, `[events, teams]`.
    """

    opponents: AnyArray
    half_points: AnyArray
    match_points: AnyArray
    strength: AnyArray


# --------------------------------------------------------------------------- the rule


@pytree
class RefinedSum:
    """Tables in passes, in which the team itself may be refined like its opponents.

    Whole numbers are looked up and rounded as `PassRule` does it. Fractions are not rounded, and
    have a gradient.

    **Fields:**

    - `points`: `[passes, own, columns, results]` in hundredths of a match point.
    - `par`: `[passes, own]` what is subtracted from every value, by match points.
    - `own`: `PLAIN`, `OTHERS` or `ALL`.
    """

    points: AnyArray
    par: AnyArray
    own: str = static(default=PLAIN)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> AnyArray:
        """The sum of the last pass."""
        results = event.results
        places = replace(self, points=self.points[:-1], par=self.par[:-1]).places(results)
        return self._values(results, places, self.points[-1], self.par[-1]).sum(axis=0)

    def places(self, results: Results) -> tuple[AnyArray, AnyArray]:
        """Where the pass after these ones looks up: what both teams of a match count as, tenths."""
        xp, met, points = namespace(results.opponents), results.met, results.match_points
        plain = xp.where(met, TENTHS * points[results.opponents], 0)
        alone = xp.broadcast_to(TENTHS * points, plain.shape)
        own, score = alone, plain
        limit, most = most_refinement(len(plain)), 2 * TENTHS * len(plain)
        for table, par in zip(self.points, self.par, strict=True):
            values = self._values(results, (own, score), table, par)

            def gained(sums: AnyArray) -> AnyArray:
                whole = xp.issubdtype(sums.dtype, xp.integer)
                tenths = nearest(sums, HUNDRED // TENTHS) if whole else sums / (HUNDRED // TENTHS)
                return xp.clip(tenths, -limit, limit)

            others = without_own_match(values, results.opponents)
            score = plain + xp.where(met, gained(others), 0)
            if self.own != PLAIN:
                left_out = values if self.own == OTHERS else 0 * values
                own = xp.clip(alone + gained(values.sum(axis=0) - left_out), 0, most)
        return own, score

    def _values(
        self, results: Results, places: tuple[AnyArray, AnyArray], table: AnyArray, par: AnyArray
    ) -> AnyArray:
        """What every round adds in a pass."""
        xp = namespace(results.opponents)
        table, par = xp.asarray(table), xp.asarray(par)
        values = between_entries(table, *places, results.half_points) - par[results.match_points]
        return xp.where(results.met, values, 0)


def between_entries(table: AnyArray, own: AnyArray, score: AnyArray, result: AnyArray) -> AnyArray:
    """Values between four entries of a table, at what both teams count as in tenths."""
    xp = namespace(table)
    rows, columns, _ = table.shape
    row, column = (xp.floor(at / TENTHS).astype(xp.int32) for at in (own, score))
    down, right = own - TENTHS * row, score - TENTHS * column
    column = column + (columns - rows) // 2
    rows_of = row, xp.minimum(row + 1, rows - 1)
    columns_of = column, xp.minimum(column + 1, columns - 1)
    total: AnyArray = 0
    for at_row, part in zip(rows_of, (TENTHS - down, down), strict=True):
        for at_column, share in zip(columns_of, (TENTHS - right, right), strict=True):
            total = total + part * share * table[at_row, at_column, result]
    return nearest(total, TENTHS**2) if xp.issubdtype(total.dtype, xp.integer) else total / 100


# --------------------------------------------------------------------------- events


def play(config: Config, events: int, seed: int) -> list[Played]:
    """The training events of the worlds that the shipped table is fitted to."""
    worlds = []
    for number, world, _ in worlds_of(config, last=True):
        drawn = EventRange(seed, Purpose.TRAIN, events, first=number * events)
        parts = sum_events(
            world.setting, Measurement(_kept, _narrow, list.__add__), drawn,
            progress=Progress(f"training events, world {number + 1}"),
        )  # fmt: skip
        opponents, half_points, points, y = map(np.concatenate, zip(*parts, strict=True))
        # As the training does it: strength in match points, by how much it rises with one.
        slope = np.polyfit(points.ravel(), y.ravel(), 1)[0]
        worlds.append(Played(opponents, half_points, points, y / slope))
    return worlds


def _kept(key: Array, event: Event, setting: Setting, args: None) -> tuple[Array, ...]:
    return event.opponents, event.half_points, event.match_points, strength(event, setting)


def _narrow(numbers: np.ndarray, kept: tuple[np.ndarray, ...]) -> list[tuple[np.ndarray, ...]]:
    *results, y = kept
    return [(*(part.astype(np.int16) for part in results), y.astype(np.float64))]


@partial(jax.jit, static_argnames="boards")
def _places(rule: RefinedSum, played: tuple[Array, ...], boards: int) -> tuple[Array, Array]:
    def of_event(*arrays: Array) -> tuple[Array, Array]:
        opponents, half, points = (part.astype(jnp.int32) for part in arrays)
        return rule.places(Results(opponents, half, points, boards))

    return jax.vmap(of_event)(*played)


# --------------------------------------------------------------------------- pass after pass


def fit_pass(
    before: RefinedSum, worlds: Sequence[Played], config: Config
) -> tuple[Float[np.ndarray, "results basis basis"], RefinedSum]:
    """Fit the next pass by least squares: its coefficients, and the rule with it."""
    # The threads of linear algebra wait busily for work.
    with threadpool_limits(1, user_api="blas"):
        sums = [_normal(before, world, config) for world in worlds]
    equations = [(Equations(normal, right, None), 1.0) for normal, right, _, _ in sums]
    raw = least_squares(equations, config)
    # The mean value of a match, which every value is held against.
    used, matches = (sum(part[k] for part in sums) for k in (2, 3))
    mean = used @ raw.transpose(1, 2, 0).ravel() / np.maximum(matches, 1)
    known = np.flatnonzero(matches)
    par = np.interp(np.arange(len(mean)), known, mean[known])
    points = np.rint(HUNDRED * grid_of(raw, config)).astype(np.int32)
    points = np.concatenate([before.points, points[None]])
    pars = np.concatenate([before.par, np.rint(HUNDRED * par).astype(np.int32)[None]])
    return raw, RefinedSum(points, pars, before.own)


def grid_of(raw: AnyArray, config: Config) -> AnyArray:
    """The entries of a pass from its coefficients, in match points."""
    own, columns = basis_rows(config)
    return namespace(raw).einsum("gab,oa,pb->opg", raw, own, columns)


def nothing_before(config: Config, own: str) -> RefinedSum:
    """The rule of no passes."""
    event = config.event
    rows = event.max_match_points + 1
    shape = 0, rows, rows + 2 * margin(event.rounds), event.max_half_points + 1
    return RefinedSum(np.zeros(shape, np.int32), np.zeros((0, rows), np.int32), own)


def _normal(
    before: RefinedSum, played: Played, config: Config
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The normal equations of a pair; by own match points sums of features, and matches."""
    event = config.event
    size, results = config.decisions.knots + DEGREE, event.max_half_points + 1
    unknowns, scores = size * size * results, event.max_match_points + 1
    normal, right = np.zeros((unknowns, unknowns)), np.zeros(unknowns)
    used_by, matches, pairs = np.zeros((scores, unknowns)), np.zeros(scores), 0
    for own, first, columns, weights, met, y in _teams(before, played, config):
        cells = np.zeros(unknowns, bool)
        cells[columns] = True
        used = np.flatnonzero(cells)
        places = np.cumsum(cells, dtype=np.int32)[columns] - 1
        ends = np.arange(0, columns.size + 1, columns[0].size, dtype=np.int32)
        shape = len(y), len(used)
        features = sparse.csr_array((weights.ravel(), places.ravel(), ends), shape).toarray()
        used_by[own, used] += features.sum(axis=0, dtype=np.float64)
        matches[own] += met
        teams = np.diff([*first, len(y)])
        group = np.repeat(np.arange(len(teams)), teams)
        pairs += (teams * (teams - 1)).sum() / 2
        # Sum over pairs of a squared difference = n times that around the mean of n teams.
        features -= (np.add.reduceat(features, first) / teams[:, None].astype(np.float32))[group]
        y = y - (np.add.reduceat(y, first) / teams)[group]
        weighted = features * teams[group, None].astype(np.float32)
        normal[np.ix_(used, used)] += weighted.T @ features
        right[used] += weighted.T @ y
    return normal / max(1, pairs), right / max(1, pairs), used_by, matches


def _teams(before: RefinedSum, played: Played, config: Config) -> Iterator[tuple]:
    """The tied teams of some events at a time, by own match points.

    **Yields:** own match points; the first team of every score group; every team's coefficients and
    their weights; how many matches; strengths.
    """
    event, knots = config.event, config.decisions.knots
    size, results = knots + DEGREE, event.max_half_points + 1
    most, beyond = event.max_match_points * TENTHS, margin(event.rounds) * TENTHS
    own_first, own_share = _window(basis(np.arange(most + 1) / most, knots))
    tenths = np.arange(-beyond, most + beyond + 1)
    score_first, score_share = _window(opponent_basis(tenths / most, knots))
    window = np.arange(DEGREE + 1, dtype=np.int32)
    label = f"{before.own}, pass {len(before.points) + 1}"
    with progress_bar(len(played.strength), label, "event") as bar:
        for start in range(0, len(played.strength), _CHUNK):
            opponents, half, points, y = (part[start : start + _CHUNK] for part in played)
            bar.update(len(y))
            places = _places(before, (opponents, half, points), event.boards)
            own, score = (np.asarray(place).swapaxes(1, 2) for place in places)
            half, met = half.swapaxes(1, 2), (opponents >= 0).swapaxes(1, 2)
            for value in np.unique(points):
                at = np.nonzero(points == value)
                numbers = at[0]
                o, s = own[at], score[at] + beyond
                rows = own_first[o][..., None, None] + window[:, None]
                columns = score_first[s][..., None, None] + window
                cells = (rows * size + columns) * results + half[at][..., None, None]
                weights = own_share[o][..., None] * score_share[s][..., None, :]
                weights = np.where(met[at][..., None, None], weights, 0).astype(np.float32)
                first = np.flatnonzero(np.diff(numbers, prepend=-1))
                shape = len(numbers), -1
                yield (
                    value,
                    first,
                    cells.reshape(shape),
                    weights.reshape(shape),
                    met[at].sum(),
                    y[at],
                )


def _window(rows: Float[np.ndarray, "n basis"]) -> tuple[np.ndarray, np.ndarray]:
    """The first of the splines of a place that are not 0, and the values of these."""
    first = np.minimum((rows > 0).argmax(axis=1), rows.shape[1] - DEGREE - 1).astype(np.int32)
    return first, np.take_along_axis(rows, first[:, None] + np.arange(DEGREE + 1), axis=1)


# --------------------------------------------------------------------------- all passes together


def descend(
    at: tuple[Array, Array], worlds: Sequence[Played], config: Config, own: str, seed: int,
    rate: float, steps: int,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Fit the coefficients and means of all passes together, from where they are.

    What is minimised is what every pass of the training minimises, here for the sum of the last
    pass: the mean squared error of a tied pair's difference, and the roughness of all passes.
    """
    import optax

    optimiser, rates = optax.scale_by_adam(), optax.cosine_decay_schedule(-rate, steps)
    plan = config.decisions

    def loss(at: tuple[Array, Array], batch: Sequence[Played]) -> Array:
        raw = jax.lax.cummax(jax.lax.cummax(at[0], axis=1), axis=3)  # as `rising`
        points = HUNDRED * jnp.stack([grid_of(part, config) for part in raw])
        rule = RefinedSum(points, HUNDRED * at[1], own)
        errors = jnp.stack([_pair_error(rule, part, config) for part in batch])
        rough = jnp.stack([(jnp.diff(raw, 2, axis=axis) ** 2).sum() for axis in (1, 2, 3)])
        return errors.mean() + plan.smoothness * rough.sum()

    @jax.jit
    def step(at: Any, state: Any, rate: Array, batch: Any) -> tuple[Any, Any, Array]:
        value, gradient = jax.value_and_grad(loss)(at, batch)
        updates, state = optimiser.update(gradient, state)
        return jax.tree.map(lambda x, way: x + rate * way, at, updates), state, value

    state, draw = optimiser.init(at), np.random.default_rng(seed)
    with progress_bar(steps, f"descent, {own}", "step") as bar:
        for number in range(steps):
            chosen = [draw.integers(len(world.strength), size=STEP_EVENTS) for world in worlds]
            batch = [
                Played(*(part[events] for part in world))
                for world, events in zip(worlds, chosen, strict=True)
            ]
            at, state, value = step(at, state, rates(number), batch)
            bar.set_postfix_str(f"{value:.4f}", refresh=False)
            bar.update()
    raw, par = map(np.asarray, at)
    return np.stack([rising(part) for part in raw]), par


def _pair_error(rule: RefinedSum, played: Played, config: Config) -> Array:
    """The mean squared error of a tied pair's difference, in match points."""
    event = config.event

    def of_event(*arrays: Array) -> tuple[Array, Array]:
        opponents, half, points = (part.astype(jnp.int32) for part in arrays[:3])
        scores = rule.scores(Results(opponents, half, points, event.boards))
        off = scores / HUNDRED - arrays[3].astype(jnp.float32)
        sums = jnp.zeros((3, event.max_match_points + 1)).at[:, points]
        teams, total, squares = sums.add(jnp.stack([jnp.ones_like(off), off, off**2]))
        return (teams * squares - total**2).sum(), (teams * (teams - 1)).sum() / 2

    errors, pairs = jax.vmap(of_event)(*played)
    return errors.sum() / pairs.sum()


def tables(worlds: Sequence[Played], config: Config, seed: int) -> list[Rule]:
    """The tables that are tried: pass after pass as today, with own refined, and joint fits."""
    surfaces = value_surfaces(checkpoint.load(ROSTERS))
    shipped = jnp.stack([surface.coefficients for surface in surfaces])
    rules, starts = {}, {PLAIN: (shipped, jnp.stack([each.mean_value for each in surfaces]))}
    # The first pass refines nobody: it is the same for all.
    raw, first = fit_pass(nothing_before(config, PLAIN), worlds, config)
    for own in (PLAIN, OTHERS, ALL):
        rule, fitted = replace(first, own=own), [raw]
        for _ in range(config.decisions.passes - 1):
            *last, rule = fit_pass(rule, worlds, config)
            fitted += last
        rules[own] = rule
        starts.setdefault(own, (jnp.stack(fitted), rule.par / HUNDRED))
    for own in (PLAIN, OTHERS):
        raw, par = descend(starts[own], worlds, config, own, seed, RATE, STEPS)
        points = np.stack([grid_of(part, config) for part in raw])
        points, par = (np.rint(HUNDRED * part).astype(np.int32) for part in (points, par))
        rules[f"{JOINT}, {own}"] = RefinedSum(points, par, own)
    event = config.event
    return [Rule(name, event.rounds, event.boards, rule) for name, rule in rules.items()]


# --------------------------------------------------------------------------- judged


def judge(rules: Sequence[Rule], events: int, seed: int) -> pd.DataFrame:
    """Rates in the four worlds of 2022, on events that assess.

    **Returns:** a row a `world` (and their `mean`, each counting the same), `rule` and `top`:
    `error` and near-equal preference `near`; `more` and `nearer`, these less the shipped table's.
    """
    rows, drawn, names = [], [], [ROSTERS, *(rule.name for rule in rules)]
    for name in WORLDS:
        tally = Cell(name, load_config(name), [ROSTERS, *rules], events).tally(seed, Progress(name))
        at = [tally.rules.index(rule) for rule in names]
        error, near = (part[:, at] for part in errors_and_preferences(tally, seed))
        drawn.append({"error": error, "near": near})
    mean = {column: np.mean([part[column] for part in drawn], axis=0) for column in drawn[0]}
    for name, shares in zip([*WORLDS, "mean"], [*drawn, mean], strict=True):
        error, near = shares["error"], shares["near"]
        less = {"more": error - error[:, :1], "nearer": near - near[:, :1]}
        rows.append(frame_of(names, shares | less).assign(world=name))
    return pd.concat(rows, ignore_index=True).set_index(["world", "rule", "top"]).reset_index()


@script(
    "reports/better-tables",
    events_option(4000, "each world that tables are fitted to", "--trained"),
    events_option(3000, "each world that judges"),
)
def main(out: Path, trained: int, events: int, seed: int) -> None:
    """Try tables with refined own strength, and joint fits of all passes."""
    config = checkpoint.load(ROSTERS).config
    fitted = tables(play(config, trained, seed), config, seed)
    about = {"trained": trained, "events": events, "seed": seed}
    write(out, judge(fitted, events, seed), about)


def write(out: Path, rates: pd.DataFrame, about: Mapping[str, int]) -> None:
    """Write the report on the tables."""
    given = written(out, {"rates": rates})
    given["rates"] = given["rates"].astype({"top": str})
    shown = {"shipped": ROSTERS, "worlds": WORLDS, "top": TOP}
    shown |= {"steps": STEPS, "rate": RATE, "batch": STEP_EVENTS}
    report(out, "better_tables.md", {**given, **about, **shown})


if __name__ == "__main__":
    main()
