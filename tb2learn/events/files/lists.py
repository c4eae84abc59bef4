"""Lists of rounds and crosstables, as chess-results and others print them.

A sheet has titles, a heading, rows, and below them anything; pairings of several rounds stand one
below the other, each below a line with the round. What is read becomes rows of the tables of an
event (`event_tables`), with the numbers of the lines where it stands.

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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from tb2learn.events.files.crosstables import (
    MOST_NUMBER,
    Board,
    Crosstable,
    Entrant,
    Kind,
    Lines,
    ListColumns,
    Pairing,
    at,
    whole,
)
from tb2learn.events.files.event_tables import RESULTS, STATUS, Row, Tables
from tb2learn.events.files.fields import Notes
from tb2learn.events.files.headings import (
    COLUMN,
    NO_OPPONENT,
    NOT_PAIRED,
    folded,
    is_points,
    is_round_cell,
    listed_names,
    round_heading,
    round_in,
)
from tb2learn.events.files.options import Reading, is_open, result_of, written_points
from tb2learn.events.files.pgn import NOBODY
from tb2learn.events.files.rows import Row as Line
from tb2learn.events.files.rows import Sheet
from tb2learn.events.files.source import MAX_NAME
from tb2learn.events.model import TIEBREAKS
from tb2learn.events.parts import BYES_OF_A_GAME, Bye
from tb2learn.text import plain, quoted
from tb2learn.types import MAX_BOARDS, InputError

_MOST_PUBLISHED = 20
_LOOK = 12  # rows below a heading that may show what its columns are
_ADDRESS = re.compile(r"https?:|www\.|chess-?\s?results", re.IGNORECASE)
_TIE_BREAK = re.compile(r"[^\W\d_]{2,8}\.? ?1")
"""The heading of the first tie-break: `TB1`, `Wtg1`, `Des 1`."""
_BOARD = re.compile(r"(?:[0-9]{1,4}\.)?([0-9]{1,2})", re.ASCII)
_TEXT = {points: text for text, points in RESULTS.items()}


def heads_list(values: Sequence[str]) -> bool:
    """Whether a row is the heading of a crosstable or of another list."""
    return (_crosstable_heading(values) or _list_heading(values)) is not None


def shows_list(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows are those of a crosstable whose headings are not known."""
    return sum(sum(map(is_round_cell, row)) > 1 for row in rows) > 1


def read_list(sheet: Sheet, name: str, options: Reading) -> Tables | None:
    """What the lists in a sheet say, as tables of an event; None if there is none.

    **Arguments:** `name`: of the event, if no title stands before a table.
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
    if about := sheet.odd_encoding:
        reader.notes.odd(about, aside="")
    title = next((t for t in (sheet.title, *reader.titles) if t and not _ADDRESS.search(t)), name)
    tiebreaks = listed_names(values for _, values in lines)
    return _Named(reader).tables(title[:MAX_NAME], options, tiebreaks)


# ------------------------------------------------------------------------------------ headings


def _named(values: Sequence[str]) -> list[str]:
    return [COLUMN.get(folded(value) or value.strip(), "") for value in values]


def _places(named: Sequence[str], column: str, first: int, end: int) -> list[int]:
    return [place for place in range(first, end) if named[place] == column]


def _first_places(values: Sequence[str]) -> dict[str, int]:
    """The first place of every column that a row heads."""
    named = _named(values)
    return {column: named.index(column) for column in named if column}


def _crosstable_heading(values: Sequence[str]) -> ListColumns | None:
    """What a row heads; None if it is not the heading of a crosstable.

    It has a column of names, one of places or start numbers, and those of rounds or opponents,
    which are numbered from 1 and stand together.
    """
    columns = _first_places(values)
    if not columns.keys() & {"name", "team"} or not columns.keys() & {"place", "start"}:
        return None
    by_round = _numbered([round_heading(value) for value in values])
    square = _numbered([whole(value, 999) for value in values])
    rounds = by_round or square
    return _with_rounds("crosstable" if by_round else "square", values, rounds) if rounds else None


def _with_rounds(kind: Kind, values: Sequence[str], rounds: tuple[int, ...]) -> ListColumns:
    columns = {c: place for c, place in _first_places(values).items() if place not in rounds}
    return ListColumns(kind, columns, rounds, _published(values, max(rounds) + 1, columns))


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


def _shown_heading(
    values: Sequence[str], below: Sequence[Line], notes: Notes
) -> ListColumns | None:
    """The heading of a crosstable in a language that is not known: its cells show the rounds."""
    columns = [[at(cells, place) for _, cells in below] for place in range(len(values))]
    most = len(below) // 2
    rounds = [p for p, cells in enumerate(columns) if sum(map(is_round_cell, cells)) > most]
    if not rounds or len(below) < 2 or any(map(is_round_cell, values)):
        return None
    made = _with_rounds("crosstable", values, tuple(range(rounds[0], rounds[-1] + 1)))
    places = dict(made.places)
    free = [p for p in range(rounds[0]) if p not in places.values()]
    if not places.keys() & {"name", "team"}:
        letters = {p: sum(c.isalpha() for cell in columns[p] for c in cell) for p in free}
        if not letters or not max(letters.values()):
            return None
        places["name"] = max(letters, key=lambda p: letters[p])
        notes.odd(f"the column {quoted(values[places['name']])} is taken for the names")
    if not places.keys() & {"place", "start"}:
        for place in free:
            if len({cell for cell in columns[place] if whole(cell, MOST_NUMBER)}) == len(below):
                places["start"] = place
                break
    return replace(made, places=places)


def _list_heading(values: Sequence[str]) -> ListColumns | None:
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
        return ListColumns("entrants", places, (), _published(values, first, places))
    return None


def _boards_heading(values: Sequence[str], named: Sequence[str], middle: int) -> ListColumns | None:
    """`Bo. | 3 | Falcons | Rtg | - | 1 | Herons | Rtg | 3 : 2`; its boards stand alike."""
    places: dict[str, int] = {}
    for side, first, end in (("a", 1, middle), ("b", middle + 1, len(named))):
        for rating in _places(named, "rating", first, end)[:1]:
            numbers = [k for k in range(first, rating - 1) if whole(values[k], MOST_NUMBER)]
            if numbers:
                places |= {f"start_{side}": numbers[0], f"name_{side}": rating - 1}
                places[f"rating_{side}"] = rating
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
        self.pairings: list[Pairing] = []
        self.rounds = 0
        self.published: dict[str, list[tuple[Entrant, str]]] = {}
        self.begun = False
        self._round = round_in(re.sub(r"[-_]", " ", file))
        self._columns: ListColumns | None = None
        self._match: Pairing | None = None
        self._boards: dict[int, Board | None] = {}

    def of(self, individual: bool, line: int) -> None:
        """Note that a line is of players, or of teams."""
        if self.individual not in (None, individual):
            raise InputError(f"{self.file}: line {line}: must be of players or of teams, not both")
        self.individual = individual

    def crosstable(self, heading: ListColumns, below: Sequence[Line]) -> None:
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
        elif at(values, self._columns.places["name_a"]):
            individual = self._columns.kind == "games"
            self.of(individual, line)
            take = self._game if individual else self._matched
            self.pairings.append(take(line, values, self._columns))

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

    def _game(self, line: int, values: Sequence[str], columns: ListColumns) -> Pairing:
        """A game of players, or the round of one without an opponent."""
        text = at(values, columns.places["result"])
        white = self.entrant(line, values, columns.places, "name", "_a")
        number = self._known_round(line)
        word, result = self._alone(values, columns), result_of(text)
        if word is not None:
            usual = 2 if not text and folded(word) in NO_OPPONENT else 0
            scored = result[0][0] if result else written_points(text) if text else usual
            if scored is None or not 0 <= scored <= 2:
                raise self.error(line, "result", "1, ½ or 0 without an opponent", text)
            bye = BYES_OF_A_GAME[scored]
            return Pairing(line, number, (white, None), (scored, 0), bye=bye)
        sides = white, self.entrant(line, values, columns.places, "name", "_b")
        if is_open(text):
            return Pairing(line, number, sides, None)
        return Pairing(line, number, sides, *self._result(line, text))

    def _result(self, line: int, text: str) -> tuple[tuple[int, int], bool]:
        result = result_of(text)
        if result is None or result[0] not in _TEXT:
            raise self._no_result(line, text, "such as 1 - 0, ½ - ½ or + - -")
        return result

    def _no_result(self, line: int, text: str, allowed: str) -> InputError:
        """The row of a table knows what is wrong with a result that is a date."""
        return Row(self.file, line, {"result": text}, self.notes).error("result", allowed)

    def _matched(self, line: int, values: Sequence[str], columns: ListColumns) -> Pairing:
        """The match of two teams, with its score, or the bye of one."""
        places, number = columns.places, self._known_round(line)
        first = self.entrant(line, values, places, "name", "_a")
        text = at(values, places.get("result"))
        if "result" not in places:
            both = [at(values, places[f"points_{side}"]) for side in "ab"]
            text = ":".join(both) if any(both) else ""
        word = None if columns.kind == "boards" else self._alone(values, columns)
        if word is not None:
            kind: Bye = "zero" if folded(word) in NOT_PAIRED else "pairing"
            told = written_points(text.partition(":")[0].strip())
            points = None if told is None or kind == "zero" else (told, 0)
            if points is None and folded(word) not in NOT_PAIRED | NO_OPPONENT:
                raise self.error(line, "opponent", "a team, 'bye' or 'not paired'", word)
            return Pairing(line, number, (first, None), points, bye=kind)
        result = result_of(text)
        if result is None and not is_open(text) and text.strip(" *:-"):
            raise self._no_result(line, text, "game points such as 2½ : 1½")
        sides = first, self.entrant(line, values, places, "name", "_b")
        points, played = result or (None, True)
        return Pairing(line, number, sides, points, played, colours=False)

    def _board(self, line: int, values: Sequence[str], places: Mapping[str, int]) -> None:
        """A board of the match; None for one without a result."""
        found = _BOARD.fullmatch(at(values, 0))
        if found is None or self._match is None:
            return
        number, text = int(found[1]), at(values, places["result"])
        if not 1 <= number <= MAX_BOARDS or number in self._boards:
            allowed = f"1..{MAX_BOARDS}, each once in the match"
            raise self.error(line, "board", allowed, at(values, 0))
        self._boards[number] = None
        if is_open(text):
            return
        players: list[Entrant | None] = []
        for side, team in zip("ab", self._match.sides, strict=True):
            name = at(values, places[f"name_{side}"])
            empty = name.casefold() in NOBODY or name == "-" or team is None
            player = None if empty else self.entrant(line, values, places, "name", f"_{side}")
            players.append(player and replace(player, number=0, team=team.name if team else ""))
        self._boards[number] = Board(number, (players[0], players[1]), *self._result(line, text))

    def end(self) -> bool:
        """End a table; whether there was one."""
        if self._match is not None:
            boards = [self._boards[number] for number in sorted(self._boards)]
            known = tuple(board for board in boards if board is not None)
            match = replace(self._match, boards=known)
            if len(known) < len(boards):
                match = replace(match, points=None, boards=())
            elif match.points is None and known:
                match = replace(match, points=match.of_boards)
            self.pairings.append(match)
            self._match = None
        return self.begun


# ----------------------------------------------------------------------------- rows of an event


class _Named:
    """The names that entrants have in the event, unlike each other, and the rows of its tables."""

    def __init__(self, reader: _Reader) -> None:
        self._reader, self._file = reader, reader.file
        self._individual = reader.individual is True
        if not reader.pairings:
            who = "teams" if reader.individual is False else "players"
            raise InputError(
                f"{self._file}: is a list of {who} without results: add the crosstable, or the "
                "pairings of all rounds in one file"
            )
        entrants = [entrant for entrant in reader.entrants if not entrant.team]
        sides = (side for pairing in reader.pairings for side in pairing.sides if side)
        mentions = [*entrants, *sides]
        self._numbers: dict[str, set[int]] = defaultdict(set)
        self._printed: dict[str, str] = {}
        for mention in mentions:
            self._numbers[_key(mention.name)] |= {mention.number} - {0}
            self._printed.setdefault(_key(mention.name), mention.name)
        self._entrants: dict[str, Entrant] = {}
        for mention in mentions:
            name = self._name(mention)
            self._entrants[name] = _both(self._entrants.get(name), mention)
        self._pairings = sorted(map(self._called, reader.pairings), key=lambda p: p.round)
        self._check_rounds()
        self._players: dict[tuple[str, str], Entrant] = {}
        for pairing in self._pairings:
            for board in pairing.boards:
                for side, player in zip(pairing.sides, board.players, strict=True):
                    if side and player:
                        key = side.name, _key(player.name)
                        self._players[key] = _both(self._players.get(key), player)
        scored = (sum(p.points) for p in self._pairings if p.points and p.sides[1])
        self._most = max(scored, default=2) // 2

    def _name(self, mention: Entrant) -> str:
        """The name of an entrant, unlike that of any other."""
        key = _key(mention.name)
        if mention.alias or len(self._numbers[key]) < 2:
            return mention.alias or self._printed[key]
        if not mention.number:
            numbers = " and ".join(map(str, sorted(self._numbers[key])[:2]))
            raise self._error(
                mention,
                f"{plain(mention.name[:40])} has start numbers {numbers} elsewhere: export the "
                "file with start numbers (SNo)",
            )
        return f"{self._printed[key]} (No. {mention.number})"

    def _called(self, pairing: Pairing) -> Pairing:
        """A pairing with the names of the event."""
        a, b = (side and replace(side, name=self._name(side)) for side in pairing.sides)
        assert a is not None
        if b and a.name == b.name:
            raise self._error(pairing, f"{plain(a.name[:40])} must have another opponent")
        return replace(pairing, sides=(a, b))

    def _check_rounds(self) -> None:
        """Refuse two pairings of an entrant in a round, and a round that is missing."""
        busy: dict[tuple[int, str], int] = {}
        for pairing in (pairing for pairing in self._pairings if pairing.round):
            for side in filter(None, pairing.sides):
                other = busy.setdefault((pairing.round, side.name), pairing.line)
                if other != pairing.line:
                    raise self._error(
                        pairing,
                        f"{plain(side.name[:40])} has another pairing of round {pairing.round} "
                        f"({self._file}: line {other})",
                    )
        rounds = sorted({number for number, _ in busy})
        for number, following in pairwise([0, *rounds]):
            if following > number + 1:
                raise InputError(f"{self._file}: must have the pairings of round {number + 1}")

    def _error(self, where: Entrant | Pairing, what: str) -> InputError:
        return InputError(f"{self._file}: line {where.line}: {what}")

    def tables(self, name: str, options: Reading, tiebreaks: Mapping[int, str]) -> Tables:
        """The tables of the event; `tiebreaks`: what the columns of tie-breaks are, by number."""
        order, notes, numbered = self._order(), self._reader.notes, [*enumerate(self._pairings, 1)]
        rounds = str(self._reader.rounds or "") if self._pairings[0].round else ""
        facts = {"name": name, "rounds": rounds, TIEBREAKS: self._tiebreaks(tiebreaks)}
        found = {
            "event.csv": [self._row(0, key=k, value=v) for k, v in facts.items() if v],
            "matches.csv": [self._match(number, pairing) for number, pairing in numbered],
        }
        if self._individual:
            found["players.csv"] = [self._player(name, self._entrants[name]) for name in order]
        else:
            found["teams.csv"] = [self._row(self._entrants[n].line, team=n) for n in order]
            boards = {
                "players.csv": [self._player(team, p) for (team, _), p in self._players.items()],
                "boards.csv": [row for k, pairing in numbered for row in self._boards(k, pairing)],
            }
            found |= {table: rows for table, rows in boards.items() if rows}
        if any(pairing.boards and not pairing.colours for pairing in self._pairings):
            notes.say("boards have no colours: the first team has White on board 1, then in turn")
        published = {
            heading: {self._name(entrant): text for entrant, text in cells}
            for heading, cells in self._reader.published.items()
        }
        starts = {entrant: self._entrants[entrant].number for entrant in order}
        told = replace(options, form="", individual=False)
        return Tables(found, name, self._file, told, notes, published, starts)

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

    def _player(self, team: str, entrant: Entrant) -> Row:
        facts = {
            fact: getattr(entrant, fact) for fact in ("name", "federation", "fide_id", "title")
        }
        return self._row(entrant.line, team=team, rating=str(entrant.rating or ""), **facts)

    def _match(self, number: int, pairing: Pairing) -> Row:
        """The row of a game or match."""
        a, b = (side.name if side else "" for side in pairing.sides)
        place = {"round": str(pairing.round or ""), "match": str(number), "bye": pairing.bye}
        if self._individual:
            result = _TEXT[pairing.points] if pairing.points and b else ""
            status = STATUS[not pairing.played] if result else ""
            names = {"white_player": a, "black_player": b}
            return self._row(pairing.line, **place, **names, result=result, status=status)
        scores = self._scores(pairing) if b else self._bye(pairing)
        return self._row(pairing.line, **place, team_a=a, team_b=b, **scores)

    def _scores(self, pairing: Pairing) -> dict[str, str]:
        """The points of a match and of its boards."""
        if not pairing.points:
            return {}
        a, b = pairing.points
        found = {"game_points_a": f"{a / 2:g}", "game_points_b": f"{b / 2:g}"}
        if pairing.boards:
            if (sums := pairing.of_boards) != (a, b):
                match = " - ".join(plain(side.name[:40]) for side in pairing.sides if side)
                raise self._error(
                    pairing,
                    f"the boards of {match} must add up to {a / 2:g}-{b / 2:g}, got "
                    f"{sums[0] / 2:g}-{sums[1] / 2:g}",
                )
            scored = [board for board in pairing.boards if board.played or any(board.half_points)]
            found["boards_decided"] = str(len(scored))
            found["boards_forfeited"] = str(sum(not board.played for board in scored))
        elif not pairing.played:
            found |= dict.fromkeys(("boards_decided", "boards_forfeited"), str((a + b) // 2))
        return found

    def _bye(self, pairing: Pairing) -> dict[str, str]:
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

    def _boards(self, number: int, pairing: Pairing) -> Iterator[Row]:
        """The rows of the boards of a match; colours are in turn."""
        teams = [side.name for side in pairing.sides if side]
        for board in pairing.boards:
            row = {
                "round": str(pairing.round or ""),
                "match": str(number),
                "board": str(board.number),
                "status": STATUS[not board.played],
            }
            colours = ("white", "black") if board.number % 2 else ("black", "white")
            for colour, team, player in zip(colours, teams, board.players, strict=True):
                row[f"{colour}_team"] = team
                if player:
                    known = self._players[team, _key(player.name)]
                    row[f"{colour}_player"] = known.name
                    row[f"{colour}_rating"] = str(known.rating or "")
            a, b = board.half_points
            result = _TEXT[(a, b) if board.number % 2 else (b, a)]
            yield self._row(pairing.line, **row, result=result)


def _key(name: str) -> str:
    """A name without case, accents, spaces and punctuation."""
    return folded(name) or name


def _both(known: Entrant | None, other: Entrant) -> Entrant:
    """An entrant with what two lines say; the first one counts."""
    if known is None:
        return other
    facts = ("number", "rating", "title", "federation", "fide_id")
    return replace(known, **{fact: getattr(known, fact) or getattr(other, fact) for fact in facts})
