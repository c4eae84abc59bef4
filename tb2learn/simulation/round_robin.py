"""The schedule of a round robin: Berger's tables, team 0 as number 1."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.chess.berger import round_robin
from tb2learn.chess.event_format import EventFormat
from tb2learn.jax_types import Keys
from tb2learn.simulation.schedule import Pairs, SoFar


class RoundRobin:
    """Everybody meets everybody; who rests scores nothing. Nothing depends on results or lots."""

    rest = 0
    colours = True

    def __init__(self, event: EventFormat):
        games = round_robin(event.teams, event.repeats).games
        self.matches = games.shape[1]
        self._pairs = np.moveaxis(games, -1, 1)[..., None]

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> tuple[()]:
        """No state."""
        return ()

    def pair(self, state: Any, so_far: SoFar, number: Int[Array, ""]) -> tuple[Any, Pairs]:
        """The games of a round, the same in all events."""
        return state, jnp.asarray(self._pairs)[number]
