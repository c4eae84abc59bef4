"""A document as a PDF: A4, black and white."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.platypus import (
    Flowable,
    KeepTogether,
    PageBreak,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from tb2learn.export.document import Document, Grid, Sentences, shown
from tb2learn.export.pdf_page import (
    BOLD,
    HEAD,
    NAME,
    PLAIN,
    SIDE,
    STEPS,
    TEXT,
    ZEBRA,
    Foot,
    built,
    escaped,
    fonts,
    paragraph,
    template,
)
from tb2learn.export.words import words
from tb2learn.text import plain

LARGEST, SMALLEST = 9.0, 6.5
"""Font sizes of a table, in points: the largest with which it fits the page is taken."""

_PADDING, _ROOM = 7.0, 0.5  # of a cell, both sides together; so that rounding breaks no word
_NAMES = 0.34  # of the width of the page: a column of names may be so wide, longer names wrap


def document_pdf(document: Document) -> bytes:
    """A document as a PDF, the same bytes for the same document."""
    fonts()
    title = plain(document.title)
    foot = Foot(title, words(document.language)["doc.page"])
    pages = [template("page", A4, foot, "")]
    return built(title, foot, pages, document_story(document), document.language)


def document_story(document: Document) -> list[Flowable]:
    """A document as parts of a story."""
    story: list[Flowable] = [paragraph(document.title, NAME)]
    for label, value in document.facts:
        line = f'<font name="{BOLD}">{escaped(label)}:</font> {escaped(value)}'
        story.append(Paragraph(line, TEXT))
    for part in document.parts:
        story += _sentences(part) if isinstance(part, Sentences) else grid_story(part)
    return story


def _sentences(part: Sentences) -> list[Flowable]:
    story: list[Flowable] = [PageBreak()] if part.new_page else []
    story += [paragraph(part.heading, HEAD)] if part.heading else []
    for number, line in enumerate(part.lines, start=1):
        bullet = {"bulletText": f"{number}."} if part.numbered else {}
        story.append(paragraph(line, STEPS if part.numbered else TEXT, **bullet))
    return story


def grid_story(part: Grid) -> list[Flowable]:
    """A table as parts of a story."""
    width = A4[0] - 2 * SIDE
    texts = [[shown(cell) for cell in row] for row in part.rows]
    size = LARGEST
    while (widths := _widths(part, texts, size)) and sum(widths) > width and size > SMALLEST:
        size -= 0.5
    if sum(widths) > width:
        widths = [one * width / sum(widths) for one in widths]
    name, head = (
        ParagraphStyle("cell", TEXT, fontName=font, fontSize=size, leading=1.2 * size, spaceAfter=0)
        for font in (PLAIN, BOLD)
    )
    right = ParagraphStyle("right", head, alignment=2)
    heads = (head if k in part.names else right for k in range(len(part.heads)))
    rows: list[list[str | Paragraph]] = [list(map(paragraph, part.heads, heads))]
    for number, cells in enumerate(texts):
        rows.append([_cell(part, name, number, k, cell) for k, cell in enumerate(cells)])
    table = Table(rows, widths, style=_style(part, size), hAlign="LEFT", repeatRows=1)
    story: list[Flowable] = [paragraph(part.heading, HEAD)] if part.heading else [Spacer(1, 8)]
    return [KeepTogether([*story, table])] if part.together else [*story, table]


def _cell(part: Grid, name: ParagraphStyle, row: int, column: int, text: str) -> str | Paragraph:
    if (row, column) in part.struck:
        return Paragraph(f"<strike>{escaped(text)}</strike>", ParagraphStyle("", name, alignment=2))
    if column in part.names and row not in part.strong:
        return paragraph(text, name)
    return text


def _widths(part: Grid, texts: Sequence[Sequence[str]], size: float) -> list[float]:
    """The widths of the columns: of the widest number, or the widest word of a heading."""
    widths = []
    for k, head in enumerate(part.heads):
        cells = [pdfmetrics.stringWidth(row[k], BOLD, size) for row in texts]
        words = [pdfmetrics.stringWidth(word, BOLD, size) for word in head.split()]
        widest = max([*cells, 0.0])
        if k in part.names:
            widest = min(widest, _NAMES * (A4[0] - 2 * SIDE))
        widths.append(max([widest, *words]) + _PADDING + _ROOM)
    return widths


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
    commands += [("ALIGN", (k, 0), (k, -1), "LEFT") for k in sorted(part.names)]
    commands += [("FONT", (0, 1 + n), (-1, 1 + n), BOLD, size) for n in sorted(part.strong)]
    for n in sorted(part.ruled):
        commands.append(("LINEABOVE", (0, 1 + n), (-1, 1 + n), 0.6, colors.black))
    return TableStyle(commands)
