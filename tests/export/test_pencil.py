"""The pencil edition: two sides, only what can occur, and a real tie from results to verdict."""

import itertools
import re
from itertools import groupby

import numpy as np
import pytest
from export_samples import page_texts

from tb2learn.catalogue import load_rule
from tb2learn.events import explain, rank, read_event
from tb2learn.export.pencil import first_pass, pencil_pdf, printed_expectation
from tb2learn.export.pencil_example import real_tie
from tb2learn.export.pencil_table import can_occur, shifted, shifts
from tb2learn.export.words import LANGUAGES, words
from tb2learn.tiebreaks.rules import classic, product_table
from tb2learn.types import InputError


@pytest.fixture(scope="module")
def sheets():
    names = ("formula-180x11", "formula-38x9", "learned-180x11-pass1", "learned-38x9-pass1")
    return {name: (load_rule(name), page_texts(pencil_pdf(load_rule(name)))) for name in names}


@pytest.mark.slow
def test_a_sheet_has_two_sides(sheets):
    for name, (_, found) in sheets.items():
        assert len(found) == 2, name
        text = " ".join(found)
        assert "TB2 is comparable only between teams equal on MP" in text
        assert "Worked example" in text and "When to use it" in text


@pytest.mark.parametrize("name", ["learned-180x11-pass1", "learned-38x9-pass1"])
def test_a_table_is_whole_without_what_cannot_occur(sheets, name):
    rule, found = sheets[name]
    text, beyond = " ".join(found), -rule.columns[0]
    points, possible = shifted(rule).points[0], can_occur(rule.event_rounds, rule.boards)
    for own in range(2 * rule.event_rounds + 1):
        for half in range(2 * rule.boards + 1):
            entries = points[own, beyond : beyond + 2 * rule.event_rounds + 1, half]
            row = " ".join(map(str, entries[possible[own, :, half]]))
            assert not row or f"{half / 2:g} {row} " in text, (own, half)
    assert "-" not in re.sub(r"[a-z]\S*-\S*|\S*-[a-z]\S*", "", text)  # no minus sign but in names


def test_the_example_of_a_table_is_a_real_tie(sheets):
    """Pass 1 and FIDE's rule disagree about the gold of Baku."""
    rule, found = sheets["learned-180x11-pass1"]
    tie = real_tie(rule)
    assert [w.team for w in tie.teams] == ["United States of America", "Ukraine"]
    sums = [int(w.sums[0]) + 11 * 300 for w in tie.teams]
    text = found[1]
    assert f"Ukraine has {sums[1]}, United States of America {sums[0]}: so Ukraine" in text
    for item in tie.teams[1].items:
        cells = f"{item.opponent} {item.opponent_mp:g} {item.gp:g} {int(item.values[0]) + 300}"
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
        sums.append(f"{scored - total:.2f}".rstrip("0").rstrip(".").replace("-", "\N{MINUS SIGN}"))
        assert f"{working.team}, {working.mp} MP: TB2 = {scored:g}" in found[1]
        exact = explain(tie.event, [working.team], [first_pass(rule)])[0].sums[0]
        assert abs(exact - (scored - total)) <= 0.005 * len(working.items)
    first, second = (working.team for working in tie.teams)
    assert f"{second} has {sums[1]}, {first} {sums[0]}: so {second} is placed before" in found[1]
    fide = {row.team: row for row in rank(tie.event, product_table(tie.event.rounds, 4))}
    assert fide[first].scores["tb2"] > fide[second].scores["tb2"]


def test_one_pass_and_three_disagree_about_gold():
    """As the sheet says."""
    event = read_event("baku2016")
    first = [rank(event, load_rule(f"learned-180x11{end}"))[0].team for end in ("-pass1", "")]
    assert first == ["Ukraine", "United States of America"]


@pytest.mark.slow
def test_both_editions_in_every_language(sheets):
    """On two sides; the names and numbers of the tie are those of the English sheet."""
    names = ("learned-38x9-pass1", "formula-38x9")
    numbers = re.compile(r"[0-9]+(?:\.[0-9]+)?")
    english = {name: set(numbers.findall(" ".join(sheets[name][1]))) for name in names}
    for language, name in itertools.product(LANGUAGES[1:], names):
        found = page_texts(pencil_pdf(load_rule(name), language))
        assert len(found) == 2 and words(language)["pencil.when"] in " ".join(found), language
        assert "Worked example" not in " ".join(found)
        assert english[name] == set(numbers.findall(" ".join(found))), language


def test_only_one_look_up_a_match():
    for rule in (load_rule("learned-38x9"), product_table(9, 4), classic("buchholz", 9, 4)):
        with pytest.raises(InputError, match="is for a formula or a table in one pass, such as"):
            pencil_pdf(rule)


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


@pytest.mark.parametrize("name", ["learned-180x11-pass1", "learned-38x9-pass1"])
def test_shifted_points_are_not_negative_and_par_is_round(name):
    rule = load_rule(name)
    beyond, shares = -rule.columns[0], 2 * rule.event_rounds + 1
    points = shifted(rule).points[0][:, beyond : beyond + shares]
    possible = can_occur(rule.event_rounds, rule.boards)
    assert points[possible].min() >= 0
    added = shifts(rule)
    assert (added % 100 == 0).all() and (added > 0).all()
    lowest = np.where(possible, points, 10**6).min(axis=(1, 2))
    assert (lowest < 100).all()  # no smaller constant would do


@pytest.mark.parametrize(
    ("name", "rounds"), [("learned-180x11-pass1", 11), ("learned-38x9-pass1", 9)]
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


def test_several_passes_are_not_shifted():
    with pytest.raises(InputError, match="has 3 passes: only one pass can be shifted"):
        shifts(load_rule("learned-38x9"))
