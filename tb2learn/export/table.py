"""The lookup table as CSV and JSON: the same numbers, no arithmetic."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from tb2learn.tables import FULL_POINTS, LookupTable, how_to_use

SCHEMA = 1


def game_points(half_points: int) -> str:
    """Game points as an arbiter writes them: 0, 0.5, 1, ..."""
    return f"{half_points / 2:g}"


def header(table: LookupTable) -> dict[str, str]:
    """What the table says of itself: name, format, configuration, events, seed, version."""
    made = table.provenance
    lines = {
        "table": table.name,
        "format": f"{table.event_rounds} rounds, {table.boards} boards a match",
        "points": f"0 to {FULL_POINTS}",
    }
    if made:
        lines |= {
            "config": str(made["config"]["name"]),
            "description": str(made["config"]["description"]),
            "trained": f"{made['events']} simulated events, seed {made['seed']}, "
            f"{table.trained_rounds} rounds",
            "version": f"tb2learn {made['version']}",
        }
    return lines


def table_csv(table: LookupTable) -> str:
    """The table as CSV for a spreadsheet.

    **Returns:** rows `#,key,value` and `#,how to use,sentence`; then for every own MP a row
    `own MP,N`, a row of opponent MP, and a row of points for every GP.
    """
    buffer = io.StringIO()
    write = csv.writer(buffer, lineterminator="\n").writerow
    for key, value in header(table).items():
        write(["#", key, value])
    for number, sentence in enumerate(how_to_use(table), start=1):
        write(["#", f"how to use {number}", sentence])
    opponents = range(table.points.shape[1])
    for own, block in enumerate(table.points):
        write([])
        write(["own MP", own])
        write(["GP / opponent MP", *opponents])
        for half_points in range(table.points.shape[2]):
            write([game_points(half_points), *block[:, half_points].tolist()])
    return buffer.getvalue()


def table_json(table: LookupTable) -> str:
    """The table as JSON.

    **Returns:** an object with `schema`, `header`, `how_to_use`, `provenance`, the axes `own_mp`,
    `gp` and `opponent_mp`, and `points[own_mp][gp][opponent_mp]`.
    """
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "header": header(table),
        "how_to_use": list(how_to_use(table)),
        "provenance": dict(table.provenance),
        "rounds": table.event_rounds,
        "boards": table.boards,
        "trained_rounds": table.trained_rounds,
        "note": table.note,
        "own_mp": list(range(table.points.shape[0])),
        "gp": [half_points / 2 for half_points in range(table.points.shape[2])],
        "opponent_mp": list(range(table.points.shape[1])),
        "points": table.points.transpose(0, 2, 1).tolist(),
    }
    return json.dumps(content, allow_nan=False) + "\n"
