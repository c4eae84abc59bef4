"""The study of rules outside their formats: its grid, its report, the facts it packages."""

import csv
import io
from dataclasses import replace

import pytest

from tb2learn import data
from tb2learn.studies import transfer
from tb2learn.studies.formula import Growth
from tb2learn.studies.transfer import SHAPES, Judged, judge_shape, study_transfer
from tb2learn.tiebreaks.formula_constants import TABLES
from tb2learn.training.checkpoint import load
from tb2learn.types import MAX_ROUNDS, MAX_TEAMS

GROWN = Growth(10, 500, 0.31, 0.3, 0.01, (0.002, 0.018))
PARTS = (GROWN, replace(GROWN, top=1000, growth=-0.001, ci=(-0.004, 0.002)))


def rules(shape):
    names = ("product", "formula", *([TABLES[shape[2]]] if shape[2] in TABLES else []))
    return dict.fromkeys(names, PARTS)


def over(shape):
    """The formula is worse than the product rule for sure, and better than a table."""
    better = replace(GROWN, growth=-0.01, ci=(-0.018, -0.002))
    return dict.fromkeys(rules(shape), (GROWN, GROWN)) | {"product": (better, better)}


def test_the_grid_spans_teams_rounds_and_boards():
    assert len(set(SHAPES)) == len(SHAPES)
    assert {boards for _, _, boards in SHAPES} == {1, 4, 6, 8, 10, 12}
    assert min(SHAPES)[0] == 4 and max(SHAPES)[0] == MAX_TEAMS
    rounds = [rounds for _, rounds, _ in SHAPES]
    assert min(rounds) == 3 and max(rounds) == MAX_ROUNDS
    for boards in TABLES:
        played = [(teams, rounds) for teams, rounds, b in SHAPES if b == boards]
        assert len({teams for teams, _ in played}) >= 4 and len({r for _, r in played}) >= 4
    for boards, name in TABLES.items():
        event = load(name).config.event
        assert (event.teams, event.rounds, boards) in SHAPES


def test_report(tmp_path, monkeypatch):
    monkeypatch.setattr(
        transfer,
        "judge_shape",
        lambda shape, events, seed: Judged(shape, events, 400, rules(shape), over(shape)),
    )
    path = study_transfer(tmp_path / "report", 50, 3, [(20, 7, 4), (60, 9, 12)])
    text = path.read_text()
    assert text.splitlines()[2].startswith("![") and (path.parent / "transfer.png").exists()
    assert "50 events of 180 (column *events*), at most 1,000, seed 3" in text
    assert "near these of the formats: 20 teams, 7 rounds, 4 boards.\n" in text
    assert "| 20 | 7 | 4 | formula | 10 | 500 | 0.3100 | 0.3000 | 0.0100 | 0.0020 |" in text
    rows = list(csv.DictReader(io.StringIO((path.parent / "transfer.csv").read_text())))
    assert len(rows) == 10 and rows[3]["growth"] == "-0.001" and rows[3]["top"] == "all"
    assert rows[4]["rule"] == "learned-180x11" and rows[5]["over_formula_low"] == "0.002"


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
    monkeypatch.setattr(transfer, "_TEAM_EVENTS", 160)
    found = judge_shape((8, 3, 6), 8, 1)
    assert list(found.rules) == ["product", "formula", "learned-6boards"] and found.trained == 20
    assert found.events == 160 and found.over_formula["formula"][-1].ci == (0.0, 0.0)
    assert judge_shape((8, 3, 2), 8, 1).rules.keys() == {"product", "formula"}
