"""Leagues, formats and ties for the first place."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from tb2learn.report.frames import Frames, where, wide_with_ends
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, draw_marks, dress, shifts
from tb2learn.report.wording import rule_name
from tb2learn.studies.formats.deciding import WORLDS
from tb2learn.studies.formats.settling import RULES, tie_rule

_FAMILIES = {
    "Swiss": "rounds",
    "Swiss, then a final": "final",
    "round robin": "round robin",
    "multi-tier": "multi-tier",
}
"""Formats that a line joins, and what their names have in common."""


def formats_figure(frames: Frames) -> Figure:
    """How often the strongest wins, and Kendall's tau, by the number of games."""
    figure = blank_figure(11.0, 4.6 * len(WORLDS))
    panels = figure.subplots(len(WORLDS), 2, squeeze=False)
    titles = {"wins": "How often the strongest wins", "concordant": "Kendall's tau"}
    for row, world in zip(panels, WORLDS, strict=True):
        values = wide_with_ends(where(frames["formats"], world=world), "format", "what")
        for panel, (what, title) in zip(row, titles.items(), strict=True):
            for number, (family, part) in enumerate(_FAMILIES.items()):
                found = values[values["format"].str.contains(part)]
                style = {"color": COLOURS[number], "marker": MARKERS[number]}
                x, y, low, high = (
                    found[name] for name in ("games", what, f"{what}_low", f"{what}_high")
                )
                panel.plot(x, y, linewidth=1.2, markersize=6, label=family, **style)
                panel.vlines(x, low, high, color=COLOURS[number])
            dress(panel, f"{title}: {world}", "matches of the whole event", "")
    panels[0, 1].legend(frameon=False, fontsize=9, loc="lower right")
    return figure


def leagues_figure(frames: Frames) -> Figure:
    """Error of every rule over all ties, a panel a league."""
    figure = blank_figure(12.0, 3.4)
    leagues = frames["leagues"]["league"].unique()
    for panel, league in zip(figure.subplots(1, len(leagues)), leagues, strict=True):
        shown = where(frames["leagues"], league=league, top="all")[::-1]
        at = np.arange(len(shown))
        draw_marks(panel, shown, "error", at, COLOURS[0], size=5, width=3)
        panel.axvline(0.5, color=INK, linewidth=1)
        panel.set_yticks(at, [rule_name(rule) for rule in shown["rule"]])
        dress(panel, league, "ties decided wrongly (line: lots)", "")
        panel.tick_params(labelsize=7)
    return figure


def ties_figure(frames: Frames) -> Figure:
    """How often every tie-break settles ties for the first place wrongly, a panel a world."""
    figure = blank_figure(12.0, 9.0)
    for panel, world in zip(figure.subplots(1, len(WORLDS)), WORLDS, strict=True):
        found = where(frames["ties"], world=world, place=1)
        names = list(found["format"].unique())
        rules = RULES[world]
        for number, (rule, shift) in enumerate(zip(rules, shifts(len(rules), 0.8), strict=True)):
            some = where(found, rule=rule)
            at = [-names.index(name) - shift for name in some["format"]]
            marker, label = MARKERS[number], tie_rule(rule)
            draw_marks(panel, some, "wrong", at, COLOURS[number], marker=marker, label=label)
        panel.axvline(0.5, color=INK, linewidth=1)
        panel.set_yticks(-np.arange(len(names)), names)
        dress(panel, f"Ties for the first place: {world}", "decided wrongly (line: lots)", "")
        panel.legend(frameon=False, fontsize=8, ncol=3, loc="lower left", bbox_to_anchor=(0, 1.03))
    return figure


FIGURES = {
    "formats.png": formats_figure,
    "leagues.png": leagues_figure,
    "tiebreaks.png": ties_figure,
}
