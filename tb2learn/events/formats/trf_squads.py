"""The teams and the players of a Tournament Report File.

Of an individual event every player of a record 001 is a team of one (see `events.parts`), so that
the entries of the players are read as for team events: a match has one board. Differences:

- Records of teams (`OF_TEAMS`) are not read.
- The pairing-allocated bye pays a win unless record 162 says otherwise (symbol P).
- Record 162 may give a game any points that fall from won to drawn to lost.
- Record 299 has the points in columns 14-17.
- Players of the same name are told apart by their start numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from tb2learn.events.formats.options import Reading
from tb2learn.events.formats.source import iso_date
from tb2learn.events.formats.trf_lines import MAX_PLAYERS, Columns, Line, Records
from tb2learn.events.parts import Player
from tb2learn.types import MAX_TEAMS, InputError

_FIELDED = "a player whom record 300 fields, and record 310 does not list, is of the team"


@dataclass(frozen=True)
class Squad:
    """A team; `members` has the start number of each player, and where it stands in the line."""

    line: Line
    number: int
    name: str
    members: tuple[tuple[str | Columns, int], ...]


@dataclass(frozen=True)
class Roster:
    """The teams and the players of a file, numbered from 0.

    **Fields:**

    - `names`: of the teams.
    - `teams`: their numbers by those in the file.
    - `players`: team by team, in line-up order.
    - `numbers`: theirs by start number; those of no team are not included.
    - `lines`: records 001 by player.
    - `individual`: whether players are teams of one.
    """

    names: tuple[str, ...]
    teams: Mapping[int, int]
    players: tuple[Player, ...]
    numbers: Mapping[int, int]
    lines: Mapping[int, Line]
    individual: bool


def read_squads(records: Records) -> list[Squad]:
    """The teams of records 310, else 013, in the order of their numbers.

    **Raises:** `InputError` for fewer than two teams, more than `MAX_TEAMS`, or a number twice.
    """
    lines = records["310"] or records["013"]
    squads: dict[int, Squad] = {}
    names: set[str] = set()
    for index, line in enumerate(lines, start=1):
        number = line.integer("team number", 1, 999) if records["310"] else index
        if number in squads:
            raise line.error("team number", "each team once")
        if len(squads) == MAX_TEAMS:
            raise line.error("team name", f"one of at most {MAX_TEAMS} teams")
        name = _team_name(line, number, names)
        names.add(name)
        listed = line.listed("start number", MAX_PLAYERS)
        squads[number] = Squad(line, number, name, tuple((c, n) for c, n in listed if n))
    if len(squads) < 2:
        raise InputError(
            f"{records.file}: must list at least 2 teams (records 310 or 013), got {len(squads)}; "
            "an event of players is read with --individual"
        )
    if records["310"]:
        _add_fielded(records, squads)
    return [squads[number] for number in sorted(squads)]


def _add_fielded(records: Records, squads: dict[int, Squad]) -> None:
    """Add the players whom records 300 field, and whom no record 310 lists, to their teams."""
    listed = {start for squad in squads.values() for _, start in squad.members}
    known = {line.start_number() for line in records["001"]}
    for line in records["300"]:
        squad = squads.get(line.integer("team", 0, 999, default=0))
        for column, start in line.listed("start number", MAX_PLAYERS):
            if squad is not None and start in known - listed:
                line.odd(_FIELDED, column, "a member of the team (record 310)")
                listed.add(start)
                squad = replace(squad, members=(*squad.members, (column, start)))
                squads[squad.number] = squad


def _team_name(line: Line, number: int, names: set[str]) -> str:
    """The name of a team, which no other team has."""
    name = line.text("team name")
    if name and name not in names:
        return name
    assumed = "a team without a name is named by its number"
    if name:
        assumed = "a name that another team has, too, gets a number: a column holds 32 characters"
    line.odd(assumed, "team name", "a name, each team once", aside="")
    name = name or "Team"
    return next(n for k in range(number, 10**6) if (n := f"{name} ({k})") not in names)


def read_roster(records: Records, squads: Sequence[Squad], individual: bool) -> Roster:
    """The teams with the players of records 001; a note says how many are of no team.

    **Raises:** `InputError` for a start number twice, or a player of two teams.
    """
    by_start: dict[int, Line] = {}
    starts: set[Hashable] = set()
    for line in records["001"]:
        start = line.start_number()
        line.once(starts, start, "start number", "each player once")
        by_start[start] = line
    players: list[Player] = []
    numbers: dict[int, int] = {}
    known: set[int] = set()
    for team, squad in enumerate(squads):
        for column, start in squad.members:
            if start not in by_start:
                assumed = "a member of a team without a record 001 is left out"
                squad.line.odd(assumed, column, "a player (record 001)", aside="")
            elif start not in numbers:
                numbers[start] = len(players)
                players.append(_player(by_start[start], team, known))
            elif players[numbers[start]].team != team:
                raise squad.line.error(column, "each player once")
            else:
                squad.line.odd("a member is listed twice in a team", column, "each player once")
    for start, line in by_start.items():
        if start not in numbers:
            assumed = "a player without a team is left out"
            line.odd(assumed, "start number", "a member of a team (record 310 or 013)", aside="")
    return Roster(
        tuple(squad.name for squad in squads),
        {squad.number: team for team, squad in enumerate(squads)},
        tuple(players),
        numbers,
        {numbers[start]: line for start, line in by_start.items() if start in numbers},
        individual,
    )


def _player(line: Line, team: int, known: set[int]) -> Player:
    """One player; `known` has the FIDE numbers of those before."""
    fide_id = line.fide_id("FIDE number", known)
    name = line.text("name")
    if not name:
        line.odd("a player without a name is named '?'", "name", "a name", aside="")
    return Player(
        team=team,
        name=name or "?",
        fide_id=fide_id,
        rating=line.rating("rating"),
        title=line.text("title"),
        sex=line.text("sex"),
        federation=line.text("federation"),
        birth=iso_date(line.text("birth")),
    )


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
        about = "players of the same name are told apart by their start numbers"
        records.notes.say(about, aside="")
    squads = []
    for start, line in sorted(found.items()):
        name = line.text("name") or "?"
        if names[line.text("name")] > 1 or name == "?":
            name = f"{name} ({start})"
        squads.append(Squad(line, start, name, (("start number", start),)))
    return squads
