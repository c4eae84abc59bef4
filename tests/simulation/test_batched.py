"""The fast pairing is that of the readable definition; `test_olympiad.py` has whole events."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import slow_oracle
from hypothesis import given
from hypothesis import strategies as st

from tb2learn.simulation import batched, places
from tb2learn.simulation.pairing import pair_round
from tb2learn.types import BYE

plain_batch = jax.jit(
    jax.vmap(lambda *state: pair_round(*state).opponents, in_axes=-1, out_axes=-1)
)


@jax.jit
def fast_batch(*state):
    """Who every team meets, from the pairs."""
    one, other = batched.pair_batch(*state)
    nobody = jnp.full(state[0].shape, BYE, jnp.int32)
    return places.put(places.put(nobody, one, other), other, one)


def random_states(teams, batch, past, levels, seed):
    """States with any scores and any histories of `past` rounds; not only reachable ones."""
    random = np.random.default_rng(seed)
    match_points = random.integers(0, levels, (teams, batch))
    half_points = random.integers(0, 40, (teams, batch))
    history = np.full((past, teams, batch), -1)
    for event in range(batch):
        for number in range(past):
            order = random.permutation(teams)
            a, b = order[: teams // 2], order[teams // 2 : 2 * (teams // 2)]
            history[number, a, event], history[number, b, event] = b, a
    had_bye = (history == -1).any(axis=0) & bool(teams % 2)
    integers = (jnp.asarray(x, jnp.int32) for x in (match_points, half_points, history))
    return (*integers, jnp.asarray(had_bye))


def who_met(history):
    teams = history.shape[1]
    return (history[:, :, None] == jnp.arange(teams)[None, None, :, None]).any(axis=0)


MANY = [*((teams, min(teams - 1, 7), 5) for teams in range(2, 70))]
MANY += [(180, 3, 2), (181, 10, 23), (399, 14, 31), (400, 1, 3)]


def check(teams, past, levels, batch, seed):
    match_points, half_points, history, had_bye = random_states(teams, batch, past, levels, seed)
    fast = np.asarray(fast_batch(match_points, half_points, history, had_bye))
    plain = np.asarray(plain_batch(match_points, half_points, who_met(history), had_bye))
    np.testing.assert_array_equal(fast, plain)
    for event in range(min(batch, 4)):
        past_pairs = {
            frozenset((t, int(o)))
            for row in np.asarray(history[:, :, event])
            for t, o in enumerate(row)
            if o >= 0
        }
        pairs, bye, _ = slow_oracle.pair_round(
            match_points[:, event].tolist(),
            half_points[:, event].tolist(),
            past_pairs,
            set(np.flatnonzero(had_bye[:, event]).tolist()),
        )
        expected = np.full(teams, -1)
        for a, b in pairs:
            expected[a], expected[b] = b, a
        np.testing.assert_array_equal(fast[:, event], expected)
        assert bye is None or fast[bye, event] == -1


@pytest.mark.slow
@pytest.mark.parametrize(("teams", "past", "levels"), MANY)
def test_pairings_of_many_sizes_are_the_plain_and_the_slow_ones(teams, past, levels):
    check(teams, past, levels, batch=64, seed=teams)


@pytest.mark.thorough
@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_pairings_are_the_plain_and_the_slow_ones(seed, levels):
    check(37, 6, levels, batch=8, seed=seed)  # sets of two words
