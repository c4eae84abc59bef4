"""Lists of rounds and crosstables, as chess-results and others print them.

A sheet has titles, a heading, rows, and below them anything; pairings of several rounds stand one
below the other, each below a line with the round. What is read becomes the draft of an event.

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
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from tb2learn.events.files.crosstables import (
    MOST_NUMBER,
    Board,
    Crosstable,
    Entrant,
    Lines,
    ListColumns,
    ListedPairing,
    ListType,
    at,
    whole,
)
from tb2learn.events.files.draft import finished_matches
from tb2learn.events.files.event_tables import check_nothing
from tb2learn.events.files.fields import Notes
from tb2learn.events.files.headings import (
    COLUMN,
    NO_OPPONENT,
    NOBODY,
    NOT_PAIRED,
    OPEN,
    folded,
    is_points,
    is_round_cell,
    listed_names,
    round_heading,
    round_in,
)
from tb2learn.events.files.options import Reading
from tb2learn.events.files.page_names import SCORING
from tb2learn.events.files.page_names import folded as folded_name
from tb2learn.events.files.pairings import Draft, Pairing
from tb2learn.events.files.rows import Cells, Sheet
from tb2learn.events.files.scores import is_open, result_of, written_points
from tb2learn.events.files.source import MAX_NAME
from tb2learn.events.files.table_rows import TableRow, is_result
from tb2learn.events.model import TIEBREAKS
from tb2learn.events.parts import BYES_OF_A_GAME, Bye, Game, Player, sum_points
from tb2learn.text import plain, quoted, unguarded
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS, InputError

_MOST_PUBLISHED = 20
_LOOK = 12  # rows below a heading that may show what its columns are
_ADDRESS = re.compile(r"https?:|www\.|chess-?\s?results", re.IGNORECASE)
_TIE_BREAK = re.compile(r"[^\W\d_]{2,8}\.? ?1")
"""The heading of the first tie-break: `TB1`, `Wtg1`, `Des 1`."""
_BETWEEN = re.compile(r"\s*[-:/\u2010-\u2015\u2212]\s*")
"""What stands between the points of both sides."""
_BOARD = re.compile(r"(?:[0-9]{1,4}\.)?([0-9]{1,2})", re.ASCII)


def heads_list(values: Sequence[str]) -> bool:
    """Whether a row is the heading of a crosstable or of another list."""
    return (_crosstable_heading(values) or _list_heading(values)) is not None


def shows_list(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows are those of a crosstable whose headings are not known."""
    return sum(sum(map(is_round_cell, row)) > 1 for row in rows) > 1


def read_list(sheet: Sheet, name: str, options: Reading) -> Draft | None:
    """What the lists in a sheet say of an event; None if there is none.

    **Arguments:** `name`: of the event, if no title stands before a table.
    """
    reader = _Reader(sheet.file, Notes(options.strict, sheet.file))
    lines = [line for line in sheet.rows() if any(map(str.strip, line[1]))]
    for index, (line, values) in enumerate(lines):
        heading = None if reader.begun else _crosstable_heading(values)
        # A crosstable says all: lists of rounds above it would only repeat it.
        if heading:
            reader.crosstable(heading, lines[index + 1 :])
            break
        reader.add(line, values)
    if not reader.end():
        # No heading is known: the rows themselves may show where the rounds are.
        for index, (_, values) in enumerate(lines[:40]):
            if heading := _shown_heading(values, lines[index + 1 :][:_LOOK], reader.notes):
                reader.crosstable(heading, lines[index + 1 :])
                break
    if not reader.begun:
        return None
    if about := sheet.odd_encoding:
        reader.notes.note_assumption(about, aside="")
    # The address of the server, which pages print on top, is no title.
    title = next((t for t in (sheet.title, *reader.titles) if t and not _ADDRESS.search(t)), name)
    tiebreaks = listed_names(values for _, values in lines)
    return _Drafter(reader, options.before_first).draft(title[:MAX_NAME], options, tiebreaks)


# ------------------------------------------------------------------------------------ headings


def _named(values: Sequence[str]) -> list[str]:
    return [COLUMN.get(folded(value) or value.strip(), "") for value in values]


def _places(named: Sequence[str], column: str, first: int, end: int) -> list[int]:
    return [place for place in range(first, end) if named[place] == column]


def _first_places(values: Sequence[str]) -> dict[str, int]:
    """The first place of every column that a row heads."""
    columns = _named(values)
    return {column: columns.index(column) for column in columns if column}


def _crosstable_heading(values: Sequence[str]) -> ListColumns | None:
    """What a row heads; None if it is not the heading of a crosstable.

    It has a column of names, one of places or start numbers, and those of rounds or opponents,
    which are numbered from 1 and stand together.
    """
    columns = _first_places(values)
    if not columns.keys() & {"name", "team"} or not columns.keys() & {"place", "start"}:
        return None
    # `1.Rd` heads a round; a bare number heads the column of an opponent.
    by_round = _numbered([round_heading(value) for value in values])
    numbers = [whole(value, 999) for value in values]
    double = _doubled(numbers)
    if double and not by_round:
        return _with_rounds("square", values, double, 2)
    rounds = by_round or _numbered(numbers)
    return _with_rounds("crosstable" if by_round else "square", values, rounds) if rounds else None


def _with_rounds(
    kind: ListType, values: Sequence[str], rounds: tuple[int, ...], width: int = 1
) -> ListColumns:
    taken = {place + k for place in rounds for k in range(width)}
    columns = {c: place for c, place in _first_places(values).items() if place not in taken}
    return ListColumns(kind, columns, rounds, _published(values, max(taken) + 1, columns), width)


def _doubled(numbers: Sequence[int]) -> tuple[int, ...]:
    """The first places of columns numbered 1, 1, 2, 2, ..., or 1, none, 2, none; empty for none."""
    for place, number in enumerate(numbers):
        if number == 1:
            pairs = list[int]()
            while numbers[place : place + 1] == [len(pairs) + 1] and (
                place + 1 < len(numbers) and numbers[place + 1] in (0, len(pairs) + 1)
            ):
                pairs.append(place)
                place += 2
            # One pair may be a number before a column of names.
            return tuple(pairs) if len(pairs) > 1 else ()
    return ()


def _numbered(numbers: Sequence[int]) -> tuple[int, ...]:
    """The places of the first columns in a row that are numbered 1, 2, 3, ...; empty for none."""
    for place, number in enumerate(numbers):
        if number == 1:
            # Columns of rounds stand together: the first gap ends them.
            end = place + 1
            while end < len(numbers) and numbers[end] == end - place + 1:
                end += 1
            return tuple(range(place, end))
    return ()


def _published(values: Sequence[str], first: int, columns: Mapping[str, int]) -> dict[str, int]:
    """The places of points and tie-breaks from a first one on, by their headings."""
    # Printed points are columns too, but rating and federation are not compared with anything.
    of_entrants = {p for c, p in columns.items() if c not in ("game_points", "match_points")}
    return {
        " ".join(values[place].split()): place
        for place in range(first, min(len(values), first + _MOST_PUBLISHED))
        if values[place].strip() and place not in of_entrants
    }


def _shown_heading(
    values: Sequence[str], below: Sequence[Cells], notes: Notes
) -> ListColumns | None:
    """The heading of a crosstable in a language that is not known: its cells show the rounds."""
    columns = [[at(cells, place) for _, cells in below] for place in range(len(values))]
    half = len(below) // 2
    rounds = [p for p, cells in enumerate(columns) if sum(map(is_round_cell, cells)) > half]
    if not rounds or len(below) < 2 or any(map(is_round_cell, values)):
        return None
    heading = _with_rounds("crosstable", values, tuple(range(rounds[0], rounds[-1] + 1)))
    places = dict(heading.places)
    free = [p for p in range(rounds[0]) if p not in places.values()]
    if not places.keys() & {"name", "team"}:
        # Names have more letters than anything else before the rounds.
        letters = {p: sum(c.isalpha() for cell in columns[p] for c in cell) for p in free}
        if not letters or not max(letters.values()):
            return None
        places["name"] = max(letters, key=lambda p: letters[p])
        notes.note_assumption(f"the column {quoted(values[places['name']])} is taken for the names")
    if not places.keys() & {"place", "start"}:
        for place in free:
            # Numbers that are all different tell the entrants apart.
            if len({cell for cell in columns[place] if whole(cell, MOST_NUMBER)}) == len(below):
                places["start"] = place
                break
    return replace(heading, places=places)


def _list_heading(values: Sequence[str]) -> ListColumns | None:
    """What a row heads; None if it is the heading of no list but perhaps of a crosstable."""
    columns = _named(values)
    # A column of rounds makes it a table of matches, which `event_tables` reads.
    if "round" in columns:
        return None
    marks = [value.strip() for value in values]
    for mark, find in (("-", _boards_heading), (":", _matches_heading)):
        if mark in marks and (heading := find(values, columns, marks.index(mark))):
            return heading
    for white, black in (("white_player", "black_player"), ("name", "name")):
        if heading := _games_heading(columns, white, black):
            return heading
    if columns.count("team") == 2 and "result" in columns[columns.index("team") :]:
        return _matches_heading(values, columns, columns.index("result", columns.index("team")))
    places = _first_places(values)
    if places.keys() & {"place", "start"} and places.keys() & {"name", "team"}:
        scores = (
            place
            for place, (value, column) in enumerate(zip(marks, columns, strict=True))
            if is_points(value) or (not column and _TIE_BREAK.match(value))
        )
        # From the first column of points on, all is printed points and tie-breaks.
        first = next(scores, len(values))
        return ListColumns("entrants", places, (), _published(values, first, places))
    return None


def _boards_heading(values: Sequence[str], named: Sequence[str], middle: int) -> ListColumns | None:
    """`Bo. | 3 | Falcons | Rtg | - | 1 | Herons | Rtg | 3 : 2`; its boards stand alike."""
    places: dict[str, int] = {}
    for letter, first, end in (("a", 1, middle), ("b", middle + 1, len(named))):
        for rating in _places(named, "rating", first, end)[:1]:
            # The name stands directly before the rating, the start number anywhere before.
            numbers = [k for k in range(first, rating - 1) if whole(values[k], MOST_NUMBER)]
            if numbers:
                places |= {f"start_{letter}": numbers[0], f"name_{letter}": rating - 1}
                places[f"rating_{letter}"] = rating
    if len(places) < 6:
        return None
    filled = [k for k in range(places["rating_b"] + 1, len(values)) if values[k].strip()]
    return ListColumns("boards", places | {"result": [*filled, places["rating_b"] + 1][0]})


def _matches_heading(
    values: Sequence[str], named: Sequence[str], middle: int
) -> ListColumns | None:
    """`No. | Team | Team | Res. | : | Res.`, or mirrored around the colon; or one result."""
    before = _places(named, "team", 0, middle)
    after = _places(named, "team", middle + 1, len(named))
    # Names on both sides of the colon, or both before it.
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
    starts = _places(named, "start", 0, len(named))
    if after and starts[1:] and starts[-1] > after[-1]:
        places |= {"start_a": starts[-2], "start_b": starts[-1]}
    return ListColumns("matches", places)


def _games_heading(named: Sequence[str], white: str, black: str) -> ListColumns | None:
    """`Bo. | No. | | White | Rtg | Pts. | Result | Pts. | | Black | Rtg | No.`."""
    result, end = named.index("result") if "result" in named else 0, len(named)
    names = _places(named, white, 0, result)[:1] + _places(named, black, result, end)[:1]
    if len(names) < 2:
        return None
    places = {"name_a": names[0], "name_b": names[1], "result": result}
    for column in ("start", "rating"):
        first, second = _places(named, column, 0, result), _places(named, column, result, end)
        # A column counts only if both sides have it: the nearest to the names.
        if first and second:
            places |= {f"{column}_a": first[-1], f"{column}_b": second[0]}
    return ListColumns("games", places)


# ------------------------------------------------------------------------- what the lines say


class _Reader(Lines):
    """Collects what the lines of a sheet say: `entrants`, `pairings`, printed columns, titles."""

    def __init__(self, file: str, notes: Notes) -> None:
        super().__init__(file, notes)
        self.individual: bool | None = None
        self.titles: list[str] = []
        self.pairings: list[ListedPairing] = []
        self.rounds = 0
        self.published: dict[str, list[tuple[Entrant, str]]] = {}
        self.begun = False
        self._round = round_in(re.sub(r"[-_]", " ", file))
        self._columns: ListColumns | None = None
        self._match: ListedPairing | None = None
        self._boards: dict[int, Board | None] = {}

    def of(self, individual: bool, line: int) -> None:
        """Note that a line is of players, or of teams."""
        # One file is of one event: players and teams do not mix.
        if self.individual not in (None, individual):
            raise InputError(f"{self.file}: line {line}: must be of players or of teams, not both")
        self.individual = individual

    def crosstable(self, heading: ListColumns, below: Sequence[Cells]) -> None:
        table = Crosstable(self, heading, below)
        self.begun, self.individual = True, table.individual
        self.entrants += table.entrants
        square = heading.kind == "square"
        self.pairings += table.square() if square else table.in_rounds()
        self.rounds = 0 if square else len(heading.rounds)
        for name, place in table.published().items():
            texts = (at(values, place) for _, values in table.rows)
            self.published[name] = list(zip(table.entrants, texts, strict=True))

    def add(self, line: int, values: Sequence[str]) -> None:
        """Take a line of another list, or of none."""
        filled = [value.strip() for value in values if value.strip()]
        # A line of one cell is a title, or says of which round the lines below are.
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
        elif self._columns is None:
            self.titles.append(" ".join(filled))
        elif self._columns.kind == "entrants":
            self._entrant(line, values, self._columns)
        elif self._columns.kind == "boards":
            self._board(line, values, self._columns.places)
        else:
            self._pairing(line, values, self._columns)

    def _pairing(self, line: int, values: Sequence[str], columns: ListColumns) -> None:
        """Take a row of a list of games or matches; the bye may be on either side."""
        named = [self._names(values, columns, letter) for letter in "ab"]
        if not any(named):
            # Nothing is lost without a word: a result has two sides.
            scored = (at(values, columns.places.get(c)) for c in ("result", "points_a", "points_b"))
            if any(result_of(text) or written_points(text) for text in scored):
                raise self.error(line, "name", "that of a side with a result", "")
            return
        for letter, is_named in zip("ab", named, strict=True):
            number = at(values, columns.places.get(f"start_{letter}"))
            if not is_named and whole(number, MOST_NUMBER):
                raise self.error(line, "name", f"that of number {number}", "")
        if not named[0] or self._is_bye(values, columns):
            values = _turned(values, columns)
        individual = columns.kind == "games"
        self.of(individual, line)
        take = self._game if individual else self._matched
        self.pairings.append(take(line, values, columns))

    def _names(self, values: Sequence[str], columns: ListColumns, letter: str) -> bool:
        """Whether a side of a row has a name."""
        return bool(at(values, columns.places[f"name_{letter}"]))

    def _is_bye(self, values: Sequence[str], columns: ListColumns) -> bool:
        """Whether the first side of a row is a word such as `bye`, and no entrant so called."""
        first, second = (at(values, columns.places[f"name_{letter}"]) for letter in "ab")
        number = at(values, columns.places.get("start_a"))
        is_word = folded(first) in NO_OPPONENT | NOT_PAIRED and not whole(number, MOST_NUMBER)
        return is_word and bool(second) and folded(second) not in NO_OPPONENT | NOT_PAIRED

    def _entrant(self, line: int, values: Sequence[str], columns: ListColumns) -> None:
        """A row of a start list or ranking; one without a number is none."""
        places = columns.places
        column = "name" if "name" in places else "team"
        numbers = (whole(at(values, places.get(c)), MOST_NUMBER) for c in ("start", "place"))
        if not at(values, places[column]) or not any(numbers):
            return
        team = at(values, places.get("team")) if column == "name" else ""
        entrant = self.entrant(line, values, places, column, team=team)
        self.entrants.append(entrant)
        if column == "team":
            self.of(False, line)
        printed = dict(columns.published)
        if "place" in places and printed:
            printed = {"place": places["place"], **printed}
        for heading, place in printed.items():
            self.published.setdefault(heading, []).append((entrant, at(values, place)))

    def _known_round(self, line: int) -> int:
        if not self._round:
            raise InputError(
                f"{self.file}: line {line}: must have a line with the round above the pairings, "
                "such as 'Round 3'"
            )
        return self._round

    def _alone(self, values: Sequence[str], columns: ListColumns) -> str | None:
        """What stands in place of an opponent; None where there is one."""
        name = at(values, columns.places["name_b"])
        number = columns.places.get("start_b")
        unnumbered = number is not None and not whole(at(values, number), MOST_NUMBER)
        return name if not name or unnumbered or folded(name) in NO_OPPONENT | NOT_PAIRED else None

    def _game(self, line: int, values: Sequence[str], columns: ListColumns) -> ListedPairing:
        """A game of players, or the round of one without an opponent."""
        text = at(values, columns.places["result"])
        white = self.entrant(line, values, columns.places, "name", "_a")
        number = self._known_round(line)
        word, result = self._alone(values, columns), result_of(text)
        if word is not None:
            # Without a result a bye pays a win, and not being paired nothing.
            usual = 2 if not text and folded(word) in NO_OPPONENT else 0
            scored = result[0][0] if result else written_points(text) if text else usual
            if scored is None or not 0 <= scored <= 2:
                raise self.error(line, "result", "1, ½ or 0 without an opponent", text)
            bye = BYES_OF_A_GAME[scored]
            return ListedPairing(
                line, number, (white, None), (scored, 0), bye=bye, is_unsaid=not text
            )
        sides = white, self.entrant(line, values, columns.places, "name", "_b")
        if is_open(text):
            return ListedPairing(line, number, sides, None)
        return ListedPairing(line, number, sides, *self._result(line, text))

    def _result(self, line: int, text: str) -> tuple[tuple[int, int], bool]:
        result = result_of(text)
        if not is_result(result):
            raise self._no_result(line, text, "such as 1 - 0, ½ - ½ or + - -")
        return result

    def _no_result(self, line: int, text: str, allowed: str) -> InputError:
        """The row of a table knows what is wrong with a result that is a date."""
        return TableRow(self.file, line, {"result": text}, self.notes).error("result", allowed)

    def _matched(self, line: int, values: Sequence[str], columns: ListColumns) -> ListedPairing:
        """The match of two teams, with its score, or the bye of one."""
        places, number = columns.places, self._known_round(line)
        first = self.entrant(line, values, places, "name", "_a")
        text = at(values, places.get("result"))
        if "result" not in places:
            points_of_sides = [at(values, places[f"points_{letter}"]) for letter in "ab"]
            text = ":".join(points_of_sides) if any(points_of_sides) else ""
        word = None if columns.kind == "boards" else self._alone(values, columns)
        if word is not None:
            bye: Bye = "zero" if folded(word) in NOT_PAIRED else "pairing"
            scored = written_points(text.partition(":")[0].strip())
            points = None if scored is None or bye == "zero" else (scored, 0)
            if points is None and folded(word) not in NOT_PAIRED | NO_OPPONENT:
                raise self.error(line, "opponent", "a team, 'bye' or 'not paired'", word)
            return ListedPairing(
                line, number, (first, None), points, bye=bye, is_unsaid=points is None
            )
        result = result_of(text)
        if result is None and not is_open(text) and text.strip(" *:-"):
            raise self._no_result(line, text, "game points such as 2½ : 1½")
        sides = first, self.entrant(line, values, places, "name", "_b")
        points, played = result or (None, True)
        return ListedPairing(line, number, sides, points, played, colours=False)

    def _board(self, line: int, values: Sequence[str], places: Mapping[str, int]) -> None:
        """A board of the match; None for one without a result."""
        label = _BOARD.fullmatch(at(values, 0))
        if label is None or self._match is None:
            return
        number, text = int(label[1]), at(values, places["result"])
        if not 1 <= number <= MAX_BOARDS or number in self._boards:
            allowed = f"1..{MAX_BOARDS}, each once in the match"
            raise self.error(line, "board", allowed, at(values, 0))
        # Known before its result: a board without one leaves the whole match open.
        self._boards[number] = None
        if is_open(text):
            return
        players: list[Entrant | None] = []
        for letter, team in zip("ab", self._match.sides, strict=True):
            name = at(values, places[f"name_{letter}"])
            empty = name.casefold() in NOBODY or name == "-" or team is None
            player = None if empty else self.entrant(line, values, places, "name", f"_{letter}")
            players.append(player and replace(player, number=0, team=team.name if team else ""))
        self._boards[number] = Board(number, (players[0], players[1]), *self._result(line, text))

    def end(self) -> bool:
        """End a table; whether there was one."""
        if self._match is not None:
            boards = [self._boards[number] for number in sorted(self._boards)]
            scored = tuple(board for board in boards if board is not None)
            match = replace(self._match, boards=scored)
            # One open board: what the others have may still turn.
            if len(scored) < len(boards):
                match = replace(match, points=None, boards=())
            # A heading without a score: the boards add up to it.
            elif match.points is None and scored:
                match = replace(match, points=match.of_boards)
            self.pairings.append(match)
            self._match = None
        return self.begun


# -------------------------------------------------------------------------- a draft of an event


class _Drafter:
    """Names entrants unlike each other, and makes the draft of an event of what lists say."""

    def __init__(self, reader: _Reader, before_first: bool = False) -> None:
        self._reader, self._file = reader, reader.file
        self._individual = reader.individual is True
        if not (reader.pairings or before_first):
            word = "teams" if reader.individual is False else "players"
            raise InputError(
                f"{self._file}: is a list of {word} without results: add the crosstable, or the "
                "pairings of all rounds in one file"
            )
        entrants = [entrant for entrant in reader.entrants if not entrant.team]
        sides = (side for pairing in reader.pairings for side in pairing.sides if side)
        # Start lists first: their spelling of a name counts.
        mentions = [*entrants, *sides]
        self._start_numbers: dict[str, set[int]] = defaultdict(set)
        self._printed: dict[str, str] = {}
        for mention in mentions:
            # Two numbers under one name are two entrants of the same name.
            self._start_numbers[_key(mention.name)] |= {mention.number} - {0}
            self._printed.setdefault(_key(mention.name), mention.name)
        self._note_numbers(mentions)
        # A name may stand in several lists, each of which knows something else of its bearer.
        self._entrants: dict[str, Entrant] = {}
        for mention in mentions:
            name = self._name(mention)
            self._note_namesakes(self._entrants.get(name), mention)
            self._entrants[name] = _merged(self._entrants.get(name), mention)
        self._pairings = sorted(map(self._renamed, reader.pairings), key=lambda p: p.round)
        self._check_rounds()
        self._players: dict[tuple[str, str], Entrant] = {}
        for pairing in self._pairings:
            for board in pairing.boards:
                for side, player in zip(pairing.sides, board.players, strict=True):
                    if side and player:
                        key = side.name, _key(player.name)
                        self._players[key] = _merged(self._players.get(key), player)
        scored = (sum(p.points) for p in self._pairings if p.points and p.sides[1])
        # Half points of a drawn match, which the bye of a team usually pays.
        self._drawn_points = max(scored, default=2) // 2

    # ------------------------------------------------------------------------------- names

    def _name(self, mention: Entrant) -> str:
        """The name of an entrant, unlike that of any other."""
        key = _key(mention.name)
        if mention.alias or len(self._start_numbers[key]) < 2:
            return mention.alias or self._printed[key]
        if not mention.number:
            numbers = " and ".join(map(str, sorted(self._start_numbers[key])[:2]))
            raise self._error(
                mention,
                f"{plain(mention.name[:40])} has start numbers {numbers} elsewhere: export the "
                "file with start numbers (SNo)",
            )
        return f"{self._printed[key]} (No. {mention.number})"

    def _note_numbers(self, mentions: Sequence[Entrant]) -> None:
        """Note start numbers under which several names stand, as a wrong name or number makes."""
        of_number: dict[int, dict[str, Entrant]] = defaultdict(dict)
        for mention in mentions:
            of_number[mention.number].setdefault(_key(mention.name), mention)
        for number, by_name in of_number.items():
            if number and len(by_name) > 1:
                names = " and ".join(plain(entrant.name[:40]) for entrant in by_name.values())
                about = f"the start number {number} stands beside several names, {names}"
                line = max(entrant.line for entrant in by_name.values())
                self._reader.notes.note_assumption(about, line, wrong="name")

    def _note_namesakes(self, known: Entrant | None, mention: Entrant) -> None:
        """Note two ratings of one name, which may be of two persons."""
        if known is None or not (known.rating and mention.rating):
            return
        if known.rating != mention.rating:
            about = "a name with other ratings in other rows counts as one entrant"
            ratings = f"{plain(mention.name[:40])} with {known.rating} and {mention.rating}"
            self._reader.notes.note_assumption(
                about, mention.line, whom=("entrant", ratings), wrong="name"
            )

    def _renamed(self, pairing: ListedPairing) -> ListedPairing:
        """A pairing with the names of the event."""
        a, b = (entrant and replace(entrant, name=self._name(entrant)) for entrant in pairing.sides)
        assert a is not None
        if b and a.name == b.name:
            raise self._error(pairing, f"{plain(a.name[:40])} must have another opponent")
        return replace(pairing, sides=(a, b))

    def _check_rounds(self) -> None:
        """Refuse two pairings of an entrant in a round, and a round that is missing."""
        busy: dict[tuple[int, str], int] = {}
        for pairing in (pairing for pairing in self._pairings if pairing.round):
            for entrant in filter(None, pairing.sides):
                earlier = busy.setdefault((pairing.round, entrant.name), pairing.line)
                if earlier != pairing.line:
                    raise self._error(
                        pairing,
                        f"{plain(entrant.name[:40])} has another pairing of round {pairing.round} "
                        f"({self._file}: line {earlier})",
                    )
        rounds = sorted({number for number, _ in busy})
        # A file of single rounds often lacks one: standings would be wrong without a word.
        for number, following in pairwise([0, *rounds]):
            if following > number + 1:
                raise InputError(f"{self._file}: must have the pairings of round {number + 1}")
        for pairing in self._pairings:
            if pairing.round > MAX_ROUNDS:
                got = str(pairing.round)
                allowed = f"a whole number 1..{MAX_ROUNDS}"
                raise self._reader.error(pairing.line, "round", allowed, got)

    def _error(self, where: Entrant | ListedPairing, what: str) -> InputError:
        return InputError(f"{self._file}: line {where.line}: {what}")

    def _order(self) -> list[str]:
        """The entrants in start order: by start numbers, else by ratings, else as they stand."""
        entrants = self._entrants
        if len(entrants) > MAX_TEAMS:
            name, entrant = [*entrants.items()][MAX_TEAMS]
            word = "player" if self._individual else "team"
            allowed = f"one of at most {MAX_TEAMS} {word}s"
            raise self._reader.error(entrant.line, word, allowed, name)
        if all(entrant.number for entrant in entrants.values()):
            return sorted(entrants, key=lambda name: entrants[name].number)
        rated = any(entrant.rating for entrant in entrants.values())
        by = "in order of rating" if rated else "as they stand in the table"
        self._reader.notes.say(f"the table has no start numbers: entrants are {by}")
        return sorted(entrants, key=lambda name: -entrants[name].rating)

    # ------------------------------------------------------------------------------- the draft

    def draft(self, name: str, options: Reading, tiebreaks: Mapping[int, str]) -> Draft:
        """The draft; `tiebreaks`: what the columns of tie-breaks are, by number."""
        order, notes = self._order(), self._reader.notes
        number = {entrant: k for k, entrant in enumerate(order)}
        seats: dict[tuple[str, str], int] = {}  # numbers of players by their teams and names
        if self._individual:
            players = [self._player(number[name], self._entrants[name]) for name in order]
        else:
            squads = sorted(self._players.items(), key=lambda item: number[item[0][0]])
            players = [self._player(number[team], player) for (team, _), player in squads]
            seats = {key: k for k, (key, _) in enumerate(squads)}
        tiebreak_list = unguarded(self._tiebreaks(tiebreaks))
        printed = {
            heading: {self._name(entrant): text for entrant, text in cells}
            for heading, cells in self._reader.published.items()
        }
        draft = Draft(
            unguarded(name), self._file, options, notes, self._individual,
            names=[unguarded(name) for name in order],
            players=players,
            starts=[self._entrants[name].number for name in order],
            planned=self._reader.rounds if self._pairings and self._pairings[0].round else 0,
            about={TIEBREAKS: tiebreak_list} if tiebreak_list else {},
            published={h: [cells.get(n, "") for n in order] for h, cells in printed.items()},
        )  # fmt: skip
        for k, listed in enumerate(self._pairings, start=1):
            first, second = (side and number[side.name] for side in listed.sides)
            assert first is not None
            pairing = Pairing(
                listed.round, k, first, second, bye=listed.bye, played=listed.played,
                is_open=second is not None and listed.points is None, line=listed.line,
                is_unsaid=listed.is_unsaid,
                says_points=second is None and not listed.is_unsaid,
            )  # fmt: skip
            draft.pairings.append(pairing)
            if second is None:
                self._add_bye(pairing, listed)
            elif listed.boards and listed.points:
                self._check_boards(listed)
                pairing.games = [self._board(pairing, listed, b, seats) for b in listed.boards]
            elif listed.points and self._individual:
                place, pair = (listed.round, k, 1), (first, second)
                pairing.games = [Game(*place, *pair, *pair, *listed.points, listed.played)]
        if any(listed.boards and not listed.colours for listed in self._pairings):
            notes.say("boards have no colours: the first team has White on board 1, then in turn")
        if not self._individual:
            for pairing, listed in zip(draft.pairings, self._pairings, strict=True):
                if listed.points and pairing.second is not None and not listed.boards:
                    self._add_points(pairing, listed.points, draft)
        self._settle_scoring(draft, tiebreaks)
        return draft

    def _settle_scoring(self, draft: Draft, names: Mapping[int, str]) -> None:
        """Take what a match scores from the name of a column whose numbers are such points."""
        if draft.individual or draft.options.match_points:
            return
        for number, name in names.items():
            scoring = SCORING.get(folded_name(name))
            cells = draft.published.get(f"TB{number}", ())
            printed = [written_points(cell.strip()) for cell in cells]
            if scoring is None or not printed:
                continue
            draft.scoring = scoring
            matches, _ = finished_matches(draft)
            met = [match for match in matches if match.team_b is not None]
            # With or without points of byes, which are another matter.
            for counted in (matches, met):
                totals = sum_points(len(draft.names), counted)
                if printed == [2 * points for points, _ in totals]:
                    text = ", ".join(map(str, scoring))
                    draft.notes.say(
                        f"a match won, drawn and lost scores {text}, as TB{number} says"
                    )
                    return
            draft.scoring = None

    def _tiebreaks(self, names: Mapping[int, str]) -> str:
        """The tie-breaks that the page says, as a list that decides; points come first."""
        # What a column is, its numbers say; they are compared when the event is whole.
        listed = [f"{names[number]}{OPEN}{number}" for number in sorted(names)]
        return ",".join(listed)

    def _player(self, team: int, entrant: Entrant) -> Player:
        if len(entrant.federation) > MAX_NAME:
            allowed = f"a name of 1..{MAX_NAME} characters"
            raise self._reader.error(entrant.line, "federation", allowed, entrant.federation)
        name, federation = unguarded(entrant.name), unguarded(entrant.federation)
        fide_id = int(entrant.fide_id or 0)
        return Player(team, name, fide_id, entrant.rating, entrant.title, federation=federation)

    def _check_boards(self, listed: ListedPairing) -> None:
        """Refuse boards that do not add up to the match."""
        assert listed.points is not None
        (a, b), sums = listed.points, listed.of_boards
        if sums != (a, b):
            match = " - ".join(plain(entrant.name[:40]) for entrant in listed.sides if entrant)
            raise self._error(
                listed,
                f"the boards of {match} must add up to {a / 2:g}-{b / 2:g}, got "
                f"{sums[0] / 2:g}-{sums[1] / 2:g}",
            )

    def _add_points(self, pairing: Pairing, points: tuple[int, int], draft: Draft) -> None:
        """Add the points of a match of teams without boards, as a row of `matches.csv` has them."""
        a, b = points
        row = self._row(
            pairing.line, game_points_a=f"{a / 2:g}", game_points_b=f"{b / 2:g}",
            boards_decided="" if pairing.played else str((a + b) // 2),
        )  # fmt: skip
        # The same limits as in `matches.csv`, with the same words.
        row.match_score()  # which refuses what no match scores
        pairing.half_points = points
        if not any(listed.boards for listed in self._pairings):
            check_nothing(row, pairing, draft)

    def _row(self, line: int, **fields: str) -> TableRow:
        return TableRow(self._file, line, fields, self._reader.notes)

    def _add_bye(self, pairing: Pairing, listed: ListedPairing) -> None:
        """Add what the bye of a team pays, where a list tells it."""
        points = listed.points[0] if listed.points else self._drawn_points
        if self._individual or listed.bye == "zero" or points == self._drawn_points:
            return
        won = 1 + (points > self._drawn_points) - (points < self._drawn_points)
        pairing.half_points, pairing.match_points = (points, 0), (won, None)
        self._reader.notes.say(
            f"round {listed.round}: the bye of {plain(listed.sides[0].name[:40])} is worth "
            f"{points / 2:g} game points, and {won} match points as a match with these would be"
        )

    def _board(
        self,
        pairing: Pairing,
        listed: ListedPairing,
        board: Board,
        seats: Mapping[tuple[str, str], int],
    ) -> Game:
        """The game of a board; colours are in turn."""
        sides: list[tuple[int, int | None, int, int]] = []
        for team, side, player, points in zip(
            (pairing.first, pairing.second), listed.sides, board.players, board.half_points,
            strict=True,
        ):  # fmt: skip
            assert team is not None
            assert side is not None
            key = player and (side.name, _key(player.name))
            # As this row has it: another rating than in other rows is a slip.
            rating = (player.rating or self._players[key].rating) if player and key else 0
            sides.append((team, key and seats[key], points, rating))
        white, black = sides if board.number % 2 else sides[::-1]
        return Game(
            pairing.round, pairing.number, board.number, white[0], black[0], white[1], black[1],
            white[2], black[2], board.played, white[3], black[3],
        )  # fmt: skip


def _turned(values: Sequence[str], columns: ListColumns) -> list[str]:
    """A row with its sides exchanged; the titles that stand before names are left."""
    places = columns.places
    cells = [*values, *[""] * (max(places.values()) + 1 - len(values))]
    turned = [*cells]
    for column, place in places.items():
        if column.endswith("_a"):
            other = places.get(column.removesuffix("_a") + "_b")
            if other is not None:
                turned[place], turned[other] = cells[other], cells[place]
    if "result" in places:
        sides = _BETWEEN.split(cells[places["result"]].strip())
        if len(sides) == 2:
            turned[places["result"]] = " - ".join(reversed(sides))
    return turned


def _key(name: str) -> str:
    """A name without case, accents, spaces and punctuation."""
    return folded(name) or name


def _merged(known: Entrant | None, mention: Entrant) -> Entrant:
    """An entrant with what two lines say; the first one counts."""
    if known is None:
        return mention
    facts = ("number", "rating", "title", "federation", "fide_id")
    return replace(
        known, **{fact: getattr(known, fact) or getattr(mention, fact) for fact in facts}
    )
