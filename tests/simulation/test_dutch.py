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


@cache
def can_be_paired(edges, players):
    """Whether a perfect matching exists, by trying all."""
    if not players:
        return True
    first, *rest = sorted(players)
    return any(
        can_be_paired(edges, players - {first, other}) for other in rest if (first, other) in edges
    )


def pairable(players, colours):
    """Whether all can be paired without rematches, and without clashes of `colours`."""
    seats = range(len(players))
    edges = {(i, j) for i in seats for j in seats if players[i].may_meet(players[j], colours)}
    return can_be_paired(frozenset(edges), frozenset(seats))


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


def lopsided(pair):
    """Whether somebody gets the colour that it must not get."""
    white, black = pair
    return white.wish <= -3 or black.wish >= 3


@pytest.mark.thorough
def test_rematches_and_clashes_of_colours_only_where_nothing_else_is_left():
    """By trying all pairings of those rounds."""
    rematches = clashes = 0
    for event in played(*CROWDED):
        for number in range(CROWDED[1]):
            players = dutch_oracle.players_before(event, number)
            pairs = [
                (players[white], players[event.opponents[number, white]])
                for white in np.flatnonzero(event.whites[number])
            ]
            again = any(not white.may_meet(black, colours=False) for white, black in pairs)
            clash = any(not white.may_meet(black) for white, black in pairs)
            paired = [player for pair in pairs for player in pair]
            assert not (again and pairable(paired, colours=False))
            assert not (clash and pairable(paired, colours=True))
            rematches, clashes = rematches + again, clashes + clash
            if not clash:
                assert not any(map(lopsided, pairs))
    assert 0 < rematches < clashes < 0.2 * EVENTS * CROWDED[1]
