"""FIDE's Tournament Report File (TRF), versions of 2016 and 2026: its records, and what they say.

Each line is a record: columns 1-3 hold its type, the rest are fields in fixed columns of
characters, counted from 1. `COLUMNS` and `LISTS` say where they stand; reader and writer go by
them. `read_lines` splits a file into records; `read_entrants` and `read_entries` read its teams,
players and results into a `Trf`, the draft of the event, which `trf_repairs` mends.

Of an individual event every player of a record 001 is a team of one, so that the entries of the
players are read as for team events: a match has one board.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from tb2learn.events.files.dates import iso_date
from tb2learn.events.files.fields import Fields, Notes
from tb2learn.events.files.options import Reading
from tb2learn.events.files.pairings import Draft, Pairing
from tb2learn.events.files.scores import half_points
from tb2learn.events.files.source import Content, refusal
from tb2learn.events.parts import Bye, Player
from tb2learn.text import tidy
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS, InputError

MAX_PLAYERS = 9999
MAX_LINES = 20_000  # of one type of record
MAX_LINE = 100_000
MAX_TYPES = 100  # of records that are not read

COLUMNS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "001": {
        "start number": (5, 8), "sex": (10, 10), "title": (11, 13), "name": (15, 47),
        "rating": (49, 52), "federation": (54, 56), "FIDE number": (58, 68), "birth": (70, 79),
        "points": (81, 84), "rank": (86, 89),
    },
    "013": {"team name": (5, 36)},
    "310": {
        "team number": (5, 7), "team name": (9, 40), "nickname": (42, 46), "strength": (48, 53),
        "match points": (55, 60), "game points": (62, 67), "rank": (69, 71),
    },
    "300": {"round": (5, 7), "team": (9, 11), "opponent": (13, 15)},
    "320": {"match points": (5, 8), "game points": (10, 13)},
    "330": {"type": (5, 6), "round": (8, 10), "white": (12, 14), "black": (16, 18)},
    "240": {"type": (5, 5), "round": (7, 9)},
    "299": {"type": (5, 5), "match points": (8, 11), "game points": (14, 17), "round": (20, 22)},
    "802": {"team number": (5, 7), "totals": (9, 200)},
}  # fmt: skip
"""Columns of the single fields of a record, counted from 1, by the type of the record."""
LISTS: Mapping[str, tuple[int, int]] = {
    "013": (37, 4), "310": (74, 4), "300": (17, 4), "320": (15, 3), "240": (11, 4), "299": (24, 4),
}  # fmt: skip
"""The column where the list of a record begins, to the end of the line, and the width of its
fields, which have a blank between them."""
ROUNDS_FROM, ROUND_WIDTH = 92, 10
"""The column where the entry of round 1 begins in a record 001, and the columns of a round."""
ENTRY: Mapping[str, tuple[int, int]] = {"opponent": (0, 3), "colour": (5, 5), "result": (7, 7)}
"""Columns of the fields of an entry, counted from 0."""
TEAM_NUMBERS = ("team", "opponent", "white", "black")
"""Fields that messages call a team number."""
NAME = "012"
"""Type of the record that names the event."""
ABOUT = {
    "022": "city", "032": "federation", "042": "start", "052": "end", "092": "type",
    "102": "arbiter", "112": "deputy", "122": "time",
}  # fmt: skip
"""Keys of `TeamEvent.about` by types of records."""
ORDER = {"212": "", "202": "PTS,"}
"""Types of records with a list of tie-breaks, and what the list leaves out at its beginning; the
first that is there counts."""
PAIRING = "192"
"""Type of the record that names the pairing system, and in team events the points that decide."""
INITIAL = "152"
"""Type of the record with the colour that was drawn before the first round."""
ROUNDS = ("142", "XXR")
"""Types of records with the number of planned rounds."""
SERVERS = {"BBW": "W", "BBD": "D", "BBL": "L", "BBU": "P"}
"""Records of the pairing program bbpPairings, and the symbols of record 162 that they stand for."""
JAVAFO_POINTS = "XXS"
"""Record of the pairing program JaVaFo with what results score: `XXS W=3 D=1`."""
OF_TEAMS = ("013", "310", "300", "320", "330", "352", "362", "802")
"""Records that are about teams; an individual event leaves them alone."""
READ = (
    NAME,
    *ABOUT,
    *ORDER,
    PAIRING,
    INITIAL,
    *ROUNDS,
    *SERVERS,
    JAVAFO_POINTS,
    "162",
    "352",
    "362",
    *COLUMNS,
)
_RULERS = ("###", "   ", "123", "DDD")
"""Comments, and the lines with which programs show where the columns of a file are."""

PLAYED: Mapping[str, int] = {"1": 2, "W": 2, "=": 1, "D": 1, "0": 0, "L": 0}
UNPLAYED: Mapping[str, int] = {"+": 2, "-": 0}
BYES: Mapping[str, int] = {"F": 2, "U": 2, "H": 1, "Z": 0}
"""Half points of a player by the letter of his entry: of a game, of a point won or lost by default,
of a bye."""
ON_BOARD: Mapping[str, int] = {**PLAYED, **UNPLAYED}
BYE_LETTERS: Mapping[Bye, str] = {"full": "F", "pairing": "U", "half": "H", "zero": "Z"}
BYE_OF_LETTER: Mapping[str, Bye] = {letter: bye for bye, letter in BYE_LETTERS.items()}
OPEN = "*"
"""A result that there is not yet."""
ALTERNATING = "WB" * MAX_BOARDS
"""Colours of the first team board by board, where no record gives them."""
NUMBER = "the number of a team (record 310 or 013)"
MEMBER = "a member of a team (record 310 or 013)"
_LINE = re.compile(r"([^\r\n]{3})[^\r\n]*")

GAPS = [
    last + 1 for name, (_, last) in COLUMNS["001"].items() if name not in ("start number", "sex")
]
"""Columns behind the title, the name and the other fields of a player; they are blank."""

Place = tuple[int, int]
"""A round, and a team or a player in it; all but rounds are numbered from 0."""


class Columns(NamedTuple):
    """A field of a record: its columns, counted from 1 (None: to the end of the line); its name."""

    first: int
    last: int | None
    name: str


FIELDS: Mapping[str, Mapping[str, Columns]] = {
    kind: {
        field: Columns(*place, "team number" if field in TEAM_NUMBERS else field)
        for field, place in fields.items()
    }
    for kind, fields in COLUMNS.items()
}
"""The single fields of a record by its type, as messages name them."""


class TrfRecord(Fields["str | Columns"]):
    """One record. Its fields are read by their names in `COLUMNS`, or by column."""

    def __init__(self, file: str, match: re.Match[str], notes: Notes) -> None:
        super().__init__(file, notes)
        self._match, self.kind = match, match[1]
        self.content = match[0].rstrip()

    @property
    def start(self) -> int:
        """Where the line starts in the file; cheaper than its number."""
        return self._match.start()

    @property
    def number(self) -> int:
        """The number of the line, from 1. Only errors need it, so it is counted on demand."""
        text, end = self._match.string, self._match.start()
        ends = text.count("\n", 0, end) + text.count("\r", 0, end) - text.count("\r\n", 0, end)
        return ends + 1

    def cut(self, first: int, last: int | None = None) -> str:
        """The text of columns `first` to `last`, or to the end of the line."""
        return self.content[first - 1 : last].strip()

    def text(self, field: str | Columns) -> str:
        """The text of a field."""
        first, last, _ = field if isinstance(field, Columns) else FIELDS[self.kind][field]
        return self.content[first - 1 : last].strip()

    def error(self, field: str | Columns, allowed: str, got: str | None = None) -> InputError:
        """The error for the content of a field."""
        first, last, name = field if isinstance(field, Columns) else FIELDS[self.kind][field]
        where = f"columns {first}-{last}" if last else f"columns {first} on"
        where = f"column {first}" if first == last else where
        got = self.text(field) if got is None else got
        return refusal(self.file, self.number, f"{where} ({name})", allowed, got)

    def whom(self, field: str | Columns = "") -> tuple[str, str]:
        """The player or team of the record."""
        if self.kind in ("013", "310"):
            return "team", self.text("team name")
        return ("player", self.text("name")) if self.kind == "001" else ("", "")

    def note_repair(self, assumed: str, aside: str | None = None, wrong: str = "") -> None:
        """Note what is assumed for the record, which a strict reader refuses."""
        self.notes.note_assumption(assumed, self, whom=self.whom(), aside=aside, wrong=wrong)

    def match_points(self, high: int = 2, low: int = 0) -> int | None:
        """Whole match points; None for an empty field."""
        points = self.half_points("match points", high, low)
        if points is not None and points % 2:
            allowed = "0, 1 or 2" if (low, high) == (0, 2) else f"a whole number {low}..{high}"
            raise self.error("match points", allowed)
        return None if points is None else points // 2

    def item(self, index: int, name: str) -> Columns:
        """Where an item of the list stands, the first of which has the index 0."""
        start, width = LISTS[self.kind]
        first = start + index * (width + 1)
        return Columns(first, first + width - 1, name)

    def numbers_of_list(self, name: str, high: int) -> Iterator[tuple[Columns, int]]:
        """The numbers of the list, and where they stand; 0 for an empty field."""
        start, width = LISTS[self.kind]
        for index in range(-(-(len(self.content) - start + 1) // (width + 1))):
            field = self.item(index, name)
            # A list behind a name is cut where the name was padded by bytes; others are realigned.
            if self.kind in ("013", "310") and self.cut(field.first + width, field.first + width):
                whole = field._replace(last=field.first + width)
                raise self.error(whole, "a number and a blank: the list is beside its columns")
            yield field, self.integer(field, 0, high, default=0)

    def team(self, field: str | Columns, teams: Mapping[int, int]) -> int:
        """The number of a team from 0; `teams` maps the file's numbers to these."""
        number = self.integer(field, 0, 9999, default=0)
        if number not in teams:
            raise self.error(field, NUMBER)
        return teams[number]


@dataclass
class PlayerRow:
    """A record 001: what it says of a player besides his entries."""

    line: TrfRecord
    start: int

    def __post_init__(self) -> None:
        """Read what is needed in several places: name, and half points that are printed."""
        self.name, self.points = tidy(self.line.text("name")), half_points(self.line.text("points"))

    @functools.cached_property
    def results(self) -> tuple[int, int]:
        """Half points of all its results: of boards alone, and with those of byes."""
        first = ROUNDS_FROM + ENTRY["result"][0]
        letters = self.line.content[first - 1 :: ROUND_WIDTH].upper()
        won = sum(ON_BOARD.get(letter, 0) for letter in letters)
        return won, won + sum(BYES.get(letter, 0) for letter in letters)


@dataclass
class TeamRow:
    """A record 310, else 013; of an individual event the 001 of a player, who is a team of one."""

    line: TrfRecord
    number: int
    name: str
    members: list[tuple[str | Columns, int]]  # start numbers, with the fields where they stand


@dataclass
class LineUpRow:
    """A record 300: who sat where in a match; start numbers, 0 for a board left empty."""

    line: TrfRecord
    round: int
    team: int  # the number in the file, as of the opponent; 0 for none
    opponent: int
    players: list[tuple[Columns, int]]


@dataclass
class PaymentRow:
    """A record 299: what results of a type pay, or without a type a penalty."""

    line: TrfRecord
    kind: str
    round: int  # 0 for all
    teams: list[tuple[Columns, int]]  # from 0, with the columns where they stand; none for all


Total = tuple[TrfRecord, tuple[int | None, int | None]]
"""A printed total: its line, and match points and half points; None for what cannot be a total."""


@dataclass
class RoundEntry:
    """What the record of a player says of one round."""

    line: TrfRecord
    round: int
    player: int  # from 0; -1 for one without a team
    opponent: int | None  # from 0; None for nobody (`0000` in the file)
    colour: str  # `w`, `b` or empty
    result: str  # the letter; of a board it is one of `ON_BOARD`

    @property
    def half_points(self) -> int:
        """2, 1 or 0; none for a bye."""
        return ON_BOARD.get(self.result, 0)

    @property
    def played(self) -> bool:
        """Whether it is a game, not a point won or lost by default."""
        return self.result in PLAYED

    def error(self, field: str, allowed: str) -> InputError:
        """The error for a field of the entry."""
        return self.line.error(entry_columns(self.round)[0][field], allowed)


@functools.cache
def entry_columns(round_number: int) -> tuple[Mapping[str, Columns], tuple[int, ...]]:
    """Where the fields of the entry of a round stand, and the columns that have no field."""
    first = ROUNDS_FROM + ROUND_WIDTH * (round_number - 1)
    fields = {
        name: Columns(first + low, first + high, f"{name} of round {round_number}")
        for name, (low, high) in ENTRY.items()
    }
    filled = {column for low, high in ENTRY.values() for column in range(low, high + 1)}
    return fields, tuple(first + at for at in range(ROUND_WIDTH) if at not in filled)


@dataclass
class Trf(Draft):
    """A draft, and what a file says that is not in it yet; repairs change it.

    Teams and players are numbered from 0.
    """

    lines: dict[str, list[TrfRecord]] = field(default_factory=dict)  # records by type
    page: str = ""  # the code page of its text
    others: set[str] = field(default_factory=set)  # types not read, but for comments and rulers
    squads: list[TeamRow] = field(default_factory=list)  # by team
    teams: dict[int, int] = field(default_factory=dict)  # by their numbers in the file, ascending
    members: list[Player] = field(default_factory=list)  # team by team, in line-up order
    numbers: dict[int, int] = field(default_factory=dict)  # of players, by start number
    rows: dict[int, PlayerRow] = field(default_factory=dict)  # records 001 by player
    line_ups: list[LineUpRow] = field(default_factory=list)
    totals: dict[int, Total] = field(default_factory=dict)  # by team
    payments: list[PaymentRow] = field(default_factory=list)
    entries: dict[Place, RoundEntry] = field(default_factory=dict)  # boards by round and player
    # By round and team, every bye letter of its players, with the first entry that has it.
    letters: dict[Place, dict[str, RoundEntry]] = field(default_factory=lambda: defaultdict(dict))
    # Pairings without a result, by round and player.
    awaited: dict[Place, RoundEntry] = field(default_factory=dict)
    opponent_of_team: dict[Place, int] = field(default_factory=dict)  # by round and team
    # Matches with a board without a result of rounds in which others have one, by round and lower
    # team: the numbers of both teams, who has White first. None of their boards counts.
    open: dict[Place, tuple[int, int]] = field(default_factory=dict)
    without_boards: set[Place] = field(default_factory=set)  # rounds and teams of these
    colours: str = ""  # of the first team by board; empty if no record gives them
    tells_of_byes: bool = False  # whether a record or an entry does
    rounds: int = 0  # those with a result
    # What absence pays a player by record 162 (match points, half points); None for nothing.
    absent_pays: tuple[int, int] | None = None
    bye_source: str = ""  # where what a bye pays comes from, in words
    bye_unsaid: bool = False  # whether nobody says it

    def __getitem__(self, kind: str) -> list[TrfRecord]:
        return self.lines[kind]

    @property
    def most_match_points(self) -> int:
        """The most match points of a round."""
        return max(2, self.used_scoring[0])

    def team(self, player: int) -> int:
        """The team of a player."""
        return self.members[player].team

    def pair(self, entry: RoundEntry) -> tuple[int, int]:
        """The teams of an entry with an opponent, which meet."""
        assert entry.opponent is not None
        pair = self.team(entry.player), self.team(entry.opponent)
        if self.meet(entry.round, *pair):
            return pair
        allowed = "the one other player who names this one in the round"
        if not self.individual:
            allowed = "of the one other team that the team meets in the round"
            if not self["310"]:
                allowed += " (an event of players with teams is read with --individual)"
        raise entry.error("opponent", allowed)

    def meet(self, round_number: int, team: int, other: int) -> bool:
        """Record that two teams met; False if one team already has another opponent."""
        # Both directions must be free, or one team has two opponents.
        return team != other and all(
            self.opponent_of_team.setdefault((round_number, a), b) == b
            for a, b in ((team, other), (other, team))
        )


# ------------------------------------------------------------------------------------ lines


def read_lines(content: Content, options: Reading) -> Trf:
    """Split a file into records."""
    file, notes = content.file, Notes(options.strict, content.file)
    trf = Trf(
        content.name or file, file, options, notes, False, is_compared=True, page=content.page,
        lines={kind: [] for kind in READ},
    )  # fmt: skip
    if about := content.odd_page:
        notes.note_assumption(about, aside="")
    for match in _LINE.finditer(content.text):
        if (lines := trf.lines.get(match[1])) is None:
            if match[1] not in _RULERS and len(trf.others) < MAX_TYPES:
                trf.others.add(match[1])
            continue
        line = TrfRecord(file, match, trf.notes)
        if len(line.content) > MAX_LINE:
            allowed = f"blank: a line has at most {MAX_LINE} characters"
            raise line.error(Columns(MAX_LINE + 1, None, "line"), allowed)
        if "\0" in line.content:
            raise InputError(f"{file}: line {line.number}: a NUL character is not allowed")
        # A hostile file has millions of lines of one type.
        if len(lines) == MAX_LINES:
            allowed = f"of a type that appears at most {MAX_LINES} times"
            raise line.error(Columns(1, 3, "record"), allowed)
        lines.append(line)
    return trf


def tell_kind(trf: Trf) -> None:
    """Decide whether the event is individual, and leave the records of teams alone if it is.

    It is if the user says so, or if the file has players, no teams, and no record 092 that calls it
    a team event.
    """
    listed = trf["310"] or trf["013"]
    # Files of team events without a list of teams are refused, not read as one of players.
    about_teams = any("team" in line.cut(5).casefold() for line in trf["092"])
    trf.individual = trf.options.individual or bool(trf["001"] and not listed and not about_teams)
    if trf.individual:
        for kind in (kind for kind in OF_TEAMS if trf[kind]):
            trf.others.add(kind)
            trf.lines[kind] = []


# --------------------------------------------------------------------------------- entrants


def read_entrants(trf: Trf) -> list[PlayerRow]:
    """Read the teams and the players.

    **Returns:** all records 001, also of players without a team.
    """
    squads = [] if trf.individual else _read_teams(trf)
    rows = [PlayerRow(line, line.integer("start number", 1, MAX_PLAYERS)) for line in trf["001"]]
    if trf.individual:
        squads = _players_as_teams(trf, rows)
    elif trf["300"]:
        _add_fielded(trf, squads, rows)
    by_start: dict[int, PlayerRow] = {}
    for row in rows:
        # Two players of one number: their opponents could mean either.
        if by_start.setdefault(row.start, row) is not row:
            raise row.line.error("start number", "each player once")
    fide_ids: set[int] = set()
    # Teams are in the order of their numbers, which are the start order.
    for team, squad in enumerate(sorted(squads, key=lambda squad: squad.number)):
        trf.teams[squad.number] = team
        trf.squads.append(squad)
        for column, start in squad.members:
            if start not in by_start:
                squad.line.note_repair("a member of a team without a record 001 is left out", "")
            elif start not in trf.numbers:
                trf.numbers[start] = len(trf.members)
                trf.rows[len(trf.members)] = by_start[start]
                trf.members.append(_player(by_start[start], team, fide_ids))
            # In two teams he would play for both.
            elif trf.team(trf.numbers[start]) != team:
                raise squad.line.error(column, "each player once")
            else:
                squad.line.note_repair("a member is listed twice in a team")
    trf.names, trf.players = tuple(squad.name for squad in trf.squads), trf.members
    trf.starts = tuple(trf.teams)
    for start, row in by_start.items():
        if start not in trf.numbers:
            row.line.note_repair("a player without a team is left out", "")
    for line in (line for kind in ROUNDS for line in trf[kind]):
        # Programs write the number into any column.
        text = line.cut(4)
        rounds = int(text) if re.fullmatch("0*[0-9]{1,2}", text[:9], re.ASCII) else 0
        if text.strip("0") and not 1 <= rounds <= MAX_ROUNDS:
            line.note_repair(f"a number of rounds that is not 1..{MAX_ROUNDS} is left out")
            rounds = 0
        trf.planned = max(trf.planned, rounds)
    return rows


def _player(row: PlayerRow, team: int, fide_ids: set[int]) -> Player:
    line = row.line
    fide_id = line.fide_id("FIDE number", fide_ids)
    if not row.name:
        line.note_repair("a player without a name is named '?'", "")
    if any(line.cut(column, column) for column in GAPS):
        line.note_repair("what stands between two fields of record 001 is left out", "ratings")
    texts = (tidy(line.text(name)) for name in ("title", "sex", "federation", "birth"))
    title, sex, federation, birth = texts
    rating, birth = line.rating("rating"), iso_date(birth)
    return Player(team, row.name or "?", fide_id, rating, title, sex, federation, birth)


def _read_teams(trf: Trf) -> list[TeamRow]:
    """The teams of records 310, else 013."""
    squads: dict[int, TeamRow] = {}
    names: set[str] = set()
    for index, line in enumerate(trf["310"] or trf["013"], start=1):
        number = line.integer("team number", 1, 999) if trf["310"] else index
        if number in squads:
            raise line.error("team number", "each team once")
        if len(squads) == MAX_TEAMS:
            raise line.error("team name", f"one of at most {MAX_TEAMS} teams")
        names.add(name := _team_name(line, number, names))
        listed = line.numbers_of_list("start number", MAX_PLAYERS)
        squads[number] = TeamRow(line, number, name, [place for place in listed if place[1]])
    if len(squads) < 2:
        raise InputError(
            f"{trf.file}: must list at least 2 teams (records 310 or 013), got {len(squads)}; "
            "an event of players is read with --individual"
        )
    return [*squads.values()]


def _add_fielded(trf: Trf, squads: Iterable[TeamRow], rows: Iterable[PlayerRow]) -> None:
    """Read records 300; who is fielded, and in no list of a team, is of the team that fields him.

    Reserves that joined late are often missing in the list of the team.
    """
    without = {row.start for row in rows}
    without -= {start for squad in squads for _, start in squad.members}
    by_number = {squad.number: squad for squad in squads}
    for line in trf["300"]:
        team, players = (
            line.integer("team", 0, 999, 0),
            [*line.numbers_of_list("start number", MAX_PLAYERS)],
        )
        round_number = line.integer("round", 1, MAX_ROUNDS)
        opponent = line.integer("opponent", 0, 999, 0)
        trf.line_ups.append(LineUpRow(line, round_number, team, opponent, players))
        for column, start in players if trf["310"] and team in by_number else ():
            if start in without:
                assumed = "a player whom record 300 fields, and record 310 does not list"
                line.note_repair(f"{assumed}, is of the team")
                without.remove(start)
                by_number[team].members.append((column, start))


def _team_name(line: TrfRecord, number: int, names: set[str]) -> str:
    """The name of a team, which no other team has."""
    name = tidy(line.text("team name"))
    # A name as it stands, where it is the only one.
    if name and name not in names:
        return name
    twice = "a name that another team has, too, gets a number: a column holds 32 characters"
    line.note_repair(twice if name else "a team without a name is named by its number", "")
    name = name or "Team"
    return next(n for k in range(number, 10**6) if (n := f"{name} ({k})") not in names)


def _players_as_teams(trf: Trf, rows: Sequence[PlayerRow]) -> list[TeamRow]:
    """Every player as a team of one; those of one name are told apart by their start numbers."""
    if not 2 <= len(rows) <= MAX_TEAMS:
        raise InputError(
            f"{trf.file}: must have 2..{MAX_TEAMS} players (records 001) or teams (310 or 013), "
            f"got {len(rows)}"
        )
    # Start numbers tell namesakes apart, as FIDE numbers are often missing.
    by_start = {row.start: row for row in rows}
    names = Counter(row.name for row in by_start.values())
    if any(number > 1 for name, number in names.items() if name):
        about = "players of the same name are told apart by their start numbers"
        trf.notes.say(about, aside="")
    squads = list[TeamRow]()
    for start, row in by_start.items():
        name = row.name or "?"
        alone = names[name] == 1 and name != "?"
        name = name if alone else f"{name} ({start})"
        squads.append(TeamRow(row.line, start, name, [("start number", start)]))
    return squads


# ---------------------------------------------------------------------------------- entries


def read_entries(trf: Trf, rows: Iterable[PlayerRow]) -> list[RoundEntry]:
    """The entries of all players in all rounds, with results as they stand there."""
    after = ROUNDS_FROM + ROUND_WIDTH * MAX_ROUNDS
    entries: list[RoundEntry] = []
    for row in rows:
        line = row.line
        if line.cut(after):
            rest = Columns(after, None, f"round {MAX_ROUNDS + 1}")
            raise line.error(rest, f"blank: at most {MAX_ROUNDS} rounds")
        player = trf.numbers.get(row.start, -1)
        # A round begins every ten columns; one that the line only reaches into counts as well.
        for round_number in range(1, -(-(len(line.content) - ROUNDS_FROM + 1) // ROUND_WIDTH) + 1):
            fields, gaps = entry_columns(round_number)
            opponent, colour, result = fields.values()
            # Programs write letters of either case.
            letter = line.text(result).upper()
            # A blank round: not paired, or not there any more.
            if not letter and not line.cut(opponent.first, colour.last):
                continue
            start = line.integer(opponent, 0, MAX_PLAYERS, default=0)
            number = trf.numbers.get(start)
            letter_of_colour = line.text(colour).lower()
            played_with = letter_of_colour if letter_of_colour in ("w", "b") else ""
            entry = RoundEntry(line, round_number, player, number, played_with, letter)
            if letter_of_colour not in ("w", "b", "-", ""):
                line.note_repair("a colour other than w and b is not known", "colours")
            if number is None and start:
                raise entry.error("opponent", "a player (record 001)" if trf.individual else MEMBER)
            # So stands an entry that is moved by any number of columns, behind a slip: its numbers
            # are cut, and would be others.
            if any(line.cut(column, column) for column in gaps):
                first = opponent.first
                where = Columns(first, first + ROUND_WIDTH - 1, f"round {round_number}")
                allowed = "an opponent, a colour and a result in their columns, such as '  12 w 1'"
                raise line.error(where, allowed)
            entries.append(entry)
    return entries


def sort_entries(trf: Trf, entries: Iterable[RoundEntry]) -> None:
    """Sort the entries into boards, letters of byes and those without a result."""
    stars: set[Place] = set()  # round and team of those who await an opponent who is not known
    for entry in entries:
        team = trf.team(entry.player) if entry.player >= 0 else -1
        on_board = entry.result in ON_BOARD
        # A star without an opponent awaits a pairing.
        if entry.opponent is None and entry.result == OPEN:
            stars |= {(entry.round, team)} if team >= 0 else set()
        elif entry.opponent is not None and not on_board:
            trf.awaited[entry.round, entry.player] = entry
        # Entries of a player without a team count for nobody.
        elif team < 0:
            if on_board:
                raise entry.line.error("start number", MEMBER)
        elif on_board:
            trf.entries[entry.round, entry.player] = entry
        elif entry.result:
            trf.letters[entry.round, team].setdefault(entry.result, entry)
    trf.tells_of_byes = bool(trf["320"] or trf["240"] or trf.letters)
    _leave_out_unfinished(trf, stars)


def _leave_out_unfinished(trf: Trf, stars: Set[Place]) -> None:
    """Put the pairs of unfinished rounds into the draft, and keep the boards of finished matches.

    Entries of rounds in which nobody has a result yet only tell who is drawn; those of matches with
    a board without a result are left out.
    """
    waiting: list[RoundEntry] = []
    unsure: set[Place] = set()  # round and teams of matches with a board without a result
    for (r, player), entry in sorted(trf.awaited.items()):
        back = trf.entries.get((r, -1 if entry.opponent is None else entry.opponent))
        # A result that the opponent's entry has is enough.
        if back is None or back.opponent != player or not back.played:
            waiting.append(entry)
            numbers = (player, -1 if entry.opponent is None else entry.opponent)
            unsure |= {(r, trf.team(number)) for number in numbers if number >= 0}
    trf.pairings = _pairs(trf, unsure, stars)
    end = trf.unfinished
    # Those of finished rounds follow with their boards.
    trf.pairings = [pairing for pairing in trf.pairings if pairing.round >= end]
    for entry in waiting:
        if entry.round < end and entry.player >= 0:
            team, opponents = trf.pair(entry)
            pair = (opponents, team) if entry.colour == "b" else (team, opponents)
            trf.open.setdefault((entry.round, min(pair)), pair)
    # None of the boards of an open match counts.
    trf.entries = {
        (r, player): entry
        for (r, player), entry in trf.entries.items()
        if r < end and (r, trf.team(player)) not in unsure
    }
    trf.without_boards = {place for place in unsure if place[0] < end}


def _pairs(trf: Trf, unsure: Set[Place], stars: Set[Place]) -> list[Pairing]:
    """Who meets whom by every board, and who has a bye or waits: who has White is first."""
    pairs: list[Pairing] = []
    for (r, player), entry in {**trf.entries, **trf.awaited}.items():
        if entry.opponent is None:
            continue
        theirs = trf.team(entry.opponent)
        if player < 0:
            pairs.append(Pairing(r, 0, theirs, is_open=True, bye="zero"))
            continue
        own = trf.team(player)
        pair = (theirs, own) if entry.colour == "b" else (own, theirs)
        is_open = (r, player) in trf.awaited or (r, own) in unsure
        pairs.append(Pairing(r, 0, *pair, is_open=is_open))
    # A star of a reserve says nothing if his team has other entries in the round.
    with_entries = {(r, trf.team(player)) for r, player in trf.entries} | trf.letters.keys()
    alone = stars - with_entries
    pairs += [Pairing(r, 0, team, is_open=True, bye="zero") for r, team in alone]
    byes = (place for place, letters in trf.letters.items() if "U" in letters)
    return pairs + [Pairing(r, 0, team, bye="pairing") for r, team in byes]
