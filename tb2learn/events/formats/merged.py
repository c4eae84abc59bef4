"""Lists of one event put together: who takes part, and who met whom with what result.

Entrants are known by their names, without case, accents, spaces and punctuation, and where two have
the same one by their start numbers. What two lists say of one pairing must be the same. Boards of
team matches are in the pairings with boards; else they follow from the line-ups with results, if
these fit: players sit in the order of their line-up.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from tb2learn.events.formats.lists import Board, Entrant, Listed, Met, result_of
from tb2learn.text import plain
from tb2learn.types import InputError

T = TypeVar("T")
_Pair = tuple[int, frozenset[str]]
"""The round and the entrants of a pairing, one alone for a bye."""


class Merged:
    """The lists of one event.

    **Fields:**

    - `individual`: whether it is of players.
    - `entrants`: players or teams by names that are unlike each other.
    - `players`: of teams, by team and `name_key`.
    - `notes`: on what the lists do not tell.
    """

    def __init__(self, file: str, lists: Sequence[Listed]) -> None:
        self.lists, self._file = lists, file
        kinds = {one.individual: one.file for one in lists if one.individual is not None}
        if len(kinds) > 1:
            raise InputError(f"{file}: {kinds[True]} is of players, {kinds[False]} of teams")
        if not any(one.met for one in lists):
            raise InputError(
                f"{file}: must have results: add the crosstable, or the pairings of all rounds"
            )
        self.individual = True in kinds
        self.notes: list[str] = []
        self._names = _Names(self._mentions())
        self.entrants: dict[str, Entrant] = {}
        for one in self._mentions():
            name = self._names.of(one)
            self.entrants[name] = _both(self.entrants.get(name), one)
        self.players = {} if self.individual else self._players()
        self._met: dict[_Pair, Met] = {}
        self._rest: list[Met] = []
        self._meet()
        if not self.individual:
            self._seat()

    @property
    def met(self) -> list[Met]:
        """The pairings, round by round; the names of their sides are those of `entrants`."""
        in_rounds = sorted(self._met.values(), key=lambda one: one.round)
        return in_rounds or self._rest

    @property
    def published(self) -> dict[str, dict[str, str]]:
        """The printed columns of one list, a crosstable before a ranking, by entrants."""
        lists = filter(self._of_entrants, self.lists)
        one = max(lists, key=lambda one: (bool(one.published), bool(one.met)))
        return {
            heading: {self._names.of(entrant): text for entrant, text in cells}
            for heading, cells in one.published.items()
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

    # ------------------------------------------------------------------------------- entrants

    def _of_entrants(self, one: Listed) -> bool:
        """Whether a list has the entrants: in an event of teams it may have players instead."""
        return self.individual or one.individual is not None

    def _mentions(self) -> Iterator[Entrant]:
        """All entrants that lists name, those of start lists first."""
        for one in filter(self._of_entrants, self.lists):
            yield from one.entrants
        for one in self.lists:
            for met in one.met:
                yield from filter(None, met.sides)

    def _players(self) -> dict[tuple[str, str], Entrant]:
        """The players of teams: of line-ups and start lists, then those who sat on a board."""
        members = [player for one in self.lists for player, _ in one.members]
        others = [e for one in self.lists if not self._of_entrants(one) for e in one.entrants]
        met = (met for one in self.lists for met in one.met)
        seated = [p for one in met for board in one.boards for p in board.players if p]
        found: dict[tuple[str, str], Entrant] = {}
        for player in (*members, *(one for one in others if one.team), *seated):
            team = self._names.of_team(player)
            if team in self.entrants:
                key = team, name_key(player.name)
                found[key] = _both(found.get(key), player)
        alone = {name_key(one.name): one for one in others if not one.team}
        for key, player in found.items():
            found[key] = _both(player, alone.get(key[1], player))
        return found

    # ------------------------------------------------------------------------------- pairings

    def _meet(self) -> None:
        """Take the pairings of all lists, which must not contradict each other."""
        whole = {
            one.file: {*map(self._names.of, one.entrants)}
            for one in filter(self._of_entrants, self.lists)
            if one.whole
        }
        busy: dict[tuple[int, str], Met] = {}
        # Squares, which have no rounds, come last.
        for met in sorted((m for one in self.lists for m in one.met), key=lambda m: -m.round):
            met = self._called(met, whole)
            pair = _pair_of(met)
            if not met.round:
                self._add_without_round(met, pair)
                continue
            for name in (side.name for side in met.sides if side):
                other = busy.setdefault((met.round, name), met)
                if _pair_of(other) != pair:
                    raise _contradiction(name, other, met)
            self._met[pair] = _same(self._met[pair], met) if pair in self._met else met
        rounds = {number for number, _ in self._met}
        for number in range(1, max(rounds, default=0) + 1):
            if number not in rounds:
                raise InputError(f"{self._file}: no list has round {number}: add its pairings")

    def _called(self, met: Met, whole: dict[str, set[str]]) -> Met:
        """A pairing with the names of `entrants`, who are in every list of all entrants."""
        a, b = (side and replace(side, name=self._names.of(side)) for side in met.sides)
        assert a is not None
        for side in filter(None, (a, b)):
            file = next((file for file, known in whole.items() if side.name not in known), "")
            if file:
                raise InputError(f"{met.where}: {_who(side.name)} is not in {file}")
        if b and a.name == b.name:
            raise InputError(f"{met.where}: {_who(a.name)} must have another opponent")
        return replace(met, sides=(a, b))

    def _add_without_round(self, met: Met, pair: _Pair) -> None:
        """Take a match of a square; beside rounds it must be one of theirs."""
        if not self._met:
            self._rest.append(met)
            return
        others = [one for (_, names), one in self._met.items() if names == pair[1]]
        if not others:
            raise InputError(
                f"{met.where}: {_who(met.sides[0].name)} has a match that no round has"
            )
        if met.points not in [_like(met, one).points for one in others]:
            raise _contradiction(met.sides[0].name, others[0], met)

    def _seat(self) -> None:
        """Give matches the boards that follow from line-ups with the results of rounds.

        A team that in some match sat in another order has none.
        """
        line_ups: dict[str, list[tuple[Entrant, tuple[str, ...]]]] = defaultdict(list)
        for one in self.lists:
            for player, results in one.members:
                line_ups[self._names.of_team(player)].append((player, results))
        boards: dict[_Pair, tuple[Board, ...]] = {}
        doubtful: set[str] = set()
        for pair, met in self._met.items():
            if met.boards or met.points is None or met.sides[1] is None:
                continue
            playing = [
                [
                    (player, results[met.round - 1])
                    for player, results in line_ups[side.name]
                    if met.round <= len(results) and results[met.round - 1]
                ]
                for side in met.sides
                if side
            ]
            if any(playing):
                boards[pair] = _boards_of(playing, met.points)
            if len({*map(len, playing)}) == 1 and any(playing) and not boards[pair]:
                doubtful |= pair[1]
        found = {pair: them for pair, them in boards.items() if them and not doubtful & pair[1]}
        for pair, them in found.items():
            self._met[pair] = replace(self._met[pair], boards=them)
        if boards:
            less = len(boards) - len(found)
            but = f"; those of {less} do not" if less else ""
            self.notes.append(
                f"boards of {len(found)} matches follow from line-ups, as players sit in their "
                f"order{but}"
            )


class _Names:
    """What entrants are called: by their names, or by names and start numbers."""

    def __init__(self, mentions: Iterable[Entrant]) -> None:
        self._numbers: dict[str, set[int]] = defaultdict(set)
        self._printed: dict[str, str] = {}
        for one in mentions:
            self._numbers[name_key(one.name)] |= {one.number} - {0}
            self._printed.setdefault(name_key(one.name), one.name)

    def of(self, one: Entrant) -> str:
        """The name of an entrant, unlike that of any other."""
        key = name_key(one.name)
        if one.alias or len(self._numbers[key]) < 2:
            return one.alias or self._printed[key]
        if not one.number:
            numbers = " and ".join(map(str, sorted(self._numbers[key])[:2]))
            raise InputError(
                f"{one.where}: {_who(one.name)} has start numbers {numbers} elsewhere: export this "
                "list with start numbers (SNo)"
            )
        return f"{self._printed[key]} (No. {one.number})"

    def of_team(self, player: Entrant) -> str:
        """The name of a player's team."""
        return self._printed.get(name_key(player.team), player.team)


def name_key(name: str) -> str:
    """A name without case, accents, spaces and punctuation."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in letters if c.isalnum()) or name


def _both(known: Entrant | None, one: Entrant) -> Entrant:
    """An entrant with what two lists say; the first one counts."""
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


def _pair_of(met: Met) -> _Pair:
    return met.round, frozenset(side.name for side in met.sides if side)


def _like(met: Met, other: Met) -> Met:
    """A pairing with its sides in the order of the same one in another list."""
    a, b = met.sides
    if b is None or a.name == other.sides[0].name:
        return met
    boards = tuple(
        replace(board, players=turned(board.players), half_points=turned(board.half_points))
        for board in met.boards
    )
    points = met.points and turned(met.points)
    return replace(met, sides=(b, a), points=points, boards=boards)


def turned(pair: tuple[T, T]) -> tuple[T, T]:
    """The second, then the first."""
    return pair[1], pair[0]


def _same(known: Met, met: Met) -> Met:
    """One pairing of two that two lists have, in the order of that which knows colours."""
    first, second = (met, known) if met.colours and not known.colours else (known, met)
    second = _like(second, first)
    told = [
        (one.points and (one.points, not one.sides[1] or one.played), one.bye == "zero",
         one.boards and [(b.number, b.half_points, _keys(b)) for b in one.boards])
        for one in (first, second)
    ]  # fmt: skip
    # Only pairings of games tell of every one whether it was played.
    apart = any(a and b and a != b for a, b in zip(*told, strict=True))
    if apart or told[0][1] != told[1][1] or (known.colours and met.colours and _turns(known, met)):
        raise _contradiction(first.sides[0].name, known, met)
    return replace(
        first,
        points=first.points or second.points,
        played=first.played and second.played,
        boards=first.boards or second.boards,
    )


def _turns(known: Met, met: Met) -> bool:
    return known.sides[0].name != met.sides[0].name


def _keys(board: Board) -> list[str]:
    return [name_key(player.name) if player else "" for player in board.players]


def _contradiction(name: str, first: Met, second: Met) -> InputError:
    """The error for two lists that say different things of one entrant in a round."""
    said = " but ".join(f"{_said(met, name)} ({met.where})" for met in (first, second))
    number = f"round {first.round}: " if first.round else ""
    return InputError(f"{number}{_who(name)} has {said}")


def _said(met: Met, name: str) -> str:
    """What a list says of an entrant in a round, in a few words."""
    own = met.sides[0].name == name
    other = met.sides[1] if own else met.sides[0]
    points = met.points if own else met.points and turned(met.points)
    if met.sides[1] is None or other is None:
        return f"no opponent and {points[0] / 2:g}" if points else "no opponent"
    score = f"{points[0] / 2:g}-{points[1] / 2:g}" if points else "no result"
    default = "" if met.played else " by default"
    colour = (" with White" if own else " with Black") if met.colours else ""
    return f"{score}{default} against {_who(other.name)}{colour}"


def _boards_of(
    sides: Sequence[Sequence[tuple[Entrant, str]]], points: tuple[int, int]
) -> tuple[Board, ...]:
    """The boards of two line-ups; none if results do not fit."""
    boards: list[Board] = []
    for number, ((a, mine), (b, its)) in enumerate(zip(*sides, strict=False), start=1):
        result = result_of(f"{mine} - {its}")
        if result is None or sum(result[0]) not in (0, 2) or (result[1] and not sum(result[0])):
            return ()
        boards.append(Board(number, (a, b), *result))
    sums = tuple(sum(board.half_points[side] for board in boards) for side in (0, 1))
    fits = len(sides[0]) == len(sides[1]) == len(boards) and sums == points
    return tuple(boards) if fits else ()


def _who(name: str) -> str:
    """A name in a message."""
    return plain(name[:40])
