"""One round of pairing against the slow reference, on arbitrary histories."""

import itertools

import jax
import numpy as np
import pytest
import slow_oracle as oracle
from hypothesis import given
from hypothesis import strategies as st

from tb2learn.simulation.pairing import pair_round, strength_order
from tb2learn.types import BYE

pair_one = jax.jit(pair_round)
pair_many = jax.jit(jax.vmap(pair_round))
order_one = jax.jit(strength_order)


def reference(match_points, half_points, met, had_bye):
    """Opponents and rematches of the slow reference, as arrays."""
    pairs, bye, rematches = oracle.pair_round(
        match_points.tolist(),
        half_points.tolist(),
        {frozenset(pair) for pair in np.argwhere(np.triu(met)).tolist()},
        set(np.flatnonzero(had_bye).tolist()),
    )
    opponents = np.full(len(match_points), BYE)
    for a, b in pairs:
        opponents[a], opponents[b] = b, a
    assert (bye is None) == (len(match_points) % 2 == 0)
    if bye is not None:
        assert opponents[bye] == BYE
    rematch = np.zeros(len(match_points), bool)
    rematch[[team for pair in rematches for team in pair]] = True
    return opponents, rematch


def check(states, opponents, rematch):
    """Compare a batch of states with the reference, one by one."""
    for state, ours, our_rematch in zip(
        zip(*states, strict=True), np.asarray(opponents), np.asarray(rematch), strict=True
    ):
        match_points, half_points, met, had_bye = state
        theirs, their_rematch = reference(match_points, half_points, met, had_bye)
        np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(our_rematch, their_rematch)


def every_met_graph(teams):
    pairs = list(itertools.combinations(range(teams), 2))
    graphs = np.zeros((2 ** len(pairs), teams, teams), bool)
    for bit, (a, b) in enumerate(pairs):
        graphs[:, a, b] = graphs[:, b, a] = np.arange(len(graphs)) >> bit & 1
    return graphs


@pytest.mark.slow
@pytest.mark.parametrize(("teams", "scores"), [(4, 3), (5, 2)])
def test_every_history_of_a_few_teams(teams, scores):
    # Every graph of who has met whom with every distribution of match points.
    graphs = every_met_graph(teams)
    points = np.array(list(itertools.product(range(scores), repeat=teams)), np.int32)
    number = len(graphs) * len(points)
    match_points = np.tile(points, (len(graphs), 1))
    met = np.repeat(graphs, len(points), axis=0)
    half_points = np.zeros((number, teams), np.int32)
    had_bye = np.zeros((number, teams), bool)
    if teams % 2:
        had_bye[np.arange(number), np.arange(number) % teams] = True
    states = (match_points, half_points, met, had_bye)
    if teams == 5:  # every third history, with every bye
        states = tuple(part[::3] for part in states)
    pairing = pair_many(*states)
    check(states, pairing.opponents, pairing.rematch)


@st.composite
def histories(draw):
    """A history that shrinks: fewer meetings, fewer points."""
    teams = draw(st.sampled_from([4, 13]))  # each size is compiled once
    points = st.lists(st.integers(0, 22), min_size=teams, max_size=teams)
    game_points = st.lists(st.integers(0, 6), min_size=teams, max_size=teams)
    pairs = list(itertools.combinations(range(teams), 2))
    met = np.zeros((teams, teams), bool)
    flags = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    for (a, b), have_met in zip(pairs, flags, strict=True):
        met[a, b] = met[b, a] = have_met
    had_bye = np.zeros(teams, bool)
    if teams % 2:
        had_bye[list(draw(st.sets(st.integers(0, teams - 1), max_size=teams - 1)))] = True
    return (np.array(draw(points), np.int32), np.array(draw(game_points), np.int32), met, had_bye)


@pytest.mark.thorough
@given(histories())
def test_arbitrary_histories(state):
    pairing = pair_one(*state)
    check([part[None] for part in state], pairing.opponents[None], pairing.rematch[None])
    match_points, half_points, _, _ = state
    order = np.asarray(order_one(match_points, half_points))
    assert order.tolist() == oracle.strength_order(match_points.tolist(), half_points.tolist())
