"""The laws beside FIDE's table, and the ratings of the Morphy period step by step.

Nothing is drawn by chance: every figure follows from packaged facts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from jaxtyping import Float, Num
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.chess.rating_tables import (
    EXCEPTIONS,
    PERCENT,
    SPREAD,
    bipartite_ratings,
    drift,
    even_ratings,
    expected_hundredths,
    linear_difference,
    linear_score,
    logistic_score,
    normal_difference,
    normal_score,
    rating_differences,
    relative_ratings,
    relative_step,
)
from tb2learn.data import load_table
from tb2learn.report.frames import Frames
from tb2learn.report.stored import Csv
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress

APART = np.arange(801)
"""Rating differences that laws are compared at."""

ELO_SPREAD = 200 * math.sqrt(2)
"""Standard deviation of a difference by Elo's own constant."""

LAWS: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    f"normal, {SPREAD:.2f}": normal_score,
    f"normal, {ELO_SPREAD:.2f}": lambda apart: normal_score(apart * SPREAD / ELO_SPREAD),
    "logistic": logistic_score,
    "linear": lambda apart: np.minimum(linear_score(apart), 1.0),
}
"""Laws of the expected score by name."""

SHARES = np.array([0.99, 0.9, 0.8, 0.7, 0.6])
"""Shares of the points for which the inverse table is shown."""

STEPS = 4
"""How often the rule of relative ratings is repeated."""

SIDES = np.array([3, 1, 1]), np.array([1, -3, -3])
"""Wins less losses of two sides, of which everybody met everybody of the other."""

FILES = (Csv("tables.csv", "laws", digits=4), Csv("morphy.csv", "morphy", digits=1))


def measure() -> dict[str, pd.DataFrame]:
    """Recompute FIDE's rating tables and the ratings of the Morphy period.

    **Returns:** the frames of `_tables` and `_morphy_period`, and `sides`: by how much two formulas
    miss the equations of least squares for `SIDES`.
    """
    sides = pd.DataFrame([bipartite_errors(*SIDES)], columns=["corrected", "printed"])
    return {**_tables(), **_morphy_period(), "sides": sides}


def _tables() -> dict[str, pd.DataFrame]:
    """FIDE's table and its inverse beside laws.

    **Returns:**

    - `laws`: a row a rating difference: `fide` and every law, in hundredths of a point.
    - `misses`: at how many differences every `law`, rounded to hundredths, is not FIDE's figure.
    - `exceptions`: the differences at which the normal law is not.
    - `inverse`: d(p) beside the quantiles of two laws.
    - `spreads`: standard deviations of a difference, by FIDE's table and by Elo.
    """
    fide, odd = expected_hundredths(APART), sorted(EXCEPTIONS)
    laws = {name: PERCENT * law(APART) for name, law in LAWS.items()}
    misses = {name: int((np.floor(law + 0.5) != fide).sum()) for name, law in laws.items()}
    exceptions = {
        "difference": odd,
        "normal law": normal_score(np.array(odd)),
        "FIDE": [EXCEPTIONS[one] / PERCENT for one in odd],
    }
    inverse = {
        "p": SHARES,
        "d(p)": rating_differences()[np.rint(PERCENT * SHARES).astype(int)],
        "normal quantile": normal_difference(SHARES),
        "logistic quantile": 400 * np.log10(SHARES / (1 - SHARES)),
    }
    return {
        "laws": pd.DataFrame({"difference": APART, "fide": fide, **laws}),
        "misses": pd.DataFrame(misses.items(), columns=["law", "number"]),
        "exceptions": pd.DataFrame(exceptions),
        "inverse": pd.DataFrame(inverse),
        "spreads": pd.DataFrame([{"fide": SPREAD, "elo": ELO_SPREAD}]),
    }


def _morphy_period() -> dict[str, pd.DataFrame]:
    """The ratings of the packaged cross-table, all with the mean of the printed ones.

    Only differences mean anything. The steps start with equal ratings and take the normal law.
    Source: `data/morphy/PROVENANCE.md`.

    **Returns:**

    - `morphy`: a row a player: the printed ratings, then ours by name.
    - `apart`: the largest difference of every column (`name`) from the printed ratings, `points`.
    - `period`: the cells of the table, how many of them are restored, and the points by which a
      step moves all ratings (`drift`).
    """
    players, table = load_table("morphy", "ratings.csv"), load_table("morphy", "crosstable.csv")
    names = players["player"]
    crossed = table.pivot(index="player", columns="opponent", values="points")
    points = crossed.reindex(index=names, columns=names).to_numpy(float, na_value=0.0)
    games, printed = points + points.T, players["rating_printed"].to_numpy(float)
    above = normal_difference(points.sum(axis=1) / games.sum(axis=1))
    steps = [np.full(len(names), printed.mean())]
    for _ in range(STEPS):
        steps.append(relative_step(games, above, steps[-1]))
    by_line = linear_difference(points.sum(axis=1) / games.sum(axis=1))

    def levelled(ratings: Float[np.ndarray, " players"]) -> Float[np.ndarray, " players"]:
        return ratings - ratings.mean() + printed.mean()

    third, fourth = map(levelled, steps[3:5])
    ours = {
        "step 3": third,
        "step 4": fourth,
        "mean of both": (third + fourth) / 2,
        "fixed point": levelled(relative_ratings(games, above)),
        "as many points as expected": levelled(even_ratings(points)),
        "linear law": levelled(relative_ratings(games, by_line)),
    }
    apart = [(name, np.abs(ratings - printed).max()) for name, ratings in ours.items()]
    restored = int((table["source"] == "restored").sum())
    about = {"cells": int((points > 0).sum()), "restored": restored, "drift": drift(games, above)}
    return {
        "morphy": pd.DataFrame({"player": names, "printed": printed, **ours}),
        "apart": pd.DataFrame(apart, columns=["name", "points"]),
        "period": pd.DataFrame([about]),
    }


def bipartite_errors(
    own: Num[np.ndarray, " players"], other: Num[np.ndarray, " players"]
) -> tuple[float, float]:
    """By how much two formulas miss ``L q = s`` on a complete field of two equal sides.

    **Arguments:** wins less losses of both sides.

    **Returns:** the largest error of the corrected formula, and of the printed one,
    ``(2 s + S/m) / (n m)``, at its best scale.
    """
    m, scores = len(own), np.concatenate([own, other]).astype(np.float64)
    games = np.kron(1.0 - np.eye(2), np.ones((m, m)))
    laplacian = np.diag(games.sum(axis=1)) - games
    printed = np.concatenate([2 * side + side.sum() / m for side in (own, other)]) / (2 * m * m)
    reached = laplacian @ printed
    scale = (reached @ scores) / (reached @ reached)
    right = laplacian @ np.concatenate(bipartite_ratings(own, other))
    found = [float(np.abs(side - scores).max()) for side in (right, scale * reached)]
    return found[0], found[1]


def ratings_figure(frames: Frames) -> Figure:
    """Both panels side by side."""
    figure = blank_figure(12.0, 4.8)
    laws, people = figure.subplots(1, 2)
    _draw_laws(laws, frames["laws"])
    _draw_period(people, frames["morphy"])
    return figure


def _draw_laws(panel: Axes, laws: pd.DataFrame) -> None:
    apart, names = laws["difference"], laws.columns[2:]
    for name, colour in zip(names, COLOURS, strict=False):
        panel.plot(apart, laws[name] - laws["fide"], color=colour, linewidth=1.2, label=name)
    odd = laws[apart.isin(EXCEPTIONS)]
    panel.plot(
        odd["difference"], odd[names[0]] - odd["fide"], color=COLOURS[0],
        linestyle="", marker="o", markersize=5,
    )  # fmt: skip
    panel.axhspan(-0.5, 0.5, color=INK, alpha=0.08)
    panel.set_ylim(-4, 4)
    title = "FIDE's table is a normal curve, but for six differences (dots)"
    dress(panel, title, "rating difference", "law less table, in hundredths of a point")
    panel.legend(frameon=False, fontsize=9, loc="lower left")


def _draw_period(panel: Axes, morphy: pd.DataFrame) -> None:
    # numpy's sort, as equal ratings keep their order by it in the committed picture
    morphy = morphy.iloc[np.argsort(morphy["printed"].to_numpy())]
    shown = ("mean of both", "fixed point", "linear law")
    for number, name in enumerate(("printed", *shown)):
        panel.plot(
            morphy[name], range(len(morphy)), linestyle="", markersize=6,
            marker=MARKERS[number], color=INK if number == 0 else COLOURS[number - 1],
            label="mean of steps 3 and 4" if name == "mean of both" else name,
        )  # fmt: skip
    panel.set_yticks(range(len(morphy)), list(morphy["player"]))
    dress(panel, "The printed ratings are those of a list stopped early", "rating", "")
    panel.legend(frameon=False, fontsize=9, loc="lower right")


FIGURES = {"ratings.png": ratings_figure}
