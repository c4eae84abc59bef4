"""Lines of a Tournament Report File (TRF): the type of the record, then fields in fixed columns."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping

from tb2learn.events.formats.source import MAX_BYTES, refusal
from tb2learn.events.model import Bye
from tb2learn.types import MAX_BOARDS, InputError

MAX_PLAYERS = 9999
MAX_LINES = 20_000  # of one type of record
MAX_LINE = 100_000
MAX_TYPES = 100  # of records that are not read

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
ROUNDS = ("142", "XXR")
"""Types of records with the number of planned rounds."""
_READ = (NAME, *ABOUT, *ROUNDS, "162", "352", "362", "001", "013", "310",
         "300", "320", "330", "240", "299")  # fmt: skip

BYE_LETTERS: Mapping[Bye, str] = {"full": "F", "pairing": "U", "half": "H", "zero": "Z"}
BYE_OF_LETTER: Mapping[str, Bye] = {letter: bye for bye, letter in BYE_LETTERS.items()}
ALTERNATING = "WB" * MAX_BOARDS
"""Colours of the first team board by board, where no record gives them."""

_LINE = re.compile(r"([^\r\n]{3})[^\r\n]*")


class Line:
    """One record. Its fields are read by column, counted from 1."""

    def __init__(self, file: str, found: re.Match[str]) -> None:
        self._file, self._found = file, found
        self.content = found[0].rstrip()

    @property
    def number(self) -> int:
        """The number of the line, from 1. Only errors need it, so it is counted on demand."""
        text, end = self._found.string, self._found.start()
        ends = text.count("\n", 0, end) + text.count("\r", 0, end) - text.count("\r\n", 0, end)
        return ends + 1

    def text(self, first: int, last: int | None = None) -> str:
        """The text of columns `first` to `last`, or to the end of the line."""
        return self.content[first - 1 : last].strip()

    def error(self, first: int, last: int | None, field: str, allowed: str) -> InputError:
        """The error for the content of columns `first` to `last`."""
        if last is None:
            where = f"columns {first} on"
        else:
            where = f"column {first}" if first == last else f"columns {first}-{last}"
        got = self.text(first, last)
        return refusal(self._file, self.number, f"{where} ({field})", allowed, got)

    def integer(
        self,
        first: int,
        last: int | None,
        field: str,
        low: int,
        high: int,
        default: int | None = None,
    ) -> int:
        """A whole number; the default for an empty field."""
        value = self.text(first, last)
        if not value and default is not None:
            return default
        if not re.fullmatch(r"[0-9]{1,11}", value, re.ASCII) or not low <= int(value) <= high:
            raise self.error(first, last, field, f"a whole number {low}..{high}")
        return int(value)

    def half_points(self, first: int, last: int, field: str, high: int) -> int | None:
        """Points as half points; None for an empty field."""
        value = self.text(first, last)
        if not value:
            return None
        match = re.fullmatch(r"([0-9]{1,3})(?:[.,](0|5)0*)?", value, re.ASCII)
        points = 2 * int(match[1]) + (match[2] == "5") if match else -1
        if not 0 <= points <= 2 * high:
            raise self.error(first, last, field, f"0..{high} in steps of 0.5")
        return points

    def match_points(self, first: int, last: int) -> int | None:
        """Match points 0, 1 or 2; None for an empty field."""
        points = self.half_points(first, last, "match points", 2)
        if points is not None and points % 2:
            raise self.error(first, last, "match points", "0, 1 or 2")
        return None if points is None else points // 2

    def listed(self, first: int, width: int, field: str, high: int) -> Iterator[tuple[int, int]]:
        """Column and number of fields of `width` columns with a blank between; 0 if empty."""
        for column in range(first, len(self.content) + 1, width + 1):
            yield column, self.integer(column, column + width - 1, field, 0, high, default=0)

    def team(self, first: int, last: int, teams: Mapping[int, int]) -> int:
        """The number of a team from 0; `teams` maps the file's numbers to these."""
        number = self.integer(first, last, "team number", 0, 9999, default=0)
        if number not in teams:
            raise self.error(first, last, "team number", "the number of a team (record 310 or 013)")
        return teams[number]


def read_records(data: bytes, file: str) -> tuple[dict[str, list[Line]], set[str]]:
    """Split a file into records.

    **Returns:** the lines of known types, by type; and the other types in the file except comments.

    **Raises:** `InputError` if the file, a line or the number of lines is too large, or for a NUL.
    """
    if len(data) > MAX_BYTES:
        raise InputError(f"{file}: must be at most {MAX_BYTES} bytes, has more")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    found: dict[str, list[Line]] = {kind: [] for kind in _READ}
    others: set[str] = set()
    for match in _LINE.finditer(text):
        if (lines := found.get(match[1])) is None:
            if match[1] not in others and len(others) < MAX_TYPES and match[1] != "###":
                others.add(match[1])
            continue
        line = Line(file, match)
        if len(line.content) > MAX_LINE:
            allowed = f"blank: a line has at most {MAX_LINE} characters"
            raise line.error(MAX_LINE + 1, None, "line", allowed)
        if "\0" in line.content:
            raise InputError(f"{file}: line {line.number}: a NUL character is not allowed")
        if len(lines) == MAX_LINES:
            allowed = f"of a type that appears at most {MAX_LINES} times"
            raise line.error(1, 3, "record", allowed)
        lines.append(line)
    return found, others
