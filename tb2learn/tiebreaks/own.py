"""Tie-breaks of a team's own results: wins, games with Black, progressive scores.

Where a definition is about points, a round without a match counts the points that it was given; the
bye of an Olympiad gives those of a drawn match. Policies for unplayed rounds do not change this,
because they concern sums over opponents.
"""

from __future__ import annotations

import jax.numpy as jnp
from jaxtyping import Array, Int

from tb2learn.chess.results import Results, match_points
from tb2learn.tiebreaks.additive import Additive, opponent_points
from tb2learn.types import BYE, InputError, pytree, static


@pytree
class Wins(Additive):
    """The number of rounds that scored a win: more than half of a match's game points.

    Source: FIDE Handbook C.07, article 7.1. A bye that scores as much as a win counts as one.
    """

    boards: int = static(default=4)

    def opponent_score(self, results: Results) -> Int[Array, "teams rounds"]:
        """Unused."""
        return opponent_points(results)

    def value(self, own: Array, opponent_score: Array, half_points: Array) -> Array:
        """1 for a win."""
        return (half_points > self.boards).astype(jnp.int32)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """All wins."""
        return (results.half_points > self.boards).sum(axis=0, dtype=jnp.int32)


@pytree
class Blacks:
    """The number of games with Black; for a team, of matches with Black on the first board.

    Source: FIDE Handbook C.07, article 7.3. A round without a match has no colour.
    """

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """Matches played with Black.

        **Raises:** `InputError` for results without colours.
        """
        if results.whites is None:
            raise InputError("games with Black need colours: these results have none")
        return ((results.opponents != BYE) & ~results.whites).sum(axis=0, dtype=jnp.int32)


@pytree
class Progressive:
    """The sum of the match points that a team had after each round.

    Source: FIDE Handbook C.07, article 7.5, and 14.1 for its cut: a cut of `low` leaves out the
    scores after the first `low` rounds. A round without a match counts what it was given.
    """

    low: int = static(default=0)
    boards: int = static(default=4)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The sum of the running scores, in match points."""
        after = jnp.cumsum(match_points(results.half_points, self.boards), axis=0)
        return after[self.low :].sum(axis=0)
