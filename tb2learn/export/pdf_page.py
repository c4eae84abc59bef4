"""What every PDF shares: fonts, margins, the foot of a page, paragraphs of plain text. A4."""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import matplotlib
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph

from tb2learn.text import plain
from tb2learn.version import __version__

SIDE, TOP, BOTTOM = 30.0, 54.0, 36.0
"""Margins, in points (1/72 inch)."""

PLAIN, BOLD = "tb2learn-plain", "tb2learn-bold"
ZEBRA, RULE = colors.Color(0.93, 0.93, 0.93), colors.Color(0.6, 0.6, 0.6)


@functools.cache
def fonts() -> None:
    """Register DejaVu, which has the letters of all languages and comes with matplotlib."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    pdfmetrics.registerFont(TTFont(PLAIN, folder / "DejaVuSans.ttf"))
    pdfmetrics.registerFont(TTFont(BOLD, folder / "DejaVuSans-Bold.ttf"))


# --------------------------------------------------------------------------- pages


@dataclass(frozen=True)
class Foot:
    """The foot of every page: what it is about, page number, program."""

    name: str
    page: str

    def draw(self, canvas: Canvas, pages: int) -> None:
        """Draw the foot on the current page of a canvas."""
        # The types of the library leave out what it keeps to itself.
        width, _ = canvas._pagesize  # pyright: ignore[reportAttributeAccessIssue]
        canvas.setFont(PLAIN, 7)
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.4)
        canvas.line(SIDE, BOTTOM - 6, width - SIDE, BOTTOM - 6)
        y = BOTTOM - 16
        canvas.drawString(SIDE, y, shortened(self.name, width / 3, 7))
        number = self.page.format(page=canvas.getPageNumber(), pages=pages)
        canvas.drawCentredString(width / 2, y, number)
        canvas.drawRightString(width - SIDE, y, f"tb2learn {__version__}")


def shortened(text: str, width: float, size: float) -> str:
    """The text, shortened to `width` points if it is wider."""
    if pdfmetrics.stringWidth(text, PLAIN, size) <= width:
        return text
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
        self._kept.append(dict(self.__dict__))
        self._startPage()  # pyright: ignore[reportAttributeAccessIssue] as in `Foot.draw`

    def save(self) -> None:
        """Write all pages with their feet."""
        for state in self._kept:
            self.__dict__.update(state)
            self._foot.draw(self, len(self._kept))
            super().showPage()
        super().save()


def template(name: str, size: tuple[float, float], foot: Foot, section: str) -> PageTemplate:
    """A page template of a given size with a running head."""
    width, height = size

    def head(canvas: Canvas, _: BaseDocTemplate) -> None:
        if section:
            canvas.setFont(BOLD, 9)
            canvas.drawString(SIDE, height - TOP + 22, shortened(foot.name, width / 4, 9))
            canvas.setFont(PLAIN, 8)
            canvas.drawRightString(width - SIDE, height - TOP + 22, section)

    frame = Frame(
        *(SIDE, BOTTOM, width - 2 * SIDE, height - TOP - BOTTOM),
        **dict.fromkeys(("leftPadding", "rightPadding", "topPadding", "bottomPadding"), 0),
    )
    return PageTemplate(name, [frame], onPage=head, pagesize=size)


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


class Block(Flowable):
    """A table drawn by hand: a title, a row of heads, rows of which every second one is grey.

    **Arguments:**

    - `title`: above the table.
    - `heads`: of the columns; the first one is of the labels.
    - `labels`, `cells`: of the rows.
    - `size`: of the font. Heights of a row, of the title and below the table are in em.
    """

    line, title_line, gap = 1.0, 1.0, 0.0

    def __init__(
        self,
        title: str,
        heads: Sequence[str],
        labels: Sequence[str],
        cells: Sequence[Sequence[str]],
        size: float,
    ):
        super().__init__()
        self.title, self.heads, self.labels, self.cells = title, heads, labels, cells
        self.size, self.height = size, self.height_of(len(cells), size)

    @classmethod
    def height_of(cls, rows: int, size: float) -> float:
        """The height of a table with so many rows."""
        return size * (cls.title_line + cls.line * (rows + 1) + cls.gap)

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:
        """The size of the table."""
        return self.width, self.height

    def draw_ground(self, title_size: float, above: float) -> tuple[float, float]:
        """Draw the title, `above` em over the table, and grey rows; return top and bottom."""
        canvas, line = self.canv, self.size * self.line
        top = self.height - self.size * self.title_line
        canvas.setFillColor(colors.black)
        canvas.setFont(BOLD, title_size)
        canvas.drawString(0, top + above * self.size, self.title)
        canvas.setFillColor(ZEBRA)
        for n in range(1, len(self.cells), 2):
            canvas.rect(0, top - (n + 2) * line, self.width, line, stroke=0, fill=1)
        canvas.setFillColor(colors.black)
        return top, top - (len(self.cells) + 1) * line


# --------------------------------------------------------------------------- paragraphs

TEXT = ParagraphStyle("text", fontName=PLAIN, fontSize=9.5, leading=13, spaceAfter=3)
HEAD = ParagraphStyle(
    "head", TEXT, fontName=BOLD, fontSize=11, spaceBefore=10, spaceAfter=5, keepWithNext=1
)
NAME = ParagraphStyle("name", TEXT, fontName=BOLD, fontSize=17, leading=22, spaceAfter=8)
STEPS = ParagraphStyle("steps", TEXT, leftIndent=18, bulletFontName=PLAIN, bulletFontSize=9.5)


def paragraph(text: str, style: ParagraphStyle, **options: Any) -> Paragraph:
    """A paragraph of plain text."""
    return Paragraph(escaped(text), style, **options)


def escaped(text: str) -> str:
    """Text whose characters are not read as markup of a paragraph."""
    return escape(plain(text))
