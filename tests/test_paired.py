"""Paired comparison for many events at once, against the same for one in double precision."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import results_of
from scipy.sparse import csgraph

from tb2learn.rankings import MatchGraph, generalized_row_sum, least_squares
from tb2learn.tiebreaks import LeastSquares, RowSum, TieBreak
from tb2learn.tiebreaks.paired import components
from tb2learn.types import BYE

SHARES = (0.0, 0.25, 1.0)
BOARDS = 4


def drawn(teams, rounds, seed, byes=1, strength=0.6):
    """Rounds of random pairs; the first teams are the stronger ones."""
    generator = np.random.default_rng(seed)
    level = np.linspace(1, -1, teams) * strength
    played = []
    for _ in range(rounds):
        order = generator.permutation(teams)
        matches = [(int(a), None, BOARDS) for a in order[: byes + (teams - byes) % 2]]
        rest = order[len(matches) :]
        for a, b in rest.reshape(-1, 2).tolist():
            chance = 1 / (1 + np.exp(level[b] - level[a]))
            matches.append((a, b, int(generator.binomial(2 * BOARDS, chance))))
        played.append(matches)
    return played


def compared(teams, rounds):
    """The comparison of such rounds, match by match."""
    matches, match_points, board_points = np.zeros((3, teams, teams))
    for a, b, half in (match for played in rounds for match in played):
        if b is not None:
            for i, j, sign in ((a, b, 1), (b, a, -1)):
                matches[i, j] += 1
                match_points[i, j] += sign * np.sign(half - BOARDS)
                board_points[i, j] += sign * (half - BOARDS) / 2
    names = tuple(map(str, range(teams)))
    return MatchGraph(names, BOARDS, matches, match_points, board_points)


def stacked(teams, events):
    return jax.tree.map(
        lambda *x: jnp.stack(x), *(results_of(teams, BOARDS, rounds) for rounds in events)
    )


EVENTS = [drawn(60, 7, seed) for seed in range(12)]
"""Sixty teams, seven rounds, byes, now and then a rematch."""

APART = [[*[(i, i + 1, half) for i in range(0, 10, 2)], (10, None, 4)] for half in (8, 5, 3)]
"""Five pairs that only meet each other, and a team that never plays."""


@pytest.mark.parametrize("share", SHARES)
def test_least_squares_is_that_of_double_precision(share):
    rule = LeastSquares(BOARDS, share, ridge=0.0)
    results = stacked(60, EVENTS)
    ratings, scores = jax.jit(jax.vmap(lambda r: (rule.ratings(r), rule.scores(r))))(results)
    for rounds, found, whole in zip(EVENTS, ratings, scores, strict=True):
        comparison = compared(60, rounds)
        expected, _ = least_squares(comparison, comparison.scores(share)[:, 0])
        expected = expected * BOARDS / 2  # in board points
        np.testing.assert_allclose(found, expected, atol=2e-5)
        assert np.abs(np.asarray(whole) / 10_000 - expected).max() < 1e-4
        apart = expected[:, None] - expected > 1e-4
        assert (np.asarray(whole)[:, None] > np.asarray(whole))[apart].all()


@pytest.mark.parametrize("share", SHARES)
def test_row_sums_are_those_of_double_precision(share):
    rated = jax.jit(lambda rule, results: jax.vmap(rule.ratings)(results))
    for epsilon in (1 / 324, 1 / 6):
        ratings = rated(RowSum(jnp.float32(epsilon), BOARDS, share), stacked(60, EVENTS))
        for rounds, found in zip(EVENTS, ratings, strict=True):
            comparison = compared(60, rounds)
            expected = generalized_row_sum(comparison, comparison.scores(share)[:, 0], epsilon)
            np.testing.assert_allclose(found, expected * BOARDS / 2, rtol=1e-5, atol=1e-4)
    assert rated._cache_size() == 1  # epsilon is an argument of one program


def test_defaults_are_board_points_with_a_ridge():
    """Numbers that were published under these names stay what they are."""
    assert LeastSquares() == LeastSquares(4, 1.0, 1e-4)
    assert RowSum(jnp.float32(0.1)).share == 1.0
    found = jax.jit(jax.vmap(LeastSquares(BOARDS).ratings))(stacked(60, EVENTS))
    for rounds, ratings in zip(EVENTS, found, strict=True):
        comparison = compared(60, rounds)
        matrix = comparison.laplacian + 1 / 60 + 1e-4 * np.eye(60)
        expected = np.linalg.solve(matrix, comparison.board_points.sum(axis=1))
        np.testing.assert_allclose(ratings, expected, atol=2e-5)


def test_components_are_centred_each_on_its_own():
    results = results_of(11, BOARDS, APART)
    assert components(results.opponents).tolist() == [0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10]
    # Each pair: 8, 5 and 3 half points of 8, so 2 + 0.5 - 0.5 board points above half in three
    # matches; the difference of their ratings is 2/3.
    found = np.asarray(jax.jit(LeastSquares(BOARDS, ridge=0.0).ratings)(results))
    np.testing.assert_allclose(found[:10].reshape(5, 2), [[1 / 3, -1 / 3]] * 5, atol=1e-6)
    assert found[10] == 0


@pytest.mark.parametrize(("teams", "rounds"), [(2, 1), (41, 2)])
def test_components_are_those_of_the_graph(teams, rounds):
    events = [drawn(teams, rounds, seed, byes=teams // 4) for seed in range(12)]
    labels = np.asarray(jax.jit(jax.vmap(components))(stacked(teams, events).opponents))
    for played, found in zip(events, labels, strict=True):
        _, label = csgraph.connected_components(compared(teams, played).matches, directed=False)
        np.testing.assert_array_equal(found[:, None] == found, label[:, None] == label)
        np.testing.assert_array_equal(found, [np.flatnonzero(label == x)[0] for x in label])


def test_components_along_a_chain():
    """The longest way that a label has to go: each team met its neighbours alone."""
    teams = 1000
    opponents = np.full((2, teams), BYE, np.int32)
    number = np.random.default_rng(1).permutation(teams)
    opponents[0, number[0::2]], opponents[0, number[1::2]] = number[1::2], number[0::2]
    opponents[1, number[1:-1:2]], opponents[1, number[2::2]] = number[2::2], number[1:-1:2]
    assert not np.asarray(components(jnp.asarray(opponents))).any()


def test_rules_with_matrices_are_tie_breaks():
    results = results_of(60, BOARDS, EVENTS[0])
    for rule in (LeastSquares(BOARDS, 0.25, 0.0), RowSum(jnp.float32(0.1), BOARDS, 0.0)):
        assert isinstance(rule, TieBreak)
        ratings, scores = jax.jit(lambda r, rule=rule: (rule.ratings(r), rule.scores(r)))(results)
        assert scores.dtype == jnp.int32
        np.testing.assert_array_equal(scores, np.rint(10_000 * np.asarray(ratings)))
