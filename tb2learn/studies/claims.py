"""Claims of authors, held against figures: one table of claim, source, figure and verdict.

Intervals decide. A claim *holds* if all of the interval is on its side of a bar, it *does not hold*
if all of the interval is on the other side, and is *undecided* else. A claim of several figures
holds if it holds for all of them, and does not hold if it does not hold for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from tb2learn.report.frames import Frames

VERDICTS = HOLDS, UNDECIDED, FAILS = "holds", "undecided", "does not hold"

NEARLY = 0.05
"""The bar of claims about *almost all*, which are all but a smaller share than this one, and about
*a chance*, which is a larger share."""


class Judgement(NamedTuple):
    """What a claim was held against.

    **Fields:**

    - `figure`: in words.
    - `verdict`: one of `VERDICTS`.
    """

    figure: str
    verdict: str


class Claim(NamedTuple):
    """What an author claims.

    **Fields:**

    - `text`: in our words.
    - `source`: where it is claimed.
    - `holds`: from the frames of a study to the figure and the verdict.
    """

    text: str
    source: str
    holds: Callable[[Frames], Judgement]


def judged(claims: Iterable[Claim], frames: Frames) -> pd.DataFrame:
    """All claims: `claim`, `source`, `figure`, `verdict`."""
    rows = [(one.text, one.source, *one.holds(frames)) for one in claims]
    return pd.DataFrame(rows, columns=["claim", "source", "figure", "verdict"])


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


def combined(found: Iterable[str]) -> str:
    """The verdict on a claim of several figures, from the verdicts on each."""
    return max(found, key=VERDICTS.index)


def in_columns(counts: Any) -> Judgement:
    """A claim about many columns of figures, from how many have which of `VERDICTS`."""
    holds, undecided, fails = (int(counts[verdict]) for verdict in VERDICTS)
    number = holds + undecided + fails
    figure = f"{holds} of {number} columns show it, {fails} the opposite"
    return Judgement(figure, FAILS if fails else UNDECIDED if undecided else HOLDS)
