"""Workbooks of values, without formulas or macros: documents, and a rule with its tables."""

from __future__ import annotations

import datetime
import io
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from xlsxwriter import Workbook
from xlsxwriter.format import Format

from tb2learn.export.document import Document, Grid, Pair, Part, grids
from tb2learn.export.table import (
    expected_points,
    header,
    nearest_par,
    sure_grid,
    used_columns,
    worked_example,
)
from tb2learn.export.words import how_to_use, title, words
from tb2learn.text import plain, plain_number
from tb2learn.tiebreaks.rules import Rule

CREATED = datetime.datetime(2026, 1, 1)
"""The date in every workbook, constant so that equal content gives equal bytes."""

_A4 = 9
_MOST_FOOTER = 80  # Excel allows 255 characters including the page numbers
_LINE = 15  # height of a line of text, in points
_MANY = 30  # rows of a table whose heads are repeated on every printed page
_WIDEST = 34.0  # of a column of names, in characters; longer ones wrap

_CENTRED = {"align": "center"}
_FRAMED = {"border": 1, "align": "center"}
_BELOW = {"bold": True, "text_wrap": True, "bottom": 1}
STYLES: Mapping[str, Mapping[str, object]] = {
    "": {},
    "title": {"bold": True, "font_size": 14},
    "bold": {"bold": True},
    "head": {**_CENTRED, "bold": True, "text_wrap": True, "valign": "vcenter"},
    "wrapped": {"text_wrap": True, "valign": "top"},
    "step": {**_CENTRED, "valign": "top"},
    "centred": _CENTRED,
    "tenths": {**_CENTRED, "num_format": "0.0"},
    "result": {**_FRAMED, "bold": True, "border": 2},
    "par": {**_FRAMED, "bold": True},
}
"""Formats of cells by name."""

Style = str | Mapping[str, object]
"""One of `STYLES`, or properties as of `Workbook.add_format`."""


# --------------------------------------------------------------------------- books and sheets


class Book:
    """A workbook in which no text becomes a formula or an address."""

    def __init__(self, title: str):
        # The library would make formulas and links of texts that look like them.
        texts = ("strings_to_formulas", "strings_to_urls", "strings_to_numbers")
        self._buffer, self._formats = io.BytesIO(), dict[str, Format]()
        self.book = Workbook(self._buffer, {"in_memory": True, **dict.fromkeys(texts, False)})
        # Names of files may hold what XML does not: they are escaped.
        self.book.set_properties({"title": plain(title), "created": CREATED})

    def format(self, style: Style) -> Format | None:
        """The format of a style, added to the workbook."""
        properties = STYLES[style] if isinstance(style, str) else style
        # Excel limits the number of formats: equal ones are made once.
        cell_format = self._formats.get(key := repr(properties)) or self.book.add_format(
            dict(properties)
        )
        self._formats[key] = cell_format
        return cell_format if properties else None

    def content(self) -> bytes:
        """The file, when all is written."""
        self.book.close()
        return self._buffer.getvalue()


class Worksheet:
    """A sheet that prints on A4, one page wide, with a name and page numbers in its footer.

    **Fields:** `sheet`: as the library knows it; `row`: where `line` and `part` go on; `columns`,
    `characters`: across which their lines stand, and how many characters these hold.
    """

    def __init__(
        self,
        book: Book,
        title: str,
        name: str,
        landscape: bool = False,
        columns: int = 1,
        characters: int = 85,
    ):
        self.book, self.row, self.columns, self.characters = book, 0, columns, characters
        self.sheet = sheet = book.book.add_worksheet(title)
        sheet.set_paper(_A4)
        if landscape:
            sheet.set_landscape()
        # One page wide, as many pages high as there are rows.
        sheet.fit_to_pages(1, 0)
        sheet.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        # An ampersand is a command in a footer, unless doubled.
        sheet.set_footer(f"&L{name[:_MOST_FOOTER].replace('&', '&&')}&C&A&R&P / &N")
        self.widths: dict[int, float] = {}
        """Of the columns, in characters: what suits every table of the sheet."""

    def put(self, row: int, column: int, value: Any, style: Style = "") -> None:
        """Write a text, a number or, with None, an empty cell."""
        form = self.book.format(style)
        if value is None:
            self.sheet.write_blank(row, column, None, form)
        elif isinstance(value, str):
            # Never `write`, which guesses a type from the text.
            self.sheet.write_string(row, column, plain(value), form)
        else:
            self.sheet.write_number(row, column, plain_number(value), form)

    def put_row(self, row: int, column: int, values: Iterable[Any], style: Style = "") -> None:
        """Write values beside each other."""
        for k, value in enumerate(values, start=column):
            self.put(row, k, value, style)

    def wrapped(self, row: int, first: int, last: int, text: str, characters: int) -> None:
        """Write a text across columns of a row, which is made high enough for its characters."""
        if last > first:
            self.sheet.merge_range(row, first, row, last, "", self.book.format("wrapped"))
        self.sheet.set_row(row, _LINE * (1 + len(plain(text)) // characters))
        self.put(row, first, text, "wrapped")

    def line(self, text: str) -> None:
        """Write a text across the sheet."""
        self.wrapped(self.row, 0, self.columns - 1, text, self.characters)
        self.row += 1

    def head(self, document: Document) -> None:
        """Write the title and the facts of a document."""
        self.put(0, 0, document.title, "title")
        self.row = 1
        for label, value in document.facts:
            self.line(f"{label}: {value}")

    def part(self, part: Part) -> None:
        """Write sentences or a table, after a blank line; a pair one below the other."""
        if isinstance(part, Pair):
            self.part(part.left)
            self.part(part.right)
            return
        self.row += 1
        if part.heading:
            self.put(self.row, 0, part.heading, "bold")
            self.row += 1
        if isinstance(part, Grid):
            self._grid(part)
            return
        for n, line in enumerate(part.lines, start=1):
            self.line(f"{n}. {line}" if part.numbered else line)

    def _grid(self, part: Grid) -> None:
        for k, text in enumerate(part.heads):
            aligned = {} if k in part.names else {"align": "right"}
            self.put(self.row, k, text, {"valign": "top", **_BELOW, **aligned})
            # Numbers are never cut, names wrap.
            longest = max((len(str(row[k])) for row in part.rows), default=0)
            words = max(map(len, text.split()), default=0)
            width = min(max(longest, words, 4) + 2, _WIDEST)
            # Tables below each other share their columns.
            self.widths[k] = max(width, self.widths.get(k, 0))
            self.sheet.set_column(k, k, self.widths[k])
        self._fit_height(dict(enumerate(part.heads)))
        self.row += 1
        # A short table is on one page.
        if len(part.rows) > _MANY:
            self.sheet.repeat_rows(self.row - 1)
        for n, cells in enumerate(part.rows):
            for k, cell in enumerate(cells):
                style = {
                    "valign": "top",
                    "bold": n in part.strong,
                    "top": int(n in part.ruled),
                    "font_strikeout": (n, k) in part.struck,
                    "align": "left" if k in part.names else "right",
                    "text_wrap": k in part.names,
                }
                self.put(self.row, k, cell, style)
            self._fit_height({k: str(cells[k]) for k in part.names})
            self.row += 1

    def _fit_height(self, texts: Mapping[int, str]) -> None:
        """Make the row as high as its wrapped texts, by column: not every program does."""
        lines = [len(textwrap.wrap(text, int(self.widths[k]) - 1)) for k, text in texts.items()]
        if max(lines, default=1) > 1:
            self.sheet.set_row(self.row, _LINE * max(lines))


def document_xlsx(document: Document) -> bytes:
    """A document as a workbook of one sheet, the same bytes for the same document."""
    book = Book(document.title)
    # Facts and sentences run across the widest table.
    columns = max([len(grid.heads) for grid in grids(document.parts)], default=2)
    sheet = Worksheet(book, document.name, plain(document.title), columns=columns)
    sheet.head(document)
    for part in document.all_parts:
        sheet.part(part)
    sheet.sheet.print_area(0, 0, max(sheet.row - 1, 0), columns - 1)
    return book.content()


# --------------------------------------------------------------------------- a rule

POINTS_SHEET = "table"
"""The sheet with all points in one rectangle."""

_LOW, _PAR, _HIGH = "#F3C9A5", "#FFFFFF", "#9FB6CD"
"""Colours of a table: below par, at par and above, which print as greys of the same lightness."""


def table_xlsx(rule: Rule, language: str = "en") -> bytes:
    """The rule as an Excel workbook without macros.

    Sheets of a table: the instruction with a worked example; a sheet for every own MP (its passes
    below each other); and `table`, with all points in one rectangle. Sheets of a formula: the
    instruction, and the expected game points by lead. A rule that has been calibrated has a sheet
    on how sure its orders are. Every sheet has one print area.

    **Arguments, Raises:** as `table.table_csv`.

    **Returns:** the file's content, the same bytes for the same rule.
    """
    text, book, name = words(language), Book(rule.name), plain(rule.name)
    _instruction(Worksheet(book, text["xlsx.use"], name), rule, language)
    # A booklet of sheets: one for every own MP, lowest first.
    if rule.has_tables:
        for own in range(2 * rule.event_rounds + 1):
            _own_mp(
                Worksheet(book, f"{text['doc.mp']} {own}", name, landscape=True), rule, own, text
            )
    _points(Worksheet(book, POINTS_SHEET, name), rule, text)
    if margins := sure_grid(rule, language):
        sentence, grid = margins
        sheet, last = Worksheet(book, text["xlsx.sure"], name), len(grid.heads) - 1
        sheet.sheet.set_column(0, last, 11)
        sheet.put(0, 0, grid.heading, "title")
        sheet.wrapped(1, 0, last, sentence, 75)
        _rows(sheet, 3, grid.heads, [map(float, row) for row in grid.rows], "head", "centred")
    return book.content()


def _instruction(sheet: Worksheet, rule: Rule, language: str) -> None:
    """Write the sheet with the header, the instruction and, for tables, the worked example."""
    text = words(language)
    sheet.sheet.set_column(0, 0, 18)
    sheet.sheet.set_column(1, 5, 15)
    sheet.put(0, 0, title(rule, language), "title")
    row = 1
    for key, value in header(rule, language).items():
        row += 1
        sheet.put(row, 0, text[f"doc.{key}"], "bold")
        sheet.wrapped(row, 1, 5, value, 85)
    row += 2
    sheet.put(row, 0, text["doc.how_to_use"], "bold")
    for step, sentence in enumerate(how_to_use(rule, language), start=1):
        row += 1
        sheet.put(row, 0, step, "step")
        sheet.wrapped(row, 1, 5, sentence, 85)
    if rule.has_tables:
        row += 2
        sheet.put(row, 0, text["doc.example"], "bold")
        row = _example(sheet, row + 1, rule, text)
    sheet.sheet.print_area(0, 0, row, 5)


def _example(sheet: Worksheet, row: int, rule: Rule, text: Mapping[str, str]) -> int:
    """Write the worked example; return its last row."""
    example = worked_example(rule, text)
    keys = example.keys
    sheet.put(row, 0, text["doc.own_mp"])
    sheet.put(row, 1, example.own_mp, "centred")
    if rule.passes > 1:
        sheet.put(row, 2, text["doc.pass"])
        sheet.put(row, 3, rule.passes, "centred")
    row += 1
    sheet.put_row(row, 0, [text[key] for key in keys], "head")
    for *cells, left_out in example.rows:
        row += 1
        for column, (key, value) in enumerate(zip(keys, cells, strict=True)):
            sheet.put(row, column, value, "tenths" if key == "doc.counts_as" else "centred")
        if left_out:
            sheet.put(row, len(keys), left_out)
    sheet.put(row + 1, 0, text["doc.tb2"], "bold")
    sheet.put(row + 1, len(keys) - 1, example.tb2, "result")
    return row + 1


def _own_mp(page: Worksheet, rule: Rule, own: int, text: Mapping[str, str]) -> None:
    """Write the tables of one own MP, pass below pass, under one row of opponent's MP.

    In the first pass only the columns that can occur are filled. Where 0 is par, the result nearest
    to it is framed in every row.
    """
    every, opponent = rule.tables, "doc.opponent_counts_as" if rule.in_passes else "doc.opponent_mp"
    (columns, _), sheet = used_columns(rule, len(every)), page.sheet
    sheet.set_column(0, 0, 10)
    sheet.set_column(1, len(columns), 5)
    page.put(0, 0, text["doc.own_mp_number"].format(number=own), "title")
    page.put(1, 1, text[opponent], "bold")
    page.put_row(2, 0, [text["doc.gp"], *columns], "head")
    row = 3
    for this, table in enumerate(every, start=1):
        if len(every) > 1:
            page.put(row, 0, text["doc.pass_number"].format(number=this), "bold")
            row += 1
        heads, used = used_columns(rule, this)
        first, last = 1 + heads[0] - columns[0], row + table.shape[2] - 1
        # The same colours on the sheets of all own MP, so that these compare.
        scale = _scale(rule, int(table.min()), int(table.max()))
        sheet.conditional_format(row, first, last, first + len(heads) - 1, scale)
        for half_points, values in enumerate(table[own][used].T.tolist()):
            page.put(row, 0, half_points / 2, "head")
            page.put_row(row, first, values, "centred")
            # Only tables in passes have a par of 0.
            par = nearest_par(values) if rule.in_passes else None
            if par is not None:
                page.put(row, first + par, values[par], "par")
            row += 1
        row += 1
    if rule.in_passes:
        page.put(row - 1, 0, text["doc.par"])
    # Heads and game points stay in sight.
    sheet.freeze_panes(3, 1)
    sheet.repeat_rows(0, 2)
    sheet.print_area(0, 0, row - 1, len(columns))


def _scale(rule: Rule, low: int, high: int) -> dict[str, object]:
    """Colours of a pass, the same on all sheets: on both sides of par, if there is one."""
    numbers = {"min_type": "num", "max_type": "num", "max_color": _HIGH}
    if not rule.in_passes:
        ends = {"min_color": _PAR, "min_value": low, "max_value": high}
        return {"type": "2_color_scale", **numbers, **ends}
    extreme = max(-low, high, 1)
    ends = {"min_color": _LOW, "min_value": -extreme, "max_value": extreme}
    middle = {"mid_type": "num", "mid_value": 0, "mid_color": _PAR}
    return {"type": "3_color_scale", **numbers, **ends, **middle}


def _points(sheet: Worksheet, rule: Rule, text: Mapping[str, str]) -> None:
    """Write all points in one rectangle: rows for pass, own MP, opponent's MP; columns for GP.

    Of a formula the game points that it expects, by lead in match points.
    """
    if not rule.has_tables:
        sheet.sheet.set_column(0, 1, 18)
        sheet.sheet.freeze_panes(1, 1)
        rows = [(lead, round(points, 4)) for lead, points in expected_points(rule)]
        _rows(sheet, 0, (text["doc.lead"], text["doc.expected"]), rows, "head", "centred")
        return
    every = rule.tables
    keys = (text[f"doc.{key}"] for key in ("pass", "own_mp", "opponent_mp"))
    heads = [*keys, *(half / 2 for half in range(every.shape[3]))]
    rows = [
        [this + 1, own, mp, *values]
        for this, own in np.ndindex(every.shape[:2])
        for mp, values in zip(rule.columns, every[this, own].tolist(), strict=True)
    ]
    sheet.sheet.set_column(0, 2, 14)
    sheet.sheet.freeze_panes(1, 3)
    _rows(sheet, 0, heads, rows, "bold", "")


def _rows(
    sheet: Worksheet,
    first: int,
    heads: Sequence[str | float],
    rows: Sequence[Iterable[float]],
    of_heads: str,
    of_rows: str,
) -> None:
    """Write a table with its heads in row `first`; they are repeated on every printed page."""
    sheet.put_row(first, 0, heads, of_heads)
    for row, numbers in enumerate(rows, start=first + 1):
        sheet.put_row(row, 0, numbers, of_rows)
    sheet.sheet.repeat_rows(first)
    sheet.sheet.print_area(0, 0, first + len(rows), len(heads) - 1)
