"""The boards of a Tournament Report File, which nothing else needs: who sat where, with White.

Boards are numbered in the order of the line-ups: record 300, else the order of the team.
"""

from __future__ import annotations

import itertools
from collections import defaultdict, deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from tb2learn.events.files.pairings import Pairing
from tb2learn.events.files.trf_records import (
    ALTERNATING,
    NUMBER,
    Place,
    RoundEntry,
    Trf,
    TrfRecord,
)
from tb2learn.events.parts import Game
from tb2learn.types import MAX_BOARDS


@dataclass(frozen=True)
class Forfeit:
    """A forfeited match: who had white on board 1, and each team's half points per board."""

    line: TrfRecord
    white: int
    points: Mapping[int, int]


LineUp = Sequence[RoundEntry | None]
"""The entries of a team in a round in board order; None for a board that record 300 leaves empty.
"""


def read_line_ups(trf: Trf) -> dict[Place, LineUp]:
    """Line-ups by round and team: those of records 300, else in the order of the team."""
    sides: dict[Place, list[RoundEntry]] = defaultdict(list)
    for (r, player), entry in sorted(trf.entries.items()):
        sides[r, trf.team(player)].append(entry)
    line_ups: dict[Place, LineUp] = {**sides}
    seen, end = set[Hashable](), trf.unfinished
    for row in trf.line_ups:
        r, line = row.round, row.line
        if row.team not in trf.teams:
            raise line.error("team", NUMBER)
        team = trf.teams[row.team]
        if r >= end or (r, team) in trf.without_boards:
            continue
        # Two line-ups of a team in a round: which one sat there is not known.
        line.check_once(seen, (r, team), "team", "each team once a round")
        if row.opponent and row.opponent not in trf.teams:
            raise line.error("opponent", NUMBER)
        if row.opponent and not trf.meet(r, team, trf.teams[row.opponent]):
            raise line.error("opponent", "the team's opponent in the round")
        listed: list[RoundEntry | None] = []
        present = {entry.player: entry for entry in sides.get((r, team), ())}
        for column, start in row.players:
            entry = present.pop(trf.numbers.get(start, -1), None)
            if start and entry is None:
                raise line.error(
                    column,
                    "0000 or a player of the team on a board of the round, each once (without the "
                    "record its boards are in the order of the team)",
                )
            # Zeros at the end are boards, too.
            if len(listed) == MAX_BOARDS:
                raise line.error(column, f"one of {MAX_BOARDS} boards")
            listed.append(entry)
        # Who is on a board without being listed comes last.
        line_ups[r, team] = [*listed, *present.values()]
    return line_ups


_Seat = tuple[RoundEntry | None, RoundEntry | None]
"""One board of a match: the entries of both players, that of the lower numbered team first."""


def _seats(lower: LineUp, higher: LineUp, boards: int) -> dict[int, _Seat]:
    """The boards of a match by their numbers, by walking both line-ups in parallel."""
    sides = deque(lower), deque(higher)
    entries = {entry.player: entry for entry in (*lower, *higher) if entry is not None}
    seated: set[int] = set()
    seats: dict[int, _Seat] = {}
    for board in itertools.count(1):
        for line_up in sides:  # skip players seated already, as opponents
            while line_up and line_up[0] is not None and line_up[0].player in seated:
                line_up.popleft()
        if not any(sides):
            break
        seat = _next_seat(sides, entries)
        for line_up, entry in zip(sides, seat, strict=True):
            if line_up and line_up[0] is entry:
                line_up.popleft()
        if any(seat):  # a board that both line-ups leave empty keeps its number
            seats[board] = seat
            seated.update(entry.player for entry in seat if entry is not None)
    return seats if max(seats, default=0) <= boards else _join_lone_players(seats, boards)


def _next_seat(
    sides: tuple[deque[RoundEntry | None], deque[RoundEntry | None]],
    entries: Mapping[int, RoundEntry],
) -> _Seat:
    """Who sits on the next board, of those who are first in both line-ups."""
    lower, higher = (line_up[0] if line_up else None for line_up in sides)
    paired = [entry is not None and entry.opponent is not None for entry in (lower, higher)]
    alone = [bool(line_up) and not has for line_up, has in zip(sides, paired, strict=True)]
    if any(paired) and any(alone):
        # A board with one player, or an empty one, comes before those of the pair.
        return (lower if alone[0] else None), (higher if alone[1] else None)
    if lower is not None and lower.opponent is not None:
        # The line-ups may contradict each other: that of the lower team counts.
        return lower, entries[lower.opponent]
    if sum(entry.half_points for entry in (lower, higher) if entry is not None) > 2:
        return lower, None  # both won by default, so these are two boards
    return lower, higher


def _join_lone_players(seats: dict[int, _Seat], boards: int) -> dict[int, _Seat]:
    """Fewer boards: two players who stand against nobody, not both winners, share one."""
    for a, b in itertools.product(sorted(seats)[: 2 * MAX_BOARDS], repeat=2):
        if len(seats) > boards and a in seats and b in seats:
            lower, higher = seats[a][0], seats[b][1]
            if lower and higher and seats[a][1] is None is seats[b][0]:
                if lower.half_points + higher.half_points <= 2:
                    seats[min(a, b)] = lower, higher
                    del seats[max(a, b)]
    return {board: seats[old] for board, old in enumerate(sorted(seats), start=1)}


def _white(seat: _Seat) -> int | None:
    """Who has white: 0 for the lower team, 1 for the other, None if it is not recorded."""
    for index, entry in enumerate(seat):
        if entry is not None and entry.colour:
            return index if entry.colour == "w" else 1 - index
    return None


def read_matches(trf: Trf, forfeits: Mapping[Place, Forfeit]) -> dict[Place, Pairing]:
    """The matches of finished rounds by round and lower team, without numbers."""
    line_ups = read_line_ups(trf)
    matches: dict[Place, Pairing] = {}
    for (r, team), opponent in sorted(trf.opponent_of_team.items()):
        if team > opponent:
            continue
        if pair := trf.open.get((r, team)):
            matches[r, team] = Pairing(r, 0, *pair, is_open=True)
        if pair or r > trf.rounds:
            continue
        for entrant in (team, opponent):
            for letter, entry in trf.letters.get((r, entrant), {}).items():
                if letter != "Z":
                    allowed = "+, -, Z or blank where the team has an opponent"
                    raise entry.error("result", allowed)
        ours, theirs = (line_ups.get((r, side), ()) for side in (team, opponent))
        seats = _seats(ours, theirs, trf.boards)
        forfeit = forfeits.get((r, team))
        matches[r, team] = _pairing(trf, r, (team, opponent), seats, forfeit)
    return matches


def _pairing(
    trf: Trf, r: int, teams: tuple[int, int], seats: Mapping[int, _Seat], forfeit: Forfeit | None
) -> Pairing:
    """A match with its games; the first of its teams has white on board 1."""
    first, colours = teams[0], trf.colours or ALTERNATING
    if forfeit:
        # A record 330 names the team with White, though nobody sat down.
        first = forfeit.white
        if not _agrees(forfeit, teams, seats):
            _say_contradicted(trf, forfeit.line, (r, *teams))
        elif any(forfeit.points.values()) and not any(map(_scored, seats.values())):
            # Boards that no entry has are all won by default.
            second = teams[first == teams[0]]
            half = trf.boards * forfeit.points[first], trf.boards * forfeit.points[second]
            return Pairing(r, 0, first, second, half_points=half, played=False)
    for board, seat in seats.items():
        entry = seat[0] or seat[1]
        if board > trf.boards and entry is not None:
            raise entry.error("opponent", f"on one of {trf.boards} boards")
    for board, seat in seats.items():
        # The first board with a colour tells those of all.
        if (white := _white(seat)) is not None:
            first = teams[white if colours[board - 1] == "W" else 1 - white]
            break
    games = [_game(trf, r, teams, first, board, seat) for board, seat in seats.items()]
    return Pairing(r, 0, first, teams[first == teams[0]], games=games)


def _scored(seat: _Seat) -> bool:
    return any(entry and entry.half_points for entry in seat)


def _agrees(forfeit: Forfeit, teams: tuple[int, int], seats: Mapping[int, _Seat]) -> bool:
    """Whether the boards of a match have no game, and won it for the side that record 330 has."""
    if any(entry and entry.played for seat in seats.values() for entry in seat):
        return False
    a, b = (sum(e.half_points for seat in seats.values() if (e := seat[k])) for k in (0, 1))
    won = [forfeit.points[team] for team in teams]
    return a == b == 0 or (a > b and won[0] > 0) or (a < b and won[1] > 0)


def _say_contradicted(trf: Trf, line: TrfRecord, match: tuple[int, int, int]) -> None:
    """Note that a record 330 and the games of its match differ, as in FIDE's sample of the form."""
    r, *sides = match
    trf.notes.note_assumption(
        "record 330 says otherwise than the games of the match, which count", line,
        lambda: line.error("type", "as the games of the match say"),
        whom=("team", f"{' - '.join(trf.names[side] for side in sides)} in round {r}"),
        wrong="points",
    )  # fmt: skip


def _game(trf: Trf, r: int, teams: tuple[int, int], first: int, board: int, seat: _Seat) -> Game:
    """The game of one board; `first` is the team that has white on board 1."""
    white_side, colours = _white(seat), trf.colours or ALTERNATING
    if white_side is None:
        white_side = int((first == teams[0]) != (colours[board - 1] == "W"))
    sides = teams if white_side == 0 else teams[::-1]
    entries = seat if white_side == 0 else seat[::-1]
    players = [entry and entry.player for entry in entries]
    half = [entry.half_points if entry else 0 for entry in entries]
    ratings = [0 if player is None else trf.players[player].rating for player in players]
    played = any(entry and entry.played for entry in entries)
    return Game(
        r, 0, board, sides[0], sides[1], players[0], players[1], half[0], half[1], played,
        ratings[0], ratings[1],
    )  # fmt: skip
