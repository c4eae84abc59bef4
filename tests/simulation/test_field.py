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
from tb2learn.simulation.field import deviates, draw_rosters, draw_seeded, seeding
from tb2learn.simulation.rng import half_words

ALPHA = 1e-3  # of every statistical test; the seeds are fixed


@partial(jax.jit, static_argnames="config")
def rosters_many(keys, config):
    return jax.vmap(partial(draw_rosters, config=config))(keys)


@partial(jax.jit, static_argnames="config")
def fields_many(keys, config):
    return jax.vmap(partial(draw_seeded, config=config))(keys)[0]


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


# --- noise drawn for every event ------------------------------------------------------------------


@partial(jax.jit, static_argnames="config")
def seeded_many(keys, config):
    return jax.vmap(partial(draw_seeded, config=config))(keys)


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
