"""Figures of several reports."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.assessment.references import HigherSeed
from tb2learn.report.style import (
    ARROW,
    COLOURS,
    INK,
    MARKERS,
    SAME,
    blank_figure,
    dress,
    in_percent,
    plain_legend,
    short_name,
)
from tb2learn.report.wording import population_name, rule_name
from tb2learn.tiebreaks.library import REFERENCES


def bias_figure(frame: pd.DataFrame, top: str) -> Figure:
    """Every rule's error rate against its near-equal preference, with 95 % intervals.

    The line is at 50 %, which is no aim; good rules are at the bottom. References are drawn hollow.
    The order by seed alone, whose preference is 1, is out of the picture and named at the edge.

    **Arguments:**

    - `frame`: of `error_rates.rates`, in a world whose seeds are not random.
    - `top`: the population.
    """
    rows = frame[(frame["top"] == top) & frame["near_equal_pairs"].notna()]
    by_seed = rows["rule"] == HigherSeed.name
    figure = blank_figure(10.0, 5.6)
    panel = figure.subplots()
    panel.axvline(0.5, color=INK, linewidth=1.0)
    for number, (rule, one) in enumerate(rows[~by_seed].groupby("rule", sort=False)):
        colour, marker = (
            COLOURS[number % len(COLOURS)],
            MARKERS[number // len(COLOURS) % len(MARKERS)],
        )
        hollow, name = rule in REFERENCES, short_name(rule_name(str(rule)), 40)
        style = {"fillstyle": "none" if hollow else "full", "linestyle": "", "label": name}
        draw_bias(panel, one, colour, marker, alpha=0.5, **style)
    for rate in rows["error"][by_seed & np.isfinite(rows["error"])]:
        note = f"higher seed first: {rate:.1%} wrong, preference 100% {ARROW}"
        panel.axhline(rate, color=SAME, linewidth=1.0, linestyle=":")
        panel.annotate(
            note, (1.0, rate), xycoords=("axes fraction", "data"), ha="right", va="top",
            fontsize=9, color=INK,
        )  # fmt: skip
    dress_bias(figure, panel, top)
    return figure


def draw_bias(
    panel: Axes, rows: pd.DataFrame, colour: str, marker: str, alpha: float, **style: Any
) -> None:
    """Error rates against near-equal preferences, with the intervals of those that have both.

    **Arguments:**

    - `panel`, `rows`: where they are drawn; of a frame of `error_rates.rates`.
    - `colour`, `marker`, `alpha`: of the marks, and how dark the intervals are.
    - `style`: as for `Axes.plot`.
    """
    panel.plot(rows["near_equal"], rows["error"], color=colour, marker=marker, **style)
    ends = rows[["near_equal_low", "near_equal_high", "error_low", "error_high"]]
    line: dict[str, Any] = {"color": colour, "linewidth": 1, "alpha": alpha}
    for _, row in rows[np.isfinite(ends.to_numpy(float)).all(axis=1)].iterrows():
        panel.hlines(row["error"], row["near_equal_low"], row["near_equal_high"], **line)
        panel.vlines(row["near_equal"], row["error_low"], row["error_high"], **line)


def dress_bias(figure: Figure, panel: Axes, top: str) -> None:
    """Give a picture of error against seed bias its title, its axes and its legend."""
    dress(
        panel,
        f"Error against seed bias, {population_name(top)}",
        "verdicts for the higher seed among nearly equal teams (50% is no aim)",
        "tied pairs decided wrongly",
    )
    in_percent(panel.xaxis, panel.yaxis)
    plain_legend(figure.legend(loc="outside right upper", frameon=False, fontsize=8))
