"""Individual events in a Tournament Report File: players without teams.

Every player of a record 001 is a team of one (see `events.model`), so that the entries of the
players are read as for team events: a match has one board. Differences:

- Records of teams (`OF_TEAMS`) are not read.
- The pairing-allocated bye pays a win unless record 162 says otherwise (symbol P).
- Record 162 may give a game any points that fall from won to drawn to lost.
- Record 299 has the points in columns 14-17.
- Players of the same name are told apart by their start numbers.
"""

from __future__ import annotations

from collections import Counter

from tb2learn.events.formats.oddities import Reading
from tb2learn.events.formats.trf_lines import Records
from tb2learn.events.formats.trf_squads import Squad
from tb2learn.types import MAX_TEAMS, InputError

TYPE = "092"
OF_TEAMS = ("013", "310", "300", "320", "330", "352", "362", "802")
"""Records that are about teams."""


def is_individual(records: Records, options: Reading) -> bool:
    """Whether a file has players but no teams, or is to be read so.

    A file whose record 092 calls it a team event is none.
    """
    if options.individual:
        return True
    listed = records["310"] or records["013"]
    about_teams = any("team" in line.cut(5).casefold() for line in records[TYPE])
    return bool(records["001"]) and not listed and not about_teams


def leave_teams_alone(records: Records) -> None:
    """Count the records of teams among those that are not read."""
    for kind in OF_TEAMS:
        if records[kind]:
            records.others.add(kind)
            records.lines[kind] = []


def players_as_squads(records: Records) -> list[Squad]:
    """Every player as a team of one, in the order of their start numbers.

    **Raises:** `InputError` for fewer than two players, or more than `MAX_TEAMS`.
    """
    lines = records["001"]
    if not 2 <= len(lines) <= MAX_TEAMS:
        raise InputError(
            f"{records.file}: must have 2..{MAX_TEAMS} players (records 001) or teams (310 or "
            f"013), got {len(lines)}"
        )
    found = {line.start_number(): line for line in lines}
    names = Counter(line.text("name") for line in found.values())
    if any(number > 1 for name, number in names.items() if name):
        records.notes.say("players of the same name are told apart by their start numbers")
    squads = []
    for start, line in sorted(found.items()):
        name = line.text("name") or "?"
        if names[line.text("name")] > 1 or name == "?":
            name = f"{name} ({start})"
        squads.append(Squad(line, start, name, (("start number", start),)))
    return squads
