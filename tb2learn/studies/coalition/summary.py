"""What the report shows beside its frames: gains by kind, and whether a bound costs anything."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tb2learn.assessment.coalition import COLUMNS
from tb2learn.report.frames import Frames, where
from tb2learn.report.wording import rule_name
from tb2learn.studies.coalition.measure import BOUNDS, FREE, RULES, SMOOTHER


def summary(frames: Frames) -> dict[str, Any]:
    """Gains and errors side by side, and the bounds that lower gains without an error more."""
    gains = named(frames["gains"])
    kept = where(gains, result="kept", of="both")
    errors = frames["errors"].assign(top=frames["errors"]["top"].astype(str))
    both = kept.merge(where(errors, top="all"), on="rule", suffixes=("", "_tied"))
    dearer = errors[errors["growth_low"] > 0].groupby("rule")["growth"].max()
    tables = both[both["rule"].isin(_tables())]
    lower = tables[tables["more_high"] < 0]
    return {
        "columns": COLUMNS,
        "kinds": {
            f"The match result is {result}": where(gains.assign(rule=gains["name"]), result=result)
            for result in gains["result"].unique()
        },
        "both": both,
        "tables": both[both["rule"].isin([FREE, *_tables()])],
        "by_rule": {one.rule: one for one in both.itertuples()},
        "changed": {
            one.rule: one for one in where(gains, result="changed", of="both").itertuples()
        },
        "worst": gains.groupby("rule")["worst"].max().to_dict(),
        "lower": lower,
        "costless": lower[~lower["rule"].isin(dearer.index)],
        "shipped": RULES,
    }


def _tables() -> list[str]:
    return [*(f"bound {most}" for most in BOUNDS), *(f"smoother {times}x" for times in SMOOTHER)]


def named(found: pd.DataFrame) -> pd.DataFrame:
    """Rows with the names of rules in words."""
    own = [FREE, *_tables()]
    return found.assign(name=[rule if rule in own else rule_name(rule) for rule in found["rule"]])
