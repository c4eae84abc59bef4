"""Counts to error rates and intervals."""

import numpy as np
import pytest

from tb2learn.assessment.tally import SeedCounts, Tally, summarise


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


def test_seed_bias_of_known_counts():
    """500 events with one pair of each kind: shares, and binomial intervals."""
    number = 500
    ones = np.ones((number, 1), np.int64)
    fifth = 2 * (np.arange(number) % 5 == 0)  # half errors in a fifth
    halves = np.stack([fifth, 2 - fifth, 2 - fifth, fifth], axis=1)[..., None, None]
    seeds = SeedCounts(np.ones((number, 4, 1), np.int64), halves)
    errors = np.zeros((number, 1, 1), np.int64)
    (row,) = summarise(Tally(("p",), ones, errors, 2, None, seeds), seed=0)
    bias = row.seed_bias
    assert [one.value for one in bias.shares.values()] == [0.2, 0.8, 0.8, 0.2]
    assert bias.difference == pytest.approx(0.6) and bias.near.pairs == number
    spread = 1.96 * np.sqrt(0.8 * 0.2 / number)
    assert bias.near.ci == pytest.approx((0.8 - spread, 0.8 + spread), abs=0.006)
    # Both errors come from the same events, so the difference is spread twice as much.
    assert bias.difference_ci == pytest.approx((0.6 - 2 * spread, 0.6 + 2 * spread), abs=0.012)


def test_no_pairs_have_no_bias():
    zeros = np.zeros((3, 1), np.int64)
    seeds = SeedCounts(np.zeros((3, 4, 1), np.int64), np.zeros((3, 4, 1, 1), np.int64))
    tally = Tally(("p",), zeros, np.zeros((3, 1, 1), np.int64), 2, None, seeds)
    bias = summarise(tally, seed=0)[0].seed_bias
    assert np.isnan([bias.near.value, *bias.near.ci, bias.difference, *bias.difference_ci]).all()
