"""Stated and observed probabilities of the first rule."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.report.frames import Frames, where
from tb2learn.report.style import COLOURS, GRID, INK, MARKERS, blank_figure, dress
from tb2learn.report.wording import rule_name


def reliability_figure(frames: Frames) -> Figure:
    """A reliability diagram a population: observed share of right orders by stated probability.

    There are at most as many worlds as colours.
    """
    first = frames["maps"].iloc[0]
    fitted = {one["world"]: one["fitted"] for one in first["judged"]}
    found = where(frames["reliability"], rule=first["rule"])
    tops = found["top"].unique()
    figure = blank_figure(5.2 * len(tops), 5.0)
    panels = np.atleast_1d(figure.subplots(1, len(tops), sharex=True, sharey=True))
    for panel, top in zip(panels, tops, strict=True):
        panel.plot([0.5, 1], [0.5, 1], color=INK, linewidth=1.0)
        for number, world in enumerate(fitted):
            rows = where(found, top=top, world=world)
            rows = rows[rows["pairs"] > 0]
            ends = [rows["observed"] - rows["low"], rows["high"] - rows["observed"]]
            panel.errorbar(
                rows["stated"],
                rows["observed"],
                np.maximum(ends, 0),
                color=COLOURS[number % len(COLOURS)],
                marker=MARKERS[number % len(MARKERS)],
                markersize=4,
                linewidth=0.8,
                linestyle="-" if fitted[world] else ":",
                label=world if fitted[world] else f"{world} (outside)",
            )
        which = "all ties" if top == "all" else f"touching the top {top}"
        title = f"{rule_name(first['rule'])}: {which}"
        dress(panel, title, "stated probability", "share of right orders")
        panel.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.grid(color=GRID, linewidth=0.6)
    legend = panels[0].legend(frameon=False, fontsize=8)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return figure


FIGURES = {"reliability.png": reliability_figure}
