"""Policies for unplayed rounds from the papers of Vereshchagin, Ucarcus and Anantharam.

`policies` documents what all policies have in common.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from tb2learn.chess.items import Cut, Items
from tb2learn.events.unplayed.policy import (
    WIN,
    Policy,
    Rounds,
    expected_score,
    over_the_board,
    quotient,
    real_opponents,
)
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.types import BYE


class Aaso(Policy):
    """The average of the opponents' average scores, put on the scale of all rounds.

    A team counts with rounds * (its points over the board) / (its games). The tie-break is rounds *
    (sum over the opponents met, times the own result in a Sonneborn-Berger) / (opponents met). A
    cut lowers the number of opponents, and the rounds that the sum is multiplied by, by the items
    left out.

    **Source:** Vereshchagin, after Stewart, corrected by Ricca.
    """

    name = "aaso"

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        games = record.played.sum(axis=1)
        seen, seen_half = (
            quotient(over_the_board(record, points), games) * record.rounds
            for points in (record.gained, record.scored)
        )
        return real_opponents(record, seen, seen_half)

    def scale(self, items: Items, left_out: Rounds) -> Float[np.ndarray, " teams"]:
        """Rounds / opponents met, both after the cut."""
        rounds = left_out.shape[1] - left_out.sum(axis=1)
        return quotient(rounds, (items.counted & ~left_out).sum(axis=1))


class AverageBuchholz(Policy):
    """The mean final score of the opponents met, whatever rounds they missed themselves.

    The author defines neither a Sonneborn-Berger nor a cut. He places the team with more matches
    first among equal means: that is the criterion `played`. For teams that missed more than three
    rounds (two of seven) he asks for another tie-break without naming it; here the mean is used.

    **Source:** Ucarcus, 2014.
    """

    name = "average-buchholz"
    opponents_only = True

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        return real_opponents(record, record.match_points, record.half_points)

    def scale(self, items: Items, left_out: Rounds) -> Float[np.ndarray, " teams"]:
        """1 / (opponents met)."""
        return quotient(1, items.counted.sum(axis=1))


@dataclass(frozen=True)
class Sivakasi(Policy):
    """A missed round counts as the mean of the opponents met, corrected for the missed opponent.

    Opponents count with their final scores. In a sum of these scores alone (Buchholz) the mean is

    - lowered by `correction` for a bye that pays, and for a match won by default in an early round
      against a team rated `gap` lower, or unrated;
    - raised by `correction` for a match won by default against a team rated `gap` higher;
    - replaced by the score of the team that did not appear, if that team missed only this round and
      has more than the mean.

    In a sum of scores times results the mean is not corrected. The result is FIDE's expected score
    for the rating difference (at most 400) after a win by default, and 1/2 after a bye that pays. A
    cut takes the lowest opponents met, both from the sum and from the mean.

    **Fields:**

    - `gap`: rating points; the author names both 150 and 200.
    - `correction`: in wins; the author names both 1/2 and 1.
    - `early`: rounds in which a win by default against a much lower team is corrected; the author
      names both 1 and 2. He sets no such limit for byes and for higher rated teams.

    The author leaves the following open. Here a round that a team missed by its own choice counts
    as the uncorrected mean, lost. An unrated team counts as rated `gap` lower than any rated one,
    but the expected score against it is 1/2. A win by default against a team that the record does
    not name is not corrected. The rating of a team is the mean of its best players, as many as
    there are boards.

    **Source:** Anantharam, for Sivakasi.
    """

    gap: float = 150.0
    correction: float = 0.5
    early: int = 1

    name = "sivakasi"

    def complete(self, record: Record) -> Items:
        """Items of all rounds; none for a team that met no opponent, as it has no mean."""
        return self._items(record, record.played)

    def after_cut(self, record: Record, items: Items, left_out: Rounds) -> Items:
        """The items, with the mean of the opponents that remain after the cut."""
        return self._items(record, record.played & ~left_out)

    def _items(self, record: Record, kept: Rounds) -> Items:
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
        alone = np.where(forfeiter > mean, forfeiter, mean + correction)
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
            alone_points=np.where(met, items.opponent_points, alone),
        )

    def left_out(self, items: Items, cut: Cut) -> Rounds:
        """The opponents met that a cut leaves out."""
        met = replace(items, counted=items.opponent != BYE)
        return super().left_out(met, cut)
