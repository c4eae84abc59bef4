"""The files of a report that hold frames: CSV, and JSON that nests them. Written, and read back.

A file is declared: `Csv` and `Json` say which columns of which frame stand where. What is written
and how it is read both follow from that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from itertools import product
from typing import Any, TypeAlias

import pandas as pd

from tb2learn.report.frames import Frames, plain, rounded, with_columns
from tb2learn.text import csv_text


@dataclass(frozen=True)
class Csv:
    """A CSV table: columns of a frame.

    **Fields:**

    - `file`: its name.
    - `frame`: the name of the frame.
    - `columns`: columns of the frame, or these by their names in the file; all, if there are none.
    - `digits`: decimals that fractions are rounded to; None for all that they have.
    - `known`: rows without a value in this column are left out.
    - `forms`: columns of the frame whose numbers are written as text, each in a form like `.4f`;
      `-` stands for NaN.
    """

    file: str
    frame: str
    columns: Mapping[str, str] | Sequence[str] = ()
    digits: int | None = None
    known: str | None = None
    forms: Mapping[str, str] = field(default_factory=dict)

    def text(self, frames: Frames) -> str:
        """The table. Unknown values are empty cells, and no cell starts like a formula."""
        frame = frames[self.frame]
        if self.known:
            frame = frame[frame[self.known].notna()]
        columns = self._named or {name: name for name in frame.columns}
        if self.digits is not None:
            frame = rounded(frame, self.digits)
        cells = (self._cells(frame, name) for name in columns.values())
        return csv_text([tuple(columns), *zip(*cells, strict=True)])

    @property
    def _named(self) -> dict[str, str]:
        """Columns of the frame by their names in the file."""
        if isinstance(self.columns, Mapping):
            return dict(self.columns)
        return {name: name for name in self.columns}

    def _cells(self, frame: pd.DataFrame, column: str) -> Iterator[Any]:
        if column not in self.forms:
            return map(plain, frame[column])
        form = self.forms[column]
        return ("-" if value != value else f"{value:{form}}" for value in frame[column])

    def frames(self, text: str) -> dict[str, pd.DataFrame]:
        """The frame, as far as the file has it. Fractions are floats, NaN where unknown."""
        frame = pd.read_csv(
            StringIO(text), dtype_backend="numpy_nullable", keep_default_na=False, na_values=[""]
        )
        # A column without any value may have been fractions.
        empty = frame.columns[frame.isna().all()]
        fractions = [*frame.select_dtypes("Float64").columns, *empty]
        frame = frame.astype(dict.fromkeys(fractions, float)).rename(columns=self._named)
        for name in self.forms:
            numbers = frame[name].astype(str).str.removeprefix("'")
            frame[name] = pd.to_numeric(numbers, errors="coerce").astype(float)
        return {self.frame: frame}


# --------------------------------------------------------------------------- JSON

Labels: TypeAlias = dict[str, Sequence[Any]]
"""What the cells along every axis of an array are called."""


@dataclass(frozen=True)
class Json:
    """A JSON file.

    **Fields:**

    - `file`: its name.
    - `content`: what it holds, in the form that it has there: mappings and lists of `Axis`,
      `Cells`, `Each`, `IfKnown` and names. Of a frame with one row, `frame.column` names a value,
      and `frame` an object of all columns.
    - `indent`: spaces by which every level is indented; None for a single line.
    - `only`: of frames with these columns the file holds the rows with these values, and not the
      columns. So several files can hold parts of one frame.
    """

    file: str
    content: Any
    indent: int | None = None
    only: Mapping[str, Any] = field(default_factory=dict)

    def text(self, frames: Frames) -> str:
        """The content with the values of frames. Unknown values are null."""
        return json.dumps(self.nested(frames), indent=self.indent, allow_nan=False) + "\n"

    def nested(self, frames: Frames) -> Any:
        """The content as values of Python."""
        inside = dict(frames)
        for column, value in self.only.items():
            inside |= {n: f[f[column] == value] for n, f in inside.items() if column in f}
        return _written(self.content, inside)

    def frames(self, text: str) -> dict[str, pd.DataFrame]:
        """The frames, as far as the file has them. Fractions are floats, NaN where unknown."""
        found = _read(self.content, json.loads(text), {})
        return {name: frame.apply(_numbers).assign(**self.only) for name, frame in found.items()}


def stacked(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Frames one below the other. Unknown values do not change a type."""
    return pd.concat([part.astype(object) for part in parts], ignore_index=True).apply(_numbers)


def _numbers(cells: pd.Series) -> pd.Series:
    """A column of fractions or whole numbers as numbers, also where some are unknown."""
    if cells.dtype != object:
        return cells
    kinds = {type(one) for one in cells[cells.notna()]}
    if kinds == {int} and cells.isna().any():
        return cells.astype("Int64")
    return cells.astype(float) if kinds <= {float} else cells.infer_objects()


def columns_of(frame: str, *columns: str) -> dict[str, str]:
    """Columns of a frame with one row as keys of an object, for the content of a `Json`."""
    return {name: f"{frame}.{name}" for name in columns}


@dataclass(frozen=True)
class Axis:
    """A list of the labels in a column, once each. `Cells`s of this axis stand after it.

    **Fields:**

    - `frame`, `column`: where the labels are.
    - `others`: further axes that have these labels.
    """

    frame: str
    column: str
    others: tuple[str, ...] = ()

    def write(self, frames: Frames) -> list[Any]:
        """The labels."""
        return [plain(value) for value in frames[self.frame][self.column].unique()]

    def read(self, found: Any, labels: Labels) -> dict[str, pd.DataFrame]:
        """Notes the labels; they belong to no frame."""
        labels.update((name, found) for name in (self.column, *self.others))
        return {}


@dataclass(frozen=True)
class Cells:
    """A column of a frame with a row a cell of an array, as lists within lists.

    **Fields:**

    - `frame`, `axes`: the frame, and its columns with the labels of the cells; the last axis runs
      fastest.
    - `column`: the column.
    - `keyed`: whether objects stand for the lists, with the labels as keys.
    """

    frame: str
    axes: tuple[str, ...]
    column: str
    keyed: bool = False

    def write(self, frames: Frames) -> Any:
        """The lists or objects."""
        cells = frames[self.frame]
        labels = [list(cells[axis].unique()) for axis in self.axes]
        return self._nested(map(plain, cells[self.column]), labels)

    def _nested(self, cells: Iterator[Any], labels: Sequence[Sequence[Any]]) -> Any:
        if not labels:
            return next(cells)
        items = {label: self._nested(cells, labels[1:]) for label in labels[0]}
        return items if self.keyed else list(items.values())

    def read(self, found: Any, labels: Labels) -> dict[str, pd.DataFrame]:
        """The axes and the column of the frame."""
        cells, names = [found], []
        for axis in self.axes:
            names.append(list(cells[0]) if self.keyed else labels[axis])
            cells = [part for one in cells for part in (one.values() if self.keyed else one)]
        frame = pd.DataFrame(product(*names), columns=pd.Index(self.axes))
        return {self.frame: frame.assign(**{self.column: cells})}


@dataclass(frozen=True)
class Each:
    """A list with an item a row of a frame.

    **Fields:**

    - `frame`: the frame.
    - `item`: what an item holds, as the content of a `Json`; by default an object of all columns.
    - `by`: a column that tells the rows apart. Of every other frame that has it an item holds the
      rows with its own value alone. Where it does not stand in the item, the items are numbered.
    - `along`: an axis whose labels the rows have in a column of its name, and not in the file.
    - `key`: a column whose values are keys; an object stands for the list.
    """

    frame: str
    item: Any = None
    by: str = ""
    along: str = ""
    key: str = ""

    def write(self, frames: Frames) -> Any:
        """The items."""
        rows = range(len(frames[self.frame]))
        items = [_written(self.item or self.frame, self._of(row, frames)) for row in rows]
        if not self.key:
            return items
        return dict(zip(frames[self.frame][self.key], items, strict=True))

    def _of(self, row: int, frames: Frames) -> Frames:
        """The frames of one item."""
        own = frames[self.frame].iloc[[row]]
        inner = dict(frames)
        for name, frame in frames.items():
            if self.by in frame:
                inner[name] = frame[frame[self.by] == own[self.by].iloc[0]]
        return inner | {self.frame: own}

    def read(self, found: Any, labels: Labels) -> dict[str, pd.DataFrame]:
        """The frames of all items; those of every item have its value in the column `by`."""
        parts: dict[str, list[pd.DataFrame]] = {}
        for number, one in enumerate(found.values() if self.key else found):
            inner = _read(self.item or self.frame, one, dict(labels))
            own = {self.by: inner[self.frame].iloc[0].get(self.by, number)} if self.by else {}
            for name, frame in inner.items():
                parts.setdefault(name, []).append(frame.assign(**own))
        frames = {name: pd.concat(some, ignore_index=True) for name, some in parts.items()}
        if self.by and frames:
            labels[self.by] = frames[self.frame][self.by].tolist()
        if self.along and frames:
            frames[self.frame][self.along] = labels[self.along]
        if self.key and frames:
            frames[self.frame].insert(0, self.key, list(found))
        return frames


@dataclass(frozen=True)
class IfKnown:
    """What stands under a key only where something is known.

    **Fields:**

    - `name`: of a frame, which has a row then; or of a column, whose first value is known then.
    - `content`: what stands there, as the content of a `Json`.
    """

    name: str
    content: Any

    def is_known(self, frames: Frames) -> bool:
        """Whether it is written."""
        frame, _, column = self.name.partition(".")
        rows = frames[frame]
        return len(rows) > 0 and (not column or plain(rows[column].iloc[0]) is not None)

    def write(self, frames: Frames) -> Any:
        """The content."""
        return _written(self.content, frames)


def _written(content: Any, frames: Frames) -> Any:
    if isinstance(content, str):
        frame, _, column = content.partition(".")
        row = frames[frame]
        if column:
            return plain(row[column].iloc[0])
        return {name: plain(values.iloc[0]) for name, values in row.items()}
    if isinstance(content, Mapping):
        known = {key: one for key, one in content.items() if _is_known(one, frames)}
        return {key: _written(one, frames) for key, one in known.items()}
    if isinstance(content, list):
        return [_written(one, frames) for one in content]
    return content.write(frames)


def _is_known(content: Any, frames: Frames) -> bool:
    return not isinstance(content, IfKnown) or content.is_known(frames)


def _read(content: Any, found: Any, labels: Labels) -> dict[str, pd.DataFrame]:
    """The frames in what was found. Columns of one frame that stand apart are joined."""
    frames: dict[str, pd.DataFrame] = {}
    rows: dict[str, dict[str, Any]] = {}
    for one, part in _parts(content, found):
        if isinstance(one, str):
            frame, _, column = one.partition(".")
            rows.setdefault(frame, {}).update({column: part} if column else part)
            continue
        for name, frame in one.read(part, labels).items():
            frames[name] = with_columns(frames.setdefault(name, frame), frame)
    for name, row in rows.items():
        own = pd.DataFrame([row], dtype=object)
        frames[name] = with_columns(frames.setdefault(name, own), own)
    return frames


def _parts(content: Any, found: Any) -> Iterator[tuple[Any, Any]]:
    """The names, axes, grids and lists in a content, each with what was found there."""
    if isinstance(content, IfKnown):
        content = content.content
    if isinstance(content, Mapping):
        for key, one in content.items():
            if key in found or not isinstance(one, IfKnown):
                yield from _parts(one, found[key])
    elif isinstance(content, list):
        for one, part in zip(content, found, strict=True):
            yield from _parts(one, part)
    else:
        yield content, found
