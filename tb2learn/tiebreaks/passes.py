"""Lookup tables in passes: each pass looks opponents up by how well they did in the one before."""

from __future__ import annotations

from functools import partial, reduce
from typing import Any, NamedTuple

from jaxtyping import Bool, Int, Num

from tb2learn.arrays import compiled, namespace, once
from tb2learn.chess.items import Items, Pass
from tb2learn.chess.results import Results, Seen
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

    def opponents(self, items: Items) -> Int[AnyArray, "teams rounds"]:
        """The opponent's match points in tenths."""
        if not _in_fractions(items.opponent_points):
            return TENTHS * items.opponent_points
        # Beyond the table only refinement leads, for which it has its margin.
        points = items.opponent_points.clip(0, self.points.shape[1] - 1)
        return nearest(TENTHS * points, 1).astype(items.opponent.dtype)

    def opponent_score(self, event: Seen) -> Int[AnyArray, "teams rounds"]:
        """The opponent's match points in tenths, refined by all passes but the last."""
        return self.last_pass(event)[0].T

    def plain_score(self, match_points: AnyArray, rosters: AnyArray) -> AnyArray:
        """Match points in tenths."""
        return TENTHS * match_points

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """The last pass's entry, interpolated."""
        return _values(self.points[-1], own, opponent_score, result)

    def scores(self, event: Seen, tied: PerTeam | None = None) -> Num[AnyArray, " teams"]:
        """The sum of the last pass."""
        score, matches = self.last_pass(event)
        values = self.value(event.results.match_points, score, matches.scored)
        return namespace(values).where(matches.summed, values, 0).sum(axis=0)

    def working(self, event: Seen) -> tuple[Pass, ...]:
        """Every pass; a virtual opponent is never refined.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        event.results.need_rounds()
        kept, matches, passes = self.kept(event), self._matches(event), []
        own, score = event.results.match_points, matches.plain
        for table in self.points:
            values = _values(table, own, score, matches.scored)
            passes.append(kept.work_out(values.T, score.T / TENTHS))
            score = _refined(own, matches, score, table)
        return tuple(passes)

    def last_pass(self, event: Seen) -> tuple[Int[AnyArray, "rounds teams"], Matches]:
        """What opponents count as in the last pass, in tenths of match points; and all matches.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        # Their own match is left out by its round, which must be that of both.
        event.results.need_rounds()
        own, matches = event.results.match_points, self._matches(event)
        plain = matches.plain
        if not compiled(plain):
            return reduce(partial(_refined, own, matches), self.points[:-1], plain), matches
        from jax import lax

        def refine(score: Any, table: Any) -> tuple[Any, None]:
            # Rules with fewer passes than their program has room for begin with empty tables.
            return lax.cond(
                table.any(),
                lambda score: _refined(own, matches, score, table),
                lambda _: plain,
                score,
            ), None

        # A loop, so that XLA computes every pass once and not for each of its users.
        return lax.scan(refine, plain, self.points[:-1])[0], matches

    def _matches(self, event: Seen) -> Matches:
        results = event.results
        if isinstance(event, Results) and compiled(results.opponents):
            # A simulated event, as `Results.items` has it. Transposing the items takes as long as a
            # pass, so they are made with rounds first.
            xp, met = namespace(results.opponents), results.met
            plain = xp.where(met, TENTHS * results.match_points[results.opponents], 0)
            return Matches(results.opponents, plain, results.half_points, met)
        kept = self.kept(event)
        turned = kept.items.opponent, self.opponents(kept.items), kept.items.scored, kept.summed
        return Matches(*(array.T for array in turned))


class Matches(NamedTuple):
    """What the passes need of every match.

    Rounds are the first axis and teams the last, because XLA vectorises loops along the last axis,
    and the rounds of an event are too few for that.

    **Fields:**

    - `opponent`: team number, or `BYE`.
    - `plain`: the opponent's match points in tenths.
    - `scored`: half points.
    - `summed`: whether it adds to the sum.
    """

    opponent: Int[AnyArray, "rounds teams"]
    plain: Int[AnyArray, "rounds teams"]
    scored: Num[AnyArray, "rounds teams"]
    summed: Bool[AnyArray, "rounds teams"]


def _refined(
    own: PerTeam, matches: Matches, score: AnyArray, table: AnyArray
) -> Int[AnyArray, "rounds teams"]:
    """What opponents count as after a pass: refined by their sums of it."""
    xp = namespace(score)

    def worth(score: AnyArray) -> AnyArray:
        return xp.where(matches.summed, _values(table, own, score, matches.scored), 0)

    # The value of a match is read twice.
    values = once(own, worth, score)
    others = without_own_match(values, matches.opponent, axis=0)
    most = most_refinement(len(score))
    # Hundredths of a match point to tenths.
    gained = xp.clip(nearest(others, HUNDRED // TENTHS), -most, most)
    refinement = xp.where(matches.opponent == BYE, 0, gained)
    return matches.plain + refinement.astype(score.dtype)


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
