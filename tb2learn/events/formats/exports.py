"""Read an event from what chess-results exports: a crosstable, or several lists of one event.

A folder, an archive or a workbook may hold a crosstable, start lists, rankings, the pairings of
rounds and the line-ups of teams. Entrants are known by their names, without case, accents, spaces
and punctuation, and where two have the same one by their start numbers. What two lists say of one
pairing must be the same. Boards of team matches are in the pairings with boards; else they follow
from the line-ups with results if they fit: players sit in the order of their line-up.
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
from typing import TypeVar

from tb2learn.events.formats.crosstable import Row
from tb2learn.events.formats.csv_folder import read_folder
from tb2learn.events.formats.csv_tables import RESULTS, STATUS
from tb2learn.events.formats.csv_words import says_mark
from tb2learn.events.formats.list_heads import mark_of
from tb2learn.events.formats.lists import Board, Entrant, Listed, Met, result_of
from tb2learn.events.formats.options import Reading
from tb2learn.events.formats.rounds import MOST_ROWS, read_list
from tb2learn.events.formats.source import HEAD, MAX_NAME, Held, decoded, read_bytes
from tb2learn.events.model import TeamEvent
from tb2learn.text import plain, shown
from tb2learn.types import InputError

_ADDRESS = re.compile(r"https?:|www\.|chess-?\s?results", re.IGNORECASE)
_TABLE = re.compile(r"[a-z]+\.csv: (?:line [0-9]+(?P<times> \([0-9]+ times\))?: )?")
_RESULT = {points: text for text, points in RESULTS.items()}
T = TypeVar("T")
_Rows = list[tuple[object, ...]]


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
    for file in source.iterdir() if source.is_dir() else [source]:
        text = decoded(read_bytes(file)).replace("\0", " ")
        known, mark = shown(file.name), mark_of(text[:HEAD])
        found = read_list(known, _rows(known, text, mark)) if mark else None
        if found is not None:
            lists.append(found)
        elif text.strip():
            others.append(known)
    file = shown(source.name)
    if not lists:
        raise InputError(
            f"{file}: must have a heading with a column of names, one of ranks or start numbers, "
            "and rounds such as 1.Rd, 2.Rd; or hold pairings of chess-results"
        )
    merged = _Merged(file, sorted(lists, key=lambda one: bool(one.met)))
    if others:
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""
        merged.notes.append(f"left out, as none of the lists: {', '.join(others[:3])}{more}")
    return merged.event(name, options)


def _rows(file: str, text: str, mark: str) -> list[Row]:
    """The lines of a list with their numbers; one such as `sep=;` is none."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        rows = [(reader.line_num, values) for values in islice(reader, MOST_ROWS + 1)]
    except csv.Error as error:
        raise InputError(f"{file}: line {reader.line_num}: not a table: {error}") from error
    return [(line, values) for line, values in rows if not _says_mark(values)]


def _says_mark(values: Sequence[str]) -> bool:
    return len(values) <= 2 and any(says_mark(mark.join(values)) for mark in ",;\t")


class _Merged:
    """The lists of one event, put together.

    **Fields:** `notes`: on what they do not tell.
    """

    def __init__(self, file: str, lists: Sequence[Listed]) -> None:
        self._file, self._lists = file, lists
        kinds = {one.individual: one.file for one in lists if one.individual is not None}
        if len(kinds) > 1:
            raise InputError(f"{file}: {kinds[True]} is of players, {kinds[False]} of teams")
        if not any(one.met for one in lists):
            raise InputError(
                f"{file}: must have results: add the crosstable, or the pairings of all rounds"
            )
        self._individual = True in kinds
        self.notes = [note for one in lists for note in one.notes]
        self._names = _Names(_mentions(lists, self._individual))
        self._entrants: dict[str, Entrant] = {}
        self._players: dict[tuple[str, str], Entrant] = {}
        self._met: dict[tuple[int, frozenset[str]], Met] = {}
        self._rest: list[Met] = []
        self._enter()
        self._meet()
        if not self._individual:
            self._from_line_ups()

    # ------------------------------------------------------------------------------- entrants

    def _enter(self) -> None:
        """Take the entrants, and the players of teams, with what any list says of them."""
        for one in _mentions(self._lists, self._individual):
            label = self._names.label(one)
            self._entrants[label] = _both(self._entrants.get(label), one)
        if self._individual:
            return
        boards = (b for one in self._lists for met in one.met for b in met.boards)
        seated = [player for board in boards for player in board.players if player]
        of_lists = [e for one in self._lists if one.individual is None for e in one.entrants]
        members = [player for one in self._lists for player, _ in one.members]
        for player in (*members, *(e for e in of_lists if e.team), *seated):
            team = self._names.of_team(player)
            if team in self._entrants:
                key = team, _key(player.name)
                self._players[key] = _both(self._players.get(key), player)
        alone = {_key(e.name): e for e in of_lists if not e.team}
        for key, player in self._players.items():
            if key[1] in alone:
                self._players[key] = _both(player, alone[key[1]])

    def _order(self) -> list[str]:
        """The entrants in start order: by start numbers, else by ratings, else as they stand."""
        entrants = self._entrants
        if all(one.number for one in entrants.values()):
            return sorted(entrants, key=lambda label: entrants[label].number)
        rated = any(one.rating for one in entrants.values())
        by = "in order of rating" if rated else "as they stand in the table"
        self.notes.append(f"the table has no start numbers: entrants are {by}")
        return sorted(entrants, key=lambda label: -entrants[label].rating)

    # ------------------------------------------------------------------------------- pairings

    def _meet(self) -> None:
        """Take the pairings of all lists, which must not contradict each other."""
        busy: dict[tuple[int, str], Met] = {}
        whole = [(one.file, {*map(self._names.label, one.entrants)}) for one in self._lists
                 if one.whole and (one.individual is not None or self._individual)]  # fmt: skip
        in_rounds = sorted((met for one in self._lists for met in one.met), key=lambda m: -m.round)
        for met in in_rounds:
            labels = [self._names.label(side) for side in met.sides if side]
            for label in labels:
                file = next((file for file, known in whole if label not in known), None)
                if file:
                    raise InputError(f"{met.where}: {_who(label)} is not in {file}")
            key = met.round, frozenset(labels)
            if len(key[1]) < len(labels):
                raise InputError(f"{met.where}: {_who(labels[0])} must have another opponent")
            if met.round == 0:
                self._add_without_round(met, key[1])
                continue
            for label in labels:
                other = busy.setdefault((met.round, label), met)
                if other is not met and self._key_of(other) != key:
                    raise self._contradiction(label, other, met)
            known = self._met.get(key)
            self._met[key] = self._same(known, met) if known else met
        rounds = {number for number, _ in self._met}
        for number in range(1, max(rounds, default=0) + 1):
            if number not in rounds:
                raise InputError(f"{self._file}: no list has round {number}: add its pairings")

    def _key_of(self, met: Met) -> tuple[int, frozenset[str]]:
        return met.round, frozenset(self._names.label(side) for side in met.sides if side)

    def _add_without_round(self, met: Met, pair: frozenset[str]) -> None:
        """Take a match of a square; beside rounds it must be one of theirs."""
        if not self._met:
            self._rest.append(met)
            return
        others = [one for (_, labels), one in self._met.items() if labels == pair]
        if met.points not in [self._turned(one, met).points for one in others]:
            first = self._names.label(met.sides[0])
            if not others:
                raise InputError(f"{met.where}: {_who(first)} has a match that no round has")
            raise self._contradiction(first, others[0], met)

    def _turned(self, met: Met, like: Met) -> Met:
        """A pairing with its sides in the order of another one."""
        a, b = met.sides
        if b is None or self._names.label(a) == self._names.label(like.sides[0]):
            return met
        boards = tuple(
            board._replace(players=_turned(board.players), half_points=_turned(board.half_points))
            for board in met.boards
        )
        points = met.points and _turned(met.points)
        return met._replace(sides=(b, a), points=points, boards=boards)

    def _same(self, known: Met, met: Met) -> Met:
        """One pairing of two that two lists have."""
        first, second = (known, met) if known.colours or not met.colours else (met, known)
        turned = self._turned(second, first)
        label = self._names.label(first.sides[0])
        if turned is not second and first.colours and second.colours:
            raise self._contradiction(label, known, met)
        differ = first.points and turned.points and first.points != turned.points
        told = self._individual and first.points and turned.points and first.played != turned.played
        boards = first.boards and turned.boards and [b[1:] for b in first.boards] != [
            b[1:] for b in turned.boards]  # fmt: skip
        kinds = {first.bye, turned.bye}
        if (
            differ
            or told
            or (len(kinds) == 2 and "zero" in kinds)
            or (boards and not self._same_boards(first, turned))
        ):
            raise self._contradiction(label, known, met)
        return first._replace(
            points=first.points or turned.points,
            played=first.played and turned.played,
            boards=first.boards or turned.boards,
        )

    def _same_boards(self, first: Met, second: Met) -> bool:
        """Whether two lists have the same boards of a match."""
        facts = [
            [(b.number, b.half_points, [p and _key(p.name) for p in b.players]) for b in met.boards]
            for met in (first, second)
        ]
        return facts[0] == facts[1]

    def _contradiction(self, label: str, first: Met, second: Met) -> InputError:
        """The error for two lists that say different things of one entrant in a round."""
        said = " but ".join(f"{self._said(met, label)} ({met.where})" for met in (first, second))
        number = f"round {first.round}: " if first.round else ""
        return InputError(f"{number}{_who(label)} has {said}")

    def _said(self, met: Met, label: str) -> str:
        """What a list says of an entrant in a round, in a few words."""
        own = self._names.label(met.sides[0]) == label
        other = met.sides[own] if met.sides[1] else None
        points = met.points if own else met.points and _turned(met.points)
        if other is None:
            return f"no opponent and {points[0] / 2:g}" if points else "no opponent"
        score = f"{points[0] / 2:g}-{points[1] / 2:g}" if points else "no result"
        colour = (" with White" if own else " with Black") if met.colours else ""
        default = "" if met.played else " by default"
        return f"{score}{default} against {_who(self._names.label(other))}{colour}"

    # -------------------------------------------------------------------------------- line-ups

    def _from_line_ups(self) -> None:
        """Give matches the boards that follow from line-ups with the results of rounds."""
        results: dict[str, list[tuple[Entrant, tuple[str, ...]]]] = defaultdict(list)
        for one in self._lists:
            for player, cells in one.members:
                results[self._names.of_team(player)].append((player, cells))
        found = missing = 0
        for key, met in self._met.items():
            if met.boards or met.points is None or met.sides[1] is None:
                continue
            sides = [results.get(self._names.label(side), []) for side in met.sides if side]
            boards = _boards_of([list(_playing(side, met.round)) for side in sides], met.points)
            found, missing = found + bool(boards), missing + (boards is None)
            if boards:
                self._met[key] = met._replace(boards=boards)
        if found:
            self.notes.append(
                f"boards of {found} matches follow from line-ups: players sit in their order there"
            )
        if missing:
            self.notes.append(f"boards of {missing} matches do not follow from line-ups")

    # ---------------------------------------------------------------------------------- tables

    def event(self, name: str, options: Reading) -> TeamEvent:
        """The event of the lists."""
        order = self._order()
        titles = [t for one in reversed(self._lists) for t in one.titles if not _ADDRESS.search(t)]
        about: _Rows = [("key", "value"), ("name", titles[0][:MAX_NAME] if titles else name)]
        rounds = max(one.rounds for one in self._lists)
        if rounds and self._met:
            about.append(("rounds", rounds))
        met = sorted(self._met.values(), key=lambda one: one.round) if self._met else self._rest
        tables = {"event.csv": about, **(self._games(met) if self._individual else
                  self._matches(met, order)), **self._listed(order)}  # fmt: skip
        folder = Held(name, {file: _table(rows) for file, rows in tables.items()})
        try:
            event = read_folder(folder, name, replace(options, form="", individual=False))
        except InputError as error:  # which names a table and a line that the user does not have
            raise InputError(f"{self._file}: {_TABLE.sub('', str(error), 1)}") from error
        notes = [_TABLE.sub("", note) + (found["times"] or "" if (found := _TABLE.match(note)) else
                 "") for note in event.notes]  # fmt: skip
        return replace(event, published=self._published(event), notes=(*self.notes, *notes))

    def _published(self, event: TeamEvent) -> dict[str, tuple[str, ...]]:
        """The printed columns of the first list that has any, a crosstable before a ranking."""
        one = max(self._lists, key=lambda one: (bool(one.published), bool(one.met)))
        found = {h: {self._names.label(e): text for e, text in cells}
                 for h, cells in one.published.items()}  # fmt: skip
        return {h: tuple(texts.get(t, "") for t in event.teams) for h, texts in found.items()}

    def _listed(self, order: Sequence[str]) -> dict[str, _Rows]:
        """The entrants, and the players of teams, as tables of an event folder."""
        heads = ("team", "name", "rating", "federation", "fide_id", "title")

        def row(team: str, one: Entrant) -> tuple[object, ...]:
            return team, one.name, one.rating or "", one.federation, one.fide_id, one.title

        if self._individual:
            return {"players.csv": [heads, *(row(label, self._entrants[label]) for label in order)]}
        tables: dict[str, _Rows] = {"teams.csv": [("team",), *((label,) for label in order)]}
        if self._players:
            players = [row(team, one) for (team, _), one in self._players.items()]
            tables["players.csv"] = [heads, *players]
        return tables

    def _games(self, met: Iterable[Met]) -> dict[str, _Rows]:
        """The games of players."""
        rows: _Rows = [("round", "white_player", "black_player", "result", "status", "bye")]
        for one in met:
            white, black = (self._names.label(side) if side else "" for side in one.sides)
            result = _RESULT[one.points] if one.points and black else ""
            status = STATUS[not one.played] if result else ""
            rows.append((one.round, white, black, result, status, one.bye))
        return {"matches.csv": rows}

    def _matches(self, met: Sequence[Met], order: Sequence[str]) -> dict[str, _Rows]:
        """The matches of teams, and their boards."""
        boards = max((sum(one.points) for one in met if one.points and one.sides[1]), default=2)
        rows: _Rows = [
            ("round", "match", "team_a", "team_b", "game_points_a", "game_points_b",
             "boards_decided", "boards_forfeited", "bye", "match_points_a")
        ]  # fmt: skip
        games: _Rows = [
            ("round", "match", "board", "white_team", "black_team", "result", "status",
             "white_player", "black_player", "white_rating", "black_rating")
        ]  # fmt: skip
        colours = False
        for number, one in enumerate(met, start=1):
            a, b = (self._names.label(side) if side else "" for side in one.sides)
            if not b:
                rows.append((one.round or "", number, a, "", *self._bye(one, a, boards // 2)))
                continue
            points = [half / 2 for half in one.points] if one.points else ["", ""]
            decided = self._decided(one, a, b)
            rows.append((one.round or "", number, a, b, *points, *decided, "", ""))
            games += self._seated(one, number, (a, b))
            colours |= bool(one.boards) and not one.colours
        if colours:
            self.notes.append(
                "boards have no colours: the first team has White on board 1, then in turn"
            )
        return {"matches.csv": rows} | ({"boards.csv": games} if games[1:] else {})

    def _decided(self, met: Met, a: str, b: str) -> tuple[object, object]:
        """Boards decided and forfeited; empty if that follows from the points."""
        if met.boards:
            sums = [sum(one.half_points[side] for one in met.boards) for side in (0, 1)]
            if met.points and tuple(sums) != met.points:
                told = "-".join(f"{half / 2:g}" for half in met.points)
                found = "-".join(f"{half / 2:g}" for half in sums)
                match = f"{_who(a)} - {_who(b)}"
                raise InputError(
                    f"{met.where}: the boards of {match} must add up to {told}, got {found}"
                )
            scored = [one for one in met.boards if one.played or any(one.half_points)]
            return len(scored), sum(not one.played for one in scored)
        if met.points and not met.played:
            return sum(met.points) // 2, sum(met.points) // 2
        return "", ""

    def _seated(
        self, met: Met, number: int, teams: tuple[str, str]
    ) -> Iterator[tuple[object, ...]]:
        """The boards of a match; colours are in turn."""
        for one in met.boards:
            sides = [
                (team, half, self._players[team, _key(player.name)] if player else None)
                for team, half, player in zip(teams, one.half_points, one.players, strict=True)
            ]
            white, black = sides if one.number % 2 else sides[::-1]
            result = _RESULT[white[1], black[1]]
            names = (side[2].name if side[2] else "" for side in (white, black))
            ratings = (side[2].rating or "" if side[2] else "" for side in (white, black))
            yield (met.round, number, one.number, white[0], black[0], result,
                   STATUS[not one.played], *names, *ratings)  # fmt: skip

    def _bye(self, met: Met, label: str, boards: int) -> tuple[object, ...]:
        """The cells of the bye of a team: it has its points, where a list tells them."""
        points = met.points[0] if met.points else boards
        if met.bye == "zero" or points == boards:
            return ("", "", "", "", met.bye, "")
        won = 1 + (points > boards) - (points < boards)
        self.notes.append(
            f"round {met.round}: the bye of {_who(label)} is worth {points / 2:g} game points, and "
            f"{won} match points as a match with these would be"
        )
        return (points / 2, "", "", "", met.bye, won)


class _Names:
    """What entrants are called: by their names, or by names and start numbers."""

    def __init__(self, mentions: Iterable[Entrant]) -> None:
        self._numbers: dict[str, set[int]] = defaultdict(set)
        self._printed: dict[str, str] = {}
        for one in mentions:
            self._numbers[_key(one.name)] |= {one.number} - {0}
            self._printed.setdefault(_key(one.name), one.name)

    def label(self, one: Entrant) -> str:
        """The name of an entrant, unlike that of any other."""
        key = _key(one.name)
        if len(self._numbers[key]) < 2 or one.alias:
            return one.alias or self._printed.get(key, one.name)
        if not one.number:
            numbers = " and ".join(map(str, sorted(self._numbers[key])[:2]))
            raise InputError(
                f"{one.where}: {_who(one.name)} has start numbers {numbers} elsewhere: export this "
                "list with start numbers (SNo)"
            )
        return f"{self._printed[key]} (No. {one.number})"

    def of_team(self, player: Entrant) -> str:
        """The name of a player's team."""
        return self._printed.get(_key(player.team), player.team)


def _mentions(lists: Sequence[Listed], individual: bool) -> Iterator[Entrant]:
    """All entrants that lists name, those of start lists first."""
    for one in lists:
        if individual or one.individual is not None:
            yield from one.entrants
    for one in lists:
        for met in one.met:
            yield from filter(None, met.sides)


def _both(known: Entrant | None, one: Entrant) -> Entrant:
    """An entrant with what two lists say; the first one counts."""
    if known is None:
        return one
    return known._replace(
        number=known.number or one.number,
        rating=known.rating or one.rating,
        title=known.title or one.title,
        federation=known.federation or one.federation,
        fide_id=known.fide_id or one.fide_id,
    )


def _key(name: str) -> str:
    """A name without case, accents, spaces and punctuation."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in letters if c.isalnum()) or name


def _playing(
    members: Iterable[tuple[Entrant, tuple[str, ...]]], number: int
) -> Iterator[tuple[Entrant, str]]:
    """The players of a team in a round, with their results, in the order of the line-up."""
    for player, cells in members:
        if number <= len(cells) and cells[number - 1]:
            yield player, cells[number - 1]


def _boards_of(
    sides: Sequence[Sequence[tuple[Entrant, str]]], points: tuple[int, int]
) -> tuple[Board, ...] | None:
    """The boards of two line-ups; None if results do not fit, nothing if nobody is listed."""
    if not any(sides):
        return ()
    if len(sides[0]) != len(sides[1]):
        return None
    boards: list[Board] = []
    for number, ((a, mine), (b, its)) in enumerate(zip(*sides, strict=True), start=1):
        result = result_of(f"{mine} - {its}")
        if result is None or sum(result[0]) not in (0, 2) or (result[1] and not sum(result[0])):
            return None
        boards.append(Board(number, (a, b), *result))
    sums = tuple(sum(one.half_points[side] for one in boards) for side in (0, 1))
    return tuple(boards) if sums == points else None


def _turned(pair: tuple[T, T]) -> tuple[T, T]:
    return pair[1], pair[0]


def _who(name: str) -> str:
    """A name in a message."""
    return plain(name[:40])


def _table(rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
