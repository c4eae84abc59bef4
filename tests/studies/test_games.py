"""The fit of the game model: that it finds what is there, and says what it found."""

import helpers
import numpy as np
import pytest

from studies import games as study
from studies.games import fitted_model
from studies.worlds import load_config
from tb2learn.config import GameConfig
from tb2learn.data import read_rows
from tb2learn.simulation import games


@pytest.fixture(scope="module")
def played():
    return study.read_games()


def test_packaged_constants_are_the_fit(played):
    # Nigeria against Russia on the first board of the first match: 0-1.
    assert (played.difference[0], played.mean[0], played.half_points[0]) == (-429, 2554.5, 0)
    assert len(played.match) == 3442 and played.matches == 914
    assert played.side[:4].tolist() == [1, -1, 1, -1]
    rows = read_rows("baku2016_games.csv")
    assert [row["constant"] for row in rows] == list(games.CONSTANTS)
    fitted = games.fitted_constants()
    np.testing.assert_allclose(study.fit(fitted_model, played), fitted, rtol=0, atol=2e-4)
    assert all(float(row["low"]) < float(row["value"]) < float(row["high"]) for row in rows)
    game = load_config("fitted-180x11").game
    shocks = np.arange(game.day_shock - 5, game.day_shock + 6)
    likelihood = study.shock_log_likelihood(fitted, played, [0.0, *shocks]).sum(axis=1)
    assert game.model == "fitted" and likelihood[1:].argmax() == 5
    unmoved = study.of_model(fitted_model, fitted, played).sum()
    assert likelihood[0] == pytest.approx(unmoved)


def test_chances_of_simulated_games_are_the_simulators(played):
    for game in (GameConfig(), GameConfig("literal"), GameConfig(model="fitted")):
        sides = (played.mean + sign * played.difference / 2 for sign in (1, -1))
        white, black = (side.astype(np.int32) for side in sides)
        law = np.asarray(helpers.game_law(white, black, game)) / games.UNIT
        own = study.table_chances(game, played)
        np.testing.assert_allclose(law[:2], own, rtol=0, atol=1e-12)
