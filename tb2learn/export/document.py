"""A document of tables and sentences, which is written as a PDF, an HTML page or a workbook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tb2learn.text import number, plain

Cell = str | float | int
"""A name, or a number."""


@dataclass(frozen=True)
class Sentences:
    """Sentences below a heading.

    **Fields:**

    - `heading`: empty for none.
    - `lines`: one paragraph each.
    - `numbered`: whether they are numbered from 1.
    - `new_page`: whether they start a page.
    - `under`: stands before their numbers, such as that of an article and a point.
    """

    heading: str
    lines: tuple[str, ...]
    numbered: bool = False
    new_page: bool = False
    under: str = ""


@dataclass(frozen=True)
class Grid:
    """A table below a heading.

    **Fields:**

    - `heading`: empty for none.
    - `heads`: of the columns.
    - `rows`: their cells; all rows have as many as `heads`.
    - `names`: the columns that hold names, which are aligned to the left.
    - `struck`: cells `(row, column)` that are left out of a sum, which are struck through.
    - `ruled`: rows above which a line is drawn.
    - `strong`: rows in bold, such as sums.
    - `together`: whether the table stays on one page.
    - `writing`: whether it is a form, whose rows are high enough to be filled in by hand.
    """

    heading: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    names: frozenset[int] = frozenset()
    struck: frozenset[tuple[int, int]] = frozenset()
    ruled: frozenset[int] = frozenset()
    strong: frozenset[int] = frozenset()
    together: bool = False
    writing: bool = False


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
    """A document to print.

    **Fields:**

    - `title`: its heading and the title of the file.
    - `facts`: label and text, one line each.
    - `parts`: tables and sentences in order.
    - `language`: of the whole, one of `forms.LANGUAGES`.
    - `foot`: sentences for the foot of the first page on paper; elsewhere they are the last part.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]
    language: str = "en"
    foot: Sentences | None = None

    @property
    def all_parts(self) -> tuple[Part, ...]:
        """The parts, and the foot as the last of them."""
        return (*self.parts, self.foot) if self.foot else self.parts


def shown(cell: Cell) -> str:
    """A cell as it is printed: names escaped, numbers with a typographic minus sign."""
    if isinstance(cell, str):
        return plain(cell)
    return f"{number(cell)}".replace("-", "\N{MINUS SIGN}")


def in_columns(rows: Sequence[tuple[str, ...]], times: int) -> tuple[tuple[str, ...], ...]:
    """Rows below each other in so many columns, of which the last ends with empty cells."""
    height = -(-len(rows) // times)
    filled = [*rows, *[("",) * len(rows[0])] * (times * height - len(rows))]
    return tuple(sum(filled[n::height], ()) for n in range(height))
