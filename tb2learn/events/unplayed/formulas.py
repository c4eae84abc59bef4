"""Formulas that policies for unplayed rounds share, in any unit of points.

`draw` is always the number of points for a drawn round.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int, Num

from tb2learn.chess.rating_tables import PERCENT, expected_hundredths
from tb2learn.events.unplayed.record import Record

WIN = 2
"""A won match pays as much as two drawn ones."""


def virtual_opponent(
    before: Num[np.ndarray, "*#batch"] | float,
    received: Num[np.ndarray, "*#batch"] | float,
    later: Num[np.ndarray, "*#batch"] | int,
    draw: float,
) -> Num[np.ndarray, "*batch"] | float:
    """The final score of a virtual opponent.

    It starts with the team's own score, gains the points of a win that the team did not get in the
    round, and draws all later rounds.

    **Arguments:**

    - `before`: points that it starts with, the team's own before the round.
    - `received`: points that the team got for the round.
    - `later`: rounds after it.
    - `draw`: points of a drawn round.
    """
    return before + (WIN * draw - received) + draw * later


def with_draws(
    points: Num[np.ndarray, "*#batch"] | float,
    missed: Num[np.ndarray, "*#batch"] | int,
    draw: float,
) -> Num[np.ndarray, "*batch"]:
    """Points over the board plus a draw for every missed round."""
    return np.asarray(points + draw * missed)


def quotient(
    points: Num[np.ndarray, "*#batch"] | float | np.number,
    games: Num[np.ndarray, "*#batch"] | float | np.number,
) -> Float[np.ndarray, "*batch"]:
    """Points per game; 0 without a game."""
    points, games = np.asarray(points, float), np.asarray(games)
    return np.divide(
        points, games, out=np.zeros(np.broadcast(points, games).shape), where=games != 0
    )


def pooled_without(
    points: Num[np.ndarray, "*batch items"], games: Num[np.ndarray, "*batch items"]
) -> Float[np.ndarray, "*batch items"]:
    """Points per game of all opponents together, leaving out each opponent in turn."""
    return quotient(
        points.sum(axis=-1, keepdims=True) - points, games.sum(axis=-1, keepdims=True) - games
    )


def expected_score(difference: Num[np.ndarray, "*batch"] | float) -> Float[np.ndarray, "*batch"]:
    """FIDE's expected score for a rating difference.

    The difference is rounded to whole points (halves up) and cut at 400.

    **Returns:** 0.08..0.92.
    """
    size = np.floor(np.minimum(np.abs(difference), 400) + 0.5)
    hundredths = expected_hundredths(np.asarray(np.copysign(size, difference)))
    return np.asarray(hundredths / PERCENT)


def sivakasi_opponent(
    mean: Num[np.ndarray, "*#batch"] | float,
    correction: Num[np.ndarray, "*#batch"] | float = 0.0,
    forfeiter: Num[np.ndarray, "*#batch"] | float = -np.inf,
) -> Float[np.ndarray, "*batch"]:
    """What an unplayed round adds to the sum of the opponents' scores under `Sivakasi`.

    **Arguments:**

    - `mean`: mean score of the opponents met.
    - `correction`: added to the mean.
    - `forfeiter`: score of the side that did not appear, if it missed no other round. If it is
      greater than the mean it replaces mean and correction.
    """
    return np.where(np.greater(forfeiter, mean), forfeiter, np.add(mean, correction))


def before_round(points: Int[np.ndarray, "teams rounds"]) -> Int[np.ndarray, "teams rounds"]:
    """Points before every round."""
    return np.cumsum(points, axis=1) - points


def over_the_board(
    record: Record, points: Int[np.ndarray, "teams rounds"]
) -> Int[np.ndarray, " teams"]:
    """Points of the matches that were played over the board."""
    return np.where(record.played, points, 0).sum(axis=1)
