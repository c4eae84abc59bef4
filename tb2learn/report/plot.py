"""A result as the figure that its report has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from tb2learn.assessment.evidence import Assessment
from tb2learn.catalogue import load_rule
from tb2learn.events import Comparison, Moved, Ranked
from tb2learn.report.figures import comparison_figure, errors_figure, surface_figure, table_figure
from tb2learn.report.forecast import chances_figure
from tb2learn.tiebreaks.rules import LookupTable, Rule, product_table
from tb2learn.training.checkpoint import Checkpoint
from tb2learn.types import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot(result: Any) -> Figure:
    """The figure of a result, see `api.plot`."""
    if isinstance(result, Assessment):
        return errors_figure(result.frame)
    if isinstance(result, Rule | Checkpoint):
        # A checkpoint may be of any kind: its rule has the tables.
        return _of_rule(load_rule(result) if isinstance(result, Checkpoint) else result)
    if isinstance(result, pd.DataFrame) and "old_place" in result:
        return comparison_figure(_compared(result))
    if isinstance(result, dict) and isinstance(teams := result.get("teams"), pd.DataFrame):
        return chances_figure(teams)
    raise InputError(
        "result must be what assess, compare, forecast or load_rule gives, or a checkpoint, got "
        f"{type(result).__name__}"
    )


def _of_rule(rule: Rule) -> Figure:
    if not rule.has_tables:
        raise InputError(f"{rule.name} has no table to draw")
    # A team near the top: 18 of the 22 match points of eleven rounds.
    own = round(2 * rule.event_rounds * 18 / 22)
    if isinstance(rule, LookupTable):
        return surface_figure(rule, product_table(rule.event_rounds, rule.boards), own)
    return table_figure(rule, own)


def _compared(frame: pd.DataFrame) -> Comparison:
    """The comparison of which `compare` gave the frame."""
    column, points = ("player", "points") if "player" in frame else ("team", "mp")
    teams = tuple(
        Moved(
            row[column],
            row[points],
            Ranked(int(row["old_place"]), row[column], {}),
            Ranked(int(row["new_place"]), row[column], {}),
            (row["old_tb2"], row["new_tb2"]),
        )
        for row in frame.to_dict("records")
    )
    # What a frame does not hold: the event and both rules.
    about = frame.attrs
    names = str(about["old_rule"]), str(about["new_rule"])
    return Comparison(
        str(about["event"]), *names, None, teams, (), (), names, individual=column == "player"
    )
