"""Records of a Tournament Report File whose fields stand a column or more beside their place.

Programs miscount a column, or count bytes where the format counts characters, so that a name in
Greek letters moves all that follows it. Such a record is known by its content: a field stands
across the border of its columns. Its fields are then put in their places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from tb2learn.events.formats.trf_lines import (
    COLUMNS,
    LISTS,
    ROUND_WIDTH,
    ROUNDS_FROM,
    Columns,
    Line,
    Records,
    placed,
)

MOST_LEFT, MOST_RIGHT = 33, 2
"""Columns by which what follows a name may be moved: bytes of a name, or a slip."""
_IN_COLUMNS = "with every field in its columns"
LONGEST = 6000
"""Characters of a record up to which its fields are looked for beside their columns."""
_TOKEN = re.compile(r"\S+")
ENTRY = re.compile(r"(?: {4}|[ 0-9]{3}[0-9]) [A-Za-z\- ] \S?\s*", re.ASCII)
POINTS = re.compile(r"[+-]?[0-9]+[.,][0-9]*", re.ASCII)
IN_NAME = re.compile(r"\s\s[0-9]+\s*$", re.ASCII)
_WHOLE = re.compile(r"[0-9]+", re.ASCII)

IN_ORDER = ("300", "320", "330", "240", "299")
"""Records without a name, whose fields are known by their order."""
_Spans = Sequence[tuple[int, int]]


def _after_name(kind: str, name: str) -> _Spans:
    """The columns of the fields between the name of a record and its list."""
    return [span for span in COLUMNS[kind].values() if span[0] > COLUMNS[kind][name][1]]


OF_PLAYERS, OF_TEAMS = _after_name("001", "name"), _after_name("310", "team name")

NAMED: Mapping[str, tuple[str, Callable[[str], bool]]] = {
    "001": ("name", lambda c: _words_fit(c, OF_PLAYERS) and _entries_fit(c)),
    "013": ("team name", lambda c: _list_fits(c, "013") and not _ends_in_number(c)),
    "310": ("team name", lambda c: _list_fits(c, "310") and _words_fit(c, OF_TEAMS)),
}
"""By record: the field of its name, and whether what follows stands in its columns."""


def _ends_in_number(content: str) -> bool:
    """Whether a start number stands at the end of the name in a record 013."""
    first, last = COLUMNS["013"]["team name"]
    return IN_NAME.search(content[first - 1 : last]) is not None


def put_in_place(records: Records) -> None:
    """Move the fields of records that are shifted to their columns; say so for each kind."""
    for kind in IN_ORDER:
        how = ": its fields are taken in their order"
        _place(records[kind], partial(_fits, kind), partial(_laid_out, kind), how)
    for kind, (name, fits) in NAMED.items():
        mended = partial(_moved, *COLUMNS[kind][name], fits)
        how = " after the name: the columns that fit its fields are taken"
        _place(records[kind], fits, mended, how)


def _place(
    lines: Sequence[Line],
    fits: Callable[[str], bool],
    mended: Callable[[str], str | None],
    how: str,
) -> None:
    """Replace the content of lines that do not fit by what is found, and say how."""
    for line in lines:
        if len(line.content) > LONGEST or fits(line.content):
            continue
        content = mended(line.content)
        if content is not None:
            shifted, line.content = line.content, content
            field = Columns(1, len(shifted), "record")
            line.odd(f"record {line.kind} stands beside its columns{how}", field, _IN_COLUMNS)


def _fits(kind: str, content: str) -> bool:
    """Whether no field stands across a border of its columns."""
    return all(
        _in_list(word, kind)
        if kind in LISTS and word.start() + 1 >= LISTS[kind][0]
        else _within(word, COLUMNS[kind].values())
        for word in _TOKEN.finditer(content, 4)
    )


def _within(word: re.Match[str], spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a word stands in the columns of one field."""
    return any(low <= word.start() + 1 and word.end() <= high for low, high in spans)


def _in_list(word: re.Match[str], kind: str) -> bool:
    """Whether a word stands in the columns of one field of a list."""
    first, width = LISTS[kind]
    return (word.start() + 1 - first) % (width + 1) + len(word[0]) <= width


def _laid_out(kind: str, content: str) -> str | None:
    """The record with its fields, taken in their order, in their columns; None if that fails."""
    widths = [last - first + 1 for first, last in COLUMNS[kind].values()]
    _, width = LISTS.get(kind, (0, 0))
    tokens = content[4:].split()
    single = _with_points(kind, content) if kind in ("299", "320") else tokens[: len(widths)]
    if single is None or len(single) < len(widths):
        return None
    listed = tokens[len([token for token in single if token]) :]
    right = [token.rjust(most) for token, most in zip(single, widths, strict=True)]
    if list(map(len, right)) != widths:
        return None
    if any(len(token) > width or not _WHOLE.fullmatch(token) for token in listed):
        return None
    return placed(kind, right, [token.rjust(width) for token in listed])


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
    begin = ROUNDS_FROM - 1
    starts = range(begin, len(content), ROUND_WIDTH)
    cells = (content[start : start + ROUND_WIDTH] for start in starts)
    return not content[begin - 2 : begin].strip() and all(
        ENTRY.fullmatch(cell) for cell in cells if cell.strip()
    )


def _list_fits(content: str, kind: str) -> bool:
    """Whether a list of start numbers stands in its columns, with a blank between two."""
    words = _TOKEN.finditer(content, LISTS[kind][0] - 1)
    return all(_WHOLE.fullmatch(word[0]) and _in_list(word, kind) for word in words)


def _words_fit(content: str, spans: _Spans) -> bool:
    """Whether what stands between the name and the list of a record stands in its columns."""
    words = _TOKEN.finditer(content[: spans[-1][1] + 2], spans[0][0] - 2)
    return all(_within(word, spans) for word in words)
