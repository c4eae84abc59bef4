"""A document of tables and sentences, which is written as a PDF, an HTML page or a workbook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tb2learn.text import plain, plain_number

Cell = str | float | int
"""A name, or a number."""


@dataclass(frozen=True)
class Sentences:
    """Sentences below a heading."""

    heading: str  # empty for none
    lines: tuple[str, ...]  # one paragraph each
    numbered: bool = False  # whether they are numbered from 1
    new_page: bool = False  # whether they start a page
    under: str = ""  # stands before their numbers, such as that of an article and a point


@dataclass(frozen=True)
class Grid:
    """A table below a heading."""

    heading: str  # empty for none
    heads: tuple[str, ...]  # of the columns
    rows: tuple[tuple[Cell, ...], ...]  # their cells; all rows have as many as `heads`
    # the columns that hold names, which are aligned to the left
    names: frozenset[int] = frozenset()
    # cells `(row, column)` that are left out of a sum, which are struck through
    struck: frozenset[tuple[int, int]] = frozenset()
    ruled: frozenset[int] = frozenset()  # rows above which a line is drawn
    strong: frozenset[int] = frozenset()  # rows in bold, such as sums
    together: bool = False  # whether the table stays on one page
    # whether it is a form, whose rows are high enough to be filled in by hand
    writing: bool = False
    # secondary: columns that a small screen does not show; remarks: the column of remarks on the
    # names, which a page to tap shows beside them
    secondary: frozenset[int] = frozenset()
    remarks: int | None = None
    # of a table of standings: the number of the entrant of every row, to tap its name
    entrants: tuple[int, ...] = ()

    @property
    def name_column(self) -> int | None:
        """The first column that holds names."""
        return min(self.names, default=None)


@dataclass(frozen=True)
class Pair:
    """Two tables side by side, where there is room for them."""

    left: Grid
    right: Grid


Part: TypeAlias = Sentences | Grid | Pair


def grids(parts: Iterable[Part]) -> Iterator[Grid]:
    """All tables among some parts, those of pairs one by one."""
    for part in parts:
        if isinstance(part, Pair):
            yield from (part.left, part.right)
        elif isinstance(part, Grid):
            yield part


@dataclass(frozen=True)
class Document:
    """A document to print."""

    title: str  # its heading and the title of the file
    facts: tuple[tuple[str, str], ...]  # label and text, one line each
    parts: tuple[Part, ...]  # tables and sentences in order
    language: str = "en"  # of the whole, one of `forms.LANGUAGES`
    # sentences for the foot of the first page on paper; elsewhere they are the last part
    foot: Sentences | None = None
    picture: bytes | None = None  # a PNG below the parts, on paper
    name: str = "standings"  # of its sheet in a workbook

    @property
    def all_parts(self) -> tuple[Part, ...]:
        """The parts, and the foot as the last of them."""
        return (*self.parts, self.foot) if self.foot else self.parts


def cell_text(cell: Cell) -> str:
    """A cell as it is printed: names escaped, numbers with a typographic minus sign."""
    if isinstance(cell, str):
        return plain(cell)
    return f"{plain_number(cell)}".replace("-", "\N{MINUS SIGN}")


def in_columns(rows: Sequence[tuple[str, ...]], times: int) -> tuple[tuple[str, ...], ...]:
    """Rows below each other in so many columns, of which the last ends with empty cells."""
    height = -(-len(rows) // times)
    filled = [*rows, *[("",) * len(rows[0])] * (times * height - len(rows))]
    return tuple(sum(filled[n::height], ()) for n in range(height))
