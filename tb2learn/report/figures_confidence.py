"""Figures of stated and observed probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.assessment.calibration import WorldReliability
from tb2learn.report.style import COLOURS, GRID, INK, MARKERS, blank_figure, dress
from tb2learn.report.wording import rule_name


def reliability_figure(worlds: Sequence[WorldReliability], rule: str) -> Figure:
    """A reliability diagram a population: observed share of right orders by stated probability.

    **Arguments:**

    - `worlds`: at most as many as there are colours.
    - `rule`: its name, for the title.
    """
    populations = worlds[0].judged
    figure = blank_figure(5.2 * len(populations), 5.0)
    panels = np.atleast_1d(figure.subplots(1, len(populations), sharex=True, sharey=True))
    for panel, index in zip(panels, range(len(populations)), strict=True):
        panel.plot([0.5, 1], [0.5, 1], color=INK, linewidth=1.0)
        for number, world in enumerate(worlds):
            one = world.judged[index]
            known = one.pairs > 0
            low, high = one.observed_ci[:, known]
            observed = one.observed[known]
            panel.errorbar(
                one.stated[known],
                observed,
                np.maximum([observed - low, high - observed], 0),
                color=COLOURS[number % len(COLOURS)],
                marker=MARKERS[number % len(MARKERS)],
                markersize=4,
                linewidth=0.8,
                linestyle="-" if world.fitted else ":",
                label=world.name if world.fitted else f"{world.name} (outside)",
            )
        top = f"touching the top {populations[index].top}" if populations[index].top else "all ties"
        dress(panel, f"{rule_name(rule)}: {top}", "stated probability", "share of right orders")
        panel.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.grid(color=GRID, linewidth=0.6)
    legend = panels[0].legend(frameon=False, fontsize=8)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return figure
