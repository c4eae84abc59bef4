"""The true order of a simulated event: exact expected all-play-all match points."""

from __future__ import annotations

import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Num

from tb2learn.config import GameConfig
from tb2learn.simulation import games
from tb2learn.types import PerTeam, Rosters


def true_strength(rosters: Rosters, game: GameConfig) -> PerTeam:
    """Exact expected match points of every team against all others.

    **Arguments:**

    - `rosters`: `[teams, boards]` ratings.
    - `game`: the game model.

    **Returns:** `[teams]` integers in units of `1/rng.UNIT` match points.
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
    """Half errors of the order by score, for every pair of teams.

    **Returns:** 2 for the wrong order, 1 for equal scores or strengths, 0 for the right order.
    """
    verdict = jnp.sign(differences(scores)).astype(jnp.int32)
    order = jnp.sign(differences(strength)).astype(jnp.int32)
    return jnp.where(order == 0, 1, jnp.abs(verdict - order))
