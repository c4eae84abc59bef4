"""Lines of a Tournament Report File (TRF): the type of the record, then fields in fixed columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tb2learn.events.formats.oddities import Notes, Place
from tb2learn.events.formats.oddities import half_points as parsed_half_points
from tb2learn.events.formats.source import MAX_BYTES, decoded, refusal
from tb2learn.events.parts import Bye
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
READ = (NAME, *ABOUT, *ROUNDS, "162", "352", "362", "001", "013", "310",
         "300", "320", "330", "240", "299", "802")  # fmt: skip
_RULERS = ("###", "   ", "123", "DDD")
"""Comments, and the lines with which programs show where the columns of a file are."""

BYE_LETTERS: Mapping[Bye, str] = {"full": "F", "pairing": "U", "half": "H", "zero": "Z"}
BYE_OF_LETTER: Mapping[str, Bye] = {letter: bye for bye, letter in BYE_LETTERS.items()}
ALTERNATING = "WB" * MAX_BOARDS
"""Colours of the first team board by board, where no record gives them."""

_LINE = re.compile(r"([^\r\n]{3})[^\r\n]*")


class Line(Place):
    """One record. Its fields are read by column, counted from 1."""

    def __init__(self, file: str, found: re.Match[str]) -> None:
        self._file, self._found = file, found
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

    def odd(
        self, notes: Notes, assumed: str, first: int, last: int | None, field: str, allowed: str
    ) -> None:
        """Note what is assumed for the content of columns `first` to `last`.

        **Raises:** the error for it, in a strict reader.
        """
        notes.odd(assumed, self, lambda: self.error(first, last, field, allowed))

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
        number = self._number(first, last, low, high, default)
        if number is None:
            raise self.error(first, last, field, f"a whole number {low}..{high}")
        return number

    def needless(
        self, notes: Notes, assumed: str, first: int, last: int | None, field: str, high: int
    ) -> int:
        """A whole number that ranking does not need: 0 if it is none, with a note."""
        number = self._number(first, last, 0, high, 0)
        if number is None:
            self.odd(notes, assumed, first, last, field, f"a whole number 0..{high}")
        return number or 0

    def _number(
        self, first: int, last: int | None, low: int, high: int, default: int | None
    ) -> int | None:
        value = self.text(first, last)
        if not value and default is not None:
            return default
        if not re.fullmatch(r"[0-9]{1,11}", value, re.ASCII) or not low <= int(value) <= high:
            return None
        return int(value)

    def half_points(self, first: int, last: int, field: str, high: int, low: int = 0) -> int | None:
        """Points as half points; None for an empty field."""
        value = self.text(first, last)
        if not value:
            return None
        points = parsed_half_points(value)
        if points is None or not 2 * low <= points <= 2 * high:
            raise self.error(first, last, field, f"{low}..{high} in steps of 0.5")
        return points

    def match_points(self, first: int, last: int, high: int = 2, low: int = 0) -> int | None:
        """Whole match points; None for an empty field."""
        points = self.half_points(first, last, "match points", high, low)
        if points is not None and points % 2:
            allowed = "0, 1 or 2" if (low, high) == (0, 2) else f"a whole number {low}..{high}"
            raise self.error(first, last, "match points", allowed)
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

    **Returns:** the lines of known types, by type; and the other types in the file, but for
    comments and rulers.

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
