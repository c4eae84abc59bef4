"""The rounds left of a round robin: all who have not met, dealt to rounds.

Which of its matches is in which round changes no chance. So the rounds need not be those of the
tables that an event was drawn by, which its record does not have.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Int

from tb2learn.chess.event_format import MAX_REPEATS, cycle_rounds
from tb2learn.events.parts import Pair
from tb2learn.events.unplayed.record import Record
from tb2learn.types import BYE

_TRIES, _STEPS = 200, 2000
"""How often the rounds are dealt anew, and how many pairs of a round are tried."""


def rounds_left(
    record: Record, planned: int, drawn: Sequence[Pair]
) -> tuple[tuple[Pair, ...], ...] | None:
    """The pairs of the rounds left, if all still have to meet each other in exactly these.

    **Arguments:**

    - `record`: of the rounds played; matches by default count as met.
    - `planned`: rounds of the whole event.
    - `drawn`: the pairs of the next round, if they are known.

    **Returns:** None for an event that is no round robin, or whose matches do not fit the rounds.
    """
    teams = len(record.kind)
    repeats, rest = divmod(planned, cycle_rounds(teams))
    if rest or not 1 <= repeats <= MAX_REPEATS:
        return None
    size = teams + teams % 2  # in an odd field the last one stands for the rest
    need = repeats * (1 - np.eye(size, dtype=int))
    for opponents in record.opponent.T.tolist():
        if size == teams and BYE in opponents:
            return None
        for team, other in enumerate(opponents):
            rival = teams if other == BYE else other
            need[team, rival] -= 1
            need[rival, team] -= other == BYE
    left = planned - record.rounds
    if (need < 0).any() or (need != need.T).any() or (need.sum(axis=1) != left).any():
        return None
    first: list[tuple[Pair, ...]] = []
    if drawn:
        for a, b in drawn:
            rival = teams if b is None else b
            need[[a, rival], [rival, a]] -= 1
        if (need < 0).any() or (need.sum(axis=1) != left - 1).any():
            return None
        first = [tuple(drawn)]
    dealt = _deal(need, left - len(first))
    if dealt is None:
        return None
    return (*first, *(tuple(_colours(pairs, teams)) for pairs in dealt))


def _colours(pairs: Sequence[tuple[int, int]], teams: int) -> list[Pair]:
    """The pairs, White to one of odd sums, to the other of even ones; `teams` is the rest."""
    found: list[Pair] = []
    for a, b in pairs:
        if b == teams:
            found.append((a, None))
        else:
            found.append((a, b) if (a + b) % 2 else (b, a))
    return found


def _deal(need: Int[np.ndarray, "size size"], rounds: int) -> list[list[tuple[int, int]]] | None:
    """Rounds in which everybody meets somebody, so that all meet as often as they need.

    They are found round by round; where that ends in a round without a solution, anew by other
    lots.
    """
    lots = np.random.default_rng(0)
    for _ in range(_TRIES):
        open_, found = need.copy(), list[list[tuple[int, int]]]()
        while len(found) < rounds:
            pairs = _one_round(open_, lots)
            if pairs is None:
                break
            for a, b in pairs:
                open_[[a, b], [b, a]] -= 1
            found.append(pairs)
        if len(found) == rounds:
            return found
    return None


def _one_round(
    need: Int[np.ndarray, "size size"], lots: np.random.Generator
) -> list[tuple[int, int]] | None:
    """A match for everybody, by trying and taking back; None if there is none, or it takes long."""
    free, steps = np.ones(len(need), bool), _STEPS
    # Of every pair so far: who was paired, and the partners that were not tried.
    tried: list[tuple[int, list[int]]] = []
    partner = np.full(len(need), BYE)

    def open_team() -> int:
        """The free one with the fewest partners left."""
        partners = (need > 0)[:, free].sum(axis=1)
        return int(np.argmin(np.where(free, partners, len(need) + 1)))

    while free.any() and steps:
        team = open_team()
        choices = lots.permutation(np.flatnonzero(free & (need[team] > 0))).tolist()
        while not choices and tried:
            team, choices = tried.pop()
            free[[team, partner[team]]] = True
            steps -= 1
        if not choices:
            return None
        partner[team] = choices.pop()
        free[[team, partner[team]]] = False
        tried.append((team, choices))
    return None if free.any() else [_sorted(team, int(partner[team])) for team, _ in tried]


def _sorted(one: int, other: int) -> tuple[int, int]:
    """The lower number first."""
    return (one, other) if one < other else (other, one)
