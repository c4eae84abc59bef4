"""R. Ricca's global criteria, which order the players without regard to their points.

A global criterion orders all players (or teams) of a played event by their results. A tie-break is
judged by how near its order of players on equal points is to the criterion's: by the root mean
square difference between the places by points and tie-break and the places by points and criterion,
where *tied players share the middle place*. Lower is better (R. Ricca, *Looking for the best
tie-break*, FIDE Technical Commission, 2016).

In a team event a match counts as one game: a win, a draw or a loss of the match, by match points.
Everything here is numpy, one event at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Num
from scipy import optimize, special, stats

from tb2learn.results import match_points
from tb2learn.tiebreaks.rated import PERCENT, expected_scores, rating_differences
from tb2learn.types import BYE, Key

START = 2000
"""The rating that every player starts from."""

STEP = 50
"""Rating points that `abselo` adds for one point above expectation."""

_RIDGE = 1e-6
_DIGITS = 6
_NEWTON_STEPS = 10


@dataclass(frozen=True)
class Played:
    """One played event, seen from every player.

    **Fields:**

    - `opponents`: `[rounds, players]` player numbers, `BYE` where no match was played.
    - `results`: `[rounds, players]` 2 for a win, 1 for a draw, 0 for a loss; without meaning where
      no match was played.
    - `scores`: `[players]` points of the standings, twice, those of byes too.
    - `ratings`: `[players]` rating points from before the event.
    """

    opponents: Int[np.ndarray, "rounds players"]
    results: Int[np.ndarray, "rounds players"]
    scores: Int[np.ndarray, " players"]
    ratings: Num[np.ndarray, " players"]

    @property
    def met(self) -> Bool[np.ndarray, "rounds players"]:
        """Where a match was played."""
        return self.opponents != BYE

    def wins(self) -> Float[np.ndarray, "players players"]:
        """Points of the first player against the second, a draw as half a win for both."""
        count = len(self.scores)
        points = np.zeros((count, count))
        rounds, players = np.nonzero(self.met)
        np.add.at(
            points,
            (players, self.opponents[rounds, players]),
            self.results[rounds, players] / 2,
        )
        return points


def played(
    opponents: Int[np.ndarray, "rounds players"],
    half_points: Int[np.ndarray, "rounds players"],
    boards: int,
    ratings: Num[np.ndarray, " players"],
) -> Played:
    """An event as the criteria see it: a match is one game.

    **Arguments:**

    - `opponents`: `BYE` for a bye.
    - `half_points`: half points scored on `boards` boards, those of a bye too.
    - `boards`: games a match, 1 in an individual event.
    - `ratings`: rating points from before the event.
    """
    results = np.asarray(match_points(jnp.asarray(half_points), boards))
    return Played(opponents, results, results.sum(axis=0), ratings)


# --------------------------------------------------------------------------- the rating tables


def expected_hundredths(difference: Num[np.ndarray, "*games"]) -> Int[np.ndarray, "*games"]:
    """Hundredths of a point expected of the side rated `difference` whole points higher (FIDE)."""
    table = expected_scores()
    ahead = np.minimum(np.abs(difference), len(table) - 1).astype(np.int64)
    return np.where(difference < 0, PERCENT - table[ahead], table[ahead])


def performance_difference(
    results: Int[np.ndarray, " players"], games: Int[np.ndarray, " players"]
) -> Int[np.ndarray, " players"]:
    """FIDE's d(p): by how much a player performed above the mean rating of the opponents.

    **Arguments:**

    - `results`: points scored, twice.
    - `games`: how many games that took. Nobody played none.

    **Returns:** -800 .. 800 rating points. The share of the points is rounded to hundredths, halves
    up.
    """
    return rating_differences()[(PERCENT * results + games) // (2 * games)]


# --------------------------------------------------------------------------- the criteria


def abstpr(event: Played) -> Float[np.ndarray, " players"]:
    """ABSTPR: every rating becomes the performance against the ratings of the step before.

    A performance is the mean rating of the opponents, to whole points, and FIDE's d(p). It ends one
    step before the sum of the squared changes grows. Who played no game keeps `START`.
    """
    games = event.met.sum(axis=0)
    at_least_one = np.maximum(games, 1)
    scored = np.where(event.met, event.results, 0).sum(axis=0)
    above = performance_difference(np.where(games, scored, 1), at_least_one)

    def step(ratings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        met = np.where(event.met, ratings[event.opponents], 0).sum(axis=0)
        new = np.where(games, np.rint(met / at_least_one) + above, ratings)
        return new, new - ratings

    return _until_it_grows(step, len(games))


def abselo(event: Played) -> Float[np.ndarray, " players"]:
    """ABSELO: `STEP` rating points for every point above expectation, repeated.

    The expectation is FIDE's table at the ratings of the step before, which are whole points; there
    is no limit of 400 points. It ends when the sum of the squared differences between points and
    expectation grows.
    """

    def step(ratings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        expected = expected_hundredths(ratings - ratings[event.opponents])
        above = np.where(event.met, PERCENT // 2 * event.results - expected, 0).sum(axis=0)
        return ratings + np.rint(STEP * above / PERCENT), above

    return _until_it_grows(step, len(event.scores))


def _until_it_grows(
    step: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], players: int
) -> Float[np.ndarray, " players"]:
    """Take steps until the sum of the squared errors grows: the ratings at which it did.

    Ratings are whole points, so they may also come to a standstill or go round in a circle, all of
    them up or down by as much as it may be; that is an end too.
    """
    ratings, before = np.full(players, float(START)), np.inf
    seen = {(ratings - START).tobytes()}
    while True:
        new, error = step(ratings)
        size, shape = (error**2).sum(), (new - new[0]).tobytes()
        if size > before or shape in seen:
            return ratings
        ratings, before = new, size
        seen.add(shape)


def zermelo(event: Played) -> Float[np.ndarray, " players"]:
    """ZERMELO: the most likely strengths where X beats Y with the chance `X / (X + Y)`.

    Zermelo's maximum-likelihood ratings (1929), also known as Bradley and Terry's; a draw is half a
    win for both. Where a group of players lost nothing to the rest there is no maximum: so the
    likelihood has a Normal prior, of variance `1/_RIDGE` and hence far too wide to be seen where
    there is one.

    **Returns:** natural logarithms of the strengths, mean 0, in whole millionths.
    """
    wins = event.wins()
    games = wins + wins.T

    def chance(strengths: np.ndarray) -> np.ndarray:
        return special.expit(strengths[:, None] - strengths)

    def loss(strengths: np.ndarray) -> float:
        unlikely = np.logaddexp(0.0, strengths - strengths[:, None])
        return (wins * unlikely).sum() + _RIDGE / 2 * (strengths @ strengths)

    def slope(strengths: np.ndarray) -> np.ndarray:
        return (games * chance(strengths)).sum(axis=1) - wins.sum(axis=1) + _RIDGE * strengths

    def bend(strengths: np.ndarray) -> np.ndarray:
        won = chance(strengths)
        spread = games * won * (1.0 - won)
        return np.diag(spread.sum(axis=1) + _RIDGE) - spread

    found = optimize.minimize(
        loss, np.zeros(len(wins)), jac=slope, hess=bend, method="Newton-CG", options={"xtol": 1e-10}
    )
    strengths = found.x
    # Newton-CG stops early where the likelihood is flat; these steps end at the maximum.
    for _ in range(_NEWTON_STEPS):
        strengths = strengths - np.linalg.solve(bend(strengths), slope(strengths))
    return np.round(strengths - strengths.mean(), _DIGITS)


def mispts(event: Played) -> Float[np.ndarray, " players"]:
    """MISPTS: points of the whole round robin, the missing results inferred from those there are.

    X is ahead of Y along a path of players each of whom beat or drew with the next; a path with a
    win in it is a win, else a draw. The shortest path counts. Of several, the one whose last
    player between is the highest rated (of equal ratings, the lower numbered), of those the one
    whose last but one is, and so on. If there are paths both ways the shorter counts; of equally
    long ones the winning one if just one wins, else the result is a draw, as it is without a path.

    **Returns:** 2 a win, 1 a draw.
    """
    length, won = _paths(event)
    ahead = (won & (length <= length.T)).astype(float)
    results = 1.0 + ahead - ahead.T
    return results.sum(axis=1) - 1.0  # without the draw of everybody with himself


def _paths(
    event: Played,
) -> tuple[Int[np.ndarray, "players players"], Bool[np.ndarray, "players players"]]:
    """Length of the path that counts from the first player to the second, and whether it wins.

    Without a path the length is that of no path: the number of players.
    """
    count = len(event.scores)
    # Who beat a player or drew with him, by round; the highest rated first.
    standing = np.lexsort((np.arange(count), -event.ratings))
    rank = np.empty(count, np.int64)
    rank[standing] = np.arange(count)
    before = np.where(event.met & (event.results < 2), event.opponents, BYE)
    turn = np.lexsort((event.results, np.where(before == BYE, count, rank[before])), axis=0)
    before = np.take_along_axis(before, turn, axis=0)
    beaten = np.take_along_axis(event.results, turn, axis=0) == 0

    everyone = np.arange(count)
    length = np.full((count, count), count)
    won = np.zeros((count, count), bool)
    length[everyone, everyone] = 0
    for steps in range(1, count):
        # [first player, round, second player]: whether the last player but one is that far away.
        reached = (length[:, before] == steps - 1) & (before != BYE)
        choice = reached.argmax(axis=1)
        new = reached.any(axis=1) & (length == count)
        if not new.any():
            break
        last = before[choice, everyone]
        through = won[everyone[:, None], last] | beaten[choice, everyone]
        length = np.where(new, steps, length)
        won = np.where(new, through, won)
    return length, won


def bruno(event: Played) -> Float[np.ndarray, " players"]:
    """BRUNO: the sum of the opponents' points times one's own, as B. Buchholz had it."""
    met = np.where(event.met, event.scores[event.opponents], 0).sum(axis=0)
    return met * event.scores / 4


CRITERIA: dict[str, Callable[[Played], Float[np.ndarray, " players"]]] = {
    "ABSTPR": abstpr,
    "ABSELO": abselo,
    "ZERMELO": zermelo,
    "MISPTS": mispts,
    "BRUNO": bruno,
}
"""Ricca's global criteria: a number a player, higher is better."""


def random_criterion(key: Key, players: int) -> Int[Array, " players"]:
    """RANDOM: a draw of lots, the negative benchmark.

    **Arguments:**

    - `key`: consumed.
    - `players`: how many.

    **Returns:** each number 0 .. players - 1 once.
    """
    return jax.random.permutation(key, players)


# --------------------------------------------------------------------------- the evaluation


def places(values: Num[np.ndarray, "*batch players"]) -> Float[np.ndarray, "*batch players"]:
    """Places by value, the highest first; equal values share the middle of their places."""
    return stats.rankdata(-values, axis=-1)


def adjusted(
    scores: Num[np.ndarray, " players"], values: Num[np.ndarray, "*batch players"]
) -> Float[np.ndarray, "*batch players"]:
    """Places by points, and by value among equal points only; what is equal shares the middle."""
    count = len(scores)
    return places((count + 1) * stats.rankdata(scores, "dense") - places(values))


def top_scorers(scores: Int[np.ndarray, " players"], rounds: int) -> Bool[np.ndarray, " players"]:
    """Who has at least two thirds of the most points less half a point; the best in any case.

    Ricca says "about 67% or more points" and prints no bound. In his sample event it is 5.5 of 9;
    this one also gives score groups as large as his averages for the other kinds of events imply.

    **Arguments:**

    - `scores`: points, twice.
    - `rounds`: of the event.
    """
    return (3 * scores >= 4 * rounds - 3) | (scores == scores.max())


def evaluation(
    by_tiebreak: Float[np.ndarray, " players"],
    by_criterion: Float[np.ndarray, " players"],
    population: Bool[np.ndarray, " players"] | None = None,
) -> float:
    """Ricca's evaluation: the root mean square difference of places.

    **Arguments:**

    - `by_tiebreak`, `by_criterion`: places of the players, `adjusted` ones or, of two criteria,
      those of all `places`.
    - `population`: who counts, at least one; everybody if not given. Places are those among all.
    """
    difference = by_tiebreak - by_criterion
    if population is not None:
        difference = difference[population]
    return float(np.sqrt((difference**2).mean()))
