"""The pencil edition of a table in one pass: all its blocks and a real example on two sides.

Its points have no minus sign, as a constant is added for every own match points, which decides
nothing: only teams on equal match points are compared, and all of them have a result in every
round. So a constant that is added to every entry of a team's own match points adds the same to the
sums of all teams that are compared. A round without an opponent, not even a virtual one, must then
count the constant instead of 0.

A table in several passes is not shifted: the sums of its first passes say by how much an opponent
is refined, and these start from 0.

No letter or digit is smaller than 9 points. A table that does not fit like that is set close: rows
and digits nearer to each other, digits narrower, the own match points in the corner of a block
instead of in a line above it. If that is not enough the example is left out, then the advice when
to use the sheet; what does not fit then is refused.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from jaxtyping import Bool, Int
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
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
from tb2learn.export.words import decimal, note_lines, words
from tb2learn.text import plain
from tb2learn.tiebreaks.passes import HUNDRED
from tb2learn.tiebreaks.rules import PassTable
from tb2learn.types import InputError

SIZE = 9.0
"""The smallest font size of a pencil edition, in points."""

_MARGIN, _FOOT, _GUTTER = 16.0, 29.0, 12.0
_ROOMY = Look(
    line=1.12, title_line=1.3, gap=0.35, padding=0.42, above=0.3, base=0.24, larger=0, stroke=0.4,
    ruled=False,
)  # fmt: skip
_CLOSE = replace(_ROOMY, line=1.0, title_line=0, gap=0.15, padding=0.32, base=0.14, narrow=0.75)


def table_sheet(rule: PassTable, tie: Tie | None, language: str = "en") -> bytes:
    """A table in one pass on two pages, with the worked example of a tie.

    **Raises:** `InputError` if it does not fit two pages in a legible size.
    """
    fonts()
    page, width = landscape(A4), (landscape(A4)[0] - 2 * _MARGIN - _GUTTER) / 2
    text = words(language)
    title = text["pencil.title"].format(name=plain(rule.name))
    example, advice = partial(_example, rule, tie, language), partial(_advice, text)
    for look, end in ((_ROOMY, example), (_CLOSE, example), (_CLOSE, advice), (_CLOSE, list)):
        blocks = _blocks(rule, look, text)
        if max(block.width for block in blocks) > width:
            continue
        notes = () if look.title_line else (_pars(rule, text),)
        notes = [paragraph(line, _STYLE) for line in (*notes, *note_lines(rule, language))]
        story = [*_front(rule, text), *blocks, *notes, *end()]
        counter = _Pages()
        frames = [
            bare_frame(_MARGIN + left, _FOOT, width, page[1] - _MARGIN - _FOOT)
            for left in (0, width + _GUTTER)
        ]
        template = PageTemplate("sheet", frames, onPage=counter.count, pagesize=page)
        content = built(title, Foot(title, text["pencil.side"], SIZE), [template], story, language)
        if counter.pages <= 2:
            return content
    raise InputError(
        f"the table {rule.name} for {rule.event_rounds} rounds on {rule.boards} boards is too "
        f"large for two sides at {SIZE:g} points: write it as pdf, or the pencil edition of formula"
    )


class _Pages:
    """Counts the pages of a document while it is made."""

    pages = 0

    def count(self, canvas: Canvas, document: BaseDocTemplate) -> None:
        """Count a page."""
        self.pages = max(self.pages, canvas.getPageNumber())


_STYLE = ParagraphStyle(
    "sheet", fontName=PLAIN, fontSize=SIZE, leading=1.2 * SIZE, spaceAfter=0.25 * SIZE
)
_HEAD = ParagraphStyle("sheet-head", _STYLE, fontName=BOLD, fontSize=SIZE + 1)


def _front(rule: PassTable, text: Mapping[str, str]) -> list[Flowable]:
    steps = (text["pencil.read"], text["pencil.sum"].format(hundred=HUNDRED), text["use.order"])
    lines = [f"{n}. {step}" for n, step in enumerate(steps, start=1)]
    about = text["doc.format_text"].format(rounds=rule.event_rounds, boards=rule.boards)
    heading = f"{text['pencil.title'].format(name=rule.name)}, {about}"
    return [paragraph(heading, _HEAD), *(paragraph(line, _STYLE) for line in lines)]


def _pars(rule: PassTable, text: Mapping[str, str]) -> str:
    """The line that says where to find the own MP, and the par of every block and its total."""
    runs = []
    for par, run in itertools.groupby(enumerate(shifts(rule).tolist()), key=lambda one: one[1]):
        own = [mp for mp, _ in run]
        name = f"{own[0]}\N{EN DASH}{own[-1]}" if len(own) > 1 else str(own[0])
        runs.append(f"MP {name}: {par} ({par * rule.event_rounds})")
    return text["pencil.pars"].format(pars="; ".join(runs))


def _blocks(rule: PassTable, look: Look, text: Mapping[str, str]) -> list[Block]:
    """The block of every own MP, the highest first: the rows and columns that can occur."""
    rounds, shares = rule.event_rounds, 2 * rule.event_rounds + 1
    possible, beyond = can_occur(rounds, rule.boards), -rule.columns[0]
    points = shifted(rule).points[0][:, beyond : beyond + shares]
    pars = shifts(rule)
    digits = max(len(str(x)) for x in points[possible])
    corner = "" if look.title_line else f"MP {2 * rounds}"
    column = look.wide("0" * digits, PLAIN, SIZE)
    label = max(look.wide(widest, BOLD, SIZE) for widest in ("0.5", corner))
    blocks = []
    for own in range(shares - 1, -1, -1):
        columns = [mp for mp in range(shares) if possible[own, mp].any()]
        rows = [[text["doc.gp"] if look.title_line else f"MP {own}", *map(str, columns)]]
        for half in range(2 * rule.boards + 1):
            entries = [
                str(x) if y else ""
                for x, y in zip(
                    points[own, columns, half], possible[own, columns, half], strict=True
                )
            ]
            rows += [[decimal(game_points(half), text), *entries]] if any(entries) else []
        par = int(pars[own])
        title = text["pencil.block"].format(own=own, par=par, total=par * rounds)
        title = title if look.title_line else ""
        blocks.append(Block(title, rows, look, SIZE, label, column))
    return blocks


def _example(rule: PassTable, tie: Tie | None, language: str) -> list[Flowable]:
    text = words(language)
    if tie is None:
        return _advice(text)
    par = int(shifts(rule)[int(tie.teams[0].mp)])
    count = len(tie.teams[0].items)
    rows = [[text["doc.round"]], *([str(r)] for r in range(1, count + 1)), [text["sheet.sum"]]]
    sums = []
    for working in tie.teams:
        rows[0] += [plain(working.team), text["doc.mp"], text["doc.gp"], text["doc.points"]]
        for row, item in zip(rows[1:], working.items, strict=False):
            points = int(item.values[0]) + par
            row += [
                plain(item.opponent),
                f"{item.opponent_mp:g}",
                decimal(f"{item.gp:g}", text),
                str(points),
            ]
        sums.append(str(int(working.sums[0]) + par * len(working.items)))
        rows[-1] += ["", "", "", sums[-1]]
    look = [
        ("FONT", (0, 0), (-1, -1), PLAIN, SIZE, 1.1 * SIZE),
        ("FONT", (0, 0), (-1, 0), BOLD, SIZE, 1.1 * SIZE),
        ("FONT", (0, -1), (-1, -1), BOLD, SIZE, 1.1 * SIZE),
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
                paragraph(heading(tie, language), _HEAD),
                Table(rows, style=TableStyle(look), hAlign="LEFT"),
                paragraph(verdict(tie, sums, language), _STYLE),
                *_advice(text),
            ]
        )
    ]


def _advice(text: Mapping[str, str]) -> list[Flowable]:
    """When to use the sheet."""
    return [paragraph(text["pencil.when"], _HEAD), paragraph(text["pencil.which"], _STYLE)]


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
