"""A lookup table as an Excel workbook: instruction, a sheet that computes a TB2, the tables."""

from __future__ import annotations

import datetime
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_range_abs, xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from tb2learn.export.table import header, worked_example
from tb2learn.export.words import how_to_use, words
from tb2learn.text import plain
from tb2learn.tiebreaks.passes import TENTHS, most_refinement
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

CREATED = datetime.datetime(2026, 1, 1)
"""The date in every workbook, constant so that equal rules give equal bytes."""

POINTS_SHEET = "table"
"""The sheet with all points in one rectangle, in which the formulas look them up."""

FIRST_ROUND = 7
"""The row of the first round on the sheet to fill in, counted from 0."""

_A4 = 9
_LIGHT, _DARK = "#FFFFFF", "#9FB6CD"  # light to dark, so that it prints well in black and white
_EMPTY, _BYE, _MATCH, _WRONG = range(4)
_MOST_FOOTER = 80  # Excel allows 255 characters including the page numbers


def table_xlsx(rule: Rule, language: str = "en") -> bytes:
    """The rule as an Excel workbook without macros.

    Sheets: the instruction with a worked example; a sheet to fill in, which computes the TB2 of one
    team by formulas; a sheet for every own MP (its passes below each other); and `table`, with all
    points in one rectangle.

    **Arguments:**

    - `rule`: a rule with tables.
    - `language`: one of `LANGUAGES`.

    **Returns:** the file's content, the same bytes for the same rule.

    **Raises:** `InputError` for a rule without a table and for another language.
    """
    text = words(language)
    if not rule.has_tables:
        raise InputError(f"{rule.name} has no table for a workbook: export it as csv, json or pdf")
    buffer = io.BytesIO()
    book = Workbook(
        buffer,
        {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        },
    )
    book.set_properties({"title": plain(rule.name), "created": CREATED})
    book.set_calc_mode("auto")
    styles = _Styles.of(book)
    name = plain(rule.name)
    _instruction(_sheet(book, text["xlsx.use"], name), rule, language, styles)
    _Working(_sheet(book, text["xlsx.working"], name), rule, text, styles).write()
    for own in range(2 * rule.event_rounds + 1):
        sheet = _sheet(book, f"{text['doc.mp']} {own}", name, landscape=True)
        _own_mp(sheet, rule, own, text, styles)
    _points(_sheet(book, POINTS_SHEET, name), rule, text, styles)
    book.close()
    return buffer.getvalue()


@dataclass(frozen=True)
class _Styles:
    """The cell formats of a workbook."""

    title: Format
    bold: Format
    head: Format
    wrapped: Format
    step: Format
    centred: Format
    tenths: Format
    left_out: Format
    input: Format
    wrong: Format
    result: Format

    @classmethod
    def of(cls, book: Workbook) -> _Styles:
        centred = {"align": "center"}
        framed = {"border": 1, "align": "center"}
        return cls(
            title=book.add_format({"bold": True, "font_size": 14}),
            bold=book.add_format({"bold": True}),
            head=book.add_format({**centred, "bold": True, "text_wrap": True, "valign": "vcenter"}),
            wrapped=book.add_format({"text_wrap": True, "valign": "top"}),
            step=book.add_format({**centred, "valign": "top"}),
            centred=book.add_format(centred),
            tenths=book.add_format({**centred, "num_format": "0.0"}),
            left_out=book.add_format({"font_strikeout": True, "font_color": "#595959"}),
            input=book.add_format({**framed, "bg_color": "#FFF9DB", "locked": False}),
            wrong=book.add_format({"bold": True, "font_color": "#C00000"}),
            result=book.add_format({**framed, "bold": True, "border": 2}),
        )


def _sheet(book: Workbook, title: str, name: str, landscape: bool = False) -> Worksheet:
    """A new sheet that prints on A4, one page wide, with the rule's name and page numbers."""
    sheet = book.add_worksheet(title)
    sheet.set_paper(_A4)
    if landscape:
        sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
    # An ampersand is a command in a footer, unless doubled.
    sheet.set_footer(f"&L{name[:_MOST_FOOTER].replace('&', '&&')}&C&A&R&P / &N")
    return sheet


def _instruction(sheet: Worksheet, rule: Rule, language: str, styles: _Styles) -> None:
    """Write the sheet with the header, the instruction and the worked example."""
    text = words(language)
    sheet.set_column(0, 0, 18)
    sheet.set_column(1, 5, 15)
    sheet.write_string(0, 0, text["doc.title"], styles.title)
    row = 1
    for key, value in header(rule, language).items():
        row += 1
        sheet.write_string(row, 0, text[f"doc.{key}"], styles.bold)
        sheet.merge_range(row, 1, row, 5, "", styles.wrapped)
        _text(sheet, row, 1, value, styles.wrapped, width=85)
    row += 2
    sheet.write_string(row, 0, text["doc.how_to_use"], styles.bold)
    for number, sentence in enumerate(how_to_use(rule, language), start=1):
        row += 1
        sheet.write_number(row, 0, number, styles.step)
        sheet.merge_range(row, 1, row, 5, "", styles.wrapped)
        _text(sheet, row, 1, sentence, styles.wrapped, width=85)
    row += 2
    sheet.write_string(row, 0, text["doc.example"], styles.bold)
    _example(sheet, row + 1, rule, text, styles)


def _text(sheet: Worksheet, row: int, column: int, value: str, style: Format, width: int) -> None:
    """Write a text, never as a formula, in a row high enough for lines of `width` characters."""
    shown = plain(value)
    sheet.set_row(row, 15 * (1 + len(shown) // width))
    sheet.write_string(row, column, shown, style)


def _example(
    sheet: Worksheet, row: int, rule: Rule, text: Mapping[str, str], styles: _Styles
) -> None:
    """Write the worked example with the columns of the sheet to fill in."""
    example, passes = worked_example(rule), rule.passes
    sheet.write_string(row, 0, text["doc.own_mp"])
    sheet.write_number(row, 1, example.own_mp, styles.centred)
    if passes > 1:
        sheet.write_string(row, 2, text["doc.pass"])
        sheet.write_number(row, 3, passes, styles.centred)
    names = ["round", "opponent_mp", *(["counts_as"] if passes > 1 else []), "gp", "points"]
    for column, key in enumerate(names):
        sheet.write_string(row + 1, column, text[f"doc.{key}"], styles.head)
    row += 2
    for number, item in enumerate(example.items, start=1):
        cells = [number, item.opponent_mp]
        cells += [item.tenths / TENTHS] if passes > 1 else []
        cells += [item.half_points / 2, item.points]
        for column, (key, value) in enumerate(zip(names, cells, strict=True)):
            style = styles.tenths if key == "counts_as" else styles.centred
            sheet.write_number(row, column, value, style)
        if item.left_out:
            sheet.write_string(row, len(names), text["doc.left_out"])
        row += 1
    sheet.write_string(row, 0, text["doc.tb2"], styles.bold)
    sheet.write_number(row, len(names) - 1, example.tb2, styles.result)


class _Working:
    """The sheet to fill in: inputs, checks, the points of every round, the sum.

    Formulas are plain look-ups (`INDEX`, `MATCH`) in the sheet of points. Hidden columns on the
    right hold, for every round, the kind of entry, what the opponent counts as in tenths, its
    column of the table and, if the weakest opponent is left out, a number that orders the opponents
    by weakness.
    """

    def __init__(self, sheet: Worksheet, rule: Rule, text: Mapping[str, str], s: _Styles):
        self.sheet, self.rule, self.text, self.styles = sheet, rule, text, s
        self.reduced = rule.reduced
        self.passes, self.rounds = rule.passes, rule.event_rounds
        self.last = FIRST_ROUND + self.rounds - 1
        counts_as = ["counts_as"] if self.passes > 1 else []
        opponent = ["opponent_mp"] if self.reduced or self.passes == 1 else []
        self.inputs = [*opponent, *counts_as, "gp"]
        shown = ["round", *self.inputs, "points", *(["left_out"] if self.reduced else []), "check"]
        hidden = ["kind", "tenths", "column", *(["weakness"] if self.reduced else [])]
        self.column = {key: n for n, key in enumerate([*shown, *hidden])}
        self.shown, self.hidden = shown, hidden
        self.own, self.number = "$B$4", "$B$5"
        # The row above the points of this pass and own MP on the sheet of points; -1 if unknown.
        self.base = xl_rowcol_to_cell(3, self.column["kind"], row_abs=True, col_abs=True)

    def write(self) -> None:
        """Write the whole sheet."""
        sheet, text, styles = self.sheet, self.text, self.styles
        sheet.set_column(0, 0, 26)
        sheet.set_column(1, len(self.shown) - 2, 16)
        sheet.set_column(len(self.shown) - 1, len(self.shown) - 1, 34)
        sheet.set_column(self.column["kind"], len(self.column) - 1, None, None, {"hidden": True})
        sheet.write_string(0, 0, text["xlsx.title"], styles.title)
        sheet.merge_range(1, 0, 1, len(self.shown) - 1, "", styles.wrapped)
        fill_in = text["xlsx.fill_in"].format(bye=text["doc.bye"])
        several = f" {text['xlsx.fill_in_counts_as']}" if self.passes > 1 else ""
        _text(sheet, 1, 0, fill_in + several, styles.wrapped, width=100)
        self._head()
        for row in range(FIRST_ROUND, self.last + 1):
            self._round(row)
        self._validations()
        self._sum()
        kind, left_out = self._cell("kind", FIRST_ROUND), self.column.get("left_out")
        across = (FIRST_ROUND, 0, self.last, len(self.shown) - 1)
        wrong = {"type": "formula", "criteria": f"={kind}={_WRONG}", "format": styles.wrong}
        sheet.conditional_format(*across, wrong)
        if left_out is not None:
            marked = f"=LEN({self._cell('left_out', FIRST_ROUND)})>0"
            struck = {"type": "formula", "criteria": marked, "format": styles.left_out}
            sheet.conditional_format(*across[:3], left_out - 1, struck)
        sheet.freeze_panes(FIRST_ROUND, 1)
        sheet.protect(options={"format_columns": True, "format_rows": True})

    def _cell(self, key: str, row: int) -> str:
        """The address of a cell of a round, with its column fixed."""
        return xl_rowcol_to_cell(row, self.column[key], col_abs=True)

    def _all(self, key: str) -> str:
        """The address of a column over all rounds."""
        return xl_range_abs(FIRST_ROUND, self.column[key], self.last, self.column[key])

    def _in_points(self, row: int, column: int, last_row: int, last_column: int) -> str:
        return f"{POINTS_SHEET}!{xl_range_abs(row, column, last_row, last_column)}"

    def _head(self) -> None:
        sheet, text, styles = self.sheet, self.text, self.styles
        sheet.write_string(3, 0, text["doc.own_mp"], styles.bold)
        sheet.write_blank(3, 1, None, styles.input)
        of_pass = ""
        if self.passes > 1:
            sheet.write_string(4, 0, text["doc.pass"], styles.bold)
            sheet.write_number(4, 1, self.passes, styles.input)
            number = f"IF(LEN(TRIM({self.number}))=0,{self.passes},{self.number})"
            of_pass = f"MATCH({number},{self._in_points(1, 0, self._points_rows, 0)},0)-1+"
        own = f"MATCH({self.own},{self._in_points(1, 1, self._points_rows, 1)},0)-1"
        # An empty cell would be looked up as 0.
        found = f"IF(ISNUMBER({self.own}),{of_pass}{own},-1)"
        sheet.write_formula(3, self.column["kind"], f"=IFERROR({found},-1)", None, -1)
        for key in self.shown:
            label = text["xlsx.check" if key == "check" else f"doc.{key}"]
            sheet.write_string(FIRST_ROUND - 1, self.column[key], label, styles.head)
        for key in self.hidden:
            sheet.write_string(FIRST_ROUND - 1, self.column[key], key)

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
            most = most_refinement(self.rounds) / TENTHS
            return -most, most_mp + most, TENTHS
        return 0, most_mp, 1

    def _valid(self, key: str, row: int) -> str:
        """Formula: whether an input is an allowed number."""
        least, most, parts = self._limits(key)
        cell = self._cell(key, row)
        whole = f"ABS({parts}*{cell}-ROUND({parts}*{cell},0))<0.000001"
        return f"IF(ISNUMBER({cell}),IF({cell}>={least:g},IF({cell}<={most:g},{whole})))"

    def _is_bye(self, row: int) -> str:
        word = f"LOWER(TRIM({self._cell(self.inputs[0], row)}))"
        of_language = self.text["doc.bye"].lower()
        spoken = ["bye", *([of_language] if of_language != "bye" else [])]
        return f"OR({','.join(f'{word}={_quoted(w)}' for w in spoken)})"

    def _round(self, row: int) -> None:
        sheet, styles = self.sheet, self.styles
        kind, tenths, column = (self._cell(key, row) for key in ("kind", "tenths", "column"))
        points, reading = self._cell("points", row), self._cell(self.inputs[-2], row)
        for key in self.inputs:
            sheet.write_blank(row, self.column[key], None, styles.input)
        sheet.write_number(row, 0, row - FIRST_ROUND + 1, styles.centred)

        empty = "+".join(f"LEN(TRIM({self._cell(key, row)}))" for key in self.inputs) + "=0"
        valid = ",".join(self._valid(key, row) for key in self.inputs)
        played = f"IF(AND({valid}),{_MATCH},{_WRONG})"
        is_kind = f"=IF({empty},{_EMPTY},IF({self._is_bye(row)},{_BYE},{played}))"
        sheet.write_formula(row, self.column["kind"], is_kind, None, _EMPTY)

        every = self.rule.tables
        width, results = every.shape[2], every.shape[3]
        wide = self._in_points(1, 2, width, 2)
        known = f"AND({kind}={_MATCH},{self.base}>=0)"
        self._formula(row, "tenths", f'IF({known},ROUND({TENTHS}*{reading},0),"")')
        self._formula(row, "column", f'IF({known},MATCH(INT({tenths}/{TENTHS}),{wide},0),"")')
        numbers = self._in_points(1, 3, self._points_rows, 2 + results)
        gp = (
            f"MATCH(ROUND(2*{self._cell('gp', row)},0)/2,{self._in_points(0, 3, 0, 2 + results)},0)"
        )
        low = f"INDEX({numbers},{self.base}+{column},{gp})"
        if self.passes > 1:
            # All numbers are whole. Halves round up, also below zero, as INT rounds down.
            high = f"INDEX({numbers},{self.base}+MIN({column}+1,{width}),{gp})"
            above = f"MOD({tenths},{TENTHS})"
            weighted = f"({TENTHS}-{above})*{low}+{above}*{high}"
            low = f"INT(({weighted}+{TENTHS // 2})/{TENTHS})"
        self._formula(row, "points", f'IF({known},{low},IF({kind}={_BYE},0,""))', styles.centred)

        if self.reduced:
            # A number that sorts by weakness: byes, then by MP, by what decides, by round.
            mp, number, last = self._cell("opponent_mp", row), row - FIRST_ROUND, self.rounds
            decides, span = f"({points}-{every.min()})", int(every.max() - every.min()) + 1
            if self.rule.in_passes:
                decides, span = f"({gp}-1)", results
            order = f"({mp}*{span}+{decides})*{last}+{number}"
            bye = f"{number - last}"
            self._formula(row, "weakness", f'IF({known},{order},IF({kind}={_BYE},{bye},""))')
            weakness, out = self._cell("weakness", row), _quoted(self.text["doc.left_out"])
            weakest = f"IF(ISNUMBER({weakness}),{weakness}=MIN({self._all('weakness')}))"
            self._formula(row, "left_out", f'IF({weakest},{out},"")')
        wrong = _quoted(self.text["xlsx.wrong_row"])
        self._formula(row, "check", f'IF({kind}={_WRONG},{wrong},"")')

    def _formula(self, row: int, key: str, formula: str, style: Format | None = None) -> None:
        """Write a formula; its cell shows nothing until the inputs are filled in."""
        self.sheet.write_formula(row, self.column[key], f"={formula}", style, "")

    def _validations(self) -> None:
        text, most = self.text, 2 * self.rounds
        need = text["xlsx.need_own"].format(most=most)
        self._validate(3, 1, 3, {"validate": "integer", "minimum": 0, "maximum": most}, need)
        if self.passes > 1:
            need = text["xlsx.need_pass"].format(passes=self.passes)
            asked = {"validate": "integer", "minimum": 1, "maximum": self.passes}
            self._validate(4, 1, 4, asked, need)
        for key in self.inputs:
            valid, (least, limit, _) = self._valid(key, FIRST_ROUND), self._limits(key)
            fields = {
                "least": f"{least:g}",
                "most": f"{limit:g}",
                "boards": self.rule.boards,
                "bye": text["doc.bye"],
            }
            names = {"opponent_mp": "need_mp", "gp": "need_gp", "counts_as": "need_counts_as"}
            name = names[key]
            if key == self.inputs[0]:
                valid = f"OR({self._is_bye(FIRST_ROUND)},{valid})"
                name += "_or_bye" if key == "counts_as" else ""
            asked = {"validate": "custom", "value": f"={valid}"}
            need = text[f"xlsx.{name}"].format(**fields)
            self._validate(FIRST_ROUND, self.column[key], self.last, asked, need)

    def _validate(
        self, row: int, column: int, last: int, asked: Mapping[str, object], need: str
    ) -> None:
        """Refuse invalid input of a cell, and show what is allowed when it is selected."""
        if asked["validate"] == "integer":
            asked = {"criteria": "between", **asked}
        messages = {"error_title": "TB2", "error_message": need, "input_message": need}
        self.sheet.data_validation(row, column, last, column, {**asked, **messages})

    def _sum(self) -> None:
        sheet, text, styles, row = self.sheet, self.text, self.styles, self.last + 2
        entered = text["xlsx.rounds_entered"].format(rounds=self.rounds)
        kinds, points = self._all("kind"), self._all("points")
        sheet.write_string(row - 1, 0, entered)
        count = f"=COUNTIF({kinds},{_BYE})+COUNTIF({kinds},{_MATCH})"
        sheet.write_formula(row - 1, 1, count, styles.centred, 0)
        total = f"SUM({points})"
        if self.reduced:
            weakness = self._all("weakness")
            weakest = f"INDEX({points},MATCH(MIN({weakness}),{weakness},0))"
            total = f"{total}-IF(COUNT({weakness})>0,{weakest},0)"
        need = [text["xlsx.need_own"].format(most=2 * self.rounds)]
        need += [text["xlsx.need_pass"].format(passes=self.passes)] if self.passes > 1 else []
        missing, wrong = " ".join(need), text["xlsx.wrong_rows"]
        refused = f"COUNTIF({kinds},{_WRONG})>0"
        sheet.write_string(row, 0, text["doc.tb2"], styles.bold)
        known = f'=IF(OR({self.base}<0,{refused}),"",{total})'
        sheet.write_formula(row, 1, known, styles.result, "")
        why = f'=IF({self.base}<0,{_quoted(missing)},IF({refused},{_quoted(wrong)},""))'
        sheet.write_formula(row, 2, why, styles.wrong, missing)


def _quoted(word: str) -> str:
    """A text as a string in a formula."""
    return '"' + word.replace('"', '""') + '"'


def _own_mp(
    sheet: Worksheet,
    rule: Rule,
    own: int,
    text: Mapping[str, str],
    styles: _Styles,
) -> None:
    """Write the tables of one own MP, pass below pass, under one row of opponent's MP."""
    every = rule.tables
    opponent = "doc.opponent_counts_as" if rule.in_passes else "doc.opponent_mp"
    sheet.set_column(0, 0, 10)
    sheet.set_column(1, every.shape[2], 5)
    sheet.write_string(0, 0, text["doc.own_mp_number"].format(number=own), styles.title)
    sheet.write_string(1, 1, text[opponent], styles.bold)
    sheet.write_string(2, 0, text["doc.gp"], styles.head)
    _numbers(sheet, 2, 1, rule.columns, styles.head)
    row = 3
    for number, table in enumerate(every, start=1):
        if len(every) > 1:
            label = text["doc.pass_number"].format(number=number)
            sheet.write_string(row, 0, label, styles.bold)
            row += 1
        block = table[own].T
        for half_points, values in enumerate(block):
            sheet.write_number(row + half_points, 0, half_points / 2, styles.head)
            _numbers(sheet, row + half_points, 1, values.tolist(), styles.centred)
        # Equal points have the same shade on all sheets of a pass.
        scale = {
            "type": "2_color_scale",
            "min_type": "num",
            "max_type": "num",
            "min_value": int(table.min()),
            "max_value": int(table.max()),
            "min_color": _LIGHT,
            "max_color": _DARK,
        }
        sheet.conditional_format(row, 1, row + len(block) - 1, every.shape[2], scale)
        row += len(block) + 1
    sheet.freeze_panes(3, 1)
    sheet.repeat_rows(0, 2)


def _points(sheet: Worksheet, rule: Rule, text: Mapping[str, str], styles: _Styles) -> None:
    """Write all points in one rectangle: rows for pass, own MP, opponent's MP; columns for GP."""
    every, opponent = rule.tables, rule.columns
    for column, key in enumerate(("pass", "own_mp", "opponent_mp")):
        sheet.write_string(0, column, text[f"doc.{key}"], styles.bold)
    _numbers(sheet, 0, 3, [half / 2 for half in range(every.shape[3])], styles.bold)
    row = 1
    for number, own in np.ndindex(every.shape[:2]):
        for mp, values in zip(opponent, every[number, own].tolist(), strict=True):
            _numbers(sheet, row, 0, [number + 1, own, mp, *values], None)
            row += 1
    sheet.set_column(0, 2, 14)
    sheet.freeze_panes(1, 3)
    sheet.repeat_rows(0)


def _numbers(
    sheet: Worksheet, row: int, column: int, values: Sequence[float], style: Format | None
) -> None:
    for at, value in enumerate(values, start=column):
        sheet.write_number(row, at, value, style)
