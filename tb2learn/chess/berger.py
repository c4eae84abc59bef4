"""Round robins: who meets whom in which round, with which colour, by Berger's construction.

R. Schurig published the construction in 1886, and J. Berger printed its tables with credit to him;
FIDE's are the same (Handbook C.05, annex 1, Berger tables). Players are numbered from 0 here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from tb2learn.chess import ORDERS, Order
from tb2learn.chess.event_format import MAX_REPEATS, cycle_rounds
from tb2learn.shapes import Int
from tb2learn.types import BYE, MAX_TEAMS, InputError

WHITE, BLACK, REST = 1, -1, 0
"""A player's colour in a round."""


@dataclass(frozen=True)
class Colours:
    """The colours of a schedule.

    **Fields:**

    - `surplus`: the most that a player has one colour more often than the other.
    - `repeats`: how often somebody has the colour of the game before again, over all players.
    - `longest`: the most games that somebody has the same colour running.
    - `in_threes`: how many players have the same colour three times running, or more often.
    """

    surplus: int
    repeats: int
    longest: int
    in_threes: int


@dataclass(frozen=True)
class RoundRobin:
    """All rounds of an event whose pairs are known before it starts.

    **Fields:**

    - `players`: how many there are.
    - `games`: `[rounds, boards, 2]` who has White and who has Black on every board.
    """

    players: int
    games: Int[np.ndarray, "rounds boards 2"]

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return len(self.games)

    @cached_property
    def opponents(self) -> Int[np.ndarray, "rounds players"]:
        """Whom everybody meets; `BYE` in the round where a player rests."""
        # Whoever stands in no game of the round rests.
        met = np.full((self.rounds, self.players), BYE, np.int32)
        white, black = np.moveaxis(self.games, -1, 0)
        np.put_along_axis(met, white, black, axis=1)
        np.put_along_axis(met, black, white, axis=1)
        return met

    @cached_property
    def colours(self) -> Int[np.ndarray, "rounds players"]:
        """Everybody's colour: `WHITE`, `BLACK`, or `REST`."""
        colours = np.full((self.rounds, self.players), REST, np.int32)
        for seat, colour in enumerate((WHITE, BLACK)):
            np.put_along_axis(colours, self.games[..., seat], colour, axis=1)
        return colours

    def resting(self, number: int) -> int | None:
        """Who rests in a round, counted from 0; None if nobody does."""
        (free,) = np.nonzero(self.colours[number] == REST)
        return int(free[0]) if len(free) else None

    def colour_counts(self) -> Colours:
        """How even the colours are. A rest is left out: the games before and after it follow."""
        repeats, runs = 0, []
        for colours in self.colours.T:
            played = colours[colours != REST]
            # Entry k compares games k and k + 1: a run begins at k + 1.
            changes = np.flatnonzero(np.diff(played)) + 1
            lengths = np.diff(np.concatenate([[0], changes, [len(played)]]))
            repeats += int((lengths - 1).sum())
            runs.append(int(lengths.max()))
        surplus = int(np.abs(self.colours.sum(axis=0)).max())
        return Colours(surplus, repeats, max(runs), sum(run >= 3 for run in runs))


def round_robin(players: int, cycles: int = 1, order: Order = "berger") -> RoundRobin:
    """A round robin.

    With an odd number of players, m, the numbers run on cyclically in rows of h = (m+1)/2: board c
    of round r (both from 0) has ``(r h + c) mod m`` against ``(r h - c) mod m``, the first with
    White. On board 0 both are equal; this player rests. In an even field the last player takes the
    rest: with Black in rounds 0, 2, ..., with White in the others.

    So in one cycle everybody's colours are within one of each other (exactly even in an odd field),
    and nobody has three games running with one colour. There are n - 2 repeats of a colour in an
    even field, the fewest possible, and none in an odd one.

    Further cycles have the colours of the cycle before turned round. The last two rounds of every
    cycle but the last are exchanged, as FIDE recommends, so that nobody has one colour three times
    running where two cycles meet (but for four players in three cycles or more).

    **Arguments:**

    - `players`: 2 to 1000.
    - `cycles`: how often everybody meets everybody, 1 to 8.
    - `order`: `berger`; or `rutch-berger`, the same rounds with rows that move back by one, which
      gives nearly everybody long runs of one colour.

    **Raises:** `InputError` for other numbers.
    """
    if not 2 <= players <= MAX_TEAMS:
        raise InputError(f"players must be 2..{MAX_TEAMS}, got {players}")
    if not 1 <= cycles <= MAX_REPEATS:
        raise InputError(f"cycles must be 1..{MAX_REPEATS}, got {cycles}")
    cycle = _one_cycle(players, order)
    early = np.concatenate([cycle[:-2], cycle[-2:][::-1]])
    cycles_of_rounds = [early] * (cycles - 1) + [cycle]
    # Every second cycle with the colours turned round.
    turned = [
        part[..., ::-1] if number % 2 else part for number, part in enumerate(cycles_of_rounds)
    ]
    return RoundRobin(players, np.concatenate(turned).astype(np.int32))


def is_table(rounds: Sequence[Sequence[tuple[int, int]]], players: int) -> bool:
    """Whether rounds are the first ones of a Berger table, in some numbering of the players.

    **Arguments:** `rounds`: of each the pairs, who has White first; every player at most once.
    """
    if len(rounds) > cycle_rounds(players):
        return False
    sides = [_sides(pairs) for pairs in rounds]
    for order in ORDERS:
        games = round_robin(players, 1, order).games[: len(rounds)].tolist()
        table = [_sides([(white, black) for white, black in pairs]) for pairs in games]
        if any(_numbered(table, sides, first, players) for first in range(players)):
            return True
    return False


_Sides: TypeAlias = dict[int, tuple[int, bool]]
"""The opponent of everybody who plays in a round, and whether he has Black."""


def _sides(pairs: Sequence[tuple[int, int]]) -> _Sides:
    return {a: (b, False) for a, b in pairs} | {b: (a, True) for a, b in pairs}


def _numbered(table: Sequence[_Sides], rounds: Sequence[_Sides], first: int, players: int) -> bool:
    """Whether rounds are those of a table in which number 0 is the player `first`.

    Whoever meets number n in a round has the number of the opponent of n there, so from one player
    the numbers of all follow.
    """
    player_of, ahead = {0: first}, [0]
    for number in ahead:
        for of_table, of_round in zip(table, rounds, strict=True):
            meets, played = of_table.get(number), of_round.get(player_of[number])
            if meets is None or played is None:
                # Who rests in the table rests in the round.
                if meets is not played:
                    return False
                continue
            if meets[1] != played[1] or player_of.setdefault(meets[0], played[0]) != played[0]:
                return False
            if meets[0] not in ahead:
                ahead.append(meets[0])
    # All of them, and no player under two numbers.
    return len(player_of) == len(set(player_of.values())) == players


def _one_cycle(players: int, order: Order) -> Int[np.ndarray, "rounds boards 2"]:
    rounds, last = cycle_rounds(players), players - 1
    # An odd number of rounds in every field: m of an odd one, n - 1 of an even one.
    row = (rounds + 1) // 2
    number, board = np.arange(rounds)[:, None], np.arange(row)
    # Rows of Berger run on from one round to the next; those of Rutch move back by one.
    start = number * (row if order == "berger" else -1)
    games = np.stack([(start + board) % rounds, (start - board) % rounds], axis=-1)
    if players % 2:
        return games[:, 1:]  # on board 0 both numbers are those of the player who rests
    games[::2, 0, 1] = games[1::2, 0, 0] = last
    return games
