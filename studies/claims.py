"""Claims of authors, held against figures: one table of claim, figure and verdict.

Intervals decide. A claim *holds* if all of the interval is on its side of a bar, it *does not hold*
if all of the interval is on the other side, and is *undecided* otherwise. A claim of several
figures holds if it holds for all of them, and does not hold if it does not hold for one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import pandas as pd
from jaxtyping import Float

VERDICTS = HOLDS, UNDECIDED, FAILS = "holds", "undecided", "does not hold"

NEARLY = 0.05
"""The bar of claims about *almost all*, which are all but a smaller share than this one, and about
*a chance*, which is a larger share."""

Row: TypeAlias = tuple[str, str, str]
"""A claim in our words, the figure that it is held against in words, and one of `VERDICTS`."""


def judged(rows: Iterable[Row]) -> pd.DataFrame:
    """The claims of a source: `claim`, `figure`, `verdict`."""
    return pd.DataFrame(rows, columns=pd.Index(["claim", "figure", "verdict"]))


def verdicts(
    low: Float[np.ndarray, " figures"], high: Float[np.ndarray, " figures"], bar: float = 0.0
) -> np.ndarray:
    """Whether figures are above a bar, by the ends of their intervals: some of `VERDICTS`."""
    return np.select([low > bar, high < bar], [HOLDS, FAILS], UNDECIDED)


def above(low: float, high: float, bar: float = 0.0) -> str:
    """Whether a figure is above a bar, by the ends of its interval."""
    return str(verdicts(np.array([low]), np.array([high]), bar)[0])


def below(low: float, high: float, bar: float = 0.0) -> str:
    """Whether a figure is below a bar, by the ends of its interval."""
    return above(-high, -low, -bar)


def fact(true: bool) -> str:
    """The verdict on a claim that can be recomputed without any uncertainty."""
    return HOLDS if true else FAILS


def combined(each: Iterable[str]) -> str:
    """The verdict on a claim of several figures, from the verdicts on each."""
    return max(each, key=VERDICTS.index)
