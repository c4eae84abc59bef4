"""Tie-breaks of a team's own results: its points, wins, games with Black, progressive scores.

Where a definition is about points, a round without a match counts the points that it was given; the
bye of an Olympiad gives those of a drawn match. Policies for unplayed rounds do not change this,
because they concern sums over opponents.
"""

from __future__ import annotations

from typing import Literal

from tb2learn.arrays import namespace
from tb2learn.chess.results import EventView, Results
from tb2learn.shapes import Int
from tb2learn.tiebreaks.base import Additive
from tb2learn.types import AnyArray, InputError, PerRound, PerTeam, pytree, static


@pytree
class MatchPoints:
    """Match points of the standings, with what arbiters gave or took."""

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """All match points."""
        return event.own


Base = Literal["m", "g"]
"""What a definition is about: match points or half points."""


def points_of(results: Results, by: Base) -> PerRound:
    """Match points or half points of every round."""
    return results.gained if by == "m" else results.half_points


@pytree
class GamePoints(Additive):
    """TB3: half points of the standings, those of a bye and what arbiters gave or took, too.

    Source: FIDE Handbook C.07, article 13.1.
    """

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """The result itself."""
        return result

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """All half points."""
        return event.own_half_points


@pytree
class Wins(Additive):
    """The number of rounds that scored as many match points as a win, with or without a match.

    Source: FIDE Handbook C.07, article 7.1.

    **Fields:** `by`: what is won: matches, or the games of all boards.
    """

    by: Base = static(default="m")

    result = "m"

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """1 for a win of an event where matches score 2, 1, 0."""
        # Simulated matches score 2, 1, 0; `scores` has what recorded ones do.
        return (result == 2).astype(namespace(result).int32)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """All wins.

        **Raises:** `InputError` for an event without boards, if games count.
        """
        results = event.results
        if self.by == "g":
            # 2 half points: a game won.
            return (results.need_boards("the number of games won").half_points == 2).sum((0, 2))
        won = results.gained == results.win
        return won.sum(axis=0, dtype=namespace(won).int32)


@pytree
class Rounds:
    """The number of rounds of a kind; in a team event a colour is that of the first board.

    Source: FIDE Handbook C.07, articles 7.2 (won), 7.3 (black), 7.4 (black-wins), 7.6 (elected).

    **Fields:**

    - `of`: `played` (over the board); `won` (and played); `black` (played with Black);
      `black-wins`; `elected` (not missed by the team's own choice).
    - `by`: what is counted: rounds, or the games of all boards (not `elected` ones).
    """

    of: Literal["played", "won", "black", "black-wins", "elected"] = static()
    by: Base = static(default="m")

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """How many they are.

        **Raises:** `InputError` for an event without colours or boards, if these count.
        """
        results = event.results
        if self.by == "g":
            boards = results.need_boards("a number of games")
            met, won, black = boards.played, boards.half_points == 2, boards.blacks
        else:
            met, won = results.met, results.gained == results.win
            black = None if results.whites is None else ~results.whites
        if self.of == "played":
            counted = met
        elif self.of == "won":
            counted = met & won
        elif self.of == "elected":
            everything = namespace(met).ones_like(met)
            counted = everything if results.elected is None else results.elected
        elif black is None:
            raise InputError("games with Black need colours: these results have none")
        else:
            counted = met & black & won if self.of == "black-wins" else met & black
        # Over rounds, and over boards where there are any.
        return counted.sum(axis=(0, 2)[: counted.ndim - 1], dtype=namespace(counted).int32)


@pytree
class Progressive:
    """The sum of the points that a team had after each round.

    Source: FIDE Handbook C.07, article 7.5, and 14.1 for its cut: a cut of `low` leaves out the
    scores after the first `low` rounds.
    """

    low: int = static(default=0)
    by: Base = static(default="m")

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The sum of the running scores, in match points or half points.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        event.results.need_rounds()
        gained = points_of(event.results, self.by)
        return namespace(gained).cumsum(gained, axis=0)[self.low :].sum(axis=0)  # 14.1


@pytree
class StandardPoints:
    """The points by the standard system: 2 a round that paid more than a draw, 1 for a draw.

    The unit is half a point. Source: FIDE Handbook C.07, article 7.7; as in FIDE's checker a round
    is compared with what a draw pays, so that both have nothing of a match that both lost.

    **Fields:** `by`: what counts: matches, or the games of all boards.
    """

    by: Base = static(default="m")

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The sum over the rounds.

        **Raises:** `InputError` for an event without boards, if games count.
        """
        results = event.results
        if self.by == "g":
            return results.need_boards("the standard points of games").half_points.sum((0, 2))
        # 2 above what a draw pays, 1 for just that, 0 below.
        points = namespace(results.gained).sign(results.gained - results.draw) + 1
        return points.sum(axis=0)


@pytree
class PairingNumber:
    """The number of the start list, the lowest first; with `reverse` the highest.

    Source: FIDE Handbook C.07, article 7.8.
    """

    reverse: bool = static(default=False)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The number, negative if the lowest is first."""
        number = namespace(event.own).arange(1, len(event.own) + 1)
        return number if self.reverse else -number


@pytree
class Lot:
    """A number of its own for everybody, the lowest first: the lot, drawn by the results.

    The same results draw the same lots, and no one knows them before the last result. Source: FIDE
    Handbook C.07, article 4.2, which breaks the last ties by lot.
    """

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The number 1 .. teams, negative."""
        half_points = event.results.half_points
        xp, teams = namespace(half_points), half_points.shape[1]
        number = xp.arange(half_points.size, dtype=xp.uint32)
        # So that the place of a result counts, too.
        mixed = _mixed(half_points.reshape(-1).astype(xp.uint32) + 31 * number)
        seed = mixed.sum(dtype=xp.uint32)
        # Mixing is one to one, so no two teams have the same.
        lots = _mixed(number[:teams] + seed)
        return -(1 + xp.argsort(xp.argsort(lots)))  # the place of each number in their order


def _mixed(numbers: AnyArray) -> AnyArray:
    """Whole numbers of 32 bits in a disorder that is one to one (the last steps of MurmurHash3)."""
    xp = namespace(numbers)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        numbers = (numbers ^ (numbers >> shift)) * xp.asarray(factor, dtype=xp.uint32)
    return numbers ^ (numbers >> 16)
