"""The study of rules outside their formats: its grid, its report, the facts it packages."""

import csv
import io
from dataclasses import replace

import pytest

from tb2learn import data
from tb2learn.studies import transfer
from tb2learn.studies.formula import Growth
from tb2learn.studies.transfer import SHAPES, Judged, judge_shape, study_transfer
from tb2learn.tiebreaks.formats import TABLES
from tb2learn.training.checkpoint import load

GROWN = Growth(10, 500, 0.31, 0.3, 0.01, (0.002, 0.018))
PARTS = (GROWN, replace(GROWN, top=1000, growth=-0.001, ci=(-0.004, 0.002)))


def test_the_grid_spans_teams_rounds_and_boards():
    assert {boards for _, _, boards in SHAPES} >= {4, 6, 8}
    assert min(SHAPES)[0] == 20 and max(SHAPES)[0] == 180
    for boards, name in TABLES.items():
        event = load(name).config.event
        assert (event.teams, event.rounds, boards) in SHAPES


def test_report(tmp_path, monkeypatch):
    monkeypatch.setattr(
        transfer, "judge_shape", lambda shape, events, seed: Judged(shape, 400, {"formula": PARTS})
    )
    path = study_transfer(tmp_path / "report", 50, 3, [(20, 7, 4), (60, 9, 12)])
    text = path.read_text()
    assert "50 fresh events a format, seed 3" in text
    assert "| 20 | 7 | 4 | formula | 10 | 500 | 0.3100 | 0.3000 | 0.0100 | 0.0020 |" in text
    rows = list(csv.DictReader(io.StringIO((path.parent / "transfer.csv").read_text())))
    assert len(rows) == 4 and rows[1]["growth"] == "-0.001" and rows[1]["top"] == "all"


def test_the_package_has_the_facts_of_the_grid():
    rows = data.read_rows("transfer.csv")
    shapes = {tuple(int(row[key]) for key in ("teams", "rounds", "boards")) for row in rows}
    assert shapes == set(SHAPES)
    assert {row["top"] for row in rows} == {"10", "all"}
    for row in rows:
        grown = float(row["error"]) - float(row["native_error"])
        assert float(row["growth"]) == pytest.approx(grown, abs=2e-5)


@pytest.mark.slow
def test_one_format(monkeypatch):
    monkeypatch.setattr(transfer, "_TEAM_EVENTS", 160)
    found = judge_shape((8, 3, 6), 8, 1)
    assert list(found.rules) == ["product", "formula", "learned-6boards"] and found.trained == 20
    assert judge_shape((8, 3, 2), 8, 1).rules.keys() == {"product", "formula"}
