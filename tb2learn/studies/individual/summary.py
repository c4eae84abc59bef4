"""What the report says beside its frames: what rules save, and the best for first place."""

from __future__ import annotations

from typing import Any

from tb2learn.catalogue import baseline
from tb2learn.report.frames import Frames, where
from tb2learn.studies.individual.measure import NUMBERS, PROMISED, WORLDS


def summary(frames: Frames) -> dict[str, Any]:
    """Savings of the promised rules, which of them are not shown, and the best for first place.

    Shares in sentences are in per cent.
    """
    errors, numbers = frames["errors"], list(NUMBERS.values())
    percent = errors.assign(**100 * errors[numbers])
    unsure = where(errors, top="all")
    unsure = unsure[~(unsure["reduction_low"] > 0)]
    first = where(percent[percent["world"].isin(WORLDS[:3])], top="1")
    return {
        "savings": [
            (rule, who, where(percent, rule=rule, top=top))
            for rule in PROMISED
            for top, who in (("all", "all ties"), ("1", "ties for first place"))
        ],
        "unproven": [
            f"{rule} in {name}" for rule in PROMISED for name in where(unsure, rule=rule)["world"]
        ],
        "best": first.sort_values("error_rate", kind="stable").iloc[0],
        "shown": errors[errors["top"].isin(("1", "all"))],
        "in_use": baseline(1),
    }
