"""From two ratings to the result of a game, and of a match.

All probabilities here are whole numbers of ``1/UNIT``. With integer arithmetic an event is the
same, bit for bit, on every processor and for every batch size and number of devices. Rounding
changes no cumulative probability of a match by more than ``boards/UNIT``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int
from scipy import special

from tb2learn.chess.rating_tables import logistic_score
from tb2learn.config import MAX_RATING, GameConfig
from tb2learn.data import read_rows
from tb2learn.jax_types import CumulativeLaw, Rosters
from tb2learn.simulation.purposes import UNIT, UNIT_BITS
from tb2learn.types import AnyArray, pytree

CONSTANTS = ("scale", "white_advantage", "draw_level", "draw_mean", "draw_difference")
"""The constants of the fitted model, in the order of `fitted_chances`."""

_FITTED_MEANS = (2250, 50, 11)
"""First, width and number of the fitted model's classes of mean rating.

Below 2300 its law does not depend on the mean rating.
"""

_DIFFERENCES = 2 * MAX_RATING + 1

_SHOCK_BITS = 4
SHOCKS = 1 << _SHOCK_BITS
"""Equally likely values of the relative team-day shock of a match."""


@lru_cache(maxsize=1)
def draw_statistic() -> tuple[np.ndarray, int, int, int]:
    """The draw chance by mean rating and rating difference.

    **Returns:** `(rates, first_mean, mean_step, difference_step)`: `rates[i, j]` in 0..1 for a mean
    rating of at least `first_mean + i*mean_step` and a difference of at least `j*difference_step`,
    held at both ends. Source: `data/draw_rate.md` (8 million games).
    """
    rows = read_rows("draw_rate.csv")
    label, *columns = rows[0]
    means = [int(row[label]) for row in rows]
    differences = [int(column) for column in columns]
    rates = np.array([[float(row[column]) for column in columns] for row in rows]) / 100.0
    return rates, means[0], means[1] - means[0], differences[1] - differences[0]


@lru_cache(maxsize=1)
def fitted_constants() -> np.ndarray:
    """The packaged `CONSTANTS` of the fitted model, float64. Source: `data/baku2016_games.md`."""
    values = {row["constant"]: float(row["value"]) for row in read_rows("baku2016_games.csv")}
    return np.array([values[name] for name in CONSTANTS])


def fitted_chances(
    constants: Float[np.ndarray, " 5"],
    difference: Float[np.ndarray, "*#games"],
    mean: Float[np.ndarray, "*#games"],
    colour: Float[np.ndarray, "*#games"],
) -> tuple[Float[np.ndarray, "*games"], Float[np.ndarray, "*games"]]:
    """The fitted model of one game: the chances of a win and of a draw.

    With the effective difference `x = scale*difference + white_advantage*colour` the expected score
    is `E = 1 / (1 + 10^(-x/400))`. The draw chance can be at most `2 min(E, 1-E)`; it is the share
    `1 / (1 + exp(-y))` of that, where
    `y = draw_level + draw_mean*rise_of(mean) + draw_difference*|x|/400`. So a win, a draw and a
    loss are possible at every difference, and the expected score is `E`.

    **Arguments:**

    - `constants`: `CONSTANTS`, in their order.
    - `difference`: own less the opponent's rating.
    - `mean`: mean rating of the two players.
    - `colour`: 1 with the white pieces, -1 with the black.

    **Returns:** `(win, draw)`, each in 0..1.
    """
    scale, white_advantage, level, by_mean, by_difference = constants
    effective = scale * difference + white_advantage * colour
    expected = logistic_score(effective)
    share = level + by_mean * rise_of(mean) + by_difference * np.abs(effective) / 400.0
    draw = 2.0 * np.minimum(expected, 1.0 - expected) * special.expit(share)
    return expected - draw / 2.0, draw


def rise_of(mean: Float[np.ndarray, "*games"]) -> Float[np.ndarray, "*games"]:
    """By how much a mean rating is above 2300, in units of 200 points; 0 below.

    In the statistic and in the fitted games draws become more frequent above about 2300.
    """
    return np.maximum(mean - 2300.0, 0.0) / 200.0


def mean_classes(game: GameConfig) -> tuple[int, int, int]:
    """First, width and number of the classes of mean rating; the outer ones are held beyond."""
    if game.model == "fitted":
        return _FITTED_MEANS
    rates, first_mean, mean_step, _ = draw_statistic()
    return first_mean, mean_step, len(rates)


@lru_cache(maxsize=8)
def game_table(game: GameConfig) -> np.ndarray:
    """The law of one game for the stronger side, in units of `1/UNIT`.

    Who has white changes no law: that of the fitted model is the mean of its laws with white and
    with black, whatever colours the pairing gives. For one game of an unknown colour that is exact;
    for a match it neglects that each side has white on every other board. The model is evaluated at
    the middle of a class of mean rating.

    **Returns:** an int32 array `[means, MAX_RATING + 1, 2]`: chance of a win and of a draw for
    the higher rated player, by class of mean rating and by rating difference.
    """
    difference = np.arange(MAX_RATING + 1)
    if game.model == "fitted":
        first_mean, mean_step, means = mean_classes(game)
        middle = first_mean + mean_step * (np.arange(means) + 0.5)
        each = np.meshgrid(difference.astype(np.float64), middle, [1.0, -1.0])
        win, draw = (x.mean(axis=-1) for x in fitted_chances(fitted_constants(), *each))
    else:
        rates, _, _, step = draw_statistic()
        expected = logistic_score(difference)
        draw = rates[:, np.minimum(difference // step, rates.shape[1] - 1)]
        if game.tail == "consistent":
            draw = np.minimum(draw, 2.0 * (1.0 - expected))
        win = expected - draw / 2.0
    # For a uniform u: a win if u < win, a draw if win <= u < win + draw. Where the draw chance is
    # too large for the expected score, the clip keeps the draw chance (`literal`).
    win_below = np.rint(np.clip(win, 0.0, 1.0) * UNIT).astype(np.int32)
    draw_below = np.rint(np.clip(win + draw, 0.0, 1.0) * UNIT).astype(np.int32)
    return np.stack([win_below, draw_below - win_below], axis=-1)


def shock_quantiles() -> np.ndarray:
    """`SHOCKS` equally likely values that stand for a standard normal deviate, float64.

    They are the medians of `SHOCKS` equally likely intervals, scaled to a variance of 1.
    """
    middle = special.ndtri((np.arange(SHOCKS) + 0.5) / SHOCKS)
    return middle / middle.std()


@lru_cache(maxsize=8)
def law_table(game: GameConfig) -> np.ndarray:
    """The laws of one game packed into one integer each, so that a game needs one look-up.

    The low 16 bits are the chance of a win (which may be 1), the next 15 the chance of a draw.

    **Returns:** an int32 array; `law_index` says where a law is.
    """
    win, draw = np.moveaxis(game_table(game), -1, 0)
    # UNIT is 2**15: a chance of 1 needs 16 bits, which stand low, clear of the sign.
    stronger, weaker = ((draw << 16) | low_half for low_half in (win, UNIT - win - draw))
    # By own rating less the opponent's, from -MAX_RATING on.
    return np.concatenate([weaker[:, :0:-1], stronger], axis=1).reshape(-1)


@pytree
class Laws:
    """A game model as arrays, which a compiled program takes as arguments.

    The arrays of all models without a shock have the same shapes, and so have those of all models
    with one. So one program plays with any of these models.

    **Fields:**

    - `table`: `law_table`, with zeros behind it up to the size of the largest.
    - `classes`: where the classes of mean rating begin, and how far they go, in sums of two
      ratings; and what such a sum is multiplied by, to be divided by 2**20, for its class.
    - `half_shocks`: what the ratings of one side go up, and of the other down, on each of the
      equally likely days; a single 0 without a shock.
    """

    table: Int[AnyArray, " laws"]
    classes: Int[AnyArray, " 3"]
    half_shocks: Int[AnyArray, " days"]

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, game: GameConfig) -> Laws:
        """Those of a game model."""
        first_mean, mean_step, means = mean_classes(game)
        highest_mean, packed = max(len(draw_statistic()[0]), _FITTED_MEANS[-1]), law_table(game)
        table = np.pad(packed, (0, highest_mean * _DIFFERENCES - len(packed)))
        # A sum of two ratings is twice their mean.
        end, factor = 2 * mean_step * (means - 1), (1 << 20) // (2 * mean_step) + 1
        days = np.zeros(1, np.int32)
        if game.day_shock:
            # The difference of two independent shocks is sqrt(2) times as large, half of it
            # sqrt(1/2) times.
            days = np.rint(shock_quantiles() * game.day_shock * 0.5**0.5).astype(np.int32)
        return cls(table, np.array([2 * first_mean, end, factor], np.int32), days)


def _laws(game: GameConfig | Laws) -> Laws:
    return game if isinstance(game, Laws) else Laws.of(game)


def law_index(
    rating: Int[Array, "*#batch"], opponent: Int[Array, "*#batch"], game: GameConfig | Laws
) -> Int[Array, "*batch"]:
    """The index into `law_table` of the law of a game between two ratings."""
    begin, end, factor = _laws(game).classes
    above = jnp.clip(rating + opponent - begin, 0, end)
    # Quicker than `div`. Exact up to 4,798, and no sum above the first class is more than 2,400.
    return ((above * factor) >> 20) * _DIFFERENCES + MAX_RATING + rating - opponent


def packed_law(index: Int[Array, "*batch"], game: GameConfig | Laws) -> Int[Array, "*batch"]:
    """The entries of `law_table` at some places."""
    return jnp.asarray(_laws(game).table).at[index].get(mode="clip")


def cumulative_law(
    ratings: Int[Array, "boards *batch"],
    opponents: Int[Array, "boards *batch"],
    game: GameConfig | Laws,
) -> CumulativeLaw:
    """The law of a match's game points: the convolution of its games, board after board.

    With a team-day shock: the mean of such laws over `SHOCKS` equally likely values of the relative
    shock, half of which each side's ratings go up or down by (whole rating points, kept within
    0..`MAX_RATING`). With so few values a cumulative chance is off by up to .0015 at a `day_shock`
    of 40, .004 at 87 and .012 at any.

    **Arguments:**

    - `ratings`, `opponents`: the two line-ups in board order, whole rating points.
    - `game`: the game model.

    **Returns:** `[2*boards, ...]` integers in units of `1/UNIT`: the chance of at most 0, 1, ...
    2*boards - 1 half points for the side of `ratings`. Each convolution, and the mean, is exact in
    integers and then rounded to units once, so that chances still add up to `UNIT`.
    """
    laws = _laws(game)
    if len(laws.half_shocks) == 1:
        return _law_of_boards(ratings, opponents, laws)

    def add_shock(total: Array, half: Array) -> tuple[Array, None]:
        return total + _law_of_boards(*_shifted(ratings, opponents, half), laws), None

    nothing = jnp.zeros((2 * len(ratings), *ratings.shape[1:]), jnp.int32)
    shocks = jnp.asarray(laws.half_shocks)
    return _round_units(jax.lax.scan(add_shock, nothing, shocks)[0], _SHOCK_BITS)


def _shifted(ratings: Array, opponents: Array, half: Array | np.ndarray) -> tuple[Array, Array]:
    """Both line-ups on a day with a shock."""
    return jnp.clip(ratings + half, 0, MAX_RATING), jnp.clip(opponents - half, 0, MAX_RATING)


def match_index(
    ratings: Int[Array, "boards *#batch"],
    opponents: Int[Array, "boards *#batch"],
    game: GameConfig | Laws,
) -> Int[Array, "boards days *batch"]:
    """The `law_index` of every game of matches, on each of the equally likely days."""
    ratings, opponents = ratings[:, None], opponents[:, None]
    laws = _laws(game)
    if len(laws.half_shocks) > 1:
        half = laws.half_shocks.reshape(-1, *[1] * (ratings.ndim - 2))
        ratings, opponents = _shifted(ratings, opponents, half)
    return law_index(ratings, opponents, laws)


def _law_of_boards(
    ratings: Int[Array, "boards *batch"], opponents: Int[Array, "boards *batch"], laws: Laws
) -> CumulativeLaw:
    """`cumulative_law` on a day without a shock."""

    def add_game(at_most: Array, law: Array) -> tuple[Array, None]:
        # Cumulative chances are convolved like chances; when they are rounded, the chances still
        # add up to one.
        never = jnp.zeros_like(at_most[:1])
        one_less = jnp.concatenate([never, at_most[:-1]])
        two_less = jnp.concatenate([never, one_less[:-1]])
        return _after_game(law, at_most, one_less, two_less), None

    of_games = packed_law(law_index(ratings, opponents, laws), laws)
    # Before the first game nobody has more than 0 half points.
    nothing_scored = jnp.full((2 * len(of_games), *of_games.shape[1:]), UNIT, jnp.int32)
    return jax.lax.scan(add_game, nothing_scored, of_games)[0]


def _after_game(
    law: Array, at_most: Array | int, one_less: Array | int, two_less: Array | int
) -> Array:
    """The chance of at most some half points after one more game.

    **Arguments:**

    - `law`: of the game, packed.
    - `at_most`, `one_less`, `two_less`: before the game, the chances of at most so many half
      points, one less and two less.
    """
    win, draw = law & 0xFFFF, law >> 16  # as `law_table` packs them
    # loss * at_most + draw * one_less + win * two_less, with a product less.
    # At most 2^30, so within 32 bits.
    exact = UNIT * at_most - draw * (at_most - one_less) - win * (at_most - two_less)
    return _round_units(exact, UNIT_BITS)


def _round_units(exact: Array, bits: int) -> Array:
    """`exact / 2**bits`, rounded.

    Exact halves go to the even unit, so that both sides of a match see the same law.
    """
    return (exact + (1 << (bits - 1)) - 1 + ((exact >> bits) & 1)) >> bits


def all_play_all(rosters: Rosters, game: GameConfig) -> CumulativeLaw:
    """The cumulative law of the match of every ordered pair of teams.

    **Returns:** as `cumulative_law`, from the side of the first team. The diagonal (a team against
    itself) has no meaning.
    """
    boards = rosters.T
    first, second = jnp.broadcast_arrays(boards[:, :, None], boards[:, None, :])
    return cumulative_law(first, second, game)


def law_from_games(
    laws: Sequence[Int[Array, "days *batch"]],
    wanted: range,
    before: Sequence[Int[Array, "days *batch"]] = (),
) -> list[Array]:
    """Some of the chances of `cumulative_law`, day by day, from the packed laws of games.

    Only those chances are computed that the wanted ones need. `mean_of_days` makes them those of a
    match.

    **Arguments:**

    - `laws`: board by board, from `law_table` by `match_index`.
    - `wanted`: half points.
    - `before`: the chances of at most 0, 1, ... half points in games before these.

    **Returns:** `[days, *batch]` for each of the wanted ones the chance of at most so many.
    """
    first, at_most = len(before) // 2 + 1, dict(enumerate(before))  # for certain from there on
    boards = first - 1 + len(laws)

    def chance(half_points: int) -> Array | int:
        # What is certain is not listed.
        return 0 if half_points < 0 else at_most.get(half_points, UNIT)

    for played, law in enumerate(laws, start=first):
        later = 2 * (boards - played)  # half points that the later games can add
        needed = range(max(0, wanted.start - later), min(2 * played, wanted.stop))
        if played == 1:
            win, draw = law & 0xFFFF, law >> 16  # as `law_table` packs them
            not_won = UNIT - win
            at_most = {k: not_won if k else not_won - draw for k in needed}
        else:
            at_most = {k: _after_game(law, *map(chance, (k, k - 1, k - 2))) for k in needed}
    return [at_most[k] for k in wanted]


def mean_of_days(chance: Int[Array, "days *batch"]) -> Int[Array, "*batch"]:
    """The mean of a chance over the equally likely days, rounded to units."""
    total = chance.sum(axis=0)
    # A single day: no shock.
    return total if len(chance) == 1 else _round_units(total, _SHOCK_BITS)


def expected_match_points(at_most: CumulativeLaw) -> Int[Array, "*batch"]:
    """Expected match points (2 for a win, 1 for a draw) of a match, in units of `1/UNIT`.

    **Arguments:** `at_most` is its law, as `cumulative_law` returns it.
    """
    boards = len(at_most) // 2
    # One match point for half of the points or more, another for more than half.
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
    # Cumulative chances never fall, so counting those passed finds the result.
    return (number >= at_most).sum(axis=0, dtype=jnp.int32)
