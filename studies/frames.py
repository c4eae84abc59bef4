"""Frames: packaged tables, and the rows that have some values."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pandas as pd


def load_table(*path: str) -> pd.DataFrame:
    """A packaged CSV table with typed columns.

    **Arguments:** folders, if any, and file name of the table in `tb2learn/data`.

    **Returns:** a DataFrame of pandas' nullable types: `Int64`, `Float64` or `string`, whichever
    holds the whole column; empty cells are `pandas.NA`.
    """
    with resources.files("tb2learn.data").joinpath(*path).open("rb") as stream:
        how = {"dtype_backend": "numpy_nullable", "keep_default_na": False, "na_values": [""]}
        return pd.read_csv(stream, **how)


def where(frame: pd.DataFrame, **equal: Any) -> pd.DataFrame:
    """The rows of a frame whose columns have these values."""
    for column, value in equal.items():
        frame = frame[frame[column] == value]
    return frame
