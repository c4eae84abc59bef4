"""What the report of the game model shows beside its frames."""

from __future__ import annotations

from typing import Any

from tb2learn.report.frames import Frames

UNITS = (
    "rating points a rating point",
    "rating points",
    "log-odds, even game, mean rating 2300 or less",
    "log-odds for 200 points of mean rating above 2300",
    "log-odds for 400 points of difference",
)
"""Of the constants."""


def summary(frames: Frames) -> dict[str, Any]:
    """The constants with their units; in how many classes models are within the interval."""
    classes = frames["classes"]
    inside = {
        model: classes[model].between(classes["low"], classes["high"])
        for model in ("fitted", "statistic")
    }
    counted = classes[["question"]].assign(classes=1, **inside)
    return {
        "constants": frames["constants"].assign(unit=UNITS),
        "inside": counted.groupby("question", sort=False, as_index=False).sum(),
    }
