"""The integer sums over all tied pairs that least squares need, event by event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Num
from scipy import sparse

from tb2learn.config import Config, EventFormat, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation import oracle
from tb2learn.simulation.event import Event
from tb2learn.simulation.event_store import EventStore
from tb2learn.simulation.last_round import LastRound
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.rng import unit_numbers
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.tiebreaks.passes import TENTHS, PassRule, margin
from tb2learn.training.near_pairs import aims_at_ideal, log_odds, near_sides, nearly_equal
from tb2learn.training.surface import (
    ValueSurface,
)
from tb2learn.training.tabulate import pass_table
from tb2learn.types import PerRound, pytree


@pytree
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
    return list(sums)


def joined(parts: Sequence[Moments]) -> Moments:
    """The moments of all parts together."""
    return reduce(partial(jax.tree.map, np.add), parts)


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
        described = event.match_points, log_odds(y), matches, below, above
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


def _add_parts(
    event: EventFormat, cuts: Sequence[int], numbers: np.ndarray, measured: tuple
) -> tuple[Moments, ...]:
    """The moments of a batch by part."""
    at = np.searchsorted(numbers, cuts)
    split_sums = zip(*(np.split(x, at) for x in measured), strict=True)
    return tuple(_add_moments(event, part) for part in split_sums)


def _merged(totals: tuple[Moments, ...], added: tuple[Moments, ...]) -> tuple[Moments, ...]:
    """The sums by part, in the place of the first."""
    for total, addend in zip(totals, added, strict=True):
        teams = addend.line[0]
        if teams:  # the zeros of a part of no teams would take as long to add as numbers
            jax.tree.map(lambda sums, more: np.add(sums, more, out=sums), total, addend)
    return totals


def _add_moments(event: EventFormat, measured: tuple) -> Moments:
    """The moments of a batch."""
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
    return Moments(
        products=products,
        moments=moments,
        pairs=pairs,
        seen=seen,
        near=near,
        near_pairs=near_pairs,
        line=line,
        spread=spread,
        sides=sides,
        side_sums=side_sums,
    )


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
