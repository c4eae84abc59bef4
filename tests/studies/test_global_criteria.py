"""The global criteria and the evaluation against events worked by hand and slow definitions."""

import itertools

import numpy as np
import pytest
from helpers import results_of
from scipy import optimize, special

from studies.global_criteria import (
    abselo,
    abstpr,
    adjusted,
    evaluation,
    mispts,
    played,
    top_scorers,
    zermelo,
)
from tb2learn.chess.rating_tables import expected_hundredths, performance_difference
from tb2learn.types import BYE

WIN, DRAW = 2, 1


def event(players, *rounds, ratings=None):
    """An individual event of `(a, b, result of a)`; who is not named has the bye, half a point."""
    results = results_of(players, 1, rounds)
    ratings = np.arange(2000, 2000 - players, -1) if ratings is None else np.array(ratings)
    return played(np.asarray(results.opponents), np.asarray(results.half_points), 1, ratings)


def random_event(seed, players=12, rounds=4, draws=0.3):
    """An event of random pairs and results."""
    random = np.random.default_rng(seed)
    matches = []
    for _ in range(rounds):
        pairs = random.permutation(players).reshape(-1, 2)
        chances = [(1 - draws) / 2, draws, (1 - draws) / 2]
        matches.append([(a, b, random.choice(3, p=chances)) for a, b in pairs.tolist()])
    return event(players, *matches, ratings=random.permutation(players) + 1500)


def slow_iteration(played_event, performance):
    """ABSTPR and ABSELO game by game, without a circle ever closing."""
    players, rounds = len(played_event.scores), len(played_event.opponents)
    ratings, before, steps = [2000.0] * players, np.inf, 0
    while True:
        new, errors = [], []
        for me in range(players):
            games = [
                (int(played_event.opponents[r, me]), int(played_event.results[r, me]))
                for r in range(rounds)
                if played_event.opponents[r, me] != BYE
            ]
            scored = sum(result for _, result in games)
            if performance:
                mean = round(sum(ratings[o] for o, _ in games) / len(games))
                [added] = performance_difference(np.array([scored]), np.array([len(games)]))
                new.append(mean + int(added))
                errors.append(new[-1] - ratings[me])
            else:
                ahead = np.array([ratings[me] - ratings[o] for o, _ in games])
                expected = int(expected_hundredths(ahead).sum())
                errors.append(50 * scored - expected)
                new.append(ratings[me] + round(50 * errors[-1] / 100))
        size = sum(error**2 for error in errors)
        if size > before or steps == 500:
            return ratings, steps
        ratings, before, steps = new, size, steps + 1


@pytest.mark.parametrize("seed", range(3))
def test_iterations_game_by_game(seed):
    some = random_event(seed)
    for criterion, performance in ((abstpr, True), (abselo, False)):
        expected, steps = slow_iteration(some, performance)
        found = criterion(some)
        if steps < 500:  # else it went round in a circle
            assert found.tolist() == expected
        assert len(set(found.tolist())) > 3


def test_zermelo_is_the_maximum_of_the_likelihood():
    some = random_event(3, players=8, rounds=6, draws=0.5)
    wins = some.wins()

    def unlikelihood(free):
        strengths = np.append(free, 0.0)
        chance = special.expit(strengths[:, None] - strengths)
        return -(wins * np.log(chance)).sum()

    best = optimize.minimize(unlikelihood, np.zeros(7), method="BFGS", tol=1e-9)
    expected = np.append(best.x, 0.0) - np.append(best.x, 0.0).mean()
    assert zermelo(some) == pytest.approx(expected, abs=1e-3)


def slow_mispts(some):
    """MISPTS with every shortest path written out, compared from its end."""
    players = len(some.scores)
    arcs = {}
    for r, a in itertools.product(range(len(some.opponents)), range(players)):
        if some.opponents[r, a] != BYE and some.results[r, a] > 0:
            b = int(some.opponents[r, a])
            arcs[a, b] = max(arcs.get((a, b), 0), int(some.results[r, a]))

    def best(x, y):
        paths = [[x]]
        while paths:
            ends = [path for path in paths if path[-1] == y]
            if ends:
                path = min(ends, key=lambda path: [(-some.ratings[p], p) for p in path[-2::-1]])
                return len(path), any(arcs[step] == 2 for step in itertools.pairwise(path))
            paths = [
                [*path, b] for path in paths for a, b in arcs if a == path[-1] and b not in path
            ]
        return players + 1, False

    points = np.full(players, 0)
    for x, y in itertools.combinations(range(players), 2):
        (there, wins), (back, loses) = best(x, y), best(y, x)
        sign = wins * (there <= back) - loses * (back <= there)
        points[x] += 1 + sign
        points[y] += 1 - sign
    return points.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_mispts_path_by_path(seed):
    some = random_event(seed, players=10, rounds=3, draws=0.5)
    found = mispts(some)
    assert found.tolist() == slow_mispts(some)
    assert found.sum() == 10 * 9


def test_adjusted_sorts_inside_score_groups_only():
    scores, values = np.array([4, 6, 4, 6, 4]), np.array([9.0, 1.0, 2.0, 0.5, 2.0])
    assert adjusted(scores, values).tolist() == [3, 1, 4.5, 2, 4.5]
    both = adjusted(scores, np.stack([values, -values]))
    assert both.tolist() == [[3, 1, 4.5, 2, 4.5], [5, 2, 3.5, 1, 3.5]]


def test_evaluation_by_hand():
    scores = np.array([3, 3, 2, 2, 2, 1])
    by_criterion = adjusted(scores, np.array([1.0, 2.0, 5.0, 4.0, 3.0, 9.0]))
    by_tiebreak = adjusted(scores, np.array([1.0, 1.0, 4.0, 4.0, 6.0, 0.0]))
    assert by_criterion.tolist() == [2, 1, 3, 4, 5, 6]
    assert by_tiebreak.tolist() == [1.5, 1.5, 4.5, 4.5, 3, 6]
    # Squares: 1/4, 1/4, 9/4, 1/4, 4, 0: 7 over six players.
    assert evaluation(by_tiebreak, by_criterion) == pytest.approx((7 / 6) ** 0.5)
    top = np.array([True, True, True, False, False, False])
    assert evaluation(by_tiebreak, by_criterion, top) == pytest.approx((2.75 / 3) ** 0.5)


def test_top_scorers_have_two_thirds_less_half_a_point():
    def bound(rounds):
        scores = np.arange(2 * rounds + 1)
        return scores[top_scorers(scores, rounds)].min() / 2

    assert [bound(rounds) for rounds in (9, 10, 6)] == [5.5, 6.5, 3.5]
    # Never nobody.
    assert top_scorers(np.array([5, 5, 4]), 9).tolist() == [True, True, False]
