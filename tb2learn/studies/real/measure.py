"""Shares of right verdicts on recorded events, differences to the first rule, and the power."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.catalogue import PRODUCT
from tb2learn.events import TeamEvent, read_event
from tb2learn.report.frames import Frames, where, without
from tb2learn.report.stored import Csv, Each, Json, columns_of
from tb2learn.report.style import (
    COLOURS,
    INK,
    MARKERS,
    blank_figure,
    draw_marks,
    dress,
    in_percent,
    short_name,
)
from tb2learn.report.wording import rule_name
from tb2learn.simulation.run import progress_bar
from tb2learn.stats import long_frame
from tb2learn.studies.real.logistic import SAMPLES, bases, gains
from tb2learn.studies.real.native import NATIVE, ROUNDS, find_native
from tb2learn.studies.real.verdicts import (
    HIGHER_RATED,
    RIGHT,
    SINCE,
    UNITS,
    WRONG,
    FindRule,
    Verdicts,
    counted,
    populations,
    prediction_verdicts,
    rating_verdicts,
    resampled,
    wider,
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
    Csv("logistic.csv", "gains", digits=6),
)


def measure(
    events: Sequence[str], rules: Sequence[str], seed: int, native: bool = False
) -> dict[str, pd.DataFrame]:
    """Judge rules by recorded events.

    **Arguments:**

    - `events`: of any form that can be read; the packaged `EVENTS` if there are none.
    - `rules`: their names; the product rule comes first in any case. `RULES` if there are none.
    - `seed`: of the resampling.
    - `native`: also judge the learned rule, and `NATIVE`, whose tables are trained if not kept.

    **Returns:** as `judge`.

    **Raises:** `InputError` as `read_event`, `find_rule` and `judge`.
    """
    read = [read_event(source) for source in events or EVENTS]
    named = [PRODUCT, *(rules or RULES), *(LEARNED, NATIVE) * native]
    names = list(dict.fromkeys(named))
    return judge(read, names, cache(find_native), seed, "real events")


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
    - `gains`: what scores add to the ratings in prediction, see `logistic.gains`.
    - `disagreements`: of every two rules in every population, `one` and `other`, how often they
      have opposite verdicts (`pairs`), and how often `one` is right then; else `other` is.
    - `looked_at`: number of `differences` to the first rule whose intervals were looked at.

    **Raises:** `InputError` if an event is given twice, if none can take part in a test, or if a
    rule is not for the format of an event.
    """
    for number, event in enumerate(events):
        if any(event.matches == other.matches for other in events[:number]):
            raise InputError(f"{event.name}: the same event is given twice")
    tests = {"ratings": rating_verdicts, "prediction": prediction_verdicts}
    found: dict[str, list[Verdicts | None]] = {test: [] for test in tests}
    with progress_bar(len(tests) * len(events), label, "test") as bar:
        for event in events:
            for test, verdicts in tests.items():
                found[test].append(verdicts(event, names, find))
                bar.update()
    usable = {test: [one for one in found[test] if one and len(one.units)] for test in tests}
    known = {test: some for test, some in usable.items() if some}
    if not known:
        raise InputError("no event has ratings, or rounds with teams equal on match points")
    rows = pd.concat((_rows(test, some, seed) for test, some in known.items()), ignore_index=True)
    others = ~rows["rule"].isin([names[0], HIGHER_RATED])
    return {
        "events": _names(events, events),
        "rated": _names(events, found["ratings"]),
        "predicted": _names(events, found["prediction"]),
        "rules": pd.DataFrame({"rule": names}),
        "rows": rows,
        "gains": gains(usable["prediction"], seed),
        "disagreements": pd.concat(
            (_disagreements(*one) for one in known.items()), ignore_index=True
        ),
        "looked_at": pd.DataFrame({"differences": [others.sum()]}),
    }


def _names(events: Sequence[TeamEvent], found: Sequence[Any]) -> pd.DataFrame:
    """Names of the events of which something was found."""
    kept = [event.name for event, one in zip(events, found, strict=True) if one is not None]
    return pd.DataFrame({"event": kept})


def _rows(test: str, found: Sequence[Verdicts], seed: int) -> pd.DataFrame:
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
    names, rules, against = list(populations(test)), found[0].rules, _against(found)
    sums, drawn = resampled(test, found, [_columns(one) for one in found], seed)
    by_rule = {over: _shares(one, len(names)) for over, one in drawn.items()}
    ends, _ = wider(by_rule)
    more_ends, over = wider({name: one - one[..., :1] for name, one in by_rule.items()})
    right = _shares(sums, len(names))[0]
    more = right - right[:, :1]
    needed = [
        events_needed(float(value), one, len(found))
        for value, one in zip(more.ravel(), more_ends.reshape(2, -1).T, strict=True)
    ]
    values = [
        *(np.repeat(one, len(rules)) for one in counted(found, [one.populations for one in found])),
        *(right, *ends, more, *more_ends, over),
        *(against[:, :, 0] + against[:, 0], against[:, :, 0], *np.transpose(needed)),
    ]
    ends_too = [f"{name}{end}" for name in ("right", "more") for end in ("", "_low", "_high")]
    columns = [*_NAMES[3:], *ends_too, *_AGAINST]
    axes = {"test": [test], "population": names, "rule": rules}
    return long_frame(axes, dict(zip(columns, values, strict=True)))


def _columns(one: Verdicts) -> Float[np.ndarray, "items columns"]:
    """For every population the verdict itself, as 1, and then every rule's, as 0, 1/2 or 1."""
    values = np.column_stack([np.ones(len(one.units)), one.verdicts / RIGHT])
    return np.concatenate([inside[:, None] * values for inside in one.populations.T], axis=1)


def _shares(
    sums: Float[np.ndarray, "*times columns"], populations: int
) -> Float[np.ndarray, "times populations rules"]:
    """Shares of right verdicts from sums of `_columns`; NaN without a verdict."""
    parts = sums.reshape(-1, populations, sums.shape[-1] // populations)
    with np.errstate(divide="ignore", invalid="ignore"):
        return parts[..., 1:] / parts[..., :1]


def events_needed(more: float, ends: Float[np.ndarray, "2"], events: int) -> tuple[float, float]:
    """Events for a chance of one half, and of 80 %, that the difference is significant.

    The standard error is taken from the interval, and falls with the root of the events.
    """
    error = float(ends[1] - ends[0]) / (2 * _SIGNIFICANT)
    if not (math.isfinite(error) and error > 0 and more):
        return math.nan, math.nan
    half, most = (events * (z * error / more) ** 2 for z in (_SIGNIFICANT, _SIGNIFICANT + _POWER))
    return float(math.ceil(half)), float(math.ceil(most))


def _against(found: Sequence[Verdicts]) -> Int[np.ndarray, "populations rules rules"]:
    """How often one rule is right where another one is wrong, in every population."""
    parts = [[one.populations, one.verdicts == RIGHT, one.verdicts == WRONG] for one in found]
    counts = [np.einsum("ip,ij,ik->pjk", *(part.astype(int) for part in some)) for some in parts]
    return np.sum(counts, axis=0)


def _disagreements(test: str, found: Sequence[Verdicts]) -> pd.DataFrame:
    """Every two rules in every population."""
    rules = found[0].rules
    rows = [
        (test, population, rules[i], rules[j], right[i, j] + right[j, i], right[i, j])
        for population, right in zip(populations(test), _against(found), strict=True)
        for i in range(len(rules))
        for j in range(i)
    ]
    columns = ["test", "population", "one", "other", "pairs", "one_right"]
    return pd.DataFrame(rows, columns=pd.Index(columns))


# --- the report -----------------------------------------------------------------------------------

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
    rows = without(rows, rows["rule"] == first, "more", "more_low", "more_high")
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
        in_percent(panel.xaxis)
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


FIGURES = {"real.png": differences_figure, "logistic.png": gains_figure}
