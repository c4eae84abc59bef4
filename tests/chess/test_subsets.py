"""Groups of equal mean rating: against all subsets listed, and figures of the source's field."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tb2learn.chess.subsets import equal_groups, nearest_subsets
from tb2learn.data import read_rows
from tb2learn.types import InputError

TOP20 = [int(row["rating"]) for row in read_rows("multitier", "top20.csv")]


def listed(ratings, size, total, players):
    """The nearest subsets, by listing all."""
    away = {
        chosen: abs(players * sum(ratings[i] for i in chosen) - size * total)
        for chosen in combinations(range(len(ratings)), size)
    }
    return [chosen for chosen in away if away[chosen] == min(away.values())]


@settings(max_examples=30)
@given(st.lists(st.integers(2000, 2060), min_size=6, max_size=9), st.integers(0, 99))
def test_the_rule_is_followed(ratings, seed):
    groups = next(n for n in (3, 2, 1) if len(ratings) % n == 0)
    size, left = len(ratings) // groups, list(range(len(ratings)))
    found = equal_groups(ratings, groups, np.random.default_rng(seed))
    for group in found[:-1]:
        nearest = listed([ratings[i] for i in left], size, sum(ratings), len(ratings))
        assert tuple(left.index(i) for i in group) in nearest
        left = [i for i in left if i not in group]
    assert found[-1] == left
    nearest = listed(ratings, size, sum(ratings), len(ratings))
    away, count = nearest_subsets(ratings, size, sum(ratings), len(ratings))
    assert count == len(nearest)
    assert abs(away) == abs(
        len(ratings) * sum(ratings[i] for i in nearest[0]) - size * sum(ratings)
    )


def test_the_top_20():
    """Two groups of ten can be perfectly equal, in 1154 of 184756 ways."""
    assert (sum(TOP20), comb(20, 10)) == (55096, 184756)
    assert nearest_subsets(TOP20, 10, sum(TOP20), 20) == (0, 1154)
    first = [1, 2, 4, 6, 14, 15, 17, 18, 19, 20]
    assert sum(TOP20[rank - 1] for rank in first) == 27548
    groups = equal_groups(TOP20, 2, np.random.default_rng(1))
    assert [sum(TOP20[i] for i in group) for group in groups] == [27548, 27548]


def test_the_lot_is_fair():
    ratings, generator = [5, 5, 5, 5, 7, 3], np.random.default_rng(3)
    drawn = Counter(tuple(equal_groups(ratings, 2, generator)[0]) for _ in range(1200))
    # Three fives, or one five with 7 and 3: four ways each.
    assert len(drawn) == 8 and max(abs(count - 150) for count in drawn.values()) < 5 * 150**0.5


def test_thirty_players_are_split_exactly():
    ratings = np.random.default_rng(2).integers(1600, 2500, 30).tolist()
    groups = equal_groups(ratings, 3, np.random.default_rng(4))
    sums = [sum(ratings[i] for i in group) for group in groups]
    assert sorted(i for group in groups for i in group) == list(range(30))
    assert max(abs(3 * one - sum(ratings)) for one in sums) <= 3


def test_what_is_refused():
    with pytest.raises(InputError, match="groups must divide 20 players, got 3"):
        equal_groups(TOP20, 3, np.random.default_rng(1))
    with pytest.raises(InputError, match="too many to count"):
        equal_groups(list(range(1, 2001, 4)), 2, np.random.default_rng(1))
