"""Sums over opponents: Buchholz, Sonneborn-Berger and its four forms for teams, Koya, Bruno.

A match is worth the opponent's final score alone (Buchholz) or times the own result
(Sonneborn-Berger). A team event has two scores, match points and game points, so that there are two
Buchholz sums and four products: FIDE's EMMSB, EMGSB, EGMSB, EGGSB
(the first letter is the opponent's score, the second the own result).

In an individual event (1 board) match points and half points are both twice the points, so that all
forms are the individual one in another unit.

In a simulated event a round without a match adds nothing and is the first that a cut leaves out. In
a recorded event it counts as the policy for unplayed rounds says.
"""

from __future__ import annotations

from typing import Literal

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from tb2learn.chess.results import Results, match_points
from tb2learn.tiebreaks.additive import Additive, opponent_points
from tb2learn.tiebreaks.completed import CompletedEvent, Items, Pass, SumOverRounds
from tb2learn.types import BYE, pytree, static

Score = Literal["m", "g"]
"""Match points or game points; game points are counted in half points."""


@pytree
class OpponentSum(Additive, SumOverRounds):
    """The sum of the opponents' scores, each alone or times the own result against it, with cuts.

    Source: FIDE Handbook C.07, articles 8.1 (Buchholz), 9.1 (Sonneborn-Berger), 13.2 (its forms for
    teams) and 14 (cuts). A cut leaves out the opponents with the lowest scores (of equal ones those
    that add least) or with the highest. Opponents are ordered by the score that is summed.

    **Fields:**

    - `opponent`: which score of the opponent.
    - `own`: which result against it; empty for the opponent's score alone.
    - `low`, `high`: how many opponents are left out at each end, 0 .. rounds.
    - `boards`: games of a match.
    """

    opponent: Score = static(default="m")
    own: Literal["m", "g", ""] = static(default="g")
    low: int = static(default=0)
    high: int = static(default=0)
    boards: int = static(default=4)

    def opponent_score(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's final score, 0 where there was none."""
        if self.opponent == "m":
            return opponent_points(results)
        return opponent_half_points(results)

    def value(self, own: Array, opponent_score: Array, half_points: Array) -> Array:
        """The opponent's score, times the result if that counts."""
        if not self.own:
            return opponent_score + 0 * half_points
        return opponent_score * (
            half_points if self.own == "g" else match_points(half_points, self.boards)
        )

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The sum of what the cuts leave."""
        values = self.values(results)
        if self.low or self.high:
            order = jnp.where(results.opponents == BYE, -1, self.opponent_score(results).T)
            place = places(order, values.T).T
            kept = (place >= self.low) & (place < len(order) - self.high)
            values = jnp.where(kept, values, 0)
        return self.total(values)

    linear = True

    @property
    def opponents_alone(self) -> bool:
        """Whether it is the sum of the opponents' match points, none left out."""
        return self.opponent == "m" and not (self.own or self.low or self.high)

    def working(self, event: CompletedEvent) -> tuple[Pass]:
        """The opponents' scores, times the results if these count."""
        kept = event.cut(self._worth, self.low, self.high, self.opponent)
        counts_as = self._opponents(kept.items) if self.opponent == "m" else None
        return (kept.work_out(self._worth(kept.items), counts_as),)

    def _opponents(self, items: Items) -> Float[np.ndarray, "teams rounds"]:
        if self.opponent == "g":
            return items.opponent_half_points
        return items.opponent_points if self.own else items.summed_alone

    def _worth(self, items: Items) -> Float[np.ndarray, "teams rounds"]:
        opponents = self._opponents(items)
        if not self.own:
            return opponents
        return opponents * (items.scored if self.own == "g" else items.gained)


@pytree
class Buchholz(OpponentSum):
    """The sum of the opponents' match points, by default without the weakest's (TB4)."""

    own: Literal["m", "g", ""] = static(default="")
    low: int = static(default=1)


@pytree
class Koya(Additive, SumOverRounds):
    """Match points scored against opponents that have at least half of all match points.

    Source: FIDE Handbook C.07, article 9.2.
    """

    rounds: int = static(default=11)
    boards: int = static(default=4)

    def opponent_score(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's match points."""
        return opponent_points(results)

    def value(self, own: Array, opponent_score: Array, half_points: Array) -> Array:
        """The match points of the result, if the opponent has as many as there were rounds."""
        return jnp.where(opponent_score >= self.rounds, match_points(half_points, self.boards), 0)

    def working(self, event: CompletedEvent) -> tuple[Pass]:
        """The match points of the results against opponents, virtual ones too, with half of all."""
        kept = event.cut(lambda items: items.gained)
        opponents = kept.items.opponent_points
        half = np.round(opponents, 9) >= self.rounds
        return (kept.work_out(np.where(half, kept.items.gained, 0.0), opponents),)


@pytree
class Bruno(Additive, SumOverRounds):
    """The sum of the opponents' match points times the own ones.

    Source: R. Ricca, *Looking for the best tie-break*, 2016, who gives it as B. Buchholz's first
    idea and multiplies it by 100. Inside a score group it orders teams as Buchholz without a cut.
    """

    def opponent_score(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's match points."""
        return opponent_points(results)

    def value(self, own: Array, opponent_score: Array, half_points: Array) -> Array:
        """The opponent's match points times the own ones, whatever the result."""
        return own * opponent_score + 0 * half_points

    linear = True

    def working(self, event: CompletedEvent) -> tuple[Pass]:
        """The opponents' match points as a Buchholz sum has them, times the own ones."""
        kept = event.cut(lambda items: items.summed_alone)
        opponents = kept.items.summed_alone
        return (kept.work_out(event.own[:, None] * opponents, opponents),)


def opponent_half_points(results: Results) -> Int[Array, "teams rounds"]:
    """Half points of every opponent in the whole event, 0 where there was none."""
    # The barrier makes XLA compute this once a team, not once an opponent.
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
