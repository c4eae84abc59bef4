"""From ratings to results: the laws of a game and of a match."""

import hashlib
import itertools
import math

import helpers
import jax
import jax.numpy as jnp
import numpy as np
import plain_python
import pytest
from scipy import stats

from studies.frames import load_table
from tb2learn.chess import results
from tb2learn.chess.rating_tables import logistic_score
from tb2learn.config import MAX_RATING, GameConfig
from tb2learn.simulation import games
from tb2learn.simulation.purposes import UNIT

TAILS = ["consistent", "literal"]
FITTED = GameConfig(model="fitted")

game_law = jax.jit(helpers.game_law, static_argnames="game")
match_law = jax.jit(helpers.match_law, static_argnames="game")
sample = jax.jit(games.sample_half_points)


def below(law):
    """Cumulative probabilities of integer laws, as floats."""
    return np.cumsum(np.asarray(law), axis=-1) / UNIT


# --- one game -------------------------------------------------------------------------------------

MEANS = [0, 700, *(edge - one for edge in range(1400, 2801, 200) for one in (1, 0)), 3300, 4000]


def all_pairs():
    """Ratings around every edge of the statistic's classes, odd sums included."""
    differences = [*range(-420, 421), *range(-4000, 4001, 53), 2046, 2047, 2048, -2047, -2048]
    pairs = {
        (mean + difference // 2 + odd, mean - (difference - difference // 2))
        for mean in MEANS
        for difference in differences
        for odd in (0, 1)
    }
    return np.array([p for p in sorted(pairs) if 0 <= min(p) and max(p) <= MAX_RATING], np.int32)


@pytest.mark.parametrize("tail", TAILS)
def test_game_law_equals_the_reference(tail, draw_rate):
    rating, opponent = all_pairs().T
    assert len(rating) > 20_000
    law = np.stack(game_law(rating, opponent, GameConfig(tail)), axis=-1)
    assert (law >= 0).all() and (law.sum(axis=-1) == UNIT).all()
    exact = [plain_python.game_law(*p, tail, draw_rate) for p in all_pairs().tolist()]
    apart = np.abs(below(law) - np.cumsum(exact, axis=-1)).max(axis=-1) * UNIT
    # Both cumulative chances are rounded to the grid, once.
    assert apart.max() <= 0.5 + 1e-6
    mirrored = np.stack(game_law(opponent, rating, GameConfig(tail)), axis=-1)
    # Equal ratings are mirrored too: win and loss are then the same.
    np.testing.assert_array_equal(law, mirrored[:, ::-1])


# --- a match --------------------------------------------------------------------------------------


MATCHES = 3000  # one shape for all tests, compiled once a size


def line_ups(boards):
    """Matches of every kind: any ratings; even teams; the same pair of ratings on each board."""
    random = np.random.default_rng(boards)
    base = random.integers(1000, 2801, (MATCHES, 1))
    even = base + random.integers(-150, 151, (2, MATCHES, boards))
    wild = random.integers(0, MAX_RATING + 1, (2, MATCHES, boards))
    ratings = np.where(np.arange(MATCHES)[:, None] % 2 == 0, even, wild)
    ratings[:, ::3] = ratings[:, ::3, :1]
    return ratings.astype(np.int32)


DIGESTS = {"consistent": "4121c58eb54b8777", "literal": "f03d8d83ffd9798c"}
"""Of the cumulative laws on four boards: models that came later leave them alone, to the bit."""

# Of few sizes in the fast run: a law of 12 boards takes seconds to compile.
FAST = [(1, "literal"), (3, "consistent"), (4, "consistent"), (4, "literal"), (12, "consistent")]
SIZES = [size for size in itertools.product(range(1, 13), TAILS) if size not in FAST]
SIZES = [*FAST, *(pytest.param(*size, marks=pytest.mark.slow) for size in SIZES)]


@pytest.mark.parametrize(("boards", "tail"), SIZES)
def test_match_law(boards, tail, draw_rate):
    a, b = line_ups(boards)
    law = np.asarray(match_law(a, b, GameConfig(tail)))
    assert law.shape == (MATCHES, 2 * boards + 1)
    assert (law >= 0).all() and (law.sum(axis=-1) == UNIT).all()

    exact = np.array(
        [
            plain_python.match_law(*p, tail, draw_rate)
            for p in zip(a.tolist(), b.tolist(), strict=True)
        ]
    )
    # A cumulative chance is off by half a unit for each game and each convolution, which is less
    # than the boards/UNIT that the docstring claims.
    apart = np.abs(below(law) - np.cumsum(exact, axis=-1)).max(axis=-1)
    assert apart.max() <= (2 * boards - 1) / (2 * UNIT) + 1e-9

    at_most = np.cumsum(law, axis=-1, dtype=np.int32)[:, :-1].T
    if boards == 4:
        digest = hashlib.sha256(np.ascontiguousarray(at_most).tobytes()).hexdigest()
        assert digest.startswith(DIGESTS[tail])
    worth = [plain_python.match_points_for(half, boards) for half in range(2 * boards + 1)]
    assert results.match_points(np.arange(2 * boards + 1), boards).tolist() == worth
    np.testing.assert_array_equal(games.expected_match_points(jnp.asarray(at_most)), law @ worth)

    if tail == "consistent":  # the expected score is kept
        expected = logistic_score(a - b).sum(axis=-1)
        half_points = np.arange(2 * boards + 1)
        np.testing.assert_allclose(
            (law * half_points).sum(axis=-1) / (2 * UNIT), expected, rtol=0, atol=3e-5 * boards
        )
    # From the other side it is the same law, exactly.
    np.testing.assert_array_equal(law, np.asarray(match_law(b, a, GameConfig(tail)))[:, ::-1])
    # Each of the 32768 random numbers once: the counts of the results ARE the law.
    for one in law[:12]:
        drawn = np.asarray(sample(jnp.arange(UNIT), jnp.cumsum(one)[:-1, None]))
        assert (np.diff(drawn) >= 0).all()
        np.testing.assert_array_equal(np.bincount(drawn, minlength=len(one)), one)


# --- the fitted model -----------------------------------------------------------------------------


def fitted_by_hand(difference, mean, colour):
    """The formula of the docstring, one game at a time."""
    constants = load_table("baku2016_games.csv").set_index("constant").value.to_dict()
    x = constants["scale"] * difference + constants["white_advantage"] * colour
    expected = 1 / (1 + 10 ** (-x / 400))
    y = constants["draw_level"] + constants["draw_difference"] * abs(x) / 400
    if mean > 2300:
        y += constants["draw_mean"] * (mean - 2300) / 200
    draw = 2 * min(expected, 1 - expected) / (1 + math.exp(-y))
    return expected - draw / 2, draw, 1 - expected - draw / 2


@pytest.mark.thorough
def test_fitted_game_law_equals_the_reference():
    pairs = all_pairs()[::29]  # in plain Python all of them take half a minute
    law = np.stack(game_law(*pairs.T, FITTED), axis=-1)
    exact = []
    for rating, opponent in pairs.tolist():
        # The middle of a class of 50 points, from 2250 to 2800, and the mean of both colours.
        middle = 2275 + 50 * min(max(((rating + opponent) // 2 - 2250) // 50, 0), 10)
        white, black = (fitted_by_hand(rating - opponent, middle, colour) for colour in (1, -1))
        exact.append([(w + b) / 2 for w, b in zip(white, black, strict=True)])
    apart = np.abs(below(law) - np.cumsum(exact, axis=-1)).max(axis=-1) * UNIT
    assert apart.max() <= 0.5 + 1e-6


# --- the team's day -------------------------------------------------------------------------------


@pytest.mark.parametrize("day_shock", [87.0, 1000.0])
def test_day_shock_equals_the_reference(day_shock, draw_rate):
    # The mean of 16 laws in real arithmetic, each side's ratings moved by half the shock.
    a, b = (side[:60].astype(int) for side in line_ups(4))
    quantiles = [stats.norm.ppf((2 * i + 1) / 32) for i in range(16)]
    spread = math.sqrt(sum(q * q for q in quantiles) / 16)
    exact = 0.0
    for quantile in quantiles:
        # Relative shocks have the variance 2 * day_shock**2.
        half = round(math.sqrt(2) * day_shock * quantile / spread / 2)
        one, other = (np.clip(side, 0, MAX_RATING) for side in (a + half, b - half))
        laws = [
            plain_python.match_law(*pair, "consistent", draw_rate)
            for pair in zip(one.tolist(), other.tolist(), strict=True)
        ]
        exact = exact + np.array(laws) / 16
    law = match_law(a.astype(np.int32), b.astype(np.int32), GameConfig(day_shock=day_shock))
    apart = np.abs(below(law) - np.cumsum(exact, axis=-1)).max()
    assert apart <= (2 * 4 - 1 + 1) / (2 * UNIT) + 1e-9
