"""Whole events, one by one and side by side, and their standings against the slow reference."""

from functools import partial

import jax
import numpy as np
import pytest
import slow_oracle as oracle
from golden import regenerate
from tb2learn.simulation.olympiad import play

from tb2learn.config import Config, EventFormat, FieldConfig, GameConfig
from tb2learn.simulation.by_format import play_batch
from tb2learn.simulation.sample import SimulatedEvents
from tb2learn.types import BYE


@partial(jax.jit, static_argnames="config")
def play_many(keys, config):
    return jax.vmap(partial(play, config=config))(keys)


play_side_by_side = jax.jit(play_batch, static_argnames="config")


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


def check_standings(events, config):
    """Every column and the order equal the reference's, event by event."""
    parts = events.rosters, events.opponents, events.half_points, events.match_points
    table = SimulatedEvents(config, 0, *map(np.asarray, parts)).frame()
    names = ["team", "mp", "tb2", "gp", "tb4"]
    for number, rows in table.groupby("event"):
        both = zip(*(np.asarray(part)[number].tolist() for part in parts[1:3]), strict=True)
        played = [matches(*row) for row in both]
        expected = oracle.standings(config.event.teams, config.event.boards, played)
        ours = rows.assign(team=rows.team - 1, tb2=2 * rows.tb2, gp=2 * rows.gp)[names]
        assert ours.to_numpy().tolist() == [[row[name] for name in names] for row in expected]


def check_events(config, seed, number):
    """Play events, both ways; replay them round by round; compare their standings."""
    teams, rounds, boards = config.event.teams, config.event.rounds, config.event.boards
    keys = jax.random.split(jax.random.key(seed), number)
    events, beside = play_many(keys, config), play_side_by_side(keys, config)
    for one, other in zip(jax.tree.leaves(events), jax.tree.leaves(beside), strict=True):
        np.testing.assert_array_equal(np.moveaxis(one, 0, -1), other)
    check_standings(events, config)
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
    return rematches


@pytest.mark.thorough
def test_rematches_happen_only_by_the_last_rule():
    # As many rounds as opponents, and byes: somebody is always met twice in one of these.
    assert check_events(config_of(9, 8, 3, seed_noise=(30.0, 80.0)), 1, 12) > 0


@pytest.mark.slow
@pytest.mark.parametrize("tail", ["consistent", "literal"])
@pytest.mark.parametrize(
    ("teams", "rounds", "boards"),
    [
        *[(teams, teams - 1, 1 + teams % 6) for teams in range(2, 17)],
        *[(teams, 1 + teams % 15, 1 + teams % 12) for teams in range(17, 60, 3)],
        (38, 9, 4),
        (151, 13, 2),
        (200, 11, 4),
        (400, 15, 4),
        (1000, 15, 1),
    ],
)
def test_events_of_many_sizes_equal_the_reference(teams, rounds, boards, tail):
    config = config_of(teams, rounds, boards, tail, low=1700.0, high=2800.0, seed_noise=0.0)
    check_events(config, teams, 3 if teams > 60 else 20)


# --- the golden event ----------------------------------------------------------------------------


def test_golden_event():
    golden, now = regenerate.load()
    assert now == golden, "run `python tests/golden/regenerate.py` if this is meant to change"
    assert regenerate.FILE.read_text(encoding="utf-8") == regenerate.dump(golden)
