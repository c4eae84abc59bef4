"""An event that has begun: what its rounds left are played from."""

from __future__ import annotations

import jax.numpy as jnp
from jaxtyping import Bool, Int

from tb2learn.config import MAX_RATING
from tb2learn.jax_types import Key, Rosters
from tb2learn.simulation.field import deviates
from tb2learn.types import AnyArray, PerTeam, pytree, static

SPREAD, _DEVIATES = 16, 256
"""Parts of a rating point in which spreads are counted; and of a standard normal deviate."""


@pytree
class ContinuationStart:
    """What is known when a round has been played; teams are those that play on, in seed order.

    What was recorded has the rounds of the whole event, empty from `past` on, so that one compiled
    program goes on from any round.

    An opponent is `BYE` where a team rested for the points of a win, or had the bye, and so gets no
    bye any more; it is the team's own number where it met nobody otherwise, or somebody who has
    left.

    Strengths are drawn anew for every continuation: the rosters as they are here, plus for every
    team a multivariate normal offset.
    """

    rosters: Int[AnyArray, "teams boards"]  # whole ratings, board order
    spread: Int[AnyArray, "teams teams"]  # Cholesky factor of the offsets, in 1/SPREAD points
    opponents: Int[AnyArray, "rounds teams"]
    half_points: Int[AnyArray, "rounds teams"]
    whites: Bool[AnyArray, "rounds teams"]
    match_points: PerTeam  # [teams] of the standings, 0..127
    scoring: Int[AnyArray, " 3"]  # match points of a match lost, drawn and won
    bye: Int[AnyArray, " 2"]  # match points and half points of a bye to come
    pairs: Int[AnyArray, "known 2 matches"]  # of the next rounds, as far as they have been paired
    past: Int[AnyArray, ""]  # rounds that have been played
    to_pair: bool = static(default=True)  # whether rounds are left beyond those that are paired

    def draw(self, key: Key) -> tuple[Rosters, None]:
        """The rosters of one continuation; nothing is published of them."""
        deviate = deviates(key, len(self.rosters), 1.0, _DEVIATES)
        units = SPREAD * _DEVIATES
        # Whole numbers: the same on every processor.
        offsets = (jnp.asarray(self.spread) @ deviate + units // 2) // units
        return jnp.clip(self.rosters + offsets[:, None], 0, MAX_RATING).astype(jnp.int32), None
