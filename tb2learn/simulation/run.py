"""Many events: batches, devices, hosts, and sums over events.

This module alone divides a run into batches, and batches among devices and hosts. Event `i` of a
stream depends on ``fold_in(stream, i)`` alone, and all sums are sums of integers. So no result
depends on the batch size, on the number of devices or hosts, or on where a run was interrupted.
"""

from __future__ import annotations

import hashlib
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh
from jax.sharding import PartitionSpec as P
from jaxtyping import Array, Int
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from tb2learn.config import Config, GameConfig, to_dict
from tb2learn.jax_types import Key, Keys
from tb2learn.running import hosts
from tb2learn.running.processors import cache_bytes
from tb2learn.running.runs import Run
from tb2learn.simulation.by_format import batch_scale, play_batch
from tb2learn.simulation.kept import EventStore, Packed, pack, unpack
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import stream
from tb2learn.simulation.streams import EventRange
from tb2learn.simulation.truth import true_strength
from tb2learn.types import InputError

Measure: TypeAlias = Callable[[Key, Event, Config, Any], Any]
"""`measure(key, event, config, args)`: a pure function of one event to a pytree of int32.

It must be a module-level function, because compiled programs are cached by its identity.
"""

Accumulate: TypeAlias = Callable[[Int[np.ndarray, " events"], Any], Any]
"""`accumulate(numbers, measured)`: what some events, counted from 0, add to the totals (int64).

Threads call it, in any order of the batches.
"""


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


def sum_events(
    config: Config,
    measure: Measure,
    events: EventRange,
    args: Any = None,
    accumulate: Accumulate | None = None,
    *,
    truth: bool = False,
    store: EventStore | None = None,
    batch: int | None = None,
    progress: Progress = SILENT,
) -> Any:
    """Play events, measure each one, and sum what was measured.

    **Arguments:**

    - `config`: what to play.
    - `measure`, `args`: what to compute of each event; `args` may hold arrays.
    - `events`: which events are played.
    - `accumulate`: if the totals are not plain sums: what the events of a batch add to them.
    - `truth`: give every event its `Event.strength`.
    - `store`: keeps the events, for the next time that they are measured.
    - `batch`: events side by side; changes the speed, never a result.
    - `progress`: a progress bar, and a run that keeps the totals while they grow.

    **Returns:** a pytree of int64 numpy arrays, the same on every host. Plain sums are computed on
    the devices.

    **Raises:** `InputError` for a batch that is too large, or hosts that are about to do different
    things; `HostLost` if one has ended.
    """
    devices = jax.local_devices()
    mesh = jax.make_mesh((len(devices),), ("events",), devices=devices, axis_types=(AxisType.Auto,))
    # Every device plays equally many events: the last batch is padded, and the padding masked.
    batch = mesh.size * -(-(batch or default_batch(config)) // mesh.size)
    if batch > mesh.size * _MAX_SHARE:
        raise InputError(f"batch must be at most {_MAX_SHARE} a device, got {batch}")
    _agree(config, measure, events, args)
    # Every host plays as many events as the others, give or take one.
    begin, end = (events.events * (hosts.number() + k) // hosts.count() for k in (0, 1))
    batches = _Batches(config, measure, events, args, accumulate is None, truth, store, mesh, batch)
    stage, done = progress.stage or events.purpose.name.lower(), 0
    total = _no_events(batches.shapes(), accumulate)
    if progress.run:
        done, total = progress.run.start(stage, end - begin, total, progress.signed)
    with progress_bar(end - begin, progress.label, "event", done) as bar:
        for start, size, added in batches.counted(range(begin + done, end, batch), accumulate):
            total = jax.tree.map(np.add, total, added)
            bar.update(size)
            if progress.run:
                progress.run.record(stage, start + size - begin, end - begin, total)
            hosts.check()
    return _sum_over_hosts(total, progress.run, f"with this host's share of {stage} counted")


_ADDING = 2  # threads of the host that add batches up


@dataclass(frozen=True)
class _Batches:
    """Batches of a run: one program plays them, others compute the true strengths and measure."""

    config: Config
    measure: Measure
    events: EventRange
    args: Any
    summed: bool
    truth: bool
    store: EventStore | None
    mesh: Mesh
    batch: int

    @property
    def _playing(self) -> dict[str, Any]:
        # Without what training and assessment add: configs of the same events share a program.
        parts = {name: getattr(self.config, name) for name in ("event", "field", "game")}
        return {"config": Config(name="played", **parts), "mesh": self.mesh}

    @property
    def _measuring(self) -> dict[str, Any]:
        names = ("config", "measure", "mesh", "summed")
        return {name: getattr(self, name) for name in names}

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
        store, playing = self.store or EventStore(limit=0), self._playing
        first = self.events.first + start
        name = (playing["config"], self.mesh, self.events.seed, self.events.purpose, first, size)
        key = stream(self.events.seed, self.events.purpose)
        numbers = (first + self._shares(size)[0]).astype(np.uint32)
        played = store.get(
            ("played", self.batch, *name), lambda: _play_batch(key, numbers, **playing)
        )
        if not self.truth:
            return played, None
        options = {"game": self.config.game, "mesh": self.mesh}
        return played, store.get(
            ("strength", self.batch, *name), lambda: _strengths(played[1].rosters, **options)
        )

    def result(self, start: int, size: int) -> Any:
        """What is measured of `size` events from `start` on, and of padding."""
        played, strength = self._played(start, size)
        return _measure_batch(played, strength, np.int32(size), self.args, **self._measuring)

    def shapes(self) -> Any:
        """Shapes of `result`."""
        key, numbers = stream(0, self.events.purpose), np.zeros(self.batch, np.uint32)
        played = _play_batch.eval_shape(key, numbers, **self._playing)
        strength = None
        if self.truth:
            options = {"game": self.config.game, "mesh": self.mesh}
            strength = _strengths.eval_shape(played[1].rosters, **options)
        return _measure_batch.eval_shape(
            played, strength, np.int32(0), self.args, **self._measuring
        )

    def counted(
        self, starts: range, accumulate: Accumulate | None
    ) -> Iterator[tuple[int, int, Any]]:
        """Where each batch starts, how many events it has, and what it adds to the totals.

        The devices compute the next batches while threads of the host add earlier ones up.
        """
        adding: deque[tuple[int, int, Future]] = deque()

        def first() -> tuple[int, int, Any]:
            start, size, added = adding.popleft()
            return start, size, added.result()

        with (
            # The threads of linear algebra wait busily for work; the devices need the cores.
            threadpool_limits(1, user_api="blas"),
            ThreadPoolExecutor(_ADDING) as threads,
        ):
            for start in starts:
                size = min(self.batch, starts.stop - start)
                result = self.result(start, size)
                added = threads.submit(self._added, result, start, size, accumulate)
                adding.append((start, size, added))
                if len(adding) > _ADDING:
                    yield first()
            while adding:
                yield first()

    def _added(self, result: Any, start: int, size: int, accumulate: Accumulate | None) -> Any:
        """What a batch adds to the totals."""
        if accumulate is None:
            return jax.tree.map(_whole, *result)
        _, counts = self._shares(size)
        kept = slice(None) if counts.all() else counts
        measured = jax.tree.map(lambda x: np.asarray(x)[kept], result)
        return accumulate(np.arange(start, start + size), measured)


def _no_events(shapes: Any, accumulate: Accumulate | None) -> Any:
    """The totals of no events, from the shapes of what a batch yields."""
    if accumulate is None:
        return jax.tree.map(lambda x: np.zeros(x.shape[1:], np.int64), shapes[0])
    nothing = jax.tree.map(lambda x: np.zeros((0, *x.shape[1:]), x.dtype), shapes)
    return accumulate(np.zeros(0, np.int64), nothing)


def _whole(*halves: Array) -> np.ndarray:
    """The sum over the devices' sums of high and of low halves."""
    high, low = (np.asarray(half).astype(np.int64).sum(axis=0) for half in halves)
    return np.asarray((high << 16) + low)


def _sum_over_hosts(total: Any, run: Run | None, where: str) -> Any:
    """The sum of every host's totals, on every host."""
    if hosts.count() == 1:
        return total
    leaves, tree = jax.tree.flatten(total)
    own = np.concatenate([np.ravel(leaf) for leaf in leaves]).tobytes()
    added = hosts.exchange(own, _add, partial(run.stop_if_asked, where) if run else lambda: None)
    sums = np.frombuffer(added, np.int64)
    cuts = np.cumsum([np.size(leaf) for leaf in leaves])[:-1]
    parts_of = zip(np.split(sums, cuts), leaves, strict=True)
    return jax.tree.unflatten(tree, [part.reshape(np.shape(leaf)) for part, leaf in parts_of])


def _add(parts: list[bytes]) -> bytes:
    """The sum of int64 arrays of one size, as bytes."""
    return np.sum([np.frombuffer(part, np.int64) for part in parts], axis=0).tobytes()


def _agree(config: Config, measure: Measure, events: EventRange, args: Any) -> None:
    """Check that all hosts are about to measure the same with the same numbers.

    What earlier totals were fitted to may differ in the last bit between instruction sets; then
    the hosts would measure with different rules, and their sum would be nobody's.
    """
    if hosts.count() == 1:
        return
    digest = hashlib.sha256()
    for leaf in jax.tree.leaves(args):
        digest.update(np.asarray(leaf).tobytes())
    hosts.agree(
        {
            "config": to_dict(config),
            "events": [events.seed, events.purpose.name, events.events, events.first],
            "measure": measure.__qualname__,
            "numbers to measure with": digest.hexdigest()[:16],
        }
    )


def progress_bar(total: int, label: str | None, unit: str, done: int = 0) -> tqdm:
    """A progress bar on standard error, silent without a label and on all hosts but the first."""
    return tqdm(
        total=total,
        initial=done,
        desc=label,
        unit=f" {unit}s",
        disable=label is None or not hosts.is_first(),
        file=sys.stderr,
        smoothing=0.1,
        dynamic_ncols=True,
    )


@partial(jax.jit, static_argnames=("config", "mesh"), compiler_options=_COMPILER_OPTIONS)
def _play_batch(
    stream_key: Key, numbers: Array, *, config: Config, mesh: Mesh
) -> tuple[Keys, Packed]:
    """Play the events of some numbers, each device its share of them.

    A program of its own, so that all that is measured of the same events shares it.

    **Returns:** by event, a key to measure it with, and the `Event`, packed.
    """

    def play_share(stream_key: Key, numbers: Array) -> tuple[Keys, Packed]:
        keys = jax.vmap(partial(jax.random.fold_in, stream_key))(numbers)
        play_keys, measure_keys = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
        events = jax.tree.map(lambda x: jnp.moveaxis(x, -1, 0), play_batch(play_keys, config))
        return measure_keys, pack(events, config.event)

    share = jax.shard_map(
        play_share,
        mesh=mesh,
        in_specs=(P(), P("events")),
        out_specs=P("events"),
        check_vma=False,
    )
    return share(stream_key, numbers)


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
