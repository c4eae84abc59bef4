"""What every team did in every round of an event: played, bye, default, absence.

The arrays of a record are of NumPy; of JAX in a forecast, whose continuations are many.

A team without a match or bye in a round was not paired and scores nothing. So byes must be recorded
as rows of their own; a bye that was not recorded cannot be told from an absence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from tb2learn.arrays import as_fractions, compiled, namespace
from tb2learn.chess.results import OnBoards, Results
from tb2learn.chess.round_kinds import RoundKind
from tb2learn.events.model import TeamEvent, store_with_event
from tb2learn.events.parts import BYE_MATCH_POINTS, STANDARD_SCORING, Bye, Match, Penalty
from tb2learn.shapes import Bool, Float, Int, Num
from tb2learn.types import BYE, AnyArray, pytree, static

BYE_KINDS: Mapping[Bye, RoundKind] = {
    "pairing": RoundKind.PAIRING_BYE,
    "full": RoundKind.FULL_BYE,
    "half": RoundKind.HALF_BYE,
    "zero": RoundKind.ZERO_BYE,
    "default": RoundKind.WON_BY_DEFAULT,
}


@pytree
class Record:
    """What every team did in every round: arrays `[rounds, teams]`.

    **Fields:**

    - `rounds`, `boards`: of the event.
    - `planned`: rounds that the event is to have; fewer than `rounds` if that is not known.
    - `known_rounds`: whether rows are rounds. If not, the two teams of a match may have it in
      different rows.
    - `kind`: numbers of `RoundKind`.
    - `opponent`: number of the scheduled opponent; `BYE` without one.
    - `gained`, `scored`: match points and half points of the round.
    - `ratings`: mean rating of the best `boards` players of each team; NaN without any.
    - `scoring`: match points of a match won, drawn and lost.
    - `blacks`: games (matches) with Black on board 1, where that is known.
    - `on_boards`: what was scored on every board, if the games of all matches are known.
    - `awaited`: number of the opponent of a match without a result yet, which no policy sees as
      paired; else `BYE`. None where no match is open.
    - `individual`: whether teams are single players.
    - `round_robin`: whether everybody was to meet everybody equally often.
    - `forfeits_played`: whether matches won or lost by default against a team that the record names
      count as played.
    - `penalties`, `half_penalties`: match points and half points that teams have outside of their
      matches, below 0 for those taken; None for none. No tie-break sees them.
    """

    # The event.
    rounds: int = static()
    boards: int = static()
    known_rounds: bool = static()
    # Every round of every team.
    kind: Int[AnyArray, "rounds teams"]
    opponent: Int[AnyArray, "rounds teams"]
    gained: Int[AnyArray, "rounds teams"]
    scored: Int[AnyArray, "rounds teams"]
    ratings: Float[AnyArray, " teams"]
    scoring: tuple[int, int, int] = static(default=STANDARD_SCORING)
    penalties: Int[AnyArray, " teams"] | None = None
    half_penalties: Int[AnyArray, " teams"] | None = None
    # What only some records say, or some policies ask for.
    blacks: Bool[AnyArray, "rounds teams"] | None = None
    individual: bool = static(default=False)
    round_robin: bool = static(default=False)
    forfeits_played: bool = static(default=False)
    on_boards: OnBoards | None = None
    awaited: Int[AnyArray, "rounds teams"] | None = None
    planned: int = static(default=0)

    @property
    def open(self) -> Bool[AnyArray, "rounds teams"] | None:
        """Rounds with a match that has no result yet; None if there is none."""
        return None if self.awaited is None else self.awaited != BYE

    @property
    def played(self) -> Bool[AnyArray, "rounds teams"]:
        """Matches played over the board, or that count as such."""
        played = self.kind == RoundKind.PLAYED
        # By the opponent that is named, so without byes.
        return played | (self.opponent != BYE) if self.forfeits_played else played

    @property
    def named(self) -> Bool[AnyArray, "rounds teams"]:
        """Matches won or lost by default against a team that the record names."""
        return ~self.played & (self.opponent != BYE)

    @property
    def last_round_drawn(self) -> Record:
        """The same with draws of all who were paired in the final round, as if they had played.

        Before the final round it is the same (C.07, article 8.3).
        """
        if self.planned > self.rounds:
            return self
        xp = namespace(self.kind)
        last = xp.arange(self.rounds)[:, None] == self.rounds - 1
        paired = (self.opponent != BYE) & last
        return replace(
            self,
            kind=xp.where(paired, int(RoundKind.PLAYED), self.kind),
            gained=xp.where(paired, self.scoring[1], self.gained),
            scored=xp.where(paired, self.boards, self.scored),
        )

    @property
    def pairing_byes(self) -> Bool[AnyArray, "rounds teams"]:
        """Rounds with a pairing-allocated bye."""
        return self.kind == RoundKind.PAIRING_BYE

    @property
    def absent(self) -> Bool[AnyArray, "rounds teams"]:
        """Rounds in which a team was not paired, or had a bye that pays nothing."""
        return self.of_kind(RoundKind.NOT_PAIRED, RoundKind.ZERO_BYE)

    def of_kind(self, *kinds: RoundKind) -> Bool[AnyArray, "rounds teams"]:
        """Rounds of any of some kinds."""
        xp = namespace(self.kind)
        return xp.isin(self.kind, xp.asarray([int(wanted) for wanted in kinds]))

    @property
    def match_points(self) -> Int[AnyArray, " teams"]:
        """Final match points, as tie-breaks see them."""
        return self.gained.sum(axis=0)

    @property
    def half_points(self) -> Int[AnyArray, " teams"]:
        """Final game points, in half points, as tie-breaks see them."""
        return self.scored.sum(axis=0)

    @property
    def standing_points(self) -> Int[AnyArray, " teams"]:
        """Match points of the standings, with penalties."""
        return self.match_points + (0 if self.penalties is None else self.penalties)

    @property
    def standing_half_points(self) -> Int[AnyArray, " teams"]:
        """Game points of the standings, in half points, with penalties."""
        return self.half_points + (0 if self.half_penalties is None else self.half_penalties)

    @cached_property
    def results(self) -> Results:
        """What was played, as tie-breaks see it: only rounds played have an opponent."""
        played, won = self.played, self.gained == self.scoring[0]
        xp = namespace(self.kind)
        # 0 stands for no rating, in results.
        # Results keep whole numbers.
        ratings = xp.rint(xp.nan_to_num(self.ratings)).astype(int)
        zero = not compiled(ratings) and bool((self.ratings == 0).any())
        return Results(
            opponents=xp.where(played, self.opponent, BYE),
            half_points=self.scored,
            match_points=self.match_points,
            boards=self.boards,
            # Compiled programs know no values: they keep the array.
            ratings=ratings if compiled(ratings) or ratings.any() else None,
            whites=None if self.blacks is None else played & ~self.blacks,
            round_points=self.gained,
            drawn=self.opponent,
            elected=played | won | self.pairing_byes,
            win=self.scoring[0],
            draw=self.scoring[1],
            known_rounds=self.known_rounds,
            on_boards=self.on_boards,
            rated=~xp.isnan(self.ratings) if zero else None,
        )

    def of_opponents(
        self, scores: Num[AnyArray, " teams"], where: Bool[AnyArray, "rounds teams"]
    ) -> Num[AnyArray, "rounds teams"]:
        """The scores of the opponents.

        **Arguments:**

        - `scores`: of every team.
        - `where`: rounds that have an opponent; the result is 0 in all others.
        """
        xp = namespace(scores)
        # Any team where there is none.
        return xp.where(where, as_fractions(scores)[xp.where(where, self.opponent, 0)], 0)


@store_with_event
def event_record(event: TeamEvent) -> Record:
    """The record of an event, which many ask for: its arrays cannot be changed.

    If rounds are not known, the rows of a team are its own matches in the order of the file.
    """
    shape = (event.rounds, len(event.teams))
    opponent = np.full(shape, BYE)
    scored, gained = np.zeros(shape, int), np.zeros(shape, int)
    kind = np.full(shape, RoundKind.NOT_PAIRED)
    filled = [0] * len(event.teams)
    for match in event.matches:
        for team in match.teams:
            # A cross-table has no rounds: the next free row.
            # Every team has at most one match or bye in a round.
            row = match.round - 1 if match.round else filled[team]
            filled[team] += 1
            opponent_of = match.opponent_of(team)
            gained[row, team], scored[row, team] = match.points_of(team)
            opponent[row, team] = BYE if opponent_of is None else opponent_of
            kind[row, team] = _kind(match, team)
    awaited = np.full(shape, BYE)
    for match_open in event.open:
        for team, opponent_of in (
            (match_open.team_a, match_open.team_b),
            (match_open.team_b, match_open.team_a),
        ):
            awaited[match_open.round - 1 if match_open.round else filled[team], team] = opponent_of
            filled[team] += 1
    # All who ask share them.
    for array in (kind, opponent, gained, scored, awaited):
        array.flags.writeable = False
    return Record(
        event.rounds,
        event.boards,
        event.known_rounds,
        kind,
        opponent,
        gained,
        scored,
        np.array(event.mean_ratings, float),
        event.scoring,
        *_points_of(event.penalties, len(event.teams)),
        _blacks(event, shape),
        event.individual,
        event.system.is_round_robin,
        on_boards=_on_boards(event),
        awaited=awaited if event.open else None,
        planned=event.planned,
    )


def _blacks(event: TeamEvent, shape: tuple[int, int]) -> Bool[np.ndarray, "rounds teams"] | None:
    """Who had Black on board 1, forfeited or not; None without games or rounds."""
    if not event.games or not event.known_rounds:
        return None
    blacks = np.zeros(shape, bool)
    for game in event.games:
        if game.board == 1:
            blacks[game.round - 1, game.black_team] = True
    return blacks


def _on_boards(event: TeamEvent) -> OnBoards | None:
    """What was scored on every board; None if games of a match that was played are not known."""
    if not event.games or not event.known_rounds:
        return None
    half_points = np.zeros((event.rounds, len(event.teams), event.boards), int)
    played, blacks = np.zeros(half_points.shape, bool), np.zeros(half_points.shape, bool)
    recorded = {(game.round, game.match) for game in event.games}
    for match in event.matches:
        if match.played and (match.round, match.number) not in recorded:
            return None
        if match.team_b is None:
            won = 2 if match.bye == "pairing" else BYE_MATCH_POINTS[match.bye]
            half_points[match.round - 1, match.team_a] = won
        elif (match.round, match.number) not in recorded:
            a, b = match.half_points_a, match.half_points_b
            # A column each: the same on all boards.
            half_points[match.round - 1, match.teams] = [[2 * (a > b)], [2 * (b > a)]]
    for game in event.games:
        for seat in game.sides:
            place = game.round - 1, seat.team, game.board - 1
            half_points[place] = seat.half_points
            played[place] = game.played
            blacks[place] = seat.team == game.black_team
    return OnBoards(half_points, played, blacks)


def _points_of(
    penalties: Sequence[Penalty], teams: int
) -> tuple[Int[np.ndarray, " teams"] | None, Int[np.ndarray, " teams"] | None]:
    """Match points and half points by team; None without penalties."""
    if not penalties:
        return None, None
    points, half = np.zeros(teams, int), np.zeros(teams, int)
    for penalty in penalties:
        points[penalty.team] += penalty.match_points
        half[penalty.team] += penalty.half_points
    return points, half


def _kind(match: Match, team: int) -> RoundKind:
    opponent = match.opponent_of(team)
    if opponent is None:
        return BYE_KINDS[match.bye]
    if not match.by_default:
        return RoundKind.PLAYED
    # Neither side won where both lost by default.
    won = match.points_of(team)[1] > match.points_of(opponent)[1]
    return RoundKind.WON_BY_DEFAULT if won else RoundKind.LOST_BY_DEFAULT
