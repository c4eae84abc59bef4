"""Tables in passes that look at the opponents' published ratings."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tb2learn.catalogue import find_rule
from tb2learn.chess.results import Results
from tb2learn.tiebreaks.passes import TENTHS, looked_up, rating_score
from tb2learn.types import InputError

RULE = find_rule("opponents-180x11", 3, 4)
OPPONENTS = np.array([[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]])
HALVES = np.array([[5, 3, 4, 4], [6, 8, 2, 0], [4, 1, 7, 4]])


def results(ratings):
    points = (np.sign(HALVES - 4) + 1).sum(axis=0)
    return Results(OPPONENTS, HALVES, points, 4, ratings=np.array(ratings))


def test_what_ratings_count_as():
    """The mean is 2100, the mean deviation 200: a mean deviation is three fifths of a point."""
    assert rating_score(results([2400, 2200, 2000, 1800])).tolist() == [39, 33, 27, 21]
    # The third has no rating, and the same 4 points as the first: it counts as that one.
    assert results([0] * 4).match_points.tolist() == [5, 2, 3, 2]
    assert rating_score(results([2400, 0, 2000, 1800])).tolist()[1] == 23  # as the fourth
    assert rating_score(results([2400, 2200, 0, 1800])).tolist()[2] == 30  # nobody has its points
    assert rating_score(results([2000] * 4)).tolist() == [30] * 4


def test_what_opponents_count_as_is_a_mean_of_both():
    event = results([2400, 2200, 2000, 1800])
    plain = replace(RULE, ratings=0).tiebreak().opponent_score(event)
    rated = rating_score(event)[OPPONENTS.T]
    mixed = np.floor(((100 - RULE.ratings) * plain + RULE.ratings * rated) / 100 + 0.5)
    tiebreak = RULE.tiebreak()
    np.testing.assert_array_equal(tiebreak.opponent_score(event), mixed)
    values = looked_up(RULE.points[-1], event.match_points[:, None], mixed.astype(int), HALVES.T)
    np.testing.assert_array_equal(tiebreak.scores(event), values.sum(axis=1))
    last = tiebreak.working(event)[-1]
    np.testing.assert_array_equal(last.totals, tiebreak.scores(event))
    np.testing.assert_allclose(last.counts_as, mixed / TENTHS)


def test_the_first_passes_see_no_ratings():
    event, other = results([2400, 2200, 2000, 1800]), results([1000, 2200, 2900, 1800])
    for one, two in zip(*(RULE.tiebreak().working(x)[:-1] for x in (event, other)), strict=True):
        np.testing.assert_array_equal(one.totals, two.totals)


@pytest.mark.thorough
def test_simulated_events_are_scored_alike():
    generator = np.random.default_rng(5)

    @jax.jit
    def scores(ratings):
        compiled = Results(*map(jnp.asarray, (OPPONENTS, HALVES, points)), 4, ratings=ratings)
        return RULE.tiebreak().scores(compiled)

    points = results([1] * 4).match_points
    for _ in range(5):
        event = results(generator.integers(0, 2900, 4) * (generator.random(4) < 0.8))
        np.testing.assert_array_equal(
            scores(jnp.asarray(event.ratings)), RULE.tiebreak().scores(event)
        )


@pytest.mark.thorough
def test_a_better_rated_opponent_is_never_worth_less(baku_results):
    """All other things equal: mean and deviation of the field, too, so two opponents change."""
    tiebreak = find_rule("opponents-180x11", 11, 4).tiebreak()
    ratings = baku_results.ratings.copy()
    before = tiebreak.opponent_score(baku_results)
    low, high = np.argsort(ratings)[[60, 120]]
    ratings[[low, high]] = ratings[[high, low]]
    after = tiebreak.opponent_score(replace(baku_results, ratings=ratings))
    opponent = baku_results.opponents.T
    assert (after >= before)[opponent == low].all() and (after <= before)[opponent == high].all()
    assert (after == before)[~np.isin(opponent, [low, high])].all()


@pytest.fixture(scope="module")
def baku_results(baku):
    from tb2learn.events.unplayed.record import event_record

    return event_record(baku).results


def test_without_ratings_it_is_refused():
    with pytest.raises(InputError, match="looks at the opponents' ratings: this event has none"):
        RULE.tiebreak().scores(replace(results([1] * 4), ratings=None))
    with pytest.raises(InputError, match="the page knows none"):
        from tb2learn.export.page.page import table_html

        table_html(RULE)


def test_its_digest_knows_how_much_ratings_say():
    assert RULE.digest() != replace(RULE, ratings=30).digest()
