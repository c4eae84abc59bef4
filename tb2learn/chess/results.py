"""What a tie-break may see of an event, and the sums that leave out the weakest opponent.

Everything is an integer: game points are counted in half points, the product rule's TB2 in half
points too (twice the published number), a learned TB2 in points of its lookup table.
"""

from __future__ import annotations

from typing import Literal, get_args

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from tb2learn.types import PerRound, PerTeam, pytree

Weakest = Literal["lowest-contribution", "fewest-game-points"]
WEAKEST_RULES: tuple[Weakest, ...] = get_args(Weakest)


@pytree
class Results:
    """Who met whom and what was scored: all that a tie-break may look at.

    Only a few tie-breaks use ratings or colours.
    """

    opponents: PerRound  # [rounds, teams] BYE if no match was played
    half_points: PerRound  # [rounds, teams]
    match_points: PerTeam  # [teams] final
    ratings: PerTeam | None = None  # [teams] before the event, 0 for none
    whites: Bool[Array, "rounds teams"] | None = None  # had White (teams: on board 1)


def match_points(half_points: Int[Array, "*batch"], boards: int) -> Int[Array, "*batch"]:
    """Match points of a result: 2 for more than half of the games' points, 1 for half, else 0.

    **Arguments:**

    - `half_points`: scored in the match, 0 .. 2*boards.
    - `boards`: games of a match.
    """
    return jnp.sign(half_points - boards) + 1


def product_points(rounds: int, boards: int) -> np.ndarray:
    """FIDE's product rule as a lookup table: opponent's match points times half points.

    **Returns:** int32 `[2*rounds+1, 2*rounds+1, 2*boards+1]`, the same for every own match points.
    """
    scores = np.arange(2 * rounds + 1, dtype=np.int32)
    half_points = np.arange(2 * boards + 1, dtype=np.int32)
    product = scores[:, None] * half_points[None, :]
    return np.ascontiguousarray(np.broadcast_to(product, (len(scores), *product.shape)))


def weakest_item(
    opponent_points: Int[Array, "*batch rounds"],
    values: Int[Array, "*batch rounds"],
    bye: Bool[Array, "*batch rounds"],
    opponent_half_points: Int[Array, "*batch rounds"] | None = None,
) -> Int[Array, "*batch"]:
    """The item that a reduced sum leaves out.

    It is a bye if there is one, else the opponent with the fewest match points; of several, the one
    whose removal costs the team least.

    **Arguments:**

    - `opponent_points`: final match points of each opponent.
    - `values`: what each result adds to the sum.
    - `bye`: true where there was no opponent.
    - `opponent_half_points`: if given, of several opponents with the fewest match points the one
      with the fewest game points in the event goes (the thesis's rule), then the lowest value.

    **Returns:** index of the item along the last axis.
    """
    keys = [~bye, opponent_points]
    if opponent_half_points is not None:
        keys.append(opponent_half_points)
    keys.append(values)
    candidates = jnp.ones_like(bye)
    for key in keys:
        key = key.astype(jnp.int32)
        lowest = jnp.min(
            jnp.where(candidates, key, jnp.iinfo(jnp.int32).max), axis=-1, keepdims=True
        )
        candidates = candidates & (key == lowest)
    return jnp.argmax(candidates, axis=-1)


def reduced_sum(
    values: Int[Array, "*batch rounds"], weakest: Int[Array, "*batch"]
) -> Int[Array, "*batch"]:
    """Sum over the opponents, less the item at index `weakest`."""
    dropped = jnp.take_along_axis(values, weakest[..., None], axis=-1)[..., 0]
    return values.sum(axis=-1) - dropped
