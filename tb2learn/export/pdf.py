"""Documents and rules as PDFs for the tournament office: A4, legible in black and white.

Text is plain: its characters are never read as markup.
"""

from __future__ import annotations

import functools
import io
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias
from xml.sax.saxutils import escape

import numpy as np
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    Image,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from tb2learn.export.document import (
    Document,
    Grid,
    Pair,
    Part,
    Sentences,
    cell_text,
    grids,
    in_columns,
)
from tb2learn.export.table import (
    expected_points,
    game_points,
    header,
    nearest_par,
    sure_grid,
    used_columns,
    worked_example,
)
from tb2learn.export.words import decimal, how_to_use, in_language, title, words
from tb2learn.text import plain, quoted
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError
from tb2learn.version import __version__

SIDE, TOP, BOTTOM = 30.0, 54.0, 36.0
"""Margins, in points (1/72 inch)."""

PLAIN, BOLD = "tb2learn-plain", "tb2learn-bold"
ZEBRA, RULE = colors.Color(0.93, 0.93, 0.93), colors.Color(0.6, 0.6, 0.6)


@functools.cache
def fonts() -> None:
    """Register DejaVu, which has the letters of all languages and comes with matplotlib."""
    # Where it is, is known without importing it.
    spec = find_spec("matplotlib")
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"
    pdfmetrics.registerFont(TTFont(PLAIN, folder / "DejaVuSans.ttf"))
    pdfmetrics.registerFont(TTFont(BOLD, folder / "DejaVuSans-Bold.ttf"))


# --------------------------------------------------------------------------- pages


@dataclass(frozen=True)
class Foot:
    """The foot of every page: what it is about, page number, program; and its font size."""

    name: str
    page: str
    size: float = 7.0

    def draw(self, canvas: Canvas, pages: int) -> None:
        """Draw the foot on the current page of a canvas."""
        # The types of the library leave out what it keeps to itself.
        width, _ = canvas._pagesize  # pyright: ignore[reportAttributeAccessIssue]
        canvas.setFont(PLAIN, self.size)
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.4)
        canvas.line(SIDE, BOTTOM - 6, width - SIDE, BOTTOM - 6)
        y = BOTTOM - 9 - self.size
        number = self.page.format(page=canvas.getPageNumber(), pages=pages)
        right = f"{number}   tb2learn {__version__}"
        room = width - 2 * SIDE - 12 - pdfmetrics.stringWidth(right, PLAIN, self.size)
        canvas.drawString(SIDE, y, shortened(self.name, room, self.size))
        canvas.drawRightString(width - SIDE, y, right)


def shortened(text: str, width: float, size: float) -> str:
    """The text, shortened to `width` points if it is wider."""
    if pdfmetrics.stringWidth(text, PLAIN, size) <= width:
        return text
    # One letter after the other, as they differ in width.
    while pdfmetrics.stringWidth(text + "…", PLAIN, size) > width:
        text = text[:-1]
    return text + "…"


class PagedCanvas(Canvas):
    """A canvas that keeps its pages until their number, which the foot shows, is known."""

    def __init__(self, foot: Foot, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self._foot, self._kept = foot, []

    def showPage(self) -> None:
        """Keep the page."""
        # The number of pages is known when the last one is drawn.
        self._kept.append(dict(self.__dict__))
        self._startPage()  # pyright: ignore[reportAttributeAccessIssue] as in `Foot.draw`

    def save(self) -> None:
        """Write all pages with their feet."""
        for state in self._kept:
            self.__dict__.update(state)
            self._foot.draw(self, len(self._kept))
            super().showPage()
        super().save()


def template(
    name: str,
    size: tuple[float, float],
    foot: Foot,
    section: str,
    below: Sequence[Flowable] = (),
    height: float = 0.0,
) -> PageTemplate:
    """A page template of a given size with a running head, and paragraphs below of a height."""
    width, top = size

    def draw_frame(canvas: Canvas, _: BaseDocTemplate) -> None:
        if section:
            canvas.setFont(BOLD, 9)
            canvas.drawString(SIDE, top - TOP + 22, shortened(foot.name, width / 4, 9))
            canvas.setFont(PLAIN, 8)
            canvas.drawRightString(width - SIDE, top - TOP + 22, section)
        y = BOTTOM + height
        # From the upper edge of the foot downwards.
        for part in below:
            high = part.wrap(width - 2 * SIDE, height)[1]
            part.drawOn(canvas, SIDE, y - high)
            y -= high + _SMALL.spaceAfter

    room = top - TOP - BOTTOM - (height + _SMALL.leading if below else 0)
    frame = bare_frame(SIDE, top - TOP - room, width - 2 * SIDE, room)
    return PageTemplate(name, [frame], onPage=draw_frame, pagesize=size)


def bare_frame(left: float, bottom: float, width: float, height: float) -> Frame:
    """A frame that is filled up to its edges."""
    sides = ("leftPadding", "rightPadding", "topPadding", "bottomPadding")
    return Frame(left, bottom, width, height, **dict.fromkeys(sides, 0))


def built(
    title: str,
    foot: Foot,
    templates: Sequence[PageTemplate],
    story: Sequence[Flowable],
    language: str = "en",
) -> bytes:
    """A PDF of a title, page templates and a story: the same bytes for the same content."""
    buffer = io.BytesIO()
    document = BaseDocTemplate(
        buffer,
        pagesize=A4,
        # Without the time of day: equal documents give equal bytes.
        invariant=True,
        initialFontName=PLAIN,
        pageCompression=1,
        title=title,
        author="tb2learn",
        lang=language,
    )
    document.addPageTemplates(list(templates))
    document.build(list(story), canvasmaker=functools.partial(PagedCanvas, foot))
    return buffer.getvalue()


# --------------------------------------------------------------------------- tables


@dataclass(frozen=True)
class Look:
    """How a block is drawn; lengths are in em of its font."""

    # line, title_line, gap: heights of a row, of the title and of the space below
    line: float
    title_line: float
    gap: float
    padding: float  # between columns
    # above, base: of the title over the table, and of the text over the lower end of its row
    above: float
    base: float
    larger: float  # by how many points the title is larger than the numbers
    stroke: float  # width of the lines, in points
    ruled: bool  # whether there is a grey line after every column, not one after the labels alone
    narrow: float = 1.0  # the width of the letters as a share of that of the font

    def wide(self, text: str, font: str, size: float) -> float:
        """The width of a cell with its padding, in points."""
        return self.narrow * pdfmetrics.stringWidth(text, font, size) + self.padding * size

    def height(self, rows: int, size: float) -> float:
        """The height of a block with so many rows, in points."""
        return size * (self.title_line + self.line * (rows + 1) + self.gap)


class Block(Flowable):
    """A table drawn by hand: a title, a row of heads, rows of which every second one is grey.

    **Arguments:**

    - `title`: above the table.
    - `rows`: the heads, then a label and numbers a row.
    - `look`, `size`: how it is drawn, and the size of the font.
    - `label`, `column`: widths of the first and of every other column, in points.
    - `frames`: the numbers that are framed, `(row, column)`, both from 1.
    """

    def __init__(
        self,
        title: str,
        rows: Sequence[Sequence[str]],
        look: Look,
        size: float,
        label: float,
        column: float,
        frames: Iterable[tuple[int, int]] = (),
    ):
        super().__init__()
        self.title, self.rows, self.look, self.size = title, rows, look, size
        self.rights, self.frames = [label + n * column for n in range(len(rows[0]))], frames
        self.width, self.height = self.rights[-1], look.height(len(rows) - 1, size)

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:
        """The size of the table."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw the table from its title downwards."""
        canvas, look, size, line = self.canv, self.look, self.size, self.size * self.look.line
        top = self.height - size * look.title_line
        bottom = top - len(self.rows) * line
        canvas.setFillColor(colors.black)
        canvas.setFont(BOLD, size + look.larger)
        canvas.drawString(0, top + look.above * size, self.title)
        canvas.setFillColor(ZEBRA)
        # Every second row is grey; the heads are row 0.
        for n in range(2, len(self.rows), 2):
            canvas.rect(0, top - (n + 1) * line, self.width, line, stroke=0, fill=1)
        canvas.setFillColor(colors.black)
        if look.ruled:
            canvas.setStrokeColor(RULE)
            canvas.setLineWidth(0.25)
            canvas.grid(self.rights[:-1], [bottom, top])
        canvas.setStrokeColor(colors.black)
        canvas.setLineWidth(look.stroke)
        for y in (top, top - line, bottom):
            canvas.line(0, y, self.width, y)
        if not look.ruled:
            canvas.line(self.rights[0], top, self.rights[0], bottom)
        for row, column in self.frames:
            left, right = self.rights[column - 1 : column + 1]
            canvas.rect(left, top - (row + 1) * line, right - left, line, stroke=1, fill=0)
        for n, cells in enumerate(self.rows):
            self._row(top - (n + 1) * line + look.base * size, cells, PLAIN if n else BOLD)

    def _row(self, y: float, cells: Sequence[str], font: str) -> None:
        """Draw the label and the numbers of a row, aligned to the right of their columns."""
        line, fonts = self.canv.beginText(), (BOLD, *[font] * (len(cells) - 1))
        # Narrow letters bring a large table on one sheet.
        line.setHorizScale(100 * self.look.narrow)
        for right, cell, of_cell in zip(self.rights, cells, fonts, strict=True):
            wide = self.look.wide(cell, of_cell, self.size)
            line.setFont(of_cell, self.size)
            line.setTextOrigin(right + self.look.padding / 2 * self.size - wide, y)
            line.textOut(cell)
        self.canv.drawText(line)


# --------------------------------------------------------------------------- paragraphs

TEXT = ParagraphStyle("text", fontName=PLAIN, fontSize=9.5, leading=13, spaceAfter=3)
HEAD = ParagraphStyle(
    "head", TEXT, fontName=BOLD, fontSize=11, spaceBefore=10, spaceAfter=5, keepWithNext=1
)
NAME = ParagraphStyle("name", TEXT, fontName=BOLD, fontSize=17, leading=22, spaceAfter=8)
_SMALL = ParagraphStyle("small", TEXT, fontSize=7.5, leading=9.5, spaceAfter=1.5)
STEPS = ParagraphStyle("steps", TEXT, leftIndent=18, bulletFontName=PLAIN, bulletFontSize=9.5)

_ARTICLES = ParagraphStyle("articles", STEPS, leftIndent=26)


def paragraph(text: str, style: ParagraphStyle, **options: Any) -> Paragraph:
    """A paragraph of plain text."""
    return Paragraph(escaped(text), style, **options)


def escaped(text: str) -> str:
    """Text whose characters are not read as markup of a paragraph."""
    return escape(plain(text))


# --------------------------------------------------------------------------- documents

WRITING = 7 * mm
"""The height of a row that is filled in by hand."""

_BETWEEN = 16.0  # two tables side by side
LARGEST, LEGIBLE, SMALLEST = 9.0, 8.0, 6.5
"""Font sizes of a table, in points: the largest with which it fits the page is taken.

A document with a table that does not fit in the legible size is turned to landscape.
"""

ON_ONE_PAGE = 30
"""Rows of a table that should stand on one page with what is above and below it."""

_MOST_FOOT = 0.35  # of the height of the page: longer sentences stand at the end
_PADDING, _ROOM = 7.0, 0.5  # of a cell, both sides together; so that rounding breaks no word
_NAMES = 0.34  # of the width of the page: a column of names may be so wide, longer names wrap


def document_pdf(document: Document, foot_size: float = 7.0) -> bytes:
    """A document as a PDF, the same bytes for the same document.

    **Raises:** `InputError` as `check_letters`.
    """
    return documents_pdf([document], foot_size=foot_size)


AnnexOf: TypeAlias = Callable[[Foot], tuple[list[PageTemplate], list[Flowable]]]
"""From the foot of all pages to page templates, of which the first one comes first, and a story."""


def documents_pdf(
    documents: Sequence[Document],
    title: str = "",
    more: AnnexOf | None = None,
    foot_size: float = 7.0,
) -> bytes:
    """Documents as one PDF, each on pages of its own, the same bytes for the same documents.

    **Arguments:**

    - `title`: of the file; that of the first document if not given.
    - `more`: what follows the documents.

    **Raises:** `InputError` as `check_letters`.
    """
    fonts()
    title, language = plain(title or documents[0].title), documents[0].language
    foot = Foot(title, words(language)["doc.page"], foot_size)
    templates: list[PageTemplate] = []
    story: list[Flowable] = []
    sections = [_pages(document, foot, f"{n} ") for n, document in enumerate(documents)]
    for own_templates, pages in (*sections, *([more(foot)] if more else [])):
        if story:
            story += [NextPageTemplate(own_templates[0].id or ""), PageBreak()]
        templates, story = [*templates, *own_templates], [*story, *pages]
    return built(title, foot, templates, story, language)


def _pages(document: Document, foot: Foot, name: str) -> tuple[list[PageTemplate], list[Flowable]]:
    """The page templates of a document, the first page's first, and its story."""
    document = in_language(document)
    # A table that is legible across only turns the whole document.
    wide = any(_smallest(part) < LEGIBLE for part in document.parts)
    page = landscape(A4) if wide else A4
    width = page[0] - 2 * SIDE
    below = _sentences(replace(document.foot, heading=""), _SMALL) if document.foot else []
    height = sum(part.wrap(width, page[1])[1] + _SMALL.spaceAfter for part in below)
    # A long foot would leave no room for the table: it follows as the last part.
    if height > _MOST_FOOT * page[1]:
        document = replace(document, parts=document.all_parts, foot=None)
        below, height = [], 0.0
    templates = [template(f"{name}first", page, foot, "", below, height)]
    room = page[1] - TOP - BOTTOM - (height + _SMALL.leading if below else 0)
    story = _on_one_page(document, width, room)
    if below:
        templates.append(template(f"{name}next", page, foot, ""))
        story.insert(0, NextPageTemplate(f"{name}next"))
    return templates, story


def _on_one_page(document: Document, width: float, room: float) -> list[Flowable]:
    """A document as a story in the largest letters that bring it on one page, if any do.

    They are legible in portrait; in landscape they may be the smallest.

    **Arguments:** `room`: the height of the page.
    """
    if max((len(grid.rows) for grid in grids(document.parts)), default=0) <= ON_ONE_PAGE:
        canvas = Canvas(io.BytesIO())  # on which nothing is drawn
        sizes = [LARGEST, (LARGEST + LEGIBLE) / 2, LEGIBLE]
        # A table that is turned to landscape has a column an opponent: one page is worth more.
        sizes += [7.5, 7.0, SMALLEST] if width > A4[0] else []
        for size in sizes:
            story = document_story(document, width, size)
            heights = (
                part.wrapOn(canvas, width, room)[1] + part.getSpaceBefore() + part.getSpaceAfter()
                for part in story
            )
            if sum(heights) <= room:
                # A story is laid out once: what was measured is made anew.
                return document_story(document, width, size)
    return document_story(document, width)


def document_story(
    document: Document, width: float = A4[0] - 2 * SIDE, largest: float = LARGEST
) -> list[Flowable]:
    """A document as parts of a story, without its foot.

    **Arguments:** `width`: of tables at most; `largest`: the size of their letters at most.

    **Raises:** `InputError` as `check_letters`.
    """
    check_letters(document)
    story: list[Flowable] = [paragraph(document.title, NAME)]
    for label, value in document.facts:
        line = f'<font name="{BOLD}">{escaped(label)}:</font> {escaped(value)}'
        story.append(Paragraph(line, TEXT))
    for part in document.parts:
        if isinstance(part, Pair):
            story.append(_beside(part, width, largest))
        elif isinstance(part, Grid):
            story += grid_story(part, width, largest)
        else:
            story += _sentences(part)
    if document.picture:
        room = min(width, A4[0] - 2 * SIDE)  # that of a page in portrait
        picture = io.BytesIO(document.picture)
        story.append(Image(picture, room, room, "proportional", hAlign="LEFT"))
    return story


def _beside(part: Pair, width: float, largest: float) -> Table:
    """Two tables side by side, in letters of one size."""
    room = (width - _BETWEEN) / 2
    pair = (part.left, part.right)
    largest = min(_fitting(grid, room, largest)[0] for grid in pair)
    cells = [grid_story(replace(grid, together=False), room, largest) for grid in pair]
    style = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        *((f"{edge}PADDING", (0, 0), (-1, -1), 0) for edge in ("LEFT", "RIGHT", "BOTTOM")),
        ("TOPPADDING", (0, 0), (-1, -1), 8),
    ]
    return Table([cells], [room + _BETWEEN, room], style=TableStyle(style), hAlign="LEFT")


def _smallest(part: Part) -> float:
    """The size of the letters of a part in portrait."""
    width = A4[0] - 2 * SIDE
    # Of a pair each table has half of the width.
    width = (width - _BETWEEN) / 2 if isinstance(part, Pair) else width
    return min((_fitting(grid, width)[0] for grid in grids([part])), default=LARGEST)


def check_letters(document: Document) -> None:
    """Check that a PDF shows every letter of a document as it is written.

    **Raises:** `InputError` naming a text with letters that the font lacks, or that are written
    from right to left, which the library does not do.
    """
    fonts()
    # The types of the library know no fonts of files.
    glyphs = pdfmetrics.getFont(PLAIN).face.charToGlyph  # pyright: ignore[reportAttributeAccessIssue]
    for text in _texts(document):
        for letter in plain(text):
            if ord(letter) not in glyphs or unicodedata.bidirectional(letter) in ("R", "AL"):
                raise InputError(
                    f"{quoted(text[:60])}: a PDF cannot show these letters: "
                    "write an .html instead, open it in a browser and print it"
                )


def _texts(document: Document) -> Iterator[str]:
    """The title and the names of a document: what does not come from the program itself."""
    yield document.title
    yield from (value for _, value in document.facts)
    for part in document.all_parts:
        if isinstance(part, Sentences):
            yield from (part.heading, *part.lines)
    for grid in grids(document.all_parts):
        yield grid.heading
        yield from (cell for row in grid.rows for cell in row if isinstance(cell, str))


def _sentences(part: Sentences, style: ParagraphStyle = TEXT) -> list[Flowable]:
    story: list[Flowable] = [PageBreak()] if part.new_page else []
    story += [paragraph(part.heading, HEAD)] if part.heading else []
    for number, line in enumerate(part.lines, start=1):
        mark = f"{part.under}{number}" if part.under else f"{number}."
        bullet = {"bulletText": mark} if part.numbered else {}
        steps = _ARTICLES if part.under else STEPS
        story.append(paragraph(line, steps if part.numbered else style, **bullet))
    return story


def grid_story(
    part: Grid, width: float = A4[0] - 2 * SIDE, largest: float = LARGEST
) -> list[Flowable]:
    """A table as parts of a story, at most of a width, in letters of at most a size."""
    texts = [[cell_text(cell) for cell in row] for row in part.rows]
    size, widths = _fitting(part, width, largest)
    if part.writing or sum(widths) > width:
        # A form fills the width, as handwriting needs room.
        widths = [column * width / sum(widths) for column in widths]
    name, head = (
        ParagraphStyle("cell", TEXT, fontName=font, fontSize=size, leading=1.2 * size, spaceAfter=0)
        for font in (PLAIN, BOLD)
    )
    right = ParagraphStyle("right", head, alignment=2)
    heads = (head if k in part.names else right for k in range(len(part.heads)))
    rows: list[list[str | Paragraph]] = [list(map(paragraph, part.heads, heads))]
    for number, cells in enumerate(texts):
        rows.append([_cell(part, name, number, k, cell) for k, cell in enumerate(cells)])
    # None: as high as the text.
    heights = [None, *[WRITING if part.writing else None] * len(texts)]
    table = Table(rows, widths, heights, style=_style(part, size), hAlign="LEFT", repeatRows=1)
    # What follows a table stands off from it.
    table.spaceAfter = 6
    story: list[Flowable] = [paragraph(part.heading, HEAD)] if part.heading else [Spacer(1, 8)]
    # A table of a page or more is split, with its heads on every page.
    return [KeepTogether([*story, table])] if part.together else [*story, table]


def _cell(part: Grid, name: ParagraphStyle, row: int, column: int, text: str) -> str | Paragraph:
    if (row, column) in part.struck:
        return Paragraph(f"<strike>{escaped(text)}</strike>", ParagraphStyle("", name, alignment=2))
    if column in part.names and row not in part.strong:
        return paragraph(text, name)
    return text


def _fitting(
    part: Grid, width: float = A4[0] - 2 * SIDE, largest: float = LARGEST
) -> tuple[float, list[float]]:
    """The largest size of the font with which a table has a width, and its columns' widths."""
    size = largest
    while sum(widths := _widths(part, size, width)) > width + _ROOM and size > SMALLEST:
        size -= 0.5
    return size, widths


def _widths(part: Grid, size: float, width: float) -> list[float]:
    """The widths of the columns: of the widest number, or the widest word of a heading.

    Columns of names have the width of their longest name, if there is room, or of the longest word.
    """
    texts = [[cell_text(cell) for cell in row] for row in part.rows]
    widths, least = [], []

    def wide(texts: Iterable[str]) -> float:
        return max((pdfmetrics.stringWidth(text, BOLD, size) for text in texts), default=0.0)

    for k, head in enumerate(part.heads):
        cells = [row[k] for row in texts]
        widest, words = wide(cells), wide(head.split())
        # A long name wraps, so it may be narrower than its text.
        if k in part.names:
            widest = min(widest, _NAMES * width)
            least.append(max(words, min(widest, wide(" ".join(cells).split()))))
        else:
            least.append(max(words, widest))
        widths.append(max(words, widest))
    # What all columns of names can give up before a word breaks.
    spare = sum(widths) - sum(least)
    over = sum(widths) + len(widths) * (_PADDING + _ROOM) - width
    kept = 1 - min(1.0, over / spare) if over > 0 and spare > 0 else 1.0
    return [
        low + kept * (full - low) + _PADDING + _ROOM
        for low, full in zip(least, widths, strict=True)
    ]


def _style(part: Grid, size: float) -> TableStyle:
    commands = [
        ("FONT", (0, 0), (-1, -1), PLAIN, size, 1.2 * size),
        ("ALIGN", (0, 0), (-1, -1), "RIGHT"),
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        ("VALIGN", (0, 1), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), _PADDING / 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), _PADDING / 2),
        ("TOPPADDING", (0, 0), (-1, -1), 0.8),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.6),
        ("ROWBACKGROUNDS", (0, 1), (-1, -1), [colors.white, ZEBRA]),
        ("LINEBELOW", (0, 0), (-1, 0), 0.6, colors.black),
        ("LINEBELOW", (0, -1), (-1, -1), 0.6, colors.black),
    ]
    if part.writing:
        commands += [
            ("ROWBACKGROUNDS", (0, 1), (-1, -1), [colors.white]),
            ("INNERGRID", (0, 1), (-1, -1), 0.4, RULE),
            ("VALIGN", (0, 1), (-1, -1), "MIDDLE"),
        ]
    commands += [("ALIGN", (k, 0), (k, -1), "LEFT") for k in sorted(part.names)]
    commands += [("FONT", (0, 1 + n), (-1, 1 + n), BOLD, size) for n in sorted(part.strong)]
    for n in sorted(part.ruled):
        commands.append(("LINEABOVE", (0, 1 + n), (-1, 1 + n), 0.6, colors.black))
    return TableStyle(commands)


# --------------------------------------------------------------------------- a rule

_LARGEST = 14.0  # of the font sizes of tables; a booklet has legible ones if it can
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
        more_templates, pages = _tables(rule, words(language), booklet, foot)
        templates, story = [*templates, *more_templates], [*story, *pages]
    return templates, story


def _front(rule: Rule, language: str) -> list[Flowable]:
    """The header, the instruction, the worked example, and how sure orders are, if it is known."""
    text = words(language)
    facts = tuple((text[f"doc.{k}"], line) for k, line in header(rule, language).items())
    blocks: list[Part] = [
        Sentences(text["doc.how_to_use"], how_to_use(rule, language), numbered=True)
    ]
    blocks += [Sentences("", (text["doc.par"],))] if rule.in_passes else []
    blocks += _example(rule, text) if rule.has_tables else [_expected(rule, text)]
    if margins := sure_grid(rule, language):
        sentence, grid = margins
        blocks += [Sentences(grid.heading, (sentence,)), replace(grid, heading="", together=False)]
    document = Document(title(rule, language), facts, tuple(blocks), language)
    return document_story(in_language(document))


def _expected(rule: Rule, text: Mapping[str, str]) -> Grid:
    """The game points that a formula expects by lead, in three columns."""
    pairs = [(cell_text(lead), f"{points:.2f}") for lead, points in expected_points(rule)]
    heads = (text["doc.lead"], text["doc.expected"]) * _COLUMNS
    return Grid("", heads, in_columns(pairs, _COLUMNS), together=True)


def _example(rule: Rule, text: Mapping[str, str]) -> list[Part]:
    example, passes = worked_example(rule, text), rule.passes
    key = "pdf.example_passes" if passes > 1 else "pdf.example"
    intro = text[key].format(own=example.own_mp, number=passes)
    keys, items = example.keys, example.rows
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
    # The widest number decides: all columns are equal.
    content = max(_widest(points, PLAIN), _widest(map(str, rule.columns), BOLD))
    label = _LOOK.padding + _widest(labels, BOLD)
    possible = []
    for page in (A4, landscape(A4)):
        for size in np.arange(_LARGEST, SMALLEST - _STEP / 2, -_STEP).tolist():
            layout = _Layout(page, size, label * size, (content + _WIDE) * size)
            # All columns on one page, and at least one table.
            fits = layout.column(width) >= (content + _LOOK.padding) * size
            if fits and layout.a_page(results):
                possible.append(layout)
    if not possible:
        raise InputError(f"the numbers of {rule.name} are too long to be printed legibly on A4")
    legible = [layout for layout in possible if layout.size >= LEGIBLE - _STEP / 2]
    if not (booklet and legible):
        return max(possible, key=lambda layout: layout.size)
    pages = {layout: math.ceil(shares / layout.a_page(results)) for layout in legible}
    # Fewest pages first, then the largest digits.
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
