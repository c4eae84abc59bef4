"""The tables of an event folder and their rows, which know their line for error messages."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import Any

from tb2learn.events.formats.source import MAX_NAME, MAX_RATING, read_bytes, refusal
from tb2learn.text import quoted
from tb2learn.types import MAX_BOARDS, InputError

FILES = ("matches.csv", "teams.csv", "players.csv", "boards.csv", "event.csv")
MAX_COLUMNS = 100

PLAYER_TEXTS = ("title", "sex", "federation", "birth")
"""Columns of `players.csv` that are read as plain text."""
RESULTS = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "0-0": (0, 0)}
"""Half points of White and of Black by the `result` of `boards.csv`."""


class Row:
    """One row of a table. Errors name file, line and column."""

    def __init__(self, file: str, line: int, fields: Mapping[str, str]) -> None:
        self._file, self._line, self._fields = file, line, fields

    def error(self, field: str, allowed: str, got: str) -> InputError:
        """The error for a field: what is allowed and what was read."""
        return refusal(self._file, self._line, field, allowed, got)

    def text(self, field: str) -> str:
        """The field, stripped; empty if there is no such column."""
        return self._fields.get(field, "").strip()

    def name(self, field: str) -> str:
        """A text of 1..`MAX_NAME` characters."""
        value = self.text(field)
        if not value or len(value) > MAX_NAME:
            raise self.error(field, f"a name of 1..{MAX_NAME} characters", value)
        return value

    def integer(self, field: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number; the default, if given, for an empty field."""
        value = self.text(field)
        if not value and default is not None:
            return default
        if not re.fullmatch(r"[0-9]{1,9}", value, re.ASCII) or not low <= int(value) <= high:
            raise self.error(field, f"a whole number {low}..{high}", value)
        return int(value)

    def choice(self, field: str, allowed: Sequence[str], default: str) -> Any:
        """One of the allowed words; the default for an empty field."""
        value = self.text(field) or default
        if value not in allowed:
            raise self.error(field, f"one of {', '.join(allowed)}", self.text(field))
        return value

    def rating(self, field: str) -> None:
        """Check a mean rating, which may have decimals."""
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


def rows_of(path: Traversable, required: tuple[str, ...]) -> Iterator[Row]:
    """The rows of a CSV table; empty lines are skipped.

    **Arguments:**

    - `path`: a UTF-8 file of at most `MAX_BYTES`; its first row names the columns.
    - `required`: columns that must be there; others are allowed.

    **Raises:** `InputError`, one line, for any other file, or if there are no rows.
    """
    file = path.name
    reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
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
                header = _header(file, line, values, required)
                continue
            if len(values) != len(header):
                raise InputError(
                    f"{file}: line {line}: must have {len(header)} fields, got {len(values)}"
                )
            empty = False
            yield Row(file, line, dict(zip(header, values, strict=True)))
    except csv.Error as error:
        raise InputError(f"{file}: line {line}: not valid CSV: {error}") from error
    if empty:
        raise InputError(f"{file}: must have a header and at least one row")


def _text(path: Traversable) -> str:
    data = read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = _line(error.object[: error.start].decode("utf-8"))
        raise InputError(f"{path.name}: line {line}: not UTF-8 text") from error
    if "\0" in text:
        line = _line(text[: text.index("\0")])
        raise InputError(f"{path.name}: line {line}: a NUL character is not allowed")
    return text


def _header(file: str, line: int, values: Sequence[str], required: tuple[str, ...]) -> list[str]:
    """The names of the columns, which must differ."""
    if len(values) > MAX_COLUMNS:
        raise InputError(
            f"{file}: line {line}: must have at most {MAX_COLUMNS} columns, got {len(values)}"
        )
    header = [v.strip() for v in values]
    for column in required:
        if column not in header:
            raise InputError(f"{file}: line {line}: missing column {column}")
    for column in header:
        if header.count(column) > 1:
            raise InputError(f"{file}: line {line}: column {quoted(column)} appears twice")
    return header


def _line(before: str) -> int:
    """The number of the line after `before`, with line ends as the csv module counts them."""
    return before.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
