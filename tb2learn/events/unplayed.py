"""What an unplayed round counts: rule 14 of the Olympiad of 2016.

A bye, a match won or lost by default, and a round in which a team was not paired count for the
team's tie-breaks as a match against a *virtual opponent*. It starts from the team's own match
points before the round, gains for that round 1 (won by default, or bye) or 0 (lost by default, or
not paired), and then 1 for each later round; its game points likewise.

Of these items a bye is the first to be left out of a reduced sum.

A team without a row in a round was not paired and scores nothing: a file cannot tell an absent team
from one whose bye was left out, so a bye has a row of its own, with an empty `team_b`.

A match is won by the side with more game points, also where boards were defaulted by both sides;
a match in which nobody scored was lost by both. By default means that no game was played: all the
boards that were decided were forfeited.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int

from tb2learn.events.model import EventData
from tb2learn.types import BYE

PLAYED, BYE_ROUND, WON_BY_DEFAULT, LOST_BY_DEFAULT, NOT_PAIRED = range(5)
KINDS = ("played", "bye", "won by default", "lost by default", "not paired")


@dataclass(frozen=True)
class Items:
    """An event as the items that its tie-breaks add up, one row a team and one column a round.

    **Fields:**

    - `match_points`, `half_points`: `[teams]` final scores, half points.
    - `opponent`: team number, `BYE` where the opponent is a virtual one.
    - `opponent_points`, `opponent_half_points`: final scores of the opponent, virtual ones too.
    - `scored`: half points scored in the round.
    - `kind`: index into `KINDS`.
    """

    match_points: Int[np.ndarray, " teams"]
    half_points: Int[np.ndarray, " teams"]
    opponent: Int[np.ndarray, "teams rounds"]
    opponent_points: Int[np.ndarray, "teams rounds"]
    opponent_half_points: Int[np.ndarray, "teams rounds"]
    scored: Int[np.ndarray, "teams rounds"]
    kind: Int[np.ndarray, "teams rounds"]

    @property
    def virtual(self) -> Bool[np.ndarray, "teams rounds"]:
        """True where the opponent is a virtual one."""
        return self.opponent == BYE


def event_items(event: EventData) -> Items:
    """Score an event and complete it with virtual opponents."""
    shape = (len(event.teams), event.rounds)
    opponent = np.full(shape, BYE)
    scored, gained = np.zeros(shape, int), np.zeros(shape, int)
    kind = np.full(shape, NOT_PAIRED)
    for match in event.matches:
        column = match.round - 1
        by_default = match.boards_forfeited == match.boards_decided
        nobody = match.half_points_a == match.half_points_b == 0
        half_points_b = match.half_points_b
        if match.team_b is None:
            half_points_b = match.half_points_a  # a bye is a drawn match
        sides = [(match.team_a, match.team_b, match.half_points_a, half_points_b)]
        if match.team_b is not None:
            sides.append((match.team_b, match.team_a, match.half_points_b, match.half_points_a))
        for team, other, half_points, against in sides:
            scored[team, column] = half_points
            gained[team, column] = 0 if nobody else 1 + np.sign(half_points - against)
            if other is None:
                kind[team, column] = BYE_ROUND
            elif by_default:
                won = half_points > against
                kind[team, column] = WON_BY_DEFAULT if won else LOST_BY_DEFAULT
            else:
                kind[team, column] = PLAYED
                opponent[team, column] = other
    match_points, half_points = gained.sum(axis=1), scored.sum(axis=1)

    before = np.cumsum(gained, axis=1) - gained
    half_before = np.cumsum(scored, axis=1) - scored
    later = event.rounds - 1 - np.arange(event.rounds)
    round_points = np.array([0, 1, 1, 0, 0])[kind]
    round_half_points = np.array([0, event.boards, 2 * event.boards, 0, 0])[kind]
    virtual = opponent == BYE
    return Items(
        match_points=match_points,
        half_points=half_points,
        opponent=opponent,
        opponent_points=np.where(virtual, before + round_points + later, match_points[opponent]),
        opponent_half_points=np.where(
            virtual, half_before + round_half_points + event.boards * later, half_points[opponent]
        ),
        scored=scored,
        kind=kind,
    )
