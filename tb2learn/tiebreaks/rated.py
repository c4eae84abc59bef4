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

from functools import partial

from tb2learn.arrays import loop_while, namespace, stored_once
from tb2learn.chess.items import highest, left_out, lowest
from tb2learn.chess.rating_tables import EXTREME, PERCENT, expected_scores, rating_differences
from tb2learn.chess.results import EventView, Results
from tb2learn.shapes import Bool, Int
from tb2learn.tiebreaks.tables import nearest
from tb2learn.types import AnyArray, InputError, PerTeam, pytree, static


@pytree
class AverageRating:
    """ARO: the mean rating of the opponents. With a cut of the `low` lowest rated it is AROC.

    Source: FIDE Handbook C.07, articles 10.1 and 14. A cut leaves out rated opponents only: a round
    without one is no part of a mean (so in FIDE's exercises). If none is left the score is 0.
    """

    low: int = static(default=0)
    high: int = static(default=0)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The mean, in rating points.

        **Raises:** `InputError` for an event without ratings.
        """
        rating, rated = opponent_ratings(event.results, "the average rating of opponents")
        keys = (rating,)
        choose = partial(lowest, keys), partial(highest, keys)
        return _mean(rating, rated & ~left_out(rated, self.low, self.high, *choose))


@pytree
class OpponentPerformance:
    """APRO: the mean of the opponents' performance ratings in the event.

    Source: FIDE Handbook C.07, article 10.4. An opponent without a performance rating is left out.
    """

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The mean, in rating points.

        **Raises:** `InputError` for an event without ratings.
        """
        results = event.results
        # Computed once: every team is read by all its opponents.
        rating, is_rated = stored_once(results.match_points, performance_ratings, results)
        return _mean(rating[results.opponents], results.met & is_rated[results.opponents])


@pytree
class Performance:
    """TPR: the performance rating in the event, 0 without a rated opponent.

    Source: FIDE Handbook C.07, article 10.2.
    """

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The performance, in rating points.

        **Raises:** `InputError` for an event without ratings.
        """
        return performance_ratings(event.results)[0]


@pytree
class OpponentPerfectPerformance:
    """APPO: the mean of the opponents' perfect performances in the event.

    Source: FIDE Handbook C.07, article 10.5. An opponent without one is left out.
    """

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The mean, in rating points.

        **Raises:** `InputError` for an event without ratings.
        """
        results = event.results
        rating = PerfectPerformance().scores(event)
        _, rated = opponent_ratings(results, "the perfect performance")
        counted = results.met & rated.any(axis=0)[results.opponents]
        return _mean(rating[results.opponents], counted)


@pytree
class OwnRating:
    """RTNG: the own rating, 0 for none. It rewards nothing that was done in the event.

    Source: FIDE Handbook C.07, article 10.6.

    **Fields:** `reverse`: whether the lowest is first.
    """

    reverse: bool = static(default=False)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The rating.

        **Raises:** `InputError` for an event without ratings.
        """
        if event.results.ratings is None:
            raise InputError("the own rating needs ratings: these results have none")
        return -event.results.ratings if self.reverse else event.results.ratings


@pytree
class PerfectPerformance:
    """PTPR, or PTP: the lowest rating whose expected score is at least the score.

    Source: FIDE Handbook C.07, article 10.3. Expected scores are those of FIDE's table (B.02,
    article 8.1.2), game by game, of differences up to 735 points. A team that scored nothing has
    the lowest opponent's rating less 800; one that won everything the highest's plus 736.
    """

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The rating.

        **Raises:** `InputError` for an event without ratings.
        """
        results = event.results
        rating, rated = opponent_ratings(results, "the perfect performance")
        xp = namespace(rating)
        half_points = xp.where(rated, results.half_points, 0).sum(axis=0)
        table = xp.asarray(expected_scores())
        certain = len(table) - 1  # from this difference on everything is expected

        def reaches(own: PerTeam) -> Bool[AnyArray, " teams"]:
            ahead = own - rating
            expected = table[xp.minimum(abs(ahead), certain)]
            # The table has the higher rated side only.
            expected = xp.where(ahead < 0, PERCENT - expected, expected)
            total = xp.where(rated, expected, 0).sum(axis=0)
            # Without a division: a share of 2 * boards half points against hundredths.
            return 2 * results.boards * total >= PERCENT * half_points

        def halve(bounds: tuple[PerTeam, PerTeam]) -> tuple[PerTeam, PerTeam]:
            low, high = bounds
            middle = (low + high) // 2
            enough = reaches(middle)
            return xp.where(enough, low, middle), xp.where(enough, middle, high)

        # Above every rating.
        smallest = xp.where(rated, rating, xp.iinfo(rating.dtype).max).min(axis=0)
        largest = xp.where(rated, rating, 0).max(axis=0)
        nobody = ~rated.any(axis=0)
        smallest = xp.where(nobody, 0, smallest)
        # The expected score is 0 at the lower bound and everything at the upper one.
        bounds = (smallest - certain, largest + certain)
        # Halved until the bounds are neighbours; the upper one is enough, the lower one is not.
        _, performance = loop_while(rating, lambda x: (x[1] - x[0] > 1).any(), halve, bounds)
        # 10.3 has a rule of its own for no point at all.
        performance = xp.where(half_points == 0, smallest - EXTREME, performance)
        return xp.where(nobody, 0, performance)


def opponent_ratings(
    results: Results, what: str
) -> tuple[Int[AnyArray, "rounds teams"], Bool[AnyArray, "rounds teams"]]:
    """Ratings of the opponents, 0 for none, and where there is one.

    **Raises:** `InputError` naming `what` for results without ratings.
    """
    if results.ratings is None:
        raise InputError(f"{what} needs ratings: these results have none")
    rating = namespace(results.ratings).where(results.met, results.ratings[results.opponents], 0)
    # Without a list of who is rated, 0 stands for no rating.
    if results.rated is None:
        return rating, rating > 0
    return rating, results.met & results.rated[results.opponents]


def performance_ratings(
    results: Results,
) -> tuple[Int[AnyArray, " teams"], Bool[AnyArray, " teams"]]:
    """Performance ratings in the event: mean rating of the opponents plus d(p) of the score `p`.

    Source: FIDE Handbook C.07, article 10.2; the score is rounded to a hundredth, halves up.

    **Returns:** whole rating points, and which teams have one: those that met a rated opponent.

    **Raises:** `InputError` for results without ratings.
    """
    rating, rated = opponent_ratings(results, "the performance rating")
    xp = namespace(rating)
    half_points = xp.where(rated, results.half_points, 0).sum(axis=0)
    # 1 where nobody is rated, only to divide by.
    opponents = xp.maximum(rated.sum(axis=0), 1)
    own = performance(
        xp.where(rated, rating, 0).sum(axis=0), half_points, opponents, results.boards
    )
    is_rated = rated.any(axis=0)
    return xp.where(is_rated, own, 0), is_rated


def performance(
    ratings: Int[AnyArray, "*teams"],
    half_points: Int[AnyArray, "*teams"],
    opponents: Int[AnyArray, "*teams"],
    boards: int,
) -> Int[AnyArray, "*teams"]:
    """Performance ratings, from sums over the rated opponents that were met.

    Source: FIDE Handbook C.07, article 10.2.

    **Arguments:** the sums of their ratings and of the half points against them; how many there
    are, 1 or more; games of a match.
    """
    share = nearest(PERCENT * half_points, 2 * boards * opponents)
    return nearest(ratings, opponents) + namespace(share).asarray(rating_differences())[share]


def _mean(
    values: Int[AnyArray, "rounds teams"], counts: Bool[AnyArray, "rounds teams"]
) -> Int[AnyArray, " teams"]:
    """The mean of the values that count, 0 if none does."""
    xp, number = namespace(values), counts.sum(axis=0)
    return nearest(xp.where(counts, values, 0).sum(axis=0), xp.maximum(number, 1))
