"""Every tie-break by name: how it is made, what it needs, in which unit it is published."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from tb2learn.config import EventFormat
from tb2learn.tiebreaks.additive import GamePoints
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import Combined, DirectEncounter
from tb2learn.tiebreaks.deep import SHARE, DeepBuchholz
from tb2learn.tiebreaks.own import Blacks, Progressive, Wins
from tb2learn.tiebreaks.rated import AverageRating, OpponentPerformance, PerfectPerformance
from tb2learn.tiebreaks.sums import Bruno, Buchholz, Koya, OpponentSum
from tb2learn.types import MAX_TEAMS, InputError

DEEP = "deep-buchholz"
"""The pencil form of the formula for individual events."""

Needs = Literal["", "ratings", "colours"]

Unplayed = Literal["completed", "met", "recorded"]
"""How unplayed rounds count: as a policy completes them, or, under every policy, not at all (only
matches really played count) or with the team's own result as recorded."""

UNPLAYED_NOTES: Mapping[Unplayed, str] = MappingProxyType(
    {
        "met": "{name} counts only matches really played, whatever the policy for unplayed rounds",
        "recorded": "{name} counts the team's own results as recorded, whatever the policy for "
        "unplayed rounds",
    }
)


@dataclass(frozen=True)
class Format:
    """What a tie-break is made for: an event's rounds and boards, and the cuts asked for."""

    rounds: int
    boards: int
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class Entry:
    """One tie-break of the library.

    **Fields:**

    - `name`: without cuts.
    - `make`: the rule for a format.
    - `units`: worth of one point of its scores in the published scale, for a team event and for an
      individual one (1 board, where match points are twice the points).
    - `source`: one line.
    - `needs`: what results must hold besides who met whom and what was scored.
    - `cuts`: the ends at which items may be left out: none, `low` (`-cutN`) or `both` (`-cutN` and
      `-medianN`).
    - `individual`: whether it is for one board only.
    - `unplayed`: how unplayed rounds of recorded events count.
    """

    name: str
    make: Callable[[Format], TieBreak]
    units: tuple[float, float]
    source: str
    needs: Needs = ""
    cuts: Literal["", "low", "both"] = ""
    individual: bool = False
    unplayed: Unplayed = "completed"

    def build(self, rounds: int, boards: int, low: int = 0, high: int = 0) -> TieBreak:
        """The rule for an event, less the `low` lowest and `high` highest items.

        **Raises:** `InputError` for a format that no event has, or a cut that it does not have.
        """
        # Checks the rounds and boards; a rule does not depend on the number of teams.
        EventFormat(teams=MAX_TEAMS, rounds=rounds, boards=boards)
        if self.individual and boards != 1:
            raise InputError(
                f"{self.name} is for individual events (1 board), got {boards} boards: "
                "of team events there are emmsb, emgsb, egmsb and eggsb"
            )
        if (low and not self.cuts) or (high and self.cuts != "both"):
            raise InputError(f"{self.name} has no such cut, got {low} lowest and {high} highest")
        if not (0 <= low <= rounds and 0 <= high <= rounds):
            raise InputError(f"a cut must be 0..{rounds} opponents, got {low} and {high}")
        return self.make(Format(rounds, boards, low, high))

    def unit(self, boards: int) -> float:
        """Worth of one point of its scores in the published scale."""
        return self.units[boards == 1]


def _extended(opponent: Literal["m", "g"], own: Literal["m", "g"]) -> Entry:
    """One of FIDE's four Sonneborn-Berger sums for teams."""
    number = {"mm": 1, "mg": 2, "gm": 3, "gg": 4}[opponent + own]
    unit = {"m": 1.0, "g": 0.5}
    return Entry(
        f"e{opponent}{own}sb",
        lambda f: OpponentSum(opponent, own, f.low, f.high, f.boards),
        (unit[opponent] * unit[own], 0.25),
        f"FIDE Handbook C.07, article 13.2.{number}; cuts article 14",
        cuts="both",
    )


_ENTRIES = (
    _extended("m", "m"),
    _extended("m", "g"),
    _extended("g", "m"),
    _extended("g", "g"),
    Entry(
        "sonneborn-berger",
        lambda f: OpponentSum("m", "g", f.low, f.high, f.boards),
        (0.5, 0.25),
        "FIDE Handbook C.07, article 9.1; cuts article 14",
        cuts="both",
        individual=True,
    ),
    Entry(
        "buchholz",
        lambda f: Buchholz(low=f.low, high=f.high, boards=f.boards),
        (1.0, 0.5),
        "FIDE Handbook C.07, article 8.1; cuts article 14",
        cuts="both",
    ),
    Entry(
        "buchholz-gp",
        lambda f: OpponentSum("g", "", f.low, f.high, f.boards),
        (0.5, 0.5),
        "FIDE Handbook C.07, article 8.1 on game points; cuts article 14",
        cuts="both",
    ),
    Entry(
        DEEP,
        lambda f: DeepBuchholz(),
        (1.0 / SHARE, 0.5 / SHARE),
        "own experiments (tb2learn study formula --individual): Buchholz median 1 of opponents "
        "refined by an eighth of their own Buchholz",
        individual=True,
    ),
    Entry(
        "aro",
        lambda f: AverageRating(f.low, f.high),
        (1.0, 1.0),
        "FIDE Handbook C.07, article 10.1; cuts article 14",
        needs="ratings",
        cuts="both",
        unplayed="met",
    ),
    Entry(
        "aroc",
        lambda f: AverageRating(low=1),
        (1.0, 1.0),
        "FIDE Handbook C.07, article 10.1 with cut 1",
        needs="ratings",
        unplayed="met",
    ),
    Entry(
        "apro",
        lambda f: OpponentPerformance(f.boards),
        (1.0, 1.0),
        "FIDE Handbook C.07, article 10.4",
        needs="ratings",
        unplayed="met",
    ),
    Entry(
        "ptpr",
        lambda f: PerfectPerformance(f.boards),
        (1.0, 1.0),
        "FIDE Handbook C.07, article 10.3",
        needs="ratings",
        unplayed="met",
    ),
    Entry(
        "progressive",
        lambda f: Progressive(f.low, f.boards),
        (1.0, 0.5),
        "FIDE Handbook C.07, article 7.5; cut article 14.1",
        cuts="low",
        unplayed="recorded",
    ),
    Entry(
        "koya",
        lambda f: Koya(f.rounds, f.boards),
        (1.0, 0.5),
        "FIDE Handbook C.07, article 9.2",
    ),
    Entry(
        "direct",
        lambda f: DirectEncounter(f.boards),
        (1.0, 0.5),
        "FIDE Handbook C.07, article 6, as in R. Ricca, Looking for the best tie-break, 2016",
        unplayed="met",
    ),
    Entry(
        "wins",
        lambda f: Wins(f.boards),
        (1.0, 1.0),
        "FIDE Handbook C.07, article 7.1",
        unplayed="recorded",
    ),
    Entry(
        "blacks",
        lambda f: Blacks(),
        (1.0, 1.0),
        "FIDE Handbook C.07, article 7.3",
        needs="colours",
        unplayed="met",
    ),
    Entry(
        "game-points",
        lambda f: GamePoints(),
        (0.5, 0.5),
        "FIDE Handbook C.07, article 13.1",
        unplayed="recorded",
    ),
    Entry(
        "bruno",
        lambda f: Bruno(),
        (1.0, 0.25),
        "R. Ricca, Looking for the best tie-break, 2016, global criterion 5 (there times 100)",
    ),
)

LIBRARY: Mapping[str, Entry] = MappingProxyType({entry.name: entry for entry in _ENTRIES})

NAMES = f"{', '.join(LIBRARY)}; those with cuts also with -cutN or -medianN; several joined by +"


def find_tiebreak(name: str, rounds: int, boards: int) -> tuple[TieBreak, float]:
    """A tie-break by name.

    **Arguments:**

    - `name`: one of `LIBRARY`, with `-cutN` (the N lowest left out) or `-medianN` (also the N
      highest) if it has cuts; or an ordered combination, joined by `+`.
    - `rounds`, `boards`: of the event, 1..15 and 1..12.

    **Returns:** the rule, and what one point of its scores is worth in the published scale (a
    combination's is a rank).

    **Raises:** `InputError` naming what exists.
    """
    parts = [(entry, entry.build(rounds, boards, low, high)) for entry, low, high in _parsed(name)]
    if len(parts) == 1:
        [(entry, rule)] = parts
        return rule, entry.unit(boards)
    return Combined(tuple(rule for _, rule in parts)), 1.0


def is_tiebreak(name: str) -> bool:
    """Whether `find_tiebreak` knows a name, whatever the format."""
    try:
        _parsed(name)
    except InputError:
        return False
    return True


_ANY_MATCH_POINTS = frozenset(
    ("emmsb", "emgsb", "egmsb", "eggsb", "buchholz", "buchholz-gp", "aro", "aroc", "wins", "blacks",
     "game-points")
)  # fmt: skip


def is_for_any_match_points(name: str) -> bool:
    """Whether all parts of a tie-break take match points as they are, or none at all.

    The others count a match as 2, 1, 0 themselves.
    """
    return is_tiebreak(name) and all(e.name in _ANY_MATCH_POINTS for e, _, _ in _parsed(name))


def unplayed_notes(name: str) -> tuple[str, ...]:
    """Lines that name the parts of a tie-break that no policy for unplayed rounds affects.

    **Raises:** `InputError` naming what exists.
    """
    entries = dict.fromkeys(entry for entry, _, _ in _parsed(name) if entry.unplayed != "completed")
    return tuple(UNPLAYED_NOTES[entry.unplayed].format(name=entry.name) for entry in entries)


def _parsed(name: str) -> list[tuple[Entry, int, int]]:
    """The parts of a name: entry, lowest and highest items left out."""
    return [_part(part, name) for part in name.split("+")]


def _part(part: str, name: str) -> tuple[Entry, int, int]:
    shape = re.fullmatch(r"(.+?)(?:-(cut|median)([1-9][0-9]?))?", part, re.ASCII)
    if shape is None or shape[1] not in LIBRARY:
        raise InputError(f"tie-breaks are {NAMES}; got {name!r}")
    number = int(shape[3] or 0)
    return LIBRARY[shape[1]], number, number if shape[2] == "median" else 0
