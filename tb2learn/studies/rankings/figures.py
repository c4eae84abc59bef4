"""Figures of the study of rankings: maps, curves, distances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from operator import lt

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from tb2learn.report.frames import Frames, where
from tb2learn.report.marks import draw_heat
from tb2learn.report.style import COLOURS, INK, SAME, blank_figure, dress
from tb2learn.studies.rankings.measure import CURVES
from tb2learn.studies.rankings.methods import (
    EPSILONS,
    FORMS,
    LEAST_SQUARES,
    MATRICES,
    mds_map,
    square,
)
from tb2learn.studies.rankings.published import OFFICIAL, START

_TITLES = {"kemeny": "Kemeny distance", "weighted": "Weighted distance"}

_METHODS = dict(zip((*EPSILONS, LEAST_SQUARES), (("^", ":"), ("s", "--"), ("o", "-")), strict=True))

_STYLES = {
    START: (SAME, "P", "-"),
    OFFICIAL: (INK, "D", "-"),
    **{
        f"{method}_{matrix}": (colour, *style)
        for matrix, colour in zip(MATRICES, COLOURS, strict=False)
        for method, style in _METHODS.items()
    },
}
"""Colour, marker and dashes of every ranking."""


def maps_figure(frames: Frames) -> Figure:
    """One map of the rankings per distance: the nearer two points, the more alike the rankings."""
    figure = blank_figure(13.0, 6.2)
    panels = figure.subplots(1, len(_TITLES))
    tables = [square(frames["distances"], kind) for kind in _TITLES]
    names = [*map(str, tables[0])]
    maps = [mds_map(table.fillna(0.0).to_numpy()) for table in tables]
    for panel, title, points in zip(panels, _TITLES.values(), maps, strict=True):
        for name, point in zip(names, points, strict=True):
            colour, marker, _ = _STYLES[name]
            panel.plot(*point, marker, color=colour, markersize=7, alpha=0.85)
        dress(panel, title, "", "")
        panel.set_aspect("equal", adjustable="datalim")
        panel.margins(0.2, 0.1)
    _add_legend(figure, names, lines=False)
    figure.draw_without_rendering()  # so that positions in pixels are known
    for panel, points in zip(panels, maps, strict=True):
        _name_points(panel, points, names)
    return figure


def _name_points(panel: Axes, points: np.ndarray, names: Sequence[str]) -> None:
    """Write the names beside the points, where they overlap least; equal points share a label."""
    at: dict[tuple[float, ...], list[str]] = {}
    scale = max(float(np.ptp(points)), 1e-12)
    for point, name in zip(points, names, strict=True):
        at.setdefault(tuple(np.round(point / scale, 3)), []).append(name)
    pixels = panel.transData.transform(np.array(list(at)) * scale)
    dots = pixels / (panel.figure.dpi / 72)
    taken = [_box(dot, (10.0, 10.0)) for dot in dots]
    angle = np.tile(np.arange(0, 2 * np.pi, np.pi / 8), 5)
    reach = np.repeat([9.0, 18.0, 30.0, 44.0, 60.0], 16)
    for dot, (point, some) in zip(dots, at.items(), strict=True):
        text = " = ".join(some)
        width = 4.6 * len(text)
        apart = np.stack([np.cos(angle) * (reach + width / 2), np.sin(angle) * reach], axis=1)
        boxes = [_box(dot + shift, (width, 10.0)) for shift in apart]
        overlaps = [sum(_overlap(box, other) for other in taken) for box in boxes]
        best = np.argmin(200.0 * np.array(overlaps) + reach)
        taken.append(boxes[best])
        far = np.hypot(*apart[best]) - width / 2 > 12.0
        panel.annotate(
            text,
            (point[0] * scale, point[1] * scale),
            xytext=apart[best],
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=8,
            color=INK,
            arrowprops={"arrowstyle": "-", "color": SAME, "linewidth": 0.6} if far else None,
        )


def _box(middle: np.ndarray, size: tuple[float, float]) -> np.ndarray:
    """The lower left and the upper right corner."""
    return middle + np.array([[-0.5], [0.5]]) * size


def _overlap(one: np.ndarray, other: np.ndarray) -> bool:
    return bool((np.minimum(one[1], other[1]) > np.maximum(one[0], other[0])).all())


def curves_figure(frames: Frames) -> Figure | None:
    """All curves of all rankings, round by round; None where there are none."""
    if "curves" not in frames:
        return None
    figure = blank_figure(12.5, 12.0)
    panels = figure.subplots(3, 2)
    curves = frames["curves"]
    for panel, (curve, title) in zip(panels.flat, CURVES.items(), strict=True):
        for name, line in where(curves, curve=curve).groupby("ranking", sort=False):
            colour, _, dashes = _STYLES[str(name)]
            bold = 2.2 if name in (START, OFFICIAL) else 1.5
            panel.plot(
                *(line["round"], line["value"], dashes), color=colour, linewidth=bold, alpha=0.9
            )
        dress(panel, title, "after round", "")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
        if not curve.startswith("robustness"):
            panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
            # Steps of whole percents, as the labels have no decimals.
            panel.yaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))
    _add_legend(figure, curves["ranking"].unique(), lines=True)
    return figure


def _add_legend(figure: Figure, names: Iterable[str], lines: bool) -> None:
    """The rankings below all panels, as lines or as points."""
    handles = []
    for name in names:
        colour, marker, dashes = _STYLES[name]
        handle = Line2D([], [], color=colour, label=name)
        style = {"linestyle": dashes, "linewidth": 1.8} if lines else {"linestyle": ""}
        handle.set(**style if lines else style | {"marker": marker})
        handles.append(handle)
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=7,
        frameon=False,
        fontsize=9,
        handlelength=3.0 if lines else None,
    )


def distances_figure(frames: Frames) -> Figure:
    """Heat maps of both distances between all rankings; darker cells are further apart."""
    figure = blank_figure(15.0, 7.2)
    panels = figure.subplots(1, len(_TITLES))
    for panel, (kind, title) in zip(panels, _TITLES.items(), strict=True):
        table = square(frames["distances"], kind).fillna(0.0)
        most = float(table.to_numpy().max())
        draw_heat(
            *(panel, table, Normalize(0.0, max(most, 1e-9))),
            colours="Blues",
            form=FORMS[kind],
            size=7.5,
            turn=60,
            pale=partial(lt, 0.6 * most),
        )
        panel.set_aspect("equal")
        for text in panel.texts[:: len(table) + 1]:
            text.remove()  # the distance from itself
        dress(panel, title, "", "", grid=False)
    return figure


FIGURES = {
    "distances.png": distances_figure,
    "maps.png": maps_figure,
    "curves.png": curves_figure,
}
