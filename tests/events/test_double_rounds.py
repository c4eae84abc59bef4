"""Events in which the same two teams meet twice: read, written, ranked and refined."""

import numpy as np
import pytest
import slow_oracle
from helpers import random_surfaces

from tb2learn.events import explain, read_event
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
TEAMS = "ABCD"
PASSES = pass_table(random_surfaces(3, rounds=6, boards=2), "passes")
FORMULA = formula_rule("formula", 6, 2, scale=0.25, refinement=0.2)


RESULTS = ("0-1", "1/2-1/2", "1-0")  # by the half points of White


def folder(path, rounds):
    """The event as a folder of CSV tables with all games, the first team White on board 1."""
    matches, games = [], []
    for number, pairs in enumerate(rounds, start=1):
        for match, (a, b, half) in enumerate(pairs, start=1):
            a, b, first = TEAMS[a], TEAMS[b], half // 2
            where = f"{number},{match}"
            matches.append(f"{where},{a},{b},{half / 2},{2 - half / 2}")
            games.append(f"{where},1,{a},{b},{RESULTS[first]},played,{a}1,{b}1")
            games.append(f"{where},2,{b},{a},{RESULTS[2 - half + first]},played,{b}2,{a}2")
    heads = {
        "matches": "round,match,team_a,team_b,game_points_a,game_points_b",
        "boards": "round,match,board,white_team,black_team,result,status,white_player,black_player",
        "players": "team,name",
    }
    players = [f"{team},{team}{board}" for team in TEAMS for board in (1, 2)]
    for (name, head), lines in zip(heads.items(), (matches, games, players), strict=True):
        (path / f"{name}.csv").write_text("\n".join((head, *lines, "")), encoding="utf-8")
    return read_event(path)


@pytest.fixture
def event(tmp_path):
    return folder(tmp_path, ROUNDS)


def test_both_matches_of_a_pair_count(event):
    played = slow_oracle.played(4, 2, ROUNDS)
    order = [event.teams.index(team) for team in TEAMS]
    match_points, _ = scores(event, product_table(6, 2))
    assert match_points[order].tolist() == played.mp
    # A beat B 1.5:0.5 and lost 0.5:1.5: both matches are items of A's sum.
    (working,) = explain(event, ["A"], [PASSES])
    assert sorted(item.opponent for item in working.items) == list("BBCCDD")


def test_each_match_leaves_only_itself_out_of_what_its_opponent_counts_as(event):
    played = slow_oracle.played(4, 2, ROUNDS)
    order = [event.teams.index(team) for team in TEAMS]
    _, found = scores(event, PASSES)
    assert found[order].tolist() == slow_oracle.pass_scores(played, PASSES.points.tolist())
    _, found = scores(event, FORMULA)
    wanted = slow_oracle.formula_scores(played, 2, FORMULA.a, FORMULA.k, 3)
    assert np.abs(found[order] - wanted).max() < 2 * FORMULA.unit
    # Were both matches of a pair left out, these would be other numbers.
    once = slow_oracle.played(4, 2, ROUNDS[:3])
    assert slow_oracle.formula_scores(once, 2, FORMULA.a, FORMULA.k, 3) != wanted
