"""What a tie-break may see of an event, and how it leaves out the weakest opponent.

Everything in a simulated event is an integer: game points are counted in half points, the product
rule's TB2 in half points too (twice the published number), a learned TB2 in points of its lookup
table. Arrays are of NumPy or of JAX, see `arrays`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from tb2learn.arrays import namespace
from tb2learn.chess.items import AfterCut, Cut, Items, Worth, highest, left_out, lowest
from tb2learn.shapes import Bool, Int
from tb2learn.types import BYE, AnyArray, InputError, PerRound, PerTeam, pytree, static

Score = Literal["m", "g"]
"""Match points or game points; game points are counted in half points."""


class EventView(ABC):
    """An event as a tie-break sees it: a simulated one, or a recorded one that was completed."""

    @property
    @abstractmethod
    def last_round_drawn(self) -> EventView:
        """The items as if all who were paired in the final round had drawn (C.07, 8.3)."""

    @property
    @abstractmethod
    def results(self) -> Results:
        """What was really played."""

    @property
    @abstractmethod
    def own(self) -> PerTeam:
        """Match points of the standings."""

    @property
    @abstractmethod
    def own_half_points(self) -> PerTeam:
        """Half points of the standings."""

    @property
    @abstractmethod
    def items(self) -> Items:
        """What every round counts for."""

    @abstractmethod
    def cut(self, worth: Worth, low: int = 0, high: int = 0, by: Score = "m") -> AfterCut:
        """The items less those that a cut leaves out.

        **Arguments:**

        - `worth`: what every item is worth.
        - `low`, `high`: items left out, from the lowest and from the highest.
        - `by`: the score of the opponents that orders the items.
        """


@pytree
class OnBoards:
    """What was scored on every board of every match.

    A board that was forfeited counts as won or lost; without an opponent, or in a match by default
    whose games are not recorded, all boards count as the round does, and those of a
    pairing-allocated bye as won.

    Source: FIDE Handbook C.07, article 12.
    """

    half_points: Int[AnyArray, "rounds teams boards"]
    played: Bool[AnyArray, "rounds teams boards"]  # over the board
    blacks: Bool[AnyArray, "rounds teams boards"]  # with Black, played or not


@pytree
class Results(EventView):
    """Who met whom and what was scored: all that a tie-break may look at.

    Only a few tie-breaks use ratings or colours. The last fields are of recorded events: in a
    simulated one matches score 2, 1, 0, and every round was played or was a bye.
    """

    opponents: PerRound  # [rounds, teams] BYE if no match was played
    half_points: PerRound  # [rounds, teams]
    match_points: PerTeam  # [teams] final
    boards: int = static()  # games of a match
    ratings: PerTeam | None = None  # [teams] before the event, 0 for none
    whites: Bool[AnyArray, "rounds teams"] | None = None  # had White (teams: on board 1)
    round_points: PerRound | None = None  # [rounds, teams] match points of the round
    drawn: PerRound | None = None  # [rounds, teams] opponents, also those that did not come
    elected: Bool[AnyArray, "rounds teams"] | None = None  # not missed by the team's own choice
    win: int = static(default=2)  # match points of a win
    draw: int = static(default=1)  # ... and of a draw
    known_rounds: bool = static(default=True)  # whether both sides have a match in the same round
    on_boards: OnBoards | None = None  # of recorded events whose games are all known
    # Who has a rating, where 0 is one (U0); else those whose rating is above 0.
    rated: Bool[AnyArray, " teams"] | None = None

    @property
    def results(self) -> Results:
        """Itself."""
        return self

    @property
    def last_round_drawn(self) -> Results:
        """The same with draws in the last round."""
        rounds, xp = len(self.opponents), namespace(self.opponents)
        last = self.met & (xp.arange(rounds) == rounds - 1)[:, None]
        gained = xp.where(last, self.draw, self.gained)
        increase = (gained - self.gained).sum(axis=0)
        return replace(
            self,
            # Half of the games' points, in half points: one a board.
            half_points=xp.where(last, self.boards, self.half_points),
            match_points=self.match_points + increase,
            round_points=gained,
        )

    @property
    def own(self) -> PerTeam:
        """Final match points."""
        return self.match_points

    @property
    def own_half_points(self) -> PerTeam:
        """Half points of all rounds."""
        return self.half_points.sum(axis=0)

    @property
    def met(self) -> Bool[AnyArray, "rounds teams"]:
        """Where a match was played."""
        return self.opponents != BYE

    @property
    def gained(self) -> PerRound:
        """Match points of every round."""
        if self.round_points is not None:
            return self.round_points
        return match_points(self.half_points, self.boards)

    @property
    def items(self) -> Items:
        """What every round counts for: a bye is an item without an opponent, the first to go."""
        xp, opponent, met = namespace(self.opponents), self.opponents, self.met
        total = self.own_half_points
        return Items(
            opponent=opponent,
            # `BYE` is -1 and would read the last team.
            opponent_points=xp.where(met, self.match_points[opponent], 0),
            opponent_half_points=xp.where(met, total[opponent], 0),
            gained=self.gained,
            scored=self.half_points,
            counted=xp.ones(met.shape, bool),
            empty=~met,
            first_out=~met,
        )

    def cut(self, worth: Worth, low: int = 0, high: int = 0, by: Score = "m") -> AfterCut:
        """The items less those that a cut leaves out: byes first."""
        items = self.items
        scores = items.opponent_points if by == "m" else items.opponent_half_points
        values = namespace(scores).where(items.empty, 0, worth(items))
        return AfterCut(items, cut_items(items, Cut(scores, values, low, high)))

    def need_rounds(self) -> None:
        """Refuse a cross-table, in which the two teams of a match may have it in different rounds.

        **Raises:** `InputError` if rounds are not known.
        """
        if not self.known_rounds:
            raise InputError(
                "this event is recorded without rounds: only sums over opponents apply"
            )

    def need_boards(self, what: str) -> OnBoards:
        """What was scored on every board.

        **Raises:** `InputError` naming `what` for results without the games of all matches.
        """
        if self.on_boards is None:
            raise InputError(f"{what} needs boards: these results have none")
        return self.on_boards


def cut_items(items: Items, cut: Cut) -> Bool[AnyArray, "rounds teams"]:
    """The items that a cut leaves out.

    The lowest are those marked `first_out`, then those of the lowest opponents, then those of the
    lowest value, then the earliest. The highest are found in the same way.
    """
    keys = (~items.first_out, *cut.keys)  # False sorts first: what goes first must be the lowest
    return left_out(items.counted, cut.low, cut.high, partial(lowest, keys), partial(highest, keys))


def match_points(half_points: Int[AnyArray, "*batch"], boards: int) -> Int[AnyArray, "*batch"]:
    """Match points of a result: 2 for more than half of the games' points, 1 for half, else 0.

    **Arguments:**

    - `half_points`: scored in the match, 0 .. 2*boards.
    - `boards`: games of a match.
    """
    # -1, 0, 1 for less than half, half and more.
    return namespace(half_points).sign(half_points - boards) + 1


def is_round_robin(drawn: PerRound) -> Bool[AnyArray, ""]:
    """Whether every two of at least three teams were drawn against each other equally often."""
    rounds, teams = drawn.shape
    xp, met = namespace(drawn), drawn != BYE
    # Fewer rounds cannot bring all together; with two teams every event would be one.
    if teams < 3 or rounds < teams - 1:
        return xp.asarray(False)
    often = times_met(drawn).max()
    # Nobody is met more often than that, so whoever has so many matches met all so often.
    return (often > 0) & (met.sum(axis=0) == often * (teams - 1)).all()


def times_met(opponents: PerRound) -> PerRound:
    """How often a team met its opponent of a round in the whole event; 0 where there was none."""
    # [round, round, team]: in how many rounds the same opponent.
    same = opponents[:, None] == opponents
    return namespace(opponents).where(opponents != BYE, same.sum(axis=0), 0)


def product_points(rounds: int, boards: int) -> np.ndarray:
    """FIDE's product rule as a lookup table: opponent's match points times half points.

    **Returns:** int32 `[2*rounds+1, 2*rounds+1, 2*boards+1]`, the same for every own match points.
    """
    scores = np.arange(2 * rounds + 1, dtype=np.int32)
    half_points = np.arange(2 * boards + 1, dtype=np.int32)
    product = scores[:, None] * half_points[None, :]
    return np.ascontiguousarray(np.broadcast_to(product, (len(scores), *product.shape)))


def weakest_item(
    opponent_points: Int[AnyArray, "rounds *teams"],
    values: Int[AnyArray, "rounds *teams"],
    bye: Bool[AnyArray, "rounds *teams"],
) -> Int[AnyArray, "*teams"]:
    """The item that a reduced sum leaves out.

    It is a bye if there is one, else the opponent with the fewest match points; of several, the one
    whose removal costs the team least.

    **Arguments:**

    - `opponent_points`: final match points of each opponent.
    - `values`: what each result adds to the sum.
    - `bye`: true where there was no opponent.

    **Returns:** the round of the item, from 0.
    """
    return lowest((~bye, opponent_points, values), namespace(bye).ones_like(bye))
