"""Figures and pages: what was trained and judged, for people to read.

Figures are plain matplotlib ``Figure`` objects, never the global state of pyplot. A page is one
HTML file that asks nothing of a network: figures and styles are inside it. No arithmetic beyond
what it takes to show a number.
"""

from __future__ import annotations

import base64
import functools
import io
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2
import matplotlib
import numpy as np
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LogNorm, Normalize, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

import tb2learn
from tb2learn.assess import ALL, REPEATS, Assessment, ErrorRate
from tb2learn.checkpoint import SurfaceCheckpoint
from tb2learn.config import Config, to_dict
from tb2learn.events import Comparison, EventData, Working
from tb2learn.export import html
from tb2learn.export.table import game_points
from tb2learn.export.text import number
from tb2learn.export.words import how_to_use
from tb2learn.fit import frequencies
from tb2learn.limits import REFERENCES
from tb2learn.rules import PRODUCT, is_named
from tb2learn.surface import fail_probability, predict, shares
from tb2learn.tables import FULL_POINTS, LookupTable, product_table

# Okabe and Ito's palette, which colour-blind people can tell apart. Old rule first, then the new.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vP*"
_UP, _DOWN, SAME = COLOURS[0], COLOURS[1], "#8a8a8a"
INK, _GRID = "#222222", "#dddddd"

_TIMES, _MINUS = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}"

BINS = 20
"""Bins of predicted chance in the calibration figure."""

SLOPES = 40
"""Places in the slope chart of a comparison."""


# --------------------------------------------------------------------------- the surface


def surface_figure(table: LookupTable, product: LookupTable, own: int) -> Figure:
    """Points of every result at one own MP: learned, by the product rule, and their difference.

    **Arguments:**

    - `table`, `product`: a learned table and the product rule of the same format.
    - `own`: own match points, 0 .. 2*rounds.

    **Returns:** three heat maps above each other, opponent's match points across, game points up.
    The product rule is scaled to 0 .. 1000 (1000 for beating a team with full marks on all boards).
    """
    learned = table.points[own].T * table.unit
    scaled = product.points[own].T * (FULL_POINTS / product.points.max())
    rows, columns = learned.shape
    width = 1.8 + 0.41 * columns
    figure = blank_figure(max(width, 7.0), 3 * (1.0 + 0.27 * rows))
    panels = figure.subplots(3, 1, sharex=True)
    gap = learned - scaled
    reach = max(float(np.abs(gap).max()), 1.0)
    maps = (
        (f"Learned table, own MP {own}", learned, "cividis", Normalize(0, FULL_POINTS), "{:.0f}"),
        (
            f"Product rule (opponent MP {_TIMES} GP), scaled to 0 to {FULL_POINTS}",
            scaled,
            "cividis",
            Normalize(0, FULL_POINTS),
            "{:.0f}",
        ),
        ("Learned less product rule", gap, "PuOr", TwoSlopeNorm(0.0, -reach, reach), "{:+.0f}"),
    )
    for panel, (title, values, colours, norm, form) in zip(panels, maps, strict=True):
        mesh = _heat_map(panel, values, colours, norm)
        _write_values(panel, values, matplotlib.colormaps[colours], norm, form)
        dress(panel, title, "", "game points scored", grid=False)
        panel.set_yticks(range(rows), [game_points(i) for i in range(rows)])
        figure.colorbar(mesh, ax=panel, pad=0.012, label="table points")
    panels[-1].set_xlabel("opponent's match points (MP)")
    panels[-1].set_xticks(range(columns))
    return figure


def surface_slices_figure(table: LookupTable, own: Sequence[int] | None = None) -> Figure:
    """Points against the opponent's match points, one line a result, one panel an own MP.

    **Arguments:**

    - `table`: a learned table.
    - `own`: up to four own match points; 10, 14, 18 and 20 of 22, or the like, if not given.

    **Returns:** the figure.
    """
    most = table.points.shape[0] - 1
    own = own or sorted({round(most * share / 22) for share in (10, 14, 18, 20)})
    results = table.points.shape[2]
    colours = matplotlib.colormaps["viridis"](np.linspace(0.0, 0.92, results))
    figure = blank_figure(10.5, 4.0 * math.ceil(len(own) / 2))
    panels = figure.subplots(math.ceil(len(own) / 2), 2, sharey=True, squeeze=False)
    for panel in panels.flat[len(own) :]:
        panel.set_visible(False)
    for panel, points in zip(panels.flat, own, strict=False):
        for half_points in range(results):
            panel.plot(
                table.points[points, :, half_points] * table.unit,
                color=colours[half_points],
                linewidth=1.8,
                marker="o",
                markersize=2.5,
                label=f"{game_points(half_points)} GP",
            )
        up = "table points" if panel.get_subplotspec().is_first_col() else ""
        dress(panel, f"own MP {points}", "opponent's match points (MP)", up)
        panel.set_xlim(-0.3, most + 0.3)
        panel.set_ylim(-0.02 * FULL_POINTS, 1.02 * FULL_POINTS)
        panel.set_xticks(range(0, most + 1, 2))
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


# --------------------------------------------------------------------------- the fit


def calibration_figure(checkpoint: SurfaceCheckpoint) -> Figure:
    """Chance of failing, predicted and observed on events that were never fitted.

    All thresholds and all pairs of match points together, in bins of the predicted chance, weighted
    by matches.

    **Returns:** observed against predicted above, their difference below; areas of points grow with
    the number of matches.
    """
    log, surface = checkpoint.held_out, checkpoint.fit.surface
    grid = shares(surface.rounds)
    predicted = fail_probability(surface, grid, grid).ravel()
    observed, weight = (x.ravel() for x in frequencies(log))
    # Weights are shares of all matches; a match counts once a threshold.
    matches = weight * log.counts.sum() / log.unit * log.config.event.max_half_points
    which = np.minimum((predicted * BINS).astype(int), BINS - 1)
    total = np.bincount(which, matches, BINS)
    filled = total > 0
    mean_predicted, mean_observed = (
        np.bincount(which, matches * x, BINS)[filled] / total[filled] for x in (predicted, observed)
    )
    total = total[filled]
    area = _area(total / total.max())

    figure = blank_figure(7.0, 8.2)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    above.plot([0, 1], [0, 1], color=SAME, linewidth=1.0, linestyle="--", label="perfect")
    above.scatter(mean_predicted, mean_observed, s=area, color=COLOURS[0], alpha=0.75, linewidth=0)
    dress(above, "Predicted and observed chance of failing", "", "observed share of failures")
    above.set_ylim(-0.04, 1.04)
    for count in (1.0, 0.1, 0.01):
        above.scatter(
            [],
            [],
            s=_area(count),
            color=COLOURS[0],
            alpha=0.75,
            linewidth=0,
            label=f"{count * total.max():,.0f} matches",
        )
    figure.legend(loc="outside upper center", ncols=4, frameon=False, fontsize=9)
    below.axhline(0.0, color=SAME, linewidth=1.0, linestyle="--")
    gap = mean_observed - mean_predicted
    below.scatter(mean_predicted, gap, s=area, color=COLOURS[0], alpha=0.75, linewidth=0)
    reach = 1.35 * max(float(np.abs(gap).max()), 1e-4)
    below.set_ylim(-reach, reach)
    below.set_xlim(-0.04, 1.04)
    dress(below, "", "predicted chance of failing to reach the result", "observed less predicted")
    return figure


def _area(share: Any) -> Any:
    return 12.0 + 260.0 * share


def residual_figure(checkpoint: SurfaceCheckpoint) -> Figure:
    """Surface less raw log score, in table points, where the log has matches.

    **Returns:** a heat map of the mean absolute residual of every cell (weighted by how often each
    result occurs), one of the worst result of every cell, and all residuals against the number of
    matches in their cell.
    """
    log, surface = checkpoint.log, checkpoint.fit.surface
    grid = shares(surface.rounds)
    gap = FULL_POINTS * (predict(surface, grid, grid) - log.scores())  # NaN without matches
    matches = log.counts.sum(axis=-1) / log.unit
    empty = matches == 0
    share = log.counts / np.maximum(log.counts.sum(axis=-1, keepdims=True), 1)
    mean = np.ma.masked_array((share * np.abs(np.where(empty[..., None], 0.0, gap))).sum(-1), empty)
    worst = np.ma.masked_array(np.abs(np.where(empty[..., None], 0.0, gap)).max(-1), empty)

    figure = blank_figure(11.0, 9.6)
    panels = figure.subplot_mosaic([["mean", "worst"], ["matches", "matches"]])
    norm = LogNorm(0.1, FULL_POINTS, clip=True)
    for name, title, values in (
        ("mean", "Mean absolute residual", mean),
        ("worst", "Worst result of the cell", worst),
    ):
        mesh = _heat_map(panels[name], values, "cividis", norm)
        mesh.set_rasterized(True)
        dress(panels[name], title, "opponent's match points", "own match points", grid=False)
        panels[name].set_facecolor("#e4e4e4")
    bar = figure.colorbar(
        mesh,
        ax=[panels["mean"], panels["worst"]],
        pad=0.012,
        label="table points (grey: no match)",
    )
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))

    panel, results = panels["matches"], gap.shape[-1]
    colours = matplotlib.colormaps["viridis"](np.linspace(0.0, 0.92, results))
    for half_points in range(results):
        panel.scatter(
            matches[~empty],
            gap[~empty, half_points],
            s=7,
            color=colours[half_points],
            linewidth=0,
            alpha=0.6,
            label=f"{game_points(half_points)} GP",
            rasterized=True,
        )
    panel.axhline(0.0, color=INK, linewidth=0.8)
    panel.set_xscale("log")
    panel.set_yscale("symlog", linthresh=1.0, linscale=0.5)
    panel.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    dress(
        panel,
        "Residual and number of matches",
        "matches in the log, of one pair of match points",
        "surface less log (table points)",
    )
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=9,
        frameon=False,
        markerscale=2.0,
        fontsize=9,
        columnspacing=1.2,
        handletextpad=0.2,
    )
    return figure


def loss_figure(checkpoint: SurfaceCheckpoint) -> Figure:
    """Draw the penalised loss at every step of the optimiser, above the lowest one."""
    losses = checkpoint.fit.losses
    lowest = float(losses.min())
    # The optimiser counts in single precision; a smaller excess than this cannot be seen by it.
    resolution = float(np.spacing(np.float32(lowest)))
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


# --------------------------------------------------------------------------- judgement


def assessment_figure(assessment: Assessment) -> Figure:
    """Error rates by population, and the reduction against the first rule, with 95 % intervals."""
    by_rule: dict[str, list[ErrorRate]] = {}
    for result in assessment.results:
        by_rule.setdefault(result.rule, []).append(result)
    rules = list(by_rule)
    figure = blank_figure(10.5, 4.6)
    rates, reductions = figure.subplots(1, 2)
    for index, rule in enumerate(rules):
        colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
        style: dict[str, Any] = {"color": colour, "marker": marker}
        _intervals(rates, by_rule[rule], "error_rate", _dodge(index, len(rules)), style)
        if index > 0:
            _intervals(
                reductions, by_rule[rule], "reduction", _dodge(index - 1, len(rules) - 1), style
            )
        rates.plot([], [], linestyle="", markersize=7, label=_label(rule_name(rule), 40), **style)
    dress(rates, "Tied pairs decided wrongly", "", "share of tied pairs")
    dress(
        reductions,
        f"Relative reduction against the {_label(rule_name(rules[0]))}",
        "",
        "above 0: fewer errors, below 0: more",
    )
    reductions.axhline(0.0, color=INK, linewidth=1.0)
    names = [f"{population_name(r.top)}\n{r.pairs:,} pairs" for r in by_rule[rules[0]]]
    for panel in (rates, reductions):
        panel.set_xticks(range(len(names)), names)
        panel.set_xlim(-0.5, len(names) - 0.5)
        panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.xaxis.grid(False)
    top = rates.get_ylim()[1]
    rates.set_ylim(-0.03 * top, top)
    legend = figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return figure


def leaderboard_figure(assessment: Assessment) -> Figure:
    """Every rule's error rate with its 95 % interval, best first: a panel a population.

    Limits, which see more than results, are drawn hollow.
    """
    tops = list(dict.fromkeys(r.top for r in assessment.results))
    by_rule: dict[str, dict[int, ErrorRate]] = {}
    for result in assessment.results:
        by_rule.setdefault(result.rule, {})[result.top] = result
    last = tops[-1]
    order = sorted(by_rule, key=lambda rule: -np.nan_to_num(by_rule[rule][last].error_rate))
    figure = blank_figure(2.4 * len(tops) + 2.2, 0.3 * len(order) + 1.7)
    panels = figure.subplots(1, len(tops), sharey=True, squeeze=False)[0]
    for panel, top in zip(panels, tops, strict=True):
        for place, rule in enumerate(order):
            result = by_rule[rule][top]
            hollow = "none" if rule in REFERENCES else "full"
            colour = COLOURS[1] if rule == assessment.results[0].rule else COLOURS[0]
            if math.isfinite(result.error_rate):
                panel.plot(
                    result.error_rate, place, "o", color=colour, fillstyle=hollow, markersize=6
                )
                panel.hlines(place, *result.ci, color=colour, linewidth=2)
        dress(panel, population_name(top), "wrong", "")
        panel.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.xaxis.set_major_locator(MaxNLocator(4))
    panels[0].set_yticks(range(len(order)), [_label(rule_name(rule), 40) for rule in order])
    for text in panels[0].get_yticklabels():
        text.set_parse_math(False)
    return figure


def matrix_figure(
    values: np.ndarray, rows: Sequence[str], columns: Sequence[str], title: str
) -> Figure:
    """Shares as a heat map with the numbers in it: blue above zero, orange below."""
    figure = blank_figure(1.1 * len(columns) + 3.2, 0.42 * len(rows) + 2.6)
    panel = figure.subplots()
    farthest = max(0.01, float(np.nanmax(np.abs(values))))
    norm = TwoSlopeNorm(0.0, -farthest, farthest)
    panel.imshow(values, cmap="PuOr", norm=norm, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        ink = "white" if abs(value) > 0.7 * farthest else INK
        panel.text(column, row, f"{value:+.1%}", ha="center", va="center", color=ink, fontsize=8)
    panel.set_xticks(
        range(len(columns)), [_label(c, 40) for c in columns], rotation=35, ha="right", fontsize=8
    )
    panel.set_yticks(range(len(rows)), [_label(r, 40) for r in rows], fontsize=8)
    dress(panel, title, "judged in", "trained on", grid=False)
    return figure


def population_name(top: int) -> str:
    """What a population is called in figures and pages."""
    return "all tied pairs" if top == ALL else f"top {top}"


def _dodge(number: int, rules: int) -> float:
    """Where a rule's marks stand beside the middle of a population."""
    return (number - (rules - 1) / 2) * min(0.22, 0.8 / rules)


_FARTHEST = 1.0  # an interval of very few pairs may reach far out; it must not flatten the others


def _intervals(
    panel: Axes, results: Sequence[ErrorRate], value: str, offset: float, style: dict[str, Any]
) -> None:
    """One rule's values and intervals; what does not exist is not drawn."""
    for place, result in enumerate(results):
        x, y = place + offset, getattr(result, value)
        bounds = result.ci if value == "error_rate" else result.reduction_ci
        if math.isfinite(y):
            panel.plot(x, np.clip(y, -_FARTHEST, _FARTHEST), markersize=7, linestyle="", **style)
        if any(math.isnan(bound) for bound in bounds):
            continue
        panel.vlines(x, *np.clip(bounds, -_FARTHEST, _FARTHEST), color=style["color"], linewidth=2)
        for bound, arrow in zip(bounds, "v^", strict=True):
            if abs(bound) > _FARTHEST:  # the interval goes on beyond the arrow
                panel.plot(
                    x,
                    math.copysign(_FARTHEST, bound),
                    color=style["color"],
                    marker=arrow,
                    markersize=6,
                    fillstyle="none",
                )


def rule_name(name: str) -> str:
    """Say what a rule is called in figures and pages."""
    if name == PRODUCT:
        return "product rule"
    if name in REFERENCES:
        return f"limit: {name}"
    return name if is_named(name) else f"learned rule {name}"


# --------------------------------------------------------------------------- a real event


def comparison_figure(comparison: Comparison) -> Figure:
    """Old and new place: a slope chart of the first places, and a scatter of all teams."""
    before = comparison.teams
    after = sorted(before, key=lambda moved: moved.new.place)
    # Where teams share a place they still stand in different rows.
    old_row = {moved.team: row for row, moved in enumerate(before, start=1)}
    new_row = {moved.team: row for row, moved in enumerate(after, start=1)}
    shown = [m for m in before if min(old_row[m.team], new_row[m.team]) <= SLOPES]
    last = max(max(old_row[m.team], new_row[m.team]) for m in shown)
    last = min(last, SLOPES + SLOPES // 4)  # who comes from further down, comes from the frame

    figure = blank_figure(11.0, 2.0 + 0.2 * max(last, 28))
    panels = figure.subplot_mosaic(
        [["slopes", "scatter"], ["slopes", "moves"]],
        width_ratios=(1.0, 1.15),
        height_ratios=(1.3, 1.0),
    )
    slopes, scatter, moves = panels["slopes"], panels["scatter"], panels["moves"]
    for moved in shown:
        rows = old_row[moved.team], new_row[moved.team]
        colour = _direction(moved.up)
        slopes.plot(
            (0, 1),
            rows,
            color=colour,
            linewidth=1.8 if moved.up else 1.0,
            marker="o",
            markersize=3.5,
        )
        name = _label(moved.team, 26)
        style: dict[str, Any] = {"fontsize": 8, "va": "center", "color": INK, "parse_math": False}
        if rows[0] <= last:
            slopes.text(-0.06, rows[0], f"{name}  {moved.old.place}", ha="right", **style)
        if rows[1] <= last:
            slopes.text(1.06, rows[1], f"{moved.new.place}  {name}", ha="left", **style)
    slopes.set_xlim(-0.02, 1.02)
    slopes.set_ylim(last + 0.6, 0.4)
    dress(slopes, "", "", "", grid=False)
    slopes.set_yticks([])
    slopes.spines[:].set_visible(False)
    slopes.xaxis.tick_top()
    names = [
        rule_name(rule).replace("learned rule ", "learned rule\n")
        for rule in (comparison.old_rule, comparison.new_rule)
    ]
    slopes.set_xticks((0, 1), names, parse_math=False)
    slopes.tick_params(length=0)

    places = len(before)
    scatter.plot((1, places), (1, places), color=_GRID, linewidth=1.0)
    for sign, label in ((1, "higher place than before"), (-1, "lower place"), (0, "same place")):
        some = [m for m in before if np.sign(m.up) == sign]
        style = {"s": 16, "alpha": 0.85, "color": _direction(sign), "linewidth": 0}
        old, new = [m.old.place for m in some], [m.new.place for m in some]
        scatter.scatter(old, new, label=f"{label} ({len(some)})", **style)
        moves.scatter(old, [m.up for m in some], **style)
    across = f"place under the {_label(rule_name(comparison.old_rule))}"
    up = f"place under the\n{_label(rule_name(comparison.new_rule), 40)}"
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
    reach = 1.15 * max([2, *(abs(m.up) for m in before)])
    moves.set_ylim(-reach, reach)
    moves.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9, markerscale=1.8)
    return figure


def _direction(up: int) -> str:
    return _UP if up > 0 else _DOWN if up < 0 else SAME


# --------------------------------------------------------------------------- drawing


def blank_figure(width: float, height: float) -> Figure:
    """An empty figure in the house's style, sizes in inches."""
    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def dress(panel: Axes, title: str, across: str, up: str, grid: bool = True) -> None:
    """Give a panel its title, its labels and the house's style."""
    panel.set_title(title, fontsize=11, color=INK, loc="left", parse_math=False)
    panel.set_xlabel(across, fontsize=10, color=INK, parse_math=False)
    panel.set_ylabel(up, fontsize=10, color=INK, parse_math=False)
    panel.tick_params(labelsize=9, color=_GRID, labelcolor=INK)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color(_GRID)
    if grid:
        panel.grid(color=_GRID, linewidth=0.6)
        panel.set_axisbelow(True)


def _heat_map(panel: Axes, values: np.ndarray, colours: str, norm: Normalize) -> Any:
    """Cells as vector shapes, so that they stay sharp at any size."""
    edges = [np.arange(size + 1) - 0.5 for size in values.shape]
    return panel.pcolormesh(
        edges[1], edges[0], values, cmap=colours, norm=norm, edgecolors="white", linewidth=0.3
    )


def _write_values(
    panel: Axes, values: np.ndarray, colours: Colormap, norm: Normalize, form: str
) -> None:
    for (row, column), value in np.ndenumerate(values):
        text = form.format(value).replace("-", _MINUS) if round(value) else "0"
        red, green, blue, _ = colours(norm(value))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        panel.text(
            column,
            row,
            text,
            ha="center",
            va="center",
            fontsize=7.5,
            color="white" if dark else INK,
            parse_math=False,
        )


def _label(name: str, length: int = 28) -> str:
    """Make a name fit for a figure: one line, not too long, only what the font has."""
    font = font_manager.get_font(font_manager.findfont("DejaVu Sans"))
    plain = "".join(
        c if c.isprintable() and font.get_char_index(ord(c)) else "?"
        for c in " ".join(name.split())
    )
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def figure_png(figure: Figure) -> bytes:
    """A figure as a PNG picture; equal figures give equal ones."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=120, metadata={"Software": None})
    return buffer.getvalue()


def figure_uri(figure: Figure) -> str:
    """Turn a figure into the `data:` address of an SVG image; equal figures give equal ones."""
    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "tb2learn", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", dpi=120, metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


# --------------------------------------------------------------------------- words


def verdict(result: ErrorRate) -> str:
    """Say what an interval of the reduction allows to say.

    **Returns:** `fewer errors` or `more errors` if the whole interval lies on that side of zero,
    else (also where there is no interval) `no difference that these events could show`.
    """
    low, high = result.reduction_ci
    if low > 0.0:
        return "fewer errors"
    if high < 0.0:
        return "more errors"
    return "no difference that these events could show"


def finding(result: ErrorRate, first: ErrorRate) -> str:
    """One sentence on a rule and a population, with everything measured in it.

    **Arguments:**

    - `result`: of the rule.
    - `first`: of the rule it is compared with, on the same population.
    """
    who = f"that reach into the top {result.top}"
    who = {1: "for first place", ALL: "anywhere"}.get(result.top, who)
    if not result.pairs:
        return f"Ties {who}: there were none in these events."
    ours, theirs = (
        f"{percent(r.error_rate)} of them wrongly (95% interval {interval(r.ci)})"
        for r in (result, first)
    )
    rates = f"The {rule_name(result.rule)} decides {ours}, the {rule_name(first.rule)} {theirs}"
    measured = ""
    if not math.isnan(result.reduction):
        measured = f": {change(result.reduction)} (95% interval "
        measured += f"{interval(result.reduction_ci, change)})"
    return f"Ties {who} ({result.pairs:,} pairs): {verdict(result)}. {rates}{measured}."


def percent(value: float) -> str:
    """A share in percent, a dash for none."""
    return f"{value:.1%}" if math.isfinite(value) else "-"


def change(reduction: float) -> str:
    """A relative reduction in words: `3.1% fewer`, `2.0% more`."""
    if math.isnan(reduction):
        return "-"
    if math.isinf(reduction):
        return "more than none"
    size = f"{abs(reduction):.1%}"
    return "as many" if size == "0.0%" else f"{size} {'fewer' if reduction > 0 else 'more'}"


def interval(bounds: tuple[float, float], form: Any = percent) -> str:
    """Both ends of an interval, or `none` where there is no interval."""
    if any(math.isnan(bound) for bound in bounds):
        return "none"
    return " to ".join(form(bound) for bound in bounds)


def _protocol_name(assessment: Assessment) -> str:
    if assessment.protocol == "single":
        return "Single event: the evidence an arbiter has"
    return f"Thesis protocol, lists of opponents: {assessment.lists}"


def _seeding(config: Config) -> str:
    noise = config.field.seed_noise
    if math.isinf(noise):
        return "seeds drawn at random"
    return f"seeds by rating with {noise:g} points of noise" if noise else "seeds by true strength"


def _signed(up: int) -> str:
    return f"{up:+d}".replace("-", _MINUS) if up else "="


# --------------------------------------------------------------------------- pages


def quickstart_page(
    checkpoint: SurfaceCheckpoint,
    assessments: Sequence[Assessment],
    comparison: Comparison,
    explanation: Sequence[Working],
    timings: Mapping[str, float],
) -> str:
    """The report of `quickstart`: one HTML page that works offline.

    **Arguments:**

    - `checkpoint`: what was trained.
    - `assessments`: each in a section of its own; the first one also at the top.
    - `comparison`: a real event under the product rule and the trained table.
    - `explanation`: the working of the teams tied for its first place.
    - `timings`: seconds by step.

    **Returns:** the page; names in it are escaped.
    """
    table = checkpoint.rule()
    product = product_table(table.event_rounds, table.boards)
    own = round((table.points.shape[0] - 1) * 18 / 22)
    judged = []
    for assessment in assessments:
        first = {r.top: r for r in assessment.results if r.rule == assessment.results[0].rule}
        judged.append(
            {
                "about": assessment,
                "name": _protocol_name(assessment),
                "findings": [
                    finding(r, first[r.top])
                    for r in assessment.results
                    if r.rule != assessment.results[0].rule
                ],
                "figure": figure_uri(assessment_figure(assessment)),
            }
        )
    return _render(
        "quickstart.html",
        checkpoint=checkpoint,
        config=checkpoint.config,
        config_json=json.dumps(to_dict(checkpoint.config), indent=2),
        judged=judged,
        repeats=REPEATS,
        comparison=comparison,
        after=sorted(comparison.teams, key=lambda moved: moved.new.place),
        explanation=explanation,
        timings=timings,
        table=table,
        how_to_use=how_to_use(table),
        own=own,
        figures={
            "surface": figure_uri(surface_figure(table, product, own)),
            "slices": figure_uri(surface_slices_figure(table)),
            "calibration": figure_uri(calibration_figure(checkpoint)),
            "residual": figure_uri(residual_figure(checkpoint)),
            "loss": figure_uri(loss_figure(checkpoint)),
            "comparison": figure_uri(comparison_figure(comparison)),
        },
    )


def compare_page(event: EventData, comparison: Comparison, explanation: Sequence[Working]) -> str:
    """A real event under two rules: one HTML page that works offline.

    **Arguments:**

    - `event`, `comparison`: the event and its two standings.
    - `explanation`: the working of the teams tied for first place.

    **Returns:** the page; names in it are escaped.
    """
    return _render(
        "compare.html",
        event=event,
        comparison=comparison,
        after=sorted(comparison.teams, key=lambda moved: moved.new.place),
        explanation=explanation,
        figure=figure_uri(comparison_figure(comparison)),
    )


@functools.cache
def _environment() -> jinja2.Environment:
    environment = html.environment().overlay()
    environment.filters = environment.filters | {
        "count": "{:,}".format,
        "number": number,
        "game_points": game_points,
        "percent": percent,
        "change": change,
        "interval": interval,
        "verdict": verdict,
        "rule_name": rule_name,
        "population": population_name,
        "seeding": _seeding,
        "signed": _signed,
    }
    environment.globals = environment.globals | {
        "version": tb2learn.__version__,
        "reduction": change,
    }
    return environment


def _render(template: str, **content: Any) -> str:
    return _environment().get_template(template).render(**content)
