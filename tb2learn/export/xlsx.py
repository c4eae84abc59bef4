"""Workbooks: documents; a rule with its tables, and a sheet that computes a TB2 by formulas."""

from __future__ import annotations

import datetime
import io
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_range_abs, xl_rowcol_to_cell

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
from tb2learn.text import number, plain
from tb2learn.tiebreaks.passes import HUNDRED, TENTHS, most_refinement
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
    "four_decimals": {**_CENTRED, "num_format": "0.0000"},
    "left_out": {"font_strikeout": True, "font_color": "#595959"},
    "input": {**_FRAMED, "bg_color": "#FFF9DB", "locked": False},
    "wrong": {"bold": True, "font_color": "#C00000"},
    "result": {**_FRAMED, "bold": True, "border": 2},
    "par": {**_FRAMED, "bold": True},
    # Of tables with a line below their heads and above their sums.
    "name_head": {**_BELOW, "valign": "bottom"},
    "number_head": {**_BELOW, "valign": "bottom", "align": "right"},
    "sum": {"bold": True, "top": 1},
}
"""Formats of cells by name."""

Style = str | Mapping[str, object]
"""One of `STYLES`, or properties as of `Workbook.add_format`."""


# --------------------------------------------------------------------------- books and sheets


class Book:
    """A workbook in which no text becomes a formula or an address."""

    def __init__(self, title: str):
        texts = ("strings_to_formulas", "strings_to_urls", "strings_to_numbers")
        self._buffer, self._formats = io.BytesIO(), dict[str, Format]()
        self.book = Workbook(self._buffer, {"in_memory": True, **dict.fromkeys(texts, False)})
        self.book.set_properties({"title": plain(title), "created": CREATED})
        self.book.set_calc_mode("auto")

    def format(self, style: Style) -> Format | None:
        """The format of a style, added to the workbook."""
        properties = STYLES[style] if isinstance(style, str) else style
        made = self._formats.get(key := repr(properties)) or self.book.add_format(dict(properties))
        self._formats[key] = made
        return made if properties else None

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
        sheet.fit_to_pages(1, 0)
        sheet.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        # An ampersand is a command in a footer, unless doubled.
        sheet.set_footer(f"&L{name[:_MOST_FOOTER].replace('&', '&&')}&C&A&R&P / &N")
        self.widths: dict[int, float] = {}
        """Of the columns, in characters: what suits every table of the sheet."""

    def put(
        self, row: int, column: int, value: Any, style: Style = "", formula: str | None = None
    ) -> None:
        """Write a text, a number or, with None, an empty cell.

        **Arguments:** `formula`: gives the value, which programs show that do not compute it.
        """
        form = self.book.format(style)
        if formula is not None:
            self.sheet.write_formula(row, column, f"={formula}", form, value)
        elif value is None:
            self.sheet.write_blank(row, column, None, form)
        elif isinstance(value, str):
            self.sheet.write_string(row, column, plain(value), form)
        else:
            self.sheet.write_number(row, column, number(value), form)

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
    columns = max([len(grid.heads) for grid in grids(document.parts)], default=2)
    sheet = Worksheet(book, "standings", plain(document.title), columns=columns)
    sheet.head(document)
    for part in document.all_parts:
        sheet.part(part)
    sheet.sheet.print_area(0, 0, max(sheet.row - 1, 0), columns - 1)
    return book.content()


# --------------------------------------------------------------------------- a rule

_LOW, _PAR, _HIGH = "#F3C9A5", "#FFFFFF", "#9FB6CD"
"""Colours of a table: below par, at par and above, which print as greys of the same lightness."""


def table_xlsx(rule: Rule, language: str = "en") -> bytes:
    """The rule as an Excel workbook without macros.

    Sheets of a table: the instruction with a worked example; a sheet to fill in, which computes the
    TB2 of one team by formulas; a sheet for every own MP (its passes below each other); and
    `table`, with all points in one rectangle. Sheets of a formula: the instruction, the sheet to
    fill in, and the expected game points by lead. A rule that has been calibrated has a sheet on
    how sure its orders are. Every sheet has one print area.

    **Arguments, Raises:** as `table.table_csv`.

    **Returns:** the file's content, the same bytes for the same rule.
    """
    text, book, name = words(language), Book(rule.name), plain(rule.name)
    _instruction(Worksheet(book, text["xlsx.use"], name), rule, language)
    form = WorkingSheet if rule.has_tables else FormulaWorkingSheet
    form(Worksheet(book, text["xlsx.working"], name), rule, text).write()
    if rule.has_tables:
        for own in range(2 * rule.event_rounds + 1):
            _own_mp(
                Worksheet(book, f"{text['doc.mp']} {own}", name, landscape=True), rule, own, text
            )
    _points(Worksheet(book, POINTS_SHEET, name), rule, text)
    if found := sure_grid(rule, language):
        sentence, grid = found
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
    """Write the worked example with the columns of the sheet to fill in; return its last row."""
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
        scale = _scale(rule, int(table.min()), int(table.max()))
        sheet.conditional_format(row, first, last, first + len(heads) - 1, scale)
        for half_points, values in enumerate(table[own][used].T.tolist()):
            page.put(row, 0, half_points / 2, "head")
            page.put_row(row, first, values, "centred")
            par = nearest_par(values) if rule.in_passes else None
            if par is not None:
                page.put(row, first + par, values[par], "par")
            row += 1
        row += 1
    if rule.in_passes:
        page.put(row - 1, 0, text["doc.par"])
    sheet.freeze_panes(3, 1)
    sheet.repeat_rows(0, 2)
    sheet.print_area(0, 0, row - 1, len(columns))


def _scale(rule: Rule, low: int, high: int) -> dict[str, object]:
    """Colours of a pass, the same on all sheets: on both sides of par, if there is one."""
    numbers = {"min_type": "num", "max_type": "num", "max_color": _HIGH}
    if not rule.in_passes:
        ends = {"min_color": _PAR, "min_value": low, "max_value": high}
        return {"type": "2_color_scale", **numbers, **ends}
    most = max(-low, high, 1)
    ends = {"min_color": _LOW, "min_value": -most, "max_value": most}
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


# --------------------------------------------------------------------------- the sheet to fill in

POINTS_SHEET = "table"
"""The sheet with all points in one rectangle, in which the formulas look them up."""

FIRST_ROUND = 7
"""The row of the first round on the sheet to fill in, counted from 0."""

_EMPTY, _BYE, _MATCH, _WRONG = range(4)


class WorkingSheet:
    """The sheet to fill in: inputs, checks, the points of every round, the sum.

    Formulas are plain look-ups (`INDEX`, `MATCH`) in the sheet of points. Hidden columns on the
    right hold, for every round, the kind of entry, what the opponent counts as in tenths, its
    column of the table and, if the weakest opponent is left out, a number that orders the opponents
    by weakness.
    """

    worked: tuple[str, ...] = ()
    """Columns between what is filled in and the points."""

    looked_up: tuple[str, ...] = ("tenths", "column")
    """Hidden columns by which the points are found."""

    parts = TENTHS
    """Into how many parts a match point of what an opponent counts as may be divided."""

    def __init__(self, sheet: Worksheet, rule: Rule, text: Mapping[str, str]):
        self.page, self.sheet, self.rule, self.text = sheet, sheet.sheet, rule, text
        self.passes, self.rounds = len(rule.tables), rule.event_rounds
        self.last, self.inputs = FIRST_ROUND + self.rounds - 1, self._inputs()
        out = ["left_out"] * rule.reduced
        self.shown = ["round", *self.inputs, *self.worked, "points", *out, "check"]
        self.hidden = ["kind", *self.looked_up, *["weakness"] * rule.reduced]
        self.column = {key: n for n, key in enumerate([*self.shown, *self.hidden])}
        self.own, self.number = "$B$4", "$B$5"
        # The row above the points of this pass and own MP on the sheet of points; -1 if unknown.
        self.base = xl_rowcol_to_cell(3, self.column["kind"], row_abs=True, col_abs=True)

    def _inputs(self) -> list[str]:
        """The columns of a round to fill in, by key."""
        return ["opponent_mp" if self.passes == 1 else "counts_as", "gp"]

    def write(self) -> None:
        """Write the whole sheet."""
        sheet, text, end = self.sheet, self.text, len(self.shown) - 1
        sheet.set_column(0, 0, 26)
        sheet.set_column(1, end - 1, 16)
        sheet.set_column(end, end, 34)
        sheet.set_column(self.column["kind"], len(self.column) - 1, None, None, {"hidden": True})
        self.page.put(0, 0, text["xlsx.title"], "title")
        fill_in = text["xlsx.fill_in"].format(bye=text["doc.bye"])
        several = f" {text['xlsx.fill_in_counts_as']}" if "counts_as" in self.inputs else ""
        self.page.wrapped(1, 0, end, fill_in + several, 100)
        self._head()
        for row in range(FIRST_ROUND, self.last + 1):
            self._round(row)
        self._validations()
        self._sum()
        self._mark(end, f"{self._cell('kind', FIRST_ROUND)}={_WRONG}", "wrong")
        if self.rule.reduced:
            marked = f"LEN({self._cell('left_out', FIRST_ROUND)})>0"
            self._mark(self.column["left_out"] - 1, marked, "left_out")
        sheet.print_area(0, 0, self.last + 2, end)
        sheet.freeze_panes(FIRST_ROUND, 1)
        sheet.protect(options={"format_columns": True, "format_rows": True})

    def _mark(self, last: int, when: str, style: str) -> None:
        """Give the cells of rounds, up to a column, a style where a formula holds."""
        how = {"type": "formula", "criteria": f"={when}", "format": self.page.book.format(style)}
        self.sheet.conditional_format(FIRST_ROUND, 0, self.last, last, how)

    def _cell(self, key: str, row: int) -> str:
        """The address of a cell of a round, with its column fixed."""
        return xl_rowcol_to_cell(row, self.column[key], col_abs=True)

    def _all(self, key: str) -> str:
        """The address of a column over all rounds."""
        return xl_range_abs(FIRST_ROUND, self.column[key], self.last, self.column[key])

    def _in_points(self, row: int, column: int, last_row: int, last_column: int) -> str:
        return f"{POINTS_SHEET}!{xl_range_abs(row, column, last_row, last_column)}"

    def _head(self) -> None:
        text, put = self.text, self.page.put
        put(3, 0, text["doc.own_mp"], "bold")
        put(3, 1, None, "input")
        of_pass = ""
        if self.passes > 1:
            put(4, 0, text["doc.pass"], "bold")
            put(4, 1, self.passes, "input")
            this = f"IF(LEN(TRIM({self.number}))=0,{self.passes},{self.number})"
            of_pass = f"MATCH({this},{self._in_points(1, 0, self._points_rows, 0)},0)-1+"
        # An empty cell would be looked up as 0.
        found = f"IF(ISNUMBER({self.own}),{of_pass}{self._own_row()},-1)"
        put(3, self.column["kind"], -1, formula=f"IFERROR({found},-1)")
        for key in self.shown:
            label = text["xlsx.check" if key == "check" else f"doc.{key}"]
            put(FIRST_ROUND - 1, self.column[key], label, "head")
        self.page.put_row(FIRST_ROUND - 1, len(self.shown), self.hidden)

    def _own_row(self) -> str:
        """The formula of the row of the own match points on the sheet of points, from 0."""
        return f"MATCH({self.own},{self._in_points(1, 1, self._points_rows, 1)},0)-1"

    @property
    def _points_rows(self) -> int:
        passes, shares, width, _ = self.rule.tables.shape
        return passes * shares * width

    def _limits(self, key: str) -> tuple[float, float, int]:
        """The lowest and highest value of an input, and into how many parts 1 may be divided."""
        most_mp = 2 * self.rounds
        if key == "gp":
            return 0, self.rule.boards, 2
        if key == "counts_as":
            most = most_refinement(self.rounds, self.parts) / self.parts
            return -most, most_mp + most, self.parts
        return 0, most_mp, 1

    def _valid(self, key: str, row: int) -> str:
        """Formula: whether an input is an allowed number."""
        least, most, parts = self._limits(key)
        cell = self._cell(key, row)
        whole = f"ABS({parts}*{cell}-ROUND({parts}*{cell},0))<0.000001"
        return f"IF(ISNUMBER({cell}),IF({cell}>={least:g},IF({cell}<={most:g},{whole})))"

    def _is_bye(self, row: int) -> str:
        word = f"LOWER(TRIM({self._cell(self.inputs[0], row)}))"
        spoken = dict.fromkeys(("bye", self.text["doc.bye"].lower()))
        return f"OR({','.join(f'{word}={_quoted(w)}' for w in spoken)})"

    def _round(self, row: int) -> None:
        kind = self._cell("kind", row)
        for key in self.inputs:
            self.page.put(row, self.column[key], None, "input")
        self.page.put(row, 0, row - FIRST_ROUND + 1, "centred")

        empty = "+".join(f"LEN(TRIM({self._cell(key, row)}))" for key in self.inputs) + "=0"
        valid = ",".join(self._valid(key, row) for key in self.inputs)
        played = f"IF(AND({valid}),{_MATCH},{_WRONG})"
        is_kind = f"IF({empty},{_EMPTY},IF({self._is_bye(row)},{_BYE},{played}))"
        self.page.put(row, self.column["kind"], _EMPTY, formula=is_kind)

        known = f"AND({kind}={_MATCH},{self.base}>=0)"
        low = self._points_of(row, known)
        self._formula(row, "points", f'IF({known},{low},IF({kind}={_BYE},0,""))', "centred")

        if self.rule.reduced:
            self._left_out(row, known)
        wrong = _quoted(self.text["xlsx.wrong_row"])
        self._formula(row, "check", f'IF({kind}={_WRONG},{wrong},"")')

    def _points_of(self, row: int, known: str) -> str:
        """The formula of the points of a round; writes the hidden cells that it uses."""
        tenths, column = self._cell("tenths", row), self._cell("column", row)
        reading = self._cell(self.inputs[-2], row)
        width, results = self.rule.tables.shape[2:]
        wide, heads = self._in_points(1, 2, width, 2), self._in_points(0, 3, 0, 2 + results)
        self._formula(row, "tenths", f'IF({known},ROUND({TENTHS}*{reading},0),"")')
        self._formula(row, "column", f'IF({known},MATCH(INT({tenths}/{TENTHS}),{wide},0),"")')
        numbers = self._in_points(1, 3, self._points_rows, 2 + results)
        gp = f"MATCH(ROUND(2*{self._cell('gp', row)},0)/2,{heads},0)"

        def entry(k: str) -> str:
            return f"INDEX({numbers},{self.base}+{k},{gp})"

        return entry(column) if self.passes == 1 else interpolated(entry, column, width, tenths)

    def _left_out(self, row: int, known: str) -> None:
        """Mark the round that is left out."""
        kind, points, every = self._cell("kind", row), self._cell("points", row), self.rule.tables
        # A number that sorts by weakness: byes, then by MP, by what decides, by round.
        mp, this, last = self._cell("opponent_mp", row), row - FIRST_ROUND, self.rounds
        decides, span = f"({points}-{every.min()})", int(every.max() - every.min()) + 1
        order = f"({mp}*{span}+{decides})*{last}+{this}"
        self._formula(row, "weakness", f'IF({known},{order},IF({kind}={_BYE},{this - last},""))')
        weakness, out = self._cell("weakness", row), _quoted(self.text["doc.left_out"])
        weakest = f"IF(ISNUMBER({weakness}),{weakness}=MIN({self._all('weakness')}))"
        self._formula(row, "left_out", f'IF({weakest},{out},"")')

    def _formula(self, row: int, key: str, formula: str, style: str = "") -> None:
        """Write a formula; its cell shows nothing until the inputs are filled in."""
        self.page.put(row, self.column[key], "", style, formula)

    @property
    def _needed(self) -> list[str]:
        """What must stand in the cells above the rounds: own match points and, of several, pass."""
        own = self.text["xlsx.need_own"].format(most=2 * self.rounds)
        several = self.text["xlsx.need_pass"].format(passes=self.passes)
        return [own, several] if self.passes > 1 else [own]

    def _validations(self) -> None:
        for row, (need, ends) in enumerate(
            zip(self._needed, ((0, 2 * self.rounds), (1, self.passes)), strict=False), start=3
        ):
            least, most = ends
            asked = {"validate": "integer", "minimum": least, "maximum": most}
            self._validate(row, 1, row, {"criteria": "between", **asked}, need)
        for key in self.inputs:
            valid, (least, most, _) = self._valid(key, FIRST_ROUND), self._limits(key)
            refined = "need_counts_as" if self.parts == TENTHS else "need_hundredths"
            name = {"opponent_mp": "need_mp", "gp": "need_gp", "counts_as": refined}[key]
            if key == self.inputs[0]:
                valid = f"OR({self._is_bye(FIRST_ROUND)},{valid})"
                name += "_or_bye" if key == "counts_as" else ""
            fields = {"least": f"{least:g}", "most": f"{most:g}", "boards": self.rule.boards}
            need = self.text[f"xlsx.{name}"].format(**fields, bye=self.text["doc.bye"])
            asked = {"validate": "custom", "value": f"={valid}"}
            self._validate(FIRST_ROUND, self.column[key], self.last, asked, need)

    def _validate(
        self, row: int, column: int, last: int, asked: Mapping[str, object], need: str
    ) -> None:
        """Refuse invalid input of a cell, and show what is allowed when it is selected."""
        messages = {"error_title": "TB2", "error_message": need, "input_message": need}
        self.sheet.data_validation(row, column, last, column, {**asked, **messages})

    def _sum(self) -> None:
        put, text, row = self.page.put, self.text, self.last + 2
        kinds, points = self._all("kind"), self._all("points")
        put(row - 1, 0, text["xlsx.rounds_entered"].format(rounds=self.rounds))
        count = f"COUNTIF({kinds},{_BYE})+COUNTIF({kinds},{_MATCH})"
        put(row - 1, 1, 0, "centred", count)
        total = f"SUM({points})"
        if self.rule.reduced:
            weakness = self._all("weakness")
            weakest = f"INDEX({points},MATCH(MIN({weakness}),{weakness},0))"
            total = f"{total}-IF(COUNT({weakness})>0,{weakest},0)"
        missing, wrong = " ".join(self._needed), _quoted(text["xlsx.wrong_rows"])
        refused = f"COUNTIF({kinds},{_WRONG})>0"
        put(row, 0, text["doc.tb2"], "bold")
        put(row, 1, "", "result", f'IF(OR({self.base}<0,{refused}),"",{total})')
        why = f'IF({self.base}<0,{_quoted(missing)},IF({refused},{wrong},""))'
        put(row, 2, missing, "wrong", why)


class FormulaWorkingSheet(WorkingSheet):
    """The sheet to fill in for a formula, which is the same in every pass."""

    worked = ("expected",)
    looked_up = ()
    parts = HUNDRED

    def _inputs(self) -> list[str]:
        return ["counts_as", "gp"]

    def _own_row(self) -> str:
        most = 2 * self.rounds
        whole = f"AND({self.own}>=0,{self.own}<={most},{self.own}=INT({self.own}))"
        return f"IF({whole},{self.own},-1)"

    def _points_of(self, row: int, known: str) -> str:
        lead = f"({self.own}-{self._cell('counts_as', row)})"
        expected = expected_formula(self.rule, lead, self.rule.constants["a"])
        self._formula(row, "expected", f'IF({known},{expected},"")', "four_decimals")
        return f"{self._cell('gp', row)}-{self._cell('expected', row)}"


def expected_formula(rule: Rule, lead: str, a: float) -> str:
    """The formula of the game points that a formula expects.

    **Arguments:** `lead`: the formula of the lead, in the points in which the constant `a` is.
    """
    return f"ROUND({rule.boards}/(1+10^(-{lead}/{a!r})),4)"


def interpolated(entry: Callable[[str], str], column: str, width: int, tenths: str) -> str:
    """The formula of the points of an opponent that counts as tenths of match points.

    **Arguments:**

    - `entry`: the formula of an entry, by that of its column.
    - `column`: the formula of the column below, counted from 1.
    - `width`: how many columns there are.
    - `tenths`: the formula of what the opponent counts as.
    """
    above = f"MOD({tenths},{TENTHS})"
    high = entry(f"MIN({column}+1,{width})")
    weighted = f"({TENTHS}-{above})*{entry(column)}+{above}*{high}"
    # All numbers are whole. Halves round up, also below zero, as INT rounds down.
    return f"INT(({weighted}+{TENTHS // 2})/{TENTHS})"


def _quoted(word: str) -> str:
    """A text as a string in a formula."""
    return '"' + word.replace('"', '""') + '"'
