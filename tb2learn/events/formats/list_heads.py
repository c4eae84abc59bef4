"""The headings of the lists that chess-results exports, in the languages of that site.

A heading is compared without case, accents, spaces and punctuation. None of these lists has a
column of rounds, which a table of an event folder has.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tb2learn.events.formats.csv_words import COLUMN, DELIMITERS, HEADINGS, folded

TITLES = 30
"""Most lines before the heading."""
MOST_PUBLISHED = 20
"""Most columns of points and tie-breaks that are kept."""

_WORDS: Mapping[str, str] = {
    "rank": "rk rg rang rank rnk place pl platz cl clas clasif pos posicion hely h helyezes rp poz "
    "mesto m plac",
    "start": "sno no nr snr startnr startno num numero n rajtszam rsz stno nrini noini ini sn",
}
"""The headings of columns that tables of an event folder do not have, or head otherwise."""
_COLUMN: Mapping[str, str] = {**COLUMN} | {
    word: column for column, words in _WORDS.items() for word in words.split()
}
_ROUND = re.compile(
    r"([0-9]{1,2}) ?[.\u00ba\u00aa] ?[^\W\d_]{0,8}\.?|([0-9]{1,2}) ?[^\W\d_]{1,8}\.?|"
    r"(?:r|rd|rnd|rnde|round|runde|ronda|ronde|rde|tour|fordulo|f|kolo|turno) ?\.? ?([0-9]{1,2})",
    re.IGNORECASE,
)
"""The heading of a round: `1.Rd`, `1. Runde`, `1ª`, `Rd.1`, `R1`."""
_ROUND_WORDS = "|".join(HEADINGS["round"].split())
_ROUND_LINE = re.compile(
    rf"([0-9]{{1,2}})[.oa]? ?(?:{_ROUND_WORDS})\b|(?:{_ROUND_WORDS})[. ] ?([0-9]{{1,2}})\b"
)
"""How a line begins that says of which round the pairings below it are."""
_TITLE = re.compile(r"W?[GICFNH]?[MC]|[GICFN]M[fw]?|W?FM|[AWN]?[GICF]M|AIM|AFM|ACM", re.ASCII)
_TIE_BREAK = re.compile(r"[^\W\d_]{2,8}\.? ?1")
"""The heading of the first tie-break: `TB1`, `Wtg1`, `Des 1`."""


@dataclass(frozen=True)
class ListColumns:
    """Where the columns of a list are.

    **Fields:**

    - `kind`: what its rows are: the entrants of a `crosstable` by rounds, or of a `square` of
      opponents; the `entrants` of another list (a start list, or a ranking); `games` or `matches`
      of a round; or the `boards` of the match that the heading itself names.
    - `places`: of columns by their names here; of those of two sides by `name_a`, `name_b`, ...
    - `rounds`: the places of the rounds of a crosstable; of the opponents in a square.
    - `published`: of points and tie-breaks of entrants, as printed, by their headings.
    """

    kind: Literal["crosstable", "square", "entrants", "games", "matches", "boards"]
    places: Mapping[str, int]
    rounds: tuple[int, ...] = ()
    published: Mapping[str, int] = field(default_factory=dict)


def heading_of(values: Sequence[str]) -> ListColumns | None:
    """What a row heads; None if it is not the heading of a crosstable.

    It has a column of names, one of ranks or start numbers, and those of rounds or opponents, which
    are numbered from 1 and stand together.
    """
    columns = _first_places(values)
    if not columns.keys() & {"name", "team"} or not columns.keys() & {"rank", "start"}:
        return None
    for square in (False, True):
        numbered = _numbered(values, square)
        if numbered:
            columns = {c: place for c, place in columns.items() if place not in numbered}
            kind = "square" if square else "crosstable"
            return ListColumns(kind, columns, numbered, _after(values, max(numbered) + 1))
    return None


def _first_places(values: Sequence[str]) -> dict[str, int]:
    """The first place of every column that a row heads."""
    named = [_COLUMN.get(folded(value)) for value in values]
    return {column: named.index(column) for column in named if column}


def _after(values: Sequence[str], first: int) -> dict[str, int]:
    """The places of columns from a first one on, by their headings."""
    return {
        " ".join(values[place].split()): place
        for place in range(first, min(len(values), first + MOST_PUBLISHED))
        if values[place].strip()
    }


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


def columns_of_list(values: Sequence[str]) -> ListColumns | None:
    """What a row heads; None if it is the heading of no list but perhaps of a crosstable."""
    named = [_COLUMN.get(folded(value), "") for value in values]
    if "round" in named:
        return None
    marks = [value.strip() for value in values]
    for mark, find in (("-", _of_boards), (":", _of_matches)):
        if mark in marks and (found := find(values, named, marks.index(mark))):
            return found
    if {"white_player", "black_player", "result"}.issubset(named):
        return _of_games(named)
    if named.count("team") == 2 and "result" in named[named.index("team") :]:
        return _of_matches(values, named, named.index("result", named.index("team")))
    places = _first_places(values)
    if places.keys() & {"rank", "start"} and places.keys() & {"name", "team"}:
        scores = (
            place
            for place, (value, column) in enumerate(zip(marks, named, strict=True))
            if is_points(value) or (not column and _TIE_BREAK.match(value))
        )
        return ListColumns("entrants", places, (), _after(values, next(scores, len(values))))
    return None


def _of_boards(values: Sequence[str], named: Sequence[str], middle: int) -> ListColumns | None:
    """`Bo. | 3 | Falcons | Rtg | - | 1 | Herons | Rtg | 3 : 2`; its boards stand alike."""
    places: dict[str, int] = {}
    for side, first, last in (("a", 1, middle), ("b", middle + 1, len(named))):
        if "rating" not in named[first:last]:
            return None
        rating = named.index("rating", first, last)
        numbers = [k for k in range(first, rating - 1) if _is_number(values[k])]
        if not numbers:
            return None
        places |= {f"number_{side}": numbers[0], f"name_{side}": rating - 1}
        places[f"rating_{side}"] = rating
    return ListColumns("boards", places | {"result": places["rating_b"] + 1})


def _of_matches(values: Sequence[str], named: Sequence[str], middle: int) -> ListColumns | None:
    """`No. | Team | Team | Res. | : | Res.`, or mirrored around the colon; or one result."""
    teams = [k for k, column in enumerate(named) if column == "team"]
    before, after = [k for k in teams if k < middle], [k for k in teams if k > middle]
    if before and after:  # a short name may stand farther from the middle
        places = {"name_a": before[-1], "name_b": after[0]}
    elif len(before) == 2 and not after:
        places = {"name_a": before[0], "name_b": before[1]}
    else:
        return None
    if values[middle].strip() == ":":
        places |= {"points_a": middle - 1, "points_b": middle + 1}
    else:
        places["result"] = middle
    # The start number of the second side stands behind it, that of the first after the table's.
    starts = [k for k, column in enumerate(named) if column == "start"]
    if after and starts[1:] and starts[-1] > after[-1]:
        places |= {"number_a": starts[-2], "number_b": starts[-1]}
    return ListColumns("matches", places)


def _of_games(named: Sequence[str]) -> ListColumns | None:
    """`Bo. | No. | | White | Rtg | Pts. | Result | Pts. | | Black | Rtg | No.`."""
    white, black = named.index("white_player"), named.index("black_player")
    result = named.index("result")
    if not white < result < black:
        return None
    places = {"name_a": white, "name_b": black, "result": result}
    for column, key in (("start", "number"), ("rating", "rating")):
        found = [k for k, one in enumerate(named) if one == column]
        first, second = ([k for k in found if (k < result) == side] for side in (True, False))
        if first and second:
            places |= {f"{key}_a": first[-1], f"{key}_b": second[0]}
    return ListColumns("games", places)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[0-9]{1,4}", text.strip(), re.ASCII) is not None


def is_points(heading: str) -> bool:
    """Whether a column of this heading has the points of the standings."""
    return _COLUMN.get(folded(heading)) in ("match_points", "game_points")


def is_title(text: str) -> bool:
    """Whether a text is the title of a player, such as GM or WFM."""
    return _TITLE.fullmatch(text) is not None


def round_in(line: str) -> int:
    """The round that a line is about, such as `Round 3 on 2025/10/25`; 0 for another line."""
    plain = unicodedata.normalize("NFKD", line.strip().casefold())[:40]
    found = _ROUND_LINE.match("".join(c for c in plain if not unicodedata.combining(c)))
    return int(next(filter(None, found.groups()))) if found else 0


def mark_of(text: str) -> str:
    """The mark between the fields of a list; empty for a text that has no heading of one."""
    for line in _some(text.splitlines()):
        for mark in (one for one in DELIMITERS if one in line):
            try:
                values = next(csv.reader([line], delimiter=mark), [])
            except csv.Error:
                continue
            if heading_of(values) or columns_of_list(values):
                return mark
    return ""


def _some(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if line.strip()][:TITLES]
