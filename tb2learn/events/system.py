"""What an event is: a Swiss, a round robin, a cup, or a list of matches without rounds.

It is decided once, when the event is read, and kept as `TeamEvent.system`: the event as it stood
after a round is what the whole event is. What an empty round is worth, what unplayed rounds count
for, and which criteria decide follow from it.

The user says it, else the file; else it follows from the pairs of the whole file, those still to be
played among them. Where only signs say it, it is a guess, and the event has a note:

- **A round robin** is an event whose number of rounds is that of one, in which nobody met more
  often than that allows, and of whose matches so far at least half are recorded. Half of the pairs
  alone prove nothing: four rounds of a Swiss of eight have as many.
- Where nobody says how many rounds there will be, it is one if the first rounds, three at least,
  are those of a Berger table, with its pairs and its sides. Three rounds of eight drawn by lot
  are so once in 10,000 times.
- **A cup** has at most half as many players in every round as in the round before, over three
  rounds or more, and nobody comes back.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias, get_args

SystemName: TypeAlias = Literal["swiss", "round-robin", "cup", "matches"]
SYSTEMS: tuple[SystemName, ...] = get_args(SystemName)
Origin: TypeAlias = Literal["asked", "said", "played", "guessed"]

_SAID: Mapping[SystemName, re.Pattern[str]] = {
    # A Swiss first: `Swiss-System (Dutch), cup` is one.
    "swiss": re.compile("swiss|schweizer|suisse|suizo|svizzer|dutch"),
    "round-robin": re.compile("round.?robin|all.?play.?all|berger"),
    "cup": re.compile(r"knock.?out|elimination|\bcup\b|\bpokal"),
}
"""What files call an event, in records 092 and 192 of a TRF or as the `type` of `event.csv`."""
_DOUBLE = re.compile("double|doppel")
_LEAST_TABLE = 3
"""Rounds from which on a Berger table is no chance."""
_LEAST_CUP = 3
"""Rounds from which on an event may be a cup: two are a Swiss whose second round is under way."""


@dataclass(frozen=True)
class System:
    """What an event is.

    **Fields:**

    - `name`: one of `SYSTEMS`.
    - `origin`: who says it: the user (`asked`), the file (`said`), or its pairs beyond doubt
      (`played`); `guessed` from signs.
    - `cycles`: how often everybody meets everybody; else 0. It may be above 0 in what the file
      calls a Swiss, where its pairs are all that there can be.
    - `sign`: of one that is guessed, by what.
    """

    name: SystemName
    origin: Origin = "played"
    cycles: int = 0
    sign: str = ""

    @property
    def title(self) -> str:
        """What it is called."""
        return {"swiss": "Swiss", "round-robin": "round robin"}.get(self.name, self.name)

    @property
    def is_round_robin(self) -> bool:
        """Whether everybody was to meet everybody equally often."""
        return self.name == "round-robin"


class Meeting(NamedTuple):
    """Two who met, or are to meet: the round (0 where it is not known), and their numbers."""

    round: int
    first: int
    second: int


def said_system(text: str) -> SystemName | None:
    """The system that a text such as `Team: Round-Robin` names; None for none."""
    folded = text.casefold()
    return next((name for name, pattern in _SAID.items() if pattern.search(folded)), None)


def system_of(
    meetings: Iterable[Meeting], entrants: int, rounds: int = 0, planned: int = 0, said: str = ""
) -> System:
    """What an event is by what it is called, by who met whom, and by its number of rounds.

    **Arguments:** `meetings`: of the whole file; `entrants`: how many there are; `rounds`: of these
    meetings, if not as many as they show; `planned`: of the event, 0 if nobody says it; `said`:
    what the file calls it.

    >>> pairs = [(1, 0, 3), (1, 1, 2), (2, 3, 2), (2, 0, 1), (3, 1, 3), (3, 2, 0)]
    >>> system_of([Meeting(*pair) for pair in pairs], 4)
    System(name='round-robin', origin='played', cycles=1, sign='')
    """
    whole = tuple(meetings)
    times = Counter(frozenset((m.first, m.second)) for m in whole)
    often = max(times.values(), default=0)
    called = said_system(said)
    pairs = entrants * (entrants - 1) // 2
    is_full = entrants > 2 and len(times) == pairs and min(times.values()) == often
    if called == "round-robin":
        return System(called, "said", max(often, 1 + bool(_DOUBLE.search(said.casefold()))))
    # Programs write Swiss until somebody changes it, so that in an even field, where nobody is left
    # over, it says nothing of an event in which all met.
    if is_full and (called is None or (called == "swiss" and entrants % 2 == 0)):
        return System("round-robin", "played", often)
    if called is not None:
        return System(called, "said", often * is_full)
    by_round: dict[int, list[Meeting]] = defaultdict(list)
    for meeting in whole:
        by_round[meeting.round].append(meeting)
    if by_round.keys() == {0}:
        return System("matches")
    last = max(rounds, *by_round) if by_round else rounds
    if entrants > 2 and whole and (cycles := _cycles(by_round, entrants, last, planned, often)):
        return System("round-robin", "guessed", cycles, "its pairs and its number of rounds")
    if _halves(by_round):
        return System("cup", "guessed", sign="who plays on from round to round")
    return System("swiss")


def read_system(
    meetings: Iterable[Meeting],
    entrants: int,
    planned: int,
    said: str,
    asked: SystemName | None,
) -> System:
    """What the event of a file is: as the user says, else as `system_of`, or by its table.

    **Arguments:** as of `system_of`; `meetings`: those to come among them, who has White first;
    `asked`: what the user says.
    """
    whole = tuple(meetings)
    system = system_of(whole, entrants, planned=planned, said=said)
    if asked is not None:
        # As often as pairs met, whoever calls it what.
        cycles = system.cycles or int(asked == "round-robin")
        return System(asked, "asked", cycles)
    is_open = system.name == "swiss" and system.origin == "played"
    if is_open and planned <= max((m.round for m in whole), default=0):
        if follows_table(whole, entrants):
            sign = "its rounds, which are the first ones of a Berger table"
            return System("round-robin", "guessed", 1, sign)
    return system


def _cycles(
    by_round: Mapping[int, Sequence[Meeting]], entrants: int, last: int, planned: int, often: int
) -> int:
    """How often all meet in a round robin with gaps or with rounds to come; 0 if it is none."""
    rounds = max(planned, last)
    recorded = sum(map(len, by_round.values()))
    for cycles in range(often, rounds // (entrants - 1) + 1):
        places, rest = rounds // cycles + 1, rounds % cycles
        # A table has an even number of places, some of which nobody may have.
        is_table_size = not rest and places % 2 == 0 and 2 * places <= 3 * entrants
        due = cycles * entrants * (entrants - 1) / 2 * last / rounds
        if is_table_size and 2 * recorded >= due:
            return cycles
    return 0


def free_days(
    alone: Set[tuple[int, int]], entrants: int, rounds: int, cycles: int
) -> frozenset[tuple[int, int]]:
    """The free days of a round robin among the rounds that somebody is without an opponent.

    In an odd field one is free in every round; with free places in the table more are, and two of
    these may meet. So everybody has as many free days as there are rounds beyond the matches: who
    was alone more often was absent, but for a round in which nobody else was alone.

    **Arguments:** `alone`: round and number; `rounds`: of the whole event; `cycles`: how often
    everybody meets everybody.
    """
    size = Counter(r for r, _ in alone)
    # Where nobody plays nobody is free.
    days = {(r, entrant) for r, entrant in alone if size[r] < entrants}
    # Before the last rounds are known, as many as the smallest table has.
    most = max(rounds - cycles * (entrants - 1), cycles * (entrants % 2))
    count = Counter(entrant for _, entrant in days)
    return frozenset(
        (r, entrant)
        for r, entrant in days
        if most and (count[entrant] <= most or size[r] == entrants % 2)
    )


def follows_table(meetings: Iterable[Meeting], entrants: int) -> bool:
    """Whether the first rounds, three at least, are those of a Berger table in some numbering."""
    by_round: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for round_number, *sides in meetings:
        by_round[round_number].append((sides[0], sides[1]))
    rounds = len(by_round)
    whole = all(len(pairs) == entrants // 2 for pairs in by_round.values())
    if rounds < _LEAST_TABLE or not whole or sorted(by_round) != [*range(1, rounds + 1)]:
        return False
    # Imported for the few events that come so far.
    from tb2learn.chess.berger import is_table

    return is_table([by_round[number] for number in sorted(by_round)], entrants)


def _halves(by_round: Mapping[int, Sequence[Meeting]]) -> bool:
    """Whether at most half of the players of a round are left in the next, and nobody else."""
    players = [
        {entrant for meeting in by_round[number] for entrant in meeting[1:]}
        for number in sorted(by_round)
    ]
    if len(players) < _LEAST_CUP:
        return False
    for before, after in pairwise(players):
        # Beside the final the losers of the semi-finals may play for the third place.
        most = 4 if len(before) == 4 and after is players[-1] else (len(before) + 1) // 2
        if len(after) > most or not after <= before:
            return False
    return True


def guess_note(system: System) -> str:
    """The note of an event whose system is a guess; empty for one that is none."""
    if system.origin != "guessed":
        return ""
    otherwise = "--swiss" if system.is_round_robin else "--round-robin"
    return f"taken for a {system.title}, by {system.sign} ({otherwise} says otherwise)"
