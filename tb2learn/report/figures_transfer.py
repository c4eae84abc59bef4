"""The figure of rules in many formats: by how much their errors grow, a row a format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress

Measured: TypeAlias = tuple[float, float, float]
"""A value and both ends of its interval; NaN where it is not known."""

_ROW = 0.62
"""Height that all marks of a row share; a row is 1 high."""


def growth_figure(
    formats: Sequence[str],
    panels: Mapping[str, Mapping[str, Sequence[Measured | None]]],
    against: str,
) -> Figure:
    """Growth of errors with 95 % intervals: a row a format, a panel a kind of rule.

    **Arguments:**

    - `formats`: names of the rows, from top to bottom.
    - `panels`: by title of the panel, by name of the mark: one value a format, in shares of the
      tied pairs; None where there is none.
    - `against`: what the errors are compared with.
    """
    figure = blank_figure(10.5, 2.2 + 0.25 * len(formats))
    drawn = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    names = list(dict.fromkeys(name for marks in panels.values() for name in marks))
    for panel, (title, marks) in zip(drawn, panels.items(), strict=True):
        dress(panel, title, f"share decided wrongly,\nless that of {against}", "")
        panel.axvline(0.0, color=INK, linewidth=1.0)
        for number, (name, values) in enumerate(marks.items()):
            shift = _ROW * ((number + 0.5) / len(marks) - 0.5)
            style = names.index(name)
            _draw_marks(panel, values, shift, name, COLOURS[style], MARKERS[style])
        if len(marks) > 1:
            panel.legend(frameon=False, fontsize=9, loc="upper center", ncols=len(marks),
                         bbox_to_anchor=(0.5, -0.75 / figure.get_figheight()))  # fmt: skip
    drawn[0].set_yticks(range(len(formats)), labels=formats)
    drawn[0].set_ylim(len(formats) - 0.4, -0.6)
    return figure


def _draw_marks(
    panel: Axes,
    values: Sequence[Measured | None],
    shift: float,
    name: str,
    colour: str,
    marker: str,
) -> None:
    """One mark with its interval in every row that has a value."""
    found = [(row + shift, *value) for row, value in enumerate(values) if value is not None]
    rows, middles, lows, highs = zip(*found, strict=True)
    panel.hlines(rows, lows, highs, color=colour, linewidth=1.2)
    panel.plot(middles, rows, color=colour, marker=marker, markersize=4, linestyle="", label=name)
