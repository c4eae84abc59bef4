"""The working sheet of a team: every number follows from others on it, in every form."""

from dataclasses import replace

import pypdfium2
import pytest
from export_samples import opened
from page_reader import Page

from tb2learn.catalogue import load_rule
from tb2learn.events import explain, read_event
from tb2learn.export.document import Pair, grids, shown
from tb2learn.export.forms import printed
from tb2learn.export.pdf import document_pdf
from tb2learn.export.standings import explain_event
from tb2learn.export.words import in_language
from tb2learn.export.working import (
    comparison_document,
    refinement,
    sheet_document,
    team_sheet,
    verdict_text,
)
from tb2learn.tiebreaks.rules import product_table

RULES = ("learned-38x9", "formula-38x9")


@pytest.fixture(scope="module")
def event():
    return read_event("baku2016").after(9)


@pytest.fixture(scope="module")
def sheets(event):
    team = event.teams[4]
    return {name: team_sheet(event, team, [product_table(9, 4), load_rule(name)]) for name in RULES}


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
            other = sheet.opponents[line.item.opponent]
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
        (own,) = explain(event, [event.teams[4]], [product_table(9, 4), load_rule(name)])
        assert tuple(one.total for one in sheet.passes) == own.sums
        assert tuple(one.rule.name for one in sheet.passes) == own.rule_names


@pytest.mark.parametrize("count", [1, 2])
def test_every_form_of_a_sheet_has_the_same_cells(sheets, event, count):
    """HTML, PDF and workbook are made of one document; the workbook has its numbers as values."""
    rules = [product_table(9, 4), load_rule(RULES[0])]
    both = [sheets[RULES[0]], team_sheet(event, event.teams[9], rules)][:count]
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
        shown(cell) for row in grid_rows for cell in row
    ]
    with pypdfium2.PdfDocument(printed(document, "pdf")) as pages:
        text = " ".join(page.get_textpage().get_text_range() for page in pages)
    assert all(shown(cell) in text for row in grid_rows for cell in row if cell != row[1])
    assert ("A is before B." in text) == (count == 2)


def test_the_verdict_is_said_in_the_language_of_the_sheet():
    event = read_event("baku2016")
    said = explain_event(event, ["Ukraine", "United States"]).verdict
    assert verdict_text(said) == str(said) and said.turning
    for language in ("hu", "es", "fr", "de"):
        text = verdict_text(said, language)
        assert "Another" not in text and all(one in text for one in said.matches[:3])
        assert "413,5" in text and "decides" not in text
    alone = replace(said, matches=())
    assert verdict_text(alone, "de").endswith("in der letzten Runde hat es entschieden.")
    assert "Partie" in verdict_text(alone, "de", players=True)
    equal = replace(said, criterion="", matches=(), tried=False)
    assert verdict_text(equal, "de").endswith("Sie teilen den Platz.")


def test_two_teams_stand_side_by_side_under_the_verdict(event):
    teams = event.teams[4:6]
    both = [team_sheet(event, team, [load_rule("formula-38x9")]) for team in teams]
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
    cells = [shown(cell) for row in in_language(document).parts[1].left.rows for cell in row]
    assert "." not in "".join(cells) and "," in "".join(cells)
