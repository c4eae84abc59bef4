"""Rankings by paired comparison: least squares and the row sum.

Source: L. Csato, *Ranking in Swiss system chess team tournaments*, 2017. The results matrix holds
board points less half the boards of every match, or match points, or a mixture of both; its row
sums are the scores `s`. `studies/rankings.py` has the same for one event in double precision.

Both rules are solved by an iteration on integers alone. Sums of integers do not depend on their
order, and every other step is taken team by team, so that the scores are the same on every
processor, in every batch and under every numbering of the teams and rounds.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from tb2learn.arrays import compiled, loop_while, namespace, summed_by
from tb2learn.chess.items import Pass
from tb2learn.chess.results import EventView, Results, times_met
from tb2learn.shapes import Int
from tb2learn.tiebreaks.base import Explained
from tb2learn.types import BYE, AnyArray, InputError, PerRound, PerTeam, pytree, static

_FINER = 7  # bits by which each stage of the solution below the unit is finer than the last
_FINE = 4  # number of these stages
_SCALES = (1, 50, 5000)  # those before: half a board point, ..., 1/10000 board point, the unit
_FACTORS = (*(b // a for a, b in pairwise(_SCALES)), *(1 << _FINER,) * _FINE)
_UNITS = 10_000  # a board point, of the scores
_CLOSE = 4  # a stage ends once no team is further than this from its opponents' average
_MOST_STEPS = 1 << 20  # never needed up to 1000 teams and 15 rounds
_LARGEST_DENOMINATOR = 100  # of the share; with larger ones the integers could overflow


@pytree
class LeastSquares(Explained):
    """Ratings `q` whose differences fit the results of all matches best: ``L q = s``.

    Teams are connected by matches. Each component of an unconnected event is a problem of its own
    whose ratings add up to 0: a team's rating says how far above the average of its component it
    is, and nothing orders teams of different components.

    A match counts as half of what one side scored more than the other, which is what it scored
    above half the boards unless games were forfeited by both. Only so do the ratings that fit best
    solve the equation: scores that do not add up to 0 have no solution.

    **Fields:** `share`: weight of board points in the results matrix, 0..1, a fraction whose
    denominator is at most 100; the rest is that of match points, where any win is worth as much
    as a win on all boards. The paper's mixtures are 1/4 and 2/3.
    """

    share: float = static(default=1.0)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The ratings, in 1/10000 of a board point, halves rounded up.

        **Raises:** `InputError` for a share that is no such fraction, or for an event whose rounds
        are not known.
        """
        results = event.results
        s, denominator = row_sums(_with_leads(results), self.share)
        # A lead is twice what the match counts for, so the other side is doubled, too.
        stages = _solution(results.opponents, s, 0, 2 * denominator)
        return _rounded(_centred(stages, components(results.opponents)))

    def working(self, event: EventView) -> tuple[Pass, ...]:
        """What every match adds to the ratings: they are the means of what the matches say.

        A match says that a team is above its opponent's rating by half of its lead in board points;
        its part of the mean is that over the number of matches.

        **Returns:** one pass; opponents count as their ratings, in board points.

        **Raises:** `InputError` as `scores`.
        """
        results, ratings = event.results, self.scores(event)
        xp = namespace(ratings)
        opponents, met, lead = results.opponents, results.met, _leads(results)
        score = self.share * lead / 2 + (1 - self.share) * results.boards * xp.sign(lead)
        # Without an opponent there is no rating: NaN here, and a value of 0 below.
        rated = xp.where(met, ratings[opponents], xp.nan)
        matches = xp.maximum(met.sum(axis=0), 1)
        values = xp.where(met, (rated + score * (_UNITS / 2)) / matches, 0.0)
        return (Pass(values, xp.zeros(met.shape, bool), ratings, rated / _UNITS),)


@pytree
class RowSum:
    """Generalized row sum (Chebotarev): ``(I + epsilon L) x = (1 + epsilon m n) s``.

    `m` is the largest number of matches of two teams, `n` the number of teams.

    **Fields:**

    - `inverse`: 1/epsilon, a whole number, 1..10000; a leaf, so that one program serves all.
    - `share`: as in `LeastSquares`.
    """

    inverse: Int[AnyArray, ""]
    share: float = static(default=1.0)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The generalized row sums, in 1/10000 of a board point, halves rounded up.

        **Raises:** `InputError` as for `LeastSquares`.
        """
        results = event.results
        s, denominator = row_sums(results, self.share)
        teams = results.opponents.shape[1]
        # Both sides of the equation times 1/epsilon, so that all numbers are whole.
        s = (self.inverse + times_met(results.opponents).max() * teams) * s
        stages = _solution(results.opponents, s, denominator * self.inverse, denominator)
        return _rounded(stages)


def _leads(results: Results) -> PerRound:
    """Half points of every team less those of its opponent; of no meaning for a bye.

    **Raises:** `InputError` for an event whose rounds are not known.
    """
    results.need_rounds()
    xp, half_points = namespace(results.half_points), results.half_points
    # Any team for a bye.
    return half_points - xp.take_along_axis(half_points, xp.maximum(results.opponents, 0), axis=1)


def _with_leads(results: Results) -> Results:
    """The same with leads for half points, as if matches had twice as many boards."""
    whole_match = 2 * results.boards  # a lead is now what is above half
    return replace(results, half_points=whole_match + _leads(results), boards=whole_match)


def row_sums(results: Results, share: float = 1.0) -> tuple[PerTeam, int]:
    """The scores `s` as integers.

    **Arguments:**

    - `results`: of one event; a bye is no comparison.
    - `share`: weight of board points, 0..1, a fraction whose denominator is at most 100; the rest
      are match points, in halves of a match.

    **Returns:** the board points above half the boards, summed over the matches, in half points
    over the denominator of the share; this denominator.

    **Raises:** `InputError` for another share.
    """
    within = 0.0 <= share <= 1.0  # False for NaN
    # 0.333 is not 1/3: the share must be the fraction but for rounding.
    fraction = Fraction(share if within else 0).limit_denominator(_LARGEST_DENOMINATOR)
    if not within or abs(fraction - share) > 1e-9:
        raise InputError(
            "share of board points must be 0..1, a fraction with a denominator of at most "
            f"{_LARGEST_DENOMINATOR}, got {share:g}"
        )
    xp, boards = namespace(results.half_points), results.boards
    above = xp.where(results.met, results.half_points - boards, 0)
    board_points, match_points = fraction.numerator, fraction.denominator - fraction.numerator
    # For match points any win is as good as one on all boards.
    s = board_points * above + match_points * boards * xp.sign(above)
    return s.sum(axis=0, dtype=above.dtype), fraction.denominator


def components(opponents: PerRound) -> PerTeam:
    """The component of every team in the graph of matches.

    **Returns:** the lowest number of a team in the same component.
    """
    xp, met = namespace(opponents), opponents != BYE

    def spread(state: tuple[PerTeam, AnyArray]) -> tuple[PerTeam, AnyArray]:
        label, _ = state
        lowest = xp.where(met, label[opponents], label).min(axis=0)
        lowest = xp.minimum(lowest, label)
        lowest = lowest[lowest]  # follow labels of labels, which shortens long chains
        return lowest, (lowest != label).any()

    number = xp.arange(opponents.shape[1], dtype=opponents.dtype)
    return loop_while(opponents, lambda state: state[1], spread, (number, xp.asarray(True)))[0]


# --------------------------------------------------------------------------- the solution


def _solution(
    opponents: PerRound, s: PerTeam, own: Int[AnyArray, ""] | int, denominator: int
) -> Int[AnyArray, "stages teams"]:
    """Solve ``(own I + denominator L) x = s`` for `x` in half board points.

    Jacobi's iteration with momentum, in fixed point. `x` is a sum of stages, each in a finer unit:
    once the residual of a stage is small, residual and velocity are multiplied by the factor to
    the next unit, which is exact, and the iteration goes on there.

    Integers of JAX wrap around, which is harmless if the final result is small: the residual is
    exact even if `L x` has overflowed. With 1000 teams, 15 rounds and 12 boards no result
    overflows, not even if the graph of matches is one long chain. Recorded events, which may have
    more rounds, are solved by NumPy in 64 bits.

    **Returns:** the stages of `x`, in half board points over the products of `_FACTORS`.
    """
    xp, (rounds, teams) = namespace(opponents), opponents.shape
    numbers = xp.arange(teams, dtype=opponents.dtype)
    met = xp.where(opponents == BYE, numbers, opponents)  # so that a bye adds x - x = 0 to L x
    diagonal = xp.asarray(own + denominator * rounds, s.dtype)
    factors = xp.asarray((*_FACTORS, 1), s.dtype)  # behind the finest stage there is no next one
    which = xp.arange(len(factors))[:, None]

    def step(state: tuple[AnyArray, ...]) -> tuple[AnyArray, ...]:
        x, velocity, residual, stage, number = state
        velocity = _slowed(velocity, number) + _whole_part(residual, diagonal)
        x = x + xp.where(which == stage, velocity, 0)
        # `L x` without its matrix: a team's own terms less those of its opponents.
        of_opponents = sum(velocity[met[r]] for r in range(rounds))
        residual = residual - diagonal * velocity + denominator * of_opponents
        # Close enough in this unit: on to the next one, which is so many times finer.
        close = abs(residual).max() <= _CLOSE * diagonal
        factor = xp.where(close, factors[stage], 1)
        return x, factor * velocity, factor * residual, stage + close, number + 1

    def unsolved(state: tuple[AnyArray, ...]) -> AnyArray:
        *_, stage, number = state
        return (stage < len(factors)) & (number < _MOST_STEPS)

    none = xp.zeros((len(factors), teams), s.dtype)
    start = (none, none[0], s, xp.int32(0), xp.int32(0))
    return loop_while(opponents, unsolved, step, start)[0]


def _whole_part(values: PerTeam, by: Int[AnyArray, ""]) -> PerTeam:
    """The quotients, rounded towards 0."""
    if compiled(values):  # NumPy's `//` rounds down, and XLA's division alone rounds towards 0
        from jax import lax

        return lax.div(values, by)
    return namespace(values).sign(values) * (abs(values) // by)


def _slowed(velocity: PerTeam, number: Int[AnyArray, ""]) -> PerTeam:
    """The velocity after damping: ``(1 - 1/2^k)^2`` of it, rounded towards 0.

    The iteration converges for every `k`, since no eigenvalue of ``L/rounds`` is above 2. `k` = 1
    is best for events paired by a Swiss system, which take some 45 steps. Poorly connected ones
    need more momentum: `k` grows with the logarithm of the number of steps up to 10, which is
    enough for a chain of 1000 teams (up to some 100,000 steps).
    """
    xp = namespace(velocity)
    # By how many of 64, 128, ... 16384 steps were taken already.
    k = 1 + (number >> xp.arange(6, 15) > 0).sum()
    size = abs(velocity)
    for _ in range(2):
        # A loss of at least 1, so that the velocity comes to rest.
        size = size - ((size + (1 << k) - 1) >> k)
    return xp.sign(velocity) * size


def _centred(stages: Int[AnyArray, "stages teams"], component: PerTeam) -> AnyArray:
    """Subtract the average of each component; remainders are carried to the next finer stage."""
    xp = namespace(stages)
    size = summed_by(component, xp.ones_like(component))[component]
    total = summed_by(component, stages)[:, component]  # by component, then back to its teams
    remainder, centred = xp.zeros_like(size), []
    for x, sum_, factor in zip(stages, total, (1, *_FACTORS), strict=True):
        # Rounded down; what is left is carried as so many finer units.
        average, remainder = xp.divmod(sum_ + factor * remainder, size)
        centred.append(x - average)
    return xp.stack(centred)


def _rounded(stages: Int[AnyArray, "stages teams"]) -> PerTeam:
    """Whole units, halves up.

    The stages end some 2^-24 of a unit from the exact solution, so an exact half may come out on
    either side. Adding 2^-21 of a unit makes all halves round up.
    """
    coarse, fine = stages[: len(_SCALES)], list(stages[len(_SCALES) :])
    # Half a unit, and 2^-21 of it: 1 of the third stage of 7 bits each.
    fine[0], fine[2] = fine[0] + (1 << (_FINER - 1)), fine[2] + 1
    carry = namespace(stages).zeros_like(fine[0])
    for x in fine[::-1]:
        carry = (x + carry) >> _FINER  # rounds down, of negative numbers, too
    return carry + sum(x * (_SCALES[-1] // scale) for x, scale in zip(coarse, _SCALES, strict=True))
