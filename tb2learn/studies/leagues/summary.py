"""What the report shows beside its frames: names of rules, and how many leagues it would take."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tb2learn.report.frames import Frames
from tb2learn.report.wording import rule_name
from tb2learn.studies.leagues.draws import ROUNDS, SEED_NOISE
from tb2learn.studies.leagues.measure import TABLE
from tb2learn.studies.real.verdicts import HIGHER_RATED

_MOST = 1000
"""More leagues than this are not counted."""


_ENDS = ("low", "high")


def summary(frames: Frames) -> dict[str, Any]:
    """Rows by world and rounds, best first; those of other rules than the first."""
    results = named(frames["results"])
    first = results["name"].iloc[0]
    needed = {f"{part}_told": results[part].map(_number) for part in ("needed_half", "needed_most")}
    results = results.assign(**needed)
    others = results[(results["name"] != first) & (results["rule"] != HIGHER_RATED)]
    # Nothing is said of the difference of the first rule from itself.
    parts = (
        "more",
        "more_low",
        "more_high",
        "teams_low",
        "teams_high",
        "league_low",
        "league_high",
    )
    known = results["name"] != first
    results = results.assign(
        **{part: results[part].astype(object).where(known, None) for part in parts}
    )
    return {
        "first": first,
        "rounds": ROUNDS,
        "noise": SEED_NOISE,
        "shown": {
            key: part.sort_values("error", kind="stable")
            for key, part in results.groupby(["world", "rounds"], sort=False)
        },
        "others": others,
        "clear": int(((others["teams_low"] > 0) | (others["teams_high"] < 0)).sum()),
        "sure": int(((others["more_low"] > 0) | (others["more_high"] < 0)).sum()),
        "best": others[others["more"] < 0].sort_values("needed_most", kind="stable"),
    }


def named(results: pd.DataFrame) -> pd.DataFrame:
    """Rows with the names of rules in words."""
    words = {TABLE: TABLE, HIGHER_RATED: "higher rated first"}
    return results.assign(name=[words.get(rule) or rule_name(rule) for rule in results["rule"]])


def _number(leagues: Any) -> str:
    if pd.isna(leagues):
        return "-"
    return f"{leagues:,.0f}" if leagues <= _MOST else f"over {_MOST:,}"
