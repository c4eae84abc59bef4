"""Seed bias in reports: whether a rule rewards what a team did, or where it was seeded."""

from __future__ import annotations

import numpy as np
import pandas as pd

from tb2learn.assessment import REFERENCES
from tb2learn.export.assessment import population
from tb2learn.report.frames import where


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
