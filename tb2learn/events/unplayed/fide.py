"""FIDE's policies for unplayed rounds: the Olympiad of 2026 and the general regulations C.07."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Int, Num

from tb2learn.events.unplayed.formulas import WIN, one_at_a_time, with_draws
from tb2learn.events.unplayed.policy import Cut, OneFormula, Policy, real_opponents
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.tiebreaks.completed import Items
from tb2learn.types import BYE


class Fide2026(Policy):
    """The Olympiad's rules of 2026.

    Nothing stands in for an opponent that a team did not have: a bye, or a round in which it was
    not paired, is an item worth nothing. A match won or lost by default is one against the
    scheduled opponent, with all the game points or none. For its opponents a team counts as having
    drawn the rounds in which it was not paired (or had a bye that pays nothing). Of the items a bye
    is the first left out.

    **Source:** tie-break regulations of the Olympiad of 2026. They speak of match points; game
    points are taken alike.
    """

    name = "fide2026"
    summary = "the Olympiad of 2026: no virtual opponents; a match won by default counts in full"

    def complete(self, record: Record) -> Items:
        """Items of all rounds."""
        absences = record.absent.sum(axis=1)
        seen = with_draws(record.match_points, absences, 1)
        seen_half = with_draws(record.half_points, absences, record.boards)
        items = real_opponents(record, seen, seen_half)
        against = record.played | record.named
        won = record.named & (record.kind == Kind.WON_BY_DEFAULT)
        return replace(
            items,
            opponent=np.where(against, record.opponent, BYE),
            opponent_points=record.of_opponents(seen, against),
            opponent_half_points=record.of_opponents(seen_half, against),
            gained=np.where(won, WIN, items.gained),
            scored=np.where(won, WIN * record.boards, items.scored),
            counted=np.ones(against.shape, bool),
            empty=~against,
            first_out=~against & ~record.absent,
        )


class C07(OneFormula):
    """FIDE's general tie-break regulations (Handbook C.07, article 16, edition of 2026).

    A round that a team missed by its own doing is *voluntarily unplayed*: lost by default, not
    paired, a bye that pays half or nothing. For its opponents a team counts as it scored, but
    rounds without an opponent count as drawn once all that remained was voluntarily unplayed. An
    own unplayed round is a dummy that has the team's own final score, yet no more than the
    scheduled opponent counts as or, without one, than draws in all rounds; the result is as scored.

    A cut takes the voluntarily unplayed round that is worth least, unless the lowest opponent's
    item is worth more: then that one (of several the one worth least); and so on. The highest items
    are cut by score alone.

    **Source:** article 16, as FIDE's tie-break checker reads it.
    """

    name = "c07"
    summary = "FIDE's general regulations (C.07): a dummy with the own score, capped"

    def fill(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> tuple[Num[np.ndarray, "teams rounds"], Num[np.ndarray, "teams rounds"]]:
        """Capped dummies; results as recorded."""
        number = np.arange(1, record.rounds + 1)
        last = np.where(self.first_out(record), 0, number).max(axis=1, keepdims=True)
        left = (number > last) & (record.opponent == BYE)
        seen = np.where(left, draw, points).sum(axis=1)
        cap = np.where(record.named, record.of_opponents(seen, record.named), draw * record.rounds)
        dummy = np.minimum(points.sum(axis=1)[:, None], cap)
        met = record.played
        return np.where(met, record.of_opponents(seen, met), dummy), points

    def first_out(self, record: Record) -> Bool[np.ndarray, "teams rounds"]:
        """Rounds voluntarily unplayed."""
        return record.absent | np.isin(record.kind, (Kind.LOST_BY_DEFAULT, Kind.HALF_BYE))

    def left_out(self, items: Items, cut: Cut) -> Bool[np.ndarray, "teams rounds"]:
        """The items that a cut leaves out, see the class."""
        values, teams = cut.values, np.arange(len(cut.values))

        def lowest(left: Bool[np.ndarray, "teams rounds"]) -> Int[np.ndarray, " teams"]:
            of_all = np.lexsort((*cut.keys, ~left))[:, 0]
            voluntary = left & items.first_out
            of_voluntary = np.lexsort((cut.scores, values, ~voluntary))[:, 0]
            stays = values[teams, of_all] > values[teams, of_voluntary]
            return np.where(~voluntary.any(axis=1) | stays, of_all, of_voluntary)

        def highest(left: Bool[np.ndarray, "teams rounds"]) -> Int[np.ndarray, " teams"]:
            return np.lexsort((*(-key for key in cut.keys), ~left))[:, 0]

        return one_at_a_time(items.counted, cut, lowest, highest)
