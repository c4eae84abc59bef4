"""The pencil edition: two sides, only what can occur, and a real tie from results to verdict."""

import re
from itertools import groupby, pairwise

import pypdfium2
import pytest
from event_samples import explained
from export_samples import letter_sizes, page_texts

from tb2learn.catalogue import find_rule, load_rule
from tb2learn.events import rank, read_event
from tb2learn.export.pencil import (
    can_occur,
    first_pass,
    pencil_pdf,
    printed_expectation,
    real_tie,
    shifted,
    shifts,
)
from tb2learn.export.words import LANGUAGES
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError


@pytest.fixture(scope="module")
def sheets():
    names = ("formula-180x11", "formula-38x9", "uniform-180x11-pass1", "learned-38x9-pass1")
    return {name: (load_rule(name), page_texts(pencil_pdf(load_rule(name)))) for name in names}


CROWDED = [("formula", 11, 4), ("uniform-180x11-pass1", 11, 4), ("learned-38x9-pass1", 9, 4)]
RULES = [*CROWDED, ("formula", 1, 1), ("formula", 40, 12), ("deep-buchholz", 40, 1)]
RULES += [("uniform-180x11-pass1", 7, 4), ("learned-38x9-pass1", 11, 4)]


@pytest.mark.parametrize(
    "language",
    ["en", *(pytest.param(one, marks=pytest.mark.slow) for one in LANGUAGES if one != "en")],
)
def test_every_sheet_has_two_sides_of_a4_and_no_letter_below_nine_points(language):
    for name, rounds, boards in RULES if language == "en" else CROWDED:
        pdf = pencil_pdf(find_rule(name, rounds, boards, 20), language)
        with pypdfium2.PdfDocument(pdf) as document:
            assert len(document) <= 2, (name, rounds)
            for page in document:
                assert sorted(page.get_size()) == pytest.approx([595.3, 841.9], abs=1)
                assert min(letter_sizes(page)) >= 9, (name, rounds)


def test_a_table_that_does_not_fit_is_refused_by_name():
    message = "the table uniform-180x11-pass1 for 12 rounds on 4 boards is too large for two sides"
    with pytest.raises(InputError, match=f"{message} at 9 points: write it as pdf, or the pencil"):
        pencil_pdf(find_rule("uniform-180x11-pass1", 12, 4, 20))


@pytest.mark.parametrize("name", ["uniform-180x11-pass1", "learned-38x9-pass1"])
def test_a_table_is_whole_without_what_cannot_occur(sheets, name):
    rule, found = sheets[name]
    text, beyond = " ".join(found), -rule.columns[0]
    points, possible = shifted(rule).tables[0], can_occur(rule.event_rounds, rule.boards)
    for own in range(2 * rule.event_rounds + 1):
        for half in range(2 * rule.boards + 1):
            entries = points[own, beyond : beyond + 2 * rule.event_rounds + 1, half]
            row = " ".join(map(str, entries[possible[own, :, half]]))
            assert not row or f"{half / 2:g} {row} " in text, (own, half)
    assert "-" not in re.sub(r"[a-z]\S*-\S*|\S*-[a-z]\S*", "", text)  # no minus sign but in names


def test_the_example_of_a_table_is_a_real_tie(sheets):
    rule, found = sheets["learned-38x9-pass1"]
    tie = real_tie(rule)
    first, second = (w.team for w in tie.teams)
    par = int(shifts(rule)[int(tie.teams[0].mp)])
    sums = [int(w.sums[0]) + rule.event_rounds * par for w in tie.teams]
    text = found[1]
    assert sums[1] > sums[0]
    assert f"{second} has {sums[1]}, {first} {sums[0]}: so {second} is placed before" in text
    for item in tie.teams[1].items:
        cells = f"{item.opponent} {item.opponent_mp:g} {item.gp:g} {int(item.values[0]) + par}"
        assert cells in text


@pytest.mark.parametrize("name", ["formula-180x11", "formula-38x9"])
def test_the_example_of_a_formula_adds_up(sheets, name):
    """From the results of the event alone: every difference, expectation, sum and the verdict."""
    rule, found = sheets[name]
    tie, expected = real_tie(first_pass(rule)), printed_expectation(rule)
    sums = []
    for working in tie.teams:
        total = sum(expected[working.mp - int(item.opponent_mp)] for item in working.items)
        scored = sum(item.gp for item in working.items)
        sums.append(f"{scored - total:.4f}".rstrip("0").rstrip(".").replace("-", "\N{MINUS SIGN}"))
        assert f"{working.team}, {working.mp} MP: TB2 = {scored:g}" in found[0]
        exact = explained(tie.event, [working.team], [first_pass(rule)])[0].sums[0]
        assert exact == pytest.approx(scored - total, abs=1e-9)
    first, second = (working.team for working in tie.teams)
    assert f"{second} has {sums[1]}, {first} {sums[0]}: so {second} is placed before" in found[0]
    fide = {row.team: row for row in rank(tie.event, product_table(tie.event.rounds, 4))}
    assert fide[first].scores["tb2"] > fide[second].scores["tb2"]


@pytest.mark.parametrize("name", ["formula-180x11", "formula-38x9"])
def test_two_forms_with_rows_of_seven_millimetres(name):
    rule = load_rule(name)
    with pypdfium2.PdfDocument(pencil_pdf(rule)) as document:
        text = document[1].get_textpage()
        assert text.get_text_range().count("Opponent") == 2
        boxes = {n: text.get_charbox(n) for n in range(text.count_chars())}
        starts = [n for n, box in boxes.items() if text.get_text_range(n, 1) in "123"]
        tops = [boxes[n][3] for n in starts if boxes[n][0] < 120][:3]  # of the numbers of rounds
    for above, below in pairwise(tops):
        assert above - below == pytest.approx(7 / 25.4 * 72, abs=0.6)


# --- the shift


def test_what_can_occur_by_hand():
    """Two rounds on one board: a team on 1 MP drew a match and lost the other one."""
    possible = can_occur(2, 1)  # own MP, opponent's MP, half points
    won, drawn, lost = possible[1, :, 2], possible[1, :, 1], possible[1, :, 0]
    assert not won.any()
    assert drawn.tolist() == [False, True, True, True, False]
    assert lost.tolist() == [False, False, True, True, True]
    assert possible[4, :, 2].tolist() == [True, True, True, False, False]
    assert not possible[4, :, :2].any() and not possible[0, :, 1:].any()


@pytest.mark.parametrize(
    ("name", "rounds"), [("uniform-180x11-pass1", 11), ("learned-38x9-pass1", 9)]
)
def test_the_shift_changes_no_order_within_equal_match_points(name, rounds):
    """A real event, with byes, defaults and absences under the Olympiad's policy of 2016."""
    rule, played = load_rule(name), read_event("baku2016").after(rounds)
    plain, moved = rank(played, rule), rank(played, shifted(rule))
    assert [(row.place, row.team) for row in plain] == [(row.place, row.team) for row in moved]
    by_name = {row.team: row for row in moved}
    added = shifts(rule) * rule.event_rounds
    for mp, group in groupby(plain, key=lambda row: int(row.scores["mp"])):
        differences = {by_name[r.team].scores["tb2"] - r.scores["tb2"] for r in group}
        assert differences == {added[mp]}
