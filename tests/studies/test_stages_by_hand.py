"""Standings before a final, and of tiers, by hand."""

import jax
import jax.numpy as jnp
import numpy as np

from studies.stages import FinalFormat, SwissFinal, Tier, TieredFormat, filled, split, tier_keys
from tb2learn.simulation.schedule import PlayedRounds
from tb2learn.types import BYE


def test_games_of_seats_are_filled_up_with_nobodies():
    games = np.array([[[0, 1]], [[1, 2]]])
    assert filled(games, 3, 4).tolist() == [[[0, 4, 5], [1, 6, 7]], [[1, 4, 5], [2, 6, 7]]]


def test_who_goes_into_the_final():
    """Match points, game points, the opponents' match points, the lot, in this order."""
    event = FinalFormat(6, 4, 2, finalists=2, repeats=2)
    opponents = np.array([[1, 0, 3, 2, 5, 4], [2, 3, 0, 1, 4, 5], [BYE] * 6, [BYE] * 6])
    # A-B 3:1, C-D 3:1, E-F 2:2; A-C 1:3, B-D 3:1, E and F rest, which they do not: 0.
    half = np.array([[3, 1, 3, 1, 2, 2], [1, 3, 3, 1, 0, 0], [4] * 6, [4] * 6])
    opponents[1, 4:], half[1, 4:] = (5, 4), (2, 2)
    # Match points 2 2 4 0 2 2, game points 4 4 6 2 4 4; behind A 6, behind B 2, behind E and F 4.
    rounds = (jnp.array(part)[..., None] for part in (opponents, half))
    nothing = jnp.zeros((6, 1), int)
    so_far = PlayedRounds(*rounds, jnp.zeros((4, 6, 1), bool), nothing, nothing)
    lots = jnp.array(np.array([0, 1, 2, 3, 5, 4], np.int32)[:, None])
    standing = jax.jit(SwissFinal(event)._standing)(so_far, lots)
    assert standing[:, 0].tolist() == [2, 0, 5, 4, 1, 3]


def test_what_ranks_the_teams_of_tiers():
    """The last tier, wins less losses in it, the same among equals, wins."""
    tiers = (Tier(4, promoted=1), Tier(1))
    event = TieredFormat(5, 4, 1, tiers=tiers)
    # 1 beats 2, 3 and 4 draw; 3 beats 1, 2 beats 4; 1 and 4 draw, 2 beats 3. Then 2 beats 0.
    rest = [BYE] * 2
    opponents = np.array([[BYE, 2, 1, 4, 3], [BYE, 3, 4, 1, 2], [BYE, 4, 3, 2, 1],
                          [2, BYE, 0, *rest]])  # fmt: skip
    half = np.array([[0, 2, 0, 1, 1], [0, 0, 2, 2, 0], [0, 1, 2, 0, 1], [0, 0, 2, 0, 0]])
    tier, score, direct, wins = jax.jit(tier_keys, static_argnums=0)(event, opponents, half)
    assert tier.tolist() == [1, 0, 1, 0, 0] and score.tolist() == [-1, 0, 1, 0, -1]
    assert direct.tolist() == [0, -1, 0, 1, 0] and wins.tolist() == [0, 1, 1, 1, 0]


def test_groups_of_a_tier_are_balanced():
    """Twelve teams 632 points apart: means of three groups of four differ by less than 25."""
    ratings = 2400 - 37 * np.arange(12) ** 2 % 700
    divide = jax.jit(split, static_argnums=2)
    for seed in range(4):
        teams = np.asarray(divide(jax.random.key(seed), jnp.asarray(ratings), 3))
        assert sorted(teams.tolist()) == list(range(12))
        assert np.ptp(ratings[teams].reshape(3, 4).mean(axis=1)) < 25
