"""What a line of a TRF, a row of a table and the tags of a game have in common: named fields.

What was unclear in them is said in notes.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from tb2learn.events.formats.options import half_points
from tb2learn.events.formats.source import MAX_FIDE_ID, MAX_RATING
from tb2learn.text import plain
from tb2learn.types import MAX_TEAMS, InputError

F = TypeVar("F")
"""What names a field: its heading, its tag, its columns."""
K = TypeVar("K", bound=Hashable)


MAX_NOTES = 100
"""Most notes on one event; a last one says how many more there were."""
TABLE = re.compile(r"[a-z]+\.csv: ")


class Notes:
    """Collects what was unclear in a file: one note a kind, with first line and count.

    A strict reader refuses the first one instead.
    """

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self._odd: dict[str, tuple[Fields[Any] | int | None, int]] = {}
        self._more = 0

    def odd(
        self,
        assumed: str,
        place: Fields[Any] | int | None,
        error: Callable[[], InputError] | None = None,
    ) -> None:
        """Count one oddity.

        **Arguments:**

        - `assumed`: its kind, and what is assumed; equal texts are one kind.
        - `place`: the line, or its number; None for the file as a whole.
        - `error`: what a strict reader raises; without it the note is written by any reader.

        **Raises:** what `error` gives, in a strict reader.
        """
        if self.strict and error is not None:
            raise error()
        if assumed in self._odd:
            first, count = self._odd[assumed]
            self._odd[assumed] = min(first, place, key=_start), count + 1
        elif len(self._odd) < MAX_NOTES:
            self._odd[assumed] = place, 1
        else:
            self._more += 1

    def say(self, *notes: str) -> None:
        """Add notes that are not about a line."""
        for note in notes:
            self.odd(note, None)

    @property
    def lines(self) -> tuple[str, ...]:
        """The notes, printable, in the order in which their kinds were met."""
        found = [plain(_note(text, *where)) for text, where in self._odd.items()]
        if self._more:
            found.append(f"and more of this kind: {self._more}")
        return tuple(found)


def _start(place: Fields[Any] | int | None) -> int:
    return place if isinstance(place, int) else 0 if place is None else place.start


def _note(text: str, place: Fields[Any] | int | None, count: int) -> str:
    times = f" ({count} times)" if count > 1 else ""
    if place is None:
        return f"{text}{times}"
    table = TABLE.match(text)
    of, text = (table[0], text[table.end() :]) if table else ("", text)
    return f"{of}line {place if isinstance(place, int) else place.number}{times}: {text}"


class Fields(ABC, Generic[F]):
    """A part of a file whose fields have names.

    Every field is read as what it must be. What is needed is refused otherwise, with the place of
    the field; of what ranking does not need a note says that it is left out.

    **Arguments:** `notes`: takes what is assumed.
    """

    unknown: tuple[str, ...] = ("",)
    """What stands in a field of which nothing is known."""
    whole = re.compile(r"([0-9]{1,11})", re.ASCII)
    """How a whole number is written."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes

    @property
    @abstractmethod
    def number(self) -> int:
        """The line where it stands, counted from 1."""

    @property
    def start(self) -> int:
        """Grows from line to line."""
        return self.number

    @abstractmethod
    def text(self, field: F) -> str:
        """The content of a field without blanks around it; empty if there is no such field."""

    @abstractmethod
    def error(self, field: F, allowed: str, got: str | None = None) -> InputError:
        """The error for a field: what it must be, and what it is, if that is not its content."""

    def odd(self, assumed: str, field: F, allowed: str) -> None:
        """Note what is assumed for a field.

        **Raises:** the error for it, in a strict reader.
        """
        self.notes.odd(assumed, self, lambda: self.error(field, allowed))

    def once(self, seen: set[K], key: K, field: F, allowed: str, got: str | None = None) -> None:
        """Remember a key that may appear once.

        **Raises:** the error for the field, if it was seen before.
        """
        if key in seen:
            raise self.error(field, allowed, got)
        seen.add(key)

    def integer(self, field: F, low: int, high: int, default: int | None = None) -> int:
        """A whole number; the default, if given, for an empty field."""
        number = self._number(field, low, high, default)
        if number is None:
            raise self.error(field, f"a whole number {low}..{high}")
        return number

    def needless(self, assumed: str, field: F, high: int) -> int:
        """A whole number that ranking does not need: 0 if it is none, with a note."""
        number = self._number(field, 0, high, 0)
        if number is None:
            self.odd(assumed, field, f"a whole number 0..{high}")
        return number or 0

    def _number(self, field: F, low: int, high: int, default: int | None) -> int | None:
        value = self.text(field)
        if value in self.unknown and default is not None:
            return default
        found = self.whole.fullmatch(value)
        return int(found[1]) if found and low <= int(found[1]) <= high else None

    def rating(self, field: F) -> int:
        """A rating; 0 if there is none."""
        return self.needless("a rating that is none is left out", field, MAX_RATING)

    def fide_id(self, field: F, known: set[int] | None = None) -> int:
        """A FIDE number; 0 if there is none, or if it is one of those that are known, with a note.

        **Arguments:** `known`: the numbers of other players; this one is added.
        """
        number = self.needless("a FIDE number that is none is left out", field, MAX_FIDE_ID)
        if known is None or not number:
            return number
        if number in known:
            assumed = "a FIDE number of several players is kept for the first alone"
            self.odd(assumed, field, "each player once")
            return 0
        known.add(number)
        return number

    def points(self, field: F, low: int, high: int) -> int:
        """Points from `low` to `high` in steps of 1/2, as half points."""
        points = self._half_points(self.text(field))
        if points is None or not 2 * low <= points <= 2 * high:
            raise self.error(field, f"{low}..{high} in steps of 0.5")
        return points

    def _half_points(self, text: str) -> int | None:
        return half_points(text)


class Entrants:
    """The teams or players of an event by name.

    **Arguments:**

    - `word`: what one of them is called: `team` or `player`.
    - `listed`: the table that lists them all; empty if they are those that appear.

    **Fields:** `word`; `numbers`: by name, from 0, in start order or in the order of appearance.
    """

    def __init__(self, word: str, listed: str = "") -> None:
        self.word, self._listed = word, listed
        self.numbers: dict[str, int] = {}

    def add(self, place: Fields[str], field: str, name: str) -> int:
        """The number of a name, which may be new."""
        if name not in self.numbers and len(self.numbers) == MAX_TEAMS:
            raise place.error(field, f"one of at most {MAX_TEAMS} {self.word}s", name)
        return self.numbers.setdefault(name, len(self.numbers))

    def enter(self, place: Fields[str], field: str, name: str) -> int:
        """The number of a name in the table that lists each once."""
        if name in self.numbers:
            raise place.error(field, f"each {self.word} once", name)
        return self.add(place, field, name)

    def of(self, place: Fields[str], field: str, name: str) -> int:
        """The number of a name, which is new if no table lists them all."""
        if self._listed and name not in self.numbers:
            raise place.error(field, f"a {self.word} of {self._listed}", name)
        return self.add(place, field, name)
