"""Tie-breaks by criteria: heat maps of shares of lots, and values with intervals."""

from __future__ import annotations

from functools import partial

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from tb2learn.report.frames import Frames, where, wide
from tb2learn.report.style import (
    COLOURS,
    HOLLOW,
    INK,
    blank_figure,
    draw_heat,
    draw_marks,
    dress,
    legend_below,
)
from tb2learn.studies.tiebreaks.evaluation import ALL_CRITERIA, POPULATIONS, RANDOM
from tb2learn.studies.tiebreaks.measure import single_names

_SHOWN = [criterion for criterion in ALL_CRITERIA if criterion != RANDOM]


def _by_kind(frames: Frames, population: str) -> dict[str, pd.DataFrame]:
    """Values of single tie-breaks by the criteria that are shown, a frame a configuration."""
    values = frames["values"]
    single = values["tie_break"].isin(single_names(values["tie_break"].unique()))
    kept = where(values[single & values["criterion"].isin(_SHOWN)], population=population)
    return {str(config): some for config, some in kept.groupby("config", sort=False)}


def heat_figure(frames: Frames, population: str) -> Figure:
    """Values as shares of that of lots, one panel per kind."""
    kinds = {
        config: wide(some, "tie_break", "criterion", "value")
        for config, some in _by_kind(frames, population).items()
    }
    rows = max(map(len, kinds.values()))
    figure = blank_figure(3.3 * len(kinds) + 1.2, 0.34 * rows + 1.9)
    panels = figure.subplots(1, len(kinds), squeeze=False)[0]
    for panel, (config, values) in zip(panels, kinds.items(), strict=True):
        draw_heat(panel, values / values.loc[RANDOM], Normalize(0.0, 1.0))
        dress(panel, config, "", "", grid=False)
        panel.tick_params(labelsize=8)
    figure.suptitle(
        f"Values as shares of a draw of lots, {POPULATIONS[population]} "
        "(0: the criterion's own order, 1: no better than lots)",
        fontsize=11,
        color=INK,
    )
    return figure


def dot_figure(frames: Frames, population: str) -> Figure:
    """Values with 95 % intervals, one row of panels per kind; his values are hollow."""
    kinds = _by_kind(frames, population)
    heights = [some["tie_break"].nunique() for some in kinds.values()]
    figure = blank_figure(2.15 * len(_SHOWN) + 1.4, 0.19 * sum(heights) + 0.75 * len(heights) + 0.5)
    grid = figure.subplots(
        len(kinds), len(_SHOWN), sharey="row", squeeze=False, height_ratios=heights
    )
    for panels, (config, some) in zip(grid, kinds.items(), strict=True):
        names = some["tie_break"].unique()[::-1]
        for panel, criterion in zip(panels, _SHOWN, strict=True):
            _draw_dots(panel, some[some["criterion"] == criterion][::-1])
            title = f"{config}\n{criterion}" if criterion == _SHOWN[0] else criterion
            dress(panel, title, "", "", size=9)
            panel.set_xlim(left=-0.02 * panel.get_xlim()[1])
        panels[0].set_yticks(range(len(names)), names, parse_math=False)
        panels[0].tick_params(labelsize=8)
    for panel in grid[-1]:
        panel.set_xlabel("places", fontsize=9, color=INK)
    ours = f"ours, with 95 % interval: {POPULATIONS[population]}"
    legend_below(figure, [(ours, "o", COLOURS[0]), ("Ricca", HOLLOW, COLOURS[1])], 9)
    return figure


def _draw_dots(panel: Axes, rows: pd.DataFrame) -> None:
    """A tie-break a row, from below."""
    draw_marks(panel, rows, "value", range(len(rows)), COLOURS[0])
    panel.plot(
        rows["ricca"], range(len(rows)), "D", color=COLOURS[1], fillstyle="none", markersize=4.5
    )


FIGURES = {
    f"{kind}-{population}.png": partial(draw, population=population)
    for population in POPULATIONS
    for kind, draw in (("heat", heat_figure), ("tiebreaks", dot_figure))
}
