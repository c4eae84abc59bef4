"""The pairs of a round from a table, and whether they are possible."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tb2learn.events.files.headings import NO_OPPONENT, folded
from tb2learn.events.files.tables import Row, user_table
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Pair
from tb2learn.forecasts.state import Begun
from tb2learn.types import InputError

_COLUMNS = (("team_a", "team_b"), ("white_player", "black_player"))
"""The columns of a pair, of teams and of players; the first has White (on board 1)."""


def read_pairings(path: str | Path, event: TeamEvent) -> tuple[Pair, ...]:
    """A table with the columns `team_a` and `team_b`, or `white_player` and `black_player`.

    An empty second name, or a word such as `bye`, is the bye.

    **Raises:** `InputError`, one line, for another table, a name that the event does not have, or
    one that stands there twice.
    """
    numbers = {name: number for number, name in enumerate(event.teams)}
    columns, seen, found = _COLUMNS[event.individual], set[int](), list[Pair]()

    def side(row: Row, field: str) -> int:
        number = numbers[row.ranked(field, event)]
        row.once(seen, number, field, "each once in the round")
        return number

    for row in user_table(path):
        if not all(map(row.has, columns)):
            raise row.error("heading", " and ".join(columns), "other columns")
        first, other = side(row, columns[0]), row.text(columns[1])
        alone = not other or (other not in numbers and folded(other) in NO_OPPONENT)
        found.append((first, None if alone else side(row, columns[1])))
    return tuple(found)


def check_possible(begun: Begun, expected: Begun) -> None:
    """Refuse pairs of a Swiss that have met, or that leave out a team that plays on.

    **Arguments:** the event with these pairs, and as it would be without any.

    **Raises:** `InputError`, one line, that names teams and reason.
    """
    names, record = begun.event.teams, begun.record
    left_out = sorted(set(expected.seats.tolist()) - set(begun.seats.tolist()))
    if left_out:
        raise InputError(
            f"pairings: {names[left_out[0]]} is left out (give it a row without an opponent if it "
            "has the bye)"
        )
    for a, b in begun.pairs[0]:
        rounds = np.flatnonzero(record.played[a] & (record.opponent[a] == b))
        if b is not None and len(rounds):
            where = f"round {rounds[0] + 1}"
            raise InputError(f"pairings: {names[a]} and {names[b]} have met in {where}")
