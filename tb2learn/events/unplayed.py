"""What an unplayed round counts for: the record of an event, and what a policy makes of it.

A policy answers two questions. What does an unplayed round count for in the team's *own*
tie-breaks, and what is a team that missed rounds *seen* as by its opponents? Both turn the record
into items, one a team and round, that tie-breaks add up; a policy also says which items a cut
leaves out, and on which scale the sum is. How every rule takes the items is said in
`tiebreaks.completed`. All policies but the Olympiad's own of 2016 are in `policies.py`.

A team without a row in a round was not paired and scores nothing: a file cannot tell an absent team
from one whose bye was left out, so a bye has a row of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from jaxtyping import Bool, Float, Int, Num

from tb2learn.events.model import Bye, EventData, Match
from tb2learn.tiebreaks.completed import Items
from tb2learn.types import BYE


class Kind(IntEnum):
    """What a round was for a team; `label` says it in words."""

    label: str

    def __new__(cls, number: int, label: str) -> Kind:
        """A number with words."""
        kind = int.__new__(cls, number)
        kind._value_ = number
        kind.label = label
        return kind

    PLAYED = 0, "played"
    PAIRING_BYE = 1, "bye"
    WON_BY_DEFAULT = 2, "won by default"
    LOST_BY_DEFAULT = 3, "lost by default"
    NOT_PAIRED = 4, "not paired"
    FULL_BYE = 5, "full-point bye"
    HALF_BYE = 6, "half-point bye"
    ZERO_BYE = 7, "zero-point bye"


_BYE_KINDS: Mapping[Bye, Kind] = {
    "pairing": Kind.PAIRING_BYE,
    "full": Kind.FULL_BYE,
    "half": Kind.HALF_BYE,
    "zero": Kind.ZERO_BYE,
    "default": Kind.WON_BY_DEFAULT,
}


@dataclass(frozen=True)
class Record:
    """What happened, by team and round.

    **Fields:**

    - `rounds`, `boards`: of the event.
    - `known_rounds`: whether both teams of a match have it in the same column.
    - `kind`: numbers of `Kind`.
    - `opponent`: who was met, or should have been; `BYE` where there was nobody.
    - `gained`, `scored`: match points and half points of the round.
    - `ratings`: mean rating of the best `boards` players of each team; NaN without any.
    """

    rounds: int
    boards: int
    known_rounds: bool
    kind: Int[np.ndarray, "teams rounds"]
    opponent: Int[np.ndarray, "teams rounds"]
    gained: Int[np.ndarray, "teams rounds"]
    scored: Int[np.ndarray, "teams rounds"]
    ratings: Float[np.ndarray, " teams"]

    @property
    def played(self) -> Bool[np.ndarray, "teams rounds"]:
        """Where a match was really played."""
        return self.kind == Kind.PLAYED

    @property
    def named(self) -> Bool[np.ndarray, "teams rounds"]:
        """Where a match was won or lost by default against a team that the record names."""
        return ~self.played & (self.opponent != BYE)

    @property
    def absent(self) -> Bool[np.ndarray, "teams rounds"]:
        """Where a team was not paired, or had asked for a bye that pays nothing."""
        return np.isin(self.kind, (Kind.NOT_PAIRED, Kind.ZERO_BYE))

    @property
    def match_points(self) -> Int[np.ndarray, " teams"]:
        """Final match points."""
        return self.gained.sum(axis=1)

    @property
    def half_points(self) -> Int[np.ndarray, " teams"]:
        """Final game points, in half points."""
        return self.scored.sum(axis=1)

    def of_opponents(
        self, scores: Num[np.ndarray, " teams"], where: Bool[np.ndarray, "teams rounds"]
    ) -> Float[np.ndarray, "teams rounds"]:
        """The scores of the opponents, 0 elsewhere.

        **Arguments:** `where`: rounds against a team, that was played or should have been.
        """
        return np.where(where, scores[np.where(where, self.opponent, 0)], 0.0)


def event_record(event: EventData) -> Record:
    """The record of an event.

    Where rounds are not known, the columns of a team are its own matches in the order of the file.
    """
    shape = (len(event.teams), event.rounds)
    opponent = np.full(shape, BYE)
    scored, gained = np.zeros(shape, int), np.zeros(shape, int)
    kind = np.full(shape, Kind.NOT_PAIRED)
    filled = [0] * len(event.teams)
    for match in event.matches:
        for team in (match.team_a, match.team_b):
            if team is None:
                continue
            column = match.round - 1 if match.round else filled[team]
            filled[team] += 1
            other = match.opponent_of(team)
            gained[team, column], scored[team, column] = match.points_of(team)
            opponent[team, column] = BYE if other is None else other
            kind[team, column] = _kind(match, team)
    strength = [
        np.mean(players[: event.boards]) if players else np.nan for players in event.ratings
    ]
    return Record(
        event.rounds,
        event.boards,
        event.known_rounds,
        kind,
        opponent,
        gained,
        scored,
        np.array(strength, float),
    )


def _kind(match: Match, team: int) -> Kind:
    other = match.opponent_of(team)
    if other is None:
        return _BYE_KINDS[match.bye]
    if not match.by_default:
        return Kind.PLAYED
    won = match.points_of(team)[1] > match.points_of(other)[1]
    return Kind.WON_BY_DEFAULT if won else Kind.LOST_BY_DEFAULT


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
