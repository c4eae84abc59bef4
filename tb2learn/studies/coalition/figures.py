"""The figure of the study of coalitions: places that two teams win, and errors, by rule."""

from __future__ import annotations

from matplotlib.figure import Figure

from tb2learn.report.frames import Frames, where
from tb2learn.report.style import COLOURS, blank_figure, draw_marks, dress
from tb2learn.studies.coalition.summary import named


def coalition_figure(frames: Frames) -> Figure:
    """Mean places of both teams within a result, and all ties decided wrongly."""
    gains = named(where(frames["gains"], result="kept", of="both")).iloc[::-1]
    errors = frames["errors"]
    errors = errors[errors["top"].astype(str) == "all"].iloc[::-1]
    figure = blank_figure(9.0, 0.36 * len(gains) + 1.4)
    left, right = figure.subplots(1, 2, sharey=True)
    places = range(len(gains))
    draw_marks(left, gains, "mean", places, COLOURS[0])
    right.plot(errors["error"], places, "s", color=COLOURS[1], markersize=4)
    title = "One game point arranged, the match result kept"
    dress(left, title, "places that both teams win, mean of all pairs", "")
    dress(right, "Errors on the same events", "tied pairs decided wrongly", "")
    left.set_xlim(left=0)
    left.set_yticks(places, gains["name"], parse_math=False)
    return figure


FIGURES = {"coalition.png": coalition_figure}
