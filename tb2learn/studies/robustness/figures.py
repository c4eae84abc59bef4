"""Errors saved in every world by every table, and error against seed bias."""

from __future__ import annotations

from functools import partial

from matplotlib.figure import Figure

from tb2learn.catalogue import PRODUCT
from tb2learn.report import figures_assessment
from tb2learn.report.frames import Frames, where, wide
from tb2learn.report.wording import population_name
from tb2learn.studies.assessments import SHOWN_TOP, assessment_in
from tb2learn.studies.robustness.measure import NEAR_TRUTH, OTHER_FORMATS, TRAINED_ON

TOPS = (10, 30)


def saved_figure(top: int, frames: Frames) -> Figure:
    """Errors saved against the product rule: a row a table, a column a world."""
    results = where(frames["results"], top=top)
    everywhere = results["rule"][results["world"] == results["world"].iloc[0]]
    shown = results[results["rule"].isin(set(everywhere) - {PRODUCT})]
    values = wide(shown, "rule", "world", "reduction")
    title = f"Errors saved against the product rule, {population_name(top)}"
    names = list(values.index), list(values.columns)
    return figures_assessment.matrix_figure(values.to_numpy(float), *names, title)


def bias_figure(number: int, frames: Frames) -> Figure:
    """Every rule's error rate against its near-equal preference in one of the worlds."""
    world = frames["assessments"]["world"].iloc[number]
    return figures_assessment.bias_figure(assessment_in(frames, "world", world), SHOWN_TOP)


RANDOM = len(TRAINED_ON) + len(OTHER_FORMATS)
"""How many worlds have random seeds. They come first."""

FIGURES = {f"-top{top}.png": partial(saved_figure, top) for top in TOPS} | {
    f"-bias-{number + 1}.png": partial(bias_figure, number)
    for number in range(RANDOM, RANDOM + len(NEAR_TRUTH))
}
