"""Tie-breaks of teams that look at single boards: board count, top boards, without bottom boards.

Source: FIDE Handbook C.07, article 12. What boards count in rounds without a match is said in
`chess.results.OnBoards`.
"""

from __future__ import annotations

from typing import Literal

from tb2learn.arrays import dense_rank, namespace
from tb2learn.chess.results import EventView
from tb2learn.shapes import Int
from tb2learn.types import AnyArray, PerRound, PerTeam, pytree, static


@pytree
class BoardCount:
    """BC: the sum of the numbers of the boards, each times what was scored there; the lowest first.

    It is of use among teams with the same game points. Source: C.07, article 12.1.
    """

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The negative of the sum, in half points."""
        return count(event).sum(axis=0)


@pytree
class BoardByBoard:
    """TBR: the points on board 1, then on board 2, and so on.

    Or BBE: the points without the last board, then without the last two, and so on.

    Source: C.07, articles 12.2 and 12.3.

    **Fields:** `from_end`: the `top` (TBR) or the `bottom` (BBE).
    """

    from_end: Literal["top", "bottom"] = static(default="top")

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """How many different results of teams are worse."""
        compared = steps(event, self.from_end).sum(axis=1)
        # One board has no bottom to leave out.
        return (
            dense_rank(*compared)
            if len(compared)
            else namespace(compared).zeros(len(event.own), int)
        )


def count(event: EventView) -> PerRound:
    """The negative of the board count of every round, in half points."""
    half_points = event.results.need_boards("the board count").half_points
    number = namespace(half_points).arange(1, half_points.shape[-1] + 1)
    # The lowest is first, and a score is better when higher.
    return -(half_points * number).sum(axis=-1)


def steps(
    event: EventView, from_end: Literal["top", "bottom"]
) -> Int[AnyArray, "steps rounds teams"]:
    """The half points of every round that are compared, one step after the other."""
    half_points = event.results.need_boards(f"the {from_end} board").half_points
    xp = namespace(half_points)
    by_board = xp.moveaxis(half_points, -1, 0)
    # The sum of all boards is left out: it is the game points.
    return by_board if from_end == "top" else xp.cumsum(by_board, axis=0)[-2::-1]
