"""FIDE's Dutch system as a schedule: the engine py4swiss pairs every round of every event.

py4swiss implements the Dutch system of the FIDE Handbook, C.04.3, as it was until January 2026. It
pairs players; it has no system for teams.
"""

from __future__ import annotations

from concurrent.futures import Executor, ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int
from tqdm import tqdm

from tb2learn.chess.event_format import EventFormat
from tb2learn.jax_types import Keys
from tb2learn.simulation.schedule import Pairs, SoFar
from tb2learn.studies.pairings.engine_round import engine_pairs, prepare_worker
from tb2learn.types import InputError

_CHUNK = 4
"""Events that a process pairs before it reports."""


def check_engine() -> None:
    """Check that the engine is installed.

    **Raises:** `InputError` saying how to install it.
    """
    if find_spec("py4swiss") is None:
        raise InputError(
            "this study needs the pairing engine py4swiss, which is not installed: "
            "pip install 'tb2learn[studies]'"
        )


def engine_pool() -> Executor:
    """One process a core to pair in, because the engine is Python. To be used as a context."""
    cores = len(jax.local_devices(backend="cpu"))
    # A copy of this process would have its locks, but not the threads of JAX that open them.
    return ProcessPoolExecutor(cores, get_context("spawn"), prepare_worker)


class EngineSchedule:
    """Swiss events of players paired by the engine; a bye is worth a win.

    **Arguments:**

    - `event`: the format, of one board.
    - `bar`: advanced by one a round of an event.
    - `pool`: pairs events side by side.
    """

    colours = True

    def __init__(self, event: EventFormat, bar: tqdm, pool: Executor):
        self._rounds, self._bar, self._pool = event.rounds, bar, pool
        self.matches = event.teams // 2
        self.rest = 2

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> Array:
        """`[1, batch]`: whether the first seed has White in the first round."""
        return jax.vmap(jax.random.bernoulli)(keys)[None]

    def pair(self, state: Any, so_far: SoFar, number: Int[Array, ""]) -> tuple[Any, Pairs]:
        """The pairs of a round."""
        batch = state.shape[1]
        shape = jax.ShapeDtypeStruct((2, self.matches, batch), jnp.int32)
        played = so_far.opponents, so_far.half_points, so_far.whites
        return state, jax.pure_callback(self._pair_all, shape, state[0], number, *played)

    def _pair_all(self, lots: Any, number: Any, *played: Any) -> Int[np.ndarray, "2 matches batch"]:
        past = [np.asarray(part)[: int(number)] for part in played]
        events = (
            (*(part[..., event] for part in past), lot, self._rounds)
            for event, lot in enumerate(np.asarray(lots).tolist())
        )
        pairs = []
        for found in self._pool.map(engine_pairs, *zip(*events, strict=True), chunksize=_CHUNK):
            pairs.append(found)
            self._bar.update()
        return np.stack(pairs, axis=-1)
