"""Pairs of teams on equal match points, on the host, and sums over them in resamples of teams."""

from __future__ import annotations

from itertools import count
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int, Num

from tb2learn.stats import resamples


class TiedPairs(NamedTuple):
    """Pairs of tied teams of some events, by event, first team and second team.

    **Fields:**

    - `event`: its number, from 0.
    - `first`, `second`: both teams, the lower number first.
    - `place`: the first place of their score group, from 1.
    """

    event: Int[np.ndarray, " pairs"]
    first: Int[np.ndarray, " pairs"]
    second: Int[np.ndarray, " pairs"]
    place: Int[np.ndarray, " pairs"]

    @property
    def teams(self) -> Int[np.ndarray, "pairs 2"]:
        """Both teams."""
        return np.stack([self.first, self.second], axis=1)

    def only(self, chosen: Bool[np.ndarray, " pairs"]) -> TiedPairs:
        """Some of the pairs."""
        return TiedPairs(*(part[chosen] for part in self))

    def differences(self, values: Num[np.ndarray, "events teams"]) -> Num[np.ndarray, " pairs"]:
        """The number of the first team less that of the second; of integers in 64 bits."""
        of_first, of_second = (values[self.event, team] for team in (self.first, self.second))
        wide = np.int64 if values.dtype.kind in "iu" else values.dtype
        return np.subtract(
            of_first, of_second, dtype=wide
        )  # 32 bits may not hold the difference of two

    def resampled(
        self, values: Float[np.ndarray, "pairs columns"], teams: int, generator: np.random.Generator
    ) -> Float[np.ndarray, "times columns"]:
        """Sums of values over the pairs of one event in resamples of its teams.

        Teams are drawn with replacement, and a pair counts as often as both were drawn: the pairs
        of one team are not independent.

        **Arguments:**

        - `values`: of every pair.
        - `teams`: how many the event has.
        - `generator`: draws them.
        """
        times_drawn = resamples(teams, generator)
        return (times_drawn[:, self.first] * times_drawn[:, self.second]) @ values


def tied_pairs(own: Num[np.ndarray, "events teams"]) -> TiedPairs:
    """Every pair on equal match points, once.

    **Arguments:** `own`: match points of the teams of some events.
    """
    teams = own.shape[1]
    # Of different events no two numbers are equal, so that all events are sorted together.
    range_ = own.max(initial=0) - own.min(initial=0) + 1
    points = (own + range_ * np.arange(len(own))[:, None]).ravel()
    order = np.argsort(points, kind="stable")
    rising, blocks = points[order], [np.zeros((2, 0), np.int64)]
    # Tied teams now stand side by side: neighbours, then the next but one, and so on.
    for distance in count(1):
        (at,) = np.nonzero(rising[distance:] == rising[:-distance])
        if not len(at):
            break
        blocks.append(order[np.stack([at, at + distance])])
    upper, second = np.concatenate(blocks, axis=1)
    # As one number, to sort pairs by both teams.
    upper, second = np.divmod(np.sort(upper * points.size + second), points.size)
    event, first = np.divmod(upper, teams)
    # Below the teams of its event that have more points.
    place = 1 + teams * (event + 1) - np.searchsorted(rising, points[upper], side="right")
    return TiedPairs(event, first, second % teams, place)
