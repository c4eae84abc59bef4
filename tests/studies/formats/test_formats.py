"""The study of formats: what is measured of one event, in plain Python; its report."""

import csv
from fractions import Fraction
from itertools import combinations

import jax
import numpy as np
import pytest

from tb2learn import data
from tb2learn.assessment.tally import ALL, ErrorRate
from tb2learn.config import Config
from tb2learn.event_format import EventFormat
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.truth import true_strength
from tb2learn.studies.formats import report
from tb2learn.studies.formats.deciding import (
    BEST,
    SHARES,
    TEAMS,
    WORLDS,
    Found,
    Measured,
    formats,
    measure_event,
)
from tb2learn.studies.formats.leagues import LEAGUES, TOP, league_rows
from tb2learn.studies.formats.report import study_formats


def test_formats_that_are_compared():
    for boards, _ in WORLDS.values():
        found = formats(boards)
        assert {one.teams for one in found.values()} == {TEAMS}
        assert found["double round robin"].rounds == 38
        assert found["multi-tier, m = 3"].rounds == 63


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


def test_what_is_measured(swiss):
    config = Config("a", event=EventFormat(TEAMS, 3, 2))
    measure = jax.jit(measure_event, static_argnums=2)
    found = jax.tree.map(int, measure(jax.random.key(1), swiss, config, None))
    keys = list(
        zip(swiss.match_points.tolist(), swiss.half_points.sum(axis=0).tolist(), strict=True)
    )
    strength = np.asarray(true_strength(swiss.rosters, config.game)).tolist()
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
    assert (found.games, found.most, found.least) == (3 * TEAMS // 2, 3, 3)


def test_the_package_has_the_facts_of_the_leagues():
    rows = data.read_rows("leagues.csv")
    assert {(row["league"], row["rule"]) for row in rows} == {
        (league.name, rule) for league in LEAGUES for rule in league.rules
    }
    assert set(rows[0]) == set(league_rows([])[0])
    for row in rows:
        assert float(row["low"]) <= float(row["error"]) <= float(row["high"])


def test_report(tmp_path, monkeypatch):
    def league(one, events, seed):
        return tuple(
            ErrorRate(rule, top, 100, 0.4, (0.3, 0.5), 0.0, (0.0, 0.0))
            for rule in one.rules
            for top in (TOP, ALL)
        )

    def judged(name, world, event, events, seed):
        level = 0.5 if name == "multi-tier, m = 1" else 0.3
        return {what: Found(level, (level - 0.01, level + 0.01)) for what in Measured._fields}

    monkeypatch.setattr(report, "judge_league", league)
    monkeypatch.setattr(report, "judge_format", judged)
    path = study_formats(tmp_path / "report", 70, 2)
    text = path.read_text()
    assert text.splitlines()[2].endswith("(formats.png)")
    assert "70 simulated events of every format and league, seed 2" in text
    assert "the strongest wins more often" in text
    assert "the strongest wins as often, as far as can be seen" in text
    with open(path.parent / "formats.csv") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 2 * len(formats(1)) * len(Measured._fields)
