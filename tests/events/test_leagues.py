"""The note on events where all teams met the same opponents."""

import re
from dataclasses import replace

import pytest
from etcc import small

from tb2learn.chess.berger import round_robin
from tb2learn.data import read_rows
from tb2learn.events import round_robin_notes


def league(teams, boards=4, repeats=1):
    """Every match 3:1 for the lower number."""
    rounds = round_robin(teams, repeats).games.tolist()
    pairs = [[(min(g), max(g), 2 * boards - 2, 2) for g in games] for games in rounds]
    return small(pairs, [f"T{n}" for n in range(teams)], boards)


@pytest.mark.parametrize(("teams", "repeats"), [(3, 1), (6, 1), (7, 2)])
def test_a_round_robin_is_known(teams, repeats):
    event = league(teams, repeats=repeats)
    assert len(round_robin_notes(event)) == 1
    assert round_robin_notes(replace(event, matches=event.matches[:-1])) == ()
    defaulted = replace(event.matches[-1], boards_forfeited=event.boards)
    assert round_robin_notes(replace(event, matches=(*event.matches[:-1], defaulted))) == ()


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
