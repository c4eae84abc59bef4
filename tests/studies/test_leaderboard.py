"""The studies as commands: what they write, and what they refuse."""

import csv
import io
import json
from pathlib import Path

import pytest
from helpers import ROOT, tracked

from tb2learn import cli
from tb2learn.assessment.assess import assess
from tb2learn.assessment.incentive import Incentive
from tb2learn.config import load_config
from tb2learn.export.assessment import assessment_json, assessment_of
from tb2learn.report.markdown import exact_interval
from tb2learn.studies.leaderboard import RULES
from tb2learn.studies.leaderboard_report import LEARNED, Leaderboard, _incentive_text, render
from tb2learn.studies.result_tables import results_csv, results_table
from tb2learn.studies.robustness import render_robustness
from tb2learn.tiebreaks.rules import classic, product_table


def test_ratings_of_a_packaged_event(capsys):
    assert cli.main(["ratings", "baku2016", "--rules", "game-points", "product"]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split(" | ")[0].strip("| ") for line in lines[2:]]
    assert names == ["product rule"] * 2 + ["game-points"] * 2


def test_ratings_need_ratings(capsys, tmp_path):
    header = "round,match,team_a,team_b,game_points_a,game_points_b\n"
    (tmp_path / "matches.csv").write_text(header + "1,1,A,B,2,2\n")
    assert cli.main(["ratings", str(tmp_path), "--rules", "product"]) == 2
    out, errors = capsys.readouterr()
    assert out == "" and len(errors.splitlines()) == 1 and "has no ratings" in errors


@pytest.mark.thorough
def test_probes_of_a_rescaled_rule_say_so(capsys):
    command = ["probe", "learned-38x9", "--on", "small-20x7", "--probes", "30"]
    assert cli.main(command) == 0
    out, errors = capsys.readouterr()
    assert "is rescaled here to 7" in errors
    row = out.splitlines()[2].split(" | ")
    assert 0 < int(row[1]) <= 40 and row[3] == "0"


REPORTS = ROOT / "reports"


@pytest.fixture(scope="module")
def assessment():
    rules = [product_table(7, 4), classic("wins", 7, 4)]
    return assess(load_config("small-20x7"), rules, 6, 1)


@pytest.mark.thorough
def test_an_assessment_is_read_as_it_was_written(assessment):
    written = assessment_json(assessment)
    found = assessment_of(json.loads(written))
    assert assessment_json(found) == written
    assert found.config == assessment.config and found.results == assessment.results


def test_a_table_is_sorted_and_has_an_interval_in_its_own_columns(assessment):
    lines = results_table(assessment, 10)
    names = [line.split(" | ")[0].strip("| ") for line in lines[2:4]]
    rates = {r.rule: r for r in assessment.results if r.top == 10}
    assert rates["product"].error_rate < rates["wins"].error_rate
    assert names == ["product rule", "wins"]
    wins = rates["wins"]
    shown = [f"{x:.4f}" for x in (wins.error_rate, *wins.ci)]
    shown += [f"{x:+.1%}" for x in (wins.reduction, *wins.reduction_ci)]
    assert lines[3] == f"| wins | {' | '.join(shown)} |"
    assert lines[2].endswith(" |  |  |  |")  # nothing is saved against itself
    assert lines[-1] == f"{wins.pairs:,} tied pairs."


def test_rules_without_a_violation_are_named_and_the_others_have_a_row():
    unhurt = Incentive("wins", probes=120, within=100, violations=0, places=3, worst=0.0)
    hurt = Incentive("egmsb-cut1", probes=120, within=100, violations=40, places=7, worst=55.0)
    text = "\n".join(_incentive_text(Leaderboard({}, (), (unhurt, hurt))))
    assert "No violation was found under wins: " in text
    low, high = (f"{end:.2%}" for end in exact_interval(40, 100))
    assert f"| egmsb-cut1 | 40 | 40.00% | {low} | {high} | 55 | 7 |" in text
    assert "| wins |" not in text
    assert "|" not in "".join(_incentive_text(Leaderboard({}, (), (unhurt,))))


def test_the_csv_has_every_result(assessment):
    rows = list(csv.DictReader(io.StringIO(results_csv([("small", assessment)], "world"))))
    assert len(rows) == len(assessment.results) and {row["world"] for row in rows} == {"small"}
    for row, result in zip(rows, assessment.results, strict=True):
        assert row["rule"] == result.rule and int(row["pairs"]) == result.pairs
        assert float(row["error_rate"]) == pytest.approx(result.error_rate, abs=1e-6)
        assert float(row["high"]) == pytest.approx(result.ci[1], abs=1e-6)


@pytest.mark.thorough
def test_the_committed_reports_are_those_of_their_json(tmp_path, monkeypatch):
    monkeypatch.setattr("tb2learn.studies.report_folder.figure_png", lambda figure: b"")
    for path in tracked("reports/assessment/*.json", "reports/robustness.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert render(tmp_path) == tmp_path / "README.md"
    assert render_robustness(tmp_path / "robustness.md") == tmp_path / "robustness.md"
    for name in ("assessment/README.md", "assessment/results.csv", "robustness.md",
                 "robustness.csv"):  # fmt: skip
        assert (tmp_path / Path(name).name).read_text() == (REPORTS / name).read_text()


@pytest.mark.slow
def test_leaderboard_and_robustness_write_their_reports(tmp_path, monkeypatch):
    monkeypatch.setattr("tb2learn.studies.leaderboard.PROBED", 40)
    monkeypatch.setattr("tb2learn.studies.robustness.TRAINED_ON", ("olympiad-180x11",))
    monkeypatch.setattr("tb2learn.studies.robustness.OTHER_FORMATS", ("etcc-38x9",))
    monkeypatch.setattr("tb2learn.studies.robustness._DESCENT_STEPS", 1)
    folder = tmp_path / "assessment"
    assert cli.main(["leaderboard", "--events", "4", "--out", str(folder)]) == 0
    text = (folder / "README.md").read_text()
    for name in ("single-seed-noise-inf", "single-seed-noise-0", "thesis-own-lists"):
        assert f"({name}.png)" in text and (folder / f"{name}.png").stat().st_size > 10_000
    found = json.loads((folder / "single-seed-noise-50.json").read_text())
    assert {r["rule"] for r in found["results"]} >= {"product", *RULES, "true-opponents"}
    assert found["config"]["field"]["seed_noise"] == 50

    path = tmp_path / "robustness.md"
    command = ["robustness", "--trained", "8", "--events", "4", "--out", str(path)]
    assert cli.main(command) == 0
    worlds = json.loads(path.with_suffix(".json").read_text())
    assert [w["world"] for w in worlds] == [
        "olympiad-180x11", "etcc-38x9",
        "olympiad-180x11, seed noise 50", "olympiad-180x11, seed noise 0",
        "seeded-180x11, seed noise 50", "fitted-180x11, seed noise 50",
    ]  # fmt: skip
    # A printed cell is the one of the JSON, and the verdict is that of its intervals.
    (cell,) = (r for r in worlds[1]["results"] if r["rule"] == LEARNED and r["top"] == 30)
    low, high = (f"{end:+.1%}" for end in cell["reduction_ci"])
    assert f"{cell['error_rate']:.4f} | {cell['reduction']:+.1%} | {low} | {high} |" in (
        path.read_text()
    )
    shown = [
        r["reduction_ci"][0] > 0
        for world in worlds
        for r in world["results"]
        if r["rule"] == LEARNED and r["top"] in (10, 30)
    ]
    assert path.read_text().split("\n\n")[2].startswith("In every world") == all(shown)
