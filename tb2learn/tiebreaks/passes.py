"""Sums in passes: each pass looks opponents up by how well they did in the one before."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial, reduce
from typing import Any, ClassVar, NamedTuple

from tb2learn.arrays import compiled, namespace, stored_once
from tb2learn.chess.items import Items, Pass
from tb2learn.chess.results import EventView
from tb2learn.shapes import Bool, Int, Num
from tb2learn.tiebreaks.base import SumOverRounds
from tb2learn.tiebreaks.sums import without_own_match
from tb2learn.tiebreaks.tables import between, nearest
from tb2learn.types import BYE, AnyArray, PerTeam, pytree

TENTHS = 10
"""Refined match points are counted in tenths of a match point."""

HUNDRED = 100
"""Points of a pass table that make one match point."""

MOST_REFINEMENT = 1 / 8
"""The largest refinement, up or down, as a share of the most match points that a team can have."""


class SumInPasses(SumOverRounds):
    """A sum of look-ups that is made again with opponents refined by their sums before, in passes.

    From the second pass on an opponent counts as its match points plus what its own sum of the pass
    before, its match with the team itself left out, says of it: at most `MOST_REFINEMENT` up or
    down. What opponents count as is a whole number of `parts` of a match point.
    """

    parts: ClassVar[int]
    """What opponents count as is counted in so many parts of a match point."""

    @property
    @abstractmethod
    def looked_up_in(self) -> Int[AnyArray, "passes *table"]:
        """The table of every pass."""

    @abstractmethod
    def looked_up(
        self, table: AnyArray, own: AnyArray, opponent_score: AnyArray, result: AnyArray
    ) -> Num[AnyArray, "*batch"]:
        """What a result is worth by a pass's table; other arguments as `value`."""

    @abstractmethod
    def refinement(self, others: Num[AnyArray, "*batch"]) -> Num[AnyArray, "*batch"]:
        """By how many parts of a match point a sum refines, before it is held at the most."""

    def worth(self, event: EventView, items: Items) -> Num[AnyArray, "rounds teams"]:
        """For a cut, of which it has none, the results."""
        return items.scored

    def opponents(self, items: Items) -> Int[AnyArray, "rounds teams"]:
        """The opponent's match points in parts."""
        if not in_fractions(items.opponent_points):
            return self.parts * items.opponent_points
        # Beyond the most match points only refinement leads, for which tables have their margin.
        points = items.opponent_points.clip(0, 2 * len(items.opponent))
        return nearest(self.parts * points, 1).astype(items.opponent.dtype)

    def opponent_score(self, event: EventView) -> Int[AnyArray, "rounds teams"]:
        """The opponent's match points in parts, refined by all passes but the last."""
        return self.last_pass(event)[0]

    def plain_score(self, match_points: AnyArray, rosters: AnyArray) -> AnyArray:
        """Match points in parts."""
        return self.parts * match_points

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """What it is worth in the last pass."""
        return self.looked_up(self.looked_up_in[-1], own, opponent_score, result)

    def values(self, event: EventView) -> Num[AnyArray, "rounds teams"]:
        """What every round adds to the sum of the last pass."""
        score, matches = self.last_pass(event)
        values = self.value(event.results.match_points, score, matches.scored)
        return namespace(values).where(matches.summed, values, 0)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Num[AnyArray, " teams"]:
        """The sum of the last pass."""
        return self.values(event).sum(axis=0)

    def working(self, event: EventView) -> tuple[Pass, ...]:
        """Every pass; a virtual opponent is never refined.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        event.results.need_rounds()
        # As `last_pass`, keeping what every pass says.
        kept, matches, passes = self.kept(event), self._matches(event), []
        points, score = event.results.match_points, matches.plain
        for table in self.looked_up_in:
            values = self.looked_up(table, points, score, matches.scored)
            passes.append(kept.work_out(values, score / self.parts))
            # What opponents count as in the next pass.
            score = self._refined(points, matches, score, table)
        return tuple(passes)

    def last_pass(self, event: EventView) -> tuple[Int[AnyArray, "rounds teams"], Matches]:
        """What opponents count as in the last pass, in parts of match points; and all matches.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        # Their own match is left out by its round, which must be that of both.
        event.results.need_rounds()
        points, matches = event.results.match_points, self._matches(event)
        plain, tables = matches.plain, self.looked_up_in[:-1]
        if not compiled(plain):
            return reduce(partial(self._refined, points, matches), tables, plain), matches
        from jax import lax

        def refine(score: Any, table: Any) -> tuple[Any, None]:
            # Rules with fewer passes than their program has room for begin with empty tables.
            return lax.cond(
                table.any(),
                lambda score: self._refined(points, matches, score, table),
                lambda _: plain,
                score,
            ), None

        # A loop, so that XLA computes every pass once and not for each of its users.
        return lax.scan(refine, plain, tables)[0], matches

    def _refined(
        self, own: PerTeam, matches: Matches, score: AnyArray, table: AnyArray
    ) -> Int[AnyArray, "rounds teams"]:
        """What opponents count as after a pass: refined by their sums of it."""
        xp = namespace(score)

        def worth(score: AnyArray) -> AnyArray:
            return xp.where(matches.summed, self.looked_up(table, own, score, matches.scored), 0)

        # The value of a match is read twice.
        values = stored_once(own, worth, score)
        others = without_own_match(values, matches.opponent)
        # Held at the most, for which the tables have their margin.
        limit = most_refinement(len(score), self.parts)
        gained = xp.clip(self.refinement(others), -limit, limit)
        return matches.plain + xp.where(matches.opponent == BYE, 0, gained).astype(score.dtype)

    def _matches(self, event: EventView) -> Matches:
        kept = self.kept(event)
        items = kept.items
        return Matches(items.opponent, self.opponents(items), items.scored, kept.summed)


@pytree
class PassRule(SumInPasses):
    """Lookup tables in passes: each looks opponents up by how well they did in the one before.

    Points are hundredths of a match point: a sum of 130 means that a team played like teams with
    1.3 match points more. What opponents count as is in tenths. A value between two columns is
    interpolated and rounded to a whole point.
    """

    points: Int[AnyArray, "passes own columns results"]

    parts = TENTHS

    @property
    def looked_up_in(self) -> Int[AnyArray, "passes own columns results"]:
        """A table a pass."""
        return self.points

    def looked_up(
        self, table: AnyArray, own: AnyArray, opponent_score: AnyArray, result: AnyArray
    ) -> Num[AnyArray, "*batch"]:
        """As the function; results may be fractions, between which points are interpolated."""
        table = namespace(result).asarray(table)
        if not in_fractions(result):
            return looked_up(table, own, opponent_score, result)
        # Interpolated twice: along the results here, along the columns by the look-up.
        worse, better, share = between(result, table.shape[-1])
        low, high = (looked_up(table, own, opponent_score, half) for half in (worse, better))
        return nearest((1 - share) * low + share * high, 1)

    def refinement(self, others: Num[AnyArray, "*batch"]) -> Num[AnyArray, "*batch"]:
        """Hundredths of a match point to tenths."""
        return nearest(others, HUNDRED // TENTHS)


class Matches(NamedTuple):
    """What the passes need of every match.

    **Fields:**

    - `opponent`: team number, or `BYE`.
    - `plain`: the opponent's match points in parts, see `SumInPasses`.
    - `scored`: half points.
    - `summed`: whether it adds to the sum.
    """

    opponent: Int[AnyArray, "rounds teams"]
    plain: Int[AnyArray, "rounds teams"]
    scored: Num[AnyArray, "rounds teams"]
    summed: Bool[AnyArray, "rounds teams"]


def in_fractions(array: AnyArray) -> bool:
    """Whether an array has fractions, as policies for unplayed rounds make them."""
    return namespace(array).issubdtype(array.dtype, namespace(array).floating)


def most_refinement(rounds: int, parts: int = TENTHS) -> int:
    """`MOST_REFINEMENT` at a number of rounds, in whole parts of match points."""
    return int(parts * 2 * rounds * MOST_REFINEMENT)


def margin(rounds: int) -> int:
    """How many columns a pass table has below 0 match points, and as many above the most."""
    return -(-most_refinement(rounds) // TENTHS)  # rounded up to whole columns


def looked_up(
    table: Num[AnyArray, "own columns results"],
    own: Int[AnyArray, "*#batch"],
    opponent_score: Int[AnyArray, "*#batch"],
    half_points: Int[AnyArray, "*#batch"],
) -> Num[AnyArray, "*batch"]:
    """The values of a pass table for opponents that count as tenths of match points.

    **Returns:** values interpolated along the columns, rounded to whole points if the table has
    integers.
    """
    xp = namespace(opponent_score)
    shares, columns, _ = table.shape
    # Column 0 is that of the margin below 0 match points.
    column = opponent_score // TENTHS + (columns - shares) // 2
    above = opponent_score % TENTHS  # never negative: `//` rounded down, also below 0
    low = table[own, column, half_points]
    # At the last column the second one has weight 0.
    high = table[own, xp.minimum(column + 1, columns - 1), half_points]
    weighted = (TENTHS - above) * low + above * high
    return weighted / TENTHS if in_fractions(table) else nearest(weighted, TENTHS)
