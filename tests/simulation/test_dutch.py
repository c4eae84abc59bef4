"""The Dutch-like pairing of individual events: its properties, and its rule in plain Python."""

from collections import Counter
from functools import cache, partial

import dutch_oracle
import jax
import numpy as np
import pytest

from tb2learn.config import Config, EventFormat, FieldConfig
from tb2learn.simulation.by_format import play_batch
from tb2learn.types import BYE

EVENTS = 48
FIELD = FieldConfig(low=1600, high=2600, player_sd=0.0, seed_noise=30.0)
CROWDED = (15, 14)
"""Players and rounds: so many rounds that all last resorts are needed; with byes."""


@cache
def played(teams, rounds):
    """Events one by one, as numpy arrays."""
    config = Config("dutch", event=EventFormat(teams, rounds, 1, pairing="dutch"), field=FIELD)
    keys = jax.random.split(jax.random.key(1), EVENTS)
    batch = jax.tree.map(np.asarray, jax.jit(partial(play_batch, config=config))(keys))
    return [jax.tree.map(lambda part, n=n: part[..., n], batch) for n in range(EVENTS)]


@pytest.mark.thorough
@pytest.mark.parametrize("size", [CROWDED, pytest.param((34, 9), marks=pytest.mark.slow)], ids=str)
def test_pairs_are_those_of_the_rule(size):
    """Pairs and colours of every round; the crowded events need every last resort."""
    needed = Counter()
    for event in played(*size):
        for number in range(size[1]):
            players = dutch_oracle.players_before(event, number)
            expected, stages = dutch_oracle.pair_round(players, event.whites[0, 0])
            whites = np.flatnonzero(event.whites[number]).tolist()
            assert {(white, int(event.opponents[number, white])) for white in whites} == expected
            needed[stages] += 1
    assert size != CROWDED or min(needed[stages] for stages in range(4)) > 0


@pytest.mark.thorough
def test_points_and_byes_of_everybody():
    """Everybody plays once a round, or has the only bye of an event, worth a win."""
    for event in played(*CROWDED):
        met = event.opponents != BYE
        assert ((~met).sum(axis=1) == 1).all() and ((~met).sum(axis=0) <= 1).all()
        assert (event.half_points[~met] == 2).all() and not event.whites[~met].any()
        np.testing.assert_array_equal(event.half_points.sum(axis=0), event.match_points)
        for number, opponents in enumerate(event.opponents):
            present = np.flatnonzero(met[number])
            np.testing.assert_array_equal(opponents[opponents[present]], present)
            assert (event.whites[number, present] != event.whites[number, opponents[present]]).all()
