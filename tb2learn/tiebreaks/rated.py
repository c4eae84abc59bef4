"""Tie-breaks of the opponents' ratings: ARO, AROC, APRO and the perfect performance PTPR.

Scores are whole rating points. Averages are rounded to the nearest one, halves up, as FIDE
publishes them; all of it is computed with whole numbers, so equal evidence makes equal scores.

In a team event the ratings are those of the teams, and the result of a match is the share of its
game points: a match won 3:1 is 3/4 of a point. On one board it is the result of the game.

FIDE counts only opponents met over the board, and events with unrated players only if it was
announced how these count. Here an opponent without a rating (0) is left out, with what was scored
against it, like a round without a match. A team without a rated opponent has a score of 0. Policies
for unplayed rounds do not change this, because a virtual opponent has no rating.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from tb2learn.chess.rating_tables import EXTREME, PERCENT, expected_scores, rating_differences
from tb2learn.chess.results import Results
from tb2learn.tiebreaks.additive import nearest
from tb2learn.tiebreaks.sums import places
from tb2learn.types import BYE, InputError, PerTeam, pytree, static


@pytree
class AverageRating:
    """ARO: the mean rating of the opponents. With a cut of the `low` lowest rated it is AROC.

    Source: FIDE Handbook C.07, articles 10.1 and 14. A cut leaves out rated opponents only: a round
    without one is no part of a mean (so in FIDE's exercises). If none is left the score is 0.
    """

    low: int = static(default=0)
    high: int = static(default=0)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The mean, in rating points.

        **Raises:** `InputError` for results without ratings.
        """
        rating, rated = opponent_ratings(results, "the average rating of opponents")
        counts = rated
        if self.low or self.high:
            # Opponents without a rating are placed first and not counted among the lowest.
            missing = (~rated).sum(axis=0)
            place = places(jnp.where(rated, rating, -1))
            counts = (place >= missing + self.low) & (place < len(rating) - self.high)
        return _mean(rating, counts)


@pytree
class OpponentPerformance:
    """APRO: the mean of the opponents' performance ratings in the event.

    Source: FIDE Handbook C.07, article 10.4. An opponent without a performance rating is left out.
    """

    boards: int = static(default=4)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The mean, in rating points.

        **Raises:** `InputError` for results without ratings.
        """
        # The barrier makes XLA compute this once a team, not once an opponent.
        rating, known = jax.lax.optimization_barrier(performance_ratings(results, self.boards))
        met = results.opponents != BYE
        return _mean(rating[results.opponents], met & known[results.opponents])


@pytree
class PerfectPerformance:
    """PTPR, or PTP: the lowest rating whose expected score is at least the score.

    Source: FIDE Handbook C.07, article 10.3. Expected scores are those of FIDE's table (B.02,
    article 8.1.2), game by game, of differences up to 735 points. A team that scored nothing has
    the lowest opponent's rating less 800; one that won everything the highest's plus 736.
    """

    boards: int = static(default=4)

    def scores(self, results: Results) -> Int[Array, " teams"]:
        """The rating.

        **Raises:** `InputError` for results without ratings.
        """
        rating, rated = opponent_ratings(results, "the perfect performance")
        half_points = jnp.where(rated, results.half_points, 0).sum(axis=0)
        table = jnp.asarray(expected_scores())
        certain = len(table) - 1

        def reaches(own: PerTeam) -> Bool[Array, " teams"]:
            ahead = own - rating
            expected = table[jnp.minimum(jnp.abs(ahead), certain)]
            expected = jnp.where(ahead < 0, PERCENT - expected, expected)
            total = jnp.where(rated, expected, 0).sum(axis=0)
            return 2 * self.boards * total >= PERCENT * half_points

        def halve(bounds: tuple[PerTeam, PerTeam]) -> tuple[PerTeam, PerTeam]:
            low, high = bounds
            middle = (low + high) // 2
            enough = reaches(middle)
            return jnp.where(enough, low, middle), jnp.where(enough, middle, high)

        lowest = jnp.where(rated, rating, jnp.iinfo(jnp.int32).max).min(axis=0)
        highest = jnp.where(rated, rating, 0).max(axis=0)
        nobody = ~rated.any(axis=0)
        lowest = jnp.where(nobody, 0, lowest)
        # The expected score is 0 at the lower bound and everything at the upper one.
        bounds = (lowest - certain, highest + certain)
        _, found = jax.lax.while_loop(lambda x: (x[1] - x[0] > 1).any(), halve, bounds)
        found = jnp.where(half_points == 0, lowest - EXTREME, found)
        return jnp.where(nobody, 0, found)


def opponent_ratings(
    results: Results, what: str
) -> tuple[Int[Array, "rounds teams"], Bool[Array, "rounds teams"]]:
    """Ratings of the opponents, 0 for none, and where there is one.

    **Raises:** `InputError` naming `what` for results without ratings.
    """
    if results.ratings is None:
        raise InputError(f"{what} needs ratings: these results have none")
    rating = jnp.where(results.opponents == BYE, 0, results.ratings[results.opponents])
    return rating, rating > 0


def performance_ratings(
    results: Results, boards: int
) -> tuple[Int[Array, " teams"], Bool[Array, " teams"]]:
    """Performance ratings in the event: mean rating of the opponents plus d(p) of the score `p`.

    Source: FIDE Handbook C.07, article 10.2; the score is rounded to a hundredth, halves up.

    **Returns:** whole rating points, and which teams have one: those that met a rated opponent.

    **Raises:** `InputError` for results without ratings.
    """
    rating, rated = opponent_ratings(results, "the performance rating")
    games = 2 * boards * jnp.maximum(rated.sum(axis=0), 1)
    half_points = jnp.where(rated, results.half_points, 0).sum(axis=0)
    added = jnp.asarray(rating_differences())[nearest(PERCENT * half_points, games)]
    known = rated.any(axis=0)
    return jnp.where(known, _mean(rating, rated) + added, 0), known


def _mean(
    values: Int[Array, "rounds teams"], counts: Bool[Array, "rounds teams"]
) -> Int[Array, " teams"]:
    """The mean of the values that count, 0 if none does."""
    number = counts.sum(axis=0)
    return nearest(jnp.where(counts, values, 0).sum(axis=0), jnp.maximum(number, 1))
