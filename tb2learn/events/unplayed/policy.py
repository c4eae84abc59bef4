"""What a policy for unplayed rounds is, and the Olympiad's own of 2016.

A policy answers two questions. What does an unplayed round count for in the team's *own*
tie-breaks, and what is a team that missed rounds *seen* as by its opponents? Both turn the record
into items, one a team and round, that tie-breaks add up; a policy also says which items a cut
leaves out, and how items make a total.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int, Num

from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.tiebreaks.completed import Items
from tb2learn.types import BYE


@dataclass(frozen=True)
class Cut:
    """How many items are left out of a sum, and what they are chosen by.

    **Fields:**

    - `scores`: of the opponents, as the sum takes them: match points or half points.
    - `values`: what every item is worth.
    - `low`, `high`: how many, from the lowest and from the highest; a team with fewer items loses
      them all.
    - `rivals`: if given, of several opponents with equal scores the one with the lowest goes first.
    """

    scores: Float[np.ndarray, "teams rounds"]
    values: Float[np.ndarray, "teams rounds"]
    low: int
    high: int = 0
    rivals: Float[np.ndarray, "teams rounds"] | None = None

    @property
    def keys(self) -> tuple[Float[np.ndarray, "teams rounds"], ...]:
        """Scores, rivals and values in the order of `np.lexsort`: the last decides first."""
        between = () if self.rivals is None else (self.rivals,)
        return (self.values, *between, self.scores)


class Policy(ABC):
    """A method for unplayed rounds.

    **Fields:**

    - `name`: as it is asked for.
    - `summary`: one line.
    - `linear_only`: whether points are pooled before they are multiplied, which has no meaning for
      a rule that is not linear in them, such as a lookup table that is not the product rule's.
    - `opponents_only`: whether it is defined for the sum of the opponents' match points alone.
    """

    name: str
    summary: str
    linear_only: bool = False
    opponents_only: bool = False

    @property
    def plain_sums(self) -> bool:
        """Whether a total is the sum of what its items are worth."""
        return type(self).scale is Policy.scale

    @abstractmethod
    def complete(self, record: Record) -> Items:
        """The items of every team."""

    def left_out(self, items: Items, cut: Cut) -> Bool[np.ndarray, "teams rounds"]:
        """The items that a cut leaves out.

        The lowest: those marked `first_out`; then by lowest score of the opponent; of several the
        one that costs the team least; of several the first. The highest likewise.
        """
        order = np.lexsort((*cut.keys, ~items.first_out, ~items.counted))
        place = np.argsort(order, axis=1)
        number = items.counted.sum(axis=1, keepdims=True)
        return items.counted & ((place < cut.low) | (place >= number - cut.high))

    def after_cut(
        self, record: Record, items: Items, left_out: Bool[np.ndarray, "teams rounds"]
    ) -> Items:
        """The items once it is known what a cut leaves out; most policies do not change them."""
        return items

    def scale(
        self, items: Items, left_out: Bool[np.ndarray, "teams rounds"]
    ) -> Float[np.ndarray, " teams"]:
        """What the sum of the items kept is multiplied by: 1 unless the policy takes means."""
        return np.ones(len(left_out))


def real_opponents(
    record: Record,
    seen: Num[np.ndarray, " teams"],
    seen_half: Num[np.ndarray, " teams"],
) -> Items:
    """The items of matches between teams that were really there, everything else not counted.

    **Arguments:** `seen`, `seen_half`: match points and half points that each team counts as for
    its opponents.
    """
    met = record.played
    return Items(
        opponent=np.where(met, record.opponent, BYE),
        opponent_points=record.of_opponents(seen, met),
        opponent_half_points=record.of_opponents(seen_half, met),
        gained=np.where(met, record.gained, 0.0),
        scored=np.where(met, record.scored, 0.0),
        counted=met,
        empty=np.zeros(met.shape, bool),
        first_out=np.zeros(met.shape, bool),
        opponent_games=record.of_opponents(met.sum(axis=1), met).astype(int),
    )


class Baku2016(Policy):
    """Rule 14 of the Olympiad of 2016.

    A bye, a match won or lost by default, and a round in which a team was not paired count as a
    match against a virtual opponent. It starts from the team's own match points before the round,
    gains for that round 1 (won by default, or bye) or 0 (lost by default, or not paired), and then
    1 for each later round; its game points likewise. Of these items a bye is the first left out.
    """

    name = "baku2016"
    summary = "virtual opponents by rule 14 of the Olympiad of 2016; a bye is left out first"

    def complete(self, record: Record) -> Items:
        """Items of all rounds."""
        items = real_opponents(record, record.match_points, record.half_points)
        before = np.cumsum(record.gained, axis=1) - record.gained
        half_before = np.cumsum(record.scored, axis=1) - record.scored
        later = record.rounds - 1 - np.arange(record.rounds)
        default = record.kind == Kind.WON_BY_DEFAULT
        bye = np.isin(record.kind, (Kind.PAIRING_BYE, Kind.FULL_BYE, Kind.HALF_BYE))
        virtual = ~record.played
        round_half_points = record.boards * np.where(default, 2, np.where(bye, 1, 0))
        return Items(
            opponent=items.opponent,
            opponent_points=np.where(
                virtual, before + (default | bye) + later, items.opponent_points
            ),
            opponent_half_points=np.where(
                virtual,
                half_before + round_half_points + record.boards * later,
                items.opponent_half_points,
            ),
            gained=record.gained.astype(float),
            scored=record.scored.astype(float),
            counted=np.ones(virtual.shape, bool),
            empty=items.empty,
            first_out=record.kind == Kind.PAIRING_BYE,
            opponent_games=items.opponent_games,
        )


# --------------------------------------------------------------------------- shared pieces


class OneFormula(Policy):
    """A policy with one formula for match points and for game points; every round is an item."""

    @abstractmethod
    def fill(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> tuple[Num[np.ndarray, "teams rounds"], Num[np.ndarray, "teams rounds"]]:
        """What opponents, and own results against them, count as.

        **Arguments:**

        - `points`: of every team and round: match points, or half points.
        - `draw`: what a drawn match pays of them.

        **Returns:** opponents' final points and own points, by team and round.
        """

    def real(self, record: Record) -> Bool[np.ndarray, "teams rounds"]:
        """Where the opponent is the team that the record names."""
        return record.played

    def complete(self, record: Record) -> Items:
        """Items of all rounds."""
        opponent_points, gained = self.fill(record, record.gained, 1)
        opponent_half_points, scored = self.fill(record, record.scored, record.boards)
        met = record.played
        return Items(
            opponent=np.where(self.real(record), record.opponent, BYE),
            opponent_points=opponent_points.astype(float),
            opponent_half_points=opponent_half_points.astype(float),
            gained=gained.astype(float),
            scored=scored.astype(float),
            counted=np.ones(met.shape, bool),
            empty=np.zeros(met.shape, bool),
            first_out=self.first_out(record),
            opponent_games=record.of_opponents(met.sum(axis=1), met).astype(int),
        )

    def first_out(self, record: Record) -> Bool[np.ndarray, "teams rounds"]:
        """Items that a cut leaves out before others."""
        return np.zeros(record.played.shape, bool)
