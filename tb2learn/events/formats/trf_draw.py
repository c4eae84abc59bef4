"""The entries of the players in a Tournament Report File: who met whom.

The file has one entry per player and round. `read_draw` joins these to boards and matches;
`trf_read` lists the conventions for ambiguous records.

Teams and players are numbered from 0, rounds from 1.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tb2learn.events.formats.oddities import Notes
from tb2learn.events.formats.trf_lines import BYE_OF_LETTER, MAX_PLAYERS, Line
from tb2learn.events.parts import Player
from tb2learn.types import MAX_ROUNDS, InputError

PLAYED = {"1": 2, "W": 2, "=": 1, "D": 1, "0": 0, "L": 0}
HALF = "\u00bd"
UNPLAYED = {"+": 2, "-": 0}
_MEMBER = "a member of a team (record 310 or 013)"
_POSSIBLE = {(2, 0), (1, 1), (0, 2), (0, 0)}


@dataclass(frozen=True)
class Entry:
    """The entry of one player in one round: a game, or a point without a game.

    **Fields:**

    - `line`, `column`: where the entry starts.
    - `player`, `opponent`: numbers of players; no opponent is None here, `0000` in the file.
    - `colour`: `w`, `b` or empty.
    - `half_points`: 2, 1 or 0.
    - `played`: False for a point won or lost by default.
    """

    line: Line
    column: int
    player: int
    opponent: int | None
    colour: str
    half_points: int
    played: bool

    def error(self, round_number: int, field: str, allowed: str) -> InputError:
        """The error for a field of the entry."""
        first, last = {"opponent": (0, 3), "colour": (5, 5), "result": (7, 7)}[field]
        return self.line.error(
            self.column + first, self.column + last, f"{field} of round {round_number}", allowed
        )


@dataclass(frozen=True)
class Draw:
    """Who met whom, according to the records of the players.

    **Fields:**

    - `teams`: the team of every player.
    - `entries`: entries of boards by round and player; those of two opponents name each other.
    - `letters`: by round and team, every bye letter of its players, with the first entry that has
      it.
    - `rivals`: the opposing team by round and team.
    - `unfinished`: the first round with a board without a result; `MAX_ROUNDS + 1` without one.
    - `individual`: whether players are teams of one.
    """

    teams: tuple[int, ...]
    entries: dict[tuple[int, int], Entry]
    letters: dict[tuple[int, int], dict[str, Entry]]
    rivals: dict[tuple[int, int], int]
    unfinished: int
    individual: bool = False

    def meet(self, round_number: int, team: int, other: int) -> bool:
        """Record that two teams met; False if one team already has another opponent."""
        return team != other and all(
            self.rivals.setdefault((round_number, a), b) == b
            for a, b in ((team, other), (other, team))
        )


def read_draw(
    lines: Sequence[Line],
    players: Sequence[Player],
    numbers: Mapping[int, int],
    notes: Notes,
    individual: bool = False,
) -> Draw:
    """Read the entries of the players, and find who met whom.

    **Arguments:**

    - `lines`: records 001.
    - `players`: as `read_trf` returns them.
    - `numbers`: numbers of the players by start number; players without a team are not included.
    - `notes`: takes what is assumed about unclear entries.
    - `individual`: whether players are teams of one.

    **Raises:** `InputError` for entries that are invalid or contradict each other.
    """
    teams = tuple(player.team for player in players)
    entries: dict[tuple[int, int], Entry] = {}
    without_result: dict[tuple[int, int], Entry] = {}
    letters: dict[tuple[int, int], dict[str, Entry]] = defaultdict(dict)
    after = 92 + 10 * MAX_ROUNDS
    for line in lines:
        if line.text(after):
            field, allowed = f"round {MAX_ROUNDS + 1}", f"blank: at most {MAX_ROUNDS} rounds"
            raise line.error(after, None, field, allowed)
        player = numbers.get(line.integer(5, 8, "start number", 1, MAX_PLAYERS))
        for round_number in range(1, MAX_ROUNDS + 1):
            column = 82 + 10 * round_number
            result = _result(line, column, notes)
            if not result and not line.text(column, column + 5):
                continue
            entry = _entry(line, column, round_number, result, player or 0, numbers, notes)
            if entry.opponent is None and line.text(column, column + 3).strip("0"):
                known = "a player (record 001)" if individual else _MEMBER
                raise entry.error(round_number, "opponent", known)
            on_board = result in PLAYED or result in UNPLAYED
            if entry.opponent is not None and not result:
                without_result[round_number, -1 if player is None else player] = entry
            elif player is None:
                if on_board:
                    raise line.error(5, 8, "start number", _MEMBER)
            elif on_board:
                entries[round_number, player] = entry
            elif result:
                letters[round_number, teams[player]].setdefault(result, entry)
    unfinished = _first_unfinished(without_result, entries, notes)
    finished = {key: entry for key, entry in entries.items() if key[0] < unfinished}
    draw = Draw(teams, finished, letters, {}, unfinished, individual)
    _pair(draw, notes)
    return draw


def _first_unfinished(
    without_result: Mapping[tuple[int, int], Entry],
    entries: Mapping[tuple[int, int], Entry],
    notes: Notes,
) -> int:
    """The first round with a game without a result; `MAX_ROUNDS + 1` without one.

    Unless the reader is strict, a result that the opponent's entry has is enough.
    """
    first = MAX_ROUNDS + 1
    for (round_number, player), entry in without_result.items():
        back = entries.get((round_number, -1 if entry.opponent is None else entry.opponent))
        if notes.strict or back is None or back.opponent != player or not back.played:
            first = min(first, round_number)
    return first


def _result(line: Line, column: int, notes: Notes) -> str:
    """The result of the entry that starts in a column."""
    result = line.text(column + 7, column + 7).upper()
    if result == HALF and not notes.strict:
        notes.odd(f"the result {HALF} is a draw", line)
        return "="
    return result


def _entry(
    line: Line,
    column: int,
    round_number: int,
    result: str,
    player: int,
    numbers: Mapping[int, int],
    notes: Notes,
) -> Entry:
    """Read the entry that starts in a column."""
    against = line.integer(
        column, column + 3, f"opponent of round {round_number}", 0, MAX_PLAYERS, default=0
    )
    colour = line.text(column + 5, column + 5).lower()
    entry = Entry(
        line=line,
        column=column,
        player=player,
        opponent=numbers.get(against),
        colour=colour if colour in ("w", "b") else "",
        half_points=PLAYED.get(result, UNPLAYED.get(result, 0)),
        played=result in PLAYED,
    )
    if colour not in ("w", "b", "-", ""):
        notes.odd(
            "a colour other than w and b is not known", line,
            lambda: entry.error(round_number, "colour", "w, b, - or blank"),
        )  # fmt: skip
    allowed = (*PLAYED, *UNPLAYED) if against else (*UNPLAYED, *BYE_OF_LETTER)
    if result and result not in allowed:
        raise entry.error(
            round_number,
            "result",
            f"one of {' '.join(allowed)} or blank {'for' if against else 'against'} "
            f"{'a board' if against else '0000'}",
        )
    return entry


def _pair(draw: Draw, notes: Notes) -> None:
    """Check that the entries of both players of a board agree.

    The entry of a player who lost by default may be missing or against `0000`. It is then made from
    the winner's. If several entries without a game name the same absent player, only the first
    keeps the opponent.
    """
    named: set[tuple[int, int]] = set()
    for key, entry in sorted(draw.entries.items()):
        round_number, player = key
        if entry.opponent is None:
            continue
        if not draw.meet(round_number, draw.teams[player], draw.teams[entry.opponent]):
            allowed = "of the one other team that the team meets in the round"
            if draw.individual:
                allowed = "the one other player who names this one in the round"
            raise entry.error(round_number, "opponent", allowed)
        place = (round_number, entry.opponent)
        back = draw.entries.get(place)
        if back is None and entry.played and not notes.strict:
            notes.odd("a game that only one of its players has counts for both", entry.line)
            colour = {"w": "b", "b": "w"}.get(entry.colour, "")
            back = replace(
                entry, player=entry.opponent, opponent=player, colour=colour,
                half_points=2 - entry.half_points,
            )  # fmt: skip
            draw.entries[place] = back
        elif back is None and not entry.played:
            back = replace(entry, player=entry.opponent, opponent=player, colour="", half_points=0)
            draw.entries[place] = back
            named.add(place)
        elif back is not None and back.opponent is None and not (entry.played or back.played):
            back = replace(back, opponent=player)
            draw.entries[place] = back
            named.add(place)
        if place in named and not entry.played and back is not None and back.opponent != player:
            draw.entries[key] = replace(entry, opponent=None)
            continue
        if back is None or back.opponent != player:
            raise entry.error(
                round_number, "opponent", "a player whose own entry of the round names this one"
            )
        points = (entry.half_points, back.half_points)
        if entry.played != back.played or points not in _POSSIBLE:
            raise entry.error(
                round_number, "result", f"one that fits the opponent's (line {back.line.number})"
            )
        if entry.colour and draw.entries[key].colour == back.colour:
            notes.odd(
                "two players of a game have the same colour: that of the first one counts",
                entry.line,
                functools.partial(_same_colour, entry, back, round_number),
            )
            draw.entries[place] = replace(back, colour="")


def _same_colour(entry: Entry, back: Entry, round_number: int) -> InputError:
    return entry.error(round_number, "colour", f"not the opponent's (line {back.line.number})")
