"""Assessments as frames: the files that hold them, and what reports show of them.

`assessments` has a row an assessment: `protocol`, `lists`, `events`, `seed`, `config` (as
`config.to_dict` makes it). `results` has a row an assessment, rule and population: `rule`, `top`
(a place, or `all`), tied `pairs`, `error_rate` with the ends `low` and `high` of its interval, and
`reduction` (the share of the product rule's errors that is saved) with its ends. Where seeds are
not random follow the shares of `SeedBias`, each with its pairs and ends, and `difference` with its
ends; elsewhere these are None. In both frames one column more names the assessment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from tb2learn.assessment import REFERENCES
from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.tally import SEED_KINDS
from tb2learn.config import to_dict
from tb2learn.report.assessment import population
from tb2learn.report.frames import Frames, where, without
from tb2learn.report.stored import Csv, Each, IfKnown, columns_of, stacked
from tb2learn.report.wording import rule_name

SHOWN_TOP = 30
"""The population that tables show; pictures and CSV files show all."""

_RATES = ("error_rate", "low", "high", "reduction", "reduction_low", "reduction_high")
_BIASES = (
    *(f"{share}{part}" for share in SEED_KINDS for part in ("_pairs", "", "_low", "_high")),
    *("difference", "difference_low", "difference_high"),
)


def _with_ends(key: str, name: str) -> dict[str, Any]:
    return {key: f"results.{name}", f"{key}_ci": [f"results.{name}_low", f"results.{name}_high"]}


def _share(name: str) -> dict[str, Any]:
    ends = [f"results.{name}_low", f"results.{name}_high"]
    return {"pairs": f"results.{name}_pairs", "share": f"results.{name}", "ci": ends}


CONTENT: Mapping[str, Any] = {
    **columns_of("assessments", "protocol", "lists", "events", "seed", "config"),
    "results": Each(
        "results",
        {
            **columns_of("results", "rule", "top", "pairs", "error_rate"),
            "ci": ["results.low", "results.high"],
            **_with_ends("reduction", "reduction"),
            "seed_bias": IfKnown(
                "results.near_equal_pairs",
                {**{name: _share(name) for name in SEED_KINDS},
                 **_with_ends("difference", "difference")},
            ),
        },
    ),
}  # fmt: skip
"""What `assess --json` writes, as the content of a `Json`."""


def frames_of(named: Mapping[str, Assessment], what: str) -> dict[str, pd.DataFrame]:
    """The frames of some assessments.

    **Arguments:**

    - `named`: the assessments by name.
    - `what`: the column with the names.
    """
    about = [
        {what: name, "protocol": one.protocol, "lists": one.lists, "events": one.events,
         "seed": one.seed, "config": to_dict(one.config)}
        for name, one in named.items()
    ]  # fmt: skip
    results = [one.frame.assign(**{what: name}) for name, one in named.items()]
    return {"assessments": pd.DataFrame(about), "results": stacked(results)}


def results_csv(file: str, what: str) -> Csv:
    """The table of all error rates; `what` is the column with the names of the assessments."""
    return _csv(file, what, "rule", "top", "pairs", *_RATES)


def bias_csv(file: str, what: str) -> Csv:
    """The table of all seed biases."""
    return _csv(file, what, "rule", "top", "error_rate", *_BIASES, known="near_equal_pairs")


def _csv(file: str, *columns: str, known: str | None = None) -> Csv:
    return Csv(file, "results", columns, digits=6, known=known)


def best_first(results: pd.DataFrame) -> pd.DataFrame:
    """The rows of one assessment and population for a table.

    **Returns:** the lowest error first, with `named`, the rule's name in reports. The first rule,
    which all are compared with, has no reduction.
    """
    order = np.argsort(np.nan_to_num(results["error_rate"].to_numpy(float)), kind="stable")
    found = results.assign(named=results["rule"].map(rule_name))
    first = found["rule"] == found["rule"].iloc[0]
    return without(found, first, *_RATES[3:]).iloc[order]


def tables(frames: Frames, what: str) -> dict[str, pd.DataFrame]:
    """By assessment the rows of `SHOWN_TOP`, best first."""
    shown = where(frames["results"], top=SHOWN_TOP)
    return {str(name): best_first(rows) for name, rows in shown.groupby(what, sort=False)}


def biased(found: pd.DataFrame, top: int, world: str | None = None) -> pd.DataFrame:
    """The rows of one population whose seed bias is known, the lowest error first.

    **Arguments:** `found`: as `Assessment.frame`; the population; the `world`, of several.
    """
    rows = where(found, top=population(top), **({"world": world} if world else {}))
    rows = rows[rows["near_equal_pairs"].notna()]
    return rows.sort_values("error_rate", key=np.nan_to_num, kind="stable")


def unbeaten(rows: pd.DataFrame) -> list[str]:
    """The rules that no other rule beats on both error and distance of the preference from 0.5.

    By point estimates; references, which know more than the results, do not count.
    """
    rows = rows[~rows["rule"].isin(REFERENCES)]
    errors, unfair = rows["error_rate"], (rows["near_equal"] - 0.5).abs()
    beaten = [((errors < e) & (unfair < u)).any() for e, u in zip(errors, unfair, strict=True)]
    return rows["rule"][~np.array(beaten, bool)].tolist()
