"""One round of pairing, plain and in bit masks, against the slow reference on any histories."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import slow_oracle as oracle
from hypothesis import given
from hypothesis import strategies as st
from tb2learn.simulation.pairing import pair_round

from tb2learn.simulation import batched, places
from tb2learn.types import BYE

plain = jax.jit(jax.vmap(pair_round))


@jax.jit
def fast(*state):
    """Who every team meets, from the pairs; the batch is the last axis."""
    one, other = batched.pair_batch(*state)
    nobody = jnp.full(state[0].shape, BYE, jnp.int32)
    return places.put(places.put(nobody, one, other), other, one)


def check(match_points, half_points, met, had_bye, pairing):
    """Compare a batch of plain pairings with the reference, one by one."""
    states = zip(match_points, half_points, met, had_bye, strict=True)
    found = zip(np.asarray(pairing.opponents), np.asarray(pairing.rematch), strict=True)
    for (own, half, have_met, rested), (ours, again) in zip(states, found, strict=True):
        pairs, bye, rematches = oracle.pair_round(
            own.tolist(),
            half.tolist(),
            {frozenset(pair) for pair in np.argwhere(np.triu(have_met)).tolist()},
            set(np.flatnonzero(rested).tolist()),
        )
        opponents, rematch = np.full(len(own), BYE), np.zeros(len(own), bool)
        for a, b in pairs:
            opponents[a], opponents[b] = b, a
        rematch[[team for pair in rematches for team in pair]] = True
        assert (bye is None) == (len(own) % 2 == 0) and (bye is None or opponents[bye] == BYE)
        np.testing.assert_array_equal(ours, opponents)
        np.testing.assert_array_equal(again, rematch)


@pytest.mark.slow
@pytest.mark.parametrize(("teams", "scores"), [(4, 3), (5, 2)])
def test_every_history_of_a_few_teams(teams, scores):
    """Every graph of who has met whom with every distribution of match points."""
    pairs = list(itertools.combinations(range(teams), 2))
    graphs = np.zeros((2 ** len(pairs), teams, teams), bool)
    for bit, (a, b) in enumerate(pairs):
        graphs[:, a, b] = graphs[:, b, a] = np.arange(len(graphs)) >> bit & 1
    points = np.array(list(itertools.product(range(scores), repeat=teams)), np.int32)
    number = len(graphs) * len(points)
    had_bye = np.zeros((number, teams), bool)
    if teams % 2:
        had_bye[np.arange(number), np.arange(number) % teams] = True
    match_points, met = np.tile(points, (len(graphs), 1)), np.repeat(graphs, len(points), axis=0)
    states = (match_points, np.zeros_like(match_points), met, had_bye)
    if teams == 5:  # every third history, with every bye
        states = tuple(part[::3] for part in states)
    check(*states, plain(*states))


def check_both(teams, past, levels, batch, seed):
    """States with any scores and any histories of `past` rounds; not only reachable ones."""
    random = np.random.default_rng(seed)
    match_points = random.integers(0, levels, (teams, batch)).astype(np.int32)
    half_points = random.integers(0, 40, (teams, batch)).astype(np.int32)
    history = np.full((past, teams, batch), BYE, np.int32)
    for number, event in np.ndindex(past, batch):
        a, b = random.permutation(teams)[: teams // 2 * 2].reshape(2, -1)
        history[number, a, event], history[number, b, event] = b, a
    had_bye = (history == BYE).any(axis=0) & bool(teams % 2)
    met = (history[:, :, None] == np.arange(teams)[:, None]).any(axis=0)
    states = tuple(np.moveaxis(x, -1, 0) for x in (match_points, half_points, met, had_bye))
    pairing = plain(*states)
    opponents = fast(*map(jnp.asarray, (match_points, half_points, history, had_bye)))
    np.testing.assert_array_equal(opponents, pairing.opponents.T)
    few = slice(4)
    check(*(part[few] for part in states), jax.tree.map(lambda x: x[few], pairing))


MANY = [*((teams, min(teams - 1, 7), 5) for teams in range(2, 70))]
MANY += [(180, 3, 2), (181, 10, 23), (399, 14, 31), (400, 1, 3)]


@pytest.mark.slow
@pytest.mark.parametrize(("teams", "past", "levels"), MANY)
def test_pairings_of_many_sizes_are_the_slow_ones(teams, past, levels):
    check_both(teams, past, levels, batch=64, seed=teams)


@pytest.mark.thorough
@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_pairings_are_the_slow_ones(seed, levels):
    check_both(37, 6, levels, batch=8, seed=seed)  # sets of two words
