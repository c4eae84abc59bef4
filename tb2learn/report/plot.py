"""A result as the figure that its report has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from tb2learn.assessment.error_rates import Assessment
from tb2learn.catalogue import load_rule
from tb2learn.events import Comparison, PlaceChange, StandingsRow
from tb2learn.report.figures import (
    comparison_figure,
    difficulty_figure,
    errors_figure,
    rule_figure,
)
from tb2learn.report.forecast import chances_figure
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training.checkpoint import Checkpoint
from tb2learn.training.difficulty_picture import difficulty_picture
from tb2learn.types import InputError, said, whole_number

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot(result: Any, own_mp: int | None = None) -> Figure:
    """The figure of a result, see `api.plot`."""
    pictured = isinstance(result, Checkpoint) and own_mp is None
    if pictured and (picture := difficulty_picture(result)):
        return difficulty_figure(picture)
    if isinstance(result, Rule | Checkpoint):
        rule = load_rule(result) if isinstance(result, Checkpoint) else result
        return _of_rule(rule, own_mp)
    if own_mp is not None:
        raise InputError(f"own_mp is for a rule with tables, got {said(result)}")
    if isinstance(result, Assessment):
        return errors_figure(result.frame)
    if isinstance(result, pd.DataFrame) and "old_place" in result:
        return comparison_figure(comparison_of(result))
    if isinstance(result, dict) and isinstance(teams := result.get("teams"), pd.DataFrame):
        return chances_figure(teams)
    raise InputError(
        "result must be what assess, compare, forecast or load_rule gives, or a checkpoint, got "
        f"{type(result).__name__}"
    )


def _of_rule(rule: Rule, own_mp: int | None) -> Figure:
    if not rule.has_tables:
        raise InputError(f"{rule.name} has no table to draw")
    most_points = 2 * rule.event_rounds
    points = None if own_mp is None else whole_number("own_mp", own_mp, 0, most_points)
    return rule_figure(rule, points)


def comparison_of(frame: pd.DataFrame) -> Comparison:
    """The comparison of which `compare` gave the frame."""
    column, points = ("player", "points") if "player" in frame else ("team", "mp")
    teams = tuple(
        PlaceChange(
            row[column],
            row[points],
            StandingsRow(int(row["old_place"]), number, row[column], {}),
            StandingsRow(int(row["new_place"]), number, row[column], {}),
            (row["old_tb2"], row["new_tb2"]),
        )
        for number, row in enumerate(frame.to_dict("records"))
    )
    # What a frame does not hold: the event and both rules.
    about = frame.attrs
    names = str(about["old_rule"]), str(about["new_rule"])
    return Comparison(
        str(about["event"]), *names, teams, (), (), names, individual=column == "player"
    )
