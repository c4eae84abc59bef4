"""What every round of an event counts for in a tie-break, and which rounds a cut leaves out.

A simulated event is one in which every round was played or was a bye (`results.Results`). The
rounds of a recorded event that were not played are completed by a policy (`events.unplayed`), which
says for every round of every team what the opponent counts as and what the own result counts as.
This is what an unplayed round then counts for, under every rule that adds up rounds:

- A virtual opponent has match points and game points, so it is looked up as a team that was met.
- In a rule in passes, and in the formula, an opponent that is a team of the event (met, or missed
  by forfeit where the policy counts the scheduled opponent) is refined by its own sum without the
  round against the team itself. A virtual opponent has no results, so no refinement.
- A team's own sum includes its unplayed rounds as the policy counts them, also where that sum
  refines the team for its opponents.
- A round without an opponent, not even a virtual one (`Items.empty`), is worth 0.
- The policy chooses the items that a cut leaves out. For a rule in passes it chooses once, with the
  half points scored as the values of the items, so that every pass leaves out the same opponent.
- Match points and results may count as fractions. Between two entries of a table the value is
  interpolated; beyond its first or last entry it is that entry. A table in passes takes match
  points in tenths, rounded to the nearest, and rounds every value to a whole point.

Arrays are of NumPy or of JAX, see `arrays`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tb2learn.arrays import namespace
from tb2learn.shapes import Bool, Int, Num
from tb2learn.types import AnyArray


@dataclass(frozen=True)
class Items:
    """What every round of every team counts for: arrays `[rounds, teams]`.

    **Fields:**

    - `opponent`: team number, `BYE` where the opponent is a virtual one, or nobody.
    - `opponent_points`, `opponent_half_points`: final scores that the opponent counts as.
    - `gained`, `scored`: match points and half points that the team's own result counts as.
    - `counted`: False where the round is no item at all.
    - `empty`: items without an opponent, not even a virtual one: worth 0 under every rule.
    - `first_out`: items that a cut leaves out before any other.
    """

    opponent: Int[AnyArray, "rounds teams"]
    opponent_points: Num[AnyArray, "rounds teams"]
    opponent_half_points: Num[AnyArray, "rounds teams"]
    gained: Num[AnyArray, "rounds teams"]
    scored: Num[AnyArray, "rounds teams"]
    counted: Bool[AnyArray, "rounds teams"]
    empty: Bool[AnyArray, "rounds teams"]
    first_out: Bool[AnyArray, "rounds teams"]


Worth = Callable[[Items], Num[AnyArray, "rounds teams"]]
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

    values: Num[AnyArray, "rounds teams"]
    left_out: Bool[AnyArray, "rounds teams"]
    totals: Num[AnyArray, " teams"]
    counts_as: Num[AnyArray, "rounds teams"] | None = None

    def times(self, unit: float) -> Pass:
        """The same in another unit of points."""
        return replace(self, values=self.values * unit, totals=self.totals * unit)


@dataclass(frozen=True)
class AfterCut:
    """The items after a cut.

    **Fields:**

    - `items`: what every round counts for.
    - `left_out`: the items left out.
    """

    items: Items
    left_out: Bool[AnyArray, "rounds teams"]

    @property
    def worth_something(self) -> Bool[AnyArray, "rounds teams"]:
        """Where a round is an item with an opponent, left out or not."""
        return self.items.counted & ~self.items.empty

    @property
    def summed(self) -> Bool[AnyArray, "rounds teams"]:
        """Where a round adds to the sum."""
        return self.worth_something & ~self.left_out

    def added(self, values: Num[AnyArray, "rounds teams"]) -> Num[AnyArray, "rounds teams"]:
        """What every round adds to the sum: its value, 0 where it is left out."""
        return namespace(values).where(self.summed, values, 0)

    def work_out(
        self,
        values: Num[AnyArray, "rounds teams"],
        counts_as: Num[AnyArray, "rounds teams"] | None = None,
    ) -> Pass:
        """The sum of the values that are not left out."""
        values_that_count = namespace(values).where(self.worth_something, values, 0)
        return Pass(values_that_count, self.left_out, self.added(values).sum(axis=0), counts_as)


@dataclass(frozen=True)
class Cut:
    """How many items are left out of a sum, and by which scores they are chosen.

    **Fields:**

    - `scores`: of the opponents, in the unit of the sum: match points or half points.
    - `values`: of the items, 0 for empty ones.
    - `low`, `high`: how many of the lowest and of the highest items are left out; all of a team
      that has fewer.
    - `second_scores`: if given, of opponents with equal scores the one with the lowest of these
      goes first.
    """

    scores: Num[AnyArray, "rounds teams"]
    values: Num[AnyArray, "rounds teams"]
    low: int
    high: int = 0
    second_scores: Num[AnyArray, "rounds teams"] | None = None

    @property
    def keys(self) -> tuple[Num[AnyArray, "rounds teams"], ...]:
        """What items are ordered by, the first key first."""
        between = () if self.second_scores is None else (self.second_scores,)
        return (self.scores, *between, self.values)


Left = Bool[AnyArray, "rounds teams"]
"""The items that a cut has left so far."""

Choose = Callable[[Left], Int[AnyArray, " teams"]]
"""The next item of every team that a cut leaves out, among those that are left."""


def left_out(counted: Left, low: int, high: int, lowest: Choose, highest: Choose) -> Left:
    """The items that a cut leaves out: one after the other, the lowest first.

    **Arguments:**

    - `counted`: the items that there are.
    - `low`, `high`: how many are left out; all of a team that has fewer.
    - `lowest`, `highest`: choose the next one, anew after every item.
    """
    number = namespace(counted).arange(len(counted))[:, None]
    remaining = counted
    for choose in [lowest] * low + [highest] * high:
        # Where nothing is left the choice is 0, which is no longer left either.
        remaining = remaining & (number != choose(remaining))
    return counted & ~remaining


def lowest(
    keys: Sequence[Num[AnyArray, "rounds *teams"] | Bool[AnyArray, "rounds *teams"]],
    lowest_so_far: Bool[AnyArray, "rounds *teams"],
) -> Int[AnyArray, "*teams"]:
    """The lowest of the items that are left: by the first key, then the next, then the earliest."""
    xp = namespace(lowest_so_far)
    for key in map(_as_number, keys):
        # Above every key that is left.
        largest = xp.inf if xp.issubdtype(key.dtype, xp.floating) else xp.iinfo(key.dtype).max
        lowest_so_far = lowest_so_far & (key == xp.where(lowest_so_far, key, largest).min(axis=0))
    return xp.argmax(lowest_so_far, axis=0)  # the first that is true: the earliest


def highest(
    keys: Sequence[Num[AnyArray, "rounds *teams"] | Bool[AnyArray, "rounds *teams"]],
    left: Bool[AnyArray, "rounds *teams"],
) -> Int[AnyArray, "*teams"]:
    """The highest of the items that are left: by the first key, then the next, then the latest."""
    # Mirrored, so that of equal items the latest is found.
    backwards = [-_as_number(key)[::-1] for key in keys]
    return len(left) - 1 - lowest(backwards, left[::-1])


def _as_number(key: AnyArray) -> AnyArray:
    xp = namespace(key)
    # Booleans have no minus, and no `iinfo`.
    return key.astype(xp.int32) if key.dtype == bool else key
