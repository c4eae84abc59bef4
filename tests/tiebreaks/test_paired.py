"""Paired comparison for many events at once, against double precision and exact fractions."""

from fractions import Fraction
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import slow_oracle
from helpers import recorded_of, slow_after

from tb2learn.tiebreaks.paired import LeastSquares, RowSum

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


def stacked(teams, events):
    return jax.tree.map(
        lambda *x: jnp.stack(x), *(recorded_of(teams, BOARDS, rounds) for rounds in events)
    )


RULES = {
    **{f"least squares, share {share:.3g}": LeastSquares(share) for share in SHARES},
    **{f"row sum 1/{k}": RowSum(jnp.int32(k), 1 / 4) for k in (1, 6, 324)},
}


@partial(jax.jit, static_argnums=0)
def scores(name, results):
    return jax.vmap(RULES[name].scores)(results)


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
