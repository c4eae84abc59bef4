"""What law does FIDE's rating table follow, and how were old ratings made?

Elo's relative ratings, by the normal law and by the linear one (the "algorithm of 400"): there they
are least squares. Source: A. E. Elo, *The Rating of Chessplayers*, 1978. `games` are numbers of
games between every two players, and `added` is d(p) of every player.
"""

from __future__ import annotations

import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Num
from scipy.sparse.csgraph import connected_components

from studies.script import report, script, written
from tb2learn.chess import rating_tables as fide
from tb2learn.data import load_table
from tb2learn.types import InputError

LINEAR = 400  # rating points at which the linear law expects a win
LONGEST = 400.0  # rating points of a step of `even_ratings`


def linear_score(difference: Num[np.ndarray, "*games"]) -> Float[np.ndarray, "*games"]:
    """The score that the linear law expects; outside 0..1 beyond 400 points."""
    return 0.5 + np.asarray(difference, np.float64) / (2 * LINEAR)


def normal_difference(share: Float[np.ndarray, "*players"]) -> Float[np.ndarray, "*players"]:
    """The rating difference at which the normal law expects a share of the points."""
    shares = np.asarray(share, np.float64)
    if not ((shares > 0) & (shares < 1)).all():
        raise InputError("the normal law has no rating difference for a score of 0 or 100 %")
    return np.vectorize(NormalDist(0.0, fide.SPREAD).inv_cdf, otypes=[np.float64])(shares)


def linear_difference(share: Float[np.ndarray, "*players"]) -> Float[np.ndarray, "*players"]:
    """The same by the linear law: ``800 (share - 1/2)``, or 400 (wins - losses) / games."""
    return 2 * LINEAR * (np.asarray(share, np.float64) - 0.5)


def bipartite_ratings(
    first: Num[np.ndarray, " first"], second: Num[np.ndarray, " second"]
) -> tuple[Float[np.ndarray, " first"], Float[np.ndarray, " second"]]:
    """Least squares where everybody of one side meets everybody of the other side once.

    With `a` and `b` players, the rating of one of the first side is ``(s - S/(a+b)) / b``, where s
    is the player's wins less losses and S the sum of s over the own side. In units of a game.
    """
    own, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if not np.isclose(own.sum() + other.sum(), 0.0):
        raise InputError("wins less losses of both sides must add up to 0")
    players = len(own) + len(other)
    return (own - own.sum() / players) / len(other), (other - other.sum() / players) / len(own)


def drift(games: Num[np.ndarray, "players players"], added: Float[np.ndarray, " players"]) -> float:
    """By how much every step moves all ratings together; 0 with the linear law."""
    return float(np.average(added, weights=games.sum(axis=1)))


def relative_ratings(
    games: Num[np.ndarray, "players players"], added: Float[np.ndarray, " players"]
) -> Float[np.ndarray, " players"]:
    """The ratings that a step of the rule only moves all together, by `drift`; they add up to 0."""
    _check_connected(games > 0, "the games do not connect all players")
    number = games.sum(axis=1)
    return _solve(np.diag(number) - games, number * (added - drift(games, added)))


def even_ratings(points: Float[np.ndarray, "players players"]) -> Float[np.ndarray, " players"]:
    """Ratings with which the normal law expects of every player what was scored; they add up to 0.

    `points`: of every player against every other.
    """
    _check_connected(points > 0, "no ratings expect these results: somebody won all games")
    games, ratings = points + points.T, np.zeros(len(points))
    density = np.vectorize(NormalDist(0.0, fide.SPREAD).pdf, otypes=[np.float64])
    for _ in range(100):  # Newton's steps
        apart = ratings[:, None] - ratings[None, :]
        missing = (points - games * fide.normal_score(apart)).sum(axis=1)
        slope = games * density(apart)
        step = _solve(np.diag(slope.sum(axis=1)) - slope, missing)
        ratings = ratings + np.clip(step, -LONGEST, LONGEST)
    return ratings


def _solve(
    laplacian: Float[np.ndarray, "players players"], right: Float[np.ndarray, " players"]
) -> Float[np.ndarray, " players"]:
    """The solution that adds up to 0 of a system with a Laplacian, right sides adding up to 0."""
    return np.linalg.solve(laplacian + np.diag(laplacian).mean() / len(right), right)


def _check_connected(linked: Bool[np.ndarray, "players players"], otherwise: str) -> None:
    """Links must lead from everybody to everybody."""
    if connected_components(linked, connection="strong")[0] > 1:
        raise InputError(otherwise)


DIFFERENCES = np.arange(801)  # rating differences at which laws are compared
ELO_SPREAD = 200 * math.sqrt(2)  # standard deviation of a difference by Elo's own constant

LAWS = {  # laws of the expected score
    f"normal, {fide.SPREAD:.2f}": fide.normal_score,
    f"normal, {ELO_SPREAD:.2f}": lambda apart: fide.normal_score(apart * fide.SPREAD / ELO_SPREAD),
    "logistic": fide.logistic_score,
    "linear": lambda apart: np.minimum(linear_score(apart), 1.0),
}

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
        "normal quantile": normal_difference(SHARES),
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
    above = normal_difference(share)
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
        "fixed point": levelled(relative_ratings(games, above)),
        "as many points as expected": levelled(even_ratings(points)),
        "linear law": levelled(relative_ratings(games, linear_difference(share))),
    }
    about = {
        "cells": int((points > 0).sum()),
        "restored": int((table["source"] == "restored").sum()),
        "drift": drift(games, above),
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
    corrected = laplacian @ np.concatenate(bipartite_ratings(own, other))
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
