"""Formats and multi-tier events: what is measured, in plain Python; means, and claims."""

from fractions import Fraction
from itertools import combinations
from math import comb
from types import SimpleNamespace

import jax
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from helpers import exact_strength

from studies import formats, multi_tier
from studies.formats import (
    BEST,
    MEASURED,
    SHARES,
    TEAMS,
    judge_league,
    measure_order,
)
from tb2learn.assessment.incentive import exact_interval
from tb2learn.chess.berger import round_robin
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
    measured = jax.jit(measure_order, static_argnums=2)(jax.random.key(1), swiss, config)
    found = SimpleNamespace(**dict(zip(MEASURED, measured.tolist(), strict=True)))
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


def test_the_arithmetic_of_the_source():
    """What the template of the report states of Brams and Ismail's numbers."""
    assert (comb(30, 10), comb(20, 10)) == (30_045_015, 184_756)
    assert round(1209 / (3 * comb(8, 2)), 2) == 14.39
    games = [round(6.6 * comb(8, 2)), round(10.1 * comb(6, 2)), round(26.4 * comb(6, 2))]
    assert games == [185, 152, 396] and round((12 - 8) / (12 + 8 + 51), 4) == 0.0563
    assert [round(end, 2) for end in exact_interval(6, 7)] == [0.42, 1.0]
    colours = round_robin(8).colour_counts()
    assert (colours.repeats, colours.longest, colours.surplus) == (6, 2, 1)
    sums = multi_tier.printed_sums()
    assert (sums["sum"].abs() <= sums["off"]).all()
    assert sums["ranks"].tolist() == ["13 to 20", "7 to 12", "1 to 6"]
    assert sums["best"].tolist() == ["MVL, Aronian", "MVL, Aronian", "Carlsen"]


@pytest.mark.slow
def test_a_quick_run_of_a_multi_tier_event(tmp_path):
    run = CliRunner().invoke(multi_tier.main, ["--out", str(tmp_path), "--events", "20"])
    assert run.exit_code == 0, run.output
    wins = pd.read_csv(tmp_path / "wins.csv")
    assert (wins.groupby("repeats")["wins"].sum() == 20 * SHARES).all()
    text = (tmp_path / "README.md").read_text()
    assert "1,154 subsets are 0 points" in text and "M. Carlsen, the highest rated, wins" in text
