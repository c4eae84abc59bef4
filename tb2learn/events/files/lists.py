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
    at,
    whole,
)
from tb2learn.events.files.draft import finished_matches
from tb2learn.events.files.event_tables import check_nothing
from tb2learn.events.files.fields import Notes
from tb2learn.events.files.groups import PartMeeting, parts_to_read
from tb2learn.events.files.headings import (
    NO_OPPONENT,
    NOBODY,
    NOT_PAIRED,
    OPEN,
    folded,
    listed_names,
    round_in,
)
from tb2learn.events.files.list_headings import crosstable_heading, list_heading, shown_heading
from tb2learn.events.files.options import Reading
from tb2learn.events.files.page_names import SCORING
from tb2learn.events.files.page_names import folded as folded_name
from tb2learn.events.files.pairings import Draft, Pairing
from tb2learn.events.files.rows import Cells, Sheet
from tb2learn.events.files.scores import is_open, result_of, written_points
from tb2learn.events.files.source import MAX_NAME
from tb2learn.events.files.table_rows import TableRow, is_result, refuse_sums, unread_note
from tb2learn.events.model import TIEBREAKS
from tb2learn.events.parts import BYES_OF_A_GAME, Bye, Game, Penalty, Player, sum_points
from tb2learn.text import plain, unguarded
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS, InputError

_LOOK = 12  # rows below a heading that may show what its columns are
_ADDRESS = re.compile(r"https?:|www\.|chess-?\s?results", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*[-:/\u2010-\u2015\u2212]\s*")
"""What stands between the points of both sides."""
_BOARD = re.compile(r"(?:[0-9]{1,4}\.)?([0-9]{1,2})", re.ASCII)


def read_list(sheet: Sheet, name: str, options: Reading) -> Draft | None:
    """What the lists in a sheet say of an event; None if there is none.

    **Arguments:** `name`: of the event, if no title stands before a table.
    """
    lines = [line for line in sheet.rows() if any(map(str.strip, line[1]))]
    reader, group = _reader_of(sheet.file, lines, options)
    if reader is None:
        return None
    if about := sheet.odd_encoding:
        reader.notes.note_assumption(about, aside="")
    # The address of the server, which pages print on top, is no title.
    title = next((t for t in (sheet.title, *reader.titles) if t and not _ADDRESS.search(t)), name)
    tiebreaks = listed_names(values for _, values in lines)
    title = f"{title}, {group}" if group and group != title else title
    draft = _Drafter(reader, options.before_first).draft(title[:MAX_NAME], options, tiebreaks)
    # What the list is comes first.
    if reader.unread:
        reader.notes.note_assumption(unread_note([*reader.unread]))
    draft.is_part = bool(group)
    return draft


def _reader_of(file: str, lines: Sequence[Cells], options: Reading) -> tuple[_Reader | None, str]:
    """What read the lists of the event, None if there are none; and its group, if of several."""
    reader = _Reader(file, Notes(options.strict, file))
    for index, (line, values) in enumerate(lines):
        # A crosstable says all: lists of rounds above it would only repeat it.
        if not reader.begun and crosstable_heading(values):
            return reader, _read_crosstable(reader, lines, index, options.group)
        reader.add(line, values)
    if not reader.end():
        # No heading is known: the rows themselves may show where the rounds are.
        for index, (_, values) in enumerate(lines[:40]):
            if heading := shown_heading(values, lines[index + 1 :][:_LOOK], reader.notes):
                reader.crosstable(heading, lines[index + 1 :])
                break
    return (reader, reader.choose_group(options.group)) if reader.begun else (None, "")


def _read_crosstable(reader: _Reader, lines: Sequence[Cells], first: int, asked: str) -> str:
    """Read the crosstable below a line, or one of several that was asked for; its name if so."""
    places = [first, *_alike(lines, first)]
    ends = dict(pairwise([*places, len(lines)]))  # where the lines of a table end, at most
    names, meetings = dict[int, str](), list[PartMeeting]()
    for place in places if len(places) > 1 else ():
        heading = crosstable_heading(lines[place][1])
        assert heading is not None
        below = lines[place + 1 : ends[place]]
        entrants = Crosstable(Lines(reader.file, Notes()), heading, below).entrants
        names[place] = _title_above(lines, place)
        meetings.append(PartMeeting(names[place], "", tuple(_key(e.name) for e in entrants)))
    file, _, _ = reader.file.partition(": sheet ")
    parts = parts_to_read(meetings, file, asked)
    chosen = next(k for k in places if parts is None or names[k] in parts)
    heading = crosstable_heading(lines[chosen][1])
    assert heading is not None
    reader.crosstable(heading, lines[chosen + 1 : ends[chosen]])
    for place in places[1:] if parts is None else ():
        about = "a crosstable below the first one is not read"
        reader.notes.note_assumption(about, lines[place][0], whom=("table", names[place]))
    if parts is None:
        return ""
    reader.titles = [title for title in reader.titles if title != names[first]]
    return names[chosen]


def _alike(lines: Sequence[Cells], first: int) -> list[int]:
    """The places of further headings of crosstables, which have words of the first one."""
    words = {value.strip() for value in lines[first][1] if folded(value).isalpha()}
    return [
        place
        for place, (_, values) in enumerate(lines[first + 1 :], start=first + 1)
        if len(words.intersection(map(str.strip, values))) > 1 and crosstable_heading(values)
    ]


def _title_above(lines: Sequence[Cells], place: int) -> str:
    """What stands above a table in a line of one cell; else where the table is."""
    filled = [value.strip() for value in lines[place - 1][1] if value.strip()] if place else []
    return filled[0][:MAX_NAME] if len(filled) == 1 else f"line {lines[place][0]}"


# ------------------------------------------------------------------------- what the lines say


class _Reader(Lines):
    """Collects what the lines of a sheet say: `entrants`, `pairings`, printed columns, titles."""

    def __init__(self, file: str, notes: Notes) -> None:
        super().__init__(file, notes)
        self.individual: bool | None = None
        self.titles: list[str] = []
        self.pairings: list[ListedPairing] = []
        self.penalties: list[tuple[Entrant, int, int]] = []  # match points and half points
        self.rounds = 0
        self.published: dict[str, list[tuple[Entrant, str]]] = {}
        self.begun = False
        self._title = self._group = ""  # of a line above the table, and of the table
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
        self.penalties = [(table.entrants[row], mp, gp) for row, mp, gp in table.penalties()]
        published = table.published()
        for _, values in table.rows:
            self.account(values, heading, {*published.values()})
        for name, place in published.items():
            texts = (at(values, place) for _, values in table.rows)
            self.published[name] = list(zip(table.entrants, texts, strict=True))

    def add(self, line: int, values: Sequence[str]) -> None:
        """Take a line of another list, or of none."""
        filled = [value.strip() for value in values if value.strip()]
        # A line of one cell is a title, or says of which round the lines below are.
        if len(filled) == 1:
            number = round_in(filled[0])
            self._round = number or self._round
            self._title = self._title if number else filled[0]
            if not (self.begun or number):
                self.titles.append(filled[0])
        elif columns := list_heading(values):
            self.end()
            self._columns, self.begun = columns, True
            # The boards of a match stand below it, without a title of their own.
            self._group, self._title = self._title or self._group, ""
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
        sides = [at(values, columns.places[f"name_{letter}"]) for letter in "ab"]
        refuse_sums(self.file, line, values, sides)
        named = [*map(bool, sides)]
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
        self.account(values, columns, frozenset())
        individual = columns.kind == "games"
        self.of(individual, line)
        take = self._game if individual else self._matched
        self._append(take(line, values, columns))

    def _append(self, pairing: ListedPairing) -> None:
        self.pairings.append(replace(pairing, group=self._group))

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
        self.account(values, columns, {*columns.published.values()})
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

    def choose_group(self, asked: str) -> str:
        """Take the pairings of one of several groups, if headings name them; its name if so."""
        meetings = [
            PartMeeting(p.group, str(p.round), tuple(_key(side.name) for side in p.sides if side))
            for p in self.pairings
        ]
        # A round may have headings of its own, which the next one does not have.
        rounds = {meeting.round for meeting in meetings}
        file, _, _ = self.file.partition(": sheet ")
        parts = parts_to_read(meetings, file, asked) if len(rounds) > 1 else None
        if parts is None:
            return ""
        playing = {e for meeting in meetings if meeting.part in parts for e in meeting.entrants}
        self.pairings = [pairing for pairing in self.pairings if pairing.group in parts]
        self.entrants = [e for e in self.entrants if e.team or _key(e.name) in playing]
        return next(pairing.group for pairing in self.pairings)

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
            self._append(match)
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
        draft.penalties = [
            Penalty(number[self._name(entrant)], 0, match_points, game_points)
            for entrant, match_points, game_points in self._reader.penalties
        ]
        for k, listed in enumerate(self._pairings, start=1):
            first, second = (side and number[side.name] for side in listed.sides)
            assert first is not None
            pairing = Pairing(
                listed.round, k, first, second, bye=listed.bye, played=listed.played,
                is_open=second is not None and listed.points is None, line=listed.line,
                is_unsaid=listed.is_unsaid, match_points=listed.match_points,
                says_points=second is None and not listed.is_unsaid,
            )  # fmt: skip
            draft.pairings.append(pairing)
            if second is None:
                self._add_bye(pairing, listed, draft)
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
            boards_decided="" if pairing.played else str((a + b + 1) // 2),
        )  # fmt: skip
        # The same limits as in `matches.csv`, with the same words.
        row.match_score()  # which refuses what no match scores
        pairing.half_points = points
        # Boards, or points of the list, say what a match of nothing is.
        if pairing.match_points == (None, None) and not any(p.boards for p in self._pairings):
            check_nothing(row, pairing, draft)

    def _row(self, line: int, **fields: str) -> TableRow:
        return TableRow(self._file, line, fields, self._reader.notes)

    def _boards(self, points: int) -> int:
        """The boards of a match, which a bye of these half points does not exceed."""
        scored = (sum(p.points) for p in self._pairings if p.points and p.sides[1])
        return max(points + 1, *scored) // 2

    def _add_bye(self, pairing: Pairing, listed: ListedPairing, draft: Draft) -> None:
        """Add what the bye of a team pays, where a list tells it."""
        points = listed.points[0] if listed.points else self._drawn_points
        if listed.match_points[0] is not None:
            pairing.half_points = (points, 0)
            # Its own points say how many boards a match has, at least.
            draft.boards = 0 if self._individual else max(draft.boards, self._boards(points))
            return
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
