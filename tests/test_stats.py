"""The bootstrap: multinomial weights, and intervals that leave out what does not exist."""

import numpy as np
import pytest

from tb2learn.stats import interval, resamples


def test_weights_count_draws_with_replacement():
    weights = resamples(50, 1, 1000)
    assert weights.shape == (1000, 50) and (weights.sum(axis=1) == 50).all()
    assert (weights == np.rint(weights)).all() and weights.min() == 0
    np.testing.assert_array_equal(weights, resamples(50, 1, 1000))
    assert (weights != resamples(50, 2, 1000)).any()
    # A count of 50 draws of chance 1/50.
    assert weights.var() == pytest.approx(0.98, abs=0.02)


def test_what_does_not_exist_is_left_out():
    values = np.array([[1.0, np.nan, np.inf], [np.nan, np.nan, 2.0], [3.0, np.nan, 4.0]])
    low, high = interval(values)
    assert low == pytest.approx([1.05, np.nan, 2.05], nan_ok=True)
    assert high == pytest.approx([2.95, np.nan, 3.95], nan_ok=True)
    assert np.isnan(interval(np.full(4, np.nan))).all()
