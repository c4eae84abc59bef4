"""The difficulty log: how often each result is reached, counted in integers.

A log counts matches between a team that finished a simulated event on *own* match points and one
that finished on *opponent* match points, played after the event and independent of it, by result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Int

from tb2learn.config import Config
from tb2learn.frames import long_frame
from tb2learn.simulation import games
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import unit_numbers
from tb2learn.simulation.run import SILENT, EventRange, Progress, sum_events
from tb2learn.types import Counts, Key

if TYPE_CHECKING:
    import pandas


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
    ) -> tuple[Int[np.ndarray, "shares shares thresholds"], Int[np.ndarray, "shares shares 1"]]:
        """How many matches of each cell failed to reach each threshold, and how many there are.

        **Returns:** `k` int64 `[shares, shares, 2*boards]`, failures at the thresholds 1/2, 1, ...
        boards; `n` int64 `[shares, shares, 1]`; both in units of `1/unit` matches.
        """
        below = np.cumsum(self.counts, axis=-1)
        return below[..., :-1], below[..., -1:]

    def scores(self) -> np.ndarray:
        """The unsmoothed difficulty score of every cell and result, see `difficulty_score`.

        **Returns:** float64 `[shares, shares, 2*boards+1]`, NaN where the log has no match.
        """
        k, n = self.fails()
        with np.errstate(invalid="ignore"):
            return difficulty_score(k / n)

    def frame(self) -> pandas.DataFrame:
        """The log as a long DataFrame.

        **Returns:** a row a cell and result: `own_mp`, `opponent_mp`, `gp`, `matches` (expected
        number with this result) and `score` (raw difficulty, NaN where the log has no match).
        """
        shares, _, results = self.counts.shape
        axes = {
            "own_mp": range(shares),
            "opponent_mp": range(shares),
            "gp": np.arange(results) / 2,
        }
        return long_frame(axes, {"matches": self.counts / self.unit, "score": self.scores()})


def difficulty_score(fail: np.ndarray) -> np.ndarray:
    """Score of a result: the mean of the chances to fail to reach it and the next better one.

    **Arguments:**

    - `fail`: `[..., 2*boards]`, chance of scoring less than 1/2, 1, ... boards game points.

    **Returns:** `[..., 2*boards+1]` in 0..1, by half points scored: `c = (p + q)/2` with `p` at the
    result and `q` half a point above; `p(0) = 0`, and `q = p` at the top. Source: Naray 2020, with
    the half point that is missing in the printed definition but not in Table 4.9.
    """
    p = np.concatenate([np.zeros_like(fail[..., :1]), fail], axis=-1)
    q = np.concatenate([fail, fail[..., -1:]], axis=-1)
    return (p + q) / 2.0


def collect(
    config: Config,
    events: EventRange,
    batch: int | None = None,
    progress: Progress = SILENT,
) -> DifficultyLog:
    """Simulate events and fill a log.

    **Arguments:** as `simulation.run.sum_events`; `config.train.law` says how each event is logged.

    **Returns:** a `DifficultyLog`; the same for every `batch`.
    """
    high, low = sum_events(config, count_matches, events, batch=batch, progress=progress)
    counts = -np.diff((high << _LOW_BITS) + low, append=0)
    # Every pair was counted from one side; add the other side.
    counts = counts + counts.transpose(1, 0, 2)[:, :, ::-1]
    return DifficultyLog(counts, unit_of(config), config, events)


def unit_of(config: Config) -> int:
    """The `unit` of a log: how many counts make one match."""
    return games.UNIT if config.train.law == "exact" else 1


_LOW_BITS = 12
_EXACT_TERMS = 512  # sums of up to 512 * UNIT = 2**24 are exact in a float32 matrix product


def count_matches(
    key: Key, event: Event, config: Config, args: None
) -> tuple[jax.Array, jax.Array]:
    """Log one event: every pair of its teams, from the side of the lower numbered team.

    **Arguments:**

    - `key`: consumed (by the `sampled` law only).
    - `event`: a played event.
    - `config`: `config.train.law` is `exact` (the law of the match, in units of `1/games.UNIT`) or
      `sampled` (one drawn match).
    - `args`: unused.

    **Returns:** two int32 arrays `[shares, shares, 2*boards+1]`: `high * 2**12 + low` are the
    matches in which at least 0, 1/2, 1, ... game points were scored. They are split so that no sum
    over the teams of an event overflows 32 bits.
    """
    teams = len(event.rosters)
    reached = games.UNIT - games.all_play_all(event.rosters, config.game)
    if config.train.law == "sampled":
        number = unit_numbers(key, teams * teams).reshape(teams, teams)
        reached = (games.UNIT - reached <= number).astype(jnp.int32)
    once = jnp.triu(jnp.ones((teams, teams), bool), k=1)
    # The chance to reach at least 0, 1/2, 1, ... game points.
    matches = jnp.full_like(reached[:1], unit_of(config))
    reached = jnp.where(once, jnp.concatenate([matches, reached]), 0)

    # Sums by match points are products with one-hot rows. They are exact, because no partial sum
    # has more than the 24 bits of a float32.
    shares = config.event.max_match_points + 1
    own = jax.nn.one_hot(event.match_points, shares, dtype=jnp.float32)  # [teams, shares]
    by_own = sum(
        _exact_product("ts,rtu->rsu", own[a : a + _EXACT_TERMS], reached[:, a : a + _EXACT_TERMS])
        for a in range(0, teams, _EXACT_TERMS)
    )
    high = _exact_product("uo,rsu->sor", own, by_own >> _LOW_BITS)
    low = _exact_product("uo,rsu->sor", own, by_own & ((1 << _LOW_BITS) - 1))
    return high, low


def _exact_product(spec: str, one_hot: jax.Array, counts: jax.Array) -> jax.Array:
    product = jnp.einsum(
        spec, one_hot, counts.astype(jnp.float32), precision=jax.lax.Precision.HIGHEST
    )
    return product.astype(jnp.int32)
