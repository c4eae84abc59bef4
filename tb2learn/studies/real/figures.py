"""The figure of the study of real events: differences to the first rule, with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress, short_name
from tb2learn.report.wording import rule_name
from tb2learn.studies.real.study import RealStudy, Row
from tb2learn.studies.real.verdicts import HIGHER_RATED

SHOWN = {
    "ratings": ("all", "top 30", "top 10"),
    "prediction": ("later, from round 5", "next, from round 5", "later, top 30, from round 5"),
}
"""Populations that the figure and the tables show, by test; the CSV file has all."""

TITLES = {
    "ratings": "Ratings: the higher rated of two tied teams first",
    "prediction": "Prediction: the winner of a later match first",
}


def differences_figure(found: RealStudy) -> Figure:
    """By how much more often each rule is right than the first: a panel a test."""
    tests = [test for test in SHOWN if any(row.test == test for row in found.rows)]
    rules = [rule for rule in found.rules[1:]][::-1]
    figure = blank_figure(5.6 * len(tests) + 1.6, 0.42 * len(rules) + 2.0)
    panels = figure.subplots(1, len(tests), sharey=True, squeeze=False)[0]
    for panel, test in zip(panels, tests, strict=True):
        for number, population in enumerate(SHOWN[test]):
            rows = {row.rule: row for row in found.at(test, population)}
            style = {"color": COLOURS[number], "marker": MARKERS[number]}
            for place, rule in enumerate(rules):
                _mark(panel, rows[rule], place + 0.22 * (1 - number), style)
            label = f"{population} ({next(iter(rows.values())).pairs:,} pairs)"
            panel.plot([], [], linestyle="", label=label, **style)
        panel.axvline(0.0, color=INK, linewidth=1.0)
        dress(panel, TITLES[test], f"right more often than the {rule_name(found.rules[0])}", "")
        panel.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), frameon=False, fontsize=9)
    panels[0].set_yticks(range(len(rules)), [short_name(rule_name(rule), 40) for rule in rules])
    for text in panels[0].get_yticklabels():
        text.set_parse_math(False)
    return figure


def _mark(panel, row: Row, place: float, style: dict[str, str]) -> None:
    """One difference and its interval; NaN is not drawn."""
    if math.isfinite(row.more):
        panel.plot(row.more, place, linestyle="", markersize=6, **style)
    if all(map(math.isfinite, row.more_ci)):
        panel.hlines(place, *row.more_ci, color=style["color"], linewidth=2)


def best_first(rows: Sequence[Row]) -> list[Row]:
    """Rows sorted by how often the rule is right; the order by rating, which is no rule, last."""
    return sorted(rows, key=lambda row: (row.rule == HIGHER_RATED, -row.right))
