"""The working sheets of teams as a PDF, and as a workbook whose cells are formulas.

In the workbook every number that follows from others is a formula: what an opponent counts as, the
entry of the table, the sums. A number that a policy for unplayed rounds makes in another way is
written as a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xlsxwriter.utility import xl_range_abs, xl_rowcol_to_cell

from tb2learn.export.document import Sentences
from tb2learn.export.pdf import document_pdf
from tb2learn.export.working import (
    HEADS,
    PassSheet,
    RoundInPass,
    TeamSheet,
    cells,
    comparison_document,
    opponents_grid,
    pass_columns,
    pass_name,
    working_document,
)
from tb2learn.export.xlsx import Book, Sheet, interpolated
from tb2learn.text import plain
from tb2learn.tiebreaks.paired import LeastSquares
from tb2learn.tiebreaks.passes import HUNDRED, MOST_REFINEMENT, TENTHS, most_refinement
from tb2learn.tiebreaks.rules import Rule

WORKING, OPPONENTS, TABLES = "working", "opponents", "table"
"""Names of the sheets."""

_EXACT = 1e-6
_FORMULA = 1e-3  # scores of a formula are rounded to four decimals, round by round


def working_pdf(sheets: Sequence[TeamSheet], verdict: str, language: str) -> bytes:
    """The working sheet of a team, or those of several in one, as a PDF."""
    if len(sheets) > 1:
        return document_pdf(comparison_document(sheets, verdict, language))
    return document_pdf(working_document(sheets[0], language))


def working_xlsx(sheets: Sequence[TeamSheet], verdict: str, language: str) -> bytes:
    """The working sheets of teams as a workbook; the verdict stands on the first."""
    book = Book(", ".join(sheet.working.team for sheet in sheets))
    for number, sheet in enumerate(sheets, start=1):
        said, suffix = verdict if number == 1 else "", str(number) if len(sheets) > 1 else ""
        _Team(book, sheet, said, language, suffix).write()
    return book.content()


WORKING_SHEETS: Mapping[str, Callable[[Sequence[TeamSheet], str, str], bytes]] = {
    "pdf": working_pdf,
    "xlsx": working_xlsx,
}
"""By name of the form: the content, from teams' sheets, what decides between two, the language."""


class _Team:
    """The sheets of a team in a workbook: the working, and what its rules look up.

    That are the opponents' sums for a rule in several passes, and the entries for the own match
    points for a rule with a table.
    """

    def __init__(self, book: Book, sheet: TeamSheet, verdict: str, language: str, suffix: str):
        self.name, self.verdict = plain(sheet.working.team), verdict
        self.opponents, self.tables = f"{OPPONENTS}{suffix}", f"{TABLES}{suffix}"
        self.sheet, self.language, self.text = sheet, language, sheet.text(language)
        self.book = book
        self.working = Sheet(book, f"{WORKING}{suffix}", self.name, columns=10, characters=110)
        # Where the opponents' sums and values, and the table of a pass, stand in their sheets.
        self.sums: dict[tuple[int, str], str] = {}
        self.values: dict[tuple[int, str, int], str] = {}
        self.entries: dict[int, str] = {}

    def write(self) -> None:
        """Write the sheets."""
        passes = self.sheet.passes
        tabled = [one for one in passes if one.rule.has_tables and one.rule.name != "product"]
        if self.sheet.builds_on:
            self._opponents(Sheet(self.book, self.opponents, self.name, landscape=True))
        if tabled:
            self._tables(Sheet(self.book, self.tables, self.name, landscape=True), tabled)
        self._working()

    # ----------------------------------------------------------------------- what is looked up

    def _opponents(self, sheet: Sheet) -> None:
        row, last = 0, 2 + self.sheet.event.rounds
        sheet.sheet.set_column(0, 0, 26)
        for one in self.sheet.builds_on:
            grid = opponents_grid(self.sheet, one, self.language)
            sheet.put(row, 0, grid.heading, "bold")
            sheet.put(row + 1, 0, grid.heads[0], "name_head")
            sheet.put_row(row + 1, 1, grid.heads[1:], "number_head")
            row += 2
            for name, other in self.sheet.opponents.items():
                sheet.put_row(row, 0, (name, other.mp))
                values = [item.values[one.column] for item in other.items]
                dropped = [item.left_out[one.column] for item in other.items]
                places = [(row, 2 + r) for r in range(len(values))]
                for r, (place, value, out) in enumerate(zip(places, values, dropped, strict=True)):
                    sheet.put(*place, value, "left_out" if out else "")
                    where = "0" if out else f"{self.opponents}!{xl_rowcol_to_cell(*place)}"
                    self.values[one.column, name, 1 + r] = where
                total = other.sums[one.column]
                _sum(sheet, (row, last), total, places, values, dropped, "bold")
                self.sums[one.column, name] = f"{self.opponents}!{xl_rowcol_to_cell(row, last)}"
                row += 1
            row += 1
        sheet.sheet.print_area(0, 0, row - 2, last)

    def _tables(self, sheet: Sheet, tabled: Sequence[PassSheet]) -> None:
        row, most, own = 0, 0, int(self.sheet.working.mp)
        for one in tabled:
            table = one.rule.tables[one.number - 1, own]
            block = self.text["doc.own_mp_number"].format(number=own)
            sheet.put(row, 0, f"{pass_name(one, self.language)}, {block}", "bold")
            sheet.put_row(row + 1, 0, (self.text["sheet.corner"], *one.rule.columns), "name_head")
            row += 2
            area = xl_range_abs(row, 1, row + table.shape[1] - 1, table.shape[0])
            self.entries[one.column] = f"{self.tables}!{area}"
            for half, values in enumerate(table.T.tolist()):
                sheet.put(row, 0, half / 2, "bold")
                sheet.put_row(row, 1, values)
                row += 1
            row, most = row + 1, max(most, table.shape[0])
        sheet.sheet.set_column(0, 0, 14)
        sheet.sheet.set_column(1, most, 5)
        sheet.sheet.print_area(0, 0, row - 2, most)

    # ----------------------------------------------------------------------- the working

    def _working(self) -> None:
        document, sheet = working_document(self.sheet, self.language), self.working
        for first, last, width in ((0, 0, 8), (1, 1, 30), (2, sheet.columns - 1, 11)):
            sheet.sheet.set_column(first, last, width)
        sheet.head(document)
        if self.verdict:
            sheet.part(Sentences("", (self.verdict,)))
        for one in self.sheet.passes:
            sheet.row = self._pass(sheet.row + 1, one)
        for part in document.parts:
            if isinstance(part, Sentences):
                sheet.part(part)
        sheet.sheet.print_area(0, 0, sheet.row - 1, sheet.columns - 1)

    def _pass(self, row: int, one: PassSheet) -> int:
        """Write a pass from a row on; return the row after it."""
        sheet, columns = self.working, [k for k in pass_columns(one) if k != "entries"]
        sheet.put(row, 0, pass_name(one, self.language), "bold")
        for k, key in enumerate(columns):
            style = "name_head" if key == "opponent" else "number_head"
            sheet.put(row + 1, k, self.text[HEADS[key]], style)
        first = row = row + 2
        for line in one.lines:
            found = cells(line, self.language)
            at = {key: xl_rowcol_to_cell(row, k) for k, key in enumerate(columns)}
            for k, key in enumerate(columns):
                if found[key] is not None:
                    style = "left_out" if key == "value" and line.left_out else ""
                    sheet.put(row, k, found[key], style, self._formula(key, line, one, at))
            row += 1
        total, last = "doc.tb2" if one.number == one.passes else "sheet.sum", len(columns) - 1
        sheet.put(row, 1, self.text[total], "sum")
        places = [(n, last) for n in range(first, row)]
        values = [line.value for line in one.lines]
        left_out = [line.left_out for line in one.lines]
        _sum(sheet, (row, last), one.total, places, values, left_out, "sum")
        return row + 1

    def _formula(
        self, key: str, line: RoundInPass, one: PassSheet, at: Mapping[str, str]
    ) -> str | None:
        """The formula of a cell; None if its number does not follow from others.

        **Arguments:** `at`: the cells of the round, by column.
        """
        rule, own, opponent = one.rule, self.sheet.working, line.item.opponent
        if key == "value":
            formula, again = self._value(line, one, at)
            return formula if _makes(again, line.value) else None
        if key == "expected":
            power = f"10^(-({own.mp}-{_counted(at)})/{own.terms.unit * rule.constants['a']!r})"
            return f"{rule.boards}/(1+{power})"
        if line.before is None:
            return None
        if key == "before":
            return self.sums[one.column - 1, opponent]
        if key == "against":
            return self.values[one.column - 1, opponent, line.item.round]
        return f"{at['mp']}+{_refinement(rule, at, own.terms.unit)}" if key == "counts_as" else None

    def _value(
        self, line: RoundInPass, one: PassSheet, at: Mapping[str, str]
    ) -> tuple[str, float | None]:
        """The formula of a round's points, and what it gives; None if there is no formula."""
        rule, item = one.rule, line.item
        if rule.constants:
            return f"{at['gp']}-{at['expected']}", item.gp - (line.expected or 0.0)
        if rule.name == "product":
            return f"{at['mp']}*{at['gp']}", item.opponent_mp * item.gp
        if isinstance(rule.tiebreak(), LeastSquares):
            half = rule.boards / 2
            matches = sum(each.item.counts_as[one.column] is not None for each in one.lines)
            if item.counts_as[one.column] is None or "counts_as" not in at:
                return "", None
            formula = f"({at['counts_as']}+{at['gp']}-{half:g})/{matches}"
            return formula, (line.counts_as + item.gp - half) / matches
        if rule.in_passes and line.entries:
            low, high = line.entries[0], line.entries[-1]
            above = round(TENTHS * line.counts_as) % TENTHS
            again = (2 * ((TENTHS - above) * low + above * high) + TENTHS) // (2 * TENTHS)
            tenths = f"INT({TENTHS}*{_counted(at)}+0.5)"
            entries, gp = self.entries[one.column], at["gp"]
            column = f"INT({tenths}/{TENTHS})+{1 - rule.columns[0]}"
            formula = interpolated(
                lambda k: f"INDEX({entries},2*{gp}+1,{k})", column, rule.tables.shape[2], tenths
            )
            return formula, again
        return "", None


def _sum(
    sheet: Sheet,
    place: tuple[int, int],
    total: float,
    places: Sequence[tuple[int, int]],
    values: Sequence[float],
    left_out: Sequence[bool],
    style: str,
) -> None:
    """Write the sum of the values at some places in line, without those that are left out."""
    out = [xl_rowcol_to_cell(*one) for one, gone in zip(places, left_out, strict=True) if gone]
    again = sum(value for value, gone in zip(values, left_out, strict=True) if not gone)
    formula = f"SUM({xl_range_abs(*places[0], *places[-1])})" + "".join(f"-{c}" for c in out)
    sheet.put(*place, total, style, formula if _makes(again, total) else None)


def _makes(again: float | None, value: float) -> bool:
    """Whether what a formula gives is the value."""
    near = _EXACT if float(value).is_integer() else _FORMULA
    return again is not None and abs(again - value) <= near


def _counted(at: Mapping[str, str]) -> str:
    """The cell of what an opponent counts as."""
    return at.get("counts_as", at["mp"])


def _refinement(rule: Rule, at: Mapping[str, str], worth: float) -> str:
    """The formula of the points by which an opponent's own sum refines it."""
    rest = f"({at['before']}-{at['against']})"
    if rule.in_passes:
        most, unit = most_refinement(rule.event_rounds), HUNDRED // TENTHS
        tenths = f"INT((2*{rest}+{unit})/{2 * unit})"
        return f"MAX(-{most},MIN({most},{tenths}))/{TENTHS}"
    most, k = 2 * rule.event_rounds * MOST_REFINEMENT * worth, worth * rule.constants["k"]
    return f"MAX(-{most:g},MIN({most:g},{k!r}*{rest}))"
