"""Recorded events of more rounds than are simulated: every rule, in paper form, too."""

import numpy as np
import pytest

import tb2learn as tb
from tb2learn.text import csv_text

ROUNDS, TEAMS, BOARDS = 40, 12, 3


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    random = np.random.default_rng(5)
    rows = [("round", "team_a", "team_b", "game_points_a", "game_points_b")]
    for number in range(1, ROUNDS + 1):
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
    assert event.rounds == ROUNDS and event.boards == BOARDS
    if rule == "learned-180x11":
        with pytest.raises(tb.InputError, match="4 boards"):
            tb.rank(event, rule)
        return
    assert sorted(tb.rank(event, rule).team) == sorted(event.teams)
