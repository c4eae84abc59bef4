"""What the report shows beside the frames: the best tie-breaks, short tables, the sample event."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tb2learn.report.frames import Frames, where, wide
from tb2learn.studies.claims import judged
from tb2learn.studies.tiebreaks.evaluation import (
    ALL_CRITERIA,
    DIRECT,
    LOTS,
    POPULATIONS,
    RANDOM,
    SHORT,
    TRUE,
)
from tb2learn.studies.tiebreaks.measure import ORDERS, SOURCE, single_names
from tb2learn.studies.tiebreaks.order_claims import agreement_summary
from tb2learn.studies.tiebreaks.published import is_possible, sample_event

_COMBINATIONS = 8
"""How many combinations are shown."""


def summary(frames: Frames) -> dict[str, Any]:
    """Short tables of tie-breaks, claims and criteria, and his sample event recomputed."""
    values, between, sample = frames["values"], frames["between"], sample_event()
    of_all = where(values, population="all")
    by_kind = wide(where(of_all, criterion=TRUE), "tie_break", "config", "value")
    single = by_kind.loc[single_names(by_kind.index)]
    combined = by_kind.drop(index=single.index)
    shares = (combined / single.loc[RANDOM]).sum(axis=1)
    place = {name: number for number, name in enumerate(ALL_CRITERIA)}
    below = between["criterion"].map(place) > between["other"].map(place)
    return {
        "short": SHORT,
        "lots": LOTS,
        "best": _best(single, frames["worse"]),
        "single": single.reset_index(),
        "combined": combined,
        "nearest": combined.loc[
            shares.sort_values(kind="stable").index[:_COMBINATIONS]
        ].reset_index(),
        "agreements": agreement_summary(frames["agreement"], "config"),
        "claims": _claims(frames),
        "against": wide(between[below], ["criterion", "other"], "config", "value").reset_index(),
        "sample": sample,
        "recomputed": _recomputed(sample),
        "one_in": round(1 / _chance(sample[sample["population"] != ""])),
        # This value measures the size of score groups.
        "ties": where(of_all, tie_break=DIRECT, criterion="ABSELO")
        .dropna(subset=["ricca"])
        .merge(frames["kinds"]),
    }


def _best(single: pd.DataFrame, worse: pd.DataFrame) -> pd.DataFrame:
    """The three best single tie-breaks by the true order, and those worse than ties, by kind."""
    rows = []
    for config, values in single.items():
        best = values.dropna().astype(float).sort_values(kind="stable").index[:3]
        rows.append((config, *best, ", ".join(where(worse, config=config)["tie_break"])))
    header = ["kind of event", "nearest", "second", "third", "worse than ties"]
    return pd.DataFrame(rows, columns=header)


def _claims(frames: Frames) -> pd.DataFrame:
    """His claims, how many columns show them, and the verdicts."""
    verdicts = judged([order.claim(SOURCE) for order in ORDERS], frames)
    claims = (
        frames["claims"]
        .merge(frames["said"])
        .merge(frames["counted"])
        .merge(verdicts, "left", left_on="text", right_on="claim")
    )
    return claims.assign(first=claims["methods"].str[0], second=claims["others"].str[0])


def _recomputed(sample: pd.DataFrame) -> pd.DataFrame:
    """For every row of his tables: how many figures are recomputed, and how many are equal."""
    known = sample[sample["ours"].notna()]
    known = known.assign(
        population=known["population"].map({"": "not adjusted", **POPULATIONS}),
        equal=known["ours"] == known["printed"],
    )
    return known.groupby(["population", "row"], sort=False, as_index=False).agg(
        recomputed=("equal", "size"), equal=("equal", "sum")
    )


def _chance(sample: pd.DataFrame) -> float:
    """The share of possible figures among the numbers close to the printed ones."""
    tries = [
        is_possible(f"{float(printed) + step * 1e-4:.4f}", players)
        for printed, players in zip(sample["printed"], sample["players"], strict=True)
        for step in range(-10, 11)
        if float(printed) > 0
    ]
    return sum(tries) / len(tries)
