"""One table of error rates: from counts to rates and intervals, and what is refused."""

import numpy as np
import pytest
from assess_samples import CONFIG

from tb2learn.assessment.error_rates import assess, rates
from tb2learn.assessment.tally import SeedCounts, Tally
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError


def row_of(frame, rule, top="1"):
    (row,) = frame[(frame["rule"] == rule) & (frame["top"] == top)].itertuples()
    return row


def test_intervals_of_known_rates():
    """500 events with one pair each, a fifth wrong: the interval is the binomial one."""
    wrong = (np.arange(500) % 5 == 0).astype(np.int64)
    errors = np.stack([np.repeat(2 * wrong[:, None], 4, 1), np.repeat(wrong[:, None], 4, 1)], 1)
    tally = Tally(("product", "half"), np.ones((500, 4), np.int64), errors, 2, None)
    frame = rates(tally, 0, ["product"])
    assert frame["top"].tolist() == ["1", "3", "10", "30"] * 2
    first, second = row_of(frame, "product", "10"), row_of(frame, "half", "10")
    assert first.error == pytest.approx(0.2) and second.saved == pytest.approx(0.5)
    spread = 1.96 * np.sqrt(0.2 * 0.8 / 500)
    ends = pytest.approx((0.2 - spread, 0.2 + spread), abs=0.006)
    assert (first.error_low, first.error_high) == ends
    assert (second.saved_low, second.saved_high) == pytest.approx((0.5, 0.5))
    assert second.than_product == pytest.approx(-0.1) and first.than_product_high == 0
    assert "apart" not in frame


def test_seed_bias_of_known_counts():
    """500 events with one pair of each kind: shares, and binomial intervals."""
    number = 500
    ones = np.ones((number, 1), np.int64)
    fifth = 2 * (np.arange(number) % 5 == 0)  # half errors in a fifth
    halves = np.stack([fifth, 2 - fifth, 2 - fifth, fifth], axis=1)[..., None, None]
    seeds = SeedCounts(np.ones((number, 4, 1), np.int64), halves)
    errors = np.zeros((number, 1, 1), np.int64)
    row = row_of(rates(Tally(("p",), ones, errors, 2, None, seeds), 0, ["p"]), "p")
    assert [row.higher_better, row.lower_better, row.near_equal, row.copies] == [0.2, 0.8, 0.8, 0.2]
    assert row.apart == pytest.approx(0.6) and row.near_equal_pairs == number
    spread = 1.96 * np.sqrt(0.8 * 0.2 / number)
    ends = pytest.approx((0.8 - spread, 0.8 + spread), abs=0.006)
    assert (row.near_equal_low, row.near_equal_high) == ends
    # Both errors come from the same events, so the difference is spread twice as much.
    ends = pytest.approx((0.6 - 2 * spread, 0.6 + 2 * spread), abs=0.012)
    assert (row.apart_low, row.apart_high) == ends and row.near_than_p == 0


def test_no_pairs_is_no_number():
    zeros = np.zeros((3, 1), np.int64)
    seeds = SeedCounts(np.zeros((3, 4, 1), np.int64), np.zeros((3, 4, 1, 1), np.int64))
    frame = rates(Tally(("p",), zeros, np.zeros((3, 1, 1), np.int64), 2, None, seeds), 0)
    numbers = frame.drop(columns=["rule", "top"])
    whole = [name for name in numbers if name.endswith("pairs")]
    assert len(whole) == 5 and (numbers[whole] == 0).all(axis=None)
    assert numbers.drop(columns=whole).isna().all(axis=None)


def test_wrong_arguments_are_named():
    with pytest.raises(InputError, match="for 7 rounds, the event has 5"):
        assess(CONFIG, [product_table(7, 2)], 1, 1)
    with pytest.raises(InputError, match="on 4 boards, the event has 2"):
        assess(CONFIG, [product_table(5, 4)], 1, 1)
