"""The pencil edition: one sheet of paper (two sides) with one look-up for every match.

Of a formula it is a table of the game points that are expected by lead in match points; of a table
in one pass the table itself, in points without a minus sign. The example is real: two tied teams
of a packaged event that the sheet and FIDE's rule place in different orders.
"""

from __future__ import annotations

from dataclasses import replace

from tb2learn.events.terms import TEAMS
from tb2learn.export.document import Document, Grid, Sentences, shown
from tb2learn.export.document_pdf import document_pdf
from tb2learn.export.pencil_example import WHICH, Tie, heading, real_tie, verdict
from tb2learn.export.pencil_table import table_sheet
from tb2learn.export.players import pencil_document
from tb2learn.export.table import expected_points
from tb2learn.export.words import note
from tb2learn.tiebreaks.library import DEEP
from tb2learn.tiebreaks.rules import Formula, PassTable, Rule
from tb2learn.types import InputError


def pencil_pdf(rule: Rule) -> bytes:
    """The pencil edition of a rule as a PDF of two pages, A4.

    **Arguments:** `rule`: a formula, of which the first pass is printed, or a table in one pass. On
    one board, for players, the formula has a pencil form of its own: `deep-buchholz`.

    **Raises:** `InputError` for other rules, and for a table that is too large for one sheet.
    """
    if rule.boards == 1 and (isinstance(rule, Formula) or rule.name == DEEP):
        return document_pdf(pencil_document(rule))
    if isinstance(rule, Formula):
        return document_pdf(formula_document(rule))
    if isinstance(rule, PassTable) and rule.passes == 1 and not rule.reduced:
        return table_sheet(rule, real_tie(rule))
    raise InputError(
        f"{rule.name}: the pencil edition is for a formula or a table in one pass, such as "
        "formula-180x11 or learned-180x11-pass1"
    )


# --------------------------------------------------------------------------- a formula


def first_pass(rule: Formula) -> Formula:
    """The formula in one pass: an opponent counts as its match points."""
    return replace(rule, passes=1)


def formula_document(rule: Formula) -> Document:
    """The sheet of a formula."""
    boards, rounds = rule.boards, rule.event_rounds
    facts = (("For", f"{rounds} rounds, {boards} boards a match"),)
    facts += (("Note", note(rule)),) if rule.note else ()
    steps = (
        "For each opponent take the difference: the team's own final match points (MP) less the "
        "opponent's. In a round without a match the opponent is the virtual one of the event's "
        "rules.",
        "Look up the game points (GP) that are expected at this difference.",
        "Add up the expected GP of all rounds. Take this sum from the GP that the team scored in "
        "all rounds, those of byes and defaults too: the rest is its TB2.",
        f"Of teams equal on MP the higher TB2 is placed first. {TEAMS.comparable}",
    )
    tie = real_tie(first_pass(rule))
    parts: list[Grid | Sentences] = [
        Sentences("How to use it", steps, numbered=True),
        _expected(rule),
        _form(rounds),
    ]
    if tie is not None:
        parts += _formula_example(rule, tie)
    parts.append(Sentences("When to use it", (WHICH,)))
    return Document(f"TB2 with a pencil: {rule.name}, first pass", facts, tuple(parts))


def printed_expectation(rule: Rule) -> dict[int, float]:
    """The expected game points as they are printed, with two decimals, by lead in match points."""
    return {lead: round(points, 2) for lead, points in expected_points(rule)}


def _expected(rule: Rule) -> Grid:
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
            known = lead <= most
            more = " or more" if lead == most < 2 * rule.event_rounds else ""
            found = (
                [f"{lead}{more}", f"{expected[lead]:.2f}", f"{expected[-lead]:.2f}"]
                if known
                else []
            )
            row += found or [""] * 3
        rows.append(tuple(row))
    heads = ("MP apart", "expected if ahead", "expected if behind") * 3
    return Grid("Expected game points", heads, tuple(rows), together=True)


def _form(rounds: int) -> Grid:
    blank = "................................"
    short = "............"
    rows = [(str(r), blank, short, short, short, short) for r in range(1, rounds + 1)]
    rows.append(("", "Sum", "", "", short, short))
    return Grid(
        "Team ....................................   MP ..........   TB2 ..........",
        ("Round", "Opponent", "Its MP", "Difference", "GP", "Expected GP"),
        tuple(rows),
        names=frozenset({1}),
        ruled=frozenset({rounds}),
        together=True,
    )


def _formula_example(rule: Rule, tie: Tie) -> list[Grid | Sentences]:
    expected = printed_expectation(rule)
    grids, sums = [], []
    for working in tie.teams:
        rows, total, scored = [], 0.0, 0.0
        for item in working.items:
            lead = working.mp - int(item.opponent_mp)
            total, scored = total + expected[lead], scored + item.gp
            row = (item.round, item.opponent, item.opponent_mp, shown(lead), item.gp)
            rows.append((*row, f"{expected[lead]:.2f}"))
        rows.append(("", "Sum", "", "", scored, f"{total:.2f}"))
        sums.append(shown(round(scored - total, 2)))
        grids.append(
            Grid(
                f"{working.team}, {working.mp} MP: TB2 = {scored:g} \N{MINUS SIGN} {total:.2f} = "
                f"{sums[-1]}",
                ("Round", "Opponent", "Its MP", "Difference", "GP", "Expected GP"),
                tuple(rows),
                names=frozenset({1}),
                ruled=frozenset({len(rows) - 1}),
                strong=frozenset({len(rows) - 1}),
                together=True,
            )
        )
    start = "Every opponent, its final MP and the GP scored against it, from the results:"
    return [
        Sentences(heading(tie), (start,), new_page=True),
        *grids,
        Sentences("The verdict", (verdict(tie, sums),)),
    ]
