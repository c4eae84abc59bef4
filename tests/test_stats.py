"""The bootstrap: multinomial weights, and intervals that leave out what does not exist."""

import numpy as np
import pytest

from tb2learn.stats import CONFIDENCE, RESAMPLES, interval, long_frame, resamples, with_ends


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


def test_an_interval_is_the_middle_95_percent():
    """Of the numbers 0 to 1000, a thousand steps: from the 25th to the 975th."""
    assert CONFIDENCE == 95 and RESAMPLES == 2000
    values = np.arange(1001.0)
    assert interval(values).tolist() == [25, 975]
    columns = with_ends(np.stack([[7.0, *values], [8, *-values]], axis=1), "x", "x_")
    assert list(columns) == ["x", "x_low", "x_high"]
    assert columns["x"].tolist() == [7, 8]
    assert [columns[f"x_{end}"].tolist() for end in ("low", "high")] == [[25, -975], [975, -25]]


def test_a_long_frame_has_its_last_axis_fastest():
    frame = long_frame({"a": [*"xy"], "b": [1, 2]}, {"v": np.array([[3, 4], [5, 6]])})
    assert frame.to_dict("list") == {"a": list("xxyy"), "b": [1, 2, 1, 2], "v": [3, 4, 5, 6]}
