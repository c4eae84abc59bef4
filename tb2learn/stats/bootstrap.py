"""The bootstrap: weights of resampling with replacement, and percentile intervals."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from jaxtyping import Float

CONFIDENCE = 95
"""Percent of the bootstrap values that lie in an interval."""

RESAMPLES = 2000
"""Bootstrap samples behind an interval, where nothing else is said."""


def resamples(
    number: int, seed: int | np.random.Generator, times: int = RESAMPLES
) -> Float[np.ndarray, "times things"]:
    """How often each thing is drawn in every bootstrap sample: multinomial weights.

    **Arguments:**

    - `number`: how many things (events, blocks of events, matches, teams) there are, at least 1.
    - `seed`: of the draws, or a generator that makes them.
    - `times`: how many samples of `number` things, drawn with replacement.

    **Returns:** whole numbers as floats, ready for matrix products; every row adds up to `number`.
    They cannot be written to: those of a seed are drawn once for all rules that are compared.
    """
    if isinstance(seed, np.random.Generator):
        return _drawn(number, seed, times)
    return _drawn_once(number, seed, times)


@lru_cache(maxsize=2)
def _drawn_once(number: int, seed: int, times: int) -> Float[np.ndarray, "times things"]:
    return _drawn(number, np.random.default_rng(seed), times)


def _drawn(
    number: int, generator: np.random.Generator, times: int
) -> Float[np.ndarray, "times things"]:
    chances = np.full(number, 1.0 / number)
    weights = generator.multinomial(number, chances, times).astype(np.float64)
    weights.flags.writeable = False
    return weights


def interval(values: Float[np.ndarray, "times *values"]) -> Float[np.ndarray, "2 *values"]:
    """The percentile interval of bootstrap values: the middle `CONFIDENCE` percent.

    **Arguments:**

    - `values`: one a sample, along the first axis; those that are NaN or infinite are left out.

    **Returns:** both ends, NaN where no value is left.
    """
    usable = np.where(np.isfinite(values), values, np.nan)
    known = np.isfinite(values).any(axis=0)
    tail = (100 - CONFIDENCE) / 2
    ends = np.full((2, *values.shape[1:]), np.nan)
    ends[:, known] = np.nanpercentile(usable[:, known], [tail, 100 - tail], axis=0)
    return ends


def both_ends(ends: Float[np.ndarray, "2"]) -> tuple[float, float]:
    """An interval as two floats."""
    low, high = ends.tolist()
    return low, high
