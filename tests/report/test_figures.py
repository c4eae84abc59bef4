"""Figures show every number: error rates, places of an event, a trained table."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import QuadMesh
from report_samples import drawn, row, strange_assessment

from tb2learn.report import figures_assessment, figures_comparison, figures_training, style, wording
from tb2learn.tiebreaks.rules import LookupTable, product_table
from tb2learn.training.kinds import difficulty_logs, difficulty_surface
from tb2learn.training.surface import fail_probability, shares

MINUS = "\N{MINUS SIGN}"

# --- error rates ----------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_best_rule_comes_first():
    good, bad, fair = (
        row(name, "30", 9, error, (0.0, 0.4), 0.6, (0.1, 0.7))
        for name, error in (("good", 0.1), ("bad", 0.3), ("a", 0.2))
    )
    frame = pd.DataFrame([bad, good, fair])
    assert figures_assessment.best_first(frame) == ["good", "a", "bad"]
    panel = figures_assessment.errors_figure(frame).axes[0]
    names = [label.get_text() for label in panel.get_yticklabels()]
    assert names == [wording.rule_name(rule) for rule in ("bad", "a", "good")]


def test_what_is_no_number_is_not_drawn(trained):
    """Of each rule a mark where there are pairs, and none where there are none."""
    figure = figures_assessment.errors_figure(strange_assessment(trained.config).frame)
    drawn(figure)
    assert [len(panel.lines) for panel in figure.axes] == [0, 3, 3, 3]


@pytest.mark.thorough
def test_the_leaderboard_has_a_row_a_rule(judged):
    figure = figures_assessment.errors_figure(judged.frame)
    drawn(figure)
    rates = judged.frame.set_index(["top", "rule"])
    order = figures_assessment.best_first(judged.frame)[::-1]
    for panel, top in zip(figure.axes, judged.frame["top"].unique(), strict=True):
        for number, rule in enumerate(order):
            row = rates.loc[top, rule]
            assert panel.lines[number].get_data() == ([row.error], [number])
            ((ends,),) = (panel.collections[number].get_segments(),)
            np.testing.assert_allclose(ends, [(row.error_low, number), (row.error_high, number)])


# --- places ---------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_every_team_is_drawn_at_both_places(comparison):
    figure = figures_comparison.comparison_figure(comparison)
    drawn(figure)
    slopes, scatter, moves = figure.axes
    teams = comparison.teams
    # Teams that share a place stand in rows of their own.
    after = sorted(teams, key=lambda moved: moved.new.place)
    rows = [(row, 1 + after.index(moved)) for row, moved in enumerate(teams, start=1)]
    assert [tuple(line.get_ydata()) for line in slopes.lines] == rows
    assert len(slopes.texts) == 2 * len(teams)
    for number, moved in enumerate(teams):
        left, right = slopes.texts[2 * number : 2 * number + 2]
        assert left.get_text().endswith(f"  {moved.old.place}")
        assert right.get_text().startswith(f"{moved.new.place}  ")
    for panel, up in ((scatter, lambda m: m.new.place), (moves, lambda m: m.up)):
        points = [tuple(xy) for group in panel.collections for xy in group.get_offsets()]
        assert sorted(points) == sorted((m.old.place, up(m)) for m in teams)
    counts = [sum(np.sign(m.up) == sign for m in teams) for sign in (1, -1, 0)]
    names = ("higher place than before", "lower place", "same place")
    assert [group.get_label() for group in scatter.collections] == [
        f"{name} ({count})" for name, count in zip(names, counts, strict=True)
    ]


def test_one_team_is_a_figure(comparison):
    figure = figures_comparison.comparison_figure(replace(comparison, teams=comparison.teams[:1]))
    drawn(figure)
    assert len(figure.axes[0].lines) == 1


# --- a trained table ------------------------------------------------------------------------------


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
    (_, log), surface = difficulty_logs(trained), difficulty_surface(trained)
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


def test_the_loss_is_shown_above_its_lowest(trained):
    losses = trained.arrays["losses"]
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
def test_figures_of_another_format():
    rounds, boards = 1, 1
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
