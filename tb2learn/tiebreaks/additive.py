"""Sums over opponents: what a result is worth, by both teams' match points and the game points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Num

from tb2learn.chess.results import Results, weakest_item
from tb2learn.tiebreaks.completed import CompletedEvent, Items, Pass, SumOverRounds
from tb2learn.types import BYE, pytree, static

Rounded = TypeVar("Rounded", Array, np.ndarray)


class Additive(ABC):
    """A rule that sums values over the matches played; a round without a match adds nothing."""

    reduced: bool = False
    """Whether the weakest opponent (a bye first) is left out."""

    @abstractmethod
    def opponent_score(self, results: Results) -> Num[Array, "teams rounds"]:
        """What the opponent of every match counts as; undefined for byes."""

    def plain_score(
        self, match_points: Int[Array, "*batch"], rosters: Int[Array, "*batch boards"]
    ) -> Num[Array, "*batch"]:
        """What a team counts as before any refinement by its own results."""
        return match_points

    @abstractmethod
    def value(
        self,
        own: Int[Array, "*#batch"],
        opponent_score: Num[Array, "*#batch"],
        half_points: Int[Array, "*#batch"],
    ) -> Num[Array, "*batch"]:
        """What a result is worth.

        **Arguments:**

        - `own`: final match points of the team.
        - `opponent_score`: what the opponent counts as.
        - `half_points`: scored against it.
        """

    def values(self, results: Results) -> Num[Array, "teams rounds"]:
        """What every result is worth, 0 where no match was played."""
        own, half_points = results.match_points[:, None], results.half_points.T
        return jnp.where(
            (results.opponents != BYE).T,
            self.value(own, self.opponent_score(results), half_points),
            0,
        )

    def left_out(
        self, results: Results, values: Num[Array, "teams rounds"]
    ) -> Int[Array, " teams"] | None:
        """The item of every team that a reduced rule leaves out."""
        if not self.reduced:
            return None
        bye = (results.opponents == BYE).T
        return weakest_item(opponent_points(results), values, bye)

    def total(self, values: Num[Array, "*batch rounds"]) -> Int[Array, "*batch"]:
        """The score of a team, from the values of its results."""
        return values.sum(axis=-1)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The sum of a team's values, less the weakest opponent's in a reduced rule."""
        values = self.values(results)
        left_out = self.left_out(results, values)
        if left_out is not None:
            values = values.at[jnp.arange(len(values)), left_out].set(0)
        return self.total(values)


def opponent_points(results: Results) -> Int[Array, "teams rounds"]:
    """Final match points of every opponent, 0 where there was none."""
    return jnp.where(results.opponents == BYE, 0, results.match_points[results.opponents]).T


def without_own_match(
    values: Num[Array, "teams rounds"], opponents: Int[Array, "teams rounds"]
) -> Num[Array, "teams rounds"]:
    """The sum of every opponent's values, its match with the team itself left out.

    **Arguments:**

    - `values`: what every round is worth.
    - `opponents`: team numbers; what is returned for a `BYE` is undefined.

    That match is left out because a team that scores more in it takes points off its opponent,
    which would then count for less. If two teams met twice, each match leaves out itself only.
    """
    return values.sum(axis=-1)[opponents] - values[opponents, jnp.arange(values.shape[1])]


@pytree
class TableRule(Additive, SumOverRounds):
    """A lookup table by own match points, the opponent's match points and the result."""

    points: Int[Array, "shares shares results"]
    reduced: bool = static(default=True)

    def opponent_score(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's match points."""
        return opponent_points(results)

    def value(self, own: Array, opponent_score: Array, half_points: Array) -> Array:
        """The table's entry."""
        return self.points[own, opponent_score, half_points]

    @property
    def linear(self) -> bool:
        """Whether it is the product rule's table, whatever the own match points."""
        _, columns, results = self.points.shape
        product = np.arange(columns)[:, None] * np.arange(results)
        return bool((np.asarray(self.points) == product).all())

    def working(self, event: CompletedEvent) -> tuple[Pass]:
        """The table's entries, interpolated where points or results count as fractions."""
        points, own = np.asarray(self.points), event.own[:, None]

        def worth(items: Items) -> Float[np.ndarray, "teams rounds"]:
            column, more, part = between(items.opponent_points, points.shape[1])
            result, better, share = between(items.scored, points.shape[2])
            low = (1 - share) * points[own, column, result] + share * points[own, column, better]
            high = (1 - share) * points[own, more, result] + share * points[own, more, better]
            return (1 - part) * low + part * high

        kept = event.cut(worth, low=int(self.reduced))
        return (kept.work_out(worth(kept.items), kept.items.opponent_points),)


@pytree
class GamePoints(Additive):
    """TB3: the half points scored, those of a bye too."""

    def opponent_score(self, results: Results) -> Int[Array, "teams rounds"]:
        """Unused."""
        return opponent_points(results)

    def value(self, own: Array, opponent_score: Array, half_points: Array) -> Array:
        """The result itself."""
        return half_points

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """All half points."""
        return results.half_points.sum(axis=0)


def nearest(x: Num[Rounded, "*batch"], unit: Int[Array, "*batch"] | int) -> Num[Rounded, "*batch"]:
    """`x / unit`, rounded to the nearest whole number, halves up."""
    return (2 * x + unit) // (2 * unit)


def between(
    values: Float[np.ndarray, "*batch"], size: int
) -> tuple[Int[np.ndarray, "*batch"], Int[np.ndarray, "*batch"], Float[np.ndarray, "*batch"]]:
    """The indices in 0 .. size - 1 below and above a value, and the fraction between them."""
    values = np.clip(values, 0, size - 1)
    below = np.floor(values).astype(np.int32)
    return below, np.minimum(below + 1, size - 1), values - below
