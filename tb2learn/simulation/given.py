"""Events that are given as arrays, to be measured as those of a stream are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import jax
import numpy as np
from jaxtyping import Int

from tb2learn.simulation.event import Event
from tb2learn.simulation.purposes import EventRange, Purpose


@dataclass(frozen=True, eq=False)
class GivenEvents:
    """Events that somebody has at hand, whatever was changed in them.

    **Fields:**

    - `seed`, `purpose`: name the stream that their keys are taken from, for what draws when it
      measures them.
    - `numbers`: of the events in that stream.
    - `event`: whole events along the first axis, with their strengths.
    """

    seed: int
    purpose: Purpose
    numbers: Int[np.ndarray, " events"]
    event: Event

    first = 0

    @property
    def events(self) -> int:
        """How many there are."""
        return len(self.numbers)

    def up_to(self, most: int) -> GivenEvents:
        """The first of them, at most so many."""
        event = jax.tree.map(lambda x: x[:most], self.event)
        return replace(self, numbers=self.numbers[:most], event=event)


Events: TypeAlias = EventRange | GivenEvents
"""Which events are measured: those of a stream, which are played, or given ones."""
