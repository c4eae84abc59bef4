"""Rankings by paired comparison, for many events at once: least squares and the row sum.

Source: L. Csato, *Ranking in Swiss system chess team tournaments*, 2017. The results matrix holds
board points less half the boards of every match, or match points, or a mixture of both; its row
sums are the scores `s`. `studies.rankings.methods` has the same for one event in double precision.

Both rules are solved by an iteration on integers alone. Sums of integers do not depend on their
order, and every other step is taken team by team, so that the scores are the same on every
processor, in every batch and under every numbering of the teams and rounds.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Int

from tb2learn.chess.results import Results
from tb2learn.tiebreaks.completed import CompletedEvent, Pass
from tb2learn.types import BYE, InputError, PerRound, PerTeam, pytree, static

_FINER = 7  # bits by which each stage of the solution below the unit is finer than the last
_FINE = 4  # number of these stages
_SCALES = (1, 50, 5000)  # those before: half a board point, ..., 1/10000 board point, the unit
_FACTORS = (*(b // a for a, b in pairwise(_SCALES)), *(1 << _FINER,) * _FINE)
_UNITS = 10_000  # a board point, of the scores
_CLOSE = 4  # a stage ends once no team is further than this from its opponents' average
_MOST_STEPS = 1 << 20  # never needed up to 1000 teams and 15 rounds
_LARGEST_DENOMINATOR = 100  # of the share; with larger ones the integers could overflow


@pytree
class LeastSquares:
    """Ratings `q` whose differences fit the results of all matches best: ``L q = s``.

    Teams are connected by matches. Each component of an unconnected event is a problem of its own
    whose ratings add up to 0: a team's rating says how far above the average of its component it
    is, and nothing orders teams of different components.

    A match counts as half of what one side scored more than the other, which is what it scored
    above half the boards unless games were forfeited by both. Only so do the ratings that fit best
    solve the equation: scores that do not add up to 0 have no solution.

    **Fields:**

    - `boards`: games of a match.
    - `share`: weight of board points in the results matrix, 0..1, a fraction whose denominator is
      at most 100; the rest is that of match points, where any win is worth as much as a win on all
      boards. The paper's mixtures are 1/4 and 2/3.
    """

    boards: int = static(default=4)
    share: float = static(default=1.0)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The ratings, in 1/10000 of a board point, halves rounded up.

        **Raises:** `InputError` for a share that is no such fraction.
        """
        leads = replace(results, half_points=2 * self.boards + _leads(results))
        s, denominator = row_sums(leads, 2 * self.boards, self.share)
        stages = _solution(results.opponents, s, 0, 2 * denominator)
        return _rounded(_centred(stages, components(results.opponents)))

    def working(self, event: CompletedEvent) -> tuple[Pass, ...]:
        """What every match adds to the ratings: they are the means of what the matches say.

        A match says that a team is above its opponent's rating by half of its lead in board points;
        its part of the mean is that over the number of matches.

        **Returns:** one pass; opponents count as their ratings, in board points.

        **Raises:** `InputError` as `scores`, or for an event whose rounds are not known.
        """
        results = event.results()
        ratings = np.asarray(self.scores(results), float)
        opponents = np.asarray(results.opponents).T
        met, lead = opponents != BYE, np.asarray(_leads(results)).T
        score = self.share * lead / 2 + (1 - self.share) * self.boards * np.sign(lead)
        rated = np.where(met, ratings[opponents], np.nan)
        matches = np.maximum(met.sum(axis=1, keepdims=True), 1)
        values = np.where(met, (rated + score * (_UNITS / 2)) / matches, 0.0)
        return (Pass(values, np.zeros_like(met), ratings, rated / _UNITS),)


@pytree
class ShrunkenLeastSquares:
    """Least squares with every team tied to what its match points say: ``(L + ridge I) q = s``.

    The right side also has ``ridge * prior[match points]``: it is as if every team had met, beside
    its opponents, a team that is rated at its prior `ridge` times, and drawn. A ridge of 0 would be
    least squares; with a large one opponents count as their prior, as in a table.

    **Fields:** leaves, so that one program serves all.

    - `ridge`: in tenths of a match, a whole number, 1..1000.
    - `board`, `win`: what a lead counts for, in hundredths of board points, and how much a win adds
      as a share of a win on all boards.
    - `prior`: by match points, in hundredths of half a board point.
    - `boards`: games of a match.
    """

    ridge: Int[Array, ""]
    board: Int[Array, ""]
    win: Int[Array, ""]
    prior: Int[Array, " shares"]
    boards: int = static(default=4)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The ratings, in 1/10000 of a board point, halves rounded up."""
        both = 2 * self.boards
        leads = replace(results, half_points=both + _leads(results))
        board_points, match_points = (row_sums(leads, both, share)[0] for share in (1.0, 0.0))
        # In hundredths, and twice, because a lead counts for both teams; and in tenths of a match.
        s = 10 * (self.board * board_points + self.win * match_points)
        s = s + 2 * self.ridge * self.prior[results.match_points]
        return _rounded(_solution(results.opponents, s, 2 * 100 * self.ridge, 2 * 100 * 10))


@pytree
class RowSum:
    """Generalized row sum (Chebotarev): ``(I + epsilon L) x = (1 + epsilon m n) s``.

    `m` is the largest number of matches of two teams, `n` the number of teams.

    **Fields:**

    - `inverse`: 1/epsilon, a whole number, 1..10000; a leaf, so that one program serves all.
    - `boards`, `share`: as in `LeastSquares`.
    """

    inverse: Int[Array, ""]
    boards: int = static(default=4)
    share: float = static(default=1.0)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The generalized row sums, in 1/10000 of a board point, halves rounded up.

        **Raises:** `InputError` as for `LeastSquares`.
        """
        s, denominator = row_sums(results, self.boards, self.share)
        teams = results.opponents.shape[1]
        s = (self.inverse + most_of_a_pair(results.opponents) * teams) * s
        stages = _solution(results.opponents, s, denominator * self.inverse, denominator)
        return _rounded(stages)


def _leads(results: Results) -> PerRound:
    """Half points of every team less those of its opponent; of no meaning for a bye."""
    own = results.half_points
    return own - jnp.take_along_axis(own, jnp.maximum(results.opponents, 0), axis=1)


def row_sums(results: Results, boards: int, share: float = 1.0) -> tuple[PerTeam, int]:
    """The scores `s` as integers.

    **Arguments:**

    - `results`: of one event; a bye is no comparison.
    - `boards`: games of a match.
    - `share`: weight of board points, 0..1, a fraction whose denominator is at most 100; the rest
      are match points, in halves of a match.

    **Returns:** the board points above half the boards, summed over the matches, in half points
    over the denominator of the share; this denominator.

    **Raises:** `InputError` for another share.
    """
    within = 0.0 <= share <= 1.0  # False for NaN
    fraction = Fraction(share if within else 0).limit_denominator(_LARGEST_DENOMINATOR)
    if not within or abs(fraction - share) > 1e-9:
        raise InputError(
            "share of board points must be 0..1, a fraction with a denominator of at most "
            f"{_LARGEST_DENOMINATOR}, got {share:g}"
        )
    above = jnp.where(results.opponents != BYE, results.half_points - boards, 0)
    board_points, match_points = fraction.numerator, fraction.denominator - fraction.numerator
    s = board_points * above + match_points * boards * jnp.sign(above)
    return s.sum(axis=0, dtype=jnp.int32), fraction.denominator


def most_of_a_pair(opponents: PerRound) -> Int[Array, ""]:
    """The largest number of matches of two teams."""
    same = (opponents[:, None] == opponents) & (opponents != BYE)
    return same.sum(axis=0, dtype=jnp.int32).max()


def components(opponents: PerRound) -> PerTeam:
    """The component of every team in the graph of matches.

    **Returns:** the lowest number of a team in the same component.
    """
    met = opponents != BYE

    def spread(state: tuple[PerTeam, Array]) -> tuple[PerTeam, Array]:
        label, _ = state
        lowest = jnp.where(met, label[opponents], label).min(axis=0)
        lowest = jnp.minimum(lowest, label)
        lowest = lowest[lowest]  # follow labels of labels, which shortens long chains
        return lowest, (lowest != label).any()

    own = jnp.arange(opponents.shape[1], dtype=opponents.dtype)
    return lax.while_loop(lambda state: state[1], spread, (own, jnp.array(True)))[0]


# --------------------------------------------------------------------------- the solution


def _solution(
    opponents: PerRound, s: PerTeam, own: Int[Array, ""] | int, denominator: int
) -> Int[Array, "stages teams"]:
    """Solve ``(own I + denominator L) x = s`` for `x` in half board points.

    Jacobi's iteration with momentum, in fixed point. `x` is a sum of stages, each in a finer unit:
    once the residual of a stage is small, residual and velocity are multiplied by the factor to
    the next unit, which is exact, and the iteration goes on there.

    Integers wrap around, which is harmless if the final result is small: the residual is exact
    even if `L x` has overflowed. With 1000 teams, 15 rounds and 12 boards no result overflows, not
    even if the graph of matches is one long chain.

    **Returns:** the stages of `x`, in half board points over the products of `_FACTORS`.
    """
    rounds, teams = opponents.shape
    numbers = jnp.arange(teams, dtype=opponents.dtype)
    met = jnp.where(opponents == BYE, numbers, opponents)  # so that a bye adds x - x = 0 to L x
    diagonal = jnp.asarray(own + denominator * rounds, jnp.int32)
    factors = jnp.asarray((*_FACTORS, 1), jnp.int32)
    which = jnp.arange(len(factors))[:, None]

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        x, velocity, residual, stage, number = state
        velocity = _slowed(velocity, number) + lax.div(residual, diagonal)
        x = x + jnp.where(which == stage, velocity, 0)
        of_opponents = sum(velocity[met[r]] for r in range(rounds))
        residual = residual - diagonal * velocity + denominator * of_opponents
        close = jnp.abs(residual).max() <= _CLOSE * diagonal
        factor = jnp.where(close, factors[stage], 1)
        return x, factor * velocity, factor * residual, stage + close, number + 1

    def unsolved(state: tuple[Array, ...]) -> Array:
        *_, stage, number = state
        return (stage < len(factors)) & (number < _MOST_STEPS)

    none = jnp.zeros((len(factors), teams), jnp.int32)
    start = (none, none[0], s, jnp.int32(0), jnp.int32(0))
    return lax.while_loop(unsolved, step, start)[0]


def _slowed(velocity: PerTeam, number: Int[Array, ""]) -> PerTeam:
    """The velocity after damping: ``(1 - 1/2^k)^2`` of it, rounded towards 0.

    The iteration converges for every `k`, since no eigenvalue of ``L/rounds`` is above 2. `k` = 1
    is best for events paired by a Swiss system, which take some 45 steps. Poorly connected ones
    need more momentum: `k` grows with the logarithm of the number of steps up to 10, which is
    enough for a chain of 1000 teams (up to some 100,000 steps).
    """
    k = jnp.clip(27 - lax.clz(number), 1, 10)
    size = jnp.abs(velocity)
    for _ in range(2):
        size = size - ((size + (1 << k) - 1) >> k)
    return jnp.sign(velocity) * size


def _centred(stages: Int[Array, "stages teams"], component: PerTeam) -> Int[Array, "stages teams"]:
    """Subtract the average of each component; remainders are carried to the next finer stage."""
    size = jnp.zeros_like(component).at[component].add(1)[component]
    total = jnp.zeros_like(stages).at[:, component].add(stages)[:, component]
    left, centred = jnp.zeros_like(size), []
    for x, sum_, factor in zip(stages, total, (1, *_FACTORS), strict=True):
        average, left = jnp.divmod(sum_ + factor * left, size)
        centred.append(x - average)
    return jnp.stack(centred)


def _rounded(stages: Int[Array, "stages teams"]) -> PerTeam:
    """Whole units, halves up.

    The stages end some 2^-24 of a unit from the exact solution, so an exact half may come out on
    either side. Adding 2^-21 of a unit makes all halves round up.
    """
    coarse, fine = stages[: len(_SCALES)], stages[len(_SCALES) :]
    fine = fine.at[0].add(1 << (_FINER - 1)).at[2].add(1)
    carry = jnp.zeros_like(fine[0])
    for x in fine[::-1]:
        carry = (x + carry) >> _FINER
    return carry + sum(x * (_SCALES[-1] // scale) for x, scale in zip(coarse, _SCALES, strict=True))
