"""What the heading of a list of rounds or of a crosstable says of its columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tb2learn.events.files.crosstables import MOST_NUMBER, ListColumns, ListType, at, whole
from tb2learn.events.files.fields import Notes
from tb2learn.events.files.headings import COLUMN, folded, is_points, is_round_cell, round_heading
from tb2learn.events.files.rows import Cells
from tb2learn.text import quoted

_MOST_PUBLISHED = 20
_TIE_BREAK = re.compile(r"[^\W\d_]{2,8}\.? ?1")
"""The heading of the first tie-break: `TB1`, `Wtg1`, `Des 1`."""


def heads_list(values: Sequence[str]) -> bool:
    """Whether a row is the heading of a crosstable or of another list."""
    return (crosstable_heading(values) or list_heading(values)) is not None


def shows_list(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows are those of a crosstable whose headings are not known."""
    return sum(sum(map(is_round_cell, row)) > 1 for row in rows) > 1


def _named(values: Sequence[str]) -> list[str]:
    return [COLUMN.get(folded(value) or value.strip(), "") for value in values]


def _places(named: Sequence[str], column: str, first: int, end: int) -> list[int]:
    return [place for place in range(first, end) if named[place] == column]


def _first_places(values: Sequence[str]) -> dict[str, int]:
    """The first place of every column that a row heads."""
    columns = _named(values)
    return {column: columns.index(column) for column in columns if column}


def crosstable_heading(values: Sequence[str]) -> ListColumns | None:
    """What a row heads; None if it is not the heading of a crosstable.

    It has a column of names, one of places or start numbers, and those of rounds or opponents,
    which are numbered from 1 and stand together.
    """
    columns = _first_places(values)
    if not columns.keys() & {"name", "team"} or not columns.keys() & {"place", "start"}:
        return None
    # `1.Rd` heads a round; a bare number heads the column of an opponent.
    by_round = _numbered([round_heading(value) for value in values])
    numbers = [whole(value, 999) for value in values]
    double = _doubled(numbers)
    if double and not by_round:
        return _with_rounds("square", values, double, 2)
    rounds = by_round or _numbered(numbers)
    return _with_rounds("crosstable" if by_round else "square", values, rounds) if rounds else None


def _with_rounds(
    kind: ListType, values: Sequence[str], rounds: tuple[int, ...], width: int = 1
) -> ListColumns:
    taken = {place + k for place in rounds for k in range(width)}
    columns = {c: place for c, place in _first_places(values).items() if place not in taken}
    published = _published(values, max(taken) + 1, columns)
    return ListColumns(kind, columns, rounds, published, width, values)


def _doubled(numbers: Sequence[int]) -> tuple[int, ...]:
    """The first places of columns numbered 1, 1, 2, 2, ..., or 1, none, 2, none; empty for none."""
    for place, number in enumerate(numbers):
        if number == 1:
            pairs = list[int]()
            while numbers[place : place + 1] == [len(pairs) + 1] and (
                place + 1 < len(numbers) and numbers[place + 1] in (0, len(pairs) + 1)
            ):
                pairs.append(place)
                place += 2
            # One pair may be a number before a column of names.
            return tuple(pairs) if len(pairs) > 1 else ()
    return ()


def _numbered(numbers: Sequence[int]) -> tuple[int, ...]:
    """The places of the first columns in a row that are numbered 1, 2, 3, ...; empty for none."""
    for place, number in enumerate(numbers):
        if number == 1:
            # Columns of rounds stand together: the first gap ends them.
            end = place + 1
            while end < len(numbers) and numbers[end] == end - place + 1:
                end += 1
            return tuple(range(place, end))
    return ()


def _published(values: Sequence[str], first: int, columns: Mapping[str, int]) -> dict[str, int]:
    """The places of points and tie-breaks from a first one on, by their headings."""
    # Printed points are columns too, but rating and federation are not compared with anything.
    of_entrants = {p for c, p in columns.items() if c not in ("game_points", "match_points")}
    return {
        " ".join(values[place].split()): place
        for place in range(first, min(len(values), first + _MOST_PUBLISHED))
        if values[place].strip() and place not in of_entrants
    }


def shown_heading(
    values: Sequence[str], below: Sequence[Cells], notes: Notes
) -> ListColumns | None:
    """The heading of a crosstable in a language that is not known: its cells show the rounds."""
    columns = [[at(cells, place) for _, cells in below] for place in range(len(values))]
    half = len(below) // 2
    rounds = [p for p, cells in enumerate(columns) if sum(map(is_round_cell, cells)) > half]
    if not rounds or len(below) < 2 or any(map(is_round_cell, values)):
        return None
    heading = _with_rounds("crosstable", values, tuple(range(rounds[0], rounds[-1] + 1)))
    places = dict(heading.places)
    free = [p for p in range(rounds[0]) if p not in places.values()]
    if not places.keys() & {"name", "team"}:
        # Names have more letters than anything else before the rounds.
        letters = {p: sum(c.isalpha() for cell in columns[p] for c in cell) for p in free}
        if not letters or not max(letters.values()):
            return None
        places["name"] = max(letters, key=lambda p: letters[p])
        notes.note_assumption(f"the column {quoted(values[places['name']])} is taken for the names")
    if not places.keys() & {"place", "start"}:
        for place in free:
            # Numbers that are all different tell the entrants apart.
            if len({cell for cell in columns[place] if whole(cell, MOST_NUMBER)}) == len(below):
                places["start"] = place
                break
    return replace(heading, places=places)


def list_heading(values: Sequence[str]) -> ListColumns | None:
    """What a row heads; None if it is the heading of no list but perhaps of a crosstable."""
    columns = _list_columns(values)
    # The boards of a match have no headings.
    named = columns is not None and columns.kind != "boards"
    return replace(columns, headings=values) if columns and named else columns


def _list_columns(values: Sequence[str]) -> ListColumns | None:
    columns = _named(values)
    # A column of rounds makes it a table of matches, which `event_tables` reads.
    if "round" in columns:
        return None
    marks = [value.strip() for value in values]
    for mark, find in (("-", _boards_heading), (":", _matches_heading)):
        if mark in marks and (heading := find(values, columns, marks.index(mark))):
            return heading
    for white, black in (("white_player", "black_player"), ("name", "name")):
        if heading := _games_heading(columns, white, black):
            return heading
    if columns.count("team") == 2 and "result" in columns[columns.index("team") :]:
        return _matches_heading(values, columns, columns.index("result", columns.index("team")))
    places = _first_places(values)
    if places.keys() & {"place", "start"} and places.keys() & {"name", "team"}:
        scores = (
            place
            for place, (value, column) in enumerate(zip(marks, columns, strict=True))
            if is_points(value) or (not column and _TIE_BREAK.match(value))
        )
        # From the first column of points on, all is printed points and tie-breaks.
        first = next(scores, len(values))
        return ListColumns("entrants", places, (), _published(values, first, places))
    return None


def _boards_heading(values: Sequence[str], named: Sequence[str], middle: int) -> ListColumns | None:
    """`Bo. | 3 | Falcons | Rtg | - | 1 | Herons | Rtg | 3 : 2`; its boards stand alike."""
    places: dict[str, int] = {}
    for letter, first, end in (("a", 1, middle), ("b", middle + 1, len(named))):
        for rating in _places(named, "rating", first, end)[:1]:
            # The name stands directly before the rating, the start number anywhere before.
            numbers = [k for k in range(first, rating - 1) if whole(values[k], MOST_NUMBER)]
            if numbers:
                places |= {f"start_{letter}": numbers[0], f"name_{letter}": rating - 1}
                places[f"rating_{letter}"] = rating
    if len(places) < 6:
        return None
    filled = [k for k in range(places["rating_b"] + 1, len(values)) if values[k].strip()]
    return ListColumns("boards", places | {"result": [*filled, places["rating_b"] + 1][0]})


def _matches_heading(
    values: Sequence[str], named: Sequence[str], middle: int
) -> ListColumns | None:
    """`No. | Team | Team | Res. | : | Res.`, or mirrored around the colon; or one result."""
    before = _places(named, "team", 0, middle)
    after = _places(named, "team", middle + 1, len(named))
    # Names on both sides of the colon, or both before it.
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
    starts = _places(named, "start", 0, len(named))
    if after and starts[1:] and starts[-1] > after[-1]:
        places |= {"start_a": starts[-2], "start_b": starts[-1]}
    return ListColumns("matches", places)


def _games_heading(named: Sequence[str], white: str, black: str) -> ListColumns | None:
    """`Bo. | No. | | White | Rtg | Pts. | Result | Pts. | | Black | Rtg | No.`."""
    result, end = named.index("result") if "result" in named else 0, len(named)
    names = _places(named, white, 0, result)[:1] + _places(named, black, result, end)[:1]
    if len(names) < 2:
        return None
    places = {"name_a": names[0], "name_b": names[1], "result": result}
    for column in ("start", "rating"):
        first, second = _places(named, column, 0, result), _places(named, column, result, end)
        # A column counts only if both sides have it: the nearest to the names.
        if first and second:
            places |= {f"{column}_a": first[-1], f"{column}_b": second[0]}
    return ListColumns("games", places)
