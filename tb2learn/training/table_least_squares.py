"""Least squares: the table of a pass in closed form, from integer sums over all tied pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial, reduce
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jaxtyping import Array, Float, Int, Num
from scipy import sparse

from tb2learn.config import Config, EventFormat, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation import games, oracle
from tb2learn.simulation.event import Event
from tb2learn.simulation.event_store import EventStore
from tb2learn.simulation.last_round import LastRound
from tb2learn.simulation.level_model import LevelModel, level_model, posterior_worth
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.rng import unit_numbers
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.tiebreaks.passes import TENTHS, PassRule, margin
from tb2learn.training.fit_surface import rising
from tb2learn.training.surface import (
    DEGREE,
    ValueSurface,
    basis,
    bending,
    columns,
    opponent_basis,
    share_grid,
)
from tb2learn.training.tabulate import pass_table
from tb2learn.types import PerRound, PerTeam

STRENGTH_UNIT = 1000
"""Strengths are whole thousandths of a log-odds."""

_EDGE = 1e-4  # shares of the expected match points are kept this far from 0 and 1
_RIDGE = 1e-7  # for coefficients that no event determines


def strength(event: Event, setting: Setting) -> PerTeam:
    """True strength: the log-odds of the oracle's expected share of match points.

    **Returns:** whole `1/STRENGTH_UNIT`.
    """
    return _log_odds(oracle.strength_of(event, setting.game))


def _log_odds(expected: PerTeam) -> PerTeam:
    """Log-odds of shares of the most match points, in whole `1/STRENGTH_UNIT`."""
    share = expected / (2.0 * games.UNIT * (len(expected) - 1))
    # A team that nobody could beat has no finite log-odds.
    share = jnp.clip(share, _EDGE, 1.0 - _EDGE)
    # Whole numbers, whose sums are the same in any order and on any device.
    return jnp.rint(STRENGTH_UNIT * (jnp.log(share) - jnp.log1p(-share))).astype(jnp.int32)


@dataclass(frozen=True)
class Moments:
    """The integer sums that least squares need.

    A team's features are how often its matches use each cell (column and result) of the table; a
    match between two columns is divided between them, in tenths.

    **Fields:**

    - `products`: `[own, cells, cells]` by own match points: products of the differences of the
      features of two tied teams, over all pairs; in hundredths.
    - `moments`: `[own, cells]` the same with the difference of their strengths; in tenths.
    - `pairs`: `[own]` number of pairs.
    - `seen`: `[own, cells]` sums of the features over all teams; in tenths.
    - `near`: `[own, cells]` sums, over all pairs of nearly equal tied teams (less than one
      expected match point of the all-play-all apart), of the features of the higher seed less those
      of the lower; in tenths. None where seeds are random.
    - `near_pairs`: `[own]` number of such pairs.
    - `line`: number of teams, and sums of their match points `m`, strengths `y`, `m*m` and `m*y`.
    - `spread`: as `products`, of what the features lose when the matches of others in the last
      round are played again (`_played_again`). None unless `decisions.others` asks for it.
    - `sides`: as `near`, of teams less than `NEAR_EIGHTHS` apart, by their weights: of the pairs
      whose higher seed is the better team, and whose lower seed is. None unless `decisions.aim` is
      the ideal and seeds are not random.
    - `side_sums`: sums of these weights, and of weights times distances in eighths.
    """

    # Tied pairs.
    products: Int[np.ndarray, "own cells cells"]
    moments: Int[np.ndarray, "own cells"]
    pairs: Int[np.ndarray, " own"]
    # Teams.
    seen: Int[np.ndarray, "own cells"]
    # Nearly equal pairs.
    near: Int[np.ndarray, "own cells"]
    near_pairs: Int[np.ndarray, " own"]
    # Strength by own match points.
    line: Int[np.ndarray, "5"]
    # Matches of others.
    spread: Int[np.ndarray, "own cells cells"] | None = None
    # Nearly equal pairs by their better team.
    sides: Int[np.ndarray, "2 own cells"] | None = None
    side_sums: Int[np.ndarray, "2 own 2"] | None = None


def collect_moments(
    config: Config,
    surfaces: list[ValueSurface],
    progress: Progress = SILENT,
    batch: int | None = None,
    world: int = 0,
    store: EventStore | None = None,
) -> Moments:
    """Play the training events and sum what least squares need for the next pass.

    **Arguments:**

    - `config`: what to play, and how many events.
    - `surfaces`: those of the passes before.
    - `progress`, `batch`, `store`: as in `simulate.sum_events`.
    - `world`: which of the worlds of the training it is, counted from 0: each has events of its
      own.
    """
    (moments,) = moments_of_parts(config, surfaces, [], progress, batch, world, store)
    return moments


def moments_of_parts(
    config: Config,
    surfaces: list[ValueSurface],
    cuts: Sequence[int],
    progress: Progress = SILENT,
    batch: int | None = None,
    world: int = 0,
    store: EventStore | None = None,
) -> list[Moments]:
    """The moments of several parts of the training events.

    **Arguments:** as `collect_moments`; `cuts`: the events, counted from 0, at which all parts but
    the first begin.
    """
    events = config.train.events
    # The name under which the counts of a pass and a world are kept.
    stage = f"train-{len(surfaces) + 1}" + (f"-world-{world + 1}" if world else "")
    sums = sum_events(
        config.setting,
        Measurement(
            DescribeEvent(bool(config.decisions.others), aims_at_ideal(config)),
            partial(_add_parts, config.event, cuts),
            _merged,
            signed=True,
        ),
        # Behind the events of the worlds before, so that no two worlds share one.
        EventRange(config.train.seed, Purpose.TRAIN, events, first=world * events),
        rule_before(surfaces, config),
        store=store,
        batch=batch,
        progress=replace(progress, stage=stage),
    )
    return [Moments(*part) for part in sums]


def joined(parts: Sequence[Moments]) -> Moments:
    """The moments of all parts together."""
    # `spread` is None in all parts, or in none.
    sums = [{name: x for name, x in vars(part).items() if x is not None} for part in parts]
    return Moments(**{name: reduce(np.add, [part[name] for part in sums]) for name in sums[0]})


def rule_before(surfaces: list[ValueSurface], config: Config) -> PassRule:
    """The rule of the passes so far, with an empty table for the pass to fit."""
    event = config.event
    columns = event.max_match_points + 1 + 2 * margin(event.rounds)
    # Of the pass to fit only what opponents count as in it is asked, never a value.
    empty = np.zeros((1, event.max_match_points + 1, columns, event.max_half_points + 1), np.int32)
    points = [pass_table(surfaces, "before").tables] if surfaces else []
    return rule_of(np.concatenate([*points, empty]), config)


def rule_of(points: Int[np.ndarray, "tables own columns results"], config: Config) -> PassRule:
    """The rule of some of the passes of a training, with as many tables as all passes have.

    Empty tables before the first one refine nothing. With them all passes share one program.
    """
    missing = config.decisions.passes - len(points)
    empty = np.zeros((missing, *points.shape[1:]), points.dtype)
    return PassRule(np.concatenate([empty, points]))


@dataclass(frozen=True)
class DescribeEvent:
    """What the moments need of one event.

    **Fields:**

    - `others`: whether every match is also told as it is after others have played again.
    - `sides`: whether the weights of `near_sides` are told, see `aims_at_ideal`.
    """

    others: bool = False
    sides: bool = False

    def __call__(
        self, key: Key, event: Event, setting: Setting, before: PassRule
    ) -> tuple[Array, ...]:
        """The description; an `OfEvent`.

        **Returns:** match points, strength, and for every match one more than its lower cell, times
        `TENTHS`, plus the tenths by which the opponent is above it (below `TENTHS` if it does not
        count; twice as wide with `others`); then how many nearly equal tied teams are seeded below
        a team, and how many above (none where seeds are random, see `Equations.bias`). With `sides`
        also the weights of `near_sides`.
        """
        results = event.results
        zero = jnp.zeros_like(event.match_points)
        score, (*_, scored, summed) = before.last_pass(results)
        # Every match once more, as it would be looked up after others have played again.
        if self.others:
            score = jnp.concatenate([score, _played_again(key, event, setting, before, score)])
            scored, summed = (jnp.tile(x, (2, 1)) for x in (scored, summed))
        # Column 0 is the lowest that refinement can lead to, below 0 match points.
        column = score // TENTHS + margin(setting.event.rounds)
        cell = column * (setting.event.max_half_points + 1) + scored
        # Cells from 1: 0 means that a match does not count.
        # Teams first: they become the rows of matrices, see `_products`.
        matches = jnp.where(summed, (cell + 1) * TENTHS + score % TENTHS, 0).T
        y = oracle.strength_of(event, setting.game)
        told = setting.field.informative
        below, above = nearly_equal(event.match_points, y) if told else (zero, zero)
        described = event.match_points, _log_odds(y), matches, below, above
        return (*described, near_sides(event.match_points, y)) if self.sides else described


def _played_again(
    key: Key, event: Event, setting: Setting, before: PassRule, score: PerRound
) -> PerRound:
    """What opponents count as (before: `score`) after the last round was played again by its law.

    A team's own result stays, and what its opponent of the last round counts as.
    """
    last = LastRound.of(event, setting.game)
    half_points = last.replayed(unit_numbers(key, len(last.played)))
    scores, _ = before.last_pass(last.with_results(half_points))
    return scores.at[-1].set(score[-1])


def nearly_equal(match_points: PerTeam, expected: PerTeam) -> tuple[PerTeam, PerTeam]:
    """How many tied teams are nearly equal to a team and seeded below it, and above it."""
    teams = len(match_points)
    seed = jnp.arange(teams)

    def count(other: Array, counts: tuple[Array, Array]) -> tuple[Array, Array]:
        # One team against all others at a time, and no matrix of pairs: that is quicker by far.
        tied = match_points == match_points[other]
        near = tied & (jnp.abs(expected - expected[other]) < games.UNIT)
        below, above = counts
        return below + (near & (other > seed)), above + (near & (other < seed))

    nobody = jnp.zeros(teams, jnp.int32)
    return jax.lax.fori_loop(0, teams, count, (nobody, nobody))


NEAR_EIGHTHS = 40
"""Teams less than so many eighths of a match point of the oracle apart tell what a table prefers
where it aims at the ideal: five times as many pairs as those of less than one."""


def aims_at_ideal(config: Config) -> bool:
    """Whether the moments of a world are to say what the table prefers beside the ideal."""
    plan = config.decisions
    return plan.aim == "ideal" and plan.fairness > 0 and config.field.informative


def near_sides(match_points: PerTeam, expected: PerTeam) -> Int[Array, "teams 6"]:
    """Weights of tied teams near to a team: 40 if equally strong, none from 40 eighths on.

    Copies are left out: they say nothing of a rule.

    **Returns:** of the teams with which it forms a pair whose higher seed is better: weights of
    those seeded below less those above; then, only of those below, weights, and weights times
    distances. The same of pairs whose lower seed is better.
    """
    teams = len(match_points)
    seed = jnp.arange(teams)

    def count(other: Array, sums: Array) -> Array:
        apart = expected - expected[other]
        eighths = jnp.abs(apart) // (games.UNIT // 8)
        weight = jnp.maximum(NEAR_EIGHTHS - eighths, 0) * (match_points == match_points[other])
        # The first side: the better team of both has the lower number.
        side = jnp.sign(apart) * jnp.sign(other - seed)
        better = jnp.stack([side > 0, side < 0])
        weight = weight * better
        below = weight * (other > seed)
        return sums + jnp.stack([below - weight * (other < seed), below, below * eighths])

    sums = jax.lax.fori_loop(0, teams, count, jnp.zeros((3, 2, teams), jnp.int32))
    return jnp.moveaxis(sums, 1, 0).reshape(6, teams).T


def ideal_differences(
    key: Key, event: Event, setting: Setting, model: LevelModel
) -> Int[Array, "2 own 2"]:
    """By side and own match points: weights of near pairs, and weighted strengths of the ideal.

    The second are the differences between the higher and the lower seed, in `1/STRENGTH_UNIT`.
    """
    sides = near_sides(event.match_points, oracle.strength_of(event, setting.game))
    worth = posterior_worth(key, event, setting, model)
    y = _log_odds(jnp.rint(worth * games.UNIT))
    found = jnp.zeros((2, setting.event.max_match_points + 1, 2), jnp.int32)
    for side in range(2):
        apart, weight = sides[:, 3 * side], sides[:, 3 * side + 1]
        sums = jnp.stack([weight, apart * y], axis=-1)
        found = found.at[side, event.match_points].add(sums)
    return found


MOST_IDEAL = 500
"""Training events of a world that tell what the ideal prefers, at most: it takes long."""


def sum_ideal(config: Config, progress: Progress = SILENT, world: int = 0) -> np.ndarray | None:
    """`ideal_differences` of the first training events of a world; None where nothing aims at it.

    Processors may differ in last digits of the ideal, and so in those of a table that aims at it.
    """
    if not aims_at_ideal(config):
        return None
    plan = config.train
    few = min(plan.events, MOST_IDEAL)
    events = EventRange(plan.seed, Purpose.TRAIN, few, first=world * plan.events)
    shown = replace(progress, stage=f"ideal-world-{world + 1}")
    setting = config.setting
    return sum_events(setting, _IDEAL, events, level_model(setting), progress=shown)


_IDEAL = Measurement(ideal_differences, signed=True)


def _add_parts(
    event: EventFormat, cuts: Sequence[int], numbers: np.ndarray, measured: tuple
) -> tuple[tuple, ...]:
    """The moments of a batch by part, as the fields of `Moments`."""
    at = np.searchsorted(numbers, cuts)
    split_sums = zip(*(np.split(x, at) for x in measured), strict=True)
    return tuple(_add_moments(event, part) for part in split_sums)


def _merged(totals: tuple[tuple, ...], added: tuple[tuple, ...]) -> tuple[tuple, ...]:
    """The sums by part, in the place of the first."""
    for total, addend in zip(totals, added, strict=True):
        if addend[_LINE][0]:  # the zeros of a part of no teams would take as long to add as numbers
            jax.tree.map(lambda one, other: np.add(one, other, out=one), total, addend)
    return totals


_LINE = [*Moments.__dataclass_fields__].index("line")


def _add_moments(event: EventFormat, measured: tuple) -> tuple:
    """The moments of a batch, as the fields of `Moments`."""
    own_points, y, matches, below_it, above_it, *beside = (
        np.asarray(x).reshape(-1, *x.shape[2:]) for x in measured
    )
    teams, apart = measured[0].shape[1], below_it - above_it
    # A cell of the table: a column, what the opponent counts as, and a result.
    results, scores = event.max_half_points + 1, event.max_match_points + 1
    cells = results * (scores + 2 * margin(event.rounds))
    products = np.zeros((scores, cells, cells), np.int64)
    moments, seen, near = np.zeros((3, scores, cells), np.int64)
    again = matches.shape[1] > event.rounds  # every match of a team, then all played again
    spread = np.zeros_like(products) if again else None
    pairs = np.zeros(scores, np.int64)
    sides, side_sums = (
        _add_sides(own_points, matches, beside[0], results, near) if beside else (None, None)
    )
    # Teams by own match points, then by the size of their score group, then by event: a score group
    # is a block of rows, and groups of one size stand together.
    # One number an event and a score group.
    group = np.arange(own_points.size) // teams * scores + own_points
    tied = np.bincount(group)[group]
    # Whole numbers of 16 bits and fewer are sorted digit by digit, much quicker than longer ones.
    by_size = np.argsort(tied.astype(np.uint16), kind="stable")
    order = by_size[np.argsort(own_points[by_size].astype(np.uint8), kind="stable")]
    by_own = np.bincount(own_points, minlength=scores)
    last, room = np.cumsum(by_own), np.empty(by_own.max() * cells, np.float32)
    sorted_ = [np.split(x.take(order, axis=0), last[:-1]) for x in (group, tied, y, apart, matches)]
    for points, (of, size, strength, apart, matches) in enumerate(zip(*sorted_, strict=True)):
        if len(size) == 0:
            continue
        begins = _begins(of)
        uses = _summed(matches, np.ones(len(matches)), results, cells)
        used = np.flatnonzero(uses)
        at, tenths = _uses(matches, used, results, cells)
        kept = np.ix_(used, used)
        if spread is not None:
            # The features as played, less those after others have played again.
            sign = np.repeat([1, -1], event.rounds).astype(np.float32)[:, None]
            spread[points][kept] = _products(at, tenths * sign, size, len(used), room)
            at, tenths, matches = (x[:, : event.rounds] for x in (at, tenths, matches))
            uses = _summed(matches, np.ones(len(matches)), results, cells)
        products[points][kept] = _products(at, tenths, size, len(used), room)
        # The same identity as there, with y in the place of one x.
        of_group = np.repeat(np.add.reduceat(strength, begins, dtype=np.int64), size[begins])
        moments[points] = _summed(matches, size * strength - of_group, results, cells)
        seen[points] = uses
        if apart.any():
            near[points] = _summed(matches, apart, results, cells)
        # Each team of a group of n has n - 1 pairs, and each pair two teams.
        pairs[points] = (size - 1).sum() // 2
    # Every pair once, at the higher of its two seeds.
    near_pairs = np.bincount(own_points, below_it, scores).astype(np.int64)
    # For the rise of strength with match points, see `equations`.
    line = np.array(
        [
            own_points.size,
            own_points.sum(),
            y.sum(),
            (own_points * own_points).sum(),
            (own_points * y).sum(),
        ],
        np.int64,
    )
    return products, moments, pairs, seen, near, near_pairs, line, spread, sides, side_sums


def _add_sides(
    own_points: Int[np.ndarray, " teams"],
    matches: Int[np.ndarray, "teams matches"],
    weights: Int[np.ndarray, "teams 6"],
    results: int,
    like: Int[np.ndarray, "own cells"],
) -> tuple[Int[np.ndarray, "2 own cells"], Int[np.ndarray, "2 own 2"]]:
    """`Moments.sides` and `Moments.side_sums` of teams with the weights of `near_sides`."""
    scores, cells = like.shape
    sides = np.zeros((2, scores, cells), np.int64)
    sums = np.zeros((2, scores, 2), np.int64)
    for side in range(2):
        apart, *of_pairs = weights[:, 3 * side : 3 * side + 3].T
        for points in np.unique(own_points[apart != 0]):
            at = own_points == points
            sides[side, points] = _summed(matches[at], apart[at], results, cells)
        for column, values in enumerate(of_pairs):
            sums[side, :, column] = np.bincount(own_points, values, scores)
    return sides, sums


def _uses(
    matches: Int[np.ndarray, "teams matches"],
    used: Int[np.ndarray, " used"],
    results: int,
    cells: int,
) -> tuple[Int[np.ndarray, "teams matches 2"], Float[np.ndarray, "teams matches 2"]]:
    """Which of the used cells, a few hundred of thousands, each match uses; tenths, float32.

    **Arguments:** as `DescribeEvent` says; the cells in use, results, and cells.
    """
    # An opponent between two columns uses both, each in proportion.
    place = np.zeros(cells, np.int32)
    place[used] = np.arange(len(used))
    # Every number that `DescribeEvent` may give a match, taken apart.
    lower, above = np.divmod(np.arange((cells + 1) * TENTHS), TENTHS)
    # Cells were counted from 1; the same result one column up is `results` cells further.
    at = np.stack([lower - 1, lower - 1 + results], axis=-1)
    tenths = np.stack([TENTHS - above, above], axis=-1).astype(np.float32)
    tenths[:TENTHS] = 0  # a match that does not count
    # A cell without a share may be none of the used ones: any place will do.
    at = np.where(tenths > 0, place.take(at, mode="clip"), 0)
    return at.take(matches, axis=0), tenths.take(matches, axis=0)


def _summed(
    matches: np.ndarray, weights: Num[np.ndarray, " teams"], results: int, cells: int
) -> Float[np.ndarray, " cells"]:
    """What teams use of every cell, each team so many times; whole numbers, float64."""
    weights = np.repeat(weights, matches.shape[1])
    # By cell and tenths, without the row of matches that do not count.
    sums = np.bincount(matches.ravel(), weights, (cells + 1) * TENTHS).reshape(-1, TENTHS)[1:]
    above = np.arange(TENTHS)
    total = sums @ (TENTHS - above)
    # The next column gets the other part of every match.
    total[results:] += (sums @ above)[:-results]
    return total


def _begins(sorted_: Int[np.ndarray, " teams"]) -> Int[np.ndarray, " groups"]:
    return np.concatenate([[0], np.flatnonzero(sorted_[1:] != sorted_[:-1]) + 1])


def _products(
    at: Int[np.ndarray, "teams matches 2"],
    tenths: Float[np.ndarray, "teams matches 2"],
    size: Int[np.ndarray, " teams"],
    used: int,
    room: Float[np.ndarray, " numbers"],
) -> Float[np.ndarray, "used used"]:
    """Products of the differences of the features of two teams of a group, over all pairs.

    **Arguments:** as `_uses` says; the size of a team's group, rising; number of cells in use; room
    for the features, the same for all scores, as the system clears new memory.
    """
    # Every team has as many entries, two a match, so no list says where rows end.
    ends = np.arange(0, at.size + 1, at[0].size, dtype=np.int32)
    entries = sparse.csr_array((tenths.ravel(), at.ravel(), ends), (len(at), used))
    # Entries of one cell are added up: a team may use it in several rounds.
    features = entries.toarray(out=room[: len(at) * used].reshape(-1, used))
    total, of_groups = _SumOfProducts(used), []
    # Sum over pairs of (x_i - x_j)(x_i - x_j)' = n sum of x x' - (sum of x)(sum of x)'.
    for first, last in pairwise([*_begins(size), len(size)]):
        teams, number = features[first:last], int(size[first])
        total.add(teams, number)
        of_groups.append(teams.reshape(-1, number, used).sum(axis=1))
    # The second term, of all groups together.
    total.add(np.concatenate(of_groups), -1)
    return total.whole()


_EXACT_BELOW = float(1 << 24)  # up to here single precision has every whole number


class _SumOfProducts:
    """A sum of multiples of products of rows of whole numbers.

    Single precision is twice as fast, and exact where no number reaches `_EXACT_BELOW`. The
    diagonal shows that: it has sums of squares, and no other sum is larger than the two on the
    diagonal in its row and its column.
    """

    def __init__(self, used: int) -> None:
        self._whole = np.zeros((used, used))
        self._part, self._largest = np.zeros((used, used), np.float32), 0.0

    def add(self, rows: Float[np.ndarray, "rows used"], times: int) -> None:
        """Add ``times * rows' rows``."""
        products = rows.T @ rows
        largest = abs(times) * float(products.diagonal().max())
        # Too large for single precision even by itself.
        if largest >= _EXACT_BELOW:
            rows = rows.astype(np.float64)
            self._whole += times * (rows.T @ rows)
            return
        # Together with what is there already: that is put away first.
        if self._largest + largest >= _EXACT_BELOW:
            self.whole()
        self._largest += largest
        products *= np.float32(times)
        self._part += products

    def whole(self) -> Float[np.ndarray, "used used"]:
        """The sum."""
        self._whole += self._part
        self._part[...], self._largest = 0, 0.0
        return self._whole


@dataclass(frozen=True)
class Equations:
    """The normal equations of one world, without smoothness.

    **Fields:**

    - `normal`, `right`: of the mean squared error a pair, on the coefficients by own share,
      opponent's share and result.
    - `bias`: of the mean squared seed bias: over own scores, the square of the mean difference in
      score between the higher and the lower seed of nearly equal tied teams, by number of pairs.
      None of a world with random seeds, which has none.
    - `spread`: of the mean squared change of a pair's difference when others play the last round
      again; None unless `decisions.others` asks for it.
    - `bias_right`: the right-hand side of `bias` where it aims at the ideal's difference and not
      at 0, else None.
    """

    normal: Float[np.ndarray, "unknowns unknowns"]
    right: Float[np.ndarray, " unknowns"]
    bias: Float[np.ndarray, "unknowns unknowns"] | None
    spread: Float[np.ndarray, "unknowns unknowns"] | None = None
    bias_right: Float[np.ndarray, " unknowns"] | None = None


def balanced(
    moments: Moments, ideal: Int[np.ndarray, "2 own 2"]
) -> Iterator[tuple[int, Float[np.ndarray, " cells"], float, float]]:
    """What a table prefers, and what the ideal does, by own match points.

    Pairs whose higher seed is better and those whose lower seed is are weighted so that their mean
    strengths are equal: what is left is not that one seed is the better team.

    **Arguments:** the moments of a world; `sum_ideal` of it.

    **Yields:** own match points; the mean difference of the features, in tenths; that of the
    ideal's strength, in `1/STRENGTH_UNIT`; and the weight of the pairs. None where a side is empty.
    """
    assert moments.sides is not None and moments.side_sums is not None
    for own in range(ideal.shape[1]):
        (weight, apart), known = moments.side_sums[:, own].T, ideal[:, own]
        if not (weight.all() and known[:, 0].all()):
            continue
        # Distances are rounded down to eighths: half of one is added.
        distance = apart / weight + 0.5
        share = distance[::-1] / distance.sum()
        features = share @ (moments.sides[:, own] / weight[:, None])
        yield own, features, float(share @ (known[:, 1] / known[:, 0])), float(weight.sum())


def equations(
    moments: Moments, config: Config, ideal: Int[np.ndarray, "2 own 2"] | None = None
) -> Equations:
    """The normal equations of the events of one world.

    **Arguments:**

    - `moments`: of its training events.
    - `config`: its format, `decisions` and seed noise are used.
    - `ideal`: `sum_ideal` of these events, if the penalty on seed bias aims at it.
    """
    event = config.event
    own_points, columns = basis_rows(config)
    results, size = event.max_half_points + 1, own_points.shape[1]
    teams, m, y, mm, my = moments.line.astype(np.float64)
    # Strength is put in match points, in which a table is read: divided by how much it grows with
    # a match point, if these events show that it grows.
    spread = teams * mm - m * m
    slope = (teams * my - m * y) / spread if spread > 0 else 0.0
    # Without a rise strengths stay in log-odds.
    slope = slope if slope > 0 else 1.0
    pairs = max(1, moments.pairs.sum())

    unknowns = size * size * results

    # `einsum` adds up in one order; BLAS does so in another on every kind of processor.
    def by_column(cells: np.ndarray) -> np.ndarray:
        return np.einsum("pb,pr->br", columns, cells.reshape(-1, results)).ravel()

    def form(sums: np.ndarray) -> np.ndarray:
        """The quadratic form of products by own match points, a pair."""
        total = np.zeros((size, size * results, size, size * results))
        for row, products in zip(own_points, sums, strict=True):
            if not products.any():
                continue
            products = products.reshape(len(columns), results, len(columns), results)
            # From columns to splines, for one side of the product and then for the other.
            half = np.einsum("pb,prqs->brqs", columns, products / (TENTHS**2 * pairs))
            quadratic = np.einsum("qc,brqs->brcs", columns, half).reshape(2 * (size * results,))
            # A B-spline is 0 outside a few knots: most rows of the basis have two or three entries.
            for row_ in np.flatnonzero(row):
                for column in np.flatnonzero(row):
                    total[row_, :, column] += row[row_] * row[column] * quadratic
        return total.reshape(unknowns, unknowns)

    # The right side: every own score's moments go to the splines that reach it.
    right = np.zeros((size, size * results))
    for row, moment in zip(own_points, moments.moments, strict=True):
        right += np.outer(row, by_column(moment / (TENTHS * pairs * slope)))
    bias = bias_right = None
    if ideal is not None:
        rows = list(balanced(moments, ideal))
        total = sum(weight for *_, weight in rows) or 1.0
        apart = np.reshape(
            [
                np.kron(own_points[own], by_column(features / TENTHS)) * math.sqrt(weight / total)
                for own, features, _, weight in rows
            ],
            (-1, unknowns),
        )
        aims = np.array([aim / slope * math.sqrt(weight / total) for *_, aim, weight in rows])
        bias = np.einsum("ki,kj->ij", apart, apart)
        bias_right = np.einsum("ki,k->i", apart, aims)
    elif config.field.informative:
        # Rows whose squares add up to the square of each own score's mean, weighted by its pairs.
        apart = [
            np.kron(row, by_column(near / TENTHS)) / math.sqrt(number)
            for row, near, number in zip(own_points, moments.near, moments.near_pairs, strict=True)
            if number
        ]
        apart = np.reshape(apart, (-1, unknowns)) / math.sqrt(max(1, moments.near_pairs.sum()))
        bias = np.einsum("ki,kj->ij", apart, apart)
    spread = None if moments.spread is None else form(moments.spread)
    normal = form(moments.products)
    return Equations(normal, right.reshape(unknowns), bias, spread, bias_right)


def least_squares(
    worlds: Sequence[tuple[Equations, float]], config: Config
) -> Float[np.ndarray, "results basis basis"]:
    """The smooth surface whose scores fit the strengths of tied teams best, made monotone.

    Minimises the weighted mean over worlds of the mean over all pairs of tied teams of
    ``[(S_i - S_j) - (y_i - y_j)]^2``, plus ``smoothness * roughness``, ``fairness`` times the mean
    squared seed bias (`Equations.bias`) of the worlds that have one, and ``others`` times the
    weighted mean of `Equations.spread`; strengths `y` in match points.

    **Arguments:**

    - `worlds`: the equations of every world, and its weight above 0.
    - `config`: its format and `decisions` are used.

    **Returns:** coefficients by result, own share and opponent's share, monotone as `rising`.
    """
    plan, results = config.decisions, config.event.max_half_points + 1
    size, total = plan.knots + DEGREE, sum(weight for _, weight in worlds)
    # 1. What the scores are off by, a pair.
    normal = reduce(np.add, (weight / total * of_world.normal for of_world, weight in worlds))
    right = np.asarray(sum(weight / total * of_world.right for of_world, weight in worlds))
    biases = [(of.bias, of.bias_right) for of, _ in worlds if of.bias is not None]
    # 2. What they owe to the seeds, in worlds where these say something.
    for bias, aimed in biases if plan.fairness else ():
        normal += plan.fairness / len(biases) * bias
        if aimed is not None:
            right = right + plan.fairness / len(biases) * aimed
    # 3. What they owe to matches of others in the last round.
    for of_world, weight in worlds if plan.others else ():
        if of_world.spread is not None:
            normal += plan.others * weight / total * of_world.spread
    # 4. How rough the surface is; and a little of everything, so that there is a solution.
    normal += plan.smoothness * _bending(size, results)
    np.einsum("ii->i", normal)[...] += _RIDGE  # its diagonal
    # Single precision drops the digits in which processors differ.
    raw = _solution(normal, right).reshape(size, size, results).transpose(2, 0, 1)
    return rising(raw.astype(np.float32)).astype(np.float64)


def _solution(normal: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The solution of positive definite equations, right to nearly all digits of a double.

    What BLAS alone finds differs in later digits between kinds of processors. Coefficients are then
    rounded to single precision, and some would be rounded differently. So the solution is corrected
    by its residuals, computed in extended precision where the processor has it (x86).
    """
    factor = scipy.linalg.cho_factor(normal)
    solution = scipy.linalg.cho_solve(factor, right)
    for _ in range(2):
        rows = np.array_split(normal, -(-len(right) // _BLOCK))
        products = np.concatenate([part.astype(np.longdouble) @ solution for part in rows])
        solution = solution + scipy.linalg.cho_solve(factor, (right - products).astype(float))
    return solution


_BLOCK = 512  # rows of a matrix at a time: they fit in the second-level cache


def basis_rows(config: Config) -> tuple[np.ndarray, np.ndarray]:
    """The basis at every own score, and at every column."""
    rounds, knots = config.event.rounds, config.decisions.knots
    return basis(share_grid(rounds), knots), opponent_basis(columns(rounds), knots)


@lru_cache(maxsize=1)
def _bending(size: int, results: int) -> np.ndarray:
    """The sum of squared second differences along own share, opponent's share and result."""
    total = np.zeros((size, size, results) * 2)
    # Views of the entries whose two other indices are equal.
    np.einsum("iabjab->abij", total)[...] += bending(size)
    np.einsum("aibajb->abij", total)[...] += bending(size)
    np.einsum("abiabj->abij", total)[...] += bending(results)
    return total.reshape(2 * (size * size * results,))


def normalised(raw: np.ndarray, seen: Int[np.ndarray, "own cells"], config: Config) -> ValueSurface:
    """The surface with the mean value of a match by own score.

    **Arguments:** coefficients, `Moments.seen` and the configuration.
    """
    own_points, columns = basis_rows(config)
    grid = np.einsum("gab,oa,pb->opg", raw, own_points, columns).reshape(len(own_points), -1)
    matches = seen.sum(axis=1)
    is_known = matches > 0
    mean_value = np.zeros(len(own_points))  # 0 if no match counts: a single round with byes only
    if is_known.any():
        mean = (grid * seen).sum(axis=1)[is_known] / matches[is_known]
        # Own scores that no match was seen at lie between their neighbours.
        mean_value = np.interp(np.arange(len(own_points)), np.flatnonzero(is_known), mean)
    return ValueSurface(coefficients=raw, mean_value=mean_value, rounds=config.event.rounds)
