"""What the report of the formula says beside its frames: where the closed form loses most."""

from __future__ import annotations

from typing import Any

from tb2learn.report.frames import Frames, where
from tb2learn.report.wording import population_name
from tb2learn.studies.shapes import most


def summary(frames: Frames) -> dict[str, Any]:
    """The largest growth of every population."""
    fits = frames["fits"]
    tops = fits["top"].unique()
    return {"most": {population_name(top): most(where(fits, top=top)) for top in tops}}
