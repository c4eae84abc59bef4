"""The Dutch-like pairing of individual events: its rule in plain Python, and what it keeps to."""

from collections import Counter
from functools import cache, partial
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import plain_dutch
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import examples

from tb2learn.config import Config, EventFormat, FieldConfig
from tb2learn.simulation.dutch_swiss import Dutch
from tb2learn.simulation.formats import play_batch
from tb2learn.simulation.schedule import PlayedRounds
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
    batch = jax.tree.map(np.asarray, jax.jit(partial(play_batch, setting=config.setting))(keys))
    return [jax.tree.map(lambda part, n=n: part[..., n], batch) for n in range(EVENTS)]


@pytest.mark.thorough
@pytest.mark.parametrize("size", [CROWDED, pytest.param((34, 9), marks=pytest.mark.slow)], ids=str)
def test_pairs_are_those_of_the_rule(size):
    """Pairs and colours of every round; the crowded events need every last resort."""
    needed = Counter()
    for event in played(*size):
        check_rounds(event)
        for number in range(size[1]):
            players = plain_dutch.players_before(event, number)
            expected, stages = plain_dutch.pair_round(players, event.whites[0, 0])
            whites = np.flatnonzero(event.whites[number]).tolist()
            assert {(white, int(event.opponents[number, white])) for white in whites} == expected
            needed[stages] += 1
    assert size != CROWDED or min(needed[stages] for stages in range(4)) > 0


def check_rounds(event):
    """Everybody plays once a round; of an odd number one rests, nobody twice, and wins."""
    met = event.opponents != BYE
    assert ((~met).sum(axis=1) == met.shape[1] % 2).all() and ((~met).sum(axis=0) <= 1).all()
    assert (event.half_points[~met] == 2).all() and not event.whites[~met].any()
    np.testing.assert_array_equal(event.half_points.sum(axis=0), event.match_points)
    for number, opponents in enumerate(event.opponents):
        present = np.flatnonzero(met[number])
        np.testing.assert_array_equal(opponents[opponents[present]], present)
        assert (event.whites[number, present] != event.whites[number, opponents[present]]).all()


def check_colours(colours):
    """Of one player: nearly as many games with White as with Black, and not three running."""
    assert abs(2 * sum(colours) - len(colours)) <= 2
    assert not any(len(set(colours[n : n + 3])) == 1 for n in range(len(colours) - 2))


PLAYERS, ROUNDS = 9, 6
SCHEDULE = Dutch(EventFormat(PLAYERS, ROUNDS, 1, pairing="dutch"))


@jax.jit
def pairs_of(lot, so_far, number):
    return SCHEDULE.pair(lot, so_far, number)[1]


def perfect(players, may_meet):
    """Whether all can be paired so that everybody may meet the other one, by trying all."""
    if not players:
        return True
    first, *rest = players
    return any(
        may_meet(first, other) and perfect([one for one in rest if one is not other], may_meet)
        for other in rest
    )


scores = st.lists(st.integers(0, 2), min_size=PLAYERS // 2, max_size=PLAYERS // 2)


@pytest.mark.thorough
@given(lot=st.booleans(), results=st.lists(scores, min_size=ROUNDS, max_size=ROUNDS))
@examples(40)
def test_whatever_the_results(lot, results):
    """Rematches and equal absolute preferences only where no pairing avoids them; a bye once."""
    shape = ROUNDS, PLAYERS
    opponents = np.full(shape, BYE, np.int32)
    half_points, whites = np.zeros(shape, np.int32), np.zeros(shape, bool)
    clashed = set()
    for number, scored in enumerate(results):
        parts = (part[..., None] for part in (opponents, half_points, whites))
        points = jnp.asarray(half_points.sum(axis=0)[:, None])
        so_far = PlayedRounds(*map(jnp.asarray, parts), points, points)
        white, black = np.asarray(pairs_of(jnp.array([[lot]]), so_far, jnp.int32(number)))[..., 0]
        event = SimpleNamespace(opponents=opponents, half_points=half_points, whites=whites)
        players = plain_dutch.players_before(event, number)
        playing = [*white.tolist(), *black.tolist()]
        assert len(set(playing)) == PLAYERS - 1
        (resting,) = set(range(PLAYERS)) - set(playing)
        assert not players[resting].bye
        met = [(players[a], players[b]) for a, b in zip(white, black, strict=True)]
        present = [players[seed] for seed in playing]
        if any(not one.may_meet(other, colours=False) for one, other in met):
            assert not perfect(present, partial(plain_dutch.Player.may_meet, colours=False))
        for one, other in met:
            if not one.may_meet(other):
                assert not perfect(present, plain_dutch.Player.may_meet)
                clashed |= {one.seed, other.seed}
        opponents[number, white], opponents[number, black] = black, white
        half_points[number, white] = scored
        half_points[number, black] = 2 - np.array(scored)
        half_points[number, resting] = 2
        whites[number, white] = True
    for seed in set(range(PLAYERS)) - clashed:
        games = whites[opponents[:, seed] != BYE, seed].tolist()
        check_colours(games)
