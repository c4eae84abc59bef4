"""The boards of the matches in a Tournament Report File, line-ups and forfeited matches.

`find_seats` numbers the boards. `trf_read` lists the conventions for ambiguous records.

Teams and players are numbered from 0, rounds from 1. The key of a match is its round and the lower
of its two team numbers; the key of a bye or a line-up is the round and the team.
"""

from __future__ import annotations

import itertools
from collections import defaultdict, deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from tb2learn.events.formats.trf_draw import Draw, Place, RoundEntry
from tb2learn.events.formats.trf_lines import (
    ALTERNATING,
    COLUMNS,
    MAX_PLAYERS,
    Columns,
    Line,
    Records,
)
from tb2learn.events.parts import Game, Match, Player
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS

FORFEITS = {"+-": (2, 0), "-+": (0, 2), "--": (0, 0)}
_BOTH = Columns(COLUMNS["330"]["white"][0], COLUMNS["330"]["black"][1], "teams")


@dataclass(frozen=True)
class Forfeit:
    """A forfeited match: who had white on board 1, and each team's half points per board."""

    line: Line
    white: int
    points: Mapping[int, int]


def read_forfeits(records: Records, draw: Draw) -> dict[Place, Forfeit]:
    """Read the forfeited matches of records 330.

    **Arguments:** `draw`: who met whom; the teams of forfeited matches are added.

    **Returns:** the forfeits of finished rounds, by match.

    **Raises:** `InputError` if a team has another opponent, or a match appears twice.
    """
    found: dict[Place, Forfeit] = {}
    for line in records["330"]:
        points = FORFEITS.get(line.text("type"))
        if points is None:
            raise line.error("type", f"one of {', '.join(FORFEITS)}")
        round_number = line.integer("round", 1, MAX_ROUNDS)
        white, black = (line.team(side, draw.roster.teams) for side in ("white", "black"))
        if round_number >= draw.unfinished:
            continue
        if not draw.meet(round_number, white, black):
            raise line.error(_BOTH, "the teams of one match of the round")
        place = (round_number, min(white, black))
        if place in found:
            raise line.error(_BOTH, "each match once")
        found[place] = Forfeit(line, white, dict(zip((white, black), points, strict=True)))
    return found


@dataclass(frozen=True)
class Seat:
    """One board of a match: the entries of both players, that of the lower numbered team first."""

    board: int
    lower: RoundEntry | None
    other: RoundEntry | None


def read_line_ups(records: Records, draw: Draw) -> dict[Place, list[RoundEntry | None]]:
    """Line-ups in board order: those of records 300, else in the order of the team.

    **Returns:** the entries by round and team; None for a board that record 300 leaves empty.

    **Raises:** `InputError` if a record contradicts the entries of the players.
    """
    found: dict[Place, list[RoundEntry | None]] = defaultdict(list)
    for place, entry in sorted(draw.entries.items()):
        found[place[0], draw.team(entry.player)].append(entry)
    teams, seen = draw.roster.teams, set[Hashable]()
    for line in records["300"]:
        round_number = line.integer("round", 1, MAX_ROUNDS)
        team = line.team("team", teams)
        place = (round_number, team)
        if round_number >= draw.unfinished:
            continue
        line.once(seen, place, "team", "each team once a round")
        named = line.integer("opponent", 0, 999, default=0)
        if named and not draw.meet(round_number, team, line.team("opponent", teams)):
            raise line.error("opponent", "the team's opponent in the round")
        listed: list[RoundEntry | None] = []
        present = {entry.player: entry for entry in found[place] if entry is not None}
        for column, start in line.listed("start number", MAX_PLAYERS):
            entry = present.pop(draw.roster.numbers.get(start, -1), None)
            if start and entry is None:
                allowed = (
                    "0000 or a player of the team on a board of the round, each once (without the "
                    "record its boards are in the order of the team)"
                )
                raise line.error(column, allowed)
            if len(listed) == MAX_BOARDS:
                raise line.error(column, f"one of {MAX_BOARDS} boards")
            listed.append(entry)
        found[place] = [*listed, *present.values()]
    return found


def find_seats(
    draw: Draw,
    line_ups: Mapping[Place, Sequence[RoundEntry | None]],
    forfeits: Mapping[Place, Forfeit],
    rounds: int,
    boards: int,
) -> dict[Place, list[Seat]]:
    """Number the boards of every match.

    **Arguments:**

    - `draw`, `line_ups`, `forfeits`: as read.
    - `rounds`: number of finished rounds; later ones are left out.
    - `boards`: the most boards that a match may have.

    **Returns:** the boards by match; none for a match that was forfeited as a whole.

    **Raises:** `InputError` for a bye of a player whose team has an opponent, for too many boards,
    or for a forfeit that the boards contradict.
    """
    found = {}
    for place, other in draw.rivals.items():
        round_number, team = place
        if team > other or round_number > rounds:
            continue
        for letters in (draw.letters.get(place, {}), draw.letters.get((round_number, other), {})):
            for letter, entry in letters.items():
                if letter != "Z":
                    allowed = "+, -, Z or blank where the team has an opponent"
                    raise entry.error("result", allowed)
        seats = _side_by_side(line_ups.get(place, ()), line_ups.get((round_number, other), ()))
        for seat in seats:
            entry = seat.lower or seat.other
            if seat.board > boards and entry is not None:
                raise entry.error("opponent", f"on one of {boards} boards")
        if place in forfeits:
            seats = _as_forfeited(forfeits[place], seats, (team, other))
        found[place] = seats
    return found


def _side_by_side(
    lower: Sequence[RoundEntry | None], other: Sequence[RoundEntry | None]
) -> list[Seat]:
    """Number the boards of a match by walking both line-ups in parallel."""
    sides = (deque(lower), deque(other))
    opponents = {entry.player: entry for entry in (*lower, *other) if entry is not None}
    seated: set[int] = set()
    seats: list[Seat] = []
    for board in itertools.count(1):
        for side in sides:  # skip players seated already, as opponents
            while side and side[0] is not None and side[0].player in seated:
                side.popleft()
        if not any(sides):
            break
        pair = [side[0] if side else None for side in sides]
        paired = [entry is not None and entry.opponent is not None for entry in pair]
        alone = [bool(side) and not has for side, has in zip(sides, paired, strict=True)]
        if any(paired) and any(alone):  # a board with one player, or an empty one, comes first
            pair = [
                entry if is_alone else None for entry, is_alone in zip(pair, alone, strict=True)
            ]
        elif pair[0] is not None and pair[0].opponent is not None:
            pair[1] = opponents[pair[0].opponent]
        elif sum(entry.half_points for entry in pair if entry is not None) > 2:
            pair[1] = None  # both won by default, so these are two boards
        for side, entry in zip(sides, pair, strict=True):
            if side and side[0] is entry:
                side.popleft()
        if any(pair):
            seats.append(Seat(board, *pair))
            seated.update(entry.player for entry in pair if entry is not None)
    return seats


def _as_forfeited(forfeit: Forfeit, seats: list[Seat], teams: tuple[int, int]) -> list[Seat]:
    """The boards of a forfeited match; none if they do not show who won it."""
    entries = [(seat.lower, seat.other) for seat in seats]
    lower = sum(entry.half_points for entry, _ in entries if entry)
    other = sum(entry.half_points for _, entry in entries if entry)
    won, lost = (forfeit.points[team] for team in teams)
    played = any(entry is not None and entry.played for pair in entries for entry in pair)
    nobody = lower == other == 0
    if played or not (nobody or (lower > other and won) or (lower < other and lost)):
        raise forfeit.line.error("type", "as the games of the match say")
    return [] if nobody and (won or lost) else seats


def forfeited_match(match: Match, forfeit: Forfeit, boards: int) -> Match:
    """A match that was forfeited on all boards."""
    points = forfeit.points
    decided = boards if any(points.values()) else 0
    return replace(
        match,
        half_points_a=boards * points[match.team_a],
        half_points_b=boards * points[match.team_b or 0],
        boards_decided=decided,
        boards_forfeited=decided,
    )


def _white(seat: Seat) -> int | None:
    """Who has white: 0 for the lower team, 1 for the other, None if it is not recorded."""
    for side, entry in enumerate((seat.lower, seat.other)):
        if entry is not None and entry.colour:
            return side if entry.colour == "w" else 1 - side
    return None


def first_team(
    seats: Sequence[Seat], teams: tuple[int, int], forfeit: Forfeit | None, colours: str
) -> int:
    """The team that has white on board 1."""
    for seat in seats:
        white = _white(seat)
        if white is not None:
            return teams[white if (colours or ALTERNATING)[seat.board - 1] == "W" else 1 - white]
    return teams[0] if forfeit is None else forfeit.white


def seat_game(
    key: tuple[int, int],
    seat: Seat,
    teams: tuple[int, int],
    players: Sequence[Player],
    colours: str,
) -> Game:
    """The game of one board.

    **Arguments:**

    - `key`: round and number of the match.
    - `seat`: the board.
    - `teams`: of the match, first the one with white on board 1.
    - `players`: of the event.
    - `colours`: colours of that team by board, as in record 352; may be empty.
    """
    side = _white(seat)
    if side is None:
        first = (colours or ALTERNATING)[seat.board - 1] == "W"
        side = int(teams[0 if first else 1] != min(teams))
    entries = (seat.lower, seat.other) if side == 0 else (seat.other, seat.lower)
    white, black = (None if entry is None else entry.player for entry in entries)
    white_points, black_points = (0 if entry is None else entry.half_points for entry in entries)
    lower, other = min(teams), max(teams)
    return Game(
        *key,
        seat.board,
        *((lower, other) if side == 0 else (other, lower)),
        white,
        black,
        white_points,
        black_points,
        any(entry is not None and entry.played for entry in entries),
        0 if white is None else players[white].rating,
        0 if black is None else players[black].rating,
    )
