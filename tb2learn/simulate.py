"""Many events: keys, batches, and what is measured on them.

This is the only file that knows about batches. Event `i` of a stream depends on
``fold_in(stream, i)`` alone, wherever and with whatever neighbours it is computed, and everything
an event computes is an integer; so no result depends on the batch size.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from tqdm import tqdm

from tb2learn.config import Config
from tb2learn.lockstep import play_batch
from tb2learn.olympiad import Event
from tb2learn.types import InputError, Key

Measure: TypeAlias = Callable[[Key, Event, Config, Any], Any]
"""`measure(key, event, config, args)`: a pure function of one event to a pytree of integers.

It must be a module-level function: compiled programs are found again by its identity.
"""

_BATCH_CELLS = 1 << 22  # teams x teams cells of the events that are played side by side
_MEASURE_CELLS = 1 << 21  # teams x teams x results cells of the events that are measured at once


class Purpose(enum.IntEnum):
    """What a stream of events is for. Streams of different purposes never share a key."""

    TRAIN = 0
    HELD_OUT = 1
    ASSESS = 2


def stream(seed: int, purpose: Purpose) -> Key:
    """The key of a stream of events.

    **Arguments:**

    - `seed`: 0 .. 2**32 - 1.
    - `purpose`: folded into the key, so that training and assessment events differ by construction.
    """
    return jax.random.fold_in(jax.random.key(np.uint32(seed)), int(purpose))


def default_batch(config: Config, events: int) -> int:
    """Events played side by side: as many as fit a fixed memory budget, 1 to 128.

    A power of two, so that few programs are compiled; none larger than a short run needs.
    """
    fitting = max(1, min(128, _BATCH_CELLS // config.event.teams**2))
    return 1 << min(fitting.bit_length() - 1, (events - 1).bit_length())


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
    batch = batch or default_batch(config, events)
    key = stream(seed, purpose)
    with progress_bar(events, label, "event") as bar:
        for start in range(first, first + events, batch):
            size = min(batch, first + events - start)
            measured = _measure_batch(
                key, jnp.uint32(start), args, config=config, measure=measure, batch=batch
            )
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


@partial(jax.jit, static_argnames=("config", "measure", "batch"))
def _measure_batch(
    stream_key: Key, start: jax.Array, args: Any, *, config: Config, measure: Measure, batch: int
) -> Any:
    keys = jax.vmap(partial(jax.random.fold_in, stream_key))(
        start + jnp.arange(batch, dtype=jnp.uint32)
    )
    play_key, measure_key = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
    events = play_batch(play_key, config)
    cells = config.event.teams**2 * (2 * config.event.boards + 1)
    return jax.lax.map(
        lambda one: measure(*one, config, args),
        (measure_key, events),
        batch_size=max(1, min(batch, _MEASURE_CELLS // cells)),
    )
