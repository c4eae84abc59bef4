"""FIDE's rating tables: expected scores and differences, as printed."""

import math

import numpy as np
import pytest

from tb2learn.chess.rating_tables import (
    EXCEPTIONS,
    SPREAD,
    expected_scores,
    logistic_score,
    normal_score,
    rating_differences,
)
from tb2learn.data import read_rows


def printed():
    """The published table: hundredths by whole difference 0..800."""
    found = {}
    for row in read_rows("thesis", "table_2_1_expected_score.csv"):
        for difference in range(int(row["diff_lo"]), int(row["diff_hi"] or 800) + 1):
            found[difference] = round(100 * float(row["stronger"]))
    return [found[difference] for difference in range(801)]


# --------------------------------------------------------------------------- FIDE's tables


def test_the_table_is_rebuilt_from_the_normal_law():
    table = printed()
    assert expected_scores().tolist() == table[:737] and set(table[736:]) == {100}
    apart = np.arange(801)
    for law, misses in (
        (normal_score(apart), sorted(EXCEPTIONS)),
        (logistic_score(apart), 525),
        (normal_score(apart * SPREAD / (200 * math.sqrt(2))), 110),
    ):
        wrong = np.flatnonzero(np.floor(100 * law + 0.5) != table)
        assert wrong.tolist() == misses or len(wrong) == misses
    # The logistic law, which simulated games follow, is near the table and no more.
    assert 0.0182 < np.abs(logistic_score(apart) - np.array(table) / 100).max() < 0.0183
    near = {54: 0.57495, 343: 0.88503, 344: 0.88571, 358: 0.89490, 392: 0.91497, 620: 0.984997}
    assert near.keys() == EXCEPTIONS.keys()
    for difference, share in near.items():
        assert normal_score(np.array(difference)) == pytest.approx(share, abs=5e-6)


def test_differences_are_those_of_the_rating_regulations():
    """B.02, 8.1.1. They are neither quantiles of the normal law nor of the logistic one."""
    differences = [
        *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149),
        *(158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322),
        *(336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
    ]
    assert rating_differences()[50:].tolist() == differences
    assert rating_differences()[:51].tolist() == [-x for x in differences[::-1]]
    assert logistic_score(np.array([798.2])) == pytest.approx(0.99, abs=1e-5)
