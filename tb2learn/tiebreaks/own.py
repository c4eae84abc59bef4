"""Tie-breaks of a team's own results: its points, wins, games with Black, progressive scores.

Where a definition is about points, a round without a match counts the points that it was given; the
bye of an Olympiad gives those of a drawn match. Policies for unplayed rounds do not change this,
because they concern sums over opponents.
"""

from __future__ import annotations

from typing import Literal

from jaxtyping import Int

from tb2learn.arrays import namespace
from tb2learn.chess.results import Seen
from tb2learn.tiebreaks.base import Additive
from tb2learn.types import AnyArray, InputError, PerTeam, pytree, static


@pytree
class MatchPoints:
    """Match points of the standings, with what arbiters gave or took."""

    def scores(self, event: Seen, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """All match points."""
        return event.own


@pytree
class GamePoints(Additive):
    """TB3: half points of the standings, those of a bye and what arbiters gave or took, too.

    Source: FIDE Handbook C.07, article 13.1.
    """

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """The result itself."""
        return result

    def scores(self, event: Seen, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """All half points."""
        return event.own_half_points


@pytree
class Wins(Additive):
    """The number of rounds that scored as many match points as a win, with or without a match.

    Source: FIDE Handbook C.07, article 7.1.
    """

    result = "m"

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """1 for a win of an event where matches score 2, 1, 0."""
        return (result == 2).astype(namespace(result).int32)

    def scores(self, event: Seen, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """All wins."""
        results = event.results
        won = results.gained == results.win
        return won.sum(axis=0, dtype=namespace(won).int32)


@pytree
class Rounds:
    """The number of rounds of a kind; in a team event a colour is that of the first board.

    Source: FIDE Handbook C.07, articles 7.2 (won), 7.3 (black), 7.4 (black-wins), 7.6 (elected).

    **Fields:** `of`: `played` (over the board); `won` (and played); `black` (played with Black);
    `black-wins`; `elected` (not missed by the team's own choice).
    """

    of: Literal["played", "won", "black", "black-wins", "elected"] = static()

    def scores(self, event: Seen, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """How many they are.

        **Raises:** `InputError` for an event without colours, if these count.
        """
        results = event.results
        met, won = results.met, results.gained == results.win
        if self.of == "played":
            found = met
        elif self.of == "won":
            found = met & won
        elif self.of == "elected":
            everything = namespace(met).ones_like(met)
            found = everything if results.elected is None else results.elected
        elif results.whites is None:
            raise InputError("games with Black need colours: these results have none")
        else:
            black = met & ~results.whites
            found = black & won if self.of == "black-wins" else black
        return found.sum(axis=0, dtype=namespace(found).int32)


@pytree
class Progressive:
    """The sum of the match points that a team had after each round.

    Source: FIDE Handbook C.07, article 7.5, and 14.1 for its cut: a cut of `low` leaves out the
    scores after the first `low` rounds.
    """

    low: int = static(default=0)

    def scores(self, event: Seen, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The sum of the running scores, in match points.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        event.results.need_rounds()
        gained = event.results.gained
        return namespace(gained).cumsum(gained, axis=0)[self.low :].sum(axis=0)
