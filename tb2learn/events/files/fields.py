"""What a line of a TRF, a row of a table and the tags of a game have in common: named fields.

What was unclear in them is said in notes.
"""

from __future__ import annotations

import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from tb2learn.events.files.scores import half_points
from tb2learn.events.files.source import MAX_FIDE_ID, MAX_RATING
from tb2learn.text import plain
from tb2learn.types import MAX_TEAMS, InputError

F = TypeVar("F")
"""What names a field: its heading, its tag, its columns."""
K = TypeVar("K", bound=Hashable)
_Where: TypeAlias = "Fields[Any] | int | None"


MAX_NOTES = 100
"""Most notes on one event; a last one says how many more there were."""
MAX_NOTE_NAME = 60
"""Most characters of a name in a note."""
TABLE = re.compile(r"[a-z]+\.csv: ")


class Aside(str):
    """A note that changes no place.

    **Fields:** `unless`: what a tie-break must need for the note to matter (`Entry.needs`): ratings
    or colours; empty for a note that never matters.
    """

    unless: str

    def __new__(cls, text: str, unless: str = "") -> Aside:
        """The text, printable and in one line."""
        self = super().__new__(cls, text)
        self.unless = unless
        return self


@dataclass
class _NoteGroup:
    """What is known of the notes of one kind: how many, of whom, and the first of them."""

    place: _Where
    aside: str | None
    wrong: str = ""
    first: str = ""
    word: str = ""
    names: set[str] = field(default_factory=set)
    count: int = 0

    def said(self, text: str) -> str:
        """The note: where it begins, what is assumed, of how many and whom."""
        # Of several, how many there are says more than all names.
        if len(self.names) > 1:
            others = len(self.names) - 1
            text = f"{text} ({others + 1} {self.word}s, {self.first} and {others} more)"
        else:
            times = f"{self.count} times" if self.count > 1 else ""
            example = ", ".join(filter(None, (self.first, times)))
            text = f"{text} ({example})" if example else text
        if self.place is not None:
            line = self.place if isinstance(self.place, int) else self.place.number
            # The name of a table stands before the number of its line.
            table = TABLE.match(text)
            of, text = (table[0], text[table.end() :]) if table else ("", text)
            text = f"{of}line {line}: {text}"
        return plain(text)


class Notes:
    """Collects what was unclear in a file: a note a kind, with its first line, how many, and whom.

    A strict reader refuses the first one instead; it only keeps what is said without an assumption.

    **Arguments:** `strict`; `file`: its name in refusals, unless the notes begin with one.
    """

    def __init__(self, strict: bool = False, file: str = "") -> None:
        self.strict, self._file = strict, file
        self._kinds: dict[str, _NoteGroup] = {}
        self._more = 0

    def note_assumption(
        self,
        assumed: str,
        place: _Where = None,
        error: Callable[[], InputError] | None = None,
        **about: Any,
    ) -> None:
        """Note what is assumed, which a strict reader refuses instead.

        **Arguments:** as `say`; `error`: what is raised, by default that the note is unclear.
        """
        if not self.strict:
            self.say(assumed, place, **about)
            return
        # The error of a field says what is allowed, which is better than "unclear".
        if error:
            raise error()
        word, name = about.get("whom", ("", ""))
        group = _NoteGroup(place, None, first=name[:MAX_NOTE_NAME], word=word)
        of = f"{self._file}: " if self._file else ""
        text = f"{of}{group.said(assumed)}"
        raise InputError(f"{text}: unclear, and unclear files are refused")

    def say(
        self,
        note: str,
        place: _Where = None,
        whom: tuple[str, str] = ("", ""),
        aside: str | None = None,
        wrong: str = "",
    ) -> None:
        """Add a note of any reader.

        **Arguments:**

        - `note`: its kind; equal texts are one kind.
        - `place`: the line, or its number; None for the file as a whole.
        - `whom`: `player` or `team`, and the name.
        - `aside`: for what changes no place, the `unless` of an `Aside`.
        - `wrong`: where the file contradicts itself, the kind of the finding (`check`).
        """
        # A file made to annoy has any number of kinds.
        if note not in self._kinds and len(self._kinds) == MAX_NOTES:
            self._more += 1
            return
        group = self._kinds.setdefault(note, _NoteGroup(place, aside, wrong))
        word, name = whom[0], whom[1][:MAX_NOTE_NAME]
        # Repairs do not go through a file in order: the first line is looked for.
        if not group.count or _start(place) < _start(group.place):
            group.place, group.first, group.word = place, name, word
        group.names |= {name} if name else set()
        group.count += 1

    def say_once(self, note: str) -> None:
        """Add a note on the file as a whole, unless it is said already."""
        if note not in self._kinds:
            self.say(note)

    @property
    def contradictions(self) -> tuple[tuple[str, str], ...]:
        """Of the notes those that say what the file says twice and differently: kind and text."""
        kinds = self._kinds.items()
        return tuple((group.wrong, group.said(text)) for text, group in kinds if group.wrong)

    @property
    def lines(self) -> tuple[str, ...]:
        """The notes, printable, in the order in which their kinds were met."""
        texts = ((group.said(text), group.aside) for text, group in self._kinds.items())
        notes = [text if aside is None else Aside(text, aside) for text, aside in texts]
        if self._more:
            notes.append(f"and more of this kind: {self._more}")
        return tuple(notes)


def _start(place: _Where) -> int:
    return place if isinstance(place, int) else 0 if place is None else place.start


class Fields(ABC, Generic[F]):
    """A part of a file whose fields have names.

    Every field is read as what it must be. What is needed is refused otherwise, with the place of
    the field; of what ranking does not need a note says that it is left out.

    **Arguments:** `file`: its name in messages; `notes`: takes what is assumed; `line`: from 1.
    """

    unknown: tuple[str, ...] = ("",)
    """What stands in a field of which nothing is known."""
    whole = re.compile(r"([0-9]{1,11})", re.ASCII)
    """How a whole number is written."""
    read_points = staticmethod(half_points)
    """Half points from the text of a field; None for any other text."""

    def __init__(self, file: str, notes: Notes, line: int = 0) -> None:
        self.file, self.notes, self._line = file, notes, line

    @property
    def number(self) -> int:
        """The line where it stands, counted from 1."""
        return self._line

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

    def whom(self, field: F) -> tuple[str, str]:
        """Whom a field is about, for notes: `player` or `team`, and the name; empty if unknown."""
        return "", ""

    def note_assumption(
        self, assumed: str, field: F, allowed: str, aside: str | None = None
    ) -> None:
        """Note what is assumed for a field; `aside` as for `Notes.note_assumption`."""
        error = functools.partial(self.error, field, allowed)
        self.notes.note_assumption(assumed, self, error, whom=self.whom(field), aside=aside)

    def check_once(
        self, seen: set[K], key: K, field: F, allowed: str, got: str | None = None
    ) -> None:
        """Remember a key that may appear once."""
        if key in seen:
            raise self.error(field, allowed, got)
        seen.add(key)

    def integer(self, field: F, low: int, high: int, default: int | None = None) -> int:
        """A whole number; the default, if given, for an empty field."""
        number = self._number(field, low, high, default)
        if number is None:
            raise self.error(field, f"a whole number {low}..{high}")
        return number

    def optional_number(self, assumed: str, field: F, high: int, unless: str = "") -> int:
        """A whole number that ranking does not need, `unless` ratings: 0 if it is none, noted."""
        number = self._number(field, 0, high, 0)
        if number is None:
            self.note_assumption(assumed, field, f"a whole number 0..{high}", unless)
        return number or 0

    def _number(self, field: F, low: int, high: int, default: int | None) -> int | None:
        value = self.text(field)
        # An empty field is no mistake where a default is given.
        if value in self.unknown and default is not None:
            return default
        digits = self.whole.fullmatch(value)
        number = int(digits[1]) if digits else None
        return number if number is not None and low <= number <= high else None

    def rating(self, field: F) -> int:
        """A rating; 0 if there is none."""
        return self.optional_number(
            "a rating that is none is left out", field, MAX_RATING, "ratings"
        )

    def fide_id(self, field: F, known: set[int] | None = None) -> int:
        """A FIDE number; 0 for none, and with a note for one of those that are `known` already."""
        number = self.optional_number("a FIDE number that is none is left out", field, MAX_FIDE_ID)
        if known is None or not number:
            return number
        if number in known:
            assumed = "a FIDE number of several players is kept for the first alone"
            self.note_assumption(assumed, field, "each player once", aside="")
            return 0
        known.add(number)
        return number

    def half_points(self, field: F, high: int, low: int = 0) -> int | None:
        """As `points`; None for an empty field."""
        return self.points(field, low, high) if self.text(field) else None

    def points(self, field: F, low: int, high: int) -> int:
        """Points from `low` to `high` in steps of 1/2, as half points."""
        points = self.read_points(self.text(field))
        if points is None or not 2 * low <= points <= 2 * high:
            raise self.error(field, f"{low}..{high} in steps of 0.5")
        return points


class Entrants:
    """The teams or players of an event by name.

    **Fields:** `word`: what one of them is called, `team` or `player`; `listed`: the table that
    lists them all, empty if they are those that appear; `numbers`: by name, from 0, in start order
    or in the order of appearance.
    """

    def __init__(self, word: str, listed: str = "") -> None:
        self.word, self.listed = word, listed
        self.numbers: dict[str, int] = {}

    def of(self, place: Fields[str], field: str, name: str, once: bool = False) -> int:
        """The number of a name, which is new if no table lists them all; `once`: in that table."""
        # In the table that lists all, a name twice is a slip; elsewhere it is the same team.
        if once and name in self.numbers:
            raise place.error(field, f"each {self.word} once", name)
        if self.listed and not once and name not in self.numbers:
            raise place.error(field, f"a {self.word} of {self.listed}", name)
        if name not in self.numbers and len(self.numbers) == MAX_TEAMS:
            raise place.error(field, f"one of at most {MAX_TEAMS} {self.word}s", name)
        return self.numbers.setdefault(name, len(self.numbers))
