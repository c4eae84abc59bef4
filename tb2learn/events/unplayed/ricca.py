"""Policies for unplayed rounds that Ricca compares (FIDE's Technical Commission, October 2017).

`policies` documents what all policies have in common.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int, Num

from tb2learn.chess.items import Cut, Items, left_out, lowest
from tb2learn.chess.results import is_round_robin
from tb2learn.events.unplayed.policy import (
    WIN,
    Filled,
    OneFormula,
    Points,
    Policy,
    Rounds,
    before_round,
    over_the_board,
    quotient,
    real_opponents,
)
from tb2learn.events.unplayed.record import Kind, Record


class DrawSelf(OneFormula):
    """A missed round is a draw against oneself.

    For its opponents a team counts with its points over the board plus a draw for each missed
    round. That is also the score of the opponent, itself, in its own missed rounds.

    **Source:** Ricca, variant DrawSelf.
    """

    name = "drawself"

    def fill(self, record: Record, points: Points, draw: int) -> Filled:
        """The own score for missed rounds, and a draw."""
        seen = _missed_drawn(record, points, draw)
        met = record.played
        return (
            np.where(met, record.of_opponents(seen, met), seen[:, None]),
            np.where(met, points, draw),
        )


def _missed_drawn(record: Record, points: Points, draw: int) -> Int[np.ndarray, " teams"]:
    return over_the_board(record, points) + draw * (~record.played).sum(axis=1)


class VirtualOpponent(OneFormula):
    """A missed round is played against a virtual opponent, with the result that the team was given.

    The virtual opponent starts with the team's own score before the round, gains the points of a
    win that the team did not get in it, and draws all later rounds. For its opponents a team counts
    as under `drawself`.

    **Source:** Ricca, variant StdVOpp.
    """

    name = "virtual-opponent"

    def fill(self, record: Record, points: Points, draw: int) -> Filled:
        """Virtual opponents; results as recorded."""
        met = record.played
        seen = _missed_drawn(record, points, draw)
        later = record.rounds - 1 - np.arange(record.rounds)
        virtual = self.start(record, points, draw) + (WIN * draw - points) + draw * later
        return np.where(met, record.of_opponents(seen, met), virtual), points

    def start(self, record: Record, points: Points, draw: int) -> Num[np.ndarray, "teams rounds"]:
        """Points that the virtual opponent starts with."""
        return before_round(points)


class AdjustedVirtualOpponent(VirtualOpponent):
    """As `virtual-opponent`, but with a limit on the points that the opponent starts with.

    It starts with at most the score that the scheduled opponent had before the round or, in a round
    without one, the score of a team that drew all earlier rounds.

    **Source:** Ricca, variant AdjVOpp.
    """

    name = "adjusted-virtual-opponent"

    def start(self, record: Record, points: Points, draw: int) -> Num[np.ndarray, "teams rounds"]:
        """Points that the virtual opponent starts with."""
        before = before_round(points)
        scheduled = before[np.where(record.named, record.opponent, 0), np.arange(record.rounds)]
        return np.minimum(
            before, np.where(record.named, scheduled, draw * np.arange(record.rounds))
        )


class Ignore(Policy):
    """Missed rounds are left out; the points of all opponents are divided by all their games.

    The tie-break is rounds^2 * (sum over the opponents met of their points over the board, times
    the own result in a Sonneborn-Berger) / (sum of their games). A cut leaves out the opponent
    without whom the quotient without own results is highest; among equal ones, the one without whom
    the quotient with own results is highest. A cut of the highest items leaves out the opposite
    ones. The factor stays rounds^2 after a cut.

    **Source:** Ricca, variant IgnoreUG. It defines a cut of one opponent; here larger cuts go one
    by one.
    """

    name = "ignore"
    linear_only = True

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        return real_opponents(
            record,
            over_the_board(record, record.gained),
            over_the_board(record, record.scored),
        )

    def left_out(self, items: Items, cut: Cut) -> Rounds:
        """The items that a cut leaves out, see the class."""

        def choose(left: Rounds, sign: int) -> Int[np.ndarray, " teams"]:
            games = _without(_opponents_games(items, left))
            keys = (quotient(_without(np.where(left, key, 0.0)), games) for key in cut.keys)
            return lowest([sign * key for key in keys], left)

        return left_out(
            items.counted,
            *(cut.low, cut.high),
            lambda left: choose(left, -1),
            lambda left: choose(left, 1),
        )

    def scale(self, items: Items, left_out: Rounds) -> Float[np.ndarray, " teams"]:
        """rounds^2 / (games of the opponents)."""
        kept = items.counted & ~left_out
        return quotient(kept.shape[1] ** 2, _opponents_games(items, kept).sum(axis=1))


def _without(each: Num[np.ndarray, "teams rounds"]) -> Num[np.ndarray, "teams rounds"]:
    """The sum over all rounds of a team without each of them in turn."""
    return each.sum(axis=1, keepdims=True) - each


def _opponents_games(items: Items, where: Rounds) -> Points:
    """Games of the opponents in some items of `Ignore`, 0 in all others."""
    assert items.opponent_games is not None
    return np.where(where, items.opponent_games, 0)


class FaceValue(OneFormula):
    """A default counts as played; any other missed round as an opponent without points.

    For its opponents a team counts with its final score. In a round robin a team misses no round:
    one without an opponent is none, so that a cut leaves out a real one.

    **Source:** Ricca, variant FaceVal.
    """

    name = "face-value"
    defaults_count = True

    def fill(self, record: Record, points: Points, draw: int) -> Filled:
        """Final scores; results as recorded."""
        return record.of_opponents(points.sum(axis=1), self.real(record)), points

    def complete(self, record: Record) -> Items:
        """Items of all rounds; in a round robin of those with an opponent."""
        items = super().complete(record)
        return replace(items, counted=self.real(record) | ~is_round_robin(record.opponent.T))


@dataclass(frozen=True)
class Retired:
    """What the variants of `Fair` need to know of teams that retired.

    **Fields:**

    - `record`: of the event.
    - `points`: match points or half points of every team and round.
    - `draw`: points of a drawn match, in the same unit.
    - `leaving`: rounds before the team retired; all rounds if it did not.
    - `on_leaving`: its points after these rounds.
    """

    record: Record
    points: Points
    draw: int
    leaving: Int[np.ndarray, " teams"]
    on_leaving: Int[np.ndarray, " teams"]


@dataclass(frozen=True)
class Fair(OneFormula):
    """The kind of absence decides what a missed round counts for.

    - A match won or lost by default counts as played against the scheduled opponent.
    - A requested bye that pays a win or a draw: an opponent without points.
    - An absence that pays nothing: a loss against an opponent with the team's own final score.
    - A pairing-allocated bye: an opponent with the team's own final score, with the result that the
      bye pays.

    For its opponents a team counts with its final score. A team that retired counts with its score
    at that time plus, for each round that remained, the points that the variant defines.

    **Fields:**

    - `name`: as in `Policy`.
    - `each_round`: points for each round that remained when a team retired.

    **Source:** Ricca, variants Fair.
    """

    name: str
    each_round: Callable[[Retired], Num[np.ndarray, " teams"] | int]

    defaults_count = True

    def fill(self, record: Record, points: Points, draw: int) -> Filled:
        """Opponents and results by kind of absence."""
        final = points.sum(axis=1)
        leaving = np.where(record.absent, 0, np.arange(1, record.rounds + 1)).max(axis=1)
        there = np.arange(record.rounds) < leaving[:, None]
        on_leaving = np.where(there, points, 0).sum(axis=1)
        a_round = self.each_round(Retired(record, points, draw, leaving, on_leaving))
        seen = on_leaving + a_round * (record.rounds - leaving)  # final unless it retired
        own = ~self.real(record) & ~np.isin(record.kind, (Kind.FULL_BYE, Kind.HALF_BYE))
        return (
            np.where(own, final[:, None], record.of_opponents(seen, self.real(record))),
            np.where(record.absent, 0, points),
        )


def _board_average(retired: Retired) -> Float[np.ndarray, " teams"]:
    """Points per match played over the board; 0 without one."""
    played = retired.record.played.sum(axis=1)
    return quotient(over_the_board(retired.record, retired.points), played)


def _as_those_tied(retired: Retired) -> Float[np.ndarray, " teams"]:
    """The mean points per round of the teams that had the same score then and stayed.

    A draw if there is no such team.
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
    Fair("fair-draw", lambda retired: retired.draw),
    Fair("fair-zero", lambda retired: 0),
    Fair("fair-average", lambda retired: quotient(retired.on_leaving, retired.leaving)),
    Fair("fair-board-average", _board_average),
    Fair("fair-tied", _as_those_tied),
)
