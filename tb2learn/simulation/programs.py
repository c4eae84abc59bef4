"""The two programs of a run on all devices: one plays a batch of events, one measures some of them.

`run.py` says which events, and adds up what is measured.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P
from jaxtyping import Array

from tb2learn.config import Config
from tb2learn.jax_types import Key, Keys
from tb2learn.simulation.by_format import play_batch
from tb2learn.simulation.event import Event, draw_presence
from tb2learn.simulation.kept import pack, unpack
from tb2learn.simulation.start import Start
from tb2learn.simulation.truth import true_strength

# One thread a device: the kernels are too small to gain from more.
_COMPILER_OPTIONS = {"xla_cpu_multi_thread_eigen": False}


def _on_all(mesh: Mesh, function: Callable[..., Any], *specs: P) -> Callable[..., Any]:
    """A function on all devices, each with its share of the arguments and of the results."""
    return jax.shard_map(
        function, mesh=mesh, in_specs=specs, out_specs=P("events"), check_vma=False
    )


@partial(jax.jit, static_argnames=("config", "truth", "mesh"), compiler_options=_COMPILER_OPTIONS)
def play(
    stream_key: Key,
    numbers: Array,
    start: Start | None,
    absences: Array | None,
    *,
    config: Config,
    truth: bool,
    mesh: Mesh,
) -> tuple[Keys, Event]:
    """Play the events of some numbers, each device its share of them.

    A program of its own, so that all that is measured of the same events shares it.

    **Returns:** by event, a key to measure it with, and the event, packed.
    """

    def play_share(
        stream_key: Key, numbers: Array, start: Start | None, absences: Array | None
    ) -> tuple[Keys, Event]:
        # By the event's number alone, whatever the batch.
        keys = jax.vmap(partial(jax.random.fold_in, stream_key))(numbers)
        play_keys, measure_keys = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
        presence = None
        if absences is not None:
            # Split only then: without absences keys stay what they are.
            measure_keys, keys = jnp.moveaxis(jax.vmap(jax.random.split)(measure_keys), 1, 0)
            draw = partial(draw_presence, numbers=absences, event=config.event)
            presence = jax.vmap(draw, out_axes=-1)(keys)
        events = play_batch(play_keys, config, start, presence)
        strength = true_strength(events.rosters, config.game) if truth else None
        return measure_keys, jax.vmap(pack, in_axes=-1)(events, strength)

    share = _on_all(mesh, play_share, P(), P("events"), P(), P())
    return share(stream_key, numbers, start, absences)


@partial(
    jax.jit,
    static_argnames=("config", "measured", "rows", "mesh"),
    compiler_options=_COMPILER_OPTIONS,
)
def measure(
    lane: Array,
    size: Array,
    played: tuple[Keys, Event],
    args: Any,
    *,
    config: Config,
    measured: Callable[[Key, Event, Config, Any], Any],
    rows: int,
    mesh: Mesh,
) -> Any:
    """Measure `rows` events of every device from `lane` on, of a batch of `size` events.

    **Returns:** what was measured, event by event, device by device; 0 for padding.
    """

    def measure_share(lane: Array, size: Array, played: tuple[Keys, Event], args: Any) -> Any:
        # One event at a time: what is measured must not depend on how many there are, not even
        # in the last bit of a float.
        def alone(row: Array) -> Any:
            key, event = jax.tree.map(lambda x: x[lane + row], played)
            return measured(key, unpack(event), config, args)

        def keep(row: Array, kept: Any) -> Any:
            return jax.tree.map(lambda all_, new: all_.at[row].set(new), kept, alone(row))

        shapes = jax.eval_shape(alone, jnp.int32(0))
        nothing = jax.tree.map(lambda x: jnp.zeros((rows, *x.shape), x.dtype), shapes)
        # Event i is on device i % mesh.size, so the devices' shares differ by one at most.
        here = (size + mesh.size - 1 - jax.lax.axis_index("events")) // mesh.size
        return jax.lax.fori_loop(0, jnp.clip(here - lane, 0, rows), keep, nothing)

    return _on_all(mesh, measure_share, P(), P(), P("events"), P())(lane, size, played, args)
