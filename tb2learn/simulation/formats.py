"""Formats of events by name: the one place that knows all that the package plays."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.chess.berger import round_robin
from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.results import Results
from tb2learn.config import Setting
from tb2learn.jax_types import Keys
from tb2learn.running.processors import cache_bytes
from tb2learn.simulation.dutch_swiss import Dutch
from tb2learn.simulation.event import Event
from tb2learn.simulation.games import Laws
from tb2learn.simulation.olympiad_swiss import OlympiadSwiss
from tb2learn.simulation.schedule import EventInputs, Pairs, PlayedRounds, Schedule, play_schedule
from tb2learn.simulation.start import ContinuationStart
from tb2learn.simulation.thesis_swiss import MedianSwiss


class RoundRobinSchedule:
    """Berger's tables, team 0 as number 1; who rests scores nothing. Nothing is drawn by lot."""

    rest = 0
    colours = True

    def __init__(self, event: EventFormat):
        games = round_robin(event.teams, event.repeats).games
        self.matches = games.shape[1]
        self._pairs = np.moveaxis(games, -1, 1)[..., None]  # one lane, which stands for all events

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> tuple[()]:
        """No state."""
        return ()

    def pair(self, state: Any, so_far: PlayedRounds, number: Int[Array, ""]) -> tuple[Any, Pairs]:
        """The games of a round, the same in all events."""
        return state, jnp.asarray(self._pairs)[number]


SCHEDULES: dict[str, Callable[[EventFormat], Schedule]] = {
    "median-swiss": MedianSwiss,
    "dutch": Dutch,
    "olympiad-2022": OlympiadSwiss,
    "olympiad-2010": partial(OlympiadSwiss, by_game_points=True),
    "round-robin": RoundRobinSchedule,
}
"""What pairs the rounds of an event, by `EventFormat.schedule`; research adds its own."""


def play_batch(
    keys: Keys,
    setting: Setting,
    start: ContinuationStart | None = None,
    results: Int[Array, "teams teams *batch"] | None = None,
) -> Event:
    """Play a batch of whole events of any format, or go on from a start.

    **Arguments:**

    - `keys`: `[batch]` keys, consumed.
    - `setting`: its format, field and game model are used.
    - `start`, `results`: where they go on from, and what decides a match, if anything else than a
      law; see `play_schedule`.

    **Returns:** the events, the batch as the last axis.
    """
    drawn = EventInputs.of(keys, setting, start)
    return play_drawn(drawn, setting.event, Laws.of(setting.game), start, results)


def play_drawn(
    drawn: EventInputs,
    event: EventFormat,
    laws: Laws,
    start: ContinuationStart | None = None,
    results: Int[Array, "teams teams *batch"] | None = None,
) -> Event:
    """Play what is drawn, see `play_schedule`."""
    return play_schedule(drawn, event, laws, SCHEDULES[event.schedule](event), start, results)


def result_shapes(setting: Setting) -> Results:
    """What stands for the results of an event: arrays with shapes and types, but no values."""
    event = setting.event
    by_team = jax.ShapeDtypeStruct((event.teams,), jnp.int32)
    by_round = jax.ShapeDtypeStruct((event.rounds, event.teams), jnp.int32)
    colours = SCHEDULES[event.schedule](event).colours
    return Results(
        opponents=by_round,
        half_points=by_round,
        match_points=by_team,
        boards=event.boards,
        ratings=by_team if setting.field.published else None,
        whites=jax.ShapeDtypeStruct(by_round.shape, jnp.bool_) if colours else None,
    )


# Events that a device plays side by side. On a CPU, the rows along the batch that a step of the
# pairing works on stay in the second-level cache of a core; elsewhere thousands of lanes are busy.
_BYTES_A_TEAM = 22
_CPU_SHARES, _CPU_CELLS = (1 << 6, 1 << 8), 1 << 26  # fewest and most; teams x teams of all of them
_ACCELERATOR_SHARE, _ACCELERATOR_CELLS = 1 << 14, 1 << 29
MAX_SHARE = 1 << 15  # events of one device's share of a batch


def many_lanes() -> bool:
    """Whether the devices are accelerators, which need thousands of events side by side."""
    return jax.default_backend() != "cpu"


def default_batch(setting: Setting) -> int:
    """Events played side by side: as many as suit the devices of this host.

    **Arguments:**

    - `setting`: its format is used.

    **Returns:** one size a format, so that one program plays it. On CPUs, for each device as many
    as its cache holds; fewer if the field is so large that they would not fit in memory.
    """
    share, cells = _ACCELERATOR_SHARE, _ACCELERATOR_CELLS
    if not many_lanes():
        held = max(1, cache_bytes() // (_BYTES_A_TEAM * setting.event.teams))
        smallest, largest = _CPU_SHARES
        share, cells = min(max(1 << (held.bit_length() - 1), smallest), largest), _CPU_CELLS
    fitting = max(1, min(cells // setting.event.teams**2, MAX_SHARE))
    return jax.local_device_count() * min(batch_scale(setting.event) * share, fitting)


_SIDES = 180 * 11


def batch_scale(event: EventFormat) -> int:
    """By how much more events than of a Swiss of teams suit a device: few matches make few steps.

    About as many matches side by side as in a Swiss of 180 teams and 11 rounds, in any other
    schedule; 1 in a `median-swiss`.
    """
    if event.pairing != "dutch" and event.format == "swiss":
        return 1
    return max(1, _SIDES // (event.teams * event.rounds))
