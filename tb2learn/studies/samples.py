"""Estimates and their intervals: samples of events, the first of which is what was measured."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from tb2learn.stats import resamples


def samples(blocks: int, seed: int | np.random.Generator) -> Float[np.ndarray, "samples blocks"]:
    """How often each block of events is in every sample: once in the first, as drawn in others.

    **Arguments:** as for `resamples`.
    """
    return np.concatenate([np.ones((1, blocks)), resamples(blocks, seed)])


def shares(
    weights: Float[np.ndarray, "samples blocks"],
    counts: Int[np.ndarray, "blocks things tops"],
    pairs: Int[np.ndarray, "blocks tops"],
    unit: int = 1,
) -> Float[np.ndarray, "samples things tops"]:
    """Counts, in units of `1/unit`, as shares of tied pairs in every sample; NaN without pairs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.tensordot(weights, counts, 1) / unit / (weights @ pairs)[:, None]
