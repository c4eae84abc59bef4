"""Figures show every number: error rates, places of an event, a trained table."""

import numpy as np
import pytest
from report_samples import drawn, strange_assessment

from tb2learn.report import figures_assessment, figures_comparison, figures_training, style
from tb2learn.training.kinds import difficulty_logs, difficulty_surface
from tb2learn.training.surface import fail_probability, shares

# --- error rates ----------------------------------------------------------------------------------


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


# --- a trained table ------------------------------------------------------------------------------


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
