"""Crosstables, and the lists of rounds, as chess-results and others print them.

A sheet has titles, a heading, rows, and below them anything; pairings of several rounds stand one
below the other, each below a line with the round. What is read becomes rows of the tables of an
event (`tables`), with the numbers of the lines where it stands.

**Crosstables** have a row an entrant and a column a round. A cell is the opponent's number in the
table, the colour (of the first board) and the points: `161w1`, `22b½`, `69w2½`. It is compared
with the cell of the opponent. `+` and `-` are points without a game. A cell without an opponent is
a bye by its points: those of a win (of half of the boards) are the pairing-allocated one, half a
point is a half-point bye. An empty cell, `-0` and `zwz` are a round without pairing. In a
**square** a column is an opponent, and a cell has the points of every game against him: an event
without rounds.

**Lists of a round** are games (`Bo. | No. | White | Rtg | Result | Black | Rtg | No.`), matches
(`No. | Team | Team | Res. | : | Res.`, also mirrored around the colon), or matches with boards:
then the match is itself the heading, and its boards have the same columns.

    Bo. | 3 | Falcons | Rtg | - | 1 | Herons | Rtg | 3 : 2
    5.1 | FM | Ant Ada | 2210 | - |  | Bee Bob | 2054 | 1 - 0

Entrants are known by their names without case, accents, spaces and punctuation, and where two have
the same one by their start numbers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from tb2learn.events.files.fields import Notes
from tb2learn.events.files.headings import (
    COLUMN,
    NO_OPPONENT,
    NOT_PAIRED,
    folded,
    is_points,
    is_round_cell,
    round_heading,
    round_in,
)
from tb2learn.events.files.options import OPEN, Reading, result_of, written_points
from tb2learn.events.files.pgn import NOBODY
from tb2learn.events.files.rows import Row as Line
from tb2learn.events.files.rows import Sheet
from tb2learn.events.files.source import CODE_PAGES, MAX_FIDE_ID, MAX_NAME, MAX_RATING, refusal
from tb2learn.events.files.tables import RESULTS, STATUS, Row, Tables
from tb2learn.events.files.tiebreak_names import listed_names
from tb2learn.events.model import TIEBREAKS
from tb2learn.events.parts import BYES_OF_A_GAME, Bye
from tb2learn.text import plain, quoted
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS, InputError

_LONGEST = MAX_NAME - 20  # a name may be given a number to tell it from another
_MOST_PUBLISHED = 20
_MOST_NUMBER = 9999
_LOOK = 12  # rows below a heading that may show what its columns are
_ADDRESS = re.compile(r"https?:|www\.|chess-?\s?results", re.IGNORECASE)
_TITLE = re.compile(r"W?[GICFNH]?[MC]|[GICFN]M[fw]?|W?FM|[AWN]?[GICF]M|AIM|AFM|ACM", re.ASCII)
_TIE_BREAK = re.compile(r"[^\W\d_]{2,8}\.? ?1")
"""The heading of the first tie-break: `TB1`, `Wtg1`, `Des 1`."""
_CELL = re.compile(r"([0-9]{1,4}) ?([^\W\d_]) ?(.*)")
_ALONE = re.compile(r"[+-]? ?([0-9]*(?:[.,]5|½)?)")
_STRANGE = re.compile(r"(-?[0-9]{0,2})([^\x00-\x7f]|\?)")
_EMPTY = ("", "zwz", "*", "**", "***", "--", "---", "-", "x")
_WITHOUT_GAME = {"+": 2, "-": 0, "+:-": 2, "-:+": 0}
_SUCH = "such as 12w1, 5b½, 7w+, -0 or bye"
_HALVES = ({2, 0}, {1}, {0})
"""Half points of the two sides of a game."""
_WHITE = frozenset("wvб白aλh")
"""White's letters: white, Weiss, wit, vit, vilagos, alb, hvit; and in other scripts."""
_BOARD = re.compile(r"(?:[0-9]{1,4}\.)?([0-9]{1,2})", re.ASCII)
_TEXT = {points: text for text, points in RESULTS.items()}
Kind = Literal["crosstable", "square", "entrants", "games", "matches", "boards"]


@dataclass(frozen=True)
class _Columns:
    """Where the columns of a list are.

    **Fields:**

    - `kind`: what its rows are: the entrants of a `crosstable` by rounds, or of a `square` of
      opponents; the `entrants` of another list (a start list, or a ranking); `games` or `matches`
      of a round; or the `boards` of the match that the heading itself names.
    - `places`: of columns by their names; of those of two sides by `name_a`, `name_b`, ...
    - `rounds`: the places of the rounds of a crosstable; of the opponents in a square.
    - `published`: of points and tie-breaks of entrants, as printed, by their headings.
    """

    kind: Kind
    places: Mapping[str, int]
    rounds: tuple[int, ...] = ()
    published: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Entrant:
    """A team or a player as a list has it; `number`: the start number; `team`: of its player."""

    name: str
    line: int
    number: int = 0
    rating: int = 0
    title: str = ""
    federation: str = ""
    fide_id: str = ""
    team: str = ""
    alias: str = ""


@dataclass(frozen=True)
class _Board:
    """A board of a match: players (None for nobody) and half points of its two sides."""

    number: int
    players: tuple[_Entrant | None, _Entrant | None]
    half_points: tuple[int, int]
    played: bool


@dataclass(frozen=True)
class _Pairing:
    """A pairing, or the round of an entrant without an opponent.

    **Fields:**

    - `round`: 0 if the list does not know rounds; `sides`: the second is None for a bye.
    - `points`: half points of both sides; None without a result, or where the list does not say
      what a bye is worth.
    - `played`: whether they were scored in games; `bye`: its kind.
    - `colours`: whether the first side is known to have White (on the first board).
    """

    line: int
    round: int
    sides: tuple[_Entrant, _Entrant | None]
    points: tuple[int, int] | None
    played: bool = True
    bye: Bye = ""
    colours: bool = True
    boards: tuple[_Board, ...] = ()


def heads_list(values: Sequence[str]) -> bool:
    """Whether a row is the heading of a crosstable or of another list."""
    return (_crosstable_heading(values) or _list_heading(values)) is not None


def shows_list(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows are those of a crosstable whose headings are not known."""
    return sum(sum(map(is_round_cell, row)) > 1 for row in rows) > 1


def read_list(sheet: Sheet, name: str, options: Reading) -> Tables | None:
    """What the lists in a sheet say, as tables of an event; None if there is none.

    **Arguments:** `name`: of the event, if no title stands before a table.

    **Raises:** `InputError`, one line, for lists that are wrong.
    """
    reader = _Reader(sheet.file, Notes(options.strict, sheet.file))
    lines = [line for line in sheet.rows() if any(map(str.strip, line[1]))]
    for index, (line, values) in enumerate(lines):
        heading = None if reader.begun else _crosstable_heading(values)
        if heading:
            reader.crosstable(heading, lines[index + 1 :])
            break
        reader.add(line, values)
    if not reader.end():
        for index, (_, values) in enumerate(lines[:40]):
            if heading := _shown_heading(values, lines[index + 1 :][:_LOOK], reader.notes):
                reader.crosstable(heading, lines[index + 1 :])
                break
    if not reader.begun:
        return None
    if sheet.encoding:
        page = CODE_PAGES[sheet.encoding][0]
        about = f"not UTF-8: read as {page}, so names may look wrong (--encoding names another)"
        reader.notes.odd(about, None, aside="")
    title = next((t for t in (sheet.title, *reader.titles) if t and not _ADDRESS.search(t)), name)
    return reader.tables(title[:MAX_NAME], options, listed_names(values for _, values in lines))


# ------------------------------------------------------------------------------------ headings


def _named(values: Sequence[str]) -> list[str]:
    return [COLUMN.get(folded(value) or value.strip(), "") for value in values]


def _first_places(values: Sequence[str]) -> dict[str, int]:
    """The first place of every column that a row heads."""
    named = _named(values)
    return {column: named.index(column) for column in named if column}


def _crosstable_heading(values: Sequence[str]) -> _Columns | None:
    """What a row heads; None if it is not the heading of a crosstable.

    It has a column of names, one of places or start numbers, and those of rounds or opponents,
    which are numbered from 1 and stand together.
    """
    columns = _first_places(values)
    if not columns.keys() & {"name", "team"} or not columns.keys() & {"place", "start"}:
        return None
    by_round = _numbered([round_heading(value) for value in values])
    square = _numbered([_whole(value, 999) for value in values])
    rounds = by_round or square
    return _with_rounds("crosstable" if by_round else "square", values, rounds) if rounds else None


def _with_rounds(kind: Kind, values: Sequence[str], rounds: tuple[int, ...]) -> _Columns:
    columns = {c: place for c, place in _first_places(values).items() if place not in rounds}
    return _Columns(kind, columns, rounds, _published(values, max(rounds) + 1, columns))


def _numbered(numbers: Sequence[int]) -> tuple[int, ...]:
    """The places of the first columns in a row that are numbered 1, 2, 3, ...; empty for none."""
    for place, number in enumerate(numbers):
        if number == 1:
            end = place + 1
            while end < len(numbers) and numbers[end] == end - place + 1:
                end += 1
            return tuple(range(place, end))
    return ()


def _published(values: Sequence[str], first: int, columns: Mapping[str, int]) -> dict[str, int]:
    """The places of points and tie-breaks from a first one on, by their headings."""
    of_entrants = {p for c, p in columns.items() if c not in ("game_points", "match_points")}
    return {
        " ".join(values[place].split()): place
        for place in range(first, min(len(values), first + _MOST_PUBLISHED))
        if values[place].strip() and place not in of_entrants
    }


def _shown_heading(values: Sequence[str], below: Sequence[Line], notes: Notes) -> _Columns | None:
    """The heading of a crosstable in a language that is not known: its cells show the rounds."""
    width = len(values)
    columns = [[_at(cells, place) for _, cells in below] for place in range(width)]
    rounds = [
        place
        for place, cells in enumerate(columns)
        if sum(map(is_round_cell, cells)) > len(cells) // 2
    ]
    if not rounds or len(below) < 2 or any(map(is_round_cell, values)):
        return None
    rounds = list(range(rounds[0], rounds[-1] + 1))
    made = _with_rounds("crosstable", values, tuple(rounds))
    places = dict(made.places)
    free = [p for p in range(rounds[0]) if p not in places.values()]
    if not places.keys() & {"name", "team"}:
        letters = {p: sum(c.isalpha() for cell in columns[p] for c in cell) for p in free}
        if not letters or not max(letters.values()):
            return None
        places["name"] = max(letters, key=lambda p: letters[p])
        notes.odd(f"the column {quoted(values[places['name']])} is taken for the names", None)
    if not places.keys() & {"place", "start"}:
        for place in free:
            if len({cell for cell in columns[place] if _whole(cell, _MOST_NUMBER)}) == len(below):
                places["start"] = place
                break
    return replace(made, places=places)


def _list_heading(values: Sequence[str]) -> _Columns | None:
    """What a row heads; None if it is the heading of no list but perhaps of a crosstable."""
    named = _named(values)
    if "round" in named:
        return None
    marks = [value.strip() for value in values]
    for mark, find in (("-", _boards_heading), (":", _matches_heading)):
        if mark in marks and (found := find(values, named, marks.index(mark))):
            return found
    for white, black in (("white_player", "black_player"), ("name", "name")):
        if found := _games_heading(named, white, black):
            return found
    if named.count("team") == 2 and "result" in named[named.index("team") :]:
        return _matches_heading(values, named, named.index("result", named.index("team")))
    places = _first_places(values)
    if places.keys() & {"place", "start"} and places.keys() & {"name", "team"}:
        scores = (
            place
            for place, (value, column) in enumerate(zip(marks, named, strict=True))
            if is_points(value) or (not column and _TIE_BREAK.match(value))
        )
        first = next(scores, len(values))
        return _Columns("entrants", places, (), _published(values, first, places))
    return None


def _boards_heading(values: Sequence[str], named: Sequence[str], middle: int) -> _Columns | None:
    """`Bo. | 3 | Falcons | Rtg | - | 1 | Herons | Rtg | 3 : 2`; its boards stand alike."""
    places: dict[str, int] = {}
    for side, first, last in (("a", 1, middle), ("b", middle + 1, len(named))):
        if "rating" not in named[first:last]:
            return None
        rating = named.index("rating", first, last)
        numbers = [k for k in range(first, rating - 1) if _whole(values[k], _MOST_NUMBER)]
        if not numbers:
            return None
        places |= {f"number_{side}": numbers[0], f"name_{side}": rating - 1}
        places[f"rating_{side}"] = rating
    filled = [k for k in range(places["rating_b"] + 1, len(values)) if values[k].strip()]
    return _Columns("boards", places | {"result": [*filled, places["rating_b"] + 1][0]})


def _matches_heading(values: Sequence[str], named: Sequence[str], middle: int) -> _Columns | None:
    """`No. | Team | Team | Res. | : | Res.`, or mirrored around the colon; or one result."""
    teams = [k for k, column in enumerate(named) if column == "team"]
    before, after = [k for k in teams if k < middle], [k for k in teams if k > middle]
    if before and after:  # a short name may stand farther from the middle
        places = {"name_a": before[-1], "name_b": after[0]}
    elif len(before) == 2 and not after:
        places = {"name_a": before[0], "name_b": before[1]}
    else:
        return None
    if values[middle].strip() == ":":
        places |= {"points_a": middle - 1, "points_b": middle + 1}
    else:
        places["result"] = middle
    # The start number of the second side stands behind it, that of the first after the table's.
    starts = [k for k, column in enumerate(named) if column == "start"]
    if after and starts[1:] and starts[-1] > after[-1]:
        places |= {"number_a": starts[-2], "number_b": starts[-1]}
    return _Columns("matches", places)


def _games_heading(named: Sequence[str], white: str, black: str) -> _Columns | None:
    """`Bo. | No. | | White | Rtg | Pts. | Result | Pts. | | Black | Rtg | No.`."""
    if "result" not in named:
        return None
    result = named.index("result")
    if white not in named[:result] or black not in named[result:]:
        return None
    names = named.index(white), named.index(black, result)
    places = {"name_a": names[0], "name_b": names[1], "result": result}
    for column, key in (("start", "number"), ("rating", "rating")):
        found = [k for k, other in enumerate(named) if other == column]
        first, second = ([k for k in found if (k < result) == side] for side in (True, False))
        if first and second:
            places |= {f"{key}_a": first[-1], f"{key}_b": second[0]}
    return _Columns("games", places)


def _at(values: Sequence[str], place: int | None) -> str:
    """A cell without blanks around it; empty where there is none."""
    return values[place].strip() if place is not None and 0 <= place < len(values) else ""


def _whole(text: str, most: int) -> int:
    """A whole number up to a most; 0 for any other text."""
    found = re.fullmatch(r"([0-9]{1,11})\.?", text.strip(), re.ASCII)
    return int(found[1]) if found and int(found[1]) <= most else 0


# ------------------------------------------------------------------------- what the lines say


class _Reader:
    """Collects what the lines of a sheet say: `entrants`, `pairings`, printed columns, titles."""

    def __init__(self, file: str, notes: Notes) -> None:
        self.file, self.notes = file, notes
        self.begun = False
        self.individual: bool | None = None
        self.titles: list[str] = []
        self.entrants: list[_Entrant] = []
        self.pairings: list[_Pairing] = []
        self.rounds = 0
        self.published: dict[str, list[tuple[_Entrant, str]]] = {}
        self._round = round_in(re.sub(r"[-_]", " ", file))
        self._columns: _Columns | None = None
        self._match: _Pairing | None = None
        self._boards: dict[int, _Board | None] = {}

    def error(self, line: int, what: str, allowed: str, got: str) -> InputError:
        """The error for a cell."""
        return refusal(self.file, line, what, allowed, got)

    def named(self, line: int, name: str) -> str:
        """A name of a bounded length, of one of at most `MAX_TEAMS` entrants."""
        if not 0 < len(name) <= _LONGEST:
            raise self.error(line, "name", f"a name of 1..{_LONGEST} characters", name)
        if len(self.entrants) > MAX_TEAMS:
            raise self.error(line, "name", f"one of at most {MAX_TEAMS} entrants", name)
        return name

    def of(self, individual: bool, line: int) -> None:
        """Note that a line is of players, or of teams."""
        if self.individual not in (None, individual):
            raise InputError(f"{self.file}: line {line}: must be of players or of teams, not both")
        self.individual = individual

    def entrant(
        self, line: int, values: Sequence[str], places: Mapping[str, int], name: str, team: str = ""
    ) -> _Entrant:
        """The team or player of a row; `name`: the column of the names."""
        return _Entrant(
            self.named(line, _at(values, places[name])),
            line,
            _whole(_at(values, places.get("start")), _MOST_NUMBER),
            _whole(_at(values, places.get("rating")), MAX_RATING),
            _title_before(values, places[name], places.get("title")),
            _at(values, places.get("federation")),
            str(_whole(_at(values, places.get("fide_id")), MAX_FIDE_ID) or ""),
            team,
        )

    def crosstable(self, heading: _Columns, below: Sequence[Line]) -> None:
        """Take a crosstable."""
        table = _Crosstable(self, heading, below)
        self.begun, self.individual = True, table.individual
        self.entrants += table.entrants
        square = heading.kind == "square"
        self.pairings += table.square() if square else table.in_rounds()
        self.rounds = 0 if square else len(heading.rounds)
        for name, place in table.published().items():
            texts = (_at(values, place) for _, values in table.rows)
            self.published[name] = list(zip(table.entrants, texts, strict=True))

    def add(self, line: int, values: Sequence[str]) -> None:
        """Take a line of another list, or of none."""
        filled = [value.strip() for value in values if value.strip()]
        if len(filled) == 1:
            number = round_in(filled[0])
            self._round = number or self._round
            if not (self.begun or number):
                self.titles.append(filled[0])
        elif columns := _list_heading(values):
            self.end()
            self._columns, self.begun = columns, True
            if columns.kind == "boards":
                self.of(False, line)
                self._match, self._boards = self._matched(line, values, columns), {}
        elif self._columns:
            kind, columns = self._columns.kind, self._columns
            take: Mapping[str, Callable[[int, Sequence[str], _Columns], None]] = {
                "entrants": self._entrant, "games": self._game, "matches": self._pairing,
                "boards": self._board,
            }  # fmt: skip
            take[kind](line, values, columns)
        else:
            self.titles.append(" ".join(filled))

    def _entrant(self, line: int, values: Sequence[str], columns: _Columns) -> None:
        """A row of a start list or ranking; one without a number is none."""
        places = columns.places
        column = "name" if "name" in places else "team"
        numbers = (_whole(_at(values, places.get(c)), _MOST_NUMBER) for c in ("start", "place"))
        if not _at(values, places[column]) or not any(numbers):
            return
        team = _at(values, places.get("team")) if column == "name" else ""
        entrant = self.entrant(line, values, places, column, team)
        self.entrants.append(entrant)
        if column == "team":
            self.of(False, line)
        printed = dict(columns.published)
        if "place" in places and printed:
            printed = {"place": places["place"], **printed}
        for heading, place in printed.items():
            self.published.setdefault(heading, []).append((entrant, _at(values, place)))

    def _side(self, line: int, values: Sequence[str], columns: _Columns, side: str) -> _Entrant:
        """One side of a pairing."""
        place = columns.places[f"name_{side}"]
        name = " ".join(re.sub(r"\s*\*+\)$", "", _at(values, place)).split())
        number = _at(values, columns.places.get(f"number_{side}"))
        rating = _at(values, columns.places.get(f"rating_{side}"))
        return _Entrant(
            self.named(line, name),
            line,
            _whole(number, _MOST_NUMBER),
            _whole(rating, MAX_RATING),
            _title_before(values, place),
        )

    def _known_round(self, line: int) -> int:
        if not self._round:
            raise InputError(
                f"{self.file}: line {line}: must have a line with the round above the pairings, "
                "such as 'Round 3'"
            )
        return self._round

    def _alone(self, values: Sequence[str], columns: _Columns) -> str | None:
        """What stands in place of an opponent; None where there is one."""
        name = _at(values, columns.places["name_b"])
        number = columns.places.get("number_b")
        unnumbered = number is not None and not _whole(_at(values, number), _MOST_NUMBER)
        return name if not name or unnumbered or folded(name) in NO_OPPONENT | NOT_PAIRED else None

    def _game(self, line: int, values: Sequence[str], columns: _Columns) -> None:
        """A game of players, or the round of one without an opponent."""
        if not _at(values, columns.places["name_a"]):
            return
        self.of(True, line)
        text = _at(values, columns.places["result"])
        white, number = self._side(line, values, columns, "a"), self._known_round(line)
        word, result = self._alone(values, columns), result_of(text)
        if word is not None:
            usual = 2 if not text and folded(word) in NO_OPPONENT else 0
            scored = result[0][0] if result else written_points(text) if text else usual
            if scored is None or not 0 <= scored <= 2:
                raise self.error(line, "result", "1, ½ or 0 without an opponent", text)
            bye = BYES_OF_A_GAME[scored]
            made = _Pairing(line, number, (white, None), (scored, 0), bye=bye)
        elif text in OPEN:
            made = _Pairing(line, number, (white, self._side(line, values, columns, "b")), None)
        else:
            sides = white, self._side(line, values, columns, "b")
            made = _Pairing(line, number, sides, *self._result(line, text))
        self.pairings.append(made)

    def _result(self, line: int, text: str) -> tuple[tuple[int, int], bool]:
        result = result_of(text)
        if result is None or result[0] not in _TEXT:
            # The row knows what is wrong with one that is a date.
            row = Row(self.file, line, {"result": text}, self.notes)
            raise row.error("result", "such as 1 - 0, ½ - ½ or + - -")
        return result

    def _pairing(self, line: int, values: Sequence[str], columns: _Columns) -> None:
        """A match of teams."""
        if _at(values, columns.places["name_a"]):
            self.of(False, line)
            self.pairings.append(self._matched(line, values, columns))

    def _matched(self, line: int, values: Sequence[str], columns: _Columns) -> _Pairing:
        """The match of two teams, with its score, or the bye of one."""
        number, first = self._known_round(line), self._side(line, values, columns, "a")
        text = _at(values, columns.places.get("result"))
        if "result" not in columns.places:
            both = [_at(values, columns.places[f"points_{side}"]) for side in "ab"]
            text = ":".join(both) if any(both) else ""
        word = None if columns.kind == "boards" else self._alone(values, columns)
        if word is not None:
            kind: Bye = "zero" if folded(word) in NOT_PAIRED else "pairing"
            told = written_points(text.partition(":")[0].strip())
            points = None if told is None or kind == "zero" else (told, 0)
            if points is None and folded(word) not in NOT_PAIRED | NO_OPPONENT:
                raise self.error(line, "opponent", "a team, 'bye' or 'not paired'", word)
            return _Pairing(line, number, (first, None), points, bye=kind)
        result = result_of(text)
        if result is None and text not in OPEN and text.strip(" *:-"):
            row = Row(self.file, line, {"result": text}, self.notes)
            raise row.error("result", "game points such as 2½ : 1½")
        sides = first, self._side(line, values, columns, "b")
        points, played = result or (None, True)
        return _Pairing(line, number, sides, points, played, colours=False)

    def _board(self, line: int, values: Sequence[str], columns: _Columns) -> None:
        """A board of the match; None for one without a result."""
        found = _BOARD.fullmatch(_at(values, 0))
        if found is None or self._match is None:
            return
        number, text = int(found[1]), _at(values, columns.places["result"])
        if not 1 <= number <= MAX_BOARDS or number in self._boards:
            allowed = f"1..{MAX_BOARDS}, each once in the match"
            raise self.error(line, "board", allowed, _at(values, 0))
        if text in OPEN:
            self._boards[number] = None
            return
        players: list[_Entrant | None] = []
        for side, team in zip("ab", self._match.sides, strict=True):
            name = _at(values, columns.places[f"name_{side}"])
            empty = name.casefold() in NOBODY or name == "-" or team is None
            player = None if empty else self._side(line, values, columns, side)
            players.append(player and replace(player, number=0, team=team.name if team else ""))
        self._boards[number] = _Board(number, (players[0], players[1]), *self._result(line, text))

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
            self.pairings.append(match)
            self._match = None
        return self.begun

    # -------------------------------------------------------------------- to the tables

    def tables(self, name: str, options: Reading, tiebreaks: Mapping[int, str]) -> Tables:
        """What was read as the tables of an event.

        **Arguments:** `tiebreaks`: what the columns of tie-breaks are, by number.
        """
        if not self.pairings:
            who = "players" if self.individual or self.individual is None else "teams"
            raise InputError(
                f"{self.file}: is a list of {who} without results: add the crosstable, or the "
                "pairings of all rounds in one file"
            )
        return _Named(self).tables(name, options, tiebreaks)


def _title_before(values: Sequence[str], name: int, explicit: int | None = None) -> str:
    """A player's title: in its column, else in a cell that stands directly before the name."""
    near = (_at(values, explicit), _at(values, name - 1), _at(values, name - 2))
    return next((text for text in near if _TITLE.fullmatch(text)), "")


# --------------------------------------------------------------------------------- crosstables


@dataclass(frozen=True)
class _Cell:
    """What a cell says.

    **Fields:** `opponent`: the opponent's row, None for a bye; `white`: whether the entrant had
    white; `points`: half points, None where the result is not known yet, or what a bye is worth;
    `played`: whether they were scored in a game.
    """

    opponent: int | None
    white: bool
    points: int | None
    played: bool = True


class _Crosstable:
    """The rows of a crosstable, and what they say; the first row that is none ends it."""

    def __init__(self, reader: _Reader, heading: _Columns, below: Sequence[Line]) -> None:
        self._reader, self._heading, self._file = reader, heading, reader.file
        square = heading.kind == "square"
        if len(heading.rounds) > MAX_ROUNDS and not square:
            rounds = len(heading.rounds)
            raise InputError(f"{self._file}: must have at most {MAX_ROUNDS} rounds, has {rounds}")
        self.rows: list[Line] = []
        self.entrants: list[_Entrant] = []
        self._read(below)
        if len(self.rows) < 2:
            raise InputError(f"{self._file}: must have at least two rows below the heading")
        texts = [text for _, _, text in self._cells()]
        met = [found for text in texts if (found := _CELL.fullmatch(text))]
        self._letters = {found[2] for found in met}
        scored = (
            [found[3] for found in met] if not square else [t for x in texts for t in x.split()]
        )
        # Tables of teams may head their names like those of players.
        above = sum((self._points(text) or 0) > 2 and "," not in text for text in scored)
        self.individual = "name" in heading.places and above <= len(scored) // 10

    def _read(self, below: Sequence[Line]) -> None:
        """Take the rows up to the first that is none."""
        columns, seen = self._heading.places, Counter[str]()
        name_at = columns.get("name", columns.get("team"))
        known = [*columns.values(), *self._heading.rounds]
        for line, values in below:
            name = _at(values, name_at)
            if not name or not any(_at(values, place) for place in known if place != name_at):
                if self.rows:
                    return
                continue
            seen[name] += 1
            self.rows.append((line, values))
            column = "name" if "name" in columns else "team"
            alias = "" if seen[name] == 1 else f"{name} (line {line})"
            entrant = self._reader.entrant(line, values, columns, column)
            self.entrants.append(replace(entrant, alias=alias))
            if len(self.rows) > MAX_TEAMS:
                raise InputError(f"{self._file}: must have at most {MAX_TEAMS} rows")

    def _cells(self) -> Iterator[tuple[int, int, str]]:
        """Row, number of the round from 1, and cell."""
        for row, (_, values) in enumerate(self.rows):
            for number, place in enumerate(self._heading.rounds, start=1):
                yield row, number, _at(values, place).casefold()

    def _printed(self, row: int, number: int) -> str:
        """A cell as it stands there."""
        return _at(self.rows[row][1], self._heading.rounds[number - 1])

    def published(self) -> Mapping[str, int]:
        """The columns of places and points."""
        places = self._heading.places
        ranks = {"place": places["place"]} if "place" in places else {}
        some = {
            heading: place
            for heading, place in self._heading.published.items()
            if any(written_points(_at(values, place)) is not None for _, values in self.rows)
        }
        return ranks | some

    def _error(self, row: int, number: int, allowed: str) -> InputError:
        """The error for a cell."""
        which = f"{'column' if self._heading.kind == 'square' else 'round'} {number}"
        where = f"{which} of {self._who(row)}"
        return self._reader.error(self.rows[row][0], where, allowed, self._printed(row, number))

    def _who(self, row: int) -> str:
        """A name in a message."""
        return plain((self.entrants[row].alias or self.entrants[row].name)[:40])

    def _points(self, text: str) -> int | None:
        """Half points in a cell; None for none. A sign that is strange is the half."""
        text = text.strip().replace("=", "½")
        if text in _WITHOUT_GAME:
            return _WITHOUT_GAME[text]
        points = written_points(text)
        strange = _STRANGE.fullmatch(text) if points is None else None
        if strange is None:
            return points
        sign = quoted(strange[2])
        assumed = f"the sign {sign} in the cells of rounds is taken for the half"
        self._reader.notes.odd(assumed, None)
        return written_points(f"{strange[1].strip('-')}½")

    def in_rounds(self) -> Iterator[_Pairing]:
        """The pairings of a table whose columns are rounds, round by round."""
        met = self._met()
        playing = max((n for (_, n), cell in met.items() if cell.opponent is not None), default=0)
        if not playing:
            raise InputError(f"{self._file}: must have at least one game: all cells are byes")
        for (row, number), cell in sorted(met.items(), key=lambda item: (item[0][1], item[0][0])):
            line = self.rows[row][0]
            if number > playing:
                return
            if cell.opponent is None:
                yield self._bye(row, number, cell.points)
                continue
            other = met.get((cell.opponent, number))
            if other is None or other.opponent != row:
                back = quoted(self._printed(cell.opponent, number))
                raise self._error(row, number, f"what {self._who(cell.opponent)} has ({back})")
            if cell.white == other.white and cell.played and other.played:
                raise self._error(row, number, "of the other colour than that of the opponent")
            if cell.white if cell.white != other.white else row < cell.opponent:
                sides = self.entrants[row], self.entrants[cell.opponent]
                points = self._result(row, number, cell, other)
                yield _Pairing(line, number, sides, points, cell.played and other.played)

    def _met(self) -> dict[tuple[int, int], _Cell]:
        """What every cell says, by row and round.

        Cells call opponents by their places, by their start numbers, or by the rows of the table:
        by that after which the two cells of every match name each other, else by the first that
        names rows of the table.
        """
        found: list[dict[tuple[int, int], _Cell]] = []
        failed: list[InputError] = []
        places = self._heading.places
        numberings = [
            [_at(values, places[column]).rstrip(".") for _, values in self.rows]
            for column in ("place", "start")
            if column in places
        ]
        for texts in (*numberings, [str(row + 1) for row in range(len(self.rows))]):
            row_of = {text.lstrip("0"): row for row, text in enumerate(texts) if text}
            try:
                met = {
                    (row, number): self._cell(row, number, text, row_of)
                    for row, number, text in self._cells()
                }
            except InputError as error:
                failed.append(error)
                continue
            if all(
                cell.opponent is None or met[cell.opponent, number].opponent == row
                for (row, number), cell in met.items()
            ):
                return met
            found.append(met)
        if not found:
            raise failed[0]
        return found[0]

    def _cell(self, row: int, number: int, text: str, row_of: Mapping[str, int]) -> _Cell:
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
        if points is None and result not in OPEN:
            raise self._error(row, number, _SUCH)
        return _Cell(opponent, self._is_white(found[2]), points, result not in _WITHOUT_GAME)

    def _is_white(self, letter: str) -> bool:
        """Whether a letter is White's in the language of the table.

        `b` is Black's beside `w`, else White's (blanc, bianco, bily; beside noir, nero, cerny).
        """
        if letter == "b":
            return "w" not in self._letters and len(self._letters) > 1
        return letter in _WHITE

    def _alone(self, row: int, number: int, text: str) -> int | None:
        """Half points of a round without an opponent; None for the bye of a team in words."""
        words = text.replace("bye", "").strip()
        if folded(text) in NO_OPPONENT or (not words and text):
            return 2 if self.individual else None
        if text in _EMPTY or folded(text) in NOT_PAIRED:
            return 0
        found = _ALONE.fullmatch(words)
        points = 2 if text == "+" else self._points(found[1] or "0") if found else None
        if points is None and words.startswith("-") and _STRANGE.fullmatch(words):
            points = self._points(words)
        if points is None or (self.individual and points > 2):
            raise self._error(row, number, _SUCH)
        return points

    def _bye(self, row: int, number: int, points: int | None) -> _Pairing:
        """A round without an opponent; of a team it is a bye if it scores."""
        told = None if points is None else (points, 0)
        kind: Bye = "zero" if points == 0 else "pairing"
        kind = BYES_OF_A_GAME[points or 0] if self.individual else kind
        return _Pairing(self.rows[row][0], number, (self.entrants[row], None), told, bye=kind)

    def _result(self, row: int, number: int, own: _Cell, other: _Cell) -> tuple[int, int] | None:
        """Half points of both sides of a pairing; None if they are not known yet."""
        if own.points is None or other.points is None:
            return None
        if not self.individual:
            if own.played != other.played:
                raise self._error(row, number, "without a game on both sides or on none")
            if (own.points + other.points) % 2:
                allowed = f"whole together with the opponent's {other.points / 2:g}"
                raise self._error(row, number, allowed)
        elif own.played != other.played or {own.points, other.points} not in _HALVES:
            assert own.opponent is not None
            back = quoted(self._printed(own.opponent, number))
            raise self._error(row, number, f"the other half of what the opponent has ({back})")
        return own.points, other.points

    def square(self) -> Iterator[_Pairing]:
        """The matches or games in a square of opponents, which know neither rounds nor colours."""
        size = len(self.rows)
        if size != len(self._heading.rounds):
            raise InputError(
                f"{self._file}: must have a row for each of its {len(self._heading.rounds)} "
                f"columns, has {size}"
            )
        cells = {(row, number - 1): self._met_in(text) for row, number, text in self._cells()}
        missing = 0
        for (row, other), ours in cells.items():
            if row >= other:
                continue
            theirs = cells[other, row]
            if len(ours) != len(theirs):
                back = quoted(self._printed(other, row + 1))
                raise self._error(row, other + 1, f"as many matches as {back}")
            missing += not ours
            for mine, its in zip(ours, theirs, strict=True):
                if {mine, its} <= {"*", "**", "***", "?", ""}:
                    missing += 1
                    continue
                a, b = self._points(mine), self._points(its)
                played = not {mine, its} & _WITHOUT_GAME.keys()
                wrong = not self.individual and not played
                if wrong and not (mine.strip("*-") or its.strip("*-")):
                    continue
                if a is None or b is None or wrong:
                    raise self._error(row, other + 1, "game points such as 2½")
                if self.individual and {a, b} not in _HALVES:
                    raise self._error(row, other + 1, f"the other half of what {quoted(its)} is")
                sides = self.entrants[row], self.entrants[other]
                yield _Pairing(self.rows[row][0], 0, sides, (a, b), played, colours=False)
        if missing:
            self._reader.notes.say(f"pairs in the square without a result yet: {missing}")

    def _met_in(self, text: str) -> list[str]:
        """The results in a cell of a square; those of games may stand side by side: `½1`."""
        found: list[str] = []
        for word in text.split():
            single = not self.individual or self._points(word) in (0, 1, 2)
            found += [word] if single or not set(word) <= set("01½=+-*") else word
        return found


# ----------------------------------------------------------------------------- rows of an event


class _Named:
    """The names that entrants have in the event, unlike each other, and the rows of its tables."""

    def __init__(self, reader: _Reader) -> None:
        self._reader, self._file = reader, reader.file
        self._individual = reader.individual is True
        entrants = [entrant for entrant in reader.entrants if not entrant.team]
        sides = (side for pairing in reader.pairings for side in pairing.sides if side)
        mentions = [*entrants, *sides]
        self._numbers: dict[str, set[int]] = defaultdict(set)
        self._printed: dict[str, str] = {}
        for mention in mentions:
            self._numbers[_key(mention.name)] |= {mention.number} - {0}
            self._printed.setdefault(_key(mention.name), mention.name)
        self._entrants: dict[str, _Entrant] = {}
        for mention in mentions:
            name = self._name(mention)
            self._entrants[name] = _both(self._entrants.get(name), mention)
        self._pairings = sorted(map(self._called, reader.pairings), key=lambda p: p.round)
        self._check_rounds()
        self._players: dict[tuple[str, str], _Entrant] = {}
        for pairing in self._pairings:
            for board in pairing.boards:
                for side, player in zip(pairing.sides, board.players, strict=True):
                    if side and player:
                        key = side.name, _key(player.name)
                        self._players[key] = _both(self._players.get(key), player)
        scored = (sum(p.points) for p in self._pairings if p.points and p.sides[1])
        self._most = max(scored, default=2) // 2

    def _name(self, mention: _Entrant) -> str:
        """The name of an entrant, unlike that of any other."""
        key = _key(mention.name)
        if mention.alias or len(self._numbers[key]) < 2:
            return mention.alias or self._printed[key]
        if not mention.number:
            numbers = " and ".join(map(str, sorted(self._numbers[key])[:2]))
            raise InputError(
                f"{self._file}: line {mention.line}: {plain(mention.name[:40])} has start numbers "
                f"{numbers} elsewhere: export the file with start numbers (SNo)"
            )
        return f"{self._printed[key]} (No. {mention.number})"

    def _called(self, pairing: _Pairing) -> _Pairing:
        """A pairing with the names of the event."""
        a, b = (side and replace(side, name=self._name(side)) for side in pairing.sides)
        assert a is not None
        if b and a.name == b.name:
            name = plain(a.name[:40])
            raise InputError(
                f"{self._file}: line {pairing.line}: {name} must have another opponent"
            )
        return replace(pairing, sides=(a, b))

    def _check_rounds(self) -> None:
        """Refuse two pairings of an entrant in a round, and a round that is missing."""
        busy: dict[tuple[int, str], int] = {}
        for pairing in (pairing for pairing in self._pairings if pairing.round):
            for side in filter(None, pairing.sides):
                other = busy.setdefault((pairing.round, side.name), pairing.line)
                if other != pairing.line:
                    raise InputError(
                        f"{self._file}: line {pairing.line}: {plain(side.name[:40])} has another "
                        f"pairing of round {pairing.round} ({self._file}: line {other})"
                    )
        rounds = sorted({number for number, _ in busy})
        for number, following in pairwise([0, *rounds]):
            if following > number + 1:
                raise InputError(f"{self._file}: must have the pairings of round {number + 1}")

    def tables(self, name: str, options: Reading, tiebreaks: Mapping[int, str]) -> Tables:
        """The tables of the event."""
        order = self._order()
        about: list[Row] = [self._row(0, key="name", value=name)]
        if self._reader.rounds and self._pairings[0].round:
            about.append(self._row(0, key="rounds", value=str(self._reader.rounds)))
        if listed := self._tiebreaks(tiebreaks):
            about.append(self._row(0, key=TIEBREAKS, value=listed))
        made = {
            "event.csv": about,
            "matches.csv": list(map(self._match, range(len(self._pairings)))),
        }
        if self._individual:
            made["players.csv"] = [self._player(name, self._entrants[name]) for name in order]
        else:
            made["teams.csv"] = [self._row(self._entrants[n].line, team=n) for n in order]
            players = [self._player(team, one) for (team, _), one in self._players.items()]
            boards = [row for k in range(len(self._pairings)) for row in self._boards(k)]
            if players:
                made["players.csv"] = players
            if boards:
                made["boards.csv"] = boards
        if any(pairing.boards and not pairing.colours for pairing in self._pairings):
            self._reader.notes.say(
                "boards have no colours: the first team has White on board 1, then in turn"
            )
        published = {
            heading: {self._name(entrant): text for entrant, text in cells}
            for heading, cells in self._reader.published.items()
        }
        starts = {entrant: self._entrants[entrant].number for entrant in order}
        rows = {table: _giving(listed) for table, listed in made.items()}
        told = replace(options, form="", individual=False)
        return Tables(rows, name, self._file, told, self._reader.notes, published, starts)

    def _tiebreaks(self, names: Mapping[int, str]) -> str:
        """The tie-breaks that the page says, as a list that decides; points come first."""
        codes = [names[number] for number in sorted(names)]
        first = "PTS" if self._individual else "MPTS"
        of_points = codes[:1] in (["PTS"], ["MPTS"], ["GPTS"])
        if self._individual:
            codes = ["PTS" if code == "GPTS" else code for code in codes]
        return ",".join(codes if of_points or not codes else [first, *codes])[:MAX_NAME]

    def _row(self, line: int, **fields: str) -> Row:
        return Row(self._file, line, fields, self._reader.notes)

    def _order(self) -> list[str]:
        """The entrants in start order: by start numbers, else by ratings, else as they stand."""
        entrants = self._entrants
        if all(entrant.number for entrant in entrants.values()):
            return sorted(entrants, key=lambda name: entrants[name].number)
        rated = any(entrant.rating for entrant in entrants.values())
        by = "in order of rating" if rated else "as they stand in the table"
        self._reader.notes.say(f"the table has no start numbers: entrants are {by}")
        return sorted(entrants, key=lambda name: -entrants[name].rating)

    def _player(self, team: str, entrant: _Entrant) -> Row:
        return self._row(
            entrant.line,
            team=team,
            name=entrant.name,
            rating=str(entrant.rating or ""),
            federation=entrant.federation,
            fide_id=entrant.fide_id,
            title=entrant.title,
        )

    def _match(self, index: int) -> Row:
        """The row of a game or match."""
        pairing = self._pairings[index]
        a, b = pairing.sides
        place = {"round": str(pairing.round or ""), "match": str(index + 1), "bye": pairing.bye}
        if self._individual:
            result = _TEXT[pairing.points] if pairing.points and b else ""
            status = STATUS[not pairing.played] if result else ""
            names = {"white_player": a.name, "black_player": b.name if b else ""}
            return self._row(pairing.line, **place, **names, result=result, status=status)
        teams = {"team_a": a.name, "team_b": b.name if b else ""}
        scores = self._scores(pairing) if b else self._bye(pairing)
        return self._row(pairing.line, **place, **teams, **scores)

    def _scores(self, pairing: _Pairing) -> dict[str, str]:
        """The points of a match and of its boards."""
        if not pairing.points:
            return {}
        a, b = pairing.points
        found = {"game_points_a": f"{a / 2:g}", "game_points_b": f"{b / 2:g}"}
        if pairing.boards:
            sums = [sum(board.half_points[side] for board in pairing.boards) for side in (0, 1)]
            if sums != [a, b]:
                match = " - ".join(plain(side.name[:40]) for side in pairing.sides if side)
                raise InputError(
                    f"{self._file}: line {pairing.line}: the boards of {match} must add up to "
                    f"{a / 2:g}-{b / 2:g}, got {sums[0] / 2:g}-{sums[1] / 2:g}"
                )
            scored = [board for board in pairing.boards if board.played or any(board.half_points)]
            found["boards_decided"] = str(len(scored))
            found["boards_forfeited"] = str(sum(not board.played for board in scored))
        elif not pairing.played:
            found |= dict.fromkeys(("boards_decided", "boards_forfeited"), str((a + b) // 2))
        return found

    def _bye(self, pairing: _Pairing) -> dict[str, str]:
        """The bye of a team: it has its points, where a list tells them."""
        points = pairing.points[0] if pairing.points else self._most
        if pairing.bye == "zero" or points == self._most:
            return {}
        won = 1 + (points > self._most) - (points < self._most)
        self._reader.notes.say(
            f"round {pairing.round}: the bye of {plain(pairing.sides[0].name[:40])} is worth "
            f"{points / 2:g} game points, and {won} match points as a match with these would be"
        )
        return {"game_points_a": f"{points / 2:g}", "match_points_a": str(won)}

    def _boards(self, index: int) -> Iterator[Row]:
        """The rows of the boards of a match; colours are in turn."""
        pairing = self._pairings[index]
        teams = [side.name for side in pairing.sides if side]
        for board in pairing.boards:
            players = (
                self._players[team, _key(player.name)] if player else None
                for team, player in zip(teams, board.players, strict=True)
            )
            a, b = zip(teams, board.half_points, players, strict=True)
            white, black = (a, b) if board.number % 2 else (b, a)
            colours = {"white": white, "black": black}
            yield self._row(
                pairing.line,
                round=str(pairing.round or ""),
                match=str(index + 1),
                board=str(board.number),
                result=_TEXT[white[1], black[1]],
                status=STATUS[not board.played],
                **{f"{c}_team": side[0] for c, side in colours.items()},
                **{f"{c}_player": side[2].name for c, side in colours.items() if side[2]},
                **{f"{c}_rating": str(s[2].rating or "") for c, s in colours.items() if s[2]},
            )


def _giving(rows: list[Row]) -> Callable[[Sequence[str], Notes], Iterator[Row]]:
    return lambda required, notes: iter(rows)


def _key(name: str) -> str:
    """A name without case, accents, spaces and punctuation."""
    return folded(name) or name


def _both(known: _Entrant | None, other: _Entrant) -> _Entrant:
    """An entrant with what two lines say; the first one counts."""
    if known is None:
        return other
    facts = ("number", "rating", "title", "federation", "fide_id")
    return replace(known, **{fact: getattr(known, fact) or getattr(other, fact) for fact in facts})
