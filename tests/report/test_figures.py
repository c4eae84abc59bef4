"""Figures show every number: error rates, places of an event, a trained table."""

import numpy as np
import pandas as pd
import pytest
from report_samples import drawn, strange_assessment

from tb2learn.report import figures
from tb2learn.training.difficulty_picture import difficulty_picture

# --- error rates ----------------------------------------------------------------------------------


@pytest.mark.thorough
def test_what_is_no_number_is_not_drawn(trained):
    """Of each rule a mark where there are pairs, and none where there are none."""
    figure = figures.errors_figure(strange_assessment(trained.config).frame)
    drawn(figure)
    assert [len(panel.lines) for panel in figure.axes] == [0, 3, 3, 3]


@pytest.mark.thorough
def test_the_leaderboard_has_a_row_a_rule(judged):
    figure = figures.errors_figure(judged.frame)
    drawn(figure)
    rates = judged.frame.set_index(["top", "rule"])
    order = figures.best_first(judged.frame)[::-1]
    for panel, top in zip(figure.axes, judged.frame["top"].unique(), strict=True):
        for number, rule in enumerate(order):
            row = rates.loc[top, rule]
            assert panel.lines[number].get_data() == ([row.error], [number])
            ((ends,),) = (panel.collections[number].get_segments(),)
            np.testing.assert_allclose(ends, [(row.error_low, number), (row.error_high, number)])


def test_a_mark_where_orders_hang_on_others():
    rows = [("product", "1", 0.2), ("product", "3", 0.1), ("formula", "1", np.nan)]
    rows.append(("formula", "3", 0.05))
    found = pd.DataFrame(rows, columns=["rule", "top", "hanging"])
    found = found.assign(hanging_low=found["hanging"] - 0.01, hanging_high=found["hanging"] + 0.02)
    figure = figures.others_figure(found)
    drawn(figure)
    (panel,) = figure.axes
    assert [line.get_ydata()[1] for line in panel.lines] == [0.1, 0.05]
    np.testing.assert_allclose(panel.collections[0].get_segments()[1][:, 1], (0.09, 0.12))
    assert panel.get_legend().get_texts()[0].get_text() == "FIDE's rule"


# --- places ---------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_every_team_is_drawn_at_both_places(comparison):
    figure = figures.comparison_figure(comparison)
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


def test_a_log_is_drawn_above_its_surface(trained):
    """A number a cell; none where nothing was counted."""
    picture = difficulty_picture(trained)
    log = picture.log.copy()
    log[3] = np.nan
    figure = figures.difficulty_figure(picture._replace(log=log))
    drawn(figure)
    counted, smooth, *_ = figure.axes
    assert len(smooth.texts) == picture.surface.size == 15 * 9
    assert len(counted.texts) == np.isfinite(log).sum() <= 14 * 9
    assert [axes.get_title(loc="left") for axes in (counted, smooth)] == [*picture.titles()]
    assert [text.get_text() for text in smooth.texts[-2:]] == [
        f"{value:.0f}" for value in picture.surface[-2:, -1]
    ]
