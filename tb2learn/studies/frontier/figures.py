"""Error against seed bias: families of rules joined by lines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.assessment.references import HigherSeed
from tb2learn.report.figures_assessment import dress_bias
from tb2learn.report.frames import Frames, where
from tb2learn.report.style import COLOURS, INK, MARKERS, SAME, blank_figure, short_name
from tb2learn.studies.frontier.names import BLEND, CURVE, RIDGE, SEEDED, TOP
from tb2learn.studies.seed_bias import biased

MOST = 0.25
"""Single rules that err more are left out."""


def frontier_figure(frames: Frames) -> Figure:
    """Error against near-equal preference, with 95 % intervals: lines of rules, and single rules.

    The order by seed alone is out of the picture, and so are rules that err often.
    """
    rows = where(frames["results"], world=SEEDED, top=TOP).set_index("rule")
    families = lines_of(biased(frames["results"], TOP, SEEDED)["rule"].tolist())
    joined = {HigherSeed.name}.union(*families.values())
    single = [rule for rule in rows.index[rows["error_rate"] <= MOST] if rule not in joined]
    figure = blank_figure(10.5, 6.0)
    panel = figure.subplots()
    panel.axvline(0.5, color=INK, linewidth=1.0)
    lines = [*families.items(), *((rule, [rule]) for rule in single)]
    for number, (name, rules) in enumerate(lines):
        colour = SAME if number == 0 else COLOURS[number % len(COLOURS)]
        marker = "." if number == 0 else MARKERS[number // len(COLOURS) % len(MARKERS)]
        drawn = rows.loc[list(rules)]
        panel.plot(
            drawn["near_equal"], drawn["error_rate"], color=colour, marker=marker,
            linestyle="-" if len(drawn) > 1 else "", linewidth=1, markersize=6,
            label=short_name(name, 60),
        )  # fmt: skip
        ends = drawn[["near_equal_low", "near_equal_high", "low", "high"]]
        for _, one in drawn[np.isfinite(ends.to_numpy(float)).all(axis=1)].iterrows():
            style = {"color": colour, "linewidth": 1, "alpha": 0.3}
            panel.hlines(one["error_rate"], one["near_equal_low"], one["near_equal_high"], **style)
            panel.vlines(one["near_equal"], one["low"], one["high"], **style)
    dress_bias(figure, panel, TOP)
    panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=1))
    return figure


def lines_of(rules: Sequence[str]) -> dict[str, list[str]]:
    """The rules that a line joins, by what they are.

    **Arguments:** `rules`: those that were judged.
    """

    def of(start: str) -> list[str]:
        kept = [rule for rule in rules if rule.startswith(start)]
        return sorted(kept, key=lambda rule: float(rule.rpartition("-")[2]))

    lines = {"weighted sums (the known curve)": [rule for rule in CURVE if rule in rules]}
    lines["last pass: seeded world, penalties"] = of("seeded-fair")
    for start in dict.fromkeys(r.rpartition("-fair")[0] for r in rules if r.startswith("mixed")):
        weight = start.partition("-")[2]
        name = f"last pass: random + {weight} x seeded world, penalties"
        lines[name] = of(f"{start}-fair")
    lines["last pass: the same with day shock, drawn seed noise, penalties"] = of("real-")
    lines["last pass repeated"] = of("limit-")
    lines["blends of thirteen rules, penalties"] = of(f"{BLEND}-fair")
    lines["least squares shrunk to a learned prior"] = of(f"{RIDGE}-")
    return {name: line for name, line in lines.items() if line}


FIGURES = {"frontier.png": frontier_figure}
