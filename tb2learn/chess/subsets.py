"""Players split into groups of equal mean rating, by the rule of Brams and Ismail.

Among all subsets of the size of a group the one whose mean rating is nearest to the mean of all
players is taken; of the players that are left the one nearest to that same mean; and so on. The
last group is what is left, and ties are broken by lot (S. J. Brams and M. S. Ismail, *Multi-Tier
Tournaments: Matching and Scoring Players*, 2024, section 3).

There are 30,045,015 ways to take 10 of 30 players. They are counted by their sum of ratings instead
of listed, so that the rule is followed exactly for every size, and the lot is uniform.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from tb2learn.types import InputError

_MOST_CELLS = 50_000_000


def nearest_subsets(ratings: Sequence[int], size: int, total: int, players: int) -> tuple[int, int]:
    """How near the mean of a subset can come to a given mean, and how many subsets do.

    **Arguments:**

    - `ratings`: whole rating points of the players to choose from.
    - `size`: of the subset.
    - `total`, `players`: the mean to come near to is ``total / players``.

    **Returns:** the sum of such a subset times `players`, less `size` times `total`: 0 if it can be
    met exactly, else the nearest value, the negative one of two; and the number of subsets that are
    so near, on either side.

    **Raises:** `InputError` as `equal_groups`.
    """
    counts, least = _count(ratings, size)
    distance = players * (np.arange(counts.shape[2]) + size * least) - size * total
    possible = counts[0, size] > 0
    nearest = np.abs(distance[possible]).min()
    met = possible & (np.abs(distance) == nearest)
    return int(distance[met].min()), round(float(counts[0, size, met].sum()))


def equal_groups(
    ratings: Sequence[int], groups: int, generator: np.random.Generator
) -> list[list[int]]:
    """Split players into groups of equal size and as equal a mean rating as the rule finds.

    **Arguments:**

    - `ratings`: whole rating points.
    - `groups`: how many, a divisor of the number of players.
    - `generator`: the lot, where several subsets are equally near.

    **Returns:** the indices of the players of every group, in rising order.

    **Raises:** `InputError` if the groups would not be equal, or if players and rating differences
    are so many that the sums are too many to count.
    """
    if groups < 1 or len(ratings) % groups:
        raise InputError(f"groups must divide {len(ratings)} players, got {groups}")
    size, total, left = len(ratings) // groups, sum(ratings), list(range(len(ratings)))
    found = []
    while len(left) > size:
        chosen = _draw([ratings[i] for i in left], size, total, len(ratings), generator)
        found.append([left[i] for i in chosen])
        left = [i for i in left if i not in found[-1]]
    return [*found, left]


def _count(ratings: Sequence[int], size: int) -> tuple[Float[np.ndarray, "from1 size1 sums"], int]:
    """How many subsets there are, by the first player they may have, their size and their sum.

    Sums are less the lowest rating a player, which is returned, too.
    """
    least = min(ratings)
    above = [rating - least for rating in ratings]
    sums = sum(sorted(above)[-size:]) + 1
    cells = (len(ratings) + 1) * (size + 1) * sums
    if cells > _MOST_CELLS:
        raise InputError(
            f"groups of {size} of {len(ratings)} players whose ratings differ by {max(above)} "
            "are too many to count: split them into more tiers"
        )
    counts = np.zeros((len(ratings) + 1, size + 1, sums))
    counts[-1, 0, 0] = 1
    for i, rating in reversed(list(enumerate(above))):
        counts[i] = counts[i + 1]
        counts[i, 1:, rating:] += counts[i + 1, :-1, : sums - rating]
    return counts, least


def _draw(
    ratings: Sequence[int], size: int, total: int, players: int, generator: np.random.Generator
) -> list[int]:
    """One of the nearest subsets, each with the same chance."""
    counts, least = _count(ratings, size)
    distance = np.abs(players * (np.arange(counts.shape[2]) + size * least) - size * total)
    ways = np.where(distance == distance[counts[0, size] > 0].min(), counts[0, size], 0.0)
    left = int(generator.choice(len(ways), p=ways / ways.sum()))
    chosen: list[int] = []
    for i, rating in enumerate(ratings):
        taking, more = rating - least, size - len(chosen)
        with_it = counts[i + 1, more - 1, left - taking] if more and left >= taking else 0.0
        if generator.random() * counts[i, more, left] < with_it:
            chosen.append(i)
            left -= taking
    return chosen
