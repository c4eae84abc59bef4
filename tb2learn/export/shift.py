"""Points without a minus sign: a constant for every own match points, which decides nothing.

Only teams on equal match points are compared, and all of them have a result in every round. So a
constant that is added to every entry of a team's own match points adds the same to the sums of all
teams that are compared. A round without an opponent, not even a virtual one, must then count the
constant instead of 0.

A table in several passes is not shifted: the sums of its first passes say by how much an opponent
is refined, and these start from 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Int

from tb2learn.chess.results import match_points
from tb2learn.tiebreaks.passes import HUNDRED
from tb2learn.tiebreaks.rules import PassTable
from tb2learn.types import InputError


def can_occur(rounds: int, boards: int) -> Bool[np.ndarray, "shares shares results"]:
    """Which results a team can have, by own and opponent's match points and half points scored.

    Both sides can have what they have without this match: between 0 and what the other rounds pay.
    """
    others = 2 * (rounds - 1)
    scores = np.arange(2 * rounds + 1)
    won = match_points(np.arange(2 * boards + 1), boards)
    own = scores[:, None, None] - won
    opponent = scores[None, :, None] - (2 - won)
    return (own >= 0) & (own <= others) & (opponent >= 0) & (opponent <= others)


def shifts(rule: PassTable) -> Int[np.ndarray, " shares"]:
    """For every own match points the constant that makes each entry that can occur 0 or more.

    It is a multiple of 100, so that a team that does in every round what its match points say
    (points 0) adds up to a round number.

    **Raises:** `InputError` for a table in several passes.
    """
    if rule.passes != 1:
        raise InputError(f"{rule.name} has {rule.passes} passes: only one pass can be shifted")
    shares = 2 * rule.event_rounds + 1
    points = rule.points[0][:, -rule.columns[0] : shares - rule.columns[0]]
    possible = can_occur(rule.event_rounds, rule.boards)
    lowest = np.where(possible, points, 0).min(axis=(1, 2))
    return -(lowest // HUNDRED) * HUNDRED


def shifted(rule: PassTable) -> PassTable:
    """The table with its shifts added.

    **Raises:** `InputError` as `shifts`.
    """
    points = rule.points + shifts(rule)[None, :, None, None]
    return replace(rule, points=points.astype(np.int32))
