"""Counts of wrong verdicts by block of events, and the error rates that they come to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import jax
import numpy as np
from jaxtyping import Float, Int

from tb2learn.simulation.run import Accumulate
from tb2learn.stats import RESAMPLES, both_ends, interval, resamples
from tb2learn.types import MAX_TEAMS, pytree

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


SEED_KINDS = ("higher_better", "lower_better", "near_equal", "copies")
"""Kinds of tied pairs, by the names that files and tables give their shares: the better team is the
higher seed, or the lower seed; the strengths differ by less than one expected match point of the
all-play-all; they are equal, as those of two copies of one roster are. Copies are in no other kind.
"""


@pytree
class SeedCounts:
    """Counts of tied pairs by the two seeds, for every kind of `SEED_KINDS`.

    Integers, by block of events (or of one event, without that axis).

    **Fields:**

    - `pairs`: how many there are.
    - `halves`: half errors of every rule where one seed is better; of nearly equal teams and of
      copies half verdicts for the higher seed.
    """

    pairs: Int[Any, "*blocks kinds tops"]
    halves: Int[Any, "*blocks kinds rules tops"]


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
    - `seeds`: the same errors by seed; None with random seeds, and under the thesis protocol.
    """

    rules: tuple[str, ...]
    pairs: Int[np.ndarray, "blocks tops"]
    errors: Int[np.ndarray, "blocks rules tops"]
    unit: int
    changed: Int[np.ndarray, " tops"] | None
    seeds: SeedCounts | None = None

    def without_last(self) -> Tally:
        """The tally of all rules but the last."""
        seeds = self.seeds and replace(self.seeds, halves=self.seeds.halves[..., :-1, :])
        return replace(self, rules=self.rules[:-1], errors=self.errors[:, :-1], seeds=seeds)


@dataclass(frozen=True)
class Share:
    """A share of tied pairs, with its 95 % percentile bootstrap interval over events.

    **Fields:**

    - `pairs`: number of tied pairs.
    - `value`, `ci`: the share; NaN without pairs.
    """

    pairs: int
    value: float
    ci: tuple[float, float]


@dataclass(frozen=True)
class SeedBias:
    """Whether one rule, on one population, rewards the seed.

    **Fields:**

    - `higher`: error rate among the pairs whose higher seed is the better team.
    - `lower`: error rate among those whose lower seed is.
    - `difference`, `difference_ci`: the second less the first.
    - `near`: share of the verdicts for the higher seed among pairs of nearly equal strength (less
      than one expected match point of the all-play-all apart, copies left out; equal scores count
      half). 0.5 is fair: the seed decides nothing.
    - `copies`: the same among pairs of equal strength: two copies of one roster.
    """

    higher: Share
    lower: Share
    difference: float
    difference_ci: tuple[float, float]
    near: Share
    copies: Share

    @property
    def shares(self) -> dict[str, Share]:
        """The shares by their names in `SEED_KINDS`."""
        found = self.higher, self.lower, self.near, self.copies
        return dict(zip(SEED_KINDS, found, strict=True))

    @property
    def columns(self) -> dict[str, float]:
        """The shares as columns of a table: pairs, share and both ends of the interval.

        Then the difference and the ends of its interval.
        """
        shares = {
            f"{name}{part}": value
            for name, one in self.shares.items()
            for part, value in zip(
                ("_pairs", "", "_low", "_high"), (one.pairs, one.value, *one.ci), strict=True
            )
        }
        low, high = self.difference_ci
        apart = {"difference": self.difference, "difference_low": low, "difference_high": high}
        return shares | apart


@dataclass(frozen=True)
class ErrorRate:
    """One rule on one population; intervals are 95 % percentile bootstrap intervals over events.

    **Fields:**

    - `rule`, `top`: name of the rule, and population: an entry of `TOPS`.
    - `pairs`: number of tied pairs.
    - `error_rate`, `ci`: share of the pairs decided wrongly; NaN without pairs.
    - `reduction`, `reduction_ci`: relative reduction against the first rule, on the same events.
    - `seed_bias`: None where seeds are random, and under the thesis protocol.
    """

    rule: str
    top: int
    pairs: int
    error_rate: float
    ci: tuple[float, float]
    reduction: float
    reduction_ci: tuple[float, float]
    seed_bias: SeedBias | None = None


def by_block(events: int) -> Accumulate:
    """An `Accumulate` for `sum_events` that adds the counts of events to those of their blocks."""
    return partial(_add_to_blocks, min(events, BLOCKS))


def _add_to_blocks(blocks: int, numbers: np.ndarray, counts: Any) -> Any:
    def one(values: np.ndarray) -> np.ndarray:
        sums = np.zeros((blocks, *values.shape[1:]), np.int64)
        np.add.at(sums, numbers % BLOCKS, values)
        return sums

    return jax.tree.map(one, counts)


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
        biases = _seed_biases(tally.seeds, column, weights) if tally.seeds else [None] * rules
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
                    seed_bias=biases[k],
                )
            )
    return tuple(result for results in by_rule for result in results)


def _rates(sums: Float[np.ndarray, "rows *batch"]) -> Float[np.ndarray, "values *batch"]:
    """From sums of pairs and of every rule's errors: all error rates, then all reductions."""
    pairs, errors = sums[0], sums[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.concatenate([errors / pairs, 1.0 - errors / errors[0]])


def _seed_biases(
    seeds: SeedCounts, column: int, weights: Float[np.ndarray, "times blocks"]
) -> list[SeedBias]:
    """The seed bias of every rule on one population."""
    pairs, halves = seeds.pairs[..., column], seeds.halves[..., column]  # [blocks, kinds, (rules)]
    with np.errstate(divide="ignore", invalid="ignore"):
        values = halves.sum(axis=0) / 2 / pairs.sum(axis=0)[:, None]
        drawn = np.einsum("tb,bkr->tkr", weights, halves, optimize=True) / 2
        drawn /= (weights @ pairs)[..., None]
    ends = interval(drawn)  # [2, kinds, rules]
    apart = interval(drawn[:, 1] - drawn[:, 0])
    found = []
    for k in range(values.shape[1]):
        higher, lower, near, copies = (
            Share(int(pairs[:, i].sum()), float(values[i, k]), both_ends(ends[:, i, k]))
            for i in range(len(SEED_KINDS))
        )
        difference = lower.value - higher.value
        found.append(SeedBias(higher, lower, difference, both_ends(apart[:, k]), near, copies))
    return found
