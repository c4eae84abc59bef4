"""What law does FIDE's rating table follow, and how were old ratings made?"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Float, Num

from studies import relative_ratings as elo
from studies.script import report, script, written
from tb2learn.chess import rating_tables as fide
from tb2learn.data import load_table

DIFFERENCES = np.arange(801)  # rating differences at which laws are compared
ELO_SPREAD = 200 * math.sqrt(2)  # standard deviation of a difference by Elo's own constant

LAWS = {
    f"normal, {fide.SPREAD:.2f}": fide.normal_score,
    f"normal, {ELO_SPREAD:.2f}": lambda apart: fide.normal_score(apart * fide.SPREAD / ELO_SPREAD),
    "logistic": fide.logistic_score,
    "linear": lambda apart: np.minimum(elo.linear_score(apart), 1.0),
}
"""Laws of the expected score."""

SHARES = np.array([0.99, 0.9, 0.8, 0.7, 0.6])  # at which the inverse table is shown

STEPS = 4  # how often the rule of relative ratings is repeated

SIDES = np.array([3, 1, 1]), np.array([1, -3, -3])  # wins less losses of two sides


def laws() -> pd.DataFrame:
    """FIDE's figure and those of the laws by rating difference, in hundredths of a point."""
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
        "normal quantile": elo.normal_difference(SHARES),
        "logistic quantile": 400 * np.log10(SHARES / (1 - SHARES)),
    }
    return {
        "misses": pd.DataFrame(misses, columns=["law", "number"]),
        "exceptions": pd.DataFrame(exceptions),
        "inverse": pd.DataFrame(inverse),
    }


def morphy_period() -> tuple[pd.DataFrame, dict[str, float]]:
    """The printed ratings and ours, all with the same mean; facts of the packaged cross-table."""
    players, table = load_table("morphy", "ratings.csv"), load_table("morphy", "crosstable.csv")
    names, printed = players["player"], players["rating_printed"].to_numpy(float)
    crossed = table.pivot(index="player", columns="opponent", values="points")
    points = crossed.reindex(index=names, columns=names).to_numpy(float, na_value=0.0)
    games = points + points.T
    share = points.sum(axis=1) / games.sum(axis=1)
    above = elo.normal_difference(share)
    steps = [np.full(len(names), printed.mean())]
    for _ in range(STEPS):
        steps.append(games @ steps[-1] / games.sum(axis=1) + above)

    def levelled(ratings: Float[np.ndarray, " players"]) -> Float[np.ndarray, " players"]:
        return ratings - ratings.mean() + printed.mean()

    third, fourth = map(levelled, steps[3:5])
    ours = {
        "step 3": third,
        "step 4": fourth,
        "mean of both": (third + fourth) / 2,
        "fixed point": levelled(elo.relative_ratings(games, above)),
        "as many points as expected": levelled(elo.even_ratings(points)),
        "linear law": levelled(elo.relative_ratings(games, elo.linear_difference(share))),
    }
    about = {
        "cells": int((points > 0).sum()),
        "restored": int((table["source"] == "restored").sum()),
        "drift": elo.drift(games, above),
    }
    return pd.DataFrame({"player": names, "printed": printed, **ours}), about


def bipartite_errors(
    own: Num[np.ndarray, " players"], other: Num[np.ndarray, " players"]
) -> tuple[float, float]:
    """The most by which the corrected formula misses ``L q = s``, and the printed one at its best.

    On a complete field of two equal sides; the best is that of all scales.
    """
    m, scores = len(own), np.concatenate([own, other]).astype(np.float64)
    games = np.kron(1.0 - np.eye(2), np.ones((m, m)))
    laplacian = np.diag(games.sum(axis=1)) - games
    printed = np.concatenate([2 * side + side.sum() / m for side in (own, other)]) / (2 * m * m)
    reached = laplacian @ printed
    scale = (reached @ scores) / (reached @ reached)
    corrected = laplacian @ np.concatenate(elo.bipartite_ratings(own, other))
    return float(np.abs(corrected - scores).max()), float(np.abs(scale * reached - scores).max())


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
    report(out, "ratings.md", given)


if __name__ == "__main__":
    main()
