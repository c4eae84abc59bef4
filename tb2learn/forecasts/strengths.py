"""How strong the teams of an event are, by their ratings and by the results played so far.

The model: a team plays as its line-up is rated (its best players, as many as there are boards) plus
an offset that is the same in all its matches. Before the event offsets are independent and normal
with mean 0 and a standard deviation of `OFFSET` points. A team without any rating counts as the
mean of the rated teams, with their standard deviation; where nobody is rated the prior is the
field's, that of the simulator's default configuration.

The likelihood of a result is that of its game points by the simulator's fitted game model, with the
team-day shock (`simulation.games`), for the line-ups that the record names: who rests its best
players does not look weak. The posterior is the normal distribution with the most likely
offsets as its mean and the curvature there as its precision (Laplace). Every continuation draws its
offsets from it, all teams together, so that what is not known of the strengths is part of a
forecast.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import linalg
from threadpoolctl import threadpool_limits

from tb2learn.config import MAX_RATING, FieldConfig, GameConfig
from tb2learn.events.model import TeamEvent
from tb2learn.events.unplayed.record import Record
from tb2learn.simulation import games

OFFSET = 55.0
"""Standard deviation of a team's offset from its rating before the event, in rating points: the
middle of the 30 to 80 points of `real-180x11`."""

DAY_SHOCK = 38.0
"""Of the game model: what the games of Baku 2016 say (`python -m studies.games`); 0 of players."""

_STEP = 4.0
"""Rating points to either side by which slopes and curvatures are measured."""

_ITERATIONS, _CLOSE = 40, 0.01


@dataclass(frozen=True)
class Strengths:
    """What is known of all teams' strengths.

    **Fields:**

    - `rosters`: whole ratings in board order, without offsets.
    - `rated`: teams with a rating.
    - `mean`, `covariance`: of the offsets, in rating points.
    """

    rosters: Int[np.ndarray, "teams boards"]
    rated: Bool[np.ndarray, " teams"]
    mean: Float[np.ndarray, " teams"]
    covariance: Float[np.ndarray, "teams teams"]


def game_model(boards: int) -> GameConfig:
    """The game model of forecasts."""
    return GameConfig(model="fitted", day_shock=DAY_SHOCK if boards > 1 else 0.0)


def prior(event: TeamEvent, offset: float = OFFSET) -> Strengths:
    """What ratings alone say.

    **Arguments:** `offset`: standard deviation of the offsets of rated teams.
    """
    field, boards = FieldConfig(), event.boards
    means = np.array(event.mean_ratings, float)
    rated = ~np.isnan(means)
    centre, spread = (field.low + field.high) / 2, (field.high - field.low) / 12**0.5
    if rated.sum() > 1:
        centre, spread = means[rated].mean(), max(means[rated].std(), offset)
    rosters = np.empty((len(means), boards))
    for team, ratings in enumerate(event.ratings or [()] * len(means)):
        known = sorted(filter(None, ratings), reverse=True)[:boards]
        rest = np.mean(known) if known else centre
        rosters[team] = sorted([*known, *[rest] * (boards - len(known))], reverse=True)
    sd = np.where(rated, offset, spread)
    whole = np.rint(np.clip(rosters, 0, MAX_RATING)).astype(np.int32)
    return Strengths(whole, rated, np.zeros(len(means)), np.diag(sd**2))


def posterior(before: Strengths, event: TeamEvent, record: Record) -> Strengths:
    """What the results played over the board add to it.

    **Arguments:** `record`: of the event.
    """
    one, number = np.nonzero(record.played)
    first = one < record.opponent[one, number]
    one, number = one[first], number[first]
    other = record.opponent[one, number]
    if not len(one):
        return before
    precision = 1.0 / np.diag(before.covariance)
    line_ups = _line_ups(event, before.rosters)
    likelihood = _Likelihood(
        line_ups[one, number], line_ups[other, number], record.scored[one, number]
    )

    with threadpool_limits(1, user_api="blas"):  # small matrices: threads cost more than they save
        offsets, curvature = _climb(likelihood, precision, one, other)
        covariance = linalg.inv(curvature)
    return Strengths(before.rosters, before.rated, offsets, (covariance + covariance.T) / 2)


def _line_ups(
    event: TeamEvent, rosters: Int[np.ndarray, "teams boards"]
) -> Int[np.ndarray, "teams rounds boards"]:
    """The ratings on every board; those of the roster where the record does not tell."""
    found = np.repeat(rosters[:, None], event.rounds, axis=1)
    for game in event.games:
        for side in game.sides:
            rating = side.rating
            if not rating and side.player is not None:
                rating = event.players[side.player].rating
            if rating:
                found[side.team, game.round - 1, game.board - 1] = rating
    return found


def _climb(
    likelihood: _Likelihood,
    precision: Float[np.ndarray, " teams"],
    one: Int[np.ndarray, " matches"],
    other: Int[np.ndarray, " matches"],
) -> tuple[Float[np.ndarray, " teams"], Float[np.ndarray, "teams teams"]]:
    """The most likely offsets, and the curvature there.

    Newton's method, with steps that are halved until they help.
    """

    def height(offsets: Float[np.ndarray, " teams"]) -> float:
        at = likelihood.logs(offsets[one] - offsets[other])
        return float(at.sum() - (precision * offsets**2).sum() / 2)

    offsets = np.zeros(len(precision))
    curvature = np.diag(precision)
    for _ in range(_ITERATIONS):
        slope, bend = likelihood.derivatives(offsets[one] - offsets[other])
        gradient = -precision * offsets
        np.add.at(gradient, one, slope)
        np.add.at(gradient, other, -slope)
        curvature = np.diag(precision)
        for a, b, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
            np.add.at(curvature, (a, b), sign * bend)
        step = linalg.solve(curvature, gradient, assume_a="pos")
        start, share = height(offsets), 1.0
        while share > _CLOSE and height(offsets + share * step) < start:
            share /= 2
        offsets = offsets + share * step
        if np.abs(share * step).max() < _CLOSE:
            break
    return offsets, curvature


class _Likelihood:
    """How probable the game points of some matches are, by difference of the offsets."""

    def __init__(
        self,
        one: Int[np.ndarray, "matches boards"],
        other: Int[np.ndarray, "matches boards"],
        scored: Int[np.ndarray, " matches"],
    ):
        """**Arguments:** ratings of both line-ups, and the half points of the first."""
        self._one, self._other = one.T, other.T
        self._scored = np.clip(scored, 0, 2 * one.shape[1])
        game = game_model(one.shape[1])
        shocks = games.shock_quantiles() * game.day_shock * 2**0.5
        self._shocks = shocks if game.day_shock else np.zeros(1)

    def logs(self, difference: Float[np.ndarray, "*shifts"]) -> Float[np.ndarray, "*shifts"]:
        """Logarithms of the probabilities; the matches are the last axis."""
        boards, matches = self._one.shape
        total = np.zeros(difference.shape)
        for shock in self._shocks:
            law = np.zeros((2 * boards + 1, *difference.shape))
            law[0] = 1.0
            for own, rival in zip(self._one, self._other, strict=True):
                law = _after_game(law, own - rival + difference + shock, (own + rival) / 2)
            total += law[self._scored, ..., np.arange(matches)].T
        return np.log(np.maximum(total / len(self._shocks), 1e-300))

    def derivatives(
        self, difference: Float[np.ndarray, " matches"]
    ) -> tuple[Float[np.ndarray, " matches"], Float[np.ndarray, " matches"]]:
        """Slopes of the logarithms, and how strongly they bend downwards, at least a little."""
        low, here, high = self.logs(difference + np.array([[-_STEP], [0.0], [_STEP]]))
        bend = np.maximum((2 * here - low - high) / _STEP**2, 1e-8)
        return (high - low) / (2 * _STEP), bend


def _after_game(
    law: Float[np.ndarray, "results *matches"],
    difference: Float[np.ndarray, "*matches"],
    mean: Float[np.ndarray, " games"],
) -> Float[np.ndarray, "results *matches"]:
    """The law of the half points after one more game, the mean of the laws with both colours."""
    constants = games.fitted_constants()
    white, black = (
        games.fitted_chances(constants, difference, mean, np.asarray(colour))
        for colour in (1.0, -1.0)
    )
    win, draw = (white[0] + black[0]) / 2, (white[1] + black[1]) / 2
    after = law * (1 - win - draw)
    after[1:] += law[:-1] * draw
    after[2:] += law[:-2] * win
    return after
