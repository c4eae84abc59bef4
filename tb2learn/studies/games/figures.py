"""Calibration and draws, with intervals."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.report.frames import Frames, where
from tb2learn.report.style import COLOURS, INK, blank_figure, dress
from tb2learn.studies.games.measure import DRAWS, DRAWS_BY_MEAN, SCORES


def games_figure(frames: Frames) -> Figure:
    """A panel a question, and the scores once more, less those of the statistic."""
    figure = blank_figure(10.0, 7.5)
    panels = figure.subplots(2, 2).flat
    shown = (
        (SCORES, "Score of the stronger side", "rating difference"),
        (SCORES, "The same, less that of the Elo formula", "rating difference"),
        (DRAWS, "Share of draws", "rating difference"),
        (DRAWS_BY_MEAN, "Share of draws", "mean rating"),
    )
    for number, (panel, (question, title, across)) in enumerate(zip(panels, shown, strict=True)):
        _draw(panel, where(frames["classes"], question=question), less=number == 1)
        dress(panel, title, f"{across}, mean of the class", "")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    return figure


def _draw(panel: Axes, rows: pd.DataFrame, less: bool) -> None:
    x, seen, statistic = rows["middle"], rows["observed"], rows["statistic"]
    zero = statistic if less else 0.0
    panel.plot(x, statistic - zero, color=COLOURS[1], marker="s", markersize=4, label="statistic")
    panel.plot(x, rows["fitted"] - zero, color=COLOURS[0], marker="D", markersize=4, label="fitted")
    panel.errorbar(
        x,
        seen - zero,
        yerr=[seen - rows["low"], rows["high"] - seen],
        color=INK,
        fmt="o",
        markersize=5,
        capsize=3,
        label="Baku 2016, 95 % interval",
    )


FIGURES = {"games.png": games_figure}
