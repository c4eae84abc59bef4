"""Paired comparison for many events at once, against double precision and exact fractions."""

import dataclasses
from fractions import Fraction
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import slow_oracle
from helpers import recorded_of, slow_after
from scipy.sparse import csgraph

from studies.rankings import MatchGraph
from tb2learn.tiebreaks.paired import LeastSquares, RowSum, ShrunkenLeastSquares, components
from tb2learn.types import BYE, InputError

SHARES = (0.0, 1 / 4, 2 / 3, 1.0)
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
    matches, (match_points, board_points) = np.zeros((teams, teams)), np.zeros((2, teams))
    for a, b, half in (match for played in rounds for match in played):
        if b is not None:
            for i, j, sign in ((a, b, 1), (b, a, -1)):
                matches[i, j] += 1
                match_points[i] += sign * np.sign(half - BOARDS)
                board_points[i] += sign * (half - BOARDS) / 2
    return MatchGraph(BOARDS, matches, match_points, board_points)


def stacked(teams, events):
    return jax.tree.map(
        lambda *x: jnp.stack(x), *(recorded_of(teams, BOARDS, rounds) for rounds in events)
    )


APART = [[*[(i, i + 1, half) for i in range(0, 10, 2)], (10, None, 4)] for half in (8, 5, 3)]
"""Five pairs that only meet each other, and a team that never plays."""

RULES = {
    **{f"least squares, share {share:.3g}": LeastSquares(share) for share in SHARES},
    **{f"row sum 1/{k}": RowSum(jnp.int32(k), 1 / 4) for k in (1, 6, 324)},
}


@partial(jax.jit, static_argnums=0)
def scores(name, results):
    return jax.vmap(RULES[name].scores)(results)


def rounded(ratings):
    """Ratings in board points as scores; double precision may miss a half by its last digits."""
    return np.floor(10_000 * ratings + 0.5 + 1e-7)


@pytest.mark.parametrize("name", slow_after(2, RULES))
def test_scores_are_those_of_exact_fractions(name):
    """Few teams and rounds, often unconnected, whose ratings are often halves of the unit."""
    rule = RULES[name]
    teams = 12
    share, inverse = Fraction(rule.share).limit_denominator(3 * 4), int(getattr(rule, "inverse", 0))
    events = [drawn(teams, 3, seed, byes=4) for seed in range(12)]
    for played, found in zip(events, scores(name, stacked(teams, events)), strict=True):
        expected = slow_oracle.paired_scores(teams, BOARDS, played, share, inverse)
        assert found.tolist() == expected


def test_shrunken_least_squares_solve_their_equations():
    teams, ridge, board, win = 20, 1.5, 0.8, 0.2
    played = drawn(teams, 5, 1)
    results = recorded_of(teams, BOARDS, played)
    comparison = compared(teams, played)
    prior = np.arange(11) ** 2  # in hundredths of half a board point
    numbers = (np.int32(x) for x in (10 * ridge, 100 * board, 100 * win, prior))
    found = ShrunkenLeastSquares(*numbers).scores(results)
    s = board * 2 * comparison.board_points + win * BOARDS * comparison.match_points
    s += ridge * prior[np.asarray(results.match_points)] / 100
    expected = np.linalg.solve(comparison.laplacian + ridge * np.eye(teams), s)
    np.testing.assert_array_equal(found, rounded(expected / 2))


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan, 1 / 128])
def test_shares_are_checked(share):
    results = recorded_of(11, BOARDS, APART)
    for rule in (LeastSquares(share), RowSum(jnp.int32(6), share)):
        with pytest.raises(InputError, match=r"share of board points must be 0\.\.1, a fraction"):
            rule.scores(results)


@pytest.mark.thorough
def test_sums_of_the_largest_event_do_not_overflow():
    """1000 teams, 12 boards, 15 rounds, in the longest chain there is and in pairs."""
    teams, boards = 1000, 12
    number = np.random.default_rng(1).permutation(teams).tolist()
    pairs = [(number[i], number[i + 1], 2 * boards) for i in range(0, teams, 2)]
    others = [(number[i], number[i + 1], 2 * boards) for i in range(1, teams - 1, 2)]
    ends = [(number[0], None, boards), (number[-1], None, boards)]
    score = jax.jit(LeastSquares().scores)
    chain = recorded_of(teams, boards, [pairs, [*others, *ends], *[pairs] * 13])
    # Every team is 6 board points better than the next one.
    found = np.asarray(score(chain))[number]
    np.testing.assert_array_equal(found, 60_000 * np.arange(teams - 1, -teams, -2) // 2)
    met = recorded_of(teams, boards, [pairs] * 15)
    assert set(np.asarray(score(met)).tolist()) == {30_000, -30_000}
    # In pairs L s = 30 s: x = (6 + 15*1000) / (6 + 30) * 90 board points.
    summed = jax.jit(RowSum(jnp.int32(6)).scores)(met)
    assert set(np.asarray(summed).tolist()) == {375_150_000, -375_150_000}


def test_components_are_centred_each_on_its_own():
    results = recorded_of(11, BOARDS, APART)
    assert components(results.opponents).tolist() == [0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10]
    # Each pair: 8, 5 and 3 half points of 8, so 2 + 0.5 - 0.5 board points above half in three
    # matches; the difference of their ratings is 2/3.
    assert LeastSquares().scores(results).tolist() == [3333, -3333] * 5 + [0]


def test_components_are_those_of_the_graph():
    teams, rounds = 41, 2
    events = [drawn(teams, rounds, seed, byes=teams // 4) for seed in range(12)]
    labels = np.asarray(jax.jit(jax.vmap(components))(stacked(teams, events).opponents))
    for played, found in zip(events, labels, strict=True):
        _, label = csgraph.connected_components(compared(teams, played).matches, directed=False)
        np.testing.assert_array_equal(found[:, None] == found, label[:, None] == label)
        np.testing.assert_array_equal(found, [np.flatnonzero(label == x)[0] for x in label])


def test_games_that_both_sides_forfeit_leave_a_solution():
    """Scores of matches need not add up to all boards: their leads do add up to 0."""
    results = recorded_of(60, BOARDS, drawn(60, 7, 0))
    half_points = np.asarray(results.half_points).copy()
    met = np.asarray(results.opponents) != BYE
    half_points[0, met[0] & (half_points[0] > 1)] -= 1
    results = dataclasses.replace(results, half_points=half_points)
    teams, leads = 60, np.zeros(60)
    matrix = np.zeros((teams, teams))
    for opponents, half in zip(np.asarray(results.opponents), half_points, strict=True):
        for team in np.flatnonzero(opponents != BYE):
            other = opponents[team]
            matrix[team, team] += 1
            matrix[team, other] -= 1
            leads[team] += (half[team] - half[other]) / 4
    assert leads.sum() == 0 and (half_points.sum(axis=1) != 60 * BOARDS).any()
    wanted = np.linalg.pinv(matrix) @ leads
    found = np.asarray(LeastSquares().scores(results))
    np.testing.assert_allclose(found / 1e4, wanted, rtol=0, atol=0.51e-4)
