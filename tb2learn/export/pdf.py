"""A lookup table as a PDF for the tournament office: A4, legible in black and white."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfbase import pdfmetrics
from reportlab.platypus import (
    Flowable,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
)

from tb2learn.export.document import Document, Grid, Part, Sentences, shown
from tb2learn.export.document_pdf import (
    BOLD,
    BOTTOM,
    PLAIN,
    SIDE,
    TOP,
    Block,
    Foot,
    Look,
    built,
    document_story,
    fonts,
    template,
)
from tb2learn.export.table import (
    example_table,
    expected_points,
    game_points,
    header,
    nearest_par,
    sure_grid,
    used_columns,
    worked_example,
)
from tb2learn.export.words import decimal, how_to_use, in_language, title, words
from tb2learn.text import plain
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

SMALLEST = 6.5
"""Smallest font size of a table, in points (1/72 inch)."""

_LARGEST, _LEGIBLE = 14.0, 8.0  # font sizes: the largest, and what a booklet has if it can
_STEP = 0.1
_COLUMNS = 3  # of expected game points
_WIDE = 2.5  # between columns where there is room, in em
_LOOK = Look(
    line=1.25, title_line=1.6, gap=0.9, padding=0.55, above=0.4, base=0.28, larger=1, stroke=0.6,
    ruled=True,
)  # fmt: skip


def table_pdf(rule: Rule, language: str = "en", booklet: bool = True) -> bytes:
    """The rule as a PDF to print.

    The first part has the header, the instruction, a worked example and, if the rule has been
    calibrated, how sure its orders are; the second one table per pass and own MP. A formula has
    only the first part, with the game points that it expects instead of the example.

    **Arguments:** as for `table.table_csv`; `booklet` puts as many legible tables on a page as
    possible, else one own MP per page.

    **Returns:** the file's content, the same bytes for the same rule and version of the program.

    **Raises:** `InputError` as `table_csv`, and for numbers that are too long for a page.
    """
    fonts()
    name = plain(rule.name)
    foot = Foot(name, words(language)["doc.page"])
    templates, story = table_parts(rule, foot, language, booklet)
    return built(f"{title(rule, language)}: {name}", foot, templates, story, language)


def table_parts(
    rule: Rule, foot: Foot, language: str = "en", booklet: bool = True
) -> tuple[list[PageTemplate], list[Flowable]]:
    """The page templates, of which `front` is the first, and the story of `table_pdf`."""
    templates, story = [template("front", A4, foot, "")], _front(rule, language)
    if rule.has_tables:
        more_templates, more = _tables(rule, words(language), booklet, foot)
        templates, story = [*templates, *more_templates], [*story, *more]
    return templates, story


# --------------------------------------------------------------------------- the first part


def _front(rule: Rule, language: str) -> list[Flowable]:
    """The header, the instruction, the worked example, and how sure orders are, if it is known."""
    text = words(language)
    facts = tuple((text[f"doc.{k}"], line) for k, line in header(rule, language).items())
    parts: list[Part] = [
        Sentences(text["doc.how_to_use"], how_to_use(rule, language), numbered=True)
    ]
    parts += [Sentences("", (text["doc.par"],))] if rule.in_passes else []
    parts += _example(rule, text) if rule.has_tables else [_expected(rule, text)]
    if found := sure_grid(rule, language):
        sentence, grid = found
        parts += [Sentences(grid.heading, (sentence,)), replace(grid, heading="", together=False)]
    document = Document(title(rule, language), facts, tuple(parts), language)
    return document_story(in_language(document))


def _expected(rule: Rule, text: Mapping[str, str]) -> Grid:
    """The game points that a formula expects by lead, in three columns."""
    pairs = [(shown(lead), f"{points:.2f}") for lead, points in expected_points(rule)]
    pairs += [("", "")] * (-len(pairs) % _COLUMNS)
    a_column = len(pairs) // _COLUMNS
    rows = tuple(
        sum((pairs[n + k * a_column] for k in range(_COLUMNS)), ()) for n in range(a_column)
    )
    heads = (text["doc.lead"], text["doc.expected"]) * _COLUMNS
    return Grid("", heads, rows, together=True)


def _example(rule: Rule, text: Mapping[str, str]) -> list[Part]:
    example, passes = worked_example(rule), rule.passes
    key = "pdf.example_passes" if passes > 1 else "pdf.example"
    intro = text[key].format(own=example.own_mp, number=passes)
    keys, items = example_table(example, rule, text)
    tenths = keys.index("doc.counts_as") if passes > 1 else None
    rows = [
        tuple(f"{cell:.1f}" if k == tenths else cell for k, cell in enumerate(row)) for row in items
    ]
    rows.append((text["doc.tb2"], *[""] * (len(keys) - 2), example.tb2, ""))
    last = frozenset({len(items)})
    grid = Grid(
        "",
        (*(text[key] for key in keys), ""),
        tuple(rows),
        names=frozenset({len(keys)}),
        ruled=last,
        strong=last,
        together=True,
    )
    return [Sentences(text["doc.example"], (intro,)), grid]


# --------------------------------------------------------------------------- the tables


@dataclass(frozen=True)
class _Layout:
    """How tables are laid out: page, font size, widths of the GP column and of points at most."""

    page: tuple[float, float]
    size: float
    label: float
    widest: float

    def column(self, columns: int) -> float:
        """The width of so many columns of points."""
        return min((self.page[0] - 2 * SIDE - self.label) / columns, self.widest)

    def height(self, rows: int) -> float:
        """The height of a table with its title and column heads."""
        return _LOOK.height(rows, self.size)

    def a_page(self, rows: int) -> int:
        """How many tables with `rows` rows fit on a page."""
        return int((self.page[1] - TOP - BOTTOM) / self.height(rows))


def _layout(rule: Rule, booklet: bool, corner: str) -> _Layout:
    """The layout with the largest digits; of a booklet with fewest pages, if these are legible."""
    _, shares, width, results = rule.tables.shape
    points = map(str, np.unique(rule.tables).tolist())
    labels = (corner, *(game_points(half) for half in range(results)))
    content = max(_widest(points, PLAIN), _widest(map(str, rule.columns), BOLD))
    label = _LOOK.padding + _widest(labels, BOLD)
    possible = []
    for page in (A4, landscape(A4)):
        for size in np.arange(_LARGEST, SMALLEST - _STEP / 2, -_STEP).tolist():
            layout = _Layout(page, size, label * size, (content + _WIDE) * size)
            fits = layout.column(width) >= (content + _LOOK.padding) * size
            if fits and layout.a_page(results):
                possible.append(layout)
    if not possible:
        raise InputError(f"the numbers of {rule.name} are too long to be printed legibly on A4")
    legible = [layout for layout in possible if layout.size >= _LEGIBLE - _STEP / 2]
    if not (booklet and legible):
        return max(possible, key=lambda layout: layout.size)
    pages = {layout: math.ceil(shares / layout.a_page(results)) for layout in legible}
    return min(legible, key=lambda layout: (pages[layout], -layout.size))


def _widest(cells: Iterable[str], font: str) -> float:
    """Width of the widest cell, in em."""
    return max(pdfmetrics.stringWidth(cell, font, 1) for cell in cells)


def _tables(
    rule: Rule, text: Mapping[str, str], booklet: bool, foot: Foot
) -> tuple[list[PageTemplate], list[Flowable]]:
    """The tables: a section of pages per pass, in it one table per own MP."""
    layout = _layout(rule, booklet, text["doc.gp"])
    axes = text["pdf.axes_counts_as" if rule.in_passes else "pdf.axes"]
    templates, story = [], []
    for this, table in enumerate(rule.tables, start=1):
        opponents, used = used_columns(rule, this)
        label = text["doc.pass_number"].format(number=this) if rule.passes > 1 else ""
        section = f"{label}.  {axes}" if label else axes
        heads = [text["doc.gp"], *map(str, opponents)]
        templates.append(template(f"pass{this}", layout.page, foot, section))
        story += [NextPageTemplate(f"pass{this}"), PageBreak()]
        for own in range(len(table) - 1, -1, -1):  # leaders first
            values = table[own]
            title = text["doc.own_mp_number"].format(number=own)
            title = f"{title} ({label})" if label else title
            rows = values[used].T.tolist()
            pars = [nearest_par(row) if rule.in_passes else None for row in rows]
            frames = [(n, 1 + par) for n, par in enumerate(pars, start=1) if par is not None]
            cells = [
                [decimal(game_points(half), text), *map(str, row)] for half, row in enumerate(rows)
            ]
            size = (layout.size, layout.label, layout.column(len(opponents)))
            story.append(Block(title, [heads, *cells], _LOOK, *size, frames))
            story += [] if booklet or own == 0 else [PageBreak()]
    return templates, story
