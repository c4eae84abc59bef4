"""Lines of a Tournament Report File (TRF): the type of the record, then fields in fixed columns.

`COLUMNS` and `LISTS` say where they stand: the reader, the writer and `trf_shifted` go by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tb2learn.events.formats.fields import Fields, Notes
from tb2learn.events.formats.source import MAX_BYTES, decoded, refusal
from tb2learn.events.parts import Bye
from tb2learn.types import MAX_BOARDS, InputError

MAX_PLAYERS = 9999
MAX_LINES = 20_000  # of one type of record
MAX_LINE = 100_000
MAX_TYPES = 100  # of records that are not read

COLUMNS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "001": {
        "start number": (5, 8), "sex": (10, 10), "title": (11, 13), "name": (15, 47),
        "rating": (49, 52), "federation": (54, 56), "FIDE number": (58, 68), "birth": (70, 79),
        "points": (81, 84), "rank": (86, 89),
    },
    "013": {"team name": (5, 36)},
    "310": {
        "team number": (5, 7), "team name": (9, 40), "nickname": (42, 46), "strength": (48, 53),
        "match points": (55, 60), "game points": (62, 67), "rank": (69, 71),
    },
    "300": {"round": (5, 7), "team": (9, 11), "opponent": (13, 15)},
    "320": {"match points": (5, 8), "game points": (10, 13)},
    "330": {"type": (5, 6), "round": (8, 10), "white": (12, 14), "black": (16, 18)},
    "240": {"type": (5, 5), "round": (7, 9)},
    "299": {"type": (5, 5), "match points": (8, 11), "game points": (14, 17), "round": (20, 22)},
    "802": {"team number": (5, 7), "totals": (9, 200)},
}  # fmt: skip
"""Columns of the single fields of a record, counted from 1, by the type of the record."""
LISTS: Mapping[str, tuple[int, int]] = {
    "013": (37, 4), "310": (74, 4), "300": (17, 4), "320": (15, 3), "240": (11, 4), "299": (24, 4),
}  # fmt: skip
"""The column where the list of a record begins, to the end of the line, and the width of its
fields, which have a blank between them."""
ROUNDS_FROM, ROUND_WIDTH = 92, 10
"""The column where the entry of round 1 begins in a record 001, and the columns of a round."""
ENTRY: Mapping[str, tuple[int, int]] = {"opponent": (0, 3), "colour": (5, 5), "result": (7, 7)}
"""Columns of the fields of an entry, counted from 0."""
TEAM_NUMBERS = ("team", "opponent", "white", "black")
"""Fields that messages call a team number."""

NAME = "012"
"""Type of the record that names the event."""
ABOUT = {
    "022": "city",
    "032": "federation",
    "042": "start",
    "052": "end",
    "092": "type",
    "102": "arbiter",
    "112": "deputy",
    "122": "time",
}
"""Keys of `TeamEvent.about` by types of records."""
ORDER = {"212": "", "202": "PTS,"}
"""Types of records with a list of tie-breaks, and what the list leaves out at its beginning; the
first that is there counts."""
PAIRING = "192"
"""Type of the record that names the pairing system, and in team events the points that decide."""
ROUNDS = ("142", "XXR")
"""Types of records with the number of planned rounds."""
READ = (NAME, *ABOUT, *ORDER, PAIRING, *ROUNDS, "162", "352", "362", *COLUMNS)
_RULERS = ("###", "   ", "123", "DDD")
"""Comments, and the lines with which programs show where the columns of a file are."""

PLAYED: Mapping[str, int] = {"1": 2, "W": 2, "=": 1, "D": 1, "0": 0, "L": 0}
UNPLAYED: Mapping[str, int] = {"+": 2, "-": 0}
"""Half points by the result of an entry: of a game, and of a point won or lost by default."""
BYE_LETTERS: Mapping[Bye, str] = {"full": "F", "pairing": "U", "half": "H", "zero": "Z"}
BYE_OF_LETTER: Mapping[str, Bye] = {letter: bye for bye, letter in BYE_LETTERS.items()}
ALTERNATING = "WB" * MAX_BOARDS
"""Colours of the first team board by board, where no record gives them."""

_LINE = re.compile(r"([^\r\n]{3})[^\r\n]*")


class Columns(NamedTuple):
    """A field of a record: its columns, counted from 1 (None: to the end of the line); its name."""

    first: int
    last: int | None
    name: str


class Line(Fields["str | Columns"]):
    """One record. Its fields are read by their names in `COLUMNS`, or by column."""

    def __init__(self, file: str, found: re.Match[str], notes: Notes) -> None:
        super().__init__(notes)
        self._file, self._found, self.kind = file, found, found[1]
        self.content = found[0].rstrip()

    @property
    def start(self) -> int:
        """Where the line starts in the file; cheaper than its number."""
        return self._found.start()

    @property
    def number(self) -> int:
        """The number of the line, from 1. Only errors need it, so it is counted on demand."""
        text, end = self._found.string, self._found.start()
        ends = text.count("\n", 0, end) + text.count("\r", 0, end) - text.count("\r\n", 0, end)
        return ends + 1

    def columns(self, field: str | Columns) -> Columns:
        """Where a field stands."""
        if isinstance(field, Columns):
            return field
        name = "team number" if field in TEAM_NUMBERS else field
        return Columns(*COLUMNS[self.kind][field], name)

    def cut(self, first: int, last: int | None = None) -> str:
        """The text of columns `first` to `last`, or to the end of the line."""
        return self.content[first - 1 : last].strip()

    def text(self, field: str | Columns) -> str:
        """The text of a field."""
        first, last, _ = self.columns(field)
        return self.cut(first, last)

    def error(self, field: str | Columns, allowed: str, got: str | None = None) -> InputError:
        """The error for the content of a field."""
        first, last, name = self.columns(field)
        where = f"columns {first}-{last}"
        if last is None:
            where = f"columns {first} on"
        elif first == last:
            where = f"column {first}"
        got = self.text(field) if got is None else got
        return refusal(self._file, self.number, f"{where} ({name})", allowed, got)

    def whom(self, field: str | Columns = "") -> tuple[str, str]:
        """The player or team of the record."""
        named = {
            "001": ("player", "name"),
            "013": ("team", "team name"),
            "310": ("team", "team name"),
        }
        word, name = named.get(self.kind, ("", ""))
        return word, self.text(name) if name else ""

    def half_points(self, field: str | Columns, high: int, low: int = 0) -> int | None:
        """Points as half points; None for an empty field."""
        return self.points(field, low, high) if self.text(field) else None

    def match_points(self, high: int = 2, low: int = 0) -> int | None:
        """Whole match points; None for an empty field."""
        points = self.half_points("match points", high, low)
        if points is not None and points % 2:
            allowed = "0, 1 or 2" if (low, high) == (0, 2) else f"a whole number {low}..{high}"
            raise self.error("match points", allowed)
        return None if points is None else points // 2

    def start_number(self) -> int:
        """The start number of the player of a record 001."""
        return self.integer("start number", 1, MAX_PLAYERS)

    def item(self, index: int, name: str) -> Columns:
        """Where an item of the list stands, the first of which has the index 0."""
        start, width = LISTS[self.kind]
        first = start + index * (width + 1)
        return Columns(first, first + width - 1, name)

    def listed(self, name: str, high: int) -> Iterator[tuple[Columns, int]]:
        """The numbers of the list, and where they stand; 0 for an empty field."""
        start, width = LISTS[self.kind]
        for index in range(-(-(len(self.content) - start + 1) // (width + 1))):
            field = self.item(index, name)
            yield field, self.integer(field, 0, high, default=0)

    def team(self, field: str | Columns, teams: Mapping[int, int]) -> int:
        """The number of a team from 0; `teams` maps the file's numbers to these."""
        number = self.integer(field, 0, 9999, default=0)
        if number not in teams:
            raise self.error(field, "the number of a team (record 310 or 013)")
        return teams[number]


@dataclass(frozen=True)
class Records:
    """The records of a file.

    **Fields:**

    - `file`: its name, for messages.
    - `notes`: takes what is assumed.
    - `lines`: of the types that are read, by type.
    - `others`: the other types in the file, but for comments and rulers.
    """

    file: str
    notes: Notes
    lines: dict[str, list[Line]]
    others: set[str]

    def __getitem__(self, kind: str) -> list[Line]:
        return self.lines[kind]


def read_records(data: bytes, file: str, notes: Notes) -> Records:
    """Split a file into records.

    **Raises:** `InputError` if the file, a line or the number of lines is too large, or for a NUL.
    """
    if len(data) > MAX_BYTES:
        raise InputError(f"{file}: must be at most {MAX_BYTES} bytes, has more")
    text = decoded(data)
    found: dict[str, list[Line]] = {kind: [] for kind in READ}
    others: set[str] = set()
    for match in _LINE.finditer(text):
        if (lines := found.get(match[1])) is None:
            kind = match[1]
            if kind not in others and kind not in _RULERS and len(others) < MAX_TYPES:
                others.add(kind)
            continue
        line = Line(file, match, notes)
        if len(line.content) > MAX_LINE:
            allowed = f"blank: a line has at most {MAX_LINE} characters"
            raise line.error(Columns(MAX_LINE + 1, None, "line"), allowed)
        if "\0" in line.content:
            raise InputError(f"{file}: line {line.number}: a NUL character is not allowed")
        if len(lines) == MAX_LINES:
            allowed = f"of a type that appears at most {MAX_LINES} times"
            raise line.error(Columns(1, 3, "record"), allowed)
        lines.append(line)
    return Records(file, notes, found, others)


def placed(kind: str, fields: Iterable[str], listed: Iterable[str] = ()) -> str:
    """A record of a type with its fields, in the order of `COLUMNS`, and those of its list."""
    line = kind
    for text, (first, _) in zip(fields, COLUMNS[kind].values(), strict=False):
        line = line.ljust(first - 1) + text
    for number, text in enumerate(listed):
        first, width = LISTS[kind]
        line = line.ljust(first - 1 + number * (width + 1)) + text
    return line
