"""What an unplayed round counts for: the record of an event, and what a policy makes of it.

A policy answers two questions. What does an unplayed round count for in the team's *own*
tie-breaks, and what is a team that missed rounds *seen* as by its opponents? Both turn the record
into items, one a team and round, that tie-breaks add up; a policy also says which items a cut
leaves out, and how items make a total. All but the Olympiad's own of 2016 are in `policies.py`.

A team without a row in a round was not paired and scores nothing: a file cannot tell an absent team
from one whose bye was left out, so a bye has a row of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int, Num

from tb2learn.events.model import EventData, Match
from tb2learn.types import BYE

(
    PLAYED,
    PAIRING_BYE,
    WON_BY_DEFAULT,
    LOST_BY_DEFAULT,
    NOT_PAIRED,
    FULL_BYE,
    HALF_BYE,
    ZERO_BYE,
) = range(8)
KINDS = (
    "played",
    "bye",
    "won by default",
    "lost by default",
    "not paired",
    "full-point bye",
    "half-point bye",
    "zero-point bye",
)
_BYE_KINDS = {
    "pairing": PAIRING_BYE,
    "full": FULL_BYE,
    "half": HALF_BYE,
    "zero": ZERO_BYE,
    "default": WON_BY_DEFAULT,
}


@dataclass(frozen=True)
class Record:
    """What happened, by team and round.

    **Fields:**

    - `rounds`, `boards`: of the event.
    - `known_rounds`: whether both teams of a match have it in the same column.
    - `kind`: index into `KINDS`.
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
        return self.kind == PLAYED

    @property
    def named(self) -> Bool[np.ndarray, "teams rounds"]:
        """Where a match was won or lost by default against a team that the record names."""
        return ~self.played & (self.opponent != BYE)

    @property
    def absent(self) -> Bool[np.ndarray, "teams rounds"]:
        """Where a team was not paired, or had asked for a bye that pays nothing."""
        return np.isin(self.kind, (NOT_PAIRED, ZERO_BYE))

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


@dataclass(frozen=True)
class Items:
    """A record completed by a policy: what every round counts for.

    **Fields:**

    - `opponent`: team number, `BYE` where the opponent is a virtual one, or nobody.
    - `opponent_points`, `opponent_half_points`: final scores that the opponent counts as.
    - `gained`, `scored`: match points and half points that the team's own result counts as.
    - `counted`: False where the round is no item at all.
    - `first_out`: items that a cut leaves out before any other.
    - `opponent_games`: rounds that the opponent really played.
    - `alone_points`: match points that the opponent counts as where these are summed alone
      (Buchholz), if a policy has others there than where they are multiplied by a result.
    """

    opponent: Int[np.ndarray, "teams rounds"]
    opponent_points: Float[np.ndarray, "teams rounds"]
    opponent_half_points: Float[np.ndarray, "teams rounds"]
    gained: Float[np.ndarray, "teams rounds"]
    scored: Float[np.ndarray, "teams rounds"]
    counted: Bool[np.ndarray, "teams rounds"]
    first_out: Bool[np.ndarray, "teams rounds"]
    opponent_games: Int[np.ndarray, "teams rounds"]
    alone_points: Float[np.ndarray, "teams rounds"] | None = None


def event_record(event: EventData) -> Record:
    """The record of an event.

    Where rounds are not known, the columns of a team are its own matches in the order of the file.
    """
    shape = (len(event.teams), event.rounds)
    opponent = np.full(shape, BYE)
    scored, gained = np.zeros(shape, int), np.zeros(shape, int)
    kind = np.full(shape, NOT_PAIRED)
    filled = [0] * len(event.teams)
    for match in event.matches:
        points = match.match_points
        sides = [(match.team_a, match.team_b, match.half_points_a, points[0])]
        if match.team_b is not None:
            sides.append((match.team_b, match.team_a, match.half_points_b, points[1]))
        for team, other, half_points, match_points in sides:
            column = match.round - 1 if match.round else filled[team]
            filled[team] += 1
            scored[team, column] = half_points
            gained[team, column] = match_points
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


def _kind(match: Match, team: int) -> int:
    if match.team_b is None:
        return _BYE_KINDS[match.bye]
    if not match.by_default:
        return PLAYED
    mine, other = match.half_points_a, match.half_points_b
    if team == match.team_b:
        mine, other = other, mine
    return WON_BY_DEFAULT if mine > other else LOST_BY_DEFAULT


class Policy(ABC):
    """A method for unplayed rounds.

    **Fields:**

    - `name`: as it is asked for.
    - `summary`: one line.
    - `linear_only`: whether points are pooled before they are multiplied, which has no meaning for
      a lookup table that is not the product rule's.
    - `opponents_only`: whether it is defined for the sum of the opponents' match points alone.
    """

    name: str
    summary: str
    linear_only: bool = False
    opponents_only: bool = False

    @property
    def plain_sums(self) -> bool:
        """Whether a total is the sum of what its items are worth."""
        return type(self).total is Policy.total

    @abstractmethod
    def complete(self, record: Record) -> Items:
        """The items of every team."""

    def left_out(
        self,
        items: Items,
        scores: Float[np.ndarray, "teams rounds"],
        values: Float[np.ndarray, "teams rounds"],
        low: int,
        high: int = 0,
        rivals: Float[np.ndarray, "teams rounds"] | None = None,
    ) -> Bool[np.ndarray, "teams rounds"]:
        """The items that a cut leaves out.

        The lowest: those marked `first_out`; then by lowest score of the opponent; of several the
        one that costs the team least; of several the first. The highest likewise.

        **Arguments:**

        - `scores`: of the opponents, as the sum takes them: match points or half points.
        - `values`: what every item is worth.
        - `low`, `high`: how many; a team with fewer items loses them all.
        - `rivals`: if given, of several opponents with equal scores the one with the lowest goes
          first.
        """
        keys = [values] if rivals is None else [values, rivals]
        order = np.lexsort((*keys, scores, ~items.first_out, ~items.counted))
        place = np.argsort(order, axis=1)
        number = items.counted.sum(axis=1, keepdims=True)
        return items.counted & ((place < low) | (place >= number - high))

    def after_cut(
        self, record: Record, items: Items, left_out: Bool[np.ndarray, "teams rounds"]
    ) -> Items:
        """The items once it is known what a cut leaves out; most policies do not change them."""
        return items

    def total(
        self,
        values: Float[np.ndarray, "teams rounds"],
        items: Items,
        left_out: Bool[np.ndarray, "teams rounds"],
    ) -> Float[np.ndarray, " teams"]:
        """The score of every team: the sum of what is not left out."""
        return np.where(items.counted & ~left_out, values, 0.0).sum(axis=1)


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
        default = record.kind == WON_BY_DEFAULT
        bye = np.isin(record.kind, (PAIRING_BYE, FULL_BYE, HALF_BYE))
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
            first_out=record.kind == PAIRING_BYE,
            opponent_games=items.opponent_games,
        )
