"""The study of formats: what is measured of one event, in plain Python; means, and claims."""

from fractions import Fraction
from itertools import combinations

import jax
import numpy as np
import pandas as pd
import pytest
from helpers import exact_strength

from tb2learn import data
from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config
from tb2learn.report.frames import where
from tb2learn.simulation.event import Event
from tb2learn.studies.formats import measure
from tb2learn.studies.formats.deciding import (
    BEST,
    RULES,
    SHARES,
    SWISS_ROUNDS,
    TEAMS,
    TIES,
    WORLDS,
    Measured,
    formats,
    last_stage,
    measure_event,
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


def test_the_package_has_the_facts_of_the_leagues():
    rows = data.read_rows("leagues.csv")
    assert {(row["league"], row["boards"], row["rule"]) for row in rows} == {
        (league, str(boards), rule)
        for league, (_, boards, *_) in measure.LEAGUES.items()
        for rule in (measure.PLAYER_RULES if boards == 1 else measure.TEAM_RULES)
    }
    for row in rows:
        assert float(row["low"]) <= float(row["error"]) <= float(row["high"])


@pytest.mark.slow
def test_a_league_is_judged():
    found = measure.judge_league("10 grandmasters", 20, 1)
    assert found["rule"].tolist() == [rule for rule in measure.PLAYER_RULES for _ in range(2)]
    assert found["top"].tolist() == ["1", "all"] * len(measure.PLAYER_RULES)
    assert (where(found, top="1")["pairs"] < where(found, top="all")["pairs"].max()).all()
    assert found["error"].between(found["low"], found["high"]).all()


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
    measured = jax.jit(measure_ties, static_argnums=2)
    found = jax.tree.map(np.asarray, measured(jax.random.key(1), swiss, config, rules))
    points = swiss.match_points.tolist()
    strength = np.asarray(exact_strength(swiss.rosters, config.game)).tolist()
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
    strength = np.asarray(exact_strength(event.rosters, Config("a").game)).tolist()
    before = won[:2].sum(axis=0).tolist()
    pairs, wrong, left = tied_by_hand(points, before, strength, 1)
    assert (pairs, wrong, left) == (6, found.wrong[0, 0], found.left[0, 0]) and found.pairs[0] == 6
    measured = measure_event(jax.random.key(1), event, Config("a", event=form), None)
    assert measured.first_tied == 1 and (measured.most, measured.least) == (3, 2)


@pytest.fixture(scope="module")
def made():
    """Frames of made-up counts: by block of events, the same for every format but what they share.

    In a multi-tier event in which everybody meets once the strongest wins half of the events, in
    others a quarter; other counts are random.
    """

    def counts(config, measured, events, args, **more):
        generator = np.random.default_rng(3)
        blocks = events.events
        if measured is measure_ties:
            rules = len(args) + (config.event.format == "swiss-final")
            pairs = generator.integers(0, 4, (blocks, len(TIES)))
            wrong, left = (
                generator.integers(0, unit * pairs[:, None] + 1, (blocks, rules, len(TIES)))
                for unit in (2, 1)
            )
            return pairs, wrong, left
        found = Measured(*generator.integers(0, 3, (len(Measured._fields), blocks)))
        once = config.event.format == "multi-tier" and config.event.repeats == 1
        wins = np.where(np.arange(blocks) % (2 if once else 4), 0, SHARES)
        return found._replace(wins=wins, games=np.full(blocks, config.event.rounds))

    def league(name, events, seed):
        return pd.DataFrame({"league": [name]})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "sum_events", counts)
        patch.setattr(measure, "judge_league", league)
        return measure.measure(60, 2)


@pytest.mark.thorough
def test_means_and_their_differences(made):
    """Of every world and format; the differences are those of the same events."""
    found = made["formats"]
    assert len(found) == 2 * len(formats(1)) * len(Measured._fields)
    assert ((found["low"] <= found["value"]) & (found["value"] <= found["high"])).all()
    once = where(found, world="individuals", format="multi-tier, m = 1").set_index("what")
    assert once.loc["wins", "value"] == 0.5 and once.loc["games", "high"] == 21
    apart = where(made["differences"], world="individuals", less="Swiss, 8 rounds")
    assert apart["what"].tolist() == ["wins", "concordant"]
    assert apart["value"].tolist() == [0.25, 0.0]
    wins, same = apart.itertuples()
    assert 0 < wins.low < 0.25 < wins.high and same.low == same.high == 0


@pytest.mark.thorough
def test_shares_of_tied_pairs(made):
    for world, names in RULES.items():
        found = where(made["ties"], world=world, format="Swiss, 7 + final")
        assert found["rule"].tolist() == [*names, *names]
        assert set(where(made["ties"], world=world, format="round robin")["rule"]) == {*names[:-1]}
    generator = np.random.default_rng(3)
    pairs = generator.integers(0, 4, (60, len(TIES)))
    wrong = generator.integers(0, 2 * pairs[:, None] + 1, (60, len(names), len(TIES))).sum(axis=0)
    assert found["pairs"].tolist() == pairs.sum(axis=0).repeat(len(names)).tolist()
    assert found["wrong"].to_numpy() == pytest.approx((wrong / 2 / pairs.sum(axis=0)).T.ravel())
