"""Streams: what each is for, which run plays which, and how many events it has."""

import jax
import numpy as np
import pytest

from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config, Setting
from tb2learn.simulation import simulated
from tb2learn.simulation.event import Event
from tb2learn.simulation.purposes import UNIT, EventRange, Purpose
from tb2learn.simulation.rng import half_words, stream, unit_numbers
from tb2learn.simulation.simulate import _range_size, _ranges
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


def numbers_of(key):
    return jax.random.key_data(key).tolist()


def test_keys_form_a_tree():
    """The seed, then the purpose is folded in: neither can make up for the other."""
    for seed, purpose in ((3, Purpose.ASSESS), (2, Purpose.EXPLORE), (2**32 - 1, Purpose.TRAIN)):
        whole = jax.random.fold_in(jax.random.key(np.uint32(seed), impl="threefry2x32"), purpose)
        assert numbers_of(stream(seed, purpose)) == numbers_of(whole)
    assert numbers_of(stream(2, Purpose.EXPLORE)) != numbers_of(stream(3, Purpose.ASSESS))


def test_a_word_is_two_numbers():
    """The low halves of all words, then the high ones; a result takes 15 of 16 bits."""
    key = jax.random.key(4)
    words = np.asarray(jax.random.bits(key, (3,))).astype(np.int64)
    halves = [*(words % 65536), *(words // 65536)]
    assert half_words(key, 5).tolist() == halves[:5] and half_words(key, 6).tolist() == halves
    assert unit_numbers(key, 5).tolist() == [half // 2 for half in halves[:5]]


def test_ranges_of_a_cluster():
    """A sixty-fourth of a run, a power of two, at least 256, and not too many teams and rounds."""
    small, large = Setting(event=EventFormat(8, 4, 1)), Setting()
    sizes = [_range_size(events, small) for events in (1, 16384, 32768, 40000)]
    assert sizes == [256, 256, 512, 512]
    most = (1 << 25) // (180 * 11)  # 16,946
    assert _range_size(1 << 22, large) == 1 << 14 and most.bit_length() == 15
    assert [*_ranges(0, 600, small)] == [range(0, 256), range(256, 512), range(512, 600)]
    # A run that goes on has the same ranges from there on.
    assert [*_ranges(300, 600, small)] == [range(300, 512), range(512, 600)]
    assert [*_ranges(512, 600, small)] == [range(512, 600)] and not [*_ranges(600, 600, small)]


def test_events_to_look_at_are_a_stream_of_their_own(played, untyped):
    event = Event(*np.zeros((4, 1)), strength=np.zeros(1))
    played.totals = [event]
    simulated.simulate(Config("x"), 7, seed=9)
    assert played.asked[0].events == EventRange(9, Purpose.EXPLORE, 7)
