"""Read an event from the tables of a folder: matches of teams or games of players, and who plays.

`matches.csv` has one row per match; in an event recorded without rounds (a cross-table) `round` is
empty in every row. Optional tables are `teams.csv` (the teams in start order, with ratings),
`players.csv`, `boards.csv` (one row per game), `event.csv` (other facts, one key and value per row)
and `penalties.csv` (points below 0 by team and round, which change the standings and no tie-break).

In an individual event `matches.csv` has one row per game, with the columns `round`, `white_player`,
`black_player` and `result`. A row without `black_player` is a bye of White: `bye` says which (see
`parts.BYES`), by default the pairing-allocated one, which pays as much as a win. Optional columns:
`match` (the number of the game in its round), `status` (`forfeit` for a game that was not played),
`white_points` and `black_points` (where a game or bye scored otherwise), ratings and FIDE numbers.
`players.csv` may list the players in start order. Players are told apart by name, or by the column
`team` of `players.csv` where two have the same one.

A match or game without a result is open: of a round in which others were played it is kept as such,
other rounds are left out. What `lists` reads comes here as rows of the same tables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tb2learn.disk.inputs import is_file
from tb2learn.events.files.fields import Entrants, Fields, Notes
from tb2learn.events.files.headings import (
    FILES,
    GAME_COLUMNS,
    NO_OPPONENT,
    NOT_PAIRED,
    REQUIRED,
    SCORE,
    columns_of,
    folded,
    heads_matches,
    is_date,
    would_do,
)
from tb2learn.events.files.options import (
    Reading,
    is_open,
    player_points,
    reading,
    result_of,
    written_points,
)
from tb2learn.events.files.rows import MAX_COLUMNS, Sheet, sheets_of
from tb2learn.events.files.source import MAX_FIDE_ID, MAX_NAME, MAX_RATING, read_bytes, refusal
from tb2learn.events.model import TIEBREAKS, TeamEvent, open_note, unfinished_note
from tb2learn.events.parts import (
    BYE_MATCH_POINTS,
    BYES,
    STANDARD_SCORING,
    Game,
    Match,
    OpenMatch,
    Pair,
    Penalty,
    Player,
    bye_half_points,
    matches_of,
    one_round,
    team_ratings,
    with_scoring,
)
from tb2learn.events.terms import terms
from tb2learn.text import did_you_mean, named, quoted, unguarded
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, InputError

ABOUT = (
    "order", "city", "federation", "start", "end", "type", "arbiter", "deputy", "time", TIEBREAKS,
)  # fmt: skip
"""Keys of `event.csv` besides `name`, `rounds` (planned) and `boards`."""
PLAYER_TEXTS = ("title", "sex", "federation", "birth")
"""Columns of `players.csv` that are read as plain text."""
RESULTS = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "0-0": (0, 0)}
"""Half points of White and of Black by the `result` of a game."""
FORFEITS = {"+--": "1-0", "--+": "0-1", "---": "0-0"}
"""What stands for the `result` of a game that was not played."""
STATUS = ("played", "forfeit")
"""What the `status` of a game may be."""
UNSURE = "unsure"
"""In the column `name_by` of `teams.csv`, which says what a name rests on: it may be wrong."""
NOTHING = (
    "a match 0-0 without boards is a draw of nothing: is it not played yet (then leave its points "
    "empty), or lost by both sides (then set match_points_a and match_points_b)?"
)
"""The note on a match in which nobody scored."""
DATED = (
    "is a date, which a spreadsheet (Excel) made of a result such as 3-1 or 2.5: format the column "
    "as text, and type or paste the results again"
)
"""What is wrong with a result that is a date."""
BY_DEFAULT = re.compile(" *[+-] *[:/-] *[+-] *")
SCORES = re.compile(r"([^:-]+)[:-]([^:-]+)")
"""The game points of both sides in one field."""
_OF_RESULTS = re.compile("result|score|.*points.*")
"""Columns in which a spreadsheet may have made dates of results."""
_WHOLE = re.compile(r"([0-9]{1,9})", re.ASCII)
_WHOLE_OR_DECIMAL = re.compile(r"([0-9]{1,9})(?:[.,]0*)?", re.ASCII)
_MOST_PENALTY = 99
MOST_TITLES = 20
"""Most lines before the headings of a table of matches."""
_Points = tuple[int, int, int]
_Key = tuple[int, int]


class Row(Fields[str]):
    """One row of a table. Errors name file, line and column.

    **Arguments:** `file`: its name in messages; `line`: from 1; `fields`: texts by column; `notes`;
    `table`: the name of the table at the beginning of notes, empty for a list.
    """

    read_points = staticmethod(written_points)

    def __init__(
        self, file: str, line: int, fields: Mapping[str, str], notes: Notes, table: str = ""
    ) -> None:
        super().__init__(file, notes, line)
        self._fields, self._table = fields, table
        self.whole = _WHOLE if notes.strict else _WHOLE_OR_DECIMAL

    def whom(self, field: str) -> tuple[str, str]:
        """The team or player of a row of the table that lists them."""
        listed = {"teams.csv": ("team", "team"), "players.csv": ("player", "name")}
        word, column = listed.get(self._table, ("", ""))
        return word, self.text(column)

    def odd(self, assumed: str, field: str, allowed: str, aside: str | None = None) -> None:
        """Note what is assumed for a field; the note begins with the name of the table."""
        table = f"{self._table}: " if self._table else ""
        super().odd(f"{table}{assumed}", field, allowed, aside)

    def error(self, field: str, allowed: str, got: str | None = None) -> InputError:
        """The error for a field: what is allowed and what was read."""
        got = self.text(field) if got is None else got
        if _OF_RESULTS.fullmatch(field) and is_date(got):
            return InputError(f"{self.file}: line {self.number}: {field} {quoted(got)} {DATED}")
        return refusal(self.file, self.number, field, allowed, got)

    def has(self, field: str) -> bool:
        """Whether the table has a column."""
        return field in self._fields

    def text(self, field: str) -> str:
        """The field, stripped and `unguarded`; empty if there is no such column."""
        return unguarded(self._fields.get(field, "").strip())

    def name(self, field: str) -> str:
        """A text of 1..`MAX_NAME` characters."""
        value = self.text(field)
        if not value or len(value) > MAX_NAME:
            raise self.error(field, f"a name of 1..{MAX_NAME} characters")
        return value

    def entrant(self, entrants: Entrants, field: str) -> int:
        """The number of the team or player in a field."""
        return entrants.of(self, field, self.name(field))

    def ranked(self, field: str, event: TeamEvent) -> str:
        """The name in a field, which is one of the teams or players of an event."""
        name = self.name(field)
        if name not in event.teams:
            known = did_you_mean(name, event.teams)
            raise self.error(field, f"a {terms(event.individual).one} of the event{known}")
        return name

    def known(self, entrants: Entrants) -> int:
        """The number in the column `team`, which names one that the event has."""
        number = entrants.numbers.get(self.name("team"))
        if number is None:
            raise self.error("team", "a team of the event")
        return number

    def choice(self, field: str, allowed: Sequence[str], default: str) -> Any:
        """One of the allowed words; the default for an empty field."""
        value = self.text(field) or default
        if value not in allowed:
            raise self.error(field, f"one of {', '.join(allowed)}")
        return value

    def mean_rating(self, field: str) -> int:
        """A mean rating in whole points, 0 if there is none; one that cannot be is noted."""
        value = self.text(field)
        shape = re.fullmatch(r"[0-9]{1,4}([.,][0-9]{1,9})?", value, re.ASCII)
        if shape and (mean := float(value.replace(",", "."))) <= MAX_RATING:
            return round(mean)
        if value:
            assumed = "a mean rating that is none is left out"
            self.odd(assumed, field, f"a number 0..{MAX_RATING}", aside="")
        return 0

    def game_points(self, field: str) -> int:
        """Game points as half points: 0, 0.5, 1, ... MAX_BOARDS."""
        return self.points(field, 0, MAX_BOARDS)

    def names_nobody(self, field: str, entrants: Entrants) -> bool:
        """Whether there is no opponent: the field is empty, or has a word such as `bye`."""
        word = self.text(field)
        if not word:
            return True
        if word in entrants.numbers or folded(word) not in NO_OPPONENT | NOT_PAIRED:
            return False
        self.odd(f"a word such as 'bye' in place of {field} means a bye", field, "a name")
        return True

    def bye(self, field: str) -> Any:
        """The kind of a bye of which the field of the opponent may say that it pays nothing."""
        usual = "zero" if folded(self.text(field)) in NOT_PAIRED else "pairing"
        return self.choice("bye", BYES[1:], usual)

    def result(self) -> tuple[tuple[int, int], bool]:
        """Half points of both sides of a game, and whether the result says that it was played."""
        text = self.text("result")
        plain = text.replace(" ", "").replace("\u00bd", "1/2").replace(":", "-")
        if (known := FORFEITS.get(plain, plain)) in RESULTS:
            return RESULTS[known], plain not in FORFEITS
        allowed, found = f"one of {', '.join((*RESULTS, *FORFEITS))}", result_of(text)
        if found is None or found[0] not in RESULTS.values():
            raise self.error("result", allowed)
        self.odd("a result that is written otherwise is read as it is meant", "result", allowed)
        return found

    def game(
        self,
        place: tuple[int, int, int],
        teams: tuple[int, int],
        players: tuple[int | None, int | None],
    ) -> Game:
        """The game of a row, from round, match and board, and the numbers of White and of Black."""
        points, played = self.result()
        usual = STATUS[points == (0, 0)]
        played = played and self.choice("status", STATUS, usual) == STATUS[0]
        ratings = self.rating("white_rating"), self.rating("black_rating")
        return Game(*place, *teams, *players, *points, played, *ratings)

    def player(self, team: int, known: set[int] | None = None) -> Player:
        """A row of `players.csv`, from the number of the team; `known` as for `fide_id`."""
        fide_id, rating = self.fide_id("fide_id", known), self.rating("rating")
        texts = [self.name(field) if self.text(field) else "" for field in PLAYER_TEXTS]
        return Player(team, self.name("name"), fide_id, rating, *texts)


# ------------------------------------------------------------------------ from sheets to rows


def table_rows(
    sheet: Sheet, required: Sequence[str], notes: Notes, table: str = ""
) -> Iterator[Row]:
    """The rows of a table below its headings; empty lines are skipped.

    A reader that is not strict also takes what spreadsheets write: headings of several languages,
    titles above those of a table of matches, empty fields left out or too many.

    **Arguments:** `required`: columns that must be there; `table`: its name in an event folder.
    """
    file, table = sheet.file, table or sheet.file
    if about := sheet.odd_encoding:
        notes.odd(f"{table}: {about}", aside="")
    header: list[str] | None = None
    empty, first = True, 0
    if table == FILES[0] and not notes.strict:  # titles may stand above the headings
        heads = (line for line, values in sheet.head(MOST_TITLES) if heads_matches(values))
        first = next(heads, 0)
    for line, values in sheet.rows():
        if not any(map(str.strip, values)):
            continue
        if line < first:
            notes.odd(f"{table}: lines above the headings are taken for titles", line)
            continue
        if header is None:
            header = _header(file, line, values, required, notes, table)
            continue
        empty = False
        yield Row(file, line, _fields(file, line, header, values, notes), notes, table)
    if empty:
        raise InputError(f"{file}: must have a header and at least one row")


def user_table(path: str | Path) -> Iterator[Row]:
    """The rows of a table that a user names, with any columns.

    **Raises:** `InputError` as `table_rows`, or if there is no such file.
    """
    if not is_file(path):
        raise InputError(f"{named(str(path))}: no such file")
    file = Path(path).name
    yield from table_rows(sheets_of(read_bytes(Path(path)), file)[0], (), Notes())


def _header(
    file: str, line: int, values: Sequence[str], required: Sequence[str], notes: Notes, table: str
) -> list[str]:
    """The columns that headings name, which must differ; empty ones at the end are left out."""
    names = list(values)
    while names and not names[-1].strip():
        del names[-1]
    if len(names) > MAX_COLUMNS:
        raise InputError(f"{file}: line {line}: must have at most {MAX_COLUMNS} columns, has more")
    columns = columns_of(names)
    renamed = [n.strip() for n, c in zip(names, columns, strict=True) if n.strip() != c]
    if renamed:
        some = ", ".join(map(quoted, renamed[:3]))
        notes.odd(f"{table}: headings such as {some} are taken for columns", line)
    scored = SCORE in columns and not notes.strict
    for column in required:
        if column not in columns and not (scored and column.startswith("game_points_")):
            do = f"one of these headings would do: {would_do(column)}"
            raise InputError(f"{file}: line {line}: missing column {column}: {do}")
    twice = next((column for column, count in Counter(columns).items() if count > 1), None)
    if twice is not None:
        raise InputError(f"{file}: line {line}: column {quoted(twice)} appears twice")
    return columns


def _fields(
    file: str, line: int, header: Sequence[str], values: Sequence[str], notes: Notes
) -> dict[str, str]:
    """The fields of a row by column; empty ones at its end may be missing, or be too many."""
    more = values[len(header) :]
    if any(map(str.strip, more)) or (notes.strict and len(values) < len(header)):
        got = len(values) - next((k for k, v in enumerate(reversed(more)) if v.strip()), 0)
        raise InputError(f"{file}: line {line}: must have {len(header)} fields, got {got}")
    missing = [""] * (len(header) - len(values))
    fields = dict(zip(header, [*values[: len(header)], *missing], strict=True))
    score = fields.get(SCORE, "").strip()
    if score and not is_open(score) and not notes.strict:
        both, whole = SCORES.fullmatch(score), result_of(score)
        if is_date(score):
            raise InputError(f"{file}: line {line}: {SCORE} {quoted(score)} {DATED}")
        if whole:
            a, b = whole[0]
            fields |= {"game_points_a": f"{a / 2:g}", "game_points_b": f"{b / 2:g}"}
            if not whole[1]:
                fields["boards_forfeited"] = f"{(a + b) // 2}"
            if BY_DEFAULT.fullmatch(score):  # of how many boards is known at the end of the table
                fields["won_by_default"] = "1" if a else "2" if b else ""
        elif both:
            fields |= {"game_points_a": both[1], "game_points_b": both[2]}
        else:
            raise refusal(file, line, SCORE, "the game points of both sides as 6,5-3,5", score)
    return fields


@dataclass
class Tables:
    """The tables of an event, with what the user says about them."""

    found: Mapping[str, Sheet | Sequence[Row]]  # by their names in `FILES`; rows are those of lists
    name: str  # of the event, unless `event.csv` gives one
    file: str  # named in messages about all of it
    options: Reading
    notes: Notes
    published: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # printed columns
    starts: Mapping[str, int] | None = None  # start numbers by entrant, if a list has them

    def rows(self, table: str, *required: str, quiet: bool = False) -> Iterator[Row]:
        """The rows of a table; none if it is missing.

        **Arguments:** `required`: columns that it must have, if not those of team events; `quiet`:
        without notes, and with any columns.
        """
        found = self.found.get(table, ())
        if not isinstance(found, Sheet):
            return iter(found)
        if quiet:
            return table_rows(found, (), Notes(self.notes.strict), table)
        return table_rows(found, required or REQUIRED[table], self.notes, table)


def tables_of(sheets: Mapping[str, Sheet], name: str, options: Reading) -> Tables:
    """The tables of an event folder, by their names; `name`: of the event."""
    return Tables(sheets, name, sheets[FILES[0]].file, options, Notes(options.strict))


# --------------------------------------------------------------------------- from rows to an event


@dataclass
class _Recorded:
    """What the tables say of the matches of an event, and of who plays them."""

    entrants: Entrants
    scoring: _Points  # match points of a match won, drawn and lost
    matches: list[Match] = field(default_factory=list)  # these, players and games in any order
    players: list[Player] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    open: list[OpenMatch] = field(default_factory=list)  # those without a result
    pairs: dict[int, list[Pair]] = field(default_factory=dict)  # who was drawn, by round
    ratings: list[tuple[int, ...]] = field(default_factory=list)  # of teams, if not their players'
    boards: int = 1  # of a match
    unsure: int = 0  # how many names of teams may be wrong

    @property
    def unfinished(self) -> int:
        """The first round in which nobody played yet; one too many if there is none."""
        last = max((m.round for m in self.matches if m.team_b is not None), default=0)
        return min((one.round for one in self.open if one.round > last), default=MAX_ROUNDS + 1)


def read_tables(tables: Tables) -> TeamEvent:
    """The event of some tables."""
    notes, about = tables.notes, _about(tables)
    first = next(tables.rows(FILES[0], quiet=True), None)
    individual = first is not None and first.has("white_player") and not first.has("team_a")
    if tables.options.individual and not individual:
        raise InputError(
            "--individual is for TRF and PGN files, whose games are by players: matches.csv has "
            "matches of teams"
        )
    found = (_read_games if individual else _read_matches)(tables, about)
    matches, names = found.matches, tuple(found.entrants.numbers)
    counts = Counter(team for match in matches for team in match.teams)
    counts.update(team for one in found.open for team in (one.team_a, one.team_b))
    rounds = max(match.round for match in matches) or max(counts.values())
    if rounds > MAX_ROUNDS:
        raise InputError(
            f"{tables.file}: a team must have at most {MAX_ROUNDS} matches, got {rounds}"
        )
    penalties = _penalties(tables, found.entrants, rounds)
    still_open = tuple(sorted(one for one in found.open if one.round <= rounds))
    if found.unfinished <= MAX_ROUNDS:
        notes.say(unfinished_note(found.unfinished))
    if still_open:
        notes.say(open_note(still_open, names, individual))
    if found.unsure:
        s = "s" * (found.unsure > 1)
        unsure = f"the name{s} of {found.unsure} team{s} may be wrong"
        notes.say(f"{unsure} (name_by {UNSURE!r} in teams.csv)", aside="")
    listed = ("players.csv" if individual else "teams.csv") in tables.found
    starts = tuple(range(1, 1 + len(names))) if listed else ()
    if tables.starts is not None:
        starts = tuple(tables.starts.get(name, 0) for name in names)
    ratings = team_ratings(len(names), found.players, found.games)
    return TeamEvent(
        name=about.get("name", tables.name),
        teams=names,
        rounds=rounds,
        boards=found.boards,
        matches=with_scoring(sorted(matches, key=lambda m: (m.round, m.number)), found.scoring),
        ratings=tuple(found.ratings) if any(found.ratings) else ratings,
        players=tuple(found.players),
        games=tuple(found.games),
        planned=max(rounds, int(about.get("rounds", 0))),
        about={key: about[key] for key in ABOUT if key in about},
        notes=notes.lines,
        scoring=found.scoring,
        penalties=tuple(penalties),
        individual=individual,
        drawn=one_round(found.pairs.get(found.unfinished, ())),
        starts=starts if all(starts) else (),
        published={
            heading: tuple(texts.get(name, "") for name in names)
            for heading, texts in tables.published.items()
        },
        open=still_open,
    )


def _about(tables: Tables) -> dict[str, str]:
    """Keys and values of `event.csv`; unknown keys are ignored."""
    about: dict[str, str] = {}
    for row in tables.rows("event.csv"):
        key = row.text("key")
        if key in about:
            raise row.error("key", "each key once")
        if key in ("match_points", "bye_points"):
            try:
                reading(**{key: row.text("value")})  # pyright: ignore[reportArgumentType]
            except InputError as error:
                raise row.error("value", f"points: {error}") from error
        if key in ("rounds", "boards"):
            most = MAX_ROUNDS if key == "rounds" else MAX_BOARDS
            about[key] = str(row.integer("value", 1, most))
        elif key not in ABOUT or row.text("value") or tables.notes.strict:
            about[key] = row.name("value")
    return about


def _penalties(tables: Tables, entrants: Entrants, rounds: int) -> list[Penalty]:
    """Points taken from teams; those of later rounds than the event has are left out."""
    found: list[Penalty] = []
    for row in tables.rows("penalties.csv"):
        team = row.known(entrants)
        round_number = row.integer("round", 1, MAX_ROUNDS, default=0)
        points = row.half_points("match_points", _MOST_PENALTY, -_MOST_PENALTY) or 0
        half = row.half_points("game_points", _MOST_PENALTY, -_MOST_PENALTY) or 0
        if points % 2:
            raise row.error("match_points", "a whole number")
        for column, value in (("match_points", points), ("game_points", half)):
            if value > 0 and not row.text(column).startswith("+"):
                raise row.error(column, "below 0, or with a plus sign")
        if round_number <= rounds:
            found.append(Penalty(team, round_number, points // 2, half))
    return found


class _Rounds:
    """Takes round and number of row after row: rounds in all rows or in none, numbers once."""

    def __init__(self) -> None:
        self._numbers: set[_Key] = set()
        self._busy: set[_Key] = set()
        self._in_rounds = True

    def place(self, row: Row) -> _Key:
        """Round, 0 for none, and number of a match."""
        number = row.integer("match", 0, 10**6, default=len(self._numbers) + 1)
        round_number = row.integer("round", 1, MAX_ROUNDS, default=0)
        if not self._numbers:
            self._in_rounds = round_number > 0
        if self._in_rounds != (round_number > 0):
            raise row.error("round", "in all rows or in none")
        key = round_number, number
        row.once(self._numbers, key, "match", f"used once in round {round_number}", str(number))
        return key

    def plays(self, row: Row, field: str, round_number: int, entrant: int, what: str) -> None:
        """Refuse an entrant who plays already in a round."""
        if round_number:
            allowed = f"in one {what} of round {round_number}"
            row.once(self._busy, (round_number, entrant), field, allowed)


# ----------------------------------------------------------------------------- matches of teams


def _read_matches(tables: Tables, about: Mapping[str, str]) -> _Recorded:
    """What the tables say of the matches of teams; `about`: what `event.csv` does."""
    scoring, bye = _points(tables, about)
    teams = Entrants("team", "teams.csv" if "teams.csv" in tables.found else "")
    found = _Recorded(teams, scoring)
    _teams(tables, found)
    parsed = list(_parsed(tables, found))
    found.matches = [match for _, match in parsed]
    end = found.unfinished
    parsed = [(row, match) for row, match in parsed if match.round < end]
    most = max((match.boards_decided for _, match in parsed), default=0)
    if not most:
        raise InputError(f"{tables.file}: must have at least one finished match")
    found.boards = int(about.get("boards", 0)) or most
    if "boards.csv" in tables.found:  # one that both sides lost is not decided
        rows = tables.rows("boards.csv", quiet=True)
        known = (row.integer("board", 1, MAX_BOARDS, default=1) for row in rows)
        found.boards = max(found.boards, *known)
    for row, match in parsed:
        if match.boards_decided > found.boards:
            allowed = f"at most {found.boards}"
            raise row.error("boards_decided", allowed, str(match.boards_decided))
    found.matches = [
        _bye(row, match, found.boards, bye) if match.team_b is None
        else _by_default(match, found.boards, *won) if (won := row.text("won_by_default"))
        else match
        for row, match in parsed
    ]  # fmt: skip
    found.ratings += [()] * (len(teams.numbers) - len(found.ratings))
    ids: set[int] = set()
    players = [row.player(row.known(teams), ids) for row in tables.rows("players.csv")]
    found.players = sorted(players, key=lambda player: player.team)
    found.games = _games(tables, found)
    return found


def _points(tables: Tables, about: Mapping[str, str]) -> tuple[_Points, tuple[int, int] | None]:
    """What matches and byes score: as the user says, else `event.csv`, else 2, 1, 0 and a draw."""
    options = tables.options
    said = reading(match_points=about.get("match_points"), bye_points=about.get("bye_points"))
    for mine, theirs, what in (
        (options.match_points, said.match_points, "match points"),
        (options.bye_points, said.bye_points, "points of a bye"),
    ):
        if mine and theirs and mine != theirs:
            tables.notes.say(f"{what} are those that were asked for, not those of event.csv")
    scoring = options.match_points or said.match_points or STANDARD_SCORING
    return scoring, options.bye_points or said.bye_points


def _teams(tables: Tables, found: _Recorded) -> None:
    """Take the teams that are listed, their ratings, best first, and which names are unsure."""
    for row in tables.rows("teams.csv"):
        found.entrants.of(row, "team", row.name("team"), once=True)
        mean = row.mean_rating("mean_rating_top4")
        columns = (f"rating_{i}" for i in range(1, MAX_BOARDS + 1))
        known = [row.rating(column) for column in columns if row.text(column)]
        # Beside ratings of players the mean of a team without any is a floor, and no rating.
        known = known if row.has("rating_1") else [mean] * (mean > 0)
        best = sorted(filter(None, known) if any(known) else known, reverse=True)
        found.ratings.append(tuple(best))
        found.unsure += row.text("name_by") == UNSURE


def _parsed(tables: Tables, found: _Recorded) -> Iterator[tuple[Row, Match]]:
    """The matches that have a result, with their rows; one without game points is open."""
    scoring, rounds = found.scoring, _Rounds()
    for row in tables.rows(FILES[0]):
        key = rounds.place(row)
        bye = row.names_nobody("team_b", found.entrants)
        a = row.entrant(found.entrants, "team_a")
        b = None if bye else row.entrant(found.entrants, "team_b")
        if a == b:
            raise row.error("team_b", "another team than team_a")
        for column, team in (("team_a", a), ("team_b", b)):
            if team is not None:
                rounds.plays(row, column, key[0], team, "match")
        match = _match(row, Match(*key, a, b, 0, 0, 0, 0), scoring)
        if match is None or match.bye in ("", "pairing"):
            found.pairs.setdefault(key[0], []).append((a, b))
        if match is None:
            assert b is not None
            found.open.append(OpenMatch(*key, a, b))
            continue
        told = any(map(row.text, ("boards_decided", "match_points_a", "match_points_b")))
        nothing = not (match.half_points_a or match.half_points_b or told)
        if match.team_b is not None and nothing and "boards.csv" not in tables.found:
            row.odd(NOTHING, "game_points_a", "above 0 for a side, or with boards_decided")
            match = match.given(scoring[1], scoring[1])
        yield row, match


def _match(row: Row, match: Match, scoring: _Points) -> Match | None:
    """The match of a row; None for an open one. The points of a bye are read by `_bye`.

    **Arguments:** `match`: with its round, number and teams.
    """
    finished = True
    if match.team_b is None:
        match = replace(match, bye=row.bye("team_b"))
    elif row.text("bye"):
        raise row.error("bye", "empty where there is a team_b")
    elif not any(map(row.text, ("game_points_a", "game_points_b", "boards_decided"))):
        finished = False
    else:
        a, b = row.game_points("game_points_a"), row.game_points("game_points_b")
        decided = _decided(row, a, b)
        forfeited = row.integer("boards_forfeited", 0, decided, default=0)
        match = replace(match, half_points_a=a, half_points_b=b)
        match = replace(match, boards_decided=decided, boards_forfeited=forfeited)
    points = (
        row.integer(field, 0, max(2, scoring[0])) if row.text(field) else None
        for field in ("match_points_a", "match_points_b")
    )
    return match.given(*points) if finished else None


def _by_default(match: Match, boards: int, winner: str) -> Match:
    """A match that side 1 or 2 won by default on all boards."""
    half = (2 * boards, 0) if winner == "1" else (0, 2 * boards)
    return replace(
        match, half_points_a=half[0], half_points_b=half[1], boards_decided=boards,
        boards_forfeited=boards,
    )  # fmt: skip


def _bye(row: Row, match: Match, boards: int, points: tuple[int, int] | None) -> Match:
    """A bye with its points: those of the row, else those of its kind."""
    half_points = bye_half_points(match.bye, boards)
    if match.bye == "pairing" and points and match.match_points_a is None:
        if not row.text("game_points_a"):
            half_points = min(points[1], 2 * boards)
            return replace(match, half_points_a=half_points, match_points_a=points[0])
    told = row.half_points("game_points_a", MAX_BOARDS)
    if told is not None and told != half_points:
        if match.match_points_a is None:  # other points need match points too
            allowed = f"{half_points / 2:g} or empty for a bye without match_points_a"
            raise row.error("game_points_a", allowed)
        half_points = told
        if half_points > 2 * boards:
            raise row.error("game_points_a", f"0..{boards}")
    if row.half_points("game_points_b", MAX_BOARDS):
        raise row.error("game_points_b", "0 or empty for a bye")
    for column in ("boards_decided", "boards_forfeited", "match_points_b"):
        if row.text(column):
            row.integer(column, 0, 0)
    return replace(match, half_points_a=half_points, match_points_b=None)


def _decided(row: Row, half_a: int, half_b: int) -> int:
    """Boards decided: those of the row, else the sum of the game points."""
    both = f"{row.text('game_points_a')} + {row.text('game_points_b')}"
    if row.text("boards_decided"):
        decided = row.integer("boards_decided", 0, MAX_BOARDS)
        most = f"boards_decided = {decided}"
    elif (half_a + half_b) % 2:
        allowed = "such that the game points of the match add up to a whole number"
        raise row.error("game_points_b", allowed)
    else:
        decided = (half_a + half_b) // 2
        most = str(MAX_BOARDS)
    if half_a + half_b > 2 * min(decided, MAX_BOARDS):
        allowed = f"such that both game points add up to at most {most}"
        raise row.error("game_points_b", allowed, both)
    return decided


def _games(tables: Tables, found: _Recorded) -> list[Game]:
    """The games; they must add up to the matches."""
    find = _finder(found.players)
    by_number = {(m.round, m.number): m for m in found.matches if m.team_b is not None}
    still_open, end = {(one.round, one.number) for one in found.open}, found.unfinished
    sums = {key: [0, 0] for key in by_number}
    boards, used = Counter[_Key](), set[tuple[int, int, int]]()
    last: dict[_Key, Row] = {}
    games: list[Game] = []
    for row in tables.rows("boards.csv"):
        key = (row.integer("round", 1, MAX_ROUNDS, default=0), row.integer("match", 0, 10**6))
        if key in still_open or key[0] >= end:
            continue
        if key not in by_number:
            raise row.error("match", f"a match of round {key[0]} in matches.csv")
        boards[key] += 1
        board = row.integer("board", 1, MAX_BOARDS, default=boards[key])
        row.once(used, (*key, board), "board", "used once in the match", str(board))
        match = by_number[key]
        white, black = (
            found.entrants.numbers.get(row.name(f"{side}_team")) for side in ("white", "black")
        )
        if white is None or black is None or {white, black} != {match.team_a, match.team_b}:
            raise row.error("white_team", "of the match in matches.csv")
        players = find(row, "white", white), find(row, "black", black)
        games.append(game := row.game((*key, board), (white, black), players))
        last[key] = row
        for side in game.sides:
            sums[key][side.team != match.team_a] += side.half_points
    for key, row in last.items():
        match, (a, b) = by_number[key], sums[key]
        told = match.half_points_a, match.half_points_b
        given = match.match_points_a is not None or match.match_points_b is not None
        if (a, b) != told and not given:
            whole = f"{told[0] / 2:g}-{told[1] / 2:g}"
            allowed = f"such that the games add up to matches.csv ({whole})"
            raise row.error("result", allowed, f"{a / 2:g}-{b / 2:g}")
    return games


def _finder(players: Sequence[Player]) -> Callable[[Row, str, int], int | None]:
    """Finds the listed player of a side of a row, by FIDE number, else by team and name."""
    by_id = {p.fide_id: number for number, p in enumerate(players) if p.fide_id}
    # Of two of the same name, the one without FIDE number.
    order = sorted(range(len(players)), key=lambda number: not players[number].fide_id)
    by_name = {(players[n].team, players[n].name): n for n in order}

    def find(row: Row, side: str, team: int) -> int | None:
        found = None
        if row.text(f"{side}_fide_id"):
            found = by_id.get(row.integer(f"{side}_fide_id", 0, MAX_FIDE_ID))
        elif name := row.text(f"{side}_player"):
            found = by_name.get((team, name))
            if found is None:
                raise row.error(f"{side}_player", "a player of the team")
        if found is not None and players[found].team != team:
            raise row.error(f"{side}_fide_id", "a player of the team")
        return found

    return find


# ------------------------------------------------------------------------------ games of players


def _read_games(tables: Tables, about: Mapping[str, str]) -> _Recorded:
    """What the tables say of the games of players; `about`: what `event.csv` does."""
    said = reading(match_points=about.get("match_points"))
    scoring = tables.options.game_scoring or said.game_scoring or STANDARD_SCORING
    entrants = Entrants("player", "players.csv" if "players.csv" in tables.found else "")
    found, rounds = _Recorded(entrants, scoring), _Rounds()
    for row in tables.rows("players.csv", "name"):
        name = row.text("team") or row.name("name")
        found.players.append(row.player(entrants.of(row, "name", name, once=True)))
    for row in tables.rows(FILES[0], *GAME_COLUMNS):
        _add_game(row, rounds, found, tables.options)
    end = found.unfinished
    found.matches = [match for match in found.matches if match.round < end]
    found.games = [game for game in found.games if game.round < end]
    if not found.games:
        raise InputError(f"{tables.file}: must have at least one finished game")
    return found


def _add_game(row: Row, rounds: _Rounds, found: _Recorded, options: Reading) -> None:
    """Add the game or bye of a row."""
    key = rounds.place(row)
    white = _player(row, "white", key[0], rounds, found)
    told = [row.half_points(f"{side}_points", MAX_BOARDS) for side in ("white", "black")]
    if row.text("bye") and row.text("black_player"):
        raise row.error("bye", "empty where there is a black_player")
    if row.names_nobody("black_player", found.entrants):
        bye = row.bye("black_player")
        points, given = BYE_MATCH_POINTS[bye], told[0]
        if given is not None:
            given, points = player_points(given)
        elif bye == "pairing":
            given, points = options.player_bye(found.scoring[0])
        if bye == "pairing":
            found.pairs.setdefault(key[0], []).append((white, None))
        found.matches.append(Match(*key, white, None, points, 0, 0, 0, bye, given))
        return
    sides = white, _player(row, "black", key[0], rounds, found)
    found.pairs.setdefault(key[0], []).append(sides)
    if is_open(row.text("result")):
        found.open.append(OpenMatch(*key, *sides))
        return
    game = row.game((*key, 1), sides, sides)
    (match,) = matches_of([game], {key: sides})
    found.games.append(game)
    scored = [
        half if points is None else player_points(points)[1]
        for points, half in zip(told, (match.half_points_a, match.half_points_b), strict=True)
    ]
    match = replace(match, half_points_a=scored[0], half_points_b=scored[1])
    found.matches.append(match.given(*told))


def _player(row: Row, side: str, round_number: int, rounds: _Rounds, found: _Recorded) -> int:
    """The number of a player, who must be free in the round."""
    column = f"{side}_player"
    number = row.entrant(found.entrants, column)
    if number == len(found.players):
        found.players.append(Player(number, row.name(column)))
    player = found.players[number]
    found.players[number] = replace(
        player,
        rating=player.rating or row.rating(f"{side}_rating"),
        fide_id=player.fide_id or row.fide_id(f"{side}_fide_id"),
    )
    rounds.plays(row, column, round_number, number, "game")
    return number
