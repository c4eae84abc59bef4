"""Rankings by paired comparison on board points: least squares and the generalized row sum.

Source: L. Csato, *Ranking in Swiss system chess team tournaments*, 2017. The results matrix holds
board points less half the boards of every match; its row sums are the scores `s`.
"""

from __future__ import annotations

import jax.numpy as jnp
from jax.scipy import linalg
from jaxtyping import Array, Float, Int

from tb2learn.standings import Results
from tb2learn.types import BYE, pytree, static

_UNIT = 10_000  # scores are whole numbers of 1/10000 board points: equal evidence, equal scores
_RIDGE = 1e-4


@pytree
class LeastSquares:
    """Ratings `q` whose differences fit the board points of all matches best: ``L q = s``.

    Between the components of an unconnected event no order exists: a ridge of 1e-4 then centres
    each of them at 0. Computed in single precision, to a fraction of 1/1000 board point in events
    like an Olympiad.
    """

    boards: int = static(default=4)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The ratings, in 1/10000 of a board point."""
        laplacian, s, _ = comparison(results, self.boards)
        teams = len(s)
        # The ones fix the sum of q at 0 and leave L q = s as it is.
        matrix = laplacian + 1.0 / teams + _RIDGE * jnp.eye(teams)
        return _solved(matrix, s)


@pytree
class RowSum:
    """Generalized row sum (Chebotarev): ``(I + epsilon L) x = (1 + epsilon m n) s``."""

    epsilon: Float[Array, ""]
    boards: int = static(default=4)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The generalized row sums, in 1/10000 of a board point."""
        laplacian, s, most = comparison(results, self.boards)
        teams = len(s)
        matrix = jnp.eye(teams) + self.epsilon * laplacian
        return _solved(matrix, (1.0 + self.epsilon * most * teams) * s)


def comparison(
    results: Results, boards: int
) -> tuple[Float[Array, "teams teams"], Float[Array, " teams"], Float[Array, ""]]:
    """The comparison of all teams by their matches.

    **Returns:** the Laplacian of the graph of matches (rematches count), the scores (board points
    less half the boards, summed over the matches) and the most matches between two teams.
    """
    rounds, teams = results.opponents.shape
    team = jnp.broadcast_to(jnp.arange(teams), (rounds, teams))
    met = results.opponents != BYE
    matches = jnp.zeros((teams, teams)).at[team, results.opponents].add(jnp.where(met, 1.0, 0.0))
    laplacian = jnp.diag(matches.sum(axis=1)) - matches
    s = jnp.where(met, results.half_points - boards, 0).sum(axis=0) / 2.0
    return laplacian, s, matches.max()


def _solved(matrix: Float[Array, "teams teams"], s: Float[Array, " teams"]) -> Array:
    solution = linalg.cho_solve(linalg.cho_factor(matrix), s)
    return jnp.rint(_UNIT * solution).astype(jnp.int32)
