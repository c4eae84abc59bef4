"""The fit of the game model: that it finds what is there, and says what it found."""

import itertools
from dataclasses import replace

import helpers
import numpy as np
import pandas as pd
import pytest
from helpers import ROOT
from scipy import stats

from tb2learn.config import GameConfig, load_config
from tb2learn.data import read_rows
from tb2learn.simulation import games
from tb2learn.studies.games import game_model, measure
from tb2learn.studies.games.game_model import FITTED

ALPHA = 1e-3  # of every statistical test; the seeds are fixed
PACKAGED = read_rows("baku2016_games.csv")


@pytest.fixture(scope="module")
def played():
    return game_model.read_games()


def repeated(played, times):
    """The same pairings many times, each repetition with matches and rounds of its own."""
    number = np.repeat(np.arange(times), len(played.match))
    every = {name: np.tile(getattr(played, name), times) for name in ("difference", "mean", "side")}
    return game_model.Games(
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
    return replace(
        played, half_points=2 * (number < win) + ((win <= number) & (number < win + draw))
    )


# --- the games ------------------------------------------------------------------------------------


def test_the_games(played):
    rows = [
        row
        for row in read_rows("baku2016", "boards.csv")
        if row["status"] == "played" and "" not in (row["white_rating"], row["black_rating"])
    ]
    assert len(played.match) == len(rows) == 3442 and played.matches == 914
    # Nigeria against Russia on the first board of the first match: 0-1.
    assert (played.difference[0], played.mean[0], played.half_points[0]) == (-429, 2554.5, 0)
    assert played.teams[:2].tolist() == [["Nigeria", "Russia"], ["Russia", "Nigeria"]]
    assert played.side[:4].tolist() == [1, -1, 1, -1]
    of_match = {}
    for row, match, side in zip(rows, played.match.tolist(), played.side.tolist(), strict=True):
        first = row["white_team"] if side == 1 else row["black_team"]
        of_match.setdefault(match, set()).add((row["round"], row["match"], first))
    assert all(len(names) == 1 for names in of_match.values()) and len(of_match) == 914


# --- the fit --------------------------------------------------------------------------------------


def test_packaged_constants_are_the_fit(played):
    assert [row["constant"] for row in PACKAGED] == list(games.CONSTANTS)
    np.testing.assert_allclose(
        game_model.fit(FITTED, played), games.fitted_constants(), rtol=0, atol=2e-4
    )
    for row in PACKAGED:
        assert float(row["low"]) < float(row["value"]) < float(row["high"])


TRUE = {
    "share of the room": (1.2, 20.0, -0.5, 0.6, 0.4),
    "ordered logit": (0.9, 50.0, -0.4, 0.3),
    "Davidson": (1.5, 30.0, -0.2, 0.5),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "candidate",
    [
        game_model.CANDIDATES[0],
        *(pytest.param(c, marks=pytest.mark.slow) for c in game_model.CANDIDATES[1:]),
    ],
    ids=lambda c: c.name,
)
def test_the_fit_recovers_known_constants(candidate, played):
    true = np.array(TRUE[candidate.name])
    # Standard errors with 20 times the games, from those of fits to 20 events alone.
    many = repeated(played, 20)
    many = replayed(many, game_model.chances_of(candidate, true, many), seed=1)
    singles = []
    for event in range(20):
        here = slice(event * len(played.match), (event + 1) * len(played.match))
        single = replace(played, half_points=many.half_points[here])
        singles.append(game_model.fit(candidate, single))
    error = np.std(singles, axis=0, ddof=1) / 20**0.5
    found = game_model.fit(candidate, many)
    # A standard error of 19 degrees of freedom; as many tests as constants.
    bound = stats.t.ppf(1 - ALPHA / 2 / len(true), 19)
    assert (np.abs(found - true) < bound * error).all()
    # Small enough that a wrong constant would be seen.
    assert (error < (0.03, 4.0, 0.1, 0.1, 0.2)[: len(true)]).all()


def test_a_match_counts_as_often_as_its_weight(played):
    weights = np.zeros(played.matches)
    weights[:400] = 2.0
    kept = played.match < 400
    names = ("difference", "mean", "half_points", "match", "side", "round", "teams")
    some = game_model.Games(**{name: getattr(played, name)[kept] for name in names})
    np.testing.assert_allclose(
        game_model.fit(FITTED, played, weights), game_model.fit(FITTED, some), rtol=0, atol=1e-3
    )


def test_a_fit_that_does_not_end(played, monkeypatch):
    result = game_model.optimize.OptimizeResult(success=False, message="too many steps")
    monkeypatch.setattr(game_model.optimize, "minimize", lambda *_, **__: result)
    with pytest.raises(RuntimeError, match=r"^the fit of Davidson did not converge: too many"):
        game_model.fit(game_model.CANDIDATES[2], played)


@pytest.mark.parametrize("candidate", game_model.CANDIDATES, ids=lambda c: c.name)
def test_candidates_are_laws(candidate):
    random = np.random.default_rng(1)
    difference, mean = random.uniform(-3000, 3000, 1000), random.uniform(0, 3000, 1000)
    colour = random.choice([-1.0, 1.0], 1000)
    constants = np.array(TRUE[candidate.name])
    win, draw = candidate.chances(constants, difference, mean, colour)
    loss = 1 - win - draw
    assert (np.stack([win, draw, loss]) >= -1e-15).all()
    mirrored = candidate.chances(constants, -difference, mean, -colour)
    np.testing.assert_allclose((loss, draw), mirrored, rtol=0, atol=1e-12)
    stronger, _ = candidate.chances(constants, difference + 1, mean, colour)
    assert (stronger >= win).all()


@pytest.mark.slow
def test_held_out_rounds_are_not_fitted(played):
    # Constants for round 3 are the same whatever was scored in round 3.
    third = played.round == 3
    other = replace(played, half_points=np.where(third, 2 - played.half_points, played.half_points))
    constants = game_model.fit(
        FITTED, played, (np.bincount(played.match, ~third) > 0).astype(float)
    )
    for event in (played, other):
        expected = game_model.log_likelihood(
            game_model.chances_of(FITTED, constants, event), event, 1e-12
        )
        held_out = game_model.held_out_log_likelihood(FITTED, event)
        np.testing.assert_allclose(held_out[third], expected[third], rtol=0, atol=1e-9)


# --- calibration ----------------------------------------------------------------------------------


def test_table_chances(played):
    # As the simulator's law of a match on one board.
    for game in (GameConfig(), GameConfig("literal"), GameConfig(model="fitted")):
        win, draw = game_model.table_chances(game, played)
        white, black = ((played.mean + sign * played.difference / 2).astype(np.int32)
                        for sign in (1, -1))  # fmt: skip
        law = np.asarray(helpers.game_law(white, black, game)) / games.UNIT
        np.testing.assert_allclose(law[:2], (win, draw), rtol=0, atol=1e-12)


# --- what the boards of a match share -------------------------------------------------------------


def test_products_of_residuals(played):
    # Against all pairs of boards, one by one, of the first matches of five teams.
    random = np.random.default_rng(2)
    size = 40
    match = np.sort(random.permutation(np.repeat(np.arange(10), 4)))
    names = random.choice(list("ABCDE"), (10, 2))
    names = np.array([pair if pair[0] != pair[1] else ["A", "B"] for pair in names.tolist()])
    side = random.choice([-1.0, 1.0], size)
    teams = np.where(side[:, None] == 1, names[match], names[match][:, ::-1])
    zero = np.zeros(size)
    event = game_model.Games(zero, zero, zero.astype(int), match, side, match, teams)
    residuals = random.normal(size=size)  # of the first team

    same, pairs = game_model.board_products(residuals, event)
    assert pairs.tolist() == [6.0] * 10
    for m in range(10):
        expected = sum(x * y for x, y in itertools.combinations(residuals[match == m], 2))
        assert same[m] == pytest.approx(expected)

    other, days = game_model.day_products(residuals, event)
    for number, name in enumerate(np.unique(teams)):
        own = [
            (m, value if names[m][0] == name else -value)
            for m, value in zip(match.tolist(), residuals.tolist(), strict=True)
            if name in names[m]
        ]
        crossed = [x * y for (m, x), (n, y) in itertools.combinations(own, 2) if m != n]
        assert days[number] == len(crossed)
        assert other[number] == pytest.approx(sum(crossed), abs=1e-9)


def test_no_shock_is_the_fitted_model(played):
    constants = games.fitted_constants()
    each = game_model.log_likelihood(
        game_model.chances_of(FITTED, constants, played), played, 1e-12
    )
    of_match = np.bincount(played.match, each)
    (found,) = game_model.shock_log_likelihood(constants, played, [0.0])
    np.testing.assert_allclose(found, of_match, rtol=1e-9)


@pytest.mark.parametrize(("true", "low", "high"), [(0.0, 0.0, 20.0), (80.0, 70.0, 90.0)])
def test_a_known_day_shock_is_found(true, low, high, played):
    many = repeated(played, 10)
    team_days = np.random.default_rng(3).normal(scale=true, size=(2, many.matches))
    relative = (team_days[0] - team_days[1])[many.match] * many.side
    constants = games.fitted_constants()
    shocked = replace(many, difference=many.difference + relative)
    shocked = replayed(shocked, game_model.chances_of(FITTED, constants, shocked), seed=4)
    seen = replace(many, half_points=shocked.half_points)
    grid = np.arange(0.0, 131.0, 10.0)
    likelihood = game_model.shock_log_likelihood(constants, seen, grid).sum(axis=1)
    assert low <= grid[likelihood.argmax()] <= high
    # And the correlation of the boards is that which such a shock gives.
    chances = game_model.chances_of(FITTED, constants, seen)
    products, pairs = game_model.board_products(game_model.standard_residuals(chances, seen), seen)
    implied = game_model.implied_correlation(constants, played, true)
    error = products.std() / pairs.mean() / many.matches**0.5
    assert (
        abs(products.sum() / pairs.sum() - implied) < stats.norm.ppf(1 - ALPHA / 2) * error + 0.005
    )


def test_the_committed_config_plays_what_was_found(played):
    game = load_config("fitted-180x11").game
    likelihood = game_model.shock_log_likelihood(
        games.fitted_constants(), played, np.arange(game.day_shock - 5, game.day_shock + 6)
    ).sum(axis=1)
    assert game.model == "fitted" and likelihood.argmax() == 5


# --- intervals ------------------------------------------------------------------------------------


def test_mean_of(played):
    # Independent values: the interval of the textbook.
    values = np.random.default_rng(6).normal(3.0, 2.0, len(played.match))
    where = played.round <= 8
    found = measure.mean_of(values, where, played)
    error = values[where].std() / where.sum() ** 0.5
    assert found["games"] == where.sum() and found["observed"] == pytest.approx(
        values[where].mean()
    )
    assert (found["high"] - found["low"]) / (2 * 1.96 * error) == pytest.approx(1.0, abs=0.1)
    assert found["low"] < found["observed"] < found["high"]
    # One match only, which about a third of the samples leave out; and whole matches are drawn.
    one = measure.mean_of(values, played.match == 0, played)
    assert one["low"] == one["high"] == pytest.approx(one["observed"])


# --- what is written ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_study_finds_what_is_committed(monkeypatch):
    """All but the intervals, whose samples are few here."""
    monkeypatch.setattr(measure, "RESAMPLES", 8)
    found = measure.measure()
    committed = measure.FILES[0].frames((ROOT / "reports/games/findings.json").read_text())
    assert found.keys() == committed.keys()
    for name, frame in found.items():
        kept = [one for one in frame.columns if one not in ("low", "high")]
        # The last printed digit may turn on another processor.
        pd.testing.assert_frame_equal(
            frame[kept], committed[name][kept], rtol=1e-3, atol=2e-3, check_dtype=False
        )
    classes = found["classes"]
    assert (classes["low"] <= classes["observed"]).all()
    assert (classes["observed"] <= classes["high"]).all()
