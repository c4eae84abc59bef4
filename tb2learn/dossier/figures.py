"""Figures of the evidence that no other room has."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.report.frames import where
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, draw_marks, dress, short_name


def marks(
    rows: Sequence[tuple[str, pd.Series]], what: str, title: str, across: str, share: bool = True
) -> Figure:
    """Values with their intervals, a row each, the first one on top.

    **Arguments:**

    - `rows`: names, and values with the ends of their intervals (`report.frames.ends_of`).
    - `what`: the column of the values.
    - `title`, `across`: of the figure, and of its axis.
    - `share`: whether they are shares, which are shown in percent.
    """
    figure = blank_figure(8.0, 1.2 + 0.35 * len(rows))
    panel = figure.subplots()
    for number, (_, one) in enumerate(rows):
        frame = pd.DataFrame([one]).infer_objects()
        draw_marks(panel, frame, what, -number, COLOURS[0], size=6.0)
    panel.axvline(0.0, color=INK, linewidth=1.0)
    panel.set_yticks(
        [-number for number in range(len(rows))],
        [short_name(name, 60) for name, _ in rows],
        parse_math=False,
    )
    panel.set_ylim(0.6 - len(rows), 0.6)
    dress(panel, title, across, "")
    if share:
        panel.xaxis.set_major_formatter(PercentFormatter(1.0))
    return figure


def reliability(found: pd.DataFrame) -> Figure:
    """Share of right orders by stated probability, a line a world.

    **Arguments:** `found`: classes of `calibration.reliability` with the `world` of each.
    """
    figure = blank_figure(6.0, 4.6)
    panel = figure.subplots()
    panel.plot([0.5, 1], [0.5, 1], color=INK, linewidth=1.0)
    for number, world in enumerate(found["world"].unique()):
        rows = where(found, world=world)
        rows = rows[rows["pairs"] > 0]
        draw_marks(
            *(panel, rows, "observed", rows["stated"].to_numpy(), COLOURS[number]),
            marker=MARKERS[number],
            width=1.0,
            upright=True,
            label=str(world),
        )
    dress(panel, "All ties", "stated probability", "share of right orders")
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    panel.legend(frameon=False, fontsize=9)
    return figure


def shares(found: pd.DataFrame) -> Figure:
    """Which share of the ties has which stated probability.

    **Arguments:** `found`: `share` of every class, from `least` to `most`.
    """
    figure = blank_figure(8.0, 3.0)
    panel = figure.subplots()
    low, high = found["least"].to_numpy(), found["most"].to_numpy()
    panel.bar(
        low, found["share"].to_numpy(), high - low, align="edge", color=COLOURS[0], ec="white"
    )
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    dress(panel, "All ties", "stated probability of the order", "share of the ties")
    return figure
