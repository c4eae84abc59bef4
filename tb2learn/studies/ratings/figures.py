"""Laws less FIDE's table, and the ratings of the Morphy period."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.chess.rating_tables import EXCEPTIONS
from tb2learn.report.frames import Frames
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress


def ratings_figure(frames: Frames) -> Figure:
    """Both panels side by side."""
    figure = blank_figure(12.0, 4.8)
    laws, people = figure.subplots(1, 2)
    _draw_laws(laws, frames["laws"])
    _draw_period(people, frames["morphy"])
    return figure


def _draw_laws(panel: Axes, laws: pd.DataFrame) -> None:
    apart, names = laws["difference"], laws.columns[2:]
    for name, colour in zip(names, COLOURS, strict=False):
        panel.plot(apart, laws[name] - laws["fide"], color=colour, linewidth=1.2, label=name)
    odd = laws[apart.isin(EXCEPTIONS)]
    panel.plot(
        odd["difference"], odd[names[0]] - odd["fide"], color=COLOURS[0],
        linestyle="", marker="o", markersize=5,
    )  # fmt: skip
    panel.axhspan(-0.5, 0.5, color=INK, alpha=0.08)
    panel.set_ylim(-4, 4)
    title = "FIDE's table is a normal curve, but for six differences (dots)"
    dress(panel, title, "rating difference", "law less table, in hundredths of a point")
    panel.legend(frameon=False, fontsize=9, loc="lower left")


def _draw_period(panel: Axes, morphy: pd.DataFrame) -> None:
    # numpy's sort, as equal ratings keep their order by it in the committed picture
    morphy = morphy.iloc[np.argsort(morphy["printed"].to_numpy())]
    shown = ("mean of both", "fixed point", "linear law")
    for number, name in enumerate(("printed", *shown)):
        panel.plot(
            morphy[name], range(len(morphy)), linestyle="", markersize=6,
            marker=MARKERS[number], color=INK if number == 0 else COLOURS[number - 1],
            label="mean of steps 3 and 4" if name == "mean of both" else name,
        )  # fmt: skip
    panel.set_yticks(range(len(morphy)), list(morphy["player"]))
    dress(panel, "The printed ratings are those of a list stopped early", "rating", "")
    panel.legend(frameon=False, fontsize=9, loc="lower right")


FIGURES = {"ratings.png": ratings_figure}
