"""Events in which the same two teams meet twice: ranked and refined."""

import numpy as np
import pytest
import slow_oracle
from etcc import small
from helpers import random_surfaces

from tb2learn.events import explain
from tb2learn.events.rank import scores
from tb2learn.tiebreaks.rules import formula_rule, product_table
from tb2learn.training.tabulate import pass_table

# Four teams, two boards, everybody twice against everybody: half points of the first team.
ROUNDS = (
    ((0, 1, 3), (2, 3, 2)),
    ((0, 2, 1), (1, 3, 4)),
    ((0, 3, 4), (1, 2, 2)),
    ((1, 0, 3), (3, 2, 1)),
    ((2, 0, 2), (3, 1, 2)),
    ((3, 0, 0), (2, 1, 1)),
)
PASSES = pass_table(random_surfaces(3, rounds=6, boards=2), "passes")
FORMULA = formula_rule("formula", 6, 2, scale=0.25, refinement=0.2)


@pytest.fixture
def event():
    return small([[(a, b, half, 4 - half) for a, b, half in pairs] for pairs in ROUNDS])


def test_both_matches_of_a_pair_count(event):
    played = slow_oracle.played(4, 2, ROUNDS)
    match_points, _ = scores(event, product_table(6, 2))
    assert match_points.tolist() == played.mp
    # A beat B 1.5:0.5 and lost 0.5:1.5: both matches are items of A's sum.
    (working,) = explain(event, ["A"], [PASSES])
    assert sorted(item.opponent for item in working.items) == list("BBCCDD")


def test_each_match_leaves_only_itself_out_of_what_its_opponent_counts_as(event):
    played = slow_oracle.played(4, 2, ROUNDS)
    _, found = scores(event, PASSES)
    assert found.tolist() == slow_oracle.pass_scores(played, PASSES.points.tolist())
    _, found = scores(event, FORMULA)
    wanted = slow_oracle.formula_scores(played, 2, FORMULA.a, FORMULA.k, 3)
    assert np.abs(found - wanted).max() < 2 * FORMULA.unit
    # Were both matches of a pair left out, these would be other numbers.
    once = slow_oracle.played(4, 2, ROUNDS[:3])
    assert slow_oracle.formula_scores(once, 2, FORMULA.a, FORMULA.k, 3) != wanted
