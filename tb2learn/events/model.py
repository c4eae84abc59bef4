"""A recorded event, and its teams, players, games and matches as pandas DataFrames."""

from __future__ import annotations

import functools
import html
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from tb2learn.events.parts import (
    STANDARD_SCORING,
    Game,
    Match,
    OpenMatch,
    Pair,
    Penalty,
    Player,
    one_round,
    sum_points,
)
from tb2learn.events.system import Meeting, System, system_of
from tb2learn.text import plain
from tb2learn.types import InputError, one_of, whole_number

if TYPE_CHECKING:
    import pandas

# The type of every column. Whole numbers and texts that may be unknown have nullable types.
_TEXT, _NUMBER, _POINTS, _FLAG = "string", "Int64", "float64", "bool"
FRAMES: Mapping[str, Mapping[str, str]] = {
    "teams": {
        "start": _NUMBER, "team": _TEXT, "rating": _POINTS, "matches": _NUMBER,
        "match_points": _NUMBER, "game_points": _POINTS,
    },
    "players": {
        "team": _TEXT, "player": _TEXT, "fide_id": _NUMBER, "rating": _NUMBER, "title": _TEXT,
        "sex": _TEXT, "federation": _TEXT, "birth": _TEXT, "games": _NUMBER, "points": _POINTS,
    },
    "games": {
        "round": _NUMBER, "match": _NUMBER, "board": _NUMBER, "white_team": _TEXT,
        "black_team": _TEXT, "white": _TEXT, "black": _TEXT, "white_rating": _NUMBER,
        "black_rating": _NUMBER, "white_points": _POINTS, "black_points": _POINTS, "played": _FLAG,
    },
    "matches": {
        "round": _NUMBER, "match": _NUMBER, "team": _TEXT, "opponent": _TEXT, "bye": _TEXT,
        "match_points": _NUMBER, "game_points": _POINTS, "opponent_game_points": _POINTS,
        "boards_decided": _NUMBER, "boards_forfeited": _NUMBER,
    },
}  # fmt: skip
"""Columns of every kind of frame, with their types."""


class Fixed(Mapping[str, Any]):
    """A mapping that cannot be changed."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self._facts = dict(facts)

    def __getitem__(self, key: str) -> Any:
        return self._facts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def __repr__(self) -> str:
        return repr(self._facts)


TIEBREAKS = "tiebreaks"
"""The key of `TeamEvent.about` for a list of tie-breaks, in FIDE's codes."""
PAIRING_RULES, INITIAL_COLOUR = "pairing", "initial_colour"
"""Keys of `TeamEvent.about`: by which rules a team event is paired, as a code of record 192; and
the colour that was drawn before its first round, `W` or `B`."""
SCHEVENINGEN = "scheveningen"
"""What records 092 and 192 call it, and the type of an event that is seen to be one."""


@dataclass(frozen=True, repr=False)
class TeamEvent:
    """A team event as it was recorded. Teams and players are numbered from 0.

    **Fields:**

    - `name`: as recorded, else that of the file or folder.
    - `teams`: names in start order.
    - `rounds`: rounds played; in an unfinished event, those before the first in which nobody played
      yet. If rounds are not known, the most matches of a team.
    - `boards`: games per match.
    - `matches`: sorted by round.
    - `ratings`: for every team the known ratings of its players, best first.
    - `players`, `games`: if the record has them; players team by team, in line-up order.
    - `planned`: rounds that the event is to have, at least those played.
    - `about`: other facts about the event: `city`, `start`, ...
    - `notes`: what the user should know about how the record was read, one line each.
    - `left_alone`: parts of the record that are not read, and so are lost on conversion.
    - `scoring`: match points of a match won, drawn and lost. Matches have them as
      `Match.match_points`.
    - `penalties`: points taken from teams outside of their matches.
    - `individual`: whether it is an event of players; team and player of a number are the same.
    - `published`: places (`place`), points and tie-breaks as the record prints them, by heading, of
      every team; none of them is read for anything but to compare it.
    - `starts`: start numbers, ascending; none if the record has no start order.
    - `contradictions`: what the file says twice and differently: the kind of a finding of `check`,
      and a note.
    - `drawn`: the pairs of the first unfinished round, as far as the record has them.
    - `open`: matches of these rounds without a result yet, which count for nobody.
    - `decided_system`: what it is, as decided by its reader; None for an event that was made from
      its parts, of which its matches tell. `system` is what everything asks.
    """

    name: str
    teams: tuple[str, ...]
    rounds: int
    boards: int
    matches: tuple[Match, ...]
    ratings: tuple[tuple[int, ...], ...]
    players: tuple[Player, ...] = ()
    games: tuple[Game, ...] = ()
    planned: int = 0
    about: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    left_alone: tuple[str, ...] = ()
    scoring: tuple[int, int, int] = STANDARD_SCORING
    penalties: tuple[Penalty, ...] = ()
    individual: bool = False
    published: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    starts: tuple[int, ...] = field(default=(), compare=False)
    drawn: tuple[Pair, ...] = field(default=(), compare=False)
    contradictions: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    open: tuple[OpenMatch, ...] = ()
    decided_system: System | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        # A packaged event is read once for all who ask for it.
        for name in ("about", "published"):
            object.__setattr__(self, name, Fixed(getattr(self, name)))
        object.__setattr__(self, "_answers", {})

    def __getstate__(self) -> dict[str, Any]:
        """What is written of it: not the answers, which follow from the rest."""
        return {**self.__dict__, "_answers": {}}

    def __repr__(self) -> str:
        """Its name and size in a line; `frame(kind)` has what it holds."""
        size = "players" if self.individual else f"teams, {self.boards} boards"
        played = f"{self.rounds} of {self.planned}" if self.planned > self.rounds else self.rounds
        return f"<TeamEvent {self.name}: {len(self.teams)} {size}, {played} rounds>"

    def _repr_html_(self) -> str:
        """In a notebook: the line, and the first of its matches."""
        frame = self.frame("matches").head(10)
        return f"<p>{html.escape(repr(self))}</p>{frame.to_html(index=False)}"

    @property
    def known_rounds(self) -> bool:
        """Whether matches have a round; those of a cross-table have none."""
        return any(m.round for m in self.matches)

    @property
    def system(self) -> System:
        """What it is: a Swiss, a round robin, a cup, or a list of matches without rounds."""
        return self.decided_system or _system(self)

    @property
    def mean_ratings(self) -> tuple[float | None, ...]:
        """Mean rating of the best players of every team, as many as there are boards, if known."""
        # Reserves do not count, as in the seeding of Olympiads.
        best = (ratings[: self.boards] for ratings in self.ratings)
        return tuple(sum(ratings) / len(ratings) if ratings else None for ratings in best)

    def penalties_of(self, team: int) -> tuple[Penalty, ...]:
        """The penalties of a team."""
        return tuple(penalty for penalty in self.penalties if penalty.team == team)

    def after(self, rounds: int) -> TeamEvent:
        """The event as it stood after a number of rounds.

        **Raises:** `InputError` if the event has fewer rounds, or its rounds are not known.
        """
        # A cross-table has no order of rounds.
        if not self.known_rounds:
            raise InputError(f"{self.name} is recorded without rounds: it cannot be cut after one")
        whole_number("rounds", rounds, 1, self.rounds, f" in {self.name}")
        return self.until(rounds)

    def until(self, rounds: int) -> TeamEvent:
        """As `after`, of a number of rounds that there is, or before the first one."""
        return replace(
            self,
            rounds=rounds,
            matches=tuple(m for m in self.matches if m.round <= rounds),
            games=tuple(g for g in self.games if g.round <= rounds),
            penalties=tuple(p for p in self.penalties if p.round <= rounds),
            planned=max(self.planned, self.rounds),
            published={},
            drawn=self.drawn if rounds == self.rounds else (),
            open=tuple(match for match in self.open if match.round <= rounds),
            # The first rounds of a league are those of a league.
            decided_system=self.system,
        )

    @property
    def settled(self) -> TeamEvent:
        """The event before its first round with open matches, whose pairs are then `drawn`."""
        if not self.open:
            return self
        # The round that has to be paired again.
        first = min(pairing.round for pairing in self.open)
        pairs = [
            (pairing.team_a, pairing.team_b) for pairing in self.open if pairing.round == first
        ]
        pairs += [
            (match.team_a, match.team_b)
            for match in self.matches
            # Byes that were asked for are no part of the pairing.
            if match.round == first and match.bye in ("", "pairing")
        ]
        return replace(self.until(first - 1), drawn=one_round(pairs))

    def frame(self, kind: str) -> pandas.DataFrame:
        """Part of the event as a pandas DataFrame.

        Points are floats, names are strings, and what the record does not give is `NA`.

        **Arguments:**

        - `kind`: which frame:

          - `"teams"`, in start order: `start` (1 for the first), `team`, `rating` (mean of its best
            players, as many as there are boards), `matches` (with an opponent), `match_points`,
            `game_points` (both including byes).
          - `"players"`: `team`, `player`, `fide_id`, `rating`, `title`, `sex`, `federation`,
            `birth`, `games` (played), `points` (including forfeits).
          - `"games"`: `round`, `match`, `board`, `white_team`, `black_team`, `white`, `black`
            (names of players), `white_rating`, `black_rating`, `white_points`, `black_points`,
            `played` (False if the points were given without a game).
          - `"matches"`, one row for each side: `round`, `match`, `team`, `opponent` (`NA` for a
            bye), `bye` (its kind, see `BYES`), `match_points`, `game_points`,
            `opponent_game_points`, `boards_decided`, `boards_forfeited`.

        **Raises:** `InputError` for any other kind.

        >>> from tb2learn.events import read_event
        >>> matches = read_event("baku2016").frame("matches")
        >>> norway = matches[matches.team == "Norway"].set_index("round")
        >>> norway[["opponent", "match_points", "game_points"]].head(3)
                 opponent  match_points  game_points
        round
        1           Wales             2          3.0
        2      Bangladesh             2          2.5
        3         Romania             0          1.5
        """
        import pandas  # imported here because it takes half a second and only notebooks need it

        one_of("kind", kind, FRAMES)
        rows = {"teams": _teams, "players": _players, "games": _games, "matches": _matches}
        columns = FRAMES[kind]
        # Objects first, or unknown whole numbers would become floats.
        frame = pandas.DataFrame(rows[kind](self), columns=list(columns), dtype=object)
        return frame.astype(columns)


Answer = TypeVar("Answer")


def store_with_event(question: Callable[[TeamEvent], Answer]) -> Callable[[TeamEvent], Answer]:
    """A question about an event that is answered once: the answer is kept with the event."""

    def ask(event: TeamEvent) -> Answer:
        answers = event.__dict__["_answers"]
        # Events cannot be changed, so an answer stays right.
        if question.__qualname__ not in answers:
            answers[question.__qualname__] = question(event)
        return answers[question.__qualname__]

    # Not as a decorator: annotations are checked in the module in which they are written.
    return functools.update_wrapper(ask, question)


@store_with_event
def _system(event: TeamEvent) -> System:
    """What an event is by its own matches, and by what it is called."""
    # The cells of a cross-table are all pairs, also those that are still to meet.
    still_open = () if event.known_rounds else event.open
    meetings = [
        Meeting(match.round, match.team_a, match.team_b)
        for match in (*event.matches, *still_open)
        if match.team_b is not None
    ]
    said = event.about.get("type", "")
    return system_of(meetings, len(event.teams), event.rounds, event.planned, said)


def team_totals(event: TeamEvent) -> list[tuple[int, int]]:
    """Match points and half points of every team, penalties included."""
    return sum_points(len(event.teams), event.matches, event.penalties)


def _teams(event: TeamEvent) -> list[tuple[Any, ...]]:
    matches = Counter(team for m in event.matches if m.team_b is not None for team in m.teams)
    totals, ratings = sum_points(len(event.teams), event.matches), event.mean_ratings
    return [
        (number + 1, team, ratings[number], matches[number], points, half_points / 2)
        for number, (team, (points, half_points)) in enumerate(
            zip(event.teams, totals, strict=True)
        )
    ]


def _players(event: TeamEvent) -> list[tuple[Any, ...]]:
    games = [0] * len(event.players)
    half_points = [0] * len(event.players)
    for game in event.games:
        for seat in game.sides:
            if seat.player is not None:
                games[seat.player] += game.played
                half_points[seat.player] += seat.half_points
    return [
        (
            event.teams[player.team], player.name, player.fide_id or None, player.rating or None,
            player.title or None, player.sex or None, player.federation or None,
            player.birth or None, games[number], half_points[number] / 2,
        )
        for number, player in enumerate(event.players)
    ]  # fmt: skip


def _games(event: TeamEvent) -> list[tuple[Any, ...]]:
    names = {None: None} | {number: p.name for number, p in enumerate(event.players)}
    return [
        (
            game.round or None, game.match, game.board, event.teams[game.white_team],
            event.teams[game.black_team], names[game.white], names[game.black],
            game.white_rating or None, game.black_rating or None, game.white_half_points / 2,
            game.black_half_points / 2, game.played,
        )
        for game in event.games
    ]  # fmt: skip


def _matches(event: TeamEvent) -> list[tuple[Any, ...]]:
    """One row for each side of every match."""
    rows = []
    for match in event.matches:
        for team in match.teams:
            opponent = match.opponent_of(team)
            match_points, half_points = match.points_of(team)
            rows.append(
                (
                    match.round or None, match.number, event.teams[team],
                    None if opponent is None else event.teams[opponent], match.bye or None,
                    match_points, half_points / 2,
                    None if opponent is None else match.points_of(opponent)[1] / 2,
                    match.boards_decided, match.boards_forfeited,
                )
            )  # fmt: skip
    return rows


def open_note(matches: tuple[OpenMatch, ...], names: tuple[str, ...], individual: bool) -> str:
    """The note of an event with open matches."""
    examples = [
        (f"round {match.round} " if match.round else "")
        + f"{plain(names[match.team_a][:40])} - {plain(names[match.team_b][:40])}"
        # A few of them say which round it is.
        for match in matches[:4]
    ]
    rest = ", ..." if len(matches) > 4 else ""
    word = "game" if individual else "match"
    are = f"{word} is" if len(matches) == 1 else f"{word}{'s' if individual else 'es'} are"
    return (
        f"{len(matches)} {are} open ({', '.join(examples)}{rest}): standings count what was "
        "played, and tie-breaks over unequal numbers of rounds are provisional"
    )


def unfinished_note(round_number: int) -> str:
    """The note of an event with a round in which nobody played yet."""
    return f"round {round_number} has no results yet: it and later rounds are left out"
