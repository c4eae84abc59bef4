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
  are so once in 20,000 times.
- **A cup** has at most half as many players in every round as in the round before, over three
  rounds or more, and nobody comes back.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

from tb2learn.chess.event_format import cycle_rounds

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
    - `cycles`: in a round robin, how often everybody meets everybody; else 0.
    - `sign`: of one that is guessed, by what.
    """

    name: SystemName
    origin: Origin = "played"
    cycles: int = 0
    sign: str = ""

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
    meetings: Iterable[Meeting], entrants: int, planned: int = 0, said: str = ""
) -> System:
    """What an event is by what it is called, by who met whom, and by its number of rounds.

    An event in which everybody met everybody equally often is a round robin, whatever the file
    calls it: programs have *Swiss* in that field until somebody changes it.

    **Arguments:** `meetings`: of the whole file; `entrants`: how many there are; `planned`: rounds
    of the event, 0 if nobody says it; `said`: what the file calls it.

    >>> pairs = [(1, 0, 3), (1, 1, 2), (2, 3, 2), (2, 0, 1), (3, 1, 3), (3, 2, 0)]
    >>> system_of([Meeting(*pair) for pair in pairs], 4)
    System(name='round-robin', origin='played', cycles=1)
    """
    whole = tuple(meetings)
    times = Counter(frozenset((m.first, m.second)) for m in whole)
    often = max(times.values(), default=0)
    pairs = entrants * (entrants - 1) // 2
    called = said_system(said)
    if entrants > 2 and len(times) == pairs and min(times.values()) == often:
        return System("round-robin", "said" if called == "round-robin" else "played", often)
    if called == "round-robin":
        cycles = max(often, 1 + bool(_DOUBLE.search(said.casefold())))
        return System(called, "said", cycles)
    if called is not None:
        return System(called, "said")
    by_round: dict[int, list[Meeting]] = defaultdict(list)
    for meeting in whole:
        by_round[meeting.round].append(meeting)
    if by_round.keys() == {0}:
        return System("matches")
    if entrants > 2 and whole and (cycles := _cycles(by_round, entrants, planned, often)):
        return System("round-robin", "guessed", cycles, "its pairs and its number of rounds")
    if _halves(by_round):
        return System("cup", "guessed", sign="who plays on from round to round")
    # A league whose number of rounds nobody says looks the same until its second half.
    if planned <= max(by_round, default=0) and often == 1 and 2 * len(times) >= pairs:
        return System("swiss", "guessed", sign="its number of rounds, which may go on")
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
    system = system_of(whole, entrants, planned, said)
    if asked == "round-robin":
        # As often as pairs met, or as the number of rounds lets them.
        rounds = max([planned, *(meeting.round for meeting in whole)])
        return System(asked, "asked", max(system.cycles, rounds // cycle_rounds(entrants), 1))
    if asked is not None:
        return System(asked, "asked")
    is_open = system.name == "swiss" and said_system(said) is None
    if is_open and planned <= max((m.round for m in whole), default=0):
        if follows_table(whole, entrants):
            sign = "its rounds, which are the first ones of a Berger table"
            return System("round-robin", "guessed", 1, sign)
    return system


def _cycles(
    by_round: Mapping[int, Sequence[Meeting]], entrants: int, planned: int, often: int
) -> int:
    """How often all meet in a round robin with gaps or with rounds to come; 0 if it is none."""
    last = max(by_round, default=0)
    rounds = max(planned, last)
    alone = free_places(map(len, by_round.values()), entrants)
    recorded = sum(map(len, by_round.values()))
    # By the places of the table, some of which may be free; a round may also lack a match.
    for places in {entrants + alone, entrants + entrants % 2}:
        cycles, rest = divmod(rounds, places - 1)
        due = last * (2 * entrants - places) / 2
        if not rest and often <= cycles and 2 * recorded >= due:
            return cycles
    return 0


def free_places(matches: Iterable[int], entrants: int) -> int:
    """Places of the table of a round robin that nobody has: so many are free in every round.

    They are the fewest who are without an opponent in any round: others are absent.

    **Arguments:** `matches`: how many there are in each round with any.
    """
    return min((entrants - 2 * count for count in matches), default=entrants % 2)


def follows_table(meetings: Iterable[Meeting], entrants: int) -> bool:
    """Whether the first rounds, three at least, are those of a Berger table in some numbering."""
    by_round: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for round_number, *sides in meetings:
        by_round[round_number].append((sides[0], sides[1]))
    rounds = len(by_round)
    whole = all(len(pairs) == entrants // 2 for pairs in by_round.values())
    if not _LEAST_TABLE <= rounds <= cycle_rounds(entrants) or not whole:
        return False
    if sorted(by_round) != [*range(1, rounds + 1)]:
        return False
    # Imported for the few events that come so far, as it imports NumPy.
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
    for before, after in zip(players, players[1:], strict=False):
        # Beside the final the losers of the semi-finals may play for the third place.
        most = 4 if len(before) == 4 and after is players[-1] else (len(before) + 1) // 2
        if len(after) > most or not after <= before:
            return False
    return True


def guess_note(system: System) -> str:
    """The note of an event whose system is a guess; empty for one that is none."""
    if system.origin != "guessed":
        return ""
    name = {"swiss": "Swiss", "round-robin": "round robin"}.get(system.name, system.name)
    otherwise = "--swiss" if system.is_round_robin else "--round-robin"
    return f"taken for a {name}, by {system.sign} ({otherwise} says otherwise)"
