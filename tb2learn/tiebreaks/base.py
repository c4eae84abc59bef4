"""What a tie-break is: a number a team from an event, simulated or recorded.

A tie-break is written once. It sees an event as `chess.results.EventView`, whose arrays are
of JAX if the event is simulated and of NumPy if it is recorded, so that ranking a file needs no
JAX.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal, Protocol, runtime_checkable

from tb2learn.chess.items import AfterCut, Items, Pass
from tb2learn.chess.results import EventView, Score
from tb2learn.shapes import Int, Num
from tb2learn.types import AnyArray, PerTeam


@runtime_checkable
class TieBreak(Protocol):
    """A rule that orders teams of equal match points."""

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Num[AnyArray, " teams"]:
        """A number a team; of two teams on equal match points the higher one is placed first.

        **Arguments:** `tied`: one number a team, equal for teams that are tied so far: their match
        points, if not given. Only rules that compare tied teams with each other look at it.
        """
        ...


class Explained(ABC):
    """A tie-break that can be shown round by round."""

    @abstractmethod
    def working(self, event: EventView) -> tuple[Pass, ...]:
        """What every round is worth, pass by pass; the totals of the last pass are the scores."""


class Additive(ABC):
    """A rule that sums what results are worth, so that other results can be put in their place.

    A round without a match adds nothing, unless a policy for unplayed rounds says otherwise.
    """

    result: Literal["m", "g", ""] = "g"
    """Which own result is valued: match points, or half points; empty if none is."""

    def opponents(self, items: Items) -> Num[AnyArray, "rounds teams"]:
        """What the opponents of an event count as before any refinement by their own results."""
        return items.opponent_points

    def opponent_score(self, event: EventView) -> Num[AnyArray, "rounds teams"]:
        """What the opponents count as; of no meaning where there is none."""
        return self.opponents(event.items)

    def plain_score(
        self, match_points: Int[AnyArray, "*batch"], rosters: Int[AnyArray, "*batch boards"]
    ) -> Num[AnyArray, "*batch"]:
        """What a team counts as before any refinement by its own results."""
        return match_points

    @abstractmethod
    def value(
        self,
        own: Num[AnyArray, "*#batch"],
        opponent_score: Num[AnyArray, "*#batch"],
        result: Num[AnyArray, "*#batch"],
    ) -> Num[AnyArray, "*batch"]:
        """What a result is worth.

        **Arguments:**

        - `own`: final match points of the team.
        - `opponent_score`: what the opponent counts as.
        - `result`: scored against it, in match points or half points, as `result` says.
        """


class SumOverRounds(Additive, Explained):
    """A sum of what the rounds are worth, in which a policy completes those that were not played.

    A cut leaves out the items of the opponents with the lowest scores (of equal ones those worth
    least), or with the highest.
    """

    def cut(self) -> tuple[int, int, Score]:
        """How many opponents are left out at each end, 0 .. rounds; which of their scores says."""
        return 0, 0, "m"

    def kept(self, event: EventView) -> AfterCut:
        """The items less those that the cut leaves out."""
        return event.cut(lambda items: self.worth(event, items), *self.cut())

    def worth(self, event: EventView, items: Items) -> Num[AnyArray, "rounds teams"]:
        """What the items are worth."""
        result = items.gained if self.result == "m" else items.scored
        return self.value(event.own, self.opponents(items), result)

    def counts_as(self, items: Items) -> Num[AnyArray, "rounds teams"] | None:
        """The match points that opponents count as; None if they do not matter."""
        return self.opponents(items)

    def working(self, event: EventView) -> tuple[Pass, ...]:
        """One pass: the values of the items that the cut leaves."""
        kept = self.kept(event)
        return (kept.work_out(self.worth(event, kept.items), self.counts_as(kept.items)),)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Num[AnyArray, " teams"]:
        """The totals of the last pass."""
        return self.working(event)[-1].totals
