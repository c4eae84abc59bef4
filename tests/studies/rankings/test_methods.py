"""Paired comparison: the published tables, definitions by other means, cases by hand."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from etcc import championship, small
from hypothesis import given
from hypothesis import strategies as st

from tb2learn.data import read_rows
from tb2learn.events.parts import Match
from tb2learn.studies.rankings.methods import (
    MATRICES,
    MatchGraph,
    all_rankings,
    decomposition,
    generalized_row_sum,
    is_compared,
    kemeny_distance,
    least_squares,
    lower_ranked_shares,
    match_graph,
    mds_map,
    places,
    renumbered,
    scored,
    weighted_distance,
)
from tb2learn.types import InputError

# --- the championship of 2011, as it was printed --------------------------------------------------


@pytest.fixture(scope="module")
def printed():
    """The published places: a column an array, teams in start order."""
    teams = championship("etcc2011").teams
    rows = {row["team"]: row for row in read_rows("etcc2011", "published_rankings.csv")}
    columns = [c for c in next(iter(rows.values())) if c != "team"]
    return {column: np.array([int(rows[team][column]) for team in teams]) for column in columns}


def test_all_rankings_of_2011_are_the_published_ones(printed):
    event = championship("etcc2011")
    assert len(event.matches) == 171 and printed["start"].tolist() == list(range(1, 39))
    found = all_rankings(match_graph(event), printed["official"])
    assert [*found] == [name for name in printed if name not in ("start", "official")]
    assert sum(int((found[name] == printed[name]).sum()) for name in found) == 456


@pytest.mark.parametrize(
    ("table", "distance", "form"),
    [("kemeny", kemeny_distance, "{:d}"), ("weighted", weighted_distance, "{:.2f}")],
)
def test_all_distances_of_2011_are_the_published_ones(printed, table, distance, form):
    cells = 0
    for row in read_rows("etcc2011", f"published_{table}.csv"):
        first = row.pop("ranking")
        assert row.pop(first) == ""
        for second, value in row.items():
            assert form.format(distance(printed[first], printed[second])) == value
            cells += 1
    assert cells == 182


def test_the_decomposition_of_2011_is_the_published_one_up_to_exact_ties(printed):
    event = championship("etcc2011")
    graph = match_graph(event)
    sums = decomposition(graph, graph.scores(0.0)[:, 0], 8)
    after = [places(q, printed["official"]) for q in sums]
    tied = {
        (event.teams[i], event.teams[j])
        for i, j in itertools.combinations(range(38), 2)
        if abs(sums[1][i] - sums[1][j]) < 1e-12
    }
    rows = {row["team"]: row for row in read_rows("etcc2011", "published_decomposition.csv")}
    different = set()
    for number, team in enumerate(event.teams):
        assert int(rows[team]["official"]) == after[0][number]
        assert int(rows[team]["ls"]) == printed["ls_mp"][number] == after[8][number]
        for step in range(1, 9):
            gained = after[step - 1][number] - after[step][number]
            if int(rows[team].get(f"step_{step}", 0)) != gained:
                different.add((team, step))
    assert len(tied) == 4 and ("Sweden", "Montenegro") in tied
    assert different == {(team, step) for team in ("Sweden", "Montenegro") for step in (1, 2)}


def test_2013_is_complete():
    event = championship("etcc2013")
    graph = match_graph(event)
    assert graph.matches.sum() == 342 and graph.most_of_a_pair == 1
    assert (graph.matches.sum(axis=1) == 9).all() and not graph.components.any()
    points = graph.match_points.sum(axis=1) + 9
    best = np.argsort(-points)[:4]
    assert sorted(event.teams[i] for i in best) == ["Armenia", "Azerbaijan", "France", "Russia"]
    assert sorted(points[best]) == [13, 13, 13, 14]
    assert event.teams == tuple(sorted(event.teams, key=str.lower)) and "order" in event.about


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
    assert graph.teams == ("A", "B", "C", "D") and graph.boards == 2
    assert graph.matches.tolist() == [[0, 2, 0, 0], [2, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    assert graph.match_points.tolist() == [
        [0, 0, 0, 0],
        [0, 0, 1, 0],
        [0, -1, 0, 1],
        [0, 0, -1, 0],
    ]
    # B less C: half a board more; C less D: two boards of two, one more than half.
    assert graph.board_points[1].tolist() == [0, 0, 0.25, 0]
    assert graph.board_points[2].tolist() == [0, -0.25, 0, 1]
    assert graph.most_of_a_pair == 2 and graph.most_of_a_team == 3
    assert graph.reasonable_epsilon == 1 / 4
    assert graph.laplacian.tolist() == [
        [2, -2, 0, 0],
        [-2, 3, -1, 0],
        [0, -1, 2, -1],
        [0, 0, -1, 1],
    ]
    assert graph.results(0.25)[2].tolist() == [0, -0.75 - 0.0625, 0, 1]
    first = match_graph(by_hand(), after_round=1)
    assert first.matches.sum() == 2 and first.match_points[0, 1] == 1
    assert first.board_points[0, 1] == 0.5
    assert first.components.tolist() == [0, 0, 1, 2]


def test_a_record_may_give_other_match_points():
    event = small([[(0, 1, 3, 1)]])
    event = replace(event, matches=(replace(event.matches[0], match_points_a=1, match_points_b=1),))
    assert not match_graph(event).match_points.any()


def test_what_is_compared():
    match = Match(1, 1, 0, 1, 4, 0, 2, 0)
    assert is_compared(match) and is_compared(replace(match, boards_forfeited=1))
    assert not is_compared(replace(match, boards_forfeited=2))
    assert not is_compared(replace(match, team_b=None, boards_decided=0))


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan])
def test_shares_are_checked(share):
    with pytest.raises(InputError, match=r"share of board points must be 0\.\.1, got"):
        match_graph(by_hand()).results(share)


# --- ratings, by other means ----------------------------------------------------------------------


@st.composite
def multigraphs(draw):
    """A number of teams and any matches of two of them, with any results; often unconnected."""
    teams = draw(st.integers(2, 7))
    pairs = list(itertools.combinations(range(teams), 2))
    match = st.tuples(st.sampled_from(pairs), st.integers(0, 4))
    return teams, draw(st.lists(match, max_size=14))


def compared(teams, played):
    matches, match_points, board_points = (np.zeros((teams, teams)) for _ in range(3))
    for (a, b), half in played:
        for i, j, sign in ((a, b, 1), (b, a, -1)):
            matches[i, j] += 1
            match_points[i, j] += sign * np.sign(half - 2)
            board_points[i, j] += sign * (half - 2) / 2
    return MatchGraph(tuple("ABCDEFG"[:teams]), 2, matches, match_points, board_points)


@given(multigraphs(), st.sampled_from([*MATRICES.values()]))
def test_least_squares_fits_every_match_best(drawn, share):
    (teams, played), graph = drawn, compared(*drawn)
    ratings, component = least_squares(graph, graph.scores(share)[:, 0])
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
    s = graph.results(0.25).sum(axis=1)
    x = generalized_row_sum(graph, s, epsilon)
    n, m = len(graph.teams), graph.matches.max()
    met = graph.matches
    for i in range(n):
        others = epsilon * sum(met[i, j] * (x[i] - x[j]) for j in range(n))
        assert x[i] + others == pytest.approx((1 + epsilon * m * n) * s[i], abs=1e-9)


def test_row_sums_go_from_scores_to_least_squares():
    graph = match_graph(championship("etcc2011"))
    scores = graph.scores(0.0, 1.0)
    ratings, _ = least_squares(graph, scores)
    np.testing.assert_array_equal(generalized_row_sum(graph, scores, 0.0), scores)
    large = generalized_row_sum(graph, scores, 1e7)
    np.testing.assert_allclose(large / 38, ratings, atol=1e-4)


@pytest.mark.parametrize("epsilon", [-0.1, np.inf, np.nan])
def test_epsilons_are_checked(epsilon):
    graph = match_graph(by_hand())
    with pytest.raises(InputError, match="epsilon must be finite and not negative, got"):
        generalized_row_sum(graph, graph.scores(1.0), epsilon)


@given(multigraphs())
def test_decomposition_is_the_series(drawn):
    graph = compared(*drawn)
    s = graph.results(1.0).sum(axis=1)
    if not drawn[1]:
        with pytest.raises(InputError, match="no match was played"):
            decomposition(graph, s, 2)
        return
    sums = decomposition(graph, s, 3)
    most = graph.matches.sum(axis=1).max()
    step = (most * np.eye(len(s)) - graph.laplacian) / most
    q = s / most
    np.testing.assert_allclose(sums[0], q, atol=1e-12)
    for k in (1, 2, 3):
        q = q + np.linalg.matrix_power(step, k) @ s / most
        np.testing.assert_allclose(sums[k], q, atol=1e-12)


def test_decomposition_tends_to_least_squares():
    graph = match_graph(championship("etcc2013"))
    scores = graph.scores(*MATRICES.values())
    sums = decomposition(graph, scores, 120)
    np.testing.assert_allclose(sums[-1], least_squares(graph, scores)[0], atol=1e-9)


def test_one_match_never_settles():
    graph = match_graph(small([[(0, 1, 3, 1)]]))
    sums = decomposition(graph, graph.scores(0.0)[:, 0], 3)
    assert sums[:, 0].tolist() == [1, 0, 1, 0]
    ratings, _ = least_squares(graph, graph.scores(0.0)[:, 0])
    assert ratings == pytest.approx([0.5, -0.5])


# --- places ---------------------------------------------------------------------------------------


def test_places_by_hand():
    before = np.array([5, 4, 3, 2, 1])
    ratings = np.array([0.1 + 0.2, 7.0, 0.3, -1.0, 7.0])  # the first is 6e-17 more
    assert places(ratings, before).tolist() == [4, 2, 3, 5, 1]
    component = np.array([0, 0, 1, 1, 0])
    assert places(ratings, before, component).tolist() == [3, 2, 1, 2, 1]
    assert places(np.zeros(5), before).tolist() == before.tolist()


def test_renumbered_by_hand():
    ranking = np.array([4, 1, 3, 2])
    assert renumbered(ranking, np.array([True, False, True, True])).tolist() == [3, 0, 2, 1]


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


def test_opposite_orders():
    up = np.arange(1, 12)
    assert kemeny_distance(up, up[::-1]) == 55
    assert weighted_distance(up, up[::-1]) == pytest.approx(10)


def test_swaps_near_the_top_cost_more():
    up = np.arange(1, 5)
    assert weighted_distance(up, np.array([2, 1, 3, 4])) == 1
    assert weighted_distance(up, np.array([1, 2, 4, 3])) == pytest.approx(1 / 3)


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
    event = by_hand()
    # A, B, C, D in this order: B scores 0 MP and 1 half point, then 2 and 3; D nothing; C, of whom
    # B is ahead, nothing. Match points 2 of 8, half points 4 of 4 + 4 + 4 + 1; D-C was no match.
    matches = scored(event.matches)
    assert lower_ranked_shares(matches, np.arange(1, 5)) == (2 / 8, 4 / 13)
    # The other way round, without C and D: A is the lower ranked one.
    assert lower_ranked_shares(matches, np.array([2, 1, 0, 0])) == (2 / 4, 4 / 8)
    assert np.isnan(lower_ranked_shares(matches, np.array([1, 0, 0, 2]))).all()
