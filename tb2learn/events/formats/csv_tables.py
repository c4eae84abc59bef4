"""The tables of an event folder together, and the teams or players that they name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from tb2learn.events.formats.csv_rows import Row, rows_of
from tb2learn.events.formats.csv_words import FILES, REQUIRED
from tb2learn.events.formats.fields import Entrants
from tb2learn.events.formats.oddities import Notes, Reading
from tb2learn.events.parts import Game, Match, Player


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

    def first(self, file: str) -> Row | None:
        """The first row of a table, read without notes."""
        return next(rows_of(self._folder / file, (), Notes(self.notes.strict)), None)


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
