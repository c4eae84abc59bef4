"""Many events: keys, batches, and what is measured on them.

This file alone cuts a run into batches and deals them to the devices. Event `i` of a stream depends
on ``fold_in(stream, i)`` alone, wherever and with whatever neighbours it is computed, and
everything an event computes is an integer; so no result depends on the batch size.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh
from jax.sharding import PartitionSpec as P
from jaxtyping import Array
from tqdm import tqdm

from tb2learn.config import Config
from tb2learn.lockstep import play_batch
from tb2learn.olympiad import Event
from tb2learn.rng import Purpose, stream
from tb2learn.types import InputError, Key

Measure: TypeAlias = Callable[[Key, Event, Config, Any], Any]
"""`measure(key, event, config, args)`: a pure function of one event to a pytree of integers.

It must be a module-level function: compiled programs are found again by its identity.
"""

_BATCH_CELLS = 1 << 22  # teams x teams cells of the events that are played side by side


def use_all_cores() -> None:
    """Make every CPU core a device of its own. To be called before anything is computed.

    It changes the speed, never a result.
    """
    allowed = getattr(os, "sched_getaffinity", None)  # Linux only; containers limit it
    cores = len(allowed(0)) if allowed else os.cpu_count() or 1
    # Once JAX has started it says so with a RuntimeError: then its devices stay as they are.
    with contextlib.suppress(RuntimeError):
        jax.config.update("jax_num_cpu_devices", cores)


def default_batch(config: Config, events: int) -> int:
    """Events played side by side: as many as fit a fixed memory budget, 1 to 128 a device.

    A power of two a device, so that few programs are compiled; none larger than a short run needs.
    """
    fitting = max(1, min(128, _BATCH_CELLS // config.event.teams**2))
    devices = jax.device_count()
    needed = -(-events // devices)
    return devices << min(fitting.bit_length() - 1, (needed - 1).bit_length())


def measure_events(
    config: Config,
    measure: Measure,
    args: Any = None,
    *,
    seed: int,
    purpose: Purpose,
    events: int,
    first: int = 0,
    batch: int | None = None,
    label: str | None = None,
) -> Iterator[Any]:
    """Play events and measure each one.

    **Arguments:**

    - `config`: what to play.
    - `measure`, `args`: what to compute of each event; `args` may hold arrays.
    - `seed`, `purpose`: name the stream.
    - `events`, `first`: events `first .. first + events - 1` of the stream.
    - `batch`: events side by side; changes the speed, never a result.
    - `label`: shows a progress bar with this label on standard error.

    **Returns:** an iterator over batches, in order: pytrees of numpy arrays with a leading axis
    over the batch's events.
    """
    if not (events >= 1 and first >= 0 and first + events <= 2**32):
        raise InputError(
            f"events first .. first + events - 1 must be in 0..2**32-1 and at least one, "
            f"got first {first}, events {events}"
        )
    mesh = jax.make_mesh((jax.device_count(),), ("events",), axis_types=(AxisType.Auto,))
    # Every device plays as many events as the others; what is too much is cut off below.
    batch = mesh.size * -(-(batch or default_batch(config, events)) // mesh.size)
    key = stream(seed, purpose)
    with progress_bar(events, label, "event") as bar:
        for start in range(first, first + events, batch):
            size = min(batch, first + events - start)
            numbers = np.arange(start, start + batch).astype(np.uint32)
            measured = _measure_batch(key, numbers, args, config=config, measure=measure, mesh=mesh)
            yield jax.tree.map(lambda x, size=size: np.asarray(x)[:size], measured)
            bar.update(size)


def sum_events(config: Config, measure: Measure, args: Any = None, **options: Any) -> Any:
    """Like `measure_events`, summed over the events.

    **Returns:** a pytree of int64 numpy arrays. Sums of integers: no order of adding matters.
    """
    batches = measure_events(config, measure, args, **options)
    sums = (jax.tree.map(lambda x: x.sum(axis=0, dtype=np.int64), b) for b in batches)
    total = next(sums)
    for more in sums:
        total = jax.tree.map(np.add, total, more)
    return total


def progress_bar(total: int, label: str | None, unit: str) -> tqdm:
    """A progress bar on standard error, silent without a label."""
    return tqdm(
        total=total,
        desc=label,
        unit=f" {unit}s",
        disable=label is None,
        file=sys.stderr,
        smoothing=0.1,
        dynamic_ncols=True,
    )


@partial(jax.jit, static_argnames=("config", "measure", "mesh"))
def _measure_batch(
    stream_key: Key, numbers: Array, args: Any, *, config: Config, measure: Measure, mesh: Mesh
) -> Any:
    """Play and measure the events of some numbers, each device its share of them."""

    def share(stream_key: Key, numbers: Array, args: Any) -> Any:
        keys = jax.vmap(partial(jax.random.fold_in, stream_key))(numbers)
        play_key, measure_key = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
        events = play_batch(play_key, config)
        # One event at a time: what is measured must not depend on how many there are, not even
        # in the last bit of a float.
        return jax.lax.map(lambda one: measure(*one, config, args), (measure_key, events))

    return jax.shard_map(
        share, mesh=mesh, in_specs=(P(), P("events"), P()), out_specs=P("events"), check_vma=False
    )(stream_key, numbers, args)
