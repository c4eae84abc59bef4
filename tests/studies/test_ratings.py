"""Historical ratings: their laws, least squares by another way, and the report whole."""

import math

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from studies import ratings
from studies.ratings import bipartite_ratings, even_ratings, normal_difference, relative_ratings
from tb2learn.types import InputError


def test_the_report(tmp_path):
    run = CliRunner().invoke(ratings.main, ["--out", str(tmp_path / "r")])
    assert (run.exit_code, run.output) == (0, f"{tmp_path / 'r'}\n")
    morphy = pd.read_csv(tmp_path / "r/morphy.csv")
    gaps = morphy.drop(columns=["player", "printed"]).sub(morphy["printed"], axis=0).abs().max()
    assert gaps.idxmin() == "mean of steps 3 and 4" and gaps.min() == pytest.approx(5.6)
    text = (tmp_path / "r/README.md").read_text()
    assert "figures of the example of K 9 come out" in text
    assert "Wins and losses of 9 of 9 players" in text


def test_the_printed_example_of_the_factor():
    games = pd.read_csv(ratings.DATA / "k_factor.csv")
    found = ratings.k_factor(games)
    assert found["ours"].to_numpy() == pytest.approx(found["printed"].to_numpy(), abs=0.0051)
    # One more win changes the new rating by K, and the performance by more.
    more = ratings.k_factor(games.assign(score=[*games["score"][:5], 1.0]))["ours"]
    assert more[5] - found["ours"][5] == pytest.approx(32)


@pytest.mark.parametrize("share", [0.0, 1.0, math.nan])
def test_no_difference_is_enough_for_all_points(share):
    with pytest.raises(InputError, match="0 or 100 %"):
        normal_difference(np.array([0.5, share]))


@pytest.mark.parametrize(("a", "b"), [(3, 3), (4, 4), (2, 5)])
def test_complete_bipartite_fields(a, b):
    result = np.random.default_rng(a).integers(-1, 2, (a, b))
    own, other = result.sum(axis=1), -result.sum(axis=0)
    games = np.zeros((a + b, a + b))
    games[:a, a:] = 1
    games += games.T
    laplacian = np.diag(games.sum(axis=1)) - games
    wanted = np.linalg.lstsq(laplacian, np.concatenate([own, other]), rcond=None)[0]
    assert np.concatenate(bipartite_ratings(own, other)) == pytest.approx(wanted)
    with pytest.raises(InputError, match="add up to 0"):
        bipartite_ratings(own + 1, other)


def test_with_the_linear_law_the_fixed_point_is_least_squares():
    """And the normal law expects of everybody what was scored, by its definition."""
    random = np.random.default_rng(5)
    points = random.integers(1, 9, (6, 6)) * (1 - np.eye(6))
    games, won = points + points.T, points.sum(axis=1)
    share = won / games.sum(axis=1)
    found = relative_ratings(games, ratings.linear_difference(share))
    apart = found[:, None] - found
    assert (games * ratings.linear_score(apart)).sum(axis=1) == pytest.approx(won)
    even = even_ratings(points)
    expected = (games * ratings.normal_score(even[:, None] - even)).sum(axis=1)
    assert expected == pytest.approx(won) and even.sum() == pytest.approx(0, abs=1e-6)
    with pytest.raises(InputError, match="won all games"):
        even_ratings(np.array([[0.0, 2.0], [0.0, 0.0]]))
