"""Read an event from a crosstable: a row an entrant, a column a round, as chess-results exports it.

Before the heading stand lines of titles, after the last entrant anything. A cell is the opponent's
number in the table, the colour (of the first board) and the points: `161w1`, `22b½`, `69w2½`. It is
compared with the cell of the opponent. `+` and `-` are points without a game.

A cell without an opponent is a bye by its points: those of a win (of half of the boards) are the
pairing-allocated one, half a point is a half-point bye. An empty cell, `-0` and `zwz` are a round
without pairing. The letters of colours are those of a language: `w` and `b`, `w` and `s`, or `b`
and `n`.

Teams may also stand in a square, a column an opponent and a number a match: an event of matches
without rounds. Points, places and tie-breaks that are printed are kept in `TeamEvent.published`.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable

from tb2learn.events.formats.crosstable_head import Heading, find_heading, is_title
from tb2learn.events.formats.csv_folder import read_folder
from tb2learn.events.formats.csv_words import NO_OPPONENT, folded
from tb2learn.events.formats.options import Reading, half_points
from tb2learn.events.formats.source import MAX_NAME, Held, decoded, read_bytes, refusal
from tb2learn.events.model import TeamEvent
from tb2learn.text import plain, quoted, shown
from tb2learn.types import MAX_ROUNDS, MAX_TEAMS, InputError

_CELL = re.compile(r"([0-9]{1,4}) ?([a-z]) ?(.*)")
_ALONE = re.compile(r"[+-]? ?([0-9]*(?:[.,]5|\u00bd)?)")
_EMPTY = ("", "zwz", "*", "**", "***", "--", "---", "-", "x")
_WITHOUT_GAME = {"+": 2, "-": 0, "+:-": 2, "-:+": 0}
_ADDRESS = re.compile(r"https?:|www\.|chess-?\s?results", re.IGNORECASE)


@dataclass(frozen=True)
class _Entrant:
    """A row of the table.

    **Fields:**

    - `line`: where it stands.
    - `values`: its cells.
    - `name`: as printed; with the line for one that stands there twice.
    """

    line: int
    values: Sequence[str]
    name: str

    def cell(self, place: int) -> str:
        """A cell without blanks around it; empty beyond the last one."""
        return self.values[place].strip() if 0 <= place < len(self.values) else ""


@dataclass(frozen=True)
class _Met:
    """What a cell says.

    **Fields:**

    - `opponent`: the number of the opponent's row; None for a bye.
    - `white`: whether the entrant had white (on the first board).
    - `points`: half points; None where the result is not known yet.
    - `played`: whether they were scored in a game.
    """

    opponent: int | None
    white: bool
    points: int | None
    played: bool = True


def read_crosstable(source: Traversable, name: str, options: Reading) -> TeamEvent:
    """Read an event from a crosstable.

    **Arguments:**

    - `source`: the file, with commas, semicolons or tabs between the cells.
    - `name`: of the event, if no title stands before the table.
    - `options`: how strict to be, and what the user knows about the event.

    **Returns:** a `TeamEvent`, with notes on what the table does not tell.

    **Raises:** `InputError`, one line, for any other content, and for two cells of one game or
    match that contradict each other.
    """
    file = shown(source.name)
    text = decoded(read_bytes(source)).replace("\0", " ")
    found = find_heading(text)
    if found is None:
        raise InputError(
            f"{file}: must have a heading with a column of names, one of ranks or start numbers, "
            "and rounds such as 1.Rd, 2.Rd"
        )
    return _Table(file, text, *found).event(name, options)


class _Table:
    """The rows of a crosstable, and what they say."""

    def __init__(self, file: str, text: str, mark: str, heading: Heading) -> None:
        self._file, self._heading = file, heading
        self._titles: list[str] = []
        if len(heading.rounds) > MAX_ROUNDS and not heading.square:
            found = len(heading.rounds)
            raise InputError(f"{file}: must have at most {MAX_ROUNDS} rounds, has {found}")
        self._rows = list(self._entrants(text, mark))
        if len(self._rows) < 2:
            raise InputError(f"{file}: must have at least two rows below the heading")
        met = [found for _, _, cell in self._cells() if (found := _CELL.fullmatch(cell))]
        self._letters = {found[2] for found in met}
        # Tables of teams may head their names like those of players.
        above = sum((self._points(found[3]) or 0) > 2 for found in met)
        self._individual = "name" in heading.columns and above <= len(met) // 10
        self._notes: list[str] = []

    def _entrants(self, text: str, mark: str) -> Iterator[_Entrant]:
        """The rows between the heading and the first line that is none."""
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
        below, seen, place = False, Counter[str](), self._heading.name
        known = [*self._heading.columns.values(), *self._heading.rounds]
        try:
            for values in reader:
                if not below:
                    below = find_heading(mark.join(values)) is not None and self._heads(values)
                    if not below:
                        self._titles.append(" ".join(filter(None, map(str.strip, values))))
                    continue
                name = values[place].strip() if place < len(values) else ""
                if not name and not any(v.strip() for v in values) and not seen:
                    continue
                if not name or not any(values[k].strip() for k in known if k < len(values)):
                    return
                seen[name] += 1
                if len(seen) > MAX_TEAMS or seen[name] > MAX_TEAMS:
                    raise InputError(f"{self._file}: must have at most {MAX_TEAMS} rows")
                if len(name) > MAX_NAME - 9:
                    allowed = f"a name of 1..{MAX_NAME - 9} characters"
                    raise refusal(self._file, reader.line_num, "name", allowed, name)
                unique = name if seen[name] == 1 else f"{name} (line {reader.line_num})"
                yield _Entrant(reader.line_num, values, unique)
        except csv.Error as error:
            raise InputError(
                f"{self._file}: line {reader.line_num}: not a table: {error}"
            ) from error

    def _heads(self, values: Sequence[str]) -> bool:
        """Whether a row is the heading, and not another one that would do."""
        places = self._heading.rounds
        return len(values) > places[-1] and bool(values[places[0]].strip())

    def _cells(self) -> Iterator[tuple[int, int, str]]:
        """Row, number of the round from 1, and cell."""
        for row, entrant in enumerate(self._rows):
            for number, place in enumerate(self._heading.rounds, start=1):
                yield row, number, entrant.cell(place).casefold()

    def event(self, name: str, options: Reading) -> TeamEvent:
        """The event of the table."""
        tables = self._square() if self._heading.square else self._in_rounds()
        order = self._start_order()
        titles = [title for title in self._titles if title and not _ADDRESS.search(title)]
        about = [("key", "value"), ("name", titles[0][:MAX_NAME] if titles else name)]
        if not self._heading.square:
            about.append(("rounds", str(len(self._heading.rounds))))
        tables |= self._listed(order) | {"event.csv": about}
        folder = Held(name, {file: _table(rows) for file, rows in tables.items()})
        try:
            event = read_folder(folder, name, replace(options, form="", individual=False))
        except InputError as error:  # which names a table and a line that the user does not have
            told = re.sub(r"^[a-z]+\.csv: (?:line [0-9]+: )?", "", str(error))
            raise InputError(f"{self._file}: {told}") from error
        published = {
            heading: tuple(self._rows[row].cell(place) for row in order)
            for heading, place in self._published().items()
        }
        return replace(event, published=published, notes=(*self._notes, *event.notes))

    def _published(self) -> Mapping[str, int]:
        """The columns of places and points."""
        columns, rows = self._heading.columns, self._rows
        ranks = {"place": columns["rank"]} if "rank" in columns else {}
        some = {
            heading: place
            for heading, place in self._heading.published.items()
            if any(half_points(_halves(row.cell(place))) is not None for row in rows)
        }
        return ranks | some

    def _start_order(self) -> list[int]:
        """The rows in start order: by start numbers, else by ratings, else as they stand."""
        place = self._heading.columns.get("start", -1)
        numbers = [row.cell(place) for row in self._rows]
        order = range(len(self._rows))
        if all(re.fullmatch(r"[0-9]{1,4}", number, re.ASCII) for number in numbers):
            return sorted(order, key=lambda row: int(numbers[row]))
        ratings = [self._rating(row) for row in self._rows]
        by = "in order of rating" if any(ratings) else "as they stand in the table"
        self._notes.append(f"the table has no start numbers: entrants are {by}")
        return sorted(order, key=lambda row: -ratings[row])

    def _rating(self, row: _Entrant) -> int:
        text = row.cell(self._heading.columns.get("rating", -1))
        return int(text) if re.fullmatch(r"[0-9]{1,4}", text, re.ASCII) else 0

    def _listed(self, order: Sequence[int]) -> dict[str, list[tuple[str, ...]]]:
        """The entrants as a table of an event folder."""
        if not self._individual:
            return {"teams.csv": [("team",), *((self._rows[row].name,) for row in order)]}
        columns = self._heading.columns
        table: list[tuple[str, ...]] = [
            ("team", "name", "rating", "federation", "fide_id", "title")
        ]
        for row in map(self._rows.__getitem__, order):
            titles = [row.cell(columns.get("title", -1)), *map(row.cell, range(columns["name"]))]
            facts = (row.cell(columns.get(c, -1)) for c in ("federation", "fide_id"))
            table.append(
                (
                    row.name, row.cell(columns["name"]), str(self._rating(row) or ""), *facts,
                    next(filter(is_title, titles), ""),
                )
            )  # fmt: skip
        return {"players.csv": table}

    def _error(self, row: int, number: int, allowed: str) -> InputError:
        """The error for a cell."""
        entrant, place = self._rows[row], self._heading.rounds[number - 1]
        which = f"{'column' if self._heading.square else 'round'} {number}"
        where = f"{which} of {_who(entrant.name)}"
        return refusal(self._file, entrant.line, where, allowed, entrant.cell(place))

    def _points(self, text: str) -> int | None:
        """Half points in a cell; None for none."""
        text = text.strip()
        return _WITHOUT_GAME[text] if text in _WITHOUT_GAME else half_points(_halves(text))

    def _in_rounds(self) -> dict[str, list[tuple[str, ...]]]:
        """The matches or games of a table whose columns are rounds."""
        met = self._met()
        boards = _boards(met)
        rows: list[tuple[str, ...]] = []
        playing = [number for (_, number), one in met.items() if one.opponent is not None]
        for (row, number), one in sorted(met.items(), key=lambda item: (item[0][1], item[0][0])):
            if number > max(playing, default=0):
                break
            if one.opponent is None:
                rows.append(self._bye(row, number, one.points or 0, boards))
                continue
            other = met.get((one.opponent, number))
            if other is None or other.opponent != row:
                back = self._rows[one.opponent].cell(self._heading.rounds[number - 1])
                raise self._error(
                    row, number, f"what {_who(self._rows[one.opponent].name)} has ({quoted(back)})"
                )
            if one.white == other.white and one.played and other.played:
                raise self._error(row, number, "of the other colour than that of the opponent")
            if self._first(row, one, other):
                rows.append(self._game(row, number, one, other))
        if not playing:
            raise InputError(f"{self._file}: must have at least one game: all cells are byes")
        heads = (
            ("round", "white_player", "black_player", "result", "status", "bye")
            if self._individual
            else ("round", "team_a", "team_b", "game_points_a", "game_points_b",
                  "boards_forfeited", "bye", "match_points_a")
        )  # fmt: skip
        return {"matches.csv": [heads, *rows]}

    def _first(self, row: int, one: _Met, other: _Met) -> bool:
        """Whether a match is written down at this of its two sides: that of White."""
        return one.white if one.white != other.white else row < (one.opponent or 0)

    def _met(self) -> dict[tuple[int, int], _Met]:
        """What every cell says, by row and round.

        Cells call opponents by their ranks or by their start numbers: by that after which the two
        cells of every match name each other, else by the first that names rows of the table.
        """
        found: list[dict[tuple[int, int], _Met]] = []
        failed: list[InputError] = []
        for place in self._heading.numbers:
            texts = [row.cell(place).rstrip(".") for row in self._rows]
            row_of = {text.lstrip("0"): row for row, text in enumerate(texts)}
            try:
                met = {
                    (row, number): self._one(row, number, cell, row_of)
                    for row, number, cell in self._cells()
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

    def _one(self, row: int, number: int, cell: str, row_of: Mapping[str, int]) -> _Met:
        """What a cell says."""
        found = _CELL.fullmatch(cell)
        if found is None or int(found[1]) == 0:
            return _Met(None, False, self._alone(row, number, cell if found is None else ""))
        opponent = row_of.get(found[1].lstrip("0"))
        if opponent is None:
            here = f"the table has {len(self._rows)} rows: export all of them"
            raise self._error(row, number, f"an opponent with a row ({here})")
        if opponent == row:
            raise self._error(row, number, "another opponent")
        text = found[3].strip()
        points = self._points(text)
        if points is None and text.strip("*"):
            raise self._error(row, number, "such as 12w1, 5b\u00bd, 7w+, -0 or bye")
        return _Met(opponent, self._is_white(found[2]), points, text not in _WITHOUT_GAME)

    def _is_white(self, letter: str) -> bool:
        """Whether a letter is White's in the language of the table."""
        if "n" in self._letters:  # blanco, negro; blanc, noir; bianco, nero
            return letter == "b"
        return letter in ("w", "v")  # white, Weiss, wit; vilagos

    def _alone(self, row: int, number: int, cell: str) -> int:
        """Half points of a round without an opponent."""
        words = cell.replace("bye", "").strip()
        if folded(cell) in NO_OPPONENT or (not words and cell):
            return 2 if self._individual else -1
        if cell in _EMPTY:
            return 0
        found = _ALONE.fullmatch(words)
        points = half_points(_halves(found[1] or "0")) if found else None
        if cell == "+":
            points = 2
        if points is None or (self._individual and points > 2):
            raise self._error(row, number, "such as 12w1, 5b\u00bd, 7w+, -0 or bye")
        return points

    def _bye(self, row: int, number: int, points: int, boards: int) -> tuple[str, ...]:
        """The row of a bye; a team's has its points, where the table tells them."""
        name = self._rows[row].name
        if self._individual:
            return (str(number), name, "", "", "", ("zero", "half", "pairing")[points])
        if points == 0:
            return (str(number), name, "", "", "", "", "zero", "")
        told = "" if points in (-1, boards) else _shown(points)
        won = str(1 + (points > boards) - (points < boards)) if told else ""
        if told:
            self._notes.append(
                f"round {number}: the bye of {_who(name)} is worth {told} game points, and {won} "
                "match points as a match with these would be"
            )
        return (str(number), name, "", told, "", "", "pairing", won)

    def _game(self, row: int, number: int, one: _Met, other: _Met) -> tuple[str, ...]:
        """The row of a game or match, first White."""
        assert one.opponent is not None
        names = self._rows[row].name, self._rows[one.opponent].name
        known = one.points is not None and other.points is not None
        if not known:
            return (str(number), *names, *[""] * (3 if self._individual else 5))
        assert one.points is not None and other.points is not None
        played = one.played and other.played
        if not self._individual:
            if played != (one.played or other.played):
                raise self._error(row, number, "without a game on both sides or on none")
            if (one.points + other.points) % 2:
                allowed = f"whole together with the opponent's {_shown(other.points)}"
                raise self._error(row, number, allowed)
            forfeited = "" if played else str((one.points + other.points) // 2)
            return (
                str(number),
                *names,
                _shown(one.points),
                _shown(other.points),
                forfeited,
                "",
                "",
            )
        result = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2", (0, 0): "0-0"}.get(
            (one.points, other.points)
        )
        if result is None or one.played != other.played:
            back = self._rows[one.opponent].cell(self._heading.rounds[number - 1])
            raise self._error(
                row, number, f"the other half of what the opponent has ({quoted(back)})"
            )
        return (str(number), *names, result, "played" if played else "forfeit", "")

    def _square(self) -> dict[str, list[tuple[str, ...]]]:
        """The matches of teams in a square of opponents."""
        if self._individual:
            raise InputError(
                f"{self._file}: a square of players has neither rounds nor colours: export the "
                "crosstable by rounds, or the TRF"
            )
        size = len(self._rows)
        if size != len(self._heading.rounds):
            raise InputError(
                f"{self._file}: must have a row for each of its {len(self._heading.rounds)} "
                f"columns, has {size}"
            )
        rows: list[tuple[str, ...]] = []
        cells = {(row, number - 1): cell for row, number, cell in self._cells()}
        for (row, other), cell in cells.items():
            if row == other or row > other:
                continue
            ours, theirs = cell.split(), cells[other, row].split()
            if len(ours) != len(theirs):
                raise self._error(row, other + 1, f"as many matches as {quoted(cells[other, row])}")
            for mine, its in zip(ours, theirs, strict=True):
                points = half_points(_halves(mine)), half_points(_halves(its))
                if None in points:
                    if mine.strip("*-") or its.strip("*-"):
                        raise self._error(row, other + 1, "game points such as 2\u00bd")
                    continue
                names = self._rows[row].name, self._rows[other].name
                rows.append(("", *names, *(_shown(p) for p in points if p is not None)))
        heads = ("round", "team_a", "team_b", "game_points_a", "game_points_b")
        return {"matches.csv": [heads, *rows]}


def _who(name: str) -> str:
    """A name in a message."""
    return plain(name[:40])


def _boards(met: Mapping[tuple[int, int], _Met]) -> int:
    """Boards of a match: the most that the two cells of one add up to."""
    scored: Counter[tuple[int, int, int]] = Counter()
    for (row, number), one in met.items():
        if one.opponent is not None:
            scored[number, min(row, one.opponent), max(row, one.opponent)] += one.points or 0
    return max(scored.values(), default=2) // 2


def _halves(text: str) -> str:
    """Points with a decimal in place of a half."""
    found = re.fullmatch(r"([0-9]*) ?(?:\u00bd|1/2|=)", text.strip())
    return f"{found[1] or 0}.5" if found else text.strip()


def _shown(points: int) -> str:
    return f"{points / 2:g}"


def _table(rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
