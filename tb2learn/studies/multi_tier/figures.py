"""Printed tier scores, and who wins the simulated event."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.report.frames import Frames
from tb2learn.report.style import COLOURS, INK, blank_figure, dress
from tb2learn.studies.multi_tier.claims import goes_on
from tb2learn.studies.multi_tier.measure import SHARES


def tiers_figure(frames: Frames) -> Figure:
    """Both side by side."""
    figure = blank_figure(12.0, 5.2)
    printed, simulated = figure.subplots(1, 2)
    _draw_tiers(printed, frames["tiers"])
    _draw_wins(simulated, frames["wins"])
    return figure


def _draw_tiers(panel: Axes, tiers: pd.DataFrame) -> None:
    shown = tiers.assign(best=goes_on(tiers)).sort_values("tier", ascending=False, kind="stable")
    places = -np.arange(len(shown)) - 0.8 * (shown["tier"].max() - shown["tier"].to_numpy())
    colours = [COLOURS[1 if best else 0] for best in shown["best"]]
    panel.barh(places, shown["mean_ts"], color=colours, height=0.75)
    panel.axvline(0, color=INK, linewidth=1)
    names = [f"{one.player} ({one.rating_rank})" for one in shown.itertuples()]
    panel.set_yticks(places, names, fontsize=8)
    title = "Printed tier scores, top tier first (red: goes on, or wins)"
    dress(panel, title, "mean tier score", "player (rank by rating)")
    panel.tick_params(axis="y", labelsize=8)


def _draw_wins(panel: Axes, wins: pd.DataFrame) -> None:
    number = wins["repeats"].nunique()
    height = 0.8 / number
    for place, (repeats, some) in enumerate(wins.groupby("repeats")):
        shares = some["wins"].to_numpy() / SHARES / some["events"].to_numpy()
        places = -np.arange(len(some)) + height * (number / 2 - place - 0.5)
        label = f"{repeats} game{'s' if repeats != 1 else ''} a pairing"
        panel.barh(places, 100 * shares, height=height, color=COLOURS[place], label=label)
    names = wins["player"].unique()
    panel.set_yticks(-np.arange(len(names)), names)
    panel.legend(frameon=False, fontsize=9, loc="lower right")
    dress(panel, "Who wins the event, simulated", "wins, in per cent", "")
    panel.tick_params(axis="y", labelsize=8)


FIGURES = {"multi-tier.png": tiers_figure}
