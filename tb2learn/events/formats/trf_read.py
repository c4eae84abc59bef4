"""Read an event from FIDE's Tournament Report File (TRF), versions of 2016 and 2026.

Each line is a record: columns 1-3 hold its type, the rest are fields in fixed columns of
characters, counted from 1. A file has players and their opponents but no matches: a match consists
of the games between members of two teams in a round. Records 300 (line-ups), 320 and 240 (byes),
330 (forfeited matches) and 299 (abnormal points) are applied afterwards.

Conventions where the format is ambiguous:

- A board is a game, or a point won or lost by default. Boards are numbered in the order of the
  line-ups: record 300, else the order of the team in 310, else in 013. If the line-ups of both
  teams contradict each other, the one of the team with the lower number counts.
- Two players with the opponent `0000`, not both winners, are paired if each is the next one in the
  line-up of his team.
- A player who lost by default need not have an entry: the entry of the winner names him.
- Colours that are not recorded follow record 352; without it they alternate, white first.
- A team without an opponent has the bye of record 320 or 240, else the best entry of its players,
  in this order: win by default, F, U, H, Z, loss by default.
- Symbols of record 162 start in columns 6, 15, 24, ... (as in FIDE's table), not 5, 13 (as in its
  text).
- A record 299 with teams and a round gives their points in that round; otherwise it gives the
  points of all results of its type. Without a type it is a penalty outside of any round, and
  refused.
- Other types of records (national ratings, readable cross-tables, tie-breaks) are not read; they
  are listed in `TeamEvent.left_alone`.
- Points, ranks and strengths that follow from the games are not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from tb2learn.events.formats.source import DATES, MAX_FIDE_ID, MAX_NAME, MAX_RATING, iso_date
from tb2learn.events.formats.trf_boards import (
    Draw,
    Forfeit,
    Seat,
    find_seats,
    first_team,
    forfeited_match,
    read_draw,
    read_forfeits,
    read_line_ups,
    seat_game,
)
from tb2learn.events.formats.trf_lines import ABOUT, MAX_PLAYERS, NAME, ROUNDS, Line, read_records
from tb2learn.events.formats.trf_results import read_byes, with_abnormal_points
from tb2learn.events.model import (
    Game,
    Match,
    Player,
    TeamEvent,
    matches_of,
    team_ratings,
    unfinished_note,
)
from tb2learn.text import shown
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS, InputError

# By type of scoring record: the width of its symbols, and the half points that each must have.
_SCORING = {
    "162": (1, {"W": 2, "D": 1, "L": 0, "A": 0, "P": None, "X": None}),
    "362": (2, {"TW": 4, "TD": 2, "TL": 0}),
}


def read_trf(data: bytes, file: str) -> TeamEvent:
    """Read a team event from a Tournament Report File of either version.

    Lines end with CR, LF or CRLF; the text is UTF-8, else Latin-1.

    **Arguments:**

    - `data`: the content, at most `MAX_BYTES`.
    - `file`: its name, for messages, and for the event if the content does not name it.

    **Returns:** a `TeamEvent` with players and games; the matches of a round are numbered in the
    order of the lower of their team numbers.

    **Raises:** `InputError`, one line with file, line and columns, for a file that is not a valid
    event.
    """
    file = shown(file)
    records, others = read_records(data, file)
    _check_scoring(records)
    about, notes = _about(records)
    teams = _teams(records, file)
    players, numbers = _players(records["001"], teams)
    strays = len(records["001"]) - len(players)
    if strays:
        notes.append(f"players without a team are left out: {strays}")
    planned = [
        line.integer(4, None, "rounds", 1, MAX_ROUNDS) for kind in ROUNDS for line in records[kind]
    ]
    colours = _colours(records["352"])

    draw = read_draw(records["001"], players, numbers)
    if draw.unfinished <= MAX_ROUNDS:
        notes.extend(unfinished_note(draw.unfinished))
    team_numbers = {team.number: index for index, team in enumerate(teams)}
    forfeits = read_forfeits(records["330"], team_numbers, draw)
    line_ups = read_line_ups(records["300"], team_numbers, numbers, draw)
    rounds = max((key[0] for key in (*draw.entries, *forfeits)), default=0)
    seats = find_seats(draw, line_ups, forfeits, rounds, len(colours) or MAX_BOARDS)
    if not any(seats.values()):
        raise InputError(f"{file}: must have at least one game of a finished round")
    boards = len(colours) or max(seat.board for match in seats.values() for seat in match)
    byes = read_byes(records, team_numbers, draw, rounds, boards)

    games, matches = _games_and_matches(draw, seats, byes, forfeits, players, colours, boards)
    return TeamEvent(
        name=about.pop("name", None) or PurePath(file).stem or file,
        teams=tuple(team.name for team in teams),
        rounds=rounds,
        boards=boards,
        matches=with_abnormal_points(records["299"], team_numbers, matches, rounds, boards),
        ratings=team_ratings(len(teams), players, games),
        players=players,
        games=tuple(games),
        planned=max(rounds, *planned, 0),
        about=about,
        notes=tuple(notes),
        left_alone=tuple(f"records {kind}" for kind in sorted(others)),
    )


def _games_and_matches(
    draw: Draw,
    seats: Mapping[tuple[int, int], Sequence[Seat]],
    byes: Mapping[tuple[int, int], Match],
    forfeits: Mapping[tuple[int, int], Forfeit],
    players: Sequence[Player],
    colours: str,
    boards: int,
) -> tuple[list[Game], list[Match]]:
    """The games and matches, by round and number; see `read_trf` for the numbers of the matches."""
    count: Counter[int] = Counter()
    pairs: dict[tuple[int, int], tuple[int, int]] = {}
    games: list[Game] = []
    matches: dict[tuple[int, int], Match] = {}
    for place in sorted((*seats, *byes)):
        round_number, team = place
        count[round_number] += 1
        key = (round_number, count[round_number])
        if place in byes:
            matches[key] = replace(byes[place], number=key[1])
            continue
        other = draw.rivals[place]
        first = first_team(seats[place], (team, other), forfeits.get(place), colours)
        pairs[key] = (first, team + other - first)
        games += (seat_game(key, seat, pairs[key], players, colours) for seat in seats[place])
    for match in matches_of(games, pairs):
        place = (match.round, min(pairs[match.round, match.number]))
        if not seats[place] and place in forfeits:
            match = forfeited_match(match, forfeits[place], boards)
        matches[match.round, match.number] = match
    return games, [matches[key] for key in sorted(matches)]


def _check_scoring(records: Mapping[str, Sequence[Line]]) -> None:
    """Refuse points other than 1, 1/2, 0 for a game and 2, 1, 0 for a match."""
    for kind, (width, standard) in _SCORING.items():
        for line in records[kind]:
            for first in range(7, len(line.content) + 1, 9):
                symbol = line.text(first - width, first - 1).upper()
                points = line.half_points(first, first + 3, "points", 99)
                if symbol not in standard and (symbol or points is not None):
                    raise line.error(
                        first - width, first - 1, "symbol", f"one of {', '.join(standard)}"
                    )
                expected = standard.get(symbol)
                if None not in (points, expected) and points != expected:
                    raise line.error(
                        first, first + 3, f"points of {symbol}", f"{(expected or 0) / 2:g}"
                    )


def _about(records: Mapping[str, Sequence[Line]]) -> tuple[dict[str, str], list[str]]:
    """Name, city, dates and so on; and notes on texts that had to be shortened."""
    about: dict[str, str] = {}
    notes: list[str] = []
    for kind, key in ((NAME, "name"), *ABOUT.items()):
        texts = [line.text(5) for line in records[kind]]
        text = ", ".join(filter(None, texts))
        if len(text) > MAX_NAME:
            line = records[kind][0].number
            notes.append(f"line {line}: record {kind} is cut to {MAX_NAME} characters")
            text = text[:MAX_NAME].rstrip()
        if text:
            about[key] = iso_date(text) if key in DATES else text
    return about, notes


def _colours(lines: Sequence[Line]) -> str:
    """Colours of the first team, board by board; empty without record 352."""
    for line in lines:
        colours = line.text(5).upper()
        if not re.fullmatch(f"[WB]{{1,{MAX_BOARDS}}}", colours):
            raise line.error(5, None, "board colours", f"1..{MAX_BOARDS} letters W or B")
    return lines[-1].text(5).upper() if lines else ""


@dataclass(frozen=True)
class _Team:
    """A team of record 310 or 013; `members` has the column and start number of each player."""

    line: Line
    number: int
    name: str
    members: tuple[tuple[int, int], ...]


def _teams(records: Mapping[str, Sequence[Line]], file: str) -> list[_Team]:
    """The teams in the order of their numbers."""
    lines = records["310"] or records["013"]
    teams: dict[int, _Team] = {}
    names: set[str] = set()
    for index, line in enumerate(lines, start=1):
        if records["310"]:
            number = line.integer(5, 7, "team number", 1, 999)
            name, first, last, members = line.text(9, 40), 9, 40, 74
        else:
            number, name, first, last, members = index, line.text(5, 36), 5, 36, 37
        if not name or name in names:
            raise line.error(first, last, "team name", "a name, each team once")
        if number in teams:
            raise line.error(5, 7, "team number", "each team once")
        if len(teams) == MAX_TEAMS:
            raise line.error(first, last, "team name", f"one of at most {MAX_TEAMS} teams")
        names.add(name)
        listed = line.listed(members, 4, "start number", MAX_PLAYERS)
        teams[number] = _Team(line, number, name, tuple((c, n) for c, n in listed if n))
    if len(teams) < 2:
        raise InputError(
            f"{file}: must list at least 2 teams (records 310 or 013), got {len(teams)}"
        )
    return [teams[number] for number in sorted(teams)]


def _players(
    lines: Sequence[Line], teams: Sequence[_Team]
) -> tuple[tuple[Player, ...], dict[int, int]]:
    """The players, team by team in line-up order; and their numbers by start number."""
    by_start: dict[int, Line] = {}
    known: set[int] = set()
    for line in lines:
        start = line.integer(5, 8, "start number", 1, MAX_PLAYERS)
        if start in by_start:
            raise line.error(5, 8, "start number", "each player once")
        by_start[start] = line
    players: list[Player] = []
    numbers: dict[int, int] = {}
    for index, team in enumerate(teams):
        for column, start in team.members:
            if start not in by_start:
                raise team.line.error(column, column + 3, "start number", "a player (record 001)")
            if start in numbers:
                raise team.line.error(column, column + 3, "start number", "each player once")
            line = by_start[start]
            fide_id = line.integer(58, 68, "FIDE number", 0, MAX_FIDE_ID, default=0)
            if fide_id in known:
                raise line.error(58, 68, "FIDE number", "each player once")
            if fide_id:
                known.add(fide_id)
            if not line.text(15, 47):
                raise line.error(15, 47, "name", "a name")
            numbers[start] = len(players)
            players.append(
                Player(
                    team=index,
                    name=line.text(15, 47),
                    fide_id=fide_id,
                    rating=line.integer(49, 52, "rating", 0, MAX_RATING, default=0),
                    title=line.text(11, 13),
                    sex=line.text(10, 10),
                    federation=line.text(54, 56),
                    birth=iso_date(line.text(70, 79)),
                )
            )
    return tuple(players), numbers
