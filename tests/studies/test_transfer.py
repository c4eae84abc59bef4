"""The study of rules outside their formats: its grid, what its report says, the packaged facts."""

import pytest
from study_samples import committed, told

from tb2learn import data
from tb2learn.studies.transfer import measure
from tb2learn.studies.transfer.measure import SHAPES, judge
from tb2learn.tiebreaks.library import TABLES
from tb2learn.training.checkpoint import load
from tb2learn.types import MAX_SIMULATED_ROUNDS, MAX_TEAMS


def test_the_grid_spans_teams_rounds_and_boards():
    assert len(set(SHAPES)) == len(SHAPES)
    assert {boards for _, _, boards in SHAPES} == {1, 4, 6, 8, 10, 12}
    assert min(SHAPES)[0] == 4 and max(SHAPES)[0] == MAX_TEAMS
    rounds = [rounds for _, rounds, _ in SHAPES]
    assert min(rounds) == 3 and max(rounds) == MAX_SIMULATED_ROUNDS
    for boards in TABLES:
        played = [(teams, rounds) for teams, rounds, b in SHAPES if b == boards]
        assert len({teams for teams, _ in played}) >= 4 and len({r for _, r in played}) >= 4
    for boards, name in TABLES.items():
        event = load(name).config.event
        assert (event.teams, event.rounds, boards) in SHAPES


def test_where_the_formula_is_better_it_is_chosen():
    """Which formats are named: those in which the interval over all ties is above zero."""
    frames = committed("transfer")
    growth = frames["growth"]
    growth["choice_low"] = -0.001
    assert "near these of the formats: none.\n" in told("transfer", frames)
    table = (growth["rule"] == TABLES[4]) & (growth["teams"] == 20)
    growth.loc[table & (growth["top"] == "all"), "choice_low"] = 0.001
    growth.loc[growth["top"] == "10", "choice_low"] = 0.001
    text = told("transfer", frames)
    assert "near these of the formats: 20 teams, 7 rounds, 4 boards.\n" in text


def test_the_package_has_the_facts_of_the_grid():
    rows = data.read_rows("transfer.csv")
    shapes = {tuple(int(row[key]) for key in ("teams", "rounds", "boards")) for row in rows}
    assert shapes == set(SHAPES)
    assert {row["top"] for row in rows} == {"10", "all"}
    for row in rows:
        grown = float(row["error"]) - float(row["native_error"])
        assert float(row["growth"]) == pytest.approx(grown, abs=2e-5)
        assert int(row["events"]) * int(row["teams"]) >= 80_000


@pytest.mark.slow
def test_one_format(monkeypatch):
    monkeypatch.setattr(measure, "TEAM_EVENTS", 160)
    found = judge((8, 3, 6), 8, 1)
    assert list(found.rule.unique()) == ["product", "formula", "learned-6boards"]
    assert set(found.trained) == {20} and set(found.events) == {160}
    formula = found[found.rule == "formula"]
    assert (formula[["over_formula", "over_formula_low", "over_formula_high"]] == 0).all(axis=None)
    table = found[found.rule == "learned-6boards"]
    assert table[["choice", "choice_low", "choice_high"]].notna().all(axis=None)
    assert (table.choice != table.over_formula).all()  # on other events
    assert found[found.rule != "learned-6boards"].choice.isna().all()
    other = judge((8, 3, 2), 8, 1)
    assert set(other.rule) == {"product", "formula"} and other.choice.isna().all()
