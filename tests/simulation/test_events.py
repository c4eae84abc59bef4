"""Whole events, with absences and without, and their standings against the slow reference."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import plain_python
import pytest

from tb2learn.config import Config, EventFormat, FieldConfig, GameConfig
from tb2learn.simulation import games
from tb2learn.simulation.event import Absences
from tb2learn.simulation.formats import play_drawn
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.rng import unit_numbers
from tb2learn.simulation.schedule import Drawn
from tb2learn.simulation.simulate import sum_events
from tb2learn.simulation.simulated import SimulatedEvents
from tb2learn.types import BYE, InputError


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
def play_many(keys, config, absences=None):
    """Events with the batch first, who is present in them, and what decides their matches."""
    absent = None
    if absences is not None:
        absent = jax.vmap(partial(jax.random.fold_in, data=1))(keys), absences
    drawn = Drawn.of(keys, config, absences=absent)
    played = play_drawn(drawn, config.event, games.Laws.of(config.game))
    events, presence = jax.tree.map(lambda x: jnp.moveaxis(x, -1, 0), played), drawn.presence
    # The key of the rounds yields one for each, and one more.
    split = jax.vmap(partial(jax.random.split, num=config.event.rounds + 1))
    rounds = split(jax.vmap(lambda key: jax.random.split(key)[1])(keys))[:, :-1]
    numbers = jax.vmap(jax.vmap(partial(unit_numbers, count=config.event.teams)))(rounds)
    laws = jax.lax.map(partial(games.all_play_all, game=config.game), events.rosters)
    return events, presence, numbers, laws


def check_events(config, seed, number, absences=None):
    """Play events; the reference plays them from the same numbers and laws."""
    teams, rounds, boards = config.event.teams, config.event.rounds, config.event.boards
    keys = jax.random.split(jax.random.key(seed), number)
    chances = None if absences is None else absences.numbers()
    played = jax.tree.map(np.asarray, play_many(keys, config, chances))
    events, presence, numbers, laws = played
    if absences is None:
        check_standings(events, config)
    rematches = 0
    for i in range(number):
        planned, no_show = np.zeros((2, rounds, teams), int).tolist()
        if presence is not None:
            planned, no_show = (part[i].tolist() for part in (presence.planned, presence.no_show))

        def decide(r, a, b, i=i):
            return int((numbers[i, r, a] >= laws[i, :, a, b]).sum())

        bye = boards * (1 if absences is None else absences.bye_points)
        expected = plain_python.play_event(planned, no_show, boards, bye, decide)
        event = jax.tree.map(lambda x, i=i: x[i], events)
        opponents = [[BYE if t.opponent is None else t.opponent for t in row] for row in expected]
        assert event.opponents.tolist() == opponents
        assert event.half_points.tolist() == [[t.half for t in row] for row in expected]
        points = [[plain_python.match_points_for(t.half, boards) for t in row] for row in expected]
        assert event.match_points.tolist() == np.sum(points, axis=0).tolist()
        if absences is not None:
            assert event.kinds.tolist() == [[t.kind for t in row] for row in expected]
        met = [pair for row in opponents for pair in enumerate(row) if pair[1] != BYE]
        rematches += len(met) - len(set(met))
    return rematches


@pytest.mark.thorough
def test_events_are_those_of_the_reference():
    # As many rounds as opponents, and byes: somebody is always met twice in one of these.
    config = config_of(9, 8, 3, seed_noise=(30.0, 80.0))
    assert check_events(config, 1, 12) > 0
    # Sometimes nobody, one team or an odd number is left.
    check_events(config, 2, 24, Absences(0.3, 0.2, 0.2, 0.9, bye_points=1))
    check_events(config, 3, 24, Absences())
    # Whom a team has met is kept in bits: here those of two words.
    wide = config_of(38, 9, 4)
    check_events(wide, 4, 6)
    check_events(wide, 5, 6, Absences().times(3))


@pytest.mark.parametrize("pairing", ["dutch"])
def test_absences_need_a_format_that_leaves_teams_out(pairing):
    config = Config("x", event=EventFormat(6, 3, 1, pairing=pairing))
    with pytest.raises(
        InputError, match="absences are simulated in a median-swiss, not in a dutch"
    ):
        sum_events(config, lambda *_: 0, EventRange(1, Purpose.TRAIN, 1), absences=Absences())
    for wrong in ({"no_show": 1.5}, {"retire": -1.0}, {"bye_points": 3}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            Absences(**wrong)


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
    if tail == "consistent" and teams < 300:
        check_events(config, teams, 3 if teams > 60 else 20, Absences().times(3))
