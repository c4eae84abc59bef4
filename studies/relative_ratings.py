"""Elo's relative ratings, by the normal law and by the linear one: there they are least squares.

The linear law is the "algorithm of 400". Source: A. E. Elo, *The Rating of Chessplayers*, 1978.
`games` are numbers of games between every two players, and `added` is d(p) of every player.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from jaxtyping import Bool, Float, Num
from scipy.sparse.csgraph import connected_components

from tb2learn.chess.rating_tables import SPREAD, normal_score
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
    return np.vectorize(NormalDist(0.0, SPREAD).inv_cdf, otypes=[np.float64])(shares)


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
