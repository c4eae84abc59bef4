"""Which items a cut leaves out, and what an event says of its rounds: arrays by hand."""

import numpy as np
from helpers import results_from

from tb2learn.chess.items import AfterCut, Cut, Items, highest, left_out, lowest
from tb2learn.chess.results import (
    cut_items,
    is_round_robin,
    match_points,
    product_points,
    times_met,
    weakest_item,
)
from tb2learn.types import BYE


def of_team(*values):
    """The rounds of one team."""
    return np.array(values)[:, None]


def places_out(counted, low, high, scores):
    keys = (of_team(*scores),)
    out = left_out(
        of_team(*counted), low, high, lambda x: lowest(keys, x), lambda x: highest(keys, x)
    )
    return np.flatnonzero(out).tolist()


def test_of_equal_items_the_lowest_is_the_earliest_and_the_highest_the_latest():
    left = np.ones((4, 1), bool)
    assert lowest((of_team(5, 2, 2, 5),), left) == 1 and highest((of_team(5, 2, 2, 5),), left) == 3
    assert lowest((of_team(2, 2, 2, 5), of_team(1, 0, 0, 0)), left) == 1
    assert highest((of_team(5, 5, 5, 2), of_team(0, 1, 1, 2)), left) == 2
    # Only among those that are left; booleans are keys, too, and False is the lowest.
    assert lowest((of_team(5, 2, 2, 5),), of_team(True, False, False, True)) == 0
    assert highest((of_team(5, 2, 2, 5),), of_team(True, True, True, False)) == 0
    assert lowest((of_team(True, False, True, False), of_team(1.0, 3.0, 0.5, 2.5)), left) == 3
    assert highest((of_team(True, False, True, False),), left) == 2


def test_a_cut_takes_the_lowest_first_and_all_of_who_has_fewer():
    everything = [True] * 4
    assert places_out(everything, 2, 0, [3, 1, 2, 0]) == [1, 3]
    assert places_out(everything, 0, 2, [3, 1, 2, 0]) == [0, 2]
    assert places_out(everything, 1, 1, [3, 1, 2, 0]) == [0, 3]
    assert places_out(everything, 1, 1, [2, 2, 2, 2]) == [0, 3]
    assert places_out(everything, 3, 2, [3, 1, 2, 0]) == [0, 1, 2, 3]
    assert places_out([False, True, False, True], 1, 0, [0, 2, 0, 1]) == [3]
    assert places_out([False] * 4, 1, 0, [0, 2, 0, 1]) == []


def items(counted=True, empty=False, first_out=False):
    """Four rounds of a team whose first and last ones may differ."""
    plain = of_team(7, 6, 5, 4)
    flags = [of_team(flag, False, False, False) for flag in (not counted, empty, first_out)]
    return Items(plain, plain, plain, plain, plain, ~flags[0], flags[1], flags[2])


def test_a_sum_has_what_counts_has_an_opponent_and_is_not_left_out():
    last = of_team(False, False, False, True)
    values = of_team(10, 20, 30, 40)
    for rounds, shown, total in (
        (items(), [10, 20, 30, 40], 60),
        (items(counted=False), [0, 20, 30, 40], 50),
        (items(empty=True), [0, 20, 30, 40], 50),
    ):
        worked = AfterCut(rounds, last).work_out(values)
        assert worked.values[:, 0].tolist() == shown and worked.totals.tolist() == [total]
    half = worked.times(0.5)
    assert half.values[:, 0].tolist() == [0, 10, 15, 20] and half.totals.tolist() == [25]


def test_items_are_cut_by_score_then_rival_then_value():
    cut = Cut(of_team(2, 2, 2, 9), of_team(5, 4, 3, 1), 1)
    assert np.flatnonzero(cut_items(items(), cut)) == [2]
    # What is to go first goes whatever it is worth, and is the last of the highest.
    assert np.flatnonzero(cut_items(items(first_out=True), cut)) == [0]
    cut = Cut(of_team(2, 2, 2, 9), of_team(5, 4, 3, 1), 1, second_scores=of_team(1, 0, 1, 0))
    assert np.flatnonzero(cut_items(items(), cut)) == [1]
    cut = Cut(of_team(2, 9, 9, 2), of_team(5, 4, 3, 1), 0, 1)
    assert np.flatnonzero(cut_items(items(), cut)) == [1]
    cut = Cut(of_team(9, 8, 2, 1), of_team(5, 4, 3, 1), 0, 1)
    assert np.flatnonzero(cut_items(items(first_out=True), cut)) == [1]


def test_the_weakest_item_of_a_reduced_sum():
    none = of_team(False, False, False)
    assert weakest_item(of_team(3, 1, 1), of_team(0, 6, 5), none) == 2
    assert weakest_item(of_team(3, 1, 2), of_team(0, 6, 5), none) == 1
    assert weakest_item(of_team(3, 1, 1), of_team(9, 6, 5), of_team(True, False, False)) == 0


def test_match_points_are_by_half_of_the_games():
    assert match_points(np.arange(9), 4).tolist() == [0, 0, 0, 0, 1, 2, 2, 2, 2]
    assert match_points(np.arange(3), 1).tolist() == [0, 1, 2]


def test_the_product_table():
    """Own match points, the opponent's, half points: the own ones do not count."""
    points = product_points(2, 1)
    assert points.shape == (5, 5, 3) and points[0, 3].tolist() == [0, 3, 6]
    assert (points == points[:1]).all() and points[4, 4, 2] == 8


# Three teams: A-B 3:1 and C rests; A-C 2:2 and B rests; B-C 0:4 and A rests.
ROUNDS = [[1, 0, BYE], [2, BYE, 0], [BYE, 2, 1]]
HALF_POINTS = [[3, 1, 2], [2, 2, 2], [2, 0, 4]]


def test_a_round_robin_is_where_all_meet_equally_often():
    drawn = np.array(ROUNDS)
    assert is_round_robin(drawn) and is_round_robin(np.concatenate([drawn, drawn]))
    assert times_met(np.concatenate([drawn, drawn[:1]])).tolist() == [
        [2, 2, 0], [1, 0, 1], [0, 1, 1], [2, 2, 0],
    ]  # fmt: skip
    assert not is_round_robin(drawn[:2])
    assert not is_round_robin(np.concatenate([drawn, drawn[:1]]))
    assert not is_round_robin(np.array([[1, 0], [1, 0]]))
    assert not is_round_robin(np.full((3, 3), BYE))


def test_what_a_tiebreak_sees_of_simulated_results():
    seen = results_from(ROUNDS, HALF_POINTS, 2)
    assert seen.match_points.tolist() == [4, 1, 4] and seen.own_half_points.tolist() == [7, 3, 8]
    assert seen.gained.tolist() == [[2, 0, 1], [1, 1, 1], [1, 0, 2]]
    rounds = seen.items
    assert rounds.opponent_points.tolist() == [[1, 4, 0], [4, 0, 4], [0, 4, 1]]
    assert rounds.opponent_half_points.tolist() == [[3, 7, 0], [8, 0, 7], [0, 8, 3]]
    assert rounds.scored.tolist() == HALF_POINTS
    byes = [[False, False, True], [False, True, False], [True, False, False]]
    assert rounds.empty.tolist() == rounds.first_out.tolist() == byes and rounds.counted.all()
    # The bye is the lowest item; after it the lower opponent, in match points or in game points.
    kept = seen.cut(lambda one: one.opponent_points, low=2, by="g")
    assert kept.left_out.tolist() == [[True, True, True], [False, True, False], [True, False, True]]


def test_the_last_round_as_a_draw():
    """Fore Buchholz: who was paired in the last round drew, with half of the games."""
    drew = results_from(ROUNDS, HALF_POINTS, 2).last_round_drawn
    assert drew.half_points.tolist() == [[3, 1, 2], [2, 2, 2], [2, 2, 2]]
    assert drew.match_points.tolist() == [4, 2, 3]
    assert drew.gained.tolist() == [[2, 0, 1], [1, 1, 1], [1, 1, 1]]
