"""What a rule costs outside the format that it was made for, and what `learned` chooses by it."""

import pytest

from tb2learn.catalogue import find_rule, load_rule
from tb2learn.export.words import note
from tb2learn.stats import Difference
from tb2learn.tiebreaks import transfer
from tb2learn.tiebreaks.transfer import Transfer, better_formula, learned_rule


def less(*numbers):
    return Difference("rule", "other", *numbers)


NONE = less(0.0, 0.0, 0.0)
SEVEN, NINE = less(0.0123, 0.004, 0.0204), less(0.002, 0.001, 0.003)
FACTS = (
    Transfer("rosters-180x11", 180, 11, 4, NONE, less(-0.0006, -0.0008, -0.0003), NONE),
    Transfer("rosters-180x11", 20, 7, 4, SEVEN, less(0.01, -0.001, 0.02), less(0.009, 0.001, 0.02)),
    Transfer(
        "rosters-180x11", 60, 9, 4, NINE, less(0.001, 0.001, 0.003), less(0.001, -0.001, 0.003)
    ),
    Transfer("formula", 60, 9, 12, less(0.00501, -0.001, 0.011), NONE),
    Transfer("product", 180, 11, 4, less(0.087, 0.086, 0.088), less(0.086, 0.085, 0.087)),
    Transfer("product", 20, 7, 4, less(0.065, 0.059, 0.072), less(0.064, 0.058, 0.071)),
)
TABLE = "rosters-180x11 was trained at 11 rounds and is rescaled here to {} by match-point shares: "
COSTS = (
    "in events like this one, {} more of 100 ties are decided wrongly than by a table made for it"
)


@pytest.fixture
def facts(monkeypatch):
    monkeypatch.setattr(transfer, "transfers", lambda: FACTS)


def test_another_format_costs_what_the_nearest_one_does(facts, monkeypatch):
    assert note(find_rule("rosters-180x11", 6, 4), teams=12) == TABLE.format(6) + COSTS.format(1.2)
    assert note(find_rule("formula", 9, 10), teams=60) == "formula: " + COSTS.format(0.5)
    free = (Transfer("formula", 60, 9, 12, less(-0.0002, -0.001, 0.001), NONE),)
    monkeypatch.setattr(transfer, "transfers", lambda: free)
    assert note(find_rule("formula", 9, 10), teams=60) == "formula: " + COSTS.format("no").replace(
        "of 100 ties", "ties"
    )


def test_where_it_was_made_for_there_is_no_note(facts):
    assert note(find_rule("rosters-180x11", 11, 4), teams=176) == ""
    said = note(find_rule("rosters-180x11", 10, 4), teams=176)
    assert said == TABLE.format(10) + "it is the table made for events like this one"


def test_learned_takes_the_formula_where_it_was_judged_better(facts):
    assert learned_rule(7, 4, 20) == learned_rule(6, 4, 12) == "formula"
    # Near 60 teams, 9 rounds the interval spans 0, at home the table is better. Events that judge
    # say the opposite in the two former, and decide nothing.
    assert learned_rule(9, 4, 50) == learned_rule(11, 4, 180) == "rosters-180x11"
    # Without a number of teams: 180, those of the table.
    assert learned_rule(9, 4) == "rosters-180x11" and better_formula(9, 4) is None
    assert learned_rule(11, 5, 180) == "formula" and better_formula(11, 5, 180) is None
    found = find_rule("learned", 7, 4, 20)
    assert (found.name, found.own_name) == ("learned", "formula")
    for rule in (load_rule("learned"), load_rule("learned", rounds=9)):
        assert (rule.name, rule.own_name) == ("learned", "rosters-180x11")
