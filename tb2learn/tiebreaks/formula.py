"""The formula: game points above the expectation from match points, in passes."""

from __future__ import annotations

from dataclasses import replace

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from tb2learn.chess.results import Results
from tb2learn.tiebreaks.additive import Additive, opponent_points, without_own_match
from tb2learn.tiebreaks.completed import CompletedEvent, Pass, SumOverRounds
from tb2learn.tiebreaks.passes import MOST_REFINEMENT
from tb2learn.types import BYE, pytree, static

FORMULA_UNIT = 10_000
"""Scores of a formula are whole numbers of 1/10000 of a match's game points."""


@pytree
class FormulaRule(Additive, SumOverRounds):
    """Game points above the score that is expected by match points.

    ``S(t) = sum over the opponents o of [gp - boards / (1 + 10^(-(MP_t - M_o)/a))]`` with
    ``M_o = MP_o`` at first and ``M_o = MP_o + k*S(o)`` in every further pass, S(o) without the
    match between the two. In shares of the most match points and of a match's game points:
    ``scale = a/(2 rounds)`` and ``refinement = k*boards/(2 rounds)``.
    """

    scale: Float[Array, ""]
    refinement: Float[Array, ""]
    boards: int = static(default=4)
    passes: int = static(default=3)
    rounds: int = static(default=11)

    def opponent_score(self, results: Results) -> Float[Array, "teams rounds"]:
        """The opponent's share of the match points, refined by all passes but the last."""
        met = (results.opponents != BYE).T
        own, half_points = results.match_points[:, None], results.half_points.T
        plain = score = opponent_points(results) / (2 * self.rounds)
        for _ in range(self.passes - 1):
            values = jnp.where(met, self.value(own, score, half_points), 0.0)
            gained = self.refinement * without_own_match(values, results.opponents.T)
            score = plain + jnp.clip(gained, -MOST_REFINEMENT, MOST_REFINEMENT)
        return score

    def plain_score(self, match_points: Array, rosters: Array) -> Array:
        """Share of the match points."""
        return match_points / (2 * self.rounds)

    def value(
        self, own: Array, opponent_score: Array, half_points: Array
    ) -> Float[Array, "*batch"]:
        """Share of the game points above the expected one."""
        ahead = own / (2 * self.rounds) - opponent_score
        expected = 1.0 / (1.0 + 10.0 ** (-ahead / self.scale))
        return half_points / (2 * self.boards) - expected

    def total(self, values: Float[Array, "*batch rounds"]) -> Int[Array, "*batch"]:
        """The sum, rounded so that the order of adding does not change it."""
        return jnp.rint(FORMULA_UNIT * values.sum(axis=-1)).astype(jnp.int32)

    def working(self, event: CompletedEvent) -> tuple[Pass, ...]:
        """Every pass; a virtual opponent is never refined."""
        own = event.results().match_points[:, None]  # refuses an event without rounds
        kept = event.cut(lambda items: items.scored)
        items, summed = kept.items, jnp.asarray(kept.summed)
        opponents, half_points = jnp.asarray(items.opponent, jnp.int32), jnp.asarray(items.scored)
        scale = jnp.asarray(kept.scale, jnp.float32)
        plain = jnp.asarray(items.opponent_points, jnp.float32) / (2 * self.rounds)
        score, passes = plain, []
        for _ in range(self.passes):
            values = self.value(own, score, half_points)
            added = jnp.where(summed, values, 0.0) * scale[:, None]
            worked = kept.work_out(
                FORMULA_UNIT * np.asarray(values, np.float64),
                2.0 * self.rounds * np.asarray(score, np.float64),
            )
            passes.append(replace(worked, totals=np.asarray(self.total(added), np.float64)))
            gained = self.refinement * without_own_match(added, opponents)
            refinement = jnp.clip(gained, -MOST_REFINEMENT, MOST_REFINEMENT)
            score = plain + jnp.where(opponents == BYE, 0.0, refinement)
        return tuple(passes)
