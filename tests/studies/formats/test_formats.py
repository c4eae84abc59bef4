"""The study of formats: what is measured of one event, in plain Python; its report."""

import csv
from fractions import Fraction
from itertools import combinations

import jax
import numpy as np
import pytest

from tb2learn import data
from tb2learn.assessment.tally import ALL, ErrorRate
from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.truth import true_strength
from tb2learn.studies.formats import report
from tb2learn.studies.formats.claims import FAILS, HOLDS, UNDECIDED, above, below
from tb2learn.studies.formats.deciding import (
    BEST,
    SHARES,
    SWISS_ROUNDS,
    TEAMS,
    WORLDS,
    Measured,
    formats,
    found_from,
    last_stage,
    measure_event,
)
from tb2learn.studies.formats.leagues import LEAGUES, TOP, league_rows
from tb2learn.studies.formats.report import study_formats
from tb2learn.studies.formats.settling import (
    BEFORE,
    RULES,
    TIES,
    Settled,
    measure_ties,
    tiebreak_of,
)


def test_formats_that_are_compared():
    for boards, _ in WORLDS.values():
        found = formats(boards)
        assert {one.teams for one in found.values()} == {TEAMS}
        assert found["double round robin"].rounds == 38
        assert found["multi-tier, m = 3"].rounds == 63
        for rounds in SWISS_ROUNDS:
            final = found[f"Swiss, {rounds - 1} + final"]
            matches = (final.rounds - final.final_rounds) * TEAMS // 2 + final.final_rounds * 2
            assert 0 <= matches - rounds * TEAMS // 2 <= 2


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
    assert found.uneven == sum(abs(2 * w - 3) > 1 for w in whites)
    colours = np.asarray(swiss.whites).T.tolist()
    assert found.repeats == sum((a == b) + (b == c) for a, b, c in colours) > 0
    assert (found.risen, found.from_lowest) == (0, 0)
    assert (found.games, found.most, found.least) == (3 * TEAMS // 2, 3, 3)


def test_the_package_has_the_facts_of_the_leagues():
    rows = data.read_rows("leagues.csv")
    assert {(row["league"], row["rule"]) for row in rows} == {
        (league.name, rule) for league in LEAGUES for rule in league.rules
    }
    assert set(rows[0]) == set(league_rows([])[0])
    for row in rows:
        assert float(row["low"]) <= float(row["error"]) <= float(row["high"])


def tied_by_hand(points, scores, strength, top):
    """Tied pairs that touch a place, half errors of scores in them, and pairs left tied."""
    pairs = wrong = left = 0
    for a, b in combinations(range(TEAMS), 2):
        if points[a] == points[b] >= 0 and 1 + sum(p > points[a] for p in points) <= top:
            said = (scores[a] > scores[b]) - (scores[a] < scores[b])
            right = (strength[a] > strength[b]) - (strength[a] < strength[b])
            pairs, wrong, left = pairs + 1, wrong + abs(said - right), left + (said == 0)
    return pairs, wrong, left


@pytest.mark.thorough
def test_ties_at_the_top(swiss):
    form = EventFormat(TEAMS, 3, 2)
    rules = tuple(tiebreak_of(name, form) for name in ("game-points", "emmsb"))
    config = Config("a", event=form)
    measure = jax.jit(measure_ties, static_argnums=2)
    found = jax.tree.map(np.asarray, measure(jax.random.key(1), swiss, config, rules))
    points = swiss.match_points.tolist()
    strength = np.asarray(true_strength(swiss.rosters, config.game)).tolist()
    won = np.sign(np.asarray(swiss.half_points) - 2) + 1
    berger = (swiss.match_points[swiss.opponents] * won).sum(axis=0).tolist()
    for number, scores in enumerate((swiss.half_points.sum(axis=0).tolist(), berger)):
        for column, top in enumerate(TIES):
            pairs, wrong, left = tied_by_hand(points, scores, strength, top)
            assert pairs == found.pairs[column]
            assert (wrong, left) == (found.wrong[number, column], found.left[number, column])
    assert found.pairs[-1] > 0


@pytest.mark.slow
def test_only_the_last_stage_counts(swiss):
    """The last round as a final of four: its points, its ties, and the points before it."""
    last = np.asarray(swiss.opponents[2]).copy()
    finalists = [0, int(last[0]), 5 if last[0] != 5 else 6]
    finalists.append(int(last[finalists[2]]))
    outside = [t for t in range(TEAMS) if t not in finalists]
    opponents, half_points = (np.asarray(x).copy() for x in (swiss.opponents, swiss.half_points))
    opponents[2, outside], half_points[2, outside], half_points[2, finalists] = -1, 0, 2
    won = np.where(opponents >= 0, np.sign(half_points - 2) + 1, 0)
    parts = (swiss.rosters, opponents, half_points, won.sum(axis=0), swiss.whites)
    event = Event(*map(jax.numpy.asarray, parts))
    form = EventFormat(TEAMS, 3, 2, format="swiss-final", finalists=2)
    stage = last_stage(event, form)
    assert np.flatnonzero(stage.playing).tolist() == sorted(finalists)
    assert stage.results.match_points[np.array(finalists)].tolist() == [1] * 4
    found = jax.tree.map(
        np.asarray, measure_ties(jax.random.key(1), event, Config("a", event=form), ())
    )
    points = [1 if t in finalists else -1 for t in range(TEAMS)]
    strength = np.asarray(true_strength(event.rosters, Config("a").game)).tolist()
    before = won[:2].sum(axis=0).tolist()
    pairs, wrong, left = tied_by_hand(points, before, strength, 1)
    assert (pairs, wrong, left) == (6, found.wrong[0, 0], found.left[0, 0]) and found.pairs[0] == 6
    measured = measure_event(jax.random.key(1), event, Config("a", event=form), None)
    assert measured.first_tied == 1 and (measured.most, measured.least) == (3, 2)


WORDS = HOLDS, FAILS, UNDECIDED


def test_a_claim_is_decided_by_the_whole_interval():
    assert [above(ci, 0.1) for ci in ((0.2, 0.3), (0.0, 0.1), (0.0, 0.2))] == [*WORDS]
    assert [below(ci, 0.1) for ci in ((0.0, 0.05), (0.1, 0.2), (0.0, 0.2))] == [*WORDS]


@pytest.mark.thorough
def test_report(tmp_path, monkeypatch):
    def league(one, events, seed):
        return tuple(
            ErrorRate(rule, top, 100, 0.4, (0.3, 0.5), 0.0, (0.0, 0.0))
            for rule in one.rules
            for top in (TOP, ALL)
        )

    def judged(name, world, event, events, seed):
        level = 0.5 if name == "multi-tier, m = 1" else 0.3
        return {what: share(level) for what in Measured._fields}

    def share(level):
        return found_from(level, np.linspace(level - 0.01, level + 0.01, 41))

    def ties(name, world, event, events, seed):
        rules = [rule for rule in RULES[world] if rule != BEFORE or "final" in name]
        return [
            Settled(world, name, rule, top, 9, share(0.4), share(0.1))
            for rule in rules
            for top in TIES
        ]

    monkeypatch.setattr(report, "judge_league", league)
    monkeypatch.setattr(report, "judge_format", judged)
    monkeypatch.setattr(report, "judge_ties", ties)
    path = study_formats(tmp_path / "report", 70, 2)
    text = path.read_text()
    assert text.splitlines()[2].endswith("(formats.png)")
    assert "70 simulated events of every format and league, seed 2" in text
    assert (
        "| individuals | accurate, m = 1: the strongest wins more often than in Swiss, 8 " in text
    )
    assert f"| {HOLDS} | difference 0.200 (0.2" in text
    assert f"in Swiss, 15 rounds (0 and 0 matches) | {FAILS} | difference 0.000" in text
    assert f"| {FAILS} | 50.0% (4" in text and "| Swiss, 7 + final | 9 | points before" in text
    assert "* individuals: Swiss, 5 rounds: buchholz-cut1 (0.400), sonneborn-berger (0.4" in text
    with open(path.parent / "formats.csv") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 2 * len(formats(1)) * len(Measured._fields)
    with open(path.parent / "tiebreaks.csv") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["place"] for row in rows} == set(map(str, TIES))
    assert rows[0]["wrong"] == "0.4" and rows[0]["left_low"] == "0.0905"
