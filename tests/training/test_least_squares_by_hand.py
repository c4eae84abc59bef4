"""The equations of least squares as mean squares over a few pairs, and what events add."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plain_numpy
import pytest
from training_samples import ODD

from tb2learn.simulation.purposes import UNIT
from tb2learn.training import near_pairs, table_least_squares, table_moments
from tb2learn.training.table_least_squares import Equations
from tb2learn.training.table_moments import Moments

pytestmark = pytest.mark.usefixtures("untyped")

PAIRS = [(2, {(0, 3): 10, (4, 1): -4, (5, 1): -6}, 300), (5, {(7, 4): 10, (6, 0): -10}, -100)]
"""Own match points, differences of the features in tenths by column and result, of strengths."""

SIZE, RESULTS, COLUMNS = 5, 5, 11
INFORMED = replace(ODD, field=replace(ODD.field, seed_noise=20.0))


def moments(**changes):
    cells = COLUMNS * RESULTS
    products, sums = np.zeros((9, cells, cells), int), np.zeros((9, cells), int)
    for own, tenths, apart in PAIRS:
        x = np.zeros(cells, int)
        for (column, result), part in tenths.items():
            x[column * RESULTS + result] = part
        products[own] += np.outer(x, x)
        sums[own] += x * apart
    near, near_pairs = np.zeros((9, cells), int), np.zeros(9, int)
    near[2, 3], near_pairs[2], near[5, 39], near_pairs[5] = 20, 4, -10, 1
    pairs = np.bincount([2, 5], minlength=9)
    # Strength grows by 50 with a match point: teams on 2 and 4 points have 100 and 200.
    line = np.array([2, 6, 300, 20, 1000])
    return Moments(products, sums, pairs, 0 * sums, near, near_pairs, line, **changes)


X = np.random.default_rng(5).normal(size=(SIZE, SIZE, RESULTS))
"""Any coefficients, by own share, opponent's share and result."""


def value(own, column, result):
    """A cell of the table that they make."""
    rows, columns = table_least_squares.basis_rows(ODD)
    return rows[own] @ X[:, :, result] @ columns[column]


def differences():
    """Of the scores of both pairs."""

    def score(own, tenths):
        return sum(part / 10 * value(own, *cell) for cell, part in tenths.items())

    return [score(own, tenths) for own, tenths, _ in PAIRS]


def test_the_equations_are_mean_squares_a_pair():
    found, x = table_least_squares.equations(moments(), ODD), X.ravel()
    one, other = differences()
    assert x @ found.normal @ x == pytest.approx((one**2 + other**2) / 2)
    assert x @ found.right == pytest.approx((one * 300 / 50 - other * 100 / 50) / 2)
    assert found.bias is None and found.spread is None


def test_strength_that_does_not_grow_stays_as_it_is():
    flat = replace(moments(), line=np.array([2, 6, 300, 20, 800]))
    one, other = differences()
    for line in ([2, 6, 300, 20, 800], [2, 6, 300, 18, 900]):
        flat = replace(moments(), line=np.array(line))
        right = table_least_squares.equations(flat, ODD).right
        assert X.ravel() @ right == pytest.approx((one * 300 - other * 100) / 2)


def test_the_bias_is_the_mean_squared_preference():
    """By own score two values for the higher seed in four pairs, one for the lower in one."""
    found, x = table_least_squares.equations(moments(), INFORMED), X.ravel()
    preferences = (2 * value(2, 0, 3) / 4) ** 2 * 4 + value(5, 7, 4) ** 2
    assert x @ found.bias @ x == pytest.approx(preferences / 5)


def test_the_spread_is_a_mean_square_too():
    again = moments()
    found = table_least_squares.equations(replace(again, spread=again.products), ODD)
    np.testing.assert_array_equal(found.spread, found.normal)


def test_worlds_and_penalties_add_up(monkeypatch):
    """Weights 1 and 3; fairness 2 of the mean bias; others 4; smoothness 1/4; a ridge."""
    seen = []

    def solution(normal, right):
        seen.append((normal.copy(), right))
        return np.zeros(len(right))

    unit = np.eye(SIZE * SIZE * RESULTS)
    monkeypatch.setattr(table_least_squares, "_solution", solution)
    monkeypatch.setattr(table_least_squares, "_bending", lambda size, results: 100 * unit)
    worlds = [
        (Equations(4 * unit, 8 * unit[0], 3 * unit, 16 * unit), 1.0),
        (Equations(8 * unit, 4 * unit[0], 5 * unit, None), 3.0),
    ]
    for fairness, others, expected in ((0, 0, 0), (2, 0, 8), (0, 4, 16)):
        plan = replace(ODD.decisions, fairness=fairness, others=others, smoothness=0.25)
        table_least_squares.least_squares(worlds, replace(ODD, decisions=plan))
        normal, right = seen.pop()
        assert normal == pytest.approx((7 + 25 + expected + 1e-7) * unit, abs=1e-12)
        assert right[0] == 5 and not right[1:].any()


def test_bends_are_counted_along_all_three_axes():
    x = np.zeros((SIZE, SIZE, RESULTS))
    x[0, 2, 4] = 3.0
    # At an end 1, in the middle 1, -2, 1.
    bends = x.ravel() @ table_least_squares._bending(SIZE, RESULTS) @ x.ravel()
    assert bends == 9 * (1 + (1 + 4 + 1) + 1)


def test_an_event_is_described_by_cells_and_tenths(monkeypatch):
    """Opponents count as 3.4 and as -0.6 match points; a match that does not count is 0."""
    plain_numpy.use(monkeypatch, table_moments, near_pairs)
    strength = np.array([3, 3]) * UNIT
    monkeypatch.setattr(
        table_moments, "oracle", SimpleNamespace(strength_of=lambda event, game: strength)
    )
    score, scored = np.array([[34, -6], [7, 0]]), np.array([[4, 0], [1, 2]])
    counted = np.array([[True, True], [False, True]])
    before = SimpleNamespace(last_pass=lambda results: (score, (None, scored, counted)))
    event = SimpleNamespace(results=None, match_points=np.array([2, 2]))
    describe = table_moments.DescribeEvent()
    own, y, matches, below, above = describe(None, event, ODD.setting, before)
    # A column beyond the table on either side, five results a column.
    first, second, last = (3 + 1) * 5 + 4, (-1 + 1) * 5 + 0, (0 + 1) * 5 + 2
    assert matches.tolist() == [[10 * (first + 1) + 4, 0], [10 * (second + 1) + 4, 10 * (last + 1)]]
    assert own.tolist() == [2, 2] and y.tolist() == [9210] * 2
    assert (below.tolist(), above.tolist()) == ([0, 0], [0, 0])
    seeded = describe(None, event, INFORMED.setting, before)
    assert (seeded[3].tolist(), seeded[4].tolist()) == ([1, 0], [0, 1])


def test_moments_of_parts_and_their_sum():
    """Two events, of which the second begins another part; a pair on 4 points in each."""
    own, y = np.array([[4, 4], [4, 4]]), np.array([[30, 10], [5, 9]])
    cell = np.array([[[10 * 8 + 0], [10 * 3 + 5]], [[0], [10 * 8]]])
    nobody = np.array([[1, 0], [0, 0]])
    event = replace(ODD.event, rounds=1, teams=2)
    own = own // 2
    parts = table_moments._add_parts(
        event, [1], np.array([0, 1]), (own, y, cell, nobody, nobody[:, ::-1])
    )
    first, second = parts
    assert first.seen[2][[7, 2]].tolist() == [10 + 5, 5]
    assert first.pairs.tolist() == [0, 0, 1] and first.line.tolist() == [2, 4, 40, 8, 80]
    x = np.zeros(first.seen.shape[1], int)
    x[7], x[2] = 10 - 5, -5
    np.testing.assert_array_equal(first.products[2], np.outer(x, x))
    np.testing.assert_array_equal(first.moments[2], 20 * x)
    np.testing.assert_array_equal(first.near[2], x)
    assert first.near_pairs.tolist() == [0, 0, 1] and second.near_pairs.tolist() == [0, 0, 0]
    assert second.moments[2, 7] == 40 and second.line.tolist() == [2, 4, 14, 8, 28]
    both = table_moments.joined([first, second])
    assert both.line.tolist() == [4, 8, 54, 16, 108] and both.pairs.tolist() == [0, 0, 2]


AIMED = replace(INFORMED, decisions=replace(ODD.decisions, fairness=3.0, aim="ideal"))


def test_only_a_penalty_in_a_world_with_known_seeds_aims_at_the_ideal():
    aims = near_pairs.aims_at_ideal
    assert aims(AIMED) and not aims(INFORMED)
    assert not aims(replace(AIMED, field=ODD.field))
    assert not aims(replace(AIMED, decisions=replace(AIMED.decisions, fairness=0.0)))
    assert near_pairs.sum_ideal(INFORMED) is None


def test_near_teams_are_weighted_by_side(monkeypatch):
    """A, B and C tied: B two points above A, C half a point below A; D is a copy of C; E untied."""
    plain_numpy.use(monkeypatch, table_moments, near_pairs)
    expected = np.array([20, 24, 19, 19, 20]) * UNIT // 2
    found = near_pairs.near_sides(np.array([3, 3, 3, 3, 1]), expected)
    # Of 40: 24 for A B, 36 for A C and A D, 20 for B C and B D; 16, 4 and 20 eighths apart.
    higher, lower = found[:, :3], found[:, 3:]
    assert higher[:, 0].tolist() == [36 + 36, 20 + 20, -56, -56, 0]
    assert higher[:, 1].tolist() == [72, 40, 0, 0, 0]
    assert higher[:, 2].tolist() == [2 * 36 * 4, 2 * 20 * 20, 0, 0, 0]
    assert lower.tolist() == [[24, 24, 24 * 16], [-24, 0, 0], [0] * 3, [0] * 3, [0] * 3]


def test_the_ideal_is_summed_by_side(monkeypatch):
    """A and B, a point below C by the ideal, are otherwise by the oracle: B, A, C."""
    plain_numpy.use(monkeypatch, table_moments, near_pairs)
    expected = np.array([4, 6, 3]) * UNIT // 2
    monkeypatch.setattr(near_pairs.oracle, "strength_of", lambda event, game: expected)
    monkeypatch.setattr(near_pairs, "posterior_worth", lambda *_: np.array([2.0, 1.0, 3.0]))
    event = SimpleNamespace(match_points=np.array([3, 3, 3]))
    found = near_pairs.ideal_differences(None, event, AIMED, None)
    # Log-odds 0, -1.099 and 1.099 of two of four points, one and three.
    assert found[0, 3].tolist() == [36 + 28, 36 * (0 - 1099) + 28 * (-1099 - 1099)]
    assert found[1, 3].tolist() == [32, 32 * 1099] and not found[:, :3].any()


def test_both_sides_are_balanced_and_drawn_to_the_ideal():
    """On 2 points, higher seeds 1 eighth better and lower seeds 3, to the middle of both: 3 : 1."""
    sides, sums, ideal = np.zeros((2, 9, 55), int), np.zeros((2, 9, 2), int), np.zeros((2, 9, 2))
    sides[0, 2, 3], sides[1, 2, 39] = 40, -20
    sums[:, 2], ideal[:, 2] = [[10, 5], [5, 12.5]], [[4, 400], [2, -600]]
    sums[1, 2, 1] = 12
    known = moments(sides=sides, side_sums=sums)
    ((own, features, aim, weight),) = table_least_squares.balanced(known, ideal.astype(int))
    up = (12 / 5 + 0.5) / (12 / 5 + 0.5 + 1.0)
    assert (own, weight) == (2, 15) and aim == pytest.approx(up * 100 - (1 - up) * 300)
    assert features[3] == pytest.approx(up * 4) and features[39] == pytest.approx((up - 1) * 4)
    found, x = table_least_squares.equations(known, AIMED, ideal.astype(int)), X.ravel()
    score = up * 0.4 * value(2, 0, 3) - (1 - up) * 0.4 * value(2, 7, 4)
    assert x @ found.bias @ x == pytest.approx(score**2)
    assert x @ found.bias_right == pytest.approx(score * aim / 50)


def test_the_aim_is_added_with_the_weight_of_the_penalty(monkeypatch):
    seen, unit = [], np.eye(SIZE * SIZE * RESULTS)
    monkeypatch.setattr(
        table_least_squares, "_solution", lambda normal, right: seen.append(right) or 0 * right
    )
    worlds = [
        (Equations(unit, unit[0], unit, None, 7 * unit[0]), 1.0),
        (Equations(unit, unit[0], unit), 1.0),
    ]
    table_least_squares.least_squares(worlds, AIMED)
    assert seen[0][0] == pytest.approx(1 + 3 / 2 * 7) and not seen[0][1:].any()


def test_sides_are_added_by_own_points():
    event = replace(ODD.event, rounds=1, teams=2)
    weights = np.array([[[4, 4, 8, 0, 0, 0], [-4, 0, 0, 0, 0, 0]]])
    cell, nobody = np.array([[[10 * 8], [10 * 3 + 5]]]), np.zeros((1, 2), int)
    own = np.array([[2, 2]])
    found = table_moments._add_moments(event, (own, own, cell, nobody, nobody, weights))
    assert found.side_sums[0].tolist() == [[0, 0], [0, 0], [4, 8]] and not found.side_sums[1].any()
    assert found.sides[0, 2, [7, 2, 7]].tolist() == [4 * 10 - 4 * 5, -4 * 5, 20]
