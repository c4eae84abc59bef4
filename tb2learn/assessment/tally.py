"""Counts of wrong verdicts by block of events, and the error rates that they come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jaxtyping import Float, Int

from tb2learn.bootstrap import interval, resamples
from tb2learn.simulation.run import Accumulate
from tb2learn.types import MAX_TEAMS

ALL = MAX_TEAMS
"""In `TOPS`: all places."""

TOPS = (1, 3, 10, 30, ALL)
"""Populations: all pairs of the tied groups that touch a place up to this one.

The thesis protocol, which replays every pair, leaves out the last.
"""

BLOCKS = 1000
"""Counts are kept by block of events: event `i` belongs to block `i % BLOCKS`.

A million events so need no more memory than a thousand. Up to a thousand, a block is an event.
"""

RESAMPLES = 2000
"""Bootstrap samples behind an interval."""


@dataclass(frozen=True)
class Tally:
    """Counts of tied pairs and errors by block of events.

    **Fields:**

    - `rules`: names, in the order of `errors`.
    - `pairs`: int64 `[blocks, tops]` tied pairs of teams.
    - `errors`: int64 `[blocks, rules, tops]`, in units of `1/unit` errors.
    - `unit`: 2 where errors are halves, `games.UNIT` where they are chances.
    - `changed`: int64 `[tops]`: pairs whose verdict differs between the last two rules given, or
      None where that is not counted.
    """

    rules: tuple[str, ...]
    pairs: Int[np.ndarray, "blocks tops"]
    errors: Int[np.ndarray, "blocks rules tops"]
    unit: int
    changed: Int[np.ndarray, " tops"] | None


@dataclass(frozen=True)
class ErrorRate:
    """One rule on one population; intervals are 95 % percentile bootstrap intervals over events.

    **Fields:**

    - `rule`, `top`: name of the rule, and population: an entry of `TOPS`.
    - `pairs`: number of tied pairs.
    - `error_rate`, `ci`: share of the pairs decided wrongly; NaN without pairs.
    - `reduction`, `reduction_ci`: relative reduction against the first rule, on the same events.
    """

    rule: str
    top: int
    pairs: int
    error_rate: float
    ci: tuple[float, float]
    reduction: float
    reduction_ci: tuple[float, float]


def by_block(events: int) -> Accumulate:
    """An `Accumulate` for `sum_events` that adds the counts of events to those of their blocks."""

    def add(numbers: np.ndarray, counts: Any) -> Any:
        def one(values: np.ndarray) -> np.ndarray:
            sums = np.zeros((min(events, BLOCKS), *values.shape[1:]), np.int64)
            np.add.at(sums, numbers % BLOCKS, values)
            return sums

        return jax.tree.map(one, counts)

    return add


def summarise(tally: Tally, seed: int) -> tuple[ErrorRate, ...]:
    """Error rates and reductions with 95 % percentile bootstrap intervals over events.

    **Arguments:**

    - `tally`: the counts.
    - `seed`: of the resampling (blocks with replacement, as multinomial weights).

    **Returns:** an `ErrorRate` a rule and population, rules in order.
    """
    rules = len(tally.rules)
    weights = resamples(len(tally.pairs), seed, RESAMPLES)
    by_rule: list[list[ErrorRate]] = [[] for _ in range(rules)]
    for column, top in enumerate(TOPS[: tally.pairs.shape[1]]):
        pairs = tally.pairs[:, column]
        counts = np.concatenate([pairs[None], tally.errors[:, :, column].T / tally.unit])
        values = _rates(counts.sum(axis=1))
        low, high = interval(_rates(counts @ weights.T).T)
        for k, name in enumerate(tally.rules):
            by_rule[k].append(
                ErrorRate(
                    rule=name,
                    top=top,
                    pairs=int(pairs.sum()),
                    error_rate=float(values[k]),
                    ci=(float(low[k]), float(high[k])),
                    reduction=float(values[rules + k]),
                    reduction_ci=(float(low[rules + k]), float(high[rules + k])),
                )
            )
    return tuple(result for results in by_rule for result in results)


def _rates(sums: Float[np.ndarray, "rows *batch"]) -> Float[np.ndarray, "values *batch"]:
    """From sums of pairs and of every rule's errors: all error rates, then all reductions."""
    pairs, errors = sums[0], sums[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.concatenate([errors / pairs, 1.0 - errors / errors[0]])
