"""Scoring function to lookup table: the one form in which a rule is used, printed and exported."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tb2learn.config import EventFormat
from tb2learn.standings import product_points
from tb2learn.surface import Surface, predict, shares
from tb2learn.types import MAX_TEAMS, Counts, InputError

FULL_POINTS = 1000
"""Table points of a result that no opponent of one's rank would have failed to beat."""


@dataclass(frozen=True)
class LookupTable:
    """A tie-break rule as a table of whole points.

    **Fields:**

    - `name`: `product`, or the checkpoint's name.
    - `event_rounds`, `boards`: the format the table is made for.
    - `points`: int32 `[2*rounds+1, 2*rounds+1, 2*boards+1]`: value of a result by own match points,
      the opponent's match points and half points scored.
    - `unit`: what one table point is worth in the published TB2 (1/2 for the product rule, whose
      points are opponent's match points times *half* points; 1 for a learned table).
    - `trained_rounds`: number of rounds the surface was trained at; if it differs from
      `event_rounds`, the table is rescaled by match-point shares and says so in `note`.
    - `provenance`: configuration, events, seed and version behind a learned table.
    """

    name: str
    event_rounds: int
    boards: int
    points: Counts
    unit: float = 1.0
    trained_rounds: int | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def note(self) -> str:
        """A line to print with every use of a rescaled table; else empty."""
        if self.trained_rounds in (None, self.event_rounds):
            return ""
        return (
            f"{self.name} was trained at {self.trained_rounds} rounds and is rescaled here to "
            f"{self.event_rounds} by match-point shares"
        )

    def digest(self) -> str:
        """SHA-256 of the points, in hexadecimal."""
        return hashlib.sha256(np.ascontiguousarray(self.points, "<i4").tobytes()).hexdigest()

    def check_format(self, rounds: int, boards: int) -> None:
        """Refuse an event of another format.

        **Raises:** `InputError` naming what differs.
        """
        if boards != self.boards:
            raise InputError(
                f"the table {self.name} is for matches on {self.boards} boards, "
                f"the event has {boards}"
            )
        if rounds != self.event_rounds:
            raise InputError(
                f"the table {self.name} is for {self.event_rounds} rounds, the event has {rounds}"
            )


def product_table(rounds: int, boards: int) -> LookupTable:
    """FIDE's product rule (opponent's match points times game points) for a format.

    **Arguments:** `rounds` 1..15, `boards` 1..12.

    **Raises:** `InputError` for other formats.
    """
    points = product_points(EventFormat(teams=MAX_TEAMS, rounds=rounds, boards=boards))
    return LookupTable("product", rounds, boards, points, unit=0.5)


def surface_table(
    surface: Surface,
    name: str,
    rounds: int | None = None,
    provenance: Mapping[str, Any] | None = None,
    full_points: int = FULL_POINTS,
) -> LookupTable:
    """Tabulate a surface for a number of rounds.

    **Arguments:**

    - `surface`: a fitted surface.
    - `name`: of the rule.
    - `rounds`: 1..15; those of the training if not given.
    - `provenance`: printed with the table.
    - `full_points`: points of a score of 1; more than `FULL_POINTS` is for judging the rounding.

    **Returns:** a `LookupTable` of whole points, 0 .. `full_points`.

    **Raises:** `InputError` for other numbers of rounds.
    """
    rounds = surface.rounds if rounds is None else rounds
    event = EventFormat(teams=MAX_TEAMS, rounds=rounds, boards=surface.boards)
    grid = shares(event.rounds)
    points = np.rint(full_points * predict(surface, grid, grid)).astype(np.int32)
    return LookupTable(
        name,
        rounds,
        surface.boards,
        points,
        unit=FULL_POINTS / full_points,
        trained_rounds=surface.rounds,
        provenance=dict(provenance or {}),
    )


def how_to_use(table: LookupTable) -> tuple[str, ...]:
    """The instruction that goes with every exported table, one sentence an entry."""
    drop = "if the team had a bye, leave out the bye instead" if table.event_rounds > 1 else ""
    steps = (
        "Find the block of the team's own final match points (MP).",
        "For each opponent, read the points in the row of the game points (GP) scored against it "
        "and the column of that opponent's final MP.",
        "Leave out the opponent with the fewest MP; of several, the one with the fewest points"
        + (f"; {drop}." if drop else "."),
        "The sum of the other points is the team's TB2. Of teams equal on MP the higher TB2 is "
        "placed first.",
    )
    return (*steps, f"Note: {table.note}.") if table.note else steps
