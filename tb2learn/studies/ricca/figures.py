"""Figures of the study of tie-breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tb2learn.report.style import COLOURS, INK, blank_figure, dress
from tb2learn.studies.ricca.claims import single_names
from tb2learn.studies.ricca.evaluation import ALL_CRITERIA, POPULATIONS, RANDOM


def cell_of(kind: Mapping[str, Any], population: str, name: str, criterion: str, part: str) -> Any:
    """One cell of the array `value`, `low`, `high` or `ricca` of a kind."""
    row = kind[part][list(POPULATIONS).index(population)][kind["tie_breaks"].index(name)]
    return row[ALL_CRITERIA.index(criterion)]


_SHOWN_CRITERIA = [criterion for criterion in ALL_CRITERIA if criterion != RANDOM]


def heat_figure(content: Mapping[str, Any], population: str) -> Figure:
    """Single tie-breaks by criteria, one panel per kind: values as shares of that of lots."""
    kinds = content["kinds"]
    rows = max(len(single_names(kind["tie_breaks"])) for kind in kinds)
    figure = blank_figure(3.3 * len(kinds) + 1.2, 0.34 * rows + 1.9)
    panels = figure.subplots(1, len(kinds), squeeze=False)[0]
    for panel, kind in zip(panels, kinds, strict=True):
        names = single_names(kind["tie_breaks"])
        shares = np.array(
            [
                [
                    cell_of(kind, population, name, c, "value")
                    / cell_of(kind, population, RANDOM, c, "value")
                    for c in _SHOWN_CRITERIA
                ]
                for name in names
            ]
        )
        panel.imshow(shares, cmap="cividis", norm=Normalize(0.0, 1.0), aspect="auto")
        for (row, column), share in np.ndenumerate(shares):
            ink = "white" if share < 0.5 else INK
            panel.text(column, row, f"{share:.2f}", ha="center", va="center", color=ink, fontsize=7)
        panel.set_xticks(range(len(_SHOWN_CRITERIA)), _SHOWN_CRITERIA, rotation=40, ha="right")
        panel.set_yticks(range(len(names)), names, parse_math=False)
        dress(panel, kind["config"], "", "", grid=False)
        panel.tick_params(labelsize=8)
    figure.suptitle(
        f"Values as shares of a draw of lots, {POPULATIONS[population]} "
        "(0: the criterion's own order, 1: no better than lots)",
        fontsize=11,
        color=INK,
    )
    return figure


def dot_figure(content: Mapping[str, Any], population: str) -> Figure:
    """Single tie-breaks with 95 % intervals, one row of panels per kind; his values are hollow."""
    kinds = content["kinds"]
    heights = [len(single_names(kind["tie_breaks"])) for kind in kinds]
    figure = blank_figure(
        2.15 * len(_SHOWN_CRITERIA) + 1.4, 0.19 * sum(heights) + 0.75 * len(heights) + 0.5
    )
    grid = figure.subplots(
        len(kinds), len(_SHOWN_CRITERIA), sharey="row", squeeze=False, height_ratios=heights
    )
    for panels, kind in zip(grid, kinds, strict=True):
        names = single_names(kind["tie_breaks"])[::-1]
        for panel, criterion in zip(panels, _SHOWN_CRITERIA, strict=True):
            _draw_dots(panel, kind, population, names, criterion)
            first = criterion == _SHOWN_CRITERIA[0]
            dress(panel, f"{kind['config']}\n{criterion}" if first else criterion, "", "")
            panel.set_title(panel.get_title(loc="left"), loc="left", fontsize=9, color=INK)
            panel.set_xlim(left=-0.02 * panel.get_xlim()[1])
        panels[0].set_yticks(range(len(names)), names, parse_math=False)
        panels[0].tick_params(labelsize=8)
    for panel in grid[-1]:
        panel.set_xlabel("places", fontsize=9, color=INK)
    marks = [
        Line2D([], [], linestyle="", marker=m, color=c, fillstyle=f)
        for m, c, f in (("o", COLOURS[0], "full"), ("D", COLOURS[1], "none"))
    ]
    figure.legend(
        marks,
        [f"ours, with 95 % interval: {POPULATIONS[population]}", "Ricca"],
        loc="outside lower center",
        ncols=2,
        frameon=False,
        fontsize=9,
    )
    return figure


def _draw_dots(
    panel: Axes, kind: Mapping[str, Any], population: str, names: Sequence[str], criterion: str
) -> None:
    for row, name in enumerate(names):
        value, low, high, theirs = (
            cell_of(kind, population, name, criterion, part)
            for part in ("value", "low", "high", "ricca")
        )
        panel.hlines(row, low, high, color=COLOURS[0], linewidth=2)
        panel.plot(value, row, "o", color=COLOURS[0], markersize=4)
        if theirs is not None:
            panel.plot(theirs, row, "D", color=COLOURS[1], fillstyle="none", markersize=4.5)
