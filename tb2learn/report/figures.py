"""Figures of error rates, of an event's old and new places, and of a trained table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from tb2learn.events import Comparison, PlaceChange
from tb2learn.export.rule_names import called, colours
from tb2learn.export.table import game_points
from tb2learn.report.style import (
    COLOURS,
    GRID,
    INK,
    MARKERS,
    SAME,
    TIMES,
    blank_figure,
    draw_marks,
    dress,
    heat_map,
    in_percent,
    plain_legend,
    short_name,
    write_values,
)
from tb2learn.report.wording import direction, population_name
from tb2learn.tiebreaks.library import REFERENCES
from tb2learn.tiebreaks.rules import FULL_POINTS, Rule, product_table
from tb2learn.training.difficulty_picture import DifficultyPicture
from tb2learn.training.fit_surface import frequencies
from tb2learn.training.objectives import Checkpoint, difficulty_logs, difficulty_surface
from tb2learn.training.surface import fail_probability, share_grid

SLOPES = 40
"""How many places the slope chart shows."""

BINS = 20
"""Number of bins of predicted chance in the calibration figure."""


# --------------------------------------------------------------------------- error rates


def best_first(frame: pd.DataFrame) -> list[str]:
    """The rules, sorted by their error rate on the last population; of equals the later first."""
    last = frame[frame["top"] == frame["top"].iloc[-1]].fillna({"error": 0.0})
    worst_first = last.sort_values("error", ascending=False, kind="stable")
    return worst_first["rule"].tolist()[::-1]


def errors_figure(frame: pd.DataFrame) -> Figure:
    """Every rule's error rate with its 95 % interval, best first, one panel per population.

    References, which use more than results, are drawn hollow. All panels have one scale.

    **Arguments:** `frame`: of `error_rates.rates`, the rule that others are compared with first.
    """
    tops, first = frame["top"].unique().tolist(), frame["rule"].iloc[0]
    # A vertical axis grows upwards: the best one is drawn last.
    order, colour_of = best_first(frame)[::-1], colours(frame["rule"])
    figure = blank_figure(2.4 * len(tops) + 2.2, 0.3 * len(order) + 1.7)
    panels = figure.subplots(1, len(tops), sharex=True, sharey=True, squeeze=False)[0]
    for panel, top in zip(panels, tops, strict=True):
        rates = frame[(frame["top"] == top) & np.isfinite(frame["error"])].set_index("rule")
        for place, rule in enumerate(order):
            # Not every rule is judged in every population.
            if rule in rates.index:
                # What uses more than results is no candidate.
                hollow = "none" if rule in REFERENCES else "full"
                style: dict[str, Any] = {"size": 6.0, "fillstyle": hollow}
                draw_marks(panel, rates.loc[[rule]], "error", place, colour_of[rule], **style)
        dress(panel, population_name(top), "wrong", "")
        in_percent(panel.xaxis)
        panel.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    names = [short_name(called(rule), 40) for rule in order]
    panels[0].set_yticks(range(len(order)), names, parse_math=False)
    marks: list[tuple[str, str, Literal["full", "none"]]] = [
        (f"{called(first)}, with which others are compared", colour_of[first], "full"),
    ]
    if set(order) & {*REFERENCES}:
        marks.append(("references, which use more than results", INK, "none"))
    _explain_marks(figure, marks)
    return figure


def _explain_marks(figure: Figure, marks: list[tuple[str, str, Literal["full", "none"]]]) -> None:
    """A legend of round marks below a figure: their meaning, colour and filling."""
    style: dict[str, Any] = {"marker": "o", "markersize": 6.0, "linestyle": ""}
    handles = [
        Line2D([], [], color=colour, fillstyle=fill, label=label, **style)
        for label, colour, fill in marks
    ]
    where: dict[str, Any] = {"loc": "outside lower center", "ncols": 3}
    plain_legend(figure.legend(handles=handles, frameon=False, fontsize=9, **where))


def others_figure(found: pd.DataFrame) -> Figure:
    """The share of orders that hang on a match of others, by rule and population.

    **Arguments:** `found`: of `dependence.dependence`.
    """
    figure, tops = blank_figure(6.5, 2.6), found["top"].unique().tolist()
    panel = figure.subplots()
    colour_of = colours(found["rule"])
    for number, (rule, rows) in enumerate(found.groupby("rule", sort=False)):
        at = np.arange(len(rows)) + 0.12 * number  # beside those of the rule before
        colour, name = colour_of[str(rule)], called(str(rule))
        marker = MARKERS[number % len(MARKERS)]
        draw_marks(panel, rows, "hanging", at, colour, marker=marker, upright=True, label=name)
    dress(panel, "Orders of ties that hang on a match of others", "", "")
    panel.set_xticks(range(len(tops)), [population_name(top) for top in tops])
    # Whole per cent would label several lines alike where next to nothing hangs.
    panel.set_ylim(bottom=0, top=max(0.05, panel.get_ylim()[1]))
    in_percent(panel.yaxis)
    plain_legend(panel.legend(fontsize=9, frameon=False))
    return figure


# --------------------------------------------------------------------------- places


def comparison_figure(comparison: Comparison) -> Figure:
    """Old and new places: a slope chart of the first ones, and a scatter plot of all teams."""
    rows, last = _slope_rows(comparison, SLOPES)
    figure = blank_figure(11.0, 2.0 + 0.2 * max(last, 28))
    panels = figure.subplot_mosaic(
        [["slopes", "scatter"], ["slopes", "moves"]],
        width_ratios=(1.0, 1.15),
        height_ratios=(1.3, 1.0),
    )
    _draw_slopes(panels["slopes"], comparison, rows, last)
    _all_places(panels["scatter"], panels["moves"], comparison)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9, markerscale=1.8)
    return figure


def slopes_figure(comparison: Comparison, first: int = SLOPES) -> Figure:
    """The slope chart of the first places alone: old places left, new ones right.

    **Arguments:** `first`: how many places. A team has a line if its old or new place is one.
    """
    rows, last = _slope_rows(comparison, first)
    figure = blank_figure(7.0, 0.6 + 0.2 * last)
    _draw_slopes(figure.subplots(), comparison, rows, last)
    return figure


def _slope_rows(comparison: Comparison, first: int) -> tuple[dict[str, tuple[int, int]], int]:
    """The old and new row of every team of a slope chart, and the last row that it shows."""
    # Teams that share a place have different rows.
    after = sorted(comparison.teams, key=lambda moved: moved.new.place)
    new_row = {moved.team: row for row, moved in enumerate(after, start=1)}
    rows = {m.team: (row, new_row[m.team]) for row, m in enumerate(comparison.teams, start=1)}
    near_top = {team: both for team, both in rows.items() if min(both) <= first}
    # A line from a place below the chart starts at its lower edge.
    return near_top, min(max(map(max, near_top.values())), first + first // 4)


def _draw_slopes(
    panel: Axes, comparison: Comparison, rows: dict[str, tuple[int, int]], last: int
) -> None:
    """The lines of all teams that have a row, below the names of both rules."""
    for moved in comparison.teams:
        if moved.team in rows:
            _slope(panel, moved, rows[moved.team], last)
    _dress_slopes(panel, comparison, last)


def _slope(panel: Axes, moved: PlaceChange, rows: tuple[int, int], last: int) -> None:
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
    # A dollar sign in a name is no formula.
    style: dict[str, Any] = {"fontsize": 8, "va": "center", "color": INK, "parse_math": False}
    # A team from below the chart has a name at one end only.
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
    names = [called(rule) for rule in (comparison.old_rule, comparison.new_rule)]
    panel.set_xticks((0, 1), names, parse_math=False)
    panel.tick_params(length=0)


def _all_places(scatter: Axes, moves: Axes, comparison: Comparison) -> None:
    """Plot new place, and places gained, against the old place of all teams."""
    teams = comparison.teams
    places = len(teams)
    scatter.plot((1, places), (1, places), color=GRID, linewidth=1.0)
    for sign, label in ((1, "higher place than before"), (-1, "lower place"), (0, "same place")):
        movers = [m for m in teams if np.sign(m.up) == sign]
        style = {"s": 16, "alpha": 0.85, "color": direction(sign), "linewidth": 0}
        old, new = [m.old.place for m in movers], [m.new.place for m in movers]
        scatter.scatter(old, new, label=f"{label} ({len(movers)})", **style)
        moves.scatter(old, [m.up for m in movers], **style)
    across = f"place under {short_name(called(comparison.old_rule))}"
    up = f"place under\n{short_name(called(comparison.new_rule), 40)}"
    dress(scatter, f"All {places} teams", across, up)
    dress(moves, "Places gained", across, "places gained under the new rule")
    # So that no mark is cut at the edge.
    margin = 0.02 * places + 0.5
    # At most ten ticks, at round numbers.
    step = next(s for s in (5, 10, 20, 25, 50, 100, 200) if places / s <= 10)
    ticks = [1, *range(step, places + 1, step)]
    for panel in (scatter, moves):
        panel.set_xlim(1 - margin, places + margin)
        panel.set_xticks(ticks)
    # The first place is at the top.
    scatter.set_ylim(places + margin, 1 - margin)
    scatter.set_yticks(ticks)
    # The same reach up and down, so that 0 is in the middle.
    reach = 1.15 * max([2, *(abs(m.up) for m in teams)])
    moves.set_ylim(-reach, reach)
    moves.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))


# --------------------------------------------------------------------------- a trained table


def surface_figure(table: Rule, product: Rule, own: int) -> Figure:
    """Points of every result at one own MP: of a table, by FIDE's rule, and their difference.

    **Arguments:**

    - `table`, `product`: a table and FIDE's rule for the same format.
    - `own`: own match points, 0 .. 2*rounds.

    **Returns:** three heat maps above each other: opponent's match points across, game points up.
    FIDE's rule is scaled to 0..1000; 1000 is a win on all boards against a team with the most
    match points.
    """
    learned = table.tables[0, own].T * table.unit
    # Both rules on one scale, whose end is the best possible result.
    scaled = product.tables[0, own].T * (FULL_POINTS / product.tables.max())
    # Large formats have larger pictures, with numbers of one size.
    rows, columns = learned.shape
    width = 1.8 + 0.41 * columns
    figure = blank_figure(max(width, 7.0), 3 * (1.0 + 0.27 * rows))
    panels = figure.subplots(3, 1, sharex=True)
    gap = learned - scaled
    # Equal tables would have a scale without a length.
    reach = max(float(np.abs(gap).max()), 1.0)
    as_points = "cividis", Normalize(0, FULL_POINTS), "{:.0f}"
    own_name, today = called(table.name), called(product.name)
    rule = f"{today} (opponent MP {TIMES} GP), scaled to 0 to {FULL_POINTS}"
    maps = (
        (f"{own_name}, own MP {own}", learned, *as_points),
        (rule, scaled, *as_points),
        (f"{own_name} less {today}", gap, "PuOr", TwoSlopeNorm(0.0, -reach, reach), "{:+.0f}"),
    )
    for panel, map_of_panel in zip(panels, maps, strict=True):
        _draw_points(figure, panel, *map_of_panel, up="game points scored", unit="table points")
    panels[-1].set_xlabel("opponent's match points (MP)")
    panels[-1].set_xticks(range(columns))
    return figure


def rule_figure(rule: Rule, own: int | None = None) -> Figure:
    """The points of a table for some own match points; of one pass with those of FIDE's rule.

    **Arguments:**

    - `rule`: a rule with tables.
    - `own`: match points, 0 .. 2*rounds; 18 of 22, or as many of other rounds, if not given.
    """
    if own is None:
        own = round(2 * rule.event_rounds * 18 / 22)
    if rule.in_passes:
        return table_figure(rule, own)
    return surface_figure(rule, product_table(rule.event_rounds, rule.boards), own)


def difficulty_figure(picture: DifficultyPicture) -> Figure:
    """The difficulty of results as counted in the log, above that of the smooth surface.

    **Returns:** two heat maps: opponent's match points across, game points up; empty where the log
    has no match.
    """
    columns, rows = picture.log.shape
    figure = blank_figure(max(1.8 + 0.41 * columns, 7.0), 2 * (1.0 + 0.27 * rows))
    panels = figure.subplots(2, 1, sharex=True)
    as_points = "cividis", Normalize(0, FULL_POINTS), "{:.0f}"
    for panel, title, points in zip(panels, picture.titles(), picture[1:3], strict=True):
        unit = f"fail, of {FULL_POINTS}"
        _draw_points(figure, panel, title, points.T, *as_points, up="game points", unit=unit)
    panels[-1].set_xlabel("opponent's match points (MP)")
    panels[-1].set_xticks(range(columns))
    return figure


def table_figure(rule: Rule, own: int) -> Figure:
    """The points of the last pass of a table at one own MP.

    **Arguments:** `rule`: a rule with tables; `own`: own match points, 0 .. 2*rounds.

    **Returns:** a heat map: what the opponent counts as across, game points up.
    """
    width = 2 * rule.event_rounds + 1
    # Columns of refined opponents beyond the ends stay out.
    first = rule.columns.index(0)
    points = rule.tables[-1, own, first : first + width].T
    figure = blank_figure(max(1.8 + 0.41 * width, 7.0), 1.6 + 0.27 * len(points))
    panel = figure.subplots()
    reach = max(float(np.abs(points).max()), 1.0)
    norm = TwoSlopeNorm(0.0, -reach, reach)
    title = f"{rule.name}, own MP {own}, pass {rule.passes}"
    _draw_points(figure, panel, title, points, "PuOr", norm, "{:.0f}", "game points", "points")
    panel.set_xlabel("match points that the opponent counts as")
    panel.set_xticks(range(width))
    return figure


def _draw_points(
    figure: Figure,
    panel: Axes,
    title: str,
    values: np.ndarray,
    colours: str,
    norm: Normalize,
    form: str,
    up: str,
    unit: str,
) -> None:
    """A heat map of points with its numbers: opponents across, game points up."""
    mesh = heat_map(panel, values, colours, norm)
    write_values(panel, values, matplotlib.colormaps[colours], norm, form)
    dress(panel, title, "", up, grid=False)
    panel.set_yticks(range(len(values)), [game_points(i) for i in range(len(values))])
    figure.colorbar(mesh, ax=panel, pad=0.012, label=unit)


def surface_slices_figure(table: Rule, own: Sequence[int] | None = None) -> Figure:
    """Points against the opponent's match points: one line per result, one panel per own MP.

    **Arguments:**

    - `table`: a learned table of one pass.
    - `own`: up to four own match points; the default is 10, 14, 18 and 20 of 22, scaled to other
      numbers of rounds.

    **Returns:** the figure.
    """
    (points_of,) = table.tables
    most_mp = len(points_of) - 1
    own = own or sorted({round(most_mp * share / 22) for share in (10, 14, 18, 20)})
    results = points_of.shape[2]
    # The lightest yellow is not seen on white.
    colours = matplotlib.colormaps["viridis"](np.linspace(0.0, 0.92, results))
    figure = blank_figure(10.5, 4.0 * math.ceil(len(own) / 2))
    panels = figure.subplots(math.ceil(len(own) / 2), 2, sharey=True, squeeze=False)
    # An odd number leaves one panel over.
    for panel in panels.flat[len(own) :]:
        panel.set_visible(False)
    for panel, points in zip(panels.flat, own, strict=False):
        for half_points in range(results):
            panel.plot(
                points_of[points, :, half_points] * table.unit,
                color=colours[half_points],
                linewidth=1.8,
                marker="o",
                markersize=2.5,
                label=f"{game_points(half_points)} GP",
            )
        up = "table points" if panel.get_subplotspec().is_first_col() else ""
        dress(panel, f"own MP {points}", "opponent's match points (MP)", up)
        panel.set_xlim(-0.3, most_mp + 0.3)
        panel.set_ylim(-0.02 * FULL_POINTS, 1.02 * FULL_POINTS)
        panel.set_xticks(range(0, most_mp + 1, 2))
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(
        handles[::-1],
        labels[::-1],
        loc="outside right center",
        frameon=False,
        title="game points\nscored",
        fontsize=9,
        title_fontsize=9,
    )
    return figure


def calibration_figure(checkpoint: Checkpoint) -> Figure:
    """The chance of not reaching a result, predicted and observed on held-out events.

    **Arguments:** `checkpoint`: of a difficulty surface, such as the first chapter of another.

    All results and all pairs of match points together, in bins of the predicted chance, weighted by
    matches.

    **Returns:** observed against predicted above, their difference below; the area of a point grows
    with its number of matches.
    """
    log, surface = difficulty_logs(checkpoint)[1], difficulty_surface(checkpoint)
    grid = share_grid(surface.rounds)
    predicted = fail_probability(surface, grid, grid).ravel()
    observed, weight = (x.ravel() for x in frequencies(log))
    # Weights are shares of all matches; a match counts once per threshold.
    matches = weight * log.counts.sum() / log.unit * log.config.event.max_half_points
    # A chance of exactly 1 belongs to the last bin.
    which = np.minimum((predicted * BINS).astype(int), BINS - 1)
    total = np.bincount(which, matches, BINS)
    # A mean needs at least one match.
    filled = total > 0
    mean_predicted, mean_observed = (
        np.bincount(which, matches * x, BINS)[filled] / total[filled] for x in (predicted, observed)
    )
    total = total[filled]
    area = _area(total / total.max())

    figure = blank_figure(7.0, 8.2)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    above.plot([0, 1], [0, 1], color=SAME, linewidth=1.0, linestyle="--", label="perfect")
    style: dict[str, Any] = {"color": COLOURS[0], "alpha": 0.75, "linewidth": 0}
    above.scatter(mean_predicted, mean_observed, s=area, **style)
    dress(above, "Predicted and observed chance of failing", "", "observed share of failures")
    # So that marks at 0 and 1 are whole.
    above.set_ylim(-0.04, 1.04)
    # Marks of known size, for the legend.
    for count in (1.0, 0.1, 0.01):
        above.scatter([], [], s=_area(count), label=f"{count * total.max():,.0f} matches", **style)
    figure.legend(loc="outside upper center", ncols=4, frameon=False, fontsize=9)
    below.axhline(0.0, color=SAME, linewidth=1.0, linestyle="--")
    gap = mean_observed - mean_predicted
    below.scatter(mean_predicted, gap, s=area, **style)
    reach = 1.35 * max(float(np.abs(gap).max()), 1e-4)
    below.set_ylim(-reach, reach)
    below.set_xlim(-0.04, 1.04)
    dress(below, "", "predicted chance of failing to reach the result", "observed less predicted")
    return figure


def _area(share: Any) -> Any:
    return 12.0 + 260.0 * share


def loss_figure(checkpoint: Checkpoint) -> Figure:
    """The penalised loss at every step of the optimiser, minus the lowest one."""
    losses = checkpoint.arrays["losses"]
    lowest = float(losses.min())
    # Losses are in single precision, which does not resolve smaller differences than this.
    resolution = float(np.spacing(np.float32(lowest)))
    # On a logarithmic axis nothing may be 0.
    excess = np.maximum(losses - lowest, resolution)
    figure = blank_figure(8.5, 3.8)
    panel = figure.subplots()
    panel.plot(np.arange(1, len(losses) + 1), excess, color=COLOURS[0], linewidth=1.5)
    panel.axhline(resolution, color=SAME, linewidth=1.0, linestyle="--")
    panel.annotate(
        "single precision",
        (1.0, resolution),
        xycoords=panel.get_yaxis_transform(),
        xytext=(-2, -5),
        textcoords="offset points",
        fontsize=9,
        color=INK,
        ha="right",
        va="top",
    )
    panel.set_yscale("log")
    panel.set_ylim(resolution / 5.0, max(3.0 * float(excess.max()), 30.0 * resolution))
    dress(
        panel,
        "Training, from the closed-form start",
        "step of the optimiser",
        f"loss above its lowest, {lowest:.6f}",
    )
    return figure
