"""Sums over verdicts in resamples of every event's teams and of its score groups or matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from jaxtyping import Bool, Float, Int

from tb2learn.stats import interval, resamples
from tb2learn.studies.real.verdicts import Verdicts

Sums: TypeAlias = Mapping[str, Float[np.ndarray, "times columns"]]
"""Sums in resamples, by what is resampled: `teams`, or one of `UNITS`."""

UNITS = {"ratings": "score groups", "prediction": "matches"}
"""What is resampled besides teams, by test."""


def resampled(
    test: str,
    found: Sequence[Verdicts],
    columns: Sequence[Float[np.ndarray, "_ columns"]],
    seed: int,
) -> tuple[Float[np.ndarray, " columns"], Sums]:
    """Sums of values over all verdicts of a test, and the same in resamples.

    **Arguments:**

    - `test`: `ratings` or `prediction`.
    - `found`: the verdicts of every event; each is resampled by itself.
    - `columns`: values of every verdict, by event.
    - `seed`: of the resampling.
    """
    generator = np.random.default_rng(seed)
    drawn: dict[str, Float[np.ndarray, "times columns"]] = {}
    for over in (UNITS[test], "teams"):
        weighted = (
            weights(one, over, generator) @ values
            for one, values in zip(found, columns, strict=True)
        )
        drawn[over] = sum(weighted, np.zeros(()))
    return np.sum([values.sum(axis=0) for values in columns], axis=0), drawn


def weights(
    one: Verdicts, over: str, generator: np.random.Generator
) -> Float[np.ndarray, "times items"]:
    """How often every verdict counts in each resample of one event.

    Of teams: as often as both were drawn, as the verdicts on one team are not independent.
    """
    if over == "teams":
        drawn = resamples(one.teams, generator)
        return drawn[:, one.pairs[:, 0]] * drawn[:, one.pairs[:, 1]]
    units, index = np.unique(one.units, return_inverse=True)
    return resamples(len(units), generator)[:, index]


def wider(
    drawn: Mapping[str, Float[np.ndarray, "times *cells"]],
) -> tuple[Float[np.ndarray, "2 *cells"], np.ndarray]:
    """In every cell the widest of the intervals over what is resampled, and which one it is.

    An interval that is not known is the narrowest.
    """
    ends = np.stack([interval(values) for values in drawn.values()])
    widest = np.nan_to_num(ends[:, 1] - ends[:, 0], nan=-1.0).argmax(axis=0)
    found = np.take_along_axis(ends, widest[None, None], axis=0)[0]
    return found, np.array(list(drawn))[widest]


def counted(
    found: Sequence[Verdicts], inside: Sequence[Bool[np.ndarray, "_ populations"]]
) -> tuple[Int[np.ndarray, " populations"], Int[np.ndarray, " populations"]]:
    """How many verdicts belong to each population, and to how many units these belong."""
    pairs = np.sum([some.sum(axis=0) for some in inside], axis=0)
    units = [
        [len(set(one.units[each])) for each in some.T]
        for one, some in zip(found, inside, strict=True)
    ]
    return pairs, np.sum(units, axis=0)
