"""What a training has found, and how well it fits or decides. Loads no JAX."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from tb2learn.training.surface import Surface, ValueSurface


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


@dataclass(frozen=True)
class PassFit:
    """How well one pass of a table, or a formula, decides.

    **Fields:**

    - `losses`: `[steps]` mean pairwise logistic loss a tied pair, on the fresh events of each step.
    - `held_out_pairs`, `held_out_errors`: tied pairs of the held-out events, and wrong verdicts on
      them (an equal score is half a wrong one).
    - `descents`: how many descents led to a formula, each over as many fresh events; `losses` are
      those of the last one.
    """

    losses: Float[np.ndarray, " steps"]
    held_out_pairs: int
    held_out_errors: float
    descents: int = 1


@dataclass(frozen=True)
class DecisionFit:
    """The surfaces of all passes, and a `PassFit` of each."""

    surfaces: tuple[ValueSurface, ...]
    passes: tuple[PassFit, ...]
