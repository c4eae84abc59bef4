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


def check_invariants(opponents, rematch, met, had_bye):
    """What holds whatever the rules of the groups are."""
    teams = len(opponents)
    team = np.arange(teams)
    bye = opponents == BYE
    assert bye.sum() == teams % 2
    assert not (bye & had_bye).any()
    playing = team[~bye]
    assert ((opponents[playing] >= 0) & (opponents[playing] < teams)).all()
    assert (opponents[playing] != playing).all()
    assert (opponents[opponents[playing]] == playing).all()
    assert not rematch[bye].any()
    # Only the last rule makes a rematch, and it never has to pair two teams that have not met.
    assert (met[playing, opponents[playing]] == rematch[playing]).all()


def check(states, opponents, rematch):
    """Compare a batch of states with the reference, one by one."""
    for state, ours, our_rematch in zip(
        zip(*states, strict=True), np.asarray(opponents), np.asarray(rematch), strict=True
    ):
        match_points, half_points, met, had_bye = state
        theirs, their_rematch = reference(match_points, half_points, met, had_bye)
        np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(our_rematch, their_rematch)
        check_invariants(ours, our_rematch, met, had_bye)


def random_states(seed, teams, number):
    """Histories of every kind: one score group to many, nobody met to everybody met."""
    random = np.random.default_rng(seed)
    shape = (number, teams)
    top = random.choice([0, 1, 2, 5, 11, 30], number)[:, None]
    match_points = random.integers(0, top, shape, endpoint=True, dtype=np.int32)
    half_points = random.integers(0, 4 * top, shape, endpoint=True, dtype=np.int32)
    density = random.choice([0.0, 0.1, 0.3, 0.6, 0.9, 0.97, 1.0], number)[:, None, None]
    met = np.triu(random.random((number, teams, teams)) < density, 1)
    # In half of the histories two teams on equal points have met more often than others.
    close = np.abs(match_points[:, :, None] - match_points[:, None, :]) <= 1
    often = np.triu(random.random((number, teams, teams)) < 0.9, 1)
    met |= often & close & (np.arange(number) % 2 == 0)[:, None, None]
    had_bye = random.random(shape) < random.choice([0.0, 0.3, 0.9], number)[:, None]
    had_bye &= teams % 2 == 1
    had_bye[np.arange(number), random.integers(0, teams, number)] = False
    return match_points, half_points, met | met.transpose(0, 2, 1), had_bye


@pytest.mark.slow
@pytest.mark.parametrize("teams", [*range(2, 42), 59, 60, 99, 100, 151, 180, 199, 200, 301, 400])
def test_random_histories(teams):
    states = random_states(1000 + teams, teams, 400 if teams < 100 else 40)
    pairing = pair_many(*states)
    check(states, pairing.opponents, pairing.rematch)
    # The histories reach the last rule, and do without it.
    last_rule = np.asarray(pairing.rematch).any(axis=1)
    assert last_rule.any() and not last_rule.all()


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
    teams = draw(st.sampled_from([3, 4, 8, 13]))  # each size is compiled once
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


@given(histories())
def test_strength_order(state):
    match_points, half_points, _, _ = state
    order = np.asarray(order_one(match_points, half_points))
    assert order.tolist() == oracle.strength_order(match_points.tolist(), half_points.tolist())


@pytest.mark.thorough
def test_first_round_is_top_half_against_bottom_half():
    for teams in (8, 13):
        nothing = np.zeros(teams, np.int32)
        pairing = pair_one(nothing, nothing, np.zeros((teams, teams), bool), np.zeros(teams, bool))
        half = teams // 2
        expected = [*range(half, 2 * half), *range(half), *([BYE] * (teams % 2))]
        assert np.asarray(pairing.opponents).tolist() == expected
        assert not np.asarray(pairing.rematch).any()
