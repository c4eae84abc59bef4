"""Formats of events by name: the one place that knows all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config
from tb2learn.jax_types import Keys
from tb2learn.simulation.batched import MedianSwiss
from tb2learn.simulation.dutch import Dutch
from tb2learn.simulation.multi_tier import MultiTier
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.round_robin import RoundRobin
from tb2learn.simulation.schedule import Schedule, play_schedule
from tb2learn.simulation.swiss_final import SwissFinal

SCHEDULES: Mapping[str, Callable[[EventFormat], Schedule]] = {
    "median-swiss": MedianSwiss,
    "dutch": Dutch,
    "round-robin": RoundRobin,
    "multi-tier": MultiTier,
    "swiss-final": SwissFinal,
}
"""Schedules by name of the format, in a Swiss of the pairing."""

_SIDES = 180 * 11


def play_batch(keys: Keys, config: Config) -> Event:
    """Play a batch of whole events of any format.

    **Arguments:**

    - `keys`: `[batch]` keys, consumed.
    - `config`: its format, field and game model are used.

    **Returns:** the events, the batch as the last axis.
    """
    return play_schedule(keys, config, SCHEDULES[_schedule_name(config.event)](config.event))


def batch_scale(event: EventFormat) -> int:
    """By how much more events than of a Swiss of teams suit a device: few matches make few steps.

    About as many matches side by side as in a Swiss of 180 teams and 11 rounds, in any other
    schedule; 1 in a `median-swiss`.
    """
    if _schedule_name(event) == "median-swiss":
        return 1
    return max(1, _SIDES // (event.teams * event.rounds))


def _schedule_name(event: EventFormat) -> str:
    return event.pairing if event.format == "swiss" else event.format
