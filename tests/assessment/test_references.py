"""The two yardsticks: against enumeration, against SciPy, and on simulated events."""

import itertools
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import play
from scipy import interpolate, optimize, stats

from tb2learn.assessment import references
from tb2learn.chess.results import match_points
from tb2learn.config import Config, EventFormat, FieldConfig
from tb2learn.simulation import level_model
from tb2learn.simulation.event import Event
from tb2learn.simulation.level_model import LevelModel
from tb2learn.tiebreaks.library import REFERENCES
from tb2learn.types import BYE, InputError

ALPHA = 1e-3  # of every statistical test; the seeds are fixed

CONFIG = Config("four", event=EventFormat(4, 3, 2), field=FieldConfig(low=2000.0, high=2600.0))

posterior_worth = jax.jit(
    level_model.posterior_worth, static_argnames=("setting", "chains", "sweeps", "burn_in")
)
likelihood_worth = jax.jit(level_model.likelihood_worth, static_argnames="setting")


@lru_cache(maxsize=8)
def model_of(config: Config) -> LevelModel:
    return level_model.level_model(config.setting)


def coarse(model: LevelModel, count: int) -> LevelModel:
    """Some of a model's levels, as a model: few enough to enumerate."""
    kept = np.linspace(0, len(model.levels) - 1, count).astype(int)
    prior = model.prior[kept] + 0.01
    return LevelModel(
        model.levels[kept],
        prior / prior.sum(),
        model.log_law[np.ix_(kept, kept)],
        model.worth[kept],
    )


def event_of(matches, config, ratings=2300):
    """An event of `matches[round]`, each match `(team, opponent or BYE, half points)`."""
    teams, boards = config.event.teams, config.event.boards
    opponents = np.full((len(matches), teams), BYE, np.int32)
    half_points = np.full((len(matches), teams), boards, np.int32)
    for r, played in enumerate(matches):
        for team, opponent, scored in played:
            opponents[r, team], half_points[r, team] = opponent, scored
            if opponent != BYE:
                opponents[r, opponent], half_points[r, opponent] = team, 2 * boards - scored
    rosters = np.broadcast_to(np.asarray(ratings, np.int32).reshape(-1, 1), (teams, boards))
    points = match_points(jnp.asarray(half_points), boards).sum(axis=0)
    return Event(jnp.asarray(rosters), jnp.asarray(opponents), jnp.asarray(half_points), points)


def enumerated_worth(event, model):
    """The exact posterior means: all levels of all teams, one after the other."""
    prior, law = np.asarray(model.prior, float), np.exp(np.asarray(model.log_law, float))
    opponents, half_points = np.asarray(event.opponents), np.asarray(event.half_points)
    teams = opponents.shape[1]
    total, mean = 0.0, np.zeros(teams)
    for levels in itertools.product(range(len(prior)), repeat=teams):
        chance = np.prod(prior[list(levels)])
        for r, team in itertools.product(range(len(opponents)), range(teams)):
            if opponents[r, team] > team:  # every match once; no bye
                chance *= law[levels[team], levels[opponents[r, team]], half_points[r, team]]
        total += chance
        mean += chance * np.asarray(model.worth, float)[list(levels)]
    return mean / total


UNIFORM = Config("u", event=EventFormat(40, 7))


# --- the posterior --------------------------------------------------------------------------------

ROUND_ROBIN = [
    [(0, 1, 3), (2, 3, 2)],
    [(0, 2, 1), (1, 3, 4)],
    [(0, 3, 4), (1, 2, 0)],
]
AGAIN = [[(0, 1, 3), (2, 3, 2)], [(0, 1, 4)], [(1, 2, 0)]]
"""Two teams meet twice; one rests twice."""


@pytest.mark.thorough
@pytest.mark.parametrize("matches", [ROUND_ROBIN, AGAIN], ids=["round robin", "again"])
def test_posterior_is_the_enumerated_one(matches):
    config = CONFIG
    model, event = coarse(model_of(config), 6), event_of(matches, config)
    exact = enumerated_worth(event, model)
    runs = 64
    found = np.array(
        [
            posterior_worth(key, event, config.setting, model, chains=4, sweeps=600, burn_in=50)
            for key in jax.random.split(jax.random.key(7), runs)
        ]
    )
    error = found.std(axis=0, ddof=1) / np.sqrt(runs)
    limit = stats.t.isf(ALPHA / 2 / len(exact), runs - 1)
    # Where nothing was learned, every run is exact but for the last bits.
    assert np.all(np.abs(found.mean(axis=0) - exact) < limit * error + 2e-6)
    assert np.all(error < 0.006)  # of up to 6 match points


# --- known opponents ------------------------------------------------------------------------------


def scipy_level(event, model, team):
    """The maximum of a smooth likelihood: splines through the table's own levels."""
    levels = np.asarray(model.levels, float)
    law = np.asarray(model.log_law, float)
    ratings = np.asarray(event.rosters, float).mean(axis=1)
    said = -0.5 * ((levels - levels.mean()) / 1000) ** 2
    for opponent, scored in zip(
        np.asarray(event.opponents)[:, team], np.asarray(event.half_points)[:, team], strict=True
    ):
        if opponent != BYE:
            said += [np.interp(ratings[opponent], levels, row) for row in law[:, :, scored]]
    smooth = interpolate.CubicSpline(levels, said)
    best = levels[said.argmax()]
    return optimize.minimize_scalar(
        lambda x: -smooth(x), bounds=(best - 25, best + 25), method="bounded"
    ).x


@pytest.mark.thorough
def test_likelihood_is_scipys():
    config = UNIFORM
    model = model_of(config)
    event = play(jax.random.key(4), config=config)
    found = np.asarray(likelihood_worth(event, config.setting, model))
    expected = np.array([scipy_level(event, model, team) for team in range(40)])
    # A parabola is not quite a spline where opponents are far: the posterior is 60 points wide.
    assert np.abs(found - expected).max() < 10
    assert np.abs(found - expected).mean() < 2.5
    true = np.asarray(event.rosters).mean(axis=1)
    assert np.abs(found - true).mean() > 30  # so that 2.5 points are near


def test_likelihood_orders_teams_without_a_maximum():
    config = Config("e", event=EventFormat(7, 1))
    model = model_of(UNIFORM)
    # 0 and 1 win all games, 0 against the better team; 2 and 3 all but lost; 6 has a bye.
    ratings = [2250, 2250, 2250, 2250, 2400, 2700, 2000]

    def one_match(team, opponent, scored):
        event = event_of([[(team, opponent, scored)]], config, ratings)
        return float(likelihood_worth(event, config.setting, model)[team])

    assert one_match(0, 5, 8) > one_match(0, 4, 8) > one_match(0, 1, 8) > one_match(0, 1, 7)
    assert one_match(0, 1, 0) < one_match(0, 4, 0) < one_match(0, 5, 0)
    assert one_match(0, 5, 8) > float(model.levels[-1]) + 500  # how much better still shows
    middle = float(model.levels[0] + model.levels[-1]) / 2
    assert one_match(0, BYE, 4) == pytest.approx(middle, abs=1)
    assert one_match(0, 1, 4) == pytest.approx(2250, abs=5)
    scores = [one_match(0, 4, scored) for scored in range(9)]
    assert np.all(np.diff(scores) > 0)


# --- beside the rules -----------------------------------------------------------------------------


def test_references_by_name():
    for name in REFERENCES:
        found = references.reference(name, CONFIG.setting)
        assert isinstance(found, references.Reference) and found.name == name
    assert isinstance(found, references.AllPlayAll)
    with pytest.raises(InputError, match="posterior-mean, true-opponents, all-play-all, got 'x'"):
        references.reference("x", CONFIG.setting)
