"""Error rates in one world."""

from __future__ import annotations

from matplotlib.figure import Figure

from tb2learn.report.figures_assessment import errors_figure
from tb2learn.report.frames import Frames, where

DRAWN = "open-100x9"


def individual_figure(frames: Frames) -> Figure:
    """The error rates of all rules in `DRAWN`."""
    return errors_figure(where(frames["errors"], world=DRAWN))


FIGURES = {"errors.png": individual_figure}
