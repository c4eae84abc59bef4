"""Figures of reports: series in colour, all others in grey, the line of the ideal."""

import numpy as np
import pandas as pd
import pytest

from studies import others, rankings
from studies.figures import IDEAL, bias_figure, ideal_rates
from tb2learn.report.style import SAME, figure_png
from tb2learn.tiebreaks.library import PRODUCT

RATES = pd.DataFrame(
    [
        ("product", 0.51, 0.27),
        ("sum-1", 0.55, 0.22),
        ("sum-0", 0.50, 0.24),
        ("koya", 0.53, 0.26),
        ("wins", 0.48, 0.55),
        ("higher-seed", 1.0, 0.241),
        ("direct", 0.5, np.nan),
    ],
    columns=["rule", "near_equal", "error"],
).assign(top="30")
ENDS = {f"{name}_{end}": RATES[name] for name in ("near_equal", "error") for end in ("low", "high")}
RATES = RATES.assign(**ENDS)
IDEAL_ROW = RATES.head(1).assign(rule="posterior-mean", near_equal=0.52, error=0.23)


def test_series_have_colours_and_a_legend_and_all_others_are_grey():
    series = {"sums": ("sum-0", "sum-1"), "product rule": ("product",)}
    figure = bias_figure(RATES, "30", series, IDEAL_ROW)
    figure_png(figure)
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    assert lines["sums"].get_xdata().tolist() == [0.50, 0.55]
    assert lines["sums"].get_linestyle() == "-"
    assert lines["product rule"].get_linestyle() == "None"
    assert lines["other rules of the table"].get_color() == SAME
    # Without `wins`, which is outside, and `direct`, which has no error rate.
    assert lines["other rules of the table"].get_ydata().tolist() == [0.26]
    (legend,) = figure.legends
    names = ["other rules of the table", "sums", "product rule", IDEAL]
    assert [text.get_text() for text in legend.get_texts()] == names
    title = figure.axes[0].get_title(loc="left")
    assert title.endswith("(outside the picture: 1)")


def test_the_line_of_the_ideal_is_at_its_preference():
    panel = bias_figure(RATES, "30", {"product rule": ("product",)}, IDEAL_ROW).axes[0]
    at = [line.get_xdata() for line in panel.lines if line.get_linestyle() == "--"]
    assert at == [[0.52, 0.52]]
    # A few events may have no tied pair of nearly equal teams.
    panel = bias_figure(RATES, "30", {"no rule": ()}, IDEAL_ROW.head(0)).axes[0]
    assert not [line for line in panel.lines if line.get_linestyle() == "--"]


def test_the_ideal_of_the_committed_report():
    (row,) = ideal_rates("30").itertuples()
    # As docs/method.md has it.
    assert row.near_equal == pytest.approx(0.517, abs=0.0005)


def test_rules_that_order_few_ties_have_no_mark():
    both = RATES.assign(hanging=0.1, hanging_low=0.1, hanging_high=0.1, decided=1.0).dropna()
    both.loc[both["rule"] == "wins", "decided"] = 0.1
    figure = others.picture(both, IDEAL_ROW)
    figure_png(figure)
    names = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert names == ["product", "koya", "higher-seed", "sum-0", "sum-1"]
    colours = {line.get_color() for line in figure.axes[0].lines[:5]}
    assert colours == {SAME, others.HIGHLIGHTED[PRODUCT]}


def test_a_map_explains_every_mark():
    names = [*rankings.STYLES]
    pairs = [(a, b) for number, a in enumerate(names) for b in names[number + 1 :]]
    distances = pd.DataFrame(pairs, columns=["ranking", "other"])
    distances["kemeny"] = [2 + abs(names.index(a) - names.index(b)) for a, b in pairs]
    figure = rankings.maps_figure(distances.assign(weighted=distances["kemeny"] / 2))
    figure_png(figure)
    assert [len(panel.lines) for panel in figure.axes] == [len(names)] * 2
    texts = [text.get_text().split(":")[0] for text in figure.legends[0].get_texts()]
    assert {*texts} == {part for name in names for part in name.split("_")}
