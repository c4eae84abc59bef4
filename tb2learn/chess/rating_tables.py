"""FIDE's rating tables: expected scores, and performance.

FIDE's table of expected scores is a normal curve with a standard deviation of 2000/7 points for the
difference of two players, rounded to hundredths, but for six differences (FIDE Handbook B.02,
article 8.1.2). Elo's own constant is 200*sqrt(2) = 282.84; the table does not follow from that one.
Beside the normal law stands the logistic one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from statistics import NormalDist
from types import MappingProxyType

import numpy as np

from tb2learn.shapes import Float, Int, Num

PERCENT = 100
"""FIDE's tables are in hundredths of a point a game."""

EXTREME = 800
"""FIDE's rating difference of a score of 100 %, or, with a minus sign, of 0 %."""

SPREAD = 2000 / 7
"""Standard deviation, in rating points, of the normal law behind FIDE's table."""

EXCEPTIONS: Mapping[int, int] = MappingProxyType(
    {54: 58, 343: 88, 344: 88, 358: 90, 392: 92, 620: 99}
)
"""Differences at which FIDE's table differs from the normal law, and what it has there."""

# --------------------------------------------------------------------------- expected scores


def normal_score(difference: Num[np.ndarray, "*games"]) -> Float[np.ndarray, "*games"]:
    """Expected score of the side rated `difference` higher, by the normal law: 0..1."""
    law = NormalDist(0.0, SPREAD)
    return np.vectorize(law.cdf, otypes=[np.float64])(difference)


def logistic_score(difference: Num[np.ndarray, "*games"]) -> Float[np.ndarray, "*games"]:
    """The same by the logistic law, ``1 / (1 + 10^(-difference/400))``."""
    return 1.0 / (1.0 + 10.0 ** (-np.asarray(difference, np.float64) / 400.0))


@lru_cache(maxsize=1)
def expected_scores() -> Int[np.ndarray, " differences"]:
    """FIDE's expected score of the higher rated, in hundredths, by difference 0, 1, ... 736.

    It is 100 from 736 on. Source: FIDE Handbook B.02, article 8.1.2, rebuilt from `normal_score`
    and `EXCEPTIONS`.
    """
    hundredths = np.floor(PERCENT * normal_score(np.arange(EXTREME)) + 0.5).astype(np.int32)
    hundredths[list(EXCEPTIONS)] = list(EXCEPTIONS.values())
    # Up to the first 100; the table is constant from there.
    return hundredths[: np.argmax(hundredths == PERCENT) + 1]


# --------------------------------------------------------------------------- performance


@lru_cache(maxsize=1)
def rating_differences() -> Int[np.ndarray, " percent"]:
    """FIDE's d(p): the rating difference of a score of p = 0 .. 100 hundredths.

    Source: FIDE Handbook B.02, article 8.1.1. It is the middle of the differences whose expected
    score is p, rounded down to a whole number; 800 for p = 100 and -800 for p = 0.
    """
    scores = expected_scores()
    added = np.zeros(PERCENT + 1, np.int32)
    # 50 is the class of difference 0, worth nothing; those below mirror these.
    for percent in range(PERCENT // 2 + 1, PERCENT):
        differences = np.flatnonzero(scores == percent)
        added[percent] = (differences[0] + differences[-1]) // 2
    added[PERCENT] = EXTREME
    return added - added[::-1]  # d(1 - p) = -d(p)
