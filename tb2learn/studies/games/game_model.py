"""Game models fitted to real games: candidates, likelihoods, residuals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from jaxtyping import Float, Int
from scipy import optimize, special

from tb2learn.config import GameConfig
from tb2learn.data import load_table
from tb2learn.simulation import games

EVENT = "baku2016"

SIDES = ("white", "black")

RESULTS = {"0-1": 0, "1/2-1/2": 1, "1-0": 2}
"""White's half points."""

LEAST = 1e-12
"""Replaces a chance of 0, whose logarithm is infinite."""

PerGame: TypeAlias = Float[np.ndarray, " games"]

Chances: TypeAlias = Callable[[np.ndarray, PerGame, PerGame, PerGame], tuple[PerGame, PerGame]]
"""A function of constants, rating difference, mean rating and colour: chances of win and draw."""


@dataclass(frozen=True)
class Games:
    """Played games between rated players.

    **Fields:**

    - `difference`, `mean`: of the ratings, in points; the difference is White's less Black's.
    - `half_points`: 0, 1 or 2, White's.
    - `match`: number of the match, 0 ..; every match has at least one game.
    - `side`: 1 where White plays for the team named first in the match's first game, else -1.
    - `round`: number of the round.
    - `teams`: names of White's and Black's team.
    """

    difference: PerGame
    mean: PerGame
    half_points: Int[np.ndarray, " games"]
    match: Int[np.ndarray, " games"]
    side: PerGame
    round: Int[np.ndarray, " games"]
    teams: np.ndarray

    @property
    def matches(self) -> int:
        """Number of matches."""
        return int(self.match.max()) + 1


@dataclass(frozen=True)
class Candidate:
    """A game model with constants to be fitted.

    **Fields:** its `name`, its `chances`, and the constants from which the fit starts (none is 0).
    """

    name: str
    chances: Chances
    start: tuple[float, ...]


def ordered_logit(
    constants: np.ndarray, difference: PerGame, mean: PerGame, colour: PerGame
) -> tuple[PerGame, PerGame]:
    """The ordered logit model: draws are an interval in the middle of a logistic scale.

    **Arguments:** `scale`, `white_advantage`, and level and slope (over `games.rise_of`) of the
    logarithm of half the width of this interval; otherwise as `games.fitted_chances`.

    **Returns:** `(win, draw)`.
    """
    scale, white_advantage, level, by_mean = constants
    strength = (scale * difference + white_advantage * colour) * np.log(10.0) / 400.0
    half_width = np.exp(level + by_mean * games.rise_of(mean))
    win, loss = special.expit(strength - half_width), special.expit(-strength - half_width)
    return win, 1.0 - win - loss


def davidson(
    constants: np.ndarray, difference: PerGame, mean: PerGame, colour: PerGame
) -> tuple[PerGame, PerGame]:
    """Davidson's model: the chance of a draw is proportional to the geometric mean of the others.

    **Arguments:** `scale`, `white_advantage`, and level and slope (over `games.rise_of`) of the
    logarithm of that ratio; otherwise as `games.fitted_chances`.

    **Returns:** `(win, draw)`.
    """
    scale, white_advantage, level, by_mean = constants
    strength = (scale * difference + white_advantage * colour) * np.log(10.0) / 400.0
    draw = level + by_mean * games.rise_of(mean)
    win, draw, _ = special.softmax(np.stack([strength / 2.0, draw, -strength / 2.0]), axis=0)
    return win, draw


FITTED = Candidate("share of the room", games.fitted_chances, (1.0, 30.0, -0.9, 0.9, 0.9))

CANDIDATES = (
    FITTED,
    Candidate("ordered logit", ordered_logit, (1.0, 30.0, -0.5, 0.5)),
    Candidate("Davidson", davidson, (1.5, 50.0, -0.4, 0.7)),
)


def read_games(event: str = EVENT) -> Games:
    """The played games of a packaged event in which both players have a rating."""
    boards = load_table(event, "boards.csv")
    boards = boards[boards.status == "played"].dropna(subset=["white_rating", "black_rating"])
    white, black = (boards[f"{side}_rating"].to_numpy(float) for side in SIDES)
    # Keys are sorted as text, which keeps the numbers of matches and so the published intervals.
    names = boards[["round", "match"]].to_numpy(str)
    _, first, match = np.unique(names, axis=0, return_index=True, return_inverse=True)
    teams = boards[[f"{side}_team" for side in SIDES]].to_numpy(str)
    return Games(
        difference=white - black,
        mean=(white + black) / 2.0,
        half_points=boards.result.map(RESULTS).to_numpy(int),
        match=match,
        side=np.where(teams[:, 0] == teams[first[match], 0], 1.0, -1.0),
        round=boards["round"].to_numpy(int),
        teams=teams,
    )


def chances_of(
    candidate: Candidate, constants: np.ndarray, played: Games
) -> tuple[PerGame, PerGame]:
    """White's chances of a win and of a draw in every game."""
    white = np.ones_like(played.mean)
    return candidate.chances(constants, played.difference, played.mean, white)


def table_chances(game: GameConfig, played: Games) -> tuple[PerGame, PerGame]:
    """White's chances of a win and of a draw in simulated events, which have no colours."""
    first_mean, mean_step, means = games.mean_classes(game)
    row = np.clip((played.mean - first_mean) // mean_step, 0, means - 1).astype(int)
    law = games.game_table(game)[row, np.abs(played.difference).astype(int)] / games.UNIT
    win, draw = law.T
    return np.where(played.difference >= 0, win, 1.0 - win - draw), draw


def log_likelihood(chances: tuple[PerGame, PerGame], played: Games, least: float) -> PerGame:
    """Logarithm of the chance of every game's result.

    **Arguments:** `chances` are White's; smaller ones than `least` count as `least`.
    """
    win, draw = chances
    chance = np.choose(played.half_points, [1.0 - win - draw, draw, win])
    return np.log(np.maximum(chance, least))


def fit(candidate: Candidate, played: Games, weights: np.ndarray | None = None) -> np.ndarray:
    """The maximum-likelihood constants of a model.

    **Arguments:**

    - `candidate`: the model.
    - `played`: the games.
    - `weights`: how often each match counts, `[matches]`; once if not given.

    **Returns:** float64, in the order of the candidate's `start`.

    **Raises:** `RuntimeError` if the search does not converge.
    """
    weight = np.ones(len(played.match)) if weights is None else weights[played.match]

    def loss(constants: np.ndarray) -> float:
        chances = chances_of(candidate, constants, played)
        return -float(weight @ log_likelihood(chances, played, LEAST))

    # Without gradients, as the likelihood has kinks at rating difference 0.
    options = {"xatol": 1e-5, "fatol": 1e-6, "maxiter": 5000, "maxfev": 5000}
    found = optimize.minimize(loss, candidate.start, method="Nelder-Mead", options=options)
    if not found.success:
        raise RuntimeError(f"the fit of {candidate.name} did not converge: {found.message}")
    return found.x


def held_out_log_likelihood(candidate: Candidate, played: Games) -> PerGame:
    """Logarithm of the chance of every result, with constants fitted to the other rounds."""
    result = np.empty(len(played.match))
    for number in np.unique(played.round):
        out = played.round == number
        used = np.bincount(played.match, ~out, played.matches) > 0
        constants = fit(candidate, played, used.astype(np.float64))
        result[out] = log_likelihood(chances_of(candidate, constants, played), played, LEAST)[out]
    return result


def shock_log_likelihood(
    constants: np.ndarray, played: Games, day_shocks: Sequence[float] | np.ndarray
) -> Float[np.ndarray, "values matches"]:
    """Logarithm of the chance of every match's results under team-day shocks.

    **Arguments:**

    - `constants`: of the fitted model.
    - `played`: the games.
    - `day_shocks`: standard deviations of the shock of one team, in rating points.

    **Returns:** one row per standard deviation. The shocks of a match are those of
    `games.cumulative_law`, but not rounded.
    """
    quantiles = games.shock_quantiles()
    white = np.ones_like(played.mean)

    def of_match(relative: float) -> np.ndarray:
        shifted = played.difference + relative * played.side
        chances = games.fitted_chances(constants, shifted, played.mean, white)
        each = log_likelihood(chances, played, LEAST)
        return np.bincount(played.match, each, played.matches)

    return np.array(
        [
            special.logsumexp([of_match(shock * 2**0.5 * q) for q in quantiles], axis=0)
            - np.log(len(quantiles))
            for shock in day_shocks
        ]
    )


def standard_residuals(chances: tuple[PerGame, PerGame], played: Games) -> PerGame:
    """(Score - expected score) / standard deviation, for the first team of the match."""
    win, draw = chances
    expected = win + draw / 2.0
    deviation = np.sqrt(win + draw / 4.0 - expected**2)
    return played.side * (played.half_points / 2.0 - expected) / deviation


def board_products(residuals: PerGame, played: Games) -> tuple[np.ndarray, np.ndarray]:
    """For every match: sum and number of the products of the residuals of two boards."""
    total, squares, boards = (
        np.bincount(played.match, x, played.matches)
        for x in (residuals, residuals**2, np.ones_like(residuals))
    )
    return (total**2 - squares) / 2.0, boards * (boards - 1) / 2.0


def day_products(residuals: PerGame, played: Games) -> tuple[np.ndarray, np.ndarray]:
    """For every team: the same for two boards in different matches of the team."""
    names, team = np.unique(played.teams, return_inverse=True)
    days = np.zeros((2, len(names), played.matches))
    for own, sign in zip(team.reshape(-1, 2).T, (1.0, -1.0), strict=True):
        np.add.at(days[0], (own, played.match), sign * played.side * residuals)
        np.add.at(days[1], (own, played.match), 1.0)
    products, number = (days.sum(axis=-1) ** 2 - (days**2).sum(axis=-1)) / 2.0
    return products, number


def implied_correlation(constants: np.ndarray, played: Games, day_shock: float) -> float:
    """Mean correlation of two boards of a match that follows from a team-day shock.

    **Arguments:**

    - `constants`: of the fitted model.
    - `played`: the games.
    - `day_shock`: standard deviation of one team's shock, in rating points.

    **Returns:** the mean over the pairs of boards of all matches, -1..1.
    """
    white = np.ones_like(played.mean)
    moved, expected = [], []
    for quantile in games.shock_quantiles():
        shifted = played.difference + day_shock * 2**0.5 * quantile * played.side
        win, draw = games.fitted_chances(constants, shifted, played.mean, white)
        expected.append(win + draw / 2.0)
        moved.append(win + draw / 4.0)
    mean = np.mean(expected, axis=0)
    deviation = np.sqrt(np.mean(moved, axis=0) - mean**2)
    products = [
        board_products(played.side * (each - mean) / deviation, played) for each in expected
    ]
    return float(np.mean([of_match.sum() / number.sum() for of_match, number in products]))
