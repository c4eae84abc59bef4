"""Paired comparison in the largest event; its scores are tried by `test_contract`."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import recorded_of

from tb2learn.tiebreaks.paired import LeastSquares, RowSum


@pytest.mark.thorough
def test_sums_of_the_largest_event_do_not_overflow():
    """1000 teams, 12 boards, 15 rounds, in the longest chain there is and in pairs."""
    teams, boards = 1000, 12
    number = np.random.default_rng(1).permutation(teams).tolist()
    pairs = [(number[i], number[i + 1], 2 * boards) for i in range(0, teams, 2)]
    others = [(number[i], number[i + 1], 2 * boards) for i in range(1, teams - 1, 2)]
    ends = [(number[0], None, boards), (number[-1], None, boards)]
    score = jax.jit(LeastSquares().scores)
    chain = recorded_of(teams, boards, [pairs, [*others, *ends], *[pairs] * 13])
    # Every team is 6 board points better than the next one.
    found = np.asarray(score(chain))[number]
    np.testing.assert_array_equal(found, 60_000 * np.arange(teams - 1, -teams, -2) // 2)
    met = recorded_of(teams, boards, [pairs] * 15)
    assert set(np.asarray(score(met)).tolist()) == {30_000, -30_000}
    # In pairs L s = 30 s: x = (6 + 15*1000) / (6 + 30) * 90 board points.
    summed = jax.jit(RowSum(jnp.int32(6)).scores)(met)
    assert set(np.asarray(summed).tolist()) == {375_150_000, -375_150_000}
