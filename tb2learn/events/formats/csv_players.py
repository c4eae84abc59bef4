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

from tb2learn.events.formats.csv_rows import RESULTS, STATUS, Row
from tb2learn.events.formats.csv_tables import Entrants, Recorded, Tables
from tb2learn.events.formats.csv_words import FILES, GAME_COLUMNS, NO_OPPONENT, folded
from tb2learn.events.formats.oddities import player_points, reading
from tb2learn.events.parts import BYE_MATCH_POINTS, BYES, STANDARD_SCORING, Game, Match, Player
from tb2learn.types import MAX_ROUNDS, InputError

_FORFEITS = {"+--": "1-0", "--+": "0-1", "---": "0-0"}
_SIDES = (("white", "a"), ("black", "b"))


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
    reader = _Reader(tables, scoring, Entrants("player", "game", listed))
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
        self.players: list[Player] = []
        self.games: list[Game] = []
        self.matches: list[Match] = []

    def enter(self, row: Row) -> None:
        """Add a row of `players.csv`."""
        name = row.text("team") or row.name("name")
        self.players.append(row.player(self.entrants.listed(row, "name", name)))

    def _player(self, row: Row, side: str, round_number: int) -> int:
        """The number of a player, who must be free in the round."""
        field = f"{side}_player"
        number = self.entrants.of(row, field)
        if number == len(self.players):
            self.players.append(Player(number, row.name(field)))
        player = self.players[number]
        self.players[number] = replace(
            player,
            rating=player.rating or row.rating(f"{side}_rating"),
            fide_id=player.fide_id or row.fide_id(f"{side}_fide_id"),
        )
        self.entrants.take(row, field, round_number, number)
        return number

    def add(self, row: Row, round_number: int, number: int) -> bool:
        """Add a game or a bye; False for a game without a result."""
        white = self._player(row, "white", round_number)
        told = {f"match_points_{side}": self._told(row, colour) for colour, side in _SIDES}
        if self._has_bye(row):
            bye = row.choice("bye", BYES[1:], "pairing")
            points = BYE_MATCH_POINTS[bye]
            if bye == "pairing":
                told["match_points_a"], points = self._pairing_bye(told["match_points_a"])
            place = (round_number, number, white, None, points, 0, 0, 0, bye)
            self.matches.append(Match(*place, told["match_points_a"]))
            return True
        black = self._player(row, "black", round_number)
        text = row.text("result").replace(" ", "").replace("\u00bd", "1/2").replace(":", "-")
        if text in ("", "*"):
            return False
        forfeit = text in _FORFEITS
        if _FORFEITS.get(text, text) not in RESULTS:
            raise row.error("result", f"one of {', '.join((*RESULTS, *_FORFEITS))}", text)
        points = RESULTS[_FORFEITS.get(text, text)]
        usual = STATUS[forfeit or points == (0, 0)]
        played = not forfeit and row.choice("status", STATUS, usual) == "played"
        ratings = row.rating("white_rating"), row.rating("black_rating")
        sides = (white, black)
        self.games.append(Game(round_number, number, 1, *sides, *sides, *points, played, *ratings))
        decided = int(played or sum(points) > 0)
        self.matches.append(
            Match(round_number, number, *sides, *points, decided, decided * (not played), **told)
        )
        return True

    def _has_bye(self, row: Row) -> bool:
        word = row.text("black_player")
        if not word or row.text("bye"):
            if word:
                raise row.error("bye", "empty where there is a black_player")
            return True
        known = word in self.entrants.numbers
        if row.notes.strict or known or folded(word) not in NO_OPPONENT:
            return False
        row.odd("a word such as 'bye' in place of black_player means a bye", "black_player", "")
        return True

    def _pairing_bye(self, told: int | None) -> tuple[int, int]:
        """Match points and half points of a pairing-allocated bye."""
        if told is not None:
            return player_points(told)
        return self._options.player_bye(self._scoring[0])

    def _told(self, row: Row, colour: str) -> int | None:
        """Half points that a row says a side has, whatever the result."""
        field = f"{colour}_points"
        return row.game_points(field) if row.text(field) else None
