"""Shares of right verdicts on recorded events, differences to the first rule, and the power."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.catalogue import PRODUCT, find_rule
from tb2learn.events import TeamEvent, read_event
from tb2learn.report.frames import Frames, where
from tb2learn.report.stored import Csv, Each, Json, columns_of
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, draw_marks, dress, short_name
from tb2learn.report.wording import rule_name
from tb2learn.simulation.run import progress_bar
from tb2learn.stats import interval, resamples
from tb2learn.studies.real.verdicts import (
    HIGHER_RATED,
    RIGHT,
    WRONG,
    FindRule,
    Verdicts,
    populations,
    prediction_verdicts,
    rating_verdicts,
)
from tb2learn.studies.worlds import FORMULA, LEARNED, OPPONENTS, ROSTERS
from tb2learn.types import InputError

EVENTS = ("baku2016", "batumi2018", "batumi2018w")
"""The packaged events with ratings and rounds."""

LEAST_SQUARES = "least-squares"

RULES = (
    PRODUCT,
    "buchholz-cut1",
    "emmsb-cut1",
    "emgsb",
    "egmsb-cut1",
    "eggsb-cut1",
    "game-points",
    "row-sum",
    LEAST_SQUARES,
    "olympiad-180x11",
    FORMULA,
    f"{LEARNED}-pass1",
    f"{LEARNED}-pass2",
    ROSTERS,
    OPPONENTS,
    LEARNED,
)
"""Rules that are judged by default."""

UNITS = {"ratings": "score groups", "prediction": "matches"}
"""What is resampled besides teams, by test."""

_SIGNIFICANT, _POWER = 1.959964, 0.841621
"""Normal quantiles: of a two-sided test at 5 %, and of a chance of 80 % to find the difference."""

_NAMES = ("test", "population", "rule", "pairs", "units")
_AGAINST = ("over", "disagree", "disagree_right", "events_half", "events_most")

FILES = (
    Json(
        "real.json",
        {
            "events": Each("events", "events.event"),
            "rated": Each("rated", "rated.event"),
            "predicted": Each("predicted", "predicted.event"),
            "rules": Each("rules", "rules.rule"),
            "seed": "run.seed",
            "rows": Each(
                "rows",
                {
                    **columns_of("rows", *_NAMES, "right"),
                    "right_ci": ["rows.right_low", "rows.right_high"],
                    "more": "rows.more",
                    "more_ci": ["rows.more_low", "rows.more_high"],
                    **columns_of("rows", *_AGAINST),
                },
            ),
            "disagreements": Each("disagreements"),
            "looked_at": "looked_at.differences",
        },
        indent=1,
    ),
    Csv("results.csv", "rows", digits=6),
    Csv("disagreements.csv", "disagreements"),
)


def measure(events: Sequence[str], rules: Sequence[str], seed: int) -> dict[str, pd.DataFrame]:
    """Judge rules by recorded events.

    **Arguments:**

    - `events`: of any form that can be read; the packaged `EVENTS` if there are none.
    - `rules`: their names; the product rule comes first in any case. `RULES` if there are none.
    - `seed`: of the resampling.

    **Returns:** as `judge`.

    **Raises:** `InputError` as `read_event`, `find_rule` and `judge`.
    """
    read = [read_event(source) for source in events or EVENTS]
    names = list(dict.fromkeys([PRODUCT, *(rules or RULES)]))
    return judge(read, names, cache(find_rule), seed, "real events")


def judge(
    events: Sequence[TeamEvent],
    names: Sequence[str],
    find: FindRule,
    seed: int,
    label: str | None = None,
) -> dict[str, pd.DataFrame]:
    """Judge rules by recorded events.

    **Arguments:**

    - `events`: with ratings, with rounds, or both; each once.
    - `names`: of the rules; differences are to the first.
    - `find`: finds a rule by name.
    - `seed`: of the resampling, within every event.
    - `label`: shows a progress bar with this label.

    **Returns:**

    - `events`, `rated`, `predicted`: names of all events, and of those that take part in each test.
    - `rules`: their names.
    - `rows`: a row a rule in a population of a test, see `_rows`.
    - `disagreements`: of every two rules in every population, `one` and `other`, how often they
      have opposite verdicts (`pairs`), and how often `one` is right then; else `other` is.
    - `looked_at`: number of `differences` to the first rule whose intervals were looked at.

    **Raises:** `InputError` if an event is given twice, if none can take part in a test, or if a
    rule is not for the format of an event.
    """
    for number, event in enumerate(events):
        if any(event.matches == other.matches for other in events[:number]):
            raise InputError(f"{event.name}: the same event is given twice")
    rated, predicted = [], []
    with progress_bar(2 * len(events), label, "test") as bar:
        for event in events:
            for test, found in ((rating_verdicts, rated), (prediction_verdicts, predicted)):
                found.append(test(event, names, find))
                bar.update()
    rows, disagreements = [], []
    tests = {"ratings": (rated, names), "prediction": (predicted, [*names, HIGHER_RATED])}
    for test, (found, rules) in tests.items():
        usable = [one for one in found if one is not None and len(one.units)]
        if usable:
            rows.append(_rows(test, usable, rules, seed))
            disagreements.append(_disagreements(test, usable, rules))
    if not rows:
        raise InputError("no event has ratings, or rounds with teams equal on match points")
    all_rows = pd.concat(rows, ignore_index=True)
    others = ~all_rows["rule"].isin([names[0], HIGHER_RATED])
    return {
        "events": _names(events, events),
        "rated": _names(events, rated),
        "predicted": _names(events, predicted),
        "rules": pd.DataFrame({"rule": names}),
        "rows": all_rows,
        "disagreements": pd.concat(disagreements, ignore_index=True),
        "looked_at": pd.DataFrame({"differences": [others.sum()]}),
    }


def _names(events: Sequence[TeamEvent], found: Sequence[Any]) -> pd.DataFrame:
    """Names of the events of which something was found."""
    kept = [event.name for event, one in zip(events, found, strict=True) if one is not None]
    return pd.DataFrame({"event": kept})


def _rows(test: str, found: Sequence[Verdicts], rules: Sequence[str], seed: int) -> pd.DataFrame:
    """One test, pooled over events.

    Intervals are 95 % percentile bootstrap intervals; of the two, over units and over teams, the
    wider one.

    **Returns:** a row a population and rule:

    - `test`, `population`, `rule`: names.
    - `pairs`: number of verdicts; `units`: of score groups or matches that they belong to.
    - `right`: share of them that is right; equal scores count half.
    - `more`: that share less the first rule's, on the same resamples.
    - `right_low`, `right_high`, `more_low`, `more_high`: the ends of their intervals.
    - `over`: which bootstrap gave the wider interval of the difference, `teams` or one of `UNITS`.
    - `disagree`, `disagree_right`: pairs that the rule and the first one put in opposite order, and
      how many of them the rule has right.
    - `events_half`, `events_most`: how many events like these it takes until the difference, if it
      is as large as found, is significant (5 %, two-sided) with a chance of one half and of 80 %;
      NaN without an interval or a difference.
    """
    generator = np.random.default_rng(seed)
    sums = [_columns(one) for one in found]
    totals = np.sum([columns.sum(axis=0) for columns in sums], axis=0)
    drawn: dict[str, Float[np.ndarray, "times columns"]] = {}
    for over in (UNITS[test], "teams"):
        weighted = (
            _weights(one, over, generator) @ columns
            for one, columns in zip(found, sums, strict=True)
        )
        drawn[over] = sum(weighted, np.zeros(()))
    rows = []
    width = 1 + len(rules)
    for number, population in enumerate(populations(test)):
        inside = slice(number * width, (number + 1) * width)
        resampled = {over: _shares(values[:, inside]) for over, values in drawn.items()}
        shares, pairs = _shares(totals[None, inside])[0], int(totals[inside][0])
        units = sum(len(set(one.units[one.populations[:, number]])) for one in found)
        for k, rule in enumerate(rules):
            differences = {over: interval(s[:, k] - s[:, 0]) for over, s in resampled.items()}
            over = max(differences, key=lambda name: _width(differences[name]))
            wide = max((interval(s[:, k]) for s in resampled.values()), key=_width)
            more = float(shares[k] - shares[0])
            rows.append(
                (
                    *(test, population, rule, pairs, units),
                    *(shares[k], *wide, more, *differences[over], over),
                    *_disagreement(found, number, k, 0),
                    *events_needed(more, differences[over], len(found)),
                )
            )
    with_ends = (f"{name}{end}" for name in ("right", "more") for end in ("", "_low", "_high"))
    return pd.DataFrame(rows, columns=pd.Index([*_NAMES, *with_ends, *_AGAINST]))


def _columns(one: Verdicts) -> Float[np.ndarray, "items columns"]:
    """For every population the verdict itself, as 1, and then every rule's, as 0, 1/2 or 1."""
    values = np.column_stack([np.ones(len(one.units)), one.verdicts / RIGHT])
    return np.concatenate([inside[:, None] * values for inside in one.populations.T], axis=1)


def _weights(
    one: Verdicts, over: str, generator: np.random.Generator
) -> Float[np.ndarray, "times items"]:
    """How often every verdict counts in each resample of one event.

    Of teams: as often as both were drawn, as the verdicts on one team are not independent.
    """
    if over == "teams":
        drawn = resamples(one.teams, generator)
        return drawn[:, one.pairs[:, 0]] * drawn[:, one.pairs[:, 1]]
    units, index = np.unique(one.units, return_inverse=True)
    return resamples(len(units), generator)[:, index]


def _shares(sums: Float[np.ndarray, "times columns"]) -> Float[np.ndarray, "times rules"]:
    """Shares of right verdicts; NaN without a verdict."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums[:, 1:] / sums[:, :1]


def _width(ends: Float[np.ndarray, "2"]) -> float:
    """The length of an interval; below that of any other without one."""
    return float(np.nan_to_num(ends[1] - ends[0], nan=-1.0))


def events_needed(more: float, ends: Float[np.ndarray, "2"], events: int) -> tuple[float, float]:
    """Events for a chance of one half, and of 80 %, that the difference is significant.

    The standard error is taken from the interval, and falls with the root of the events.
    """
    error = float(ends[1] - ends[0]) / (2 * _SIGNIFICANT)
    if not (math.isfinite(error) and error > 0 and more):
        return math.nan, math.nan
    half, most = (events * (z * error / more) ** 2 for z in (_SIGNIFICANT, _SIGNIFICANT + _POWER))
    return float(math.ceil(half)), float(math.ceil(most))


def _disagreement(
    found: Sequence[Verdicts], population: int, one: int, other: int
) -> tuple[int, int]:
    """How often two rules have opposite verdicts, and how often the first of them is right."""
    pairs = right = 0
    for verdicts in found:
        said = verdicts.verdicts[verdicts.populations[:, population]]
        opposite = np.abs(said[:, one] - said[:, other]) == RIGHT - WRONG
        pairs += int(opposite.sum())
        right += int((opposite & (said[:, one] == RIGHT)).sum())
    return pairs, right


def _disagreements(test: str, found: Sequence[Verdicts], rules: Sequence[str]) -> pd.DataFrame:
    """Every two rules in every population."""
    rows = [
        (test, population, rules[i], rules[j], *_disagreement(found, number, i, j))
        for number, population in enumerate(populations(test))
        for i in range(len(rules))
        for j in range(i)
    ]
    columns = ["test", "population", "one", "other", "pairs", "one_right"]
    return pd.DataFrame(rows, columns=pd.Index(columns))


SHOWN = {
    "ratings": ("all", "top 30", "top 10"),
    "prediction": ("later, from round 5", "next, from round 5", "later, top 30, from round 5"),
}
"""Populations that the figure and the tables show, by test; the CSV file has all."""

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


_TITLES = {
    "ratings": "Ratings: the higher rated of two tied teams first",
    "prediction": "Prediction: the winner of a later match first",
}


def differences_figure(frames: Frames) -> Figure:
    """By how much more often each rule is right than the first: a panel a test."""
    found = frames["rows"]
    first, *rules = frames["rules"]["rule"]
    tests = [test for test in SHOWN if test in set(found["test"])]
    figure = blank_figure(5.6 * len(tests) + 1.6, 0.42 * len(rules) + 2.0)
    panels = figure.subplots(1, len(tests), sharey=True, squeeze=False)[0]
    for panel, test in zip(panels, tests, strict=True):
        for number, population in enumerate(SHOWN[test]):
            rows = where(found, test=test, population=population)
            rows = rows[rows["rule"].isin(rules)].iloc[::-1]
            draw_marks(
                panel,
                rows,
                "more",
                [place + 0.22 * (1 - number) for place in range(len(rules))],
                COLOURS[number],
                marker=MARKERS[number],
                size=6,
                label=f"{population} ({rows['pairs'].iloc[0]:,} pairs)",
            )
        panel.axvline(0.0, color=INK, linewidth=1.0)
        dress(panel, _TITLES[test], f"right more often than the {rule_name(first)}", "")
        panel.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), frameon=False, fontsize=9)
    names = [short_name(rule_name(rule), 40) for rule in rules[::-1]]
    panels[0].set_yticks(range(len(rules)), names, parse_math=False)
    return figure


FIGURES = {"real.png": differences_figure}
