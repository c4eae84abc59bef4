"""Events with absences against the slow reference."""

import jax
import numpy as np
import plain_python
import pytest
from helpers import by_numbers, deciding, same_event

from studies import absences
from studies.absences import Absences
from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.round_kinds import RoundKind
from tb2learn.config import Config, FieldConfig
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulated import simulate
from tb2learn.types import BYE, InputError

# A narrow field: equal strengths give many ties and long fights for opponents.
FIELD = FieldConfig(low=2200.0, high=2400.0, seed_noise=(30.0, 80.0))
CONFIG = Config("odd", event=EventFormat(9, 8, 3), field=FIELD)


def check_events(config, seed, number, rates):
    """Play events; the reference plays them from the same numbers, laws and absences."""
    boards = config.event.boards
    keys = jax.random.split(jax.random.key(seed), number)
    _, *played = absences.play(keys, rates.numbers(), config.setting)
    play_keys = jax.vmap(lambda key: jax.random.split(key)[0])(keys)
    decided = deciding(play_keys, config, played[0].rosters)
    events, kinds, presence, numbers, laws = jax.tree.map(np.asarray, (*played, *decided))
    for i in range(number):
        planned, no_show = (part[i].tolist() for part in (presence.planned, presence.no_show))
        decide = by_numbers(numbers[i], laws[i])
        bye = boards * rates.bye_points
        expected = plain_python.play_event(planned, no_show, boards, bye, decide)
        same_event(jax.tree.map(lambda x, i=i: x[i], events), expected, boards)
        assert kinds[i].tolist() == [[turn.kind for turn in row] for row in expected]


@pytest.mark.thorough
def test_events_are_those_of_the_reference():
    # Sometimes nobody, one team or an odd number is left.
    check_events(CONFIG, 2, 24, Absences(0.3, 0.2, 0.2, 0.9, bye_points=1))


@pytest.mark.thorough
def test_events_of_other_rates_and_sizes():
    check_events(CONFIG, 3, 24, Absences())
    # Whom a team has met is kept in bits: here those of two words.
    wide = Config("wide", event=EventFormat(38, 9, 4), field=FIELD)
    check_events(wide, 5, 6, Absences().times(3))


@pytest.mark.slow
@pytest.mark.parametrize(("teams", "rounds"), [(2, 1), (5, 4), (16, 15), (31, 2), (151, 13)])
def test_events_of_many_sizes(teams, rounds):
    config = Config("sizes", event=EventFormat(teams, rounds, 1 + teams % 6), field=FIELD)
    check_events(config, teams, 6, Absences().times(3))


def played(rates, batch, monkeypatch):
    monkeypatch.setattr(absences, "BATCH", batch)
    events = EventRange(3, Purpose.EXPLORE, 11)
    measured = absences.measured_events(
        CONFIG, rates, events, lambda key, event, kinds: (event.opponents, kinds)
    )
    return [np.concatenate(parts) for parts in zip(*measured, strict=True)]


@pytest.mark.thorough
def test_the_stream_is_that_of_everybody_present(monkeypatch):
    """A stream without any absence is that of the simulator; with some, any batch is equal."""
    opponents, kinds = played(Absences(0, 0, 0, 0, bye_points=1), 4, monkeypatch)
    np.testing.assert_array_equal(opponents, simulate(CONFIG, 11, seed=3).opponents)
    np.testing.assert_array_equal(
        kinds, np.where(opponents == BYE, RoundKind.PAIRING_BYE, RoundKind.PLAYED)
    )
    often = Absences(0.2, 0.3, 0.2, 0.5)
    few, many = played(often, 4, monkeypatch), played(often, 11, monkeypatch)
    assert len(np.unique(few[1])) == len(RoundKind) - 1  # nobody has a full-point bye
    for one, other in zip(few, many, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("wrong", [{"no_show": 1.5}, {"retire": -1.0}, {"bye_points": 3}])
def test_what_is_refused(wrong):
    with pytest.raises(InputError, match=next(iter(wrong))):
        Absences(**wrong)
