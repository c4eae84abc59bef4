"""Read an event from what chess-results exports: a crosstable, or several lists of one event.

A folder, an archive or a workbook may hold a crosstable, start lists, rankings, the pairings of
rounds and the line-ups of teams. Together they are read as the tables of an event folder.
"""

from __future__ import annotations

import csv
import io
import re
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
from tb2learn.events.formats.merged import Merged, name_key, turned
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
    """Read an event from lists of chess-results.

    **Arguments:**

    - `source`: a file with commas, semicolons or tabs between the cells, or a folder of such files.
    - `name`: of the event, if no title stands before a table.
    - `options`: how strict to be, and what the user knows about the event.

    **Returns:** a `TeamEvent`, with notes on what the lists do not tell.

    **Raises:** `InputError`, one line, for any other content, and for two lists that contradict
    each other, by the names of both.
    """
    lists: list[Listed] = []
    others: list[str] = []
    for path in source.iterdir() if source.is_dir() else [source]:
        text = decoded(read_bytes(path)).replace("\0", " ")
        file, mark = shown(path.name), mark_of(text[:HEAD])
        found = read_list(file, _rows(file, text, mark)) if mark else None
        if found is not None:
            lists.append(found)
        elif text.strip():
            others.append(file)
    file = shown(source.name)
    if not lists:
        raise InputError(
            f"{file}: must have a heading with a column of names, one of ranks or start numbers, "
            "and rounds such as 1.Rd, 2.Rd; or be pairings of chess-results"
        )
    merged = Merged(file, sorted(lists, key=lambda one: bool(one.met)))
    if others:
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""
        merged.notes.append(f"left out, as none of the lists: {', '.join(others[:3])}{more}")
    return _event(file, name, merged, options)


def _rows(file: str, text: str, mark: str) -> list[Row]:
    """The lines of a list with their numbers; one such as `sep=;` is none."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        rows = [(reader.line_num, values) for values in islice(reader, MOST_ROWS + 1)]
    except csv.Error as error:
        raise InputError(f"{file}: line {reader.line_num}: not a table: {error}") from error
    return [(line, v) for line, v in rows if not any(says_mark(m.join(v)) for m in DELIMITERS)]


def _event(file: str, name: str, merged: Merged, options: Reading) -> TeamEvent:
    """The event of lists that are put together."""
    titles = [t for one in merged.lists for t in one.titles if not _ADDRESS.search(t)]
    about: list[_Cells] = [("key", "value"), ("name", titles[0][:MAX_NAME] if titles else name)]
    rounds = max(one.rounds for one in merged.lists)
    if rounds and merged.met[0].round:
        about.append(("rounds", rounds))
    order = merged.order()
    pairings = _games(merged.met) if merged.individual else _Matches(file, merged).tables()
    tables = {"event.csv": about, **pairings, **_listed(merged, order)}
    folder = Held(name, {table: _table(rows) for table, rows in tables.items()})
    try:
        event = read_folder(folder, name, replace(options, form="", individual=False))
    except InputError as error:
        raise InputError(f"{file}: {_TABLE.sub(_told, str(error))}") from error
    notes = (_TABLE.sub(_told, note) for note in event.notes)
    published = {
        heading: tuple(texts.get(entrant, "") for entrant in event.teams)
        for heading, texts in merged.published.items()
    }
    return replace(event, published=published, notes=(*merged.notes, *notes))


def _told(found: re.Match[str]) -> str:
    return found[2] + (found[1] or "")


def _listed(merged: Merged, order: Sequence[str]) -> dict[str, list[_Cells]]:
    """The entrants, and the players of teams."""

    def row(team: str, one: Entrant) -> _Cells:
        return team, one.name, one.rating or "", one.federation, one.fide_id, one.title

    heads: _Cells = ("team", "name", "rating", "federation", "fide_id", "title")
    if merged.individual:
        return {"players.csv": [heads, *(row(name, merged.entrants[name]) for name in order)]}
    players = [row(team, one) for (team, _), one in merged.players.items()]
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

    def __init__(self, file: str, merged: Merged) -> None:
        self._file, self._merged = file, merged
        scored = (sum(one.points) for one in merged.met if one.points and one.sides[1])
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
        for number, one in enumerate(self._merged.met, start=1):
            rows.append((one.round or "", number, *self._match(one)))
            boards += ((one.round or "", number, *board) for board in self._seated(one))
        if any(one.boards and not one.colours for one in self._merged.met):
            self._merged.notes.append(
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
                self._merged.players[team, name_key(player.name)] if player else None
                for team, player in zip(teams, one.players, strict=True)
            )
            a, b = zip(teams, one.half_points, players, strict=True)
            white, black = (a, b) if one.number % 2 else turned((a, b))
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
        self._merged.notes.append(
            f"round {met.round}: the bye of {plain(met.sides[0].name[:40])} is worth "
            f"{points / 2:g} game points, and {won} match points as a match with these would be"
        )
        return (points / 2, "", "", "", met.bye, won)


def _table(rows: Iterable[_Cells]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
