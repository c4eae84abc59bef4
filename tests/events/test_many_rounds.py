"""Round robins, double rounds and events of 40 rounds."""

import re
from dataclasses import replace

import numpy as np
import pytest
from etcc import small

import tb2learn as tb
from tb2learn.chess.berger import round_robin
from tb2learn.data import read_rows
from tb2learn.events import round_robin_notes
from tb2learn.text import csv_text


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


@pytest.mark.parametrize("rule", ["product", "formula", "uniform-180x11", "row-sum", "emmsb"])
def test_every_kind_of_rule_ranks_it(path, rule):
    event = tb.load_event(path)
    assert event.rounds == LENGTH and event.boards == BOARDS
    if rule == "uniform-180x11":
        with pytest.raises(tb.InputError, match="4 boards"):
            tb.rank(event, rule)
        return
    assert sorted(tb.rank(event, rule).team) == sorted(event.teams)
