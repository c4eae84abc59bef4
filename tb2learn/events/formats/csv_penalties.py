"""Points outside of matches in an event folder: `penalties.csv`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources.abc import Traversable

from tb2learn.events.formats.csv_rows import REQUIRED, rows_of
from tb2learn.events.formats.oddities import Notes
from tb2learn.events.parts import Penalty
from tb2learn.types import MAX_ROUNDS

_MOST_PENALTY = 99


def read_penalties(
    path: Traversable, teams: Mapping[str, int], rounds: int, notes: Notes
) -> list[Penalty]:
    """Points taken from teams; those of later rounds than the event has are left out."""
    found: list[Penalty] = []
    for row in rows_of(path, REQUIRED["penalties.csv"], notes):
        team = teams.get(row.name("team"))
        if team is None:
            raise row.error("team", "a team of the event", row.text("team"))
        round_number = row.integer("round", 1, MAX_ROUNDS, default=0)
        points = 0
        if row.text("match_points"):
            points = row.signed_half_points("match_points", -_MOST_PENALTY, _MOST_PENALTY)
        if points % 2:
            raise row.error("match_points", "a whole number", row.text("match_points"))
        half = 0
        if row.text("game_points"):
            half = row.signed_half_points("game_points", -_MOST_PENALTY, _MOST_PENALTY)
        for field, value in (("match_points", points), ("game_points", half)):
            if value > 0 and not row.text(field).startswith("+"):
                raise row.error(field, "below 0, or with a plus sign", row.text(field))
        if round_number <= rounds:
            found.append(Penalty(team, round_number, points // 2, half))
    return found
