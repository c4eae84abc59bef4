"""Which events a run plays: streams by purpose, and ranges of them. Loads no JAX."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from tb2learn.limits import MOST_SEED
from tb2learn.types import InputError, whole_number

UNIT_BITS = 15
UNIT = 1 << UNIT_BITS
"""Probabilities are whole numbers of 1/`UNIT` = 1/32768."""


class Purpose(enum.IntEnum):
    """What a stream of events is for. Streams of different purposes never share a key.

    `TRAIN` events are fitted, `HELD_OUT` events judge the fit, `ASSESS` events compare rules,
    `EXPLORE` events are simulated by users to look at, probabilities are fitted to
    those of `CALIBRATE`, a rule is chosen among others by those of `CHOOSE`, and recorded events go
    on with those of `FORECAST`.
    """

    TRAIN = 0
    HELD_OUT = 1
    ASSESS = 2
    EXPLORE = 3
    CALIBRATE = 4
    CHOOSE = 5
    FORECAST = 6


@dataclass(frozen=True)
class EventRange:
    """Consecutive events of one stream.

    **Fields:**

    - `seed`, `purpose`: name the stream.
    - `events`, `first`: events `first .. first + events - 1` of it.

    **Raises:** `InputError` for no events, or numbers outside 0 .. 2**32 - 1.
    """

    seed: int
    purpose: Purpose
    events: int
    first: int = 0

    def __post_init__(self) -> None:
        whole_number("seed", self.seed, 0, MOST_SEED)
        whole_number("events", self.events, 1, 2**32)
        whole_number("first", self.first, 0, 2**32)
        if self.first + self.events > 2**32:
            raise InputError(
                f"events first .. first + events - 1 must be in 0..2**32-1 and at least one, "
                f"got first {self.first}, events {self.events}"
            )

    def up_to(self, most: int) -> EventRange:
        """The first of them, at most so many."""
        return replace(self, events=min(self.events, most))
