"""The fit of the game model: that it finds what is there, and says what it found."""

from dataclasses import replace

import helpers
import numpy as np
import pytest
from scipy import stats

from studies import games as study
from studies.games import CANDIDATES, FITTED
from tb2learn.config import GameConfig, load_config
from tb2learn.data import read_rows
from tb2learn.simulation import games

ALPHA = 1e-3  # of every statistical test; the seeds are fixed


@pytest.fixture(scope="module")
def played():
    return study.read_games()


def repeated(played, times):
    """The same pairings many times, each repetition with matches and rounds of its own."""
    number = np.repeat(np.arange(times), len(played.match))
    every = {name: np.tile(getattr(played, name), times) for name in ("difference", "mean", "side")}
    return study.Games(
        **every,
        half_points=np.tile(played.half_points, times),
        match=np.tile(played.match, times) + number * played.matches,
        round=np.tile(played.round, times),
        teams=np.tile(played.teams, (times, 1)),
    )


def replayed(played, chances, seed):
    """New results of the same games."""
    win, draw = chances
    number = np.random.default_rng(seed).random(len(win))
    half = 2 * (number < win) + ((win <= number) & (number < win + draw))
    return replace(played, half_points=half)


def test_packaged_constants_are_the_fit(played):
    # Nigeria against Russia on the first board of the first match: 0-1.
    assert (played.difference[0], played.mean[0], played.half_points[0]) == (-429, 2554.5, 0)
    assert len(played.match) == 3442 and played.matches == 914
    assert played.side[:4].tolist() == [1, -1, 1, -1]
    rows = read_rows("baku2016_games.csv")
    assert [row["constant"] for row in rows] == list(games.CONSTANTS)
    fitted = games.fitted_constants()
    np.testing.assert_allclose(study.fit(FITTED, played), fitted, rtol=0, atol=2e-4)
    assert all(float(row["low"]) < float(row["value"]) < float(row["high"]) for row in rows)
    game = load_config("fitted-180x11").game
    shocks = np.arange(game.day_shock - 5, game.day_shock + 6)
    likelihood = study.shock_log_likelihood(fitted, played, [0.0, *shocks]).sum(axis=1)
    assert game.model == "fitted" and likelihood[1:].argmax() == 5
    unmoved = study.log_likelihood(FITTED.of(fitted, played), played).sum()
    assert likelihood[0] == pytest.approx(unmoved)


TRUE = {
    "share of the room": (1.2, 20.0, -0.5, 0.6, 0.4),
    "ordered logit": (0.9, 50.0, -0.4, 0.3),
    "Davidson": (1.5, 30.0, -0.2, 0.5),
}


@pytest.mark.slow
@pytest.mark.parametrize("candidate", CANDIDATES, ids=lambda candidate: candidate.name)
def test_the_fit_recovers_known_constants(candidate, played):
    true = np.array(TRUE[candidate.name])
    # Standard errors with 20 times the games, from those of fits to 20 events alone.
    many = repeated(played, 20)
    many = replayed(many, candidate.of(true, many), seed=1)
    parts = many.half_points.reshape(20, -1)
    singles = [study.fit(candidate, replace(played, half_points=half)) for half in parts]
    error = np.std(singles, axis=0, ddof=1) / 20**0.5
    # A standard error of 19 degrees of freedom; as many tests as constants.
    bound = stats.t.ppf(1 - ALPHA / 2 / len(true), 19)
    assert (np.abs(study.fit(candidate, many) - true) < bound * error).all()
    # Small enough that a wrong constant would be seen.
    assert (error < (0.03, 4.0, 0.1, 0.1, 0.2)[: len(true)]).all()


def test_chances_of_simulated_games_are_the_simulators(played):
    for game in (GameConfig(), GameConfig("literal"), GameConfig(model="fitted")):
        sides = (played.mean + sign * played.difference / 2 for sign in (1, -1))
        white, black = (side.astype(np.int32) for side in sides)
        law = np.asarray(helpers.game_law(white, black, game)) / games.UNIT
        own = study.table_chances(game, played)
        np.testing.assert_allclose(law[:2], own, rtol=0, atol=1e-12)
