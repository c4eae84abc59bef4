"""Error rates of all rules in every assessment, and error against seed bias."""

from __future__ import annotations

from functools import partial

from matplotlib.figure import Figure

from tb2learn.report import figures_assessment
from tb2learn.report.frames import Frames, where
from tb2learn.studies.assessments import SHOWN_TOP, assessment_in
from tb2learn.studies.leaderboard.measure import ASSESSMENTS, BIASED


def rates_figure(name: str, frames: Frames) -> Figure:
    """Every rule's error rate in one assessment, best first."""
    return figures_assessment.errors_figure(where(frames["results"], assessment=name))


def bias_figure(name: str, frames: Frames) -> Figure:
    """Every rule's error rate against its near-equal preference."""
    return figures_assessment.bias_figure(assessment_in(frames, "assessment", name), SHOWN_TOP)


FIGURES = {f"{name}.png": partial(rates_figure, name) for name in ASSESSMENTS} | {
    f"{name}-bias.png": partial(bias_figure, name) for name in BIASED
}
