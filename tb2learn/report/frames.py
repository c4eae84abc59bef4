"""Long DataFrames: what figures ask of them."""

from __future__ import annotations

import pandas as pd


def ends_of(name: str, frame: pd.DataFrame) -> tuple[str, str]:
    """The columns with the ends of a column's interval: `x_low`, `x_high`, or `low`, `high`."""
    return (f"{name}_low", f"{name}_high") if f"{name}_low" in frame else ("low", "high")
