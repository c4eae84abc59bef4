"""How strong the teams of an event are, by their ratings and by the results played so far.

The model: a team plays as its line-up is rated (its best players, as many as there are boards) plus
an offset that is the same in all its matches. Before the event offsets are independent and normal
with mean 0; their standard deviation depends on the team's rating (`Offsets`): ratings of strong
teams are near their strength, those of weak teams are not. A team without any rating counts as the
mean of the rated teams, with their standard deviation; where nobody is rated the prior is the
field's, that of the simulator's default configuration.

The likelihood of a result is that of its game points by the simulator's fitted game model, for the
line-ups that the record names: who rests its best players does not look weak. The posterior is the
normal distribution with the most likely offsets as its mean and the curvature there as its
precision (Laplace). Every continuation draws its offsets from it, all teams together, so that what
is not known of the strengths is part of a forecast.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import linalg
from threadpoolctl import threadpool_limits

from tb2learn.config import MAX_RATING, FieldConfig, GameConfig
from tb2learn.events.model import TeamEvent
from tb2learn.events.unplayed.record import Record, event_record
from tb2learn.simulation import games

GAMES = GameConfig(model="fitted")
"""The game model of forecasts: results of real Olympiads do not support a day shock of teams."""

_LEVEL, _LEAST, _MOST = 2400, 5.0, 300.0
"""The rating of `Offsets.points`, and bounds of all standard deviations."""

_STEP = 4.0
"""Rating points to either side by which slopes and curvatures are measured."""

_ITERATIONS, _CLOSE = 40, 0.01


@dataclass(frozen=True)
class Offsets:
    """The standard deviation of offsets from rating to strength before an event, by rating.

    It is `points` at a mean rating of 2400, and halves every `halving` points upwards; `halving` is
    infinite for the same at all levels.
    """

    points: float
    halving: float = np.inf

    def at(self, rating: Float[np.ndarray, " teams"]) -> Float[np.ndarray, " teams"]:
        """The standard deviation at some ratings, 5 to 300 points."""
        return np.clip(self.points * 2 ** ((_LEVEL - rating) / self.halving), _LEAST, _MOST)


TEAMS = Offsets(29.2, 341)
"""Of teams: fitted to four Olympiads (`python -m studies.forecast` prints the fit)."""

PLAYERS = Offsets(55.0)
"""Of single players: the middle of the 30 to 80 points of `real-180x11`; not fitted."""


@dataclass(frozen=True)
class Strengths:
    """What is known of all teams' strengths: ratings in board order, and offsets in points."""

    rosters: Int[np.ndarray, "teams boards"]
    rated: Bool[np.ndarray, " teams"]
    mean: Float[np.ndarray, " teams"]
    covariance: Float[np.ndarray, "teams teams"]


def prior(event: TeamEvent, offsets: Offsets | None = None) -> Strengths:
    """What ratings alone say.

    **Arguments:** `offsets`: of rated teams; `TEAMS` or `PLAYERS` if not given.
    """
    offsets = offsets or (PLAYERS if event.individual else TEAMS)
    field, boards = FieldConfig(), event.boards
    means = np.array(event.mean_ratings, float)
    rated = ~np.isnan(means)
    # Of a uniform distribution: its width by the root of 12.
    centre, spread = (field.low + field.high) / 2, (field.high - field.low) / 12**0.5
    if rated.sum() > 1:
        centre, spread = means[rated].mean(), means[rated].std()
        # Who has no rating is known no better than the rated.
        spread = max(spread, offsets.at(means[rated]).mean())
    rosters = np.empty((len(means), boards))
    for team, ratings in enumerate(event.ratings or [()] * len(means)):
        ratings_known = sorted(filter(None, ratings), reverse=True)[:boards]
        rest = np.mean(ratings_known) if ratings_known else centre
        rosters[team] = sorted(
            [*ratings_known, *[rest] * (boards - len(ratings_known))], reverse=True
        )
    sd = np.where(rated, offsets.at(np.where(rated, means, centre)), spread)
    whole = np.rint(np.clip(rosters, 0, MAX_RATING)).astype(np.int32)
    return Strengths(whole, rated, np.zeros(len(means)), np.diag(sd**2))


def posterior(before: Strengths, event: TeamEvent, record: Record) -> Strengths:
    """What the results played over the board add to it; `record` is that of the event."""
    matches = _Matches(before, event, record)
    if not len(matches.first):
        return before
    with threadpool_limits(1, user_api="blas"):  # small matrices: threads cost more than they save
        # The prior is independent by team: the diagonal of its covariance is all of it.
        offsets, curvature = matches.most_likely(1 / np.diag(before.covariance))
        covariance = linalg.inv(curvature)
    # An inverse is symmetric but for rounding.
    return replace(before, mean=offsets, covariance=(covariance + covariance.T) / 2)


def log_likelihood(event: TeamEvent, offsets: Offsets, day_shock: float = 0.0) -> float:
    """The logarithm of the chance of all results of an event, by Laplace's approximation."""
    before = prior(event, offsets)
    matches = _Matches(before, event, event_record(event), day_shock)
    precision = 1 / np.diag(before.covariance)
    with threadpool_limits(1, user_api="blas"):
        most_likely, curvature = matches.most_likely(precision)
        # Of prior and posterior: how much narrower the results have made it.
        determinants = np.log(precision).sum() - np.linalg.slogdet(curvature)[1]
    return matches.height(most_likely, precision) + float(determinants) / 2


class _Matches:
    """The matches of an event that were played, and how probable their game points are."""

    def __init__(
        self, before: Strengths, event: TeamEvent, record: Record, day_shock: float = 0.0
    ) -> None:
        # Team by team: the order in which fractions are added up.
        team, number = np.nonzero(record.played.T)
        # Both sides have each match: it is taken once, from the lower number.
        first_side = team < record.opponent[number, team]
        self.first, number = team[first_side], number[first_side]
        self.second = record.opponent[number, self.first]
        # The ratings on every board; those of the roster where the record does not tell.
        line_ups = np.repeat(before.rosters[:, None], event.rounds, axis=1)
        for game in event.games:
            for colour in game.sides:
                rating = colour.rating
                if not rating and colour.player is not None:
                    rating = event.players[colour.player].rating
                if rating:
                    line_ups[colour.team, game.round - 1, game.board - 1] = rating
        self._ratings = line_ups[self.first, number].T, line_ups[self.second, number].T
        self._scored = np.clip(record.scored[number, self.first], 0, 2 * event.boards)
        # The difference of two independent shocks has sqrt(2) times their standard deviation.
        self._shocks = games.shock_quantiles() * day_shock * 2**0.5 if day_shock else np.zeros(1)

    def logs(self, difference: Float[np.ndarray, "*shifts"]) -> Float[np.ndarray, "*shifts"]:
        """Logarithms of the probabilities by difference of offsets; the last axis is matches."""
        boards, matches = self._ratings[0].shape
        total = np.zeros(difference.shape)
        for shock in self._shocks:
            law = np.zeros((2 * boards + 1, *difference.shape))
            # Before the first board nobody has a point.
            law[0] = 1.0
            for rating, rival in zip(*self._ratings, strict=True):
                law = _after_game(law, rating - rival + difference + shock, (rating + rival) / 2)
            # Two index arrays apart put matches first: turned back.
            total += law[self._scored, ..., np.arange(matches)].T
        # A chance of 0 has no logarithm.
        return np.log(np.maximum(total / len(self._shocks), 1e-300))

    def height(
        self, offsets: Float[np.ndarray, " teams"], precision: Float[np.ndarray, " teams"]
    ) -> float:
        """The logarithm of the posterior density, without the prior's constant."""
        logs = self.logs(offsets[self.first] - offsets[self.second])
        return float(logs.sum() - (precision * offsets**2).sum() / 2)

    def most_likely(
        self, precision: Float[np.ndarray, " teams"]
    ) -> tuple[Float[np.ndarray, " teams"], Float[np.ndarray, "teams teams"]]:
        """The most likely offsets, and the curvature there.

        Newton's method, with steps that are halved until they help.
        """
        first, second = self.first, self.second
        offsets, curvature = np.zeros(len(precision)), np.diag(precision)
        for _ in range(_ITERATIONS):
            around = offsets[first] - offsets[second] + np.array([[-_STEP], [0.0], [_STEP]])
            low, middle, high = self.logs(around)
            slope = (high - low) / (2 * _STEP)
            # Above 0, so that the curvature can be inverted.
            bend = np.maximum((2 * middle - low - high) / _STEP**2, 1e-8)
            gradient, curvature = -precision * offsets, np.diag(precision)
            for a, b, sign in ((first, second, 1), (second, first, -1)):
                np.add.at(gradient, a, sign * slope)
                np.add.at(curvature, (a, a), bend)
                np.add.at(curvature, (a, b), -bend)
            step = linalg.solve(curvature, gradient, assume_a="pos")
            # The whole step may overshoot where the likelihood is no parabola.
            start, share = self.height(offsets, precision), 1.0
            while share > _CLOSE and self.height(offsets + share * step, precision) < start:
                share /= 2
            offsets = offsets + share * step
            if np.abs(share * step).max() < _CLOSE:
                break
        return offsets, curvature


def _after_game(
    law: Float[np.ndarray, "results *matches"],
    difference: Float[np.ndarray, "*matches"],
    mean: Float[np.ndarray, " games"],
) -> Float[np.ndarray, "results *matches"]:
    """The law of the half points after one more game, the mean of the laws with both colours."""
    # Colours are not always recorded, and alternate from board to board.
    colour = np.array([1.0, -1.0]).reshape(-1, *[1] * difference.ndim)
    chances = games.fitted_chances(games.fitted_constants(), difference, mean, colour)
    win, draw = (chance.mean(axis=0) for chance in chances)
    after = law * (1 - win - draw)
    after[1:] += law[:-1] * draw
    after[2:] += law[:-2] * win
    return after
