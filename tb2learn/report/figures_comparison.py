"""Figures of an event's old and new places."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tb2learn.events import Comparison, Moved
from tb2learn.report.style import GRID, INK, blank_figure, dress, short_name
from tb2learn.report.wording import direction, rule_name

SLOPES = 40
"""How many places the slope chart shows."""


def comparison_figure(comparison: Comparison) -> Figure:
    """Old and new places: a slope chart of the first ones, and a scatter plot of all teams."""
    teams = comparison.teams
    # Teams that share a place have different rows.
    rows: dict[str, tuple[int, int]] = {}
    after = sorted(teams, key=lambda moved: moved.new.place)
    new_row = {moved.team: row for row, moved in enumerate(after, start=1)}
    for row, moved in enumerate(teams, start=1):
        rows[moved.team] = row, new_row[moved.team]
    shown = [moved for moved in teams if min(rows[moved.team]) <= SLOPES]
    # A line from a place below the chart starts at its lower edge.
    last = min(max(max(rows[moved.team]) for moved in shown), SLOPES + SLOPES // 4)

    figure = blank_figure(11.0, 2.0 + 0.2 * max(last, 28))
    panels = figure.subplot_mosaic(
        [["slopes", "scatter"], ["slopes", "moves"]],
        width_ratios=(1.0, 1.15),
        height_ratios=(1.3, 1.0),
    )
    for moved in shown:
        _slope(panels["slopes"], moved, rows[moved.team], last)
    _dress_slopes(panels["slopes"], comparison, last)
    _all_places(panels["scatter"], panels["moves"], comparison)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9, markerscale=1.8)
    return figure


def _slope(panel: Axes, moved: Moved, rows: tuple[int, int], last: int) -> None:
    """The line of a team from its old row to its new one, named at both ends."""
    panel.plot(
        (0, 1),
        rows,
        color=direction(moved.up),
        linewidth=1.8 if moved.up else 1.0,
        marker="o",
        markersize=3.5,
    )
    name = short_name(moved.team, 26)
    style: dict[str, Any] = {"fontsize": 8, "va": "center", "color": INK, "parse_math": False}
    if rows[0] <= last:
        panel.text(-0.06, rows[0], f"{name}  {moved.old.place}", ha="right", **style)
    if rows[1] <= last:
        panel.text(1.06, rows[1], f"{moved.new.place}  {name}", ha="left", **style)


def _dress_slopes(panel: Axes, comparison: Comparison, last: int) -> None:
    """Write the names of both rules above the slope chart, and remove its axes."""
    panel.set_xlim(-0.02, 1.02)
    panel.set_ylim(last + 0.6, 0.4)
    dress(panel, "", "", "", grid=False)
    panel.set_yticks([])
    panel.spines[:].set_visible(False)
    panel.xaxis.tick_top()
    names = [
        rule_name(rule).replace("learned rule ", "learned rule\n")
        for rule in (comparison.old_rule, comparison.new_rule)
    ]
    panel.set_xticks((0, 1), names, parse_math=False)
    panel.tick_params(length=0)


def _all_places(scatter: Axes, moves: Axes, comparison: Comparison) -> None:
    """Plot new place, and places gained, against the old place of all teams."""
    teams = comparison.teams
    places = len(teams)
    scatter.plot((1, places), (1, places), color=GRID, linewidth=1.0)
    for sign, label in ((1, "higher place than before"), (-1, "lower place"), (0, "same place")):
        some = [m for m in teams if np.sign(m.up) == sign]
        style = {"s": 16, "alpha": 0.85, "color": direction(sign), "linewidth": 0}
        old, new = [m.old.place for m in some], [m.new.place for m in some]
        scatter.scatter(old, new, label=f"{label} ({len(some)})", **style)
        moves.scatter(old, [m.up for m in some], **style)
    across = f"place under the {short_name(rule_name(comparison.old_rule))}"
    up = f"place under the\n{short_name(rule_name(comparison.new_rule), 40)}"
    dress(scatter, f"All {places} teams", across, up)
    dress(moves, "Places gained", across, "places gained under the new rule")
    margin = 0.02 * places + 0.5
    step = next(s for s in (5, 10, 20, 25, 50, 100, 200) if places / s <= 10)
    ticks = [1, *range(step, places + 1, step)]
    for panel in (scatter, moves):
        panel.set_xlim(1 - margin, places + margin)
        panel.set_xticks(ticks)
    scatter.set_ylim(places + margin, 1 - margin)
    scatter.set_yticks(ticks)
    reach = 1.15 * max([2, *(abs(m.up) for m in teams)])
    moves.set_ylim(-reach, reach)
    moves.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
