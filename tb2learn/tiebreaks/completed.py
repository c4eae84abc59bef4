"""Tie-breaks over an event whose unplayed rounds are completed by a policy.

A policy (`events.unplayed`) says for every round of every team what the opponent counts as and what
the own result counts as. This is what an unplayed round then counts for, under every rule that adds
up rounds:

- A virtual opponent has match points and game points, so it is looked up as a team that was met.
- In a rule in passes, and in the formula, an opponent that is a team of the event (met, or missed
  by forfeit where the policy counts the scheduled opponent) is refined by its own sum without the
  round against the team itself. A virtual opponent has no results, so no refinement.
- A team's own sum includes its unplayed rounds as the policy counts them, also where that sum
  refines the team for its opponents.
- A round without an opponent, not even a virtual one (`Items.empty`), is worth 0.
- The policy chooses the item that a reduced rule leaves out (`Policy.left_out`). For a rule in
  passes it chooses once, with the half points scored as the values of the items, so that every pass
  leaves out the same opponent.
- Match points and results may count as fractions. Between two entries of a table the value is
  interpolated; beyond its first or last entry it is that entry. A table in passes takes match
  points in tenths, rounded to the nearest, and rounds every value to a whole point.
- Under a policy that takes means, a sum is multiplied by the policy's factor (`Policy.scale`); so
  are the sums that refine opponents.

A rule that is not a sum over rounds uses `Results`: the matches that were really played, or the
team's own results as recorded. No policy changes these; `library.unplayed_notes` are the lines that
say so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Bool, Float, Int, Num

from tb2learn.chess.results import Results
from tb2learn.tiebreaks.base import TieBreak


@dataclass(frozen=True)
class Items:
    """A record completed by a policy: what every round counts for.

    **Fields:**

    - `opponent`: team number, `BYE` where the opponent is a virtual one, or nobody.
    - `opponent_points`, `opponent_half_points`: final scores that the opponent counts as.
    - `gained`, `scored`: match points and half points that the team's own result counts as.
    - `counted`: False where the round is no item at all.
    - `empty`: items without an opponent, not even a virtual one: worth 0 under every rule.
    - `first_out`: items that a cut leaves out before any other.
    - `opponent_games`: rounds that the opponent really played.
    - `alone_points`: match points that the opponent counts as in a sum of match points alone
      (Buchholz), if a policy has other ones there than in a product with a result.
    """

    opponent: Int[np.ndarray, "teams rounds"]
    opponent_points: Float[np.ndarray, "teams rounds"]
    opponent_half_points: Float[np.ndarray, "teams rounds"]
    gained: Float[np.ndarray, "teams rounds"]
    scored: Float[np.ndarray, "teams rounds"]
    counted: Bool[np.ndarray, "teams rounds"]
    empty: Bool[np.ndarray, "teams rounds"]
    first_out: Bool[np.ndarray, "teams rounds"]
    opponent_games: Int[np.ndarray, "teams rounds"]
    alone_points: Float[np.ndarray, "teams rounds"] | None = None

    @property
    def summed_alone(self) -> Float[np.ndarray, "teams rounds"]:
        """Match points that the opponents count as in a sum of these alone."""
        return self.opponent_points if self.alone_points is None else self.alone_points


Worth = Callable[[Items], Float[np.ndarray, "teams rounds"]]
"""What every item is worth."""


@dataclass(frozen=True)
class Pass:
    """The working of a sum over rounds, or of one pass of it.

    **Fields:**

    - `values`: what every round is worth.
    - `left_out`: the items left out of the sum.
    - `totals`: the score of every team.
    - `counts_as`: match points that the opponents count as; None if the rule does not use them.
    """

    values: Float[np.ndarray, "teams rounds"]
    left_out: Bool[np.ndarray, "teams rounds"]
    totals: Float[np.ndarray, " teams"]
    counts_as: Float[np.ndarray, "teams rounds"] | None = None

    def times(self, unit: float) -> Pass:
        """The same in another unit of points."""
        return replace(self, values=self.values * unit, totals=self.totals * unit)


@dataclass(frozen=True)
class Kept:
    """The items after a cut.

    **Fields:**

    - `items`: as the policy completes them, which may depend on what is left out.
    - `left_out`: the items left out.
    - `scale`: what the sum of every team is multiplied by; 1 unless the policy takes means.
    """

    items: Items
    left_out: Bool[np.ndarray, "teams rounds"]
    scale: Float[np.ndarray, " teams"]

    @property
    def worth_something(self) -> Bool[np.ndarray, "teams rounds"]:
        """Where a round is an item with an opponent, left out or not."""
        return self.items.counted & ~self.items.empty

    @property
    def summed(self) -> Bool[np.ndarray, "teams rounds"]:
        """Where a round adds to the sum."""
        return self.worth_something & ~self.left_out

    def work_out(
        self,
        values: Float[np.ndarray, "teams rounds"],
        counts_as: Num[np.ndarray, "teams rounds"] | None = None,
    ) -> Pass:
        """The sum of values that are not left out."""
        return Pass(
            values=np.where(self.worth_something, values, 0.0),
            left_out=self.left_out,
            totals=np.where(self.summed, values, 0.0).sum(axis=1) * self.scale,
            counts_as=counts_as,
        )


@runtime_checkable
class CompletedEvent(Protocol):
    """A recorded event whose unplayed rounds are completed by a policy, as tie-breaks see it."""

    @property
    def own(self) -> Int[np.ndarray, " teams"]:
        """Final match points."""
        ...

    def cut(
        self, worth: Worth, low: int = 0, high: int = 0, opponent: Literal["m", "g"] = "m"
    ) -> Kept:
        """The items less those that the policy's cut leaves out.

        **Arguments:**

        - `worth`: what every item is worth.
        - `low`, `high`: items left out, from the lowest and from the highest.
        - `opponent`: whether the opponents are ordered by match points or by game points.
        """
        ...

    def results(self) -> Results:
        """What was played: a round without a match has no opponent, its result as recorded.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        ...


class Completable(ABC):
    """A tie-break that uses the completed rounds of an event, or has parts that do."""

    @abstractmethod
    def sums(self) -> tuple[SumOverRounds, ...]:
        """The sums over rounds that it is made of."""

    @abstractmethod
    def completed_scores(
        self, event: CompletedEvent, before: Sequence[Num[np.ndarray, " teams"]] = ()
    ) -> Num[np.ndarray, " teams"]:
        """A number a team, as `TieBreak.scores`.

        **Arguments:** `before`: the scores that decide before it; match points if there are none.
        """


class SumOverRounds(Completable):
    """A sum of what the rounds are worth, which can be shown round by round."""

    linear: bool = False
    """Whether an item is its opponent's points times a factor, so that these may be pooled."""

    opponents_alone: bool = False
    """Whether it is the sum of the opponents' match points, none left out."""

    @abstractmethod
    def working(self, event: CompletedEvent) -> tuple[Pass, ...]:
        """The sum worked out pass by pass; the totals of the last pass are the scores."""

    def sums(self) -> tuple[SumOverRounds, ...]:
        """Itself."""
        return (self,)

    def completed_scores(
        self, event: CompletedEvent, before: Sequence[Num[np.ndarray, " teams"]] = ()
    ) -> Num[np.ndarray, " teams"]:
        """The totals of the last pass."""
        return self.working(event)[-1].totals


def sums_of(rule: TieBreak) -> tuple[SumOverRounds, ...]:
    """The sums over rounds that a tie-break is made of; none for other tie-breaks."""
    return rule.sums() if isinstance(rule, Completable) else ()


def completed_scores(
    rule: TieBreak, event: CompletedEvent, before: Sequence[Num[np.ndarray, " teams"]] = ()
) -> Num[np.ndarray, " teams"]:
    """The scores of any tie-break in an event completed by a policy.

    **Arguments:** `before`: the scores that decide before it; match points if there are none.

    **Raises:** `InputError` if the event does not say what the rule needs.
    """
    if isinstance(rule, Completable):
        return rule.completed_scores(event, before)
    return np.asarray(rule.scores(event.results()))


def joint_rank(scores: Sequence[Num[np.ndarray, " teams"]]) -> Int[np.ndarray, " teams"]:
    """The rank of every team from below by the first scores, then the next; 0 for the last."""
    _, ranks = np.unique(np.stack(scores), axis=1, return_inverse=True)
    return ranks.ravel()
