"""Whole events and their standings against the slow reference."""

import math
from functools import partial

import jax
import numpy as np
import pytest
import slow_oracle as oracle
from golden import regenerate
from helpers import match_law, slow_after, standings
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tb2learn.chess import WEAKEST_RULES
from tb2learn.chess.results import product_points
from tb2learn.config import Config, EventFormat, FieldConfig, GameConfig
from tb2learn.simulation import games
from tb2learn.simulation.olympiad import play, play_matches
from tb2learn.types import BYE, InputError

ALPHA = 1e-3  # of every statistical test; the seeds are fixed


@partial(jax.jit, static_argnames="config")
def play_many(keys, config):
    return jax.vmap(partial(play, config=config))(keys)


@partial(jax.jit, static_argnames="weakest")
def standings_many(opponents, half_points, points, weakest):
    return jax.vmap(partial(standings, weakest=weakest), in_axes=(0, 0, None))(
        opponents, half_points, points
    )


def config_of(teams, rounds, boards, tail="consistent", **field):
    # A narrow field: equal strengths give many ties and long fights for opponents.
    field = {"low": 2200.0, "high": 2400.0, **field}
    return Config(
        "test",
        event=EventFormat(teams, rounds, boards),
        field=FieldConfig(**field),
        game=GameConfig(tail),
    )


def matches(opponents, half_points):
    """One round as the slow reference takes it; checks that both sides agree."""
    boards = {h + half_points[o] for h, o in zip(half_points, opponents, strict=True) if o != BYE}
    assert len(boards) == 1
    assert boards.pop() % 2 == 0
    played = []
    for team, opponent in enumerate(opponents):
        if opponent == BYE:
            played.append((team, None, half_points[team]))
        elif team < opponent:
            assert opponents[opponent] == team
            played.append((team, opponent, half_points[team]))
    return played


def replay(opponents, half_points, boards):
    """The reference pairs each round from the results so far; true where it made a rematch."""
    teams = len(opponents[0])
    match_points, total = [0] * teams, [0] * teams
    met, had_bye = set(), set()
    rematches = 0
    for row, scored in zip(opponents, half_points, strict=True):
        pairs, bye, by_last_rule = oracle.pair_round(match_points, total, met, had_bye)
        expected = [BYE] * teams
        for a, b in pairs:
            expected[a], expected[b] = b, a
        assert row == expected
        again = {pair for pair in pairs if frozenset(pair) in met}
        assert again == set(by_last_rule)
        rematches += len(again)
        met |= {frozenset(pair) for pair in pairs}
        if bye is not None:
            assert bye not in had_bye
            assert scored[bye] == boards
            had_bye.add(bye)
        for team, half in enumerate(scored):
            match_points[team] += oracle.match_points_for(half, boards)
            total[team] += half
    return match_points, rematches


def check_standings(table, rounds, teams, boards, weakest, value=None):
    """Every column and the order equal the reference's."""
    expected = oracle.standings(teams, boards, rounds, weakest, value)
    order = np.asarray(table.order)
    assert order.tolist() == [row["team"] for row in expected]
    for name, ours in [
        ("mp", table.match_points),
        ("tb2", table.tb2),
        ("gp", table.half_points),
        ("tb4", table.tb4),
    ]:
        assert np.asarray(ours)[order].tolist() == [row[name] for row in expected], name


def check_events(config, seed, number):
    """Play events; replay them round by round; compare their standings."""
    teams, rounds, boards = config.event.teams, config.event.rounds, config.event.boards
    random = np.random.default_rng(seed)
    shares = config.event.max_match_points + 1
    anything = random.integers(0, 50, (shares, shares, 2 * boards + 1), dtype=np.int32)
    events = play_many(jax.random.split(jax.random.key(seed), number), config)
    product = product_points(rounds, boards)
    tables = {
        (weakest, name): standings_many(events.opponents, events.half_points, points, weakest)
        for weakest in WEAKEST_RULES
        for name, points in [("product", product), ("anything", anything)]
    }
    rematches = 0
    for i in range(number):
        event = jax.tree.map(lambda x, i=i: np.asarray(x)[i], events)
        opponents, half_points = event.opponents.tolist(), event.half_points.tolist()
        assert len(opponents) == rounds
        match_points, again = replay(opponents, half_points, boards)
        rematches += again
        assert event.match_points.tolist() == match_points
        # Two match points a match and one for a bye; every game point is somebody's.
        byes = int((event.opponents == BYE).sum())
        pairs = (rounds * teams - byes) // 2
        assert byes == rounds * (teams % 2)
        assert event.match_points.sum() == 2 * pairs + byes
        assert event.half_points.sum() == 2 * boards * pairs + boards * byes
        assert ((event.half_points >= 0) & (event.half_points <= 2 * boards)).all()
        assert (event.opponents == BYE).sum(axis=0).max() <= 1
        assert (event.opponents != np.arange(teams)).all()
        rows = [matches(*row) for row in zip(opponents, half_points, strict=True)]
        for (weakest, name), table in tables.items():
            value = None if name == "product" else lambda own, opp, half: anything[own, opp, half]
            one = jax.tree.map(lambda x, i=i: np.asarray(x)[i], table)
            check_standings(one, rows, teams, boards, weakest, value)
    return rematches


SIZES = slow_after(1, [(21, 15, 3), (2, 1, 4), (5, 4, 4), (8, 7, 2), (60, 9, 5), (180, 11, 4)])


@pytest.mark.thorough
@pytest.mark.parametrize(("teams", "rounds", "boards"), SIZES)
def test_events_equal_the_reference(teams, rounds, boards):
    check_events(config_of(teams, rounds, boards), teams, 4 if teams > 100 else 12)


@pytest.mark.thorough
def test_rematches_happen_only_by_the_last_rule():
    # As many rounds as opponents: somebody is always met twice in one of these (see `replay`).
    assert check_events(config_of(8, 7, 2), 1, 12) > 0


@pytest.mark.slow
@pytest.mark.parametrize("tail", ["consistent", "literal"])
@pytest.mark.parametrize(
    ("teams", "rounds", "boards"),
    [
        *[(teams, teams - 1, 1 + teams % 6) for teams in range(2, 17)],
        *[(teams, 1 + teams % 15, 1 + teams % 12) for teams in range(17, 60, 3)],
        (38, 9, 4),
        (79, 9, 5),
        (100, 15, 4),
        (151, 13, 2),
        (200, 11, 4),
        (301, 11, 3),
        (400, 15, 4),
        (1000, 15, 1),
    ],
)
def test_events_of_many_sizes_equal_the_reference(teams, rounds, boards, tail):
    config = config_of(teams, rounds, boards, tail, low=1700.0, high=2800.0, seed_noise=0.0)
    check_events(config, teams, 3 if teams > 60 else 20)


# --- standings ---------------------------------------------------------------------------------


def test_product_points():
    table = product_points(rounds=3, boards=2)
    assert table.shape == (7, 7, 5)
    for own, opponent, half in np.ndindex(table.shape):
        assert table[own, opponent, half] == opponent * half


@st.composite
def crosstables(draw):
    """Arbitrary results of 5 rounds of 8 or 9 teams on 2 boards, rematches included."""
    teams = draw(st.sampled_from([8, 9]))
    opponents, half_points = [], []
    walkovers = draw(st.booleans())  # the higher seed wins every game: some end without a point
    # With 9 teams the byes go round: no team has two.
    byes = draw(st.permutations(range(teams)))[:5] if teams % 2 else [None] * 5
    for bye in byes:
        pool = draw(st.permutations([team for team in range(teams) if team != bye]))
        row, scored = [BYE] * teams, [2] * teams
        for a, b in zip(pool[::2], pool[1::2], strict=True):
            row[a], row[b] = b, a
            scored[a] = 4 * (a < b) if walkovers else draw(st.integers(0, 4))
            scored[b] = 4 - scored[a]
        opponents.append(row)
        half_points.append(scored)
    points = draw(
        st.one_of(
            st.none(),
            st.integers(0, 2**32 - 1).map(
                lambda seed: np.random.default_rng(seed).integers(0, 4, (11, 11, 5), np.int32)
            ),
        )
    )
    return opponents, half_points, points


@pytest.mark.parametrize("weakest", WEAKEST_RULES)
@given(crosstable=crosstables())
def test_standings_of_arbitrary_results(weakest, crosstable):
    opponents, half_points, points = crosstable
    rows = [matches(*row) for row in zip(opponents, half_points, strict=True)]
    table = points
    if points is None:
        table = product_points(rounds=5, boards=2)
    ours = standings_many(
        np.array([opponents], np.int32), np.array([half_points], np.int32), table, weakest
    )
    one = jax.tree.map(lambda x: np.asarray(x)[0], ours)
    value = None if points is None else lambda own, opp, half: points[own, opp, half]
    check_standings(one, rows, len(opponents[0]), 2, weakest, value)


def test_unknown_weakest_rule():
    with pytest.raises(InputError, match="weakest"):
        standings(
            jax.numpy.array([[1, 0]]),
            jax.numpy.array([[4, 4]]),
            np.zeros((3, 3, 9), np.int32),
            weakest="first",
        )


# --- results -----------------------------------------------------------------------------------


def test_match_results_follow_the_law():
    # Chi-square of 40,000 draws of every match of a round; team 4 has the bye.
    rosters = np.array(
        [[2500, 2450], [2450, 2440], [2300, 2290], [2480, 2100], [2200, 2200]], np.int32
    )
    opponents = np.array([2, 3, 0, 1, BYE], np.int32)
    game = GameConfig()

    @jax.jit
    @jax.vmap
    def results_of(key):
        return play_matches(key, jax.numpy.asarray(rosters), jax.numpy.asarray(opponents), game)

    drawn = np.asarray(results_of(jax.random.split(jax.random.key(5), 40_000)))
    assert (drawn[:, 4] == 2).all()
    assert (drawn[:, 0] + drawn[:, 2] == 4).all() and (drawn[:, 1] + drawn[:, 3] == 4).all()
    results = []
    for team, opponent in [(0, 2), (1, 3)]:
        law = np.asarray(match_law(*map(jax.numpy.asarray, rosters[[team, opponent]]), game))
        counts = np.bincount(drawn[:, team], minlength=5)
        assert stats.chisquare(counts, law / games.UNIT * len(drawn)).pvalue > ALPHA
        results.append(drawn[:, team])
    # The two matches are independent of each other.
    crossed = stats.contingency.crosstab(*results).count
    assert stats.chi2_contingency(crossed).pvalue > ALPHA


# --- the golden event ----------------------------------------------------------------------------


def test_golden_event():
    golden, now = regenerate.load()
    assert now == golden, "run `python tests/golden/regenerate.py` if this is meant to change"
    assert regenerate.FILE.read_text(encoding="utf-8") == regenerate.dump(golden)


def test_golden_event_equals_the_reference():
    golden, _ = regenerate.load()
    event = golden["config"]["event"]
    assert (event["teams"], event["rounds"], event["boards"]) == (20, 7, 4)
    opponents, half_points = golden["opponents"], golden["half_points"]
    replay(opponents, half_points, event["boards"])
    rows = [matches(*row) for row in zip(opponents, half_points, strict=True)]
    expected = oracle.standings(event["teams"], event["boards"], rows)
    names = ["team", "mp", "tb2", "gp", "tb4"]
    assert golden["standings"] == [[row[name] for name in names] for row in expected]
    assert not math.isinf(golden["config"]["field"]["seed_noise"])
    assert all(roster == sorted(roster, reverse=True) for roster in golden["rosters"])
