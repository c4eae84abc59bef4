"""What games and matches score, by records 162 and 362 of a Tournament Report File."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tb2learn.events.formats.oddities import FALLING, Reading, half_points, match_scoring
from tb2learn.events.formats.trf_lines import Columns, Line, Records
from tb2learn.events.parts import STANDARD_SCORING

SYMBOLS: Mapping[str, tuple[str, ...]] = {
    "162": ("W", "D", "L", "A", "P", "X"),
    "362": ("TW", "TD", "TL"),
}
GAME = {"W": 2, "D": 1, "L": 0, "A": 0}
"""Half points that a game must score; other symbols may score anything."""
PAIR = re.compile(r"([A-Z]{1,2})\s+([0-9]{1,3}(?:[.,][0-9]{0,3})?)(?=\s|$)", re.ASCII)


def read_scoring(records: Records, options: Reading) -> tuple[int, int, int]:
    """Match points of a match won, drawn and lost: the user's, else the file's, else 2, 1, 0.

    **Raises:** `InputError` if a game scores other points than 1, 1/2 and 0.
    """
    for line in records["162"]:
        for field, symbol, points in _pairs(line):
            expected = GAME.get(symbol)
            if None not in (points, expected) and points != expected:
                raise line.error(field, f"{(expected or 0) / 2:g}")
    said = {
        symbol: points
        for line in records["362"]
        for _, symbol, points in _pairs(line)
        if points is not None
    }
    scoring = STANDARD_SCORING
    if said:
        values = [said.get(s, 2 * usual) for s, usual in zip(SYMBOLS["362"], scoring, strict=True)]
        found = match_scoring(values)
        if found is None:
            raise records["362"][0].error(Columns(5, None, "match points"), FALLING)
        scoring = found
    if options.match_points not in (None, scoring):
        if said:
            records.notes.say("match points are those that were asked for, not those of record 362")
        scoring = options.match_points or scoring
    return scoring


def read_game_scoring(
    records: Records, options: Reading
) -> tuple[tuple[int, int, int], tuple[int, int]]:
    """What an individual event scores, in half points: the user's, else the file's, else 2, 1, 0.

    **Returns:** the match points of a game won, drawn and lost, which are its half points there;
    match points and half points of a pairing-allocated bye, by default those of a win.

    **Raises:** `InputError` for points that do not fall from won to lost, or of an absence.
    """
    said: dict[str, int] = {}
    for line in records["162"]:
        for field, symbol, points in _pairs(line):
            if symbol == "A" and points:
                raise line.error(field, "0")
            if points is not None:
                said[symbol] = points
    won, drawn, lost = (said.get(s, p) for s, p in zip("WDL", STANDARD_SCORING, strict=True))
    if not won > drawn >= lost >= 0:
        allowed = "points that fall from won to drawn to lost"
        raise records["162"][0].error(Columns(6, None, "points"), allowed)
    scoring = won, drawn, lost
    if options.game_scoring not in (None, scoring):
        if said:
            about = "points of a game are those that were asked for, not those of record 162"
            records.notes.say(about)
        scoring = options.game_scoring or scoring
        said = {}
    return scoring, options.player_bye(said.get("P", scoring[0]))


def _pairs(line: Line) -> Iterator[tuple[Columns, str, int | None]]:
    """The symbols of a record with their half points, and where the points stand."""
    kind, symbols = line.kind, SYMBOLS[line.kind]
    if not line.notes.strict and not _in_columns(line, symbols):
        found = PAIR.findall(line.cut(5).upper())
        if found and all(symbol in symbols for symbol, _ in found):
            line.notes.odd(f"record {kind} stands beside its columns: its pairs are taken", line)
            for symbol, points in found:
                yield Columns(5, 8, f"points of {symbol}"), symbol, half_points(points)
            return
    for where, field in _columns(line, symbols):
        symbol = line.text(where).upper()
        points = line.half_points(field, 99)
        if symbol not in symbols and (symbol or points is not None):
            raise line.error(where, f"one of {', '.join(symbols)}")
        yield field._replace(name=f"points of {symbol}"), symbol, points


def _columns(line: Line, symbols: Sequence[str]) -> Iterator[tuple[Columns, Columns]]:
    """Where the symbols of a record stand, and the points after them."""
    for first in range(7, len(line.content) + 1, 9):
        symbol = Columns(first - len(symbols[0]), first - 1, "symbol")
        yield symbol, Columns(first, first + 3, "points")


def _in_columns(line: Line, symbols: Sequence[str]) -> bool:
    """Whether all symbols of a record stand before the columns of their points."""
    for where, field in _columns(line, symbols):
        symbol, points = line.text(where), line.text(field)
        if (symbol or points) and (symbol.upper() not in symbols or half_points(points) is None):
            return False
    return True
