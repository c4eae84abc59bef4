"""All tie-breaks of the library by module, from which its entries are made.

A module is imported when the first of its tie-breaks is made: an event needs two or three.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tb2learn.tiebreaks import boards, combined, own, paired, rated, sums

__all__ = ["SIX", "boards", "combined", "own", "paired", "rated", "sums"]

SIX = np.int32(6)
"""A leaf of the row sum, which like all leaves is a number of an array."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"tb2learn.tiebreaks.{name}")
