"""From two ratings to the result of a game, and of a match.

All probabilities here are whole numbers of ``1/UNIT``. Integer arithmetic is what makes the same
event the same, bit for bit, on every processor, batch size and device count. Against real
arithmetic no cumulative probability of a match is off by more than ``boards/UNIT``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.config import MAX_RATING, GameConfig
from tb2learn.data import read_table
from tb2learn.rng import UNIT, UNIT_BITS
from tb2learn.types import MatchLaw, Rosters


def expected_score(difference: np.ndarray) -> np.ndarray:
    """Expected score ``1 / (1 + 10^(-difference/400))`` of the side rated `difference` higher."""
    return 1.0 / (1.0 + 10.0 ** (-np.asarray(difference, np.float64) / 400.0))


@lru_cache(maxsize=1)
def draw_statistic() -> tuple[np.ndarray, int, int, int]:
    """The draw chance by mean rating and rating difference.

    **Returns:** `(rates, first_mean, mean_step, difference_step)`: `rates[i, j]` in 0..1 for a mean
    rating of at least `first_mean + i*mean_step` and a difference of at least `j*difference_step`,
    held at both ends. Source: `data/draw_rate.md` (8 million games).
    """
    rows = read_table("draw_rate.csv")
    label, *columns = rows[0]
    means = [int(row[label]) for row in rows]
    differences = [int(column) for column in columns]
    rates = np.array([[float(row[column]) for column in columns] for row in rows]) / 100.0
    return rates, means[0], means[1] - means[0], differences[1] - differences[0]


@lru_cache(maxsize=8)
def game_table(game: GameConfig) -> np.ndarray:
    """The law of one game for the stronger side, in units of `1/UNIT`.

    **Returns:** an int32 array `[means, MAX_RATING + 1, 2]`: chance of a win and of a draw for
    the higher rated player, by class of mean rating and by rating difference.
    """
    rates, _, _, step = draw_statistic()
    difference = np.arange(MAX_RATING + 1)
    expected = expected_score(difference)
    draw = rates[:, np.minimum(difference // step, rates.shape[1] - 1)]
    if game.tail == "consistent":
        draw = np.minimum(draw, 2.0 * (1.0 - expected))
    win = expected - draw / 2.0
    # One uniform u: a win if u < win, a draw if win <= u < win + draw. The clip is what 'literal'
    # means: the draw chance is kept where there is no room for it, the expected score is not.
    win_below = np.rint(np.clip(win, 0.0, 1.0) * UNIT).astype(np.int32)
    draw_below = np.rint(np.clip(win + draw, 0.0, 1.0) * UNIT).astype(np.int32)
    return np.stack([win_below, draw_below - win_below], axis=-1)


def game_law(
    rating: Int[Array, "*batch"], opponent: Int[Array, "*batch"], game: GameConfig
) -> tuple[Int[Array, "*batch"], Int[Array, "*batch"], Int[Array, "*batch"]]:
    """Chances of a win, a draw and a loss of one game.

    **Arguments:**

    - `rating`, `opponent`: whole rating points, 0 .. `MAX_RATING`.
    - `game`: the game model.

    **Returns:** three integer arrays in units of `1/UNIT`, adding up to `UNIT`. Swapping the
    players swaps the first and the last exactly.
    """
    rates, first_mean, mean_step, _ = draw_statistic()
    row = jnp.clip((rating + opponent - 2 * first_mean) // (2 * mean_step), 0, len(rates) - 1)
    # One look-up for both chances: 16 bits for the win, which may be certain, 15 for the draw.
    table = game_table(game)
    better = jnp.asarray((table[..., 1] << 16) | table[..., 0])[row, jnp.abs(rating - opponent)]
    win, draw = better & 0xFFFF, better >> 16
    loss = UNIT - win - draw
    stronger = rating >= opponent
    return jnp.where(stronger, win, loss), draw, jnp.where(stronger, loss, win)


def cumulative_law(
    ratings: Sequence[Int[Array, "*batch"]],
    opponents: Sequence[Int[Array, "*batch"]],
    game: GameConfig,
) -> list[Int[Array, "*batch"]]:
    """The law of a match's game points: the convolution of its games, board against board.

    **Arguments:**

    - `ratings`, `opponents`: the two line-ups, an array a board, whole rating points.
    - `game`: the game model.

    **Returns:** `2*boards` arrays in units of `1/UNIT`: the chance of at most 0, 1, ...
    2*boards - 1 half points for the side of `ratings`. Each convolution is exact in integers and
    rounded back to units once; so the law never leaves the grid and never loses mass.
    """
    win, draw, loss = game_law(ratings[0], opponents[0], game)
    # The convolution with a game acts on cumulative chances as it does on the law itself, and
    # rounding them keeps their sum.
    at_most = [loss, loss + draw]
    certain, never = jnp.full_like(win, UNIT), jnp.zeros_like(win)
    for rating, opponent in zip(ratings[1:], opponents[1:], strict=True):
        w, d, x = game_law(rating, opponent, game)
        padded = [never, never, *at_most, certain, certain]
        exact = [
            x * padded[k + 2] + d * padded[k + 1] + w * padded[k] for k in range(len(at_most) + 2)
        ]
        # Exact halves go to the even unit, so that both sides of a match see the same law.
        at_most = [(e + UNIT // 2 - 1 + ((e >> UNIT_BITS) & 1)) >> UNIT_BITS for e in exact]
    return at_most


def match_law(
    ratings: Int[Array, "*batch boards"], opponents: Int[Array, "*batch boards"], game: GameConfig
) -> MatchLaw:
    """The law of a match, result by result.

    **Arguments:**

    - `ratings`, `opponents`: the two line-ups in board order, whole rating points.
    - `game`: the game model.

    **Returns:** `[..., 2*boards + 1]` integers in units of `1/UNIT`, adding up to `UNIT`: the
    chance of 0, 1, ... 2*boards half points for the side of `ratings`.
    """
    boards = range(ratings.shape[-1])
    at_most = cumulative_law(
        [ratings[..., board] for board in boards],
        [opponents[..., board] for board in boards],
        game,
    )
    # Without the barrier XLA computes the whole chain again inside each of the results.
    at_most = jax.lax.optimization_barrier(tuple(at_most))
    edges = [jnp.zeros_like(at_most[0]), *at_most, jnp.full_like(at_most[0], UNIT)]
    return jnp.stack([b - a for a, b in pairwise(edges)], axis=-1)


def all_play_all(rosters: Rosters, game: GameConfig) -> MatchLaw:
    """The match law of every ordered pair of teams.

    **Returns:** `[teams, teams, 2*boards + 1]` in units of `1/UNIT`, from the side of the first
    index. The diagonal (a team against itself) has no meaning.
    """
    return match_law(*jnp.broadcast_arrays(rosters[:, None, :], rosters[None, :, :]), game)


def expected_match_points(law: MatchLaw) -> Int[Array, "*batch"]:
    """Expected match points (2 for a win, 1 for a draw) of a match law, in units of `1/UNIT`."""
    boards = law.shape[-1] // 2
    return 2 * law[..., boards + 1 :].sum(axis=-1) + law[..., boards]


def sample_half_points(
    draw: Int[Array, "*batch"], law: Int[Array, "... results"]
) -> Int[Array, "*batch"]:
    """The result that a uniform integer picks from a match law.

    **Arguments:**

    - `draw`: uniform integers in 0 .. UNIT - 1.
    - `law`: as `match_law` returns it; its leading axes broadcast against those of `draw`.

    **Returns:** half points, 0 .. 2*boards.
    """
    return (draw[..., None] >= jnp.cumsum(law, axis=-1)[..., :-1]).sum(axis=-1)


def match_points(half_points: Int[Array, "*batch"], boards: int) -> Int[Array, "*batch"]:
    """Match points of a result: 2 for more than half of the games' points, 1 for half, else 0."""
    return jnp.sign(half_points - boards) + 1
