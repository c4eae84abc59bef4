"""FIDE's policies for unplayed rounds beside rule 14 of 2016, and results at face value."""

from __future__ import annotations

from dataclasses import replace

from tb2learn.arrays import namespace
from tb2learn.chess.items import Cut, Items, left_out, lowest
from tb2learn.events.unplayed.policy import (
    WIN,
    Filled,
    OneFormula,
    Points,
    Policy,
    Rounds,
    before_round,
    real_opponents,
)
from tb2learn.events.unplayed.record import Record, RoundKind
from tb2learn.shapes import Int
from tb2learn.types import BYE, AnyArray


class Fide2026(Policy):
    """The Olympiad's rules of 2026.

    There are no virtual opponents: a bye, or a round in which a team was not paired, is worth 0. A
    match won or lost by default counts as one against the scheduled opponent, with all the game
    points or none. For its opponents a team counts as if it had drawn the rounds in which it was
    not paired or had a bye that pays nothing. A cut leaves out byes first.

    **Source:** tie-break regulations of the Olympiad of 2026. They define match points; game points
    are treated the same way.
    """

    name = "fide2026"

    def complete(self, record: Record) -> Items:
        """Items of all rounds."""
        xp = namespace(record.kind)
        # Rounds that count as drawn for the opponents of the team.
        absences = record.absent.sum(axis=0)
        seen = record.match_points + record.scoring[1] * absences
        seen_half = record.half_points + record.boards * absences
        items = real_opponents(record, seen, seen_half)
        # A default is played against the team that was drawn, not against nobody.
        against = record.opponent != BYE
        won = record.named & (record.kind == RoundKind.WON_BY_DEFAULT)
        return replace(
            items,
            opponent=xp.where(against, record.opponent, BYE),
            opponent_points=record.of_opponents(seen, against),
            opponent_half_points=record.of_opponents(seen_half, against),
            gained=xp.where(won, record.scoring[0], items.gained),
            scored=xp.where(won, WIN * record.boards, items.scored),
            counted=xp.ones(against.shape, bool),
            empty=~against,
            # A bye goes first; an absence has nothing to leave out.
            first_out=~against & ~record.absent,
        )


class C07(OneFormula):
    """FIDE's general tie-break regulations (Handbook C.07, article 16, edition of March 2026).

    A round that a team missed by its own choice is *voluntarily unplayed*: lost by default, not
    paired, or a bye that pays half or nothing. For its opponents a team counts with its score;
    but if it voluntarily missed all rounds from some round on, those without an opponent count as
    draws. For the team itself, an unplayed round counts as one against a dummy opponent, with the
    result that was scored. The dummy has the team's own final score, but at most what the scheduled
    opponent counts as or, without one, the score of a team that drew every round.

    A cut takes the voluntarily unplayed round that is worth least, unless the item of the lowest
    opponent is worth more: then it takes that item (of several the one worth least). Further cuts
    choose anew. The highest items are cut by the opponent's score alone.

    **Source:** article 16, as FIDE's tie-break checker implements it.
    """

    name = "c07"
    capped = True

    def fill(self, record: Record, points: Points, scoring: tuple[int, int, int]) -> Filled:
        """Dummies, capped if the edition says so; results as recorded."""
        xp, draw = namespace(points), scoring[1]
        number = xp.arange(1, record.rounds + 1)[:, None]
        # The last round that was not missed by choice: all after it were.
        last = xp.where(self._voluntary(record), 0, number).max(axis=0)
        # A forfeit after that has an opponent, and is no draw.
        withdrawn = (number > last) & (record.opponent == BYE)
        seen = xp.where(withdrawn, draw, points).sum(axis=0)
        # Without a scheduled opponent the cap is the score of a team that drew all rounds.
        cap = xp.where(record.named, record.of_opponents(seen, record.named), draw * record.rounds)
        # The dummy is as strong as the team itself.
        own_points = xp.broadcast_to(points.sum(axis=0), cap.shape)
        dummy = xp.minimum(own_points, cap) if self.capped else own_points
        met = record.played
        return xp.where(met, record.of_opponents(seen, met), dummy), points

    def first_out(self, record: Record) -> Rounds:
        """Voluntarily unplayed rounds."""
        # A forfeit that counts as played is an item like others.
        return self._voluntary(record) & ~record.played

    def _voluntary(self, record: Record) -> Rounds:
        """Voluntarily unplayed rounds, also forfeits that count as played."""
        return record.absent | record.of_kind(RoundKind.LOST_BY_DEFAULT, RoundKind.HALF_BYE)

    def left_out(self, items: Items, cut: Cut) -> Rounds:
        """The items that a cut leaves out, see the class."""
        values, xp = cut.values, namespace(cut.values)
        teams = xp.arange(values.shape[1])

        def next_lowest(left: Rounds) -> Int[AnyArray, " teams"]:
            of_all = lowest(cut.keys, left)
            voluntary = left & items.first_out
            of_voluntary = lowest((values, cut.scores), voluntary)
            # Of equal ones the voluntarily unplayed round goes.
            stays = values[of_all, teams] > values[of_voluntary, teams]
            return xp.where(~voluntary.any(axis=0) | stays, of_all, of_voluntary)

        def next_highest(left: Rounds) -> Int[AnyArray, " teams"]:
            return lowest([-key for key in cut.keys], left)

        return left_out(items.counted, cut.low, cut.high, next_lowest, next_highest)


class C07Of2024(C07):
    """FIDE's general tie-break regulations (Handbook C.07, article 16) before March 2026.

    As `C07`, but a dummy opponent has the team's own final score whatever that is. These are the
    editions of 2023 and 2024, in force from September 2023 until the edition of March 2026.

    **Source:** article 16, as FIDE's tie-break checker implements it for events that began before
    March 2026; and the official table of a team event of November 2024.
    """

    name = "c07-2024"
    capped = False


class C07Of2009(OneFormula):
    """FIDE's tie-break regulations of 2009 to August 2023: the virtual opponent.

    An unplayed round counts as one against a virtual opponent who has, before the round, as many
    points as the team, scores in it what an opponent of the team would (a win against a loss), and
    a draw in every round left. For its opponents a team counts as if it had drawn the rounds that
    it did not play. In a round robin nothing is adjusted. A cut knows no exceptions.

    **Source:** FIDE's general tie-break regulations of these years; Buchholz and Buchholz cut 1 as
    published for the 220 players of the Moscow Open A of 2018.
    """

    name = "c07-2009"

    def fill(self, record: Record, points: Points, scoring: tuple[int, int, int]) -> Filled:
        """Virtual opponents; results as recorded."""
        xp, (win, draw, loss) = namespace(points), scoring
        left = (record.rounds - 1 - xp.arange(record.rounds))[:, None]
        # Against half a point, or whatever else a bye pays, what remains of a win.
        other = xp.where(points == draw, draw, xp.maximum(win + loss - points, loss))
        virtual = before_round(points) + other + draw * left
        met = record.played
        seen = xp.where(met, points, draw).sum(axis=0)
        return xp.where(met, record.of_opponents(seen, met), virtual), points

    def complete(self, record: Record) -> Items:
        """Items of all rounds; in a round robin those at face value."""
        return FaceValue().complete(record) if record.round_robin else super().complete(record)


class Olympiad2010(Policy):
    """The Olympiads of 2010 to 2014.

    A team's own match that was not played is worth nothing, and is the item that a cut leaves out
    first. For its opponents a team counts as if it had drawn the matches that it did not play.

    **Source:** inferred from the tie-breaks published for the Olympiads of 2010, 2012 and 2014,
    all of which come out exactly.
    """

    name = "olympiad2010"

    def complete(self, record: Record) -> Items:
        """Items of all rounds; those not played are empty."""
        xp, met = namespace(record.kind), record.played
        seen = xp.where(met, record.gained, record.scoring[1]).sum(axis=0)
        seen_half = xp.where(met, record.scored, record.boards).sum(axis=0)
        items = real_opponents(record, seen, seen_half)
        return replace(items, counted=xp.ones(met.shape, bool), empty=~met, first_out=~met)


EDITIONS = {"2024": C07Of2024(), "2026": C07()}
"""The policies of C.07 by edition, as modifiers name them."""


class FaceValue(OneFormula):
    """A default counts as played; any other missed round as an opponent without points.

    For its opponents a team counts with its final score. In a round robin a team misses no round:
    one without an opponent is none, so that a cut leaves out a real one.

    **Source:** C.07 for round robins; elsewhere R. Ricca's variant FaceVal.
    """

    name = "face-value"
    defaults_count = True

    def fill(self, record: Record, points: Points, scoring: tuple[int, int, int]) -> Filled:
        """Final scores; results as recorded."""
        return record.of_opponents(points.sum(axis=0), self.real(record)), points

    def complete(self, record: Record) -> Items:
        """Items of all rounds; in a round robin of those with an opponent."""
        # A round robin misses no round: whoever rests in an odd field has no item for it.
        items = super().complete(record)
        return replace(items, counted=self.real(record)) if record.round_robin else items
