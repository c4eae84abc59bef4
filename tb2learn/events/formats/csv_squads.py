"""A table that names the team of every player, for a PGN whose games name none."""

from __future__ import annotations

from pathlib import Path

from tb2learn.events.formats.csv_tables import user_table


def read_squad_table(path: str | Path) -> dict[str, str]:
    """A table with the columns `player` (as its heading in any language) and `team`.

    **Returns:** the teams by the names of their players, exactly as they stand there.

    **Raises:** `InputError`, one line, for another file, or for a player of two teams.
    """
    found: dict[str, str] = {}
    for row in user_table(path):
        field = "name" if row.has("name") else "player"
        if not row.has(field) or not row.has("team"):
            raise row.error("heading", "player, team", "other columns")
        player, team = row.name(field), row.name("team")
        if found.setdefault(player, team) != team:
            raise row.error(field, "each player once", player)
    return found
