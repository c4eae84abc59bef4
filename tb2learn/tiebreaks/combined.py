"""Tie-breaks that depend on who is tied: direct encounter, and ordered combinations."""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple

from jaxtyping import Int

from tb2learn.arrays import dense_rank, namespace, repeat
from tb2learn.chess.results import Seen, times_met
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.types import BYE, AnyArray, PerTeam, pytree, static

PARTS = 360_360
"""Parts of a match point in which means are counted: whole ones of up to 15 matches."""


class _Tied(NamedTuple):
    """What the matches among tied teams say."""

    points: PerTeam  # against those that a team is tied with, a mean of several matches with one
    missing: PerTeam  # how many of these it has not met


@pytree
class DirectEncounter:
    """The matches among the tied teams; a score is how many of these a team is placed before.

    If all tied teams have met each other, their points against each other decide (their mean
    against one that they met several times). Otherwise a team is placed first that stays ahead of
    all others even if these win the matches that were not played, then the next one in the same
    way. Teams that remain tied are compared anew among themselves. Matches that the policy for
    unplayed rounds counts as played are matches here, with the match points that were given.

    Source: FIDE Handbook C.07, article 6.

    **Fields:** `once`: as R. Ricca uses it in *Looking for the best tie-break*, 2016, before there
    was an article 6.3: only if all tied teams have met each other, by the sum of their points, and
    not again for those that remain tied. A score is that sum, or 0.
    """

    once: bool = static(default=False)

    def scores(self, event: Seen, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """How many tied teams a team is placed before."""
        group = event.own if tied is None else tied
        together = group[:, None] == group
        if self.once:
            found = self._among(event, group)
            complete = ~(together & (found.missing > 0)).any(axis=1)
            return namespace(group).where(complete, found.points, 0)

        def part(state: tuple[PerTeam, AnyArray]) -> tuple[PerTeam, AnyArray]:
            before, _ = state
            still = together & (before[:, None] == before)
            # Numbers of the groups that are still tied: no two teams apart have the same.
            apart = dense_rank(group, before)
            after = before + _placed(self._among(event, apart), still, _win(event))
            return after, (after != before).any()

        xp = namespace(group)
        start = (xp.zeros(len(group), xp.int32), xp.asarray(True))
        return repeat(group, lambda state: state[1], part, start)[0]

    def _among(self, event: Seen, group: PerTeam) -> _Tied:
        """The matches among the teams with the same number."""
        xp, opponent = namespace(group), event.items.opponent.T
        inside = (opponent != BYE) & (group[opponent] == group)
        times, number = times_met(opponent), xp.arange(len(opponent))
        again = (opponent[:, None] == opponent) & (number[:, None] < number)[..., None]
        size = (group[:, None] == group).sum(axis=1)
        met = (inside & ~again.any(axis=0)).sum(axis=0)
        share = 1 if self.once else PARTS // xp.maximum(times, 1)
        points = xp.where(inside, event.results.gained * share, 0).sum(axis=0)
        return _Tied(points, size - 1 - met)


def _win(event: Seen) -> int:
    """The parts of match points of a win."""
    return event.results.win * PARTS


def _placed(found: _Tied, tied: AnyArray, win: int) -> Int[AnyArray, " teams"]:
    """How many of those it is tied with every team is placed before.

    **Arguments:** what the matches say; whether two teams are tied; the points of a win.
    """
    xp, points = namespace(tied), found.points
    above = tied & (points > points[:, None])  # of a team's row: who has more points
    complete = ~(tied & (found.missing > 0)).any(axis=1)
    below = (tied & (points < points[:, None])).sum(axis=1)
    reach = points + win * found.missing
    number = xp.arange(len(points))
    caught = (tied & ~above & (reach >= points[:, None]) & (number[:, None] != number)).any(axis=1)
    first = ~caught & ~(above & caught).any(axis=1)
    rest = tied.sum(axis=1) - 1 - above.sum(axis=1)
    placed = xp.where(complete, below, xp.where(first, rest, 0))
    return placed.astype(xp.int32)


@pytree
class Combined:
    """Several tie-breaks in order: each decides between teams that are tied on all before it.

    Its score is the team's rank from below, by match points and then by the parts; equal where
    everything is equal. Source: FIDE Handbook C.07, article 4.2.
    """

    parts: tuple[TieBreak, ...]

    def scores(self, event: Seen, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The rank, 0 for the last: by `tied` if given, else match points, then by the parts."""

        def decide(tied: PerTeam, part: TieBreak) -> PerTeam:
            scores = part.scores(event, tied)
            # Fractions that should be equal are.
            return dense_rank(tied, namespace(scores).round(scores, 6))

        return reduce(decide, self.parts, event.own if tied is None else tied)


def encounter_once(rule: TieBreak) -> TieBreak:
    """The same tie-break with direct encounter as R. Ricca uses it, see `DirectEncounter`.

    Studies whose published numbers are from before article 6.3 judge this.
    """
    if isinstance(rule, Combined):
        return Combined(tuple(map(encounter_once, rule.parts)))
    return DirectEncounter(once=True) if isinstance(rule, DirectEncounter) else rule
