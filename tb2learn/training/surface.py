"""The scoring surface: a smooth, monotone function of two match-point shares and a result.

For every threshold of game points there is a log-odds of failing to reach it, a tensor-product
cubic B-spline in (own share, opponent's share). Its coefficients never fall with the threshold or
the opponent's share and never rise with the own share; a B-spline with monotone coefficients is
monotone. `fit_surface` makes them so while they are fitted; this module loads no JAX.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from tb2learn.tiebreaks.passes import MOST_REFINEMENT, margin
from tb2learn.types import Shares

DEGREE = 3
"""Of the B-splines."""


@dataclass(frozen=True)
class Surface:
    """A fitted scoring surface.

    **Fields:**

    - `coefficients`: float64 `[2*boards, knots+3, knots+3]`, monotone log-odds coefficients by
      threshold (1/2 .. boards game points), own share, opponent's share.
    - `rounds`: number of rounds it was trained at; by shares it applies to other numbers too.
    """

    coefficients: Float[np.ndarray, "thresholds basis basis"]
    rounds: int

    @property
    def boards(self) -> int:
        """Games a match."""
        return self.coefficients.shape[0] // 2


def share_grid(rounds: int) -> Shares:
    """All match-point shares of an event: 0, 1/(2 rounds), ... 1."""
    return np.arange(2 * rounds + 1) / (2 * rounds)


def basis(share: Shares, knots: int) -> Float[np.ndarray, "n basis"]:
    """Cubic B-spline basis on `knots` equal pieces of 0..1.

    **Arguments:**

    - `share`: match-point shares, 0..1.
    - `knots`: number of pieces, at least 1.

    **Returns:** `[n, knots + 3]`, non-negative rows that add up to 1. They are those of scipy's
    `BSpline.design_matrix`, bit for bit, which takes longer to import than an event to rank.
    """
    # Knots go on beyond both ends, so that all splines have one shape.
    positions = np.arange(-DEGREE, knots + DEGREE + 1) / knots
    # The piece that a share lies on; a share of 1 lies on the last one.
    piece = np.clip(np.searchsorted(positions, share, "right") - 1, DEGREE, knots + DEGREE - 1)
    pieces = np.zeros((DEGREE + 1, len(share)))  # the splines that are not 0 on the piece
    pieces[0] = 1
    for degree in range(1, DEGREE + 1):
        lower = pieces[:degree].copy()
        pieces[0] = 0
        for n in range(1, degree + 1):
            # A spline of this degree is made of the two of the degree below that overlap it.
            low, high = positions[piece + n - degree], positions[piece + n]
            part = lower[n - 1] / (high - low)
            pieces[n - 1] += part * (high - share)
            pieces[n] = part * (share - low)
    splines = np.zeros((len(share), knots + DEGREE))
    splines[np.arange(len(share)), piece - DEGREE + np.arange(DEGREE + 1)[:, None]] = pieces
    return splines


def bending(size: int) -> Float[np.ndarray, "size size"]:
    """The sum of squared second differences of so many coefficients, as a quadratic form."""
    second = np.diff(np.eye(size), n=2, axis=0)
    return second.T @ second


def fail_probability(
    surface: Surface,
    own: Float[np.ndarray, " own"],
    opponent: Float[np.ndarray, " opponent"],
) -> Float[np.ndarray, "own opponent thresholds"]:
    """Chance of failing each threshold 1/2 .. boards, on a grid of shares, in double precision."""
    from scipy import special

    knots = surface.coefficients.shape[1] - DEGREE
    odds = np.einsum(
        "tab,oa,pb->opt", surface.coefficients, basis(own, knots), basis(opponent, knots)
    )
    return special.expit(odds)


def predict(
    surface: Surface,
    own: Float[np.ndarray, " own"],
    opponent: Float[np.ndarray, " opponent"],
) -> Float[np.ndarray, "own opponent results"]:
    """The scoring function c on a grid of shares.

    **Arguments:**

    - `surface`: a fitted surface.
    - `own`, `opponent`: match-point shares, any in 0..1.

    **Returns:** float64 in 0..1 by own share, opponent's share and half points: never falling in
    the last two, never rising in the first.
    """
    return difficulty_score(fail_probability(surface, own, opponent))


# --------------------------------------------------------------------------- values


@dataclass(frozen=True)
class ValueSurface:
    """The scoring surface of one pass of a pass table: what a result is worth.

    A `Surface` gives how hard a result is. This one gives how many match points better a team is
    for it; 0 is the average result of teams on the same match points.

    **Fields:**

    - `coefficients`: float64 `[results, knots+3, knots+3]` by result, own share and the share that
      the opponent counts as. The latter reaches `MOST_REFINEMENT` beyond 0..1 on both sides.
    - `mean_value`: float64 `[own]`, subtracted from every value of an own score.
    - `rounds`: number of rounds it was trained at.
    """

    coefficients: Float[np.ndarray, "results basis basis"]
    mean_value: Float[np.ndarray, " own"]
    rounds: int

    @property
    def boards(self) -> int:
        """Games a match."""
        return self.coefficients.shape[0] // 2


def columns(rounds: int) -> Shares:
    """What an opponent may count as, a share a column of a pass table."""
    return np.arange(-margin(rounds), 2 * rounds + margin(rounds) + 1) / (2 * rounds)


def opponent_basis(share: Shares, knots: int) -> Float[np.ndarray, "n basis"]:
    """The basis along the refined opponent's share, -`MOST_REFINEMENT` .. 1 + `MOST_REFINEMENT`.

    Shares beyond it count as its ends.
    """
    # From all that an opponent can count as to 0..1.
    stretched = (np.asarray(share) + MOST_REFINEMENT) / (1.0 + 2.0 * MOST_REFINEMENT)
    return basis(np.clip(stretched, 0.0, 1.0), knots)


def predict_value(
    surface: ValueSurface,
    own: Float[np.ndarray, " own"],
    opponent: Float[np.ndarray, " opponent"],
) -> Float[np.ndarray, "own opponent results"]:
    """What results are worth on a grid of shares, in match points at the rounds of the training.

    **Returns:** float64 by own share, share the opponent counts as and half points: never falling
    in the last two.
    """
    knots = surface.coefficients.shape[1] - DEGREE
    values = np.einsum(
        "gab,oa,pb->opg", surface.coefficients, basis(own, knots), opponent_basis(opponent, knots)
    )
    mean_value = np.interp(own, share_grid(surface.rounds), surface.mean_value)
    return values - mean_value[:, None, None]


# --------------------------------------------------------------------------- fits


@dataclass(frozen=True)
class Fit:
    """A fitted surface and how well it fits.

    Deviances are means over matches and thresholds, above those of the judged log's own
    frequencies: 0 is a perfect fit.

    **Fields:**

    - `surface`: the result.
    - `losses`: `[steps]`, the penalised loss at every step of the optimiser.
    - `deviance`: on the log it was fitted to.
    - `held_out_deviance`: on a log of other events.
    - `held_out_noise`: on that log, the deviance of the fitted log's raw frequencies, that is of a
      surface that memorises the training events.
    """

    surface: Surface
    losses: Float[np.ndarray, " steps"]
    deviance: float
    held_out_deviance: float
    held_out_noise: float


def difficulty_score(fail: np.ndarray) -> np.ndarray:
    """Score of a result: the mean of the chances to fail to reach it and the next better one.

    **Arguments:**

    - `fail`: `[..., 2*boards]`, chance of scoring less than 1/2, 1, ... boards game points.

    **Returns:** `[..., 2*boards+1]` in 0..1, by half points scored: `c = (p + q)/2` with `p` at the
    result and `q` half a point above; `p(0) = 0`, and `q = p` at the top. Source: Naray 2020, with
    the half point that is missing in the printed definition but not in Table 4.9.
    """
    # Nobody fails to score 0 ...
    p = np.concatenate([np.zeros_like(fail[..., :1]), fail], axis=-1)
    # ... and above all boards there is no next result.
    q = np.concatenate([fail, fail[..., -1:]], axis=-1)
    return (p + q) / 2.0
