"""Tie-breaks that add up a value for every opponent met.

What differs is what an opponent *counts as* (`opponent_score`: its match points, or match points
refined by how well it did otherwise) and what a result against it is *worth* (`value`).

`scores` is for simulated events, where a round without a match adds nothing; `working` for recorded
ones, whose unplayed rounds a policy completes (see `completed`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TypeVar

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Num

from tb2learn.standings import Results, weakest_item
from tb2learn.tiebreaks.completed import CompletedEvent, Items, Pass, SumOverRounds
from tb2learn.types import BYE, pytree, static

TENTHS = 10
"""Refined match points are counted in tenths of a match point."""

HUNDRED = 100
"""Points of a pass table that make one match point."""

MOST_REFINEMENT = 1 / 8
"""No opponent counts for more than this share of the most match points above or below its own."""

FORMULA_UNIT = 10_000
"""Scores of a formula are whole numbers of 1/10000 of a match's game points."""


Rounded = TypeVar("Rounded", Array, np.ndarray)


class Additive(ABC):
    """A rule that sums values over the matches played; a round without a match adds nothing."""

    reduced: bool = False
    """Whether the weakest opponent (a bye first) is left out."""

    @abstractmethod
    def opponent_score(self, results: Results) -> Num[Array, "teams rounds"]:
        """What the opponent of every match counts as; undefined for byes."""

    def plain_score(
        self, match_points: Int[Array, "*batch"], rosters: Int[Array, "*batch boards"]
    ) -> Num[Array, "*batch"]:
        """What a team counts as by its match points alone, without refinement."""
        return match_points

    @abstractmethod
    def value(
        self,
        own: Int[Array, "*#batch"],
        opponent_score: Num[Array, "*#batch"],
        half_points: Int[Array, "*#batch"],
    ) -> Num[Array, "*batch"]:
        """What a result is worth.

        **Arguments:**

        - `own`: final match points of the team.
        - `opponent_score`: what the opponent counts as.
        - `half_points`: scored against it.
        """

    def values(self, results: Results) -> Num[Array, "teams rounds"]:
        """What every result is worth, 0 where no match was played."""
        own, half_points = results.match_points[:, None], results.half_points.T
        return jnp.where(
            (results.opponents != BYE).T,
            self.value(own, self.opponent_score(results), half_points),
            0,
        )

    def left_out(
        self, results: Results, values: Num[Array, "teams rounds"]
    ) -> Int[Array, " teams"] | None:
        """The item of every team that a reduced rule leaves out."""
        if not self.reduced:
            return None
        bye = (results.opponents == BYE).T
        return weakest_item(opponent_points(results), values, bye)

    def total(self, values: Num[Array, "*batch rounds"]) -> Int[Array, "*batch"]:
        """The score of a team, from the values of its results."""
        return values.sum(axis=-1)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The sum of a team's values, less the weakest opponent's in a reduced rule."""
        values = self.values(results)
        left_out = self.left_out(results, values)
        if left_out is not None:
            values = values.at[jnp.arange(len(values)), left_out].set(0)
        return self.total(values)


def opponent_points(results: Results) -> Int[Array, "teams rounds"]:
    """Final match points of every opponent, 0 where there was none."""
    return jnp.where(results.opponents == BYE, 0, results.match_points[results.opponents]).T


def without_own_match(
    values: Num[Array, "teams rounds"], opponents: Int[Array, "teams rounds"]
) -> Num[Array, "teams rounds"]:
    """The sum of every opponent's values, its match with the team itself left out.

    **Arguments:**

    - `values`: what every round is worth.
    - `opponents`: team numbers; what is returned for a `BYE` is undefined.

    Left out, because a team that scores more takes points off its opponent: it would make the
    opponent count for less. (Of two teams that met twice, each match leaves out itself.)
    """
    return values.sum(axis=-1)[opponents] - values[opponents, jnp.arange(values.shape[1])]


@pytree
class TableRule(Additive, SumOverRounds):
    """A lookup table by own match points, the opponent's match points and the result."""

    points: Int[Array, "shares shares results"]
    reduced: bool = static(default=True)

    def opponent_score(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's match points."""
        return opponent_points(results)

    def value(self, own: Array, opponent_score: Array, half_points: Array) -> Array:
        """The table's entry."""
        return self.points[own, opponent_score, half_points]

    @property
    def linear(self) -> bool:
        """Whether it is the product rule's table, whatever the own match points."""
        _, columns, results = self.points.shape
        product = np.arange(columns)[:, None] * np.arange(results)
        return bool((np.asarray(self.points) == product).all())

    def working(self, event: CompletedEvent) -> tuple[Pass]:
        """The table's entries, and between two of them the part of the way."""
        points, own = np.asarray(self.points), event.own[:, None]

        def worth(items: Items) -> Float[np.ndarray, "teams rounds"]:
            column, more, part = between(items.opponent_points, points.shape[1])
            result, better, share = between(items.scored, points.shape[2])
            low = (1 - share) * points[own, column, result] + share * points[own, column, better]
            high = (1 - share) * points[own, more, result] + share * points[own, more, better]
            return (1 - part) * low + part * high

        kept = event.cut(worth, low=int(self.reduced))
        return (kept.work_out(worth(kept.items), kept.items.opponent_points),)


@pytree
class GamePoints(Additive):
    """TB3: the half points scored, those of a bye too."""

    def opponent_score(self, results: Results) -> Int[Array, "teams rounds"]:
        """Unused."""
        return opponent_points(results)

    def value(self, own: Array, opponent_score: Array, half_points: Array) -> Array:
        """The result itself."""
        return half_points

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """All half points."""
        return results.half_points.sum(axis=0)


@pytree
class PassRule(Additive, SumOverRounds):
    """Lookup tables in passes: each looks opponents up by how well they did in the one before.

    Points are hundredths of a match point: a sum of 130 says that a team played as teams do that
    score 1.3 match points more. So from the second pass on an opponent counts as its match points
    plus its own sum of the pass before (its match with the team itself left out), in tenths; the
    value in between two columns is interpolated and rounded to a whole point.

    A reduced rule leaves the weakest opponent out of every sum: fewest match points, of several the
    one scored least against, of several the first.
    """

    points: Int[Array, "passes shares columns results"]
    reduced: bool = static(default=False)

    def opponent_score(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's match points in tenths, refined by all passes but the last."""
        return self.opponent_scores(results)[-1]

    def plain_score(self, match_points: Array, rosters: Array) -> Array:
        """Match points in tenths."""
        return TENTHS * match_points

    def opponent_scores(self, results: Results) -> list[Int[Array, "teams rounds"]]:
        """What every opponent counts as in each pass, in tenths of match points."""
        counted = self.counted(results)
        own, half_points = results.match_points[:, None], results.half_points.T
        plain = TENTHS * opponent_points(results)
        most = most_refinement(results.opponents.shape[0])
        scores = [plain]
        for table in self.points[:-1]:
            values = jnp.where(counted, looked_up(table, own, scores[-1], half_points), 0)
            gained = nearest(without_own_match(values, results.opponents.T), HUNDRED // TENTHS)
            scores.append(plain + jnp.clip(gained, -most, most))
        return scores

    def counted(self, results: Results) -> Bool[Array, "teams rounds"]:
        """Which matches count: all, or all but the weakest opponent's."""
        met = (results.opponents != BYE).T
        left_out = self.left_out(results, results.half_points.T)
        if left_out is None:
            return met
        return met & (jnp.arange(met.shape[1]) != left_out[:, None])

    def value(self, own: Array, opponent_score: Array, half_points: Array) -> Array:
        """The last pass's entry, interpolated."""
        return looked_up(self.points[-1], own, opponent_score, half_points)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The sum of the last pass."""
        return self.total(jnp.where(self.counted(results), self.values(results), 0))

    def working(self, event: CompletedEvent) -> tuple[Pass, ...]:
        """Every pass; an opponent without a number (a virtual one) is never refined."""
        results = event.results()  # refuses an event whose rounds are not known
        kept = event.cut(lambda items: items.scored, low=int(self.reduced))
        items, summed = kept.items, jnp.asarray(kept.summed)
        most = most_refinement(results.opponents.shape[0])
        own, opponents = results.match_points[:, None], jnp.asarray(items.opponent, jnp.int32)
        shares, _, half_points = self.points.shape[1:]
        result, better, share = between(items.scored, half_points)
        plain = nearest(TENTHS * np.clip(items.opponent_points, 0, shares - 1), 1).astype(np.int32)
        score, passes = plain, []
        for table in self.points:
            low, high = (
                np.asarray(looked_up(table, own, jnp.asarray(score), jnp.asarray(half)))
                for half in (result, better)
            )
            values = nearest((1 - share) * low + share * high, 1)
            passes.append(kept.work_out(values, score / TENTHS))
            others = without_own_match(jnp.where(summed, values.astype(np.int32), 0), opponents)
            gained = nearest(np.asarray(others) * kept.scale[items.opponent], HUNDRED // TENTHS)
            refinement = np.where(items.opponent == BYE, 0, np.clip(gained, -most, most))
            score = plain + refinement.astype(np.int32)
        return tuple(passes)


def most_refinement(rounds: int) -> int:
    """`MOST_REFINEMENT` at a number of rounds, in tenths of match points."""
    return int(TENTHS * 2 * rounds * MOST_REFINEMENT)


def margin(rounds: int) -> int:
    """Columns of a pass table below 0 match points, and above the most."""
    return -(-most_refinement(rounds) // TENTHS)


def looked_up(
    table: Num[Array, "shares columns results"],
    own: Int[Array, "*#batch"],
    opponent_score: Int[Array, "*#batch"],
    half_points: Int[Array, "*#batch"],
) -> Num[Array, "*batch"]:
    """The values of a pass table for opponents that count as tenths of match points.

    **Returns:** values interpolated along the columns: whole points of a table of integers, exact
    ones of a table of floats.
    """
    shares, columns, _ = table.shape
    column = opponent_score // TENTHS + (columns - shares) // 2
    above = opponent_score % TENTHS
    low = table[own, column, half_points]
    high = table[own, jnp.minimum(column + 1, columns - 1), half_points]
    weighted = (TENTHS - above) * low + above * high
    if jnp.issubdtype(table.dtype, jnp.integer):
        return nearest(weighted, TENTHS)
    return weighted / TENTHS


def nearest(x: Num[Rounded, "*batch"], unit: Int[Array, "*batch"] | int) -> Num[Rounded, "*batch"]:
    """`x / unit`, rounded to the nearest whole number, halves up."""
    return (2 * x + unit) // (2 * unit)


@pytree
class FormulaRule(Additive, SumOverRounds):
    """Game points above expectation, where the expectation goes by match points.

    ``S(t) = sum over the opponents o of [gp - boards / (1 + 10^(-(MP_t - M_o)/a))]`` with
    ``M_o = MP_o`` at first and ``M_o = MP_o + k*S(o)`` in every further pass, S(o) without the
    match between the two. In shares of the most match points and of a match's game points:
    ``scale = a/(2 rounds)`` and ``refinement = k*boards/(2 rounds)``.
    """

    scale: Float[Array, ""]
    refinement: Float[Array, ""]
    boards: int = static(default=4)
    passes: int = static(default=3)
    rounds: int = static(default=11)

    def opponent_score(self, results: Results) -> Float[Array, "teams rounds"]:
        """The opponent's share of the match points, refined."""
        return self.opponent_scores(results)[-1]

    def plain_score(self, match_points: Array, rosters: Array) -> Array:
        """Share of the match points."""
        return match_points / (2 * self.rounds)

    def opponent_scores(self, results: Results) -> list[Float[Array, "teams rounds"]]:
        """What every opponent counts as in each pass, in match-point shares."""
        met = (results.opponents != BYE).T
        own, half_points = results.match_points[:, None], results.half_points.T
        plain = opponent_points(results) / (2 * self.rounds)
        scores = [plain]
        for _ in range(self.passes - 1):
            values = jnp.where(met, self.value(own, scores[-1], half_points), 0.0)
            gained = self.refinement * without_own_match(values, results.opponents.T)
            scores.append(plain + jnp.clip(gained, -MOST_REFINEMENT, MOST_REFINEMENT))
        return scores

    def value(
        self, own: Array, opponent_score: Array, half_points: Array
    ) -> Float[Array, "*batch"]:
        """Share of the game points above the expected one."""
        ahead = own / (2 * self.rounds) - opponent_score
        expected = 1.0 / (1.0 + 10.0 ** (-ahead / self.scale))
        return half_points / (2 * self.boards) - expected

    def total(self, values: Float[Array, "*batch rounds"]) -> Int[Array, "*batch"]:
        """The sum, rounded: equal results make equal scores in whatever order they are added."""
        return jnp.rint(FORMULA_UNIT * values.sum(axis=-1)).astype(jnp.int32)

    def working(self, event: CompletedEvent) -> tuple[Pass, ...]:
        """Every pass; an opponent without a number (a virtual one) is never refined."""
        own = event.results().match_points[:, None]  # refuses an event without rounds
        kept = event.cut(lambda items: items.scored)
        items, summed = kept.items, jnp.asarray(kept.summed)
        opponents, half_points = jnp.asarray(items.opponent, jnp.int32), jnp.asarray(items.scored)
        scale = jnp.asarray(kept.scale, jnp.float32)
        plain = jnp.asarray(items.opponent_points, jnp.float32) / (2 * self.rounds)
        score, passes = plain, []
        for _ in range(self.passes):
            values = self.value(own, score, half_points)
            added = jnp.where(summed, values, 0.0) * scale[:, None]
            worked = kept.work_out(
                FORMULA_UNIT * np.asarray(values, np.float64),
                2.0 * self.rounds * np.asarray(score, np.float64),
            )
            passes.append(replace(worked, totals=np.asarray(self.total(added), np.float64)))
            gained = self.refinement * without_own_match(added, opponents)
            refinement = jnp.clip(gained, -MOST_REFINEMENT, MOST_REFINEMENT)
            score = plain + jnp.where(opponents == BYE, 0.0, refinement)
        return tuple(passes)


def between(
    values: Float[np.ndarray, "*batch"], size: int
) -> tuple[Int[np.ndarray, "*batch"], Int[np.ndarray, "*batch"], Float[np.ndarray, "*batch"]]:
    """Indices on both sides of a value, within `size`, and the part of the way between them."""
    values = np.clip(values, 0, size - 1)
    below = np.floor(values).astype(np.int32)
    return below, np.minimum(below + 1, size - 1), values - below
