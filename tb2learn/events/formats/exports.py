"""Read an event from a file of chess-results: a crosstable, or the pairings of all rounds.

What it says is read as the tables of an event folder. Entrants are known by their names, without
case, accents, spaces and punctuation, and where two have the same one by their start numbers.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.resources.abc import Traversable
from itertools import islice

from tb2learn.events.formats.crosstable import Row
from tb2learn.events.formats.csv_folder import read_folder
from tb2learn.events.formats.csv_tables import RESULTS, STATUS
from tb2learn.events.formats.csv_words import DELIMITERS, says_mark
from tb2learn.events.formats.list_heads import mark_of
from tb2learn.events.formats.lists import Entrant, Listed, Met
from tb2learn.events.formats.options import Reading
from tb2learn.events.formats.rounds import MOST_ROWS, read_list
from tb2learn.events.formats.source import HEAD, MAX_NAME, Held, decoded, read_bytes
from tb2learn.events.model import TeamEvent
from tb2learn.text import plain, shown
from tb2learn.types import InputError

_ADDRESS = re.compile(r"https?:|www\.|chess-?\s?results", re.IGNORECASE)
_TABLE = re.compile(r"[a-z]+\.csv: (?:line [0-9]+( \([0-9]+ times\))?: )?(.*)")
"""Errors and notes that name a table and a line, which the user does not have."""
_RESULT = {points: text for text, points in RESULTS.items()}
_Cells = tuple[object, ...]


def read_exports(source: Traversable, name: str, options: Reading) -> TeamEvent:
    """Read an event from a file of chess-results.

    **Arguments:**

    - `source`: a file with commas, semicolons or tabs between the cells.
    - `name`: of the event, if no title stands before a table.
    - `options`: how strict to be, and what the user knows about the event.

    **Returns:** a `TeamEvent`, with notes on what the file does not tell.

    **Raises:** `InputError`, one line, for any other content, and for two lines that contradict
    each other.
    """
    text, file = decoded(read_bytes(source)).replace("\0", " "), shown(source.name)
    mark = mark_of(text[:HEAD])
    listed = read_list(file, _rows(file, text, mark)) if mark else None
    if listed is None:
        raise InputError(
            f"{file}: must have a heading with a column of names, one of ranks or start numbers, "
            "and rounds such as 1.Rd, 2.Rd; or be pairings of chess-results"
        )
    return _event(file, name, _Pairings(listed), options)


def _rows(file: str, text: str, mark: str) -> list[Row]:
    """The lines of a list with their numbers; one such as `sep=;` is none."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        rows = [(reader.line_num, values) for values in islice(reader, MOST_ROWS + 1)]
    except csv.Error as error:
        raise InputError(f"{file}: line {reader.line_num}: not a table: {error}") from error
    return [(line, v) for line, v in rows if not any(says_mark(m.join(v)) for m in DELIMITERS)]


class _Pairings:
    """The pairings of a file, with the names that entrants and players have in the event.

    **Fields:**

    - `individual`: whether the event is of players.
    - `entrants`: players or teams by names that are unlike each other.
    - `players`: of teams, by team and `_key` of the name.
    - `met`: the pairings, round by round; the names of their sides are those of `entrants`.
    - `notes`: on what the file does not tell.
    """

    def __init__(self, listed: Listed) -> None:
        self.listed, self.individual = listed, listed.individual is True
        if not listed.met:
            raise InputError(
                f"{listed.file}: must have results: add the crosstable, or the pairings of all "
                "rounds in one file"
            )
        self.notes: list[str] = []
        entrants = [one for one in listed.entrants if not one.team]
        mentions = [*entrants, *(s for met in listed.met for s in met.sides if s)]
        self._numbers: dict[str, set[int]] = defaultdict(set)
        self._printed: dict[str, str] = {}
        for one in mentions:
            self._numbers[_key(one.name)] |= {one.number} - {0}
            self._printed.setdefault(_key(one.name), one.name)
        self.entrants: dict[str, Entrant] = {}
        for one in mentions:
            name = self.name(one)
            self.entrants[name] = _both(self.entrants.get(name), one)
        self.met = [self._called(met) for met in sorted(listed.met, key=lambda met: met.round)]
        self._check_rounds()
        self.players: dict[tuple[str, str], Entrant] = {}
        for met in self.met:
            for board in met.boards:
                for side, player in zip(met.sides, board.players, strict=True):
                    if side and player:
                        key = side.name, _key(player.name)
                        self.players[key] = _both(self.players.get(key), player)

    def name(self, one: Entrant) -> str:
        """The name of an entrant, unlike that of any other."""
        key = _key(one.name)
        if one.alias or len(self._numbers[key]) < 2:
            return one.alias or self._printed[key]
        if not one.number:
            numbers = " and ".join(map(str, sorted(self._numbers[key])[:2]))
            raise InputError(
                f"{one.where}: {plain(one.name[:40])} has start numbers {numbers} elsewhere: "
                "export the file with start numbers (SNo)"
            )
        return f"{self._printed[key]} (No. {one.number})"

    def _called(self, met: Met) -> Met:
        """A pairing with the names of `entrants`."""
        a, b = (side and replace(side, name=self.name(side)) for side in met.sides)
        assert a is not None
        if b and a.name == b.name:
            raise InputError(f"{met.where}: {plain(a.name[:40])} must have another opponent")
        return replace(met, sides=(a, b))

    def _check_rounds(self) -> None:
        """Refuse two pairings of an entrant in a round, and a round that is missing."""
        busy: dict[tuple[int, str], Met] = {}
        for met in (met for met in self.met if met.round):
            for side in filter(None, met.sides):
                other = busy.setdefault((met.round, side.name), met)
                if other is not met:
                    raise InputError(
                        f"{met.where}: {plain(side.name[:40])} has another pairing of round "
                        f"{met.round} ({other.where})"
                    )
        rounds = {number for number, _ in busy}
        for number in range(1, max(rounds, default=0) + 1):
            if number not in rounds:
                raise InputError(f"{self.listed.file}: must have the pairings of round {number}")

    @property
    def published(self) -> dict[str, dict[str, str]]:
        """The printed columns by entrants."""
        return {
            heading: {self.name(entrant): text for entrant, text in cells}
            for heading, cells in self.listed.published.items()
        }

    def order(self) -> list[str]:
        """The entrants in start order: by start numbers, else by ratings, else as they stand."""
        entrants = self.entrants
        if all(one.number for one in entrants.values()):
            return sorted(entrants, key=lambda name: entrants[name].number)
        rated = any(one.rating for one in entrants.values())
        by = "in order of rating" if rated else "as they stand in the table"
        self.notes.append(f"the table has no start numbers: entrants are {by}")
        return sorted(entrants, key=lambda name: -entrants[name].rating)


def _key(name: str) -> str:
    """A name without case, accents, spaces and punctuation."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in letters if c.isalnum()) or name


def _both(known: Entrant | None, one: Entrant) -> Entrant:
    """An entrant with what two lines say; the first one counts."""
    if known is None:
        return one
    return replace(
        known,
        number=known.number or one.number,
        rating=known.rating or one.rating,
        title=known.title or one.title,
        federation=known.federation or one.federation,
        fide_id=known.fide_id or one.fide_id,
    )


def _event(file: str, name: str, pairings: _Pairings, options: Reading) -> TeamEvent:
    """The event of a file."""
    titles = [t for t in pairings.listed.titles if not _ADDRESS.search(t)]
    about: list[_Cells] = [("key", "value"), ("name", titles[0][:MAX_NAME] if titles else name)]
    rounds = pairings.listed.rounds
    if rounds and pairings.met[0].round:
        about.append(("rounds", rounds))
    order = pairings.order()
    rows = _games(pairings.met) if pairings.individual else _Matches(file, pairings).tables()
    tables = {"event.csv": about, **rows, **_listed(pairings, order)}
    folder = Held(name, {table: _table(cells) for table, cells in tables.items()})
    try:
        event = read_folder(folder, name, replace(options, form="", individual=False))
    except InputError as error:
        raise InputError(f"{file}: {_TABLE.sub(_told, str(error))}") from error
    notes = (_TABLE.sub(_told, note) for note in event.notes)
    published = {
        heading: tuple(texts.get(entrant, "") for entrant in event.teams)
        for heading, texts in pairings.published.items()
    }
    starts = tuple(pairings.entrants[entrant].number for entrant in event.teams)
    starts = starts if all(starts) else ()
    return replace(event, published=published, starts=starts, notes=(*pairings.notes, *notes))


def _told(found: re.Match[str]) -> str:
    return found[2] + (found[1] or "")


def _listed(pairings: _Pairings, order: Sequence[str]) -> dict[str, list[_Cells]]:
    """The entrants, and the players of teams."""

    def row(team: str, one: Entrant) -> _Cells:
        return team, one.name, one.rating or "", one.federation, one.fide_id, one.title

    heads: _Cells = ("team", "name", "rating", "federation", "fide_id", "title")
    if pairings.individual:
        return {"players.csv": [heads, *(row(name, pairings.entrants[name]) for name in order)]}
    players = [row(team, one) for (team, _), one in pairings.players.items()]
    tables: dict[str, list[_Cells]] = {"teams.csv": [("team",), *((name,) for name in order)]}
    return tables | ({"players.csv": [heads, *players]} if players else {})


def _games(met: Iterable[Met]) -> dict[str, list[_Cells]]:
    """The games of players."""
    rows: list[_Cells] = [("round", "white_player", "black_player", "result", "status", "bye")]
    for one in met:
        white, black = (side.name if side else "" for side in one.sides)
        result = _RESULT[one.points] if one.points and black else ""
        rows.append(
            (one.round, white, black, result, STATUS[not one.played] if result else "", one.bye)
        )
    return {"matches.csv": rows}


class _Matches:
    """The matches of teams, and their boards."""

    def __init__(self, file: str, pairings: _Pairings) -> None:
        self._file, self._pairings = file, pairings
        scored = (sum(one.points) for one in pairings.met if one.points and one.sides[1])
        self._boards = max(scored, default=2) // 2

    def tables(self) -> dict[str, list[_Cells]]:
        """`matches.csv`, and `boards.csv` if there are boards."""
        rows: list[_Cells] = [
            ("round", "match", "team_a", "team_b", "game_points_a", "game_points_b",
             "boards_decided", "boards_forfeited", "bye", "match_points_a")
        ]  # fmt: skip
        boards: list[_Cells] = [
            ("round", "match", "board", "white_team", "black_team", "result", "status",
             "white_player", "black_player", "white_rating", "black_rating")
        ]  # fmt: skip
        for number, one in enumerate(self._pairings.met, start=1):
            rows.append((one.round or "", number, *self._match(one)))
            boards += ((one.round or "", number, *board) for board in self._seated(one))
        if any(one.boards and not one.colours for one in self._pairings.met):
            self._pairings.notes.append(
                "boards have no colours: the first team has White on board 1, then in turn"
            )
        return {"matches.csv": rows} | ({"boards.csv": boards} if boards[1:] else {})

    def _match(self, met: Met) -> _Cells:
        """The cells of a match, from its teams on."""
        a, b = met.sides
        if b is None:
            return (a.name, "", *self._bye(met))
        points = [half / 2 for half in met.points] if met.points else ["", ""]
        decided: Sequence[object] = ("", "")
        if met.boards:
            sums = tuple(sum(board.half_points[side] for board in met.boards) for side in (0, 1))
            if met.points and sums != met.points:
                told, found = (f"{x / 2:g}-{y / 2:g}" for x, y in (met.points, sums))
                match = plain(f"{a.name[:40]} - {b.name[:40]}")
                raise InputError(
                    f"{met.where}: the boards of {match} must add up to {told}, got {found}"
                )
            scored = [board for board in met.boards if board.played or any(board.half_points)]
            decided = len(scored), sum(not board.played for board in scored)
        elif met.points and not met.played:
            decided = [sum(met.points) // 2] * 2
        return (a.name, b.name, *points, *decided, "", "")

    def _seated(self, met: Met) -> Iterator[_Cells]:
        """The cells of the boards of a match; colours are in turn."""
        assert met.sides[1] is not None or not met.boards
        teams = [side.name for side in met.sides if side]
        for one in met.boards:
            players = (
                self._pairings.players[team, _key(player.name)] if player else None
                for team, player in zip(teams, one.players, strict=True)
            )
            a, b = zip(teams, one.half_points, players, strict=True)
            white, black = (a, b) if one.number % 2 else (b, a)
            names = (side[2].name if side[2] else "" for side in (white, black))
            ratings = (side[2].rating or "" if side[2] else "" for side in (white, black))
            yield (one.number, white[0], black[0], _RESULT[white[1], black[1]],
                   STATUS[not one.played], *names, *ratings)  # fmt: skip

    def _bye(self, met: Met) -> _Cells:
        """The cells of the bye of a team: it has its points, where a list tells them."""
        points = met.points[0] if met.points else self._boards
        if met.bye == "zero" or points == self._boards:
            return ("", "", "", "", met.bye, "")
        won = 1 + (points > self._boards) - (points < self._boards)
        self._pairings.notes.append(
            f"round {met.round}: the bye of {plain(met.sides[0].name[:40])} is worth "
            f"{points / 2:g} game points, and {won} match points as a match with these would be"
        )
        return (points / 2, "", "", "", met.bye, won)


def _table(rows: Iterable[_Cells]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
