"""Fields: ratings, rosters, seeding."""

import hashlib
import math
from fractions import Fraction
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from tb2learn import data
from tb2learn.config import MAX_RATING, Config, EventFormat, FieldConfig
from tb2learn.simulation.field import (
    _normal_table,
    _strongest_first,
    _uniform_table,
    deviates,
    draw_rosters,
    draw_seeded,
    seeding,
)
from tb2learn.simulation.rng import half_words
from tb2learn.simulation.start import ContinuationStart

ALPHA = 1e-3  # of every statistical test; the seeds are fixed


@partial(jax.jit, static_argnames="config")
def rosters_many(keys, config):
    return jax.vmap(partial(draw_rosters, setting=config.setting))(keys)


@partial(jax.jit, static_argnames="config")
def fields_many(keys, config):
    return jax.vmap(partial(draw_seeded, setting=config.setting))(keys)[0]


def config_of(teams=60, boards=4, **field):
    return Config("test", event=EventFormat(teams, 1, boards), field=FieldConfig(**field))


def draw(function, config, number, seed=0):
    return np.asarray(function(jax.random.split(jax.random.key(seed), number), config))


# --- kinds of field -------------------------------------------------------------------------------


@pytest.mark.thorough
def test_rosters_of_a_real_event():
    boards = 3  # the first ones
    real = data.event_rosters("baku2016")
    assert real.shape == (176, 4) and (np.diff(real, axis=-1) <= 0).all()
    assert real[0].tolist() == [2808, 2769, 2754, 2740]
    assert real.min() == data.UNRATED
    config = config_of(60, boards, kind="rosters", event="baku2016")
    drawn = draw(rosters_many, config, 300).reshape(-1, boards)
    known, multiplicity = np.unique(real[:, :boards], axis=0, return_counts=True)
    seen, counts = np.unique(drawn, axis=0, return_counts=True)
    # Every roster, no other, and all equally often.
    np.testing.assert_array_equal(seen, known)
    assert stats.chisquare(counts, multiplicity * (len(drawn) / 176)).pvalue > ALPHA


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("field", "digest"),
    [
        ({"kind": "uniform"}, "54325af0857e2235"),
        ({"kind": "rosters", "event": "baku2016"}, "bb65169eb1e15676"),
        ({"kind": "ratings", "ratings": tuple(2000.0 + 10 * i for i in range(60))},
         "0214da27c4089437"),
    ],
    ids=["uniform", "rosters", "ratings"],
)  # fmt: skip
def test_fields_of_version_0_2(field, digest):
    # Kinds that came later leave the numbers of the first ones alone, to the bit.
    drawn = draw(fields_many, config_of(**field), 50)
    assert hashlib.sha256(drawn.tobytes()).hexdigest().startswith(digest)


def test_a_mixture_has_its_shares():
    """Of 2,000 events: whole events are of one kind, and so many of them of real rosters."""
    field = {"low": 100.0, "high": 300.0, "player_sd": 10.0, "event": "baku2016"}
    config = config_of(3, 2, kind="mixture", share=0.25, **field)
    drawn = draw(rosters_many, config, 2000)
    real = (drawn > 600).all(axis=(1, 2))
    assert (real | (drawn < 600).all(axis=(1, 2))).all()
    # Four standard deviations.
    assert abs(real.mean() - 0.25) < 4 * math.sqrt(0.25 * 0.75 / 2000)


def test_tables_of_quantiles():
    """The middles of 65,536 equally likely parts, rounded."""
    even = _uniform_table(100.0, 110.0)
    assert (even[0], even[32768], even[-1]) == (100, 105, 110)
    counts = np.bincount(even - 100).tolist()
    # The outer two of eleven whole numbers have half as many.
    assert max(counts[1:-1]) - min(counts[1:-1]) <= 1
    assert abs(2 * counts[0] - counts[5]) <= 2 and abs(2 * counts[-1] - counts[5]) <= 2
    normal = _normal_table(100.0)
    assert (normal == -normal[::-1]).all() and (np.diff(normal) >= 0).all()
    at = np.floor(65536 * stats.norm.cdf([-1, 1, 2])).astype(int)
    assert normal[at].tolist() == [-100, 100, 200] and abs(normal.std() - 100) < 0.1


def test_players_are_in_board_order():
    boards = list(np.array([[5, 1, 9], [3, 9, 1], [4, 2, 5], [4, 8, 3]]))
    made = np.stack(jax.jit(_strongest_first)(boards))
    assert made.tolist() == [[5, 9, 9], [4, 8, 5], [4, 2, 3], [3, 1, 1]]


# --- a continuation ------------------------------------------------------------------------------


def test_strengths_spread_by_their_factor():
    """0 leaves the rosters alone; 50 points, in 16ths, move all players of a team alike."""
    rosters = np.array([[2000, 1900], [2500, 2400]])
    none, two = np.zeros((0, 2), np.int32), np.ones(2, np.int32)
    pairs = none.reshape(0, 2, 1)
    rest = none, none, none.astype(bool), two, np.arange(3), two, pairs, np.int32(0)
    keys = jax.random.split(jax.random.key(2), 2000)
    draw_all = jax.jit(jax.vmap(lambda key, start: start.draw(key)[0], in_axes=(0, None)))

    def drawn(spread, rosters=rosters):
        return np.asarray(draw_all(keys, ContinuationStart(rosters, np.array(spread), *rest)))

    assert (drawn([[0, 0], [0, 0]]) == rosters).all()
    moved = drawn([[16 * 50, 0], [16 * 30, 16 * 40]]) - rosters
    assert (moved[..., 0] == moved[..., 1]).all()
    offsets = moved[..., 0]
    # A covariance of [[50², 50*30], [50*30, 30² + 40²]].
    covariance = np.cov(offsets.T)
    np.testing.assert_allclose(covariance, [[2500, 1500], [1500, 2500]], rtol=0.15)
    assert (abs(offsets.mean(axis=0)) < 5).all()
    ends = drawn([[16 * 50, 0], [0, 16 * 50]], np.array([[10, 0], [MAX_RATING, MAX_RATING]]))
    assert ends.min() == 0 and ends.max() == MAX_RATING


# --- noise drawn for every event ------------------------------------------------------------------


@partial(jax.jit, static_argnames="config")
def seeded_many(keys, config):
    return jax.vmap(partial(draw_seeded, setting=config.setting))(keys)


@pytest.mark.parametrize(("kind", "noise"), [("seed_noise", (30.0, 80.0)), ("rating_noise", 50.0)])
def test_published_ratings_have_the_noise_of_their_event(kind, noise):
    """Seeds are made of them; where seeds are random they say nothing of the seed."""
    keys = jax.random.split(jax.random.key(7), 400)
    rosters, ratings = map(np.asarray, seeded_many(keys, config_of(60, 2, **{kind: noise})))
    in_order = (np.diff(ratings, axis=1) <= 0).all(axis=1)
    assert in_order.all() if kind == "seed_noise" else not in_order.any()
    errors = ratings - rosters.mean(axis=-1)
    squares = (errors**2).mean(axis=1)
    low, high = noise if isinstance(noise, tuple) else (noise, noise)
    expected = (low**2 + low * high + high**2) / 3
    assert abs(squares.mean() - expected) < 5 * squares.std() / 20
    assert abs(errors.mean()) < 5 * np.sqrt(expected / errors.size)
    # Of events with one noise all 60 errors have it, of others they have that of their event.
    assert (squares.std() > 2 * expected * np.sqrt(2 / 60)) == (low < high)


# --- what is known --------------------------------------------------------------------------------


def test_published_ratings_without_noise():
    """The true means, rounded halves up, within what a rating can be."""
    rosters = jnp.array([[2000, 1999], [1000, 1000], [3, 0], [0, 0]], jnp.int32)
    _, ratings = seeding(jax.random.key(3), rosters, 0.0)
    assert ratings.tolist() == [2000, 1000, 2, 1]
    _, ratings = seeding(jax.random.key(3), rosters, 16000.0)
    assert {1, MAX_RATING} <= set(ratings.tolist())


def test_deviates_of_a_drawn_noise_are_the_nearest_whole_numbers():
    """In exact arithmetic: quantiles of 1/4096 of a standard deviation, times the noise."""
    key, noise, units = jax.random.key(4), 57, 16 * 3
    middle = (np.asarray(half_words(key, 2000)) + 0.5) / 65536
    steps = np.rint(stats.norm.ppf(middle) * 4096).astype(int)
    expected = [math.floor(Fraction(units * noise * step, 4096) + Fraction(1, 2))
                for step in steps.tolist()]  # fmt: skip
    assert deviates(key, 2000, jnp.int32(noise), units).tolist() == expected
