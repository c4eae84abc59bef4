"""Claims of authors, held against figures: one table of claim, figure and verdict.

Intervals decide. A claim *holds* if all of the interval is on its side of a bar, it *does not hold*
if all of the interval is on the other side, and is *undecided* otherwise. A claim of several
figures holds if it holds for all of them, and does not hold if it does not hold for one.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from jaxtyping import Float

VERDICTS = HOLDS, UNDECIDED, FAILS = "holds", "undecided", "does not hold"

NEARLY = 0.05
"""The bar of claims about *almost all*, which are all but a smaller share, and *a chance*."""


def verdicts(
    low: Float[np.ndarray, " figures"], high: Float[np.ndarray, " figures"], bar: float = 0.0
) -> np.ndarray:
    """Whether figures are above a bar, by the ends of their intervals: some of `VERDICTS`."""
    return np.select([low > bar, high < bar], [HOLDS, FAILS], UNDECIDED)


def combined(each: Iterable[str]) -> str:
    """The verdict on a claim of several figures, from the verdicts on each."""
    return max(each, key=VERDICTS.index)
