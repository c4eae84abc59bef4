"""What the page's script must know to read and complete events as this program does.

The tables of `events.formats` and `events.unplayed`, as JSON: columns of records, symbols of
results, headings in several languages, limits, regular expressions. The script has the reading
itself once more, and none of these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tb2learn.events.formats import (
    csv_folder,
    csv_rows,
    csv_words,
    oddities,
    pgn,
    pgn_tags,
    read,
    source,
    trf_boards,
    trf_check,
    trf_draw,
    trf_lines,
    trf_points,
    trf_resting,
    trf_results,
    trf_shifted,
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
            "head": read.HEAD,
            "columns": csv_rows.MAX_COLUMNS,
            "name": source.MAX_NAME,
            "match": 10**6,
            "players": trf_lines.MAX_PLAYERS,
            "rating": source.MAX_RATING,
            "fideId": source.MAX_FIDE_ID,
            "matchPoints": oddities.MOST_POINTS,
            "penalty": trf_results.MOST_PENALTY,
            "total": trf_check.MOST,
            "shifted": trf_shifted.LONGEST,
            "notes": oddities.MAX_NOTES,
        },
        "byes": {bye: points for bye, points in BYE_MATCH_POINTS.items() if bye},
        "byeKinds": {bye: kind.name for bye, kind in BYE_KINDS.items()},
        "shapes": {
            "points": script_pattern(oddities.HALF_POINTS),
            "table": script_pattern(oddities.TABLE, whole=False),
            "pgn": f"^{script_pattern(read.PGN, whole=False)}",
            "trf": script_pattern(read.TRF, whole=False),
            "tag": f"^{script_pattern(pgn_tags.TAG, whole=False)}",
            "tagWithBareQuotes": f"^{script_pattern(pgn_tags.TAG_WITH_BARE_QUOTES, whole=False)}",
            "entry": script_pattern(trf_shifted.ENTRY),
            "inName": script_pattern(trf_shifted.IN_NAME, whole=False),
            "pointsWord": script_pattern(trf_shifted.POINTS),
            "pair": script_pattern(trf_points.PAIR, whole=False),
        },
        "csv": _of_tables(),
        "trf": _of_reports(),
        "pgn": {
            "results": _pairs(pgn.RESULTS),
            "nobody": pgn.NOBODY,
            "unplayed": pgn.UNPLAYED,
            "wanted": sorted(pgn_tags.WANTED),
        },
    }


def _of_tables() -> dict[str, Any]:
    """What the reader of CSV tables must know."""
    return {
        "headings": dict(csv_words.HEADINGS),
        "noOpponent": sorted(csv_words.NO_OPPONENT),
        "separators": csv_rows.DELIMITERS,
        "columns": dict(csv_rows.REQUIRED),
        "known": read.TABLE_HEADS,
        "about": csv_rows.ABOUT,
        "texts": csv_rows.PLAYER_TEXTS,
        "results": csv_rows.RESULTS,
        "status": csv_folder.STATUS,
        "unsure": csv_folder.UNSURE,
    }


def _of_reports() -> dict[str, Any]:
    """What the reader of Tournament Report Files must know."""
    letters = trf_lines.BYE_LETTERS
    return {
        "read": trf_lines.READ,
        "about": (trf_lines.NAME, *trf_lines.ABOUT),
        "rounds": trf_lines.ROUNDS,
        "columns": _columns(),
        "lists": _lists(),
        "entries": (92, 97, 10),
        "entry": {"opponent": (0, 3), "colour": (5, 5), "result": (7, 7), "pairing": (0, 5)},
        "shifted": [(kind, *shape) for kind, shape in trf_shifted.FIELDS.items()],
        "named": [(kind, first, last) for kind, (first, last, _) in trf_shifted.NAMES.items()],
        "ofPlayers": trf_shifted.OF_PLAYERS,
        "ofTeams": trf_shifted.OF_TEAMS,
        "moves": {"left": trf_shifted.MOST_LEFT, "right": trf_shifted.MOST_RIGHT},
        "played": _pairs(trf_draw.PLAYED),
        "unplayed": _pairs(trf_draw.UNPLAYED),
        "half": trf_draw.HALF,
        "byes": _pairs(trf_lines.BYE_OF_LETTER),
        "bestFirst": trf_results.BEST_FIRST,
        "won": _pairs(trf_resting.POINTS),
        "wonByBye": _pairs(trf_resting.BYES),
        "forfeits": _pairs(trf_boards.FORFEITS),
        "types": trf_results.TYPES,
        "typeOfBye": {**letters, "default": "+", "pairing": "P"},
        "wholeEvent": trf_results.WHOLE_EVENT,
        "symbols": dict(trf_points.SYMBOLS),
        "games": trf_points.GAME,
    }


def _lists() -> dict[str, tuple[int, int, str]]:
    """First column and width of the fields of lists, and what messages call them."""
    found = {kind: (first, width) for kind, (_, first, width) in trf_shifted.FIELDS.items()}
    players = {"013": (37, 4), "310": (74, 4), "300": found["300"]}
    titles = dict.fromkeys(found, "team number") | dict.fromkeys(players, "start number")
    return {kind: (*shape, titles[kind]) for kind, shape in (found | players).items()}


def _columns() -> dict[str, dict[str, tuple[int, int, str]]]:
    """First and last column of the fields of records, and what messages call them."""
    titles = {
        "start": "start number",
        "number": "team number",
        "team": "team number",
        "opponent": "team number",
        "white": "team number",
        "black": "team number",
        "310.name": "team name",
        "013.name": "team name",
        "id": "FIDE number",
        "mp": "match points",
        "gp": "game points",
    }
    names = {kind: (first, last) for kind, (first, last, _) in trf_shifted.NAMES.items()}
    fields = {
        "300": ("round", "team", "opponent"),
        "320": ("mp", "gp"),
        "330": ("type", "round", "white", "black"),
        "240": ("type", "round"),
        "299": ("type", "mp", "gp", "round"),
    }
    rating, _, fide_id, _, points, _ = trf_shifted.OF_PLAYERS
    _, _, mp, gp, _ = trf_shifted.OF_TEAMS
    player = {"start": (5, 8), "name": names["001"], "rating": rating, "id": fide_id}
    found = {
        "001": player | {"points": points},
        "013": {"name": names["013"]},
        "310": {"number": (5, 7), "name": names["310"], "mp": mp, "gp": gp},
    } | {
        kind: dict(zip(of_kind, trf_shifted.FIELDS[kind][0], strict=True))
        for kind, of_kind in fields.items()
    }
    return {
        kind: {
            name: (*span, titles.get(f"{kind}.{name}", titles.get(name, name)))
            for name, span in of_kind.items()
        }
        for kind, of_kind in found.items()
    }


def _pairs(table: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Keys and values in order, which an object of JavaScript does not keep for keys like `1`."""
    return list(table.items())
