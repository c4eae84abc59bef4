"""The study of rules outside their formats: its grid, what its report says, the packaged facts."""

import pandas as pd
import pytest

from tb2learn import data
from tb2learn.studies.registry import STUDIES
from tb2learn.studies.reports import write
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


def test_where_the_formula_is_better_it_is_chosen(tmp_path):
    """Made-up rows: the formula is better than one shipped table for sure, and than no other."""
    grown = (500, 0.31, 0.3, 0.01, 0.002, 0.018)
    rows = pd.DataFrame(
        [
            (20, 7, 4, rule, top, *grown, *[over] * 3, *[choice] * 3, 50, trained)
            for rule, over, choice, trained in (
                ("product", 0.1, None, 400),
                ("formula", 0, None, 400),
                ("learned-180x11", -0.002, None, None),
                ("rosters-180x11", -0.002, 0.002, None),
            )
            for top in (10, "all")
        ],
        columns=list(data.read_rows("transfer.csv")[0]),
    ).astype({"trained": "Int64"} | dict.fromkeys(("choice", "choice_low", "choice_high"), float))
    other = rows.assign(boards=6, rule=rows.rule.replace("rosters-180x11", "learned-6boards"))
    other.loc[other.rule == "learned-6boards", "choice_low"] = -0.001
    frames = {
        "growth": pd.concat([rows, other]),
        "run": pd.DataFrame([{"events": 50, "seed": 3}]),
    }
    text = write(STUDIES["transfer"], tmp_path, frames).read_text()
    assert "50 events of 180 (column *events*), at most 1,000, seed 3" in text
    assert "near these of the formats: 20 teams, 7 rounds, 4 boards.\n" in text
    assert "| 20 | 7 | 4 | formula | 10 | 500 | 0.3100 | 0.3000 | 0.0100 | 0.0020 |" in text
    assert "| 20 | 7 | 4 | learned-180x11 | all | 500 | 0.3100 |" in text
    assert "| -0.0020 | -0.0020 | -0.0020 | - | - | - | 50 |  |\n" in text


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
