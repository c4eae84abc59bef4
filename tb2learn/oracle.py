"""The true order: every team against every other, computed rather than drawn."""

from __future__ import annotations

import math
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Num

from tb2learn import games
from tb2learn.config import GameConfig
from tb2learn.types import PerTeam, Rosters


def true_strength(rosters: Rosters, game: GameConfig) -> PerTeam:
    """Exact expected match points of every team against all others.

    **Returns:** `[teams]` integers in units of `1/games.UNIT` match points.
    """
    expected = games.expected_match_points(games.all_play_all(rosters, game))
    teams = rosters.shape[0]
    return jnp.where(jnp.eye(teams, dtype=bool), 0, expected).sum(axis=-1)


def tied_pairs(match_points: PerTeam) -> Bool[Array, "teams teams"]:
    """True for every pair of teams on equal match points, once, above the diagonal."""
    return jnp.triu(match_points[:, None] == match_points[None, :], k=1)


def differences(x: Num[Array, " teams"]) -> Num[Array, "teams teams"]:
    """First team less second, for every pair."""
    return x[:, None] - x[None, :]


def wrong_verdicts(
    scores: Num[Array, " teams"], strength: Num[Array, " teams"]
) -> Int[Array, "teams teams"]:
    """How wrong the order of two teams by score is, for every pair.

    **Returns:** 2 for the wrong order, 1 for equal scores or equal strengths, 0 for the right one:
    half errors.
    """
    verdict = jnp.sign(differences(scores)).astype(jnp.int32)
    order = jnp.sign(differences(strength)).astype(jnp.int32)
    return jnp.where(order == 0, 1, jnp.abs(verdict - order))


def strength_distribution(rosters: Rosters, game: GameConfig) -> Float[Array, "teams scores"]:
    """Law of the match points of every team against all others, once each.

    **Returns:** `[teams, 2*teams - 1]` chances of 0, 1, ... 2*(teams - 1) match points.
    """
    at_most = games.all_play_all(rosters, game)
    teams, boards = rosters.shape
    lose = at_most[boards - 1]
    draw = at_most[boards] - lose
    win = games.UNIT - at_most[boards]
    itself = jnp.eye(teams, dtype=bool)  # adds nothing to its own sum
    chances = (
        jnp.stack(
            [
                jnp.where(itself, games.UNIT, lose),
                jnp.where(itself, 0, draw),
                jnp.where(itself, 0, win),
            ]
        )
        / games.UNIT
    )

    def add_match(law: Array, chance: Array) -> tuple[Array, None]:
        one = jnp.pad(law, ((0, 0), (1, 0)))[:, :-1]
        two = jnp.pad(law, ((0, 0), (2, 0)))[:, :-2]
        lose, draw, win = chance[..., None]
        return lose * law + draw * one + win * two, None

    start = jnp.zeros((teams, 2 * teams - 1)).at[:, 0].set(1.0)
    law, _ = jax.lax.scan(add_match, start, jnp.moveaxis(chances, 2, 0))
    return law


def duel(
    first: Float[np.ndarray, "*batch scores"], second: Float[np.ndarray, "*batch scores"]
) -> Float[np.ndarray, "*batch 3"]:
    """Chances that the first of two independent sums is larger, equal, smaller (float64)."""
    first, second = first.astype(np.float64), second.astype(np.float64)
    below = np.cumsum(second, axis=-1) - second
    larger = np.sum(first * below, axis=-1)
    equal = np.sum(first * second, axis=-1)
    return np.stack([larger, equal, np.maximum(1.0 - larger - equal, 0.0)], axis=-1)


@lru_cache(maxsize=4)
def _compositions(draws: int) -> tuple[np.ndarray, np.ndarray]:
    """All counts of three outcomes in `draws` draws, and the log of their numbers of orders."""
    counts = np.array(
        [(a, b, draws - a - b) for a in range(draws + 1) for b in range(draws + 1 - a)]
    )
    logs = [math.lgamma(draws + 1) - sum(math.lgamma(x + 1) for x in row) for row in counts]
    return counts, np.array(logs)


def mode(counts: Int[np.ndarray, "*batch 3"]) -> Float[np.ndarray, "*batch 3"]:
    """The most frequent of three outcomes, as chances: a tie is broken at random."""
    most = counts == counts.max(axis=-1, keepdims=True)
    return most / most.sum(axis=-1, keepdims=True)


def mode_chances(
    chances: Float[np.ndarray, "*batch 3"], draws: int
) -> Float[np.ndarray, "*batch 3"]:
    """Law of the most frequent outcome of `draws` independent draws.

    **Arguments:**

    - `chances`: of the three outcomes of one draw.
    - `draws`: at least 1.

    **Returns:** chances that each outcome is the mode; ties of counts are broken at random.
    """
    counts, log_orders = _compositions(draws)
    logs = np.log(np.maximum(chances, 1e-300))
    # Sums along the last axis, row by row: no result depends on how many pairs are judged at once.
    law = np.exp((logs[..., None, :] * counts).sum(axis=-1) + log_orders)
    law = np.stack([(law * column).sum(axis=-1) for column in mode(counts).T], axis=-1)
    return law / law.sum(axis=-1, keepdims=True)
