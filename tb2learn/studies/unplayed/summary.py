"""What the report shows beside the frames: the best policies, verdicts on claims, short tables."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tb2learn.report.frames import Frames, where
from tb2learn.studies.claims import judged
from tb2learn.studies.tiebreaks.evaluation import TRUE
from tb2learn.studies.tiebreaks.order_claims import COUNTS, agreement_summary
from tb2learn.studies.unplayed.published import ORDERS, SOURCE

_NAMED = 4
"""Most policies that a table names as being as good as the best."""


def summary(frames: Frames) -> dict[str, Any]:
    """Short tables of policies, claims and absences."""
    pays = {2: "a win", 1: "a draw"}
    return {
        "policies": frames["values"]["policy"].nunique(),
        "often": _often(frames["extremes"]),
        "best": _best(frames),
        "verdicts": judged([order.claim(SOURCE) for order in ORDERS], frames),
        "by_kind": _by_kind(frames),
        "agreements": agreement_summary(frames["agreement"]),
        "made": frames["kinds"].assign(bye=frames["kinds"]["bye_points"].map(pays)),
    }


def _often(extremes: pd.DataFrame) -> pd.DataFrame:
    """For every sum the policies that are most often the best and the worst, and how often."""
    rows = []
    for name, some in extremes.groupby("sum", sort=False):
        best, worst = (some[end].value_counts() for end in ("best", "worst"))
        rows.append((name, best.index[0], best.iloc[0], worst.index[0], worst.iloc[0]))
    columns = ["sum", "best", "times_best", "worst", "times_worst"]
    return pd.DataFrame(rows, columns=columns)


def _best(frames: Frames) -> pd.DataFrame:
    """The best and the worst policy by the true order, with their values."""
    found = where(frames["extremes"], criterion=TRUE)
    values = where(frames["values"], criterion=TRUE, population="all")
    for end in ("best", "worst"):
        named = {
            "policy": end,
            "value": f"{end}_value",
            "low": f"{end}_value_low",
            "high": f"{end}_value_high",
        }
        own = values.rename(columns=named)[["kind", "sum", *named.values()]]
        found = found.merge(own, "left", ["kind", "sum", end])
    level = [", ".join(one) if len(one) <= _NAMED else len(one) for one in found["level"]]
    return found.assign(level=level)


def _by_kind(frames: Frames) -> pd.DataFrame:
    """In how many columns a claim holds: of his two kinds, then of each of ours."""
    his = frames["said"].assign(kind="his two kinds")
    his["ours holds"], his["ours does not hold"] = his["said"], his["columns"] - his["said"]
    both = pd.concat([his, frames["counted"]]).astype(dict.fromkeys(COUNTS, "Int64"))
    place = {text: number for number, text in enumerate(his["text"])}
    return both.sort_values("text", kind="stable", key=lambda texts: texts.map(place))
