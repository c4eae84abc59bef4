"""The pencil edition: one sheet of paper (two sides) with one look-up for every match.

Of a formula it is a table of the game points that are expected by lead in match points; of a table
in one pass the table itself, in points without a minus sign. The example is real: two tied teams
of a packaged event that the sheet and FIDE's rule place in different orders.

The points of a table have no minus sign, as a constant is added for every own match points, which
decides nothing: only teams on equal match points are compared, and all of them have a result in
every round. So a constant that is added to every entry of a team's own match points adds the same
to the sums of all teams that are compared. A round without an opponent, not even a virtual one,
must then count the constant instead of 0.

A table in several passes is not shifted: the sums of its first passes say by how much an opponent
is refined, and these start from 0.

No letter or digit is smaller than 9 points. A table that does not fit like that is set close: rows
and digits nearer to each other, digits narrower, the own match points in the corner of a block
instead of in a line above it. If that is not enough the example is left out, then the advice when
to use the sheet; what does not fit then is refused.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
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
from tb2learn.events import TeamEvent, Working, rank, read_event
from tb2learn.events.explain import workings
from tb2learn.export.document import Document, Grid, Pair, Part, Sentences, cell_text, in_columns
from tb2learn.export.pdf import (
    BOLD,
    PLAIN,
    Block,
    Foot,
    Look,
    bare_frame,
    built,
    document_pdf,
    fonts,
    paragraph,
)
from tb2learn.export.table import expected_points, game_points
from tb2learn.export.words import decimal, note_lines, words
from tb2learn.shapes import Bool, Int
from tb2learn.text import plain
from tb2learn.tiebreaks.formula import FormulaRule
from tb2learn.tiebreaks.library import DEEP
from tb2learn.tiebreaks.passes import HUNDRED, PassRule
from tb2learn.tiebreaks.rules import Rule, product_table
from tb2learn.tiebreaks.sums import SHARE
from tb2learn.types import InputError

SIZE = 9.0
"""The smallest font size of a pencil edition, in points."""


def pencil_pdf(rule: Rule, language: str = "en") -> bytes:
    """The pencil edition of a rule as a PDF of at most two pages, A4, in 9 points or more.

    **Arguments:** `rule`: a formula, of which the first pass is printed, or a table in one pass. On
    one board, for players, the formula has a pencil form of its own in English: `deep-buchholz`.

    **Raises:** `InputError` for other rules, and for a table that is too large for one sheet.
    """
    if rule.boards == 1 and (rule.is_formula or rule.name == DEEP):
        return document_pdf(_players_document(rule.event_rounds), SIZE)
    if rule.is_formula:
        return document_pdf(formula_document(rule, language), SIZE)
    if rule.in_passes and rule.passes == 1:
        return table_sheet(rule, language)
    raise InputError(
        f"{rule.name}: the pencil edition is for a formula or a table in one pass, such as "
        "formula-180x11 or uniform-180x11-pass1"
    )


# --------------------------------------------------------------------------- a real tie

EVENT = "baku2016"
"""The packaged event from which examples are taken, as it stood after the rounds of the rule."""


@dataclass(frozen=True)
class Tie:
    """Two teams of an event on equal match points."""

    event: TeamEvent  # where they tied
    # their workings by the rule; the one that today's rule places first comes first
    teams: tuple[Working, Working]
    fide: tuple[float, float]  # their TB2 by today's rule, FIDE's where no other is named


def real_tie(rule: Rule, whole: TeamEvent | None = None, today: Rule | None = None) -> Tie | None:
    """The first tie of a real event that a rule decides otherwise than today's, or FIDE's rule.

    Both teams played all their matches. None if the event has another number of boards or fewer
    rounds than the rule, or if the rules agree on all ties; it is `EVENT` if not given.
    """
    whole = read_event(EVENT) if whole is None else whole
    if rule.boards != whole.boards or rule.event_rounds > whole.rounds:
        return None
    event = whole.after(rule.event_rounds)
    today_ranking = rank(event, today or product_table(event.rounds, event.boards))
    # Places of the rule itself are compared only within one score group.
    ranking = today_ranking.by(rule)
    mine = [row.scores["tb2"] for row in ranking.row_of]
    for n, first in enumerate(today_ranking.rows):
        for second in today_ranking.rows[n + 1 :]:
            # The standings are sorted by match points: the score group ends here.
            if second.scores["mp"] != first.scores["mp"]:
                break
            same = second.scores["tb2"] == first.scores["tb2"]
            if same or mine[second.number] <= mine[first.number]:
                continue
            one, other = workings(ranking, (first.number, second.number), [rule])
            # A reader can check the example by hand: no virtual opponents in it.
            if all(item.kind == "played" for item in (*one.items, *other.items)):
                return Tie(event, (one, other), (first.scores["tb2"], second.scores["tb2"]))
    return None


def heading(event: TeamEvent, mp: float, language: str = "en") -> str:
    """The heading of the example: the event, the round, the match points."""
    return words(language)["pencil.example"].format(event=event.name, rounds=event.rounds, mp=mp)


def verdict(tie: Tie, sums: Sequence[str], language: str = "en") -> str:
    """The sentence that follows from the sums of both teams, as they are printed."""
    first, second = (working.team for working in tie.teams)
    text = words(language)
    fide1, fide2 = (decimal(f"{points:g}", text) for points in tie.fide)
    points1, points2 = (decimal(points, text) for points in sums)
    return text["pencil.verdict"].format(
        first=first, second=second, points1=points1, points2=points2, fide1=fide1, fide2=fide2
    )


# --------------------------------------------------------------------------- a formula


def first_pass(rule: Rule) -> Rule:
    """The formula in one pass: an opponent counts as its match points."""
    assert isinstance(rule.tiebreak, FormulaRule)
    return replace(rule, tiebreak=replace(rule.tiebreak, passes=1))


def formula_document(rule: Rule, language: str = "en") -> Document:
    """The sheet of a formula."""
    rounds, text = rule.event_rounds, words(language)
    size = text["doc.format_text"].format(rounds=rounds, boards=rule.boards)
    keys = ("pencil.difference", "pencil.look_up", "pencil.add", "use.order")
    steps = (*(text[key] for key in keys), *note_lines(rule, language))
    facts = ((text["doc.format"], size), (text["doc.pass"], text["doc.pass_means"]))
    # On paper there is one pass, so the tie must be one that it decides.
    tie = real_tie(first_pass(rule))
    title = text["pencil.first_pass"].format(name=rule.name)
    # Dotted lines, on which the team and its sums are written.
    forms = _forms(
        f"{text['doc.team']} {'.' * 24}   MP {'.' * 6}   TB2 {'.' * 8}",
        _heads(text),
        text["sheet.sum"],
        rounds,
    )
    blocks: list[Part] = [Sentences(text["doc.how_to_use"], steps, numbered=True)]
    blocks.append(_expected(rule, text))
    blocks += _formula_example(rule, tie, language) if tie else []
    blocks.append(Sentences(text["pencil.when"], (text["pencil.which"],)))
    return Document(title, facts, (*blocks, *forms), language)


_MOST_ROWS = 32
"""Rows to write in that a page in portrait has, with the headings of two forms."""


def _forms(heading: str, heads: tuple[str, ...], total: str, rounds: int) -> list[Part]:
    """A page with a form to fill in twice, or once if it is too high: a row a round, and the sum.

    Rows are higher where a page has room for them.
    """
    blank = [""] * (len(heads) - 2)
    rows = (*((str(n), "", *blank) for n in range(1, rounds + 1)), ("", total, *blank))
    writing = rounds <= _MOST_ROWS
    form = Grid(heading, heads, rows, names=frozenset({1}), together=True, writing=writing)
    # The forms have a page of their own, which is copied for every tie.
    return [Sentences("", (), new_page=True), *[form] * (1 + (2 * len(rows) <= _MOST_ROWS))]


def printed_expectation(rule: Rule) -> dict[int, float]:
    """The expected game points by lead in match points, with all four decimals that they have."""
    return dict(expected_points(rule))


def _expected(rule: Rule, text: Mapping[str, str]) -> Grid:
    """Expected game points in three columns of differences, ahead and behind.

    The last row stands for all larger differences, of which the same is expected.
    """
    expected, most_lead = printed_expectation(rule), 2 * rule.event_rounds
    # The expectation stops growing before the largest lead.
    while most_lead > 1 and expected[most_lead - 1] == expected[most_lead]:
        most_lead -= 1
    leads = [*map(str, range(most_lead + 1))]
    if most_lead < 2 * rule.event_rounds:
        leads[-1] = text["pencil.more"].format(lead=most_lead)
    rows = [(x, f"{expected[n]:.4f}", f"{expected[-n]:.4f}") for n, x in enumerate(leads)]
    heads = tuple(text[f"pencil.{key}"] for key in ("apart", "ahead", "behind")) * 3
    return Grid(text["pencil.expected"], heads, in_columns(rows, 3), together=True)


def _heads(text: Mapping[str, str]) -> tuple[str, ...]:
    """The heads of a team's rounds."""
    keys = ("doc.round", "doc.opponent", "sheet.its_mp", "pencil.lead", "doc.gp", "doc.expected")
    return tuple(text[key] for key in keys)


def _formula_example(rule: Rule, tie: Tie, language: str) -> list[Part]:
    expected, text = printed_expectation(rule), words(language)
    grids, sums = [], []
    for working in tie.teams:
        rows, total, scored = [], 0.0, 0.0
        for item in working.items:
            lead = int(working.mp) - int(item.opponent_mp)
            # The printed numbers are added, so that the sums can be checked by hand.
            total, scored = total + expected[lead], scored + item.gp
            row = (item.opponent, item.opponent_mp, cell_text(lead), item.gp)
            rows.append((*row, f"{expected[lead]:.4f}"))
        rows.append((text["sheet.sum"], "", "", scored, f"{total:.4f}"))
        # Four decimals each: their difference has no more.
        sums.append(cell_text(round(scored - total, 4)))
        grids.append(
            Grid(
                f"{working.team}, {working.mp} MP: TB2 = "
                + decimal(f"{scored:g} \N{MINUS SIGN} {total:.4f} = {sums[-1]}", text),
                _heads(text)[1:],
                tuple(rows),
                names=frozenset({0}),
                ruled=frozenset({len(rows) - 1}),
                strong=frozenset({len(rows) - 1}),
                together=True,
            )
        )
    sentence = verdict(tie, sums, language)
    return [
        Sentences(heading(tie.event, tie.teams[0].mp, language), (sentence,)),
        Pair(grids[0], grids[1]),
    ]


def _players_document(rounds: int) -> Document:
    """For players, in English: what every opponent counts as, and a form to fill in."""
    steps = (
        "For each opponent write down his points, and his Buchholz: the points of all his "
        "opponents together.",
        f"He counts as his points plus (his Buchholz less the player's own points) / {SHARE}. In a "
        "round without a game he is the opponent that the rules for unplayed rounds give, and "
        f"counts as his points times {1 + (rounds - 1) / SHARE:g}.",
        "Strike out the opponent with the fewest points (of several the one that counts least) and "
        "the one with the most (of several the one that counts most).",
        "Add up what the others count as. Of players equal on points the higher sum is placed "
        "first.",
    )
    forms = _forms(
        f"Player {'.' * 32}   points {'.' * 10}   sum {'.' * 10}",
        ("Round", "Opponent", "His points", "His Buchholz", "Counts as"),
        "Sum",
        rounds,
    )
    return Document(
        "Individual tie-break with a pencil: deep Buchholz",
        (("For", f"individual events of {rounds} rounds"),),
        (Sentences("How to use it", steps, numbered=True), *forms),
    )


# --------------------------------------------------------------------------- a table

_MARGIN, _FOOT, _GUTTER = 16.0, 29.0, 12.0
_ROOMY = Look(
    line=1.12, title_line=1.3, gap=0.35, padding=0.42, above=0.3, base=0.24, larger=0, stroke=0.4,
    ruled=False,
)  # fmt: skip
_CLOSE = replace(_ROOMY, line=1.0, title_line=0, gap=0.15, padding=0.32, base=0.14, narrow=0.75)


def table_sheet(rule: Rule, language: str = "en") -> bytes:
    """A table in one pass on two pages, with the worked example of a tie.

    **Raises:** `InputError` if it does not fit two pages in a legible size.
    """
    fonts()
    page, width = landscape(A4), (landscape(A4)[0] - 2 * _MARGIN - _GUTTER) / 2
    text = words(language)
    title = text["pencil.title"].format(name=plain(rule.name))
    example, advice = partial(_example, rule, real_tie(rule), language), partial(_advice, text)
    # First the roomiest look; then closer letters, then without the example, then the advice.
    for look, end in ((_ROOMY, example), (_CLOSE, example), (_CLOSE, advice), (_CLOSE, list)):
        blocks = _blocks(rule, look, text)
        # Half a page is as wide as a block may be.
        if max(block.width for block in blocks) > width:
            continue
        # A block without a title has its par in a line below all blocks.
        notes = () if look.title_line else (_pars(rule, text),)
        notes = [paragraph(line, _STYLE) for line in (*notes, *note_lines(rule, language))]
        story = [*_front(rule, text), *blocks, *notes, *end()]
        counter = _Pages()
        # Two columns of blocks on each side of the sheet.
        frames = [
            bare_frame(_MARGIN + x, _FOOT, width, page[1] - _MARGIN - _FOOT)
            for x in (0, width + _GUTTER)
        ]
        template = PageTemplate("sheet", frames, onPage=counter.count, pagesize=page)
        content = built(title, Foot(title, text["pencil.side"], SIZE), [template], story, language)
        # One sheet of paper has two sides.
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


def _front(rule: Rule, text: Mapping[str, str]) -> list[Flowable]:
    steps = (text["pencil.read"], text["pencil.sum"].format(hundred=HUNDRED), text["use.order"])
    lines = [f"{n}. {step}" for n, step in enumerate(steps, start=1)]
    about = text["doc.format_text"].format(rounds=rule.event_rounds, boards=rule.boards)
    heading = f"{text['pencil.title'].format(name=rule.name)}, {about}"
    return [paragraph(heading, _HEAD), *(paragraph(line, _STYLE) for line in lines)]


def _pars(rule: Rule, text: Mapping[str, str]) -> str:
    """The line that says where to find the own MP, and the par of every block and its total."""
    runs = []
    # Neighbouring own match points with the same par are named as a range.
    for par, run in itertools.groupby(enumerate(shifts(rule).tolist()), key=lambda one: one[1]):
        own_points = [mp for mp, _ in run]
        name = (
            f"{own_points[0]}\N{EN DASH}{own_points[-1]}"
            if len(own_points) > 1
            else str(own_points[0])
        )
        runs.append(f"MP {name}: {par} ({par * rule.event_rounds})")
    return text["pencil.pars"].format(pars="; ".join(runs))


def _blocks(rule: Rule, look: Look, text: Mapping[str, str]) -> list[Block]:
    """The block of every own MP, the highest first: the rows and columns that can occur."""
    rounds, shares = rule.event_rounds, 2 * rule.event_rounds + 1
    possible, beyond = can_occur(rounds, rule.boards), -rule.columns[0]
    # Without a second pass an opponent counts as its match points: no columns beyond.
    points = shifted(rule).tables[0, :, beyond : beyond + shares]
    pars = shifts(rule)
    # Columns are as wide as the longest number that can occur.
    digits = max(len(str(x)) for x in points[possible])
    corner = "" if look.title_line else f"MP {2 * rounds}"
    column = look.wide("0" * digits, PLAIN, SIZE)
    label = max(look.wide(widest, BOLD, SIZE) for widest in ("0.5", corner))
    blocks = []
    for own in range(shares - 1, -1, -1):
        # Opponents that a team with these match points cannot have met stay out.
        columns = [mp for mp in range(shares) if possible[own, mp].any()]
        rows = [[text["doc.gp"] if look.title_line else f"MP {own}", *map(str, columns)]]
        for half in range(2 * rule.boards + 1):
            entries = [
                str(x) if y else ""
                for x, y in zip(
                    points[own, columns, half], possible[own, columns, half], strict=True
                )
            ]
            # A result that cannot occur has no row.
            rows += [[decimal(game_points(half), text), *entries]] if any(entries) else []
        par = int(pars[own])
        title = text["pencil.block"].format(own=own, par=par, total=par * rounds)
        title = title if look.title_line else ""
        blocks.append(Block(title, rows, look, SIZE, label, column))
    return blocks


def _example(rule: Rule, tie: Tie | None, language: str) -> list[Flowable]:
    text = words(language)
    if tie is None:
        return _advice(text)
    # Both teams have the same match points, so the same par.
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
        # Every round was played, so each of them adds the par once.
        sums.append(str(int(working.sums[0]) + par * len(working.items)))
        rows[-1] += ["", "", "", sums[-1]]
    # Columns 1 and 5 hold the names of the opponents of the two teams.
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
                paragraph(heading(tie.event, tie.teams[0].mp, language), _HEAD),
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


def can_occur(rounds: int, boards: int) -> Bool[np.ndarray, "own opponent results"]:
    """Which results a team can have, by own and opponent's match points and half points scored.

    Both sides can have what they have without this match: between 0 and what the other rounds pay.
    """
    # What a team can have won in its other matches.
    others = 2 * (rounds - 1)
    scores = np.arange(2 * rounds + 1)
    won = match_points(np.arange(2 * boards + 1), boards)
    own = scores[:, None, None] - won
    opponent = scores[None, :, None] - (2 - won)
    return (own >= 0) & (own <= others) & (opponent >= 0) & (opponent <= others)


def shifts(rule: Rule) -> Int[np.ndarray, " own"]:
    """For every own match points the constant that makes each entry that can occur 0 or more.

    It is a multiple of 100, so that a team that does in every round what its match points say
    (points 0) adds up to a round number.

    **Raises:** `InputError` for a table in several passes.
    """
    if rule.passes != 1:
        raise InputError(f"{rule.name} has {rule.passes} passes: only one pass can be shifted")
    shares = 2 * rule.event_rounds + 1
    points = rule.tables[0, :, -rule.columns[0] : shares - rule.columns[0]]
    possible = can_occur(rule.event_rounds, rule.boards)
    # Entries that cannot occur are not printed: they need no shift.
    lowest = np.where(possible, points, 0).min(axis=(1, 2))
    # Floor division rounds down, so that the shift is never too small.
    return -(lowest // HUNDRED) * HUNDRED


def shifted(rule: Rule) -> Rule:
    """The table with its shifts added.

    **Raises:** `InputError` as `shifts`.
    """
    points = rule.tables + shifts(rule)[None, :, None, None]
    return replace(rule, tiebreak=PassRule(points.astype(np.int32)))
