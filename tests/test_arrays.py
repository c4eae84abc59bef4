"""Functions for arrays of NumPy and JAX, on NumPy's by hand."""

import numpy as np

from tb2learn import arrays


def test_sums_by_group_ranks_and_places():
    groups, values = np.array([1, 0, 1, 2]), np.array([[1, 2, 4, 8], [3, 0, 0, 1]])
    assert arrays.summed_by(groups, values).tolist() == [[2, 5, 8, 0], [0, 3, 1, 0]]
    assert arrays.put(np.array([2, 0, 1]), np.array([7, 8, 9])).tolist() == [8, 9, 7]
    first, second = np.array([5, 3, 5, 3, 5]), np.array([1, 2, 0, 2, 1])
    assert arrays.dense_rank(first).tolist() == [1, 0, 1, 0, 1]
    assert arrays.dense_rank(first, second).tolist() == [2, 0, 1, 0, 2]


def test_steps_are_taken_while_something_is_unfinished():
    assert arrays.loop_while(groups := np.zeros(1), lambda x: x < 5, lambda x: x + 2, 0) == 6
    assert arrays.loop_while(groups, lambda x: x < 5, lambda x: x + 2, 5) == 5
    assert arrays.stored_once(groups, lambda x: 2 * x, 4) == 8
    assert arrays.as_fractions(np.array([1, 2])).dtype == float and not arrays.compiled(groups)
