"""The study of rating tables: two formulas. All else is in the report, which is made again."""

import numpy as np
import pytest

from tb2learn.studies.ratings.measure import bipartite_errors


def test_the_printed_bipartite_formula_is_wrong():
    right, printed = bipartite_errors(np.array([3, 1, 1]), np.array([1, -3, -3]))
    assert right == pytest.approx(0) and printed > 1
    # Where both sides score alike it is right up to a factor.
    assert bipartite_errors(np.array([2, 0, -2]), np.array([1, 0, -1])) == pytest.approx((0, 0))
