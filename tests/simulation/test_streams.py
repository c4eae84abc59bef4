"""Streams: what each is for, which run plays which, and how many events it has."""

import pytest

from tb2learn.simulation import sample
from tb2learn.simulation.streams import UNIT, EventRange, Purpose
from tb2learn.types import InputError


def test_purposes_are_seven_different_numbers():
    """Without an alias: an enumeration takes a second name of a number for the first one."""
    assert {purpose.value for purpose in Purpose} == set(range(7))
    assert len(Purpose.__members__) == 7 and UNIT == 32768
    assert {name: one.value for name, one in Purpose.__members__.items()} == {
        "TRAIN": 0, "HELD_OUT": 1, "ASSESS": 2, "EXPLORE": 3, "CALIBRATE": 4, "CHOOSE": 5,
        "FORECAST": 6,
    }  # fmt: skip


def test_ranges_end_at_the_last_event_of_a_stream():
    last = 2**32 - 1
    assert EventRange(last, Purpose.TRAIN, 1, last).first == last
    assert EventRange(0, Purpose.TRAIN, 2**32).events == 2**32
    for seed, events, first in ((2**32, 1, 0), (0, 0, 0), (0, 2, last), (0, 1, -1), (-1, 1, 0)):
        with pytest.raises(InputError):
            EventRange(seed, Purpose.TRAIN, events, first)


class Asked(Exception):
    """The range that a run was about to play."""


def test_events_to_look_at_are_a_stream_of_their_own(monkeypatch):
    def ask(config, measure, events, **options):
        raise Asked(events)

    monkeypatch.setattr(sample, "sum_events", ask)
    from tb2learn.config import Config

    with pytest.raises(Asked) as asked:
        sample.simulate(Config("x"), 7, seed=9)
    assert asked.value.args[0] == EventRange(9, Purpose.EXPLORE, 7)
