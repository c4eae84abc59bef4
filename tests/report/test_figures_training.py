"""Figures of a trained table show its numbers."""

import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from report_samples import drawn

from tb2learn.report import figures_training, style
from tb2learn.tiebreaks.rules import LookupTable, product_table
from tb2learn.training.surface import fail_probability, predict, shares

MINUS = "\N{MINUS SIGN}"


def meshes(panel):
    """The values of a panel's heat maps, NaN where a cell is empty."""
    return [
        np.ma.filled(mesh.get_array().astype(float), np.nan)
        for mesh in panel.collections
        if isinstance(mesh, QuadMesh)
    ]


@pytest.mark.thorough
def test_the_surface_shows_both_tables_and_their_difference(trained):
    table, product = trained.rule(), product_table(7, 4)
    figure = figures_training.surface_figure(table, product, 11)
    drawn(figure)
    learned = table.points[11].T * table.unit
    scaled = product.points[11].T * (1000 / (14 * 8))
    assert product.points.max() == 14 * 8
    for panel, values, form in zip(
        figure.axes[:3], (learned, scaled, learned - scaled), (".0f", ".0f", "+.0f"), strict=True
    ):
        (shown,) = meshes(panel)
        np.testing.assert_allclose(shown, values)
        assert [int(text.get_text().replace(MINUS, "-")) for text in panel.texts] == [
            int(format(value, form)) for value in values.ravel()
        ]
        rows = [label.get_text() for label in panel.get_yticklabels()]
        assert rows == ["0", "0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4"]
    titles = [panel.get_title(loc="left") for panel in figure.axes[:3]]
    assert titles[0] == "Learned table, own MP 11" and titles[1].startswith("Product rule")


@pytest.mark.thorough
@pytest.mark.parametrize(("given", "shown"), [(None, [6, 9, 11, 13]), ([3, 5, 7], [3, 5, 7])])
def test_slices_show_a_line_a_result(trained, given, shown):
    table = trained.rule()
    figure = figures_training.surface_slices_figure(table, given)
    drawn(figure)
    panels = [panel for panel in figure.axes if panel.get_visible()]
    assert [panel.get_title(loc="left") for panel in panels] == [f"own MP {own}" for own in shown]
    for own, panel in zip(shown, panels, strict=True):
        lines = np.array([line.get_ydata() for line in panel.lines])
        np.testing.assert_allclose(lines, table.points[own].T * table.unit)


def failures(log):
    """Matches and failures of every cell and threshold, one after the other, by hand."""
    for own, opponent in np.ndindex(log.counts.shape[:2]):
        for threshold in range(1, log.counts.shape[2]):
            counts = log.counts[own, opponent]
            yield own, opponent, threshold, counts.sum() / log.unit, counts[:threshold].sum()


def test_calibration_shows_the_mean_of_every_bin(trained):
    log, surface = trained.held_out, trained.fit.surface
    grid = shares(surface.rounds)
    chances = fail_probability(surface, grid, grid)
    sums = np.zeros((20, 3))  # matches, and weighted by them what was predicted and observed
    for own, opponent, threshold, matches, failed in failures(log):
        chance = chances[own, opponent, threshold - 1]
        sums[min(int(20 * chance), 19)] += matches, matches * chance, failed / log.unit
    sums = sums[sums[:, 0] > 0]
    predicted, observed = sums[:, 1] / sums[:, 0], sums[:, 2] / sums[:, 0]
    assert len(sums) > 10
    figure = figures_training.calibration_figure(trained)
    drawn(figure)
    above, below = figure.axes
    points = above.collections[0].get_offsets()
    np.testing.assert_allclose(points, np.stack([predicted, observed], 1), atol=1e-9)
    gaps = below.collections[0].get_offsets()
    np.testing.assert_allclose(gaps, np.stack([predicted, observed - predicted], 1), atol=1e-9)
    for panel in (above, below):  # areas grow with the matches
        area = panel.collections[0].get_sizes()
        np.testing.assert_allclose(area, 12 + 260 * sums[:, 0] / sums[:, 0].max())


def test_residuals_are_shown_by_cell_and_by_matches(trained):
    log = trained.log
    grid = shares(trained.fit.surface.rounds)
    gap = 1000 * np.abs(predict(trained.fit.surface, grid, grid) - log.scores())
    matches = log.counts.sum(axis=-1) / log.unit
    expected = np.full((2, *matches.shape), np.nan)
    for cell in zip(*np.nonzero(matches), strict=True):
        expected[:, *cell] = gap[cell] @ log.counts[cell] / log.counts[cell].sum(), gap[cell].max()
    assert np.isnan(expected).any()
    figure = figures_training.residual_figure(trained)
    drawn(figure)
    panels = {panel.get_title(loc="left"): panel for panel in figure.axes}
    titles = ("Mean absolute residual", "Worst result of the cell")
    for title, values in zip(titles, expected, strict=True):
        np.testing.assert_allclose(meshes(panels[title])[0], values)
    by_matches = panels["Residual and number of matches"].collections
    assert len(by_matches) == log.counts.shape[2]
    filled = matches > 0
    for half_points, scatter in enumerate(by_matches):
        across, up = scatter.get_offsets().T
        np.testing.assert_allclose(across, matches[filled])
        np.testing.assert_allclose(np.abs(up), gap[..., half_points][filled])


def test_the_loss_is_shown_above_its_lowest(trained):
    losses = trained.fit.losses
    figure = figures_training.loss_figure(trained)
    again = figures_training.loss_figure(trained)
    assert drawn(figure) == drawn(again)
    assert style.figure_png(figure) == style.figure_png(again)
    (panel,) = figure.axes
    across, up = panel.lines[0].get_data()
    assert across.tolist() == list(range(1, len(losses) + 1))
    above = np.asarray(losses - losses.min())
    resolution = np.spacing(np.float32(losses.min()))
    np.testing.assert_allclose(up, np.maximum(above, resolution), rtol=1e-6)


@pytest.mark.thorough
@pytest.mark.parametrize(("rounds", "boards"), [(1, 1), (15, 2)])
def test_figures_of_other_formats(rounds, boards):
    product = product_table(rounds, boards)
    half = LookupTable("half", rounds, boards, product.points // 2)
    figure = figures_training.surface_figure(half, product, rounds)
    drawn(figure)
    (shown,) = meshes(figure.axes[0])
    np.testing.assert_allclose(shown, half.points[rounds].T)
    assert shown.shape == (2 * boards + 1, 2 * rounds + 1)
    slices = figures_training.surface_slices_figure(half)
    drawn(slices)
    assert all(len(panel.lines) == 2 * boards + 1 for panel in slices.axes if panel.get_visible())
