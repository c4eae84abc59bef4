"""The entries of the players in a Tournament Report File: who met whom.

The file has one entry per player and round. `read_draw` joins these to boards and matches;
`trf_read` lists the conventions for ambiguous records.

Teams and players are numbered from 0, rounds from 1.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tb2learn.events.formats.fields import Notes
from tb2learn.events.formats.trf_lines import (
    BYE_OF_LETTER,
    ENTRY,
    MAX_PLAYERS,
    PLAYED,
    ROUND_WIDTH,
    ROUNDS_FROM,
    UNPLAYED,
    Columns,
    Line,
    Records,
)
from tb2learn.events.formats.trf_squads import Roster
from tb2learn.events.parts import Pair, one_round
from tb2learn.types import MAX_ROUNDS, InputError

HALF, OPEN = "\u00bd", "*"
_MEMBER = "a member of a team (record 310 or 013)"
_NAMED_BACK = "a player whose own entry of the round names this one"
_RESULTS = f"one of {' '.join((*PLAYED, *UNPLAYED, *BYE_OF_LETTER))} or blank"
_POSSIBLE = {(2, 0), (1, 1), (0, 2), (0, 0)}

Place = tuple[int, int]
"""A round, and a team or a player in it."""


@dataclass(frozen=True)
class RoundEntry:
    """The entry of one player in one round: a game, or a point without a game.

    **Fields:**

    - `line`, `round`: where the entry stands.
    - `player`, `opponent`: numbers of players; no opponent is None here, `0000` in the file.
    - `colour`: `w`, `b` or empty.
    - `half_points`: 2, 1 or 0.
    - `played`: False for a point won or lost by default.
    """

    line: Line
    round: int
    player: int
    opponent: int | None
    colour: str
    half_points: int
    played: bool

    def error(self, field: str, allowed: str) -> InputError:
        """The error for a field of the entry."""
        return self.line.error(entry_field(field, self.round), allowed)


@functools.cache
def entry_field(name: str, round_number: int) -> Columns:
    """Where a field of the entry of a round stands."""
    first, last = (ROUNDS_FROM + ROUND_WIDTH * (round_number - 1) + at for at in ENTRY[name])
    return Columns(first, last, f"{name} of round {round_number}")


@dataclass(frozen=True)
class Draw:
    """Who met whom, according to the records of the players.

    **Fields:**

    - `roster`: teams and players.
    - `entries`: entries of boards by round and player; those of two opponents name each other.
    - `letters`: by round and team, every bye letter of its players, with the first entry that has
      it.
    - `rivals`: the opposing team by round and team.
    - `unfinished`: the first round with a board without a result; `MAX_ROUNDS + 1` without one.
    - `drawn`: its pairs.
    """

    roster: Roster
    entries: dict[Place, RoundEntry]
    letters: dict[Place, dict[str, RoundEntry]]
    rivals: dict[Place, int]
    unfinished: int
    drawn: tuple[Pair, ...] = ()

    def team(self, player: int) -> int:
        """The team of a player."""
        return self.roster.players[player].team

    def meet(self, round_number: int, team: int, other: int) -> bool:
        """Record that two teams met; False if one team already has another opponent."""
        return team != other and all(
            self.rivals.setdefault((round_number, a), b) == b
            for a, b in ((team, other), (other, team))
        )


def read_draw(records: Records, roster: Roster) -> Draw:
    """Read the entries of the players in records 001, and find who met whom.

    **Raises:** `InputError` for entries that are invalid or contradict each other.
    """
    entries: dict[Place, RoundEntry] = {}
    without_result: dict[Place, RoundEntry] = {}
    stars: set[Place] = set()
    letters: dict[Place, dict[str, RoundEntry]] = defaultdict(dict)
    for line in records["001"]:
        player = roster.numbers.get(line.start_number())
        for entry, result in _entries(line, player, roster):
            on_board = result in PLAYED or result in UNPLAYED
            if entry.opponent is None and result == OPEN:
                if player is not None:
                    stars.add((entry.round, roster.players[player].team))
            elif entry.opponent is not None and result in ("", OPEN):
                without_result[entry.round, -1 if player is None else player] = entry
            elif player is None:
                if on_board:
                    raise line.error("start number", _MEMBER)
            elif on_board:
                entries[entry.round, player] = entry
            elif result:
                place = entry.round, roster.players[player].team
                letters[place].setdefault(result, entry)
    there = {(number, roster.players[player].team) for number, player in entries} | letters.keys()
    unfinished = min([r for r, _ in stars - there] + [_first_unfinished(without_result, entries)])
    finished = {key: entry for key, entry in entries.items() if key[0] < unfinished}
    drawn = _drawn({**entries, **without_result}, letters, roster, unfinished)
    draw = Draw(roster, finished, letters, {}, unfinished, drawn)
    _pair(draw, records.notes)
    return draw


def _drawn(
    entries: Mapping[Place, RoundEntry],
    letters: Mapping[Place, Mapping[str, RoundEntry]],
    roster: Roster,
    unfinished: int,
) -> tuple[Pair, ...]:
    """The pairs of the first unfinished round, played or not: who has White is first."""
    pairs: list[Pair] = []
    for (round_number, player), entry in entries.items():
        if round_number == unfinished and player >= 0 and entry.opponent is not None:
            own, other = roster.players[player].team, roster.players[entry.opponent].team
            pairs.append((other, own) if entry.colour == "b" else (own, other))
    byes = (team for (r, team), found in letters.items() if r == unfinished and "U" in found)
    return one_round([*pairs, *((team, None) for team in byes)])


def _entries(line: Line, player: int | None, roster: Roster) -> Iterator[tuple[RoundEntry, str]]:
    """The entries of a record 001 with their results; those that are empty are passed over."""
    after = ROUNDS_FROM + ROUND_WIDTH * MAX_ROUNDS
    if line.cut(after):
        field = Columns(after, None, f"round {MAX_ROUNDS + 1}")
        raise line.error(field, f"blank: at most {MAX_ROUNDS} rounds")
    for round_number in range(1, MAX_ROUNDS + 1):
        opponent, colour = (entry_field(name, round_number) for name in ("opponent", "colour"))
        result = _result(line, round_number)
        if not result and not line.cut(opponent.first, colour.last):
            continue
        entry = _entry(line, round_number, result, player or 0, roster.numbers)
        if entry.opponent is None and line.text(opponent).strip("0"):
            known = "a player (record 001)" if roster.individual else _MEMBER
            raise entry.error("opponent", known)
        yield entry, result


def _first_unfinished(
    without_result: Mapping[Place, RoundEntry], entries: Mapping[Place, RoundEntry]
) -> int:
    """The first round with a game without a result; `MAX_ROUNDS + 1` without one.

    A result that the opponent's entry has is enough; `_pair` says so, or refuses it.
    """
    first = MAX_ROUNDS + 1
    for (round_number, player), entry in without_result.items():
        back = entries.get((round_number, -1 if entry.opponent is None else entry.opponent))
        if back is None or back.opponent != player or not back.played:
            first = min(first, round_number)
    return first


def _result(line: Line, round_number: int) -> str:
    """The result of the entry of a round."""
    field = entry_field("result", round_number)
    result = line.text(field).upper()
    if result == HALF:
        line.odd(f"the result {HALF} is a draw", field, _RESULTS)
        return "="
    if result == OPEN:
        line.odd(f"the result {OPEN} is none", field, _RESULTS)
    return result


def _entry(
    line: Line, round_number: int, result: str, player: int, numbers: Mapping[int, int]
) -> RoundEntry:
    """The entry of a round; `numbers` are those of the players by start number."""
    against = line.integer(entry_field("opponent", round_number), 0, MAX_PLAYERS, default=0)
    colour = line.text(entry_field("colour", round_number)).lower()
    entry = RoundEntry(
        line=line,
        round=round_number,
        player=player,
        opponent=numbers.get(against),
        colour=colour if colour in ("w", "b") else "",
        half_points=PLAYED.get(result, UNPLAYED.get(result, 0)),
        played=result in PLAYED,
    )
    if colour not in ("w", "b", "-", ""):
        where = entry_field("colour", round_number)
        line.odd("a colour other than w and b is not known", where, "w, b, - or blank", "colours")
    allowed = (*PLAYED, *UNPLAYED) if against else (*UNPLAYED, *BYE_OF_LETTER)
    if result not in ("", OPEN, *allowed):
        where = "for a board" if against else "against 0000"
        raise entry.error("result", f"one of {' '.join(allowed)} or blank {where}")
    return entry


def _pair(draw: Draw, notes: Notes) -> None:
    """Check that the entries of both players of a board agree.

    The entry of a player who lost by default may be missing or against `0000`. It is then made from
    the winner's. If several entries without a game name the same absent player, only the first
    keeps the opponent.
    """
    named: set[Place] = set()
    for key, entry in sorted(draw.entries.items()):
        round_number, player = key
        if entry.opponent is None:
            continue
        if not draw.meet(round_number, draw.team(player), draw.team(entry.opponent)):
            allowed = "of the one other team that the team meets in the round"
            if draw.roster.individual:
                allowed = "the one other player who names this one in the round"
            raise entry.error("opponent", allowed)
        place = (round_number, entry.opponent)
        back = draw.entries.get(place)
        if back is None and entry.played:
            assumed = "a game that only one of its players has counts for both"
            entry.line.odd(assumed, entry_field("opponent", round_number), _NAMED_BACK)
            colour = {"w": "b", "b": "w"}.get(entry.colour, "")
            back = replace(
                entry, player=entry.opponent, opponent=player, colour=colour,
                half_points=2 - entry.half_points,
            )  # fmt: skip
            draw.entries[place] = back
        elif back is None or (back.opponent is None and not (entry.played or back.played)):
            lost = replace(entry, player=entry.opponent, colour="", half_points=0)
            back = replace(back or lost, opponent=player)
            draw.entries[place] = back
            named.add(place)
        if place in named and not entry.played and back.opponent != player:
            draw.entries[key] = replace(entry, opponent=None)
            continue
        if back.opponent != player:
            raise entry.error("opponent", _NAMED_BACK)
        points = (entry.half_points, back.half_points)
        if entry.played != back.played or points not in _POSSIBLE:
            raise entry.error("result", f"one that fits the opponent's (line {back.line.number})")
        if entry.colour and draw.entries[key].colour == back.colour:
            notes.odd(
                "two players of a game have the same colour: that of the first one counts",
                entry.line,
                functools.partial(_same_colour, entry, back),
                entry.line.whom(),
                "colours",
            )
            draw.entries[place] = replace(back, colour="")


def _same_colour(entry: RoundEntry, back: RoundEntry) -> InputError:
    return entry.error("colour", f"not the opponent's (line {back.line.number})")
