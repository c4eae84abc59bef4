"""R. Ricca's global criteria, which order all players of an event by their results.

Source: R. Ricca, *Looking for the best tie-break*, FIDE Technical Commission, 2016. In a team event
a match counts as one game that is won, drawn or lost by match points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int, Num
from scipy import special, stats

from tb2learn.chess.rating_tables import PERCENT, expected_scores, rating_differences
from tb2learn.types import BYE

START = 2000  # the rating that every player starts with
STEP = 50  # rating points that `abselo` adds per point above expectation
_RIDGE = 1e-6


@dataclass(frozen=True)
class Played:
    """One played event, with a match as one game."""

    opponents: Int[np.ndarray, "rounds players"]  # `BYE` where no match was played
    results: Int[np.ndarray, "rounds players"]  # 2 for a win, 1 for a draw; what a bye paid
    ratings: Num[np.ndarray, " players"]  # before the event

    @property
    def scores(self) -> Int[np.ndarray, " players"]:
        """Twice the points of the standings, including byes."""
        return self.results.sum(axis=0)

    @property
    def met(self) -> Bool[np.ndarray, "rounds players"]:
        """Where a match was played."""
        return self.opponents != BYE

    def wins(self) -> Float[np.ndarray, "players players"]:
        """Points of the first player against the second; a draw is half a win for both."""
        count = len(self.ratings)
        points = np.zeros((count, count))
        rounds, players = np.nonzero(self.met)
        opponents = self.opponents[rounds, players]
        np.add.at(points, (players, opponents), self.results[rounds, players] / 2)
        return points


def expected_hundredths(difference: Num[np.ndarray, "*games"]) -> Int[np.ndarray, "*games"]:
    """FIDE's expected score, in hundredths, of the side rated `difference` points higher.

    **Arguments:** `difference`: whole points of any size and sign.
    """
    table = expected_scores()
    ahead = np.minimum(np.abs(difference), len(table) - 1).astype(np.int64)
    # The table has the higher rated side only.
    return np.where(difference < 0, PERCENT - table[ahead], table[ahead])


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
    # In whole numbers, so that an exact half is seen as one.
    return rating_differences()[(PERCENT * results + games) // (2 * games)]


def abstpr(event: Played) -> Float[np.ndarray, " players"]:
    """ABSTPR: repeated performance ratings, each step using the ratings of the step before.

    A performance rating is the mean rating of the opponents, rounded, plus FIDE's d(p). The
    iteration ends one step before the sum of the squared changes grows.
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
    """ABSELO: each step adds `STEP` rating points per point above what FIDE's table expects.

    The iteration ends when the sum of the squared differences grows.
    """

    def step(ratings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        expected = expected_hundredths(ratings - ratings[event.opponents])
        above = np.where(event.met, PERCENT // 2 * event.results - expected, 0).sum(axis=0)
        return ratings + np.rint(STEP * above / PERCENT), above

    return _until_it_grows(step, len(event.ratings))


def _until_it_grows(
    step: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], players: int
) -> Float[np.ndarray, " players"]:
    """Iterate until the sum of the squared errors grows, and return the ratings at which it did.

    Ratings are whole points: it also ends at a fixed point or a cycle, up to a common constant.
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
    """ZERMELO: maximum-likelihood strengths, where X beats Y with the chance `X / (X + Y)`.

    In logarithms, in whole millionths. If a group of players lost no point to the rest there is no
    maximum: the Normal prior of variance `1/_RIDGE` is too wide to have an effect otherwise.
    """
    wins = event.wins()
    games = wins + wins.T
    strengths = np.zeros(len(wins))
    for _ in range(200):  # Newton's steps, short ones where the likelihood is flat
        won = special.expit(strengths[:, None] - strengths)
        slope = (games * won).sum(axis=1) - wins.sum(axis=1) + _RIDGE * strengths
        spread = games * won * (1.0 - won)
        step = np.linalg.solve(np.diag(spread.sum(axis=1) + _RIDGE) - spread, slope)
        strengths = strengths - np.clip(step, -3.0, 3.0)
        if np.abs(step).max() < 1e-9:  # the next one would be far below the last digit
            break
    return np.round(strengths - strengths.mean(), 6)


def mispts(event: Played) -> Float[np.ndarray, " players"]:
    """MISPTS: points in a round robin whose missing results are inferred from the played games.

    A path from X to Y is a chain of players each of whom beat or drew with the next. It is a win
    for X if it contains a win, else a draw. The shortest path counts; among several, the one whose
    last intermediate player (then the last but one, ...) has the highest rating, or else the lower
    number. Of paths in both directions the shorter one counts; of equally long ones a single win,
    otherwise it is a draw, as without a path. A win is 2, a draw 1.
    """
    count, everyone = len(event.ratings), np.arange(len(event.ratings))
    # Who beat or drew with a player, sorted by rating, the highest first.
    rank = np.argsort(np.lexsort((everyone, -event.ratings)))
    before = np.where(event.met & (event.results < 2), event.opponents, BYE)
    turn = np.lexsort((event.results, np.where(before == BYE, count, rank[before])), axis=0)
    before = np.take_along_axis(before, turn, axis=0)
    beaten = np.take_along_axis(event.results, turn, axis=0) == 0

    # Of the path that counts from the first player to the second: its length, `count` without a
    # path, which is longer than any; and whether it is a win.
    length, won = np.full((count, count), count), np.zeros((count, count), bool)
    length[everyone, everyone] = 0
    for steps in range(1, count):
        # [first player, round, second player]: whether the last but one player is at this distance.
        reached = (length[:, before] == steps - 1) & (before != BYE)
        choice = reached.argmax(axis=1)
        new = reached.any(axis=1) & (length == count)
        if not new.any():
            break
        last = before[choice, everyone]
        through = won[everyone[:, None], last] | beaten[choice, everyone]
        length, won = np.where(new, steps, length), np.where(new, through, won)
    ahead = (won & (length <= length.T)).astype(float)
    results = 1.0 + ahead - ahead.T
    return results.sum(axis=1) - 1.0  # without the draw of each player with himself


def bruno(event: Played) -> Float[np.ndarray, " players"]:
    """BRUNO: the sum of the opponents' points times the own points, as B. Buchholz defined it."""
    scores = event.scores
    return np.where(event.met, scores[event.opponents], 0).sum(axis=0) * scores / 4


CRITERIA: dict[str, Callable[[Played], Float[np.ndarray, " players"]]] = {
    "ABSTPR": abstpr,
    "ABSELO": abselo,
    "ZERMELO": zermelo,
    "MISPTS": mispts,
    "BRUNO": bruno,
}


def places(values: Num[np.ndarray, "*batch players"]) -> Float[np.ndarray, "*batch players"]:
    """Places by value, the highest first; equal values share the mean of their places."""
    return stats.rankdata(-values, axis=-1)


def adjusted(
    scores: Num[np.ndarray, " players"], values: Num[np.ndarray, "*batch players"]
) -> Float[np.ndarray, "*batch players"]:
    """Places by points, then by value; equal players share the mean of their places."""
    count = len(scores)
    return places((count + 1) * stats.rankdata(scores, "dense") - places(values))


def top_scorers(scores: Int[np.ndarray, " players"], rounds: int) -> Bool[np.ndarray, " players"]:
    """Players with at least 2/3 of the possible points minus half a point, and always the best.

    It agrees with Ricca's sample event, 5.5 of 9. `scores`: twice the points.
    """
    return (3 * scores >= 4 * rounds - 3) | (scores == scores.max())
