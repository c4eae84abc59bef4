"""Rankings by paired comparison, for many events at once: least squares and the row sum.

Source: L. Csato, *Ranking in Swiss system chess team tournaments*, 2017. The results matrix holds
board points less half the boards of every match, or match points, or a mixture of both; its row
sums are the scores `s`. ``tb2learn.rankings`` has the same for one event in double precision.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.scipy import linalg
from jaxtyping import Array, Float, Int

from tb2learn.standings import Results
from tb2learn.types import BYE, PerRound, PerTeam, pytree, static

_UNIT = 10_000  # scores are whole numbers of 1/10000 board points: equal evidence, equal scores


@pytree
class LeastSquares:
    """Ratings `q` whose differences fit the results of all matches best: ``L q = s``.

    Between the components of an unconnected event no order exists: each of them is centred at 0.
    Computed in single precision.

    **Fields:**

    - `boards`: games of a match.
    - `share`: weight of board points in the results matrix, 0..1; the rest are match points. 1 are
      board points, 0 match points (a win is worth as much as a win on all boards), the paper's
      mixtures 1/4 and 2/3.
    - `ridge`: added to every eigenvalue of the Laplacian. It pulls ratings towards 0, in an event
      like an Olympiad by up to 2/10000 of a board point. With 0 ratings are those of ``L q = s``,
      which takes finding the components.
    """

    boards: int = static(default=4)
    share: float = static(default=1.0)
    ridge: float = static(default=1e-4)

    def ratings(self, results: Results) -> Float[Array, " teams"]:
        """The ratings, in board points."""
        laplacian, s, _ = comparison(results, self.boards, self.share)
        teams = len(s)
        # Ones among teams fix the sum of their ratings at 0 and leave L q = s as it is.
        if self.ridge:
            return _solution(laplacian + 1.0 / teams + self.ridge * jnp.eye(teams), s)
        component = components(results.opponents)
        same = component[:, None] == component
        return _solution(laplacian + same / same.sum(axis=1), s)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The ratings, in 1/10000 of a board point."""
        return _whole(self.ratings(results))


@pytree
class RowSum:
    """Generalized row sum (Chebotarev): ``(I + epsilon L) x = (1 + epsilon m n) s``.

    **Fields:**

    - `epsilon`: 0 or more; a leaf, so that all of them share a program.
    - `boards`, `share`: as in `LeastSquares`.
    """

    epsilon: Float[Array, ""]
    boards: int = static(default=4)
    share: float = static(default=1.0)

    def ratings(self, results: Results) -> Float[Array, " teams"]:
        """The generalized row sums, in board points."""
        laplacian, s, most = comparison(results, self.boards, self.share)
        teams = len(s)
        matrix = jnp.eye(teams) + self.epsilon * laplacian
        return _solution(matrix, (1.0 + self.epsilon * most * teams) * s)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The generalized row sums, in 1/10000 of a board point."""
        return _whole(self.ratings(results))


def comparison(
    results: Results, boards: int, share: float = 1.0
) -> tuple[Float[Array, "teams teams"], Float[Array, " teams"], Float[Array, ""]]:
    """The comparison of all teams by their matches.

    **Arguments:**

    - `results`: of one event; a bye is no comparison.
    - `boards`: games of a match.
    - `share`: weight of board points, 0..1; the rest are match points, in halves of a match.

    **Returns:** the Laplacian of the graph of matches (rematches count), the scores in board points
    (those above half the boards, summed over the matches) and the most matches of two teams.
    """
    rounds, teams = results.opponents.shape
    team = jnp.broadcast_to(jnp.arange(teams), (rounds, teams))
    met = results.opponents != BYE
    matches = jnp.zeros((teams, teams)).at[team, results.opponents].add(jnp.where(met, 1.0, 0.0))
    laplacian = jnp.diag(matches.sum(axis=1)) - matches
    above = jnp.where(met, results.half_points - boards, 0)
    s = share * above.sum(axis=0) + (1.0 - share) * boards * jnp.sign(above).sum(axis=0)
    return laplacian, s / 2.0, matches.max()


def components(opponents: PerRound) -> PerTeam:
    """The component of every team in the graph of matches.

    **Returns:** the lowest number of a team in the same component.
    """
    met = opponents != BYE

    def spread(state: tuple[PerTeam, Array]) -> tuple[PerTeam, Array]:
        label, _ = state
        lowest = jnp.where(met, label[opponents], label).min(axis=0)
        lowest = jnp.minimum(lowest, label)
        lowest = lowest[lowest]  # whoever has taken over another's number follows it at once
        return lowest, (lowest != label).any()

    own = jnp.arange(opponents.shape[1], dtype=opponents.dtype)
    return jax.lax.while_loop(lambda state: state[1], spread, (own, jnp.array(True)))[0]


def _solution(matrix: Float[Array, "teams teams"], s: Float[Array, " teams"]) -> Array:
    return linalg.cho_solve(linalg.cho_factor(matrix), s)


def _whole(ratings: Float[Array, " teams"]) -> Int[Array, " teams"]:
    return jnp.rint(_UNIT * ratings).astype(jnp.int32)
