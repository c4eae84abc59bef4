"""Tie-breaks that depend on who is tied: direct encounter, and ordered combinations."""

from __future__ import annotations

from functools import reduce
from typing import Literal, NamedTuple

from tb2learn.arrays import dense_rank, loop_while, namespace
from tb2learn.chess.results import EventView, times_met
from tb2learn.shapes import Int
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.boards import count, steps
from tb2learn.types import BYE, AnyArray, PerRound, PerTeam, pytree, static

PARTS = 360_360
"""Parts of a match point in which means are counted: whole ones of up to 15 matches."""


class _Tied(NamedTuple):
    """What the matches among tied teams say."""

    points: PerTeam  # against those that a team is tied with, a mean of several matches with one
    missing: PerTeam  # how many of these it has not met


Step = Literal["m", "g", "count", "top", "bottom"]
"""What the matches among the tied teams are compared by: match points, game points; the board
count, the top boards one by one, or all without the bottom boards one by one."""


@pytree
class DirectEncounter:
    """The matches among the tied teams; a score is how many of these a team is placed before.

    If all tied teams have met each other, their points against each other decide (their mean
    against one that they met several times). Otherwise a team is placed first that stays ahead of
    all others even if these win the matches that were not played, then the next one in the same
    way. Teams that remain tied are compared anew among themselves. Matches that the policy for
    unplayed rounds counts as played are matches here, with the match points that were given.

    The extended direct encounter of teams has several `steps`: where one decides nothing any more
    the next one does, and after the last the first one again, until none decides anything, as in
    FIDE's checker. Steps of boards compare two teams only.

    Source: FIDE Handbook C.07, articles 6 and 13.3.

    **Fields:**

    - `once`: as R. Ricca uses it in *Looking for the best tie-break*, 2016, before there was an
      article 6.3: only if all tied teams have met each other, by the sum of their points, and not
      again for those that remain tied. A score is that sum, or 0.
    - `steps`: what the matches are compared by.
    """

    once: bool = static(default=False)
    steps: tuple[Step, ...] = static(default=("m",))

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """How many tied teams a team is placed before."""
        group = event.own if tied is None else tied
        xp, together = namespace(group), group[:, None] == group
        if self.once:
            meetings = _among(event, group, event.results.gained, once=True)
            complete = ~(together & (meetings.missing > 0)).any(axis=1)
            return xp.where(complete, meetings.points, 0)
        compared = [comparison for step in self.steps for comparison in _comparisons(event, step)]
        points = xp.stack([comparison.points for comparison in compared])
        wins = xp.asarray([comparison.win for comparison in compared])
        pairs = xp.asarray([comparison.pairs for comparison in compared])

        def part(state: tuple[PerTeam, AnyArray, AnyArray]) -> tuple[PerTeam, AnyArray, AnyArray]:
            before, step, idle = state
            still = together & (before[:, None] == before)
            # Numbers of the groups that are still tied: no two teams apart have the same.
            apart = dense_rank(group, before)
            among = _among(event, apart, points[step])
            placed = _placed(among, still, wins[step] * PARTS)
            # 13.3.2: steps of boards are for two teams.
            placed = xp.where(pairs[step] & (still.sum(axis=1) != 2), 0, placed)
            changed = (placed > 0).any()
            # After one idle round of all steps nothing changes any more.
            idle = xp.where(changed, 0, idle + 1)
            return before + placed, xp.where(changed, step, (step + 1) % len(compared)), idle

        # Nobody is placed, the first step is next, and none has been idle.
        start = (xp.zeros(len(group), xp.int32), xp.int32(0), xp.int32(0))
        return loop_while(group, lambda state: state[2] < len(compared), part, start)[0]


class _Comparison(NamedTuple):
    """What a step of direct encounter compares."""

    points: PerRound
    win: int  # the points of a match that was won
    pairs: bool = False  # whether it is for two teams only


def _comparisons(event: EventView, step: Step) -> list[_Comparison]:
    """What a step compares, one after the other."""
    results = event.results
    if step == "m":
        return [_Comparison(results.gained, results.win)]
    if step == "g":
        return [_Comparison(results.half_points, 2 * results.boards)]
    points = count(event)[None] if step == "count" else steps(event, step)
    # Any win above 0 will do: of two teams that have not met neither is then placed.
    return [_Comparison(row, 1, pairs=True) for row in points]


def _among(event: EventView, group: PerTeam, points: PerRound, once: bool = False) -> _Tied:
    """The matches among the teams with the same number.

    **Arguments:** the points of every round; `once`: several matches with one as a sum.
    """
    xp, opponent = namespace(group), event.items.opponent
    # `BYE` is -1 and would read the last team.
    inside = (opponent != BYE) & (group[opponent] == group)
    # By the policy's opponents, which may be those of forfeits.
    times, number = times_met(opponent), xp.arange(len(opponent))
    # The same opponent in an earlier round counts as met once: its points are a mean already.
    again = (opponent[:, None] == opponent) & (number[:, None] < number)[..., None]
    size = (group[:, None] == group).sum(axis=1)
    met = (inside & ~again.any(axis=0)).sum(axis=0)
    # A mean in whole parts; once, every meeting counts in full.
    share = 1 if once else PARTS // xp.maximum(times, 1)
    total = xp.where(inside, points * share, 0).sum(axis=0)
    return _Tied(total, size - 1 - met)


def _placed(found: _Tied, tied: AnyArray, win: Int[AnyArray, ""]) -> Int[AnyArray, " teams"]:
    """How many of those it is tied with every team is placed before.

    **Arguments:** what the matches say; whether two teams are tied; the parts of a win.
    """
    xp, points = namespace(tied), found.points
    above = tied & (points > points[:, None])  # of a team's row: who has more points
    complete = ~(tied & (found.missing > 0)).any(axis=1)
    # Points decide where everybody has met everybody.
    below = (tied & (points < points[:, None])).sum(axis=1)
    reach = points + win * found.missing  # with every match won that is missing
    number = xp.arange(len(points))
    # Equal points are no lead.
    caught = (tied & ~above & (reach >= points[:, None]) & (number[:, None] != number)).any(axis=1)
    # All who are above must stay ahead, too: their order is then settled.
    first = ~caught & ~(above & caught).any(axis=1)
    # Itself not counted, and not those who are placed before.
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

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The rank, 0 for the last: by `tied` if given, else match points, then by the parts."""

        def decide(tied: PerTeam, part: TieBreak) -> PerTeam:
            scores = part.scores(event, tied)
            # Fractions that should be equal are.
            return dense_rank(tied, namespace(scores).round(scores, 6))

        return reduce(decide, self.parts, event.own if tied is None else tied)
