"""Figures of the study of rankings: maps, curves, distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from tb2learn.report.style import COLOURS, INK, SAME, blank_figure, dress
from tb2learn.studies.rankings.methods import EPSILONS, LEAST_SQUARES, MATRICES, mds_map
from tb2learn.studies.rankings.study import CURVES, DISTANCES, OFFICIAL, START, Curves, Study

_MATRIX_COLOURS = dict(zip(MATRICES, COLOURS, strict=False))


METHODS = {**{name: name for name in EPSILONS}, LEAST_SQUARES: LEAST_SQUARES}


_METHOD_MARKERS = dict(zip(METHODS, "^so", strict=True))


_METHOD_DASHES = dict(zip(METHODS, (":", "--", "-"), strict=True))


FORMS = {"kemeny": "{:.0f}", "weighted": "{:.2f}"}
"""Number formats of the distances."""


TITLES = {"kemeny": "Kemeny distance", "weighted": "Weighted distance"}


def _style(name: str) -> tuple[str, str, str]:
    """Colour (by results matrix), marker and dashes (by method) of a ranking."""
    if name in (START, OFFICIAL):
        return (SAME, "P", "-") if name == START else (INK, "D", "-")
    method, matrix = name.split("_")
    return _MATRIX_COLOURS[matrix], _METHOD_MARKERS[method], _METHOD_DASHES[method]


def maps_figure(found: Study) -> Figure:
    """One map of the rankings per distance: the nearer two points, the more alike the rankings."""
    figure = blank_figure(13.0, 6.2)
    panels = figure.subplots(1, len(DISTANCES))
    maps = [mds_map(found.distances[kind]) for kind in DISTANCES]
    for panel, kind, points in zip(panels, DISTANCES, maps, strict=True):
        for name, point in zip(found.rankings, points, strict=True):
            colour, marker, _ = _style(name)
            panel.plot(*point, marker, color=colour, markersize=7, alpha=0.85)
        dress(panel, TITLES[kind], "", "")
        panel.set_aspect("equal", adjustable="datalim")
        panel.margins(0.2, 0.1)
    figure.legend(
        handles=_legend(found.rankings, lines=False),
        loc="outside lower center",
        ncols=7,
        frameon=False,
        fontsize=9,
    )
    figure.draw_without_rendering()  # so that positions in pixels are known
    for panel, points in zip(panels, maps, strict=True):
        _name_points(panel, points, list(found.rankings))
    return figure


def _name_points(panel: Axes, points: np.ndarray, names: Sequence[str]) -> None:
    """Write the names beside the points, where they overlap least; equal points share a label."""
    at: dict[tuple[float, ...], list[str]] = {}
    scale = max(float(np.ptp(points)), 1e-12)
    for point, name in zip(points, names, strict=True):
        at.setdefault(tuple(np.round(point / scale, 3)), []).append(name)
    pixels = panel.transData.transform(np.array(list(at)) * scale)
    dot = panel.figure.dpi / 72
    taken = [np.array([x - 5, y - 5, x + 5, y + 5]) for x, y in pixels / dot]
    for (x, y), (point, some) in zip(pixels / dot, at.items(), strict=True):
        text = " = ".join(some)
        width, height = 4.6 * len(text), 10.0
        best: tuple[float, float, float] | None = None
        for reach in (9.0, 18.0, 30.0, 44.0, 60.0):
            for angle in np.arange(0, 2 * np.pi, np.pi / 8):
                middle = x + np.cos(angle) * (reach + width / 2), y + np.sin(angle) * reach
                box = np.array([*middle, *middle]) + np.array([-width, -height, width, height]) / 2
                cost = 200.0 * sum(_overlap(box, other) > 0 for other in taken) + reach
                if best is None or cost < best[0]:
                    best, chosen = (cost, *middle), box
        taken.append(chosen)
        far = np.hypot(best[1] - x, best[2] - y) - width / 2 > 12.0
        panel.annotate(
            text,
            np.array(point) * scale,
            xytext=(best[1] - x, best[2] - y),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=8,
            color=INK,
            arrowprops={"arrowstyle": "-", "color": SAME, "linewidth": 0.6} if far else None,
        )


def _overlap(one: np.ndarray, other: np.ndarray) -> float:
    sides = np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2])
    return float(np.prod(np.maximum(sides, 0.0)))


def curves_figure(curves: Curves) -> Figure:
    """All curves of all rankings, round by round."""
    figure = blank_figure(12.5, 12.0)
    panels = figure.subplots(3, 2)
    for panel, (curve, title) in zip(panels.flat, CURVES.items(), strict=True):
        for name, line in curves.values[curve].items():
            colour, _, dashes = _style(name)
            bold = 2.2 if name in (START, OFFICIAL) else 1.5
            panel.plot(curves.rounds, line, dashes, color=colour, linewidth=bold, alpha=0.9)
        dress(panel, title, "after round", "")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
        if not curve.startswith("robustness"):
            panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
            # Steps of whole percents, as the labels have no decimals.
            panel.yaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))
    figure.legend(
        handles=_legend(curves.values["predictive_mp"], lines=True),
        loc="outside lower center",
        ncols=7,
        frameon=False,
        fontsize=9,
        handlelength=3.0,
    )
    return figure


def _legend(names: Any, lines: bool) -> list[Line2D]:
    handles = []
    for name in names:
        colour, marker, dashes = _style(name)
        handles.append(
            Line2D([], [], color=colour, linestyle=dashes, label=name, linewidth=1.8)
            if lines
            else Line2D([], [], color=colour, linestyle="", marker=marker, label=name)
        )
    return handles


def distances_figure(found: Study) -> Figure:
    """Heat maps of both distances between all rankings; darker cells are further apart."""
    names = list(found.rankings)
    figure = blank_figure(15.0, 7.2)
    panels = figure.subplots(1, len(DISTANCES))
    for panel, (kind, form) in zip(panels, FORMS.items(), strict=True):
        values = found.distances[kind]
        farthest = max(float(values.max()), 1e-9)
        panel.imshow(values, cmap="Blues", vmin=0.0, vmax=farthest)
        for (row, column), value in np.ndenumerate(values):
            if row != column:
                ink = "white" if value > 0.6 * farthest else INK
                panel.text(
                    column,
                    row,
                    form.format(value),
                    ha="center",
                    va="center",
                    color=ink,
                    fontsize=7.5,
                )
        panel.set_xticks(range(len(names)), names, rotation=60, ha="right")
        panel.set_yticks(range(len(names)), names)
        dress(panel, TITLES[kind], "", "", grid=False)
    return figure
