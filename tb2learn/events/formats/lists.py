"""What a list that chess-results exports says: entrants, pairings, boards."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tb2learn.events.formats.csv_words import folded
from tb2learn.events.formats.list_heads import is_title
from tb2learn.events.formats.options import written_points
from tb2learn.events.formats.source import MAX_FIDE_ID, MAX_NAME, MAX_RATING, refusal
from tb2learn.events.parts import Bye
from tb2learn.types import MAX_TEAMS, InputError

LONGEST = MAX_NAME - 20
"""Most characters of a name, which may be given a number to tell it from another."""
_SCORED = r"(\+|-|[0-9]{0,2}(?:[.,][05]| ?\u00bd| ?1/2)?) ?([FK]?)"
_RESULT = re.compile(rf"{_SCORED} ?[-:\u2013] ?{_SCORED}")


@dataclass(frozen=True)
class Entrant:
    """A team or a player, as a list has it.

    **Fields:**

    - `name`: as printed.
    - `where`: file and line.
    - `number`: the start number, 0 if the list does not give it.
    - `alias`: tells it from another of the same name in the list.
    - `rating`, `title`, `federation`, `fide_id`: empty or 0 for nothing.
    - `team`: of a player in an event of teams.
    """

    name: str
    where: str
    number: int = 0
    alias: str = ""
    rating: int = 0
    title: str = ""
    federation: str = ""
    fide_id: str = ""
    team: str = ""


@dataclass(frozen=True)
class Board:
    """A board of a match: players (None for nobody) and half points of its two sides."""

    number: int
    players: tuple[Entrant | None, Entrant | None]
    half_points: tuple[int, int]
    played: bool


@dataclass(frozen=True)
class Met:
    """A pairing, or the round of an entrant without an opponent.

    **Fields:**

    - `where`: file and line.
    - `round`: 0 if the list does not know rounds.
    - `sides`: the second is None for a bye.
    - `points`: half points of both sides; None without a result, or where the list does not say
      what a bye is worth.
    - `played`: whether they were scored in games.
    - `bye`: its kind.
    - `colours`: whether the first side is known to have White (on the first board).
    - `boards`: of a match, if the list has them.
    """

    where: str
    round: int
    sides: tuple[Entrant, Entrant | None]
    points: tuple[int, int] | None
    played: bool = True
    bye: Bye = ""
    colours: bool = True
    boards: tuple[Board, ...] = ()


@dataclass
class Listed:
    """What one file or sheet says.

    **Fields:**

    - `file`: its name, for messages.
    - `individual`: whether the event is of players; None if the list does not tell.
    - `titles`: the lines above the table.
    - `entrants`: teams or players.
    - `met`: pairings; `rounds` is how many rounds the event is to have, 0 if that is not known.
    - `published`: printed columns, by heading and entrant.
    """

    file: str
    individual: bool | None = None
    titles: list[str] = field(default_factory=list)
    entrants: list[Entrant] = field(default_factory=list)
    met: list[Met] = field(default_factory=list)
    rounds: int = 0
    published: dict[str, list[tuple[Entrant, str]]] = field(default_factory=dict)

    def of(self, individual: bool, line: int) -> None:
        """Note that a line is of players, or of teams.

        **Raises:** `InputError`, one line, if one before was not.
        """
        if self.individual not in (None, individual):
            raise InputError(f"{self.file}: line {line}: must be of players or of teams, not both")
        self.individual = individual

    def named(self, line: int, name: str, what: str = "name") -> str:
        """A name of a bounded length, of one of at most `MAX_TEAMS` entrants.

        **Raises:** `InputError`, one line, for any other.
        """
        if not 0 < len(name) <= LONGEST:
            raise refusal(self.file, line, what, f"a name of 1..{LONGEST} characters", name)
        if len(self.entrants) > MAX_TEAMS:
            raise refusal(self.file, line, what, f"one of at most {MAX_TEAMS} entrants", name)
        return name


def cell(values: Sequence[str], place: int | None) -> str:
    """A cell without blanks around it; empty where there is none."""
    return values[place].strip() if place is not None and 0 <= place < len(values) else ""


def whole(text: str, most: int) -> int:
    """A whole number up to a most; 0 for any other text."""
    found = re.fullmatch(r"[0-9]{1,11}", text.strip(), re.ASCII)
    return int(found[0]) if found and int(found[0]) <= most else 0


def entrant(
    where: str, values: Sequence[str], places: Mapping[str, int], name: str, team: str = ""
) -> Entrant:
    """The team or player of a row.

    **Arguments:** `places`: of the columns; `name`: the column of the names; `team`: of a player.
    """
    return Entrant(
        cell(values, places[name]),
        where,
        whole(cell(values, places.get("start")), 9999),
        "",
        whole(cell(values, places.get("rating")), MAX_RATING),
        title_before(values, places[name], places.get("title")),
        cell(values, places.get("federation")),
        str(whole(cell(values, places.get("fide_id")), MAX_FIDE_ID) or ""),
        team,
    )


def title_before(values: Sequence[str], name: int, explicit: int | None = None) -> str:
    """A player's title: in its column, else in a cell that stands directly before the name."""
    near = (cell(values, explicit), cell(values, name - 1), cell(values, name - 2))
    return next(filter(is_title, near), "")


def result_of(text: str) -> tuple[tuple[int, int], bool] | None:
    """Half points of both sides, and whether they were scored in games; None for no result.

    Games are `1 - 0`, `1/2 - 1/2`, `+ - -`; matches `2.5 : 1.5`, by default `6F - 0F`.
    """
    found = _RESULT.fullmatch(text.strip())
    if found is None or not (found[1] + found[3]):
        return None
    signs = {"+": 2, "-": 0}
    points = [signs[one] if one in signs else written_points(one) for one in (found[1], found[3])]
    if points[0] is None or points[1] is None:
        return None
    played = not (found[2] or found[4]) and not signs.keys() & {found[1], found[3]}
    return (points[0], points[1]), played


def is_same(name: str, words: Sequence[str] | frozenset[str]) -> bool:
    """Whether a name is one of some words, without case, accents, spaces and punctuation."""
    return folded(name) in words
