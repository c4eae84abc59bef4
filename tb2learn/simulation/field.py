"""Where the teams come from: ratings, rosters, seeding.

Everything is an integer. A normal deviate is looked up among 65,536 equally likely quantiles, so a
key gives the same field on every processor.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int
from scipy import special

from tb2learn.config import MAX_RATING, NoisePoints, Setting
from tb2learn.data import event_rosters
from tb2learn.jax_types import Key, Rosters
from tb2learn.simulation.rng import half_words
from tb2learn.types import PerTeam

Noise: TypeAlias = float | Int[Array, ""]
"""Standard deviation of the noise of published ratings, in rating points: a number that holds for
all events, or the whole number that an event has drawn."""

_QUANTILES = 1 << 16

_STEPS = 1 << 12
"""Steps a standard deviation, of deviates that a drawn noise multiplies: 4000 points on 12 boards
times the largest of them, 4.3, stay below 2**31."""


@lru_cache(maxsize=8)
def _normal_table(scale: float) -> np.ndarray:
    """`_QUANTILES` equally likely values of Normal(0, scale^2), rounded to integers."""
    # The middles: both ends of the range are infinitely far.
    middle = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    return np.rint(special.ndtri(middle) * scale).astype(np.int32)


@lru_cache(maxsize=8)
def _uniform_table(low: float, high: float) -> np.ndarray:
    middle = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    return np.rint(low + middle * (high - low)).astype(np.int32)


def draw_rosters(key: Key, setting: Setting) -> Int[Array, "teams boards"]:
    """Rosters of one event, before seeding.

    **Arguments:**

    - `key`: consumed.
    - `setting`: its `field` and `event` parts are used.

    **Returns:** whole ratings, each roster strongest first.
    """
    if setting.field.kind == "rosters":
        return _resampled_rosters(key, setting)
    if setting.field.kind != "mixture":
        return _normal_rosters(key, setting)
    kind_key, resampled_key, uniform_key = jax.random.split(key, 3)
    resampled = half_words(kind_key, 1) < round(setting.field.share * (1 << 16))
    return jnp.where(
        resampled, _resampled_rosters(resampled_key, setting), _normal_rosters(uniform_key, setting)
    )


def _resampled_rosters(key: Key, setting: Setting) -> Int[Array, "teams boards"]:
    """Whole rosters of a real event, with replacement."""
    rosters = jnp.asarray(event_rosters(setting.field.event)[:, : setting.event.boards])
    # The tree of keys is that of `_normal_rosters`; there are no players to draw.
    team_key, _ = jax.random.split(key)
    return rosters[jax.random.randint(team_key, (setting.event.teams,), 0, len(rosters))]


def _normal_rosters(key: Key, setting: Setting) -> Int[Array, "teams boards"]:
    """Normal players around a-priori ratings, which are listed or uniform."""
    field, teams, boards = setting.field, setting.event.teams, setting.event.boards
    team_key, player_key = jax.random.split(key)
    if field.kind == "ratings":
        rating = jnp.asarray(np.rint(field.ratings).astype(np.int32))
    else:
        rating = jnp.asarray(_uniform_table(field.low, field.high))[half_words(team_key, teams)]
    # Teams last, along which the ratings broadcast.
    index = half_words(player_key, teams * boards).reshape(boards, teams)
    players = rating + jnp.asarray(_normal_table(field.player_sd))[index]
    return jnp.stack(_strongest_first(list(jnp.clip(players, 0, MAX_RATING))), axis=-1)


def _strongest_first(players: list[PerTeam]) -> list[PerTeam]:
    """Every team's players in board order.

    Odd-even transposition: for a dozen boards faster than a general sort of short rows.
    """
    for turn in range(len(players)):
        for board in range(turn % 2, len(players) - 1, 2):
            upper, lower = players[board : board + 2]
            players[board : board + 2] = jnp.maximum(upper, lower), jnp.minimum(upper, lower)
    return players


def deviates(key: Key, count: int, noise: Noise, units: int) -> Int[Array, " count"]:
    """Normal deviates of a noise, each a whole number of which `units` make a rating point."""
    index = half_words(key, count)
    if isinstance(noise, float):  # known when compiling, so the table has it exactly
        return jnp.asarray(_normal_table(units * noise))[index]
    # Units are factored, so that no product of a deviate and a noise of 4000 overflows.
    common = math.gcd(units, _STEPS)
    steps, factor = _STEPS // common, units // common
    product = noise * factor * jnp.asarray(_normal_table(float(_STEPS)))[index]
    return (product + steps // 2) // steps


def seeding(key: Key, rosters: Rosters, seed_noise: Noise) -> tuple[PerTeam, PerTeam | None]:
    """The seeding, and the published ratings that it is made of.

    **Arguments:**

    - `key`: consumed.
    - `rosters`: `[teams, boards]` ratings.
    - `seed_noise`: standard deviation of the noise in rating points; 0 none, inf a random order.

    **Returns:** `order`: `order[s]` is the row of `rosters` that is seeded s-th (from 0), by mean
    rating plus noise; equal ones keep the order of the rows. And the published ratings in that
    order, 1 .. `MAX_RATING`; None of a random order.
    """
    teams = len(rosters)
    if isinstance(seed_noise, float) and seed_noise == math.inf:
        return jax.random.permutation(key, teams), None
    strength = _noisy(key, rosters, seed_noise)
    order = jnp.argsort(-strength, stable=True)
    return order, _published(strength[order], rosters)


def _noisy(key: Key, rosters: Rosters, noise: Noise) -> PerTeam:
    """Mean ratings plus noise: 16ths of a rating point, summed over the boards."""
    teams, boards = rosters.shape
    return 16 * rosters.sum(axis=-1) + deviates(key, teams, noise, 16 * boards)


def _published(noisy: PerTeam, rosters: Rosters) -> PerTeam:
    """Ratings with noise as whole points that a rating can have."""
    units = 16 * rosters.shape[-1]
    # 0 would say that it has no rating.
    return jnp.clip((2 * noisy + units) // (2 * units), 1, MAX_RATING).astype(jnp.int32)


def draw_seeded(key: Key, setting: Setting) -> tuple[Rosters, PerTeam | None]:
    """The field of one event: rosters in seed order, and their published ratings.

    **Arguments:**

    - `key`: consumed.
    - `setting`: its `field` and `event` parts are used.

    **Returns:** `[teams, boards]` whole ratings, row 0 is the top seed; and `[teams]` the published
    ratings, by which the teams are seeded where seeds are not random. None where nothing is
    published.
    """
    roster_key, seed_key = jax.random.split(key)
    rosters, field = draw_rosters(roster_key, setting), setting.field
    if field.informative:
        seed_key, noise = _noise_of_event(seed_key, field.seed_noise)
        order, ratings = seeding(seed_key, rosters, noise)
        return rosters[order], ratings
    ratings = None
    if field.rating_noise != math.inf:
        seed_key, rating_key = jax.random.split(seed_key)
        rating_key, noise = _noise_of_event(rating_key, field.rating_noise)
        ratings = _published(_noisy(rating_key, rosters, noise), rosters)
    if field.kind == "ratings":  # others are drawn independently, so already in a random order
        order, _ = seeding(seed_key, rosters, math.inf)
        rosters, ratings = rosters[order], None if ratings is None else ratings[order]
    return rosters, ratings


def _noise_of_event(key: Key, noise: NoisePoints) -> tuple[Key, Noise]:
    """The noise of an event, drawn if it is a range, and the key that is left."""
    if not isinstance(noise, tuple):
        return key, noise
    noise_key, key = jax.random.split(key)
    return key, jnp.asarray(_uniform_table(*noise))[half_words(noise_key, 1)[0]]
