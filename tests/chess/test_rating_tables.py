"""Rating tables: FIDE's figures, the worked example of a new rating, relative ratings."""

import math
from fractions import Fraction

import numpy as np
import pytest

from studies.ratings import (
    bipartite_ratings,
    normal_difference,
)
from tb2learn.chess.rating_tables import (
    EXCEPTIONS,
    SPREAD,
    expected_hundredths,
    expected_scores,
    logistic_score,
    normal_score,
    performance_difference,
    rating_differences,
)
from tb2learn.data import read_rows
from tb2learn.types import InputError


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
    assert normal_difference(np.array([0.99])) == pytest.approx(664.7, abs=0.05)
    assert logistic_score(np.array([798.2])) == pytest.approx(0.99, abs=1e-5)


def test_expectations_and_performances():
    ahead = np.array([0, 3, 4, -3, -4, 400, -400, 735, 736, -736, 5000])
    expected = [50, 50, 51, 50, 49, 92, 8, 99, 100, 0, 100]
    assert expected_hundredths(ahead).tolist() == expected
    points, games = np.array([0, 9, 10, 16, 18, 5, 2]), np.array([9, 9, 9, 9, 9, 5, 3])
    # 0, 1/2, 56 %, 89 %, all, 1/2, 33 %
    assert performance_difference(points, games).tolist() == [-800, 0, 43, 351, 800, 0, -125]


@pytest.mark.parametrize("share", [0.0, 1.0, math.nan])
def test_no_difference_is_enough_for_all_points(share):
    with pytest.raises(InputError, match="0 or 100 %"):
        normal_difference(np.array([0.5, share]))


# --------------------------------------------------------------------------- relative ratings


@pytest.mark.parametrize(("a", "b"), [(3, 3), (4, 4), (2, 5)])
def test_complete_bipartite_fields(a, b):
    """Against the general solution, and the exact fractions of two equal sides."""
    result = np.random.default_rng(a).integers(-1, 2, (a, b))
    own, other = result.sum(axis=1), -result.sum(axis=0)
    games = np.zeros((a + b, a + b))
    games[:a, a:] = 1
    games += games.T
    laplacian = np.diag(games.sum(axis=1)) - games
    wanted = np.linalg.lstsq(laplacian, np.concatenate([own, other]), rcond=None)[0]
    found = np.concatenate(bipartite_ratings(own, other))
    assert found == pytest.approx(wanted)
    if a == b:
        exact = [Fraction(int(2 * a * s - own.sum()), 2 * a * a) for s in own]
        assert found[:a] == pytest.approx([float(q) for q in exact])
        # The printed formula has the sum of the own side with the other sign, and a factor.
        printed_one = (2 * own + own.sum() / a) / (2 * a * a)
        assert not np.allclose(printed_one * a, wanted[:a]) or own.sum() == 0
