"""Every tie-break by name: how it is made, what it means, what it is defined for.

Whatever speaks of a tie-break reads its entry here: the command line and its help, lists of
criteria, standings on the wall, the documentation and the tests. To be read in no time it imports
no tie-break, and neither NumPy nor JAX; what an entry makes is in `kinds`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from tb2learn.tiebreaks.base import TieBreak

PRODUCT = "product"
"""FIDE's rule of the Olympiad: opponents' match points times game points."""

LEARNED = "learned"
"""The name that stands for the shipped table of a number of boards, or for the formula where there
is none or where the formula was judged to be better, see `other_formats.learned_rule`."""

FORMULA = "formula"
"""The name of the formula for any number of boards and rounds."""

DEEP = "deep-buchholz"
"""The pencil form of the formula for individual events."""

MOST_CUT = 15
"""The most items that a cut may leave out at one end."""

Needs = Literal["", "ratings", "colours"]

Unplayed = Literal["completed", "games", "met", "recorded", "own"]
"""How unplayed rounds count: as a policy completes them, or as far as the policy counts them as
played; or, under every policy, not at all (only matches really played count), or with the team's
own result as recorded; or as the meaning of a number of own rounds says by itself."""

UNPLAYED_NOTES: Mapping[Unplayed, str] = MappingProxyType(
    {
        "met": "{name} counts only matches really played, whatever the policy for unplayed rounds",
        "recorded": "{name} counts the team's own results as recorded, whatever the policy for "
        "unplayed rounds",
    }
)

Lists = Literal["rules", "teams", "players"]
"""Where a name is known: as a rule of any event, simulated or recorded; or only in lists of the
criteria that recorded events of teams, or of players, are sorted by."""


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
    - `make`: the tie-break, from the module `kinds` and a format.
    - `units`: worth of one point of its scores in the published scale, for a team event and for an
      individual one (1 board, where match points are twice the points).
    - `meaning`: what it is, for legends and tables; `{points}` are match points or points,
      `{match}` and `{matches}` a match or a game.
    - `source`: one line.
    - `codes`: FIDE's codes in files, the one that is written last.
    - `heading`: of its column in standings; the name if empty.
    - `words`: key of its meaning in the documents in several languages, if they have it.
    - `needs`: what results must hold besides who met whom and what was scored.
    - `cuts`: the ends at which items may be left out: none, `low` (`-cutN`) or `both` (`-cutN` and
      `-medianN`).
    - `always_cut`: how many of the lowest items it always leaves out.
    - `individual`: whether it is for one board only.
    - `any_points`: whether it takes match points as they are, or none at all; the others count a
      match as 2, 1, 0 themselves.
    - `unplayed`: how unplayed rounds of recorded events count.
    - `known_in`: where the name is known.
    """

    name: str
    make: Callable[[Any, Format], TieBreak]
    units: tuple[float, float]
    meaning: str
    source: str
    codes: tuple[str, ...] = ()
    heading: str = ""
    words: str = ""
    needs: Needs = ""
    cuts: Literal["", "low", "both"] = ""
    always_cut: int = 0
    individual: bool = False
    any_points: bool = False
    unplayed: Unplayed = "completed"
    known_in: Lists = "rules"

    def build(self, rounds: int, boards: int, low: int = 0, high: int = 0) -> TieBreak:
        """The rule for an event, less the `low` lowest and `high` highest items.

        **Raises:** `InputError` for a format that no event has, or a cut that it does not have.
        """
        from tb2learn.chess.event_format import EventFormat
        from tb2learn.tiebreaks import kinds
        from tb2learn.types import MAX_TEAMS, InputError

        # Checks the rounds and boards; a rule does not depend on the number of teams.
        EventFormat(teams=MAX_TEAMS, rounds=rounds, boards=boards)
        if self.individual and boards != 1:
            raise InputError(
                f"{self.name} is for individual events (1 board), got {boards} boards: "
                "of team events there are emmsb, emgsb, egmsb and eggsb"
            )
        return self.make(kinds, Format(rounds, boards, low, high))

    def unit(self, boards: int) -> float:
        """Worth of one point of its scores in the published scale."""
        return self.units[boards == 1]

    def says(self, players: bool, low: int = 0, high: int = 0) -> str:
        """What it is, in an event of teams or of players, with the items that a cut leaves out."""
        points, match = ("points", "game") if players else ("match points", "match")
        matches = "games" if players else "matches"
        ends = ((low, "lowest"), (high, "highest"))
        out = [f"the {'' if n == 1 else f'{n} '}{end}" for n, end in ends if n]
        said = self.meaning.format(points=points, match=match, matches=matches)
        return said + (f", without {' and '.join(out)}" if out else "") + "."


_OF_TEAMS = {
    "mm": ("match points", "match points", 1),
    "mg": ("match points", "game points", 2),
    "gm": ("game points", "match points", 3),
    "gg": ("game points", "game points", 4),
}
"""FIDE's Sonneborn-Berger sums for teams: the opponents' score, the own result, the article."""


def _extended(letters: str) -> Entry:
    """One of FIDE's four Sonneborn-Berger sums for teams."""
    opponent, own = letters
    theirs, ours, article = _OF_TEAMS[letters]
    return Entry(
        f"e{letters}sb",
        lambda kinds, f: kinds.OpponentSum(opponent, own, f.low, f.high),
        (0.5 ** letters.count("g"), 0.25),
        f"sum of the opponents' {theirs}, each times the {ours} against it",
        f"FIDE Handbook C.07, article 13.2.{article}; cuts article 14",
        cuts="both",
        any_points=True,
    )


_ENTRIES = (
    Entry(
        "mp",
        lambda kinds, f: kinds.MatchPoints(),
        (1.0, 1.0),
        "match points",
        "FIDE Handbook C.07, article 13.1",
        heading="MP",
        words="wall.mp",
        any_points=True,
        unplayed="own",
        known_in="teams",
    ),
    Entry(
        "points",
        lambda kinds, f: kinds.MatchPoints(),
        (1.0, 0.5),
        "points of all rounds",
        "FIDE Handbook C.07, article 3",
        codes=("PTS",),
        any_points=True,
        unplayed="own",
        known_in="players",
    ),
    Entry(
        "gp",
        lambda kinds, f: kinds.GamePoints(),
        (0.5, 0.5),
        "game points (points of all boards)",
        "FIDE Handbook C.07, article 13.1",
        heading="GP",
        words="wall.gp",
        any_points=True,
        unplayed="own",
        known_in="teams",
    ),
    Entry(
        "played",
        lambda kinds, f: kinds.Rounds("played"),
        (1.0, 1.0),
        "matches played over the board",
        "B. Ucarcus, for FIDE's Technical Commission, 2014",
        words="wall.met",
        any_points=True,
        unplayed="own",
        known_in="teams",
    ),
    Entry(
        "opponents",
        lambda kinds, f: kinds.OpponentSum("m", "", f.low, f.high),
        (1.0, 1.0),
        "sum of the opponents' match points",
        "FIDE Handbook C.07, article 8.1; cuts article 14",
        words="wall.sum_mp",
        cuts="both",
        any_points=True,
        known_in="teams",
    ),
    Entry(
        "tb4",
        lambda kinds, f: kinds.OpponentSum("m", "", f.low),
        (1.0, 1.0),
        "sum of the opponents' match points",
        "regulations of the Olympiad: Buchholz cut 1",
        heading="TB4",
        words="wall.sum_mp",
        always_cut=1,
        any_points=True,
        known_in="teams",
    ),
    _extended("mm"),
    _extended("mg"),
    _extended("gm"),
    _extended("gg"),
    Entry(
        "sonneborn-berger",
        lambda kinds, f: kinds.OpponentSum("m", "m", f.low, f.high),
        (0.5, 0.25),
        "sum of the opponents' points, each times the result against him",
        "FIDE Handbook C.07, article 9.1; cuts article 14",
        codes=("SB",),
        cuts="both",
        individual=True,
        any_points=True,
    ),
    Entry(
        "buchholz",
        lambda kinds, f: kinds.OpponentSum("m", "", f.low, f.high),
        (1.0, 0.5),
        "sum of the opponents' {points}",
        "FIDE Handbook C.07, article 8.1; cuts article 14",
        codes=("BH",),
        words="wall.sum_mp",
        cuts="both",
        any_points=True,
    ),
    Entry(
        "buchholz-gp",
        lambda kinds, f: kinds.OpponentSum("g", "", f.low, f.high),
        (0.5, 0.5),
        "sum of the opponents' game points",
        "FIDE Handbook C.07, article 8.1 on game points; cuts article 14",
        words="wall.sum_gp",
        cuts="both",
        any_points=True,
    ),
    Entry(
        DEEP,
        lambda kinds, f: kinds.DeepBuchholz(),
        (0.125, 0.0625),
        "Buchholz median 1 of opponents that count as their points and an eighth of their Buchholz",
        "own experiments (tb2learn study individual)",
        individual=True,
    ),
    Entry(
        "aro",
        lambda kinds, f: kinds.AverageRating(f.low, f.high),
        (1.0, 1.0),
        "mean rating of the opponents",
        "FIDE Handbook C.07, article 10.1; cuts article 14",
        codes=("ARO",),
        needs="ratings",
        cuts="both",
        any_points=True,
        unplayed="met",
    ),
    Entry(
        "aroc",
        lambda kinds, f: kinds.AverageRating(f.low),
        (1.0, 1.0),
        "mean rating of the opponents",
        "FIDE Handbook C.07, article 10.1 with cut 1",
        needs="ratings",
        always_cut=1,
        any_points=True,
        unplayed="met",
    ),
    Entry(
        "apro",
        lambda kinds, f: kinds.OpponentPerformance(),
        (1.0, 1.0),
        "mean performance rating of the opponents",
        "FIDE Handbook C.07, article 10.4",
        codes=("APRO",),
        needs="ratings",
        unplayed="met",
    ),
    Entry(
        "ptpr",
        lambda kinds, f: kinds.PerfectPerformance(),
        (1.0, 1.0),
        "lowest rating whose expected score is at least the score",
        "FIDE Handbook C.07, article 10.3",
        codes=("PTP",),
        needs="ratings",
        unplayed="met",
    ),
    Entry(
        "progressive",
        lambda kinds, f: kinds.Progressive(f.low),
        (1.0, 0.5),
        "sum of the {points} after every round",
        "FIDE Handbook C.07, article 7.5; cut article 14.1",
        codes=("PS",),
        cuts="low",
        any_points=True,
        unplayed="recorded",
    ),
    Entry(
        "koya",
        lambda kinds, f: kinds.Koya(f.rounds),
        (1.0, 0.5),
        "{points} against opponents who have at least half of all {points}",
        "FIDE Handbook C.07, article 9.2",
        codes=("KS",),
        any_points=True,
        unplayed="recorded",
    ),
    Entry(
        "direct",
        lambda kinds, f: kinds.DirectEncounter(),
        (1.0, 1.0),
        "direct encounter: how many of those still tied the {matches} among them place behind",
        "FIDE Handbook C.07, article 6",
        codes=("DE",),
        any_points=True,
        unplayed="games",
    ),
    Entry(
        "wins",
        lambda kinds, f: kinds.Wins(),
        (1.0, 1.0),
        "rounds that scored a win, with or without a {match}",
        "FIDE Handbook C.07, article 7.1",
        codes=("WIN",),
        any_points=True,
        unplayed="recorded",
    ),
    Entry(
        "games-won",
        lambda kinds, f: kinds.Rounds("won"),
        (1.0, 1.0),
        "games won over the board",
        "FIDE Handbook C.07, article 7.2",
        codes=("WON",),
        any_points=True,
        unplayed="own",
        known_in="players",
    ),
    Entry(
        "black-wins",
        lambda kinds, f: kinds.Rounds("black-wins"),
        (1.0, 1.0),
        "games won with Black",
        "FIDE Handbook C.07, article 7.4",
        codes=("BWG",),
        needs="colours",
        any_points=True,
        unplayed="own",
        known_in="players",
    ),
    Entry(
        "blacks",
        lambda kinds, f: kinds.Rounds("black"),
        (1.0, 1.0),
        "{matches} played with Black",
        "FIDE Handbook C.07, article 7.3",
        codes=("BPG",),
        needs="colours",
        any_points=True,
        unplayed="own",
    ),
    Entry(
        "elected",
        lambda kinds, f: kinds.Rounds("elected"),
        (1.0, 1.0),
        "rounds not missed by the player's own choice",
        "FIDE Handbook C.07, article 7.6",
        codes=("GE", "REP"),
        any_points=True,
        unplayed="own",
        known_in="players",
    ),
    Entry(
        "game-points",
        lambda kinds, f: kinds.GamePoints(),
        (0.5, 0.5),
        "game points (points of all boards)",
        "FIDE Handbook C.07, article 13.1",
        words="wall.gp",
        any_points=True,
        unplayed="recorded",
    ),
    Entry(
        "bruno",
        lambda kinds, f: kinds.Bruno(),
        (1.0, 0.25),
        "sum of the opponents' {points} times the own ones",
        "R. Ricca, Looking for the best tie-break, 2016, global criterion 5 (there times 100)",
    ),
    Entry(
        "least-squares",
        lambda kinds, f: kinds.LeastSquares(),
        (1e-4, 1e-4),
        "ratings whose differences fit the results of all {matches} best",
        "L. Csato, Ranking in Swiss system chess team tournaments, 2017",
        words="wall.least_squares",
        unplayed="met",
    ),
    Entry(
        "row-sum",
        lambda kinds, f: kinds.RowSum(_sixth()),
        (1e-4, 1e-4),
        "generalized row sum: results, corrected by those of the opponents, with epsilon 1/6",
        "L. Csato, Ranking in Swiss system chess team tournaments, 2017",
        unplayed="met",
    ),
)


def _sixth() -> Any:
    """The epsilon of the row sum, as a whole number."""
    import numpy as np

    return np.int32(6)


ENTRIES: Mapping[str, Entry] = MappingProxyType({entry.name: entry for entry in _ENTRIES})
"""All entries by name."""

LIBRARY: Mapping[str, Entry] = MappingProxyType(
    {name: entry for name, entry in ENTRIES.items() if entry.known_in == "rules"}
)
"""Those of rules for any event."""

RULES = (PRODUCT, LEARNED, FORMULA, *LIBRARY)
"""Rules that need no checkpoint; those of the library may have cuts and be joined by `+`."""

CODES: Mapping[str, Entry] = MappingProxyType(
    {code: entry for entry in _ENTRIES for code in entry.codes}
)
"""Entries by FIDE's codes."""

_PART = re.compile(r"(.+?)(?:-(cut|median)([0-9]{1,2}))?", re.ASCII)

WITH_CUTS = "those with cuts also with -cutN or -medianN"


@dataclass(frozen=True)
class Named:
    """A tie-break as it was asked for: its entry, and how many items are left out at each end."""

    entry: Entry
    low: int = 0
    high: int = 0

    def build(self, rounds: int, boards: int) -> TieBreak:
        """The rule for an event. **Raises:** as `Entry.build`."""
        return self.entry.build(rounds, boards, self.low, self.high)


def parsed(name: str, known: Mapping[str, Entry] = LIBRARY) -> tuple[Named, ...]:
    """The parts of a name: several joined by `+` are an ordered combination.

    **Arguments:** `known`: the entries that may be named.

    **Raises:** `InputError` naming what exists, for an unknown name or a cut that there is not.
    """
    return tuple(_part(part, name, known) for part in name.split("+"))


def _part(part: str, name: str, known: Mapping[str, Entry]) -> Named:
    from tb2learn.types import InputError

    shape = _PART.fullmatch(part)
    if shape is None or shape[1] not in known:
        raise InputError(
            f"tie-breaks are {', '.join(known)}; {WITH_CUTS}; several joined by +; got {name!r}"
        )
    entry = known[shape[1]]
    number = int(shape[3] or entry.always_cut)
    if shape[2] and entry.cuts not in ("both", "low" if shape[2] == "cut" else "both"):
        raise InputError(f"{entry.name} has no such cut, got {part!r}")
    if shape[2] and not 1 <= number <= MOST_CUT:
        raise InputError(f"a cut must leave out 1..{MOST_CUT} items, got {part!r}")
    return Named(entry, number, number if shape[2] == "median" else 0)


def find_tiebreak(
    name: str, rounds: int, boards: int, known: Mapping[str, Entry] = LIBRARY
) -> tuple[TieBreak, float]:
    """A tie-break by name.

    **Arguments:**

    - `name`: one of `LIBRARY`, with `-cutN` (the N lowest left out) or `-medianN` (also the N
      highest) if it has cuts; or an ordered combination, joined by `+`.
    - `rounds`, `boards`: of the event, 1..15 and 1..12.
    - `known`: the entries that may be named.

    **Returns:** the rule, and what one point of its scores is worth in the published scale (a
    combination's is a rank).

    **Raises:** `InputError` naming what exists.
    """
    from tb2learn.tiebreaks.kinds import Combined

    parts = parsed(name, known)
    rules = tuple(part.build(rounds, boards) for part in parts)
    if len(rules) == 1:
        return rules[0], parts[0].entry.unit(boards)
    return Combined(rules), 1.0


def is_tiebreak(name: str) -> bool:
    """Whether `find_tiebreak` knows a name, whatever the format and the cut."""
    shapes = [_PART.fullmatch(part) for part in name.split("+")]
    return all(shape is not None and shape[1] in LIBRARY for shape in shapes)


def unplayed_notes(parts: Iterable[Named], players: bool = False) -> tuple[str, ...]:
    """Lines that name the tie-breaks that no policy for unplayed rounds affects.

    **Arguments:** `players`: of an individual event, whose own results FIDE counts as recorded.
    """
    found = dict.fromkeys(part.entry for part in parts if part.entry.unplayed in UNPLAYED_NOTES)
    return tuple(
        UNPLAYED_NOTES[entry.unplayed].format(name=entry.name)
        for entry in found
        if not (players and entry.unplayed == "recorded")
    )


def heading(name: str) -> str:
    """The head of a criterion's column in standings; the rule of the Olympiad's order is TB2."""
    if name in ENTRIES:
        return ENTRIES[name].heading or name
    return "TB2" if name == "tb2" else name


def names_in_lists(players: bool) -> str:
    """The names of criteria for help texts, with the cuts that they may have.

    **Returns:** for players all that FIDE has a code for but those of ratings, which are rules; for
    teams what is no rule, and all sums with cuts.
    """
    found: dict[str, list[str]] = {"": [], "low": [], "both": []}
    for one in _ENTRIES:
        of_players = one.codes and not one.needs == "ratings"
        sums = one.cuts == "both" and one.unplayed == "completed" and not one.individual
        if of_players if players else one.known_in == "teams" or sums:
            found[one.cuts].append(one.name)
    heads = ("", "also with -cutN: ", "also with -cutN or -medianN: ")
    lists = zip(heads, found.values(), strict=True)
    return "; ".join(head + ", ".join(names) for head, names in lists if names)
