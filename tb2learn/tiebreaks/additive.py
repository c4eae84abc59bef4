"""Tie-breaks that add up a value for every opponent met.

What differs is what an opponent *counts as* (`reading`: its match points, or match points refined
by how well it did otherwise) and what a result against it is *worth* (`value`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Num

from tb2learn.standings import Results, weakest_item
from tb2learn.types import BYE, pytree, static

TENTHS = 10
"""Refined match points are counted in tenths of a match point."""

HUNDRED = 100
"""Points of a pass table that make one match point."""

MOST_REFINEMENT = 1 / 8
"""No opponent counts for more than this share of the most match points above or below its own."""

FORMULA_UNIT = 10_000
"""Scores of a formula are whole numbers of 1/10000 of a match's game points."""


class Additive(ABC):
    """A rule that sums values over the matches played; a round without a match adds nothing."""

    reduced: bool = False
    """Whether the weakest opponent (a bye first) is left out."""

    @abstractmethod
    def reading(self, results: Results) -> Num[Array, "teams rounds"]:
        """What the opponent of every match counts as; anything where there was none."""

    def unrefined(
        self, match_points: Int[Array, "*batch"], rosters: Int[Array, "*batch boards"]
    ) -> Num[Array, "*batch"]:
        """What a team counts as by its match points alone."""
        return match_points

    @abstractmethod
    def value(
        self,
        own: Int[Array, "*#batch"],
        reading: Num[Array, "*#batch"],
        half_points: Int[Array, "*#batch"],
    ) -> Num[Array, "*batch"]:
        """What a result is worth.

        **Arguments:**

        - `own`: final match points of the team.
        - `reading`: what the opponent counts as.
        - `half_points`: scored against it.
        """

    def values(self, results: Results) -> Num[Array, "teams rounds"]:
        """What every result is worth, 0 where no match was played."""
        own, half_points = results.match_points[:, None], results.half_points.T
        return jnp.where(
            (results.opponents != BYE).T, self.value(own, self.reading(results), half_points), 0
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
    values: Num[Array, "teams rounds"], results: Results
) -> Num[Array, "teams rounds"]:
    """The sum of every opponent's values, its match with the team itself left out.

    Left out, because a team that scores more takes points off its opponent: it would make the
    opponent count for less. (Of two teams that met twice, each match leaves out itself.)
    """
    opponents = results.opponents.T
    return values.sum(axis=-1)[opponents] - values[opponents, jnp.arange(values.shape[1])]


@pytree
class TableRule(Additive):
    """A lookup table by own match points, the opponent's match points and the result."""

    points: Int[Array, "shares shares results"]
    reduced: bool = static(default=True)

    def reading(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's match points."""
        return opponent_points(results)

    def value(self, own: Array, reading: Array, half_points: Array) -> Array:
        """The table's entry."""
        return self.points[own, reading, half_points]


@pytree
class GamePoints(Additive):
    """TB3: the half points scored, those of a bye too."""

    def reading(self, results: Results) -> Int[Array, "teams rounds"]:
        """Unused."""
        return opponent_points(results)

    def value(self, own: Array, reading: Array, half_points: Array) -> Array:
        """The result itself."""
        return half_points

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """All half points."""
        return results.half_points.sum(axis=0)


@pytree
class PassRule(Additive):
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

    def reading(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's match points in tenths, refined by all passes but the last."""
        return self.readings(results)[-1]

    def unrefined(self, match_points: Array, rosters: Array) -> Array:
        """Match points in tenths."""
        return TENTHS * match_points

    def readings(self, results: Results) -> list[Int[Array, "teams rounds"]]:
        """What every opponent counts as in each pass, in tenths of match points."""
        counted = self.counted(results)
        own, half_points = results.match_points[:, None], results.half_points.T
        plain = TENTHS * opponent_points(results)
        most = most_refinement(results.opponents.shape[0])
        readings = [plain]
        for table in self.points[:-1]:
            values = jnp.where(counted, looked_up(table, own, readings[-1], half_points), 0)
            gained = _nearest(without_own_match(values, results), HUNDRED // TENTHS)
            readings.append(plain + jnp.clip(gained, -most, most))
        return readings

    def counted(self, results: Results) -> Bool[Array, "teams rounds"]:
        """Which matches count: all, or all but the weakest opponent's."""
        met = (results.opponents != BYE).T
        left_out = self.left_out(results, results.half_points.T)
        if left_out is None:
            return met
        return met & (jnp.arange(met.shape[1]) != left_out[:, None])

    def value(self, own: Array, reading: Array, half_points: Array) -> Array:
        """The last pass's entry, interpolated."""
        return looked_up(self.points[-1], own, reading, half_points)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The sum of the last pass."""
        return self.total(jnp.where(self.counted(results), self.values(results), 0))


def most_refinement(rounds: int) -> int:
    """`MOST_REFINEMENT` at a number of rounds, in tenths of match points."""
    return int(TENTHS * 2 * rounds * MOST_REFINEMENT)


def margin(rounds: int) -> int:
    """Columns of a pass table below 0 match points, and above the most."""
    return -(-most_refinement(rounds) // TENTHS)


def looked_up(
    table: Num[Array, "shares columns results"],
    own: Int[Array, "*#batch"],
    reading: Int[Array, "*#batch"],
    half_points: Int[Array, "*#batch"],
) -> Num[Array, "*batch"]:
    """The values of a pass table for opponents that count as tenths of match points.

    **Returns:** values interpolated along the columns: whole points of a table of integers, exact
    ones of a table of floats.
    """
    shares, columns, _ = table.shape
    column = reading // TENTHS + (columns - shares) // 2
    above = reading % TENTHS
    low = table[own, column, half_points]
    high = table[own, jnp.minimum(column + 1, columns - 1), half_points]
    weighted = (TENTHS - above) * low + above * high
    if jnp.issubdtype(table.dtype, jnp.integer):
        return _nearest(weighted, TENTHS)
    return weighted / TENTHS


def _nearest(x: Int[Array, "*batch"], unit: int) -> Int[Array, "*batch"]:
    """`x / unit`, rounded to the nearest whole number, halves up."""
    return (x + unit // 2) // unit


@pytree
class FormulaRule(Additive):
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

    def reading(self, results: Results) -> Float[Array, "teams rounds"]:
        """The opponent's share of the match points, refined."""
        return self.readings(results)[-1]

    def unrefined(self, match_points: Array, rosters: Array) -> Array:
        """Share of the match points."""
        return match_points / (2 * self.rounds)

    def readings(self, results: Results) -> list[Float[Array, "teams rounds"]]:
        """What every opponent counts as in each pass, in match-point shares."""
        met = (results.opponents != BYE).T
        own, half_points = results.match_points[:, None], results.half_points.T
        plain = opponent_points(results) / (2 * self.rounds)
        readings = [plain]
        for _ in range(self.passes - 1):
            values = jnp.where(met, self.value(own, readings[-1], half_points), 0.0)
            gained = self.refinement * without_own_match(values, results)
            readings.append(plain + jnp.clip(gained, -MOST_REFINEMENT, MOST_REFINEMENT))
        return readings

    def value(self, own: Array, reading: Array, half_points: Array) -> Float[Array, "*batch"]:
        """Share of the game points above the expected one."""
        ahead = own / (2 * self.rounds) - reading
        expected = 1.0 / (1.0 + 10.0 ** (-ahead / self.scale))
        return half_points / (2 * self.boards) - expected

    def total(self, values: Float[Array, "*batch rounds"]) -> Int[Array, "*batch"]:
        """The sum, rounded: equal results make equal scores in whatever order they are added."""
        return jnp.rint(FORMULA_UNIT * values.sum(axis=-1)).astype(jnp.int32)
