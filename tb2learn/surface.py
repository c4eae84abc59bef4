"""The scoring surface: a smooth, monotone function of two match-point shares and a result.

For every threshold of game points there is a log-odds of failing to reach it, a tensor-product
cubic B-spline in (own share, opponent's share). Its coefficients are running maxima, so they never
fall with the threshold or the opponent's share and never rise with the own share; a B-spline with
monotone coefficients is monotone. Every monotone coefficient array is its own running maximum, so
nothing is lost by this form.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy import interpolate, special

from tb2learn.difficulty import difficulty_score
from tb2learn.types import Shares

DEGREE = 3


@dataclass(frozen=True)
class Surface:
    """A fitted scoring surface.

    **Fields:**

    - `coefficients`: float64 `[2*boards, knots+3, knots+3]`, monotone log-odds coefficients by
      threshold (1/2 .. boards game points), own share, opponent's share.
    - `rounds`: number of rounds it was trained at; shares make it valid for others.
    """

    coefficients: Float[np.ndarray, "thresholds basis basis"]
    rounds: int

    @property
    def boards(self) -> int:
        """Games a match."""
        return self.coefficients.shape[0] // 2


def shares(rounds: int) -> Shares:
    """All match-point shares of an event: 0, 1/(2 rounds), ... 1."""
    return np.arange(2 * rounds + 1) / (2 * rounds)


def basis(share: Shares, knots: int) -> Float[np.ndarray, "n basis"]:
    """Cubic B-spline basis on `knots` equal pieces of 0..1.

    **Arguments:**

    - `share`: match-point shares, 0..1.
    - `knots`: number of pieces, at least 1.

    **Returns:** `[n, knots + 3]`, non-negative rows that add up to 1.
    """
    positions = np.arange(-DEGREE, knots + DEGREE + 1) / knots
    return interpolate.BSpline.design_matrix(
        np.asarray(share, np.float64), positions, DEGREE
    ).toarray()


def monotone(
    raw: Float[Array, "thresholds basis basis"],
) -> Float[Array, "thresholds basis basis"]:
    """Running maxima: up with the threshold, down with the own share, up with the opponent's."""
    raised = jax.lax.cummax(raw, axis=0)
    raised = jax.lax.cummax(raised, axis=1, reverse=True)
    return jax.lax.cummax(raised, axis=2)


def log_odds(
    coefficients: Float[Array, "thresholds basis basis"],
    own: Float[Array, "own basis"],
    opponent: Float[Array, "opponent basis"],
) -> Float[Array, "own opponent thresholds"]:
    """Log-odds of failing each threshold, on a grid of basis rows."""
    return jnp.einsum("tab,oa,pb->opt", coefficients, own, opponent)


def fail_probability(
    surface: Surface, own: Shares, opponent: Shares
) -> Float[np.ndarray, "own opponent thresholds"]:
    """Chance of failing each threshold 1/2 .. boards, on a grid of shares, in double precision."""
    knots = surface.coefficients.shape[1] - DEGREE
    odds = np.einsum(
        "tab,oa,pb->opt", surface.coefficients, basis(own, knots), basis(opponent, knots)
    )
    return special.expit(odds)


def predict(
    surface: Surface, own: Shares, opponent: Shares
) -> Float[np.ndarray, "own opponent results"]:
    """The scoring function c on a grid of shares.

    **Arguments:**

    - `surface`: a fitted surface.
    - `own`, `opponent`: match-point shares, 0..1; also such that no log cell has.

    **Returns:** float64 in 0..1 by own share, opponent's share and half points: never falling in
    the last two, never rising in the first.
    """
    return difficulty_score(fail_probability(surface, own, opponent))
