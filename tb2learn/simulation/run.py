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
from dataclasses import dataclass, replace
from functools import lru_cache, partial, reduce
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh
from jax.sharding import PartitionSpec as P
from jaxtyping import Array, Int
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from tb2learn.config import Config, GameConfig
from tb2learn.jax_types import Key, Keys
from tb2learn.running import cluster
from tb2learn.running.processors import cache_bytes
from tb2learn.running.runs import Run
from tb2learn.simulation.by_format import batch_scale, play_batch
from tb2learn.simulation.event import Event
from tb2learn.simulation.kept import EventStore, Packed, pack, unpack
from tb2learn.simulation.rng import stream
from tb2learn.simulation.start import Start
from tb2learn.simulation.streams import EventRange
from tb2learn.simulation.truth import true_strength
from tb2learn.types import InputError

Measure: TypeAlias = Callable[[Key, Event, Config, Any], Any]
"""`measure(key, event, config, args)`: a pure function of one event to a pytree of int32.

It must be a module-level function, because compiled programs are cached by its identity.
"""

Accumulate: TypeAlias = Callable[[Int[np.ndarray, " events"], Any], Any]
"""`accumulate(numbers, measured)`: what some events, counted from 0, add to the totals (int64).

A pure function. Threads call it, in any order of the batches.
"""

Merge: TypeAlias = Callable[[Any, Any], Any]
"""`merge(totals, added)`: the totals of some events, and of the events that follow them."""


@dataclass(frozen=True)
class Progress:
    """How the progress of a computation is shown and kept.

    **Fields:**

    - `label`: shows a progress bar with this label on standard error.
    - `run`: keeps the totals while they grow.
    - `stage`: name of the totals in the run; that of the events' purpose if not given.
    - `signed`: the totals are sums of products, which may be negative; otherwise they are counts.
    """

    label: str | None = None
    run: Run | None = None
    stage: str | None = None
    signed: bool = False

    def part(self, label: str) -> Progress:
        """The same for a part of the work; `label` replaces the label if there is one."""
        return replace(self, label=self.label and label)


SILENT = Progress()
"""No progress bar, and no totals kept on disk."""

# Events that a device plays side by side. On a CPU, the rows along the batch that a step of the
# pairing works on stay in the second-level cache of a core; elsewhere thousands of lanes are busy.
_BYTES_A_TEAM = 22
_CPU_SHARES, _CPU_CELLS = (1 << 6, 1 << 8), 1 << 24  # fewest and most; teams x teams of all of them
_ACCELERATOR_SHARE, _ACCELERATOR_CELLS = 1 << 14, 1 << 29
_MAX_SHARE = 1 << 15  # events of one device's share of a batch, so that no 32-bit sum overflows

# One thread a device: the kernels are too small to gain from more.
_COMPILER_OPTIONS = {"xla_cpu_multi_thread_eigen": False}


def default_batch(config: Config) -> int:
    """Events played side by side: as many as suit the devices of this host.

    **Arguments:**

    - `config`: its format is used.

    **Returns:** one size a format, so that one program plays it. On CPUs, for each device as many
    as its cache holds; fewer if the field is so large that they would not fit in memory.
    """
    share, cells = _ACCELERATOR_SHARE, _ACCELERATOR_CELLS
    if jax.default_backend() == "cpu":
        held = max(1, cache_bytes() // (_BYTES_A_TEAM * config.event.teams))
        fewest, most = _CPU_SHARES
        share, cells = min(max(1 << (held.bit_length() - 1), fewest), most), _CPU_CELLS
    fitting = max(1, min(cells // config.event.teams**2, _MAX_SHARE))
    return jax.local_device_count() * min(batch_scale(config.event) * share, fitting)


def add_up(totals: Any, added: Any) -> Any:
    """The sum of two pytrees of numbers."""
    return jax.tree.map(np.add, totals, added)


def sum_events(
    config: Config,
    measure: Measure,
    events: EventRange,
    args: Any = None,
    accumulate: Accumulate | None = None,
    *,
    merge: Merge = add_up,
    start: Start | None = None,
    truth: bool = False,
    rounded: bool = False,
    store: EventStore | None = None,
    batch: int | None = None,
    progress: Progress = SILENT,
) -> Any:
    """Play events, measure each one, and sum what was measured.

    **Arguments:**

    - `config`: what to play.
    - `measure`, `args`: what to compute of each event; `args` may hold arrays.
    - `events`: which events are played.
    - `accumulate`, `merge`: what a batch adds to totals that are no plain sums; their sum.
    - `start`: what the events go on from, if they have begun; then none are kept in a `store`.
    - `truth`: give every event its `Event.strength`.
    - `rounded`: what is measured is rounded from real numbers, whose last bit depends on the
      instruction set: then only equal processors may share a run.
    - `store`: keeps the events, for the next time that they are measured.
    - `batch`: events side by side; changes the speed, never a result.
    - `progress`: a progress bar, and a run that keeps the totals while they grow.

    **Returns:** a pytree of int64 numpy arrays. Plain sums are computed on the devices.

    **Raises:** `InputError` for too large a batch, a worker with another program; `ClusterLost`.
    """
    job = _Job(config, measure, events, args, accumulate, merge, truth, start=start)
    stage, done = progress.stage or events.purpose.name.lower(), 0
    run, workers = progress.run, cluster.current()
    batches = job.batches(batch, store)
    total = batches.nothing()
    if run:
        done, total = run.start(stage, events.events, total, progress.signed)
    if workers:
        counted = workers.totals(
            _count,
            replace(job, stored=store is not None),
            _ranges(done, events.events, config),
            f"{config.name}, {stage}",
            rounded,
            partial(run.stop_if_asked, f"while a cluster counts {stage}") if run else lambda: None,
        )
    else:
        counted = batches.counted(range(done, events.events))
    with progress_bar(events.events, progress.label, "event", done) as bar:
        for part, added in counted:
            total = merge(total, added)
            bar.update(len(part))
            if run:
                run.record(stage, part.stop, events.events, total)
    return total


# Ranges of a cluster: so many for a run, but none that takes longer than a few seconds on two cores
# or is smaller than a batch of them.
_RANGES, _RANGE_CELLS, _SMALLEST_RANGE = 64, 1 << 25, 1 << 8


def _ranges(done: int, events: int, config: Config) -> Iterator[range]:
    """The events that are left, in ranges that depend on the run alone, not on workers."""
    size = _range_size(events, config)
    for start in range(done - done % size, events, size):
        yield range(max(start, done), min(start + size, events))


def _range_size(events: int, config: Config) -> int:
    """A power of two, so that runs of many lengths share their compiled programs."""
    most = _RANGE_CELLS // (config.event.teams * config.event.rounds)
    size = min(max(events // _RANGES, _SMALLEST_RANGE), most)
    return 1 << (size.bit_length() - 1)


def _count(job: _Job, events: range) -> Any:
    """The totals of a range of events; what a worker of a cluster does."""
    batch = min(default_batch(job.config), _range_size(job.events.events, job.config))
    batches = job.batches(batch, _store(job.config, job.events) if job.stored else None)
    return reduce(job.merge, (added for _, added in batches.counted(events)))


@lru_cache(maxsize=1)
def _store(config: Config, events: EventRange) -> EventStore:
    """Those events of a run that a worker of a cluster has played."""
    return EventStore()


@dataclass(frozen=True)
class _Job:
    """What is counted, as `sum_events` describes it: all that a worker of a cluster needs."""

    config: Config
    measure: Measure
    events: EventRange
    args: Any
    accumulate: Accumulate | None
    merge: Merge
    truth: bool
    stored: bool = False
    start: Start | None = None

    def batches(self, batch: int | None, store: EventStore | None) -> _Batches:
        """The same in batches, on all devices of this process.

        **Raises:** `InputError` for a batch that is too large.
        """
        devices = jax.local_devices()
        axes = (AxisType.Auto,)
        mesh = jax.make_mesh((len(devices),), ("events",), devices=devices, axis_types=axes)
        # Every device plays equally many events: the last batch is padded, and the padding masked.
        batch = mesh.size * -(-(batch or default_batch(self.config)) // mesh.size)
        if batch > mesh.size * _MAX_SHARE:
            raise InputError(f"batch must be at most {_MAX_SHARE} a device, got {batch}")
        return _Batches(self, store or EventStore(limit=0), mesh, batch)


_ADDING = 2  # threads of the host that add batches up


@dataclass(frozen=True)
class _Batches:
    """Batches of a run: one program plays them, others compute the true strengths and measure."""

    job: _Job
    store: EventStore
    mesh: Mesh
    batch: int

    @property
    def _playing(self) -> dict[str, Any]:
        # Without what training and assessment add: configs of the same events share a program.
        parts = {name: getattr(self.job.config, name) for name in ("event", "field", "game")}
        return {"config": Config(name="played", **parts), "mesh": self.mesh}

    @property
    def _measuring(self) -> dict[str, Any]:
        job = self.job
        summed = job.accumulate is None
        return {"config": job.config, "measure": job.measure, "mesh": self.mesh, "summed": summed}

    @property
    def _strengthening(self) -> dict[str, Any]:
        return {"game": self.job.config.game, "mesh": self.mesh}

    def _shares(self, size: int) -> tuple[np.ndarray, np.ndarray]:
        """How a batch is divided among the devices, each of which gets equally many, or fewer.

        **Returns:** by place of the batch, the number of its event, from 0, and whether it is one
        of the first `size`; the others are padding.
        """
        lanes, part = self.batch // self.mesh.size, -(-size // self.mesh.size)
        device, lane = np.divmod(np.arange(self.batch), lanes)
        numbers = device * part + lane
        return numbers, (lane < part) & (numbers < size)

    def _played(self, start: int, size: int) -> tuple[tuple[Keys, Packed], Array | None]:
        """The events of a batch, and their true strengths if they are asked for."""
        store, events, playing = self.store, self.job.events, self._playing
        first = events.first + start
        name = (playing["config"], self.mesh, events.seed, events.purpose, first, size)
        key = stream(events.seed, events.purpose)
        numbers = (first + self._shares(size)[0]).astype(np.uint32)
        played = store.get(
            ("played", self.batch, *name),
            lambda: _play_batch(key, numbers, self.job.start, **playing),
        )
        if not self.job.truth:
            return played, None
        return played, store.get(
            ("strength", self.batch, *name),
            lambda: _strengths(played[1].rosters, **self._strengthening),
        )

    def result(self, start: int, size: int) -> Any:
        """What is measured of `size` events from `start` on, and of padding."""
        played, strength = self._played(start, size)
        args = self.job.args
        return _measure_batch(played, strength, np.int32(size), args, **self._measuring)

    def nothing(self) -> Any:
        """The totals of no events."""
        key, numbers = stream(0, self.job.events.purpose), np.zeros(self.batch, np.uint32)
        played = _play_batch.eval_shape(key, numbers, self.job.start, **self._playing)
        strength = None
        if self.job.truth:
            strength = _strengths.eval_shape(played[1].rosters, **self._strengthening)
        shapes = _measure_batch.eval_shape(
            played, strength, np.int32(0), self.job.args, **self._measuring
        )
        if self.job.accumulate is None:
            return jax.tree.map(lambda x: np.zeros(x.shape[1:], np.int64), shapes[0])
        nothing = jax.tree.map(lambda x: np.zeros((0, *x.shape[1:]), x.dtype), shapes)
        return self.job.accumulate(np.zeros(0, np.int64), nothing)

    def counted(self, events: range) -> Iterator[tuple[range, Any]]:
        """The events of each batch, and what they add to the totals.

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
            for start in range(events.start, events.stop, self.batch):
                part = range(start, min(start + self.batch, events.stop))
                added = threads.submit(self._added, self.result(start, len(part)), part)
                adding.append((part, added))
                if len(adding) > _ADDING:
                    yield first()
            while adding:
                yield first()

    def _added(self, result: Any, events: range) -> Any:
        """What a batch adds to the totals."""
        if self.job.accumulate is None:
            return jax.tree.map(_whole, *result)
        _, counts = self._shares(len(events))
        kept = slice(None) if counts.all() else counts
        measured = jax.tree.map(lambda x: np.asarray(x)[kept], result)
        return self.job.accumulate(np.array(events), measured)


def _whole(*halves: Array) -> np.ndarray:
    """The sum over the devices' sums of high and of low halves."""
    high, low = (np.asarray(half).astype(np.int64).sum(axis=0) for half in halves)
    return np.asarray((high << 16) + low)


def progress_bar(total: int, label: str | None, unit: str, done: int = 0) -> tqdm:
    """A progress bar on standard error, silent without a label; in a log it moves less often."""
    return tqdm(
        total=total,
        initial=done,
        desc=label,
        unit=f" {unit}s",
        disable=label is None,
        file=sys.stderr,
        mininterval=0.1 if sys.stderr.isatty() else 10.0,
        smoothing=0.1,
        dynamic_ncols=True,
    )


@partial(jax.jit, static_argnames=("config", "mesh"), compiler_options=_COMPILER_OPTIONS)
def _play_batch(
    stream_key: Key, numbers: Array, start: Start | None, *, config: Config, mesh: Mesh
) -> tuple[Keys, Packed]:
    """Play the events of some numbers, each device its share of them.

    A program of its own, so that all that is measured of the same events shares it.

    **Returns:** by event, a key to measure it with, and the `Event`, packed.
    """

    def play_share(stream_key: Key, numbers: Array, start: Start | None) -> tuple[Keys, Packed]:
        keys = jax.vmap(partial(jax.random.fold_in, stream_key))(numbers)
        play_keys, measure_keys = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
        events = jax.tree.map(
            lambda x: jnp.moveaxis(x, -1, 0), play_batch(play_keys, config, start)
        )
        return measure_keys, pack(events, config.event)

    share = jax.shard_map(
        play_share,
        mesh=mesh,
        in_specs=(P(), P("events"), P()),
        out_specs=P("events"),
        check_vma=False,
    )
    return share(stream_key, numbers, start)


@partial(jax.jit, static_argnames=("game", "mesh"), compiler_options=_COMPILER_OPTIONS)
def _strengths(rosters: Array, *, game: GameConfig, mesh: Mesh) -> Array:
    """`true_strength` of packed rosters, event by event."""

    def share(rosters: Array) -> Array:
        ratings = jnp.moveaxis(rosters, 0, -1).astype(jnp.int32)
        return true_strength(ratings, game).T

    by_device = P("events")
    return jax.shard_map(
        share, mesh=mesh, in_specs=by_device, out_specs=by_device, check_vma=False
    )(rosters)


@partial(
    jax.jit,
    static_argnames=("config", "measure", "mesh", "summed"),
    compiler_options=_COMPILER_OPTIONS,
)
def _measure_batch(
    played: tuple[Keys, Packed],
    strength: Array | None,
    size: Array,
    args: Any,
    *,
    config: Config,
    measure: Measure,
    mesh: Mesh,
    summed: bool,
) -> Any:
    """Measure played events, each device its share of them.

    **Returns:** what was measured, event by event. With `summed`, two sums for each device over the
    `size` events that are no padding: of the high (signed) and of the low 16 bits of all integers,
    so that no 32-bit sum overflows.
    """

    def measure_share(events: tuple[Keys, Packed, Array | None], size: Array, args: Any) -> Any:
        # One event at a time: what is measured must not depend on how many there are, not even
        # in the last bit of a float.
        def one(number: Array) -> Any:
            key, packed, strength = jax.tree.map(lambda x: x[number], events)
            return measure(key, unpack(packed, strength), config, args)

        def keep(number: Array, kept: Any) -> Any:
            return jax.tree.map(lambda all_, new: all_.at[number].set(new), kept, one(number))

        def add(number: Array, total: tuple[Any, Any]) -> tuple[Any, Any]:
            measured, (high, low) = one(number), total
            high = jax.tree.map(lambda sum_, v: sum_ + (v >> 16), high, measured)
            low = jax.tree.map(lambda sum_, v: sum_ + (v & 0xFFFF), low, measured)
            return high, low

        part = -(-size // mesh.size)
        events_here = jnp.clip(size - part * jax.lax.axis_index("events"), 0, part)
        shapes = jax.eval_shape(one, jnp.int32(0))
        if summed:
            zero = jax.tree.map(lambda x: jnp.zeros(x.shape, jnp.int32), shapes)
            sums = jax.lax.fori_loop(0, events_here, add, (zero, zero))
            return jax.tree.map(lambda x: x[None], sums)
        lanes = len(events[0])
        nothing = jax.tree.map(lambda x: jnp.zeros((lanes, *x.shape), x.dtype), shapes)
        return jax.lax.fori_loop(0, events_here, keep, nothing)

    share = jax.shard_map(
        measure_share,
        mesh=mesh,
        in_specs=(P("events"), P(), P()),
        out_specs=P("events"),
        check_vma=False,
    )
    return share((*played, strength), size, args)
