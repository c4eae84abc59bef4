"""The pencil edition of a table in one pass: all its blocks and a real example on two sides.

Its points have no minus sign, as a constant is added for every own match points, which decides
nothing: only teams on equal match points are compared, and all of them have a result in every
round. So a constant that is added to every entry of a team's own match points adds the same to the
sums of all teams that are compared. A round without an opponent, not even a virtual one, must then
count the constant instead of 0.

A table in several passes is not shifted: the sums of its first passes say by how much an opponent
is refined, and these start from 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Int
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    KeepTogether,
    PageTemplate,
    Table,
    TableStyle,
)

from tb2learn.chess.results import match_points
from tb2learn.export.document_pdf import (
    BOLD,
    PLAIN,
    Block,
    Foot,
    Look,
    bare_frame,
    built,
    fonts,
    paragraph,
)
from tb2learn.export.pencil_example import Tie, heading, verdict
from tb2learn.export.table import game_points
from tb2learn.export.words import note_lines, words
from tb2learn.text import plain
from tb2learn.tiebreaks.passes import HUNDRED
from tb2learn.tiebreaks.rules import PassTable
from tb2learn.types import InputError

SIZES = (8.0, 7.0, 6.5)
"""Font sizes, in points: the largest with which everything fits two pages is taken."""

_MARGIN, _FOOT, _GUTTER = 20.0, 31.0, 12.0
_LOOK = Look(
    line=1.12, title_line=1.3, gap=0.35, padding=0.42, above=0.3, base=0.24, larger=0, stroke=0.4,
    ruled=False,
)  # fmt: skip


def table_sheet(rule: PassTable, tie: Tie | None, language: str = "en") -> bytes:
    """A table in one pass on two pages, with the worked example of a tie.

    **Raises:** `InputError` if it does not fit two pages in a legible size.
    """
    fonts()
    page, width = landscape(A4), (landscape(A4)[0] - 2 * _MARGIN - _GUTTER) / 2
    text = words(language)
    title = text["pencil.title"].format(name=plain(rule.name))
    for size in SIZES:
        blocks = _blocks(rule, size, text)
        if max(block.width for block in blocks) > width:
            continue
        story = [*_front(rule, size, language), *blocks, *_example(rule, tie, size, language)]
        counter = _Pages()
        frames = [
            bare_frame(_MARGIN + left, _FOOT, width, page[1] - _MARGIN - _FOOT)
            for left in (0, width + _GUTTER)
        ]
        template = PageTemplate("sheet", frames, onPage=counter.count, pagesize=page)
        content = built(title, Foot(title, text["pencil.side"]), [template], story, language)
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


def _front(rule: PassTable, size: float, language: str) -> list[Flowable]:
    style, head = _styles(size)
    text = words(language)
    steps = (text["pencil.read"], text["pencil.sum"].format(hundred=HUNDRED), text["use.order"])
    lines = [f"{n}. {step}" for n, step in enumerate(steps, start=1)]
    lines += note_lines(rule, language)
    about = text["doc.format_text"].format(rounds=rule.event_rounds, boards=rule.boards)
    heading = f"{text['pencil.title'].format(name=rule.name)}, {about}"
    return [paragraph(heading, head), *(paragraph(line, style) for line in lines)]


def _blocks(rule: PassTable, size: float, text: Mapping[str, str]) -> list[Block]:
    """The block of every own MP, the highest first: the rows and columns that can occur."""
    rounds, shares = rule.event_rounds, 2 * rule.event_rounds + 1
    possible, beyond = can_occur(rounds, rule.boards), -rule.columns[0]
    points = shifted(rule).points[0][:, beyond : beyond + shares]
    pars = shifts(rule)
    digits = max(len(str(x)) for x in points[possible])
    column, label = (
        pdfmetrics.stringWidth(widest, font, size) + _LOOK.padding * size
        for widest, font in (("0" * digits, PLAIN), ("0.5", BOLD))
    )
    blocks = []
    for own in range(shares - 1, -1, -1):
        columns = [mp for mp in range(shares) if possible[own, mp].any()]
        rows = [[text["doc.gp"], *map(str, columns)]]
        for half in range(2 * rule.boards + 1):
            entries = [
                str(x) if y else ""
                for x, y in zip(
                    points[own, columns, half], possible[own, columns, half], strict=True
                )
            ]
            rows += [[game_points(half), *entries]] if any(entries) else []
        par = int(pars[own])
        title = text["pencil.block"].format(own=own, par=par, total=par * rounds)
        blocks.append(Block(title, rows, _LOOK, size, label, column))
    return blocks


def _example(rule: PassTable, tie: Tie | None, size: float, language: str) -> list[Flowable]:
    style, head = _styles(size)
    text = words(language)
    which: list[Flowable] = [
        paragraph(text["pencil.when"], head),
        paragraph(text["pencil.which"], style),
    ]
    if tie is None:
        return which
    par = int(shifts(rule)[int(tie.teams[0].mp)])
    count = len(tie.teams[0].items)
    rows = [[text["doc.round"]], *([str(r)] for r in range(1, count + 1)), [text["sheet.sum"]]]
    sums = []
    for working in tie.teams:
        rows[0] += [plain(working.team), text["doc.mp"], text["doc.gp"], text["doc.points"]]
        for row, item in zip(rows[1:], working.items, strict=False):
            points = int(item.values[0]) + par
            row += [plain(item.opponent), f"{item.opponent_mp:g}", f"{item.gp:g}", str(points)]
        sums.append(str(int(working.sums[0]) + par * len(working.items)))
        rows[-1] += ["", "", "", sums[-1]]
    look = [
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
                paragraph(heading(tie, language), head),
                Table(rows, style=TableStyle(look), hAlign="LEFT"),
                paragraph(verdict(tie, sums, language), style),
                *which,
            ]
        )
    ]


# --------------------------------------------------------------------------- the shift


def can_occur(rounds: int, boards: int) -> Bool[np.ndarray, "shares shares results"]:
    """Which results a team can have, by own and opponent's match points and half points scored.

    Both sides can have what they have without this match: between 0 and what the other rounds pay.
    """
    others = 2 * (rounds - 1)
    scores = np.arange(2 * rounds + 1)
    won = match_points(np.arange(2 * boards + 1), boards)
    own = scores[:, None, None] - won
    opponent = scores[None, :, None] - (2 - won)
    return (own >= 0) & (own <= others) & (opponent >= 0) & (opponent <= others)


def shifts(rule: PassTable) -> Int[np.ndarray, " shares"]:
    """For every own match points the constant that makes each entry that can occur 0 or more.

    It is a multiple of 100, so that a team that does in every round what its match points say
    (points 0) adds up to a round number.

    **Raises:** `InputError` for a table in several passes.
    """
    if rule.passes != 1:
        raise InputError(f"{rule.name} has {rule.passes} passes: only one pass can be shifted")
    shares = 2 * rule.event_rounds + 1
    points = rule.points[0][:, -rule.columns[0] : shares - rule.columns[0]]
    possible = can_occur(rule.event_rounds, rule.boards)
    lowest = np.where(possible, points, 0).min(axis=(1, 2))
    return -(lowest // HUNDRED) * HUNDRED


def shifted(rule: PassTable) -> PassTable:
    """The table with its shifts added.

    **Raises:** `InputError` as `shifts`.
    """
    points = rule.points + shifts(rule)[None, :, None, None]
    return replace(rule, points=points.astype(np.int32))
