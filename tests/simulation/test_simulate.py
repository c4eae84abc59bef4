"""Streams of events: keys, batches, totals."""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import joined, measure_each, play, slow_after

from tb2learn.assessment.estimators import as_estimator
from tb2learn.assessment.single_event import tally_event
from tb2learn.catalogue import find_rule
from tb2learn.config import Config, EventFormat, FieldConfig, GameConfig, TrainConfig
from tb2learn.simulation import programs, simulate
from tb2learn.simulation.event_store import EventStore
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.rng import stream
from tb2learn.simulation.simulate import sum_events
from tb2learn.training.difficulty_log import CountMatches
from tb2learn.types import InputError

FIELD = FieldConfig(seed_noise=(30.0, 80.0))
CONFIG = Config("tiny", event=EventFormat(teams=5, rounds=3, boards=1), field=FIELD)


def everything(key, event, config, args):
    """The whole event, and what its own key is good for."""
    return (
        event.rosters,
        event.opponents,
        event.half_points,
        event.match_points,
        jax.random.bits(key) >> 1,
        event.ratings,
    )


def scaled_points(key, event, config, args):
    return {"points": event.match_points * args["factor"], "events": 1}


SCALED = Measurement(scaled_points)


@partial(jax.jit, static_argnames="config")
def play_one(key, config):
    play_key, measure_key = jax.random.split(key)
    return everything(measure_key, play(play_key, config), config, None)


def measured(events, batch, seed=3, purpose=Purpose.TRAIN, first=0):
    events = EventRange(seed, purpose, events, first)
    return joined(measure_each(CONFIG, everything, events, batch=batch))


@pytest.fixture(scope="module")
def eleven():
    """Events 0 .. 10 of the stream, each played alone from its own key."""
    key = stream(3, Purpose.TRAIN)
    alone = [play_one(jax.random.fold_in(key, i), CONFIG) for i in range(11)]
    return [np.stack(parts) for parts in zip(*alone, strict=True)]


@pytest.mark.thorough
@pytest.mark.parametrize("batch", slow_after(1, [4, None, 1, 4096]))
def test_an_event_is_the_same_from_any_batch(batch, eleven):
    sizes = [
        len(b[0])
        for b in measure_each(CONFIG, everything, EventRange(3, Purpose.TRAIN, 11), batch=batch)
    ]
    assert sizes == {1: [1] * 11, 4: [4, 4, 3], 4096: [11], None: [11]}[batch]
    for ours, alone in zip(measured(11, batch=batch), eleven, strict=True):
        assert isinstance(ours, np.ndarray)
        np.testing.assert_array_equal(ours, alone)
    for first in (1, 6):
        for ours, alone in zip(measured(5, first=first, batch=batch), eleven, strict=True):
            np.testing.assert_array_equal(ours, alone[first : first + 5])


@pytest.mark.thorough
def test_streams_differ(eleven):
    others = [
        measured(11, purpose=Purpose.HELD_OUT, batch=4),
        measured(11, purpose=Purpose.ASSESS, batch=4),
        measured(11, purpose=Purpose.EXPLORE, batch=4),
        measured(11, seed=4, batch=4),
        measured(11, seed=2**32 - 1, batch=4),
    ]
    # No event of a stream is an event of another, and neither are the keys of the measures.
    for part in (0, 4):
        values = [row.tobytes() for rows in (eleven, *others) for row in rows[part]]
        assert len(set(values)) == len(values) == 66
    # Purposes are folded in, not added: seed and purpose cannot make up for each other.
    keys = {
        tuple(np.asarray(jax.random.key_data(stream(seed, purpose))).tolist())
        for seed in (*range(30), 2**31, 2**32 - 1)
        for purpose in Purpose
    }
    assert len(keys) == 32 * len(Purpose)


@pytest.mark.thorough
def test_nothing_is_compiled_twice():
    all_ = programs.draw, programs.play, programs.measure
    for program in all_:  # of this test alone, whatever ran before
        program.clear_cache()
    add = partial(sum_events, CONFIG.setting, SCALED, batch=4)
    add(EventRange(1, Purpose.TRAIN, 3), {"factor": 1})
    sizes = [program._cache_size() for program in all_]
    add(EventRange(2, Purpose.TRAIN, 3), {"factor": 2})
    add(EventRange(1, Purpose.ASSESS, 9), {"factor": 1})
    add(EventRange(1, Purpose.TRAIN, 4, first=1000), {"factor": 1})
    # An equal setting is the same one, whatever its world is called and what is trained in it.
    again = Config(
        "other", event=EventFormat(teams=5, rounds=3, boards=1), field=FIELD,
        description="the same events", train=TrainConfig(seed=77),
    )  # fmt: skip
    one = EventRange(1, Purpose.TRAIN, 1)
    sum_events(again.setting, SCALED, one, {"factor": 1}, batch=4)
    assert [program._cache_size() for program in all_] == sizes
    # Another world, in which nothing is published, is drawn and measured by other programs alone.
    world = replace(CONFIG, field=FieldConfig(), game=GameConfig(model="fitted"))
    sum_events(world.setting, SCALED, one, {"factor": 1}, batch=4)
    assert [program._cache_size() for program in all_] == [sizes[0] + 1, sizes[1], sizes[2] + 1]


@pytest.mark.thorough
@pytest.mark.parametrize("limit", [0, 960, 1 << 20])
def test_kept_events_are_played_once(limit, eleven, monkeypatch):
    play, calls = programs.play, []

    def counted(*args, **options):
        calls.append(args)
        return play(*args, **options)

    counted.eval_shape = play.eval_shape
    monkeypatch.setattr(programs, "play", counted)
    events, store = EventRange(3, Purpose.TRAIN, 11), EventStore(limit)
    for factor in (1, 2, 3):
        total = sum_events(CONFIG.setting, SCALED, events, {"factor": factor}, store=store, batch=4)
        np.testing.assert_array_equal(total["points"], factor * eleven[3].sum(axis=0))
    assert store.held <= limit
    # Three batches: none is kept, two of them, all.
    assert len(calls) == {0: 9, 960: 5, 1 << 20: 3}[limit]


JUDGES = {name: (as_estimator(find_rule(name, 3, 1)),) for name in ("buchholz", "formula")}


def rounded_root(key, event, config, args):
    return jnp.rint(jnp.sqrt(event.match_points)).astype(jnp.int32)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("function", "args", "whole"),
    [
        (tally_event, JUDGES["buchholz"], True),
        (tally_event, JUDGES["formula"], True),
        (rounded_root, None, False),
        (CountMatches("exact"), None, True),
    ],
    ids=["buchholz", "formula", "fractions", "difficulty log"],
)
def test_accelerators_measure_whole_numbers_side_by_side(function, args, whole, monkeypatch):
    measure, ways = programs.measure, []

    def seen(*args, **options):
        ways.append(options["together"])
        return measure(*args, **options)

    monkeypatch.setattr(programs, "measure", seen)
    events = EventRange(3, Purpose.TRAIN, 11)
    count = partial(sum_events, CONFIG.setting, Measurement(function), events, args, batch=4)
    alone = count()
    monkeypatch.setattr(simulate, "many_lanes", lambda: True)
    jax.tree.map(np.testing.assert_array_equal, count(), alone)
    assert ways == [False] * 3 + [whole] * 3


@pytest.mark.thorough
@pytest.mark.parametrize("room", [1 << 25, 1])
def test_sums_do_not_overflow(room, eleven, monkeypatch):
    # However few events are added up at a time.
    monkeypatch.setattr(simulate, "_MEASURED_BYTES", room)
    events, factor = EventRange(3, Purpose.TRAIN, 11), 300_000_000
    total = sum_events(CONFIG.setting, SCALED, events, {"factor": factor}, batch=4)
    assert set(total) == {"points", "events"}
    assert all(value.dtype == np.int64 for value in total.values())
    np.testing.assert_array_equal(total["points"], factor * eleven[3].astype(int).sum(axis=0))
    assert total["events"] == 11


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ((0, 0), r"^events must be 1\.\.4294967296, got 0$"),
        ((-1, 0), r"^events must be 1\.\.4294967296, got -1$"),
        ((1, -1), r"^first must be 0\.\.4294967296, got -1$"),
        ((2**32, 1), "got first 1, events 4294967296$"),
        ((1, 2**32), "got first 4294967296, events 1$"),
    ],
)
def test_events_that_no_stream_has_are_refused(wrong, message):
    assert EventRange(1, Purpose.TRAIN, 2**32).first == 0
    with pytest.raises(InputError, match=message):
        EventRange(1, Purpose.TRAIN, *wrong)
    with pytest.raises(InputError, match=r"^seed must be 0\.\.4294967295, got -1$"):
        EventRange(-1, Purpose.TRAIN, 1)
