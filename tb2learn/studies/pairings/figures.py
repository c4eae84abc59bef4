"""Agreement by round; errors on events of both pairings."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from tb2learn.report.frames import Frames, where
from tb2learn.report.style import COLOURS, MARKERS, blank_figure, draw_marks, dress
from tb2learn.studies.pairings.measure import RULES
from tb2learn.studies.pairings.summary import name_of


def pairings_figure(frames: Frames) -> Figure:
    """Both, errors over all ties, a panel a size."""
    sizes = list(frames["sizes"].itertuples())
    figure = blank_figure(11.0, 4.2)
    agreement, *panels = figure.subplots(1, 1 + len(sizes))
    for number, size in enumerate(sizes):
        found = where(frames["agreement"], players=size.players, what="pair")
        style = {"color": COLOURS[number], "marker": MARKERS[number]}
        label = f"{size.players} x {size.rounds}"
        agreement.plot(found["round"], found["share"], label=label, **style)
        agreement.vlines(found["round"], found["low"], found["high"], color=COLOURS[number])
    agreement.set_ylim(0, 1.02)
    agreement.legend(frameon=False)
    dress(agreement, "Pairs that are the engine's", "round", "share")
    at = np.arange(len(RULES))
    for panel, size in zip(panels, sizes, strict=True):
        errors = where(frames["errors"], players=size.players, top="all")[::-1]
        for number, what in enumerate(("ours", "engine")):
            some, shift = where(errors, what=what), 0.12 - 0.24 * number
            style = {"marker": MARKERS[number], "size": 6, "width": 3, "label": what}
            draw_marks(panel, some, "value", at + shift, COLOURS[number], **style)
        panel.set_yticks(at, [name_of(rule) for rule in RULES[::-1]])
        panel.tick_params(labelsize=8)
        panel.legend(frameon=False, fontsize=8)
        dress(panel, f"{size.players} x {size.rounds}", "ties decided wrongly", "")
    return figure


FIGURES = {"pairings.png": pairings_figure}
