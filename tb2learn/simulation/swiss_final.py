"""The schedule of a Swiss whose best play a final, a round robin by Berger's tables.

Into the final go the teams with the most match points, then game points, then the most match points
of their opponents (Buchholz), then by lot. The others rest while it is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int

from tb2learn.chess.berger import round_robin
from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.results import match_points
from tb2learn.jax_types import Keys
from tb2learn.simulation.dutch_swiss import Dutch
from tb2learn.simulation.schedule import Pairs, Schedule, SoFar, filled
from tb2learn.simulation.thesis_swiss import MedianSwiss

_SWISS: Mapping[str, type[MedianSwiss | Dutch]] = {"median-swiss": MedianSwiss, "dutch": Dutch}


class SwissFinal:
    """A Swiss by the pairing of the event, then the final."""

    rest = 0
    colours = True

    def __init__(self, event: EventFormat):
        self._event = event
        self._swiss: Schedule = _SWISS[event.pairing](event)
        self._rounds = event.rounds - event.final_rounds
        self.matches = event.teams // 2
        games = round_robin(event.finalists, event.repeats).games
        self._pairs = filled(games, self.matches, event.finalists)

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> tuple[Any, Array]:
        """What the Swiss draws, and the lots of teams that are equal before the final."""
        swiss_keys, lot_keys = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
        lots = jax.vmap(lambda key: jax.random.permutation(key, self._event.teams), out_axes=-1)
        return self._swiss.start(swiss_keys, ratings), lots(lot_keys)

    def pair(
        self, state: tuple[Any, Array], so_far: SoFar, number: Int[Array, ""]
    ) -> tuple[tuple[Any, Array], Pairs]:
        """The pairs of a round of the Swiss or of the final."""
        swiss, lots = state

        def of_swiss(swiss: Any) -> tuple[Any, Pairs]:
            return self._swiss.pair(swiss, so_far, number)

        def of_final(swiss: Any) -> tuple[Any, Pairs]:
            return swiss, self._final(so_far, lots, number - self._rounds)

        swiss, pairs = jax.lax.cond(number < self._rounds, of_swiss, of_final, swiss)
        return (swiss, lots), pairs

    def _final(self, so_far: SoFar, lots: Array, number: Int[Array, ""]) -> Pairs:
        """The games of the final on its own round `number`."""
        finalists = self._standing(so_far, lots)[: self._event.finalists]
        # Each number once: `schedule._put` promises unique ones.
        nobody = self._event.teams + jnp.arange(2 * self.matches, dtype=finalists.dtype)[:, None]
        nobodies = jnp.broadcast_to(nobody, (len(nobody), finalists.shape[1]))
        seats = jnp.concatenate([finalists, nobodies])
        return seats[jnp.asarray(self._pairs)[jnp.maximum(number, 0)]].astype(jnp.int32)

    def _standing(self, so_far: SoFar, lots: Array) -> Int[Array, "teams batch"]:
        """Teams in the order of the Swiss, the first first."""
        opponents, half_points = (
            part[: self._rounds] for part in (so_far.opponents, so_far.half_points)
        )
        points = match_points(half_points, self._event.boards).sum(axis=0)
        # Nobody has a bye: the number of teams is even.
        met = [jnp.take_along_axis(points, one, axis=0) for one in opponents]
        # The last key decides first.
        return jnp.lexsort((lots, -sum(met), -half_points.sum(axis=0), -points), axis=0)
