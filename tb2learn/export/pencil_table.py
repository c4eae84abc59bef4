"""The pencil edition of a table in one pass: all its blocks and a real example on two sides."""

from __future__ import annotations

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    KeepTogether,
    PageTemplate,
    Paragraph,
    Table,
    TableStyle,
)

from tb2learn.events.terms import TEAMS
from tb2learn.export.pdf_page import BOLD, PLAIN, ZEBRA, Foot, built, escaped, fonts
from tb2learn.export.pencil_example import WHICH, Tie, heading, verdict
from tb2learn.export.shift import can_occur, shifted, shifts
from tb2learn.export.table import game_points
from tb2learn.export.words import note
from tb2learn.text import plain
from tb2learn.tiebreaks.passes import HUNDRED
from tb2learn.tiebreaks.rules import PassTable
from tb2learn.types import InputError

SIZES = (8.0, 7.0, 6.5)
"""Font sizes, in points: the largest with which everything fits two pages is taken."""

_MARGIN, _FOOT, _GUTTER = 20.0, 31.0, 12.0
_LINE, _TITLE, _GAP, _PAD = 1.12, 1.3, 0.35, 0.42  # in em


def table_sheet(rule: PassTable, tie: Tie | None) -> bytes:
    """A table in one pass on two pages, with the worked example of a tie.

    **Raises:** `InputError` if it does not fit two pages in a legible size.
    """
    fonts()
    page, width = landscape(A4), (landscape(A4)[0] - 2 * _MARGIN - _GUTTER) / 2
    title = f"TB2 with a pencil: {plain(rule.name)}"
    for size in SIZES:
        blocks = _blocks(rule, size)
        if max(block.width for block in blocks) > width:
            continue
        story = [*_front(rule, size), *blocks, *_example(rule, tie, size)]
        counter = _Pages()
        frames = [
            Frame(
                *(_MARGIN + k * (width + _GUTTER), _FOOT, width, page[1] - _MARGIN - _FOOT),
                **dict.fromkeys(("leftPadding", "rightPadding", "topPadding", "bottomPadding"), 0),
            )
            for k in range(2)
        ]
        template = PageTemplate("sheet", frames, onPage=counter.count, pagesize=page)
        content = built(title, Foot(title, "side {page} of {pages}"), [template], story)
        if counter.pages <= 2:
            return content
    raise InputError(f"the table {rule.name} is too large for the two sides of one sheet")


class _Pages:
    """Counts the pages of a document while it is made."""

    pages = 0

    def count(self, canvas: Canvas, document: BaseDocTemplate) -> None:
        """Count a page."""
        self.pages = max(self.pages, canvas.getPageNumber())


def _styles(size: float) -> tuple[ParagraphStyle, ParagraphStyle]:
    text = ParagraphStyle(
        "sheet", fontName=PLAIN, fontSize=size, leading=1.22 * size, spaceAfter=0.25 * size
    )
    return text, ParagraphStyle("sheet-head", text, fontName=BOLD, fontSize=size + 1.5)


def _front(rule: PassTable, size: float) -> list[Flowable]:
    text, head = _styles(size)
    rounds = rule.event_rounds
    steps = (
        "Find the block of the team's own final match points (MP). For each opponent read the "
        "points in the row of the game points (GP) scored against it and the column of its final "
        "MP; what is blank cannot occur if all boards are decided. In a round without a match the "
        "opponent is the virtual one of the event's rules; a round without any opponent counts the "
        "par of the block.",
        "The sum of all rounds is the team's TB2. A team that does in every round what its MP say "
        f"adds up to the par total. A point is a hundredth of an MP ({HUNDRED} = 1 MP).",
        f"Of teams equal on MP the higher TB2 is placed first. {TEAMS.comparable}",
    )
    lines = [f"{n}. {step}" for n, step in enumerate(steps, start=1)]
    lines += [f"Note: {note(rule)}."] if rule.note else []
    heading = f"TB2 with a pencil: {rule.name}, {rounds} rounds, {rule.boards} boards"
    return [Paragraph(escaped(heading), head), *(Paragraph(escaped(x), text) for x in lines)]


def _blocks(rule: PassTable, size: float) -> list[_Block]:
    """The block of every own MP, the highest first: the rows and columns that can occur."""
    rounds, shares = rule.event_rounds, 2 * rule.event_rounds + 1
    possible, beyond = can_occur(rounds, rule.boards), -rule.columns[0]
    points = shifted(rule).points[0][:, beyond : beyond + shares]
    pars = shifts(rule)
    digits = max(len(str(x)) for x in points[possible])
    blocks = []
    for own in range(shares - 1, -1, -1):
        rows = [half for half in range(2 * rule.boards + 1) if possible[own, :, half].any()]
        columns = [mp for mp in range(shares) if possible[own, mp].any()]
        cells = [
            [str(points[own, mp, half]) if possible[own, mp, half] else "" for mp in columns]
            for half in rows
        ]
        par = int(pars[own])
        title = f"Own MP {own}   (par {par}, in all {par * rounds})"
        labels = [game_points(half) for half in rows]
        blocks.append(_Block(title, [str(mp) for mp in columns], labels, cells, size, digits))
    return blocks


class _Block(Flowable):
    """The table of one own MP, set closely."""

    def __init__(
        self,
        title: str,
        heads: list[str],
        labels: list[str],
        cells: list[list[str]],
        size: float,
        digits: int,
    ):
        super().__init__()
        self.title, self.heads, self.labels, self.cells = title, heads, labels, cells
        self.size = size
        self.column = pdfmetrics.stringWidth("0" * digits, PLAIN, size) + _PAD * size
        self.label = pdfmetrics.stringWidth("0.5", BOLD, size) + _PAD * size
        self.width = self.label + self.column * len(heads)
        self.height = size * (_TITLE + _LINE * (len(cells) + 1) + _GAP)

    def wrap(self, *_: float) -> tuple[float, float]:
        """The size of the block."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw the block from its title downwards."""
        canvas, size, line = self.canv, self.size, self.size * _LINE
        top = self.height - size * _TITLE
        canvas.setFillColor(colors.black)
        canvas.setFont(BOLD, size)
        canvas.drawString(0, top + 0.3 * size, self.title)
        canvas.setFillColor(ZEBRA)
        for n in range(1, len(self.cells), 2):
            canvas.rect(0, top - (n + 2) * line, self.width, line, stroke=0, fill=1)
        canvas.setFillColor(colors.black)
        canvas.setLineWidth(0.4)
        for y in (top, top - line, top - (len(self.cells) + 1) * line):
            canvas.line(0, y, self.width, y)
        canvas.line(self.label, top, self.label, top - (len(self.cells) + 1) * line)
        self._row(top - line, "GP", self.heads, BOLD)
        for n, (label, cells) in enumerate(zip(self.labels, self.cells, strict=True), start=2):
            self._row(top - n * line, label, cells, PLAIN)

    def _row(self, y: float, label: str, cells: list[str], font: str) -> None:
        canvas, baseline = self.canv, y + 0.24 * self.size
        canvas.setFont(BOLD, self.size)
        canvas.drawRightString(self.label - _PAD / 2 * self.size, baseline, label)
        canvas.setFont(font, self.size)
        for n, cell in enumerate(cells, start=1):
            right = self.label + n * self.column - _PAD / 2 * self.size
            canvas.drawRightString(right, baseline, cell)


def _example(rule: PassTable, tie: Tie | None, size: float) -> list[Flowable]:
    text, head = _styles(size)
    which = [Paragraph("When to use it", head), Paragraph(escaped(WHICH), text)]
    if tie is None:
        return which
    par = int(shifts(rule)[tie.teams[0].mp])
    rows = [["Round"], *([str(r)] for r in range(1, len(tie.teams[0].items) + 1)), ["Sum"]]
    sums = []
    for working in tie.teams:
        rows[0] += [plain(working.team), "MP", "GP", "Points"]
        for row, item in zip(rows[1:], working.items, strict=False):
            points = int(item.values[0]) + par
            row += [plain(item.opponent), f"{item.opponent_mp:g}", f"{item.gp:g}", str(points)]
        sums.append(str(int(working.sums[0]) + par * len(working.items)))
        rows[-1] += ["", "", "", sums[-1]]
    style = [
        ("FONT", (0, 0), (-1, -1), PLAIN, size, 1.1 * size),
        ("FONT", (0, 0), (-1, 0), BOLD, size, 1.1 * size),
        ("FONT", (0, -1), (-1, -1), BOLD, size, 1.1 * size),
        ("ALIGN", (0, 0), (-1, -1), "RIGHT"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.4, colors.black),
        ("LINEABOVE", (0, -1), (-1, -1), 0.4, colors.black),
        ("LEFTPADDING", (0, 0), (-1, -1), 2.5),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2.5),
        ("TOPPADDING", (0, 0), (-1, -1), 0),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 0.8),
        *(("ALIGN", (k, 0), (k, -1), "LEFT") for k in (1, 5)),
    ]
    return [
        KeepTogether(
            [
                Paragraph(escaped(heading(tie)), head),
                Table(rows, style=TableStyle(style), hAlign="LEFT"),
                Paragraph(escaped(verdict(tie, sums)), text),
                *which,
            ]
        )
    ]
