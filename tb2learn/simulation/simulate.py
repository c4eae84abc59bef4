"""Many events: batches, devices, the workers of a cluster, and sums over events.

This module alone divides a run into batches, batches among devices, and a run on a cluster into
ranges for its workers. Event `i` of a stream depends on ``fold_in(stream, i)`` alone, and all sums
are sums of integers. So no result depends on the batch size, on the number of devices or workers,
or on where a run was interrupted.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache, partial, reduce
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from jaxtyping import Array, Int, UInt
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from tb2learn.config import Setting, setting_said
from tb2learn.jax_types import Key
from tb2learn.running import cluster
from tb2learn.running.processors import started
from tb2learn.running.runs import Run, are_totals
from tb2learn.simulation import programs
from tb2learn.simulation.event import Event
from tb2learn.simulation.event_store import EventStore, pack, unpack
from tb2learn.simulation.formats import MAX_SHARE, default_batch, many_lanes
from tb2learn.simulation.games import Laws
from tb2learn.simulation.given import Events, GivenEvents
from tb2learn.simulation.measurement import Measurement, adds_fractions, has_fractions
from tb2learn.simulation.rng import stream
from tb2learn.simulation.start import ContinuationStart
from tb2learn.types import InputError


@dataclass(frozen=True)
class Progress:
    """How the progress of a computation is shown and kept.

    **Fields:**

    - `label`: shows a progress bar with this label on standard error.
    - `run`: keeps the totals while they grow.
    - `stage`: name of the totals in the run; that of the events' purpose if not given.
    """

    label: str | None = None
    run: Run | None = None
    stage: str | None = None

    def part(self, label: str) -> Progress:
        """The same for a part of the work; `label` replaces the label if there is one."""
        return replace(self, label=self.label and label)


SILENT = Progress()
"""No progress bar, and no totals kept on disk."""

_TOGETHER = 1 << 10  # most events that a device measures side by side: some MiB each
_MEASURED_BYTES = 1 << 25  # of what is measured of one device's events before it is added up


@dataclass(frozen=True)
class Job:
    """Events to play and what to measure of them, as `sum_events` describes it."""

    setting: Setting
    measurement: Measurement
    events: Events
    args: Any = None
    start: ContinuationStart | None = None
    store: EventStore | None = None
    batch: int | None = None
    progress: Progress = SILENT

    @property
    def seen(self) -> Setting:
        """What the measurement looks at of the setting."""
        return self.setting.only(*self.measurement.sees)

    def measured(self, key: Key, event: Event, ratings: Array | None, args: Any) -> Any:
        """What is measured of a packed event."""
        return self.measurement.of_event(key, unpack(event, ratings), self.seen, args)


Play: TypeAlias = Callable[[Job], Any]
"""`play(job)`: the totals of a job."""


def sum_events(
    setting: Setting,
    measurement: Measurement,
    events: Events,
    args: Any = None,
    *,
    start: ContinuationStart | None = None,
    store: EventStore | None = None,
    batch: int | None = None,
    progress: Progress = SILENT,
) -> Any:
    """Play events, measure each one, and add up what was measured.

    **Arguments:**

    - `setting`: what to play.
    - `measurement`, `args`: what to compute of each event; `args` may hold arrays.
    - `events`: which events are played; given ones are measured as they are.
    - `start`: what the events go on from, if they have begun; then none are kept in a `store`.
    - `store`: keeps the events, for the next time that they are measured.
    - `batch`: events side by side; changes the speed, never a result.
    - `progress`: a progress bar, and a run that keeps the totals while they grow.

    **Returns:** a pytree of int64 numpy arrays, unless the measurement adds up others.

    **Raises:** `InputError` for too large a batch, a worker with another program or wrong totals;
    `ClusterLost`.
    """
    play = _STAND_IN.get() or _simulate
    return play(Job(setting, measurement, events, args, start, store, batch, progress))


@contextmanager
def played_by(play: Play) -> Iterator[None]:
    """A context in which `sum_events` asks something else than the simulator for its totals."""
    before = _STAND_IN.set(play)
    try:
        yield
    finally:
        _STAND_IN.reset(before)


_STAND_IN: ContextVar[Play | None] = ContextVar("play", default=None)


def _simulate(job: Job) -> Any:
    """The totals of a job, from this process or a cluster: the usual `Play`."""
    measurement, events, progress = job.measurement, job.events, job.progress
    stage, done = progress.stage or events.purpose.name.lower(), 0
    run, workers = progress.run, cluster.current()
    with started():
        batches = _Batches(job)
    nothing = total = batches.nothing()
    if run:
        done, total = run.start(stage, events.events, total, measurement.signed)
    if workers:
        alone = replace(job, store=None, progress=SILENT)
        counted = workers.totals(
            _count,
            (alone, job.store is not None),
            _ranges(done, events.events, job.setting),
            f"{setting_said(job.setting)}, {stage}",
            batches.adds_fractions,
            partial(_fits, nothing, measurement.signed),
            partial(run.stop_if_asked, f"while a cluster counts {stage}") if run else lambda: None,
        )
    else:
        counted = batches.counted(range(done, events.events))
    with progress_bar(events.events, progress.label, "event", done) as bar:
        for part, added in _after_compiling(bar, counted):
            total = measurement.merge(total, added)
            bar.update(len(part))
            if run:
                run.record(stage, part.stop, events.events, total)
    return total


def _after_compiling(bar: tqdm, counted: Iterator[Any]) -> Iterator[Any]:
    """What is counted; until the first of it is there the bar says that programs are compiled.

    Compiling takes seconds and is over after the first batch: a time that is left, reckoned from
    it, would be far too long.
    """
    if bar.disable:
        yield from counted
        return
    usual, bar.bar_format = bar.bar_format, "{desc}: compiling"
    bar.refresh()
    for number, part in enumerate(counted):
        if not number:
            bar.bar_format = usual
            bar.unpause()
        yield part


def _fits(nothing: Any, signed: bool, events: range, results: Any) -> bool:
    """Whether something can be the totals of some events, of which `nothing` is that of none.

    Where events are kept as they are, they are lists of arrays with an axis of events.
    """
    try:
        if isinstance(nothing, list):
            results = jax.tree.map(lambda *parts: np.concatenate(parts), *results)
            like, tree = jax.tree.flatten(nothing[0])
            arrays, structure = jax.tree.flatten(results)
            like = [np.zeros((len(events), *leaf.shape[1:]), leaf.dtype) for leaf in like]
            return tree == structure and are_totals(arrays, like, len(events), signed=True)
        like, tree = jax.tree.flatten(nothing)
        arrays, structure = jax.tree.flatten(results)
        return tree == structure and are_totals(arrays, like, len(events), signed)
    except (TypeError, ValueError):  # of trees that are not alike
        return False


# Ranges of a cluster: so many for a run, but none that takes longer than a few seconds on two cores
# or is smaller than a batch of them.
_RANGES, _RANGE_CELLS, _SMALLEST_RANGE = 64, 1 << 25, 1 << 8


def _ranges(done: int, events: int, setting: Setting) -> Iterator[range]:
    """The events that are left, in ranges that depend on the run alone, not on workers."""
    size = _range_size(events, setting)
    # From a multiple of the size: a run that goes on has the same ranges.
    for start in range(done - done % size, events, size):
        if done < events:  # of a stage that is through no range is left, not even an empty one
            yield range(max(start, done), min(start + size, events))


def _range_size(events: int, setting: Setting) -> int:
    """A power of two, so that runs of many lengths share their compiled programs."""
    most_events = _RANGE_CELLS // (setting.event.teams * setting.event.rounds)
    size = min(max(events // _RANGES, _SMALLEST_RANGE), most_events)
    return 1 << (size.bit_length() - 1)


def _count(work: tuple[Job, bool], events: range) -> Any:
    """The totals of a range of events of a job; what a worker of a cluster does.

    **Arguments:** the job, and whether its events are kept.
    """
    job, kept = work
    batch = min(default_batch(job.setting), _range_size(job.events.events, job.setting))
    store = _store(job.setting, job.events) if kept else None
    batches = _Batches(replace(job, batch=batch, store=store))
    return reduce(job.measurement.merge, (added for _, added in batches.counted(events)))


@lru_cache(maxsize=1)
def _store(setting: Setting, events: Events) -> EventStore:
    """Those events of a run that a worker of a cluster has played."""
    return EventStore()


_ADDING = 2  # threads of the host that add batches up


class _Simulator:
    """Plays batches of a job's events."""

    def __init__(self, job: Job, mesh: Mesh, size: int) -> None:
        self._job, self._layout = job, (mesh, size)
        self._store = EventStore(limit=0) if job.store is None or job.start else job.store
        setting = job.setting
        # Without the games: settings with the same field share the program that draws it.
        self._draw = {"setting": setting.only("event", "field"), "mesh": mesh}
        self._play = {"event": setting.event, "truth": job.measurement.oracle, "mesh": mesh}
        self._laws = jax.device_put(Laws.of(setting.game), NamedSharding(mesh, P()))
        self._stream = stream(job.events.seed, job.events.purpose)
        self._published = job.start is None and setting.field.published

    def shapes(self) -> Any:
        """The shapes of a batch, in the form of `programs.Played`."""
        numbers = np.zeros(self._layout[1], np.uint32)
        return self._made(numbers, programs.draw.eval_shape, programs.play.eval_shape)

    def batch(self, start: int, order: Int[np.ndarray, " events"]) -> programs.Played:
        """The batch that begins with an event of the job, its events in some order."""
        job, events = self._job, self._job.events
        first = events.first + start
        # All that the events depend on, and how they are laid out.
        name = job.setting, job.measurement.oracle, events.seed, events.purpose, first
        numbers = (order + first).astype(np.uint32)
        return self._store.get(
            (*name, *self._layout), lambda: self._made(numbers, programs.draw, programs.play)
        )

    def _made(self, numbers: UInt[np.ndarray, " events"], draw: Callable, play: Callable) -> Any:
        """Events of some numbers, `programs.Played`; from functions of shapes, their shapes."""
        keys, drawn = draw(self._stream, numbers, self._job.start, **self._draw)
        event = play(drawn, self._job.start, self._laws, **self._play)
        return keys, event, drawn.ratings if self._published else None


class _Given:
    """Hands out batches of events that are given."""

    def __init__(self, job: Job, events: GivenEvents, mesh: Mesh, size: int) -> None:
        self._events, self._mesh, self._size = events, mesh, size
        strength = events.event.strength if job.measurement.oracle else None
        # An event at a time: the shapes of `pack` are those of one.
        self._packed = jax.tree.map(np.asarray, jax.vmap(pack)(events.event, strength))
        self._ratings = events.event.ratings
        self._stream = stream(events.seed, events.purpose)

    def shapes(self) -> Any:
        """The shapes of a batch, in the form of `programs.Played`."""
        return jax.eval_shape(lambda: self.batch(0, np.arange(self._size)))

    def batch(self, start: int, order: Int[np.ndarray, " events"]) -> programs.Played:
        """The batch that begins with an event of the job, its events in some order."""
        # A batch is padded with the last event.
        rows = np.minimum(order + start, self._events.events - 1)
        numbers = self._events.numbers[rows].astype(np.uint32)
        parts = jax.tree.map(lambda x: jnp.asarray(x[rows]), (self._packed, self._ratings))
        played = programs.measure_keys(self._stream, numbers), *parts
        return jax.device_put(played, NamedSharding(self._mesh, P("events")))


class _Batches:
    """Batches of a run on all devices of this process: one program plays, another one measures."""

    def __init__(self, job: Job):
        """Batches of a job.

        **Raises:** `InputError` for a batch that is too large.
        """
        devices = jax.local_devices()
        axes = (AxisType.Auto,)
        mesh = jax.make_mesh((len(devices),), ("events",), devices=devices, axis_types=axes)
        # Every device plays equally many events: the last batch is padded.
        lanes = -(-(job.batch or default_batch(job.setting)) // mesh.size)
        if lanes > MAX_SHARE:
            raise InputError(f"batch must be at most {MAX_SHARE} a device, got {lanes * mesh.size}")
        self._job, self._mesh, self._size = job, mesh, lanes * mesh.size
        given = job.events if isinstance(job.events, GivenEvents) else None
        layout = mesh, self._size
        self._source = _Given(job, given, *layout) if given else _Simulator(job, *layout)
        alone = jax.tree.map(
            lambda x: jax.ShapeDtypeStruct(x.shape[1:], x.dtype), self._source.shapes()
        )
        traced, self._shapes = jax.make_jaxpr(job.measured, return_shape=True)(*alone, job.args)
        bytes_of_event = sum(x.size * x.dtype.itemsize for x in jax.tree.leaves(self._shapes))
        self._rows = min(lanes, max(1, _MEASURED_BYTES // max(1, bytes_of_event)))
        self._together = many_lanes() and not has_fractions(traced)
        if self._together:
            self._rows = min(self._rows, _TOGETHER)
        self.adds_fractions = adds_fractions(traced)

    def nothing(self) -> Any:
        """The totals of no events."""
        nothing = jax.tree.map(lambda x: np.zeros((0, *x.shape), x.dtype), self._shapes)
        return self._job.measurement.add(np.zeros(0, np.int64), nothing)

    def counted(self, events: range) -> Iterator[tuple[range, Any]]:
        """Consecutive events, and what they add to the totals.

        The devices compute the next batches while threads of the host add earlier ones up.
        """
        adding: deque[tuple[range, Future]] = deque()

        def first() -> tuple[range, Any]:
            part, added = adding.popleft()
            return part, added.result()

        with (
            # The threads of linear algebra wait busily for work; the devices need the cores.
            threadpool_limits(1, user_api="blas"),
            ThreadPoolExecutor(_ADDING) as threads,
        ):
            for part, measured in self._measured(events):
                adding.append((part, threads.submit(self._added, part, measured)))
                if len(adding) > 2 * _ADDING:  # each keeps a batch in memory
                    yield first()
            while adding:
                yield first()

    def _measured(self, events: range) -> Iterator[tuple[range, Any]]:
        """What is measured, of as many events at a time as there is room for."""
        job, devices = self._job, self._mesh.size
        program = {"setting": job.seen, "of_event": job.measurement.of_event}
        program |= {"rows": self._rows, "together": self._together}
        # Neighbours on different devices, so that all have some to do.
        order = np.arange(self._size).reshape(-1, devices).T.ravel()
        for start in range(events.start, events.stop, self._size):
            whole = range(start, min(start + self._size, events.stop))
            played = self._source.batch(start, order)
            for lane in range(0, -(-len(whole) // devices), self._rows):
                places = np.int32(lane), np.int32(len(whole))
                # A row is an event of every device.
                part = whole[lane * devices : (lane + self._rows) * devices]
                yield part, programs.measure(*places, played, job.args, mesh=self._mesh, **program)

    def _added(self, events: range, measured: Any) -> Any:
        """What some events add to the totals; `measured` is ordered by device."""

        def by_event(x: Array) -> np.ndarray:
            by_device = np.asarray(x).reshape(self._mesh.size, self._rows, *x.shape[1:])
            # From device by device back to rising numbers.
            return by_device.swapaxes(0, 1).reshape(x.shape)[: len(events)]

        return self._job.measurement.add(np.array(events), jax.tree.map(by_event, measured))


def progress_bar(total: int, label: str | None, unit: str, done: int = 0) -> tqdm:
    """A progress bar on standard error, silent without a label; in a log it moves less often.

    It says how long what it counts still takes.
    """
    return tqdm(
        total=total,
        initial=done,
        desc=label,
        unit=f" {unit}s",
        disable=label is None,
        file=sys.stderr,
        mininterval=0.1 if sys.stderr.isatty() else 10.0,
        smoothing=0.1,
        bar_format="{l_bar}{bar}| {n_fmt}/{total_fmt}{unit} [{remaining} left, {rate_fmt}]",
        dynamic_ncols=True,
    )
