"""What the page's script must know to read and complete events as this program does.

The tables of `events.files` and `events.unplayed`, as JSON: columns of records, symbols of
results, headings in several languages, limits, regular expressions. The script has the reading
itself once more, and none of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tb2learn.events.files import (
    archives,
    event_tables,
    fields,
    headings,
    options,
    pgn,
    registry,
    rows,
    source,
    trf,
    trf_records,
    trf_repairs,
)
from tb2learn.events.parts import BYE_MATCH_POINTS
from tb2learn.events.unplayed.record import BYE_KINDS
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS

SPACES = "".join(c for c in map(chr, range(0x3001)) if c.isspace())
"""What Python takes for white space."""

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
            "rows": rows.MAX_ROWS,
            "emptyRows": rows.MAX_EMPTY,
            "sheets": rows.MAX_SHEETS,
            "members": archives.MAX_MEMBERS,
            "name": source.MAX_NAME,
            "match": 10**6,
            "players": trf_records.MAX_PLAYERS,
            "rating": source.MAX_RATING,
            "fideId": source.MAX_FIDE_ID,
            "matchPoints": options.MOST_POINTS,
            "penalty": trf.MOST_PENALTY,
            "total": trf.MOST,
            "shifted": trf_repairs.LONGEST,
            "notes": fields.MAX_NOTES,
            "noteName": fields.MAX_NOTE_NAME,
        },
        "byes": {bye: points for bye, points in BYE_MATCH_POINTS.items() if bye},
        "byeKinds": {bye: kind.name for bye, kind in BYE_KINDS.items()},
        "shapes": {
            "points": script_pattern(options.HALF_POINTS),
            "table": script_pattern(fields.TABLE, whole=False),
            "pgn": f"^{script_pattern(registry.TAG, whole=False)}",
            "trf": script_pattern(registry.RECORD, whole=False),
            "tag": f"^{script_pattern(pgn.TAG, whole=False)}",
            "tagWithBareQuotes": f"^{script_pattern(pgn.TAG_WITH_BARE_QUOTES, whole=False)}",
            "tagLine": f"^{script_pattern(pgn.TAG_LINE, whole=False)}",
            "entry": script_pattern(trf_repairs.CELL),
            "inName": script_pattern(trf_repairs.IN_NAME, whole=False),
            "pointsWord": script_pattern(trf_repairs.POINTS),
            "pair": script_pattern(trf.PAIR, whole=False),
        },
        "csv": _of_tables(),
        "trf": _of_reports(),
        "pgn": {
            "results": _pairs(pgn.RESULTS),
            "nobody": pgn.NOBODY,
            "noTeams": pgn.NO_TEAMS,
            "unplayed": pgn.UNPLAYED,
            "wanted": sorted(pgn.WANTED),
        },
    }


def _of_tables() -> dict[str, Any]:
    """What the reader of CSV tables must know."""
    return {
        "headings": {column: _latin(words.split()) for column, words in headings.HEADINGS.items()},
        "sides": dict(headings.SIDES),
        "twoSided": headings.TWO_SIDED,
        "score": headings.SCORE,
        "wouldDo": {
            column: headings.would_do(column)
            for columns in (*headings.REQUIRED.values(), headings.GAME_COLUMNS)
            for column in columns
        },
        "noOpponent": _latin(headings.NO_OPPONENT).split(),
        "separators": headings.DELIMITERS,
        "columns": dict(headings.REQUIRED),
        "known": headings.KNOWN_BY,
        "games": headings.GAME_COLUMNS,
        "about": event_tables.ABOUT,
        "texts": event_tables.PLAYER_TEXTS,
        "results": event_tables.RESULTS,
        "forfeits": event_tables.FORFEITS,
        "status": event_tables.STATUS,
        "unsure": event_tables.UNSURE,
        "nothing": event_tables.NOTHING,
    }


def _latin(words: Iterable[str]) -> str:
    """The words that the page can compare: it knows Latin letters alone."""
    return " ".join(sorted({word for word in map(headings.folded, words) if word.isascii()}))


def _of_reports() -> dict[str, Any]:
    """What the reader of Tournament Report Files must know."""
    columns, letters, entry = trf_records.COLUMNS, trf_records.BYE_LETTERS, dict(trf_records.ENTRY)
    return {
        "read": trf_records.READ,
        "teams": trf_records.OF_TEAMS,
        "orders": list(trf_records.ORDER),
        "about": (trf_records.NAME, *trf_records.ABOUT),
        "rounds": trf_records.ROUNDS,
        "columns": _columns(),
        "lists": _lists(),
        "entries": (trf_records.ROUNDS_FROM, trf_records.ROUND_WIDTH),
        "entry": entry | {"pairing": (entry["opponent"][0], entry["colour"][1])},
        "inOrder": trf_repairs.IN_ORDER,
        "named": [(kind, *columns[kind][name]) for kind, name in trf_repairs.NAMED.items()],
        "ofPlayers": trf_repairs.AFTER_NAME["001"],
        "ofTeams": trf_repairs.AFTER_NAME["310"],
        "moves": {"left": trf_repairs.MOST_LEFT, "right": trf_repairs.MOST_RIGHT},
        "played": _pairs(trf_records.PLAYED),
        "unplayed": _pairs(trf_records.UNPLAYED),
        "half": trf_repairs.HALF,
        "open": trf_records.OPEN,
        "byes": _pairs(trf_records.BYE_OF_LETTER),
        "bestFirst": trf.BEST_FIRST,
        "won": _pairs(trf_repairs.POINTS_OF),
        "wonByBye": _pairs(trf_repairs.BYE_POINTS),
        "forfeits": _pairs(trf.FORFEITS),
        "types": trf.TYPES,
        "typeOfBye": {**letters, "default": "+", "pairing": "P"},
        "wholeEvent": trf.WHOLE_EVENT,
        "symbols": dict(trf.SYMBOLS),
        "games": trf.GAME,
    }


def _lists() -> dict[str, tuple[int, int, str]]:
    """First column and width of the fields of lists, and what messages call them."""
    of_players = ("013", "310", "300")
    return {
        kind: (*shape, "start number" if kind in of_players else "team number")
        for kind, shape in trf_records.LISTS.items()
    }


def _columns() -> dict[str, dict[str, tuple[int, int, str]]]:
    """First and last column of the fields of records, and what messages call them."""
    return {
        kind: {
            name: (*span, "team number" if name in trf_records.TEAM_NUMBERS else name)
            for name, span in fields.items()
        }
        for kind, fields in trf_records.COLUMNS.items()
    }


def _pairs(table: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Keys and values in order, which an object of JavaScript does not keep for keys like `1`."""
    return list(table.items())
