"""What law does FIDE's rating table follow, and how were old ratings made?

Nothing is drawn by chance: every figure follows from packaged facts.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Float, Num
from matplotlib.figure import Figure

from studies.script import report, script, written
from tb2learn.chess import rating_tables as fide
from tb2learn.data import load_table
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress

DIFFERENCES = np.arange(801)  # rating differences at which laws are compared
ELO_SPREAD = 200 * math.sqrt(2)  # standard deviation of a difference by Elo's own constant

LAWS = {
    f"normal, {fide.SPREAD:.2f}": fide.normal_score,
    f"normal, {ELO_SPREAD:.2f}": lambda apart: fide.normal_score(apart * fide.SPREAD / ELO_SPREAD),
    "logistic": fide.logistic_score,
    "linear": lambda apart: np.minimum(fide.linear_score(apart), 1.0),
}
"""Laws of the expected score."""

SHARES = np.array([0.99, 0.9, 0.8, 0.7, 0.6])
"""Shares of the points for which the inverse table is shown."""

STEPS = 4  # how often the rule of relative ratings is repeated

SIDES = np.array([3, 1, 1]), np.array([1, -3, -3])
"""Wins less losses of two sides; everybody met everybody of the other side."""


def laws() -> pd.DataFrame:
    """A row a rating difference: FIDE's figure and those of the laws, in hundredths of a point."""
    values = {name: fide.PERCENT * law(DIFFERENCES) for name, law in LAWS.items()}
    table = fide.expected_hundredths(DIFFERENCES)
    return pd.DataFrame({"difference": DIFFERENCES, "fide": table, **values})


def tables(laws: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Where laws, rounded, miss FIDE's figures; the six exceptions; the inverse table d(p)."""
    odd = sorted(fide.EXCEPTIONS)
    misses = [(name, int((np.floor(laws[name] + 0.5) != laws["fide"]).sum())) for name in LAWS]
    exceptions = {
        "difference": odd,
        "normal law": fide.normal_score(np.array(odd)),
        "FIDE": [fide.EXCEPTIONS[difference] / fide.PERCENT for difference in odd],
    }
    inverse = {
        "p": SHARES,
        "d(p)": fide.rating_differences()[np.rint(fide.PERCENT * SHARES).astype(int)],
        "normal quantile": fide.normal_difference(SHARES),
        "logistic quantile": 400 * np.log10(SHARES / (1 - SHARES)),
    }
    return {
        "misses": pd.DataFrame(misses, columns=["law", "number"]),
        "exceptions": pd.DataFrame(exceptions),
        "inverse": pd.DataFrame(inverse),
    }


def morphy_period() -> tuple[pd.DataFrame, dict[str, float]]:
    """The ratings of the packaged cross-table, all with the mean of the printed ones.

    Only differences mean anything. The steps start with equal ratings and take the normal law.
    Source: `data/morphy/PROVENANCE.md`.

    **Returns:** a row a player with the printed ratings and ours; and about the table: its
    `cells`, how many are `restored`, and by how many points a step moves all ratings (`drift`).
    """
    players, table = load_table("morphy", "ratings.csv"), load_table("morphy", "crosstable.csv")
    names, printed = players["player"], players["rating_printed"].to_numpy(float)
    crossed = table.pivot(index="player", columns="opponent", values="points")
    points = crossed.reindex(index=names, columns=names).to_numpy(float, na_value=0.0)
    games = points + points.T
    share = points.sum(axis=1) / games.sum(axis=1)
    above = fide.normal_difference(share)
    steps = [np.full(len(names), printed.mean())]
    for _ in range(STEPS):
        steps.append(fide.relative_step(games, above, steps[-1]))

    def levelled(ratings: Float[np.ndarray, " players"]) -> Float[np.ndarray, " players"]:
        return ratings - ratings.mean() + printed.mean()

    third, fourth = map(levelled, steps[3:5])
    ours = {
        "step 3": third,
        "step 4": fourth,
        "mean of both": (third + fourth) / 2,
        "fixed point": levelled(fide.relative_ratings(games, above)),
        "as many points as expected": levelled(fide.even_ratings(points)),
        "linear law": levelled(fide.relative_ratings(games, fide.linear_difference(share))),
    }
    about = {
        "cells": int((points > 0).sum()),
        "restored": int((table["source"] == "restored").sum()),
        "drift": fide.drift(games, above),
    }
    return pd.DataFrame({"player": names, "printed": printed, **ours}), about


def bipartite_errors(
    own: Num[np.ndarray, " players"], other: Num[np.ndarray, " players"]
) -> tuple[float, float]:
    """By how much two formulas miss ``L q = s`` on a complete field of two equal sides.

    **Returns:** the largest error of the corrected formula, and of the printed one,
    ``(2 s + S/m) / (n m)``, at its best scale.
    """
    m, scores = len(own), np.concatenate([own, other]).astype(np.float64)
    games = np.kron(1.0 - np.eye(2), np.ones((m, m)))
    laplacian = np.diag(games.sum(axis=1)) - games
    printed = np.concatenate([2 * side + side.sum() / m for side in (own, other)]) / (2 * m * m)
    reached = laplacian @ printed
    scale = (reached @ scores) / (reached @ reached)
    corrected = laplacian @ np.concatenate(fide.bipartite_ratings(own, other))
    return float(np.abs(corrected - scores).max()), float(np.abs(scale * reached - scores).max())


def ratings_figure(laws: pd.DataFrame, morphy: pd.DataFrame) -> Figure:
    """The laws less FIDE's table; the ratings of the Morphy period."""
    figure = blank_figure(12.0, 4.8)
    curves, people = figure.subplots(1, 2)
    difference = laws["difference"]
    for name, colour in zip(LAWS, COLOURS, strict=False):
        curves.plot(difference, laws[name] - laws["fide"], color=colour, linewidth=1.2, label=name)
    odd, normal = laws[difference.isin(fide.EXCEPTIONS)], next(iter(LAWS))
    dots = {"color": COLOURS[0], "linestyle": "", "marker": "o", "markersize": 5}
    curves.plot(odd["difference"], odd[normal] - odd["fide"], **dots)
    curves.axhspan(-0.5, 0.5, color=INK, alpha=0.08)
    curves.set_ylim(-4, 4)
    title = "FIDE's table is a normal curve, but for six differences (dots)"
    dress(curves, title, "rating difference", "law less table, in hundredths of a point")
    curves.legend(frameon=False, fontsize=9, loc="lower left")

    # numpy's sort, as equal ratings keep their order by it in the committed picture
    morphy = morphy.iloc[np.argsort(morphy["printed"].to_numpy())]
    shown = ("printed", "mean of both", "fixed point", "linear law")
    for name, marker, colour in zip(shown, MARKERS, (INK, *COLOURS), strict=False):
        label = "mean of steps 3 and 4" if name == "mean of both" else name
        style = {"marker": marker, "color": colour, "linestyle": "", "markersize": 6}
        people.plot(morphy[name], range(len(morphy)), label=label, **style)
    people.set_yticks(range(len(morphy)), list(morphy["player"]))
    dress(people, "The printed ratings are those of a list stopped early", "rating", "")
    people.legend(frameon=False, fontsize=9, loc="lower right")
    return figure


@script("reports/ratings", seed=None)
def main(out: Path) -> None:
    """Recompute FIDE's rating tables and the ratings of the Morphy period."""
    morphy, period = morphy_period()
    exact = laws()
    given = {**written(out, {"tables": exact}, 4), **written(out, {"morphy": morphy}, 1)}
    names = morphy.columns[2:]
    apart = [(name, np.abs(morphy[name] - morphy["printed"]).max()) for name in names]
    given |= tables(exact) | {
        "apart": pd.DataFrame(apart, columns=["name", "points"]),
        "period": period,
        "sides": bipartite_errors(*SIDES),
        "spreads": (fide.SPREAD, ELO_SPREAD),
    }
    figures = {"ratings.png": ratings_figure(given["tables"], given["morphy"])}
    report(out, "ratings.md", given, figures)


if __name__ == "__main__":
    main()
