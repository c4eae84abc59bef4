"""Played events in narrow integers, and a store of them: played once, measured many times."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Integer

from tb2learn.config import MAX_RATING, EventFormat
from tb2learn.simulation.event import Event
from tb2learn.types import BYE

KEPT_BYTES = 1 << 28
"""Of an `EventStore`: room for 40,000 events of 180 teams and 11 rounds with their strengths."""


class Packed(NamedTuple):
    """An `Event`, or a batch of them, in the narrowest unsigned integers.

    Its fields are those of the event; opponents count from `BYE`.
    """

    rosters: Integer[Array, "*batch teams boards"]
    opponents: Integer[Array, "*batch rounds teams"]
    half_points: Integer[Array, "*batch rounds teams"]
    match_points: Integer[Array, "*batch teams"]
    whites: Bool[Array, "*batch rounds teams"] | None
    ratings: Integer[Array, "*batch teams"] | None


def pack(event: Event, form: EventFormat) -> Packed:
    """The same event in narrow integers.

    **Arguments:**

    - `event`: one event, or a batch of them as the first axis.
    - `form`: its format, which says how large the integers can be.
    """
    return Packed(
        rosters=event.rosters.astype(_narrowest(MAX_RATING)),
        opponents=(event.opponents - BYE).astype(_narrowest(form.teams)),
        half_points=event.half_points.astype(_narrowest(form.max_half_points)),
        match_points=event.match_points.astype(_narrowest(form.max_match_points)),
        whites=event.whites,
        ratings=None if event.ratings is None else event.ratings.astype(_narrowest(MAX_RATING)),
    )


def unpack(packed: Packed, strength: Array | None) -> Event:
    """One event from narrow integers, and its `Event.strength`."""
    *numbers, whites, ratings = packed
    rosters, opponents, half_points, match_points = (x.astype(jnp.int32) for x in numbers)
    if ratings is not None:
        ratings = ratings.astype(jnp.int32)
    opponents = opponents + BYE
    return Event(rosters, opponents, half_points, match_points, whites, strength, ratings)


def _narrowest(most: int) -> np.dtype:
    return np.min_scalar_type(most)


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
        made = make()
        size = sum(leaf.nbytes for leaf in jax.tree.leaves(made))
        if self.held + size <= self.limit:
            self.held += size
            self._batches[name] = made
        return made
