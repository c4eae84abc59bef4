"""Real events from CSV: everything is hostile until parsed.

A folder holds `matches.csv`, one match a row, and optionally `teams.csv` (the teams in start order
and their ratings) and `boards.csv` (one game a row). Every refusal is one line that names the file,
the line, the field and what is allowed; what it repeats of the file's content is escaped and cut.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable
from pathlib import Path

from tb2learn.data import event_folder
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS, InputError

MAX_BYTES = 64 << 20
MAX_COLUMNS = 100
MAX_NAME = 200
MAX_RATING = 4000


@dataclass(frozen=True)
class Match:
    """One row of `matches.csv`. Game points are in half points; `team_b` is None for a bye.

    Boards that both sides lost by default are not among the `boards_decided`; a bye decides none
    and scores half the boards.
    """

    round: int
    number: int
    team_a: int
    team_b: int | None
    half_points_a: int
    half_points_b: int
    boards_decided: int
    boards_forfeited: int


@dataclass(frozen=True)
class EventData:
    """A real event as it was recorded.

    **Fields:**

    - `name`: of the folder.
    - `teams`: names in start order: that of `teams.csv`, else of first appearance.
    - `rounds`: the highest round in the file; an unfinished event counts the rounds played.
    - `boards`: games a match.
    - `matches`: by round.
    - `ratings`: for every team, its players' ratings, best first, as far as `teams.csv` gives them.
    """

    name: str
    teams: tuple[str, ...]
    rounds: int
    boards: int
    matches: tuple[Match, ...]
    ratings: tuple[tuple[int, ...], ...]


def read_event(source: str | Path) -> EventData:
    """Read an event from a folder, or a packaged one by its name.

    **Arguments:**

    - `source`: a folder with `matches.csv`, or a name such as `baku2016`.

    **Returns:** an `EventData`.

    **Raises:** `InputError`, one line, for anything that is not a possible event.
    """
    # Unlike `Path.is_dir`, `os.path.isdir` answers False to what cannot be a path at all.
    packaged = not os.path.isdir(source)
    folder: Traversable = event_folder(_shown(str(source))) if packaged else Path(source)
    teams: dict[str, int] = {}
    ratings: list[tuple[int, ...]] = []
    if (folder / "teams.csv").is_file():
        for row in _rows(folder / "teams.csv", ("team",)):
            name = row.name("team")
            if name in teams:
                raise row.error("team", "each team once", name)
            if len(teams) == MAX_TEAMS:
                raise row.error("team", f"at most {MAX_TEAMS} teams", name)
            teams[name] = len(teams)
            row.rating("mean_rating_top4")
            ratings.append(tuple(sorted(_ratings(row), reverse=True)))
    listed = bool(teams)
    matches = list(_matches(folder / "matches.csv", teams, listed))
    ratings += [()] * (len(teams) - len(ratings))
    if (folder / "boards.csv").is_file():
        _check_boards(folder / "boards.csv", teams, matches)
    return EventData(
        name=str(source) if packaged else Path(source).resolve().name,
        teams=tuple(teams),
        rounds=max(m.round for m in matches),
        boards=max(m.boards_decided for m in matches),
        matches=tuple(sorted(matches, key=lambda m: (m.round, m.number))),
        ratings=tuple(ratings),
    )


# --------------------------------------------------------------------------- rows


def quoted(text: str, limit: int = 60) -> str:
    """Text from a file as it may stand in a one-line message: escaped, cut, in quotes."""
    cut = text if len(text) <= limit else text[: limit - 3] + "..."
    return ascii(cut) if any(not c.isprintable() for c in cut) else repr(cut)


def _shown(source: str) -> str:
    """A path for a one-line message: as it is, unless it could break the line."""
    return source if source.isprintable() and len(source) <= 200 else quoted(source, 200)


class _Row:
    """One row of a file, with the place of every field."""

    def __init__(self, file: str, line: int, fields: Mapping[str, str]) -> None:
        self._file, self._line, self._fields = file, line, fields

    def error(self, field: str, allowed: str, got: str) -> InputError:
        return InputError(
            f"{self._file}: line {self._line}: {field} must be {allowed}, got {quoted(got)}"
        )

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
    file = path.name
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"{file}: must be at most {MAX_BYTES} bytes, has more")
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


# --------------------------------------------------------------------------- matches

_MATCH_COLUMNS = ("round", "team_a", "team_b", "game_points_a", "game_points_b")


def _matches(path: Traversable, teams: dict[str, int], listed: bool) -> Iterator[Match]:
    """Parse the matches; teams that are not listed are added to `teams` as they appear."""

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
    for index, row in enumerate(_rows(path, _MATCH_COLUMNS), start=1):
        number = row.integer("match", 0, 10**6) if row.text("match") else index
        round_number = row.integer("round", 1, MAX_ROUNDS)
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
            if (round_number, one) in busy:
                raise row.error(field, f"in one match of round {round_number}", row.text(field))
            busy.add((round_number, one))
        half_a = half_b = decided = forfeited = 0
        if b is not None:
            half_a, half_b = row.half_points("game_points_a"), row.half_points("game_points_b")
            decided = _decided(row, half_a, half_b)
            if row.text("boards_forfeited"):
                forfeited = row.integer("boards_forfeited", 0, decided)
        parsed.append((row, Match(round_number, number, a, b, half_a, half_b, decided, forfeited)))
    boards = max((match.boards_decided for _, match in parsed), default=0)
    if not boards:
        raise InputError(f"{path.name}: must hold at least one match that was decided")
    for row, match in parsed:
        yield match if match.team_b is not None else _bye(row, match, boards)


def _bye(row: _Row, match: Match, boards: int) -> Match:
    """A bye scores half the boards; the row may leave that out, but not say otherwise."""
    for field, half_points in (("game_points_a", boards), ("game_points_b", 0)):
        if row.text(field) and row.half_points(field) != half_points:
            raise row.error(field, f"{half_points / 2:g} or empty for a bye", row.text(field))
    for field in ("boards_decided", "boards_forfeited"):
        if row.text(field):
            row.integer(field, 0, 0)
    return replace(match, half_points_a=boards)


def _decided(row: _Row, half_a: int, half_b: int) -> int:
    """Boards decided: as the row says, else as many as the game points add up to."""
    if not row.text("boards_decided"):
        if (half_a + half_b) % 2:
            raise row.error(
                "game_points_b",
                "such that the game points of the match add up to a whole number",
                row.text("game_points_b"),
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


_RESULTS = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "0-0": (0, 0)}
_BOARD_COLUMNS = ("round", "match", "white_team", "black_team", "result")


def _check_boards(path: Traversable, teams: Mapping[str, int], matches: list[Match]) -> None:
    """Refuse a `boards.csv` whose games do not add up to the matches."""
    by_number = {(m.round, m.number): m for m in matches if m.team_b is not None}
    sums = {key: [0, 0] for key in by_number}
    last: dict[tuple[int, int], _Row] = {}
    for row in _rows(path, _BOARD_COLUMNS):
        key = (row.integer("round", 1, MAX_ROUNDS), row.integer("match", 0, 10**6))
        if key not in by_number:
            raise row.error("match", f"a match of round {key[0]} in matches.csv", row.text("match"))
        match = by_number[key]
        white, black = (teams.get(row.name(f)) for f in ("white_team", "black_team"))
        if {white, black} != {match.team_a, match.team_b}:
            raise row.error("white_team", "of the match in matches.csv", row.text("white_team"))
        if row.text("result") not in _RESULTS:
            raise row.error("result", f"one of {', '.join(_RESULTS)}", row.text("result"))
        for side in ("white_rating", "black_rating"):
            if row.text(side):
                row.integer(side, 0, MAX_RATING)
        points = _RESULTS[row.text("result")]
        a, b = points if white == match.team_a else points[::-1]
        sums[key][0] += a
        sums[key][1] += b
        last[key] = row
    for key, row in last.items():
        match = by_number[key]
        if sums[key] != [match.half_points_a, match.half_points_b]:
            raise row.error(
                "result",
                f"such that the games add up to matches.csv "
                f"({match.half_points_a / 2:g}-{match.half_points_b / 2:g})",
                f"{sums[key][0] / 2:g}-{sums[key][1] / 2:g}",
            )
