"""A document of tables and sentences, which is written as a PDF, an HTML page or a workbook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tb2learn.text import number, plain
from tb2learn.types import InputError

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
    """

    heading: str
    lines: tuple[str, ...]
    numbered: bool = False
    new_page: bool = False


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
    """

    heading: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    names: frozenset[int] = frozenset()
    struck: frozenset[tuple[int, int]] = frozenset()
    ruled: frozenset[int] = frozenset()
    strong: frozenset[int] = frozenset()
    together: bool = False


@dataclass(frozen=True)
class Document:
    """A document to print.

    **Fields:**

    - `title`: its heading and the title of the file.
    - `facts`: label and text, one line each.
    - `parts`: tables and sentences in order.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    parts: tuple[Sentences | Grid, ...]


def shown(cell: Cell) -> str:
    """A cell as it is printed: names escaped, numbers with a typographic minus sign."""
    if isinstance(cell, str):
        return plain(cell)
    return f"{number(cell)}".replace("-", "\N{MINUS SIGN}")


def _pdf(document: Document) -> bytes:
    from tb2learn.export.document_pdf import document_pdf

    return document_pdf(document)


def _html(document: Document) -> bytes:
    from tb2learn.export.html import document_html

    return document_html(document).encode()


def _xlsx(document: Document) -> bytes:
    from tb2learn.export.document_xlsx import document_xlsx

    return document_xlsx(document)


PRINTED: Mapping[str, Callable[[Document], bytes]] = {"html": _html, "pdf": _pdf, "xlsx": _xlsx}
"""By name of the form: the content of the file."""


def printed(document: Document, form: str) -> bytes:
    """A document in a form.

    **Raises:** `InputError` for a form that is not of `PRINTED`.
    """
    if form not in PRINTED:
        raise InputError(f"format must be one of {', '.join(PRINTED)}, got {form!r}")
    return PRINTED[form](document)
