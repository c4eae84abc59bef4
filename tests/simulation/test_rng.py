"""The numbers that decide matches are uniform and independent.

That a result is the law's at its number, and that matches have these numbers, is tested exactly by
`test_events`; so are the laws, by `test_games`.
"""

import jax
import numpy as np
import pytest
from scipy import stats

from tb2learn.simulation.purposes import UNIT, Purpose
from tb2learn.simulation.rng import stream, unit_numbers

ALPHA = 1e-4  # of every test; the seed is fixed
EVENTS, ROUNDS, TEAMS = 20_000, 3, 7


@jax.jit
@jax.vmap
def numbers_of(number):
    """Of every round and team of an event, by the tree of keys."""
    event = jax.random.fold_in(stream(20260, Purpose.TRAIN), number)
    rounds = jax.random.split(jax.random.split(event)[0])[1]
    keys = jax.random.split(rounds, ROUNDS + 1)[:-1]
    return jax.vmap(lambda key: unit_numbers(key, TEAMS))(keys)


@pytest.mark.thorough
def test_numbers_are_uniform_and_those_of_two_matches_independent():
    """One word of random bits serves two teams; every round has a key of its own."""
    numbers = np.asarray(numbers_of(np.arange(EVENTS))).reshape(EVENTS, ROUNDS * TEAMS)
    assert numbers.min() >= 0 and numbers.max() < UNIT
    counts = np.stack([np.bincount(one // (UNIT // 64), minlength=64) for one in numbers.T])
    assert stats.chisquare(counts, axis=1).pvalue.min() > ALPHA / len(counts)
    score = stats.norm.ppf((numbers + 0.5) / UNIT)
    for between in (score, score**2 - 1):
        z = np.triu(between.T @ between, k=1) / np.sqrt(EVENTS) / between.var()
        pairs = numbers.shape[1] * (numbers.shape[1] - 1) // 2
        assert stats.chi2.sf((z**2).sum(), pairs) > ALPHA
