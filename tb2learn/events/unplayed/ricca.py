"""Policies for unplayed rounds that Ricca compares (FIDE's Technical Commission, October 2017).

What they share with the other papers' is said in `policies`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int, Num

from tb2learn.events.unplayed.formulas import (
    before_round,
    one_at_a_time,
    over_the_board,
    pooled_without,
    quotient,
    virtual_opponent,
    with_draws,
)
from tb2learn.events.unplayed.policy import Cut, OneFormula, Policy, real_opponents
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.tiebreaks.completed import Items


class DrawSelf(OneFormula):
    """A missed round is a draw against oneself.

    For its opponents a team counts as its points over the board and a draw for each missed round;
    the fictitious opponent of its own missed rounds has that score too, being itself.

    **Source:** Ricca, variant DrawSelf.
    """

    name = "drawself"
    summary = "a missed round is a draw against oneself"

    def fill(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> tuple[Num[np.ndarray, "teams rounds"], Num[np.ndarray, "teams rounds"]]:
        """Oneself, and a draw."""
        seen = _missed_drawn(record, points, draw)
        met = record.played
        return (
            np.where(met, record.of_opponents(seen, met), seen[:, None]),
            np.where(met, points, draw),
        )


def _missed_drawn(
    record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
) -> Int[np.ndarray, " teams"]:
    missed = (~record.played).sum(axis=1)
    return with_draws(over_the_board(record, points), missed, draw)


class VirtualOpponent(OneFormula):
    """A missed round is one against a virtual opponent, with the result that the team was given.

    The opponent starts from the team's own points before the round, gets what the team did not get
    of a won match, and draws all later rounds. For its opponents a team counts as under `drawself`.

    **Source:** Ricca, variant StdVOpp.
    """

    name = "virtual-opponent"
    summary = "a virtual opponent that starts from the own score and draws all later rounds"

    def fill(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> tuple[Num[np.ndarray, "teams rounds"], Num[np.ndarray, "teams rounds"]]:
        """Virtual opponents; results as recorded."""
        met = record.played
        seen = _missed_drawn(record, points, draw)
        later = record.rounds - 1 - np.arange(record.rounds)
        virtual = virtual_opponent(self.start(record, points, draw), points, later, draw)
        return np.where(met, record.of_opponents(seen, met), virtual), points

    def start(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> Num[np.ndarray, "teams rounds"]:
        """What the virtual opponent starts with."""
        return before_round(points)


class AdjustedVirtualOpponent(VirtualOpponent):
    """A virtual opponent that starts no better than an opponent could have been.

    As `virtual-opponent`, but it starts with at most what the scheduled opponent had before the
    round or, in a round without one, with at most half of what earlier rounds had to give.

    **Source:** Ricca, variant AdjVOpp.
    """

    name = "adjusted-virtual-opponent"
    summary = "a virtual opponent whose start is capped by the scheduled opponent, or by half"

    def start(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> Num[np.ndarray, "teams rounds"]:
        """What the virtual opponent starts with."""
        before = before_round(points)
        scheduled = before[np.where(record.named, record.opponent, 0), np.arange(record.rounds)]
        return np.minimum(
            before, np.where(record.named, scheduled, draw * np.arange(record.rounds))
        )


class Ignore(Policy):
    """Missed rounds are left out; opponents' points are pooled, and divided by all their games.

    Sum = rounds^2 * (sum over the opponents met of their points over the board, times the own
    result in a Sonneborn-Berger) / (sum of their games). A cut takes the opponent without whom most
    is left of that sum without results; of several, of the one with results. The highest likewise,
    of what is left. The factor stays rounds^2.

    **Source:** Ricca, variant IgnoreUG. It defines a cut of one opponent; several go one by one.
    """

    name = "ignore"
    summary = "only games really played: all points of the opponents by all their games"
    linear_only = True

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        return real_opponents(
            record,
            over_the_board(record, record.gained),
            over_the_board(record, record.scored),
        )

    def left_out(self, items: Items, cut: Cut) -> Bool[np.ndarray, "teams rounds"]:
        """The items that a cut leaves out, see the class."""

        def choose(left: Bool[np.ndarray, "teams rounds"], sign: int) -> Int[np.ndarray, " teams"]:
            games = np.where(left, items.opponent_games, 0)
            what_is_left = [
                sign * pooled_without(np.where(left, key, 0.0), games) for key in cut.keys
            ]
            return np.lexsort((*what_is_left, ~left))[:, 0]

        return one_at_a_time(
            items.counted, cut, lambda left: choose(left, -1), lambda left: choose(left, 1)
        )

    def scale(
        self, items: Items, left_out: Bool[np.ndarray, "teams rounds"]
    ) -> Float[np.ndarray, " teams"]:
        """The square of the rounds by the games of the opponents."""
        kept = items.counted & ~left_out
        return quotient(kept.shape[1] ** 2, np.where(kept, items.opponent_games, 0).sum(axis=1))


class FaceValue(OneFormula):
    """Everything as it stands in the table.

    A match won or lost by default counts as if it had been played; any other missed round is one
    against an opponent with no points. A team counts as its final score.

    **Source:** Ricca, variant FaceVal.
    """

    name = "face-value"
    summary = "a default counts as played, any other missed round as an opponent without points"

    def real(self, record: Record) -> Bool[np.ndarray, "teams rounds"]:
        """Where the opponent is the team that the record names."""
        return record.played | record.named

    def fill(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> tuple[Num[np.ndarray, "teams rounds"], Num[np.ndarray, "teams rounds"]]:
        """Final scores; results as recorded."""
        return record.of_opponents(points.sum(axis=1), self.real(record)), points


@dataclass(frozen=True)
class Retired:
    """Teams that retired, as the variants of `Fair` see them; anything for the other teams.

    **Fields:**

    - `record`: of the event.
    - `points`: of every team and round: match points, or half points.
    - `draw`: what a drawn match pays of them.
    - `leaving`: rounds before a team left; all if it did not.
    - `on_leaving`: its points then.
    """

    record: Record
    points: Int[np.ndarray, "teams rounds"]
    draw: int
    leaving: Int[np.ndarray, " teams"]
    on_leaving: Int[np.ndarray, " teams"]


@dataclass(frozen=True)
class Fair(OneFormula):
    """The kind of absence decides what a missed round counts for.

    - A match won or lost by default: one against the scheduled opponent.
    - A bye that pays a win or a draw on request: an opponent with no points.
    - An absence that pays nothing: an opponent with the team's own final score, lost.
    - The bye of the odd team out: an opponent with the team's own final score, with the result that
      the bye pays.

    A team counts as its final score, unless it retired: then as its score on leaving and, for each
    round that remained, what the variant says.

    **Fields:**

    - `name`, `summary`: as every policy's.
    - `each_round`: what a team that retired counts as for each round that remained.

    **Source:** Ricca, variants Fair.
    """

    name: str
    summary: str
    each_round: Callable[[Retired], Num[np.ndarray, " teams"] | int]

    def real(self, record: Record) -> Bool[np.ndarray, "teams rounds"]:
        """Where the opponent is the team that the record names."""
        return record.played | record.named

    def fill(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> tuple[Num[np.ndarray, "teams rounds"], Num[np.ndarray, "teams rounds"]]:
        """By kind of absence."""
        final = points.sum(axis=1)
        leaving = _rounds_before_leaving(record)
        there = np.arange(record.rounds) < leaving[:, None]
        on_leaving = np.where(there, points, 0).sum(axis=1)
        a_round = self.each_round(Retired(record, points, draw, leaving, on_leaving))
        seen = on_leaving + a_round * (record.rounds - leaving)  # the final score of who stayed
        own = ~self.real(record) & ~np.isin(record.kind, (Kind.FULL_BYE, Kind.HALF_BYE))
        return (
            np.where(own, final[:, None], record.of_opponents(seen, self.real(record))),
            np.where(record.absent, 0, points),
        )


def _rounds_before_leaving(record: Record) -> Int[np.ndarray, " teams"]:
    """The last round in which a team was not absent, 1 for the first; 0 if it never came."""
    return np.where(record.absent, 0, np.arange(1, record.rounds + 1)).max(axis=1)


def _average(retired: Retired) -> Float[np.ndarray, " teams"]:
    """Points a round before it left; 0 if it never came."""
    return quotient(retired.on_leaving, retired.leaving)


def _board_average(retired: Retired) -> Float[np.ndarray, " teams"]:
    """Points a match that it played; 0 without a game."""
    played = retired.record.played.sum(axis=1)
    return quotient(over_the_board(retired.record, retired.points), played)


def _as_those_tied(retired: Retired) -> Float[np.ndarray, " teams"]:
    """What those gained a round, on average, who had its score when it left and were still there.

    A draw if there is none.
    """
    points, leaving = retired.points, retired.leaving
    rounds, final = points.shape[1], points.sum(axis=1)
    after = np.concatenate([np.zeros((len(points), 1), int), np.cumsum(points, axis=1)], axis=1)
    a_round = np.full(len(points), float(retired.draw))
    for team in np.flatnonzero(leaving < rounds):
        score, left = retired.on_leaving[team], leaving[team]
        level = (after[:, left] == score) & (leaving > left)
        if level.any():
            a_round[team] = (final[level].mean() - score) / (rounds - left)
    return a_round


FAIR = (
    Fair(
        "fair-draw",
        "by kind of absence; a team that retired counts as drawing the rest",
        lambda retired: retired.draw,
    ),
    Fair(
        "fair-zero",
        "by kind of absence; a team that retired counts as losing the rest",
        lambda retired: 0,
    ),
    Fair(
        "fair-average",
        "by kind of absence; a team that retired goes on at its average",
        _average,
    ),
    Fair(
        "fair-board-average",
        "by kind of absence; a team that retired goes on at its average over the board",
        _board_average,
    ),
    Fair(
        "fair-tied",
        "by kind of absence; a team that retired counts as those ended who had its score",
        _as_those_tied,
    ),
)
