"""The study of rating tables: laws beside FIDE's table, old ratings, two formulas."""

import numpy as np
import pytest

from tb2learn.studies.ratings.measure import bipartite_errors, measure


@pytest.fixture(scope="module")
def frames():
    return measure()


def test_laws_beside_fides_table(frames):
    assert frames["misses"].number.tolist()[:3] == [6, 110, 525]
    assert frames["laws"].fide[54] == 58 and len(frames["laws"]) == 801


def test_the_printed_bipartite_formula_is_wrong():
    right, printed = bipartite_errors(np.array([3, 1, 1]), np.array([1, -3, -3]))
    assert right == pytest.approx(0) and printed > 1
    # Where both sides score alike it is right up to a factor.
    assert bipartite_errors(np.array([2, 0, -2]), np.array([1, 0, -1])) == pytest.approx((0, 0))


def test_the_printed_ratings_lie_between_two_steps(frames):
    apart = frames["apart"].set_index("name").points
    assert apart["mean of both"] < 6 and frames["period"].restored.item() == 12
    assert apart[["step 3", "step 4", "fixed point", "linear law"]].min() > 11
    assert frames["morphy"].set_index("player").printed["Morphy"] == 695
