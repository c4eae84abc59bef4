"""A document as a workbook: one sheet to print, one print area."""

from __future__ import annotations

import datetime
import io
import textwrap
from collections.abc import Mapping

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from tb2learn.export.document import Document, Grid, Pair, Part, grids
from tb2learn.text import number, plain

CREATED = datetime.datetime(2026, 1, 1)
"""The date in every workbook, constant so that equal content gives equal bytes."""

_A4 = 9
_MOST_FOOTER = 80  # Excel allows 255 characters including the page numbers
_LINE = 15  # height of a line of text, in points
_MANY = 30  # rows of a table whose heads are repeated on every printed page
_WIDEST = 34.0  # of a column of names, in characters; longer ones wrap


def document_xlsx(document: Document) -> bytes:
    """A document as a workbook, the same bytes for the same document."""
    buffer = io.BytesIO()
    book = new_book(buffer, document.title)
    sheet = new_sheet(book, "standings", plain(document.title))
    columns = max([len(grid.heads) for grid in grids(document.parts)], default=2)
    writer = SheetWriter(book, sheet, columns, characters=85)
    writer.head(document)
    for part in document.all_parts:
        writer.part(part)
    sheet.print_area(0, 0, max(writer.row - 1, 0), columns - 1)
    book.close()
    return buffer.getvalue()


def new_book(buffer: io.BytesIO, title: str) -> Workbook:
    """A workbook in which no text becomes a formula or an address."""
    book = Workbook(
        buffer,
        {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        },
    )
    book.set_properties({"title": plain(title), "created": CREATED})
    book.set_calc_mode("auto")
    return book


def new_sheet(book: Workbook, title: str, name: str, landscape: bool = False) -> Worksheet:
    """A new sheet that prints on A4, one page wide, with a name and page numbers in its footer."""
    sheet = book.add_worksheet(title)
    sheet.set_paper(_A4)
    if landscape:
        sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
    # An ampersand is a command in a footer, unless doubled.
    sheet.set_footer(f"&L{name[:_MOST_FOOTER].replace('&', '&&')}&C&A&R&P / &N")
    return sheet


def write_wrapped(
    sheet: Worksheet, row: int, columns: tuple[int, int], text: str, style: Format, width: int
) -> None:
    """Write a text, never as a formula, across columns of a row.

    **Arguments:** `width`: characters of a line, by which the row is made high enough.
    """
    shown, (first, last) = plain(text), columns
    if last > first:
        sheet.merge_range(row, first, row, last, "", style)
    sheet.set_row(row, _LINE * (1 + len(shown) // width))
    sheet.write_string(row, first, shown, style)


def write_formula(
    sheet: Worksheet, row: int, column: int, formula: str, style: Format | None, value: float | str
) -> None:
    """Write a formula with what it gives, which programs show that do not compute it."""
    # The library takes texts and decimals too; its types follow from the default, which is 0.
    sheet.write_formula(row, column, formula, style, value)  # pyright: ignore[reportArgumentType]


class SheetWriter:
    """A sheet written from the top: its title, lines across its columns, tables.

    **Arguments:**

    - `book`, `sheet`: the workbook, and the sheet in it.
    - `columns`, `characters`: of a line.
    """

    def __init__(self, book: Workbook, sheet: Worksheet, columns: int, characters: int):
        self.book, self.sheet, self.row = book, sheet, 0
        self.columns, self.characters = columns, characters
        self.widths: dict[int, float] = {}
        """Of the columns, in characters: what suits every table of the sheet."""
        self.bold = book.add_format({"bold": True})
        self.wrapped = book.add_format({"text_wrap": True, "valign": "top"})

    def head(self, document: Document) -> None:
        """Write the title and the facts of a document."""
        title = self.book.add_format({"bold": True, "font_size": 14})
        self.sheet.write_string(0, 0, plain(document.title), title)
        self.row = 1
        for label, value in document.facts:
            self._line(f"{label}: {value}")

    def part(self, part: Part) -> None:
        """Write sentences or a table, after a blank line; a pair one below the other."""
        if isinstance(part, Pair):
            self.part(part.left)
            self.part(part.right)
            return
        self.row += 1
        if part.heading:
            self.sheet.write_string(self.row, 0, plain(part.heading), self.bold)
            self.row += 1
        if isinstance(part, Grid):
            self._grid(part)
            return
        for n, line in enumerate(part.lines, start=1):
            self._line(f"{n}. {line}" if part.numbered else line)

    def _line(self, text: str) -> None:
        across = (0, self.columns - 1)
        write_wrapped(self.sheet, self.row, across, text, self.wrapped, self.characters)
        self.row += 1

    def _format(self, **properties: object) -> Format:
        return self.book.add_format({"valign": "top", **properties})

    def _grid(self, part: Grid) -> None:
        head = self._format(bold=True, text_wrap=True, bottom=1, align="right")
        name_head = self._format(bold=True, text_wrap=True, bottom=1)
        styles: dict[tuple[bool, bool, bool, bool], Format] = {}
        for k, text in enumerate(part.heads):
            self.sheet.write_string(self.row, k, text, name_head if k in part.names else head)
            longest = max((len(str(row[k])) for row in part.rows), default=0)
            words = max(map(len, text.split()), default=0)
            width = min(max(longest, words, 4) + 2, _WIDEST)
            self.widths[k] = max(width, self.widths.get(k, 0))
            self.sheet.set_column(k, k, self.widths[k])
        self._fit_height(dict(enumerate(part.heads)))
        self.row += 1
        if len(part.rows) > _MANY:
            self.sheet.repeat_rows(self.row - 1)
        for n, cells in enumerate(part.rows):
            for k, cell in enumerate(cells):
                key = (k in part.names, n in part.strong, n in part.ruled, (n, k) in part.struck)
                if key not in styles:
                    name, strong, ruled, struck = key
                    styles[key] = self._format(
                        bold=strong,
                        top=int(ruled),
                        font_strikeout=struck,
                        align="left" if name else "right",
                        text_wrap=name,
                    )
                if isinstance(cell, str):
                    self.sheet.write_string(self.row, k, plain(cell), styles[key])
                else:
                    self.sheet.write_number(self.row, k, number(cell), styles[key])
            self._fit_height({k: str(cells[k]) for k in part.names})
            self.row += 1

    def _fit_height(self, texts: Mapping[int, str]) -> None:
        """Make the row as high as its wrapped texts, by column: not every program does."""
        lines = [len(textwrap.wrap(text, int(self.widths[k]) - 1)) for k, text in texts.items()]
        if max(lines, default=1) > 1:
            self.sheet.set_row(self.row, _LINE * max(lines))
