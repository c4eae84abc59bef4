"""Sums over opponents: Buchholz, Sonneborn-Berger and its four forms for teams, Koya, Bruno.

What an opponent counts as is its final score; what a match is worth is that score alone (Buchholz)
or times the own result (Sonneborn-Berger). A team event has two scores, match points and game
points, so that there are two Buchholz sums and four products: FIDE's EMMSB, EMGSB, EGMSB, EGGSB
(the first letter is the opponent's score, the second the own result).

In an individual event (1 board) match points are twice the points and half points are, too: all
forms are the individual one in another unit.

A round without a match has no opponent: it adds nothing and is the first that a cut leaves out.
"""

from __future__ import annotations

from typing import Literal

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int

from tb2learn.standings import Results, match_points
from tb2learn.tiebreaks.additive import Additive, opponent_points
from tb2learn.types import BYE, pytree, static

Score = Literal["m", "g"]
"""Match points or game points; game points are counted in half points."""


@pytree
class OpponentSum(Additive):
    """The sum of the opponents' scores, each alone or times the own result against it, with cuts.

    Source: FIDE Handbook C.07, articles 8.1 (Buchholz), 9.1 (Sonneborn-Berger), 13.2 (its forms for
    teams) and 14 (cuts). A cut of `low` leaves out the opponents with the lowest scores, of several
    equal ones those that cost least; `high` the highest likewise. The score that orders them is the
    one that is summed: game points where those are.

    **Fields:**

    - `opponent`: which score of the opponent.
    - `own`: which result against it; empty for the opponent's score alone.
    - `low`, `high`: how many are left out, 0 .. rounds each; all if there are no more.
    - `boards`: games of a match.
    """

    opponent: Score = static(default="m")
    own: Literal["m", "g", ""] = static(default="g")
    low: int = static(default=0)
    high: int = static(default=0)
    boards: int = static(default=4)

    def reading(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's final score, 0 where there was none."""
        if self.opponent == "m":
            return opponent_points(results)
        return opponent_half_points(results)

    def value(self, own: Array, reading: Array, half_points: Array) -> Array:
        """The opponent's score, times the result if that counts."""
        if not self.own:
            return reading + 0 * half_points
        return reading * (
            half_points if self.own == "g" else match_points(half_points, self.boards)
        )

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The sum of what the cuts leave."""
        values = self.values(results)
        if self.low or self.high:
            order = jnp.where(results.opponents == BYE, -1, self.reading(results).T)
            place = places(order, values.T).T
            kept = (place >= self.low) & (place < len(order) - self.high)
            values = jnp.where(kept, values, 0)
        return self.total(values)


@pytree
class Buchholz(OpponentSum):
    """The sum of the opponents' match points; less the weakest's unless told otherwise (TB4)."""

    own: Literal["m", "g", ""] = static(default="")
    low: int = static(default=1)


@pytree
class Koya(Additive):
    """Match points scored against opponents that have at least half of all match points.

    Source: FIDE Handbook C.07, article 9.2.
    """

    rounds: int = static(default=11)
    boards: int = static(default=4)

    def reading(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's match points."""
        return opponent_points(results)

    def value(self, own: Array, reading: Array, half_points: Array) -> Array:
        """The match points of the result, if the opponent has as many as there were rounds."""
        return jnp.where(reading >= self.rounds, match_points(half_points, self.boards), 0)


@pytree
class Bruno(Additive):
    """The sum of the opponents' match points times the own ones.

    Source: R. Ricca, *Looking for the best tie-break*, 2016, who gives it as B. Buchholz's first
    idea and multiplies it by 100. Inside a score group it is the whole Buchholz.
    """

    def reading(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's match points."""
        return opponent_points(results)

    def value(self, own: Array, reading: Array, half_points: Array) -> Array:
        """The opponent's match points times the own ones, whatever the result."""
        return own * reading + 0 * half_points


def opponent_half_points(results: Results) -> Int[Array, "teams rounds"]:
    """Half points of every opponent in the whole event, 0 where there was none."""
    # Added up once a team; the compiler would add up again for every opponent.
    total = jax.lax.optimization_barrier(results.half_points.sum(axis=0))
    return jnp.where(results.opponents == BYE, 0, total[results.opponents]).T


def places(*keys: Int[Array, "rounds teams"]) -> Int[Array, "rounds teams"]:
    """The place of every item of a team, 0 for the lowest: by the first key, then the next.

    Items that are equal in all keys stand in the order of their rounds.
    """
    number = jnp.arange(len(keys[0]))
    before = (number[:, None] < number)[..., None]
    for key in reversed(keys):
        lower, same = key[:, None] < key, key[:, None] == key
        before = lower | (same & before)
    return before.sum(axis=0)
