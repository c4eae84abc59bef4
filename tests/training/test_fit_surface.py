"""The surface is monotone by construction, whatever its coefficients, and fits what it is given."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import examples
from scipy import interpolate, special

from tb2learn.config import Config, EventFormat, SurfaceConfig
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.training import fit_surface, surface
from tb2learn.training.difficulty_log import DifficultyLog

monotone = jax.jit(fit_surface.monotone)
FINE = np.linspace(0.0, 1.0, 101)


def random_surface(seed: int, boards: int, knots: int, scale: float) -> surface.Surface:
    raw = np.random.default_rng(seed).normal(0.0, scale, (2 * boards, knots + 3, knots + 3))
    coefficients = np.asarray(monotone(jnp.asarray(raw, jnp.float32)), np.float64)
    return surface.Surface(coefficients, rounds=5)


@examples(30)
@given(st.integers(0, 1000), st.sampled_from([(1, 1), (2, 9), (5, 4)]), st.floats(0.01, 30.0))
def test_monotone_on_a_fine_grid_for_any_coefficients(seed, size, scale):
    boards, knots = size
    c = surface.predict(random_surface(seed, boards, knots, scale), FINE, FINE)
    assert c.min() >= 0.0 and c.max() <= 1.0
    rounding = 1e-13
    assert np.diff(c, axis=2).min() >= -rounding  # game points
    assert np.diff(c, axis=1).min() >= -rounding  # opponent's share
    assert np.diff(c, axis=0).max() <= rounding  # own share


@pytest.mark.parametrize("knots", [1, 2, 7])
def test_the_basis_is_that_of_scipy(knots):
    positions = np.arange(-surface.DEGREE, knots + surface.DEGREE + 1) / knots
    wanted = interpolate.BSpline.design_matrix(FINE, positions, surface.DEGREE).toarray()
    np.testing.assert_array_equal(surface.basis(FINE, knots), wanted)


def synthetic_log(rounds: int, boards: int, matches: int) -> DifficultyLog:
    """A log whose cells follow a known smooth monotone law."""
    share = surface.share_grid(rounds)
    thresholds = np.arange(2 * boards) - boards + 0.5
    odds = thresholds + 4.0 * (share[None, :, None] - share[:, None, None])
    fails = np.rint(matches * special.expit(odds)).astype(np.int64)
    below = np.concatenate(
        [np.zeros_like(fails[..., :1]), fails, np.full_like(fails[..., :1], matches)], axis=-1
    )
    config = Config(name="synthetic", event=EventFormat(100, rounds, boards))
    events = EventRange(0, Purpose.TRAIN, 1)
    return DifficultyLog(np.diff(below, axis=-1), 1, config, events)


@pytest.mark.parametrize("steps", [0, pytest.param(400, marks=pytest.mark.slow)])
def test_fit_recovers_a_known_surface(steps):
    log = synthetic_log(rounds=6, boards=3, matches=1_000_000)
    found = fit_surface.fit_surface(log, log, SurfaceConfig(knots=6, steps=steps))
    grid = surface.share_grid(6)
    np.testing.assert_allclose(surface.predict(found.surface, grid, grid), log.scores(), atol=2e-3)
    assert found.deviance < 1e-5
    assert found.held_out_deviance == found.deviance
    assert len(found.losses) == steps
    if steps:
        assert found.losses[-1] <= found.losses[0] + 1e-6


def test_without_descent_the_surface_is_monotone_and_rounded():
    """Of a log of few matches, whose spline goes up and down."""
    counts = np.random.default_rng(2).integers(0, 3, (9, 9, 5))
    config = Config("few", event=EventFormat(9, 4, 2))
    log = DifficultyLog(counts, 1, config, EventRange(0, Purpose.TRAIN, 1))
    found = fit_surface.fit_surface(log, log, SurfaceConfig(knots=4, smoothness=1e-4, steps=0))
    c = found.surface.coefficients
    np.testing.assert_array_equal(c, np.round(c, 4))
    assert min(np.diff(c, axis=0).min(), np.diff(c, axis=2).min()) >= 0 >= np.diff(c, axis=1).max()
