"""One round of pairing in bit masks against the slow reference, on any histories."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import slow_oracle as oracle
from hypothesis import given
from hypothesis import strategies as st
from quick import examples

from tb2learn.simulation import batched, places
from tb2learn.types import BYE


@jax.jit
def paired(*state):
    """Who every team meets; the batch is the last axis."""
    one, other = batched.pair_batch(*state)
    nobody = jnp.full((len(state[0]) + 2 * len(one), one.shape[1]), BYE, jnp.int32)
    return places.put(places.put(nobody, one, other), other, one)[: len(state[0])]


def check(match_points, half_points, met, had_bye, opponents, present=None):
    """Compare pairings with the reference, event by event; arrays have the batch first."""
    if present is None:
        present = np.ones_like(had_bye)
    states = zip(match_points, half_points, met, had_bye, present, opponents, strict=True)
    for own, half, have_met, rested, here, ours in states:
        team = np.flatnonzero(here)
        expected = np.full(len(own), BYE)
        if len(team):
            pairs, bye, _ = oracle.pair_round(
                own[team].tolist(),
                half[team].tolist(),
                {frozenset(p) for p in np.argwhere(np.triu(have_met[np.ix_(team, team)])).tolist()},
                set() if rested[team].all() else set(np.flatnonzero(rested[team]).tolist()),
            )
            assert (bye is None) == (len(team) % 2 == 0)
            for a, b in pairs:
                expected[team[[a, b]]] = team[[b, a]]
        np.testing.assert_array_equal(np.where(ours < len(own), ours, BYE)[here], expected[here])


def check_any(teams, past, levels, batch, seed, absent=0.0):
    """States with any scores and any histories of `past` rounds; not only reachable ones."""
    random = np.random.default_rng(seed)
    match_points = random.integers(0, levels, (teams, batch)).astype(np.int32)
    half_points = random.integers(0, 40, (teams, batch)).astype(np.int32)
    history = np.full((past, teams, batch), BYE, np.int32)
    for number, event in np.ndindex(past, batch):
        a, b = random.permutation(teams)[: teams // 2 * 2].reshape(2, -1)
        history[number, a, event], history[number, b, event] = b, a
    met = (history[:, :, None] == np.arange(teams)[:, None]).any(axis=0)
    present, had_bye = None, (history == BYE).any(axis=0) & bool(teams % 2)
    if absent:
        share = random.random(batch) * 2 * absent  # nobody is left in some events
        present = random.random((teams, batch)) >= share
        had_bye = random.random((teams, batch)) < random.random(batch) * 1.2
    state = (match_points, half_points, history, had_bye)
    more = () if present is None else (None, jnp.asarray(present))
    opponents = np.asarray(paired(*map(jnp.asarray, state), *more))
    arrays = (match_points, half_points, met, had_bye, opponents, present)
    check(*(None if part is None else np.moveaxis(part, -1, 0) for part in arrays))


MANY = [*((teams, min(teams - 1, 7), 5) for teams in range(2, 70))]
MANY += [(180, 3, 2), (181, 10, 23), (399, 14, 31), (400, 1, 3)]


@pytest.mark.slow
@pytest.mark.parametrize(("teams", "past", "levels"), MANY)
def test_pairings_of_many_sizes_are_the_slow_ones(teams, past, levels):
    check_any(teams, past, levels, batch=16, seed=teams)
    check_any(teams, past, levels, batch=16, seed=teams, absent=0.6)


@pytest.mark.thorough
@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
@examples(25)
def test_pairings_are_the_slow_ones(seed, levels):
    check_any(37, 6, levels, batch=8, seed=seed)  # sets of two words
    check_any(37, 6, levels, batch=8, seed=seed, absent=0.6)
