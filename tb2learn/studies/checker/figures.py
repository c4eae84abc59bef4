"""The figure of the study of the checker: the share of agreeing cells by code and event."""

from __future__ import annotations

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from tb2learn.report.frames import Frames, where
from tb2learn.report.style import blank_figure, dress, heat_map


def codes_figure(frames: Frames) -> Figure:
    """A panel a kind of event: a row an event, a column a code with all its modifiers."""
    cells = frames["cells"]
    cells = cells.assign(head=cells["code"].str.split("[:/]").str[0])
    kinds = list(dict.fromkeys(cells["kind"]))
    rows = [where(cells, kind=kind)["event"].nunique() for kind in kinds]
    figure = blank_figure(13.0, 1.2 * len(kinds) + 0.36 * sum(rows))
    panels = figure.subplots(len(kinds), 1, squeeze=False, height_ratios=rows)[:, 0]
    norm = Normalize(0, 1)
    for panel, kind in zip(panels, kinds, strict=True):
        found = where(cells, kind=kind)
        events, heads = (list(dict.fromkeys(found[name])) for name in ("event", "head"))
        sums = found.groupby(["event", "head"])[["agreeing", "cells"]].sum()
        compared = sums["cells"].astype(float).where(sums["cells"] > 0)
        shares = (sums["agreeing"] / compared).unstack().loc[events, heads]
        values = np.ma.masked_invalid(shares.to_numpy(float))
        heat_map(panel, values, "cividis", norm)
        dress(panel, f"Events of {kind}", "", "", grid=False)
        panel.set_xticks(range(len(heads)), heads, rotation=60, ha="right", fontsize=8)
        panel.set_yticks(range(len(events)), events, fontsize=8, parse_math=False)
        panel.invert_yaxis()
    colours = ScalarMappable(norm, "cividis")
    figure.colorbar(colours, ax=list(panels), label="share of agreeing cells", fraction=0.02)
    return figure


FIGURES = {"codes.png": codes_figure}
