"""The three programs of a run on all devices: they draw a batch of events, play it, and measure it.

`simulate.py` says which events, and adds up what is measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P
from jaxtyping import Array

from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Setting
from tb2learn.jax_types import Key, Keys
from tb2learn.simulation.event import Event
from tb2learn.simulation.event_store import pack, unpack
from tb2learn.simulation.formats import play_drawn
from tb2learn.simulation.games import Laws
from tb2learn.simulation.measurement import OfEvent
from tb2learn.simulation.oracle import true_strength
from tb2learn.simulation.schedule import EventInputs
from tb2learn.simulation.start import ContinuationStart

COMPILER_OPTIONS = {"xla_cpu_multi_thread_eigen": False}
"""One thread a device: the kernels are too small to gain from more."""

Played: TypeAlias = tuple[Keys, Event, Array | None]
"""By event, a key to measure it with, the event, packed, and published ratings if there are any."""


def _on_all(mesh: Mesh, function: Callable[..., Any], *specs: P) -> Callable[..., Any]:
    """A function on all devices, each with its share of the arguments and of the results."""
    return jax.shard_map(
        function, mesh=mesh, in_specs=specs, out_specs=P("events"), check_vma=False
    )


def _event_keys(stream_key: Key, numbers: Array) -> Array:
    """Of every event, by its number alone, a key to play it and one to measure it."""
    keys = jax.vmap(partial(jax.random.fold_in, stream_key))(numbers)
    return jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)


@jax.jit
def measure_keys(stream_key: Key, numbers: Array) -> Keys:
    """The keys to measure the events of some numbers with, as `draw` gives them."""
    return _event_keys(stream_key, numbers)[1]


@partial(jax.jit, static_argnames=("setting", "mesh"), compiler_options=COMPILER_OPTIONS)
def draw(
    stream_key: Key,
    numbers: Array,
    start: ContinuationStart | None,
    *,
    setting: Setting,
    mesh: Mesh,
) -> tuple[Keys, EventInputs]:
    """Draw the events of some numbers, each device its share of them.

    It is a program of its own, so that the program that plays does not depend on the field: that
    one takes long to compile, and all worlds of a format share it.

    **Returns:** by event, a key to measure it with, and what is drawn. Where no ratings are
    published, they are 0.
    """

    def draw_share(
        stream_key: Key, numbers: Array, start: ContinuationStart | None
    ) -> tuple[Keys, EventInputs]:
        play_keys, measuring = _event_keys(stream_key, numbers)
        drawn = EventInputs.of(play_keys, setting, start)
        ratings = drawn.ratings
        if ratings is None:
            ratings = jnp.zeros(drawn.rosters.shape[:2], jnp.int32)
        return measuring, replace(drawn, ratings=ratings.astype(jnp.int16))

    return _on_all(mesh, draw_share, P(), P("events"), P())(stream_key, numbers, start)


@partial(jax.jit, static_argnames=("event", "truth", "mesh"), compiler_options=COMPILER_OPTIONS)
def play(
    drawn: EventInputs,
    start: ContinuationStart | None,
    laws: Laws,
    *,
    event: EventFormat,
    truth: bool,
    mesh: Mesh,
) -> Event:
    """Play the events that are drawn, each device its share of them.

    It depends on the format alone, so that all worlds share it.

    **Returns:** the events, packed and without ratings.
    """

    def play_share(drawn: EventInputs, start: ContinuationStart | None, laws: Laws) -> Event:
        drawn = jax.tree.map(lambda x: x.astype(jnp.int32) if x.dtype == jnp.int16 else x, drawn)
        events = play_drawn(drawn, event, laws, start)
        strength = true_strength(events.rosters, laws) if truth else None
        return jax.vmap(pack, in_axes=-1)(events, strength)

    return _on_all(mesh, play_share, P("events"), P(), P())(drawn, start, laws)


@partial(
    jax.jit,
    static_argnames=("setting", "of_event", "rows", "together", "mesh"),
    compiler_options=COMPILER_OPTIONS,
)
def measure(
    lane: Array,
    size: Array,
    played: Played,
    args: Any,
    *,
    setting: Setting,
    of_event: OfEvent,
    rows: int,
    together: bool,
    mesh: Mesh,
) -> Any:
    """Measure `rows` events of every device from `lane` on, of a batch of `size` events.

    **Arguments:** `together`: all of them side by side, where only whole numbers are computed; else
    one at a time.

    **Returns:** what was measured, event by event, device by device; of no meaning for padding.
    """

    def measure_share(lane: Array, size: Array, played: Played, args: Any) -> Any:
        def alone(row: Array) -> Any:
            key, event, ratings = jax.tree.map(lambda x: x[lane + row], played)
            return of_event(key, unpack(event, ratings), setting, args)

        if together:
            return jax.vmap(alone)(jnp.arange(rows))

        # One at a time: what is measured must not depend on how many there are, not even in the
        # last bit of a float.
        def keep(row: Array, kept: Any) -> Any:
            return jax.tree.map(lambda all_, new: all_.at[row].set(new), kept, alone(row))

        shapes = jax.eval_shape(alone, jnp.int32(0))
        nothing = jax.tree.map(lambda x: jnp.zeros((rows, *x.shape), x.dtype), shapes)
        # Event i is on device i % mesh.size, so the devices' shares differ by one at most.
        share = (size + mesh.size - 1 - jax.lax.axis_index("events")) // mesh.size
        return jax.lax.fori_loop(0, jnp.clip(share - lane, 0, rows), keep, nothing)

    return _on_all(mesh, measure_share, P(), P(), P("events"), P())(lane, size, played, args)
