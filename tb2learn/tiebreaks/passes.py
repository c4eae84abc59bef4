"""Lookup tables in passes: each pass looks opponents up by how well they did in the one before."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Num

from tb2learn.chess.results import Results
from tb2learn.tiebreaks.additive import (
    Additive,
    between,
    nearest,
    opponent_points,
    without_own_match,
)
from tb2learn.tiebreaks.completed import CompletedEvent, Pass, SumOverRounds
from tb2learn.types import BYE, pytree, static

TENTHS = 10
"""Refined match points are counted in tenths of a match point."""

HUNDRED = 100
"""Points of a pass table that make one match point."""

MOST_REFINEMENT = 1 / 8
"""The largest refinement, up or down, as a share of the most match points that a team can have."""


@pytree
class PassRule(Additive, SumOverRounds):
    """Lookup tables in passes: each looks opponents up by how well they did in the one before.

    Points are hundredths of a match point: a sum of 130 means that a team played like teams with
    1.3 match points more. From the second pass on an opponent counts as its match points plus its
    own sum of the pass before (its match with the team itself left out), in tenths. A value between
    two columns is interpolated and rounded to a whole point.

    A reduced rule leaves the weakest opponent out of every sum: the one with the fewest match
    points, then the one against which least was scored, then the first.
    """

    points: Int[Array, "passes shares columns results"]
    reduced: bool = static(default=False)

    def opponent_score(self, results: Results) -> Int[Array, "teams rounds"]:
        """The opponent's match points in tenths, refined by all passes but the last."""
        counted = self.counted(results)
        own, half_points = results.match_points[:, None], results.half_points.T
        opponents = results.opponents.T
        plain = TENTHS * opponent_points(results)
        most = most_refinement(results.opponents.shape[0])

        def refine(score: Array, table: Array) -> tuple[Array, None]:
            def refined(score: Array) -> Array:
                values = jnp.where(counted, looked_up(table, own, score, half_points), 0)
                gained = nearest(without_own_match(values, opponents), HUNDRED // TENTHS)
                return plain + jnp.clip(gained, -most, most)

            # Rules with fewer passes than their program has room for begin with empty tables.
            return jax.lax.cond(table.any(), refined, lambda _: plain, score), None

        # A loop, so that XLA computes every pass once and not for each of its users.
        return jax.lax.scan(refine, plain, self.points[:-1])[0]

    def plain_score(self, match_points: Array, rosters: Array) -> Array:
        """Match points in tenths."""
        return TENTHS * match_points

    def counted(self, results: Results) -> Bool[Array, "teams rounds"]:
        """Which matches count: all, or all but the weakest opponent's."""
        met = (results.opponents != BYE).T
        left_out = self.left_out(results, results.half_points.T)
        if left_out is None:
            return met
        return met & (jnp.arange(met.shape[1]) != left_out[:, None])

    def value(self, own: Array, opponent_score: Array, half_points: Array) -> Array:
        """The last pass's entry, interpolated."""
        return looked_up(self.points[-1], own, opponent_score, half_points)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The sum of the last pass."""
        return self.total(jnp.where(self.counted(results), self.values(results), 0))

    def working(self, event: CompletedEvent) -> tuple[Pass, ...]:
        """Every pass; a virtual opponent is never refined."""
        results = event.results()  # refuses an event whose rounds are not known
        kept = event.cut(lambda items: items.scored, low=int(self.reduced))
        items, summed = kept.items, jnp.asarray(kept.summed)
        most = most_refinement(results.opponents.shape[0])
        own, opponents = results.match_points[:, None], jnp.asarray(items.opponent, jnp.int32)
        shares, _, half_points = self.points.shape[1:]
        result, better, share = between(items.scored, half_points)
        plain = nearest(TENTHS * np.clip(items.opponent_points, 0, shares - 1), 1).astype(np.int32)
        score, passes = plain, []
        for table in self.points:
            low, high = (
                np.asarray(looked_up(table, own, jnp.asarray(score), jnp.asarray(half)))
                for half in (result, better)
            )
            values = nearest((1 - share) * low + share * high, 1)
            passes.append(kept.work_out(values, score / TENTHS))
            others = without_own_match(jnp.where(summed, values.astype(np.int32), 0), opponents)
            gained = nearest(np.asarray(others) * kept.scale[items.opponent], HUNDRED // TENTHS)
            refinement = np.where(items.opponent == BYE, 0, np.clip(gained, -most, most))
            score = plain + refinement.astype(np.int32)
        return tuple(passes)


def most_refinement(rounds: int) -> int:
    """`MOST_REFINEMENT` at a number of rounds, in tenths of match points."""
    return int(TENTHS * 2 * rounds * MOST_REFINEMENT)


def margin(rounds: int) -> int:
    """How many columns a pass table has below 0 match points, and as many above the most."""
    return -(-most_refinement(rounds) // TENTHS)


def looked_up(
    table: Num[Array, "shares columns results"],
    own: Int[Array, "*#batch"],
    opponent_score: Int[Array, "*#batch"],
    half_points: Int[Array, "*#batch"],
) -> Num[Array, "*batch"]:
    """The values of a pass table for opponents that count as tenths of match points.

    **Returns:** values interpolated along the columns, rounded to whole points if the table has
    integers.
    """
    shares, columns, _ = table.shape
    column = opponent_score // TENTHS + (columns - shares) // 2
    above = opponent_score % TENTHS
    low = table[own, column, half_points]
    high = table[own, jnp.minimum(column + 1, columns - 1), half_points]
    weighted = (TENTHS - above) * low + above * high
    if jnp.issubdtype(table.dtype, jnp.integer):
        return nearest(weighted, TENTHS)
    return weighted / TENTHS
