"""Policies for unplayed rounds from other papers: Ucarcus, Vereshchagin, Anantharam.

What all policies share is said in `policies`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float

from tb2learn.events.unplayed.formulas import (
    WIN,
    expected_score,
    over_the_board,
    quotient,
    sivakasi_opponent,
)
from tb2learn.events.unplayed.policy import Cut, Policy, real_opponents
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.tiebreaks.completed import Items
from tb2learn.types import BYE


class Aaso(Policy):
    """The average of the opponents' average scores, put on the scale of all rounds.

    A team counts as its points over the board, a game, times the number of rounds. Sum = rounds *
    (sum over the opponents met, times the own result in a Sonneborn-Berger) / their number; after a
    cut both numbers are less by the items left out.

    **Source:** Vereshchagin, after Stewart, corrected by Ricca.
    """

    name = "aaso"
    summary = "average of the opponents' average scores, over the games really played"

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        games = record.played.sum(axis=1)
        seen, seen_half = (
            quotient(over_the_board(record, points), games) * record.rounds
            for points in (record.gained, record.scored)
        )
        return real_opponents(record, seen, seen_half)

    def scale(
        self, items: Items, left_out: Bool[np.ndarray, "teams rounds"]
    ) -> Float[np.ndarray, " teams"]:
        """The rounds that the cut leaves, by the opponents met that it leaves."""
        rounds = left_out.shape[1] - left_out.sum(axis=1)
        return quotient(rounds, (items.counted & ~left_out).sum(axis=1))


class AverageBuchholz(Policy):
    """The mean final score of the opponents met, whatever these missed themselves.

    Its author has no Sonneborn-Berger of it, and no cut. Of teams with equal means he puts first
    the one that played more, which is a criterion of its own; and he would have another tie-break
    where a team missed more than three rounds (two of seven), but does not say which: here the mean
    counts all the same.

    **Source:** Ucarcus, 2014.
    """

    name = "average-buchholz"
    summary = "mean final score of the opponents met; for the sum of opponents' match points alone"
    opponents_only = True

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        return real_opponents(record, record.match_points, record.half_points)

    def scale(
        self, items: Items, left_out: Bool[np.ndarray, "teams rounds"]
    ) -> Float[np.ndarray, " teams"]:
        """One by the number of opponents met."""
        return quotient(1, items.counted.sum(axis=1))


@dataclass(frozen=True)
class Sivakasi(Policy):
    """A missed round is one against the mean of the opponents met, corrected by who was missed.

    Opponents count as their final scores. Where these are summed alone (Buchholz), the mean is

    - less by `correction` for a bye that pays, and for a match won by default in an early round
      against a team rated `gap` lower, or unrated;
    - more by it for a match won by default against a team rated `gap` higher;
    - and instead of all that the score of the team that failed to appear, if it missed that round
      alone and has more than the mean.

    Where scores are multiplied by results, the mean is not corrected and the result is FIDE's
    expected score for the rating difference (at most 400) for a match won by default, and half for
    a bye that pays. A cut takes the lowest opponents really met, out of the sum and out of the
    mean.

    **Fields:**

    - `gap`: rating points; the author wavers between 150 and 200.
    - `correction`: in wins; the author wavers between 1/2 and 1.
    - `early`: rounds in which a match won against a much lower team is corrected; the author wavers
      between 1 and 2. He limits neither the byes nor the opposite case.

    Where he is silent: a round missed by the team's own doing counts as the mean, uncorrected and
    lost; an unrated team is one rated `gap` lower than any rated one, but the expected score of a
    match with it is half; a match won by default against a team without a name is not corrected.
    A team's rating is the mean of its best players, as many as there are boards.

    **Source:** Anantharam, for Sivakasi.
    """

    gap: float = 150.0
    correction: float = 0.5
    early: int = 1

    name = "sivakasi"
    summary = "the mean of the opponents met for a missed round, corrected by who was missed"

    def complete(self, record: Record) -> Items:
        """Items of all rounds; none for a team that has no opponent to take the mean of."""
        return self._items(record, record.played)

    def after_cut(
        self, record: Record, items: Items, left_out: Bool[np.ndarray, "teams rounds"]
    ) -> Items:
        """The items with the mean of the opponents that are left."""
        return self._items(record, record.played & ~left_out)

    def _items(self, record: Record, kept: Bool[np.ndarray, "teams rounds"]) -> Items:
        items = real_opponents(record, record.match_points, record.half_points)
        met, number = record.played, kept.sum(axis=1)
        mean, mean_half = (
            quotient(np.where(kept, points, 0.0).sum(axis=1), number)[:, None]
            for points in (items.opponent_points, items.opponent_half_points)
        )
        bye = np.isin(record.kind, (Kind.PAIRING_BYE, Kind.FULL_BYE, Kind.HALF_BYE))
        won = record.named & (record.kind == Kind.WON_BY_DEFAULT)
        other = np.where(won, record.opponent, 0)
        missed_once = won & ((~met).sum(axis=1) == 1)[other]
        forfeiter = np.where(missed_once, record.match_points[other], -np.inf)
        own, theirs = np.broadcast_arrays(record.ratings[:, None], record.ratings[other])
        difference = np.where(won, own - theirs, np.nan)
        unrated = np.where(won, np.isnan(theirs) * 1 - np.isnan(own), 0)
        lower = (difference >= self.gap) | (unrated > 0)
        higher = (difference <= -self.gap) | (unrated < 0)
        early = np.arange(record.rounds) < self.early
        correction = WIN * self.correction * (higher * 1 - (bye | (lower & early)))
        known = ~np.isnan(difference)
        expected = np.where(known, expected_score(np.where(known, difference, 0.0)), 0.5)
        result = WIN * np.where(bye | (record.kind == Kind.WON_BY_DEFAULT), expected, 0.0)
        return replace(
            items,
            opponent_points=np.where(met, items.opponent_points, mean),
            opponent_half_points=np.where(met, items.opponent_half_points, mean_half),
            gained=np.where(met, items.gained, result),
            scored=np.where(met, items.scored, record.boards * result),
            counted=np.broadcast_to((number > 0)[:, None], met.shape),
            alone_points=np.where(
                met, items.opponent_points, sivakasi_opponent(mean, correction, forfeiter)
            ),
        )

    def left_out(self, items: Items, cut: Cut) -> Bool[np.ndarray, "teams rounds"]:
        """The opponents really met that a cut leaves out."""
        met = replace(items, counted=items.opponent != BYE)
        return super().left_out(met, cut)
