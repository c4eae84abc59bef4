"""Counts of wrong verdicts by block of events, which `error_rates` makes into error rates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import jax
import numpy as np
from jaxtyping import Int

from tb2learn.simulation.measurement import Add
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
higher seed, or the lower seed; both differ by less than one match point of the oracle; they are
equal, as two copies of one roster are. Copies are in no other kind.
"""


@pytree
class FrontCounts:
    """Who stands in front of two nearly equal teams, tied or not; copies are left out.

    Integers, as in `SeedCounts`, by the place of the better team among all by the oracle.

    **Fields:**

    - `pairs`: how many there are.
    - `points`: half verdicts for the higher seed by match points alone, equal points one each.
    - `halves`: the same by match points, then by every rule.
    """

    pairs: Int[Any, "*blocks tops"]
    points: Int[Any, "*blocks tops"]
    halves: Int[Any, "*blocks rules tops"]


@pytree
class SeedCounts:
    """Counts of tied pairs by the two seeds, for every kind of `SEED_KINDS`.

    Integers, by block of events (or of one event, without that axis).

    **Fields:**

    - `pairs`: how many there are.
    - `halves`: half errors of every rule where one seed is better; of nearly equal teams and of
      copies half verdicts for the higher seed.
    - `front`: of nearly equal teams, tied or not; None where that is not counted.
    """

    pairs: Int[Any, "*blocks kinds tops"]
    halves: Int[Any, "*blocks kinds rules tops"]
    front: FrontCounts | None = None


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
    - `seeds`: the same errors by seed; None under the thesis protocol.
    """

    rules: tuple[str, ...]
    pairs: Int[np.ndarray, "blocks tops"]
    errors: Int[np.ndarray, "blocks rules tops"]
    unit: int
    changed: Int[np.ndarray, " tops"] | None
    seeds: SeedCounts | None = None

    def beside(self, other: Tally) -> Tally:
        """The rules of this tally, then those of another one of the same events."""
        seeds = None
        if self.seeds and other.seeds:
            halves = np.concatenate([self.seeds.halves, other.seeds.halves], axis=-2)
            seeds = replace(self.seeds, halves=halves, front=None)
        errors = np.concatenate([self.errors, other.errors], axis=1)
        return replace(self, rules=self.rules + other.rules, errors=errors, seeds=seeds)

    def without_last(self) -> Tally:
        """The tally of all rules but the last."""
        seeds = self.seeds
        if seeds:
            front = seeds.front and replace(seeds.front, halves=seeds.front.halves[..., :-1, :])
            seeds = replace(seeds, halves=seeds.halves[..., :-1, :], front=front)
        return replace(self, rules=self.rules[:-1], errors=self.errors[:, :-1], seeds=seeds)


def by_block(events: int) -> Add:
    """An `Add` for `sum_events` that adds the counts of events to those of their blocks."""
    return partial(_add_to_blocks, min(events, BLOCKS))


def _add_to_blocks(blocks: int, numbers: np.ndarray, counts: Any) -> Any:
    def one(values: np.ndarray) -> np.ndarray:
        sums = np.zeros((blocks, *values.shape[1:]), np.int64)
        # Fewer events have fewer numbers, so these fit `blocks`.
        np.add.at(sums, numbers % BLOCKS, values)
        return sums

    return jax.tree.map(one, counts)
