"""The difficulty log: how often each result is reached. Loads no JAX, see `difficulty`.

A log counts matches between a team that finished a simulated event on *own* match points and one
that finished on *opponent* match points, played after the event and independent of it, by result.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int

from tb2learn.config import Config
from tb2learn.simulation.streams import UNIT, EventRange
from tb2learn.types import Counts


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


def unit_of(config: Config) -> int:
    """The `unit` of a log: how many counts make one match."""
    return UNIT if config.train.law == "exact" else 1
