"""Members of a team who did not play, boards that are missing, and byes that no record tells of.

A file of 2016 has an entry for every member in every round, mostly `0000 - -` where he did not
play: a member who rested looks like one who lost by default. Which boards a match has follows from
the entries that name an opponent and from the points won by default.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from tb2learn.events.formats.fields import Notes
from tb2learn.events.formats.options import Reading
from tb2learn.events.formats.options import half_points as parsed
from tb2learn.events.formats.trf_draw import Draw, Place
from tb2learn.events.formats.trf_lines import (
    ENTRY,
    PLAYED,
    ROUND_WIDTH,
    ROUNDS_FROM,
    UNPLAYED,
    Line,
)
from tb2learn.events.formats.trf_results import Payment
from tb2learn.events.terms import terms
from tb2learn.text import plain
from tb2learn.types import MAX_BOARDS

POINTS = {**PLAYED, **UNPLAYED}
BYES = {"F": 2, "U": 2, "H": 1}


@dataclass(frozen=True)
class LineUp:
    """A record 300: round and team, its known players, and how many boards it has."""

    round: int
    team: int
    players: Sequence[int]
    boards: int


@dataclass
class _Side:
    """Entries of one team in one round: with an opponent, won alone, `0000 - -`."""

    paired: int = 0
    won: int = 0
    idle: list[Place] = field(default_factory=list)


def settle(draw: Draw, boards: int, line_ups: Sequence[LineUp], notes: Notes) -> int:
    """Decide which entries `0000 - -` are boards, and remove the others from the draw.

    - A player whose points field has one point more than his results won by default the one board
      that both players have as lost by default; else, if he has `0000 - -` in one round in which
      the match of his team lacks a board, that board.
    - `0000 - -` is a board lost by default if there are boards for all such entries of the team;
      else these members did not play.

    **Arguments:**

    - `draw`: changed in place.
    - `boards`: of a match; 0 if no record says it.
    - `line_ups`: records 300, whose players sat on a board.

    **Returns:** the boards of a match: as given, else the most that a match has.

    **Raises:** `InputError` in a strict reader, where anything is to be decided.
    """
    listed = {(one.round, player) for one in line_ups for player in one.players}
    sides: dict[Place, _Side] = defaultdict(_Side)
    for key, entry in draw.entries.items():
        side = sides[key[0], draw.team(key[1])]
        if entry.opponent is not None:
            side.paired += 1
        elif entry.half_points:
            side.won += 1
        elif key not in listed:
            side.idle.append(key)
    seats = {place: _seats(draw, sides, place) for place in {*sides, *draw.rivals}}
    found = max((n for place, n in seats.items() if place in draw.rivals), default=0)
    if boards and found > boards:
        text = f"a match has {found} boards, record 352 has {boards} colours: the boards count"
        notes.odd(text, None)
        boards = 0
    boards = boards or min(found, MAX_BOARDS)
    if not draw.roster.individual:  # a player's points field also has byes, which may pay anything
        _give_points(draw, sides, seats, boards, notes)
    for place, side in sorted(sides.items(), key=lambda item: item[0]):
        free = boards - side.paired - side.won if place in draw.rivals else MAX_BOARDS
        if len(side.idle) > free:
            for key in side.idle:
                assumed = "0000 - - of a member beside a full match means: did not play"
                line = draw.entries[key].line
                notes.odd(assumed, line, whom=line.whom())
                del draw.entries[key]
            side.idle.clear()
    whole = {(one.round, one.team) for one in line_ups if one.boards >= boards}
    _name_missing(draw, sides, boards, whole, notes)
    return boards


def _seats(draw: Draw, sides: Mapping[Place, _Side], place: Place) -> int:
    """The boards of the match of a team that somebody played or won by default."""
    side, other = (
        sides.get(one, _Side()) for one in (place, (place[0], draw.rivals.get(place, -1)))
    )
    return max(side.paired, other.paired) + side.won + other.won


def _give_points(
    draw: Draw, sides: Mapping[Place, _Side], seats: dict[Place, int], boards: int, notes: Notes
) -> None:
    """Count boards won by default that only the points field of a player tells of."""
    nobody: dict[int, list[tuple[Place, Place]]] = defaultdict(list)
    for key, entry in draw.entries.items():
        if entry.opponent is not None and not entry.played and not entry.half_points:
            nobody[key[1]].append((key, (key[0], entry.opponent)))
    idle: dict[int, list[Place]] = defaultdict(list)
    for place, side in sides.items():
        if place in draw.rivals:
            for key in side.idle:
                idle[key[1]].append(key)
    for player in sorted({*nobody, *idle}):
        line, team = draw.roster.lines[player], draw.team(player)
        points = parsed(line.text("points"))
        lost = [key for key, other in nobody[player] if not draw.entries[other].half_points]
        rests = [k for k in idle[player] if seats[k[0], team] < boards]
        found = lost or rests
        if points is None or points - results_of(line)[0] != 2 or len(found) != 1:
            continue
        (key,) = found
        entry = draw.entries[key]
        draw.entries[key] = replace(entry, half_points=2)
        how = "that the match of the team lacks"
        if entry.opponent is None:
            place = key[0], team
            sides[place].idle.remove(key)
            sides[place].won += 1
            for one in (team, draw.rivals[place]):
                seats[key[0], one] += 1
        else:
            how = "whose point nobody has"
        notes.odd(
            f"a player with one point more in the points field than by the results won the one "
            f"board {how} by default",
            line,
            whom=("player", f"{line.text('name')[:40]} in round {key[0]}"),
        )


def results_of(line: Line) -> tuple[int, int]:
    """Half points of all results of a record 001: of boards alone, and with those of byes."""
    first = ROUNDS_FROM + ENTRY["result"][0]
    letters = [letter.upper() for letter in line.content[first - 1 :: ROUND_WIDTH]]
    won = sum(POINTS.get(letter, 0) for letter in letters)
    return won, won + sum(BYES.get(letter, 0) for letter in letters)


def _name_missing(
    draw: Draw, sides: Mapping[Place, _Side], boards: int, whole: Set[Place], notes: Notes
) -> None:
    """Name the matches that lack a board, unless a `whole` line-up says that it was empty."""
    names = draw.roster.names
    found = []
    for place, other in sorted(draw.rivals.items()):
        round_number, team = place
        if team > other or place not in sides or whole & {place, (round_number, other)}:
            continue
        side, against = sides[place], sides.get((round_number, other), _Side())
        alone = max(len(side.idle) - against.won, 0) + max(len(against.idle) - side.won, 0)
        if 0 < _seats(draw, sides, place) < boards and not alone:
            found.append(f"round {round_number} {_name(names[team])} - {_name(names[other])}")
    if found:
        notes.odd(
            f"matches that lack one of {boards} boards or more, which count as lost by both: "
            f"{_some(found)}",
            None,
        )


def _some(found: Sequence[str], most: int = 4) -> str:
    """How many, and the first of them."""
    return f"{len(found)}, {', '.join(found[:most])}{', ...' if len(found) > most else ''}"


def _name(team: str) -> str:
    return plain(team[:40])


def missing_byes(draw: Draw, told: bool, rounds: int) -> tuple[set[Place], set[Place]]:
    """Byes of teams without a match in a field of odd size, if the file tells of no bye at all.

    **Arguments:**

    - `draw`: settled.
    - `told`: whether a record or an entry tells of a bye.
    - `rounds`: of the event.

    **Returns:** round and team of every such bye, and of others without a match.
    """
    if told:
        return set(), set()
    names = draw.roster.names
    last: dict[int, int] = {}
    for r, team in draw.rivals:
        if r <= rounds:
            last[team] = max(r, last.get(team, 0))
    found: set[Place] = set()
    unclear: set[Place] = set()
    for r in range(1, rounds + 1):
        alone = [t for t in range(len(names)) if (r, t) not in draw.rivals]
        stayed = [t for t in alone if last.get(t, 0) > r]
        candidates = alone if len(alone) == 1 else stayed
        if len(candidates) == 1 and not _won_alone(draw, r, candidates[0]):
            found.add((r, candidates[0]))
        elif 1 < len(alone) < len(names):
            unclear |= {(r, t) for t in alone if t in last}
    return found, unclear


def say_byes(
    names: Sequence[str],
    found: Set[Place],
    unclear: Set[Place],
    payment: Payment,
    options: Reading,
    notes: Notes,
) -> None:
    """Say which byes are assumed, and what they pay; and which rounds are without pairing."""
    words = terms(payment.individual)
    who = f"{words.many} without a {words.game}"
    byes, others = (
        [f"round {r} {_name(names[t])}" for r, t in sorted(places)] for places in (found, unclear)
    )
    if others:
        notes.say(f"{who} and without a bye, not paired: {_some(others)}")
    if byes:
        by = "--bye-points" if options.bye_points else payment.usual_bye
        notes.odd(
            f"no record of byes: {who} had the pairing bye, {payment.bye_text} "
            f"({by}): {_some(byes, 7)}",
            None,
        )


def _won_alone(draw: Draw, round_number: int, team: int) -> bool:
    """Whether a player of a team without an opponent has a point of the round."""
    return any(
        entry.half_points > 0
        for (r, player), entry in draw.entries.items()
        if r == round_number and draw.team(player) == team
    )
