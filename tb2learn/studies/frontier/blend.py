"""Blends: linear scores of many rules at once, as good as we can make a score that is no table.

A blend adds up the scores of rules that look at an event in different ways: the tables of every
pass, least squares on board points, the row sum, Buchholz and Sonneborn-Berger sums, and what the
opponents had before they were met. Every number of own match points has its own coefficients. They
are fitted as the last pass of a table is, with the same penalty on seed bias. A blend cannot be
printed; it says how much a table leaves to be gained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from tb2learn.assessment.judged import Judged, as_judged
from tb2learn.assessment.references import Reference
from tb2learn.catalogue import find_rule
from tb2learn.chess.results import match_points
from tb2learn.config import Config
from tb2learn.jax_types import Key
from tb2learn.simulation import truth
from tb2learn.simulation.event import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress, sum_events
from tb2learn.training.least_squares import STRENGTH_UNIT, nearly_equal, strength
from tb2learn.types import BYE, PerTeam, pytree, static

BLEND = "blend"
"""How the names of blends begin. They are no tables and cannot be printed."""

_RIDGE = 1e-4
"""Added to the variances of standardised scores."""

PARTS = {
    "learned-180x11": 1,
    "learned-180x11-pass1": 1,
    "learned-180x11-pass2": 1,
    "least-squares": 1,
    "row-sum": 1000,
    "product": 1,
    "buchholz": 1,
    "buchholz-cut1": 1,
    "emgsb": 1,
    "koya": 1,
    "progressive": 1,
    "game-points": 1,
    "wins": 1,
}
"""The rules of a blend, and by how much their scores are divided to keep sums below 2**63."""


@pytree
class Blend(Reference):
    """A linear score of many rules.

    **Fields:**

    - `name`: in reports.
    - `parts`: the rules.
    - `weights`: by own match points, of the parts and of the opponents' earlier points.
    """

    parts: tuple[Judged, ...]
    weights: Float[Array, "shares features"]
    name: str = static(default=BLEND)

    def estimate(self, key: Key, event: Event, config: Config) -> Float[Array, " teams"]:
        """The weighted sum of the parts."""
        seen = _features(key, event, config, self.parts)
        return (seen * self.weights[event.match_points]).sum(axis=1)


def blend_parts(config: Config) -> tuple[Judged, ...]:
    """The rules of a blend for the format of a configuration."""
    rounds, boards = config.event.rounds, config.event.boards
    return tuple(as_judged(find_rule(name, rounds, boards)) for name in PARTS)


@dataclass(frozen=True)
class BlendSums:
    """The integer sums that the fit of a blend needs, by own match points.

    **Fields:**

    - `products`, `moments`: over all tied pairs, products of the differences of two teams' features
      with each other, and with the difference of their strengths.
    - `pairs`: number of tied pairs.
    - `near`: over nearly equal tied pairs, features of the higher seed less those of the lower.
    - `near_pairs`: number of such pairs.
    """

    products: Int[np.ndarray, "shares features features"]
    moments: Int[np.ndarray, "shares features"]
    pairs: Int[np.ndarray, " shares"]
    near: Int[np.ndarray, "shares features"]
    near_pairs: Int[np.ndarray, " shares"]


def collect_blend(config: Config, events: int, seed: int, progress: Progress) -> BlendSums:
    """Play events and sum what the fit of a blend needs."""
    played = EventRange(seed, Purpose.TRAIN, events)
    shares = config.event.max_match_points + 1

    def add(numbers: np.ndarray, described: tuple) -> tuple:
        own, features, y, below, above = (np.asarray(part, np.int64) for part in described)
        return by_score(shares, own, features, y, below, above)

    parts = blend_parts(config)
    return BlendSums(*sum_events(config, _describe, played, parts, add, progress=progress))


def fit_blend(
    name: str,
    parts: tuple[Judged, ...],
    worlds: Sequence[tuple[BlendSums, bool]],
    fairness: float,
) -> Blend:
    """The blend that fits the strengths of tied teams best in the mean of some worlds.

    **Arguments:**

    - `name`: of the blend.
    - `parts`: its rules.
    - `worlds`: the sums of each, and whether its seed bias is penalised.
    - `fairness`: weight of the penalty, in the unit of `training.least_squares.least_squares`.
    """
    shares, features = worlds[0][0].moments.shape
    weights = np.zeros((shares, features))
    for score in range(shares):
        normal, right = np.zeros((features, features)), np.zeros(features)
        for sums, penalised in worlds:
            normal += sums.products[score] / max(1, sums.pairs.sum())
            right += sums.moments[score] / max(1, sums.pairs.sum())
            if penalised and sums.near_pairs[score]:
                apart = sums.near[score] / np.sqrt(float(sums.near_pairs[score]))
                normal += fairness * np.outer(apart, apart) / sums.near_pairs.sum()
        scale = np.sqrt(np.maximum(normal.diagonal(), 1e-12))
        standard = normal / np.outer(scale, scale) + _RIDGE * np.eye(features)
        weights[score] = np.linalg.solve(standard, right / scale) / scale
    return Blend(parts, jnp.asarray(weights / STRENGTH_UNIT, jnp.float32), name)


def _describe(
    key: Key, event: Event, config: Config, parts: tuple[Judged, ...]
) -> tuple[PerTeam, Int[Array, "teams features"], PerTeam, PerTeam, PerTeam]:
    """Match points, features, strength; nearly equal tied teams seeded below and above."""
    seen = _features(key, event, config, parts)
    near = nearly_equal(event.match_points, truth.strength_of(event, config.game))
    return event.match_points, seen, strength(event, config), *near


def _features(
    key: Key, event: Event, config: Config, parts: tuple[Judged, ...]
) -> Int[Array, "teams features"]:
    """Whole scores of the parts, and the sum of the opponents' match points before each match."""
    keys = jax.random.split(key, len(parts))
    scores = [
        jnp.rint(part.estimate(one, event, config) / divisor).astype(jnp.int32)
        for one, part, divisor in zip(keys, parts, PARTS.values(), strict=True)
    ]
    met = event.opponents != BYE
    won = jnp.where(met, match_points(event.half_points, config.event.boards), 1)
    before = jnp.cumsum(won, axis=0) - won
    opponents = jnp.where(met, event.opponents, 0)
    earlier = jnp.where(met, jnp.take_along_axis(before, opponents, axis=1), before).sum(axis=0)
    return jnp.stack([*scores, earlier.astype(jnp.int32)], axis=1)


def by_score(
    shares: int,
    own: np.ndarray,
    features: np.ndarray,
    y: np.ndarray,
    below: np.ndarray,
    above: np.ndarray,
) -> tuple[np.ndarray, ...]:
    """The sums of a batch by own match points, as the fields of `BlendSums`."""
    sums = [_of_group(own == score, features, y, below, above) for score in range(shares)]
    return tuple(map(np.stack, zip(*sums, strict=True)))


def _of_group(
    group: np.ndarray, features: np.ndarray, y: np.ndarray, below: np.ndarray, above: np.ndarray
) -> tuple[np.ndarray | np.integer, ...]:
    """The sums of the teams of one own score in a batch, as the fields of `BlendSums`.

    The sum over pairs of products of differences is n times the sum of products, less the product
    of the sums.
    """
    inside = group.astype(np.int64)
    size = inside.sum(axis=1)
    x, target = features * inside[:, :, None], y * inside
    weighted = x * size[:, None, None]
    sums, targets = x.sum(axis=1), target.sum(axis=1)
    flat = x.reshape(-1, x.shape[-1])
    products = weighted.reshape(flat.shape).T @ flat - sums.T @ sums
    moments = weighted.reshape(flat.shape).T @ target.reshape(-1) - sums.T @ targets
    near = flat.T @ ((below - above) * inside).reshape(-1)
    return products, moments, (size * (size - 1) // 2).sum(), near, (below * inside).sum()
