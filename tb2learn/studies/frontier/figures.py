"""The figure of the frontier: error against seed bias, families of rules joined by lines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.references import HigherSeed
from tb2learn.report.figures_assessment import dress_bias
from tb2learn.report.style import COLOURS, INK, MARKERS, SAME, blank_figure, short_name


def frontier_figure(
    assessment: Assessment, top: int, families: Mapping[str, Sequence[str]], most: float
) -> Figure:
    """Error against near-equal preference, with 95 % intervals: lines of rules, and single rules.

    The order by seed alone is out of the picture, and so are rules that err often.

    **Arguments:**

    - `assessment`: in a world whose seeds are not random.
    - `top`: the population.
    - `families`: names of the rules that a line joins, in order, by the name of the line.
    - `most`: single rules with a higher error rate are left out.
    """
    rows = {r.rule: (r, r.seed_bias) for r in assessment.results if r.top == top and r.seed_bias}
    figure = blank_figure(10.5, 6.0)
    panel = figure.subplots()
    panel.axvline(0.5, color=INK, linewidth=1.0)
    joined = {rule for line in families.values() for rule in line}
    single = [
        rule
        for rule, (row, _) in rows.items()
        if rule not in joined and rule != HigherSeed.name and row.error_rate <= most
    ]
    lines = [*families.items(), *((rule, [rule]) for rule in single)]
    for number, (name, rules) in enumerate(lines):
        colour = SAME if number == 0 else COLOURS[number % len(COLOURS)]
        marker = "." if number == 0 else MARKERS[number // len(COLOURS) % len(MARKERS)]
        points = [rows[rule] for rule in rules]
        x = [bias.near.value for _, bias in points]
        y = [row.error_rate for row, _ in points]
        style = "-" if len(points) > 1 else ""
        panel.plot(
            x, y, color=colour, marker=marker, linestyle=style, linewidth=1, markersize=6,
            label=short_name(name, 60),
        )  # fmt: skip
        for row, bias in points:
            if all(map(math.isfinite, (*bias.near.ci, *row.ci))):
                panel.hlines(row.error_rate, *bias.near.ci, color=colour, linewidth=1, alpha=0.3)
                panel.vlines(bias.near.value, *row.ci, color=colour, linewidth=1, alpha=0.3)
    dress_bias(figure, panel, top)
    panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=1))
    return figure
