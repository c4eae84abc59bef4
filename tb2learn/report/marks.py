"""What several figures draw: marks with intervals, heat maps with numbers, legends below."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.typing import MarkerType

from tb2learn.report.frames import ends_of
from tb2learn.report.style import INK

HOLLOW = MarkerStyle("D", "none")
"""The mark of what others found."""


def shifts(marks: int, spread: float) -> Float[np.ndarray, " marks"]:
    """By how much marks of one row are moved so that they share a height, the first one least."""
    return spread * ((np.arange(marks) + 0.5) / marks - 0.5)


def draw_marks(
    panel: Axes,
    found: pd.DataFrame,
    what: str,
    at: Any,
    colour: str,
    *,
    marker: str = "o",
    size: float = 4.0,
    width: float = 2.0,
    upright: bool = False,
    **style: Any,
) -> None:
    """Values with their intervals, a mark a row.

    **Arguments:**

    - `panel`: where they are drawn.
    - `found`, `what`: a frame, and its column of the values; `ends_of` it are the intervals.
    - `at`: where the marks stand on the other axis.
    - `colour`, `marker`, `size`, `width`: of the marks and lines.
    - `upright`: whether values run upwards, not across.
    - `style`: as for `Axes.plot`, such as `label` and `fillstyle`.
    """
    values, (low, high) = found[what].to_numpy(), ends_of(what, found)
    at = np.broadcast_to(at, values.shape)
    lines = panel.vlines if upright else panel.hlines
    lines(at, found[low].to_numpy(), found[high].to_numpy(), color=colour, linewidth=width)
    both = (at, values) if upright else (values, at)
    panel.plot(*both, color=colour, marker=marker, markersize=size, linestyle="", **style)


def draw_heat(
    panel: Axes,
    values: pd.DataFrame,
    norm: Normalize,
    *,
    colours: str = "cividis",
    form: str = ".2f",
    size: float = 7.0,
    turn: float = 40.0,
    pale: Callable[[float], bool] | None = None,
) -> None:
    """A heat map with its numbers; `-` stands for NaN.

    **Arguments:**

    - `panel`: where it is drawn.
    - `values`: index and columns name the ticks.
    - `norm`, `colours`: which colour a value has.
    - `form`, `size`: how the numbers are written.
    - `turn`: degrees by which the names below are turned.
    - `pale`: whether the number of a value is white; by default in the darker half of the colours.
    """
    cells = values.to_numpy(float)
    panel.imshow(cells, cmap=colours, norm=norm, aspect="auto")
    for (row, column), value in np.ndenumerate(cells):
        white = value == value and (pale(value) if pale else norm(value) < 0.5)
        text, ink = "-" if value != value else f"{value:{form}}", "white" if white else INK
        panel.text(column, row, text, ha="center", va="center", color=ink, fontsize=size)
    panel.set_xticks(range(cells.shape[1]), list(values.columns), rotation=turn, ha="right")
    panel.set_yticks(range(cells.shape[0]), list(values.index), parse_math=False)


def legend_below(figure: Figure, marks: Iterable[tuple[str, MarkerType, str]], size: float) -> None:
    """A legend below all panels.

    **Arguments:**

    - `figure`: the figure.
    - `marks`: label, marker and colour of every mark.
    - `size`: of the letters.
    """
    handles = [
        Line2D([], [], linestyle="", marker=marker, color=colour, label=label)
        for label, marker, colour in marks
    ]
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=len(handles),
        frameon=False,
        fontsize=size,
    )
