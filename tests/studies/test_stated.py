"""Stated probabilities of real pairs, one by one; what leaving orders open costs."""

import numpy as np

from studies.stated import price_of_sharing
from tb2learn.assessment.calibration import BLOCKS, MARGINS, TOPS, MarginCounts


def test_what_leaving_coin_flips_tied_costs():
    counts = MarginCounts(*np.zeros((2, BLOCKS, len(TOPS), 3, MARGINS), np.int64), 1)
    # Own score 1: 10 pairs at margin 0 (5 right), 30 at margin 100 (27 right, 91 % stated).
    counts.pairs[0, :, 1, 0], counts.right[0, :, 1, 0] = 10, 10
    counts.pairs[1, :, 1, 100], counts.right[1, :, 1, 100] = 30, 54
    none, some, *_ = price_of_sharing(counts, np.full(3, 100.0), (0.5, 0.55)).itertuples()
    assert (none.open, none.wrong, none.wrong_of_all) == (0, 8 / 40, 8 / 40)
    assert (some.open, some.wrong, some.wrong_of_all) == (0.25, 3 / 30, 3 / 40)
    assert some.right_of_open == 0.5
