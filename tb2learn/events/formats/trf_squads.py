"""The teams and the players of a Tournament Report File."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tb2learn.events.formats.oddities import Notes
from tb2learn.events.formats.source import MAX_FIDE_ID, MAX_RATING, iso_date
from tb2learn.events.formats.trf_lines import MAX_PLAYERS, Line
from tb2learn.events.parts import Player
from tb2learn.types import MAX_TEAMS, InputError


@dataclass(frozen=True)
class Squad:
    """A team of record 310 or 013; `members` has the column and start number of each player."""

    line: Line
    number: int
    name: str
    members: tuple[tuple[int, int], ...]


def read_squads(records: Mapping[str, Sequence[Line]], file: str, notes: Notes) -> list[Squad]:
    """The teams in the order of their numbers.

    **Raises:** `InputError` for fewer than two teams, more than `MAX_TEAMS`, or a number twice.
    """
    lines = records["310"] or records["013"]
    squads: dict[int, Squad] = {}
    names: set[str] = set()
    for index, line in enumerate(lines, start=1):
        if records["310"]:
            number = line.integer(5, 7, "team number", 1, 999)
            first, last, members = 9, 40, 74
        else:
            number, first, last, members = index, 5, 36, 37
        if number in squads:
            raise line.error(5, 7, "team number", "each team once")
        if len(squads) == MAX_TEAMS:
            raise line.error(first, last, "team name", f"one of at most {MAX_TEAMS} teams")
        name = _team_name(line, (first, last), number, names, notes)
        names.add(name)
        listed = line.listed(members, 4, "start number", MAX_PLAYERS)
        squads[number] = Squad(line, number, name, tuple((c, n) for c, n in listed if n))
    if len(squads) < 2:
        raise InputError(
            f"{file}: must list at least 2 teams (records 310 or 013), got {len(squads)}"
        )
    return [squads[number] for number in sorted(squads)]


def _team_name(
    line: Line, columns: tuple[int, int], number: int, names: set[str], notes: Notes
) -> str:
    """The name of a team, which no other team has."""
    name = line.text(*columns)
    if name and name not in names:
        return name
    assumed = "a team without a name is named by its number"
    if name:
        assumed = "a name that another team has, too, gets a number: a column holds 32 characters"
    line.odd(notes, assumed, *columns, "team name", "a name, each team once")
    name = name or "Team"
    return next(n for k in range(number, 10**6) if (n := f"{name} ({k})") not in names)


def read_players(
    lines: Sequence[Line], squads: Sequence[Squad], notes: Notes
) -> tuple[tuple[Player, ...], dict[int, int]]:
    """The players, team by team in line-up order; and their numbers by start number.

    **Raises:** `InputError` for a start number twice, or a player of two teams.
    """
    by_start: dict[int, Line] = {}
    for line in lines:
        start = line.integer(5, 8, "start number", 1, MAX_PLAYERS)
        if start in by_start:
            raise line.error(5, 8, "start number", "each player once")
        by_start[start] = line
    players: list[Player] = []
    numbers: dict[int, int] = {}
    known: set[int] = set()
    for index, squad in enumerate(squads):
        for column, start in squad.members:
            if not _is_new(squad, index, column, start, by_start, numbers, players, notes):
                continue
            numbers[start] = len(players)
            players.append(_player(by_start[start], index, known, notes))
    return tuple(players), numbers


def _is_new(
    squad: Squad,
    index: int,
    column: int,
    start: int,
    by_start: Mapping[int, Line],
    numbers: Mapping[int, int],
    players: Sequence[Player],
    notes: Notes,
) -> bool:
    """Whether a member of a team is a player who was not listed before."""
    where = column, column + 3, "start number"
    if start not in by_start:
        assumed = "a member of a team without a record 001 is left out"
        squad.line.odd(notes, assumed, *where, "a player (record 001)")
        return False
    if start not in numbers:
        return True
    if players[numbers[start]].team != index:
        raise squad.line.error(*where, "each player once")
    squad.line.odd(notes, "a member is listed twice in a team", *where, "each player once")
    return False


def _player(line: Line, team: int, known: set[int], notes: Notes) -> Player:
    """One player; `known` has the FIDE numbers of those before."""
    assumed = "a FIDE number that is none is left out"
    fide_id = line.needless(notes, assumed, 58, 68, "FIDE number", MAX_FIDE_ID)
    if fide_id in known:
        assumed = "a FIDE number of several players is kept for the first alone"
        line.odd(notes, assumed, 58, 68, "FIDE number", "each player once")
        fide_id = 0
    if fide_id:
        known.add(fide_id)
    name = line.text(15, 47)
    if not name:
        line.odd(notes, "a player without a name is named '?'", 15, 47, "name", "a name")
    assumed = "a rating that is none is left out"
    return Player(
        team=team,
        name=name or "?",
        fide_id=fide_id,
        rating=line.needless(notes, assumed, 49, 52, "rating", MAX_RATING),
        title=line.text(11, 13),
        sex=line.text(10, 10),
        federation=line.text(54, 56),
        birth=iso_date(line.text(70, 79)),
    )
