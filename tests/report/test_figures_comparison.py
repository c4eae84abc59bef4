"""The figure of a comparison shows every place."""

from dataclasses import replace

import numpy as np
import pytest
from report_samples import drawn

from tb2learn.report import (
    figures_comparison,
)


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
