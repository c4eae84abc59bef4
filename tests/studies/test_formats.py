"""Formats and multi-tier events: what is measured, in plain Python; means, and claims."""

from fractions import Fraction
from itertools import combinations

import jax
import numpy as np
import pytest
from helpers import exact_strength

from studies import formats
from studies.formats import (
    BEST,
    SHARES,
    TEAMS,
    judge_league,
    measure_event,
)
from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config
from tb2learn.report.frames import where
from tb2learn.simulation.event import Event


@pytest.fixture(scope="module")
def swiss():
    """Three rounds of an event of teams, with results at random."""
    generator = np.random.default_rng(8)
    rosters = np.sort(generator.integers(2000, 2700, (TEAMS, 2)).astype(np.int32))[:, ::-1]
    opponents, half_points = np.zeros((2, 3, TEAMS), np.int32)
    whites = np.zeros((3, TEAMS), bool)
    for r in range(3):
        for a, b in generator.permutation(TEAMS).reshape(-1, 2):
            opponents[r, a], opponents[r, b] = b, a
            half_points[r, a] = generator.integers(0, 5)
            half_points[r, b] = 4 - half_points[r, a]
            whites[r, a] = True
    points = (np.sign(half_points - 2) + 1).sum(axis=0).astype(np.int32)
    return Event(*map(jax.numpy.asarray, (rosters, opponents, half_points, points, whites)))


@pytest.mark.thorough
def test_what_is_measured(swiss):
    config = Config("a", event=EventFormat(TEAMS, 3, 2))
    measured = jax.jit(measure_event, static_argnums=2)
    found = jax.tree.map(int, measured(jax.random.key(1), swiss, config, None))
    keys = list(
        zip(swiss.match_points.tolist(), swiss.half_points.sum(axis=0).tolist(), strict=True)
    )
    strength = np.asarray(exact_strength(swiss.rosters, config.game)).tolist()
    first = [t for t in range(TEAMS) if keys[t] == max(keys)]
    strongest = max(range(TEAMS), key=strength.__getitem__)
    share = Fraction(int(strongest in first), len(first))
    assert found.wins == SHARES * share and found.first_tied == (len(first) > 1)
    concordant = sum(
        ((keys[a] > keys[b]) - (keys[a] < keys[b]))
        * ((strength[a] > strength[b]) - (strength[a] < strength[b]))
        for a, b in combinations(range(TEAMS), 2)
    )
    assert found.concordant == concordant
    by_strength = sorted(range(TEAMS), key=strength.__getitem__, reverse=True)[:BEST]
    third = sorted(keys, reverse=True)[BEST - 1]
    sure = sum(keys[t] > third for t in by_strength)
    assert sure <= found.best <= sure + sum(keys[t] == third for t in by_strength)
    whites = swiss.whites.sum(axis=0).tolist()
    assert found.surplus == sum(abs(2 * w - 3) for w in whites)
    assert found.uneven == sum(abs(2 * w - 3) > 1 for w in whites)
    colours = np.asarray(swiss.whites).T.tolist()
    assert found.repeats == sum((a == b) + (b == c) for a, b, c in colours) > 0
    assert (found.risen, found.from_lowest) == (0, 0)
    assert (found.games, found.most, found.least) == (3 * TEAMS // 2, 3, 3)


@pytest.mark.slow
def test_a_league_is_judged():
    found = judge_league("10 grandmasters", 20, 1)
    assert found["rule"].tolist() == [rule for rule in formats.PLAYER_RULES for _ in range(2)]
    assert found["top"].tolist() == ["1", "all"] * len(formats.PLAYER_RULES)
    assert (where(found, top="1")["pairs"] < where(found, top="all")["pairs"].max()).all()
    assert found["error"].between(found["low"], found["high"]).all()
