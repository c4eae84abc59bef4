"""Maps of rankings, and how rankings look in all figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tb2learn.report.frames import Frames
from tb2learn.report.style import COLOURS, INK, SAME, blank_figure, dress
from tb2learn.studies.rankings.methods import (
    EPSILONS,
    LEAST_SQUARES,
    MATRICES,
    OFFICIAL,
    START,
    square,
)
from tb2learn.types import InputError

TITLES = {"kemeny": "Kemeny distance", "weighted": "Weighted distance"}

_METHODS = dict(zip((*EPSILONS, LEAST_SQUARES), (("^", ":"), ("s", "--"), ("o", "-")), strict=True))

STYLES = {
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
    panels = figure.subplots(1, len(TITLES))
    tables = [square(frames["distances"], kind) for kind in TITLES]
    names = [*map(str, tables[0])]
    maps = [mds_map(table.fillna(0.0).to_numpy()) for table in tables]
    for panel, title, points in zip(panels, TITLES.values(), maps, strict=True):
        for name, point in zip(names, points, strict=True):
            colour, marker, _ = STYLES[name]
            panel.plot(*point, marker, color=colour, markersize=7, alpha=0.85)
        dress(panel, title, "", "")
        panel.set_aspect("equal", adjustable="datalim")
        panel.margins(0.2, 0.1)
    add_legend(figure, names, lines=False)
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


def mds_map(distances: Float[np.ndarray, "n n"]) -> Float[np.ndarray, "n 2"]:
    """Points in the plane whose distances approximate the given ones.

    Metric multidimensional scaling (scikit-learn's SMACOF, started from the classical solution);
    equal distances give equal maps on the same machine. The map is rotated so that it is widest
    horizontally, with the first point on the left and not below the middle.

    **Raises:** `InputError` if scikit-learn, which only this function needs, is not installed.
    """
    try:
        from sklearn.manifold import MDS
    except ImportError:
        raise InputError(
            "maps of rankings need scikit-learn: pip install 'tb2learn[studies]'"
        ) from None
    if not distances.any():
        return np.zeros((len(distances), 2))
    scaling = MDS(2, metric="precomputed", init="classical_mds", n_init=1, random_state=0)
    points = scaling.fit_transform(distances / distances.max()) * distances.max()
    points -= points.mean(axis=0)
    points = points @ np.linalg.svd(points, full_matrices=False)[2].T
    return points * np.where(points[0] > 0, (-1.0, 1.0), (1.0, -1.0))


def add_legend(figure: Figure, names: Iterable[str], lines: bool) -> None:
    """The rankings below all panels, as lines or as points."""
    handles = []
    for name in names:
        colour, marker, dashes = STYLES[name]
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
