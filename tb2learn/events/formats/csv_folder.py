"""Events as a folder of CSV tables.

`matches.csv` holds one match a row; an event that is known as a cross-table, without rounds, has an
empty round in every row. Optional are `teams.csv` (the teams in start order and their ratings),
`players.csv`, `boards.csv` (one game a row) and `event.csv` (what else there is to say, a key and a
value a row).
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources.abc import Traversable
from typing import Any

from tb2learn.data import UNRATED
from tb2learn.events.formats.source import MAX_NAME, MAX_RATING, read_bytes, refusal
from tb2learn.events.model import (
    BYES,
    Bye,
    EventData,
    Game,
    Match,
    Player,
    bye_half_points,
    team_ratings,
    unfinished_note,
)
from tb2learn.text import quoted
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS, InputError

FILES = ("matches.csv", "teams.csv", "players.csv", "boards.csv", "event.csv")
MAX_COLUMNS = 100

ABOUT = ("order", "city", "federation", "start", "end", "type", "arbiter", "deputy", "time")
"""What `event.csv` may say besides `name`, `rounds` (planned) and `boards`."""


def read_folder(folder: Traversable, name: str) -> EventData:
    """Read an event from a folder.

    **Arguments:**

    - `folder`: with `matches.csv` at least.
    - `name`: of the event, if `event.csv` does not say.

    **Raises:** `InputError`, one line, for anything that is not a possible event.
    """
    about = _about(folder / "event.csv") if (folder / "event.csv").is_file() else {}
    teams: dict[str, int] = {}
    ratings: list[tuple[int, ...]] = []
    if (folder / "teams.csv").is_file():
        for row in _rows(folder / "teams.csv", ("team",)):
            team = row.name("team")
            if team in teams:
                raise row.error("team", "each team once", team)
            if len(teams) == MAX_TEAMS:
                raise row.error("team", f"at most {MAX_TEAMS} teams", team)
            teams[team] = len(teams)
            row.rating("mean_rating_top4")
            ratings.append(tuple(sorted(_ratings(row), reverse=True)))
    listed = bool(teams)
    boards = int(about.get("boards", 0))
    matches, unfinished = _matches(folder / "matches.csv", teams, listed, boards)
    boards = boards or max(m.boards_decided for m in matches)
    ratings += [()] * (len(teams) - len(ratings))
    players: list[Player] = []
    if (folder / "players.csv").is_file():
        players = list(_players(folder / "players.csv", teams))
    games: tuple[Game, ...] = ()
    if (folder / "boards.csv").is_file():
        games = _games(folder / "boards.csv", teams, matches, players, unfinished)
    if not any(ratings):
        ratings = list(team_ratings(len(teams), players, games))
    rounds = max(m.round for m in matches) or _most_matches(matches)
    if rounds > MAX_ROUNDS:
        raise InputError(
            f"matches.csv: a team must have at most {MAX_ROUNDS} matches, got {rounds}"
        )
    return EventData(
        name=about.get("name", name),
        teams=tuple(teams),
        rounds=rounds,
        boards=boards,
        matches=tuple(sorted(matches, key=lambda m: (m.round, m.number))),
        ratings=tuple(ratings),
        players=tuple(players),
        games=games,
        planned=max(rounds, int(about.get("rounds", 0))),
        about={key: about[key] for key in ABOUT if key in about},
        notes=unfinished_note(unfinished) if unfinished else (),
    )


# --------------------------------------------------------------------------- rows


class _Row:
    """One row of a file, with the place of every field."""

    def __init__(self, file: str, line: int, fields: Mapping[str, str]) -> None:
        self._file, self._line, self._fields = file, line, fields

    def error(self, field: str, allowed: str, got: str) -> InputError:
        return refusal(self._file, self._line, field, allowed, got)

    def text(self, field: str) -> str:
        return self._fields.get(field, "").strip()

    def name(self, field: str) -> str:
        value = self.text(field)
        if not value or len(value) > MAX_NAME:
            raise self.error(field, f"a name of 1..{MAX_NAME} characters", value)
        return value

    def integer(self, field: str, low: int, high: int) -> int:
        value = self.text(field)
        if not re.fullmatch(r"[0-9]{1,9}", value, re.ASCII) or not low <= int(value) <= high:
            raise self.error(field, f"a whole number {low}..{high}", value)
        return int(value)

    def choice(self, field: str, allowed: Sequence[str], default: str) -> Any:
        """One of a few words; the default where the field is empty."""
        value = self.text(field) or default
        if value not in allowed:
            raise self.error(field, f"one of {', '.join(allowed)}", self.text(field))
        return value

    def rating(self, field: str) -> None:
        """Check a mean rating, which need not be whole."""
        value = self.text(field)
        shape = re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,9})?", value, re.ASCII)
        if value and not (shape and float(value) <= MAX_RATING):
            raise self.error(field, f"a number 0..{MAX_RATING}", value)

    def half_points(self, field: str) -> int:
        """Game points as half points: 0, 0.5, 1, ... MAX_BOARDS."""
        value = self.text(field)
        match = re.fullmatch(r"([0-9]{1,3})(?:\.(0|5)0*)?\.?", value, re.ASCII)
        points = 2 * int(match[1]) + (match[2] == "5") if match else -1
        if not 0 <= points <= 2 * MAX_BOARDS:
            raise self.error(field, f"0..{MAX_BOARDS} in steps of 0.5", value)
        return points


def _rows(path: Traversable, required: tuple[str, ...]) -> Iterator[_Row]:
    file, data = path.name, read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = _line(error.object[: error.start].decode("utf-8"))
        raise InputError(f"{file}: line {line}: not UTF-8 text") from error
    if "\0" in text:
        line = _line(text[: text.index("\0")])
        raise InputError(f"{file}: line {line}: a NUL character is not allowed")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    empty = True
    line = 1  # where the row starts: a quoted field may run over several lines
    try:
        while True:
            line = reader.line_num + 1
            values = next(reader, None)
            if values is None:
                break
            if not any(v.strip() for v in values):
                continue
            if header is None:
                if len(values) > MAX_COLUMNS:
                    raise InputError(
                        f"{file}: line {line}: must have at most {MAX_COLUMNS} columns, "
                        f"got {len(values)}"
                    )
                header = [v.strip() for v in values]
                for column in required:
                    if column not in header:
                        raise InputError(f"{file}: line {line}: missing column {column}")
                for column in header:
                    if header.count(column) > 1:
                        raise InputError(
                            f"{file}: line {line}: column {quoted(column)} stands twice"
                        )
                continue
            if len(values) != len(header):
                raise InputError(
                    f"{file}: line {line}: must have {len(header)} fields, got {len(values)}"
                )
            empty = False
            yield _Row(file, line, dict(zip(header, values, strict=True)))
    except csv.Error as error:
        raise InputError(f"{file}: line {line}: not valid CSV: {error}") from error
    if header is None or empty:
        raise InputError(f"{file}: must have a header and at least one row, is empty")


def _line(before: str) -> int:
    """The line on which a text goes on, by the line ends that the csv module knows."""
    return before.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


def _ratings(row: _Row) -> Iterator[int]:
    for i in range(1, MAX_BOARDS + 1):
        if row.text(f"rating_{i}"):
            yield row.integer(f"rating_{i}", 0, MAX_RATING)


def _about(path: Traversable) -> dict[str, str]:
    """Keys and values of `event.csv`; unknown keys are left alone."""
    about: dict[str, str] = {}
    for row in _rows(path, ("key", "value")):
        key = row.text("key")
        if key in about:
            raise row.error("key", "each key once", key)
        if key in ("rounds", "boards"):
            row.integer("value", 1, MAX_ROUNDS if key == "rounds" else MAX_BOARDS)
        about[key] = row.name("value")
    return about


# --------------------------------------------------------------------------- matches

_MATCH_COLUMNS = ("round", "team_a", "team_b", "game_points_a", "game_points_b")


def _matches(
    path: Traversable, teams: dict[str, int], listed: bool, boards: int
) -> tuple[list[Match], int]:
    """Parse the matches; teams that are not listed are added to `teams` as they appear.

    **Returns:** the matches of finished rounds, and the first round that is not finished, or 0. A
    match without game points is not finished.
    """

    def team(row: _Row, field: str) -> int:
        name = row.name(field)
        if name not in teams:
            if listed:
                raise row.error(field, "a team of teams.csv", name)
            if len(teams) == MAX_TEAMS:
                raise row.error(field, f"one of at most {MAX_TEAMS} teams", name)
            teams[name] = len(teams)
        return teams[name]

    parsed: list[tuple[_Row, Match]] = []
    busy: set[tuple[int, int]] = set()
    numbers: set[tuple[int, int]] = set()
    unfinished = MAX_ROUNDS + 1
    for index, row in enumerate(_rows(path, _MATCH_COLUMNS), start=1):
        number = row.integer("match", 0, 10**6) if row.text("match") else index
        round_number = row.integer("round", 1, MAX_ROUNDS) if row.text("round") else 0
        if parsed and (round_number == 0) != (parsed[0][1].round == 0):
            raise row.error("round", "in all rows or in none", row.text("round"))
        if (round_number, number) in numbers:
            raise row.error("match", f"used once in round {round_number}", str(number))
        numbers.add((round_number, number))
        a = team(row, "team_a")
        b = team(row, "team_b") if row.text("team_b") else None
        if a == b:
            raise row.error("team_b", "another team than team_a", row.text("team_b"))
        for field, one in (("team_a", a), ("team_b", b)):
            if one is None:
                continue
            if round_number and (round_number, one) in busy:
                raise row.error(field, f"in one match of round {round_number}", row.text(field))
            busy.add((round_number, one))
        half_a = half_b = decided = forfeited = 0
        bye: Bye = ""
        if b is None:
            bye = row.choice("bye", BYES[1:], "pairing")
        elif row.text("bye"):
            raise row.error("bye", "empty where there is a team_b", row.text("bye"))
        elif not any(map(row.text, ("game_points_a", "game_points_b", "boards_decided"))):
            if not round_number:
                raise row.error("game_points_a", "there in an event without rounds", "")
            unfinished = min(unfinished, round_number)
        else:
            half_a, half_b = row.half_points("game_points_a"), row.half_points("game_points_b")
            decided = _decided(row, half_a, half_b)
            if row.text("boards_forfeited"):
                forfeited = row.integer("boards_forfeited", 0, decided)
        points = [
            row.integer(field, 0, 2) if row.text(field) else None
            for field in ("match_points_a", "match_points_b")
        ]
        match = Match(round_number, number, a, b, half_a, half_b, decided, forfeited, bye, *points)
        parsed.append((row, match))
    finished = [(row, match) for row, match in parsed if match.round < unfinished]
    most = max((match.boards_decided for _, match in finished), default=0)
    if not most:
        raise InputError(f"{path.name}: must hold at least one match that was decided")
    boards = boards or most
    for row, match in finished:
        if match.boards_decided > boards:
            raise row.error("boards_decided", f"at most {boards}", str(match.boards_decided))
    return [
        match if match.team_b is not None else _bye(row, match, boards) for row, match in finished
    ], unfinished if unfinished <= MAX_ROUNDS else 0


def _bye(row: _Row, match: Match, boards: int) -> Match:
    """What a round without an opponent scores: by its kind, or as the row says."""
    half_points = bye_half_points(match.bye, boards)
    if row.text("game_points_a") and row.half_points("game_points_a") != half_points:
        if match.match_points_a is None:  # who departs from the kind must say both
            allowed = f"{half_points / 2:g} or empty for a bye without match_points_a"
            raise row.error("game_points_a", allowed, row.text("game_points_a"))
        half_points = row.half_points("game_points_a")
        if half_points > 2 * boards:
            raise row.error("game_points_a", f"0..{boards}", row.text("game_points_a"))
    if row.text("game_points_b") and row.half_points("game_points_b"):
        raise row.error("game_points_b", "0 or empty for a bye", row.text("game_points_b"))
    for field in ("boards_decided", "boards_forfeited", "match_points_b"):
        if row.text(field):
            row.integer(field, 0, 0)
    return replace(match, half_points_a=half_points, match_points_b=None)


def _decided(row: _Row, half_a: int, half_b: int) -> int:
    """Boards decided: as the row says, else as many as the game points add up to."""
    if not row.text("boards_decided"):
        if (half_a + half_b) % 2:
            raise row.error(
                "game_points_b",
                "such that the game points of the match add up to a whole number",
                row.text("game_points_b"),
            )
        if half_a + half_b > 2 * MAX_BOARDS:
            raise row.error(
                "game_points_b",
                f"such that both game points add up to at most {MAX_BOARDS}",
                f"{row.text('game_points_a')} + {row.text('game_points_b')}",
            )
        return (half_a + half_b) // 2
    decided = row.integer("boards_decided", 0, MAX_BOARDS)
    if half_a + half_b > 2 * decided:
        raise row.error(
            "game_points_b",
            f"such that both game points add up to at most boards_decided = {decided}",
            f"{row.text('game_points_a')} + {row.text('game_points_b')}",
        )
    return decided


# --------------------------------------------------------------------------- players and games

_TEXTS = ("title", "sex", "federation", "birth")


def _players(path: Traversable, teams: Mapping[str, int]) -> Iterator[Player]:
    """Parse the players, team by team in line-up order."""
    found: list[Player] = []
    known: set[int] = set()
    for row in _rows(path, ("team", "name")):
        team = teams.get(row.name("team"))
        if team is None:
            raise row.error("team", "a team of the event", row.text("team"))
        fide_id = row.integer("fide_id", 0, 10**9 - 1) if row.text("fide_id") else 0
        if fide_id in known:
            raise row.error("fide_id", "each player once", row.text("fide_id"))
        if fide_id:
            known.add(fide_id)
        rating = row.integer("rating", 0, MAX_RATING) if row.text("rating") else 0
        texts = (row.name(field) if row.text(field) else "" for field in _TEXTS)
        found.append(Player(team, row.name("name"), fide_id, rating, *texts))
    return iter(sorted(found, key=lambda player: player.team))


_RESULTS = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "0-0": (0, 0)}
_STATUS = ("played", "forfeit")
_BOARD_COLUMNS = ("round", "match", "white_team", "black_team", "result")


def _games(
    path: Traversable,
    teams: Mapping[str, int],
    matches: Sequence[Match],
    players: Sequence[Player],
    unfinished: int,
) -> tuple[Game, ...]:
    """Parse the games; refuse those that do not add up to the matches.

    A player is found by FIDE number, else by team and name.
    """
    by_id = {p.fide_id: number for number, p in enumerate(players) if p.fide_id}
    by_name = {(p.team, p.name): number for number, p in enumerate(players)}
    by_number = {(m.round, m.number): m for m in matches if m.team_b is not None}
    sums = {key: [0, 0] for key in by_number}
    boards = dict.fromkeys(by_number, 0)
    used: set[tuple[int, int, int]] = set()
    last: dict[tuple[int, int], _Row] = {}
    games: list[Game] = []

    def player(row: _Row, side: str, team: int) -> int | None:
        found = None
        if row.text(f"{side}_fide_id"):
            found = by_id.get(row.integer(f"{side}_fide_id", 0, 10**9 - 1))
        elif row.text(f"{side}_player"):
            found = by_name.get((team, row.text(f"{side}_player")))
            if found is None:
                raise row.error(
                    f"{side}_player", "a player of the team", row.text(f"{side}_player")
                )
        if found is not None and players[found].team != team:
            raise row.error(f"{side}_fide_id", "a player of the team", row.text(f"{side}_fide_id"))
        return found

    for row in _rows(path, _BOARD_COLUMNS):
        key = (
            row.integer("round", 1, MAX_ROUNDS) if row.text("round") else 0,
            row.integer("match", 0, 10**6),
        )
        if 0 < unfinished <= key[0]:
            continue
        if key not in by_number:
            raise row.error("match", f"a match of round {key[0]} in matches.csv", row.text("match"))
        match = by_number[key]
        white, black = (teams.get(row.name(f)) for f in ("white_team", "black_team"))
        if white is None or black is None or {white, black} != {match.team_a, match.team_b}:
            raise row.error("white_team", "of the match in matches.csv", row.text("white_team"))
        result = row.choice("result", tuple(_RESULTS), "")
        ratings = [
            row.integer(f"{side}_rating", 0, MAX_RATING) if row.text(f"{side}_rating") else 0
            for side in ("white", "black")
        ]
        points = _RESULTS[result]
        a, b = points if white == match.team_a else points[::-1]
        sums[key][0] += a
        sums[key][1] += b
        boards[key] += 1
        board = row.integer("board", 1, MAX_BOARDS) if row.text("board") else boards[key]
        if (*key, board) in used:
            raise row.error("board", "used once in the match", str(board))
        used.add((*key, board))
        last[key] = row
        games.append(
            Game(
                *key,
                board,
                white,
                black,
                player(row, "white", white),
                player(row, "black", black),
                *points,
                row.choice("status", _STATUS, "forfeit" if points == (0, 0) else "played")
                == "played",
                *ratings,
            )
        )
    for key, row in last.items():
        match = by_number[key]
        given = match.match_points_a is not None or match.match_points_b is not None
        if not given and sums[key] != [match.half_points_a, match.half_points_b]:
            raise row.error(
                "result",
                f"such that the games add up to matches.csv "
                f"({match.half_points_a / 2:g}-{match.half_points_b / 2:g})",
                f"{sums[key][0] / 2:g}-{sums[key][1] / 2:g}",
            )
    return tuple(games)


def _most_matches(matches: Sequence[Match]) -> int:
    """The most matches of one team."""
    sides = [team for m in matches for team in (m.team_a, m.team_b) if team is not None]
    return max(Counter(sides).values())


# --------------------------------------------------------------------------- writing


def folder_files(event: EventData) -> dict[str, str]:
    """An event as the files of a folder: name to content. `read_folder` reads the same event.

    Cells hold what the record says, letter by letter: they are for programs, not for spreadsheets.
    """
    files = {
        "event.csv": _table(
            ("key", "value"),
            [
                ("name", event.name),
                ("rounds", event.planned),
                ("boards", event.boards),
                *event.about.items(),
            ],
        ),
        "matches.csv": _table(
            ("round", "match", "team_a", "team_b", "game_points_a", "game_points_b",
             "boards_decided", "boards_forfeited", "bye", "match_points_a", "match_points_b"),
            (_match_row(event, match) for match in event.matches),
        ),
        "teams.csv": _teams_table(event),
    }  # fmt: skip
    if event.players:
        files["players.csv"] = _table(
            ("team", "fide_id", "name", "rating", *_TEXTS),
            (
                (event.teams[p.team], p.fide_id or "", p.name, p.rating or "",
                 *(getattr(p, field) for field in _TEXTS))
                for p in event.players
            ),
        )  # fmt: skip
    if event.games:
        files["boards.csv"] = _table(
            ("round", "match", "board", "white_team", "black_team", "white_rating", "black_rating",
             "result", "status", "white_fide_id", "black_fide_id", "white_player", "black_player"),
            (_game_row(event, game) for game in event.games),
        )  # fmt: skip
    return files


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return buffer.getvalue()


def _match_row(event: EventData, match: Match) -> tuple[object, ...]:
    points = ("" if p is None else p for p in (match.match_points_a, match.match_points_b))
    if match.team_b is None:
        played: tuple[object, ...] = ("", f"{match.half_points_a / 2:g}", "", "", "", match.bye)
    else:
        played = (
            event.teams[match.team_b],
            f"{match.half_points_a / 2:g}",
            f"{match.half_points_b / 2:g}",
            match.boards_decided,
            match.boards_forfeited,
            "",
        )
    return (match.round or "", match.number, event.teams[match.team_a], *played, *points)


def _teams_table(event: EventData) -> str:
    most = max((len(ratings[:MAX_BOARDS]) for ratings in event.ratings), default=0)
    rows = []
    for team, ratings in zip(event.teams, (r[:most] for r in event.ratings), strict=True):
        best = (*ratings, *[UNRATED] * 4)[:4]
        mean = f"{sum(best) / 4:.2f}" if ratings else ""
        rows.append((team, mean, *ratings, *[""] * (most - len(ratings))))
    return _table(("team", "mean_rating_top4", *(f"rating_{i}" for i in range(1, most + 1))), rows)


def _game_row(event: EventData, game: Game) -> tuple[object, ...]:
    result = {points: text for text, points in _RESULTS.items()}
    named = [None if p is None else event.players[p] for p in (game.white, game.black)]
    return (
        game.round or "",
        game.match,
        game.board,
        event.teams[game.white_team],
        event.teams[game.black_team],
        game.white_rating or "",
        game.black_rating or "",
        result[game.white_half_points, game.black_half_points],
        "played" if game.played else "forfeit",
        *("" if p is None else p.fide_id or "" for p in named),
        *("" if p is None or p.fide_id else p.name for p in named),
    )
