"""Facts that nothing else sees: a fault in any of them passes all other tests."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tb2learn as tb
from tb2learn.assessment import calibration
from tb2learn.chess.results import Results
from tb2learn.config import Config, EventFormat, FieldConfig, GameConfig
from tb2learn.events import read_event
from tb2learn.events.kind import OTHER_OLYMPIADS
from tb2learn.forecasts import chances, state, strengths
from tb2learn.simulation.event_store import EventStore
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import sum_events
from tb2learn.stats import Difference
from tb2learn.tiebreaks.confidence_map import spread_of
from tb2learn.tiebreaks.transfer import Transfer

FOUR = Config("four", event=EventFormat(4, 2, 1), field=FieldConfig(low=1500, high=2500))


def test_noise_has_as_many_degrees_as_matches_beyond_the_strengths():
    """Four teams, all six matches of one board: A beats all, B beats C, C beats D, D beats B."""
    opponents = np.array([[3, 2, 1, 0], [2, 3, 0, 1], [1, 0, 3, 2]])
    half_points = np.array([[2, 2, 0, 0], [2, 0, 0, 2], [2, 0, 2, 0]])
    lead, strength = half_points - 1, np.array([3, -1, -1, -1]) / 4
    # Strengths 3/4, -1/4, -1/4, -1/4 leave the three matches of B, C and D unexplained.
    unexplained = ((lead - strength + strength[opponents]) ** 2).sum() / 2
    noise = spread_of(opponents, half_points, 1).noise
    assert noise == pytest.approx(unexplained / (6 - 4 + 1), rel=1e-4)


def test_a_double_round_robin_counts_every_match():
    opponents, half_points = np.array([[1, 0], [1, 0]]), np.array([[4, 0], [1, 3]])
    # Of two boards: 2 and -1 apart; the strengths are 1/4 on either side.
    unexplained = (2 - 0.5) ** 2 + (-1 - 0.5) ** 2
    noise = spread_of(opponents, half_points, 2).noise
    assert noise == pytest.approx(unexplained / 1 / 2, rel=1e-4)


def test_simulated_and_recorded_events_give_a_bye_the_same():
    met, half_points = np.array([[1, 0, -1], [2, -1, 0]]), np.array([[3, 1, 2], [4, 2, 0]])
    results = Results(met, half_points, np.array([4, 1, 1]), 2)
    rule = tb.rule("mine", lambda event: event.half_points, bye=7).bind(results)
    compiled = jax.jit(lambda results: rule.tiebreak.scores(results))
    simulated = np.asarray(compiled(jax.tree.map(jnp.asarray, results)))
    assert rule.tiebreak.scores(results).tolist() == simulated.tolist() == [7, 8, 7]


def test_offsets_have_the_covariance_that_is_known():
    ongoing = state.begin(read_event("samarkand2026w"), 5, ())
    prior = strengths.prior(ongoing.event)
    teams, seats = len(prior.mean), ongoing.seats
    factor = np.random.default_rng(1).normal(size=(teams, 3))
    covariance = 400 * np.eye(teams) + 900 * factor @ factor.T
    start = chances.start_of(ongoing, replace(prior, covariance=covariance))
    spread = start.spread / 16.0
    np.testing.assert_allclose(spread @ spread.T, covariance[np.ix_(seats, seats)], atol=60)


def scores_of_teams(key, event, setting, args):
    return event.half_points.sum(axis=0), event.match_points


def test_settings_that_differ_in_games_alone_share_no_kept_events():
    store, events = EventStore(), EventRange(1, Purpose.TRAIN, 40)
    settings = FOUR.setting, replace(FOUR.setting, game=GameConfig(day_shock=900.0))
    measurement = Measurement(scores_of_teams)
    fresh = [sum_events(setting, measurement, events) for setting in settings]
    kept = [sum_events(setting, measurement, events, store=store) for setting in settings]
    jax.tree.map(np.testing.assert_array_equal, fresh, kept)
    assert fresh[0][0].tolist() != fresh[1][0].tolist()


def test_spreads_are_those_of_the_first_rounds():
    met = np.array([[[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]])
    half_points = np.array([[[2, 0, 2, 0], [0, 2, 2, 0], [1, 1, 1, 1]]])
    (spread,) = calibration._spreads(met, half_points, 2, 1)
    assert spread == pytest.approx(spread_of(met[0, :2], half_points[0, :2], 1))
    assert spread != pytest.approx(spread_of(met[0], half_points[0], 1))


def test_boards_are_twice_as_far_as_teams():
    growth, over = (Difference("x", "y", *(share,) * 3) for share in (0.01, 0.0))
    judged = Transfer("x", 60, 9, 4, growth, over)
    by_boards, by_teams = judged.distance(60, 9, 8), judged.distance(120, 9, 4)
    assert by_boards == pytest.approx(2 * by_teams) == judged.distance(60, 18, 4)


@pytest.mark.parametrize(
    "title", ["blind", "deaf", "youth", "u16", "u-20", "school", "disab", "junior"]
)
def test_other_olympiads(title):
    assert OTHER_OLYMPIADS.search(f"15th {title} chess olympiad")
