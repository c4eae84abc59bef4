"""What the page's script must know to read and complete events as this program does.

The tables of `events` as JSON: columns of records, symbols of results, headings in several
languages, limits, regular expressions, which policy is usual. The script has the reading itself
once more, and none of these.
"""

from __future__ import annotations

import re
from typing import Any

from tb2learn.events import kind
from tb2learn.events.files import (
    event_tables,
    fields,
    headings,
    registry,
    rows,
    scores,
    source,
    trf,
    trf_points,
    trf_records,
    trf_repairs,
)
from tb2learn.events.parts import BYE_MATCH_POINTS
from tb2learn.events.unplayed.fide import C07, C07Of2024, FaceValue
from tb2learn.events.unplayed.policies import NEW_RULES
from tb2learn.events.unplayed.policy import Baku2016
from tb2learn.events.unplayed.record import BYE_KINDS
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS

SPACES = "".join(c for c in map(chr, range(0x3001)) if c.isspace())
"""What Python takes for white space."""

_NAMED = {"001": "name", "013": "team name", "310": "team name"}
_AFTER_NAME = {
    kind: [
        span
        for span in trf_records.COLUMNS[kind].values()
        if span[0] > trf_records.COLUMNS[kind][name][1]
    ]
    for kind, name in _NAMED.items()
}
_CELL = re.compile(r"(?: {4}|[ 0-9]{3}[0-9]) [A-Za-z\- ] \S?\s*", re.ASCII)
_IN_NAME = re.compile(r"\s\s[0-9]+\s*$", re.ASCII)
_ASCII_SPACES = " \t\n\r\f\v"


def script_pattern(pattern: re.Pattern[str], whole: bool = True) -> str:
    r"""A regular expression as JavaScript writes it, with the meaning that it has here.

    White space (`\s`) is another set there, and `.` stops at more line ends.

    **Arguments:** `whole`: whether it must match all of a text, else at its beginning or, if it has
    no `\A`, anywhere.
    """
    spaces = _ASCII_SPACES if pattern.flags & re.ASCII else SPACES
    spaces = "".join(f"\\u{ord(c):04x}" for c in spaces)
    parts, in_class = [], False
    for token in re.findall(r"\\.|[^\\]", pattern.pattern):
        if token in (r"\s", r"\S"):
            kept = spaces if token == r"\s" else f"^{spaces}"
            token = spaces if in_class and token == r"\s" else f"[{kept}]"
        elif token == ".":
            token = "." if in_class else r"[^\n]"
        elif token == r"\A":
            token = "^"
        elif token in "[]":
            in_class = token == "["
        parts.append(token)
    found = "".join(parts)
    return f"^(?:{found})$" if whole else found


_TABLES = ("matches.csv", "teams.csv", "event.csv", "boards.csv", "penalties.csv")
"""The tables of an event folder that the page knows; those of penalties it refuses."""


def files_knowledge() -> dict[str, Any]:
    """What the readers of files must know: limits, and the tables of every form."""
    return {
        "spaces": SPACES,
        "limits": {
            "teams": MAX_TEAMS,
            "rounds": MAX_ROUNDS,
            "boards": MAX_BOARDS,
            "bytes": source.MAX_BYTES,
            "head": source.HEAD,
            "columns": rows.MAX_COLUMNS,
            "name": source.MAX_NAME,
            "match": 10**6,
            "players": trf_records.MAX_PLAYERS,
            "matchPoints": scores.MOST_POINTS,
            "penalty": trf_points.MOST_PENALTY,
            "total": trf_points.MOST,
            "shifted": trf_repairs.LONGEST,
            "line": trf_records.MAX_LINE,
            "lines": trf_records.MAX_LINES,
            "entries": trf_repairs.LONGEST // trf_records.ROUND_WIDTH,
            "notes": fields.MAX_NOTES,
        },
        "byes": {bye: points for bye, points in BYE_MATCH_POINTS.items() if bye},
        "byeKinds": {bye: kind.name for bye, kind in BYE_KINDS.items()},
        "hosts": kind.HOSTS,
        "usual": {
            "roundRobin": FaceValue.name,
            "olympiad": Baku2016.name,
            "later": FaceValue.name,
            "startOfLater": kind.START_OF_2022,
            "before": C07Of2024.name,
            "since": C07.name,
            "newRules": NEW_RULES,
        },
        "shapes": {
            "points": script_pattern(scores.HALF_POINTS),
            "pgn": f"^{script_pattern(registry.TAG, whole=False)}",
            "trf": script_pattern(registry.RECORD, whole=False),
            "cell": script_pattern(_CELL),
            "inName": script_pattern(_IN_NAME, whole=False),
            "pair": script_pattern(trf_points.PAIR, whole=False),
            "olympiad": script_pattern(kind.OLYMPIAD, whole=False),
            "otherOlympiads": script_pattern(kind.OTHER_OLYMPIADS, whole=False),
            "roundRobin": script_pattern(kind.ROUND_ROBIN, whole=False),
        },
        "csv": _of_tables(),
        "trf": _of_reports(),
    }


def _of_tables() -> dict[str, Any]:
    """What the reader of CSV tables must know."""
    columns = {table: headings.REQUIRED[table] for table in _TABLES}
    return {
        "headings": {word: column for word, column in headings.COLUMN.items() if word.isascii()},
        "names": dict.fromkeys(headings.HEADINGS, True),
        "twoSided": headings.TWO_SIDED,
        "score": headings.SCORE,
        "wouldDo": {one: headings.would_do(one) for some in columns.values() for one in some},
        "noOpponent": sorted(headings.NO_OPPONENT | headings.NOT_PAIRED),
        "notPaired": sorted(headings.NOT_PAIRED),
        "open": sorted(scores.OPEN | headings.POSTPONED),
        "letters": headings.LETTERS
        | {"ς": "\u03c3"},  # as the program folds the case of a word's end
        "separators": headings.DELIMITERS,
        "columns": columns,
        "known": headings.KNOWN_BY,
        "about": event_tables.ABOUT,
        "nothing": event_tables.NOTHING,
    }


_REPORT = ("001", "012", "042", "052", "092", "162", "192", "352", "362")
"""Types of records that the page reads, beside those with columns."""


def _of_reports() -> dict[str, Any]:
    """What the reader of Tournament Report Files must know."""
    orders, rounds = list(trf_records.ORDER), trf_records.ROUNDS
    return {
        "read": sorted({*_REPORT, *orders, *rounds, *trf_records.COLUMNS}),
        "orders": orders,
        "rounds": rounds,
        "columns": {kind: dict(fields) for kind, fields in trf_records.COLUMNS.items()},
        "lists": dict(trf_records.LISTS) | {"330": (_AFTER_330, 0)},
        "entries": (trf_records.ROUNDS_FROM, trf_records.ROUND_WIDTH),
        "entry": dict(trf_records.ENTRY),
        "named": list(_NAMED),
        "blank": {kind: _blank(kind) for kind in (*trf_repairs.IN_ORDER, *_NAMED)},
        # In order, which an object of JavaScript does not keep for keys like `1`.
        "played": [*trf_records.PLAYED.items()],
        "unplayed": [*trf_records.UNPLAYED.items()],
        "half": trf_repairs.HALF,
        "open": trf_records.OPEN,
        "stray": trf_repairs.STRAY,
        "rested": trf_repairs.RESTED,
        "byes": [*trf_records.BYE_OF_LETTER.items()],
        "bestFirst": trf_points.BEST_FIRST,
        "forfeits": [*trf.FORFEITS.items()],
        "types": trf_points.TYPES,
        "typeOfBye": {**trf_records.BYE_LETTERS, "default": "+", "pairing": "P"},
        "wholeEvent": trf_points.WHOLE_EVENT,
        "symbols": dict(trf_points.SYMBOLS),
        "games": trf_points.GAME,
    }


_AFTER_330 = trf_records.COLUMNS["330"]["black"][1] + 1
"""Behind the fields of a record 330 nothing may stand: a list whose fields have no columns."""
_ENDS = {"001": trf_records.ROUNDS_FROM - 1, "310": trf_records.LISTS["310"][0] - 1}
"""The last columns before the entries of rounds, and before the list, of records with a name."""


def _blank(kind: str) -> list[int]:
    """The columns that a record has between its fields, or those after its name."""
    named = kind in _NAMED
    spans = _AFTER_NAME[kind] if named else [*trf_records.COLUMNS[kind].values()]
    if not spans:
        return []
    first = spans[0][0] - 1 if named else 5
    last = _ENDS.get(kind) or trf_records.LISTS.get(kind, (_AFTER_330,))[0] - 1
    used = {column for low, high in spans for column in range(low, high + 1)}
    return [column for column in range(first, last + 1) if column not in used]
