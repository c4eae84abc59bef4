"""Elo's relative ratings, by the normal law and by the linear one: there they are least squares.

The linear law is the "algorithm of 400". Source: A. E. Elo, *The Rating of Chessplayers*, 1978.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from jaxtyping import Bool, Float, Num
from scipy.sparse.csgraph import connected_components

from tb2learn.chess.rating_tables import SPREAD, normal_score
from tb2learn.types import InputError

LINEAR = 400
"""The linear law gives a win against an equal opponent this many rating points."""

_NEWTON_STEPS = 100
_LONGEST = 400.0
"""Rating points by which a step of `even_ratings` changes a rating at most."""


def linear_score(difference: Num[np.ndarray, "*games"]) -> Float[np.ndarray, "*games"]:
    """The same by the linear law, ``1/2 + difference/800``; outside 0..1 beyond 400 points."""
    return 0.5 + np.asarray(difference, np.float64) / (2 * LINEAR)


def normal_difference(share: Float[np.ndarray, "*players"]) -> Float[np.ndarray, "*players"]:
    """The rating difference at which the normal law expects a share of the points.

    **Raises:** `InputError` for a share that is not between 0 and 1: no difference is enough.
    """
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
    is the player's wins less losses and S the sum of s over the own side. For two sides of m this
    is ``(2 m s - S) / (n m)`` with n = 2m. In units of a game; times 400 in rating points.

    **Arguments:** wins less losses of the players of both sides, which add up to 0.

    **Returns:** the ratings of both sides, which add up to 0.

    **Raises:** `InputError` if they do not.
    """
    sides = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if not np.isclose(sides[0].sum() + sides[1].sum(), 0.0):
        raise InputError("wins less losses of both sides must add up to 0")
    players = len(sides[0]) + len(sides[1])
    own, other = sides
    return (own - own.sum() / players) / len(other), (other - other.sum() / players) / len(own)


def relative_step(
    games: Num[np.ndarray, "players players"],
    added: Float[np.ndarray, " players"],
    ratings: Float[np.ndarray, " players"],
) -> Float[np.ndarray, " players"]:
    """One step of Elo's relative ratings: mean rating of the opponents, by games, plus d(p).

    **Arguments:**

    - `games`: between every two players; symmetric, each player with at least one.
    - `added`: d(p) of every player, as `normal_difference` or `linear_difference` gives it.
    - `ratings`: before the step.
    """
    return games @ ratings / games.sum(axis=1) + added


def drift(games: Num[np.ndarray, "players players"], added: Float[np.ndarray, " players"]) -> float:
    """By how much every step moves all ratings together: the mean of d(p) weighted by games.

    It is 0 with the linear law. Only differences of ratings mean anything.
    """
    return float(np.average(added, weights=games.sum(axis=1)))


def relative_ratings(
    games: Num[np.ndarray, "players players"], added: Float[np.ndarray, " players"]
) -> Float[np.ndarray, " players"]:
    """The ratings that `relative_step` only moves all together, by `drift`; they add up to 0.

    With the linear law this is the least squares rating, in units of 400 points a game.

    **Arguments:** as for `relative_step`.

    **Raises:** `InputError` if the games do not connect all players.
    """
    _check_connected(games > 0, "the games do not connect all players")
    number = games.sum(axis=1)
    return _solve(np.diag(number) - games, number * (added - drift(games, added)))


def even_ratings(
    points: Float[np.ndarray, "players players"],
) -> Float[np.ndarray, " players"]:
    """Ratings with which the normal law expects of every player what was scored; they add up to 0.

    **Arguments:** `points` of every player against every other.

    **Raises:** `InputError` if the results have no such ratings: games that do not connect all
    players, or somebody who won all games against the rest.
    """
    _check_connected(points > 0, "no ratings expect these results: somebody won all games")
    games, ratings = points + points.T, np.zeros(len(points))
    density = np.vectorize(NormalDist(0.0, SPREAD).pdf, otypes=[np.float64])
    for _ in range(_NEWTON_STEPS):
        apart = ratings[:, None] - ratings[None, :]
        missing = (points - games * normal_score(apart)).sum(axis=1)
        slope = games * density(apart)
        step = _solve(np.diag(slope.sum(axis=1)) - slope, missing)
        ratings = ratings + np.clip(step, -_LONGEST, _LONGEST)
    return ratings


def _solve(
    laplacian: Float[np.ndarray, "players players"], right: Float[np.ndarray, " players"]
) -> Float[np.ndarray, " players"]:
    """The solution that adds up to 0 of a system with a Laplacian, right sides adding up to 0."""
    return np.linalg.solve(laplacian + np.diag(laplacian).mean() / len(right), right)


def _check_connected(linked: Bool[np.ndarray, "players players"], otherwise: str) -> None:
    """**Raises:** `InputError` unless links lead from everybody to everybody."""
    parts, _ = connected_components(linked, connection="strong")
    if parts > 1:
        raise InputError(otherwise)
