"""Play-offs and drawn lots: a table of who was placed before whom, which decides last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from tb2learn.events.model import TeamEvent
from tb2learn.events.ranking import DECIDED, StandingsRow
from tb2learn.types import MAX_TEAMS, InputError


def read_decisions(path: str | Path, event: TeamEvent) -> dict[str, int]:
    """A table with the columns `team` (or `player`) and `place`.

    **Returns:** the places by name, in the order of the table. They are compared with each other
    only, so that `1, 2` and `5, 6` say the same.

    **Raises:** `InputError`, one line, for another table, a name that the event does not have, or
    a name or a place twice.
    """
    from tb2learn.events.files.table_rows import user_table  # which few events need

    places = dict[str, int]()
    for row in user_table(path):
        field = next((column for column in ("team", "name") if row.has(column)), "player")
        if not row.has(field) or not row.has("place"):
            raise row.error("heading", "team (or player) and place")
        name = row.ranked(field, event)
        if name in places:
            raise row.error(field, "each once")
        place = row.integer("place", 1, MAX_TEAMS)
        if place in places.values():
            raise row.error("place", "each once")
        places[name] = place
    return places


def with_decisions(
    rows: Sequence[StandingsRow], places: Mapping[str, int]
) -> tuple[tuple[StandingsRow, ...], tuple[str, ...]]:
    """Standings in which a play-off or a lot orders those who share a place.

    **Arguments:**

    - `rows`: the standings.
    - `places`: as `read_decisions` gives them; of the others who share a place nobody is before
      those who have one, and their order is not decided.

    **Returns:** the standings, whose scores have `DECIDED` last; and a note a tie that was decided.

    **Raises:** `InputError` if someone is named who shares no place.
    """
    ordered: list[StandingsRow] = []
    notes: list[str] = []
    for place, group in groupby(rows, key=lambda row: row.place):
        # Behind all who are named, in the order that they have.
        tied = sorted(group, key=lambda row: places.get(row.team, MAX_TEAMS + 1))
        listed = [row.team for row in tied if row.team in places]
        if len(tied) == 1 and listed:
            raise InputError(f"{listed[0]} shares no place: nothing is left to be decided")
        for index, row in enumerate(tied):
            scores = {**row.scores, DECIDED: float(places.get(row.team, 0))}
            # Who is not named shares the place after the last who is.
            new_place = place + min(index, len(listed))
            ordered.append(replace(row, place=new_place, scores=scores))
        if listed:
            notes.append(f"places from {place} on by play-off or lot: {', '.join(listed)}")
    return tuple(ordered), tuple(notes)
