"""Figures of the study of unplayed rounds."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from tb2learn.report.frames import Frames, where, wide
from tb2learn.report.marks import HOLLOW, draw_heat, draw_marks, legend_below, shifts
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress
from tb2learn.studies.tiebreaks.evaluation import POPULATIONS, TRUE
from tb2learn.studies.unplayed.measure import SHOWN
from tb2learn.studies.unplayed.published import RICCA_CRITERIA, RICCA_METHODS, RICCA_SUMS

_SPREAD = 0.72
"""Height that the marks of all criteria share; a policy has 1."""


def methods_figure(frames: Frames, population: str) -> Figure:
    """Values with 95 % intervals: one row of panels per kind, one panel per sum; his are hollow."""
    kinds, sums = list(frames["kinds"]["kind"]), list(RICCA_SUMS.values())
    values = where(frames["values"], population=population)
    policies = values["policy"].unique()[::-1]
    figure = blank_figure(14.0, 4.1 * len(kinds) + 0.7)
    grid = figure.subplots(len(kinds), len(sums), sharey=True, squeeze=False)
    for panels, kind in zip(grid, kinds, strict=True):
        for panel, name in zip(panels, sums, strict=True):
            _draw_methods(panel, where(values, kind=kind, sum=name)[::-1])
            title = f"{kind}\n{name}" if name == sums[0] else name
            dress(panel, title, "places", "", size=9.5)
        panels[0].set_yticks(range(len(policies)), policies, parse_math=False)
        panels[0].tick_params(labelsize=8)
    marks = [(criterion, "o", COLOURS[c]) for c, criterion in enumerate(SHOWN)]
    legend_below(figure, [*marks, ("Ricca's figure", HOLLOW, INK)], 9.5)
    figure.suptitle(
        f"How far from the criterion's order inside score groups: {POPULATIONS[population]}",
        fontsize=11,
        color=INK,
    )
    return figure


def _draw_methods(panel: Axes, values: pd.DataFrame) -> None:
    """One row per policy from below, with a point and interval per criterion."""
    for number, (criterion, shift) in enumerate(
        zip(SHOWN, -shifts(len(SHOWN), _SPREAD), strict=True)
    ):
        some, colour = where(values, criterion=criterion), COLOURS[number]
        at = np.arange(len(some)) + shift
        draw_marks(panel, some, "value", at, colour)
        panel.plot(some["ricca"], at, "D", color=colour, fillstyle="none", markersize=4.5)
    undefined = where(values, criterion=TRUE)["value"].isna()
    for row in np.flatnonzero(undefined).tolist():
        panel.text(0.02, row, "-", va="center", transform=panel.get_yaxis_transform())


def heat_figure(frames: Frames) -> Figure:
    """Policies by sums under the true order, as shares of lots; a panel per kind and population."""
    kinds = list(frames["kinds"]["kind"])
    figure = blank_figure(13.5, 5.0 * len(POPULATIONS) + 0.6)
    grid = figure.subplots(len(POPULATIONS), len(kinds), sharey=True, squeeze=False)
    for panels, population in zip(grid, POPULATIONS, strict=True):
        for panel, kind in zip(panels, kinds, strict=True):
            of = {"kind": kind, "population": population, "criterion": TRUE}
            lots = where(frames["lots"], **of)["value"].item()
            shares = wide(where(frames["values"], **of), "policy", "sum", "value").astype(float)
            draw_heat(panel, shares / lots, Normalize(0.5, 1.0), size=7.5, turn=35)
            dress(panel, f"{kind}\n{POPULATIONS[population]}", "", "", grid=False, size=9.5)
            panel.tick_params(labelsize=8)
    figure.suptitle(
        "Values by the true order as shares of a draw of lots (0: the true order itself, 1: no "
        "better than lots)",
        fontsize=11,
        color=INK,
    )
    return figure


def beside_figure(frames: Frames) -> Figure:
    """His values across, ours up: one panel per criterion and kind that he has."""
    his = frames["values"].dropna(subset=["ricca"])
    place = {policy: number for number, policy in enumerate(RICCA_METHODS.values())}
    his = his.sort_values("policy", kind="stable", key=lambda policies: policies.map(place))
    shown = [(kind, c) for kind in his["kind"].unique() for c in RICCA_CRITERIA]
    figure = blank_figure(3.5 * len(shown) + 0.4, 2 * 3.5 + 0.8)
    grid = figure.subplots(len(POPULATIONS), len(shown), squeeze=False)
    for panels, population in zip(grid, POPULATIONS, strict=True):
        for panel, (kind, criterion) in zip(panels, shown, strict=True):
            inside = where(his, kind=kind, criterion=criterion, population=population)
            for number, name in enumerate(RICCA_SUMS.values()):
                some = where(inside, sum=name)
                draw_marks(
                    *(panel, some, "value", some["ricca"], COLOURS[number]),
                    marker=MARKERS[number],
                    size=4.5,
                    width=1.2,
                    upright=True,
                )
            ends = np.array([*panel.get_xlim(), *panel.get_ylim()])
            panel.plot([ends.min(), ends.max()], [ends.min(), ends.max()], ":", color=INK, lw=0.8)
            title = f"{kind}\n{criterion}, {population}"
            dress(panel, title, "Ricca, places", "", size=8.5)
        panels[0].set_ylabel("ours, places", fontsize=9.5, color=INK)
    marks = [(name, MARKERS[n], COLOURS[n]) for n, name in enumerate(RICCA_SUMS.values())]
    legend_below(figure, marks, 9.5)
    return figure


FIGURES = {
    **{f"methods-{one}.png": partial(methods_figure, population=one) for one in POPULATIONS},
    "heat.png": heat_figure,
    "beside.png": beside_figure,
}
