"""The fast pairing and the fast events are those of the readable definition."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import slow_oracle
from hypothesis import given
from hypothesis import strategies as st

from tb2learn.config import Config, EventFormat, FieldConfig, GameConfig
from tb2learn.simulation import batched, places
from tb2learn.simulation.by_format import play_batch
from tb2learn.simulation.olympiad import play
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


LARGE = [(180, 10, 23), (181, 10, 23), (180, 3, 2), (399, 14, 31), (400, 14, 31), (400, 1, 3)]


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


@pytest.mark.thorough
def test_pairings_are_the_plain_and_the_slow_ones():
    check(5, 3, 3, batch=64, seed=5)


@pytest.mark.slow
@pytest.mark.parametrize(("teams", "past", "levels"), LARGE)
def test_large_pairings_are_the_plain_and_the_slow_ones(teams, past, levels):
    for seed in range(4):
        check(teams, past, levels, batch=64, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("teams", range(2, 70))
def test_pairings_of_every_small_size(teams):
    check(teams, min(teams - 1, 7), 5, batch=64, seed=teams)


@pytest.mark.thorough
@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_pairings_property(seed, levels):
    check(14, 6, levels, batch=8, seed=seed)


CONFIGS = [
    Config(name="a", event=EventFormat(2, 1, 1)),
    Config(name="b", event=EventFormat(9, 8, 3), field=FieldConfig(seed_noise=(30.0, 80.0))),
    Config(name="e", event=EventFormat(9, 8, 3), field=FieldConfig(seed_noise=50.0)),
    Config(name="c", event=EventFormat(38, 9, 4), game=GameConfig("literal")),
    Config(
        name="d", event=EventFormat(20, 7, 4), field=FieldConfig(kind="rosters", event="baku2016")
    ),
]


PLAYED = [pytest.param(c, marks=pytest.mark.slow) if c.name != "b" else c for c in CONFIGS]


@pytest.mark.thorough
@pytest.mark.parametrize("config", PLAYED, ids=lambda config: config.name)
def test_events_are_the_plain_ones(config):
    keys = jax.random.split(jax.random.key(7), 32)
    fast = jax.jit(partial(play_batch, config=config))(keys)
    plain = jax.jit(jax.vmap(partial(play, config=config), out_axes=-1))(keys)
    for one, other in zip(jax.tree.leaves(fast), jax.tree.leaves(plain), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.slow
@pytest.mark.parametrize(("teams", "rounds"), [(180, 11), (181, 11), (400, 15), (399, 9)])
def test_large_events_are_the_plain_ones(teams, rounds):
    test_events_are_the_plain_ones(Config(name="large", event=EventFormat(teams, rounds, 4)))


@pytest.mark.slow
@given(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=70))
def test_network_sorts(values):
    column = jnp.asarray(values, jnp.int32)[:, None]
    np.testing.assert_array_equal(places.sort_columns(column)[:, 0], np.sort(values))


@pytest.mark.slow
@given(st.sets(st.integers(0, 69)), st.integers(0, 70), st.integers(0, 70))
def test_sets_of_places(members, place, other):
    teams = 70
    mask = np.zeros((teams, 1), bool)
    mask[list(members)] = True
    packed, starts = places.pack(jnp.asarray(mask)), places.starts(3)
    rows = places.rows_of(packed)
    ordered = sorted(members)
    assert int(places.size(rows)[0, 0]) == len(ordered)
    assert int(places.first(rows)[0, 0]) == (ordered[0] if ordered else places.NONE)
    assert int(places.last(rows)[0, 0]) == (ordered[-1] if ordered else -1)
    if ordered:
        assert int(places.middle_member(rows)[0, 0]) == ordered[len(ordered) // 2]

    def chosen(places):
        bits = np.unpackbits(np.asarray(packed & places).view(np.uint8), bitorder="little")
        return np.flatnonzero(bits).tolist()

    def lane(number):
        return jnp.full((1, 1), number, jnp.int32)

    assert chosen(places.below(lane(place), starts)) == [m for m in ordered if m < place]
    assert chosen(places.bit(lane(place), starts)) == [m for m in ordered if m == place]
    assert chosen(places.between(lane(place), lane(other), starts)) == [
        m for m in ordered if place <= m < other
    ]
