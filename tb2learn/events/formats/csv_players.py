"""Read the games of an individual event from CSV tables.

`matches.csv` has one row per game, with the columns `round`, `white_player`, `black_player` and
`result`. A row without `black_player` is a bye of White: `bye` says which (see `model.BYES`), by
default the pairing-allocated one, which pays as much as a win. Optional columns: `match` (the
number of the game in its round), `status` (`forfeit` for a game that was not played),
`white_points` and `black_points` (where a game or bye scored otherwise), ratings and FIDE numbers.
`players.csv` may list the players in start order. Players are told apart by name, or by the column
`team` of `players.csv` where two have the same one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tb2learn.events.formats.csv_rows import RESULTS, Row
from tb2learn.events.formats.csv_tables import Recorded, Tables
from tb2learn.events.formats.csv_words import FILES, GAME_COLUMNS
from tb2learn.events.formats.fields import Entrants
from tb2learn.events.formats.oddities import player_points, reading
from tb2learn.events.parts import (
    BYE_MATCH_POINTS,
    BYES,
    STANDARD_SCORING,
    Game,
    Match,
    Player,
    matches_of,
)
from tb2learn.types import MAX_ROUNDS, InputError

_FORFEITS = {"+--": "1-0", "--+": "0-1", "---": "0-0"}


def holds_games(tables: Tables) -> bool:
    """Whether the rows of `matches.csv` are games of players, not matches of teams."""
    first = tables.first(FILES[0])
    return first is not None and first.has("white_player") and not first.has("team_a")


def read_games(tables: Tables, about: Mapping[str, str]) -> Recorded:
    """What the tables say of the games of players.

    **Arguments:** `about`: keys and values of `event.csv`.

    **Raises:** `InputError`, one line, for tables that do not make a valid event.
    """
    said = reading(match_points=about.get("match_points"))
    scoring = tables.options.game_scoring or said.game_scoring or STANDARD_SCORING
    listed = "players.csv" if tables.has("players.csv") else ""
    reader = _Reader(tables, scoring, Entrants("player", listed))
    for row in tables.rows("players.csv", "name"):
        reader.enter(row)
    unfinished = MAX_ROUNDS + 1
    numbers: set[tuple[int, int]] = set()
    for index, row in enumerate(tables.rows(FILES[0], *GAME_COLUMNS), start=1):
        key = row.integer("round", 1, MAX_ROUNDS), row.integer("match", 0, 10**6, default=index)
        row.once(numbers, key, "match", f"used once in round {key[0]}", str(key[1]))
        if not reader.add(row, *key):
            unfinished = min(unfinished, key[0])
    games = [game for game in reader.games if game.round < unfinished]
    matches = [match for match in reader.matches if match.round < unfinished]
    unfinished = 0 if unfinished > MAX_ROUNDS else unfinished
    if not games:
        raise InputError("matches.csv: must have at least one finished game")
    return Recorded(reader.entrants, 1, scoring, matches, reader.players, games, unfinished)


class _Reader:
    """Collects players, games and byes row by row; `scoring` has the half points of a game."""

    def __init__(self, tables: Tables, scoring: tuple[int, int, int], entrants: Entrants) -> None:
        self._options, self._scoring, self.entrants = tables.options, scoring, entrants
        self._busy: set[tuple[int, int]] = set()
        self.players: list[Player] = []
        self.games: list[Game] = []
        self.matches: list[Match] = []

    def enter(self, row: Row) -> None:
        """Add a row of `players.csv`."""
        name = row.text("team") or row.name("name")
        self.players.append(row.player(self.entrants.enter(row, "name", name)))

    def _player(self, row: Row, side: str, round_number: int) -> int:
        """The number of a player, who must be free in the round."""
        field = f"{side}_player"
        number = row.entrant(self.entrants, field)
        if number == len(self.players):
            self.players.append(Player(number, row.name(field)))
        player = self.players[number]
        self.players[number] = replace(
            player,
            rating=player.rating or row.rating(f"{side}_rating"),
            fide_id=player.fide_id or row.fide_id(f"{side}_fide_id"),
        )
        allowed = f"in one game of round {round_number}"
        row.once(self._busy, (round_number, number), field, allowed)
        return number

    def add(self, row: Row, round_number: int, number: int) -> bool:
        """Add a game or a bye; False for a game without a result."""
        white = self._player(row, "white", round_number)
        told = [self._told(row, side) for side in ("white", "black")]
        if self._has_bye(row):
            self.matches.append(self._bye(row, round_number, number, white, told[0]))
            return True
        sides = white, self._player(row, "black", round_number)
        text = row.text("result").replace(" ", "").replace("\u00bd", "1/2").replace(":", "-")
        if text in ("", "*"):
            return False
        result = _FORFEITS.get(text, text)
        if result not in RESULTS:
            raise row.error("result", f"one of {', '.join((*RESULTS, *_FORFEITS))}", text)
        place, forfeit = (round_number, number), text in _FORFEITS
        game = row.game((*place, 1), sides, sides, RESULTS[result], forfeit)
        (match,) = matches_of([game], {place: sides})
        self.games.append(game)
        self.matches.append(replace(match, match_points_a=told[0], match_points_b=told[1]))
        return True

    def _has_bye(self, row: Row) -> bool:
        if row.text("bye") and row.text("black_player"):
            raise row.error("bye", "empty where there is a black_player")
        return row.names_nobody("black_player", self.entrants)

    def _bye(
        self, row: Row, round_number: int, number: int, player: int, told: int | None
    ) -> Match:
        """A bye; `told` has the half points that the row gives it."""
        bye = row.choice("bye", BYES[1:], "pairing")
        points = BYE_MATCH_POINTS[bye]
        if told is not None:
            told, points = player_points(told)
        elif bye == "pairing":
            told, points = self._options.player_bye(self._scoring[0])
        return Match(round_number, number, player, None, points, 0, 0, 0, bye, told)

    def _told(self, row: Row, side: str) -> int | None:
        """Half points that a row says a side has, whatever the result."""
        field = f"{side}_points"
        return row.game_points(field) if row.text(field) else None
