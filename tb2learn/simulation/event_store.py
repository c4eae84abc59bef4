"""Played events in narrow integers, and a store of them: played once, measured many times."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp

from tb2learn.simulation.event import Event
from tb2learn.types import PerTeam

KEPT_BYTES = 1 << 28
"""Of an `EventStore`: room for 25,000 events of 180 teams and 11 rounds with their strengths."""


def pack(event: Event, strength: PerTeam | None) -> Event:
    """The same event in integers of 16 bits, and its `Event.strength`, which needs 32.

    Without ratings: what is played does not depend on whether there are any.
    """
    # Ratings are below 2**12 and all else is smaller, so half of the memory does.
    packed = jax.tree.map(lambda x: x if x.dtype == bool else x.astype(jnp.int16), event)
    return replace(packed, strength=strength, ratings=None)


def unpack(event: Event, ratings: PerTeam | None) -> Event:
    """The same event in integers of 32 bits, with its published ratings."""
    event = replace(event, ratings=ratings)
    return jax.tree.map(lambda x: x if x.dtype == bool else x.astype(jnp.int32), event)


class EventStore:
    """Batches of played events, kept to be measured again; only as many as `limit` bytes hold.

    What is not kept is played again: the events are the same.
    """

    def __init__(self, limit: int = KEPT_BYTES) -> None:
        """An empty store.

        **Arguments:**

        - `limit`: bytes that it may hold.
        """
        self.limit = limit
        self.held = 0
        self._batches: dict[Hashable, Any] = {}

    def get(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """A batch by its name.

        **Arguments:**

        - `name`: everything that the batch depends on.
        - `make`: plays it, if it is not here.
        """
        if name in self._batches:
            return self._batches[name]
        # First come, first kept: a pass asks for the batches in one order, so dropping the oldest
        # would drop each just before it is needed again.
        value = make()
        size = sum(leaf.nbytes for leaf in jax.tree.leaves(value))
        if self.held + size <= self.limit:
            self.held += size
            self._batches[name] = value
        return value
