"""The study of coalitions: the bound on a table's slope, what the report says of its cost."""

import numpy as np
import pytest
from training_samples import ODD

from tb2learn.simulation.kept import EventStore
from tb2learn.studies.coalition.measure import (
    FREE,
    bounded,
    fitted,
)
from tb2learn.training.least_squares import basis_rows
from tb2learn.training.pairwise import fit_surfaces
from tb2learn.training.surface import DEGREE
from tb2learn.training.tabulate import pass_table

RESULTS, SIZE = ODD.event.max_half_points + 1, ODD.decisions.knots + DEGREE
OWN, COLUMNS = basis_rows(ODD)


@pytest.fixture
def seen():
    cells = (len(OWN), len(COLUMNS) * RESULTS)
    return np.random.default_rng(1).integers(50, size=cells)


def test_no_step_is_larger_than_the_bound(seen):
    raw = np.random.default_rng(2).exponential(size=(RESULTS, SIZE, SIZE)).cumsum(axis=0)
    raw = np.maximum.accumulate(raw, axis=2)
    found = bounded(raw, seen, 0.5, ODD)
    steps = np.diff(found, axis=0)
    assert np.diff(raw, axis=0).max() > 2 > 0.501 > steps.max() and steps.min() >= 0
    assert bounded(raw, seen, 99.0, ODD) == pytest.approx(raw, rel=1e-6)


def test_the_average_of_what_was_played_stays(seen):
    """Steps 1, 3, 1, 1 are cut to 1 everywhere: 2 is shared out by how often results are seen."""
    raw = np.broadcast_to(np.array([0.0, 1, 4, 5, 6])[:, None, None], (RESULTS, SIZE, SIZE))
    seen = np.zeros_like(seen.reshape(len(OWN), len(COLUMNS), RESULTS))
    seen[..., 1] = 10**9
    found = bounded(raw, seen.reshape(len(OWN), -1), 1.0, ODD)
    assert found[:, 1, 1] == pytest.approx([0, 1, 2, 3, 4], abs=1e-5)
    seen[..., 3] = 10**9
    found = bounded(raw, seen.reshape(len(OWN), -1), 1.0, ODD)
    assert found[:, 1, 1] == pytest.approx([1, 2, 3, 4, 5], abs=1e-5)


@pytest.mark.slow
def test_without_a_bound_it_is_the_usual_fit():
    *_, (surfaces, _) = fit_surfaces(ODD)
    usual = pass_table(surfaces, "usual").points
    np.testing.assert_array_equal(fitted(ODD, FREE, EventStore()).points, usual)
    cut = fitted(ODD, "cut", EventStore(), 0.05).points
    assert np.diff(cut, axis=-1).max() <= 6 < np.diff(usual, axis=-1).max()
