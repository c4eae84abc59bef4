"""Elo's rating tables and what they serve for: performance, new and relative ratings.

FIDE's table of expected scores is a normal curve with a standard deviation of 2000/7 points for the
difference of two players, rounded to hundredths, but for six differences (FIDE Handbook B.02,
article 8.1.2). Elo's own constant is 200*sqrt(2) = 282.84; the table does not follow from that one.
Beside the normal law stand the logistic one, and the linear "algorithm of 400", for which relative
ratings are least squares.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from statistics import NormalDist
from types import MappingProxyType

import numpy as np
from jaxtyping import Bool, Float, Int, Num

from tb2learn.types import InputError

PERCENT = 100
"""FIDE's tables are in hundredths of a point a game."""

EXTREME = 800
"""FIDE's rating difference of a score of 100 %, or, with a minus sign, of 0 %."""

SPREAD = 2000 / 7
"""Standard deviation, in rating points, of the normal law behind FIDE's table."""

EXCEPTIONS: Mapping[int, int] = MappingProxyType(
    {54: 58, 343: 88, 344: 88, 358: 90, 392: 92, 620: 99}
)
"""Differences at which FIDE's table differs from the normal law, and what it has there."""

LINEAR = 400
"""The linear law gives a win against an equal opponent this many rating points."""

_NEWTON_STEPS = 100
_LONGEST = 400.0
"""Rating points by which a step of `even_ratings` changes a rating at most."""


# --------------------------------------------------------------------------- expected scores


def normal_score(difference: Num[np.ndarray, "*games"]) -> Float[np.ndarray, "*games"]:
    """Expected score of the side rated `difference` higher, by the normal law: 0..1."""
    law = NormalDist(0.0, SPREAD)
    return np.vectorize(law.cdf, otypes=[np.float64])(difference)


def logistic_score(difference: Num[np.ndarray, "*games"]) -> Float[np.ndarray, "*games"]:
    """The same by the logistic law, ``1 / (1 + 10^(-difference/400))``."""
    return 1.0 / (1.0 + 10.0 ** (-np.asarray(difference, np.float64) / 400.0))


def linear_score(difference: Num[np.ndarray, "*games"]) -> Float[np.ndarray, "*games"]:
    """The same by the linear law, ``1/2 + difference/800``; outside 0..1 beyond 400 points."""
    return 0.5 + np.asarray(difference, np.float64) / (2 * LINEAR)


@lru_cache(maxsize=1)
def expected_scores() -> Int[np.ndarray, " differences"]:
    """FIDE's expected score of the higher rated, in hundredths, by difference 0, 1, ... 736.

    It is 100 from 736 on. Source: FIDE Handbook B.02, article 8.1.2, rebuilt from `normal_score`
    and `EXCEPTIONS`.
    """
    hundredths = np.floor(PERCENT * normal_score(np.arange(EXTREME)) + 0.5).astype(np.int32)
    hundredths[list(EXCEPTIONS)] = list(EXCEPTIONS.values())
    return hundredths[: np.argmax(hundredths == PERCENT) + 1]


def expected_hundredths(difference: Num[np.ndarray, "*games"]) -> Int[np.ndarray, "*games"]:
    """FIDE's expected score, in hundredths, of the side rated `difference` points higher.

    **Arguments:** `difference`: whole points of any size and sign.
    """
    table = expected_scores()
    ahead = np.minimum(np.abs(difference), len(table) - 1).astype(np.int64)
    return np.where(difference < 0, PERCENT - table[ahead], table[ahead])


# --------------------------------------------------------------------------- performance


@lru_cache(maxsize=1)
def rating_differences() -> Int[np.ndarray, " percent"]:
    """FIDE's d(p): the rating difference of a score of p = 0 .. 100 hundredths.

    Source: FIDE Handbook B.02, article 8.1.1. It is the middle of the differences whose expected
    score is p, rounded down to a whole number; 800 for p = 100 and -800 for p = 0.
    """
    scores = expected_scores()
    added = np.zeros(PERCENT + 1, np.int32)
    for percent in range(PERCENT // 2 + 1, PERCENT):
        differences = np.flatnonzero(scores == percent)
        added[percent] = (differences[0] + differences[-1]) // 2
    added[PERCENT] = EXTREME
    return added - added[::-1]


def performance_difference(
    results: Int[np.ndarray, " players"], games: Int[np.ndarray, " players"]
) -> Int[np.ndarray, " players"]:
    """FIDE's d(p) of scores: performance rating minus mean rating of the opponents.

    **Arguments:**

    - `results`: twice the points scored.
    - `games`: number of games, at least 1.

    **Returns:** -800..800 rating points. The share of the points is rounded to hundredths, halves
    up.
    """
    return rating_differences()[(PERCENT * results + games) // (2 * games)]


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


# --------------------------------------------------------------------------- relative ratings


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
    from scipy.sparse.csgraph import connected_components  # half a second that few need

    parts, _ = connected_components(linked, connection="strong")
    if parts > 1:
        raise InputError(otherwise)
