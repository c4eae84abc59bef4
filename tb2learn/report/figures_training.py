"""Figures of a trained table: surface, calibration, residuals, loss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, TwoSlopeNorm
from matplotlib.figure import Figure

from tb2learn.export.table import game_points
from tb2learn.report.style import (
    COLOURS,
    INK,
    SAME,
    TIMES,
    blank_figure,
    dress,
    heat_map,
    write_values,
)
from tb2learn.tiebreaks.rules import FULL_POINTS, LookupTable, Rule
from tb2learn.training.kinds import Checkpoint, difficulty_logs, difficulty_surface
from tb2learn.training.surface import fail_probability, shares
from tb2learn.training.surface_fit import frequencies

BINS = 20
"""Number of bins of predicted chance in the calibration figure."""


# --------------------------------------------------------------------------- the surface


def surface_figure(table: LookupTable, product: LookupTable, own: int) -> Figure:
    """Points of every result at one own MP: learned, by the product rule, and their difference.

    **Arguments:**

    - `table`, `product`: a learned table and the product rule of the same format.
    - `own`: own match points, 0 .. 2*rounds.

    **Returns:** three heat maps above each other: opponent's match points across, game points up.
    The product rule is scaled to 0..1000; 1000 is a win on all boards against a team with the most
    match points.
    """
    learned = table.points[own].T * table.unit
    scaled = product.points[own].T * (FULL_POINTS / product.points.max())
    rows, columns = learned.shape
    width = 1.8 + 0.41 * columns
    figure = blank_figure(max(width, 7.0), 3 * (1.0 + 0.27 * rows))
    panels = figure.subplots(3, 1, sharex=True)
    gap = learned - scaled
    reach = max(float(np.abs(gap).max()), 1.0)
    as_points = "cividis", Normalize(0, FULL_POINTS), "{:.0f}"
    rule = f"Product rule (opponent MP {TIMES} GP), scaled to 0 to {FULL_POINTS}"
    maps = (
        (f"Learned table, own MP {own}", learned, *as_points),
        (rule, scaled, *as_points),
        ("Learned less product rule", gap, "PuOr", TwoSlopeNorm(0.0, -reach, reach), "{:+.0f}"),
    )
    for panel, one in zip(panels, maps, strict=True):
        _draw_points(figure, panel, *one, up="game points scored", unit="table points")
    panels[-1].set_xlabel("opponent's match points (MP)")
    panels[-1].set_xticks(range(columns))
    return figure


def table_figure(rule: Rule, own: int) -> Figure:
    """The points of the last pass of a table at one own MP.

    **Arguments:** `rule`: a rule with tables; `own`: own match points, 0 .. 2*rounds.

    **Returns:** a heat map: what the opponent counts as across, game points up.
    """
    width = 2 * rule.event_rounds + 1
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


def surface_slices_figure(table: LookupTable, own: Sequence[int] | None = None) -> Figure:
    """Points against the opponent's match points: one line per result, one panel per own MP.

    **Arguments:**

    - `table`: a learned table.
    - `own`: up to four own match points; the default is 10, 14, 18 and 20 of 22, scaled to other
      numbers of rounds.

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


def calibration_figure(checkpoint: Checkpoint) -> Figure:
    """The chance of not reaching a result, predicted and observed on held-out events.

    All results and all pairs of match points together, in bins of the predicted chance, weighted by
    matches.

    **Returns:** observed against predicted above, their difference below; the area of a point grows
    with its number of matches.
    """
    log, surface = difficulty_logs(checkpoint)[1], difficulty_surface(checkpoint)
    grid = shares(surface.rounds)
    predicted = fail_probability(surface, grid, grid).ravel()
    observed, weight = (x.ravel() for x in frequencies(log))
    # Weights are shares of all matches; a match counts once per threshold.
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
    style: dict[str, Any] = {"color": COLOURS[0], "alpha": 0.75, "linewidth": 0}
    above.scatter(mean_predicted, mean_observed, s=area, **style)
    dress(above, "Predicted and observed chance of failing", "", "observed share of failures")
    above.set_ylim(-0.04, 1.04)
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
