"""Marks and figures that several reports share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.typing import MarkerType

from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, draw_marks, dress, short_name

HOLLOW = MarkerStyle("D", "none")
"""The mark of what others found."""


def shifts(marks: int, spread: float) -> Float[np.ndarray, " marks"]:
    """By how much marks of one row are moved so that they share a height, the first one least."""
    return spread * ((np.arange(marks) + 0.5) / marks - 0.5)


def draw_heat(
    panel: Axes,
    values: pd.DataFrame,
    norm: Normalize,
    colours: str,
    pale: Callable[[float], bool],
    form: str,
    size: float = 7.5,
    turn: float = 60.0,
) -> None:
    """A heat map of a frame with its numbers; `-` stands for NaN.

    `form` and `size` are those of the numbers, which are white where `pale` says so of the value;
    `turn` are the degrees by which the names below are turned.
    """
    cells = values.to_numpy(float)
    panel.imshow(cells, cmap=colours, norm=norm, aspect="auto")
    for (row, column), value in np.ndenumerate(cells):
        text, ink = "-" if value != value else f"{value:{form}}", "white" if pale(value) else INK
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


def matrix_figure(
    values: np.ndarray, rows: Sequence[str], columns: Sequence[str], title: str
) -> Figure:
    """A heat map of shares with the numbers written in: blue above zero, orange below."""
    figure = blank_figure(1.1 * len(columns) + 3.2, 0.42 * len(rows) + 2.6)
    panel = figure.subplots()
    farthest = max(0.01, float(np.nanmax(np.abs(values))))
    norm = TwoSlopeNorm(0.0, -farthest, farthest)
    down, across = (pd.Index([short_name(n, 40) for n in names]) for names in (rows, columns))
    cells = pd.DataFrame(values, down, across)
    draw_heat(panel, cells, norm, "PuOr", lambda value: abs(value) > 0.7 * farthest, "+.1%", 8, 35)
    dress(panel, title, "judged in", "trained on", grid=False)
    return figure


_SPREAD = 0.62
"""Height that all marks of a row share; a row is 1 high."""


def growth_figure(found: pd.DataFrame, against: str) -> Figure:
    """Growth of errors with 95 % intervals: a row a format, a panel a kind of rule.

    **Arguments:**

    - `found`: `format`, the name of a row; `panel`, the title of a panel; `mark`, what is judged;
      `growth`, `growth_low`, `growth_high` in shares of the tied pairs. All in order of appearance,
      from top to bottom.
    - `against`: what the errors are compared with.
    """
    formats, titles = found["format"].unique(), found["panel"].unique()
    names = list(found["mark"].unique())
    figure = blank_figure(10.5, 2.2 + 0.25 * len(formats))
    drawn = figure.subplots(1, len(titles), sharey=True, squeeze=False)[0]
    rows = {name: row for row, name in enumerate(formats)}
    for panel, title in zip(drawn, titles, strict=True):
        dress(panel, title, f"share decided wrongly,\nless that of {against}", "")
        panel.axvline(0.0, color=INK, linewidth=1.0)
        inside = found[found["panel"] == title]
        marks = inside["mark"].unique()
        for name, shift in zip(marks, shifts(len(marks), _SPREAD), strict=True):
            some = inside[inside["mark"] == name]
            style = names.index(name)
            draw_marks(
                *(panel, some, "growth", some["format"].map(rows) + shift, COLOURS[style]),
                marker=MARKERS[style],
                width=1.2,
                label=name,
            )
        if len(marks) > 1:
            panel.legend(frameon=False, fontsize=9, loc="upper center", ncols=len(marks),
                         bbox_to_anchor=(0.5, -0.75 / figure.get_figheight()))  # fmt: skip
    drawn[0].set_yticks(range(len(formats)), labels=formats)
    drawn[0].set_ylim(len(formats) - 0.4, -0.6)
    return figure
