"""A lookup table as a PDF for the tournament office: A4, legible in black and white."""

from __future__ import annotations

import functools
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import matplotlib
import numpy as np
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Table,
    TableStyle,
)

import tb2learn
from tb2learn.export.table import game_points, header, worked_example
from tb2learn.export.words import how_to_use, words
from tb2learn.text import plain
from tb2learn.tiebreaks.passes import TENTHS
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

SMALLEST = 6.5
"""Smallest font size of a table, in points (1/72 inch)."""

_BOOKLET, _LARGEST = 8.0, 12.0  # largest font sizes: several tables per page, one table per page
_STEP = 0.5
_SIDE, _TOP, _BOTTOM = 30.0, 54.0, 36.0  # margins
_LINE, _TITLE, _GAP = 1.45, 1.9, 1.3  # heights of a row, of a title and between tables, in em
_PADDING, _WIDE = 0.55, 1.1  # between columns, at least and where there is room, in em
_ZEBRA, _RULE = colors.Color(0.93, 0.93, 0.93), colors.Color(0.6, 0.6, 0.6)
_PLAIN, _BOLD = "tb2learn-plain", "tb2learn-bold"


def table_pdf(rule: Rule, language: str = "en", booklet: bool = True) -> bytes:
    """The rule as a PDF to print.

    The first part has the header, the instruction and a worked example; the second one table per
    pass and own MP. A formula has only the first part, without the example.

    **Arguments:**

    - `rule`: a rule with tables, or a formula.
    - `language`: one of `LANGUAGES`.
    - `booklet`: puts as many legible tables on a page as possible; else one own MP per page.

    **Returns:** the file's content, the same bytes for the same rule and version of the program.

    **Raises:** `InputError` for a rule without tables or formula, for a table whose numbers are
    too long for a page, and for another language.
    """
    text = words(language)
    _fonts()
    buffer, name = io.BytesIO(), plain(rule.name)
    document = BaseDocTemplate(
        buffer,
        pagesize=A4,
        invariant=True,
        initialFontName=_PLAIN,
        pageCompression=1,
        title=f"{_title(rule, text)}: {name}",
        author="tb2learn",
        lang=language,
    )
    foot = _Foot(name, text["doc.page"])
    templates, story = [_template("front", A4, foot, "")], _front(rule, language)
    if rule.has_tables:
        more_templates, more = _tables(rule, text, booklet, foot)
        templates, story = [*templates, *more_templates], [*story, *more]
    document.addPageTemplates(templates)
    document.build(story, canvasmaker=functools.partial(_Canvas, foot))
    return buffer.getvalue()


def _title(rule: Rule, text: Mapping[str, str]) -> str:
    return text["doc.title" if rule.has_tables else "doc.formula_title"]


@functools.cache
def _fonts() -> None:
    """Register DejaVu, which has the letters of all languages and comes with matplotlib."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    pdfmetrics.registerFont(TTFont(_PLAIN, folder / "DejaVuSans.ttf"))
    pdfmetrics.registerFont(TTFont(_BOLD, folder / "DejaVuSans-Bold.ttf"))


# --------------------------------------------------------------------------- pages


@dataclass(frozen=True)
class _Foot:
    """The foot of every page: rule, page number, program."""

    name: str
    page: str

    def draw(self, canvas: Canvas, pages: int) -> None:
        """Draw the foot on the current page of a canvas."""
        width, _ = canvas._pagesize
        canvas.setFont(_PLAIN, 7)
        canvas.setStrokeColor(_RULE)
        canvas.setLineWidth(0.4)
        canvas.line(_SIDE, _BOTTOM - 6, width - _SIDE, _BOTTOM - 6)
        y = _BOTTOM - 16
        canvas.drawString(_SIDE, y, _shortened(self.name, width / 3, 7))
        number = self.page.format(page=canvas.getPageNumber(), pages=pages)
        canvas.drawCentredString(width / 2, y, number)
        canvas.drawRightString(width - _SIDE, y, f"tb2learn {tb2learn.__version__}")


def _shortened(text: str, width: float, size: float) -> str:
    """The text, shortened to `width` points if it is wider."""
    if pdfmetrics.stringWidth(text, _PLAIN, size) <= width:
        return text
    while pdfmetrics.stringWidth(text + "…", _PLAIN, size) > width:
        text = text[:-1]
    return text + "…"


class _Canvas(Canvas):
    """A canvas that keeps its pages until their number, which the foot shows, is known."""

    def __init__(self, foot: _Foot, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self._foot, self._kept = foot, []

    def showPage(self) -> None:
        """Keep the page."""
        self._kept.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        """Write all pages with their feet."""
        for state in self._kept:
            self.__dict__.update(state)
            self._foot.draw(self, len(self._kept))
            super().showPage()
        super().save()


def _template(name: str, size: tuple[float, float], foot: _Foot, section: str) -> PageTemplate:
    """A page template of a given size with a running head."""
    width, height = size

    def head(canvas: Canvas, _: BaseDocTemplate) -> None:
        if section:
            canvas.setFont(_BOLD, 9)
            canvas.drawString(_SIDE, height - _TOP + 22, _shortened(foot.name, width / 4, 9))
            canvas.setFont(_PLAIN, 8)
            canvas.drawRightString(width - _SIDE, height - _TOP + 22, section)

    frame = Frame(
        *(_SIDE, _BOTTOM, width - 2 * _SIDE, height - _TOP - _BOTTOM),
        **dict.fromkeys(("leftPadding", "rightPadding", "topPadding", "bottomPadding"), 0),
    )
    return PageTemplate(name, [frame], onPage=head, pagesize=size)


# --------------------------------------------------------------------------- the first part

_TEXT = ParagraphStyle("text", fontName=_PLAIN, fontSize=9.5, leading=13, spaceAfter=3)
_HEAD = ParagraphStyle("head", _TEXT, fontName=_BOLD, fontSize=11, spaceBefore=10, spaceAfter=5)
_NAME = ParagraphStyle("name", _TEXT, fontName=_BOLD, fontSize=17, leading=22, spaceAfter=8)
_STEPS = ParagraphStyle("steps", _TEXT, leftIndent=18, bulletFontName=_PLAIN, bulletFontSize=9.5)


def _paragraph(text: str, style: ParagraphStyle, **options: Any) -> Paragraph:
    """A paragraph of plain text."""
    return Paragraph(_escaped(text), style, **options)


def _escaped(text: str) -> str:
    """Text whose characters are not read as markup of a paragraph."""
    return escape(plain(text))


def _front(rule: Rule, language: str) -> list[Flowable]:
    """The header, the instruction and the worked example."""
    text = words(language)
    story: list[Flowable] = [_paragraph(_title(rule, text), _NAME)]
    for key, value in header(rule, language).items():
        label = f'<font name="{_BOLD}">{_escaped(text[f"doc.{key}"])}:</font>'
        story.append(Paragraph(f"{label} {_escaped(value)}", _TEXT))
    story.append(_paragraph(text["doc.how_to_use"], _HEAD))
    for number, sentence in enumerate(how_to_use(rule, language), start=1):
        story.append(_paragraph(sentence, _STEPS, bulletText=f"{number}."))
    if rule.has_tables:
        story += _example(rule, text)
    return story


def _example(rule: Rule, text: Mapping[str, str]) -> list[Flowable]:
    example, passes = worked_example(rule), rule.passes
    key = "pdf.example_passes" if passes > 1 else "pdf.example"
    intro = text[key].format(own=example.own_mp, number=passes)
    names = ["round", "opponent_mp", *(["counts_as"] if passes > 1 else []), "gp", "points"]
    rows = [[*(text[f"doc.{name}"] for name in names), ""]]
    for number, item in enumerate(example.items, start=1):
        counts_as = [f"{item.tenths / TENTHS:.1f}"] if passes > 1 else []
        row = [str(number), str(item.opponent_mp), *counts_as, game_points(item.half_points)]
        rows.append([*row, str(item.points), text["doc.left_out"] if item.left_out else ""])
    total = [""] * len(rows[0])
    total[0], total[-2] = text["doc.tb2"], str(example.tb2)
    rows.append(total)
    style = TableStyle(
        [
            ("FONT", (0, 0), (-1, -1), _PLAIN, 9),
            ("FONT", (0, 0), (-1, 0), _BOLD, 8.5),
            ("FONT", (0, -1), (-1, -1), _BOLD, 9),
            ("ALIGN", (0, 0), (-2, -1), "RIGHT"),
            ("LINEBELOW", (0, 0), (-1, 0), 0.6, colors.black),
            ("LINEABOVE", (0, -1), (-1, -1), 0.6, colors.black),
            ("ROWBACKGROUNDS", (0, 1), (-1, -2), [colors.white, _ZEBRA]),
            ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
        ]
    )
    shown = Table(rows, style=style, hAlign="LEFT", repeatRows=1)
    return [_paragraph(text["doc.example"], _HEAD), _paragraph(intro, _TEXT), shown]


# --------------------------------------------------------------------------- the tables


@dataclass(frozen=True)
class _Layout:
    """How tables are laid out: page, font size, widths of the GP column and of point columns."""

    page: tuple[float, float]
    size: float
    label: float
    column: float

    def width(self, columns: int) -> float:
        """The width of a table with its GP column."""
        return self.label + columns * self.column

    def height(self, rows: int) -> float:
        """The height of a table with its title and column heads."""
        return self.size * (_TITLE + _LINE * (rows + 1) + _GAP)

    def a_page(self, rows: int) -> int:
        """How many tables with `rows` rows fit on a page."""
        return int((self.page[1] - _TOP - _BOTTOM) / self.height(rows))


def _layout(rule: Rule, booklet: bool, corner: str) -> _Layout:
    """The layout with fewest pages for a booklet, else with the largest font; portrait first."""
    _, shares, width, results = rule.tables.shape
    points = map(str, np.unique(rule.tables).tolist())
    labels = (corner, *(game_points(half) for half in range(results)))
    content = max(_widest(points, _PLAIN), _widest(map(str, rule.columns), _BOLD))
    label = _PADDING + _widest(labels, _BOLD)
    sizes = np.arange(_BOOKLET if booklet else _LARGEST, SMALLEST - _STEP / 2, -_STEP).tolist()
    possible = []
    for page in (A4, landscape(A4)):
        for size in sizes:
            room = (page[0] - 2 * _SIDE - label * size) / width
            column = min(room, (content + _WIDE) * size)
            layout = _Layout(page, size, label * size, column)
            if column >= (content + _PADDING) * size and layout.a_page(results):
                possible.append(layout)
    if not possible:
        raise InputError(f"the numbers of {rule.name} are too long to be printed legibly on A4")
    if not booklet:
        return max(possible, key=lambda layout: layout.size)
    pages = {layout: math.ceil(shares / layout.a_page(results)) for layout in possible}
    return min(possible, key=lambda layout: (pages[layout], -layout.size))


def _widest(cells: Iterable[str], font: str) -> float:
    """Width of the widest cell, in em."""
    return max(pdfmetrics.stringWidth(cell, font, 1) for cell in cells)


def _tables(
    rule: Rule, text: Mapping[str, str], booklet: bool, foot: _Foot
) -> tuple[list[PageTemplate], list[Flowable]]:
    """The tables: a section of pages per pass, in it one table per own MP."""
    layout, opponents = _layout(rule, booklet, text["doc.gp"]), rule.columns
    axes = text["pdf.axes_counts_as" if rule.in_passes else "pdf.axes"]
    templates, story = [], []
    for number, table in enumerate(rule.tables, start=1):
        label = text["doc.pass_number"].format(number=number) if rule.passes > 1 else ""
        section = f"{label}.  {axes}" if label else axes
        templates.append(_template(f"pass{number}", layout.page, foot, section))
        story += [NextPageTemplate(f"pass{number}"), PageBreak()]
        for own, values in enumerate(table):
            title = text["doc.own_mp_number"].format(number=own)
            title = f"{title} ({label})" if label else title
            story.append(_Block(title, text["doc.gp"], opponents, values.T.tolist(), layout))
            story += [] if booklet or own == len(table) - 1 else [PageBreak()]
    return templates, story


class _Block(Flowable):
    """The table of one own MP: a row for each GP, a column for each opponent's MP."""

    def __init__(
        self,
        title: str,
        corner: str,
        heads: Sequence[int],
        rows: Sequence[Sequence[int]],
        layout: _Layout,
    ):
        super().__init__()
        self.title, self.corner, self.layout = title, corner, layout
        self.heads, self.rows = heads, rows
        self.rights = [layout.width(n) for n in range(len(heads) + 1)]
        self.width, self.height = self.rights[-1], layout.height(len(rows))

    def wrap(self, *_: float) -> tuple[float, float]:
        """The size of the table."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw the table from its title downwards."""
        canvas, size = self.canv, self.layout.size
        line, lines = size * _LINE, len(self.rows)
        top = self.height - size * _TITLE  # of the row of column heads
        canvas.setFillColor(colors.black)
        canvas.setFont(_BOLD, size + 1)
        canvas.drawString(0, top + 0.5 * size, self.title)
        canvas.setFillColor(_ZEBRA)
        for n in range(1, lines, 2):
            canvas.rect(0, top - (n + 2) * line, self.width, line, stroke=0, fill=1)
        canvas.setFillColor(colors.black)
        bottom = top - (lines + 1) * line
        canvas.setStrokeColor(_RULE)
        canvas.setLineWidth(0.25)
        canvas.grid(self.rights[:-1], [bottom, top])
        canvas.setStrokeColor(colors.black)
        canvas.setLineWidth(0.6)
        for y in (top, top - line, bottom):
            canvas.line(0, y, self.width, y)
        baseline = top - line + 0.36 * size
        self._row(baseline, self.corner, self.heads, _BOLD)
        for n, values in enumerate(self.rows):
            self._row(baseline - (n + 1) * line, game_points(n), values, _PLAIN)

    def _row(self, y: float, label: str, values: Sequence[int], font: str) -> None:
        """Draw the label and the numbers of a row, aligned to the right of their columns."""
        size = self.layout.size
        line = self.canv.beginText()
        cells = [(label, _BOLD), *((str(value), font) for value in values)]
        for right, (cell, font) in zip(self.rights, cells, strict=True):
            wide = pdfmetrics.stringWidth(cell, font, size)
            line.setFont(font, size)
            line.setTextOrigin(right - _PADDING / 2 * size - wide, y)
            line.textOut(cell)
        self.canv.drawText(line)
