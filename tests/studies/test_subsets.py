"""Subsets of a mean rating near to a given one: all subsets listed, and the field of the source."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from quick import examples

from studies.multi_tier import nearest_subsets


@examples(30)
@given(st.lists(st.integers(2000, 2060), min_size=6, max_size=9), st.integers(2, 4))
def test_the_nearest_are_those_of_a_list_of_all(ratings, size):
    players, total = len(ratings), sum(ratings)
    away = [players * sum(some) - size * total for some in combinations(ratings, size)]
    least = min(map(abs, away))
    wanted = min(one for one in away if abs(one) == least), sum(abs(one) == least for one in away)
    assert nearest_subsets(ratings, size) == wanted
