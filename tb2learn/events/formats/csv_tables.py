"""The tables of an event folder and their rows, which know their line for error messages."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from tb2learn.disk.inputs import is_file
from tb2learn.events.formats.csv_words import (
    FILES,
    NO_OPPONENT,
    REQUIRED,
    SCORE,
    columns_of,
    first_row,
    folded,
    says_mark,
    would_do,
)
from tb2learn.events.formats.fields import Entrants, Fields, Notes
from tb2learn.events.formats.options import Reading, written_points
from tb2learn.events.formats.source import MAX_NAME, MAX_RATING, read_bytes, refusal, unmarked
from tb2learn.events.model import TIEBREAKS, TeamEvent
from tb2learn.events.parts import Game, Match, Pair, Player
from tb2learn.events.terms import terms
from tb2learn.text import did_you_mean, named, quoted
from tb2learn.types import MAX_BOARDS, InputError

MAX_COLUMNS = 100

ABOUT = (
    "order", "city", "federation", "start", "end", "type", "arbiter", "deputy", "time", TIEBREAKS,
)  # fmt: skip
"""Keys of `event.csv` besides `name`, `rounds` (planned) and `boards`."""

PLAYER_TEXTS = ("title", "sex", "federation", "birth")
"""Columns of `players.csv` that are read as plain text."""
RESULTS = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "0-0": (0, 0)}
"""Half points of White and of Black by the `result` of a game."""
STATUS = ("played", "forfeit")
"""What the `status` of a game may be."""


SCORES = re.compile(r"([^:-]+)[:-]([^:-]+)")
"""The game points of both sides in one field."""
_WHOLE = re.compile(r"([0-9]{1,9})", re.ASCII)
_WHOLE_OR_DECIMAL = re.compile(r"([0-9]{1,9})(?:[.,]0*)?", re.ASCII)


class Row(Fields[str]):
    """One row of a table. Errors name file, line and column."""

    def __init__(self, file: str, line: int, fields: Mapping[str, str], notes: Notes) -> None:
        super().__init__(notes)
        self._file, self._line, self._fields = file, line, fields
        self.whole = _WHOLE if notes.strict else _WHOLE_OR_DECIMAL

    @property
    def number(self) -> int:
        """The line where the row starts, from 1."""
        return self._line

    def whom(self, field: str) -> tuple[str, str]:
        """The team or player of a row of the table that lists them."""
        word, column = {"teams.csv": ("team", "team"), "players.csv": ("player", "name")}.get(
            self._file, ("", "")
        )
        return word, self.text(column)

    def odd(self, assumed: str, field: str, allowed: str, aside: str | None = None) -> None:
        """Note what is assumed for a field; the note begins with the name of the table."""
        super().odd(f"{self._file}: {assumed}", field, allowed, aside)

    def error(self, field: str, allowed: str, got: str | None = None) -> InputError:
        """The error for a field: what is allowed and what was read."""
        got = self.text(field) if got is None else got
        return refusal(self._file, self._line, field, allowed, got)

    def has(self, field: str) -> bool:
        """Whether the table has a column."""
        return field in self._fields

    def text(self, field: str) -> str:
        """The field, stripped; empty if there is no such column."""
        return self._fields.get(field, "").strip()

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
        mean = float(value.replace(",", ".")) if shape else MAX_RATING + 1
        if mean <= MAX_RATING:
            return round(mean)
        if value:
            assumed = "a mean rating that is none is left out"
            self.odd(assumed, field, f"a number 0..{MAX_RATING}", aside="")
        return 0

    def game_points(self, field: str) -> int:
        """Game points as half points: 0, 0.5, 1, ... MAX_BOARDS."""
        return self.points(field, 0, MAX_BOARDS)

    def _half_points(self, text: str) -> int | None:
        """Also of `2,5`, `2 1/2` and `2\u00bd`."""
        return written_points(text)

    def names_nobody(self, field: str, entrants: Entrants) -> bool:
        """Whether there is no opponent: the field is empty, or has a word such as `bye`."""
        word = self.text(field)
        if not word:
            return True
        if word in entrants.numbers or folded(word) not in NO_OPPONENT:
            return False
        self.odd(f"a word such as 'bye' in place of {field} means a bye", field, "a name")
        return True

    def game(
        self,
        place: tuple[int, int, int],
        teams: tuple[int, int],
        players: tuple[int | None, int | None],
        points: tuple[int, int],
        forfeit: bool = False,
    ) -> Game:
        """The game of a row.

        **Arguments:**

        - `place`: round, match and board.
        - `teams`, `players`, `points`: numbers and half points, first of White.
        - `forfeit`: whether the result says that it was not played.
        """
        usual = STATUS[points == (0, 0)]
        played = not forfeit and self.choice("status", STATUS, usual) == STATUS[0]
        ratings = self.rating("white_rating"), self.rating("black_rating")
        return Game(*place, *teams, *players, *points, played, *ratings)

    def player(self, team: int, known: set[int] | None = None) -> Player:
        """A row of `players.csv`.

        **Arguments:** `team`: the number of the player's team; `known`: as for `fide_id`.
        """
        fide_id, rating = self.fide_id("fide_id", known), self.rating("rating")
        texts = [self.name(field) if self.text(field) else "" for field in PLAYER_TEXTS]
        return Player(team, self.name("name"), fide_id, rating, *texts)


def rows_of(path: Traversable, required: Sequence[str], notes: Notes) -> Iterator[Row]:
    """The rows of a CSV table; empty lines are skipped.

    A reader that is not strict also takes what spreadsheets write: semicolons or tabs between the
    fields, headings of several languages (`csv_words`), UTF-16, empty fields left out or too many.

    **Arguments:**

    - `path`: a UTF-8 file of at most `MAX_BYTES`; its first row names the columns.
    - `required`: columns that must be there; others are allowed.
    - `notes`: takes what is assumed.

    **Raises:** `InputError`, one line, for any other file, or if there are no rows.
    """
    file = path.name
    text = _text(path, notes)
    mark = "," if notes.strict else first_row(text)[0]
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=mark)
    header: list[str] | None = None
    empty = True
    line = 1  # where the row starts: a quoted field may run over several lines
    try:
        while True:
            line = reader.line_num + 1
            values = next(reader, None)
            if values is None:
                break
            if not any(v.strip() for v in values):
                continue
            if header is None:
                if not notes.strict and says_mark(mark.join(values)):
                    continue
                values = _columns(file, line, values, notes)
                header = _header(file, line, values, required, notes)
                continue
            empty = False
            yield Row(file, line, _fields(file, line, header, values, notes), notes)
    except csv.Error as error:
        raise InputError(f"{file}: line {line}: not valid CSV: {error}") from error
    if empty:
        raise InputError(f"{file}: must have a header and at least one row")


def user_table(path: str | Path) -> Iterator[Row]:
    """The rows of a table that a user names, with any columns.

    **Raises:** `InputError` as `rows_of`, or if there is no such file.
    """
    if not is_file(path):
        raise InputError(f"{named(str(path))}: no such file")
    yield from rows_of(Path(path), (), Notes())


def _columns(file: str, line: int, values: Sequence[str], notes: Notes) -> list[str]:
    """The columns that headings name; empty headings at the end are left out."""
    names = list(values)
    while names and not names[-1].strip():
        del names[-1]
    columns = columns_of(names)
    renamed = [n.strip() for n, c in zip(names, columns, strict=True) if n.strip() != c]
    if renamed:
        some = ", ".join(map(quoted, renamed[:3]))
        notes.odd(f"{file}: headings such as {some} are taken for columns", line)
    return columns


def _fields(
    file: str, line: int, header: Sequence[str], values: Sequence[str], notes: Notes
) -> dict[str, str]:
    """The fields of a row by column; empty ones at its end may be missing, or be too many."""
    while len(values) > len(header) and not values[-1].strip():
        values = values[:-1]
    if len(values) > len(header) or (notes.strict and len(values) < len(header)):
        raise InputError(f"{file}: line {line}: must have {len(header)} fields, got {len(values)}")
    fields = dict(zip(header, [*values, *[""] * (len(header) - len(values))], strict=True))
    score = fields.get(SCORE, "").strip()
    if score and not notes.strict:
        both = SCORES.fullmatch(score)
        if both is None:
            raise refusal(file, line, SCORE, "the game points of both sides as 6,5-3,5", score)
        fields |= {"game_points_a": both[1], "game_points_b": both[2]}
    return fields


def _text(path: Traversable, notes: Notes) -> str:
    data = read_bytes(path)
    encoding = "utf-8-sig"
    if not notes.strict:
        data, encoding = unmarked(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = _line(data[: error.start].decode(encoding, "replace"))
        if notes.strict or encoding != "utf-8" or b"\0" in data:
            raise InputError(f"{path.name}: line {line}: not UTF-8 text") from error
        assumed = f"{path.name}: not UTF-8: read as Windows-1252, so names may look wrong"
        notes.odd(assumed, line, aside="")
        text = data.decode("cp1252", "replace")
    if "\0" in text:
        line = _line(text[: text.index("\0")])
        raise InputError(f"{path.name}: line {line}: a NUL character is not allowed")
    return text


def _header(
    file: str, line: int, values: Sequence[str], required: Sequence[str], notes: Notes
) -> list[str]:
    """The names of the columns, which must differ."""
    if len(values) > MAX_COLUMNS:
        raise InputError(
            f"{file}: line {line}: must have at most {MAX_COLUMNS} columns, got {len(values)}"
        )
    header = [v.strip() for v in values]
    scored = SCORE in header and not notes.strict
    for column in required:
        if column not in header and not (scored and column.startswith("game_points_")):
            do = f"one of these headings would do: {would_do(column)}"
            raise InputError(f"{file}: line {line}: missing column {column}: {do}")
    for column in header:
        if header.count(column) > 1:
            raise InputError(f"{file}: line {line}: column {quoted(column)} appears twice")
    return header


def _line(before: str) -> int:
    """The number of the line after `before`, with line ends as the csv module counts them."""
    return before.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


class Tables:
    """The tables of an event folder, with what the user says about them.

    **Fields:** `options`; `notes` takes what is assumed.
    """

    def __init__(self, folder: Traversable, options: Reading) -> None:
        self._folder, self.options = folder, options
        self.notes = Notes(options.strict)

    def has(self, file: str) -> bool:
        """Whether there is a table of this name."""
        return (self._folder / file).is_file()

    def rows(self, file: str, *required: str) -> Iterator[Row]:
        """The rows of a table; none if it may be missing.

        **Arguments:** `required`: columns that it must have, if not those of team events.
        """
        if file == FILES[0] or self.has(file):
            yield from rows_of(self._folder / file, required or REQUIRED[file], self.notes)

    def quiet(self, file: str) -> Iterator[Row]:
        """The rows of a table that is there, read without notes."""
        yield from rows_of(self._folder / file, (), Notes(self.notes.strict))


@dataclass(frozen=True)
class Recorded:
    """What the tables say of the matches of an event, and of who plays them.

    **Fields:**

    - `entrants`: numbers of teams or players by name.
    - `boards`: of a match.
    - `scoring`: match points of a match won, drawn and lost.
    - `matches`, `players`, `games`: of finished rounds; in any order.
    - `unfinished`: the first round that is not finished, 0 if there is none.
    - `ratings`: of every team, best first; none if they are those of its players.
    - `unsure`: how many names of teams may be wrong.
    - `drawn`: the pairs of the first unfinished round.
    """

    entrants: Entrants
    boards: int
    scoring: tuple[int, int, int]
    matches: list[Match]
    players: list[Player]
    games: list[Game]
    unfinished: int
    ratings: Sequence[tuple[int, ...]] = ()
    unsure: int = 0
    drawn: tuple[Pair, ...] = ()
