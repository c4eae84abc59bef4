"""A Buchholz that looks one step further: opponents refined by their own opponents' points.

It is the pencil form of the formula for individual events: one constant, no table.
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from tb2learn.chess.results import Results
from tb2learn.tiebreaks.additive import Additive, opponent_points
from tb2learn.tiebreaks.completed import CompletedEvent, Items, Pass, SumOverRounds
from tb2learn.tiebreaks.sums import places
from tb2learn.types import BYE, pytree

SHARE = 8
"""An opponent's Buchholz counts for a `SHARE`-th beside its points."""


@pytree
class DeepBuchholz(Additive, SumOverRounds):
    """Buchholz median 1 of opponents that count as their points and an eighth of their Buchholz.

    The opponent's Buchholz leaves out the own points: ``P_o + (BH_o - P)/8``. As in Buchholz
    median 1 the opponent with the fewest points and the one with the most are left out (of several
    the one that counts least, or most). Scores are whole eighths of match points.

    Source: own experiments; `reports/individual` has its error rates.
    """

    def opponent_score(self, results: Results) -> Int[Array, "teams rounds"]:
        """What the opponent counts as, in eighths of match points; 0 where there was none."""
        plain = opponent_points(results)
        met = (results.opponents != BYE).T
        beyond = plain.sum(axis=1)[results.opponents.T] - results.match_points[:, None]
        return jnp.where(met, SHARE * plain + beyond, 0)

    def value(self, own: Array, opponent_score: Array, half_points: Array) -> Array:
        """What the opponent counts as."""
        return opponent_score + 0 * half_points

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The sum of what the cut leaves."""
        values = self.opponent_score(results)
        points = jnp.where(results.opponents == BYE, -1, opponent_points(results).T)
        place = places(points, values.T).T
        kept = (place >= 1) & (place < len(points) - 1)
        return jnp.where(kept, values, 0).sum(axis=-1)

    def working(self, event: CompletedEvent) -> tuple[Pass]:
        """The refined opponents; a virtual one has opponents of its own strength."""
        event.results()  # refuses an event without rounds
        kept = event.cut(self._worth, 1, 1)
        worth = self._worth(kept.items)
        return (kept.work_out(worth, worth / SHARE),)

    def _worth(self, items: Items) -> Float[np.ndarray, "teams rounds"]:
        plain = np.where(items.counted & ~items.empty, items.summed_alone, 0.0)
        rounds = np.arange(plain.shape[1])
        # What the team itself counts as for its opponent of the same round.
        beyond = plain.sum(axis=1)[items.opponent] - plain[items.opponent, rounds]
        usual = plain * (plain.shape[1] - 1)
        return SHARE * plain + np.where(items.opponent == BYE, usual, beyond)
