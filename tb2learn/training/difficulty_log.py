"""The difficulty log: how often each result is reached in simulated events, in integers.

A log counts matches between a team that finished a simulated event on *own* match points and one
that finished on *opponent* match points, played after the event and independent of it, by result.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.config import Config, Law, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation import games
from tb2learn.simulation.event import Event
from tb2learn.simulation.event_store import EventStore
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import UNIT, EventRange
from tb2learn.simulation.rng import unit_numbers
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.training.surface import difficulty_score
from tb2learn.types import Counts

_LOW_BITS = 12  # see `CountMatches`


@dataclass(frozen=True)
class DifficultyLog:
    """Counts of matches by own match points, opponent's match points and result.

    **Fields:**

    - `counts`: int64 `[2*rounds+1, 2*rounds+1, 2*boards+1]`, in units of `1/unit` matches.
    - `unit`: `games.UNIT` for the exact law of every pair, 1 for drawn matches.
    - `config`: what was played.
    - `events`: the events in it.
    """

    counts: Counts
    unit: int
    config: Config
    events: EventRange

    def fails(
        self,
    ) -> tuple[Int[np.ndarray, "own opponent thresholds"], Int[np.ndarray, "own opponent 1"]]:
        """How many matches of each cell failed to reach each threshold, and how many there are.

        **Returns:** `k` int64 `[own, opponent, 2*boards]`, failures at the thresholds 1/2, 1, ...
        boards; `n` int64 `[own, opponent, 1]`; both in units of `1/unit` matches.
        """
        below = np.cumsum(self.counts, axis=-1)
        return below[..., :-1], below[..., -1:]

    def scores(self) -> np.ndarray:
        """The unsmoothed difficulty score of every cell and result, see `difficulty_score`.

        **Returns:** float64 `[own, opponent, 2*boards+1]`, NaN where the log has no match.
        """
        k, n = self.fails()
        with np.errstate(invalid="ignore"):
            return difficulty_score(k / n)


def unit_of(law: Law) -> int:
    """The `unit` of a log by a law: how many counts make one match."""
    return UNIT if law == "exact" else 1


def collect(
    config: Config,
    events: EventRange,
    batch: int | None = None,
    progress: Progress = SILENT,
    store: EventStore | None = None,
) -> DifficultyLog:
    """Simulate events and fill a log.

    **Arguments:** as `simulate.sum_events`; `config.train.law` says how each event is logged.

    **Returns:** a `DifficultyLog`; the same for every `batch`.
    """
    counted = Measurement(CountMatches(config.train.law))
    high, low = sum_events(
        config.setting, counted, events, batch=batch, progress=progress, store=store
    )
    # From matches that reached at least a result to matches with just this result.
    counts = -np.diff((high << _LOW_BITS) + low, append=0)
    # Every pair was counted from one side; add the other side.
    counts = counts + counts.transpose(1, 0, 2)[:, :, ::-1]
    return DifficultyLog(counts, unit_of(config.train.law), config, events)


@dataclass(frozen=True)
class CountMatches:
    """Logs one event: every pair of its teams once, from the side of the lower number.

    **Fields:** `law`: `exact` (the law of the match, in units of `1/games.UNIT`) or `sampled` (one
    drawn match, which alone consumes the key).
    """

    law: Law

    def __call__(
        self, key: Key, event: Event, setting: Setting, args: None = None
    ) -> tuple[Int[Array, "own opponent results"], Int[Array, "own opponent results"]]:
        """The log of one event; an `OfEvent`.

        **Returns:** `high * 2**12 + low` are the matches in which at least 0, 1/2, 1, ... game
        points were scored. They are split because a sum over all pairs of an event would overflow
        32 bits: a thousand teams on equal points are 499,500 pairs of 2**15 units.
        """
        match_points_, scores = event.match_points, setting.event.max_match_points + 1
        teams = len(match_points_)

        def add_team(team: Array, sums: tuple[Array, Array]) -> tuple[Array, Array]:
            reached = self._reached(key, event, setting, team)
            # At most a thousand opponents of 2**15 units: the sum by their points fits 32 bits.
            by_opponent = jnp.zeros((scores, len(reached)), jnp.int32)
            by_opponent = by_opponent.at[match_points_].add(reached.T)
            halves = by_opponent >> _LOW_BITS, by_opponent & ((1 << _LOW_BITS) - 1)
            high, low = (
                counts.at[match_points_[team]].add(part)
                for counts, part in zip(sums, halves, strict=True)
            )
            return high, low

        nothing = jnp.zeros((scores, scores, setting.event.max_half_points + 1), jnp.int32)
        return jax.lax.fori_loop(0, teams, add_team, (nothing, nothing))

    def _reached(
        self, key: Key, event: Event, setting: Setting, team: Array
    ) -> Int[Array, "results teams"]:
        """How often a team reaches each result against the later ones: chances, or 0 and 1."""
        teams = len(event.match_points)
        rosters = event.rosters.T  # boards first, as the law of a match has them
        line_up = jnp.broadcast_to(rosters[:, team, None], rosters.shape)
        at_least = games.UNIT - games.cumulative_law(line_up, rosters, setting.game)
        if self.law == "sampled":
            numbers = unit_numbers(key, teams * teams).reshape(teams, teams)[team]
            # A number decides a match as `games.sample_half_points` does.
            at_least = (numbers >= games.UNIT - at_least).astype(jnp.int32)
        always = jnp.full((1, teams), unit_of(self.law), jnp.int32)
        later = jnp.arange(teams) > team  # every pair once
        return jnp.where(later, jnp.concatenate([always, at_least]), 0)
