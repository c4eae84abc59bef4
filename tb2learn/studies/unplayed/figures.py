"""Figures of the study of unplayed rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress
from tb2learn.studies.ricca.evaluation import ALL_CRITERIA, POPULATIONS, TRUE
from tb2learn.studies.unplayed.claims import SHOWN
from tb2learn.studies.unplayed.evaluation import POLICIES, SUMS, is_defined
from tb2learn.studies.unplayed.published import RICCA_CRITERIA, RICCA_METHODS, RICCA_SUMS

PARTS = ("value", "low", "high", "ricca")


def cell_of(
    kind: Mapping[str, Any], population: str, policy: str, sum_name: str, criterion: str
) -> tuple[Any, ...]:
    """The `PARTS` of one cell of the arrays of a kind."""
    p, m = list(POPULATIONS).index(population), list(POLICIES).index(policy)
    s, c = list(SUMS).index(sum_name), ALL_CRITERIA.index(criterion)
    return tuple(kind[part][p][m][s][c] for part in PARTS)


def methods_figure(content: Mapping[str, Any], population: str) -> Figure:
    """Values with 95 % intervals: one row of panels per kind, one panel per sum; his are hollow."""
    kinds, sums = content["kinds"], list(RICCA_SUMS.values())
    policies = list(POLICIES)[::-1]
    figure = blank_figure(14.0, 4.1 * len(kinds) + 0.7)
    grid = figure.subplots(len(kinds), len(sums), sharey=True, squeeze=False)
    for panels, kind in zip(grid, kinds, strict=True):
        for panel, name in zip(panels, sums, strict=True):
            _draw_methods(panel, kind, population, policies, name)
            title = f"{kind['kind']}\n{name}" if name == sums[0] else name
            dress(panel, title, "places", "")
            panel.set_title(panel.get_title(loc="left"), loc="left", fontsize=9.5, color=INK)
        panels[0].set_yticks(range(len(policies)), policies, parse_math=False)
        panels[0].tick_params(labelsize=8)
    marks = [
        Line2D([], [], linestyle="", marker="o", color=COLOURS[c], label=criterion)
        for c, criterion in enumerate(SHOWN)
    ]
    hollow = {"marker": "D", "color": INK, "fillstyle": "none"}
    marks.append(Line2D([], [], linestyle="", label="Ricca's figure", **hollow))
    figure.legend(
        handles=marks, loc="outside lower center", ncols=len(marks), frameon=False, fontsize=9.5
    )
    figure.suptitle(
        f"How far from the criterion's order inside score groups: {POPULATIONS[population]}",
        fontsize=11,
        color=INK,
    )
    return figure


def _draw_methods(
    panel: Axes, kind: Mapping[str, Any], population: str, policies: Sequence[str], name: str
) -> None:
    """Draw one row per policy, with a point and interval per criterion."""
    shift = np.linspace(0.24, -0.24, len(SHOWN))
    for row, policy in enumerate(policies):
        if not is_defined(policy, name):
            panel.text(0.02, row, "-", va="center", transform=panel.get_yaxis_transform())
            continue
        for c, criterion in enumerate(SHOWN):
            value, low, high, theirs = cell_of(kind, population, policy, name, criterion)
            height, colour = row + shift[c], COLOURS[c]
            panel.hlines(height, low, high, color=colour, linewidth=2)
            panel.plot(value, height, "o", color=colour, markersize=4)
            if theirs is not None:
                panel.plot(theirs, height, "D", color=colour, fillstyle="none", markersize=4.5)


def heat_figure(content: Mapping[str, Any]) -> Figure:
    """Policies by sums under the true order, as shares of lots; a panel per kind and population."""
    kinds = content["kinds"]
    figure = blank_figure(13.5, 5.0 * len(POPULATIONS) + 0.6)
    grid = figure.subplots(len(POPULATIONS), len(kinds), sharey=True, squeeze=False)
    for panels, population in zip(grid, POPULATIONS, strict=True):
        for panel, kind in zip(panels, kinds, strict=True):
            _draw_shares(panel, kind, population)
            dress(panel, f"{kind['kind']}\n{POPULATIONS[population]}", "", "", grid=False)
            panel.set_title(panel.get_title(loc="left"), loc="left", fontsize=9.5, color=INK)
            panel.tick_params(labelsize=8)
    figure.suptitle(
        "Values by the true order as shares of a draw of lots (0: the true order itself, 1: no "
        "better than lots)",
        fontsize=11,
        color=INK,
    )
    return figure


def _draw_shares(panel: Axes, kind: Mapping[str, Any], population: str) -> None:
    """The heat map of one kind and population, with the numbers in it."""
    lots = kind["lots"][list(POPULATIONS).index(population)][ALL_CRITERIA.index(TRUE)]
    shares = np.array(
        [
            [
                cell_of(kind, population, p, s, TRUE)[0] / lots if is_defined(p, s) else np.nan
                for s in SUMS
            ]
            for p in POLICIES
        ]
    )
    norm = Normalize(0.5, 1.0)
    panel.imshow(shares, cmap="cividis", norm=norm, aspect="auto")
    for (row, column), share in np.ndenumerate(shares):
        known = np.isfinite(share)
        ink = "white" if known and norm(share) < 0.5 else INK
        text = f"{share:.2f}" if known else "-"
        panel.text(column, row, text, ha="center", va="center", color=ink, fontsize=7.5)
    panel.set_xticks(range(len(SUMS)), list(SUMS), rotation=35, ha="right")
    panel.set_yticks(range(len(POLICIES)), list(POLICIES))


def beside_figure(content: Mapping[str, Any]) -> Figure:
    """His values across, ours up: one panel per criterion and kind that he has."""
    shown = [(kind, c) for kind in content["kinds"] if kind["agreement"] for c in RICCA_CRITERIA]
    figure = blank_figure(3.5 * len(shown) + 0.4, 2 * 3.5 + 0.8)
    grid = figure.subplots(len(POPULATIONS), len(shown), squeeze=False)
    for panels, population in zip(grid, POPULATIONS, strict=True):
        for panel, (kind, criterion) in zip(panels, shown, strict=True):
            for number, name in enumerate(RICCA_SUMS.values()):
                colour, marker = COLOURS[number], MARKERS[number]
                for policy in RICCA_METHODS.values():
                    value, low, high, theirs = cell_of(kind, population, policy, name, criterion)
                    panel.vlines(theirs, low, high, color=colour, linewidth=1.2)
                    panel.plot(theirs, value, marker, color=colour, markersize=4.5)
            ends = np.array([*panel.get_xlim(), *panel.get_ylim()])
            panel.plot([ends.min(), ends.max()], [ends.min(), ends.max()], ":", color=INK, lw=0.8)
            dress(panel, "", "Ricca, places", "")
            title = f"{kind['kind']}\n{criterion}, {population}"
            panel.set_title(title, loc="left", fontsize=8.5, color=INK)
        panels[0].set_ylabel("ours, places", fontsize=9.5, color=INK)
    marks = [
        Line2D([], [], linestyle="", marker=MARKERS[n], color=COLOURS[n], label=name)
        for n, name in enumerate(RICCA_SUMS.values())
    ]
    figure.legend(
        handles=marks, loc="outside lower center", ncols=len(marks), frameon=False, fontsize=9.5
    )
    return figure
