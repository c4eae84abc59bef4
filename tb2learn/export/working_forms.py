"""The working sheet of a team as a PDF, and as a workbook whose cells are formulas.

In the workbook every number that follows from others is a formula: what an opponent counts as, the
entry of the table, the sums. A number that a policy for unplayed rounds makes in another way is
written as a number.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_range_abs, xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from tb2learn.export.document import Grid, Sentences
from tb2learn.export.document_pdf import document_pdf
from tb2learn.export.document_xlsx import new_book, new_sheet, write_formula, write_wrapped
from tb2learn.export.working import (
    HEADS,
    PassSheet,
    RoundInPass,
    TeamSheet,
    pass_columns,
    pass_name,
    who,
    working_document,
)
from tb2learn.text import number, plain
from tb2learn.tiebreaks.paired import LeastSquares
from tb2learn.tiebreaks.passes import HUNDRED, MOST_REFINEMENT, TENTHS, most_refinement
from tb2learn.tiebreaks.rules import Rule

WORKING, OPPONENTS, TABLES = "working", "opponents", "table"
"""Names of the sheets."""

_EXACT = 1e-6
_FORMULA = 1e-3  # scores of a formula are rounded to four decimals, round by round


def working_pdf(sheet: TeamSheet, language: str = "en") -> bytes:
    """The working sheet as a PDF."""
    return document_pdf(working_document(sheet, language))


def working_xlsx(sheet: TeamSheet, language: str = "en") -> bytes:
    """The working sheet as a workbook."""
    buffer = io.BytesIO()
    _Book(buffer, sheet, language).write()
    return buffer.getvalue()


WORKING_SHEETS: Mapping[str, Callable[[TeamSheet, str], bytes]] = {
    "pdf": working_pdf,
    "xlsx": working_xlsx,
}
"""By name of the form: the content, from the sheet and the language."""


class _Book:
    """The workbook: the working, and what its rules look up.

    That are the opponents' sums for a rule in several passes, and the entries for the own match
    points for a rule with a table.
    """

    def __init__(self, buffer: io.BytesIO, sheet: TeamSheet, language: str):
        name = plain(sheet.working.team)
        self.sheet, self.language, self.text = sheet, language, sheet.text(language)
        self.book: Workbook = new_book(buffer, name)
        self.working = new_sheet(self.book, WORKING, name)
        self.summed = [one for one in sheet.passes if one.rule and one.number < one.passes]
        self.tabled = [
            one for one in sheet.passes
            if one.rule and one.rule.has_tables and one.rule.name != "product"
        ]  # fmt: skip
        add = self.book.add_format
        self.bold, self.title = add({"bold": True}), add({"bold": True, "font_size": 14})
        heads = {"bold": True, "text_wrap": True, "bottom": 1, "valign": "bottom"}
        self.head, self.right_head = add(heads), add({**heads, "align": "right"})
        self.wrapped = add({"text_wrap": True, "valign": "top"})
        self.struck = add({"font_strikeout": True, "font_color": "#595959"})
        self.result = add({"bold": True, "top": 1})
        # Where the opponents' sums and values, and the table of a pass, stand in their sheets.
        self.sums: dict[tuple[int, str], str] = {}
        self.values: dict[tuple[int, str, int], str] = {}
        self.entries: dict[int, str] = {}

    def write(self) -> None:
        """Write and close the workbook."""
        name = plain(self.sheet.working.team)
        if self.summed:
            self._opponents(new_sheet(self.book, OPPONENTS, name, landscape=True))
        if self.tabled:
            self._tables(new_sheet(self.book, TABLES, name, landscape=True))
        self._working()
        self.book.close()

    # ----------------------------------------------------------------------- what is looked up

    def _opponents(self, sheet: Worksheet) -> None:
        text, rounds, row = self.text, self.sheet.event.rounds, 0
        sheet.set_column(0, 0, 26)
        for one in self.summed:
            heading = text["sheet.opponents"].format(name=pass_name(one, self.language))
            sheet.write_string(row, 0, heading, self.bold)
            heads = [text["doc.opponent"], text["doc.mp"], *map(str, range(1, rounds + 1))]
            heads.append(text["sheet.sum"])
            for k, head in enumerate(heads):
                sheet.write_string(row + 1, k, head, self.right_head if k else self.head)
            row += 2
            for name, other in self.sheet.opponents.items():
                sheet.write_string(row, 0, plain(name))
                sheet.write_number(row, 1, other.mp)
                out = []
                for r, item in enumerate(other.items):
                    cell, dropped = xl_rowcol_to_cell(row, 2 + r), item.dropped[one.column]
                    style = self.struck if dropped else None
                    sheet.write_number(row, 2 + r, item.values[one.column], style)
                    self.values[one.column, name, 1 + r] = "0" if dropped else f"{OPPONENTS}!{cell}"
                    out += [cell] * dropped
                kept = [i.values[one.column] for i in other.items if not i.dropped[one.column]]
                total, cells = other.sums[one.column], xl_range_abs(row, 2, row, 1 + rounds)
                formula = f"SUM({cells})" + "".join(f"-{cell}" for cell in out)
                self._number(sheet, row, 2 + rounds, formula, total, sum(kept), self.bold)
                self.sums[one.column, name] = f"{OPPONENTS}!{xl_rowcol_to_cell(row, 2 + rounds)}"
                row += 1
            row += 1
        sheet.print_area(0, 0, row - 2, 2 + rounds)

    def _tables(self, sheet: Worksheet) -> None:
        row, most, own = 0, 0, int(self.sheet.working.mp)
        for one in self.tabled:
            assert one.rule is not None
            table = one.rule.tables[one.number - 1, own]
            block = self.text["doc.own_mp_number"].format(number=own)
            sheet.write_string(row, 0, f"{pass_name(one, self.language)}, {block}", self.bold)
            sheet.write_string(row + 1, 0, self.text["sheet.corner"], self.head)
            for k, column in enumerate(one.rule.columns, start=1):
                sheet.write_number(row + 1, k, column, self.head)
            row += 2
            self.entries[one.column] = (
                f"{TABLES}!{xl_range_abs(row, 1, row + table.shape[1] - 1, table.shape[0])}"
            )
            for half, values in enumerate(table.T.tolist()):
                sheet.write_number(row, 0, half / 2, self.bold)
                for k, value in enumerate(values, start=1):
                    sheet.write_number(row, k, value)
                row += 1
            row, most = row + 1, max(most, table.shape[0])
        sheet.set_column(0, 0, 14)
        sheet.set_column(1, most, 5)
        sheet.print_area(0, 0, row - 2, most)

    # ----------------------------------------------------------------------- the working

    def _working(self) -> None:
        document, sheet = working_document(self.sheet, self.language), self.working
        sheet.set_column(0, 0, 8)
        sheet.set_column(1, 1, 30)
        sheet.set_column(2, 9, 11)
        sheet.write_string(0, 0, plain(document.title), self.title)
        row = 1
        for label, value in document.facts:
            row = self._line(row, f"{label}: {value}")
        for one in self.sheet.passes:
            row = self._pass(row + 1, one)
        for part in document.parts:
            if isinstance(part, Grid):
                continue
            assert isinstance(part, Sentences)
            sheet.write_string(row + 1, 0, plain(part.heading), self.bold)
            row += 2
            for n, line in enumerate(part.lines, start=1):
                row = self._line(row, f"{n}. {line}" if part.numbered else line)
        sheet.print_area(0, 0, row - 1, 9)

    def _line(self, row: int, text: str) -> int:
        write_wrapped(self.working, row, (0, 9), text, self.wrapped, width=110)
        return row + 1

    def _pass(self, row: int, one: PassSheet) -> int:
        """Write a pass from a row on; return the row after it."""
        sheet, columns = self.working, [k for k in pass_columns(one) if k != "entries"]
        at = {key: k for k, key in enumerate(columns)}
        sheet.write_string(row, 0, plain(pass_name(one, self.language)), self.bold)
        for key, k in at.items():
            style = self.head if key == "opponent" else self.right_head
            sheet.write_string(row + 1, k, self.text[HEADS[key]], style)
        first = row = row + 2
        for line in one.lines:
            cells = {key: xl_rowcol_to_cell(row, k) for key, k in at.items()}
            for key, k in at.items():
                self._cell(row, k, key, line, one, cells)
            row += 1
        kept = [line.value for line in one.lines if not line.left_out]
        value = at["value"]
        out = [
            f"-{xl_rowcol_to_cell(first + n, value)}"
            for n, line in enumerate(one.lines)
            if line.left_out
        ]
        formula = f"SUM({xl_range_abs(first, value, row - 1, value)})" + "".join(out)
        total = self.text["doc.tb2" if one.number == one.passes else "sheet.sum"]
        sheet.write_string(row, 1, total, self.result)
        self._number(sheet, row, value, formula, one.total, sum(kept), self.result)
        return row + 1

    def _cell(
        self,
        row: int,
        column: int,
        key: str,
        line: RoundInPass,
        one: PassSheet,
        cells: Mapping[str, str],
    ) -> None:
        sheet, item, rule = self.working, line.item, one.rule
        if key == "opponent":
            sheet.write_string(row, column, plain(who(item, self.language)))
        elif key in ("round", "mp", "gp"):
            found = {"round": item.round, "mp": item.opponent_mp, "gp": item.gp}[key]
            sheet.write_number(row, column, number(found))
        elif key in ("before", "against"):
            if line.before is not None and line.against is not None:
                where = (
                    self.sums[one.column - 1, item.opponent]
                    if key == "before"
                    else self.values[one.column - 1, item.opponent, item.round]
                )
                found = line.before if key == "before" else line.against
                write_formula(sheet, row, column, f"={where}", None, found)
        elif key == "counts_as":
            if line.before is None:
                sheet.write_number(row, column, line.counts_as)
            else:
                assert rule is not None
                added = _refinement(rule, cells, self.sheet.working.terms.unit)
                formula = f"={cells['mp']}+{added}"
                write_formula(sheet, row, column, formula, None, line.counts_as)
        elif key == "expected":
            assert rule is not None
            counted = cells.get("counts_as", cells["mp"])
            own = self.sheet.working
            scale = own.terms.unit * rule.constants["a"]
            power = f"10^(-({own.mp}-{counted})/{scale!r})"
            formula = f"={rule.boards}/(1+{power})"
            write_formula(sheet, row, column, formula, None, line.expected or 0.0)
        else:
            formula, again = self._value(line, one, cells)
            style = self.struck if line.left_out else None
            self._number(sheet, row, column, formula, line.value, again, style)

    def _value(
        self, line: RoundInPass, one: PassSheet, cells: Mapping[str, str]
    ) -> tuple[str, float | None]:
        """The formula of a round's points, and what it gives; None if there is no formula."""
        rule, item = one.rule, line.item
        if rule.constants:
            return f"{cells['gp']}-{cells['expected']}", item.gp - (line.expected or 0.0)
        if rule.name == "product":
            return f"{cells['mp']}*{cells['gp']}", item.opponent_mp * item.gp
        if isinstance(rule.tiebreak(), LeastSquares):
            half = rule.boards / 2
            matches = sum(each.item.counts_as[one.column] is not None for each in one.lines)
            if item.counts_as[one.column] is None or "counts_as" not in cells:
                return "", None
            formula = f"({cells['counts_as']}+{cells['gp']}-{half:g})/{matches}"
            return formula, (line.counts_as + item.gp - half) / matches
        if rule.in_passes and line.entries:
            tenths = f"INT({TENTHS}*{cells.get('counts_as', cells['mp'])}+0.5)"
            low, high = line.entries[0], line.entries[-1]
            above = round(TENTHS * line.counts_as) % TENTHS
            again = (2 * ((TENTHS - above) * low + above * high) + TENTHS) // (2 * TENTHS)
            return self._interpolated(one, rule, tenths, cells["gp"]), again
        return "", None

    def _interpolated(self, one: PassSheet, rule: Rule, tenths: str, gp: str) -> str:
        entries, width = self.entries[one.column], rule.tables.shape[2]
        column, above = f"INT({tenths}/{TENTHS})+{1 - rule.columns[0]}", f"MOD({tenths},{TENTHS})"
        low = f"INDEX({entries},2*{gp}+1,{column})"
        high = f"INDEX({entries},2*{gp}+1,MIN({column}+1,{width}))"
        weighted = f"({TENTHS}-{above})*{low}+{above}*{high}"
        return f"INT(({weighted}+{TENTHS // 2})/{TENTHS})"

    def _number(
        self,
        sheet: Worksheet,
        row: int,
        column: int,
        formula: str,
        value: float,
        again: float | None,
        style: Format | None,
    ) -> None:
        """Write a formula that gives the value; the value itself if it gives another one."""
        near = _EXACT if float(value).is_integer() else _FORMULA
        if again is not None and abs(again - value) <= near:
            write_formula(sheet, row, column, f"={formula}", style, value)
        else:
            sheet.write_number(row, column, number(value), style)


def _refinement(rule: Rule, cells: Mapping[str, str], worth: float) -> str:
    """The formula of the points by which an opponent's own sum refines it."""
    rest = f"({cells['before']}-{cells['against']})"
    if rule.in_passes:
        most, unit = most_refinement(rule.event_rounds), HUNDRED // TENTHS
        tenths = f"INT((2*{rest}+{unit})/{2 * unit})"
        return f"MAX(-{most},MIN({most},{tenths}))/{TENTHS}"
    most, k = 2 * rule.event_rounds * MOST_REFINEMENT * worth, worth * rule.constants["k"]
    return f"MAX(-{most:g},MIN({most:g},{k!r}*{rest}))"
