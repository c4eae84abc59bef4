"""Figures and pages: what was trained and judged, for people to read.

Figures are plain matplotlib ``Figure`` objects, never the global state of pyplot. A page is one
HTML file that asks nothing of a network: figures and styles are inside it. No arithmetic beyond
what it takes to show a number.
"""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LogNorm, Normalize, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter

from tb2learn.assess import Assessment, Result
from tb2learn.checkpoint import Checkpoint
from tb2learn.export.table import game_points
from tb2learn.fit import frequencies
from tb2learn.surface import fail_probability, predict, shares
from tb2learn.tables import FULL_POINTS, LookupTable

# Okabe and Ito's palette, which colour-blind people can tell apart. Old rule first, then the new.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "osD^vP*"
_UP, _DOWN, _SAME = _COLOURS[0], _COLOURS[1], "#8a8a8a"
_INK, _GRID = "#222222", "#dddddd"

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
    figure = _figure(max(width, 7.0), 3 * (1.0 + 0.27 * rows))
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
        _dress(panel, title, "", "game points scored", grid=False)
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
    figure = _figure(10.5, 4.0 * math.ceil(len(own) / 2))
    panels = figure.subplots(math.ceil(len(own) / 2), 2, sharex=True, sharey=True, squeeze=False)
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
        _dress(panel, f"own MP {points}", "opponent's match points (MP)", "table points")
        panel.label_outer()
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


def calibration_figure(checkpoint: Checkpoint) -> Figure:
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

    figure = _figure(7.0, 8.2)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    above.plot([0, 1], [0, 1], color=_SAME, linewidth=1.0, linestyle="--", label="perfect")
    above.scatter(mean_predicted, mean_observed, s=area, color=_COLOURS[0], alpha=0.75, linewidth=0)
    _dress(above, "Predicted and observed chance of failing", "", "observed share of failures")
    above.set_ylim(-0.04, 1.04)
    for count in (1.0, 0.1, 0.01):
        above.scatter(
            [],
            [],
            s=_area(count),
            color=_COLOURS[0],
            alpha=0.75,
            linewidth=0,
            label=f"{count * total.max():,.0f} matches",
        )
    figure.legend(loc="outside upper center", ncols=4, frameon=False, fontsize=9)
    below.axhline(0.0, color=_SAME, linewidth=1.0, linestyle="--")
    gap = mean_observed - mean_predicted
    below.scatter(mean_predicted, gap, s=area, color=_COLOURS[0], alpha=0.75, linewidth=0)
    reach = 1.35 * max(float(np.abs(gap).max()), 1e-4)
    below.set_ylim(-reach, reach)
    below.set_xlim(-0.04, 1.04)
    _dress(below, "", "predicted chance of failing to reach the result", "observed less predicted")
    return figure


def _area(share: Any) -> Any:
    return 12.0 + 260.0 * share


def residual_figure(checkpoint: Checkpoint) -> Figure:
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

    figure = _figure(11.0, 9.6)
    panels = figure.subplot_mosaic([["mean", "worst"], ["matches", "matches"]])
    norm = LogNorm(0.1, FULL_POINTS, clip=True)
    for name, title, values in (
        ("mean", "Mean absolute residual", mean),
        ("worst", "Worst result of the cell", worst),
    ):
        mesh = _heat_map(panels[name], values, "cividis", norm)
        mesh.set_rasterized(True)
        _dress(panels[name], title, "opponent's match points", "own match points", grid=False)
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
    panel.axhline(0.0, color=_INK, linewidth=0.8)
    panel.set_xscale("log")
    panel.set_yscale("symlog", linthresh=1.0, linscale=0.5)
    panel.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    _dress(
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


def loss_figure(checkpoint: Checkpoint) -> Figure:
    """Draw the penalised loss at every step of the optimiser, above the lowest one."""
    losses = checkpoint.fit.losses
    lowest = float(losses.min())
    # The optimiser counts in single precision; a smaller excess than this cannot be seen by it.
    resolution = float(np.spacing(np.float32(lowest)))
    excess = np.maximum(losses - lowest, resolution)
    figure = _figure(8.5, 3.8)
    panel = figure.subplots()
    panel.plot(np.arange(1, len(losses) + 1), excess, color=_COLOURS[0], linewidth=1.5)
    panel.axhline(resolution, color=_SAME, linewidth=1.0, linestyle="--")
    panel.annotate(
        "single precision",
        (1.0, resolution),
        xycoords=panel.get_yaxis_transform(),
        xytext=(-2, -5),
        textcoords="offset points",
        fontsize=9,
        color=_INK,
        ha="right",
        va="top",
    )
    panel.set_yscale("log")
    panel.set_ylim(resolution / 5.0, max(3.0 * float(excess.max()), 30.0 * resolution))
    _dress(
        panel,
        "Training, from the closed-form start",
        "step of the optimiser",
        f"loss above its lowest, {lowest:.6f}",
    )
    return figure


# --------------------------------------------------------------------------- judgement


def assessment_figure(assessment: Assessment) -> Figure:
    """Error rates by population, and the reduction against the first rule, with 95 % intervals."""
    by_rule: dict[str, list[Result]] = {}
    for result in assessment.results:
        by_rule.setdefault(result.rule, []).append(result)
    rules = list(by_rule)
    figure = _figure(10.5, 4.6)
    rates, reductions = figure.subplots(1, 2)
    for number, rule in enumerate(rules):
        colour, marker = _COLOURS[number % len(_COLOURS)], _MARKERS[number % len(_MARKERS)]
        style: dict[str, Any] = {"color": colour, "marker": marker}
        _intervals(rates, by_rule[rule], "error_rate", _dodge(number, len(rules)), style)
        if number > 0:
            _intervals(
                reductions, by_rule[rule], "reduction", _dodge(number - 1, len(rules) - 1), style
            )
        rates.plot([], [], linestyle="", markersize=7, label=_label(rule_name(rule)), **style)
    _dress(rates, "Tied pairs decided wrongly", "", "share of tied pairs")
    _dress(
        reductions,
        f"Relative reduction against the {_label(rule_name(rules[0]))}",
        "",
        "above 0: fewer errors, below 0: more",
    )
    reductions.axhline(0.0, color=_INK, linewidth=1.0)
    names = [f"top {r.top}\n{r.pairs:,} pairs" for r in by_rule[rules[0]]]
    for panel in (rates, reductions):
        panel.set_xticks(range(len(names)), names)
        panel.set_xlim(-0.5, len(names) - 0.5)
        panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.xaxis.grid(False)
    top = rates.get_ylim()[1]
    rates.set_ylim(-0.03 * top, top)
    figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    return figure


def _dodge(number: int, rules: int) -> float:
    """Where a rule's marks stand beside the middle of a population."""
    return (number - (rules - 1) / 2) * min(0.22, 0.8 / rules)


_FARTHEST = 1.0  # an interval of very few pairs may reach far out; it must not flatten the others


def _intervals(
    panel: Axes, results: Sequence[Result], value: str, offset: float, style: dict[str, Any]
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
    return "product rule" if name == "product" else f"table {name}"


# --------------------------------------------------------------------------- drawing


def _figure(width: float, height: float) -> Figure:
    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def _dress(panel: Axes, title: str, across: str, up: str, grid: bool = True) -> None:
    panel.set_title(title, fontsize=11, color=_INK, loc="left", parse_math=False)
    panel.set_xlabel(across, fontsize=10, color=_INK)
    panel.set_ylabel(up, fontsize=10, color=_INK)
    panel.tick_params(labelsize=9, color=_GRID, labelcolor=_INK)
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
            color="white" if dark else _INK,
            parse_math=False,
        )


def _label(name: str, length: int = 28) -> str:
    """Make a name fit for a figure: one line, not too long, only what the font has."""
    font = font_manager.get_font(font_manager.findfont("DejaVu Sans"))
    plain = "".join(c if font.get_char_index(ord(c)) else "?" for c in " ".join(name.split()))
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def figure_uri(figure: Figure) -> str:
    """Turn a figure into the `data:` address of an SVG image; equal figures give equal ones."""
    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "tb2learn", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", dpi=120, metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
