"""Error and seed bias in reports: tables, CSV, the fairest rules, the picture."""

import csv
import dataclasses
import io
import json
import math

import pytest
from report_samples import drawn

from tb2learn.assessment.assess import assess
from tb2learn.assessment.references import HigherSeed
from tb2learn.assessment.tally import ErrorRate, SeedBias, Share
from tb2learn.config import load_config
from tb2learn.export.assessment import assessment_json, assessment_of, assessment_text
from tb2learn.report.figures_assessment import bias_figure
from tb2learn.studies.leaderboard import seeded
from tb2learn.studies.seed_bias import bias_csv, bias_section, fairest, has_bias
from tb2learn.tiebreaks.rules import classic, product_table


@pytest.fixture(scope="module")
def assessment():
    judged = [product_table(7, 4), classic("wins", 7, 4), HigherSeed()]
    return assess(seeded(load_config("small-20x7"), 50.0), judged, 8, 1)


@pytest.mark.thorough
def test_it_is_read_as_it_was_written(assessment):
    written = assessment_json(assessment)
    found = assessment_of(json.loads(written))
    assert assessment_json(found) == written and has_bias(found)
    (row,) = (r for r in json.loads(written)["results"] if (r["rule"], r["top"]) == ("wins", "all"))
    assert list(row["seed_bias"]) == [
        *("higher_better", "lower_better", "near_equal"),
        *("difference", "difference_ci"),
    ]
    parts = row["seed_bias"]
    errors = sum(parts[kind]["share"] * parts[kind]["pairs"] for kind in list(parts)[:2])
    assert errors == pytest.approx(row["error_rate"] * row["pairs"], abs=0.51)


@pytest.mark.thorough
def test_text_and_tables_have_every_rule(assessment):
    bias = {r.rule: r.seed_bias for r in assessment.results if r.top == 10}
    text = assessment_text(assessment)
    assert "near-equal" in text and f"{bias['wins'].near.value:.4f} [" in text
    lines = bias_section(assessment, 10, "x.png")
    assert lines[0] == "![Error against seed bias, top 10](x.png)"
    (row,) = (line for line in lines if line.startswith("| wins"))
    assert f"| {bias['wins'].higher.value:.3f} | {bias['wins'].lower.value:.3f} |" in row
    rows = list(csv.DictReader(io.StringIO(bias_csv([("w", assessment)], "world"))))
    assert len(rows) == len(assessment.results)
    (row,) = (r for r in rows if (r["rule"], r["top"]) == ("higher-seed", "all"))
    assert (float(row["higher_better"]), float(row["lower_better"])) == (0.0, 1.0)
    assert float(row["near_equal"]) == 1.0 and int(row["near_equal_pairs"]) > 0


def test_random_seeds_have_no_section(assessment):
    without = tuple(dataclasses.replace(r, seed_bias=None) for r in assessment.results)
    random = dataclasses.replace(assessment, results=without)
    assert not has_bias(random) and "near-equal" not in assessment_text(random)
    assert "seed_bias" not in assessment_json(random)
    assert len(bias_csv([("w", random)], "world").splitlines()) == 1


def judged(rule, error, near):
    """A rule with an error rate and a near-equal preference."""
    share = Share(100, near, (near - 0.01, near + 0.01))
    bias = SeedBias(share, share, 0.1, (0.0, 0.2), share)
    return ErrorRate(rule, 30, 1000, error, (error, error), 0.0, (0.0, 0.0), bias)


def test_the_fairest_are_beaten_by_none_on_both(assessment):
    rows = (
        judged("product", 0.26, 0.51),
        judged("fair", 0.25, 0.50),
        judged("sharp", 0.22, 0.53),
        judged("worse", 0.23, 0.46),
        judged("higher-seed", 0.20, 1.0),
    )
    assert fairest(dataclasses.replace(assessment, results=rows), 30) == ["sharp", "fair"]


def test_the_picture_leaves_out_the_order_by_seed(assessment):
    figure = bias_figure(assessment, 10)
    drawn(figure)
    panel = figure.axes[0]
    points = [line for line in panel.lines if line.get_label() in ("product rule", "wins")]
    bias = {r.rule: r for r in assessment.results if r.top == 10}
    assert [tuple(p.get_xydata()[0]) for p in points] == [
        (bias[rule].seed_bias.near.value, bias[rule].error_rate) for rule in ("product", "wins")
    ]
    assert "higher seed first" in panel.texts[0].get_text()
    assert legend_of(figure) == ["product rule", "wins"]


def legend_of(figure):
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def test_no_pairs_are_drawn_without_warning(assessment):
    nan = Share(0, math.nan, (math.nan, math.nan))
    none = SeedBias(nan, nan, math.nan, (math.nan, math.nan), nan)
    rows = tuple(dataclasses.replace(r, seed_bias=none) for r in assessment.results)
    drawn(bias_figure(dataclasses.replace(assessment, results=rows), 1))
