"""Events as FIDE's Tournament Report File (TRF), versions of 2016 and 2026.

A line is a record: its type in columns 1-3, its fields in fixed columns, which are characters,
counted from 1. A file knows players and their opponents, not matches: a match is what the members
of two teams played in a round. What else it says (line-ups, byes, forfeited matches, abnormal
points: records 300, 320, 240, 330, 299) is applied on top.

How the ambiguities are read:

- A board is a player's game, or a point won or lost by default. Boards are numbered along the
  line-ups: the order of the team (310, else 013), or 300. Where the line-ups of both teams
  contradict each other, the lower numbered team's counts.
- Players of both teams who stand against `0000`, and not both as winners, were paired if each is
  the next one in line.
- A player who lost by default need not have an entry of his own: the winner's names him.
- Colours that are not recorded follow 352, else every other board has white.
- A team without an opponent has the bye of 320 or 240, else the best one among its players: a win
  by default, F, U, H, Z or a loss by default.
- 162 holds its symbols at 6, 15, 24, ... (as in FIDE's table), not at 5, 13 (as in its prose).
- A 299 for teams in a round gives the points of that round; any other one, those of all results of
  its type. Without a type it is a penalty, which belongs to no round: refused.
- Records of other types (ratings of a federation, readable cross-tables, tie-breaks) refer to start
  numbers of this file, or follow from the games: they are named, not carried over.
- Points, ranks and strengths that follow from the games are not read.
"""

from __future__ import annotations

import codecs
import heapq
import itertools
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Literal

from tb2learn.events.formats.source import MAX_BYTES, MAX_NAME, MAX_RATING, refusal
from tb2learn.events.model import (
    BYE_MATCH_POINTS,
    Bye,
    EventData,
    Game,
    Match,
    Player,
    bye_half_points,
    matches_of,
    team_ratings,
    unfinished_note,
)
from tb2learn.text import quoted, shown
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS, InputError

Version = Literal[2016, 2026]

MAX_PLAYERS = 9999
MAX_LINES = 20_000  # of one type of record
MAX_LINE = 100_000
MAX_TYPES = 100  # of records that are not read

_NAME = "012"
_ABOUT = {
    "022": "city",
    "032": "federation",
    "042": "start",
    "052": "end",
    "092": "type",
    "102": "arbiter",
    "112": "deputy",
    "122": "time",
}
_DATES = ("start", "end")
_ROUNDS = ("142", "XXR")
_READ = (_NAME, *_ABOUT, *_ROUNDS, "162", "352", "362", "001", "013", "310",
         "300", "320", "330", "240", "299")  # fmt: skip

_PLAYED = {"1": 2, "W": 2, "=": 1, "D": 1, "0": 0, "L": 0}
_UNPLAYED = {"+": 2, "-": 0}
_LETTERS: Mapping[Bye, str] = {"full": "F", "pairing": "U", "half": "H", "zero": "Z"}
_BYES: Mapping[str, Bye] = {letter: bye for bye, letter in _LETTERS.items()}
_BEST_FIRST: tuple[Bye, ...] = ("default", *_LETTERS)
_FORFEITS = {"+-": (2, 0), "-+": (0, 2), "--": (0, 0)}
_ALTERNATING = "WB" * MAX_BOARDS

# Where the points of a scoring record start, how long its symbols are, half points of each.
_SCORING = {
    "162": (1, {"W": 2, "D": 1, "L": 0, "A": 0, "P": None, "X": None}),
    "362": (2, {"TW": 4, "TD": 2, "TL": 0}),
}


def read_trf(data: bytes, file: str) -> EventData:
    """Read a team event from a Tournament Report File of either version.

    Lines end with CR, LF or CRLF; the text is UTF-8 or else Latin-1. Types of records that are not
    known are left alone.

    **Arguments:**

    - `data`: the content, at most `MAX_BYTES`.
    - `file`: its name, for messages, and for the event if the content does not name it.

    **Returns:** an `EventData` with players and games; the matches of a round are numbered by the
    lower of their team numbers.

    **Raises:** `InputError`, one line with file, line and columns, for anything that is not a
    possible event.
    """
    file = shown(file)
    records, others = _records(data, file)
    _check_scoring(records)
    about, notes = _about(records)
    teams = _teams(records, file)
    players, numbers = _players(records["001"], teams)
    strays = len(records["001"]) - len(players)
    if strays:
        notes.append(f"players of no team are left out: {strays}")
    planned = [
        line.integer(4, None, "rounds", 1, MAX_ROUNDS) for kind in _ROUNDS for line in records[kind]
    ]
    colours = _colours(records["352"])

    draw = _draw(records["001"], players, numbers)
    if draw.unfinished <= MAX_ROUNDS:
        notes.extend(unfinished_note(draw.unfinished))
    team_numbers = {team.number: index for index, team in enumerate(teams)}
    forfeits = _forfeits(records["330"], team_numbers, draw)
    line_ups = _line_ups(records["300"], team_numbers, numbers, draw)
    rounds = max((key[0] for key in (*draw.entries, *forfeits)), default=0)
    seats = _seats(draw, line_ups, forfeits, rounds, len(colours) or MAX_BOARDS)
    if not any(seats.values()):
        raise InputError(f"{file}: must hold at least one game of a finished round")
    boards = len(colours) or max(seat.board for match in seats.values() for seat in match)
    byes = _byes(records, team_numbers, draw, rounds, boards)

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
        first = _first(seats[place], (team, other), forfeits.get(place), colours)
        pairs[key] = (first, team + other - first)
        games += (_game(key, seat, pairs[key], players, colours) for seat in seats[place])
    for match in matches_of(games, pairs):
        place = (match.round, min(pairs[match.round, match.number]))
        if not seats[place] and place in forfeits:
            match = _forfeited(match, forfeits[place], boards)
        matches[match.round, match.number] = match
    return EventData(
        name=about.pop("name", None) or PurePath(file).stem or file,
        teams=tuple(team.name for team in teams),
        rounds=rounds,
        boards=boards,
        matches=_abnormal(
            records["299"], team_numbers, [matches[key] for key in sorted(matches)], rounds, boards
        ),
        ratings=team_ratings(len(teams), players, games),
        players=players,
        games=tuple(games),
        planned=max(rounds, *planned, 0),
        about=about,
        notes=tuple(notes),
        left_alone=tuple(f"records {kind}" for kind in sorted(others)),
    )


# --------------------------------------------------------------------------- records

_LINE = re.compile(r"([^\r\n]{3})[^\r\n]*")


class _Line:
    """One record: its fields by their columns, with the place of every field."""

    def __init__(self, file: str, found: re.Match[str]) -> None:
        self._file, self._found = file, found
        self.content = found[0].rstrip()

    @property
    def number(self) -> int:
        """Counted from 1; only needed where something is said of the line."""
        text, end = self._found.string, self._found.start()
        ends = text.count("\n", 0, end) + text.count("\r", 0, end) - text.count("\r\n", 0, end)
        return ends + 1

    def text(self, first: int, last: int | None = None) -> str:
        return self.content[first - 1 : last].strip()

    def error(self, first: int, last: int | None, field: str, allowed: str) -> InputError:
        if last is None:
            where = f"columns {first} on"
        else:
            where = f"column {first}" if first == last else f"columns {first}-{last}"
        got = self.text(first, last)
        return refusal(self._file, self.number, f"{where} ({field})", allowed, got)

    def integer(
        self,
        first: int,
        last: int | None,
        field: str,
        low: int,
        high: int,
        default: int | None = None,
    ) -> int:
        """A whole number; the default where the field is empty."""
        value = self.text(first, last)
        if not value and default is not None:
            return default
        if not re.fullmatch(r"[0-9]{1,11}", value, re.ASCII) or not low <= int(value) <= high:
            raise self.error(first, last, field, f"a whole number {low}..{high}")
        return int(value)

    def half_points(self, first: int, last: int, field: str, high: int) -> int | None:
        """Points as half points; None where the field is empty."""
        value = self.text(first, last)
        if not value:
            return None
        match = re.fullmatch(r"([0-9]{1,3})(?:[.,](0|5)0*)?", value, re.ASCII)
        points = 2 * int(match[1]) + (match[2] == "5") if match else -1
        if not 0 <= points <= 2 * high:
            raise self.error(first, last, field, f"0..{high} in steps of 0.5")
        return points

    def match_points(self, first: int, last: int) -> int | None:
        points = self.half_points(first, last, "match points", 2)
        if points is not None and points % 2:
            raise self.error(first, last, "match points", "0, 1 or 2")
        return None if points is None else points // 2

    def listed(self, first: int, width: int, field: str, high: int) -> Iterator[tuple[int, int]]:
        """The numbers that stand one blank apart, each with its column; 0 for none."""
        for column in range(first, len(self.content) + 1, width + 1):
            yield column, self.integer(column, column + width - 1, field, 0, high, default=0)

    def team(self, first: int, last: int, teams: Mapping[int, int]) -> int:
        number = self.integer(first, last, "team number", 0, 9999, default=0)
        if number not in teams:
            raise self.error(first, last, "team number", "the number of a team (record 310 or 013)")
        return teams[number]


def _records(data: bytes, file: str) -> tuple[dict[str, list[_Line]], set[str]]:
    """The records of known types, by type; and the other types there are, but for comments."""
    if len(data) > MAX_BYTES:
        raise InputError(f"{file}: must be at most {MAX_BYTES} bytes, has more")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    found: dict[str, list[_Line]] = {kind: [] for kind in _READ}
    others: set[str] = set()
    for match in _LINE.finditer(text):
        if (lines := found.get(match[1])) is None:
            if match[1] not in others and len(others) < MAX_TYPES and match[1] != "###":
                others.add(match[1])
            continue
        line = _Line(file, match)
        if len(line.content) > MAX_LINE:
            raise line.error(MAX_LINE + 1, None, "line", f"blank: a line has at most {MAX_LINE}")
        if "\0" in line.content:
            raise InputError(f"{file}: line {line.number}: a NUL character is not allowed")
        if len(lines) == MAX_LINES:
            allowed = f"of a type that stands at most {MAX_LINES} times"
            raise line.error(1, 3, "record", allowed)
        lines.append(line)
    return found, others


def _check_scoring(records: Mapping[str, Sequence[_Line]]) -> None:
    """Refuse points other than 1, 1/2, 0 a game and 2, 1, 0 a match: no rule here knows others."""
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


def _iso(date: str) -> str:
    """A date as ISO 8601 writes it, if it is a whole one; the file writes 2026/09/15."""
    return re.sub(r"([0-9]{4})[./]([0-9]{2})[./]([0-9]{2})", r"\1-\2-\3", date)


def _about(records: Mapping[str, Sequence[_Line]]) -> tuple[dict[str, str], list[str]]:
    """What the file says of the event, and what was cut."""
    about: dict[str, str] = {}
    notes: list[str] = []
    for kind, key in ((_NAME, "name"), *_ABOUT.items()):
        texts = [line.text(5) for line in records[kind]]
        text = ", ".join(filter(None, texts))
        if len(text) > MAX_NAME:
            line = records[kind][0].number
            notes.append(f"line {line}: more than {MAX_NAME} characters of record {kind}: cut")
            text = text[:MAX_NAME].rstrip()
        if text:
            about[key] = _iso(text) if key in _DATES else text
    return about, notes


def _colours(lines: Sequence[_Line]) -> str:
    """Colours of the first team, board by board; empty where no record says."""
    for line in lines:
        colours = line.text(5).upper()
        if not re.fullmatch(f"[WB]{{1,{MAX_BOARDS}}}", colours):
            raise line.error(5, None, "board colours", f"1..{MAX_BOARDS} letters W or B")
    return lines[-1].text(5).upper() if lines else ""


@dataclass(frozen=True)
class _Team:
    """A team as a record lists it: `members` are start numbers with their columns."""

    line: _Line
    number: int
    name: str
    members: tuple[tuple[int, int], ...]


def _teams(records: Mapping[str, Sequence[_Line]], file: str) -> list[_Team]:
    """The teams by number."""
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
    lines: Sequence[_Line], teams: Sequence[_Team]
) -> tuple[tuple[Player, ...], dict[int, int]]:
    """The players team by team in line-up order, and their places in that list by start number."""
    by_start: dict[int, _Line] = {}
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
            fide_id = line.integer(58, 68, "FIDE number", 0, 10**9 - 1, default=0)
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
                    birth=_iso(line.text(70, 79)),
                )
            )
    return tuple(players), numbers


# --------------------------------------------------------------------------- who met whom


@dataclass(frozen=True)
class _Entry:
    """A board as one of its players has it.

    **Fields:**

    - `line`, `column`: where the entry starts.
    - `player`, `opponent`: numbers of players; None against `0000`.
    - `colour`: `w`, `b` or empty.
    """

    line: _Line
    column: int
    player: int
    opponent: int | None
    colour: str
    half_points: int
    played: bool

    def error(self, round_number: int, field: str, allowed: str) -> InputError:
        first, last = {"opponent": (0, 3), "colour": (5, 5), "result": (7, 7)}[field]
        return self.line.error(
            self.column + first, self.column + last, f"{field} of round {round_number}", allowed
        )


@dataclass(frozen=True)
class _Draw:
    """Who met whom, as the records of the players have it.

    **Fields:**

    - `teams`: of the players.
    - `entries`: by round and player, both sides of a board naming each other.
    - `letters`: entries without a board, by round and team, letter and (the first) entry.
    - `rivals`: by round and team the opposing team.
    - `unfinished`: the first round with a board without a result, else one more than can be.
    """

    teams: tuple[int, ...]
    entries: dict[tuple[int, int], _Entry]
    letters: dict[tuple[int, int], dict[str, _Entry]]
    rivals: dict[tuple[int, int], int]
    unfinished: int

    def meet(self, round_number: int, team: int, other: int) -> bool:
        """Take note of a pairing; False if it is none, or one of them has another opponent."""
        return team != other and all(
            self.rivals.setdefault((round_number, a), b) == b
            for a, b in ((team, other), (other, team))
        )


def _draw(lines: Sequence[_Line], players: Sequence[Player], numbers: Mapping[int, int]) -> _Draw:
    """Read what the players have in every round."""
    teams = tuple(player.team for player in players)
    entries: dict[tuple[int, int], _Entry] = {}
    letters: dict[tuple[int, int], dict[str, _Entry]] = defaultdict(dict)
    unfinished = MAX_ROUNDS + 1
    after = 92 + 10 * MAX_ROUNDS
    for line in lines:
        if line.text(after):
            field, allowed = f"round {MAX_ROUNDS + 1}", f"blank: at most {MAX_ROUNDS} rounds"
            raise line.error(after, None, field, allowed)
        player = numbers.get(line.integer(5, 8, "start number", 1, MAX_PLAYERS))
        for round_number in range(1, MAX_ROUNDS + 1):
            column = 82 + 10 * round_number
            result = line.text(column + 7, column + 7).upper()
            if not result and not line.text(column, column + 5):
                continue
            entry = _entry(line, column, round_number, player or 0, numbers)
            on_board = result in _PLAYED or result in _UNPLAYED
            if entry.opponent is not None and not result:
                unfinished = min(unfinished, round_number)
            elif player is None:
                if on_board:
                    raise line.error(5, 8, "start number", "a member of a team (record 310 or 013)")
            elif on_board:
                entries[round_number, player] = entry
            elif result:
                letters[round_number, teams[player]].setdefault(result, entry)
    finished = {key: entry for key, entry in entries.items() if key[0] < unfinished}
    draw = _Draw(teams, finished, letters, {}, unfinished)
    _pair(draw)
    return draw


def _entry(
    line: _Line, column: int, round_number: int, player: int, numbers: Mapping[int, int]
) -> _Entry:
    """What a player has in a round."""
    against = line.integer(
        column, column + 3, f"opponent of round {round_number}", 0, MAX_PLAYERS, default=0
    )
    colour = line.text(column + 5, column + 5).lower()
    result = line.text(column + 7, column + 7).upper()
    entry = _Entry(
        line=line,
        column=column,
        player=player,
        opponent=numbers.get(against),
        colour=colour if colour in ("w", "b") else "",
        half_points=_PLAYED.get(result, _UNPLAYED.get(result, 0)),
        played=result in _PLAYED,
    )
    if against and entry.opponent is None:
        raise entry.error(round_number, "opponent", "a member of a team (record 310 or 013)")
    if colour not in ("w", "b", "-", ""):
        raise entry.error(round_number, "colour", "w, b, - or blank")
    allowed = (*_PLAYED, *_UNPLAYED) if against else (*_UNPLAYED, *_BYES)
    if result and result not in allowed:
        raise entry.error(
            round_number,
            "result",
            f"one of {' '.join(allowed)} or blank {'for' if against else 'against'} "
            f"{'a board' if against else '0000'}",
        )
    return entry


_POSSIBLE = {(2, 0), (1, 1), (0, 2), (0, 0)}


def _pair(draw: _Draw) -> None:
    """Check that both players of a board say the same, and let who lost by default say it too.

    Entries that name a player who has another opponent are left without one if they are no games.
    """
    named: set[tuple[int, int]] = set()
    for key, entry in sorted(draw.entries.items()):
        round_number, player = key
        if entry.opponent is None:
            continue
        if not draw.meet(round_number, draw.teams[player], draw.teams[entry.opponent]):
            allowed = "of the one other team that the team meets in the round"
            raise entry.error(round_number, "opponent", allowed)
        place = (round_number, entry.opponent)
        back = draw.entries.get(place)
        if back is None and not entry.played:
            back = replace(entry, player=entry.opponent, opponent=player, colour="", half_points=0)
            draw.entries[place] = back
            named.add(place)
        elif back is not None and back.opponent is None and not (entry.played or back.played):
            back = replace(back, opponent=player)
            draw.entries[place] = back
            named.add(place)
        if place in named and not entry.played and back is not None and back.opponent != player:
            draw.entries[key] = replace(entry, opponent=None)
            continue
        if back is None or back.opponent != player:
            raise entry.error(
                round_number, "opponent", "a player whose own entry of the round names this one"
            )
        points = (entry.half_points, back.half_points)
        if entry.played != back.played or points not in _POSSIBLE:
            raise entry.error(
                round_number, "result", f"one that fits the opponent's (line {back.line.number})"
            )
        if entry.colour and entry.colour == back.colour:
            raise entry.error(
                round_number, "colour", f"not the opponent's (line {back.line.number})"
            )


@dataclass(frozen=True)
class _Forfeit:
    """A forfeited match: half points a board of both teams, who has white on board 1."""

    line: _Line
    white: int
    points: Mapping[int, int]


def _forfeits(
    lines: Sequence[_Line], teams: Mapping[int, int], draw: _Draw
) -> dict[tuple[int, int], _Forfeit]:
    """Forfeited matches by round and the lower team."""
    found: dict[tuple[int, int], _Forfeit] = {}
    for line in lines:
        points = _FORFEITS.get(line.text(5, 6))
        if points is None:
            raise line.error(5, 6, "type", f"one of {', '.join(_FORFEITS)}")
        round_number = line.integer(8, 10, "round", 1, MAX_ROUNDS)
        white, black = line.team(12, 14, teams), line.team(16, 18, teams)
        if round_number >= draw.unfinished:
            continue
        if not draw.meet(round_number, white, black):
            raise line.error(12, 18, "teams", "the teams of one match of the round")
        place = (round_number, min(white, black))
        if place in found:
            raise line.error(12, 18, "teams", "each match once")
        found[place] = _Forfeit(line, white, dict(zip((white, black), points, strict=True)))
    return found


# --------------------------------------------------------------------------- boards


@dataclass(frozen=True)
class _Seat:
    """One board of a match: the entries of the lower and of the other team's player."""

    board: int
    lower: _Entry | None
    other: _Entry | None


def _line_ups(
    lines: Sequence[_Line],
    teams: Mapping[int, int],
    numbers: Mapping[int, int],
    draw: _Draw,
) -> dict[tuple[int, int], list[_Entry | None]]:
    """Line-ups by round and team; None for a board that 300 says was empty."""
    found: dict[tuple[int, int], list[_Entry | None]] = defaultdict(list)
    for place, entry in sorted(draw.entries.items()):
        found[place[0], draw.teams[entry.player]].append(entry)
    seen: set[tuple[int, int]] = set()
    for line in lines:
        round_number = line.integer(5, 7, "round", 1, MAX_ROUNDS)
        team = line.team(9, 11, teams)
        place = (round_number, team)
        if round_number >= draw.unfinished:
            continue
        if place in seen:
            raise line.error(9, 11, "team number", "each team once a round")
        seen.add(place)
        named = line.integer(13, 15, "team number", 0, 999, default=0)
        if named and not draw.meet(round_number, team, line.team(13, 15, teams)):
            raise line.error(13, 15, "team number", "the team's opponent in the round")
        listed: list[_Entry | None] = []
        present = {entry.player: entry for entry in found[place] if entry is not None}
        for column, start in line.listed(17, 4, "start number", MAX_PLAYERS):
            entry = present.pop(numbers.get(start, -1), None)
            if start and entry is None:
                allowed = "0000 or a player of the team on a board of the round, each once"
                raise line.error(column, column + 3, "start number", allowed)
            if len(listed) == MAX_BOARDS:
                raise line.error(column, column + 3, "start number", f"one of {MAX_BOARDS} boards")
            listed.append(entry)
        found[place] = [*listed, *present.values()]
    return found


def _seats(
    draw: _Draw,
    line_ups: Mapping[tuple[int, int], Sequence[_Entry | None]],
    forfeits: Mapping[tuple[int, int], _Forfeit],
    rounds: int,
    boards: int,
) -> dict[tuple[int, int], list[_Seat]]:
    """The boards of every match, by round and lower team."""
    found = {}
    for place, other in draw.rivals.items():
        round_number, team = place
        if team > other or round_number > rounds:
            continue
        for letters in (draw.letters.get(place, {}), draw.letters.get((round_number, other), {})):
            for letter, entry in letters.items():
                if letter != "Z":
                    allowed = "+, -, Z or blank where the team has an opponent"
                    raise entry.error(round_number, "result", allowed)
        seats = _side_by_side(line_ups.get(place, ()), line_ups.get((round_number, other), ()))
        for seat in seats:
            entry = seat.lower or seat.other
            if seat.board > boards and entry is not None:
                raise entry.error(round_number, "opponent", f"on one of {boards} boards")
        if place in forfeits:
            seats = _as_forfeited(forfeits[place], seats, (team, other))
        found[place] = seats
    return found


def _side_by_side(lower: Sequence[_Entry | None], other: Sequence[_Entry | None]) -> list[_Seat]:
    """Number the boards of a match along both line-ups."""
    sides = (deque(lower), deque(other))
    opponents = {entry.player: entry for entry in (*lower, *other) if entry is not None}
    seated: set[int] = set()
    seats: list[_Seat] = []
    for board in itertools.count(1):
        for side in sides:  # those whom the other line-up brought to a board before
            while side and side[0] is not None and side[0].player in seated:
                side.popleft()
        if not any(sides):
            break
        pair = [side[0] if side else None for side in sides]
        paired = [entry is not None and entry.opponent is not None for entry in pair]
        alone = [bool(side) and not has for side, has in zip(sides, paired, strict=True)]
        if any(paired) and any(alone):  # one side's player is alone here, or nobody sits
            pair = [
                entry if is_alone else None for entry, is_alone in zip(pair, alone, strict=True)
            ]
        elif pair[0] is not None and pair[0].opponent is not None:
            pair[1] = opponents[pair[0].opponent]
        elif sum(entry.half_points for entry in pair if entry is not None) > 2:
            pair[1] = None  # both won by default: on two boards
        for side, entry in zip(sides, pair, strict=True):
            if side and side[0] is entry:
                side.popleft()
        if any(pair):
            seats.append(_Seat(board, *pair))
            seated.update(entry.player for entry in pair if entry is not None)
    return seats


def _as_forfeited(forfeit: _Forfeit, seats: list[_Seat], teams: tuple[int, int]) -> list[_Seat]:
    """The boards of a forfeited match; none where only the match tells who won it."""
    entries = [(seat.lower, seat.other) for seat in seats]
    lower, other = (
        sum(pair[side].half_points for pair in entries if pair[side]) for side in (0, 1)
    )
    won, lost = (forfeit.points[team] for team in teams)
    played = any(entry is not None and entry.played for pair in entries for entry in pair)
    nobody = lower == other == 0
    if played or not (nobody or (lower > other and won) or (lower < other and lost)):
        raise forfeit.line.error(5, 6, "type", "as the games of the match say")
    return [] if nobody and (won or lost) else seats


def _forfeited(match: Match, forfeit: _Forfeit, boards: int) -> Match:
    """A match of which no board is known."""
    points = forfeit.points
    decided = boards if any(points.values()) else 0
    return replace(
        match,
        half_points_a=boards * points[match.team_a],
        half_points_b=boards * points[match.team_b or 0],
        boards_decided=decided,
        boards_forfeited=decided,
    )


def _white(seat: _Seat) -> int | None:
    """Who has white: 0 the lower team, 1 the other one, None where the record does not say."""
    for side, entry in enumerate((seat.lower, seat.other)):
        if entry is not None and entry.colour:
            return side if entry.colour == "w" else 1 - side
    return None


def _first(
    seats: Sequence[_Seat], teams: tuple[int, int], forfeit: _Forfeit | None, colours: str
) -> int:
    """The team that has white on board 1."""
    for seat in seats:
        white = _white(seat)
        if white is not None:
            return teams[white if (colours or _ALTERNATING)[seat.board - 1] == "W" else 1 - white]
    return teams[0] if forfeit is None else forfeit.white


def _game(
    key: tuple[int, int],
    seat: _Seat,
    teams: tuple[int, int],
    players: Sequence[Player],
    colours: str,
) -> Game:
    """A board as a game; `teams` starts with the one that has white on board 1."""
    side = _white(seat)
    if side is None:
        white = teams[0 if (colours or _ALTERNATING)[seat.board - 1] == "W" else 1]
        side = int(white != min(teams))
    entries = (seat.lower, seat.other) if side == 0 else (seat.other, seat.lower)
    named = [None if entry is None else entry.player for entry in entries]
    ratings = [0 if number is None else players[number].rating for number in named]
    lower, other = min(teams), max(teams)
    return Game(
        *key,
        seat.board,
        *((lower, other) if side == 0 else (other, lower)),
        *named,
        *(0 if entry is None else entry.half_points for entry in entries),
        any(entry is not None and entry.played for entry in entries),
        *ratings,
    )


# --------------------------------------------------------------------------- byes, points


def _byes(
    records: Mapping[str, Sequence[_Line]],
    teams: Mapping[int, int],
    draw: _Draw,
    rounds: int,
    boards: int,
) -> dict[tuple[int, int], Match]:
    """The rounds of teams without an opponent, by round and team; not numbered yet."""
    found: dict[tuple[int, int], Match] = {}

    def take(
        line: _Line, columns: tuple[int, int], round_number: int, bye: Bye, *points: int | None
    ) -> None:
        team, place = line.team(*columns, teams), (round_number, line.team(*columns, teams))
        if round_number > rounds:
            return
        if place in found or place in draw.rivals:
            raise line.error(*columns, "team number", f"without a match or other bye in round "
                             f"{round_number}")  # fmt: skip
        found[place] = _bye(round_number, team, bye, boards, *points)

    for line in records["320"]:
        points = (line.match_points(5, 8), line.half_points(10, 13, "game points", boards))
        for column, number in line.listed(15, 3, "team number", 999):
            round_number = (column - 11) // 4
            if number and round_number > MAX_ROUNDS:
                raise line.error(column, column + 2, "team number", f"in {MAX_ROUNDS} rounds")
            if number:
                take(line, (column, column + 2), round_number, "pairing", *points)
    for line in records["240"]:
        bye = _BYES.get(line.text(5, 5).upper())
        if bye is None or bye == "pairing":
            raise line.error(5, 5, "type", "one of F, H, Z")
        round_number = line.integer(7, 9, "round", 1, MAX_ROUNDS)
        for column, number in line.listed(11, 4, "team number", 9999):
            if number:
                take(line, (column, column + 3), round_number, bye)
    return {**_player_byes(draw, rounds, boards), **found}


def _bye(
    round_number: int,
    team: int,
    bye: Bye,
    boards: int,
    match_points: int | None = None,
    half_points: int | None = None,
) -> Match:
    """A round without an opponent, with its points where they are not those of its kind."""
    standard = bye_half_points(bye, boards)
    half_points = standard if half_points is None else half_points
    if match_points is None and half_points != standard:
        match_points = BYE_MATCH_POINTS[bye]
    elif match_points == BYE_MATCH_POINTS[bye] and half_points == standard:
        match_points = None
    return Match(
        round_number, 0, team, None, half_points, 0, 0, 0, bye, match_points_a=match_points
    )


def _player_byes(draw: _Draw, rounds: int, boards: int) -> dict[tuple[int, int], Match]:
    """Byes that only the entries of the players tell of."""
    kinds: dict[tuple[int, int], set[Bye]] = defaultdict(set)
    won: Counter[tuple[int, int]] = Counter()
    for (round_number, player), entry in draw.entries.items():
        place = (round_number, draw.teams[player])
        kinds[place].add("default" if entry.half_points else "zero")
        won[place] += entry.half_points
    for place, letters in draw.letters.items():
        kinds[place] |= {_BYES[letter] for letter in letters}
    found = {}
    for place, byes in kinds.items():
        if place in draw.rivals or place[0] > rounds:
            continue
        bye = min(byes, key=_BEST_FIRST.index)
        half_points = min(won[place], 2 * boards) if bye == "default" else None
        found[place] = _bye(*place, bye, boards, None, half_points)
    return found


def _type(match: Match, side: int) -> str:
    """How record 299 calls the result of one side of a match."""
    if match.team_b is None:
        return {"default": "+", "pairing": "P"}.get(match.bye, _LETTERS.get(match.bye, ""))
    half_points = (match.half_points_a, match.half_points_b)[side]
    if match.by_default and match.half_points_a != match.half_points_b:
        return "+" if half_points * 2 > match.half_points_a + match.half_points_b else "-"
    if match.by_default and not half_points:
        return "-"
    return "LDW"[replace(match, match_points_a=None, match_points_b=None).match_points[side]]


_TYPES = "WDL+-PFHZ"


def _abnormal(
    lines: Sequence[_Line],
    teams: Mapping[int, int],
    matches: list[Match],
    rounds: int,
    boards: int,
) -> tuple[Match, ...]:
    """The matches with the points that record 299 gives to some."""
    sides: dict[tuple[int, int], tuple[int, int]] = {}
    for index, match in enumerate(matches):
        sides[match.round, match.team_a] = (index, 0)
        if match.team_b is not None:
            sides[match.round, match.team_b] = (index, 1)
    types = {place: _type(matches[index], side) for place, (index, side) in sides.items()}
    points: dict[tuple[int, int], tuple[int | None, int | None]] = {}
    seen: set[tuple[str, int, int]] = set()
    for line in lines:
        kind = line.text(5, 5).upper()
        if not kind or kind not in _TYPES:
            raise line.error(5, 5, "type", f"one of {' '.join(_TYPES)}")
        given = (line.match_points(8, 11), line.half_points(14, 17, "game points", boards))
        round_number = line.integer(20, 22, "round", 0, MAX_ROUNDS, default=0)
        named = [
            (column, line.team(column, column + 3, teams))
            for column, number in line.listed(24, 4, "team number", 9999)
            if number
        ]
        for column, team in named or [(24, -1)]:
            if (kind, round_number, team) in seen:
                raise line.error(column, column + 3, "team number", "each team once a round")
            seen.add((kind, round_number, team))
            if round_number > rounds:
                continue
            if round_number and named and (round_number, team) not in sides:
                allowed = f"a team with a match or bye in round {round_number}"
                raise line.error(column, column + 3, "team number", allowed)
            for place in itertools.product(
                [round_number] if round_number else range(1, rounds + 1),
                [team] if named else teams.values(),
            ):
                if types.get(place) == kind or (round_number and named):
                    points[place] = given
    for place, given in points.items():
        index, side = sides[place]
        matches[index] = _with_points(matches[index], side, *given, boards)
    return tuple(matches)


def _with_points(
    match: Match, side: int, match_points: int | None, half_points: int | None, boards: int
) -> Match:
    """A match with the points of one side replaced."""
    if match.team_b is None:
        if match_points is None:
            match_points = match.match_points[0]
        if half_points is None:
            half_points = match.half_points_a
        bye = _bye(match.round, match.team_a, match.bye, boards, match_points, half_points)
        return replace(bye, number=match.number)
    wanted = list(match.match_points)
    if match_points is not None:
        wanted[side] = match_points
    if half_points is not None:
        match = replace(match, **{f"half_points_{'ab'[side]}": half_points})
    match = replace(match, match_points_a=None, match_points_b=None)
    explicit = (
        None if points == derived else points
        for points, derived in zip(wanted, match.match_points, strict=True)
    )
    return replace(match, **dict(zip(("match_points_a", "match_points_b"), explicit, strict=True)))


# --------------------------------------------------------------------------- writing


def write_trf(event: EventData, version: Version) -> tuple[str, tuple[str, ...]]:
    """A team event as a Tournament Report File.

    Start numbers follow `event.players`; teams list their players in the order in which they sat.
    Points are those of the event's records; ranks and strengths, which depend on a rule, are left
    blank. Record 192 says that the pairing is none of FIDE's, 212 names the Olympiad's tie-breaks.

    **Arguments:**

    - `event`: with players and games.
    - `version`: 2016 or 2026; the latter holds more.

    **Returns:** the text (lines end with CRLF; to be encoded as UTF-8), and what of this event the
    file does not hold, one line each: what `read_trf` finds changed.

    **Raises:** `InputError`, one line, if there are no players or games, if a match is recorded
    without them, or if something does not fit its columns.
    """
    _check_writable(event, version)
    writer = _Writer(event, version)
    lines = writer.lines()
    back = _read_back(lines)
    abnormal = writer.abnormal(back) if version == 2026 else []
    if abnormal:
        lines += abnormal
        back = _read_back(lines)
    return _text(lines), tuple(_lost(event, back, writer.order))


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line.rstrip()}\r\n" for line in lines)


def _read_back(lines: Iterable[str]) -> EventData:
    try:
        return read_trf(_text(lines).encode(), "the file")
    except InputError as error:
        raise InputError(f"cannot be written as TRF: {error}") from error


def _check_writable(event: EventData, version: Version) -> None:
    """Refuse what the format has no place for, by name."""
    name = quoted(event.name)
    if not event.players or not event.games:
        raise InputError(
            f"{name} cannot be written as TRF, which holds the games of players: it has matches "
            "alone (what is needed: players.csv and boards.csv of a folder)"
        )
    most_teams = 999 if version == 2026 else MAX_TEAMS
    for what, number, most in (
        ("players", len(event.players), MAX_PLAYERS),
        ("teams", len(event.teams), most_teams),
        ("rounds", event.rounds, MAX_ROUNDS),
        ("boards", event.boards, MAX_BOARDS),
    ):
        if number > most:
            raise InputError(f"TRF of {version} holds at most {most} {what}, {name} has {number}")
    cut: dict[str, str] = {}
    for team in event.teams:
        other = cut.setdefault(_fitted(team, 32), team)
        if other != team:
            raise InputError(
                f"TRF holds 32 characters of a team's name, by which {quoted(other)} and "
                f"{quoted(team)} do not differ"
            )
    recorded = {(game.round, game.match) for game in event.games}
    for game in event.games:
        where = f"round {game.round}, match {game.match}, board {game.board} of {name}"
        if game.played and None in (game.white, game.black):
            raise InputError(f"{where}: TRF holds games of players, here a player is missing")
        if not game.played and 1 in (game.white_half_points, game.black_half_points):
            raise InputError(f"{where}: TRF holds no draw without a game")
    for match in event.matches:
        if match.team_b is None or (match.round, match.number) in recorded:
            continue
        points = {match.half_points_a, match.half_points_b}
        if not match.by_default or points not in ({0}, {0, 2 * event.boards}):
            raise InputError(
                f"round {match.round}, match {match.number} of {name}: TRF holds the games of a "
                "match, here are none"
            )


def _fitted(text: str, width: int) -> str:
    """Text as its columns hold it."""
    return re.sub(r"[\r\n\0]", " ", text).strip()[:width].rstrip()


def _slashed(date: str) -> str:
    """A date as the file writes it, if it is a whole one."""
    return re.sub(r"^([0-9]{4})-([0-9]{2})-([0-9]{2})$", r"\1/\2/\3", date)


class _Writer:
    """The records of one event; start and team numbers count from 1.

    `order` has the players of every team as they sat.
    """

    def __init__(self, event: EventData, version: Version) -> None:
        self._event, self._version = event, version
        self._line_ups = _recorded_line_ups(event)
        self.order = _line_up_order(event, self._line_ups)
        self._cells: dict[tuple[int, int], str] = {}
        self._half_points: Counter[int] = Counter()
        for game in event.games:
            self._add_board(game)
        for match in event.matches:
            self._add_others(match)

    def lines(self) -> list[str]:
        """All records but 299."""
        lines = [*self._head(), *self._players(), *self._teams()]
        if self._version == 2026:
            allocated, others = self._byes()
            lines += [*others, *self._departing(), *allocated, *self._forfeits()]
        return lines

    def _add_board(self, game: Game) -> None:
        letters = {2: "1", 1: "=", 0: "0"} if game.played else {2: "+", 0: "-"}
        for player, other, colour, half_points in (
            (game.white, game.black, "w", game.white_half_points),
            (game.black, game.white, "b", game.black_half_points),
        ):
            if player is None:
                continue
            if (player, game.round) in self._cells:
                name = quoted(self._event.players[player].name)
                raise InputError(
                    f"TRF holds one game of a player in a round, {name} has two in round "
                    f"{game.round}"
                )
            against = "0000 -" if other is None else f"{other + 1:4d} {colour}"
            self._cells[player, game.round] = f"{against} {letters[half_points]}"
            self._half_points[player] += half_points

    def _add_others(self, match: Match) -> None:
        """What the players who were on no board have: their team's bye, or a zero-point bye."""
        if match.team_b is not None:
            for player in (*self.order[match.team_a], *self.order[match.team_b]):
                self._cells.setdefault((player, match.round), "0000 - Z")
        elif self._version == 2016 or match.bye == "default":
            for player in self.order[match.team_a][: self._event.boards]:
                self._cells[player, match.round] = f"0000 - {_LETTERS.get(match.bye, '+')}"
                self._half_points[player] += BYE_MATCH_POINTS[match.bye]

    def _head(self) -> Iterator[str]:
        event = self._event
        yield f"012 {_fitted(event.name, MAX_NAME)}"
        for kind, key in _ABOUT.items():
            if key == "type":
                yield f"062 {len(event.players)}"
                yield f"072 {sum(player.rating > 0 for player in event.players)}"
                yield f"082 {len(event.teams)}"
            if key in event.about:
                text = event.about[key]
                yield f"{kind} {_fitted(_slashed(text) if key in _DATES else text, MAX_NAME)}"
        if self._version == 2016:
            yield f"XXR {event.planned}"
            return
        yield f"142 {event.planned}"
        yield "192 CUSTOM_TEAM_SWISS_MP"
        yield "212 MPTS,EMGSB/C1,GPTS,BH/C1"
        yield f"352 {_board_colours(event)}"

    def _players(self) -> Iterator[str]:
        for number, player in enumerate(self._event.players):
            rounds = "".join(
                f"  {self._cells.get((number, r), ''):8}" for r in range(1, self._event.rounds + 1)
            )
            yield (
                f"001 {number + 1:4d} {_fitted(player.sex, 1):1}{_fitted(player.title, 3):>3} "
                f"{_fitted(player.name, 33):33} {player.rating or '':>4} "
                f"{_fitted(player.federation, 3):3} {player.fide_id or '':>11} "
                f"{_fitted(_slashed(player.birth), 10):10} {self._half_points[number] / 2:4.1f} "
                f"    {rounds}"
            )

    def _teams(self) -> Iterator[str]:
        points: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        for match in self._event.matches:
            for team, mp, half_points in zip(
                (match.team_a, match.team_b),
                match.match_points,
                (match.half_points_a, match.half_points_b),
                strict=True,
            ):
                if team is not None:
                    points[team][0] += mp
                    points[team][1] += half_points
        for number, team in enumerate(self._event.teams):
            members = " ".join(f"{player + 1:4d}" for player in self.order[number])
            name = f"{_fitted(team, 32):32}"
            if self._version == 2016:
                yield f"013 {name}{members}"
            else:
                mp, half_points = points[number]
                yield (
                    f"310 {number + 1:3d} {name} {'':5} {'':6} {mp:6.1f} {half_points / 2:6.1f} "
                    f"{'':3}  {members}"
                )

    def _byes(self) -> tuple[list[str], list[str]]:
        """Records 320 and 240: a round has room for one bye that the pairing allocated."""
        allocated: dict[int, Match] = {}
        others: dict[tuple[str, int], list[int]] = defaultdict(list)
        for match in self._event.matches:
            if match.team_b is not None:
                continue
            if match.bye == "pairing" and match.round not in allocated:
                allocated[match.round] = match
            elif match.bye != "default":
                letter = _LETTERS["half" if match.bye == "pairing" else match.bye]
                others[letter, match.round].append(match.team_a + 1)
        lines = []
        if allocated:
            points = Counter((m.match_points[0], m.half_points_a) for m in allocated.values())
            (mp, half_points), _ = points.most_common(1)[0]
            rounds = (
                f" {allocated[r].team_a + 1 if r in allocated else 0:03d}"
                for r in range(1, max(allocated) + 1)
            )
            lines.append(f"320 {mp:4.1f} {half_points / 2:4.1f}{''.join(rounds)}")
        return lines, [
            f"240 {letter} {round_number:3d}" + "".join(f" {number:4d}" for number in numbers)
            for (letter, round_number), numbers in sorted(others.items())
        ]

    def _departing(self) -> Iterator[str]:
        """Record 300 where the line-up is not the first players present in the team's order."""
        places = [{player: i for i, player in enumerate(members)} for members in self.order]
        for (round_number, team, other), line_up in self._line_ups.items():
            at = [places[team].get(player, -1) for player in line_up if player is not None]
            if len(at) < self._event.boards or None in line_up or at != sorted(at):
                boards = "".join(f" {0 if p is None else p + 1:04d}" for p in line_up)
                yield f"300 {round_number:3d} {team + 1:3d} {other + 1:3d}{boards}"

    def _forfeits(self) -> Iterator[str]:
        """Record 330 of every match without a game."""
        points: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
        for game in self._event.games:
            points[game.round, game.match][game.white_team] += game.white_half_points
            points[game.round, game.match][game.black_team] += game.black_half_points
        for match in self._event.matches:
            if match.team_b is None or not match.by_default:
                continue
            a, b = match.half_points_a, match.half_points_b
            if (match.round, match.number) in points:
                boards = points[match.round, match.number]
                a, b = boards[match.team_a], boards[match.team_b]
            if a != b or a == 0:
                kind = "--" if a == b else "+-" if a > b else "-+"
                yield f"330 {kind} {match.round:3d} {match.team_a + 1:3d} {match.team_b + 1:3d}"

    def abnormal(self, back: EventData) -> list[str]:
        """Record 299 where the points of a result are not what the other records give."""
        read = {(m.round, m.team_a): m for m in back.matches}
        read |= {(m.round, m.team_b): m for m in back.matches if m.team_b is not None}
        lines = []
        for match in self._event.matches:
            same = read.get((match.round, match.team_a))
            if same is None:
                continue
            for side, team in enumerate((match.team_a, match.team_b)):
                if team is not None and _points_of(match, team) != _points_of(same, team):
                    mp, half_points = _points_of(match, team)
                    lines.append(
                        f"299 {_type(match, side)}  {mp:4.1f}  {half_points / 2:4.1f}  "
                        f"{match.round:3d} {team + 1:4d}"
                    )
        return lines


def _points_of(match: Match, team: int) -> tuple[int, int]:
    """Match points and half points of a team."""
    if team == match.team_a:
        return match.match_points[0], match.half_points_a
    return match.match_points[1], match.half_points_b


_LineUps = dict[tuple[int, int, int], list[int | None]]


def _recorded_line_ups(event: EventData) -> _LineUps:
    """Players on every board of a match, by round, team and opponent; None for an empty board."""
    found: _LineUps = defaultdict(list)
    for game in sorted(event.games, key=lambda game: (game.round, game.match, game.board)):
        for key, player in (
            ((game.round, game.white_team, game.black_team), game.white),
            ((game.round, game.black_team, game.white_team), game.black),
        ):
            found[key] += [None] * (game.board - 1 - len(found[key]))
            found[key].append(player)
    for line_up in found.values():
        line_up += [None] * (event.boards - len(line_up))
    return found


def _line_up_order(event: EventData, line_ups: _LineUps) -> list[list[int]]:
    """The players of every team in the order in which they sat, as far as they had one.

    Of two players the one who sat above the other more often comes first; otherwise, and where
    that would lead in a circle, the order of `event.players` counts.
    """
    above: Counter[tuple[int, int]] = Counter()
    for line_up in line_ups.values():
        present = [player for player in line_up if player is not None]
        above.update(itertools.combinations(present, 2))
    after: dict[int, list[int]] = defaultdict(list)
    waits: Counter[int] = Counter()
    for (first, second), times in above.items():
        if times > above.get((second, first), 0):
            after[first].append(second)
            waits[second] += 1
    members: list[list[int]] = [[] for _ in event.teams]
    for number, player in enumerate(event.players):
        members[player.team].append(number)
    return [_sorted_by(team, after, waits) for team in members]


def _sorted_by(
    members: Sequence[int], after: Mapping[int, Sequence[int]], waits: Counter[int]
) -> list[int]:
    """A topological order, the lowest number first."""
    ready = [player for player in members if not waits[player]]
    left = dict.fromkeys(members)
    order: list[int] = []
    while left:
        player = heapq.heappop(ready) if ready else next(iter(left))
        if player not in left:
            continue
        del left[player]
        order.append(player)
        for later in after.get(player, ()):
            waits[later] -= 1
            if not waits[later]:
                heapq.heappush(ready, later)
    return order


def _board_colours(event: EventData) -> str:
    """Colours of the first team, as they mostly were."""
    first = {(m.round, m.number): m.team_a for m in event.matches}
    white: Counter[int] = Counter()
    for game in event.games:
        team = first.get((game.round, game.match))
        white[game.board] += 1 if game.white_team == team else -1
    return "".join(
        _ALTERNATING[board - 1] if not white[board] else "W" if white[board] > 0 else "B"
        for board in range(1, event.boards + 1)
    )


# --------------------------------------------------------------------------- what is lost


def _lost(event: EventData, back: EventData, order: Sequence[Sequence[int]]) -> Iterator[str]:
    """What differs after reading back, one line each."""
    for key in ("name", "planned", "boards"):
        if getattr(event, key) != getattr(back, key):
            yield f"{key} of the event"
    for key, text in event.about.items():
        if (_iso(text) if key in _DATES else text) != back.about.get(key):
            yield f"{quoted(key)} of the event"
    names = [(a, b) for a, b in zip(event.teams, back.teams, strict=True) if a != b]
    if names:
        yield f"names of teams: {len(names)}, such as {quoted(names[0][0])}"
    if event.ratings != back.ratings:
        yield "ratings of teams other than those of their players who played"
    yield from _lost_players(event, back, order)
    yield from _lost_matches(event, back)
    yield from _lost_games(event, back, [player for team in order for player in team])


def _lost_players(
    event: EventData, back: EventData, order: Sequence[Sequence[int]]
) -> Iterator[str]:
    moved = sum(list(team) != sorted(team) for team in order)
    if moved:
        yield f"order of players: {moved} teams are listed as they sat"
    pairs = list(zip((event.players[p] for team in order for p in team), back.players, strict=True))
    for field in ("name", "rating", "title", "sex", "federation", "birth"):
        changed = [
            a.name
            for a, b in pairs
            if (_iso(a.birth) if field == "birth" else getattr(a, field)) != getattr(b, field)
        ]
        if changed:
            yield f"{field} of players: {len(changed)}, such as {quoted(changed[0])}"


def _lost_matches(event: EventData, back: EventData) -> Iterator[str]:
    read = {(m.round, frozenset((m.team_a, m.team_b))): m for m in back.matches}
    lost: Counter[str] = Counter()
    for match in event.matches:
        same = read.get((match.round, frozenset((match.team_a, match.team_b))))
        if same is None:
            lost["matches" if match.team_b is not None else "byes"] += 1
            continue
        teams = [team for team in (match.team_a, match.team_b) if team is not None]
        lost["match numbers"] += match.number != same.number
        lost["kinds of byes"] += match.bye != same.bye
        lost["which team has white on board 1: matches"] += match.team_a != same.team_a
        for what, index in (("match points", 0), ("game points", 1)):
            lost[f"{what} of matches or byes"] += any(
                _points_of(match, team)[index] != _points_of(same, team)[index] for team in teams
            )
        lost["numbers of boards decided or forfeited: matches"] += (
            match.boards_decided,
            match.boards_forfeited,
        ) != (same.boards_decided, same.boards_forfeited)
    yield from (f"{what}: {number}" for what, number in lost.items() if number)


def _lost_games(event: EventData, back: EventData, players: Sequence[int]) -> Iterator[str]:
    def found(game: Game, number: Sequence[int] | None) -> tuple[object, ...]:
        named = (
            None if p is None else p if number is None else number[p]
            for p in (game.white, game.black)
        )
        return (
            game.round, game.white_team, game.black_team, *named,
            game.white_half_points, game.black_half_points, game.played,
        )  # fmt: skip

    read: dict[tuple[object, ...], deque[Game]] = defaultdict(deque)
    for game in back.games:
        read[found(game, players)].append(game)
    lost: Counter[str] = Counter()
    for game in event.games:
        same = read.get(found(game, None))
        if not same:
            lost["games, forfeits or their colours"] += 1
            continue
        other = same.popleft()
        lost["numbers of boards"] += game.board != other.board
        lost["ratings of games other than those of their players"] += (
            game.white_rating,
            game.black_rating,
        ) != (other.white_rating, other.black_rating)
    yield from (f"{what}: {number}" for what, number in lost.items() if number)
