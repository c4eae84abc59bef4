"""Long DataFrames: what figures ask of them."""

from __future__ import annotations

from typing import Any

import pandas as pd


def ends_of(name: str, frame: pd.DataFrame) -> tuple[str, str]:
    """The columns with the ends of a column's interval: `x_low`, `x_high`, or `low`, `high`."""
    return (f"{name}_low", f"{name}_high") if f"{name}_low" in frame else ("low", "high")


def where(frame: pd.DataFrame, **equal: Any) -> pd.DataFrame:
    """The rows of a frame whose columns have these values."""
    for column, value in equal.items():
        frame = frame[frame[column] == value]
    return frame
