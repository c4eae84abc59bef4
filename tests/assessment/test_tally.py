"""Counts to error rates and intervals."""

import numpy as np
import pytest

from tb2learn.assessment.tally import Tally, summarise


def test_interval_of_a_known_rate():
    """500 events with one pair each, a fifth wrong: the interval is the binomial one."""
    wrong = (np.arange(500) % 5 == 0).astype(np.int64)
    tally = Tally(
        ("product", "half"),
        np.ones((500, 4), np.int64),
        np.stack([np.repeat(2 * wrong[:, None], 4, 1), np.repeat(wrong[:, None], 4, 1)], axis=1),
        2,
        None,
    )
    first, second = (r for r in summarise(tally, seed=0) if r.top == 10)
    assert first.error_rate == pytest.approx(0.2) and second.reduction == pytest.approx(0.5)
    spread = 1.96 * np.sqrt(0.2 * 0.8 / 500)
    assert first.ci == pytest.approx((0.2 - spread, 0.2 + spread), abs=0.006)
    assert second.reduction_ci == pytest.approx((0.5, 0.5))


def test_no_pairs_is_no_number():
    tally = Tally(("p",), np.zeros((3, 4), np.int64), np.zeros((3, 1, 4), np.int64), 2, None)
    row = summarise(tally, seed=0)[0]
    assert row.pairs == 0 and np.isnan(row.error_rate) and np.isnan(row.ci).all()
