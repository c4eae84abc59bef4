"""The leaderboard and robustness: assessments as frames, short tables, a small run of both."""

import dataclasses
import json
import math

import pandas as pd
import pytest
from helpers import ROOT
from report_samples import drawn
from study_samples import committed, told
from tb2learn.report.stored import Json

from tb2learn import cli
from tb2learn.assessment.tally import SeedBias, Share
from tb2learn.report.assessment import assessment_json, assessment_of, assessment_text
from tb2learn.report.figures_assessment import bias_figure
from tb2learn.studies import assessments
from tb2learn.studies.assessments import biased, unbeaten
from tb2learn.studies.leaderboard.measure import RULES
from tb2learn.studies.worlds import LEARNED


@pytest.fixture(scope="module")
def assessment():
    """Three rules of a committed assessment, and three populations."""
    found = json.loads((ROOT / "reports/assessment/single-seed-noise-50.json").read_text())
    kept = {"product", "wins", "higher-seed"}, {10, 30, "all"}
    rows = [one for one in found["results"] if {one["rule"]} <= kept[0] and {one["top"]} <= kept[1]]
    return assessment_of(found | {"results": rows})


def with_bias(assessment, bias):
    results = tuple(dataclasses.replace(r, seed_bias=bias) for r in assessment.results)
    return dataclasses.replace(assessment, results=results)


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


def test_probes_of_a_rescaled_rule_say_so(capsys):
    command = ["probe", "olympiad-180x11", "--on", "small-20x7", "--probes", "30"]
    assert cli.main(command) == 0
    out, errors = capsys.readouterr()
    assert "is rescaled here to 7" in errors
    row = out.splitlines()[2].split(" | ")
    assert 0 < int(row[1]) <= 40 and row[3] == "0"


def test_frames_hold_what_is_written_of_assessments(assessment):
    """With seed bias or without, alone or several, in JSON and in the tables."""
    random = with_bias(assessment, None)
    assert "seed_bias" not in assessment_json(random)
    assert "near-equal" not in assessment_text(random)
    frames = assessments.frames_of({"near": assessment, "random": random}, "world")
    for name, one in (("near", assessment), ("random", random)):
        found = Json("", assessments.CONTENT, only={"world": name}).nested(frames)
        written = assessment_json(one)
        assert assessment_json(assessment_of(found)) == written
        assert assessment_json(assessment_of(json.loads(written))) == written
    rates, biases = (
        file("a.csv", "world").frames(file("a.csv", "world").text(frames))["results"]
        for file in (assessments.results_csv, assessments.bias_csv)
    )
    assert len(rates) == 2 * len(biases) == 2 * len(assessment.results)
    assert set(biases["world"]) == {"near"}
    (row,) = biases[(biases["rule"] == "higher-seed") & (biases["top"] == "all")].itertuples()
    assert (row.higher_better, row.lower_better, row.near_equal) == (0.0, 1.0, 1.0)
    assert row.near_equal_pairs > 0
    for row, result in zip(rates.itertuples(), assessment.results, strict=False):
        assert (row.rule, row.pairs) == (result.rule, result.pairs)
        assert (row.error_rate, row.high) == pytest.approx((result.error_rate, result.ci[1]), 1e-5)


def test_the_fairest_are_beaten_by_none_on_both():
    rules = {"product": (0.26, 0.51), "fair": (0.25, 0.50), "sharp": (0.22, 0.53),
             "worse": (0.23, 0.46), "higher-seed": (0.20, 1.0)}  # fmt: skip
    rows = [(rule, 30, *values, 100) for rule, values in rules.items()]
    columns = ["rule", "top", "error_rate", "near_equal", "near_equal_pairs"]
    assert unbeaten(biased(pd.DataFrame(rows, columns=columns), 30)) == ["sharp", "fair"]


def test_where_the_shipped_table_is_no_better_is_said():
    """Of the committed worlds one with a reduction that includes zero."""
    frames = committed("robustness")
    results = frames["results"]
    some = (results["world"] == "baku2016-field") & (results["rule"] == LEARNED)
    results.loc[some & (results["top"] == 10), "reduction_low"] = -0.01
    said = told("robustness", frames)
    assert "not shown to be better than the product rule in: baku2016-field (top 10)." in said


def test_the_picture_leaves_out_the_order_by_seed(assessment):
    figure = bias_figure(assessment.frame, 10)
    drawn(figure)
    panel = figure.axes[0]
    points = [line for line in panel.lines if line.get_label() in ("product rule", "wins")]
    bias = {r.rule: r for r in assessment.results if r.top == 10}
    assert [tuple(p.get_xydata()[0]) for p in points] == [
        (bias[rule].seed_bias.near.value, bias[rule].error_rate) for rule in ("product", "wins")
    ]
    assert "higher seed first" in panel.texts[0].get_text()
    names = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert names == ["product rule", "wins"]


def test_no_pairs_are_drawn_without_warning(assessment):
    nan = Share(0, math.nan, (math.nan, math.nan))
    none = SeedBias(nan, nan, math.nan, (math.nan, math.nan), nan, nan)
    drawn(bias_figure(with_bias(assessment, none).frame, 10))


@pytest.mark.slow
def test_leaderboard_and_robustness_write_their_reports(tmp_path, monkeypatch):
    monkeypatch.setattr("tb2learn.studies.leaderboard.measure.PROBED", 40)
    for name, value in (("TRAINED_ON", ("olympiad-180x11",)), ("OTHER_FORMATS", ("etcc-38x9",)),
                        ("DESCENT_STEPS", 1)):  # fmt: skip
        monkeypatch.setattr(f"tb2learn.studies.robustness.measure.{name}", value)
    monkeypatch.setattr("tb2learn.studies.robustness.measure.FIGURES", {})
    folder = tmp_path / "assessment"
    assert cli.main(["leaderboard", "--events", "4", "--out", str(folder)]) == 0
    for name in ("single-seed-noise-inf", "single-seed-noise-0", "thesis-own-lists"):
        assert (folder / f"{name}.png").stat().st_size > 10_000
    found = json.loads((folder / "single-seed-noise-50.json").read_text())
    assert {r["rule"] for r in found["results"]} >= {"product", *RULES, "true-opponents"}
    assert found["config"]["field"]["seed_noise"] == 50

    path = tmp_path / "robustness.md"
    assert cli.main(["robustness", "--trained", "8", "--events", "4", "--out", str(path)]) == 0
    worlds = json.loads(path.with_suffix(".json").read_text())
    assert [w["world"] for w in worlds] == [
        "olympiad-180x11", "etcc-38x9",
        "olympiad-180x11, seed noise 50", "olympiad-180x11, seed noise 0",
        "seeded-180x11, seed noise 50", "fitted-180x11, seed noise 50",
    ]  # fmt: skip
