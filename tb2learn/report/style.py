"""What figures share: colours, axes, marks with intervals, heat maps, legends, image output."""

from __future__ import annotations

import base64
import io
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.ticker import PercentFormatter

from tb2learn.export.rule_names import COLOURS, GREY
from tb2learn.report.frames import ends_of

MARKERS = "osD^vP*"
UP, DOWN, SAME = COLOURS[0], COLOURS[1], GREY
INK, GRID = "#222222", "#dddddd"
TIMES, MINUS, ARROW = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}", "\N{RIGHTWARDS ARROW}"


def blank_figure(width: float, height: float) -> Figure:
    """An empty figure in the common style; sizes are in inches."""
    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def dress(
    panel: Axes, title: str, across: str, up: str, grid: bool = True, size: float = 11
) -> None:
    """Give a panel its title, with letters of a size, its labels and the common style."""
    panel.set_title(title, fontsize=size, color=INK, loc="left", parse_math=False)
    panel.set_xlabel(across, fontsize=10, color=INK, parse_math=False)
    panel.set_ylabel(up, fontsize=10, color=INK, parse_math=False)
    panel.tick_params(labelsize=9, color=GRID, labelcolor=INK)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color(GRID)
    if grid:
        panel.grid(color=GRID, linewidth=0.6)
        panel.set_axisbelow(True)


def heat_map(panel: Axes, values: np.ndarray, colours: str, norm: Normalize) -> Any:
    """Draw a heat map whose cells are vector shapes, so that it is sharp at any size."""
    # A cell is around its number.
    edges = [np.arange(size + 1) - 0.5 for size in values.shape]
    return panel.pcolormesh(
        edges[1], edges[0], values, cmap=colours, norm=norm, edgecolors="white", linewidth=0.3
    )


def write_values(
    panel: Axes, values: np.ndarray, colours: Colormap, norm: Normalize, form: str
) -> None:
    """Write every value of a heat map into its cell, in a colour that contrasts with it."""
    for (row, column), value in np.ndenumerate(values):
        # Nobody has had such a result: the cell stays empty.
        if np.isnan(value):
            continue
        # No minus before a zero.
        text = form.format(value).replace("-", MINUS) if round(value) else "0"
        red, green, blue, _ = colours(norm(value))
        # The weights of the eye for brightness.
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        panel.text(
            column,
            row,
            text,
            ha="center",
            va="center",
            fontsize=7.5,
            color="white" if dark else INK,
            parse_math=False,
        )


def in_percent(*axes: Axis, decimals: int = 0) -> None:
    """Label axes with shares in per cent."""
    for axis in axes:
        axis.set_major_formatter(PercentFormatter(1.0, decimals=decimals))


def plain_legend(legend: Legend) -> None:
    """Show the names in a legend as they are."""
    # A `$` in a name would begin a formula.
    for text in legend.get_texts():
        text.set_parse_math(False)


def short_name(name: str, length: int = 28) -> str:
    """A name for a figure: one line, shortened, with `?` for characters that the font lacks."""
    font = font_manager.get_font(font_manager.findfont("DejaVu Sans"))
    # Of a letter that its font lacks matplotlib draws a box, and warns.
    plain = "".join(
        c if c.isprintable() and font.get_char_index(ord(c)) else "?"
        for c in " ".join(name.split())
    )
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def figure_png(figure: Figure) -> bytes:
    """A figure as a PNG image; equal figures give equal bytes."""
    buffer = io.BytesIO()
    # Without the version of the library: equal figures give equal bytes.
    figure.savefig(buffer, format="png", dpi=120, metadata={"Software": None})
    return buffer.getvalue()


def figure_uri(figure: Figure) -> str:
    """A figure as the `data:` URI of an SVG image; equal figures give equal URIs."""
    buffer = io.BytesIO()
    # Letters as shapes need no font; a fixed salt gives equal bytes.
    with matplotlib.rc_context({"svg.hashsalt": "tb2learn", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", dpi=120, metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


# --------------------------------------------------------------------------- marks


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
    # Intervals first, so that marks lie upon them.
    lines = panel.vlines if upright else panel.hlines
    lines(at, found[low].to_numpy(), found[high].to_numpy(), color=colour, linewidth=width)
    coordinates = (at, values) if upright else (values, at)
    panel.plot(*coordinates, color=colour, marker=marker, markersize=size, linestyle="", **style)
