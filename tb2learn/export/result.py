"""A result of a command or a function: one table, as text, CSV, JSON or a DataFrame.

Names come from files, and every form may be shown in a terminal. So text and CSV escape control
characters, JSON is plain ASCII, and no CSV cell starts like a spreadsheet formula.
"""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tb2learn.export.document import Grid
from tb2learn.text import csv_text, plain, plain_number

if TYPE_CHECKING:
    import pandas

WIDTH = 80
"""Columns of text where there is no terminal."""

_SHORTEST = 16
"""Characters that a name keeps when a table is narrowed."""

_LEAST_OF_NAME = 4
"""Those that it keeps before a mark in brackets."""

_GAP = "  "


@dataclass(frozen=True)
class Table:
    """Rows under named columns. The names are the same in CSV, JSON, DataFrames and `docs/`."""

    columns: Sequence[str]  # their names
    rows: Sequence[Sequence[Any]]  # texts, numbers, booleans; None where there is no value
    title: str = ""  # a line above the text
    notes: Sequence[str] = ()  # what a reader must know, one sentence each
    # what the result depends on (the event, the policy, the seed), as JSON
    about: Mapping[str, Any] = field(default_factory=dict)
    # of columns in text, where the name is not good enough there
    headings: Mapping[str, str] = field(default_factory=dict)
    # of columns in text: what `format` takes (`.1%` for a probability), or a function of a value
    formats: Mapping[str, str | Callable[[Any], str]] = field(default_factory=dict)
    # how many of the first columns say what a row is of. Text too narrow for all columns repeats
    # these
    keys: int = 1
    joined: frozenset[str] = frozenset()  # columns that stay beside the column before them
    digits: int | None = None  # most decimals of numbers in CSV and JSON; None for all

    @staticmethod
    def of(frame: pandas.DataFrame, **more: Any) -> Table:
        """The table of a DataFrame, without its index, with further fields."""
        rows = [[*row] for row in frame.astype(object).itertuples(index=False)]
        return Table([*map(str, frame.columns)], rows, **more)

    def records(self) -> list[dict[str, Any]]:
        """A dictionary a row, of values that JSON knows."""
        return [dict(zip(self.columns, self._written(row), strict=True)) for row in self.rows]

    def _written(self, row: Sequence[Any]) -> list[Any]:
        """A row as CSV and JSON have it."""
        values = map(_value, row)
        # Results that are exact keep all their digits.
        if self.digits is None:
            return [*values]
        return [round(x, self.digits) if isinstance(x, float) else x for x in values]

    def json(self) -> str:
        """An object of `about`, then `rows` (one object each) and `notes`."""
        return TableSet({"rows": self}, self.notes, self.about).json()

    def csv(self) -> str:
        """A header and the rows; booleans are 1 and 0, and where there is no value is nothing."""
        body = [[_number(value) for value in self._written(row)] for row in self.rows]
        return csv_text([self.columns, *body])

    def frame(self) -> pandas.DataFrame:
        """A DataFrame; its `attrs` are `about`, and `notes` under that name."""
        import pandas

        rows = [[plain_number(x) if isinstance(x, float) else x for x in row] for row in self.rows]
        frame = pandas.DataFrame(rows, columns=pandas.Index(self.columns))
        frame.attrs = {**self.about, "notes": list(self.notes)}
        return frame

    def text(self, width: int | None = WIDTH) -> str:
        """Aligned columns: names to the left, numbers to the right.

        **Arguments:** `width`: what does not fit has its headings folded, then long texts shortened
        to no less than 16 characters, and then stands in several tables below each other, which
        all begin with the first columns. None for one table, however wide.
        """
        columns = [self._column(k) for k in range(len(self.columns))]
        first = min(self.keys, len(columns))
        if width is None or _total(columns) <= width:
            blocks = [columns]
        else:
            columns = [column.folded() for column in columns]
            _shorten(columns, width)
            groups: list[list[_Column]] = []
            for name, column in zip(self.columns[first:], columns[first:], strict=True):
                if name not in self.joined or not groups:
                    groups.append([])
                groups[-1].append(column)
            blocks = _blocks(columns[:first], groups, width)
        title = "" if not self.title else _filled(self.title, width)
        # Without columns there is the title alone.
        return title + "\n".join(map(_lay_out, filter(None, blocks)))

    def grid(self) -> Grid:
        """The table to print, its title as the heading."""
        columns = [self._column(k) for k in range(len(self.columns))]
        return Grid(
            self.title,
            tuple(column.heading[0] for column in columns),
            tuple(zip(*(column.cells for column in columns), strict=True)),
            names=frozenset(k for k, column in enumerate(columns) if column.left),
        )

    def _column(self, k: int) -> _Column:
        name = self.columns[k]
        values = [_value(row[k]) for row in self.rows]
        texts = [_shown(value, self.formats.get(name, "")) for value in values]
        words = [isinstance(value, str) for value in values if value is not None]
        return _Column([plain(self.headings.get(name, name))], texts, left=any(words) or not words)


@dataclass(frozen=True)
class TableSet:
    """A result of several tables.

    **Fields:** `tables`: by name, the most important one first; `notes`, `about`: as of a `Table`.
    """

    tables: Mapping[str, Table]
    notes: Sequence[str] = ()
    about: Mapping[str, Any] = field(default_factory=dict)

    def json(self) -> str:
        """An object of `about`, then the rows of every table by its name, and `notes`.

        A row is a line.
        """
        fields = {name: _json(value) for name, value in self.about.items()}
        for name, table in self.tables.items():
            rows = ",\n  ".join(map(_json, table.records()))
            fields[name] = f"[\n  {rows}\n ]" if rows else "[]"
        fields["notes"] = _json(list(self.notes))
        lines = (f" {_json(name)}: {value}" for name, value in fields.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def csv(self) -> str:
        """The first table as CSV."""
        return next(iter(self.tables.values())).csv()

    def text(self, width: int | None = WIDTH) -> str:
        """The tables below each other."""
        return "\n".join(table.text(width) for table in self.tables.values())

    def frames(self) -> dict[str, pandas.DataFrame]:
        """A DataFrame a table, by name; all have the same `attrs`."""
        frames = {name: table.frame() for name, table in self.tables.items()}
        for frame in frames.values():
            frame.attrs = {**self.about, "notes": list(self.notes)}
        return frames

    def frame(self) -> pandas.DataFrame:
        """The first table as a DataFrame; its `attrs` have the rows of the others by name."""
        first, *others = self.tables
        frame = self.tables[first].frame()
        rows = {name: self.tables[name].records() for name in others}
        frame.attrs = {**self.about, **rows, "notes": list(self.notes)}
        return frame


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


def _filled(line: str, width: int | None) -> str:
    lines = map(plain, line.split("\n"))
    return "".join(f"{line if width is None else textwrap.fill(line, width)}\n" for line in lines)


def _value(value: Any) -> Any:
    """A cell as JSON knows it: NumPy's numbers as Python's, NaN as None, 20.0 as 20."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return (
            None
            if math.isnan(value)
            else plain_number(value)
            if math.isfinite(value)
            else str(value)
        )
    return value


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def _shown(value: Any, form: str | Callable[[Any], str]) -> str:
    """A cell as text; nothing for no value."""
    if value is None:
        return ""
    if not isinstance(form, str):
        return form(value)
    if isinstance(value, bool):
        return "yes" if value else ""
    return plain(str(value)) if isinstance(value, str) else format(value, form)


@dataclass
class _Column:
    """A column of text: lines of its heading, and its cells."""

    heading: list[str]
    cells: list[str]
    left: bool

    @property
    def width(self) -> int:
        return max(map(len, [*self.heading, *self.cells]))

    def folded(self) -> _Column:
        """Its heading on lines no wider than its cells, or than its longest word.

        The modifiers of a code, as in `EMGSB/C1`, are words of their own.
        """
        words = self.heading[0].replace("/", "/ ")
        longest = max(map(len, textwrap.wrap(words, 1, break_long_words=False)), default=1)
        room = max([longest, *map(len, self.cells)])
        lines = textwrap.wrap(words, room, break_long_words=False)
        return _Column([line.replace("/ ", "/") for line in lines] or [""], self.cells, self.left)


def _total(columns: Sequence[_Column]) -> int:
    return sum(column.width for column in columns) + len(_GAP) * (len(columns) - 1)


def _shorten(columns: Sequence[_Column], width: int) -> None:
    """Shorten long texts, always those of the widest column, until all fit or none may go."""
    least = {k: max([_SHORTEST, *map(len, c.heading)]) for k, c in enumerate(columns) if c.left}
    room = {k: columns[k].width for k in least}
    over = _total(columns) - width
    while over > 0 and (wide := [k for k in room if room[k] > least[k]]):
        room[max(wide, key=lambda k: room[k])] -= 1
        over -= 1
    for k, most_width in room.items():
        columns[k].cells = [_cut(cell, most_width) for cell in columns[k].cells]


def _cut(text: str, longest: int) -> str:
    """A text that fits; what stands in brackets behind a name stays, if some of the name does."""
    if len(text) <= longest:
        return text
    name, bracket, mark = text.rpartition(" (")
    mark = bracket + mark if mark.endswith(")") else ""
    room = longest - len("...") - len(mark)
    if not mark or room < _LEAST_OF_NAME:
        name, mark, room = text, "", longest - len("...")
    return name[:room].rstrip() + "..." + mark


def _blocks(
    first: Sequence[_Column], groups: Iterable[Sequence[_Column]], width: int
) -> list[list[_Column]]:
    """TableSet of the width or little more; each has the first columns, and a group at least."""
    blocks = [[*first]]
    for group in groups:
        if len(blocks[-1]) > len(first) and _total([*blocks[-1], *group]) > width:
            blocks.append([*first])
        blocks[-1] += group
    return blocks


def _lay_out(columns: Sequence[_Column]) -> str:
    """Columns beside each other; headings end on the same line."""
    height = max(len(column.heading) for column in columns)
    texts = []
    for column in columns:
        lines = [*[""] * (height - len(column.heading)), *column.heading, *column.cells]
        width = column.width
        texts.append([x.ljust(width) if column.left else x.rjust(width) for x in lines])
    return "".join(f"{_GAP.join(line).rstrip()}\n" for line in zip(*texts, strict=True))
