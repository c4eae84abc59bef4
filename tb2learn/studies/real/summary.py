"""What the report shows beside the frames: rows in order, with names, and who is shown better."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from tb2learn.report.frames import Frames, where
from tb2learn.report.wording import rule_name
from tb2learn.studies.real.measure import LEARNED, LEAST_SQUARES
from tb2learn.studies.real.verdicts import HIGHER_RATED, populations

SHOWN = {
    "ratings": ("all", "top 30", "top 10"),
    "prediction": ("later, from round 5", "next, from round 5", "later, top 30, from round 5"),
}
"""Populations that the figure and the tables show, by test; the CSV file has all."""

_POWERED = ("buchholz-cut1", LEAST_SQUARES, "formula-180x11", "rosters-180x11", LEARNED)
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
