"""The pencil edition: one sheet of paper (two sides) with one look-up for every match.

Of a formula it is a table of the game points that are expected by lead in match points; of a table
in one pass the table itself, in points without a minus sign. The example is real: two tied teams
of a packaged event that the sheet and FIDE's rule place in different orders.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tb2learn.export.document import (
    Document,
    Grid,
    Pair,
    Part,
    Sentences,
    blank_form,
    shown,
    two_forms,
)
from tb2learn.export.document_pdf import document_pdf
from tb2learn.export.pencil_example import Tie, heading, real_tie, verdict
from tb2learn.export.pencil_table import SIZE, table_sheet
from tb2learn.export.players import pencil_document
from tb2learn.export.table import expected_points
from tb2learn.export.words import decimal, note_lines, words
from tb2learn.tiebreaks.library import DEEP
from tb2learn.tiebreaks.rules import Formula, PassTable, Rule
from tb2learn.types import InputError


def pencil_pdf(rule: Rule, language: str = "en") -> bytes:
    """The pencil edition of a rule as a PDF of at most two pages, A4, in 9 points or more.

    **Arguments:**

    - `rule`: a formula, of which the first pass is printed, or a table in one pass. On one board,
      for players, the formula has a pencil form of its own in English: `deep-buchholz`.
    - `language`: one of `forms.LANGUAGES`.

    **Raises:** `InputError` for other rules, and for a table that is too large for one sheet.
    """
    if rule.boards == 1 and (isinstance(rule, Formula) or rule.name == DEEP):
        return document_pdf(pencil_document(rule), SIZE)
    if isinstance(rule, Formula):
        return document_pdf(formula_document(rule, language), SIZE)
    if isinstance(rule, PassTable) and rule.passes == 1:
        return table_sheet(rule, real_tie(rule), language)
    raise InputError(
        f"{rule.name}: the pencil edition is for a formula or a table in one pass, such as "
        "formula-180x11 or learned-180x11-pass1"
    )


# --------------------------------------------------------------------------- a formula


def first_pass(rule: Formula) -> Formula:
    """The formula in one pass: an opponent counts as its match points."""
    return replace(rule, passes=1)


def formula_document(rule: Formula, language: str = "en") -> Document:
    """The sheet of a formula."""
    rounds, text = rule.event_rounds, words(language)
    size = text["doc.format_text"].format(rounds=rounds, boards=rule.boards)
    keys = ("pencil.difference", "pencil.look_up", "pencil.add", "use.order")
    steps = (*(text[key] for key in keys), *note_lines(rule, language))
    facts = ((text["doc.format"], size), (text["doc.pass"], text["doc.pass_means"]))
    tie = real_tie(first_pass(rule))
    title = text["pencil.first_pass"].format(name=rule.name)
    form = blank_form(
        f"{text['doc.team']} {'.' * 24}   MP {'.' * 6}   TB2 {'.' * 8}",
        _heads(text),
        text["sheet.sum"],
        rounds,
    )
    parts: list[Part] = [Sentences(text["doc.how_to_use"], steps, numbered=True)]
    parts.append(_expected(rule, text))
    parts += _formula_example(rule, tie, language) if tie else []
    parts.append(Sentences(text["pencil.when"], (text["pencil.which"],)))
    return Document(title, facts, (*parts, *two_forms(form)), language)


def printed_expectation(rule: Rule) -> dict[int, float]:
    """The expected game points as they are printed, with two decimals, by lead in match points."""
    return {lead: round(points, 2) for lead, points in expected_points(rule)}


def _expected(rule: Rule, text: Mapping[str, str]) -> Grid:
    """Expected game points in three columns of differences, ahead and behind.

    The last row stands for all larger differences, of which the same is expected.
    """
    expected, most = printed_expectation(rule), 2 * rule.event_rounds
    while most > 1 and expected[most - 1] == expected[most]:
        most -= 1
    a_column = -(-(most + 1) // 3)
    rows = []
    for n in range(a_column):
        row: list[str] = []
        for lead in (n, n + a_column, n + 2 * a_column):
            if lead > most:
                row += [""] * 3
                continue
            last = lead == most < 2 * rule.event_rounds
            shown_lead = text["pencil.more"].format(lead=lead) if last else str(lead)
            row += [shown_lead, f"{expected[lead]:.2f}", f"{expected[-lead]:.2f}"]
        rows.append(tuple(row))
    heads = tuple(text[f"pencil.{key}"] for key in ("apart", "ahead", "behind")) * 3
    return Grid(text["pencil.expected"], heads, tuple(rows), together=True)


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
            total, scored = total + expected[lead], scored + item.gp
            row = (item.opponent, item.opponent_mp, shown(lead), item.gp)
            rows.append((*row, f"{expected[lead]:.2f}"))
        rows.append((text["sheet.sum"], "", "", scored, f"{total:.2f}"))
        sums.append(shown(round(scored - total, 2)))
        grids.append(
            Grid(
                f"{working.team}, {working.mp} MP: TB2 = "
                + decimal(f"{scored:g} \N{MINUS SIGN} {total:.2f} = {sums[-1]}", text),
                _heads(text)[1:],
                tuple(rows),
                names=frozenset({0}),
                ruled=frozenset({len(rows) - 1}),
                strong=frozenset({len(rows) - 1}),
                together=True,
            )
        )
    said = verdict(tie, sums, language)
    return [Sentences(heading(tie, language), (said,)), Pair(grids[0], grids[1])]
