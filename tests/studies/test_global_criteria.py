"""Ricca's criteria: ZERMELO by another way, and the figures of his sample event recomputed."""

import numpy as np
import pandas as pd
import pytest
from helpers import recorded_of
from scipy import optimize, special

from studies.frames import load_table
from studies.tiebreaks import (
    CRITERIA,
    Played,
    adjusted,
    expected_hundredths,
    performance_difference,
    places,
    top_scorers,
    zermelo,
)


def test_zermelo_is_the_maximum_of_the_likelihood():
    """Of six rounds of eight players with random pairs and results."""
    random = np.random.default_rng(3)
    pairs = [random.permutation(8).reshape(-1, 2).tolist() for _ in range(6)]
    matches = [[(a, b, random.choice(3, p=(0.25, 0.5, 0.25))) for a, b in one] for one in pairs]
    results = recorded_of(8, 1, matches)
    event = Played(results.opponents, results.half_points, np.arange(8) + 1500)
    wins = event.wins()

    def unlikelihood(free):
        strengths = np.append(free, 0.0)
        return -(wins * np.log(special.expit(strengths[:, None] - strengths))).sum()

    best = np.append(optimize.minimize(unlikelihood, np.zeros(7), tol=1e-9).x, 0.0)
    assert zermelo(event) == pytest.approx(best - best.mean(), abs=1e-3)


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


def test_expectations_and_performances():
    ahead = np.array([0, 3, 4, -3, -4, 400, -400, 735, 736, -736, 5000])
    expected = [50, 50, 51, 50, 49, 92, 8, 99, 100, 0, 100]
    assert expected_hundredths(ahead).tolist() == expected
    points, games = np.array([0, 9, 10, 16, 18, 5, 2]), np.array([9, 9, 9, 9, 9, 5, 3])
    # 0, 1/2, 56 %, 89 %, all, 1/2, 33 %
    assert performance_difference(points, games).tolist() == [-800, 0, 43, 351, 800, 0, -125]
