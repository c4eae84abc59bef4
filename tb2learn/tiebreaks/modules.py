"""All tie-breaks of the library by module, from which its entries are made."""

import numpy as np

from tb2learn.tiebreaks import boards, combined, own, paired, rated, sums

__all__ = ["SIX", "boards", "combined", "own", "paired", "rated", "sums"]

SIX = np.int32(6)
"""A leaf of the row sum, which like all leaves is a number of an array."""
