"""The figure of rules in many formats: by how much their errors grow, a row a format."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from tb2learn.report.marks import draw_marks, shifts
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress

_SPREAD = 0.62
"""Height that all marks of a row share; a row is 1 high."""


def growth_figure(found: pd.DataFrame, against: str) -> Figure:
    """Growth of errors with 95 % intervals: a row a format, a panel a kind of rule.

    **Arguments:**

    - `found`: `format`, the name of a row; `panel`, the title of a panel; `mark`, what is judged;
      `growth`, `growth_low`, `growth_high` in shares of the tied pairs. All in order of appearance,
      from top to bottom.
    - `against`: what the errors are compared with.
    """
    formats, titles = found["format"].unique(), found["panel"].unique()
    names = list(found["mark"].unique())
    figure = blank_figure(10.5, 2.2 + 0.25 * len(formats))
    drawn = figure.subplots(1, len(titles), sharey=True, squeeze=False)[0]
    rows = {name: row for row, name in enumerate(formats)}
    for panel, title in zip(drawn, titles, strict=True):
        dress(panel, title, f"share decided wrongly,\nless that of {against}", "")
        panel.axvline(0.0, color=INK, linewidth=1.0)
        inside = found[found["panel"] == title]
        marks = inside["mark"].unique()
        for name, shift in zip(marks, shifts(len(marks), _SPREAD), strict=True):
            some = inside[inside["mark"] == name]
            style = names.index(name)
            draw_marks(
                *(panel, some, "growth", some["format"].map(rows) + shift, COLOURS[style]),
                marker=MARKERS[style],
                width=1.2,
                label=name,
            )
        if len(marks) > 1:
            panel.legend(frameon=False, fontsize=9, loc="upper center", ncols=len(marks),
                         bbox_to_anchor=(0.5, -0.75 / figure.get_figheight()))  # fmt: skip
    drawn[0].set_yticks(range(len(formats)), labels=formats)
    drawn[0].set_ylim(len(formats) - 0.4, -0.6)
    return figure
