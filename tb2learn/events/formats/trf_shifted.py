"""Records of a Tournament Report File whose fields stand a column or more beside their place.

Programs miscount a column, or count bytes where the format counts characters, so that a name in
Greek letters moves all that follows it. Such a record is known by its content: a field stands
across the border of its columns. Its fields are then put in their places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from tb2learn.events.formats.oddities import Notes
from tb2learn.events.formats.trf_lines import Line

MOST_LEFT, MOST_RIGHT = 33, 2
"""Columns by which what follows a name may be moved: bytes of a name, or a slip."""
LONGEST = 6000
"""Characters of a record up to which its fields are looked for beside their columns."""
_TOKEN = re.compile(r"\S+")
ENTRY = re.compile(r"(?: {4}|[ 0-9]{3}[0-9]) [A-Za-z\- ] \S?\s*", re.ASCII)
POINTS = re.compile(r"[+-]?[0-9]+[.,][0-9]*", re.ASCII)
IN_NAME = re.compile(r"\s\s[0-9]+\s*$", re.ASCII)
_WHOLE = re.compile(r"[0-9]+", re.ASCII)

FIELDS: Mapping[str, tuple[tuple[tuple[int, int], ...], int, int]] = {
    "300": (((5, 7), (9, 11), (13, 15)), 17, 4),
    "320": (((5, 8), (10, 13)), 15, 3),
    "330": (((5, 6), (8, 10), (12, 14), (16, 18)), 0, 0),
    "240": (((5, 5), (7, 9)), 11, 4),
    "299": (((5, 5), (8, 11), (14, 17), (20, 22)), 24, 4),
}
"""By record: the columns of its single fields; where its list begins, and the width of that."""

OF_PLAYERS = ((49, 52), (54, 56), (58, 68), (70, 79), (81, 84), (86, 89))
OF_TEAMS = ((42, 46), (48, 53), (55, 60), (62, 67), (69, 71))
"""Columns of the fields between the name and the rounds of 001, the members of 310."""

NAMES: Mapping[str, tuple[int, int, Callable[[str], bool]]] = {
    "001": (15, 47, lambda c: _words_fit(c, OF_PLAYERS) and _entries_fit(c)),
    "013": (5, 36, lambda c: _list_fits(c, 37) and not IN_NAME.search(c[4:36])),
    "310": (9, 40, lambda c: _list_fits(c, 74) and _words_fit(c, OF_TEAMS)),
}
"""By record: the columns of its name, and whether what follows stands in its columns."""


def put_in_place(records: Mapping[str, Sequence[Line]], notes: Notes) -> None:
    """Move the fields of records that are shifted to their columns; say so for each kind.

    A strict reader leaves all records as they are.
    """
    if notes.strict:
        return
    for kind, shape in FIELDS.items():
        mended = partial(_laid_out, kind, *shape)
        how = ": its fields are taken in their order"
        _place(records[kind], partial(_fits, *shape), mended, how, notes)
    for kind, (first, last, fits) in NAMES.items():
        mended = partial(_moved, first, last, fits)
        how = " after the name: the columns that fit its fields are taken"
        _place(records[kind], fits, mended, how, notes)


def _place(
    lines: Sequence[Line],
    fits: Callable[[str], bool],
    mended: Callable[[str], str | None],
    how: str,
    notes: Notes,
) -> None:
    """Replace the content of lines that do not fit by what is found, and say how."""
    for line in lines:
        if len(line.content) > LONGEST or fits(line.content):
            continue
        content = mended(line.content)
        if content is not None:
            line.content = content
            notes.odd(f"record {content[:3]} stands beside its columns{how}", line)


def _fits(spans: Sequence[tuple[int, int]], first: int, width: int, content: str) -> bool:
    """Whether no field stands across a border of its columns."""
    for token in _TOKEN.finditer(content, 4):
        start, end = token.start() + 1, token.end()
        if first and start >= first:
            place = (start - first) % (width + 1)
            if place + end - start >= width:
                return False
        elif not any(low <= start and end <= high for low, high in spans):
            return False
    return True


def _laid_out(
    kind: str, spans: Sequence[tuple[int, int]], first: int, width: int, content: str
) -> str | None:
    """The record with its fields, taken in their order, in their columns; None if that fails."""
    tokens = content[4:].split()
    if kind in ("299", "320"):
        single = _with_points(kind, content)
    else:
        single = tokens[: len(spans)]
    if single is None or len(single) < len(spans):
        return None
    listed = tokens[len([token for token in single if token]) :]
    laid = content[:3]
    for (start, end), token in zip(spans, single, strict=True):
        if len(token) > end - start + 1:
            return None
        laid = laid.ljust(start - 1) + token.rjust(end - start + 1)
    for number, token in enumerate(listed):
        if not first or len(token) > width or not _WHOLE.fullmatch(token):
            return None
        laid = laid.ljust(first - 1 + number * (width + 1)) + token.rjust(width)
    return laid


def _with_points(kind: str, content: str) -> list[str] | None:
    """The single fields of a record with points, empty ones for those that are not given.

    One number of points alone is match points if it ends before the middle of both fields.
    """
    found = [(token[0], token.end()) for token in _TOKEN.finditer(content, 4)]
    letter = []
    if kind == "299":
        letter = [""] if not found or POINTS.fullmatch(found[0][0]) else [found.pop(0)[0]]
    points: list[str] = []
    while found and POINTS.fullmatch(found[0][0]):
        text, end = found.pop(0)
        if not points and end > 11 and not (found and POINTS.fullmatch(found[0][0])):
            points.append("")
        points.append(text)
    if not 1 <= len(points) <= 2:
        return None
    points += [""] * (2 - len(points))
    rounds = [found.pop(0)[0] if found else ""] if kind == "299" else []
    return [*letter, *points, *rounds]


def _moved(first: int, last: int, fits: Callable[[str], bool], content: str) -> str | None:
    """The record with all after its name moved to where it fits; None if nothing fits."""
    for by in sorted(range(-MOST_RIGHT, MOST_LEFT + 1), key=abs):
        cut = last - by
        split = not any(c.isspace() for c in content[cut - 1 : cut + 1])
        if not by or (by > 0 and (cut < first or split)):
            continue
        moved = content[: min(cut, last)] + " " * by + content[cut:]
        if fits(moved):
            return moved
    return None


def _entries_fit(content: str) -> bool:
    """Whether all entries of rounds in a record 001 stand in their columns."""
    if content[89:91].strip():
        return False
    for first in range(91, len(content), 10):
        cell = content[first : first + 10]
        if cell.strip() and not ENTRY.fullmatch(cell):
            return False
    return True


def _list_fits(content: str, first: int) -> bool:
    """Whether a list of start numbers stands in columns of four with a blank between."""
    for token in _TOKEN.finditer(content, first - 1):
        place = (token.start() + 1 - first) % 5
        if not _WHOLE.fullmatch(token[0]) or place + len(token[0]) > 4:
            return False
    return True


def _words_fit(content: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether what stands between the name and the list of a record stands in its columns."""
    for token in _TOKEN.finditer(content[: spans[-1][1] + 2], spans[0][0] - 2):
        start, end = token.start() + 1, token.end()
        if not any(low <= start and end <= high for low, high in spans):
            return False
    return True
