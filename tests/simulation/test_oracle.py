"""The computed oracle against brute force."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import exact_strength

from tb2learn.assessment import thesis_protocol as thesis
from tb2learn.config import GameConfig
from tb2learn.simulation import games

GAME = GameConfig()
all_play_all = jax.jit(games.all_play_all, static_argnums=1)
distribution = jax.jit(thesis.strength_distribution, static_argnums=1)
ROSTERS = jnp.asarray(
    [[2700, 2650], [2600, 2590], [2500, 2400], [2450, 2440], [2300, 2100]], jnp.int32
)


def brute_force_distribution(team: int) -> np.ndarray:
    """Enumerate the results of every match of one team."""
    at_most = np.asarray(all_play_all(ROSTERS, GAME)) / games.UNIT
    law = np.moveaxis(np.diff(at_most, axis=0, prepend=0, append=1), 0, -1)
    others = [o for o in range(len(ROSTERS)) if o != team]
    chances = [(law[team, o, :2].sum(), law[team, o, 2], law[team, o, 3:].sum()) for o in others]
    result = np.zeros(2 * len(ROSTERS) - 1)
    for scores in itertools.product(range(3), repeat=len(others)):
        result[sum(scores)] += math.prod(c[s] for c, s in zip(chances, scores, strict=True))
    return result


@pytest.mark.thorough
def test_distribution_is_the_enumerated_one():
    found = np.asarray(distribution(ROSTERS, GAME))
    for team in range(len(ROSTERS)):
        np.testing.assert_allclose(found[team], brute_force_distribution(team), atol=1e-6)


@pytest.mark.thorough
@pytest.mark.parametrize("teams", [4, 5])
def test_true_strength_is_the_mean_of_the_distribution(teams):
    """Of an even number of teams opposite ones are compared once."""
    rosters = ROSTERS[:teams]
    law = np.asarray(distribution(rosters, GAME), np.float64)
    mean = law @ np.arange(law.shape[1])
    exact = np.asarray(exact_strength(rosters, GAME)) / games.UNIT
    np.testing.assert_allclose(mean, exact, atol=1e-5)
    assert exact.sum() == pytest.approx(teams * (teams - 1))  # two match points a pair
