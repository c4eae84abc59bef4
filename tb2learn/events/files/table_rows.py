"""Rows of tables with named columns, as people write them in spreadsheets.

`table_rows` reads the rows of a sheet below its headings, `user_table` those of a table that a user
names. A `TableRow` reads its fields by the names of their columns, and refuses with file, line and
column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from tb2learn.disk.inputs import is_file
from tb2learn.events.files.dates import is_date, typed_as_time
from tb2learn.events.files.fields import Entrants, Fields, Notes
from tb2learn.events.files.headings import (
    BY_DEFAULT,
    COLUMN,
    FILES,
    GAME_COLUMNS,
    NO,
    NO_OPPONENT,
    NOT_PAIRED,
    PENALTIES,
    REQUIRED,
    SCORE,
    SIDES_OF_A_MATCH,
    SUMS,
    YES,
    columns_of,
    folded,
    heads_matches,
    is_harmless,
    would_do,
)
from tb2learn.events.files.rows import MAX_COLUMNS, Sheet, sheets_of
from tb2learn.events.files.scores import is_open, result_of, written_points
from tb2learn.events.files.source import MAX_NAME, MAX_RATING, read_bytes, refusal
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import BYES, Game, Player
from tb2learn.events.terms import terms
from tb2learn.text import did_you_mean, named, quoted, tidy, unguarded
from tb2learn.types import MAX_BOARDS, InputError

PLAYER_TEXTS = ("title", "sex", "federation", "birth")
"""TableColumns of `players.csv` that are read as plain text."""
RESULTS = {
    "1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "0-0": (0, 0), "1/2-0": (1, 0),
    "0-1/2": (0, 1),
}  # fmt: skip
"""Half points of White and of Black by the `result` of a game; the last three with penalties."""
FORFEITS = {"+--": "1-0", "--+": "0-1", "---": "0-0"}
"""What stands for the `result` of a game that was not played."""
STATUS = ("played", "forfeit")
"""What the `status` of a game may be."""
HALF_MISSING = (
    "game points of a match that add up to no whole number: a game ended \u00bd-0, by a penalty"
)
_AS_TEXT = "format the column as text, and type or paste the results again"
SIGNS_OF_DEFAULT = re.compile(" *[+-] *[:/-] *[+-] *")
SCORES = re.compile(r"([^:-]+)[:-]([^:-]+)")
"""The game points of both sides in one field."""
_OF_RESULTS = re.compile("result|score|.*points.*")
"""TableColumns in which a spreadsheet may have made dates of results."""
_WHOLE = re.compile(r"([0-9]{1,9})", re.ASCII)
_WHOLE_OR_DECIMAL = re.compile(r"([0-9]{1,9})(?:[.,]0*)?", re.ASCII)
_MOST_COLUMNS = 6
_MOST_OF_A_MATCH = 6
"""Half points that both sides of a match together have in match points, at most."""
_OF_RESULTS_TABLES = (FILES[0], "boards.csv")
_KNOWN = frozenset(COLUMN.values())
MOST_TITLES = 20
"""Most lines before the headings of a table of matches."""


def is_result(
    score: tuple[tuple[int, int], bool] | None,
) -> TypeGuard[tuple[tuple[int, int], bool]]:
    """Whether half points of both sides, and whether they were played for, can be of one game."""
    # A penalty is for what happens in a game.
    return score is not None and score[0] in RESULTS.values() and (score[1] or sum(score[0]) != 1)


def made_of_result(text: str) -> str:
    """What is wrong with a result of which a spreadsheet made a date or time; empty for others."""
    if is_date(text):
        made = "is a date, which a spreadsheet (Excel) made of a result such as 3-1 or 2.5"
    elif typed := typed_as_time(text):
        made = f"is a time: Excel has made a time of {typed}"
    else:
        return ""
    return f"{made}: {_AS_TEXT}"


class TableColumns:
    """The columns of a table: which have content, and which of them somebody has read.

    **Arguments:** `table`: its name; `names`: the headings as they stand, by column.
    """

    def __init__(self, table: str, names: Mapping[str, str]) -> None:
        self.table, self._names = table, names
        self.read = set[str]()
        self._empty, self._filled = set(names), set[str]()
        # Those in which there may be a word on the result.
        self.unknown = [c for c in names if c not in _KNOWN] if table in _OF_RESULTS_TABLES else []

    def add(self, fields: Mapping[str, str]) -> None:
        """Look at a row."""
        filled = {column for column in self._empty if fields[column].strip()}
        self._empty -= filled
        self._filled |= filled

    @property
    def unread(self) -> list[str]:
        """The headings of columns that were not read, and may say something of points."""
        # Boards of open matches wait for their results.
        needed = {*REQUIRED.get(self.table, ()), *GAME_COLUMNS}
        left = [c for c in self._names if c in self._filled and c not in self.read | needed]
        return [self._names[c] for c in left if not is_harmless(c)]


def unread_note(headings: Sequence[str]) -> str:
    """The note on columns that are not read."""
    text = f"columns not read: {', '.join(map(quoted, headings[:_MOST_COLUMNS]))}"
    rest = f" and {len(headings) - _MOST_COLUMNS} more" if len(headings) > _MOST_COLUMNS else ""
    penalties = any(PENALTIES.search(folded(heading)) for heading in headings)
    do = " (points that are taken from a team stand in penalties.csv)" if penalties else ""
    return f"{text}{rest}{do}"


class TableRow(Fields[str]):
    """One row of a table. Errors name file, line and column.

    **Arguments:** `file`: its name in messages; `line`: from 1; `fields`: texts by column; `notes`;
    `table`: the name of the table at the beginning of notes, empty for a list; `read`: takes the
    columns that are read.
    """

    read_points = staticmethod(written_points)

    def __init__(
        self,
        file: str,
        line: int,
        fields: Mapping[str, str],
        notes: Notes,
        table: str = "",
        read: set[str] | None = None,
    ) -> None:
        super().__init__(file, notes, line)
        self._fields, self._table = fields, table
        self._read = set[str]() if read is None else read
        self.whole = _WHOLE if notes.strict else _WHOLE_OR_DECIMAL

    def whom(self, field: str) -> tuple[str, str]:
        """The team or player of a row of the table that lists them."""
        listed = {"teams.csv": ("team", "team"), "players.csv": ("player", "name")}
        word, column = listed.get(self._table, ("", ""))
        return word, self.text(column)

    def note_assumption(
        self, assumed: str, field: str, allowed: str, aside: str | None = None
    ) -> None:
        """Note what is assumed for a field; the note begins with the name of the table."""
        table = f"{self._table}: " if self._table else ""
        super().note_assumption(f"{table}{assumed}", field, allowed, aside)

    def error(self, field: str, allowed: str, got: str | None = None) -> InputError:
        """The error for a field: what is allowed and what was read."""
        got = self.text(field) if got is None else got
        # The most frequent accident with results, which deserves its own words.
        if _OF_RESULTS.fullmatch(field) and (made := made_of_result(got)):
            return InputError(f"{self.file}: line {self.number}: {field} {quoted(got)} {made}")
        return refusal(self.file, self.number, field, allowed, got)

    def has(self, field: str) -> bool:
        """Whether the table has a column."""
        return field in self._fields

    def text(self, field: str) -> str:
        """The field, stripped and `unguarded`; empty if there is no such column."""
        text = self._fields.get(field, "").strip()
        self._read.add(field)
        # An Olympiad has 80,000 fields, nearly all of them without a guard.
        return unguarded(text) if "'" in text else text

    def name(self, field: str) -> str:
        """A text of 1..`MAX_NAME` characters."""
        value = tidy(self.text(field))
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
            hint = did_you_mean(name, event.teams)
            raise self.error(field, f"a {terms(event.individual).one} of the event{hint}")
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
            self.note_assumption(assumed, field, f"a number 0..{MAX_RATING}", aside="")
        return 0

    def match_score(self) -> tuple[int, int, int]:
        """Half points of both teams, and boards decided: as the row says, else as their sum."""
        a, b = (self.points(field, 0, MAX_BOARDS) for field in ("game_points_a", "game_points_b"))
        if self.text("boards_decided"):
            decided = self.integer("boards_decided", 0, MAX_BOARDS)
            limit = f"boards_decided = {decided}"
        else:
            if (a + b) % 2:
                allowed = "such that the game points of the match add up to a whole number"
                self.note_assumption(HALF_MISSING, "game_points_b", allowed)
            decided, limit = (a + b + 1) // 2, str(MAX_BOARDS)
        if a + b > 2 * min(decided, MAX_BOARDS):
            allowed = f"such that both game points add up to at most {limit}"
            sum_of_points = f"{self.text('game_points_a')} + {self.text('game_points_b')}"
            raise self.error("game_points_b", allowed, sum_of_points)
        return a, b, decided

    def forfeited(self, decided: int) -> int:
        """How many of the decided boards were by default: a number, or a word for all of them."""
        word = folded(self.text("boards_forfeited"))
        if word in YES or word in BY_DEFAULT:
            return decided
        return 0 if word in NO else self.integer("boards_forfeited", 0, decided, default=0)

    def check_second_result(self, points: tuple[int, int] | None) -> None:
        """Hold a second result against the game points of a match, half points of both sides.

        It may be written in match points, or as that of one game.
        """
        second = result_of(self._fields.get("result", ""))
        if second is None:
            return
        text = self.text("result")
        if points is None:
            raise self.error("result", "empty where the other column has no result", text)
        (a, b), (c, d) = points, second[0]
        same_winner = (a > b) - (a < b) == (c > d) - (c < d)
        if (c, d) != (a, b) and not (same_winner and c + d <= _MOST_OF_A_MATCH):
            allowed = f"that of the other column, {a / 2:g}-{b / 2:g}"
            raise self.error("result", allowed, text)

    def names_nobody(self, field: str, entrants: Entrants) -> bool:
        """Whether there is no opponent: the field is empty, or has a word such as `bye`."""
        word = tidy(self.text(field))
        if not word:
            return True
        # A team may be called `Bye`.
        if word in entrants.numbers or folded(word) not in NO_OPPONENT | NOT_PAIRED:
            return False
        self.note_assumption(
            f"a word such as 'bye' in place of {field} means a bye", field, "a name"
        )
        return True

    def turned(self, entrants: Entrants) -> TableRow:
        """The row with its sides exchanged, if the first one is a word such as `bye`."""
        first, second = (
            ("team_a", "team_b") if self.has("team_a") else ("white_player", "black_player")
        )
        if not self.text(first) or not self.text(second):
            return self
        if not self.names_nobody(first, entrants):
            return self
        fields = {_other_side(column): text for column, text in self._fields.items()}
        score = result_of(fields.get("result", ""))
        if score:
            (a, b), _ = score
            points = f"{b / 2:g}-{a / 2:g}".replace("0.5", "1/2")
            fields["result"] = points
        return TableRow(self.file, self.number, fields, self.notes, self._table, self._read)

    def bye(self, field: str) -> Any:
        """The kind of a bye of which the field of the opponent may say that it pays nothing."""
        # Who was not paired gets nothing; any other word means the bye that the pairing gives.
        usual = "zero" if folded(self.text(field)) in NOT_PAIRED else "pairing"
        return self.choice("bye", BYES[1:], usual)

    def result(self) -> tuple[tuple[int, int], bool]:
        """Half points of both sides of a game, and whether the result says that it was played."""
        text = self.text("result")
        plain = text.replace(" ", "").replace("\u00bd", "1/2").replace(":", "-")
        if (usual := FORFEITS.get(plain, plain)) in RESULTS:
            return RESULTS[usual], plain not in FORFEITS
        allowed, score = f"one of {', '.join((*RESULTS, *FORFEITS))}", result_of(text)
        if not is_result(score):
            raise self.error("result", allowed)
        self.note_assumption(
            "a result that is written otherwise is read as it is meant", "result", allowed
        )
        return score

    def game(
        self,
        place: tuple[int, int, int],
        teams: tuple[int, int],
        players: tuple[int | None, int | None],
    ) -> Game:
        """The game of a row, from round, match and board, and the numbers of White and of Black."""
        points, played = self.result()
        # 0-0 is a result: where both did not come it is `---`, or the status says so.
        played = played and self.choice("status", STATUS, STATUS[0]) == STATUS[0]
        played = played and not self.forfeited(1)
        ratings = self.rating("white_rating"), self.rating("black_rating")
        return Game(*place, *teams, *players, *points, played, *ratings)

    def player(self, team: int, known: set[int] | None = None) -> Player:
        """A row of `players.csv`, from the number of the team; `known` as for `fide_id`."""
        fide_id, rating = self.fide_id("fide_id", known), self.rating("rating")
        texts = [self.name(field) if self.text(field) else "" for field in PLAYER_TEXTS]
        return Player(team, self.name("name"), fide_id, rating, *texts)


_SIDES = {"_a": "_b", "_b": "_a", "white_": "black_", "black_": "white_"}


def _other_side(column: str) -> str:
    """The name of a column for the other side: `white_rating` for `black_rating`."""
    for side, other in _SIDES.items():
        if side.startswith("_") and column.endswith(side):
            return column.removesuffix(side) + other
        if column.startswith(side):
            return other + column.removeprefix(side)
    return column


# ------------------------------------------------------------------------ from sheets to rows


def table_rows(
    sheet: Sheet,
    required: Sequence[str],
    notes: Notes,
    table: str = "",
    seen: list[TableColumns] | None = None,
) -> Iterator[TableRow]:
    """The rows of a table below its headings; empty lines are skipped.

    A reader that is not strict also takes what spreadsheets write: headings of several languages,
    titles above those of a table of matches, empty fields left out or too many.

    **Arguments:** `required`: columns that must be there; `table`: its name in an event folder;
    `seen`: takes what is known of the columns.
    """
    file, table = sheet.file, table or sheet.file
    if about := sheet.odd_encoding:
        notes.note_assumption(f"{table}: {about}", aside="")
    header: list[str] | None = None
    columns = TableColumns(table, {})
    empty, first = True, 0
    # Only a table of matches is known by its headings, wherever they stand.
    if table == FILES[0] and not notes.strict:  # titles may stand above the headings
        heads = (line for line, values in sheet.head(MOST_TITLES) if heads_matches(values))
        first = next(heads, 0)
    for line, values in sheet.rows():
        if not any(map(str.strip, values)):
            continue
        if line < first:
            notes.note_assumption(f"{table}: lines above the headings are taken for titles", line)
            continue
        if header is None:
            header = _header(file, line, values, required, notes, table)
            columns = TableColumns(table, dict(zip(header, map(str.strip, values), strict=False)))
            if seen is not None:
                seen.append(columns)
            continue
        empty = False
        fields = _fields(sheet, line, header, values, notes, columns)
        if sides := [name for name in SIDES_OF_A_MATCH if name in fields]:
            refuse_sums(file, line, fields.values(), [fields[name] for name in sides])
        columns.add(fields)
        yield TableRow(file, line, fields, notes, table, columns.read)
    if empty:
        raise InputError(f"{file}: must have a header and at least one row")


def user_table(path: str | Path) -> Iterator[TableRow]:
    """The rows of a table that a user names, with any columns.

    **Raises:** `InputError` as `table_rows`, or if there is no such file.
    """
    # A folder or a device would be read to no end.
    if not is_file(path):
        raise InputError(f"{named(str(path))}: no such file")
    file = Path(path).name
    yield from table_rows(sheets_of(read_bytes(Path(path)), file)[0], (), Notes())


def read_squad_table(path: str | Path) -> dict[str, str]:
    """A table with the columns `player` (as its heading in any language) and `team`.

    **Returns:** the teams by the names of their players, exactly as they stand there.

    **Raises:** `InputError`, one line, for another file, or for a player of two teams.
    """
    teams: dict[str, str] = {}
    for row in user_table(path):
        if not row.has("name") or not row.has("team"):
            raise row.error("heading", "player, team", "other columns")
        player, team = row.name("name"), row.name("team")
        # A player of two teams would decide matches of both.
        if teams.setdefault(player, team) != team:
            raise row.error("name", "each player once", player)
    return teams


def _header(
    file: str, line: int, values: Sequence[str], required: Sequence[str], notes: Notes, table: str
) -> list[str]:
    """The columns that headings name, which must differ; empty ones at the end are left out."""
    # Spreadsheets write empty columns at the end.
    names = list(values)
    while names and not names[-1].strip():
        del names[-1]
    if len(names) > MAX_COLUMNS:
        raise InputError(f"{file}: line {line}: must have at most {MAX_COLUMNS} columns, has more")
    columns = columns_of(names)
    # Whoever wrote other headings should see how they were taken.
    renamed = [n.strip() for n, c in zip(names, columns, strict=True) if n.strip() != c]
    if renamed:
        examples = ", ".join(map(quoted, renamed[:3]))
        notes.note_assumption(f"{table}: headings such as {examples} are taken for columns", line)
    # One column of scores stands for two of points.
    scored = SCORE in columns and not notes.strict
    for column in required:
        if column not in columns and not (scored and column.startswith("game_points_")):
            do = f"one of these headings would do: {would_do(column)}"
            raise InputError(f"{file}: line {line}: missing column {column}: {do}")
    # Which of two columns counts would be a guess.
    twice = next((column for column, count in Counter(columns).items() if count > 1), None)
    if twice is not None:
        raise InputError(f"{file}: line {line}: column {quoted(twice)} appears twice")
    return columns


def refuse_sums(file: str, line: int, values: Iterable[str], sides: Sequence[str]) -> None:
    """Refuse a row of sums below a table of matches; a team may be called so that has an opponent.

    **Arguments:** `values`: the cells of the row; `sides`: those of the names of both sides.
    """
    word = "" if all(map(str.strip, sides)) else next((v for v in values if folded(v) in SUMS), "")
    if word:
        text = f"{quoted(word.strip())} heads a row of sums, which is no match: leave it out"
        raise InputError(f"{file}: line {line}: {text}")


def _take_word_of_default(
    fields: dict[str, str], line: int, notes: Notes, columns: TableColumns
) -> None:
    """Take a word such as `kampflos` in a column of remarks for what it says of the result."""
    for column in columns.unknown:
        word = fields[column].strip()
        if word and folded(word) in BY_DEFAULT:
            fields[column] = ""
            of_games = "white_player" in fields or "white_team" in fields
            fields |= {"status": STATUS[1]} if of_games else {"boards_forfeited": word}
            about = (
                f"{columns.table}: a word such as {quoted(word)} beside a result is taken for it"
            )
            notes.note_assumption(f"{about}: by default", line)


def _split_match_points(fields: dict[str, str], columns: TableColumns) -> None:
    """Make the fields of both sides of match points in one column; one number is the first's."""
    text = fields.get("match_points", "").strip()
    if text and "team_a" in fields and "match_points_a" not in fields:
        columns.read.add("match_points")
        sides = SCORES.fullmatch(text)
        a, b = (sides[1].strip(), sides[2].strip()) if sides else (text, "")
        fields |= {"match_points_a": a, "match_points_b": b}


def _is_guest_first(header: Sequence[str]) -> bool:
    return {"team_a", "team_b"} <= {*header} and header.index("team_b") < header.index("team_a")


def _split_by_commas(values: Sequence[str], width: int) -> str:
    """What to do about a row that commas within its fields split into too many."""
    pieces = len(values) - width + 1
    joined = (",".join(values[k : k + pieces]) for k in range(width))
    # Of a score such as 2,5-1,5 the sheet shows that it is one.
    score = next((text for text in joined if result_of(text) or written_points(text)), "")
    example = f", such as {quoted(score)}" if pieces > 1 and score else ""
    do = "put it in quotes, or semicolons between the fields"
    # A title that is taken for the heading has no field at all.
    asked = pieces > 1 and width > 2
    return f": is there a comma inside a field{example}? Then {do}" if asked else ""


def _fields(
    sheet: Sheet,
    line: int,
    header: Sequence[str],
    values: Sequence[str],
    notes: Notes,
    columns: TableColumns,
) -> dict[str, str]:
    """The fields of a row by column; empty ones at its end may be missing, or be too many."""
    file = sheet.file
    if len(values) != len(header):
        surplus = values[len(header) :]
        if any(map(str.strip, surplus)) or (notes.strict and len(values) < len(header)):
            # Empty cells at the end of a row do not count.
            got = len(values) - next((k for k, v in enumerate(reversed(surplus)) if v.strip()), 0)
            do = _split_by_commas(values[:got], len(header)) if sheet.mark == "," else ""
            raise InputError(f"{file}: line {line}: must have {len(header)} fields, got {got}{do}")
        missing = [""] * (len(header) - len(values))
        values = [*values[: len(header)], *missing]
    fields = dict(zip(header, values, strict=True))
    _take_word_of_default(fields, line, notes, columns)
    _split_match_points(fields, columns)
    score = fields.get(SCORE, "").strip()
    columns.read.add(SCORE)
    both = [text for text in (score, fields.get("match_points", "")) if SCORES.fullmatch(text)]
    if both and _is_guest_first(header):
        heads = f"the guest stands before the host: whose is the first number of {quoted(both[0])}?"
        do = "write two columns, such as 'Score home' and 'Score away', or the host first"
        raise InputError(f"{file}: line {line}: {heads} Then {do}")
    # A score becomes the fields of both sides, so that all else is read alike.
    if score and not is_open(score) and not notes.strict:
        scores, whole = SCORES.fullmatch(score), result_of(score)
        if made := made_of_result(score):
            raise InputError(f"{file}: line {line}: {SCORE} {quoted(score)} {made}")
        if whole:
            a, b = whole[0]
            fields |= {"game_points_a": f"{a / 2:g}", "game_points_b": f"{b / 2:g}"}
            # By default, of as many boards as points were given.
            if not whole[1]:
                fields["boards_forfeited"] = f"{(a + b) // 2}"
            if SIGNS_OF_DEFAULT.fullmatch(
                score
            ):  # of how many boards is known at the end of the table
                fields["won_by_default"] = "1" if a else "2" if b else ""
        elif scores:
            fields |= {"game_points_a": scores[1], "game_points_b": scores[2]}
        else:
            raise refusal(file, line, SCORE, "the game points of both sides as 6,5-3,5", score)
    return fields
