"""Surfaces while they are fitted: coefficients made monotone, and how rough they are.

Monotone coefficients are running maxima of free ones. Every monotone coefficient array is its own
running maximum, so every monotone surface can be written in this form.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def monotone(
    raw: Float[Array, "thresholds basis basis"],
) -> Float[Array, "thresholds basis basis"]:
    """Running maxima: up with the threshold, down with the own share, up with the opponent's."""
    raised = jax.lax.cummax(raw, axis=0)
    raised = jax.lax.cummax(raised, axis=1, reverse=True)
    return jax.lax.cummax(raised, axis=2)


def roughness(
    coefficients: Float[Array, "layers basis basis"], axes: Sequence[int]
) -> Float[Array, ""]:
    """Sum of squared second differences along some axes (P-splines, Eilers and Marx 1996)."""
    bends = ((jnp.diff(coefficients, n=2, axis=axis) ** 2).sum() for axis in axes)
    return sum(bends, start=jnp.zeros(()))


def log_odds(
    coefficients: Float[Array, "thresholds basis basis"],
    own: Float[Array, "own basis"],
    opponent: Float[Array, "opponent basis"],
) -> Float[Array, "own opponent thresholds"]:
    """Log-odds of failing each threshold, on a grid of basis rows."""
    return jnp.einsum("tab,oa,pb->opt", coefficients, own, opponent)


def rising(
    coefficients: Float[Array, "results basis basis"],
) -> Float[Array, "results basis basis"]:
    """Running maxima: up with the result, up with the opponent's share.

    Only teams on equal match points are compared, so a constant per own score has no effect: along
    the own share the surface is smooth, not monotone.
    """
    return jax.lax.cummax(jax.lax.cummax(coefficients, axis=0), axis=2)
