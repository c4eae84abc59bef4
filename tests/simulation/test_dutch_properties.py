"""What the pairing of individual events keeps to, whatever the results, in plain Python."""

from functools import partial
from types import SimpleNamespace

import dutch_oracle
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import examples

from tb2learn.config import Config, EventFormat, FieldConfig
from tb2learn.simulation.by_format import play_batch
from tb2learn.simulation.dutch import Dutch
from tb2learn.simulation.schedule import SoFar
from tb2learn.types import BYE

SIZE = PLAYERS, ROUNDS = 9, 6
SCHEDULE = Dutch(EventFormat(*SIZE, 1, pairing="dutch"))


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


def longest_run(colours):
    """The most games running with one colour."""
    longest = run = 0
    for number, colour in enumerate(colours):
        run = run + 1 if number and colour == colours[number - 1] else 1
        longest = max(longest, run)
    return longest


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
        so_far = SoFar(*map(jnp.asarray, parts), points, points)
        white, black = np.asarray(pairs_of(jnp.array([[lot]]), so_far, jnp.int32(number)))[..., 0]
        event = SimpleNamespace(opponents=opponents, half_points=half_points, whites=whites)
        players = dutch_oracle.players_before(event, number)
        playing = [*white.tolist(), *black.tolist()]
        assert len(set(playing)) == PLAYERS - 1
        (resting,) = set(range(PLAYERS)) - set(playing)
        assert not players[resting].bye
        met = [(players[a], players[b]) for a, b in zip(white, black, strict=True)]
        present = [players[seed] for seed in playing]
        if any(not one.may_meet(other, colours=False) for one, other in met):
            assert not perfect(present, partial(dutch_oracle.Player.may_meet, colours=False))
        for one, other in met:
            if not one.may_meet(other):
                assert not perfect(present, dutch_oracle.Player.may_meet)
                clashed |= {one.seed, other.seed}
        opponents[number, white], opponents[number, black] = black, white
        half_points[number, white] = scored
        half_points[number, black] = 2 - np.array(scored)
        half_points[number, resting] = 2
        whites[number, white] = True
    for seed in set(range(PLAYERS)) - clashed:
        games = whites[opponents[:, seed] != BYE, seed].tolist()
        assert abs(2 * sum(games) - len(games)) <= 2 and longest_run(games) <= 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", [(2, 1), (3, 2), (16, 15), (17, 15), (101, 15), (1000, 15)], ids=str
)
def test_fields_of_any_size(size):
    """All that is possible in every round: whole rounds, one bye a player, and even colours."""
    teams, rounds = size
    field = FieldConfig(low=1600, high=2600, player_sd=0.0, seed_noise=50.0)
    config = Config("dutch", event=EventFormat(teams, rounds, 1, pairing="dutch"), field=field)
    play = jax.jit(partial(play_batch, config=config))
    played = jax.tree.map(np.asarray, play(jax.random.split(jax.random.key(4), 4)))
    for number in range(4):
        event = jax.tree.map(lambda part, n=number: part[..., n], played)
        met = event.opponents != BYE
        assert ((~met).sum(axis=1) == teams % 2).all() and ((~met).sum(axis=0) <= 1).all()
        for opponents, present in zip(event.opponents, met, strict=True):
            seats = np.flatnonzero(present)
            np.testing.assert_array_equal(opponents[opponents[seats]], seats)
        if teams < 100:  # so few that all meet nearly all
            continue
        for player in range(teams):
            others = event.opponents[met[:, player], player].tolist()
            colours = event.whites[met[:, player], player].tolist()
            assert len(set(others)) == len(others)
            assert abs(2 * sum(colours) - len(colours)) <= 2 and longest_run(colours) <= 2
