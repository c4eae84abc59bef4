"""The working sheet of a team: every number follows from others on it, in every form."""

import re
from dataclasses import replace

import pypdfium2
import pytest
from event_samples import explained, sheet_of
from export_samples import opened
from page_reader import Page

from tb2learn.catalogue import load_rule
from tb2learn.events import Reading, rank, read_event
from tb2learn.events.files.source import MemoryFile
from tb2learn.export.document import Pair, cell_text, grids
from tb2learn.export.forms import printed
from tb2learn.export.pdf import document_pdf
from tb2learn.export.standings import explain_event
from tb2learn.export.verdict_words import verdict_text
from tb2learn.export.words import in_language
from tb2learn.export.working import (
    comparison_document,
    refinement,
    sheet_document,
)
from tb2learn.tiebreaks.rules import product_table

RULES = ("learned-38x9", "formula-38x9")


@pytest.fixture(scope="module")
def event():
    return read_event("baku2016").after(9)


@pytest.fixture(scope="module")
def sheets(event):
    team = event.teams[4]
    return {name: sheet_of(event, team, [product_table(9, 4), load_rule(name)]) for name in RULES}


@pytest.mark.parametrize("name", RULES)
def test_what_an_opponent_counts_as_follows_from_its_own_sum(sheets, name):
    sheet = sheets[name]
    refined = 0
    for one in sheet.passes:
        assert one.total == pytest.approx(
            sum(line.value for line in one.lines if not line.left_out), abs=1e-3
        )
        for line in one.lines:
            if one.number == 1:
                assert line.before is None and line.counts_as == line.item.opponent_mp
                continue
            refined += 1
            other = sheet.opponents[line.item.number]
            assert line.before == other.sums[one.column - 1]
            rest = line.before - line.against
            assert line.counts_as == pytest.approx(
                line.item.opponent_mp + refinement(one.rule, rest), abs=3e-4
            )
            if one.rule.in_passes:
                tenths = round(10 * line.counts_as)
                low, high = line.entries[0], line.entries[-1]
                mixed = (10 - tenths % 10) * low + tenths % 10 * high
                assert line.value == (2 * mixed + 10) // 20
            else:
                lead = sheet.working.mp - line.counts_as
                expected = 4 / (1 + 10 ** (-lead / one.rule.constants["a"]))
                assert line.expected == pytest.approx(expected, abs=2e-4)
    passes = load_rule(name).passes
    assert refined == (passes - 1) * 9


def test_the_sums_are_those_of_explain(sheets, event):
    for name, sheet in sheets.items():
        (own,) = explained(event, [event.teams[4]], [product_table(9, 4), load_rule(name)])
        assert tuple(one.total for one in sheet.passes) == own.sums
        assert tuple(one.rule.name for one in sheet.passes) == own.rule_names


@pytest.mark.parametrize("count", [1, 2])
def test_every_form_of_a_sheet_has_the_same_cells(sheets, event, count):
    """HTML, PDF and workbook are made of one document; the workbook has its numbers as values."""
    rules = [product_table(9, 4), load_rule(RULES[0])]
    both = [sheets[RULES[0]], sheet_of(event, event.teams[9], rules)][:count]
    document = sheet_document(both, "A is before B.")
    grid_rows = [row for grid in grids(document.parts) for row in grid.rows]
    (sheet,) = opened(printed(document, "xlsx")).worksheets
    assert sheet.title == "working"
    written = [tuple(c for c in row if c is not None) for row in sheet.iter_rows(values_only=True)]
    for row in grid_rows:
        assert tuple(cell for cell in row if cell != "") in [
            tuple(cell for cell in cells if cell != "") for cells in written
        ]
    assert not [c for row in sheet.iter_rows() for c in row if c.data_type == "f"]
    page = Page(printed(document, "html").decode())
    cells = iter([text for _, text in page.all("td")])
    assert [next(cells) for row in grid_rows for _ in row] == [
        cell_text(cell) for row in grid_rows for cell in row
    ]
    with pypdfium2.PdfDocument(printed(document, "pdf")) as pages:
        text = " ".join(page.get_textpage().get_text_range() for page in pages)
    assert all(cell_text(cell) in text for row in grid_rows for cell in row if cell != row[1])
    assert "A is before B." in text


def test_the_verdict_and_what_would_have_turned_it_are_said_in_every_language():
    event = read_event("baku2016")
    said = explain_event(event, ["Ukraine", "United States"]).verdict
    assert said.turning
    parts = {
        "en": ("413.5 to 404.5 (9 more)", "had Germany drawn with Estonia (Germany-Estonia was"),
        "hu": ("413,5 és 404,5", "Germany és Estonia döntetlenje (Germany-Estonia eredménye"),
        "es": ("413,5 a 404,5 (9 más)", "un empate de Germany con Estonia (Germany-Estonia fue"),
        "fr": ("413,5 à 404,5", "un match nul de Germany contre Estonia (Germany-Estonia :"),
        "de": (
            "413,5 zu 404,5",
            "ein Unentschieden von Germany gegen Estonia (Germany-Estonia war",
        ),
    }
    for language, expected in parts.items():
        text = verdict_text(said, language)
        assert all(part in text for part in (*expected, "2½-1½")), language
        assert language == "en" or not re.search(r"\b(had|another|decides|was)\b", text, re.I)
    alone = replace(said, turning=())
    assert verdict_text(alone, "de").endswith("in der letzten Runde hat es entschieden.")
    assert "Partie" in verdict_text(alone, "de", players=True)
    equal = replace(said, criterion="", turning=(), tried=False)
    assert verdict_text(equal, "de").endswith("Sie teilen den Platz.")
    # A fourth match is named, as that is no longer than to say that there is one.
    four = replace(said, turning=said.turning * 4)
    assert verdict_text(four).count("had Germany") == 4 and "other matches" not in verdict_text(
        four
    )
    many = replace(said, turning=said.turning * 5)
    assert verdict_text(many, "fr").endswith("l'un de 2 autres matchs.")


def test_a_direct_encounter_decides_by_ranks_and_lots_by_the_lower_number():
    """Never `direct decides, 1 to 0`, nor the sign by which a start number is sorted."""
    event = read_event(
        MemoryFile("x.csv", b"Round;Home;Away;Result\n1;B;A;3-1\n2;C;A;1-3\n3;C;B;3-1\n"), Reading()
    )
    text = explain_event(event, ["A", "B"], ["mp", "direct", "buchholz"]).text()
    assert text.startswith("A and B are equal on every criterion: they share a place."), (
        "all three beat one another"
    )
    event = event.after(2)
    said = explain_event(event, ["A", "B"], ["mp", "direct", "emmsb"]).text()
    assert said.startswith(
        "B is before A: DE decides; among those still tied B has rank 1, A rank 2."
    )
    said = explain_event(event, ["A", "B"], ["mp", "number", "emmsb"]).text()
    assert "TPN decides, 1 to 2; the lower number is first." in said


def test_one_team_is_compared_with_the_team_above_and_the_first_with_the_next(event):
    rows = rank(event, product_table(9, 4))
    for at, first, second in ((0, 0, 1), (1, 0, 1), (7, 6, 7)):
        explained = explain_event(event, [rows[at].team])
        verdict = explained.verdict
        assert [working.team for working in explained.workings] == [rows[at].team]
        assert (verdict.first, verdict.second) == (rows[first].team, rows[second].team)
        assert explained.text().startswith(verdict_text(verdict))
        assert explained.table.about["verdict"] == verdict_text(verdict)
    assert explain_event(event, [row.team for row in rows[:3]]).verdict is None
    sheet = sheet_of(event, rows[7].team, [product_table(9, 4)])
    document = sheet_document([sheet], "A is before B.", "de")
    assert document.parts[0].lines == ("A is before B.",)


def test_two_teams_stand_side_by_side_under_the_verdict(event):
    teams = event.teams[4:6]
    both = [sheet_of(event, team, [load_rule("formula-38x9")]) for team in teams]
    document = comparison_document(both, "the first one is better", "de")
    said, *pairs = document.parts[:4]
    assert said.lines == ("the first one is better",)
    for number, pair in enumerate(pairs, start=1):
        assert isinstance(pair, Pair)
        for team, grid in zip(teams, (pair.left, pair.right), strict=True):
            assert grid.heading.startswith(f"{team}: formula-38x9, Rechengang {number}: ")
            assert len(grid.rows) == 9 + 1
    with pypdfium2.PdfDocument(document_pdf(document)) as pages:
        text = pages[0].get_textpage()
        found = [text.search(f"{team}: formula-38x9").get_next() for team in teams]
        (left, _, _, top), (right, _, _, other) = (text.get_charbox(at) for at, _ in found)
        assert left < right and top == pytest.approx(other, abs=3)
        assert "Rechengang: schlägt jeden Gegner einmal nach" in text.get_text_range()
    cells = [cell_text(cell) for row in in_language(document).parts[1].left.rows for cell in row]
    assert "." not in "".join(cells) and "," in "".join(cells)
