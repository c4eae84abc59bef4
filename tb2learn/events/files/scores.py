"""Points and results as they are written: `2.5`, `2½`, `1 - 0`, `+ - -`, `3,1,0`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tb2learn.events.files.headings import DRAWS, POSTPONED, folded
from tb2learn.text import quoted
from tb2learn.types import InputError

MOST_POINTS = 9
HALF_POINTS = re.compile(r"([+-]?)([0-9]{1,4})(?:[.,](0|5)?0*)?", re.ASCII)
_HALVES = re.compile(r"([0-9]{0,2}) ?(?:\u00bd|1/2)", re.ASCII)
_SIDE = r"(\+|-|=|[0-9]{0,2}(?:[.,][05]0?| ?\u00bd| ?1/2)?) ?(ff?|k?)"
_RESULT = re.compile(rf"{_SIDE} ?[-:/\u2010-\u2015\u2212] ?{_SIDE}")
_SIGNS = {"+": 2, "-": 0, "=": 1}
OPEN = frozenset(("", "*", "-", ":", "\u2013", "- -", "-:-", "?", "-?-"))
"""Signs in place of a result that there is not yet."""
PENALISED = "a game that ended \u00bd-0 or 0-\u00bd, by a penalty (Laws of Chess 12.9)"
"""The note on a game of which one side has half a point, and the other one none."""
FALLING = "whole numbers that fall from won to lost"
"""What match points of a match won, drawn and lost must be."""


def player_points(points: int) -> tuple[int, int]:
    """Match points and half points of a round that pays a player some half points.

    A game has at most two half points; where it scores otherwise, match points have the rest.
    """
    return points, min(points, 2)


def parse_points(text: str, count: int, what: str, names: str) -> tuple[int, ...]:
    """Points such as `3,1,0` as half points; `count`: how many; `what`, `names`: of the message."""
    words = [part.strip() for part in text.split(",")]
    values = [half_points(part) for part in words]
    # More points than a match of 24 boards has are a slip.
    if len(values) != count or any(v is None or not 0 <= v <= 2 * 24 for v in values):
        raise InputError(f"{what} must be {names} in steps of 0.5, got {quoted(text)}")
    return tuple(v for v in values if v is not None)


def half_points(text: str) -> int | None:
    """A number of points in steps of 1/2, as half points; None for any other text.

    Points may have a sign and a decimal comma.
    """
    number = HALF_POINTS.fullmatch(text)
    if number is None:
        return None
    points = 2 * int(number[2]) + (number[3] == "5")
    return -points if number[1] == "-" else points


def written_points(text: str) -> int | None:
    """Points as half points, also of `2\u00bd` and `2 1/2`; None for any other text."""
    halves = _HALVES.fullmatch(text)
    return 2 * int(halves[1] or 0) + 1 if halves else half_points(text)


def is_open(text: str) -> bool:
    """Whether a text stands in place of a result that there is not yet."""
    return text in OPEN or text.replace(" ", "") in ("?-?", "?:?") or folded(text) in POSTPONED


def result_of(text: str) -> tuple[tuple[int, int], bool] | None:
    """Half points of both sides, and whether they were scored in games; None for no result.

    Games are `1 - 0`, `1/2 : 1/2`, `0,5-0,5`, `remis`, by default `+/-`, `1-0F`, `1-F`; matches are
    `2\u00bd : 1\u00bd`, by default `6F - 0F`.
    """
    text = " ".join(text.split()).casefold()
    if text in ("=", "\u00bd", "1/2") or folded(text) in DRAWS:
        return (1, 1), True
    score = _RESULT.fullmatch(text)
    if score is None or not score[1] + score[3] + score[2] + score[4]:
        return None
    # Of a forfeit both sides have a sign.
    signs = {score[1], score[3]} & {"+", "-"}
    # `4:+` is neither a score nor a forfeit, and `+:+` has two winners.
    if (signs and {score[1], score[3]} != signs) or signs == {"+"}:
        return None
    # `F` alone is a side that lost by default.
    points = [
        0 if mark == "f" and not side else _SIGNS.get(side, written_points(side))
        for side, mark in ((score[1], score[2]), (score[3], score[4]))
    ]
    if points[0] is None or points[1] is None:
        return None
    # `F` and `k` behind a score say that it was not played.
    played = not (score[2] or score[4]) and not {"+", "-"} & {score[1], score[3]}
    return (points[0], points[1]), played


def match_scoring(values: Sequence[int]) -> tuple[int, int, int] | None:
    """Match points from half points; None unless they are whole, and fall from won to lost."""
    won, drawn, lost = (value // 2 for value in values)
    # Match points are whole numbers in every format.
    whole = all(value % 2 == 0 for value in values)
    return (won, drawn, lost) if whole and MOST_POINTS >= won > drawn >= lost >= 0 else None
