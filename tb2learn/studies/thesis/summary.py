"""What the report shows beside its frames: whether intervals overlap, differences of the cells."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tb2learn.assessment.thesis_protocol import REPEATS
from tb2learn.report.frames import Frames
from tb2learn.studies.thesis.few_teams import MATCHES


def summary(frames: Frames) -> dict[str, Any]:
    """The comparisons of the error tables and of the cells, the order of the teams, constants."""
    errors, sums, cells = frames["errors"], frames["sums"], frames["cells"]
    overlap = (errors["printed_low"] <= errors["ours_high"]) & (
        errors["ours_low"] <= errors["printed_high"]
    )
    known = cells[cells["ours"].notna()]
    known = known.assign(gap=known["ours"] - known["printed"])
    return {
        "errors": errors.assign(matches=overlap.map({True: "yes", False: "NO"})),
        "new": errors[errors["rule"] != errors["rule"].iloc[0]],
        "orders": [
            ", ".join(sums.sort_values(name, ascending=False, kind="stable")["team"])
            for name in ("printed", "ours")
        ],
        "known": known,
        "widest": known.loc[known["gap"].abs().idxmax()],
        "by_result": pd.DataFrame([_gaps(*group) for group in known.groupby("gp")]),
        "repeats": REPEATS,
        "matches": MATCHES,
    }


def _gaps(result: float, cells: pd.DataFrame) -> dict[str, Any]:
    """The differences of the cells of one result."""
    gap = cells["gap"]
    return {
        "GP": f"{result:g}",
        "cells": len(cells),
        "mean": gap.mean(),
        "absolute": gap.abs().mean(),
        "largest": gap.iloc[gap.abs().argmax()],
        "beyond": int((gap.abs() > 1.96 * cells["standard_error"]).sum()),
    }
