"""Read an individual event from CSV tables.

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
from importlib.resources.abc import Traversable

from tb2learn.events.formats.csv_penalties import read_penalties
from tb2learn.events.formats.csv_rows import ABOUT, PLAYER_TEXTS, RESULTS, Row, rows_of
from tb2learn.events.formats.csv_words import GAME_COLUMNS, NO_OPPONENT, folded
from tb2learn.events.formats.oddities import Notes, Reading, player_points, reading
from tb2learn.events.formats.source import MAX_FIDE_ID, MAX_RATING
from tb2learn.events.model import TeamEvent, unfinished_note
from tb2learn.events.parts import (
    BYE_MATCH_POINTS,
    BYES,
    STANDARD_SCORING,
    Game,
    Match,
    Penalty,
    Player,
    team_ratings,
    with_scoring,
)
from tb2learn.types import MAX_ROUNDS, MAX_TEAMS, InputError

_STATUS = ("played", "forfeit")
_FORFEITS = {"+--": "1-0", "--+": "0-1", "---": "0-0"}
_SIDES = (("white", "a"), ("black", "b"))


def holds_games(path: Traversable, notes: Notes) -> bool:
    """Whether the rows of a table are games of players, not matches of teams."""
    first = next(rows_of(path, (), Notes(notes.strict)), None)
    return first is not None and first.has("white_player") and not first.has("team_a")


class GamesTable:
    """The players, games and byes of `matches.csv` and `players.csv`.

    **Arguments:**

    - `folder`: of the tables.
    - `scoring`: half points of a game won, drawn and lost.
    - `options`: what the user knows about the event.
    - `notes`: takes what is assumed.

    **Fields:** `names` (numbers of the players by name), `players`, `games`, `matches`, and
    `unfinished`: the first round with a game without a result, 0 if there is none.

    **Raises:** `InputError` for tables that do not make a valid event.
    """

    def __init__(
        self,
        folder: Traversable,
        scoring: tuple[int, int, int],
        options: Reading,
        notes: Notes,
    ) -> None:
        self._scoring, self._options, self._notes = scoring, options, notes
        self.names: dict[str, int] = {}
        self.players: list[Player] = []
        self.games: list[Game] = []
        self.matches: list[Match] = []
        self._busy: set[tuple[int, int]] = set()
        self._listed = (folder / "players.csv").is_file()
        if self._listed:
            for row in rows_of(folder / "players.csv", ("name",), notes):
                self._add_player(row)
        unfinished = MAX_ROUNDS + 1
        numbers: set[tuple[int, int]] = set()
        for index, row in enumerate(rows_of(folder / "matches.csv", GAME_COLUMNS, notes), start=1):
            key = row.integer("round", 1, MAX_ROUNDS), row.integer("match", 0, 10**6, default=index)
            if key in numbers:
                raise row.error("match", f"used once in round {key[0]}", str(key[1]))
            numbers.add(key)
            if not self._add(row, *key):
                unfinished = min(unfinished, key[0])
        self.games = [game for game in self.games if game.round < unfinished]
        self.matches = [match for match in self.matches if match.round < unfinished]
        self.unfinished = 0 if unfinished > MAX_ROUNDS else unfinished
        if not self.games:
            raise InputError("matches.csv: must have at least one finished game")

    def _add_player(self, row: Row) -> None:
        name = row.text("team") or row.name("name")
        if name in self.names:
            raise row.error("name", "each player once", name)
        fide_id = row.needless("a FIDE number that is none is left out", "fide_id", MAX_FIDE_ID)
        rating = row.needless("a rating that is none is left out", "rating", MAX_RATING)
        texts = (row.name(field) if row.text(field) else "" for field in PLAYER_TEXTS)
        number = self._new(row, "name", name)
        self.players.append(Player(number, row.name("name"), fide_id, rating, *texts))

    def _new(self, row: Row, field: str, name: str) -> int:
        if len(self.names) == MAX_TEAMS:
            raise row.error(field, f"one of at most {MAX_TEAMS} players", name)
        return self.names.setdefault(name, len(self.names))

    def _player(self, row: Row, side: str, round_number: int) -> int:
        """The number of a player, who must be free in the round."""
        field = f"{side}_player"
        name = row.name(field)
        if name not in self.names:
            if self._listed:
                raise row.error(field, "a player of players.csv", name)
            number = self._new(row, field, name)
            self.players.append(Player(number, name))
        number = self.names[name]
        player = self.players[number]
        self.players[number] = replace(
            player,
            rating=player.rating or self._rating(row, side),
            fide_id=player.fide_id or self._fide_id(row, side),
        )
        if (round_number, number) in self._busy:
            raise row.error(field, f"in one game of round {round_number}", name)
        self._busy.add((round_number, number))
        return number

    def _rating(self, row: Row, side: str) -> int:
        assumed = "a rating that is none is left out"
        return row.needless(assumed, f"{side}_rating", MAX_RATING)

    def _fide_id(self, row: Row, side: str) -> int:
        assumed = "a FIDE number that is none is left out"
        return row.needless(assumed, f"{side}_fide_id", MAX_FIDE_ID)

    def _add(self, row: Row, round_number: int, number: int) -> bool:
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
        usual = _STATUS[forfeit or points == (0, 0)]
        played = not forfeit and row.choice("status", _STATUS, usual) == "played"
        ratings = self._rating(row, "white"), self._rating(row, "black")
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
                raise row.error("bye", "empty where there is a black_player", row.text("bye"))
            return True
        if self._notes.strict or word in self.names or folded(word) not in NO_OPPONENT:
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
        return row.half_points(field) if row.text(field) else None


def read_players_folder(
    folder: Traversable, name: str, about: Mapping[str, str], options: Reading, notes: Notes
) -> TeamEvent:
    """Read an individual event.

    **Arguments:**

    - `folder`: of the tables.
    - `name`: of the event, if `about` does not give one.
    - `about`: keys and values of `event.csv`.
    - `options`, `notes`: as for `read_folder`.

    **Raises:** `InputError`, one line, for tables that do not make a valid event.
    """
    said = reading(match_points=about.get("match_points"))
    scoring = options.game_scoring or said.game_scoring or STANDARD_SCORING
    table = GamesTable(folder, scoring, options, notes)
    rounds = max(match.round for match in table.matches)
    penalties: list[Penalty] = []
    if (folder / "penalties.csv").is_file():
        penalties = read_penalties(folder / "penalties.csv", table.names, rounds, notes)
    notes.say(*(unfinished_note(table.unfinished) if table.unfinished else ()))
    return TeamEvent(
        name=about.get("name", name),
        teams=tuple(table.names),
        rounds=rounds,
        boards=1,
        matches=with_scoring(sorted(table.matches, key=lambda m: (m.round, m.number)), scoring),
        ratings=team_ratings(len(table.names), table.players, table.games),
        players=tuple(table.players),
        games=tuple(table.games),
        planned=max(rounds, int(about.get("rounds", 0))),
        about={key: about[key] for key in ABOUT if key in about},
        notes=notes.lines,
        scoring=scoring,
        penalties=tuple(penalties),
        individual=True,
    )
