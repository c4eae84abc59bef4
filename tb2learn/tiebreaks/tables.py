"""Lookup tables: what a result is worth, by both teams' match points and the game points."""

from __future__ import annotations

import numpy as np

from tb2learn.arrays import namespace
from tb2learn.chess.results import Score
from tb2learn.shapes import Float, Int, Num
from tb2learn.tiebreaks.base import SumOverRounds
from tb2learn.types import AnyArray, pytree, static


@pytree
class TableRule(SumOverRounds):
    """A lookup table by own match points, the opponent's match points and the result.

    A reduced rule leaves out the weakest opponent (a bye first).
    """

    points: Int[AnyArray, "own opponent results"]
    reduced: bool = static(default=True)

    def cut(self) -> tuple[int, int, Score]:
        """The weakest opponent is left out of a reduced rule."""
        return int(self.reduced), 0, "m"

    @property
    def linear(self) -> bool:
        """Whether it is the product rule's table, whatever the own match points."""
        _, columns, results = self.points.shape
        product = np.arange(columns)[:, None] * np.arange(results)
        return bool((np.asarray(self.points) == product).all())

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """The table's entry, interpolated where points or results count as fractions."""
        xp = namespace(result)
        points = xp.asarray(self.points)
        # Policies alone make fractions, and simulated events have none: there it is one look-up.
        if not xp.issubdtype(result.dtype, xp.floating):
            return points[own, opponent_score, result]
        column, next_column, part = between(opponent_score, points.shape[1])
        scored, better, share = between(result, points.shape[2])
        # Between two results in either column, then between the columns.
        low = (1 - share) * points[own, column, scored] + share * points[own, column, better]
        high = (1 - share) * points[own, next_column, scored] + share * points[
            own, next_column, better
        ]
        return (1 - part) * low + part * high


def nearest(x: Num[AnyArray, "*#batch"], unit: Int[AnyArray, "*#batch"] | int) -> AnyArray:
    """`x / unit`, rounded to the nearest whole number, halves up."""
    return (2 * x + unit) // (2 * unit)  # `//` rounds down, so that halves go up below 0, too


def between(
    values: Float[np.ndarray, "*batch"], size: int
) -> tuple[Int[np.ndarray, "*batch"], Int[np.ndarray, "*batch"], Float[np.ndarray, "*batch"]]:
    """The indices in 0 .. size - 1 below and above a value, and the fraction between them."""
    values = np.clip(values, 0, size - 1)
    below = np.floor(values).astype(np.int32)
    # The last index is its own next one, with the fraction 0.
    return below, np.minimum(below + 1, size - 1), values - below
