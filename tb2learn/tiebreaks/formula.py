"""The formula: game points above the expectation from match points, in passes of whole numbers."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

import numpy as np

from tb2learn.arrays import namespace
from tb2learn.shapes import Int, Num
from tb2learn.tiebreaks.passes import HUNDRED, SumInPasses, in_fractions, most_refinement
from tb2learn.tiebreaks.tables import nearest
from tb2learn.types import AnyArray, pytree, static

FORMULA_UNIT = 10_000
"""Points of a formula that make one game point."""

_NEAR = 1e-6  # to a half: rounding then needs more digits than floating point has for certain


@pytree
class FormulaRule(SumInPasses):
    """Game points above the score that is expected by match points.

    ``S(t) = sum over the opponents o of [gp - E(MP_t - M_o)]`` with ``M_o = MP_o`` at first and
    ``M_o = MP_o + k*S(o)`` in every further pass, S(o) without the match between the two. E is a
    table, see `expected_points`: of a lead in hundredths of a match point the game points that are
    expected, in ten-thousandths. So ``k*S(o)`` is rounded to hundredths of a match point, halves
    up, and everything is a whole number: scores are the same on all processors.

    **Fields:**

    - `expected`: E, by leads from the least to the greatest that there can be.
    - `gain`, `parts_of_gain`: `k` as a fraction of whole numbers, in hundredths of a match point
      by ten-thousandths of a game point.
    - `passes`: how often opponents are looked up.
    """

    expected: Int[AnyArray, " leads"]
    gain: Int[AnyArray, ""]
    parts_of_gain: int = static(default=100)
    passes: int = static(default=3)

    parts = HUNDRED

    @property
    def looked_up_in(self) -> Int[AnyArray, "passes leads"]:
        """In every pass the same."""
        expected = self.expected
        return namespace(expected).broadcast_to(expected, (self.passes, *expected.shape))

    def looked_up(
        self, table: AnyArray, own: AnyArray, opponent_score: AnyArray, result: AnyArray
    ) -> Num[AnyArray, "*batch"]:
        """Game points above the expected ones; of half points in fractions to the nearest unit."""
        xp = namespace(result)
        # Results are half points.
        scored = result * (FORMULA_UNIT // 2)
        if in_fractions(result):
            scored = nearest(scored, 1).astype(opponent_score.dtype)
        # A lead of 0 stands in the middle of the table.
        lead = HUNDRED * own - opponent_score
        return scored - xp.take(table, lead + table.shape[0] // 2, mode="clip")

    def refinement(self, others: Num[AnyArray, "*batch"]) -> Num[AnyArray, "*batch"]:
        """`k` times the sum, in hundredths of a match point."""
        return nearest(self.gain * others, self.parts_of_gain)


def formula_of(a: float, k: float, rounds: int, boards: int, passes: int = 3) -> FormulaRule:
    """The formula with constants as they are printed.

    **Arguments:**

    - `a`: the lead in match points at which a team is expected to score ten game points for one of
      its opponent, above 0.
    - `k`: match points that a game point above expectation is worth, 0 or more.
    - `rounds`, `boards`: the format.
    - `passes`: see `FormulaRule`.
    """
    # Hundredths of a match point by points of the formula. From the printed decimals, of which a
    # double has only the nearest binary number.
    gain = Fraction(repr(k)) * HUNDRED / FORMULA_UNIT
    expected = expected_points(repr(a), rounds, boards)
    return FormulaRule(expected, np.int32(gain.numerator), gain.denominator, passes)


@cache
def expected_points(a: str, rounds: int, boards: int) -> Int[np.ndarray, " leads"]:
    """Game points that are expected of a lead, ``boards / (1 + 10^(-lead/a))``, in 1/10000.

    **Arguments:** `a`: in match points, in decimals; others as `formula_of`.

    **Returns:** int32, rounded to the nearest (none lies between two but that of lead 0, which is
    whole), by leads in hundredths of a match point, from the least that there can be (a team of no
    match points against one of all, refined by the most) to the greatest.
    """
    largest, whole = 2 * HUNDRED * rounds + most_refinement(rounds, HUNDRED), FORMULA_UNIT * boards
    leads = np.arange(1, largest + 1)
    # In floating point, which is near enough for all but the numbers next to a half.
    close = whole / (1 + 10.0 ** (-leads / (HUNDRED * float(a))))
    ahead = np.floor(close + 0.5).astype(np.int32)
    # Processors differ in the last digits of a power, not by so much.
    for n in np.flatnonzero(np.abs(close % 1 - 0.5) < _NEAR):
        with localcontext(prec=40):
            power = Decimal(10) ** (-int(leads[n]) / (HUNDRED * Decimal(a)))
            ahead[n] = int(whole / (1 + power) + Decimal("0.5"))
    # Both teams together are expected to score all game points of the match.
    return np.concatenate([whole - ahead[::-1], [whole // 2], ahead]).astype(np.int32)
