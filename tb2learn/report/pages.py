"""The HTML pages of `quickstart` and of `compare`."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2

from tb2learn.assessment.error_rates import Assessment, compared
from tb2learn.assessment.thesis_protocol import REPEATS
from tb2learn.config import to_dict
from tb2learn.events import TeamEvent
from tb2learn.export import html
from tb2learn.export.error_words import (
    errors_of_hundred,
    fewer_or_more,
    is_it_better,
    that_reach,
)
from tb2learn.export.rule_names import called
from tb2learn.export.table import game_points
from tb2learn.export.words import how_to_use
from tb2learn.report.compared import ComparedEvent
from tb2learn.report.figures import (
    best_first,
    calibration_figure,
    comparison_figure,
    difficulty_figure,
    errors_figure,
    loss_figure,
    rule_figure,
    surface_slices_figure,
)
from tb2learn.report.style import figure_uri
from tb2learn.report.wording import (
    interval,
    percent,
    population_name,
    protocol_name,
    seeding,
    signed,
)
from tb2learn.text import plain_number
from tb2learn.training.difficulty_picture import difficulty_picture
from tb2learn.training.objectives import Checkpoint
from tb2learn.version import __version__

HEADLINE_TOPS = ("10", "30", "all")
"""Populations in the figure and short table at the top of the quickstart page."""


def quickstart_page(
    checkpoint: Checkpoint,
    assessments: Sequence[Assessment],
    compared: ComparedEvent,
    timings: Mapping[str, float],
) -> str:
    """The report of `quickstart`: one HTML page that works offline.

    **Arguments:**

    - `checkpoint`: the trained table, with the first chapter of its training.
    - `assessments`: one section each. The first one is also summarised at the top, where its last
      rule is compared with its first.
    - `compared`: a real event under FIDE's rule and the trained table.
    - `timings`: seconds by step.

    **Returns:** the page; names in it are escaped.
    """
    rule, first = checkpoint.rule(), checkpoint.difficulty()
    picture = difficulty_picture(checkpoint)
    assert first and picture  # every training has them
    figures = {
        "comparison": comparison_figure(compared.comparison),
        "difficulty": difficulty_figure(picture),
        "slices": surface_slices_figure(first.rule()),
        "table": rule_figure(rule),
        "calibration": calibration_figure(first),
    }
    if len(first.arrays["losses"]):
        figures["loss"] = loss_figure(first)
    return render(
        "quickstart.html",
        checkpoint=checkpoint,
        config=checkpoint.config,
        config_json=json.dumps(to_dict(checkpoint.config), indent=2),
        headline=_headline(assessments[0]) if assessments else None,
        judged=[_judged(assessment) for assessment in assessments],
        repeats=REPEATS,
        **_places(compared),
        timings=timings,
        rule=rule,
        how_to_use=how_to_use(rule),
        first=first,
        picture=picture,
        better=is_it_better(checkpoint).splitlines(),
        figures={name: figure_uri(figure) for name, figure in figures.items()},
    )


def _headline(assessment: Assessment) -> dict[str, Any]:
    """The top of the page: a figure, one row per rule, a sentence on few and one on all ties."""
    frame = assessment.frame[assessment.frame["top"].isin(HEADLINE_TOPS)]
    by_rule = {
        str(rule): list(rows.itertuples()) for rule, rows in frame.groupby("rule", sort=False)
    }
    # The rule in use is judged first, the new one last.
    *_, last = by_rule
    tops = frame["top"].unique().tolist()
    # Of the fewest ties, and of all.
    said = [
        errors_of_hundred(compared(frame, last, top), that_reach(top))
        for top in dict.fromkeys((tops[0], tops[-1]))
    ]
    return {
        "about": assessment,
        "name": protocol_name(assessment),
        "tops": tops,
        "rows": [(rule, by_rule[rule]) for rule in best_first(frame)],
        "sentences": [f"{sentence}." for sentence in said],
        "figure": figure_uri(errors_figure(frame)),
    }


def _judged(assessment: Assessment) -> dict[str, Any]:
    """The section of one assessment: its rows by population, the first with nothing to say."""
    frame = assessment.frame

    def said(row: Any) -> str:
        """What a row says in comparison with the first rule, where there were ties."""
        if row.rule == frame["rule"].iloc[0] or not row.pairs:
            return ""
        return fewer_or_more(compared(frame, row.rule, row.top))

    return {
        "about": assessment,
        "name": protocol_name(assessment),
        "tops": [
            [(row, said(row)) for row in rows.itertuples()]
            for _, rows in frame.groupby("top", sort=False)
        ],
        "figure": figure_uri(errors_figure(frame)),
    }


def compare_page(event: TeamEvent, compared: ComparedEvent) -> str:
    """A real event under two rules: one HTML page that works offline; names in it are escaped."""
    return render(
        "compare.html",
        orders=compared.orders,
        event=event,
        **_places(compared),
        figure=figure_uri(comparison_figure(compared.comparison)),
    )


def _places(compared: ComparedEvent) -> dict[str, Any]:
    """Both standings, and the working of the teams tied for first place."""
    comparison = compared.comparison
    return {
        "comparison": comparison,
        "after": sorted(comparison.teams, key=lambda moved: moved.new.place),
        "explanation": compared.first_place,
    }


@functools.cache
def _environment() -> jinja2.Environment:
    environment = html.environment("tb2learn.report")
    # Numbers in pages are written as in the terminal.
    environment.filters |= {
        "count": "{:,}".format,
        "number": plain_number,
        "game_points": game_points,
        "percent": percent,
        "interval": interval,
        "called": called,
        "population": population_name,
        "seeding": seeding,
        "signed": signed,
    }
    environment.globals["version"] = __version__
    return environment


def render(template: str, **content: Any) -> str:
    """A page from a template; whatever is put into it is escaped."""
    style = html.source(_environment(), "report.css")
    # Figures are in the page: it loads nothing.
    allowed = html.policy(style, images=True)
    return _environment().get_template(template).render(style=style, policy=allowed, **content)
