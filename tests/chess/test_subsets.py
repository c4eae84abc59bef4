"""Subsets of a mean rating near to a given one: all subsets listed, and the field of the source."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import examples

from studies.subsets import nearest_subsets
from tb2learn.types import InputError


@examples(30)
@given(st.lists(st.integers(2000, 2060), min_size=6, max_size=9), st.integers(2, 4))
def test_the_nearest_are_those_of_a_list_of_all(ratings, size):
    players, total = len(ratings), sum(ratings)
    away = [players * sum(some) - size * total for some in combinations(ratings, size)]
    least = min(map(abs, away))
    wanted = min(one for one in away if abs(one) == least), sum(abs(one) == least for one in away)
    assert nearest_subsets(ratings, size, total, players) == wanted


def test_too_many_sums_are_refused():
    with pytest.raises(InputError, match=r"groups of 250 of 500 players .* too many to count"):
        nearest_subsets(list(range(1, 2001, 4)), 250, 500_000, 500)
