"""The figure of the study of leagues: what every rule decides wrongly, and how sure that is."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.report.frames import Frames, where
from tb2learn.report.style import (
    COLOURS,
    INK,
    MARKERS,
    blank_figure,
    draw_marks,
    dress,
    legend_below,
    shifts,
)
from tb2learn.studies.leagues.summary import named


def differences_figure(frames: Frames) -> Figure:
    """By how much more often each rule is wrong than the first: a panel a world.

    Thick lines are intervals over draws, thin ones over teams.
    """
    results = named(frames["results"])
    worlds, every = results["world"].unique(), results["rounds"].unique()
    rules = results["name"].unique()[:0:-1]
    figure = blank_figure(5.2 * len(worlds) + 1.4, 0.42 * len(rules) + 1.8)
    panels = figure.subplots(1, len(worlds), sharey=True, squeeze=False)[0]
    for panel, world in zip(panels, worlds, strict=True):
        for number, (rounds, shift) in enumerate(zip(every, shifts(len(every), 0.6), strict=True)):
            rows = where(results, world=world, rounds=rounds).set_index("name")
            rows = rows.reindex([name for name in rules if name in rows.index])
            at = [list(rules).index(name) - shift for name in rows.index]
            ends = rows[["teams_low", "teams_high"]].to_numpy().T
            panel.hlines(at, *ends, color=COLOURS[number], linewidth=0.8)
            draw_marks(
                *(panel, rows, "more", at, COLOURS[number]),
                marker=MARKERS[number],
                width=3.0,
            )
        panel.axvline(0.0, color=INK, linewidth=1.0)
        dress(panel, world.capitalize(), f"wrong more often than {results['name'].iloc[0]}", "")
        panel.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    panels[0].set_yticks(range(len(rules)), rules, parse_math=False)
    marks = zip((f"after {rounds} rounds" for rounds in every), MARKERS, COLOURS, strict=False)
    legend_below(figure, marks, 9)
    return figure


FIGURES = {"leagues.png": differences_figure}
