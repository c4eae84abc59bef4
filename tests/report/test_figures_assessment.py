"""Figures of error rates show every rate and interval."""

from dataclasses import replace

import numpy as np
import pytest
from report_samples import drawn, strange_assessment

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.tally import ErrorRate
from tb2learn.report import (
    figures_assessment,
    wording,
)


@pytest.mark.thorough
def test_the_best_rule_comes_first(trained):
    good = ErrorRate("good", 30, 9, 0.1, (0.0, 0.2), 0.6, (0.1, 0.7))
    bad, fair = replace(good, rule="bad", error_rate=0.3), replace(good, rule="a", error_rate=0.2)
    judged = Assessment("single", None, 5, 1, trained.config, (bad, good, fair), None)
    assert figures_assessment.best_first(judged) == ["good", "a", "bad"]
    panel = figures_assessment.errors_figure(judged.frame).axes[0]
    names = [label.get_text() for label in panel.get_yticklabels()]
    assert names == [wording.rule_name(rule) for rule in ("bad", "a", "good")]


def segments(panel):
    """The vertical lines of a panel: across, from, to."""
    return sorted(
        (x, low, high)
        for lines in panel.collections
        for (x, low), (_, high) in lines.get_segments()
    )


def marks(panel):
    """The markers of a panel: across, up, form."""
    return sorted(
        (float(x), float(y), line.get_marker())
        for line in panel.lines
        if line.get_marker() != "None"
        for x, y in zip(*line.get_data(), strict=True)
    )


@pytest.mark.thorough
def test_every_rate_and_interval_is_drawn(judged):
    figure = figures_assessment.assessment_figure(judged)
    drawn(figure)
    rates, reductions = figure.axes
    first, second = figures_assessment.results_by_rule(judged).values()
    # Two rules stand to the left and the right of their population, a single one in its middle.
    expected = [
        (place + aside, result, form)
        for aside, form, results in ((-0.11, "o", first), (0.11, "s", second))
        for place, result in enumerate(results.values())
    ]
    np.testing.assert_allclose(
        segments(rates), sorted((x, *result.ci) for x, result, _ in expected)
    )
    found = marks(rates)
    for mark, (x, result, form) in zip(found, sorted(expected, key=lambda e: e[0]), strict=True):
        assert mark == (pytest.approx(x), result.error_rate, form)
    np.testing.assert_allclose(
        segments(reductions),
        [
            (place, *np.clip(result.reduction_ci, -1, 1))
            for place, result in enumerate(second.values())
        ],
    )
    assert [mark for mark in marks(reductions) if mark[2] == "s"] == [
        (place, result.reduction, "s") for place, result in enumerate(second.values())
    ]
    names = [label.get_text() for label in rates.get_xticklabels()]
    assert names == [
        f"{wording.population_name(top)}\n{result.pairs:,} pairs" for top, result in first.items()
    ]


def test_what_is_no_number_is_not_drawn_and_what_is_too_far_is_cut(trained):
    """Of each rule nothing for no pairs; a reduction of -inf; an interval that begins at -7."""
    figure = figures_assessment.assessment_figure(strange_assessment(trained.config))
    drawn(figure)
    rates, reductions = figure.axes
    assert len(marks(rates)) == len(segments(rates)) == 3 * 3
    # Of two rules: -0.5 and 0.1 with their intervals, the first with an arrow at its cut end.
    assert sorted(y for _, y, _ in marks(reductions)) == [-1.0, -1.0, -0.5, -0.5, 0.1, 0.1]
    assert [form for _, y, form in marks(reductions) if y == -1.0] == ["v", "v"]
    assert sorted((low, high) for _, low, high in segments(reductions)) == [
        (-1.0, 0.1), (-1.0, 0.1), (0.05, 0.15), (0.05, 0.15),
    ]  # fmt: skip


@pytest.mark.thorough
def test_the_leaderboard_has_a_row_a_rule(judged):
    figure = figures_assessment.errors_figure(judged.frame)
    drawn(figure)
    by_rule = figures_assessment.results_by_rule(judged)
    order = figures_assessment.best_first(judged)[::-1]
    for panel, top in zip(figure.axes, by_rule[order[0]], strict=True):
        for row, rule in enumerate(order):
            result = by_rule[rule][top]
            assert panel.lines[row].get_data() == ([result.error_rate], [row])
            ((ends,),) = (panel.collections[row].get_segments(),)
            np.testing.assert_allclose(ends, [(result.ci[0], row), (result.ci[1], row)])
