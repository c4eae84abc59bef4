"""Paired comparison: definitions by other means, cases by hand."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from etcc import small
from hypothesis import assume, given
from hypothesis import strategies as st

from tb2learn.events.parts import Match
from tb2learn.studies.rankings.maps import mds_map
from tb2learn.studies.rankings.methods import (
    MATRICES,
    MatchGraph,
    all_rankings,
    decomposition,
    generalized_row_sum,
    kemeny_distance,
    least_squares,
    lower_ranked_shares,
    match_graph,
    places,
    weighted_distance,
)
from tb2learn.types import InputError

# --- the graph of matches -------------------------------------------------------------------------

# Two boards. A-B 3:1 and again 1:3 (of half points), C has a bye, C-D 4:0, D-C by default, B-C 1:0
# where a board was lost by both.
ROUNDS = [[(0, 1, 3, 1), (2, None, 2, 0)], [(0, 1, 1, 3), (2, 3, 4, 0)], [(1, 2, 1, 0)]]


def by_hand():
    event = small(ROUNDS)
    default = Match(3, 2, 3, 2, 4, 0, 2, 2)
    return replace(event, matches=(*event.matches, default))


def test_comparison_by_hand():
    graph = match_graph(by_hand())
    assert graph.boards == 2
    assert graph.matches.tolist() == [[0, 2, 0, 0], [2, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    assert graph.match_points.tolist() == [0, 1, 0, -1]
    # B less C: half a board more; C less D: two boards of two, one more than half.
    assert graph.board_points.tolist() == [0, 0.25, 0.75, -1]
    assert graph.scores(0.25)[:, 0].tolist() == [0, 0.75 + 0.0625, 0.1875, -1]
    assert graph.most_of_a_pair == 2 and graph.reasonable_epsilon == 1 / 4
    assert graph.laplacian.tolist() == [
        [2, -2, 0, 0],
        [-2, 3, -1, 0],
        [0, -1, 2, -1],
        [0, 0, -1, 1],
    ]
    first = match_graph(by_hand().after(1))
    assert first.matches.sum() == 2 and first.match_points.tolist() == [1, -1, 0, 0]
    assert first.board_points.tolist() == [0.5, -0.5, 0, 0]
    assert first.components.tolist() == [0, 0, 1, 2]


def test_a_record_may_give_other_match_points():
    event = small([[(0, 1, 3, 1)]])
    event = replace(event, matches=(replace(event.matches[0], match_points_a=1, match_points_b=1),))
    assert not match_graph(event).match_points.any()


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan])
def test_shares_are_checked(share):
    with pytest.raises(InputError, match=r"share of board points must be 0\.\.1, got"):
        match_graph(by_hand()).scores(0.5, share)


# --- ratings, by other means ----------------------------------------------------------------------


@st.composite
def multigraphs(draw):
    """A number of teams and any matches of two of them, with any results; often unconnected."""
    teams = draw(st.integers(2, 7))
    pairs = list(itertools.combinations(range(teams), 2))
    match = st.tuples(st.sampled_from(pairs), st.integers(0, 4))
    return teams, draw(st.lists(match, max_size=14))


def compared(teams, played):
    matches, (match_points, board_points) = np.zeros((teams, teams)), np.zeros((2, teams))
    for (a, b), half in played:
        for i, j, sign in ((a, b, 1), (b, a, -1)):
            matches[i, j] += 1
            match_points[i] += sign * np.sign(half - 2)
            board_points[i] += sign * (half - 2) / 2
    return MatchGraph(2, matches, match_points, board_points)


@given(multigraphs(), st.sampled_from([*MATRICES.values()]))
def test_least_squares_fits_every_match_best(drawn, share):
    (teams, played), graph = drawn, compared(*drawn)
    ratings, component = least_squares(graph, graph.scores(share)[:, 0]), graph.components
    rows, scored = np.zeros((len(played) + 1, teams)), np.zeros(len(played) + 1)
    for number, ((a, b), half) in enumerate(played):
        rows[number, [a, b]] = 1.0, -1.0
        scored[number] = (1 - share) * np.sign(half - 2) + share * (half - 2) / 2
    # The shortest of all best fits is the one in which every component adds up to 0.
    expected = np.linalg.lstsq(rows, scored)[0]
    np.testing.assert_allclose(ratings, expected, atol=1e-9)
    reach = np.linalg.matrix_power(np.eye(teams) + graph.matches, teams) > 0
    np.testing.assert_array_equal(component[:, None] == component, reach)
    sizes = np.bincount(component)
    assert (np.diff(sizes) <= 0).all()


@given(multigraphs(), st.sampled_from([1e-6, 1 / 324, 1 / 6, 2.0]))
def test_row_sums_solve_their_equations(drawn, epsilon):
    graph = compared(*drawn)
    s = graph.scores(0.25)[:, 0]
    x = generalized_row_sum(graph, s, epsilon)
    n, m = len(s), graph.matches.max()
    met = graph.matches
    for i in range(n):
        others = epsilon * sum(met[i, j] * (x[i] - x[j]) for j in range(n))
        assert x[i] + others == pytest.approx((1 + epsilon * m * n) * s[i], abs=1e-9)


@pytest.mark.parametrize("epsilon", [-0.1, np.inf, np.nan])
def test_epsilons_are_checked(epsilon):
    graph = match_graph(by_hand())
    with pytest.raises(InputError, match="epsilon must be finite and not negative, got"):
        generalized_row_sum(graph, graph.scores(1.0), epsilon)


@given(multigraphs())
def test_decomposition_is_the_series(drawn):
    graph = compared(*drawn)
    s = graph.scores(1.0)[:, 0]
    assume(drawn[1])
    sums = decomposition(graph, s, 3)
    most = graph.matches.sum(axis=1).max()
    step = (most * np.eye(len(s)) - graph.laplacian) / most
    q = s / most
    np.testing.assert_allclose(sums[0], q, atol=1e-12)
    for k in (1, 2, 3):
        q = q + np.linalg.matrix_power(step, k) @ s / most
        np.testing.assert_allclose(sums[k], q, atol=1e-12)


# --- places ---------------------------------------------------------------------------------------


def test_places_by_hand():
    before = np.array([5, 4, 3, 2, 1])
    ratings = np.array([0.1 + 0.2, 7.0, 0.3, -1.0, 7.0])  # the first is 6e-17 more
    assert places(ratings, before).tolist() == [4, 2, 3, 5, 1]
    component = np.array([0, 0, 1, 1, 0])
    assert places(ratings, before, component).tolist() == [3, 2, 1, 2, 1]
    assert places(np.zeros(5), before).tolist() == before.tolist()


def test_an_unconnected_event_is_ranked_within_components():
    # A-B 3:1, C-D 4:0: by the row sum C is first of all, by least squares first of its own.
    graph = match_graph(small([[(0, 1, 3, 1), (2, 3, 4, 0)]]))
    found = all_rankings(graph, np.arange(1, 5))
    assert found["ls_bp"].tolist() == [1, 2, 1, 2]
    assert found["grs2_bp"].tolist() == [2, 3, 1, 4]
    assert found["grs2_mp"].tolist() == [1, 3, 2, 4]


# --- distances ------------------------------------------------------------------------------------


def by_swaps(first, second):
    """The weighted distance swap by swap, on the teams in order."""
    now = [int(team) for team in np.argsort(first)]
    cost = 0.0
    for place, team in enumerate(np.argsort(second)):
        at = now.index(int(team))
        while at > place:
            now[at - 1], now[at] = now[at], now[at - 1]
            cost += 1 / at  # places at and at + 1, counted from 1
            at -= 1
    return cost


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(*[st.permutations(range(1, n + 1))] * 3)))
def test_distances_by_swaps_and_pairs(rankings):
    first, second, third = map(np.array, rankings)
    opposed = sum(
        (first[i] - first[j]) * (second[i] - second[j]) < 0
        for i, j in itertools.combinations(range(len(first)), 2)
    )
    assert kemeny_distance(first, second) == opposed
    assert weighted_distance(first, second) == pytest.approx(by_swaps(first, second))
    for distance in (kemeny_distance, weighted_distance):
        assert distance(first, first) == 0
        assert distance(first, second) == pytest.approx(distance(second, first))
        assert distance(first, third) <= distance(first, second) + distance(second, third) + 1e-9


def test_a_shared_place_is_not_opposed():
    assert kemeny_distance(np.array([1, 1, 3]), np.array([2, 1, 3])) == 0


@pytest.mark.parametrize("wrong", [[1, 1, 3], [0, 1, 2], [1, 2, 4]])
def test_weighted_distance_needs_every_place(wrong):
    with pytest.raises(InputError, match=r"places must be 1\.\.3, each once"):
        weighted_distance(np.array([1, 2, 3]), np.array(wrong))


@pytest.mark.parametrize("seed", range(6))
def test_a_map_of_points_in_the_plane_is_the_points(seed):
    points = np.random.default_rng(seed).normal(size=(9, 2)) * [3.0, 1.0]
    distances = np.linalg.norm(points[:, None] - points, axis=-1)
    found = mds_map(distances)
    again = np.linalg.norm(found[:, None] - found, axis=-1)
    np.testing.assert_allclose(again, distances, atol=0.01)
    assert found[:, 0].std() > found[:, 1].std()
    assert found[0, 0] <= 0 <= found[0, 1]
    np.testing.assert_array_equal(found, mds_map(distances))


def test_maps_of_rankings_that_hardly_differ():
    assert not mds_map(np.zeros((4, 4))).any()
    two = np.array([[0.0, 0, 2], [0, 0, 2], [2, 2, 0]])
    found = mds_map(two)
    assert np.linalg.norm(found[0] - found[1]) < 1e-6
    assert np.linalg.norm(found[0] - found[2]) == pytest.approx(2, abs=1e-3)


# --- assessment -----------------------------------------------------------------------------------


def test_lower_ranked_shares_by_hand():
    matches = by_hand().matches
    # A, B, C, D in this order: B scores 0 MP and 1 half point, then 2 and 3; D nothing; C, of whom
    # B is ahead, nothing. Match points 2 of 8, half points 4 of 4 + 4 + 4 + 1; D-C was no match.
    assert lower_ranked_shares(matches, np.arange(1, 5)).tolist() == [2 / 8, 4 / 13]
    # The other way round, without C and D: A is the lower ranked one.
    assert lower_ranked_shares(matches, np.array([2, 1, 0, 0])).tolist() == [2 / 4, 4 / 8]
    assert np.isnan(lower_ranked_shares(matches, np.array([1, 0, 0, 2]))).all()
