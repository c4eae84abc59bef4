"""Groups of nearly equal mean rating, by the rule of Brams and Ismail.

Among all subsets of the size of a group the one whose mean rating is nearest to the mean of all
players is taken; of the players that are left the one nearest to that same mean; and so on. Ties
are broken by lot (S. J. Brams and M. S. Ismail, *Multi-Tier Tournaments: Matching and Scoring
Players*, 2024, section 3).

There are 30,045,015 ways to take 10 of 30 players. They are counted by their sum of ratings instead
of listed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tb2learn.types import InputError

_MOST_STEPS = 50_000_000


def nearest_subsets(ratings: Sequence[int], size: int, total: int, players: int) -> tuple[int, int]:
    """How near the mean of a subset can come to a given mean, and how many subsets do.

    **Arguments:**

    - `ratings`: whole rating points of the players to choose from.
    - `size`: of the subset.
    - `total`, `players`: the mean to come near to is ``total / players``.

    **Returns:** the sum of such a subset times `players`, less `size` times `total`: 0 if it can be
    met exactly, else the nearest value, the negative one of two; and the number of subsets that are
    so near, on either side.

    **Raises:** `InputError` if players and rating differences are so many that the sums are too
    many to count.
    """
    least = min(ratings)
    above = [rating - least for rating in ratings]
    sums = sum(sorted(above)[-size:]) + 1
    if (len(ratings) + 1) * (size + 1) * sums > _MOST_STEPS:
        raise InputError(
            f"groups of {size} of {len(ratings)} players whose ratings differ by {max(above)} "
            "are too many to count: split them into more tiers"
        )
    counts = np.zeros((size + 1, sums))  # of subsets, by size and by sum above the least ratings
    counts[0, 0] = 1
    for rating in above:
        counts[1:, rating:] += counts[:-1, : sums - rating]
    distance = players * (np.arange(sums) + size * least) - size * total
    possible = counts[size] > 0
    nearest = np.abs(distance[possible]).min()
    met = possible & (np.abs(distance) == nearest)
    return int(distance[met].min()), round(float(counts[size, met].sum()))
