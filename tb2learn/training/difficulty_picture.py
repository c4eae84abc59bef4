"""The picture of a difficulty log: how hard results are for teams on middling match points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from tb2learn.tiebreaks.rules import FULL_POINTS
from tb2learn.training.objectives import Checkpoint, difficulty_surface
from tb2learn.training.surface import difficulty_score, predict, share_grid

_MIDDLE = 14 / 22
"""The share of the match points of which most Olympiads have the most ties."""


class DifficultyPicture(NamedTuple):
    """The difficulty of results for teams on one own score, see `surface.difficulty_score`.

    **Fields:**

    - `own`: their match points.
    - `log`: float64 `[2*rounds+1, 2*boards+1]` in 0..1000, by the opponent's match points and half
      points scored: how many of a thousand such teams fail to reach the result, counted. NaN where
      the log has no match.
    - `surface`: the same by the smooth surface.
    - `events`: that were counted.
    """

    own: int
    log: Float[np.ndarray, "own results"]
    surface: Float[np.ndarray, "own results"]
    events: int

    def titles(self) -> tuple[str, str]:
        """What the log and the surface are called."""
        log = f"Difficulty of a result for a team on {self.own} match points, of {FULL_POINTS}"
        return f"{log}: counted in {self.events:,} events", "The same by the smooth surface"


def difficulty_picture(trained: Checkpoint, row: int | None = None) -> DifficultyPicture | None:
    """The picture of the log that a checkpoint holds, None without one.

    **Arguments:** `row`: own match points, 0..2*rounds; those with the most ties if not given.
    """
    first = trained.difficulty()
    if first is None:
        return None
    max_match_points = trained.config.event.max_match_points
    row = round(max_match_points * _MIDDLE) if row is None else row
    # By threshold, how many matches did not reach it; the last number is all of them.
    below = np.cumsum(first.arrays["counts"][row], axis=-1)
    # 0 of 0 matches is NaN, and is drawn as nothing.
    with np.errstate(invalid="ignore"):
        log = difficulty_score(below[:, :-1] / below[:, -1:])
    grid = share_grid(trained.config.event.rounds)
    smooth = predict(difficulty_surface(first), grid[row : row + 1], grid)[0]
    events = first.config.train.events
    return DifficultyPicture(row, FULL_POINTS * log, FULL_POINTS * smooth, events)
