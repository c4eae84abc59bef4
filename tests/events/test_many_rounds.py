"""Round robins, double rounds and events of 40 rounds."""

import re
from dataclasses import replace

import numpy as np
import pytest
import slow_oracle
from etcc import small
from helpers import random_surfaces

import tb2learn as tb
from tb2learn.chess.berger import round_robin
from tb2learn.data import read_rows
from tb2learn.events import explain, round_robin_notes
from tb2learn.events.rank import scores
from tb2learn.text import csv_text
from tb2learn.tiebreaks.rules import formula_rule, product_table
from tb2learn.training.tabulate import pass_table


def league(teams, boards=4, repeats=1):
    """Every match 3:1 for the lower number."""
    rounds = round_robin(teams, repeats).games.tolist()
    pairs = [[(min(g), max(g), 2 * boards - 2, 2) for g in games] for games in rounds]
    return small(pairs, [f"T{n}" for n in range(teams)], boards)


@pytest.mark.parametrize(("teams", "repeats"), [(3, 1), (6, 1), (7, 2)])
def test_a_round_robin_is_known(teams, repeats):
    event = league(teams, repeats=repeats)
    assert len(round_robin_notes(event)) == 1
    assert len(round_robin_notes(replace(event, matches=event.matches[:-1]))) == 1
    few = replace(event, matches=event.matches[: len(event.matches) // 2 - 1])
    assert round_robin_notes(few) == ()


def test_other_events_have_no_note(baku):
    assert round_robin_notes(baku) == () and round_robin_notes(league(2)) == ()


@pytest.mark.parametrize(
    ("boards", "size"), [(4, ("10", "4")), (8, ("12", "8")), (10, ("12", "8"))]
)
def test_the_figures_are_those_of_the_study(boards, size):
    [note] = round_robin_notes(league(9, boards))
    rows = {
        row["rule"]: float(row["error"])
        for row in read_rows("leagues.csv")
        if (row["teams"], row["boards"]) == size and row["top"] == "all"
    }
    found = re.findall(r"(\d+)%", note)
    assert found == [f"{100 * rows[rule]:.0f}" for rule in ("emmsb", "game-points")]
    assert 0.45 < rows["emmsb"] < 0.55 and rows["game-points"] < 0.4


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


LENGTH, TEAMS, BOARDS = 40, 12, 3


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    random = np.random.default_rng(5)
    rows = [("round", "team_a", "team_b", "game_points_a", "game_points_b")]
    for number in range(1, LENGTH + 1):
        order = random.permutation(TEAMS)
        for a, b in order.reshape(-1, 2).tolist():
            half = int(random.integers(0, 2 * BOARDS + 1))
            rows.append((number, f"T{a:02}", f"T{b:02}", half / 2, BOARDS - half / 2))
    path = tmp_path_factory.mktemp("blitz") / "blitz.csv"
    path.write_text(csv_text(rows))
    return path


@pytest.mark.parametrize("rule", ["product", "formula", "learned-180x11", "row-sum", "emmsb"])
def test_every_kind_of_rule_ranks_it(path, rule):
    event = tb.load_event(path)
    assert event.rounds == LENGTH and event.boards == BOARDS
    if rule == "learned-180x11":
        with pytest.raises(tb.InputError, match="4 boards"):
            tb.rank(event, rule)
        return
    assert sorted(tb.rank(event, rule).team) == sorted(event.teams)
