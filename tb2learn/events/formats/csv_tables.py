"""The tables of an event folder together, and the teams or players that they name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from tb2learn.events.formats.csv_rows import Row, rows_of
from tb2learn.events.formats.csv_words import FILES
from tb2learn.events.formats.oddities import Notes, Reading
from tb2learn.events.parts import Game, Match, Player
from tb2learn.types import MAX_TEAMS


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
        """The rows of a table with the columns that it must have; none if it may be missing."""
        if file == FILES[0] or self.has(file):
            yield from rows_of(self._folder / file, required, self.notes)

    def first(self, file: str) -> Row | None:
        """The first row of a table, read without notes."""
        return next(rows_of(self._folder / file, (), Notes(self.notes.strict)), None)


class Entrants:
    """The teams or players of an event by name: those that a table lists, else those that appear.

    **Arguments:**

    - `word`, `match`: what an entrant is called (`team`), and what it plays (`match`).
    - `table`: the table that lists them all; empty if there is none.

    **Fields:** `numbers`: by name, from 0, in start order or in the order of appearance.
    """

    def __init__(self, word: str, match: str, table: str) -> None:
        self._word, self._match, self._table = word, match, table
        self._busy: set[tuple[int, int]] = set()
        self.numbers: dict[str, int] = {}

    def add(self, row: Row, field: str, name: str) -> int:
        """The number of a new entrant."""
        if len(self.numbers) == MAX_TEAMS:
            raise row.error(field, f"one of at most {MAX_TEAMS} {self._word}s", name)
        return self.numbers.setdefault(name, len(self.numbers))

    def listed(self, row: Row, field: str, name: str) -> int:
        """The number of an entrant that the table lists."""
        if name in self.numbers:
            raise row.error(field, f"each {self._word} once", name)
        return self.add(row, field, name)

    def of(self, row: Row, field: str) -> int:
        """The number of the entrant in a field, who is new if no table lists them all."""
        name = row.name(field)
        if name in self.numbers:
            return self.numbers[name]
        if self._table:
            raise row.error(field, f"a {self._word} of {self._table}", name)
        return self.add(row, field, name)

    def known(self, row: Row) -> int:
        """The number in the column `team`, which must be that of an entrant."""
        number = self.numbers.get(row.name("team"))
        if number is None:
            raise row.error("team", "a team of the event")
        return number

    def take(self, row: Row, field: str, round_number: int, number: int) -> None:
        """Refuse a second match of an entrant in a round."""
        allowed = f"in one {self._match} of round {round_number}"
        row.once(self._busy, (round_number, number), field, allowed)


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
