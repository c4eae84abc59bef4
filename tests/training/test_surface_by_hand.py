"""The surfaces of results in plain numbers: losses, splines, fits and deviances, tables."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plain_numpy
import pytest
from training_samples import ODD, ODD_SURFACE, TINY

from tb2learn.config import EventFormat, SurfaceConfig
from tb2learn.training import fit_surface, surface, table_moments
from tb2learn.training.difficulty_log import DifficultyLog
from tb2learn.training.surface import Surface, ValueSurface
from tb2learn.training.tabulate import pass_table, surface_table, value_grid

pytestmark = pytest.mark.usefixtures("untyped")


@pytest.fixture(autouse=True)
def in_numpy(monkeypatch):
    plain_numpy.use(monkeypatch, fit_surface)


# ------------------------------------------------------------------------ the loss


def test_the_loss_of_two_cells():
    """Of three matches in four at even odds a quarter failed, of the others with odds 3 : 1 all."""
    odds, fail, weight = np.array([0, math.log(3)]), np.array([0.25, 1]), np.array([0.75, 0.25])
    expected = 0.75 * math.log(2) - 0.25 * math.log(3 / 4)
    assert fit_surface.binomial_loss(odds, fail, weight) == pytest.approx(expected)


def test_roughness_is_that_of_second_differences():
    bent = np.array([[[0, 1, 3, 3], [0, 0, 0, 0], [0, 0, 0, 0.0]]])
    # Along the last axis 1 and -2; along the one before the first row itself.
    assert fit_surface.roughness(bent, axes=(2,)) == 5
    assert fit_surface.roughness(bent, axes=(1,)) == 0 + 1 + 9 + 9
    assert fit_surface.roughness(bent, axes=(1, 2)) == 24
    assert np.array([0, 1, 3, 3]) @ surface.bending(4) @ np.array([0, 1, 3, 3]) == 5


def test_the_penalised_loss_is_that_of_the_monotone_surface():
    """One knot, two thresholds: log-odds 0 and log 3 everywhere; a dent in the raw numbers."""
    raw = np.stack([np.zeros((4, 4)), np.full((4, 4), math.log(3))])
    raw[1, 3, 3] = -5.0
    rows, fail = surface.basis(np.array([0, 0.5]), 1), np.full((2, 2, 2), 0.5)
    data = rows, fail, np.full((2, 2, 2), 1 / 8)
    plain = math.log(2) / 2 + (math.log(4) - math.log(3) / 2) / 2
    dent = (math.log(3) + 5.0) ** 2
    for smoothness in (0, 0.01):
        config = SimpleNamespace(smoothness=smoothness)
        # The running maxima lift the dent; along either axis it is bent in one place.
        found = fit_surface._loss(raw, data, config)
        assert found == pytest.approx(plain + smoothness * 2 * dent)


def test_monotone_is_running_maxima():
    """Up with the threshold, down with the own share, up with the opponent's."""
    raw = np.zeros((3, 3, 3))
    raw[1, 1, 1] = 1.0
    found = fit_surface.monotone(raw)
    assert found[1:, :2, 1:].all() and found.sum() == 8
    # Of values: along the own share nothing is held.
    assert fit_surface.rising(raw)[1:, 1, 1:].all() and fit_surface.rising(raw).sum() == 4


def test_log_odds_are_by_own_share_and_the_opponents():
    coefficients = np.arange(8.0).reshape(2, 2, 2)
    own, opponent = np.array([[1, 0], [0.5, 0.5]]), np.array([[0, 1], [0.25, 0.75]])
    found = fit_surface.log_odds(coefficients, own, opponent)
    assert found[0, 0].tolist() == [1, 5] and found[0, 1].tolist() == [0.75, 4.75]
    assert found[1, 0].tolist() == [2, 6]


# ------------------------------------------------------------------------ the fit


def log_of(*counts):
    """A log of one round: by own and opponent's points the counts of a match of one board."""
    table = np.zeros((3, 3, 3), np.int64)
    for (own, opponent), results in counts:
        table[own, opponent] = results
    return DifficultyLog(table, 1, replace(TINY, event=EventFormat(3, 1, 1)), None)


def test_frequencies_and_weights_of_cells():
    fail, weight = fit_surface.frequencies(log_of(((0, 1), (1, 1, 2)), ((2, 0), (0, 6, 0))))
    assert fail[0, 1].tolist() == [0.25, 0.5] and fail[2, 0].tolist() == [0, 1]
    assert weight[0, 1].tolist() == [0.2, 0.2] and weight[2, 0].tolist() == [0.3, 0.3]
    assert weight.sum() == pytest.approx(1)


def test_the_deviance_is_twice_the_divergence():
    chance, fail, weight = np.array([0.5, 0.5]), np.array([0.25, 0.5]), np.array([0.4, 0.6])
    gap = 0.25 * math.log(0.5) + 0.75 * math.log(1.5)
    assert fit_surface._deviance(chance, fail, weight) == pytest.approx(2 * 0.4 * gap)
    never = fit_surface._deviance(np.zeros(1), np.ones(1), np.ones(1))
    assert never == pytest.approx(2 * math.log(1e7), rel=1e-6)


def test_a_fit_is_judged_on_its_log_and_on_the_other(monkeypatch):
    """A surface of even chances; then the raw frequencies of the first log on the second."""
    log, other = log_of(((1, 1), (1, 1, 2))), log_of(((1, 1), (2, 0, 2)))
    kept = []

    def descend(raw, state, data, *, config, steps):
        kept.append(steps)
        return np.zeros_like(raw), state, np.full(steps, len(kept))

    monkeypatch.setattr(fit_surface, "_descend", descend)
    monkeypatch.setattr(fit_surface, "_optimiser", lambda _: SimpleNamespace(init=lambda raw: 0))
    found = fit_surface.fit_surface(log, other, SurfaceConfig(knots=1, steps=230))
    assert kept == [100, 100, 30] and len(found.losses) == 230 and found.losses[-1] == 3

    def divergence(p, q):
        return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))

    assert found.deviance == pytest.approx(divergence(0.25, 0.5))  # at 1/2; at 1 it is 0
    assert found.held_out_deviance == pytest.approx(0)
    assert found.held_out_noise == pytest.approx(divergence(0.5, 0.25))


def test_the_unconstrained_start_is_where_the_penalised_loss_is_flat():
    generator = np.random.default_rng(3)
    fail = np.sort(generator.uniform(0.2, 0.8, (5, 5, 2)), axis=-1)
    weight = generator.uniform(0.5, 1, fail.shape) / 50
    config, rows = SurfaceConfig(knots=1, smoothness=0.01), surface.basis(surface.share_grid(2), 1)
    found = fit_surface._unconstrained(fail, weight, rows, config)

    def loss(raw):
        odds = fit_surface.log_odds(raw, rows, rows)
        rough = fit_surface.roughness(raw, axes=(1, 2))
        return fit_surface.binomial_loss(odds, fail, weight) + config.smoothness * rough

    for place in ((0, 0, 0), (0, 2, 1), (1, 3, 3)):
        small = np.zeros(found.shape)
        small[place] = 1e-4
        assert loss(found + small) - loss(found - small) == pytest.approx(0, abs=1e-10)


def test_the_first_guess_fails_more_against_the_strong():
    guess = fit_surface._plane(4, 3)
    assert guess[:, 0, 0].tolist() == [-3, -1, 1, 3]
    assert guess[0, 0].tolist() == [-3, 0, 3] and guess[0, :, 0].tolist() == [-3, -6, -9]


# ------------------------------------------------------------------------ splines and tables


def test_the_basis_in_known_numbers():
    """At a knot 1, 4, 1 sixths; in the middle of a piece 1, 23, 23, 1 of 48."""
    at_knots = surface.basis(np.array([0, 0.5, 1]), 2) * 6
    assert at_knots == pytest.approx(
        np.array([[1, 4, 1, 0, 0], [0, 1, 4, 1, 0], [0, 0, 1, 4, 1]]), abs=1e-12
    )
    assert surface.basis(np.array([0.25]), 2)[0] * 48 == pytest.approx([1, 23, 23, 1, 0])
    assert surface.share_grid(2).tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_refined_shares_reach_an_eighth_beyond_the_table():
    """-1/8 is the first knot, 1/2 the middle, 9/8 the last; beyond it counts as the end."""
    found = surface.opponent_basis(np.array([-0.5, -0.125, 0.5, 1.125, 2.0]), 2)
    np.testing.assert_allclose(found, surface.basis(np.array([0, 0, 0.5, 1, 1]), 2), atol=1e-12)
    near = surface.opponent_basis(np.array([-0.1, 1.1]), 4)
    np.testing.assert_allclose(near, surface.basis(np.array([0.02, 0.98]), 4), atol=1e-12)
    assert surface.columns(2).tolist() == [-0.25, 0, 0.25, 0.5, 0.75, 1, 1.25]


def test_a_flat_surface_has_the_same_score_everywhere():
    """Failing with chances 1/4, 1/2: scores 1/8, 3/8, 1/2, as whole thousandths 125, 375, 500."""
    coefficients = np.array([-math.log(3), 0])[:, None, None] * np.ones((2, 4, 4))
    flat = Surface(coefficients, rounds=2)
    chances = surface.fail_probability(flat, np.array([0, 0.3]), np.array([0.9]))
    assert flat.boards == 1 and chances == pytest.approx(np.array([[[0.25, 0.5]]] * 2))
    table = surface_table(flat, "flat", 3)
    full = table.tables.max() * 2
    assert table.tables.shape == (1, 7, 7, 3) and (table.tables == table.tables[0, 0, 0]).all()
    assert table.tables[0, 0, 0].tolist() == [np.rint(full / 8), np.rint(full * 3 / 8), full / 2]
    finer = surface_table(flat, "flat", full_points=8 * full)
    assert finer.tables[0, 0, 0].tolist() == [full, 3 * full, 4 * full]
    assert finer.unit == table.unit / 8 == 1 / 8 and finer.tables.shape == (1, 5, 5, 3)


def test_a_flat_table_of_values_is_rescaled_by_the_rounds():
    """Values 0.1, 0.2, 0.3 less a par that rises from 0 to 0.4, of two rounds at three."""
    coefficients = np.array([0.1, 0.2, 0.3])[:, None, None] * np.ones((3, 4, 4))
    flat = ValueSurface(coefficients, mean_value=np.linspace(0, 0.4, 5), rounds=2)
    assert flat.boards == 1
    grid = value_grid(flat, 3)
    assert grid[0, 0] == pytest.approx([0.15, 0.3, 0.45])
    assert grid[3, 4] == pytest.approx([1.5 * (x - 0.2) for x in (0.1, 0.2, 0.3)])
    table = pass_table([flat, flat], "flat", 3, finer=10)
    assert table.tables[0, 0, 0].tolist() == [15, 30, 45]
    assert table.tables[1, 6, 2].tolist() == [-450, -300, -150]
    assert (table.unit, table.event_rounds, table.trained_rounds) == (0.1, 3, 2)
    assert pass_table([flat], "flat").tables[0, 4, 0].tolist() == [-30, -20, -10]


# ------------------------------------------------------------------------ the rules of passes


def test_a_rule_has_empty_tables_before_its_own():
    """As many as there are passes, so that all of them share one program."""
    before = table_moments.rule_before([], ODD)
    assert before.points.shape == (2, 9, 11, 5) and not before.points.any()
    first = pass_table(list(ODD_SURFACE), "t").tables
    second = table_moments.rule_before(list(ODD_SURFACE), ODD)
    np.testing.assert_array_equal(second.points, [first[0], 0 * first[0]])
    alone = table_moments.rule_of(first, ODD)
    np.testing.assert_array_equal(alone.points, [0 * first[0], first[0]])
