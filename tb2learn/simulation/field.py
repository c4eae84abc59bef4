"""Where the teams come from: ratings, rosters, seeding.

Everything is an integer. A normal deviate is looked up among 65,536 equally likely quantiles, so a
key gives the same field on every processor.
"""

from __future__ import annotations

import math
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int
from scipy import stats

from tb2learn.config import MAX_RATING, Config
from tb2learn.data import event_rosters
from tb2learn.simulation.rng import half_words
from tb2learn.types import Key, PerTeam, Rosters

_QUANTILES = 1 << 16


@lru_cache(maxsize=8)
def _normal_table(scale: float) -> np.ndarray:
    """`_QUANTILES` equally likely values of Normal(0, scale^2), rounded to integers."""
    middle = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    return np.rint(stats.norm.ppf(middle) * scale).astype(np.int32)


@lru_cache(maxsize=8)
def _uniform_table(low: float, high: float) -> np.ndarray:
    middle = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    return np.rint(low + middle * (high - low)).astype(np.int32)


def draw_rosters(key: Key, config: Config) -> Int[Array, "teams boards"]:
    """Rosters of one event, before seeding.

    **Arguments:**

    - `key`: consumed.
    - `config`: its `field` and `event` parts are used.

    **Returns:** whole ratings, each roster strongest first.
    """
    if config.field.kind == "rosters":
        return _resampled_rosters(key, config)
    if config.field.kind != "mixture":
        return _normal_rosters(key, config)
    kind_key, resampled_key, uniform_key = jax.random.split(key, 3)
    resampled = half_words(kind_key, 1) < round(config.field.share * (1 << 16))
    return jnp.where(
        resampled, _resampled_rosters(resampled_key, config), _normal_rosters(uniform_key, config)
    )


def _resampled_rosters(key: Key, config: Config) -> Int[Array, "teams boards"]:
    """Whole rosters of a real event, with replacement."""
    rosters = jnp.asarray(event_rosters(config.field.event)[:, : config.event.boards])
    team_key, _ = jax.random.split(key)
    return rosters[jax.random.randint(team_key, (config.event.teams,), 0, len(rosters))]


def _normal_rosters(key: Key, config: Config) -> Int[Array, "teams boards"]:
    """Normal players around a-priori ratings, which are listed or uniform."""
    field, teams, boards = config.field, config.event.teams, config.event.boards
    team_key, player_key = jax.random.split(key)
    if field.kind == "ratings":
        rating = jnp.asarray(np.rint(field.ratings).astype(np.int32))
    else:
        rating = jnp.asarray(_uniform_table(field.low, field.high))[half_words(team_key, teams)]
    index = half_words(player_key, teams * boards).reshape(boards, teams)
    players = rating + jnp.asarray(_normal_table(field.player_sd))[index]
    return jnp.stack(_strongest_first(list(jnp.clip(players, 0, MAX_RATING))), axis=-1)


def _strongest_first(players: list[PerTeam]) -> list[PerTeam]:
    """Every team's players in board order.

    Odd-even transposition: for a dozen boards faster than a general sort of short rows.
    """
    for turn in range(len(players)):
        for board in range(turn % 2, len(players) - 1, 2):
            one, other = players[board : board + 2]
            players[board : board + 2] = jnp.maximum(one, other), jnp.minimum(one, other)
    return players


def seeding(key: Key, rosters: Int[Array, "teams boards"], seed_noise: float) -> PerTeam:
    """The seeding: teams by mean rating plus noise, highest first.

    **Arguments:**

    - `key`: consumed.
    - `rosters`: `[teams, boards]` ratings.
    - `seed_noise`: standard deviation of the noise in rating points; 0 none, inf a random order.

    **Returns:** `order`: `order[s]` is the row of `rosters` that is seeded s-th (from 0). Equal
    ratings keep the order of the rows.
    """
    teams, boards = rosters.shape
    if seed_noise == math.inf:
        return jax.random.permutation(key, teams)
    # 16ths of a rating point, summed over the boards.
    strength = 16 * rosters.sum(axis=-1)
    if seed_noise > 0:
        noise = _normal_table(16.0 * boards * min(seed_noise, 4.0 * MAX_RATING))
        strength = strength + jnp.asarray(noise)[half_words(key, teams)]
    return jnp.argsort(-strength, stable=True)


def known_ratings(key: Key, rosters: Rosters, seed_noise: float) -> PerTeam | None:
    """Published ratings of the teams: their mean ratings, with as much noise as in the seeding.

    **Arguments:**

    - `key`: consumed; the noise is independent of the seeding's.
    - `rosters`: `[teams, boards]` ratings.
    - `seed_noise`: standard deviation of the noise in rating points.

    **Returns:** whole ratings, at least 1; None if nothing is known (`seed_noise` inf).
    """
    if seed_noise == math.inf:
        return None
    teams, boards = rosters.shape
    total = rosters.sum(axis=-1)
    if seed_noise > 0:
        noise = _normal_table(boards * min(seed_noise, 4.0 * MAX_RATING))
        total = total + jnp.asarray(noise)[half_words(key, teams)]
    return jnp.maximum((2 * total + boards) // (2 * boards), 1).astype(jnp.int32)


def draw_field(key: Key, config: Config) -> Rosters:
    """The field of one event: rosters in seed order.

    **Arguments:**

    - `key`: consumed.
    - `config`: its `field` and `event` parts are used.

    **Returns:** `[teams, boards]` whole ratings; row 0 is the top seed.
    """
    roster_key, seed_key = jax.random.split(key)
    rosters = draw_rosters(roster_key, config)
    if config.field.seed_noise == math.inf and config.field.kind != "ratings":
        return rosters  # drawn independently, so already in a random order
    return rosters[seeding(seed_key, rosters, config.field.seed_noise)]
