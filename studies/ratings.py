"""How were ratings made before computers, and what do the printed examples give?

Elo's relative ratings of the Morphy period, his linear law (the "algorithm of 400"), what the
factor K means, and least squares where two sides meet. Source: A. E. Elo, *The Rating of
Chessplayers*, 1978, in the drafts of a Wikipedia user. `games` are numbers of games between every
two players, `added` is d(p) of every player.
"""

from __future__ import annotations

from pathlib import Path
from statistics import NormalDist

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Num
from scipy.sparse.csgraph import connected_components

from studies.script import report, script, written
from tb2learn.chess.rating_tables import PERCENT, SPREAD, normal_score, rating_differences
from tb2learn.types import InputError

DATA = Path(__file__).parent / "data" / "morphy"

LINEAR = 400  # rating points at which the linear law expects a win
LONGEST = 400.0  # rating points of a step of `even_ratings`
STEPS = 4  # how often the rule of relative ratings is repeated

# --------------------------------------------------------------------------- laws


def linear_score(difference: Num[np.ndarray, "*games"]) -> Float[np.ndarray, "*games"]:
    """The score that the linear law expects; outside 0..1 beyond 400 points."""
    return 0.5 + np.asarray(difference, np.float64) / (2 * LINEAR)


def linear_difference(share: Float[np.ndarray, "*players"]) -> Float[np.ndarray, "*players"]:
    """The rating difference at which the linear law expects a share of the points.

    It is ``800 (share - 1/2)``, or 400 (wins - losses) / games.
    """
    return 2 * LINEAR * (np.asarray(share, np.float64) - 0.5)


def normal_difference(share: Float[np.ndarray, "*players"]) -> Float[np.ndarray, "*players"]:
    """The same by the normal law.

    **Raises:** `InputError` for a score of 0 or 100 %, at which no difference is enough.
    """
    shares = np.asarray(share, np.float64)
    if not ((shares > 0) & (shares < 1)).all():
        raise InputError("the normal law has no rating difference for a score of 0 or 100 %")
    return np.vectorize(NormalDist(0.0, SPREAD).inv_cdf, otypes=[np.float64])(shares)


PRINTED_LAW = {0.99: 392, 0.9: 320, 0.8: 240, 0.7: 160, 0.6: 80, 0.5: 0}
"""The printed differences by the linear law, by share of the points."""


def laws() -> pd.DataFrame:
    """Rating differences by share of the points: FIDE's table, the normal and the linear law."""
    shares = np.array([*PRINTED_LAW])
    fide = rating_differences()[np.rint(PERCENT * shares).astype(int)]
    linear = {"linear": linear_difference(shares), "linear_printed": [*PRINTED_LAW.values()]}
    return pd.DataFrame(
        {"share": shares, "fide": fide, "normal": normal_difference(shares), **linear}
    )


# --------------------------------------------------------------------------- the factor K

K, RATING = 32, 1613  # of the player of the example

HALF_DIGIT = 0.0051  # of two decimals, which nearly all printed figures have
PRINTED_K = (
    *(12.865, 12.856, 1601.6, 14.33, 16.0),
    *(1617.33, 1617.6, 1617.6, 1615.93),
)


def k_factor(games: pd.DataFrame) -> pd.DataFrame:
    """The new rating and the performance, by the normal and by the linear law.

    With `K` a new rating is about the performance over the played games and 800/K less their number
    against oneself.

    **Arguments:** `games`: `rating` of the opponents, number of `games` and `score`.
    """
    rating, number = games["rating"].to_numpy(float), games["games"].to_numpy(float)
    score, opponents = games["score"].sum(), np.average(rating, weights=number)
    share = np.array([score / number.sum()])
    expected = [float(number @ law(RATING - rating)) for law in (normal_score, linear_score)]
    above = [float(law(share)[0]) for law in (normal_difference, linear_difference)]
    new = [RATING + K * (score - value) for value in expected]
    ours = [
        *expected, opponents, *above, *new, opponents + above[1], opponents + above[0],
    ]  # fmt: skip
    names = [
        "expected score, normal law",
        "expected score, linear law",
        "mean rating of the opponents",
        "difference of the score, normal law",
        "difference of the score, linear law",
        "new rating, normal law",
        "new rating, linear law",
        "performance, linear law",
        "performance, normal law",
    ]
    return pd.DataFrame({"what": names, "printed": PRINTED_K, "ours": ours})


# --------------------------------------------------------------------------- relative ratings


def drift(games: Num[np.ndarray, "players players"], added: Float[np.ndarray, " players"]) -> float:
    """By how much every step moves all ratings together; 0 with the linear law."""
    return float(np.average(added, weights=games.sum(axis=1)))


def relative_ratings(
    games: Num[np.ndarray, "players players"], added: Float[np.ndarray, " players"]
) -> Float[np.ndarray, " players"]:
    """The ratings that a step of the rule only moves all together, by `drift`; they add up to 0.

    **Raises:** `InputError` if the games do not connect all players.
    """
    _check_connected(games > 0, "the games do not connect all players")
    number = games.sum(axis=1)
    return _solve(np.diag(number) - games, number * (added - drift(games, added)))


def even_ratings(points: Float[np.ndarray, "players players"]) -> Float[np.ndarray, " players"]:
    """Ratings with which the normal law expects of every player what was scored; they add up to 0.

    **Arguments:** `points`: of every player against every other.

    **Raises:** `InputError` if somebody won or lost all games against the rest.
    """
    _check_connected(points > 0, "no ratings expect these results: somebody won all games")
    games, ratings = points + points.T, np.zeros(len(points))
    density = np.vectorize(NormalDist(0.0, SPREAD).pdf, otypes=[np.float64])
    for _ in range(100):  # Newton's steps
        apart = ratings[:, None] - ratings[None, :]
        missing = (points - games * normal_score(apart)).sum(axis=1)
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


def morphy_period() -> tuple[pd.DataFrame, dict[str, float]]:
    """The printed ratings and ours, all with the same mean; facts of the cross-table."""
    players, table = pd.read_csv(DATA / "ratings.csv"), pd.read_csv(DATA / "crosstable.csv")
    names, printed = players["player"], players["rating_printed"].to_numpy(float)
    crossed = table.pivot(index="player", columns="opponent", values="points")
    points = crossed.reindex(index=names, columns=names).fillna(0.0).to_numpy(float)
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
        "mean of steps 3 and 4": (third + fourth) / 2,
        "fixed point": levelled(relative_ratings(games, above)),
        "as many points as expected": levelled(even_ratings(points)),
        "linear law": levelled(relative_ratings(games, linear_difference(share))),
    }
    wins, losses = points.sum(axis=1), points.sum(axis=0)
    sums = (wins == players["wins"]) & (losses == players["losses"])
    about = {
        "cells": int((points > 0).sum()),
        "restored": int((table["source"] == "restored").sum()),
        "drift": drift(games, above),
        "sums": int(sums.sum()),
    }
    return pd.DataFrame({"player": names, "printed": printed, **ours}), about


# --------------------------------------------------------------------------- two sides

SIDES = np.array([3, 1, 1]), np.array([1, -3, -3])  # wins less losses of two sides


def bipartite_ratings(
    first: Num[np.ndarray, " first"], second: Num[np.ndarray, " second"]
) -> tuple[Float[np.ndarray, " first"], Float[np.ndarray, " second"]]:
    """Least squares where everybody of one side meets everybody of the other side once.

    With `a` and `b` players, the rating of one of the first side is ``(s - S/(a+b)) / b``, where s
    is the player's wins less losses and S the sum of s over the own side. In units of a game.

    **Raises:** `InputError` for wins less losses that do not add up to 0.
    """
    own, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if not np.isclose(own.sum() + other.sum(), 0.0):
        raise InputError("wins less losses of both sides must add up to 0")
    players = len(own) + len(other)
    return (own - own.sum() / players) / len(other), (other - other.sum() / players) / len(own)


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


# --------------------------------------------------------------------------- the report


@script("reports/ratings", seed=None)
def main(out: Path) -> None:
    """Recompute the printed ratings of the Morphy period, and the example of K."""
    morphy, period = morphy_period()
    frames = written(out, {"morphy": morphy}, 1)
    frames |= written(out, {"k_factor": k_factor(pd.read_csv(DATA / "k_factor.csv"))}, 3)
    ours, printed = frames["morphy"], frames["morphy"]["printed"]
    names = ours.columns[2:]
    apart = [(name, float((ours[name] - printed).abs().max())) for name in names]
    given = {"apart": pd.DataFrame(apart, columns=["name", "points"]), "laws": laws()}
    close = (frames["k_factor"]["ours"] - frames["k_factor"]["printed"]).abs() < HALF_DIGIT
    given |= {
        "right": int(close.sum()),
        "period": period,
        "sides": bipartite_errors(*SIDES),
        "k": K,
        "rating": RATING,
    }
    report(out, "ratings.md", {**frames, **given})


if __name__ == "__main__":
    main()
