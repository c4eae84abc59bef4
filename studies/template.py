"""Reports from frames and a Markdown template with jinja2's marks.

What is filled in is escaped, so that no name of a team or player means anything in Markdown. The
lines of a paragraph or of an item of a list are joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import jinja2
import pandas as pd

from studies.frames import where
from tb2learn.export.error_words import fewer_or_more
from tb2learn.report.frames import ends_of
from tb2learn.stats import Difference, signed
from tb2learn.text import plain

# Characters with a meaning in Markdown; an underscore between two letters or digits has none.
_MARKS = re.compile(r"([\\`*{}\[\]<>|#!~$&@]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=[wW]{3})\.)")
_NUMBER = re.compile(r"[-+]?[\d,.]+(e[-+]\d+)?%?|-|")


class Markdown(str):
    """Text that is Markdown, and is not escaped."""


def filled_in(package: str, path: str, given: Mapping[str, Any]) -> str:
    """The template `path` of a package with frames and other values by name, as Markdown."""
    return unwrapped(_environment(package).get_template(path).render(given))


@cache
def _environment(package: str) -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.PackageLoader(package, ""),
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: value if isinstance(value, Markdown) else escaped(str(value)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        "count": lambda value: f"{value:,}",
        "fixed": lambda value, digits=3: _number(value, f".{digits}f"),
        "signed": signed,
        "percent": lambda value, digits=1: _number(value, f".{digits}%"),
        "interval": with_interval,
        "difference": difference,
        "fewer": lambda row, name, digits=1: fewer_or_more(
            Difference("", "", _cells(row)[name]), digits=digits
        ),
        "rounded": rounded,
        "where": where,
        "table": frame_table,
    }
    return made


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKS.sub(r"\\\1", plain(text))


def with_interval(row: Any, name: str, form: str = ".3f") -> Markdown:
    """A column of a row with its interval in a sentence: `0.389 [0.362, 0.419]`."""
    cells = _cells(row)
    low, high = (cells[end] for end in ends_of(name, cells))
    return Markdown(f"{float(cells[name]):{form}} [{low:{form}}, {high:{form}}]")


def difference(row: Any, name: str) -> Difference:
    """The difference in a column of a row."""
    return Difference.of_row(_cells(row), name, "", "")


def _cells(row: Any) -> Mapping[str, Any]:
    """The cells of a row of a frame, also as `itertuples` gives it."""
    return row._asdict() if hasattr(row, "_asdict") else row


def _number(value: Any, form: str) -> str:
    return "-" if value != value else f"{value:{form}}"


_BLOCK = re.compile(r"\||#+ |!\[|[*-] |$")  # how a line starts that continues no other


def unwrapped(text: str) -> str:
    """Markdown with every paragraph and every item of a list on a line of its own."""
    lines: list[str] = []
    for line in text.split("\n"):
        before = lines[-1] if lines else ""
        if before and not before.startswith(("|", "#")) and not _BLOCK.match(line):
            lines[-1] = f"{before} {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(lines)


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """A Markdown table by lines; None is an empty cell, columns of numbers are to the right."""
    cells = [["" if value is None else str(value) for value in row] for row in rows]
    columns = zip(header, *cells, strict=True)
    right = [all(_NUMBER.fullmatch(value) for value in values) for _, *values in columns]
    lines = [[*map(escaped, header)], ["---:" if number else "---" for number in right]]
    lines += [[*map(escaped, row)] for row in cells]
    return [f"| {' | '.join(line)} |" for line in lines]


def frame_table(
    frame: pd.DataFrame, *columns: str, header: Mapping[str, str] | None = None, form: str = ""
) -> Markdown:
    """A frame as a Markdown table; unknown values are empty cells, NaN is `-`.

    All `columns` if none are named. `error:.4f` says how numbers are shown, `error:.4f as wrong`
    names the column, and after `error:.4f±` follow columns *from* and *to* with the ends of its
    interval (`ends_of`). `header`: other names of columns; `form`: of fractions, if not said.
    """
    named = header or {}
    cells: list[list[str]] = []
    titles: list[str] = []
    every = [(name, "", named.get(name)) for name in frame.columns]
    for column, own, title in map(_asked, columns) if columns else every:
        ends = zip(("from", "to"), ends_of(column, frame), strict=True) if "±" in own else ()
        for name, part in ((title or column, column), *ends):
            titles.append(name)
            cells.append([_cell(value, own.rstrip("±"), form) for value in frame[part]])
    return Markdown("\n".join(table(titles, zip(*cells, strict=True))))


def _asked(text: str) -> tuple[str, str, str]:
    """The column, form and title in `error:.4f as wrong`."""
    what, _, title = text.partition(" as ")
    column, _, form = what.partition(":")
    return column, form, title


def _cell(value: Any, own: str, form: str) -> str:
    if value is None or value is pd.NA:
        return ""
    if isinstance(value, float):
        return _number(value, own or form)
    return f"{value:{own}}" if own and not isinstance(value, str) else str(value)


def rounded(frame: pd.DataFrame, digits: int) -> pd.DataFrame:
    """The frame with its fractions rounded to so many decimals, and no zero below zero."""
    fractions = frame.select_dtypes(float).map(lambda value: round(value, digits) + 0.0)
    return frame.assign(**{str(name): cells for name, cells in fractions.items()})


def wide(frame: pd.DataFrame, rows: str | list[str], columns: str, values: str) -> pd.DataFrame:
    """A long frame with a row and a column a label, in the order in which labels appear.

    `values` is the column with what stands in the cells; None where there is no row.
    """
    keys = [rows] if isinstance(rows, str) else rows
    cells = frame.set_index([*keys, columns])[values].to_dict()
    names, labels = frame[keys].drop_duplicates().set_index(keys).index, frame[columns].unique()
    whole = [name if isinstance(name, tuple) else (name,) for name in names]
    found = [[cells.get((*name, label)) for label in labels] for name in whole]
    return pd.DataFrame(found, names, labels, dtype=object)
