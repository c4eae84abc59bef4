"""Subsets of a mean rating near to a given one: all subsets listed, and the field of the source."""

from itertools import combinations
from math import comb

from hypothesis import given
from hypothesis import strategies as st
from quick import examples

from studies.multi_tier import nearest_subsets
from tb2learn.data import read_rows

TOP20 = [int(row["rating"]) for row in read_rows("multitier", "top20.csv")]


@examples(30)
@given(st.lists(st.integers(2000, 2060), min_size=6, max_size=9), st.integers(2, 4))
def test_the_nearest_are_those_of_a_list_of_all(ratings, size):
    players, total = len(ratings), sum(ratings)
    away = [players * sum(some) - size * total for some in combinations(ratings, size)]
    least = min(map(abs, away))
    wanted = min(one for one in away if abs(one) == least), sum(abs(one) == least for one in away)
    assert nearest_subsets(ratings, size) == wanted


def test_the_top_20():
    """Two groups of ten can be perfectly equal, in 1154 of 184756 ways."""
    assert (sum(TOP20), comb(20, 10)) == (55096, 184756)
    assert nearest_subsets(TOP20, 10) == (0, 1154)
    first = [1, 2, 4, 6, 14, 15, 17, 18, 19, 20]
    assert sum(TOP20[rank - 1] for rank in first) == 27548
