"""What a rule costs outside the format that it was made for, and what `learned` chooses by it."""

import pytest

from tb2learn.catalogue import find_rule, load_rule
from tb2learn.cli.output import say_note
from tb2learn.config import EventFormat
from tb2learn.export.words import note
from tb2learn.tiebreaks import other_formats as transfer
from tb2learn.tiebreaks.library import TABLES
from tb2learn.tiebreaks.other_formats import (
    Transfer,
    better_formula,
    cost_of_format,
    learned_rule,
    nearest_transfer,
    transfers,
)
from tb2learn.types import MAX_BOARDS, MAX_SIMULATED_ROUNDS, MAX_TEAMS

NONE = (0.0, 0.0, 0.0)
SEVEN, NINE = (0.0123, 0.004, 0.0204), (0.002, 0.001, 0.003)
FACTS = (
    Transfer("rosters-180x11", 180, 11, 4, NONE, (-0.0006, -0.0008, -0.0003), NONE),
    Transfer("rosters-180x11", 20, 7, 4, SEVEN, (0.01, -0.001, 0.02), (0.009, 0.001, 0.02)),
    Transfer("rosters-180x11", 60, 9, 4, NINE, (0.001, 0.001, 0.003), (0.001, -0.001, 0.003)),
    Transfer("formula", 60, 9, 12, (0.00501, -0.001, 0.011), NONE),
    Transfer("product", 180, 11, 4, (0.087, 0.086, 0.088), (0.086, 0.085, 0.087)),
    Transfer("product", 20, 7, 4, (0.065, 0.059, 0.072), (0.064, 0.058, 0.071)),
)
TABLE = "rosters-180x11 was trained at 11 rounds and is rescaled here to {} by match-point shares: "
COSTS = (
    "in events like this one, {} more of 1,000 ties are decided wrongly than by a table made for it"
)


@pytest.fixture
def facts(monkeypatch):
    monkeypatch.setattr(transfer, "transfers", lambda: FACTS)


def test_another_format_costs_what_the_nearest_one_does(facts, monkeypatch):
    assert note(find_rule("rosters-180x11", 6, 4), teams=12) == TABLE.format(6) + COSTS.format(12)
    assert note(find_rule("formula", 9, 10), teams=60) == "formula: " + COSTS.format(5)
    free = (Transfer("formula", 60, 9, 12, (-0.0002, -0.001, 0.001), NONE),)
    monkeypatch.setattr(transfer, "transfers", lambda: free)
    assert note(find_rule("formula", 9, 10), teams=60) == "formula: " + COSTS.format("no").replace(
        "of 1,000 ties", "ties"
    )


def test_where_it_was_made_for_there_is_no_note(facts):
    assert note(find_rule("rosters-180x11", 11, 4), teams=176) == ""
    said = note(find_rule("rosters-180x11", 10, 4), teams=176)
    assert said == TABLE.format(10) + "it is the table made for events like this one"


def test_the_product_rule_is_made_for_olympiads(facts):
    assert note(find_rule("product", 11, 4), teams=150) == ""
    assert note(find_rule("product", 7, 4), teams=20) == "product: " + COSTS.format(65)
    assert note(find_rule("product", 11, 5), teams=180) == "product: " + COSTS.format(87)


def test_learned_takes_the_formula_where_it_was_judged_better(facts):
    assert learned_rule(7, 4, 20) == learned_rule(6, 4, 12) == "formula"
    # Near 60 teams, 9 rounds the interval spans 0, at home the table is better. Events that judge
    # say the opposite in the two former, and decide nothing.
    assert learned_rule(9, 4, 50) == learned_rule(11, 4, 180) == "rosters-180x11"
    # Without a number of teams: 180, those of the table.
    assert learned_rule(9, 4) == "rosters-180x11" and better_formula(9, 4) is None
    assert learned_rule(11, 5, 180) == "formula" and better_formula(11, 5, 180) is None
    found = find_rule("learned", 7, 4, 20)
    assert (found.name, found.asked) == ("formula", "learned")
    assert load_rule("learned").name == load_rule("learned", rounds=9).name == "rosters-180x11"


def test_what_learned_stands_for(facts, capsys):
    say_note(find_rule("learned", 11, 4), 180)
    say_note(find_rule("learned", 11, 5))
    say_note(find_rule("learned", 11, 1))
    say_note(find_rule("learned", 7, 4, 20), 20)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:4] == [
        "tb2learn: note: learned is rosters-180x11 on 4 boards",
        "tb2learn: note: learned has no table for 5 boards: the rule formula is used instead",
        "tb2learn: note: learned has no table for 1 board: the rule formula is used instead",
        "tb2learn: note: learned is formula: in events like this one, rosters-180x11 decides 10 "
        "more of 1,000 ties wrongly",
    ]
    assert lines[4] == f"tb2learn: note: formula: {COSTS.format(5)}"


def test_the_packaged_facts():
    """Every shipped table was judged at home and elsewhere, the formula in every dimension."""
    for boards, name in TABLES.items():
        judged = [one for one in transfers() if one.rule == name]
        assert sum(one.is_home for one in judged) == 1 and len(judged) >= 2
        assert {one.boards for one in judged} == {boards}
        event = EventFormat(180, 11, 4) if boards == 4 else EventFormat(60, 9, boards)
        assert learned_rule(event.rounds, boards, event.teams) == name
    for one in transfers():
        assert (one.choice is not None) == (one.rule in TABLES.values())
        for value, low, high in (one.growth, one.over_formula, one.choice or NONE):
            assert low <= value <= high and high - low < 0.06
        assert one.choice in (None, NONE) or one.choice != one.over_formula  # other events
    judged = [one for one in transfers() if one.rule == "formula"]
    assert {one.over_formula for one in judged} == {NONE}
    for key, ends in {"teams": (4, MAX_TEAMS), "boards": (1, MAX_BOARDS)}.items():
        values = [getattr(one, key) for one in judged]
        assert (min(values), max(values)) == ends
    assert max(one.rounds for one in judged) == MAX_SIMULATED_ROUNDS
    assert nearest_transfer("formula", 900, 11, 4).teams == MAX_TEAMS
    assert nearest_transfer("formula", None, 11, 4) is None
    assert cost_of_format(find_rule("product", 11, 4), 180) is None
    assert cost_of_format(find_rule("product", 7, 4), 20).growth[1] > 0
    assert nearest_transfer("least-squares", 20, 7, 4) is None
