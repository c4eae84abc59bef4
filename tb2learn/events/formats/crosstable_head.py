"""The heading of a crosstable as chess-results exports it, in the languages of that site.

A heading is compared without case, accents, spaces and punctuation.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tb2learn.events.formats.csv_words import DELIMITERS, folded

TITLES = 30
"""Most lines before the heading."""
MOST_PUBLISHED = 20
"""Most columns of points and tie-breaks after the rounds."""

_WORDS: Mapping[str, str] = {
    "rank": "rk rg rang rank rnk place pl platz cl clas clasif pos posicion hely h helyezes rp poz "
    "mesto m plac",
    "start": "sno no nr snr startnr startno num numero n rajtszam rsz stno nrini ini sn",
    "name": "name nom nombre nev nome naam namn navn nimi jmeno imie ime spieler player joueur "
    "jugador jatekos",
    "team": "team mannschaft equipe equipo csapat squadra ploeg lag ekipa druzyna druzstvo time "
    "equip hold takim komanda",
    "rating": "rtg rtgi elo eloi rating irtg wertung elo1 ertekszam rtgint",
    "federation": "fed land federation pais pays orszag fide country nat verband",
    "fide_id": "fideid idfide codefide fidekod fidenr idno",
    "title": "title titel titre titulo cim typ",
    "points": "pts pkt pkte punkte points point ptos puntos pont pontszam punti punten poang poeng "
    "mp mannschaftspunkte",
}
"""The headings of every column."""
_COLUMN = {word: column for column, words in _WORDS.items() for word in words.split()}
_ROUND = re.compile(
    r"([0-9]{1,2}) ?[.\u00ba\u00aa] ?[^\W\d_]{0,8}\.?|([0-9]{1,2}) ?[^\W\d_]{1,8}\.?|"
    r"(?:r|rd|rnd|rnde|round|runde|ronda|ronde|rde|tour|fordulo|f|kolo|turno) ?\.? ?([0-9]{1,2})",
    re.IGNORECASE,
)
"""The heading of a round: `1.Rd`, `1. Runde`, `1ª`, `Rd.1`, `R1`."""
_TITLE = re.compile(r"W?[GICFNH]?[MC]|[GICFN]M[fw]?|W?FM|[AWN]?[GICF]M|AIM|AFM|ACM", re.ASCII)


@dataclass(frozen=True)
class Heading:
    """Where the columns of a crosstable are.

    **Fields:**

    - `columns`: the place of each column that is known, by its name here.
    - `rounds`: the places of the rounds, or of the opponents if the table is a square of them.
    - `square`: whether it is.
    - `published`: the places of all columns after the rounds, by their headings: points and
      tie-breaks, as printed.
    """

    columns: Mapping[str, int]
    rounds: tuple[int, ...]
    square: bool
    published: Mapping[str, int]

    @property
    def name(self) -> int:
        """The place of the names of players, else of teams."""
        return self.columns.get("name", self.columns.get("team", -1))

    @property
    def numbers(self) -> list[int]:
        """The places of the columns that may say what a cell calls an opponent."""
        return [self.columns[column] for column in ("rank", "start") if column in self.columns]


def heading_of(values: Sequence[str]) -> Heading | None:
    """What a row heads; None if it is not the heading of a crosstable.

    It has a column of names, one of ranks or start numbers, and those of rounds or opponents, which
    are numbered from 1 and stand together.
    """
    columns: dict[str, int] = {}
    for place, value in enumerate(values):
        column = _COLUMN.get(folded(value))
        if column and column not in columns:
            columns[column] = place
    if not columns.keys() & {"name", "team"} or not columns.keys() & {"rank", "start"}:
        return None
    for square in (False, True):
        numbered = _numbered(values, square)
        if numbered:
            columns = {c: place for c, place in columns.items() if place not in numbered}
            last = max(numbered)
            after = {
                " ".join(values[place].split()): place
                for place in range(last + 1, min(len(values), last + MOST_PUBLISHED + 1))
                if values[place].strip()
            }
            return Heading(columns, numbered, square, after)
    return None


def _numbered(values: Sequence[str], square: bool) -> tuple[int, ...]:
    """The first columns in a row that are numbered 1, 2, 3, ...; empty if there are none."""
    for place in range(len(values)):
        found: list[int] = []
        for number, value in enumerate(values[place:], start=1):
            if _number(value.strip(), square) != number:
                break
            found.append(place + number - 1)
        if found:
            return tuple(found)
    return ()


def _number(heading: str, square: bool) -> int:
    """The number of a round (or of an opponent) in its heading; 0 for another heading."""
    if square:
        return int(heading) if re.fullmatch(r"[0-9]{1,3}", heading, re.ASCII) else 0
    found = _ROUND.fullmatch(heading)
    return int(next(filter(None, found.groups()))) if found else 0


def is_points(heading: str) -> bool:
    """Whether a column of this heading has the points of the standings."""
    return _COLUMN.get(folded(heading)) == "points"


def is_title(text: str) -> bool:
    """Whether a text is the title of a player, such as GM or WFM."""
    return _TITLE.fullmatch(text) is not None


def find_heading(text: str) -> tuple[str, Heading] | None:
    """The mark between the fields of a crosstable, and its heading; None for another text."""
    for line in _some(text.splitlines()):
        for mark in DELIMITERS:
            try:
                values = next(csv.reader([line], delimiter=mark), [])
            except csv.Error:
                continue
            if heading := heading_of(values):
                return mark, heading
    return None


def _some(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if line.strip()][:TITLES]
