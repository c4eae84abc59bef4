"""The parts of a recorded event: players, games, matches, penalties, and how matches score.

In an individual event every player is a team of one, and every game is a match on one board.
Match points are then twice the points (2, 1, 0 for 1, 1/2, 0), so that they stay whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias, get_args

Bye = Literal["", "pairing", "full", "half", "zero", "default"]
BYES: tuple[Bye, ...] = get_args(Bye)
"""Why a team had no opponent: no bye (it had one); pairing-allocated bye; byes that pay a win, a
draw, nothing; a match won by default against a team that the record does not name."""

BYES_OF_A_GAME: tuple[Bye, ...] = ("zero", "half", "pairing")
"""The byes of a player by the half points that they pay."""


STANDARD_SCORING = (2, 1, 0)
"""Match points of a match won, drawn and lost, unless an event says otherwise."""


@dataclass(frozen=True)
class Player:
    """One player. A field is empty where the record does not give it.

    **Fields:**

    - `team`: number of the team.
    - `name`: as recorded, mostly `Surname, Forename`.
    - `fide_id`, `rating`: 0 for none.
    - `title`, `sex`, `federation`, `birth`: as recorded.
    """

    team: int
    name: str
    fide_id: int = 0
    rating: int = 0
    title: str = ""
    sex: str = ""
    federation: str = ""
    birth: str = ""


Pair: TypeAlias = tuple[int, int | None]
"""Numbers of two teams that are drawn against each other, the first with White (on board 1) where
that is known; None for the pairing-allocated bye."""


class OpenMatch(NamedTuple):
    """A match or game without a result yet, of a round in which others were played.

    **Fields:** `round`, `number`: as of a `Match`; `team_a`, `team_b`: team numbers.
    """

    round: int
    number: int
    team_a: int
    team_b: int


def one_round(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Different pairs in order; none at all if a team is in two of them."""
    # The same pair twice, or with sides exchanged, is one.
    different = {frozenset(pair): pair for pair in pairs}
    teams = [team for pair in different for team in pair if team is not None]
    return tuple(different.values()) if len(set(teams)) == len(teams) else ()


class Side(NamedTuple):
    """One side of a game: numbers of team and player (None for nobody), half points, rating."""

    team: int
    player: int | None
    half_points: int
    rating: int


@dataclass(frozen=True)
class Game:
    """One board of a match.

    **Fields:**

    - `round`, `match`: round and number of its match.
    - `board`: 1 for the first.
    - `white_team`, `black_team`: team numbers.
    - `white`, `black`: player numbers; None where the record names nobody.
    - `white_half_points`, `black_half_points`: 2, 1 or 0; with penalties 1 and 0, or both 0, as
      where both sides lost by default.
    - `played`: False if the points were given without a game.
    - `white_rating`, `black_rating`: 0 for none.
    """

    round: int
    match: int
    board: int
    white_team: int
    black_team: int
    white: int | None
    black: int | None
    white_half_points: int
    black_half_points: int
    played: bool = True
    white_rating: int = 0
    black_rating: int = 0

    @property
    def sides(self) -> tuple[Side, Side]:
        """White and Black."""
        return (
            Side(self.white_team, self.white, self.white_half_points, self.white_rating),
            Side(self.black_team, self.black, self.black_half_points, self.black_rating),
        )


@dataclass(frozen=True)
class Match:
    """One match, or the round of a team without an opponent (`team_b` is None).

    **Fields:**

    - `round`, `number`: the number is unique in its round; round 0 if rounds are not known.
    - `team_a`, `team_b`: team numbers; `team_a` has white on board 1 where that is known.
    - `half_points_a`, `half_points_b`: game points of both teams, in half points.
    - `boards_decided`: boards with a winner or a draw, forfeits included; boards that both sides
      lost by default do not count. 0 without an opponent.
    - `boards_forfeited`: how many of these were won by default.
    - `bye`: why there was no opponent.
    - `match_points_a`, `match_points_b`: set if the record gives other match points than the game
      points imply.
    """

    round: int
    number: int
    team_a: int
    team_b: int | None
    half_points_a: int
    half_points_b: int
    boards_decided: int
    boards_forfeited: int
    bye: Bye = ""
    match_points_a: int | None = None
    match_points_b: int | None = None

    @property
    def teams(self) -> tuple[int, ...]:
        """The numbers of both teams; of one alone without an opponent."""
        return (self.team_a,) if self.team_b is None else (self.team_a, self.team_b)

    @property
    def by_default(self) -> bool:
        """Whether no game was played: every decided board was forfeited."""
        return self.team_b is not None and self.boards_forfeited == self.boards_decided

    @property
    def played(self) -> bool:
        """Whether it was played over the board: against an opponent, and not by default."""
        return self.team_b is not None and not self.by_default

    @property
    def match_points(self) -> tuple[int, int]:
        """Match points of both sides.

        The side with more game points wins, also where boards were defaulted by both; a match in
        which nobody scored was lost by both. Of a single game each side has its own result.
        """
        a, b = self.half_points_a, self.half_points_b
        if self.team_b is None:
            won = BYE_MATCH_POINTS[self.bye], 0
        # Nobody scored: both lost by default, which is no draw.
        elif a == b == 0:
            won = 0, 0
        # A game that ended 1/2-0 by a penalty: a draw for one side, a loss for the other.
        elif self.boards_decided == a + b == 1:
            won = a, b
        else:
            won = 1 + (a > b) - (a < b), 1 + (b > a) - (b < a)
        return (
            won[0] if self.match_points_a is None else self.match_points_a,
            won[1] if self.match_points_b is None else self.match_points_b,
        )

    def given(self, points_a: int | None = None, points_b: int | None = None) -> Match:
        """The same with match points that the record gives; None for those of the game points."""
        return replace(self, match_points_a=points_a, match_points_b=points_b)

    def paid(self, scoring: tuple[int, int, int]) -> Match:
        """The same with the match points of an event, which are set where they are not 2, 1, 0.

        Those that the record gives stay. Where a lost match scores, neither a bye that pays nothing
        nor a match lost by default does: nobody sat down to lose it.
        """
        if scoring == STANDARD_SCORING:
            return self
        # Points as places in won, drawn, lost, whatever they score.
        plain = self.given().match_points
        points = [scoring[2 - p] if p or self.played else 0 for p in plain]
        recorded = self.match_points_a, self.match_points_b
        return self.given(
            *(
                r if r is not None else p if p != q else None
                for r, p, q in zip(recorded, points, plain, strict=True)
            )
        )

    def points_of(self, team: int) -> tuple[int, int]:
        """Match points and half points of one of the two teams."""
        if team == self.team_a:
            return self.match_points[0], self.half_points_a
        return self.match_points[1], self.half_points_b

    def opponent_of(self, team: int) -> int | None:
        """The other of the two teams; None without an opponent."""
        return self.team_b if team == self.team_a else self.team_a


BYE_MATCH_POINTS: Mapping[Bye, int] = {
    "": 0, "pairing": 1, "full": 2, "half": 1, "zero": 0, "default": 2,
}  # fmt: skip
"""Match points of a bye. Its game points are half as many on every board."""


def bye_half_points(bye: Bye, boards: int) -> int:
    """Half points of a bye, unless the record gives others."""
    return BYE_MATCH_POINTS[bye] * boards


def bye_points(
    bye: Bye, boards: int, pairing_pays: tuple[int, int] | None = None
) -> tuple[int | None, int]:
    """Match points, None for those of its kind, and half points of a bye with no points of its own.

    **Arguments:** `pairing_pays`: what a pairing-allocated bye pays, if not as much as a draw.
    """
    if bye == "pairing" and pairing_pays is not None:
        return pairing_pays[0], min(pairing_pays[1], 2 * boards)
    return None, bye_half_points(bye, boards)


@dataclass(frozen=True)
class Penalty:
    """Points taken from a team (or given to it, above 0) outside of its matches.

    They change its totals in the standings. Tie-breaks see the results alone, as in FIDE's checker.

    **Fields:**

    - `team`: its number.
    - `round`: from which on they count; 0 for all of the event.
    - `match_points`, `half_points`: below 0 for points that are taken.
    """

    team: int
    round: int
    match_points: int
    half_points: int = 0


def sum_points(
    teams: int, matches: Iterable[Match], penalties: Iterable[Penalty] = ()
) -> list[tuple[int, int]]:
    """Match points and half points of every team, penalties included."""
    points, half = [0] * teams, [0] * teams
    for match in matches:
        for team in match.teams:
            gained, scored = match.points_of(team)
            points[team] += gained
            half[team] += scored
    for penalty in penalties:
        points[penalty.team] += penalty.match_points
        half[penalty.team] += penalty.half_points
    return list(zip(points, half, strict=True))


def team_ratings(
    teams: int, players: Sequence[Player], games: Iterable[Game]
) -> tuple[tuple[int, ...], ...]:
    """For every team the ratings of its players who appear on a board, best first."""
    fielded = {seat.player for game in games for seat in game.sides}
    by_team: list[list[int]] = [[] for _ in range(teams)]
    for number, player in enumerate(players):
        # Who never played says nothing of the strength of a team.
        if player.rating and number in fielded:
            by_team[player.team].append(player.rating)
    return tuple(tuple(sorted(ratings, reverse=True)) for ratings in by_team)


def matches_of(
    games: Sequence[Game], numbers: Mapping[tuple[int, int], tuple[int, int]]
) -> tuple[Match, ...]:
    """The matches that the games add up to.

    **Arguments:**

    - `games`: in any order.
    - `numbers`: the two teams, `team_a` first, by round and match number.

    **Returns:** one match per entry of `numbers`, in the same order.
    """
    sums = {key: [0, 0, 0, 0] for key in numbers}
    for game in games:
        match = sums[game.round, game.match]
        for seat in game.sides:
            # An index: 0 for `team_a`, 1 for the other one.
            match[seat.team != numbers[game.round, game.match][0]] += seat.half_points
        decided = game.played or any(seat.half_points for seat in game.sides)
        match[2] += decided
        match[3] += decided and not game.played
    return tuple(
        Match(*key, *teams, half_a, half_b, decided, forfeited)
        for (key, teams), (half_a, half_b, decided, forfeited) in zip(
            numbers.items(), sums.values(), strict=True
        )
    )
