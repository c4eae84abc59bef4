"""Ricca's criteria against slow definitions, and the figures of his sample event recomputed."""

import itertools

import numpy as np
import pandas as pd
import pytest
from helpers import results_of
from scipy import optimize, special

from studies.global_criteria import (
    CRITERIA,
    Played,
    abselo,
    abstpr,
    adjusted,
    mispts,
    places,
    top_scorers,
    zermelo,
)
from tb2learn.chess.rating_tables import expected_hundredths, performance_difference
from tb2learn.data import load_table
from tb2learn.types import BYE


def random_event(seed, players=12, rounds=4, draws=0.3):
    """An individual event of random pairs and results."""
    random = np.random.default_rng(seed)
    chances = [(1 - draws) / 2, draws, (1 - draws) / 2]
    matches = [
        [(a, b, random.choice(3, p=chances))
         for a, b in random.permutation(players).reshape(-1, 2).tolist()]
        for _ in range(rounds)
    ]  # fmt: skip
    results = results_of(players, 1, matches)
    opponents, half_points = np.asarray(results.opponents), np.asarray(results.half_points)
    return Played(opponents, half_points, random.permutation(players) + 1500)


def slow_iteration(event, performance):
    """ABSTPR and ABSELO game by game, without a circle ever closing."""
    players, rounds = len(event.ratings), len(event.opponents)
    ratings, before, steps = [2000.0] * players, np.inf, 0
    while True:
        new, errors = [], []
        for me in range(players):
            games = [
                (int(event.opponents[r, me]), int(event.results[r, me])) for r in range(rounds)
            ]
            scored = sum(result for _, result in games)
            if performance:
                mean = round(sum(ratings[o] for o, _ in games) / len(games))
                [added] = performance_difference(np.array([scored]), np.array([len(games)]))
                new.append(mean + int(added))
                errors.append(new[-1] - ratings[me])
            else:
                ahead = np.array([ratings[me] - ratings[o] for o, _ in games])
                errors.append(50 * scored - int(expected_hundredths(ahead).sum()))
                new.append(ratings[me] + round(50 * errors[-1] / 100))
        size = sum(error**2 for error in errors)
        if size > before or steps == 500:
            return ratings, steps
        ratings, before, steps = new, size, steps + 1


@pytest.mark.parametrize("seed", range(3))
def test_iterations_game_by_game(seed):
    event = random_event(seed)
    for criterion, performance in ((abstpr, True), (abselo, False)):
        expected, steps = slow_iteration(event, performance)
        if steps < 500:  # else it went round in a circle
            assert criterion(event).tolist() == expected


def test_zermelo_is_the_maximum_of_the_likelihood():
    event = random_event(3, players=8, rounds=6, draws=0.5)
    wins = event.wins()

    def unlikelihood(free):
        strengths = np.append(free, 0.0)
        return -(wins * np.log(special.expit(strengths[:, None] - strengths))).sum()

    best = np.append(optimize.minimize(unlikelihood, np.zeros(7), tol=1e-9).x, 0.0)
    assert zermelo(event) == pytest.approx(best - best.mean(), abs=1e-3)


def slow_mispts(event):
    """MISPTS with every shortest path written out, compared from its end."""
    players, arcs = len(event.ratings), {}
    for r, a in itertools.product(range(len(event.opponents)), range(players)):
        if event.opponents[r, a] != BYE and event.results[r, a] > 0:
            b = int(event.opponents[r, a])
            arcs[a, b] = max(arcs.get((a, b), 0), int(event.results[r, a]))

    def best(x, y):
        paths = [[x]]
        while paths:
            ends = [path for path in paths if path[-1] == y]
            if ends:
                path = min(ends, key=lambda path: [(-event.ratings[p], p) for p in path[-2::-1]])
                return len(path), any(arcs[step] == 2 for step in itertools.pairwise(path))
            paths = [
                [*path, b] for path in paths for a, b in arcs if a == path[-1] and b not in path
            ]
        return players + 1, False

    points = [0] * players
    for x, y in itertools.combinations(range(players), 2):
        (there, wins), (back, loses) = best(x, y), best(y, x)
        sign = wins * (there <= back) - loses * (back <= there)
        points[x] += 1 + sign
        points[y] += 1 - sign
    return points


@pytest.mark.parametrize("seed", range(4))
def test_mispts_path_by_path(seed):
    event = random_event(seed, players=10, rounds=3, draws=0.5)
    assert mispts(event).tolist() == slow_mispts(event)


def test_his_sample_event():
    """What follows from his table of players: criteria against each other, and Buchholz."""
    players = load_table("ricca", "sample_players.csv")
    scores = players["score"].to_numpy(float)
    values = {name: players[name.lower()].to_numpy(float) for name in CRITERIA}
    buchholz = values["BRUNO"] / (100 * scores)
    # The strengths of ZERMELO are printed with too few digits to distinguish all players.
    values["ZERMELO"] = -players["zermelo_position"].to_numpy(float)

    def figures(by_tiebreak, by_criterion, who=slice(None)):
        return [((by_tiebreak - each)[who] ** 2).mean() ** 0.5 for each in by_criterion]

    printed = load_table("ricca", "sample_criteria.csv").set_index("criterion")
    by_criterion = [places(each) for each in values.values()]
    ours = pd.DataFrame([figures(each, by_criterion) for each in by_criterion])
    off = ~np.eye(len(ours), dtype=bool)
    assert ours.to_numpy()[off] == pytest.approx(printed.to_numpy(float)[off], abs=5.1e-5)

    printed = load_table("ricca", "sample_tiebreaks.csv").query("tie_break == 'BH'")
    by_criterion = [adjusted(scores, each) for each in values.values()]
    top = top_scorers(np.rint(2 * scores).astype(int), 9)
    for population, who in (("all", slice(None)), ("top33", top)):
        [row] = printed[printed["population"] == population][[*CRITERIA]].to_numpy(float)
        ours = figures(adjusted(scores, buchholz), by_criterion, who)
        assert ours == pytest.approx(row, abs=5.1e-5)


def test_adjusted_sorts_inside_score_groups_only():
    scores, values = np.array([4, 6, 4, 6, 4]), np.array([9.0, 1.0, 2.0, 0.5, 2.0])
    both = adjusted(scores, np.stack([values, -values]))
    assert both.tolist() == [[3, 1, 4.5, 2, 4.5], [5, 2, 3.5, 1, 3.5]]
