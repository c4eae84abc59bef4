"""What a crosstable says: a row an entrant, a column a round, as chess-results exports it.

Before the heading stand lines of titles, after the last entrant anything. A cell is the opponent's
number in the table, the colour (of the first board) and the points: `161w1`, `22b½`, `69w2½`. It is
compared with the cell of the opponent. `+` and `-` are points without a game.

A cell without an opponent is a bye by its points: those of a win (of half of the boards) are the
pairing-allocated one, half a point is a half-point bye. An empty cell, `-0` and `zwz` are a round
without pairing. The letters of colours are those of a language: `w` and `b`, `w` and `s`, or `b`
and `n`.

Teams may also stand in a square, a column an opponent and a number a match: an event of matches
without rounds. Points, places and tie-breaks that are printed are kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tb2learn.events.formats.csv_words import NO_OPPONENT, folded
from tb2learn.events.formats.list_heads import ListColumns
from tb2learn.events.formats.lists import Entrant, Listed, Met, cell, entrant
from tb2learn.events.formats.options import written_points
from tb2learn.events.formats.source import refusal
from tb2learn.events.parts import BYES_OF_A_GAME
from tb2learn.text import plain, quoted
from tb2learn.types import MAX_ROUNDS, MAX_TEAMS, InputError

_CELL = re.compile(r"([0-9]{1,4}) ?([a-z]) ?(.*)")
_ALONE = re.compile(r"[+-]? ?([0-9]*(?:[.,]5|\u00bd)?)")
_EMPTY = ("", "zwz", "*", "**", "***", "--", "---", "-", "x")
_WITHOUT_GAME = {"+": 2, "-": 0, "+:-": 2, "-:+": 0}
_HALVES = ({2, 0}, {1}, {0})
"""Half points of the two sides of a game."""
Row = tuple[int, Sequence[str]]
"""A line, counted from 1, and its cells."""


class _Cell(NamedTuple):
    """What a cell says.

    **Fields:**

    - `opponent`: the number of the opponent's row; None for a bye.
    - `white`: whether the entrant had white (on the first board).
    - `points`: half points; None where the result is not known yet, or what a bye is worth.
    - `played`: whether they were scored in a game.
    """

    opponent: int | None
    white: bool
    points: int | None
    played: bool = True


def crosstable(listed: Listed, heading: ListColumns, rows: Sequence[Row]) -> None:
    """Add what a crosstable says.

    **Arguments:** `listed`: takes it; `rows`: those below the heading; the first that is none ends
    the table.

    **Raises:** `InputError`, one line, for any other content, and for two cells of one game or
    match that contradict each other.
    """
    table = _Table(listed, heading, rows)
    listed.individual = table.individual
    listed.entrants += table.entrants
    listed.met += table.square() if table.is_square else table.in_rounds()
    listed.rounds = 0 if table.is_square else len(heading.rounds)
    for name, place in table.published().items():
        printed = (cell(values, place) for _, values in table.rows)
        listed.published[name] = list(zip(table.entrants, printed, strict=True))


class _Table:
    """The rows of a crosstable, and what they say."""

    def __init__(self, listed: Listed, heading: ListColumns, rows: Sequence[Row]) -> None:
        self._listed, self._file, self._heading = listed, listed.file, heading
        self._name = "name" if "name" in heading.places else "team"
        self.is_square = heading.kind == "square"
        if len(heading.rounds) > MAX_ROUNDS and not self.is_square:
            found = len(heading.rounds)
            raise InputError(f"{self._file}: must have at most {MAX_ROUNDS} rounds, has {found}")
        self.rows: list[Row] = []
        self.entrants: list[Entrant] = []
        self._read(rows)
        if len(self.rows) < 2:
            raise InputError(f"{self._file}: must have at least two rows below the heading")
        met = [found for _, _, text in self._cells() if (found := _CELL.fullmatch(text))]
        self._letters = {found[2] for found in met}
        # Tables of teams may head their names like those of players.
        above = sum((self._points(found[3]) or 0) > 2 for found in met)
        self.individual = "name" in heading.places and above <= len(met) // 10

    def _read(self, rows: Sequence[Row]) -> None:
        """Take the rows up to the first that is none."""
        columns, seen = self._heading.places, Counter[str]()
        known = [*columns.values(), *self._heading.rounds]
        for line, values in rows:
            name = cell(values, columns.get(self._name))
            if not any(map(str.strip, values)) and not self.rows:
                continue
            if not name or not any(cell(values, place) for place in known):
                return
            self._listed.named(line, name)
            seen[name] += 1
            self.rows.append((line, values))
            one = entrant(f"{self._file}: line {line}", values, columns, self._name)
            alias = "" if seen[name] == 1 else f"{name} (line {line})"
            self.entrants.append(replace(one, alias=alias))
            if len(self.rows) > MAX_TEAMS:
                raise InputError(f"{self._file}: must have at most {MAX_TEAMS} rows")

    def _cells(self) -> Iterator[tuple[int, int, str]]:
        """Row, number of the round from 1, and cell."""
        for row, (_, values) in enumerate(self.rows):
            for number, place in enumerate(self._heading.rounds, start=1):
                yield row, number, cell(values, place).casefold()

    def _printed(self, row: int, number: int) -> str:
        """A cell as it stands there."""
        return cell(self.rows[row][1], self._heading.rounds[number - 1])

    def published(self) -> Mapping[str, int]:
        """The columns of places and points."""
        places = self._heading.places
        ranks = {"place": places["rank"]} if "rank" in places else {}
        some = {
            heading: place
            for heading, place in self._heading.published.items()
            if any(written_points(cell(values, place)) is not None for _, values in self.rows)
        }
        return ranks | some

    def _error(self, row: int, number: int, allowed: str) -> InputError:
        """The error for a cell."""
        which = f"{'column' if self.is_square else 'round'} {number}"
        where = f"{which} of {self._who(row)}"
        return refusal(self._file, self.rows[row][0], where, allowed, self._printed(row, number))

    def _who(self, row: int) -> str:
        """A name in a message."""
        return plain((self.entrants[row].alias or self.entrants[row].name)[:40])

    def _points(self, text: str) -> int | None:
        """Half points in a cell; None for none."""
        text = text.strip().replace("=", "\u00bd")
        return _WITHOUT_GAME[text] if text in _WITHOUT_GAME else written_points(text)

    def in_rounds(self) -> Iterator[Met]:
        """The pairings of a table whose columns are rounds, round by round."""
        met = self._met()
        playing = max((number for (_, number), one in met.items() if one.opponent is not None),
                      default=0)  # fmt: skip
        if not playing:
            raise InputError(f"{self._file}: must have at least one game: all cells are byes")
        for (row, number), one in sorted(met.items(), key=lambda item: (item[0][1], item[0][0])):
            where = self.entrants[row].where
            if number > playing:
                return
            if one.opponent is None:
                yield self._bye(row, number, one.points)
                continue
            other = met.get((one.opponent, number))
            if other is None or other.opponent != row:
                back = quoted(self._printed(one.opponent, number))
                raise self._error(row, number, f"what {self._who(one.opponent)} has ({back})")
            if one.white == other.white and one.played and other.played:
                raise self._error(row, number, "of the other colour than that of the opponent")
            if one.white if one.white != other.white else row < one.opponent:
                sides = self.entrants[row], self.entrants[one.opponent]
                points = self._result(row, number, one, other)
                yield Met(where, number, sides, points, one.played and other.played)

    def _met(self) -> dict[tuple[int, int], _Cell]:
        """What every cell says, by row and round.

        Cells call opponents by their ranks or by their start numbers: by that after which the two
        cells of every match name each other, else by the first that names rows of the table.
        """
        found: list[dict[tuple[int, int], _Cell]] = []
        failed: list[InputError] = []
        places = self._heading.places
        for place in [places[column] for column in ("rank", "start") if column in places]:
            texts = [cell(values, place).rstrip(".") for _, values in self.rows]
            row_of = {text.lstrip("0"): row for row, text in enumerate(texts)}
            try:
                met = {
                    (row, number): self._one(row, number, text, row_of)
                    for row, number, text in self._cells()
                }
            except InputError as error:
                failed.append(error)
                continue
            if all(
                one.opponent is None or met[one.opponent, number].opponent == row
                for (row, number), one in met.items()
            ):
                return met
            found.append(met)
        if not found:
            raise failed[0]
        return found[0]

    def _one(self, row: int, number: int, text: str, row_of: Mapping[str, int]) -> _Cell:
        """What a cell says."""
        found = _CELL.fullmatch(text)
        if found is None or int(found[1]) == 0:
            return _Cell(None, False, self._alone(row, number, text if found is None else ""))
        opponent = row_of.get(found[1].lstrip("0"))
        if opponent is None:
            rows = len(self.rows)
            do = f"the table has {rows} rows: on the site choose to show all of them, and export it"
            raise self._error(row, number, f"an opponent with a row ({do} again)")
        if opponent == row:
            raise self._error(row, number, "another opponent")
        result = found[3].strip()
        points = self._points(result)
        if points is None and result.strip("*"):
            raise self._error(row, number, "such as 12w1, 5b\u00bd, 7w+, -0 or bye")
        return _Cell(opponent, self._is_white(found[2]), points, result not in _WITHOUT_GAME)

    def _is_white(self, letter: str) -> bool:
        """Whether a letter is White's in the language of the table."""
        if "n" in self._letters:  # blanco, negro; blanc, noir; bianco, nero
            return letter == "b"
        return letter in ("w", "v")  # white, Weiss, wit; vilagos

    def _alone(self, row: int, number: int, text: str) -> int | None:
        """Half points of a round without an opponent; None for the bye of a team in words."""
        words = text.replace("bye", "").strip()
        if folded(text) in NO_OPPONENT or (not words and text):
            return 2 if self.individual else None
        if text in _EMPTY:
            return 0
        found = _ALONE.fullmatch(words)
        points = self._points(found[1] or "0") if found else None
        if text == "+":
            points = 2
        if points is None or (self.individual and points > 2):
            raise self._error(row, number, "such as 12w1, 5b\u00bd, 7w+, -0 or bye")
        return points

    def _bye(self, row: int, number: int, points: int | None) -> Met:
        """A round without an opponent; of a team it is a bye if it scores."""
        told = None if points is None else (points, 0)
        kind = (
            BYES_OF_A_GAME[points or 0] if self.individual else "zero" if points == 0 else "pairing"
        )
        return Met(self.entrants[row].where, number, (self.entrants[row], None), told, bye=kind)

    def _result(self, row: int, number: int, one: _Cell, other: _Cell) -> tuple[int, int] | None:
        """Half points of both sides of a pairing; None if they are not known yet."""
        if one.points is None or other.points is None:
            return None
        if not self.individual:
            if one.played != other.played:
                raise self._error(row, number, "without a game on both sides or on none")
            if (one.points + other.points) % 2:
                allowed = f"whole together with the opponent's {other.points / 2:g}"
                raise self._error(row, number, allowed)
        elif one.played != other.played or {one.points, other.points} not in _HALVES:
            assert one.opponent is not None
            back = quoted(self._printed(one.opponent, number))
            raise self._error(row, number, f"the other half of what the opponent has ({back})")
        return one.points, other.points

    def square(self) -> Iterator[Met]:
        """The matches of teams in a square of opponents."""
        if self.individual:
            raise InputError(
                f"{self._file}: a square of players has neither rounds nor colours: export the "
                "crosstable by rounds, or the TRF"
            )
        size = len(self.rows)
        if size != len(self._heading.rounds):
            raise InputError(
                f"{self._file}: must have a row for each of its {len(self._heading.rounds)} "
                f"columns, has {size}"
            )
        cells = {(row, number - 1): text for row, number, text in self._cells()}
        for (row, other), text in cells.items():
            if row >= other:
                continue
            ours, theirs = text.split(), cells[other, row].split()
            if len(ours) != len(theirs):
                raise self._error(row, other + 1, f"as many matches as {quoted(cells[other, row])}")
            for mine, its in zip(ours, theirs, strict=True):
                a, b = self._points(mine), self._points(its)
                if a is None or b is None or {mine, its} & _WITHOUT_GAME.keys():
                    if mine.strip("*-") or its.strip("*-"):
                        raise self._error(row, other + 1, "game points such as 2\u00bd")
                    continue
                sides = self.entrants[row], self.entrants[other]
                yield Met(self.entrants[row].where, 0, sides, (a, b), colours=False)
