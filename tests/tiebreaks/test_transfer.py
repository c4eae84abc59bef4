"""Notes on what a rule costs outside the format that it was made for."""

import pytest

from tb2learn.catalogue import find_rule
from tb2learn.cli.output import say_note
from tb2learn.tiebreaks import transfer
from tb2learn.tiebreaks.formats import TABLES
from tb2learn.tiebreaks.transfer import Transfer, format_notes, nearest_transfer, transfers

FACTS = (
    Transfer("learned-180x11", 180, 11, 4, 0.0, 0.0, 0.0),
    Transfer("learned-180x11", 20, 7, 4, 0.0123, 0.004, 0.0204),
    Transfer("formula", 60, 9, 12, 0.005, -0.001, 0.011),
)


@pytest.fixture
def facts(monkeypatch):
    monkeypatch.setattr(transfer, "transfers", lambda: FACTS)


def test_a_judged_format(facts):
    [note] = format_notes(find_rule("learned-180x11", 7, 4), 20)
    assert note == (
        "learned-180x11 at 7 rounds and 20 teams: 0.012 [0.004, 0.020] more ties decided wrongly "
        "than by a table made for it (tb2learn study transfer)"
    )


def test_another_format_says_which_one_was_judged(facts):
    [note] = format_notes(find_rule("learned-180x11", 6, 4), 12)
    assert "at 6 rounds and 12 teams: at the nearest judged format, 20 teams, 7 rounds" in note
    [note] = format_notes(find_rule("formula", 9, 10), 60)
    assert "60 teams, 9 rounds, 12 boards, 0.005 [-0.001, 0.011] more ties" in note


def test_at_home_there_is_no_note(facts):
    assert format_notes(find_rule("learned-180x11", 11, 4), 176) == ()
    [note] = format_notes(find_rule("learned-180x11", 10, 4), 176)
    assert "rescaled" in note and "180 teams, 11 rounds" in note


def test_rules_that_were_not_judged_say_that_they_are_rescaled(facts):
    rule = find_rule("learned-38x9", 7, 4)
    assert format_notes(rule, 38) == (rule.note,) and "is rescaled here to 7" in rule.note
    assert format_notes(find_rule("learned-180x11", 7, 4)) == (
        find_rule("learned-180x11", 7, 4).note,
    )
    assert format_notes(find_rule("least-squares", 7, 4), 20) == ()


def test_what_learned_stands_for(facts, capsys):
    say_note(find_rule("learned", 11, 4), 180)
    say_note(find_rule("learned", 11, 5))
    say_note(find_rule("learned", 11, 1))
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "tb2learn: note: learned is learned-180x11 on 4 boards",
        "tb2learn: note: learned has no table for 5 boards: the rule formula is used instead",
        "tb2learn: note: learned has no table for 1 board: the rule formula is used instead",
    ]


def test_the_packaged_facts():
    """Every shipped table was judged at home and elsewhere, the formula on other boards, too."""
    for boards, name in TABLES.items():
        judged = [one for one in transfers() if one.rule == name]
        assert sum(one.at_home for one in judged) == 1 and len(judged) >= 2
        assert {one.boards for one in judged} == {boards}
    for one in transfers():
        assert one.low <= one.growth <= one.high and one.high - one.low < 0.06
    assert {one.boards for one in transfers() if one.rule == "formula"} >= set(TABLES)
    assert nearest_transfer("formula", 1000, 11, 4).teams == 180
    assert nearest_transfer("product", 180, 11, 4) is None
    assert format_notes(find_rule("product", 7, 4), 20) == ()
    assert nearest_transfer("least-squares", 20, 7, 4) is None
