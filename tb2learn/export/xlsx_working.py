"""The sheet of a workbook that computes a team's TB2 by formulas, from what is filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_range_abs, xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from tb2learn.export.document_xlsx import write_formula, write_wrapped
from tb2learn.tiebreaks.passes import TENTHS, most_refinement
from tb2learn.tiebreaks.rules import Rule

POINTS_SHEET = "table"
"""The sheet with all points in one rectangle, in which the formulas look them up."""

FIRST_ROUND = 7
"""The row of the first round on the sheet to fill in, counted from 0."""

_EMPTY, _BYE, _MATCH, _WRONG = range(4)


_CENTRED = {"align": "center"}
_FRAMED = {"border": 1, "align": "center"}
_STYLES: Mapping[str, Mapping[str, object]] = {
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
}


def styles_of(book: Workbook) -> dict[str, Format]:
    """The cell formats of a workbook by name, added to it."""
    return {name: book.add_format(dict(style)) for name, style in _STYLES.items()}


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

    def __init__(
        self, sheet: Worksheet, rule: Rule, text: Mapping[str, str], s: Mapping[str, Format]
    ):
        self.sheet, self.rule, self.text, self.styles = sheet, rule, text, s
        self.reduced = rule.reduced
        self.passes, self.rounds = len(rule.tables), rule.event_rounds
        self.last = FIRST_ROUND + self.rounds - 1
        self.inputs = self._inputs()
        shown = ["round", *self.inputs, *self.worked, "points"]
        shown += [*(["left_out"] if self.reduced else []), "check"]
        hidden = ["kind", *self.looked_up, *(["weakness"] if self.reduced else [])]
        self.column = {key: n for n, key in enumerate([*shown, *hidden])}
        self.shown, self.hidden = shown, hidden
        self.own, self.number = "$B$4", "$B$5"
        # The row above the points of this pass and own MP on the sheet of points; -1 if unknown.
        self.base = xl_rowcol_to_cell(3, self.column["kind"], row_abs=True, col_abs=True)

    def _inputs(self) -> list[str]:
        """The columns of a round to fill in, by key."""
        counts_as = ["counts_as"] if self.passes > 1 else []
        opponent = ["opponent_mp"] if self.passes == 1 else []
        return [*opponent, *counts_as, "gp"]

    def write(self) -> None:
        """Write the whole sheet."""
        sheet, text, styles = self.sheet, self.text, self.styles
        sheet.set_column(0, 0, 26)
        sheet.set_column(1, len(self.shown) - 2, 16)
        sheet.set_column(len(self.shown) - 1, len(self.shown) - 1, 34)
        sheet.set_column(self.column["kind"], len(self.column) - 1, None, None, {"hidden": True})
        sheet.write_string(0, 0, text["xlsx.title"], styles["title"])
        fill_in = text["xlsx.fill_in"].format(bye=text["doc.bye"])
        several = f" {text['xlsx.fill_in_counts_as']}" if "counts_as" in self.inputs else ""
        across = (0, len(self.shown) - 1)
        write_wrapped(sheet, 1, across, fill_in + several, styles["wrapped"], width=100)
        self._head()
        for row in range(FIRST_ROUND, self.last + 1):
            self._round(row)
        self._validations()
        self._sum()
        kind, left_out = self._cell("kind", FIRST_ROUND), self.column.get("left_out")
        across = (FIRST_ROUND, 0, self.last, len(self.shown) - 1)
        wrong = {"type": "formula", "criteria": f"={kind}={_WRONG}", "format": styles["wrong"]}
        sheet.conditional_format(*across, wrong)
        if left_out is not None:
            marked = f"=LEN({self._cell('left_out', FIRST_ROUND)})>0"
            struck = {"type": "formula", "criteria": marked, "format": styles["left_out"]}
            sheet.conditional_format(*across[:3], left_out - 1, struck)
        sheet.print_area(0, 0, self.last + 2, len(self.shown) - 1)
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
        sheet.write_string(3, 0, text["doc.own_mp"], styles["bold"])
        sheet.write_blank(3, 1, None, styles["input"])
        of_pass = ""
        if self.passes > 1:
            sheet.write_string(4, 0, text["doc.pass"], styles["bold"])
            sheet.write_number(4, 1, self.passes, styles["input"])
            number = f"IF(LEN(TRIM({self.number}))=0,{self.passes},{self.number})"
            of_pass = f"MATCH({number},{self._in_points(1, 0, self._points_rows, 0)},0)-1+"
        # An empty cell would be looked up as 0.
        found = f"IF(ISNUMBER({self.own}),{of_pass}{self._own_row()},-1)"
        write_formula(sheet, 3, self.column["kind"], f"=IFERROR({found},-1)", None, -1)
        for key in self.shown:
            label = text["xlsx.check" if key == "check" else f"doc.{key}"]
            sheet.write_string(FIRST_ROUND - 1, self.column[key], label, styles["head"])
        for key in self.hidden:
            sheet.write_string(FIRST_ROUND - 1, self.column[key], key)

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
            most = most_refinement(self.rounds) / TENTHS
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
        of_language = self.text["doc.bye"].lower()
        spoken = ["bye", *([of_language] if of_language != "bye" else [])]
        return f"OR({','.join(f'{word}={_quoted(w)}' for w in spoken)})"

    def _round(self, row: int) -> None:
        sheet, styles = self.sheet, self.styles
        kind = self._cell("kind", row)
        for key in self.inputs:
            sheet.write_blank(row, self.column[key], None, styles["input"])
        sheet.write_number(row, 0, row - FIRST_ROUND + 1, styles["centred"])

        empty = "+".join(f"LEN(TRIM({self._cell(key, row)}))" for key in self.inputs) + "=0"
        valid = ",".join(self._valid(key, row) for key in self.inputs)
        played = f"IF(AND({valid}),{_MATCH},{_WRONG})"
        is_kind = f"=IF({empty},{_EMPTY},IF({self._is_bye(row)},{_BYE},{played}))"
        write_formula(sheet, row, self.column["kind"], is_kind, None, _EMPTY)

        known = f"AND({kind}={_MATCH},{self.base}>=0)"
        low = self._points_of(row, known)
        self._formula(row, "points", f'IF({known},{low},IF({kind}={_BYE},0,""))', styles["centred"])

        if self.reduced:
            self._left_out(row, known)
        wrong = _quoted(self.text["xlsx.wrong_row"])
        self._formula(row, "check", f'IF({kind}={_WRONG},{wrong},"")')

    def _points_of(self, row: int, known: str) -> str:
        """The formula of the points of a round; writes the hidden cells that it uses."""
        tenths, column = self._cell("tenths", row), self._cell("column", row)
        reading = self._cell(self.inputs[-2], row)
        width, results = self.rule.tables.shape[2:]
        wide = self._in_points(1, 2, width, 2)
        self._formula(row, "tenths", f'IF({known},ROUND({TENTHS}*{reading},0),"")')
        self._formula(row, "column", f'IF({known},MATCH(INT({tenths}/{TENTHS}),{wide},0),"")')
        numbers, gp = self._in_points(1, 3, self._points_rows, 2 + results), self._gp(row)

        def entry(k: str) -> str:
            return f"INDEX({numbers},{self.base}+{k},{gp})"

        return entry(column) if self.passes == 1 else interpolated(entry, column, width, tenths)

    def _gp(self, row: int) -> str:
        """The formula of the column of a round's game points."""
        heads = self._in_points(0, 3, 0, 2 + self.rule.tables.shape[3])
        return f"MATCH(ROUND(2*{self._cell('gp', row)},0)/2,{heads},0)"

    def _left_out(self, row: int, known: str) -> None:
        """Mark the round that is left out."""
        kind, points, every = self._cell("kind", row), self._cell("points", row), self.rule.tables
        # A number that sorts by weakness: byes, then by MP, by what decides, by round.
        mp, number, last = self._cell("opponent_mp", row), row - FIRST_ROUND, self.rounds
        decides, span = f"({points}-{every.min()})", int(every.max() - every.min()) + 1
        order = f"({mp}*{span}+{decides})*{last}+{number}"
        bye = f"{number - last}"
        self._formula(row, "weakness", f'IF({known},{order},IF({kind}={_BYE},{bye},""))')
        weakness, out = self._cell("weakness", row), _quoted(self.text["doc.left_out"])
        weakest = f"IF(ISNUMBER({weakness}),{weakness}=MIN({self._all('weakness')}))"
        self._formula(row, "left_out", f'IF({weakest},{out},"")')

    def _formula(self, row: int, key: str, formula: str, style: Format | None = None) -> None:
        """Write a formula; its cell shows nothing until the inputs are filled in."""
        write_formula(self.sheet, row, self.column[key], f"={formula}", style, "")

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
        write_formula(sheet, row - 1, 1, count, styles["centred"], 0)
        total = f"SUM({points})"
        if self.reduced:
            weakness = self._all("weakness")
            weakest = f"INDEX({points},MATCH(MIN({weakness}),{weakness},0))"
            total = f"{total}-IF(COUNT({weakness})>0,{weakest},0)"
        need = [text["xlsx.need_own"].format(most=2 * self.rounds)]
        need += [text["xlsx.need_pass"].format(passes=self.passes)] if self.passes > 1 else []
        missing, wrong = " ".join(need), text["xlsx.wrong_rows"]
        refused = f"COUNTIF({kinds},{_WRONG})>0"
        sheet.write_string(row, 0, text["doc.tb2"], styles["bold"])
        known = f'=IF(OR({self.base}<0,{refused}),"",{total})'
        write_formula(sheet, row, 1, known, styles["result"], "")
        why = f'=IF({self.base}<0,{_quoted(missing)},IF({refused},{_quoted(wrong)},""))'
        write_formula(sheet, row, 2, why, styles["wrong"], missing)


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


class FormulaWorkingSheet(WorkingSheet):
    """The sheet to fill in for a formula, which is the same in every pass."""

    worked = ("expected",)
    looked_up = ()
    parts = 10_000

    def _inputs(self) -> list[str]:
        return ["counts_as", "gp"]

    def _own_row(self) -> str:
        most = 2 * self.rounds
        whole = f"AND({self.own}>=0,{self.own}<={most},{self.own}=INT({self.own}))"
        return f"IF({whole},{self.own},-1)"

    def _points_of(self, row: int, known: str) -> str:
        lead = f"({self.own}-{self._cell('counts_as', row)})"
        expected = f"{self.rule.boards}/(1+10^(-{lead}/{self.rule.constants['a']!r}))"
        self._formula(row, "expected", f'IF({known},{expected},"")', self.styles["four_decimals"])
        return f"{self._cell('gp', row)}-{self._cell('expected', row)}"


def _quoted(word: str) -> str:
    """A text as a string in a formula."""
    return '"' + word.replace('"', '""') + '"'
