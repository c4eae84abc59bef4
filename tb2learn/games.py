"""From two ratings to the result of a game, and of a match.

All probabilities here are whole numbers of ``1/UNIT``. Integer arithmetic is what makes the same
event the same, bit for bit, on every processor, batch size and device count. Against real
arithmetic no cumulative probability of a match is off by more than ``boards/UNIT``.
"""

from __future__ import annotations

from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.config import MAX_RATING, GameConfig
from tb2learn.data import read_table
from tb2learn.rng import UNIT, UNIT_BITS
from tb2learn.types import CumulativeLaw, Rosters


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


def _look_up(rating: Array, opponent: Array, game: GameConfig) -> Array:
    """The law of one game in one integer, for one look-up.

    16 bits for the stronger side's win, which may be certain, 15 for the draw, the sign if the
    stronger side is the opponent.
    """
    rates, first_mean, mean_step, _ = draw_statistic()
    table = game_table(game)
    packed = jnp.asarray(((table[..., 1] << 16) | table[..., 0]).reshape(-1))
    above = jnp.clip(rating + opponent - 2 * first_mean, 0, 2 * mean_step * (len(rates) - 1))
    row = jax.lax.div(above, jnp.full_like(above, 2 * mean_step))
    law = packed.at[row * table.shape[1] + jnp.abs(rating - opponent)].get(mode="clip")
    return jnp.where(rating >= opponent, law, law | jnp.int32(-(1 << 31)))


def _unpack(law: Array) -> tuple[Array, Array, Array]:
    win, draw = law & 0xFFFF, (law >> 16) & 0x7FFF
    loss = UNIT - win - draw
    return jnp.where(law >= 0, win, loss), draw, jnp.where(law >= 0, loss, win)


def cumulative_law(
    ratings: Int[Array, "boards *batch"], opponents: Int[Array, "boards *batch"], game: GameConfig
) -> CumulativeLaw:
    """The law of a match's game points: the convolution of its games, board after board.

    **Arguments:**

    - `ratings`, `opponents`: the two line-ups in board order, whole rating points.
    - `game`: the game model.

    **Returns:** `[2*boards, ...]` integers in units of `1/UNIT`: the chance of at most 0, 1, ...
    2*boards - 1 half points for the side of `ratings`. Each convolution is exact in integers and
    rounded back to units once; so the law never leaves the grid and never loses mass.
    """

    def add_game(at_most: Array, law: Array) -> tuple[Array, None]:
        # The convolution acts on cumulative chances as it does on the law itself, and rounding
        # them keeps their sum.
        win, draw, loss = _unpack(law)
        never = jnp.zeros_like(at_most[:1])
        one_less = jnp.concatenate([never, at_most[:-1]])
        two_less = jnp.concatenate([never, one_less[:-1]])
        exact = loss * at_most + draw * one_less + win * two_less
        # Exact halves go to the even unit, so that both sides of a match see the same law.
        return (exact + UNIT // 2 - 1 + ((exact >> UNIT_BITS) & 1)) >> UNIT_BITS, None

    laws = _look_up(ratings, opponents, game)
    nothing_scored = jnp.full((2 * len(laws), *laws.shape[1:]), UNIT, jnp.int32)
    return jax.lax.scan(add_game, nothing_scored, laws)[0]


def all_play_all(rosters: Rosters, game: GameConfig) -> CumulativeLaw:
    """The cumulative law of the match of every ordered pair of teams.

    **Returns:** as `cumulative_law`, from the side of the first team. The diagonal (a team against
    itself) has no meaning.
    """
    boards = rosters.T
    return cumulative_law(*jnp.broadcast_arrays(boards[:, :, None], boards[:, None, :]), game)


def expected_match_points(at_most: CumulativeLaw) -> Int[Array, "*batch"]:
    """Expected match points (2 for a win, 1 for a draw) of a match, in units of `1/UNIT`.

    **Arguments:** `at_most` is its law, as `cumulative_law` returns it.
    """
    boards = len(at_most) // 2
    return 2 * UNIT - at_most[boards] - at_most[boards - 1]


def sample_half_points(
    number: Int[Array, "..."], at_most: Int[Array, "thresholds ..."]
) -> Int[Array, "..."]:
    """The result that a uniform integer picks from the law of a match.

    **Arguments:**

    - `number`: uniform integers in 0 .. UNIT - 1.
    - `at_most`: the law, as `cumulative_law` returns it; its other axes broadcast with `number`.

    **Returns:** half points, 0 .. 2*boards.
    """
    return (number >= at_most).sum(axis=0, dtype=jnp.int32)


def match_points(half_points: Int[Array, "*batch"], boards: int) -> Int[Array, "*batch"]:
    """Match points of a result: 2 for more than half of the games' points, 1 for half, else 0."""
    return jnp.sign(half_points - boards) + 1
