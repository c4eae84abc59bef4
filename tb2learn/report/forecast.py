"""The page of a forecast, with its pictures."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure

from tb2learn.events.terms import terms
from tb2learn.export.rule_names import called, colours
from tb2learn.forecasts.chances import NAMES, Chances
from tb2learn.report.chance_tables import (
    GOALS,
    HEADINGS,
    LEAST,
    aim,
    decided_frame,
    others_frame,
    own_frame,
    teams_frame,
    telling,
)
from tb2learn.report.pages import render
from tb2learn.report.style import (
    MARKERS,
    blank_figure,
    dress,
    figure_uri,
    heat_map,
    in_percent,
    short_name,
)

DRAWN, PLACES = 24, 24
"""Most teams of a picture, and most places of the map."""


def forecast_page(found: Chances, notes: list[str]) -> str:
    """A forecast as one HTML page that works offline; names in it are escaped.

    **Arguments:** `notes`: what the user should know, one line each.
    """
    ongoing, frame = found.ongoing, teams_frame(found)
    # The page has a row a team, with its chances under all rules.
    by_rule = [frame[frame.rule == rule].to_dict("records") for rule in found.orders]
    # The captain's part is there only if a team was named.
    captain = None
    if found.team is not None:
        own_chances, target = own_frame(found), aim(found)
        captain = {
            "team": ongoing.event.teams[found.team],
            "own": [rows.to_dict("records") for _, rows in own_chances.groupby("gp", sort=False)],
            "figure": figure_uri(
                captain_figure(own_chances, terms(ongoing.event.individual).result)
            ),
            "what": GOALS[target],
            "others": telling(others_frame(found), list(found.orders)[-1], target),
        }
    return render(
        "forecast.html",
        event=ongoing.event,
        ongoing=ongoing,
        notes=notes,
        words=terms(ongoing.event.individual),
        found=found,
        rules=[called(rule) for rule in found.orders],
        names=NAMES,
        headings=HEADINGS,
        teams=list(zip(*by_rule, strict=True)),
        least=LEAST,
        error=float(found.error(frame[list(NAMES)].to_numpy()).max()),
        decided=decided_frame(found).to_dict("records"),
        chances=figure_uri(chances_figure(frame)),
        places=figure_uri(places_figure(found)),
        captain=captain,
    )


def chances_figure(frame: pd.DataFrame) -> Figure:
    """Chances of the first place, medals and the first ten: a bar a rule and team.

    **Arguments:** `frame`: of `teams_frame`.
    """
    rules = list(dict.fromkeys(frame.rule))
    by_rule = [frame[frame.rule == rule].reset_index(drop=True) for rule in rules]
    # A team is drawn if it has a chance under any of the rules.
    likely = np.flatnonzero(np.max([chances["ten"] for chances in by_rule], axis=0) >= LEAST)[
        :DRAWN
    ]
    figure = blank_figure(11.0, 1.8 + 0.32 * len(likely))
    panels = figure.subplots(1, len(NAMES), sharey=True, squeeze=False)[0]
    # The bars of a team share one line, with a gap to the next one.
    height, colour_of = 0.8 / len(rules), colours(rules)
    for panel, name in zip(panels, NAMES, strict=True):
        for number, (rule, chances_of) in enumerate(zip(rules, by_rule, strict=True)):
            # Around the middle of the line.
            at = np.arange(len(likely)) + height * (number - (len(rules) - 1) / 2)
            style = {"color": colour_of[rule], "label": short_name(called(rule))}
            panel.barh(at, chances_of[name][likely], height, **style)
        _axis(panel, HEADINGS[name])
    panels[0].set_yticks(
        range(len(likely)),
        [short_name(team, 26) for team in by_rule[0].team[likely]],
        parse_math=False,
    )
    # The likeliest winner is at the top.
    panels[0].invert_yaxis()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(rules), frameon=False)
    return figure


def _axis(panel: Axes, title: str) -> None:
    dress(panel, title, "chance", "")
    panel.set_xlim(0, 1)
    in_percent(panel.xaxis)


def places_figure(found: Chances) -> Figure:
    """The chance of every place, under the last rule: a row a team, the darker the likelier."""
    # The best mean place first, by the rule that decides.
    order = np.argsort(found.mean_places[-1], kind="stable")[:DRAWN]
    chance = found.counts["places"][-1][order, :PLACES] / found.continuations
    figure = blank_figure(11.0, 1.6 + 0.28 * len(order))
    panel = figure.subplots()
    # A square root keeps small chances in sight.
    heat_map(panel, chance, "Blues", PowerNorm(0.5, 0, max(float(chance.max()), 1e-9)))
    rule = list(found.orders)[-1]
    dress(panel, f"Chance of every place under {short_name(called(rule))}", "place", "", grid=False)
    names = [short_name(found.ongoing.event.teams[team], 26) for team in order]
    panel.set_yticks(range(len(order)), names, parse_math=False)
    panel.set_xticks(range(chance.shape[1]), [str(n + 1) for n in range(chance.shape[1])])
    panel.invert_yaxis()
    return figure


def captain_figure(own: pd.DataFrame, points: str) -> Figure:
    """The captain's chances by the result of the own match, with standard errors.

    **Arguments:** `own`: of `own_frame`; `points`: the word for the result.
    """
    figure, colour_of = blank_figure(11.0, 3.6), colours(own.rule)
    panels = figure.subplots(1, len(NAMES), sharey=True, squeeze=False)[0]
    for panel, name in zip(panels, NAMES, strict=True):
        for number, (rule, rows) in enumerate(own.groupby("rule", sort=False)):
            panel.errorbar(
                rows.gp,
                rows[name],
                # Two standard errors: about 95 % of repeated forecasts lie within.
                2 * rows[f"{name}_error"],
                color=colour_of[str(rule)],
                marker=MARKERS[number],
                label=short_name(called(str(rule))),
                capsize=2,
            )
        dress(panel, HEADINGS[name], points, "chance")
        # So that marks at 0 and 1 are whole.
        panel.set_ylim(-0.03, 1.03)
        in_percent(panel.yaxis)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(handles), frameon=False)
    return figure
