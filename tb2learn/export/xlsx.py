"""A rule as an Excel workbook: instruction, a sheet that computes a TB2, the tables."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from tb2learn.export.document import Grid
from tb2learn.export.document_xlsx import new_book, new_sheet, write_wrapped
from tb2learn.export.table import (
    example_table,
    expected_points,
    header,
    nearest_par,
    sure_grid,
    used_columns,
    worked_example,
)
from tb2learn.export.words import how_to_use, title, words
from tb2learn.export.xlsx_working import (
    POINTS_SHEET,
    FormulaWorkingSheet,
    WorkingSheet,
    styles_of,
)
from tb2learn.text import plain
from tb2learn.tiebreaks.rules import Rule

_Styles = Mapping[str, Format]
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
    text, sentences = words(language), how_to_use(rule, language)
    buffer = io.BytesIO()
    book = new_book(buffer, rule.name)
    styles = styles_of(book)
    name = plain(rule.name)
    first = new_sheet(book, text["xlsx.use"], name)
    _instruction(first, rule, sentences, language, styles)
    form = WorkingSheet if rule.has_tables else FormulaWorkingSheet
    form(new_sheet(book, text["xlsx.working"], name), rule, text, styles).write()
    if rule.has_tables:
        for own in range(2 * rule.event_rounds + 1):
            sheet = new_sheet(book, f"{text['doc.mp']} {own}", name, landscape=True)
            _own_mp(sheet, rule, own, text, styles)
        _points(new_sheet(book, POINTS_SHEET, name), rule, text, styles)
    else:
        _expected(new_sheet(book, POINTS_SHEET, name), rule, text, styles)
    if sure := sure_grid(rule, language):
        _how_sure(new_sheet(book, text["xlsx.sure"], name), *sure, styles)
    book.close()
    return buffer.getvalue()


def _instruction(
    sheet: Worksheet, rule: Rule, sentences: tuple[str, ...], language: str, styles: _Styles
) -> None:
    """Write the sheet with the header, the instruction and, for tables, the worked example."""
    text = words(language)
    sheet.set_column(0, 0, 18)
    sheet.set_column(1, 5, 15)
    sheet.write_string(0, 0, title(rule, language), styles["title"])
    row = 1
    for key, value in header(rule, language).items():
        row += 1
        sheet.write_string(row, 0, text[f"doc.{key}"], styles["bold"])
        write_wrapped(sheet, row, (1, 5), value, styles["wrapped"], width=85)
    row += 2
    sheet.write_string(row, 0, text["doc.how_to_use"], styles["bold"])
    for number, sentence in enumerate(sentences, start=1):
        row += 1
        sheet.write_number(row, 0, number, styles["step"])
        write_wrapped(sheet, row, (1, 5), sentence, styles["wrapped"], width=85)
    if rule.has_tables:
        row += 2
        sheet.write_string(row, 0, text["doc.example"], styles["bold"])
        row = _example(sheet, row + 1, rule, text, styles)
    sheet.print_area(0, 0, row, 5)


def _example(
    sheet: Worksheet, row: int, rule: Rule, text: Mapping[str, str], styles: _Styles
) -> int:
    """Write the worked example with the columns of the sheet to fill in; return its last row."""
    example = worked_example(rule)
    keys, rows = example_table(example, rule, text)
    sheet.write_string(row, 0, text["doc.own_mp"])
    sheet.write_number(row, 1, example.own_mp, styles["centred"])
    if rule.passes > 1:
        sheet.write_string(row, 2, text["doc.pass"])
        sheet.write_number(row, 3, rule.passes, styles["centred"])
    row += 1
    sheet.write_row(row, 0, [text[key] for key in keys], styles["head"])
    for *cells, left_out in rows:
        row += 1
        for column, (key, value) in enumerate(zip(keys, cells, strict=True)):
            style = styles["tenths"] if key == "doc.counts_as" else styles["centred"]
            sheet.write_number(row, column, value, style)
        if left_out:
            sheet.write_string(row, len(keys), left_out)
    sheet.write_string(row + 1, 0, text["doc.tb2"], styles["bold"])
    sheet.write_number(row + 1, len(keys) - 1, example.tb2, styles["result"])
    return row + 1


def _own_mp(
    sheet: Worksheet, rule: Rule, own: int, text: Mapping[str, str], styles: _Styles
) -> None:
    """Write the tables of one own MP, pass below pass, under one row of opponent's MP.

    In the first pass only the columns that can occur are filled. Where 0 is par, the result nearest
    to it is framed in every row.
    """
    every, opponent = rule.tables, "doc.opponent_counts_as" if rule.in_passes else "doc.opponent_mp"
    columns, _ = used_columns(rule, len(every))
    sheet.set_column(0, 0, 10)
    sheet.set_column(1, len(columns), 5)
    sheet.write_string(0, 0, text["doc.own_mp_number"].format(number=own), styles["title"])
    sheet.write_string(1, 1, text[opponent], styles["bold"])
    sheet.write_string(2, 0, text["doc.gp"], styles["head"])
    sheet.write_row(2, 1, columns, styles["head"])
    row = 3
    for number, table in enumerate(every, start=1):
        if len(every) > 1:
            label = text["doc.pass_number"].format(number=number)
            sheet.write_string(row, 0, label, styles["bold"])
            row += 1
        heads, used = used_columns(rule, number)
        first, block = 1 + heads[0] - columns[0], table[own][used].T
        for half_points, values in enumerate(block.tolist()):
            sheet.write_number(row + half_points, 0, half_points / 2, styles["head"])
            sheet.write_row(row + half_points, first, values, styles["centred"])
            par = nearest_par(values) if rule.in_passes else None
            if par is not None:
                sheet.write_number(row + half_points, first + par, values[par], styles["par"])
        last = row + len(block) - 1
        scale = _scale(rule, int(table.min()), int(table.max()))
        sheet.conditional_format(row, first, last, first + len(heads) - 1, scale)
        row += len(block) + 1
    if rule.in_passes:
        sheet.write_string(row - 1, 0, text["doc.par"])
    sheet.freeze_panes(3, 1)
    sheet.repeat_rows(0, 2)
    sheet.print_area(0, 0, row - 1, len(columns))


def _scale(rule: Rule, low: int, high: int) -> dict[str, object]:
    """Colours of a pass, the same on all sheets: on both sides of par, if there is one."""
    if not rule.in_passes:
        ends = {"min_color": _PAR, "max_color": _HIGH, "min_value": low, "max_value": high}
        return {"type": "2_color_scale", "min_type": "num", "max_type": "num", **ends}
    most = max(-low, high, 1)
    ends = {"min_color": _LOW, "max_color": _HIGH, "min_value": -most, "max_value": most}
    middle = {"mid_type": "num", "mid_value": 0, "mid_color": _PAR}
    return {"type": "3_color_scale", "min_type": "num", "max_type": "num", **ends, **middle}


def _expected(sheet: Worksheet, rule: Rule, text: Mapping[str, str], styles: _Styles) -> None:
    """Write the game points that a formula expects, by lead in match points."""
    rows = [(lead, round(points, 4)) for lead, points in expected_points(rule)]
    sheet.set_column(0, 1, 18)
    sheet.freeze_panes(1, 1)
    _rows(
        sheet, 0, (text["doc.lead"], text["doc.expected"]), rows, styles["head"], styles["centred"]
    )


def _how_sure(sheet: Worksheet, sentence: str, grid: Grid, styles: _Styles) -> None:
    """Write the margins at which an order has a probability, by own match points."""
    last = len(grid.heads) - 1
    sheet.set_column(0, last, 11)
    sheet.write_string(0, 0, grid.heading, styles["title"])
    write_wrapped(sheet, 1, (0, last), sentence, styles["wrapped"], width=75)
    _rows(
        sheet,
        3,
        grid.heads,
        [map(float, row) for row in grid.rows],
        styles["head"],
        styles["centred"],
    )


def _points(sheet: Worksheet, rule: Rule, text: Mapping[str, str], styles: _Styles) -> None:
    """Write all points in one rectangle: rows for pass, own MP, opponent's MP; columns for GP."""
    every = rule.tables
    keys = (text[f"doc.{key}"] for key in ("pass", "own_mp", "opponent_mp"))
    heads = [*keys, *(half / 2 for half in range(every.shape[3]))]
    rows = [
        [number + 1, own, mp, *values]
        for number, own in np.ndindex(every.shape[:2])
        for mp, values in zip(rule.columns, every[number, own].tolist(), strict=True)
    ]
    sheet.set_column(0, 2, 14)
    sheet.freeze_panes(1, 3)
    _rows(sheet, 0, heads, rows, styles["bold"], None)


def _rows(
    sheet: Worksheet,
    first: int,
    heads: Sequence[str | float],
    rows: Sequence[Iterable[float]],
    of_heads: Format,
    of_rows: Format | None,
) -> None:
    """Write a table with its heads in row `first`; they are repeated on every printed page."""
    sheet.write_row(first, 0, heads, of_heads)
    for row, numbers in enumerate(rows, start=first + 1):
        sheet.write_row(row, 0, numbers, of_rows)
    sheet.repeat_rows(first)
    sheet.print_area(0, 0, first + len(rows), len(heads) - 1)
