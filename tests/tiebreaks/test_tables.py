"""Looking up in tables: roundings, fractions between entries, the own match left out."""

import numpy as np

from tb2learn.tiebreaks.passes import looked_up, margin, most_refinement
from tb2learn.tiebreaks.sums import SHARE, without_own_match
from tb2learn.tiebreaks.tables import TableRule, between, nearest


def test_halves_are_rounded_up():
    assert nearest(np.array([-15, -5, 4, 5, 14, 15]), 10).tolist() == [-1, 0, 0, 1, 1, 2]
    assert nearest(np.array([-1.5, 0.5, 1.25]), 1).tolist() == [-1, 1, 1]


def test_the_entries_around_a_value():
    below, above, part = between(np.array([-1.0, 0.0, 0.25, 2.0, 9.0]), 3)
    assert below.tolist() == [0, 0, 0, 2, 2] and above.tolist() == [1, 1, 1, 2, 2]
    assert part.tolist() == [0, 0, 0.25, 0, 0]


def test_a_table_between_its_entries():
    """By own match points, the opponent's, half points; 100, 10 and 1 a step."""
    steps = np.ix_(np.arange(3), np.arange(3), np.arange(3))
    rule = TableRule(np.asarray(100 * steps[0] + 10 * steps[1] + steps[2]))
    own = np.array([2, 2, 2])
    assert rule.value(own, np.array([0, 1, 2]), np.array([2, 1, 0])).tolist() == [202, 211, 220]
    values = rule.value(own, np.array([0.5, 1.0, 2.5]), np.array([1.5, 0.25, 2.0]))
    assert values.tolist() == [206.5, 210.25, 222]
    assert rule.cut() == (1, 0, "m") and TableRule(rule.points, reduced=False).cut()[0] == 0
    product = np.broadcast_to(np.outer(range(3), range(3)), (3, 3, 3))
    assert not rule.linear and TableRule(product).linear


def test_the_margin_of_a_table_in_passes():
    """An eighth of 2 points a round, in tenths; in whole columns, rounded up."""
    assert [most_refinement(rounds) for rounds in (4, 5, 9, 11)] == [10, 12, 22, 27]
    assert [margin(rounds) for rounds in (4, 5, 8, 9, 11)] == [1, 2, 2, 3, 3]


def test_looking_up_in_tenths():
    """A table of one round: columns of -1 to 3 match points, which are worth 0, 10, 25, 30, 40."""
    table = np.zeros((3, 5, 2), int)
    table[1, :, 1] = 0, 10, 25, 30, 40

    def found(table, scores, own=1):
        own, half_points = (np.full(len(scores), number) for number in (own, 1))
        return looked_up(table, own, np.array(scores), half_points).tolist()

    # 17.5 and 20.5 are rounded up.
    assert found(table, [-10, -5, 0, 5, 7, 29, 30]) == [0, 5, 10, 18, 21, 39, 40]
    assert found(table / 1.0, [5, 7]) == [17.5, 20.5]
    assert found(table, [5], own=2) == [0]


def test_the_own_match_is_left_out():
    """A meets B, then C, then B again; each match leaves out itself only."""
    values = np.array([[1, 10, 100], [2, 20, 200], [4, 40, 400]])
    opponents = np.array([[1, 0, 0], [2, 0, 0], [1, 0, 0]])
    # The sums of A, B and C are 7, 70 and 700.
    expected = [[60, 6, 6], [500, 5, 5], [30, 3, 3]]
    assert without_own_match(values, opponents).tolist() == expected
    assert SHARE == 8
