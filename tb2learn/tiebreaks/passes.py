"""Lookup tables in passes: each pass looks opponents up by how well they did in the one before."""

from __future__ import annotations

from typing import Any

from jaxtyping import Bool, Int, Num

from tb2learn.arrays import compiled, namespace
from tb2learn.chess.items import Items, Kept, Pass
from tb2learn.chess.results import Seen
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


@pytree
class PassRule(SumOverRounds):
    """Lookup tables in passes: each looks opponents up by how well they did in the one before.

    Points are hundredths of a match point: a sum of 130 means that a team played like teams with
    1.3 match points more. From the second pass on an opponent counts as its match points plus its
    own sum of the pass before (its match with the team itself left out), in tenths. A value between
    two columns is interpolated and rounded to a whole point.
    """

    points: Int[AnyArray, "passes shares columns results"]

    def worth(self, event: Seen, items: Items) -> Num[AnyArray, "teams rounds"]:
        """For a cut, of which it has none, the results."""
        return items.scored

    def counted(self, event: Seen) -> Bool[AnyArray, "teams rounds"]:
        """Which rounds count: those that were played, or that a policy completes."""
        return self.kept(event).summed

    def opponents(self, items: Items) -> Int[AnyArray, "teams rounds"]:
        """The opponent's match points in tenths."""
        if not _in_fractions(items.opponent_points):
            return TENTHS * items.opponent_points
        # Beyond the table only refinement leads, for which it has its margin.
        points = items.opponent_points.clip(0, self.points.shape[1] - 1)
        return nearest(TENTHS * points, 1).astype(items.opponent.dtype)

    def opponent_score(self, event: Seen) -> Int[AnyArray, "teams rounds"]:
        """The opponent's match points in tenths, refined by all passes but the last."""
        return self._last(event, self.kept(event))

    def plain_score(self, match_points: AnyArray, rosters: AnyArray) -> AnyArray:
        """Match points in tenths."""
        return TENTHS * match_points

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """The last pass's entry, interpolated."""
        return _values(self.points[-1], own, opponent_score, result)

    def scores(self, event: Seen, tied: PerTeam | None = None) -> Num[AnyArray, " teams"]:
        """The sum of the last pass."""
        kept = self.kept(event)
        own = event.results.match_points[:, None]
        values = self.value(own, self._last(event, kept), kept.items.scored)
        return kept.work_out(values).totals

    def working(self, event: Seen) -> tuple[Pass, ...]:
        """Every pass; a virtual opponent is never refined.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        event.results.need_rounds()
        kept, passes = self.kept(event), []
        own, score = event.results.match_points[:, None], self.opponents(kept.items)
        for table in self.points:
            values = _values(table, own, score, kept.items.scored)
            passes.append(kept.work_out(values, score / TENTHS))
            score = self._refined(event, kept, score, table)
        return tuple(passes)

    def _last(self, event: Seen, kept: Kept) -> Int[AnyArray, "teams rounds"]:
        """What opponents count as in the last pass."""
        # Their own match is left out by its round, which must be that of both.
        event.results.need_rounds()
        plain = self.opponents(kept.items)
        if not compiled(plain):
            score = plain
            for table in self.points[:-1]:
                score = self._refined(event, kept, score, table)
            return score
        from jax import lax

        def refine(score: Any, table: Any) -> tuple[Any, None]:
            # Rules with fewer passes than their program has room for begin with empty tables.
            return lax.cond(
                table.any(),
                lambda score: self._refined(event, kept, score, table),
                lambda _: plain,
                score,
            ), None

        # A loop, so that XLA computes every pass once and not for each of its users.
        return lax.scan(refine, plain, self.points[:-1])[0]

    def _refined(
        self, event: Seen, kept: Kept, score: AnyArray, table: AnyArray
    ) -> Int[AnyArray, "teams rounds"]:
        """What opponents count as after a pass: refined by their sums of it."""
        items, own = kept.items, event.results.match_points[:, None]
        xp = namespace(score)
        values = xp.where(kept.summed, _values(table, own, score, items.scored), 0)
        others = without_own_match(values, items.opponent)
        most = most_refinement(score.shape[1])
        # Hundredths of a match point to tenths.
        gained = xp.clip(nearest(others, HUNDRED // TENTHS), -most, most)
        refinement = xp.where(items.opponent == BYE, 0, gained)
        return self.opponents(items) + refinement.astype(score.dtype)


def _in_fractions(array: AnyArray) -> bool:
    return namespace(array).issubdtype(array.dtype, namespace(array).floating)


def most_refinement(rounds: int) -> int:
    """`MOST_REFINEMENT` at a number of rounds, in tenths of match points."""
    return int(TENTHS * 2 * rounds * MOST_REFINEMENT)


def margin(rounds: int) -> int:
    """How many columns a pass table has below 0 match points, and as many above the most."""
    return -(-most_refinement(rounds) // TENTHS)  # rounded up to whole columns


def _values(
    table: AnyArray, own: AnyArray, opponent_score: AnyArray, half_points: AnyArray
) -> Num[AnyArray, "*batch"]:
    """As `looked_up`; half points may be fractions, between which whole points are interpolated."""
    table = namespace(half_points).asarray(table)
    if not _in_fractions(half_points):
        return looked_up(table, own, opponent_score, half_points)
    result, better, share = between(half_points, table.shape[-1])
    low, high = (looked_up(table, own, opponent_score, half) for half in (result, better))
    return nearest((1 - share) * low + share * high, 1)


def looked_up(
    table: Num[AnyArray, "shares columns results"],
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
    return weighted / TENTHS if _in_fractions(table) else nearest(weighted, TENTHS)
