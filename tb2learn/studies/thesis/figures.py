"""Tables 4.4 to 4.7: ties decided wrongly, printed and ours."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.report.frames import Frames, where
from tb2learn.report.style import COLOURS, blank_figure, draw_marks, dress


def errors_figure(frames: Frames) -> Figure:
    """Printed and ours with 95 % intervals, one panel per rule."""
    errors = frames["errors"]
    rules = errors["rule"].unique()
    figure = blank_figure(9.0, 3.6)
    panels = figure.subplots(1, len(rules), sharey=True, squeeze=False)[0]
    for panel, rule in zip(panels, rules, strict=True):
        rows = where(errors, rule=rule)
        places = np.arange(len(rows))
        for name, shift, colour in (("printed", -0.1, COLOURS[1]), ("ours", 0.1, COLOURS[0])):
            draw_marks(
                *(panel, rows, name, places + shift, colour), size=6.0, upright=True, label=name
            )
        dress(panel, rule, "", "")
        panel.set_xticks(places, [f"top {top}" for top in rows["top"]])
        panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    panels[0].set_ylabel("ties decided wrongly")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


FIGURES = {".png": errors_figure}
