"""Whole events and their standings against the slow reference."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import plain_python
import pytest
from helpers import by_numbers, deciding, same_event

from tb2learn.config import Config, EventFormat, FieldConfig, GameConfig
from tb2learn.simulation import games
from tb2learn.simulation.formats import play_drawn
from tb2learn.simulation.schedule import EventInputs
from tb2learn.simulation.simulated import SimulatedEvents
from tb2learn.types import BYE


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


def check_standings(events, config):
    """Every column and the order equal the reference's, event by event."""
    parts = events.rosters, events.opponents, events.half_points, events.match_points
    oracle = np.zeros(events.match_points.shape)
    table = SimulatedEvents(config, 0, *map(np.asarray, parts), oracle).frame()
    names = ["team", "mp", "tb2", "gp", "tb4"]
    for number, rows in table.groupby("event"):
        both = zip(*(np.asarray(part)[number].tolist() for part in parts[1:3]), strict=True)
        played = [matches(*row) for row in both]
        expected = plain_python.standings(config.event.teams, config.event.boards, played)
        ours = rows.assign(team=rows.team - 1, tb2=2 * rows.tb2, gp=2 * rows.gp)[names]
        assert ours.to_numpy().tolist() == [[row[name] for name in names] for row in expected]


@partial(jax.jit, static_argnames="config")
def play_many(keys, config):
    """Events with the batch first, and what decides their matches."""
    played = play_drawn(
        EventInputs.of(keys, config.setting), config.event, games.Laws.of(config.game)
    )
    events = jax.tree.map(lambda x: jnp.moveaxis(x, -1, 0), played)
    return events, *deciding(keys, config, events.rosters)


def check_events(config, seed, number):
    """Play events; the reference plays them from the same numbers and laws."""
    teams, rounds, boards = config.event.teams, config.event.rounds, config.event.boards
    keys = jax.random.split(jax.random.key(seed), number)
    events, numbers, laws = jax.tree.map(np.asarray, play_many(keys, config))
    check_standings(events, config)
    rematches = 0
    for i in range(number):
        everybody = np.zeros((2, rounds, teams), int).tolist()
        event = jax.tree.map(lambda x, i=i: x[i], events)
        decide = by_numbers(numbers[i], laws[i])
        expected = plain_python.play_event(*everybody, boards, boards, decide)
        opponents = same_event(event, expected, boards)
        met = [pair for row in opponents for pair in enumerate(row) if pair[1] != BYE]
        rematches += len(met) - len(set(met))
    return rematches


@pytest.mark.thorough
def test_events_are_those_of_the_reference():
    # As many rounds as opponents, and byes: somebody is always met twice in one of these.
    config = config_of(9, 8, 3, seed_noise=(30.0, 80.0))
    assert check_events(config, 1, 12) > 0
    # Whom a team has met is kept in bits: here those of two words.
    check_events(config_of(38, 9, 4), 4, 6)


# A shape takes ten seconds to compile. The law of a game, `tail`, is looked up in a table after the
# pairing, so that every shape needs only one of the two.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("teams", "rounds", "boards"),
    [
        *[(teams, teams - 1, 1 + teams % 6) for teams in (2, 3, 4, 5, 6, 7, 10, 13, 16)],
        *[(teams, 1 + teams % 15, 1 + teams % 12) for teams in (17, 31, 32, 33, 47, 59)],
        (151, 13, 2),
        (400, 15, 4),
        (1000, 15, 1),
    ],
)
def test_events_of_many_sizes_equal_the_reference(teams, rounds, boards):
    tail = ("consistent", "literal")[teams // 2 % 2]
    config = config_of(teams, rounds, boards, tail, low=1700.0, high=2800.0, seed_noise=0.0)
    check_events(config, teams, 3 if teams > 60 else 20)
