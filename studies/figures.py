"""Figures of several reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from studies.frames import where
from tb2learn.assessment.references import HigherSeed, PosteriorMean
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
)
from tb2learn.report.wording import population_name
from tb2learn.tiebreaks.library import REFERENCES

RATES = Path(__file__).parents[1] / "reports" / "assessment" / "rates.csv"
"""The rates of the report on the tables, among them those of the ideal rule."""

IDEAL_WORLD = "posterior-mean-seeded"

IDEAL = "ideal: the posterior mean"

MEASURED = ["near_equal", "error"]
"""The columns that a picture of error against seed bias has on its axes."""


def ideal_rates(top: str, rates: pd.DataFrame | None = None) -> pd.DataFrame:
    """The row of the ideal rule, the posterior mean, where seeds are near the truth.

    **Arguments:**

    - `top`: the population.
    - `rates`: of the report on the tables; else its committed table.
    """
    # The ideal takes long, so other reports show what that report has measured.
    frame = pd.read_csv(RATES, dtype={"top": str}) if rates is None else rates
    return where(frame, world=IDEAL_WORLD, rule=PosteriorMean.name, top=top).dropna(subset=MEASURED)


def bias_figure(
    frame: pd.DataFrame, top: str, series: Mapping[str, Sequence[str]], ideal: pd.DataFrame
) -> Figure:
    """Error rates against near-equal preferences: some series in colour, all other rules in grey.

    Whiskers are 95 % intervals. The dashed line is the preference of the ideal rule. Rules far from
    the series are not shown; the order by seed alone, whose preference is 1, is a dotted line.

    **Arguments:**

    - `frame`: of `error_rates.rates`, in a world whose seeds are not random.
    - `top`: the population.
    - `series`: the rules of every series by its label. Rules of a series are joined by a line.
    - `ideal`: of `ideal_rates`.
    """
    rows = where(frame, top=top).dropna(subset=MEASURED)
    by_seed, rows = (rows[(rows["rule"] == HigherSeed.name) == is_it] for is_it in (True, False))
    labelled = {rule for rules in series.values() for rule in rules}
    window = window_around(pd.concat([rows[rows["rule"].isin(labelled)], ideal]))
    inside = [rows[name].between(*ends) for name, ends in zip(MEASURED, window, strict=True)]
    outside = int((~(inside[0] & inside[1])).sum())
    rows = rows[inside[0] & inside[1]]
    figure = blank_figure(10.0, 5.6)
    panel = figure.subplots()
    others = rows[~rows["rule"].isin([*labelled, *REFERENCES])]
    draw_bias(panel, others, SAME, "o", markersize=5.0, label="other rules of the table")
    knowing = rows[rows["rule"].isin(REFERENCES)]
    hollow = {"markersize": 5.0, "fillstyle": "none", "label": "references, which see more"}
    draw_bias(panel, knowing, SAME, "o", **hollow)
    for number, (label, rules) in enumerate(series.items()):
        part = rows[rows["rule"].isin(rules)].sort_values("near_equal")
        joined = {"linestyle": "-" if len(part) > 1 else "", "linewidth": 1.0, "label": label}
        draw_bias(panel, part, COLOURS[number], MARKERS[number], **joined)
    for preference in ideal["near_equal"]:
        panel.axvline(preference, color=INK, linewidth=1.0, linestyle="--")
    draw_bias(panel, ideal, INK, "*", markersize=11.0, label=IDEAL)
    panel.set_xlim(*window[0])
    panel.set_ylim(*window[1])
    for rate in by_seed["error"]:
        name_seed_order(panel, rate)
    dress_bias(figure, panel, top, outside)
    return figure


def draw_bias(
    panel: Axes, rows: pd.DataFrame, colour: str, marker: str, label: str, **style: Any
) -> None:
    """Error rates against near-equal preferences, with the intervals of those that have both.

    **Arguments:**

    - `panel`, `rows`: where they are drawn; of a frame of `error_rates.rates`.
    - `colour`, `marker`: of the marks.
    - `label`: for the legend; rows that are none have none.
    - `style`: as for `Axes.plot`.
    """
    if rows.empty:
        return
    style = {"linestyle": "", **style, "color": colour, "marker": marker, "label": label}
    panel.plot(rows["near_equal"], rows["error"], **style)
    ends = rows[["near_equal_low", "near_equal_high", "error_low", "error_high"]]
    line: dict[str, Any] = {"color": colour, "linewidth": 1, "alpha": 0.5}
    for _, row in rows[np.isfinite(ends.to_numpy(float)).all(axis=1)].iterrows():
        panel.hlines(row["error"], row["near_equal_low"], row["near_equal_high"], **line)
        panel.vlines(row["near_equal"], row["error_low"], row["error_high"], **line)


def window_around(seen: pd.DataFrame) -> list[tuple[float, float]]:
    """The ends of both axes of a picture of error against seed bias: around some rows."""
    ends = []
    for name in MEASURED:
        # Few events may have no tied pair of nearly equal teams.
        low, high = (seen[name].min(), seen[name].max()) if len(seen) else (0.0, 1.0)
        # A margin shows the neighbours, and the intervals; a single rule has no span.
        margin = max(0.3 * (high - low), 0.02)
        ends.append((low - margin, high + margin))
    return ends


def name_seed_order(panel: Axes, rate: float) -> None:
    """The error rate of the order by seed alone, whose preference is out of the picture."""
    note = f"higher seed first: {rate:.1%} wrong, preference 100% {ARROW}"
    panel.axhline(rate, color=SAME, linewidth=1.0, linestyle=":")
    panel.annotate(
        note, (1.0, rate), xycoords=("axes fraction", "data"), xytext=(0, -2),
        textcoords="offset points", ha="right", va="top", fontsize=9, color=INK,
    )  # fmt: skip


def dress_bias(figure: Figure, panel: Axes, top: str, outside: int) -> None:
    """Give a picture of error against seed bias its title, its axes and its legend."""
    rest = f" (outside the picture: {outside})" if outside else ""
    dress(
        panel,
        f"Error and preference for the higher seed, {population_name(top)}{rest}",
        "how often the higher seed of two nearly equal teams comes first",
        "tied pairs decided wrongly",
    )
    in_percent(panel.xaxis, panel.yaxis)
    # Whole per cents.
    panel.xaxis.set_major_locator(MaxNLocator(10, steps=[1, 2, 5, 10]))
    legend = figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    plain_legend(legend)
