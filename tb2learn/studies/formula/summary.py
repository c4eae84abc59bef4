"""What the report of the formula says beside its frames: where the closed form loses most."""

from __future__ import annotations

from typing import Any

from tb2learn.report.frames import Frames, where
from tb2learn.report.wording import population_name
from tb2learn.studies.formula import measure
from tb2learn.studies.shapes import most
from tb2learn.tiebreaks.formula_constants import MIDDLE


def summary(frames: Frames) -> dict[str, Any]:
    """The largest growth of every population, and constants of the study."""
    fits = frames["fits"]
    return {
        "most": {population_name(top): most(where(fits, top=top)) for top in fits["top"].unique()},
        "fitted": len(measure.FITTED),
        "checked": len(measure.CHECKED),
        "middle": MIDDLE,
    }
