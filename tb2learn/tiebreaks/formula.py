"""The formula: game points above the expectation from match points, in passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jaxtyping import Float, Int, Num

from tb2learn.arrays import namespace
from tb2learn.chess.items import Items, Kept, Pass
from tb2learn.chess.results import Seen
from tb2learn.tiebreaks.base import SumOverRounds
from tb2learn.tiebreaks.passes import MOST_REFINEMENT
from tb2learn.tiebreaks.sums import without_own_match
from tb2learn.types import BYE, AnyArray, PerTeam, pytree, static

FORMULA_UNIT = 10_000
"""Scores of a formula are whole numbers of 1/10000 of a match's game points."""


@pytree
class FormulaRule(SumOverRounds):
    """Game points above the score that is expected by match points.

    ``S(t) = sum over the opponents o of [gp - boards / (1 + 10^(-(MP_t - M_o)/a))]`` with
    ``M_o = MP_o`` at first and ``M_o = MP_o + k*S(o)`` in every further pass, S(o) without the
    match between the two. In shares of the most match points and of a match's game points:
    ``scale = a/(2 rounds)`` and ``refinement = k*boards/(2 rounds)``.

    Recorded events are computed in double precision, simulated ones in single precision.
    """

    scale: Float[AnyArray, ""]
    refinement: Float[AnyArray, ""]
    boards: int = static(default=4)
    passes: int = static(default=3)
    rounds: int = static(default=11)

    def opponents(self, items: Items) -> Num[AnyArray, "teams rounds"]:
        """The opponent's share of the match points."""
        return items.opponent_points / (2 * self.rounds)

    def opponent_score(self, event: Seen) -> Float[AnyArray, "teams rounds"]:
        """The opponent's share of the match points, refined by all passes but the last."""
        *_, (score, _) = self._passes(event, self.kept(event))
        return score

    def plain_score(self, match_points: AnyArray, rosters: AnyArray) -> AnyArray:
        """Share of the match points."""
        return match_points / (2 * self.rounds)

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """Share of the game points above the expected one."""
        ahead = own / (2 * self.rounds) - opponent_score
        expected = 1.0 / (1.0 + 10.0 ** (-ahead / self.scale))
        return result / (2 * self.boards) - expected

    def total(self, values: AnyArray) -> AnyArray:
        """The sum, rounded so that the order of adding does not change it."""
        xp = namespace(values)
        return xp.rint(FORMULA_UNIT * values.sum(axis=-1)).astype(xp.int32)

    def values(self, event: Seen) -> Float[AnyArray, "teams rounds"]:
        """What every round adds to the sum of the last pass."""
        kept = self.kept(event)
        *_, (_, values) = self._passes(event, kept)
        return kept.added(values)

    def scores(self, event: Seen, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The sums of the last pass."""
        return self.total(self.values(event))

    def working(self, event: Seen) -> tuple[Pass, ...]:
        """Every pass; a virtual opponent is never refined.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        kept, passes = self.kept(event), []
        for score, values in self._passes(event, kept):
            worked = kept.work_out(FORMULA_UNIT * values, 2.0 * self.rounds * score)
            passes.append(replace(worked, totals=self.total(kept.added(values))))
        return tuple(passes)

    def worth(self, event: Seen, items: Items) -> Num[AnyArray, "teams rounds"]:
        """For a cut, of which it has none, the results."""
        return items.scored

    def _passes(self, event: Seen, kept: Kept) -> Iterator[tuple[AnyArray, AnyArray]]:
        """What opponents count as in every pass, and what the rounds are worth."""
        event.results.need_rounds()
        # What was played, without what arbiters gave or took.
        own, items = event.results.match_points[:, None], kept.items
        xp, plain = namespace(items.opponent), self.opponents(items)
        score = plain
        for left in reversed(range(self.passes)):
            values = self.value(own, score, items.scored)
            yield score, values
            if left:
                others = without_own_match(kept.added(values), items.opponent)
                # Behind the clip, `where` would change last digits of the gradient, and so of fits.
                gained = self.refinement * xp.where(items.opponent == BYE, 0.0, others)
                score = plain + xp.clip(gained, -MOST_REFINEMENT, MOST_REFINEMENT)
