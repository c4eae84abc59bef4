"""Long DataFrames: what figures ask of them."""

from __future__ import annotations

from collections.abc import Container


def ends_of(name: str, frame: Container[str]) -> tuple[str, str]:
    """The columns with the ends of the interval of `x`: `x_low`, `x_high`, or `low`, `high`.

    **Arguments:** `frame`: also a row of it.
    """
    return (f"{name}_low", f"{name}_high") if f"{name}_low" in frame else ("low", "high")
