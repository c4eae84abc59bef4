"""What the other lists of chess-results say: pairings, start lists, rankings.

A file may hold several of them, such as the pairings of all rounds, one below the other. Above
pairings stands the round (`Round 3 on 2025/10/25`, `3. Runde`). Games:

    Bo. | No. |  | White | Rtg | Pts. | Result | Pts. |  | Black | Rtg | No.

Matches of teams are `No. | Team | Team | Res. | : | Res.`, at larger events mirrored around the
colon; with boards the match is itself the heading, and its boards have the same columns:

    Bo. | 3 | Falcons | Rtg | - | 1 | Herons | Rtg | 3 : 2
    5.1 | FM | Ant Ada | 2210 | - |  | Bee Bob | 2054 | 1 - 0

Boards have no colours: results are those of the first team.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tb2learn.events.formats.crosstable import Row, crosstable
from tb2learn.events.formats.csv_tables import RESULTS
from tb2learn.events.formats.csv_words import NO_OPPONENT, NOT_PAIRED
from tb2learn.events.formats.list_heads import ListColumns, columns_of_list, heading_of, round_in
from tb2learn.events.formats.lists import (
    Board,
    Entrant,
    Listed,
    Met,
    cell,
    entrant,
    is_same,
    result_of,
    title_before,
    whole,
)
from tb2learn.events.formats.options import written_points
from tb2learn.events.formats.pgn import NOBODY
from tb2learn.events.formats.source import MAX_RATING, refusal
from tb2learn.events.parts import BYES_OF_A_GAME, Bye
from tb2learn.types import MAX_BOARDS, InputError

_BOARD = re.compile(r"(?:[0-9]{1,4}\.)?([0-9]{1,2})", re.ASCII)
_OPEN = ("", "*", "-", ":")
"""What stands in place of a result that there is not yet."""
MOST_ROWS = 20_000
"""Most lines of a file."""


def read_list(file: str, rows: Sequence[Row]) -> Listed | None:
    """What the lists in a file or sheet say; None if there is none.

    **Arguments:** `file`: its name, for messages; `rows`: its lines.

    **Raises:** `InputError`, one line, for lists that are wrong.
    """
    reader = _Reader(file)
    for index, (line, values) in enumerate(rows):
        heading = None if reader.begun else heading_of(values)
        if heading:
            crosstable(reader.listed, heading, rows[index + 1 :])
            return reader.listed
        reader.add(line, values)
    if len(rows) > MOST_ROWS:
        raise InputError(f"{file}: must have at most {MOST_ROWS} lines, has more")
    return reader.listed if reader.end() else None


@dataclass(frozen=True)
class _Line:
    """A line of a list.

    **Fields:** `listed`: takes what it says; `number`: of the line; `values`: its cells; `columns`:
    where they stand.
    """

    listed: Listed
    number: int
    values: Sequence[str]
    columns: ListColumns

    @property
    def where(self) -> str:
        """File and line."""
        return f"{self.listed.file}: line {self.number}"

    def at(self, column: str) -> str:
        """The cell of a column; empty if there is none."""
        return cell(self.values, self.columns.places.get(column))

    def error(self, what: str, allowed: str, got: str) -> InputError:
        """The error for a cell."""
        return refusal(self.listed.file, self.number, what, allowed, got)

    def one(self, column: str, team: str) -> Entrant:
        """The team or player of a row of entrants."""
        self.listed.named(self.number, self.at(column))
        return entrant(self.where, self.values, self.columns.places, column, team)

    def side(self, side: str) -> Entrant:
        """One side of a pairing."""
        place = self.columns.places[f"name_{side}"]
        return Entrant(
            self.listed.named(self.number, re.sub(r"\s*\*+\)$", "", cell(self.values, place))),
            self.where,
            whole(self.at(f"number_{side}"), 9999),
            "",
            whole(self.at(f"rating_{side}"), MAX_RATING),
            title_before(self.values, place),
        )

    @property
    def result(self) -> tuple[tuple[int, int], bool]:
        """Half points of the two sides of a game, and whether they were scored in it."""
        text = self.at("result")
        result = result_of(text)
        if result is None or result[0] not in RESULTS.values():
            raise self.error("result", "such as 1 - 0, \u00bd - \u00bd or + - -", text)
        return result

    @property
    def is_alone(self) -> bool:
        """Whether a row has no opponent: nobody is named, or none with a start number."""
        name, number = self.at("name_b"), self.at("number_b")
        unnumbered = "number_b" in self.columns.places and not whole(number, 9999)
        return not name or unnumbered or is_same(name, NO_OPPONENT | NOT_PAIRED)


class _Reader:
    """Collects what the lines of a file say.

    **Fields:** `listed`: what they said so far; `begun`: whether a table has begun.
    """

    def __init__(self, file: str) -> None:
        self.listed, self.begun = Listed(file), False
        self._round = round_in(re.sub(r"[-_]", " ", file))
        self._columns: ListColumns | None = None
        self._match: Met | None = None
        self._boards: dict[int, Board | None] = {}

    def add(self, line: int, values: Sequence[str]) -> None:
        """Take a line."""
        filled = [value.strip() for value in values if value.strip()]
        if len(filled) == 1:
            self._say(filled[0])
        elif filled and (columns := columns_of_list(values)):
            self.end()
            self._columns, self.begun = columns, True
            if columns.kind == "boards":
                self._begin_match(_Line(self.listed, line, values, columns))
        elif filled and self._columns:
            take = {
                "entrants": self._entrant, "games": self._game, "matches": self._pairing,
                "boards": self._board,
            }  # fmt: skip
            take[self._columns.kind](_Line(self.listed, line, values, self._columns))
        elif filled:
            self.listed.titles.append(" ".join(filled))

    def _say(self, text: str) -> None:
        """Take a line with one cell: a title, or a round."""
        number = round_in(text)
        self._round = number or self._round
        if not (self.begun or number):
            self.listed.titles.append(text)

    def _entrant(self, line: _Line) -> None:
        """A row of a start list or ranking; one without a number ends it."""
        column = "name" if "name" in line.columns.places else "team"
        numbered = whole(line.at("start"), 9999) or whole(line.at("rank"), 9999)
        if not line.at(column) or not numbered:
            return
        team = line.at("team") if column == "name" else ""
        one = line.one(column, team)
        self.listed.entrants.append(one)
        if column == "team":
            self.listed.of(False, line.number)
        printed = dict(line.columns.published)
        if "rank" in line.columns.places and printed:
            printed = {"place": line.columns.places["rank"], **printed}
        for heading, place in printed.items():
            self.listed.published.setdefault(heading, []).append((one, cell(line.values, place)))

    def _known_round(self, line: _Line) -> int:
        if not self._round:
            raise InputError(
                f"{line.where}: must have a line with the round above the pairings, such as "
                "'Round 3'"
            )
        return self._round

    def _game(self, line: _Line) -> None:
        """A game of players, or the round of one without an opponent."""
        if not line.at("name_a"):
            return
        self.listed.of(True, line.number)
        white, text = line.side("a"), line.at("result")
        where, number = line.where, self._known_round(line)
        if line.is_alone:
            result = result_of(text)
            name = line.at("name_b")
            usual = 2 if not text and is_same(name, NO_OPPONENT) else 0
            scored = result[0][0] if result else written_points(text) if text else usual
            if scored is None or not 0 <= scored <= 2:
                raise line.error("result", "1, \u00bd or 0 without an opponent", text)
            met = Met(where, number, (white, None), (scored, 0), bye=BYES_OF_A_GAME[scored])
        elif text in _OPEN:
            met = Met(where, number, (white, line.side("b")), None)
        else:
            met = Met(where, number, (white, line.side("b")), *line.result)
        self.listed.met.append(met)

    def _pairing(self, line: _Line) -> None:
        """A match of teams."""
        if not line.at("name_a"):
            return
        self.listed.of(False, line.number)
        if "result" in line.columns.places:
            text = line.at("result")
        else:
            both = [line.at(f"points_{side}") for side in "ab"]
            text = ":".join(both) if any(both) else ""
        self.listed.met.append(self._met(line, text, alone=line.is_alone))

    def _met(self, line: _Line, text: str, alone: bool) -> Met:
        """The match of two teams, with its score, or the bye of one."""
        number, first = self._known_round(line), line.side("a")
        if alone:
            name = line.at("name_b")
            kind: Bye = "zero" if is_same(name, NOT_PAIRED) else "pairing"
            told = written_points(text.partition(":")[0].strip())
            points = None if told is None or kind == "zero" else (told, 0)
            if points is None and not is_same(name, NOT_PAIRED | NO_OPPONENT):
                raise line.error("opponent", "a team, 'bye' or 'not paired'", name)
            return Met(line.where, number, (first, None), points, bye=kind)
        result = result_of(text)
        if result is None and text.strip(" *:-"):
            raise line.error("result", "game points such as 2\u00bd : 1\u00bd", text)
        sides = first, line.side("b")
        points, played = result or (None, True)
        return Met(line.where, number, sides, points, played, colours=False)

    def _begin_match(self, line: _Line) -> None:
        """Take a match from its heading, above its boards."""
        self.listed.of(False, line.number)
        self._match = self._met(line, line.at("result"), alone=False)
        self._boards = {}

    def _board(self, line: _Line) -> None:
        """A board of the match; None for one without a result."""
        found = _BOARD.fullmatch(cell(line.values, 0))
        if found is None:
            return
        number, text = int(found[1]), line.at("result")
        if not 1 <= number <= MAX_BOARDS or number in self._boards:
            allowed = f"1..{MAX_BOARDS}, each once in the match"
            raise line.error("board", allowed, cell(line.values, 0))
        if text in _OPEN:
            self._boards[number] = None
            return
        result = line.result
        players = self._player(line, "a"), self._player(line, "b")
        self._boards[number] = Board(number, players, *result)

    def _player(self, line: _Line, side: str) -> Entrant | None:
        """The player of a board; None for nobody."""
        name = line.at(f"name_{side}")
        if name.casefold() in NOBODY or name == "-":
            return None
        assert self._match is not None
        team = self._match.sides[side == "b"]
        assert team is not None
        return replace(line.side(side), number=0, team=team.name)

    def end(self) -> bool:
        """End a table; whether there was one."""
        if self._match is not None:
            boards = [self._boards[number] for number in sorted(self._boards)]
            known = tuple(board for board in boards if board is not None)
            match = replace(self._match, boards=known)
            if len(known) < len(boards):
                match = replace(match, points=None, boards=())
            elif match.points is None and known:
                a, b = (sum(board.half_points[side] for board in known) for side in (0, 1))
                match = replace(match, points=(a, b))
            self.listed.met.append(match)
            self._match = None
        return self.begun
