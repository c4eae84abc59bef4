"""A table that names the team of every player, for a PGN whose games name none."""

from __future__ import annotations

from pathlib import Path

from tb2learn.disk.inputs import is_file
from tb2learn.events.formats.csv_tables import rows_of
from tb2learn.events.formats.fields import Notes
from tb2learn.text import named
from tb2learn.types import InputError


def read_squad_table(path: str | Path) -> dict[str, str]:
    """A table with the columns `player` (as its heading in any language) and `team`.

    **Returns:** the teams by the names of their players, exactly as they stand there.

    **Raises:** `InputError`, one line, for another file, or for a player of two teams.
    """
    if not is_file(path):
        raise InputError(f"{named(str(path))}: no such file")
    found: dict[str, str] = {}
    for row in rows_of(Path(path), (), Notes()):
        field = "name" if row.has("name") else "player"
        if not row.has(field) or not row.has("team"):
            raise row.error("heading", "player, team", "other columns")
        player, team = row.name(field), row.name("team")
        if found.setdefault(player, team) != team:
            raise row.error(field, "each player once", player)
    return found
