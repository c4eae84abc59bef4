"""What the rows of a crosstable say, of players or teams, by rounds or in a square of opponents.

A crosstable has a row an entrant and a column a round. A cell is the opponent's number in the
table, the colour (of the first board) and the points: `161w1`, `22b½`, `69w2½`. It is compared
with the cell of the opponent. `+` and `-` are points without a game. A cell without an opponent is
a bye by its points: those of a win (of half of the boards) are the pairing-allocated one, half a
point is a half-point bye. An empty cell, `-0` and `zwz` are a round without pairing. In a
**square** a column is an opponent, and a cell has the points of every game against him: an event
without rounds.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Literal

from tb2learn.events.files.fields import Notes
from tb2learn.events.files.headings import (
    BY_DEFAULT,
    NO_OPPONENT,
    NOT_PAIRED,
    PENALTIES,
    SUMS,
    column_of,
    folded,
    is_harmless,
    is_round_cell,
)
from tb2learn.events.files.rows import Cells
from tb2learn.events.files.scores import PENALISED, half_points, is_open, written_points
from tb2learn.events.files.source import MAX_FIDE_ID, MAX_NAME, MAX_RATING, refusal
from tb2learn.events.parts import BYES_OF_A_GAME, Bye
from tb2learn.text import plain, quoted, unguarded
from tb2learn.types import MAX_ROUNDS, MAX_TEAMS, InputError

_LONGEST = MAX_NAME - 20  # a name may be given a number to tell it from another
MOST_NUMBER = 9999
_TITLE = re.compile(r"W?[GICFNH]?[MC]|[GICFN]M[fw]?|W?FM|[AWN]?[GICF]M|AIM|AFM|ACM", re.ASCII)
_CELL = re.compile(r"([0-9]{1,4}) ?([^\W\d_]|:|(?=[+*-])) ?(.*)")
_SAID = re.compile(r"(.*?) ?\(([0-9]{1,2}½?|½)\)")
"""Points in brackets behind those of the boards: those that a match or bye pays instead."""
_DEFAULT = re.compile(r"[+-] ?([0-9]{1,2}½?|½)")
"""The game points of a side of a match that was not played."""
_PENALTY = re.compile("penalty(mp|gp)")
"""The folded headings of points that were taken from an entrant outside of its matches."""
_ALONE = re.compile(r"[+-]? ?([0-9]*(?:[.,]5|½)?)")
_AMERICAN = re.compile(r"([wdlxf]) ?-?([0-9]{1,4})")
"""A cell of a crosstable of the United States: `w12`, `d5`, `x7` for a win by default."""
_AMERICAN_ALONE: Mapping[str, int] = {"h": 1, "b": 2, "x": 2, "u": 0, "f": 0, "n": 0, "z": 0}
"""Half points of such a cell without an opponent, `H---`; in lower case."""
_AMERICAN_RESULT: Mapping[str, str] = {"w": "1", "d": "½", "l": "0", "x": "+", "f": "-"}
_STRANGE = re.compile(r"(-?[0-9]{0,2})([^\x00-\x7f]|(?<=[0-9])\?)")
"""A sign in place of the half; a question mark alone is an open game."""
_EMPTY = ("", "zwz", "*", "**", "***", "--", "---", "-", "x")
_WITHOUT_GAME = {
    "+": 2, "-": 0, "+:-": 2, "-:+": 0, "1f": 2, "0f": 0, "1ff": 2, "0ff": 0, "1k": 2, "0k": 0,
}  # fmt: skip
_SUCH = "such as 12w1, 5b½, 7w+, -0 or bye"
_NO_COLOURS = "the crosstable has no colours: who stands above had White"
_HALVES = ({2, 0}, {1}, {0}, {1, 0})
"""Half points of the two sides of a game."""
_WHITE = frozenset("wvб白aλh")
"""White's letters: white, Weiss, wit, vit, vilagos, alb, hvit; and in other scripts."""
ListType = Literal["crosstable", "square", "entrants", "games", "matches", "boards"]


@dataclass(frozen=True)
class ListColumns:
    """Where the columns of a list are."""

    # What its rows are: the entrants of a `crosstable` by rounds, or of a `square` of opponents;
    # the `entrants` of a start list or a ranking; `games` or `matches` of a round; or the `boards`
    # of the match that the heading itself names.
    kind: ListType
    places: Mapping[str, int]  # of columns by their names; of those of two sides by `name_a`, ...
    rounds: tuple[int, ...] = ()  # places of the rounds of a crosstable, or opponents in a square
    # Places of points and tie-breaks of entrants, as printed, by their headings.
    published: Mapping[str, int] = field(default_factory=dict)
    width: int = 1  # columns of an opponent in a square: two of a double round robin
    headings: Sequence[str] = ()  # of all columns, as they stand; none of the boards of a match

    @property
    def used(self) -> set[int]:
        """The places of columns that are read, but for those of printed points."""
        of_rounds = {place + k for place in self.rounds for k in range(self.width)}
        return {*self.places.values()} | of_rounds


_IN_LISTS = frozenset(
    ("name", "team", "match", "round", "group", "season", "game_points", "match_points")
)
"""Columns of lists that say who plays, or repeat what the results add up to."""
_TWO_GAMES = re.compile("[½=][01½=]|0[01]")
"""Two games side by side in a cell, which are no game points of a match."""


@dataclass(frozen=True)
class Entrant:
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
class Board:
    """A board of a match: players (None for nobody) and half points of its two sides."""

    number: int
    players: tuple[Entrant | None, Entrant | None]
    half_points: tuple[int, int]
    played: bool


@dataclass(frozen=True)
class ListedPairing:
    """A pairing, or the round of an entrant without an opponent."""

    line: int
    round: int  # 0 if the list does not know rounds
    sides: tuple[Entrant, Entrant | None]  # the second is None for a bye
    # Half points of both sides; None without a result, or where nobody says what a bye is worth.
    points: tuple[int, int] | None
    played: bool = True  # whether they were scored in games
    bye: Bye = ""
    is_unsaid: bool = False  # of a bye: whether no points say what it pays
    colours: bool = True  # whether the first side is known to have White (on the first board)
    boards: tuple[Board, ...] = ()
    group: str = ""  # what a line above the list calls it
    match_points: tuple[int | None, int | None] = (None, None)  # where the list gives others

    @property
    def of_boards(self) -> tuple[int, int]:
        """Half points of both sides on all boards."""
        a, b = (sum(board.half_points[index] for board in self.boards) for index in (0, 1))
        return a, b


def _is_penalty(columns: ListColumns, place: int) -> bool:
    return PENALTIES.search(folded(columns.headings[place])) is not None


def _is_read_penalty(heading: str) -> bool:
    return _PENALTY.fullmatch(folded(heading)) is not None


def _bare(cell: str) -> str:
    """A cell without the guard of a formula, which `-½` and `-1` have in our own sheets."""
    return cell[1:] if cell[:2] in ("'+", "'-") else unguarded(cell)


def at(values: Sequence[str], place: int | None) -> str:
    """A cell without blanks around it; empty where there is none."""
    return values[place].strip() if place is not None and 0 <= place < len(values) else ""


def whole(text: str, most: int) -> int:
    """A whole number up to a most; 0 for any other text."""
    digits = re.fullmatch(r"([0-9]{1,11})\.?", text.strip(), re.ASCII)
    return int(digits[1]) if digits and int(digits[1]) <= most else 0


class Lines:
    """What all interpreters of lists have: errors, names, entrants.

    **Fields:** `file`: its name in messages; `notes`; `entrants`: those of its tables.
    """

    def __init__(self, file: str, notes: Notes) -> None:
        self.file, self.notes = file, notes
        self.entrants: list[Entrant] = []
        self.unread: dict[str, None] = {}  # the headings of columns that are not read

    def account(self, values: Sequence[str], columns: ListColumns, printed: Set[int]) -> None:
        """Keep the headings of cells of a row that are not read, and may say something of points.

        **Arguments:** `printed`: the places of points and tie-breaks that are compared.
        """
        used = columns.used | {place for place in printed if not _is_penalty(columns, place)}
        for place, heading in enumerate(map(str.strip, columns.headings)):
            cell = at(values, place)
            if not cell or place in used or _is_read_penalty(heading):
                continue
            # Servers head no column of titles, and one with a mark between points with that.
            if not folded(heading):
                self.unread |= {cell: None} if folded(cell) in BY_DEFAULT else {}
            elif column_of(heading) not in _IN_LISTS and not is_harmless(heading):
                self.unread[heading] = None

    def error(self, line: int, what: str, allowed: str, got: str) -> InputError:
        """The error for a cell."""
        return refusal(self.file, line, what, allowed, got)

    def entrant(
        self,
        line: int,
        values: Sequence[str],
        places: Mapping[str, int],
        column: str,
        side: str = "",
        team: str = "",
    ) -> Entrant:
        """The team or player of a row.

        **Arguments:** `column`: that of the names; `side`: what stands behind the names of the
        columns of one side of a pairing, whose name may have asterisks behind it.
        """
        place = places[column + side]
        name = at(values, place)
        if side:
            name = " ".join(re.sub(r"\s*\*+\)$", "", name).split())
        if not 0 < len(name) <= _LONGEST:
            raise self.error(line, "name", f"a name of 1..{_LONGEST} characters", name)
        if len(self.entrants) > MAX_TEAMS:
            raise self.error(line, "name", f"one of at most {MAX_TEAMS} entrants", name)
        # A title stands in its column, else in a cell directly before the name.
        # Servers put the title into a column without a heading.
        titles = (at(values, places.get("title" + side)), *(at(values, place - k) for k in (1, 2)))
        return Entrant(
            name,
            line,
            whole(at(values, places.get("start" + side)), MOST_NUMBER),
            whole(at(values, places.get("rating" + side)), MAX_RATING),
            next(filter(_TITLE.fullmatch, titles), ""),
            at(values, places.get("federation" + side)),
            str(whole(at(values, places.get("fide_id" + side)), MAX_FIDE_ID) or ""),
            team,
        )


@dataclass(frozen=True)
class _Cell:
    """What a cell says."""

    opponent: int | None  # the opponent's row; None for a bye
    white: bool | None  # whether the entrant had white; None if nothing says it
    points: int | None  # half points; None if not known yet, or for what a bye is worth
    played: bool = True  # whether they were scored in a game
    is_unsaid: bool = False  # of a bye in words: whether they stand for its points
    match_points: int | None = None  # half points of a player; where the cell gives others
    is_whole: bool = False  # whether a team won by default, on all boards


class Crosstable:
    """The rows of a crosstable, and what they say; the first row that is none ends it."""

    def __init__(self, reader: Lines, heading: ListColumns, below: Sequence[Cells]) -> None:
        self._reader, self._heading, self._file = reader, heading, reader.file
        square = heading.kind == "square"
        if len(heading.rounds) > MAX_ROUNDS and not square:
            rounds = len(heading.rounds)
            raise InputError(f"{self._file}: must have at most {MAX_ROUNDS} rounds, has {rounds}")
        self.rows: list[Cells] = []
        self.entrants: list[Entrant] = []
        self._read(below)
        self._tell_apart()
        if len(self.rows) < 2:
            raise InputError(f"{self._file}: must have at least two rows below the heading")
        texts = [text for _, _, text in self._cells()]
        filled = [text for text in texts if text not in _EMPTY]
        # The result stands before the opponent, and colours nowhere.
        self._american = not square and 2 * sum(
            _AMERICAN.fullmatch(text) is not None for text in filled
        ) > len(filled)
        if self._american:
            reader.notes.say(_NO_COLOURS, aside="colours")
            texts = []
        met = [cell for text in texts if (cell := _CELL.fullmatch(text))]
        # `b` is Black's beside `w`, else White's (blanc, bianco, bily; beside noir, nero, cerny).
        # Which letter is White depends on the language of the page.
        letters = {cell[2] for cell in met} - {":", ""}
        self._white = _WHITE | {"b"} if "w" not in letters and len(letters) > 1 else _WHITE
        scored = [cell[3] for cell in met] if not square else [t for x in texts for t in x.split()]
        # A double round robin of players: no match of teams ends so.
        self._side_by_side = square and any(_TWO_GAMES.fullmatch(text) for text in scored)
        if self._side_by_side:
            scored = [game for text in scored for game in self._apart(text)]
        # Tables of teams may head their names like those of players.
        # A player cannot score more than one point in a game; a few slips are allowed for.
        scored = [_without_said(text) for text in scored]
        above = sum((self._points(text) or 0) > 2 and "," not in text for text in scored)
        self.individual = "name" in heading.places and above <= len(scored) // 10

    def _read(self, below: Sequence[Cells]) -> None:
        """Take the rows up to the first that is none."""
        columns, seen = self._heading.places, Counter[str]()
        name_at = columns.get("name", columns.get("team"))
        columns_of_table = [*columns.values(), *self._heading.rounds]
        for line, values in below:
            name = at(values, name_at)
            if not name or not any(
                at(values, place) for place in columns_of_table if place != name_at
            ):
                results = (at(values, place) for place in self._heading.rounds)
                # Whoever forgot a name must not lose the row, nor all rows below it.
                if not name and any(cell != "0" and is_round_cell(cell) for cell in results):
                    allowed = f"a name of 1..{_LONGEST} characters"
                    raise self._reader.error(line, "name", allowed, name)
                if self.rows:
                    return
                continue
            numbered = (at(values, columns.get(column)) for column in ("place", "start"))
            # Sums of points below the table, of nobody.
            if folded(name) in SUMS and not any(numbered):
                return
            seen[name] += 1
            self.rows.append((line, values))
            # Two rows of one name are two entrants, as every row has its own games.
            if seen[name] == 2:
                about = "rows of the same name are taken for different entrants"
                self._reader.notes.say(about, line, ("entrant", name), wrong="name")
            alias = "" if seen[name] == 1 else f"{name} (line {line})"
            column = "name" if "name" in columns else "team"
            entrant = self._reader.entrant(line, values, columns, column)
            self.entrants.append(replace(entrant, alias=alias))
            if len(self.rows) > MAX_TEAMS:
                raise InputError(f"{self._file}: must have at most {MAX_TEAMS} rows")

    def _tell_apart(self) -> None:
        """Keep the names of rows apart that differ in signs or accents alone, as in lists."""
        written: dict[str, set[str]] = defaultdict(set)
        for entrant in self.entrants:
            written[folded(entrant.name)].add(entrant.name)
        self.entrants = [
            replace(entrant, alias=entrant.alias or entrant.name)
            if len(written[folded(entrant.name)]) > 1
            else entrant
            for entrant in self.entrants
        ]

    def penalties(self) -> Iterator[tuple[int, int, int]]:
        """Row, match points and half points of penalties, in columns such as `Penalty MP`."""
        places = {
            kind[1]: place
            for place, heading in enumerate(self._heading.headings)
            if (kind := _PENALTY.fullmatch(folded(heading)))
        }
        for row, (line, values) in enumerate(self.rows):
            points = {unit: at(values, place) for unit, place in places.items()}
            if not any(points.values()):
                continue
            half = {unit: half_points(_bare(text) or "0") for unit, text in points.items()}
            match_points, game_points = half.get("mp", 0), half.get("gp", 0)
            if match_points is None or game_points is None or match_points % 2:
                raise self._reader.error(
                    line, "penalty", "points such as -1", " ".join(points.values())
                )
            yield row, match_points // 2, game_points

    def _cells(self) -> Iterator[tuple[int, int, str]]:
        """Row, number of the round from 1, and cell."""
        for row in range(len(self.rows)):
            for number in range(1, len(self._heading.rounds) + 1):
                yield row, number, self._printed(row, number).casefold()

    def _printed(self, row: int, number: int) -> str:
        first = self._heading.rounds[number - 1]
        cells = [at(self.rows[row][1], first + k) for k in range(self._heading.width)]
        return " ".join(map(_bare, filter(None, cells)))

    def published(self) -> Mapping[str, int]:
        """The columns of places and points."""
        places = self._heading.places
        ranks = {"place": places["place"]} if "place" in places else {}
        printed = {
            heading: place
            for heading, place in self._heading.published.items()
            if any(written_points(at(values, place)) is not None for _, values in self.rows)
        }
        return ranks | printed

    def _error(self, row: int, number: int, allowed: str) -> InputError:
        which = f"{'column' if self._heading.kind == 'square' else 'round'} {number}"
        where = f"{which} of {self._who(row)}"
        return self._reader.error(self.rows[row][0], where, allowed, self._printed(row, number))

    def _who(self, row: int) -> str:
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
        self._reader.notes.note_assumption(
            f"the sign {sign} in the cells of rounds is taken for the half"
        )
        return written_points(f"{strange[1].strip('-')}½")

    def in_rounds(self) -> Iterator[ListedPairing]:
        """The pairings of a table whose columns are rounds, round by round."""
        met = self._met()
        if all(cell.opponent is None for cell in met.values()):
            raise InputError(f"{self._file}: must have at least one game: all cells are byes")
        # A bye that pays is one of a round that was played.
        busy = (n for (_, n), cell in met.items() if cell.points or cell.opponent is not None)
        playing = max(busy)
        whole, colourless = self._most_points(met), 0
        for (row, number), cell in sorted(met.items(), key=lambda item: (item[0][1], item[0][0])):
            line = self.rows[row][0]
            # Columns of rounds that nobody has played yet.
            if number > playing:
                return
            if cell.opponent is None:
                half_points = None if cell.points is None else (cell.points, 0)
                bye: Bye = "pairing" if cell.points or cell.points is None else "zero"
                bye = BYES_OF_A_GAME[cell.points or 0] if self.individual else bye
                side = self.entrants[row], None
                yield ListedPairing(
                    line, number, side, half_points, bye=bye, is_unsaid=cell.is_unsaid,
                    match_points=(cell.match_points, None),
                )  # fmt: skip
                continue
            back_cell = met.get((cell.opponent, number))
            if back_cell is None or back_cell.opponent != row:
                back = quoted(self._printed(cell.opponent, number))
                raise self._error(row, number, f"what {self._who(cell.opponent)} has ({back})")
            both_played = cell.played and back_cell.played
            if cell.white is not None and cell.white == back_cell.white and both_played:
                raise self._error(row, number, "of the other colour than that of the opponent")
            colourless += cell.white is None and back_cell.white is None and both_played
            # Each match stands in two cells: it is taken from White's, else from the first.
            if self._is_first(cell, back_cell, row):
                sides = self.entrants[row], self.entrants[cell.opponent]
                points = self._result(row, number, cell, back_cell)
                if points and (cell.is_whole or back_cell.is_whole):
                    points = whole * cell.is_whole, whole * back_cell.is_whole
                said = cell.match_points, back_cell.match_points
                yield ListedPairing(line, number, sides, points, both_played, match_points=said)
        if colourless and self.individual:
            self._reader.notes.say(_NO_COLOURS, aside="colours")

    @staticmethod
    def _most_points(met: Mapping[tuple[int, int], _Cell]) -> int:
        """Half points of all boards of a match, by what the sides of matches have together."""
        sums = [2]
        for (_, number), cell in met.items():
            back = None if cell.opponent is None else met.get((cell.opponent, number))
            if back is not None and not cell.is_whole and not back.is_whole:
                sums.append((cell.points or 0) + (back.points or 0))
        return max(sums)

    @staticmethod
    def _is_first(cell: _Cell, back_cell: _Cell, row: int) -> bool:
        """Whether a cell is that of White, of two without colours or by default of the first."""
        if cell.white is not None and cell.white != back_cell.white:
            return cell.white
        if cell.white is None and back_cell.white is not None:
            return not back_cell.white
        assert cell.opponent is not None
        return row < cell.opponent

    def _met(self) -> dict[tuple[int, int], _Cell]:
        """What every cell says, by row and round.

        Cells call opponents by their places, by their start numbers, or by the rows of the table:
        by that after which the two cells of every match name each other, else by the first that
        names rows of the table.
        """
        places = self._heading.places
        numberings = [
            [at(values, places[column]).rstrip(".") for _, values in self.rows]
            for column in ("place", "start")
            if column in places
        ]
        numberings.append([str(row + 1) for row in range(len(self.rows))])
        # Pages do not say which number their cells mean: the one under which most cells agree.
        notes, best = self._reader.notes, (-1, numberings[0])
        self._reader.notes = Notes(notes.strict, self._file)  # those of a trial are not said
        for texts in numberings:
            wrong = self._disagreeing(*self._met_under(texts))
            if best[0] < 0 or wrong < best[0]:
                best = wrong, texts
            if not wrong:
                break
        self._reader.notes = notes
        met, errors = self._met_under(best[1])
        for row, text in enumerate(best[1] if best[0] else ()):
            earlier = best[1].index(text)
            if text and earlier != row:
                line, _ = self.rows[row]
                allowed = f"unlike that of {self._who(earlier)} (line {self.rows[earlier][0]})"
                raise self._reader.error(line, f"number of {self._who(row)}", allowed, text)
        if errors:
            raise errors[0]
        return met

    def _met_under(
        self, texts: Sequence[str]
    ) -> tuple[dict[tuple[int, int], _Cell], list[InputError]]:
        """What the cells say if rows have these numbers, and the errors of those that cannot."""
        row_of = {text.lstrip("0"): row for row, text in enumerate(texts) if text}
        cells, errors = dict[tuple[int, int], _Cell](), list[InputError]()
        for row, number, text in self._cells():
            try:
                cells[row, number] = self._cell(row, number, text, row_of)
            except InputError as error:
                errors.append(error)
        return cells, errors

    @staticmethod
    def _disagreeing(cells: Mapping[tuple[int, int], _Cell], errors: Sequence[InputError]) -> int:
        """How many cells cannot be, or name an opponent whose cell names another one."""
        alone = 0
        for (row, number), cell in cells.items():
            back = cell.opponent is not None and cells.get((cell.opponent, number))
            alone += bool(back) and back.opponent != row
        return len(errors) + alone

    def _cell(self, row: int, number: int, text: str, row_of: Mapping[str, int]) -> _Cell:
        cell = _CELL.fullmatch(text)
        if self._american:
            alone = re.fullmatch(r"([hbxufnz])[- ]*", text)
            if alone:
                return _Cell(None, None, _AMERICAN_ALONE[alone[1]])
            cell = _AMERICAN.fullmatch(text)
            if cell is None and text not in _EMPTY:
                raise self._error(row, number, "such as W12, D5, L3, X7, H--- or X")
            # As in other tables: the opponent, a letter for the colour, the result.
            text = f"{cell[2]}?{_AMERICAN_RESULT[cell[1]]}" if cell else ""
            cell = re.fullmatch(r"([0-9]+)([?])(.*)", text)
        # Zeros before a letter are no opponent.
        if cell is None or int(cell[1]) == 0:
            alone = text if cell is None or not cell[2].isalpha() else ""
            return self._alone_cell(row, number, alone)
        opponent = row_of.get(cell[1].lstrip("0"))
        if opponent is None:
            rows = len(self.rows)
            do = f"the table has {rows} rows: on the site choose to show all of them, and export it"
            raise self._error(row, number, f"an opponent with a row ({do} again)")
        if opponent == row:
            raise self._error(row, number, "another opponent")
        result, said = self._said(cell[3].strip())
        default = _DEFAULT.fullmatch(result)
        points = written_points(default[1]) if default else self._points(result)
        if points is None and not is_open(result):
            raise self._error(row, number, _SUCH)
        played = default is None and result not in _WITHOUT_GAME
        white = cell[2] in self._white if cell[2].isalpha() else None
        white = row < opponent if self._american else white
        whole = result == "+" and not self.individual
        return _Cell(opponent, white, points, played, match_points=said, is_whole=whole)

    def _said(self, text: str) -> tuple[str, int | None]:
        """Points, and those behind them in brackets, which a match or bye pays instead."""
        said = _SAID.fullmatch(text)
        if said is None:
            return text, None
        points = written_points(said[2]) or 0
        # Match points of teams are whole.
        return (said[1], points) if self.individual else (said[1], points // 2)

    def _alone_cell(self, row: int, number: int, text: str) -> _Cell:
        """A round without an opponent, which may say what it pays: `bye 2(1)`."""
        of_boards, said = self._said(text)
        # Brackets alone: a bye that pays the usual points of the boards.
        points = self._alone(row, number, of_boards)
        unsaid = _is_bye_in_words(of_boards) and said is None
        return _Cell(None, None, points, is_unsaid=unsaid, match_points=said)

    def _alone(self, row: int, number: int, text: str) -> int | None:
        """Half points of a round without an opponent; None for the bye of a team in words."""
        words = text.replace("bye", "").strip()
        if _is_bye_in_words(text):
            return 2 if self.individual else None
        if text in _EMPTY or folded(text) in NOT_PAIRED:
            return 0
        alone = _ALONE.fullmatch(words)
        points = 2 if text == "+" else self._points(alone[1] or "0") if alone else None
        if points is None and words.startswith("-") and _STRANGE.fullmatch(words):
            points = self._points(words)
        if points is None or (self.individual and points > 2):
            raise self._error(row, number, _SUCH)
        return points

    def _result(self, row: int, number: int, own: _Cell, other: _Cell) -> tuple[int, int] | None:
        """Half points of both sides of a pairing; None if they are not known yet."""
        if own.points is None or other.points is None:
            return None
        if not self.individual:
            if own.played != other.played:
                raise self._error(row, number, "without a game on both sides or on none")
            # A game of the match may have a penalty, which whoever adds up the points notes.
            if (own.points + other.points) % 2 and self._reader.notes.strict:
                allowed = f"whole together with the opponent's {other.points / 2:g}"
                raise self._error(row, number, allowed)
        elif own.played and other.played and {own.points, other.points} == {1, 0}:
            assert own.opponent is not None
            back = quoted(self._printed(own.opponent, number))
            error = self._error(row, number, f"the other half of what the opponent has ({back})")
            self._say_penalised(row, error, ("player", f"{self._who(row)} in round {number}"))
        elif own.played != other.played or {own.points, other.points} not in _HALVES:
            assert own.opponent is not None
            back = quoted(self._printed(own.opponent, number))
            raise self._error(row, number, f"the other half of what the opponent has ({back})")
        return own.points, other.points

    def _say_penalised(self, row: int, error: InputError, whom: tuple[str, str]) -> None:
        """Note a game with a penalty, which a strict reader refuses."""
        line = self.rows[row][0]
        self._reader.notes.note_assumption(PENALISED, line, lambda: error, whom=whom)

    def square(self) -> Iterator[ListedPairing]:
        """The matches or games in a square of opponents, which know neither rounds nor colours."""
        size = len(self.rows)
        if size != len(self._heading.rounds):
            raise InputError(
                f"{self._file}: must have a row for each of its {len(self._heading.rounds)} "
                f"columns, has {size}"
            )
        cells = {(row, number - 1): self._met_in(text) for row, number, text in self._cells()}
        missing, scored = list[ListedPairing](), 0
        for (row, column), ours in cells.items():
            # The square is symmetric: only one half is read, the other is compared.
            if row >= column:
                continue
            theirs = cells[column, row]
            sides = self.entrants[row], self.entrants[column]
            if len(ours) != len(theirs):
                back = quoted(self._printed(column, row + 1))
                raise self._error(row, column + 1, f"as many matches as {back}")
            for mine, its in zip(ours or [""], theirs or [""], strict=True):
                if {mine, its} <= {"*", "**", "***", "?", ""}:
                    missing.append(
                        ListedPairing(self.rows[row][0], 0, sides, None, True, colours=False)
                    )
                    continue
                scored += 1
                a, b = self._points(mine), self._points(its)
                played = not {mine, its} & _WITHOUT_GAME.keys()
                wrong = not self.individual and not played
                if wrong and not (mine.strip("*-") or its.strip("*-")):
                    continue
                if a is None or b is None or wrong:
                    raise self._error(row, column + 1, "game points such as 2½")
                error = self._error(row, column + 1, f"the other half of what {quoted(its)} is")
                if self.individual and {a, b} not in _HALVES:
                    raise error
                if self.individual and played and {a, b} == {1, 0}:
                    whom = "player", f"{self._who(row)} against {self._who(column)}"
                    self._say_penalised(row, error, whom)
                yield ListedPairing(self.rows[row][0], 0, sides, (a, b), played, colours=False)
        if len(missing) < scored:
            yield from missing
        elif missing:  # a square of a Swiss, whose pairs that never met are none
            self._reader.notes.say(f"pairs in the square without a result: {len(missing)}")

    def _met_in(self, text: str) -> list[str]:
        """The results in a cell of a square; those of games may stand side by side: `½1`."""
        words = text.split()
        return [game for word in words for game in self._apart(word)] if self.individual else words

    def _apart(self, word: str) -> Sequence[str]:
        # `11` may be eleven points or two games won.
        single = not self._side_by_side and self._points(word) in (0, 1, 2)
        return [word] if single or not set(word) <= set("01½=+-*") else word


def _without_said(text: str) -> str:
    """Points without those in brackets, and without the sign of a default."""
    said = _SAID.fullmatch(text)
    text = said[1] if said else text
    default = _DEFAULT.fullmatch(text)
    return default[1] if default else text


def _is_bye_in_words(text: str) -> bool:
    """Whether a cell says that there was a bye, and not what it pays."""
    return folded(text) in NO_OPPONENT or (bool(text) and not text.replace("bye", "").strip())
