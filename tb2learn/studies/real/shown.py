"""What the report shows of the verdicts: tables of the populations that matter, and two figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.report.frames import Frames, where
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, draw_marks, dress, short_name
from tb2learn.report.wording import rule_name
from tb2learn.studies.real.logistic import SAMPLES, bases
from tb2learn.studies.real.native import NATIVE, ROUNDS
from tb2learn.studies.real.resampling import UNITS
from tb2learn.studies.real.verdicts import HIGHER_RATED, SINCE, populations
from tb2learn.studies.worlds import FORMULA, LEARNED, ROSTERS

LEAST_SQUARES = "least-squares"

SHOWN = {
    "ratings": ("all", "top 30", "top 10"),
    "prediction": ("later, from round 5", "next, from round 5", "later, top 30, from round 5"),
}
"""Populations that the first figure and the tables show, by test; the CSV file has all."""

GAINED = tuple(f"later, from round {since}" for since in SINCE)
"""Populations of the logistic regressions that are shown."""

HEADLINE = "later, from round 5"
"""The population whose lead of least squares stands at the top."""

ENDS = ("_low", "_high")
"""What columns with the ends of an interval end with."""

_POWERED = ("buchholz-cut1", LEAST_SQUARES, FORMULA, ROSTERS, LEARNED)
"""Rules whose power is shown."""

_MANY = 1000
"""More events than this are not counted."""


def summary(frames: Frames) -> dict[str, Any]:
    """Rows of the populations that are shown, best first, and the rules that stand out."""
    first = frames["rules"]["rule"].iloc[0]
    rows = _named(frames["rows"], first)
    judged = rows[rows["judged"]]
    powered = judged[judged["rule"].isin(_POWERED)]
    most = ["events_half", "events_most"]
    known = powered[powered[most].map(np.isfinite).all(axis=1)]
    both = frames["disagreements"]
    ours = both[both[["one", "other"]].isin([LEARNED, LEAST_SQUARES]).all(axis=1)]
    here = [one in SHOWN[test] for test, one in zip(ours.test, ours.population, strict=True)]
    # Nothing is said of the difference of the first rule from itself.
    ends = ["more", "more_low", "more_high"]
    rows[ends] = rows[ends].astype(object).mask(rows["rule"] == first, None)
    best = rows.sort_values(["placed", "right"], ascending=[True, False], kind="stable")
    shown = {test: _shown(best, test) for test in SHOWN if test in set(best["test"])}
    return {
        "first": rule_name(first),
        "units": UNITS,
        "shown": shown,
        "better": {test: parts[0][parts[0]["better"]] for test, parts in shown.items()},
        "worse": powered[powered["more_high"] < 0],
        "clear": ((judged["more_low"] > 0) | (judged["more_high"] < 0)).sum(),
        "both": ours[here].assign(lost=ours["pairs"] - ours["one_right"]),
        "both_names": [rule_name(name) for name in (LEARNED, LEAST_SQUARES)],
        "needed": pd.concat(
            part.assign(**{name: part[name].map(_number) for name in most})
            for test in SHOWN
            for part in _shown(known, test)
        ),
        "native": NATIVE if NATIVE in set(frames["rules"]["rule"]) else None,
        **_gained(frames),
    }


def _named(rows: pd.DataFrame, first: str) -> pd.DataFrame:
    """Rows with names of rules and populations, and with shares that are wrong."""
    rated = rows["rule"] == HIGHER_RATED
    return rows.assign(
        name=rows["rule"].map(rule_name).mask(rated, "higher rated first"),
        what=[populations(test)[one] for test, one in zip(rows.test, rows.population, strict=True)],
        judged=~rated & (rows["rule"] != first),
        placed=rated,
        better=~rated & (rows["more_low"] > 0),
        wrong=1 - rows["right"],
        wrong_low=1 - rows["right_high"],
        wrong_high=1 - rows["right_low"],
        disagree_wrong=rows["disagree"] - rows["disagree_right"],
    )


def _shown(rows: pd.DataFrame, test: str) -> list[pd.DataFrame]:
    """The rows of every population that is shown."""
    return [where(rows, test=test, population=one) for one in SHOWN[test]]


def _number(events: float) -> str:
    return f"{events:,.0f}" if events < _MANY else f"over {_MANY:,}"


def _gained(frames: Frames) -> dict[str, Any]:
    """What scores add to the ratings, best first; what is left of the lead of least squares."""
    found = frames["gains"]
    if found.empty:
        return {"gained": [], "left": found, "headline": HEADLINE}
    what = found["population"].map(populations("prediction").get)
    found = found.assign(name=found["rule"].map(rule_name), what=what)
    leads = {one: other for one, other in bases(frames["rules"]["rule"].tolist()).items() if other}
    compared = ["held_gain", *(f"{sample}{one}" for one in leads for sample in SAMPLES)]
    low, high = (found[[f"{one}{end}" for one in compared]].to_numpy() for end in ENDS)
    squares = where(found, rule=LEAST_SQUARES)
    left = [_left(squares, one, other) for one, other in leads.items()]
    best = found.sort_values("gain", ascending=False, kind="stable")
    return {
        "gained": [part for one in GAINED if len(part := where(best, population=one))],
        "left": pd.concat(left).sort_index(kind="stable"),
        "learned": leads["lead"],
        "headline": HEADLINE,
        "rounds": f"{ROUNDS[0]} to {ROUNDS[-1]}",
        "compared": np.isfinite(low).sum(),
        "compared_clear": ((low > 0) | (high < 0)).sum(),
    }


def _left(rows: pd.DataFrame, column: str, other: str) -> pd.DataFrame:
    """By how much some rows are ahead of another rule, in sample and held out, and a verdict."""
    names = zip(SAMPLES, ("ahead", "held"), strict=True)
    both = {
        f"{sample}{column}{end}": f"{name}{end}" for sample, name in names for end in ("", *ENDS)
    }
    rows = rows.rename(columns=both)
    known = ["ahead", "held"] if rows["held"].notna().any() else ["ahead"]
    low, high = (rows[[f"{one}{end}" for one in known]] for end in ENDS)
    verdict = np.select(
        [(low > 0).all(axis=1), rows["ahead_low"] > 0, (high < 0).any(axis=1)],
        ["ahead", "ahead in sample alone", "behind"],
        "no difference is shown",
    )
    return rows.assign(over=rule_name(other), verdict=verdict)


# --------------------------------------------------------------------------- figures

_TITLES = {
    "ratings": "Ratings: the higher rated of two tied teams first",
    "prediction": "Prediction: the winner of a later match first",
}


def differences_figure(frames: Frames) -> Figure:
    """By how much more often each rule is right than the first: a panel a test."""
    found = frames["rows"]
    first, *rules = frames["rules"]["rule"]
    tests = [test for test in SHOWN if test in set(found["test"])]
    figure, panels = _panels(len(tests), rules)
    for panel, test in zip(panels, tests, strict=True):
        parts = {one: where(found, test=test, population=one) for one in SHOWN[test]}
        _draw(panel, parts, rules, "more")
        dress(panel, _TITLES[test], f"right more often than the {rule_name(first)}", "")
        panel.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    return figure


def gains_figure(frames: Frames) -> Figure | None:
    """What every score adds to the ratings, and how much more than the learned rule's."""
    found, rules = frames["gains"], list(frames["rules"]["rule"])
    parts = {one: where(found, population=one) for one in GAINED}
    parts = {one: part for one, part in parts.items() if len(part)}
    if not parts:
        return None
    known = found["held_gain"].notna().any()
    sample, said = ("held_", "held out") if known else ("", "in sample")
    titles = {
        "gain": f"Log likelihood, {said}, of ratings and score less that of ratings",
        "lead": f"The same less that of the {rule_name(str(bases(rules)['lead']))}",
    }
    figure, panels = _panels(len(titles), rules)
    for panel, (column, title) in zip(panels, titles.items(), strict=True):
        _draw(panel, parts, rules, f"{sample}{column}")
        dress(panel, title, "natural logarithm, all predictions together", "")
    return figure


def _panels(number: int, rules: list[str]) -> tuple[Figure, list[Axes]]:
    """A figure with panels side by side, in which every rule has a line."""
    figure = blank_figure(5.6 * number + 1.6, 0.42 * len(rules) + 2.0)
    panels = figure.subplots(1, number, sharey=True, squeeze=False)[0]
    names = [short_name(rule_name(rule), 40) for rule in rules[::-1]]
    panels[0].set_yticks(range(len(rules)), names, parse_math=False)
    return figure, list(panels)


def _draw(panel: Axes, parts: Mapping[str, pd.DataFrame], rules: list[str], what: str) -> None:
    """A column of rows of some populations, with its intervals, beside a line at zero."""
    for number, (population, rows) in enumerate(parts.items()):
        rows = rows[rows["rule"].isin(rules)].iloc[::-1]
        draw_marks(
            panel,
            rows,
            what,
            [rules[::-1].index(rule) + 0.22 * (1 - number) for rule in rows["rule"]],
            COLOURS[number],
            marker=MARKERS[number],
            size=6,
            label=f"{population} ({rows['pairs'].iloc[0]:,} pairs)",
        )
    panel.axvline(0.0, color=INK, linewidth=1.0)
    panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), frameon=False, fontsize=9)
