"""What games and matches score, by records 162 and 362 of a Tournament Report File."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tb2learn.events.formats.oddities import FALLING, Notes, Reading, half_points, match_scoring
from tb2learn.events.formats.trf_lines import Line
from tb2learn.events.parts import STANDARD_SCORING

SYMBOLS: Mapping[str, tuple[str, ...]] = {
    "162": ("W", "D", "L", "A", "P", "X"),
    "362": ("TW", "TD", "TL"),
}
GAME = {"W": 2, "D": 1, "L": 0, "A": 0}
"""Half points that a game must score; other symbols may score anything."""
PAIR = re.compile(r"([A-Z]{1,2})\s+([0-9]{1,3}(?:[.,][0-9]{0,3})?)(?=\s|$)", re.ASCII)


def read_scoring(
    records: Mapping[str, Sequence[Line]], options: Reading, notes: Notes
) -> tuple[int, int, int]:
    """Match points of a match won, drawn and lost: the user's, else the file's, else 2, 1, 0.

    **Raises:** `InputError` if a game scores other points than 1, 1/2 and 0.
    """
    for line in records["162"]:
        for first, symbol, points in _pairs(line, "162", notes):
            expected = GAME.get(symbol)
            if None not in (points, expected) and points != expected:
                allowed = f"{(expected or 0) / 2:g}"
                raise line.error(first, first + 3, f"points of {symbol}", allowed)
    said: dict[str, int] = {}
    for line in records["362"]:
        for _, symbol, points in _pairs(line, "362", notes):
            if points is not None:
                said[symbol] = points
    scoring = STANDARD_SCORING
    if said:
        values = [said.get(s, 2 * usual) for s, usual in zip(SYMBOLS["362"], scoring, strict=True)]
        found = match_scoring(values)
        if found is None:
            raise records["362"][0].error(5, None, "match points", FALLING)
        scoring = found
    if options.match_points not in (None, scoring):
        if said:
            notes.say("match points are those that were asked for, not those of record 362")
        scoring = options.match_points or scoring
    return scoring


def read_game_scoring(
    records: Mapping[str, Sequence[Line]], options: Reading, notes: Notes
) -> tuple[tuple[int, int, int], tuple[int, int]]:
    """What an individual event scores, in half points: the user's, else the file's, else 2, 1, 0.

    **Returns:** the match points of a game won, drawn and lost, which are its half points there;
    match points and half points of a pairing-allocated bye, by default those of a win.

    **Raises:** `InputError` for points that do not fall from won to lost, or of an absence.
    """
    said: dict[str, int] = {}
    for line in records["162"]:
        for first, symbol, points in _pairs(line, "162", notes):
            if symbol == "A" and points:
                raise line.error(first, first + 3, "points of A", "0")
            if points is not None:
                said[symbol] = points
    won, drawn, lost = (said.get(s, p) for s, p in zip("WDL", STANDARD_SCORING, strict=True))
    if not won > drawn >= lost >= 0:
        allowed = "points that fall from won to drawn to lost"
        raise records["162"][0].error(6, None, "points", allowed)
    scoring = won, drawn, lost
    if options.game_scoring not in (None, scoring):
        if said:
            notes.say("points of a game are those that were asked for, not those of record 162")
        scoring = options.game_scoring or scoring
        said = {}
    return scoring, options.player_bye(said.get("P", scoring[0]))


def _pairs(line: Line, kind: str, notes: Notes) -> Iterator[tuple[int, str, int | None]]:
    """Column of the points, symbol, and half points of a record."""
    symbols = SYMBOLS[kind]
    if not notes.strict and not _in_columns(line, symbols):
        found = PAIR.findall(line.text(5).upper())
        if found and all(symbol in symbols for symbol, _ in found):
            notes.odd(f"record {kind} stands beside its columns: its pairs are taken", line)
            for symbol, points in found:
                yield 5, symbol, half_points(points)
            return
    width = len(symbols[0])
    for first in range(7, len(line.content) + 1, 9):
        symbol = line.text(first - width, first - 1).upper()
        points = line.half_points(first, first + 3, "points", 99)
        if symbol not in symbols and (symbol or points is not None):
            raise line.error(first - width, first - 1, "symbol", f"one of {', '.join(symbols)}")
        yield first, symbol, points


def _in_columns(line: Line, symbols: Sequence[str]) -> bool:
    """Whether all symbols of a record stand before the columns of their points."""
    width = len(symbols[0])
    for first in range(7, len(line.content) + 1, 9):
        symbol, points = line.text(first - width, first - 1), line.text(first, first + 3)
        if (symbol or points) and (symbol.upper() not in symbols or half_points(points) is None):
            return False
    return True
