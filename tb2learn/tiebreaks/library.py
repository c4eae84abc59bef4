"""Every tie-break by name: how it is made, what it means, what it is defined for.

Whatever speaks of a tie-break reads its entry here: the command line and its help, lists of
criteria, standings on the wall, the documentation and the tests. To be read in no time it imports
no tie-break, and neither NumPy nor JAX; what an entry makes is in `modules`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from tb2learn.tiebreaks.base import TieBreak

PRODUCT, PRODUCT_IN_WORDS = "product", "emgsb-cut1"
"""FIDE's rule of the Olympiad: opponents' match points times game points; and what the library has
of it, whose code is `EMGSB/C1`."""

BUCHHOLZ = "buchholz-cut1"

FIDE_LISTS: Mapping[tuple[str, str], tuple[str, ...]] = MappingProxyType(
    {
        ("teams", "swiss"): ("mp", PRODUCT, "gp", "tb4"),
        ("teams", "round-robin"): ("mp", "gp", "direct", "emmsb"),
        ("players", "swiss"): (
            *("points", "direct", BUCHHOLZ, "buchholz", "sonneborn-berger", "wins", "black-wins"),
        ),
        ("players", "round-robin"): ("points", "direct", "wins", "sonneborn-berger", "koya"),
    }
)
"""What `fide` stands for: C.07 leaves the order to the regulations of an event.

The lists are those that FIDE recommended for Swiss events and round robins until 2023; in a Swiss
of teams it is the order of the Olympiad.
"""

SCHEVENINGEN_LISTS = ("MPTS,GPTS,EMMSB", "PTS,SB")
"""What orders a Scheveningen without a list of its own, as a file writes it: of teams, of players.
"""


def fide_list(players: bool, round_robin: bool) -> tuple[str, ...]:
    """FIDE's list for events of players or of teams, a round robin or a Swiss."""
    entrants, system = "players" if players else "teams", "round-robin" if round_robin else "swiss"
    return FIDE_LISTS[entrants, system]


def as_rule(criteria: Iterable[str]) -> str:
    """Criteria as one rule after the points: their names joined by `+`."""
    # The column of game points in standings has a name of its own.
    return "+".join("game-points" if name == "gp" else name for name in criteria)


LEAGUE, PLAYERS_LEAGUE = (as_rule(fide_list(players, True)[1:]) for players in (False, True))
"""FIDE's lists for round robins, of teams and of players, as one rule after the points."""


def baseline(boards: int, round_robin: bool = False) -> str:
    """Today's rule of a format, which others are compared with.

    For a Swiss of teams it is FIDE's product rule, for a round robin FIDE's list. On one board,
    where a match is a game and teams are players, it is Buchholz cut 1.

    **Arguments:** `boards` 1..12; `round_robin`: whether everybody meets everybody.

    **Returns:** the name of a rule, or several joined by `+`.
    """
    if round_robin:
        return PLAYERS_LEAGUE if boards == 1 else LEAGUE
    return BUCHHOLZ if boards == 1 else PRODUCT


def usual_name(players: bool, round_robin: bool) -> str:
    """What ranks an event if nobody names a rule: the rule that leads FIDE's list, or that list."""
    return PRODUCT if PRODUCT in fide_list(players, round_robin) else "fide"


LEARNED = "learned"
"""The name that stands for the shipped table of a number of boards, or for the formula where there
is none or where the formula was judged to be better, see `transfer.learned_rule`."""

TABLES: Mapping[int, str] = MappingProxyType(
    {4: "rosters-180x11", 6: "learned-6boards", 8: "learned-8boards"}
)
"""The checkpoint of the shipped table by number of boards.

That of 4 boards is the default of the program: `python -m studies.frontier` chooses it.
"""

FORMULA = "formula"
"""The name of the formula for any number of boards and rounds."""

DEEP = "deep-buchholz"
"""The pencil form of the formula for individual events."""

MOST_CUT = 15
"""The most items that a cut may leave out at one end."""

Needs = Literal["", "ratings", "colours", "boards"]

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

Lists = Literal["rules", "lists", "teams", "players"]
"""Where a name is known: as a rule of any event, simulated or recorded; or only in lists of the
criteria that recorded events are sorted by, of both kinds or of teams or players alone."""

Shown = Literal["", "rank", "lowest"]
"""How a criterion is printed: its score; the rank that it gives among those who were tied before
it, 0 if it tells none of them apart; or a number of which the lowest is first."""

Units = tuple[float, float]
"""Worth of one point of scores in the published scale, in a team event and in an individual one (1
board, where match points are twice the points)."""

COUNTS: Units = (1.0, 1.0)
MATCH_POINTS: Units = (1.0, 0.5)
HALF_POINTS: Units = (0.5, 0.5)
TEN_THOUSANDTHS: Units = (1e-4, 1e-4)


@dataclass(frozen=True)
class Modifiers:
    """What is asked for beside the name of a tie-break; FIDE's letters are in brackets.

    **Fields:**

    - `low`, `high`: items left out at each end (C, M).
    - `by`: the score of teams that it is about: match points or game points (`:MP`, `:GP`).
    - `percent`, `shift`: the limit of Koya: a share of all points, and half points beyond it (L).
    - `divisor`: of the strength of schedule; 0 for FIDE's (K).
    - `fore`: whether the pairings of the last round count as draws (F).
    - `reverse`: whether the order is the opposite (R).
    - `forfeits`: whether forfeits count as played against the scheduled opponent (P).
    - `unrated`: rating of whoever has none, 0..9999; None to leave them out (U).
    - `edition`: of C.07, 2024 or 2026, whose rules for unplayed rounds count; empty for those of
      the event (V).
    """

    low: int = 0
    high: int = 0
    by: Literal["m", "g"] = "m"
    percent: int = 50
    shift: int = 0
    divisor: float = 0.0
    fore: bool = False
    reverse: bool = False
    forfeits: bool = False
    unrated: int | None = None
    edition: str = ""


PLAIN = Modifiers()
"""Nothing asked for."""


@dataclass(frozen=True, kw_only=True)
class MadeFor(Modifiers):
    """What a tie-break is made for: an event's rounds and boards, and what was asked for."""

    rounds: int
    boards: int


@dataclass(frozen=True)
class Entry:
    """One tie-break of the library.

    **Fields:**

    - `name`: without cuts.
    - `make`: the tie-break, from `modules` and a format.
    - `units`: of its scores.
    - `meaning`: what it is, for legends and tables; `{points}` are match points or points,
      `{match}` and `{matches}` a match or a game.
    - `source`: an article of FIDE's Handbook C.07, or one line.
    - `codes`: FIDE's codes in files, the one that is written last.
    - `coded_in`: the lists in which a code stands for it.
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
    - `based`: whether teams may have it of game points as well as of match points.
    - `takes`: letters of FIDE's modifiers that it has besides those that follow from the other
      fields, see `letters`.
    - `shown`: how it is printed.
    """

    # What it computes, and the same in words.
    name: str
    make: Callable[[Any, MadeFor], TieBreak]
    units: Units
    meaning: str
    source: str
    # What it is called in files, in tables and in documents.
    codes: tuple[str, ...] = ()
    heading: str = ""
    words: str = ""
    # What it asks of an event.
    needs: Needs = ""
    cuts: Literal["", "low", "both"] = ""
    always_cut: int = 0
    individual: bool = False
    any_points: bool = True
    unplayed: Unplayed = "completed"
    # Where users may name it, and with what.
    known_in: Lists = "rules"
    coded_in: Lists = "rules"
    based: bool = False
    takes: str = ""
    shown: Shown = ""

    @property
    def letters(self) -> str:
        """FIDE's modifiers that it may have: cuts, the rules for unplayed rounds, ratings."""
        cuts = {"": "", "low": "C", "both": "CM"}[self.cuts]
        unplayed = {"completed": "PV", "games": "P"}.get(self.unplayed, "")
        return cuts + self.takes + unplayed + ("U" if self.needs == "ratings" else "")

    def build(self, rounds: int, boards: int, asked: Modifiers = PLAIN) -> TieBreak:
        """The rule for an event, with what was asked for.

        **Raises:** `InputError` for a format that no event has, or that it is not for.
        """
        import tb2learn.tiebreaks.modules as modules
        from tb2learn.types import InputError, check_size

        check_size(rounds, boards)
        if self.individual and boards != 1:
            raise InputError(
                f"{self.name} is for individual events (1 board), got {boards} boards: "
                "of team events there are emmsb, emgsb, egmsb and eggsb"
            )
        return self.make(modules, MadeFor(rounds=rounds, boards=boards, **vars(asked)))

    def unit(self, boards: int, by: Literal["m", "g"] = "m") -> float:
        """Worth of one point of its scores in the published scale."""
        # Game points are counted in half points.
        return 0.5 if by == "g" and self.units == MATCH_POINTS else self.units[boards == 1]

    def says(self, players: bool, asked: Modifiers = PLAIN) -> str:
        """What it is, in an event of teams or of players, with what was asked for."""
        points, match = ("points", "game") if players else ("match points", "match")
        points = "game points" if asked.by == "g" else points
        matches = "games" if players or asked.by == "g" else "matches"
        ends = ((asked.low or self.always_cut, "lowest"), (asked.high, "highest"))
        cuts = [f"the {'' if n == 1 else f'{n} '}{end}" for n, end in ends if n]
        sentences = [self.meaning.format(points=points, match=match, matches=matches)]
        sentences += [f"without {' and '.join(cuts)}"] if cuts else []
        sentences += [
            text.format(asked=asked, points=asked.shift / 2)
            for name, text in _SAID.items()
            if getattr(asked, name) != getattr(PLAIN, name)
        ]
        return ", ".join(sentences) + "."


_SAID: Mapping[str, str] = {
    "percent": "the limit being {asked.percent} % of all points",
    "shift": "the limit being {points:+g} points from there",
    "divisor": "divided by {asked.divisor:g}",
    "fore": "the final round drawn",
    "reverse": "in the opposite order",
    "forfeits": "forfeits as played",
    "unrated": "whoever has no rating with {asked.unrated}",
    "edition": "unplayed rounds by C.07 of {asked.edition}",
}
"""What modifiers say; those of cuts and scores are part of the meaning."""


def _extended(opponent: str, own: str, article: str, *also: str) -> Entry:
    """One of FIDE's four Sonneborn-Berger sums for teams; `also` are further codes."""
    words = {"m": "match points", "g": "game points"}
    return Entry(
        f"e{opponent}{own}sb",
        lambda kinds, f: kinds.sums.OpponentSum(opponent, own, f.low, f.high),
        # Each score in game points is counted in half points.
        (0.5 ** (opponent + own).count("g"), 0.25),
        f"sum of the opponents' {words[opponent]}, each times the {words[own]} against it",
        article,
        codes=(f"ESB:{opponent}{own}".upper(), *also, f"E{opponent}{own}SB".upper()),
        cuts="both",
        coded_in="teams",
    )


def _buchholz(kinds: Any, f: MadeFor) -> Any:
    """The sum of the opponents' match points or game points, with its cuts; also fore Buchholz."""
    plain = kinds.sums.OpponentSum(f.by, "", f.low, f.high)
    return kinds.sums.Fore(plain) if f.fore else plain


def _encounter(code: str, then: str, article: str, *steps: str) -> Entry:
    """One of FIDE's extended direct encounters for teams."""
    return Entry(
        code.lower(),
        lambda kinds, f: kinds.combined.DirectEncounter(
            steps=(f.by, "g" if f.by == "m" else "m", *steps)
        ),
        COUNTS,
        f"extended direct encounter: as direct encounter, then by the other points{then}",
        article,
        codes=(code,),
        needs="boards" if steps else "",
        based=True,
        unplayed="games",
        known_in="teams",
        shown="rank",
    )


_EVENT = "regulations of the event"
_CSATO = "L. Csato, Ranking in Swiss system chess team tournaments, 2017"
_RICCA = "R. Ricca, Looking for the best tie-break, 2016, global criterion 5 (there times 100)"

# fmt: off
_ENTRIES = (
    Entry("mp", lambda kinds, f: kinds.own.MatchPoints(), COUNTS, "match points", _EVENT,
          codes=("MPVGP:GP", "PTS", "MPTS"), heading="MP", words="wall.mp", unplayed="own",
          known_in="teams"),
    Entry("points", lambda kinds, f: kinds.own.MatchPoints(), MATCH_POINTS, "points of all rounds",
          _EVENT, codes=("PTS",), unplayed="own", known_in="players"),
    Entry("gp", lambda kinds, f: kinds.own.GamePoints(), HALF_POINTS,
          "game points (points of all boards)", "13.1",
          codes=("MPVGP:MP", "GPTS"), heading="GP", words="wall.gp", unplayed="own",
          known_in="teams"),
    Entry("played", lambda kinds, f: kinds.own.Rounds("played"), COUNTS,
          "matches played over the board", "Ucarcus, 2014",
          words="wall.met", unplayed="own", known_in="teams"),
    Entry("opponents", lambda kinds, f: kinds.sums.OpponentSum("m", "", f.low, f.high), COUNTS,
          "buchholz of teams under an older name: sum of the opponents' match points", "8.1",
          words="wall.sum_mp", cuts="both", known_in="teams"),
    Entry("tb4", lambda kinds, f: kinds.sums.OpponentSum("m", "", f.low), COUNTS,
          "buchholz-cut1 under the Olympiad's name: sum of the opponents' match points", "8.1",
          heading="BH/C1", words="wall.sum_mp", always_cut=1, known_in="teams"),
    _extended("m", "m", "13.2.1", "SB"),
    _extended("m", "g", "13.2.2"),
    _extended("g", "m", "13.2.3"),
    _extended("g", "g", "13.2.4", "SB:GP"),
    Entry("sonneborn-berger", lambda kinds, f: kinds.sums.OpponentSum("m", "m", f.low, f.high),
          (0.5, 0.25), "sum of the opponents' points, each times the result against him", "9.1",
          codes=("SB",), cuts="both", individual=True),
    Entry("buchholz", lambda kinds, f: kinds.sums.OpponentSum("m", "", f.low, f.high),
          MATCH_POINTS, "sum of the opponents' {points}", "8.1",
          codes=("BH",), words="wall.sum_mp", cuts="both"),
    Entry("buchholz-gp", lambda kinds, f: kinds.sums.OpponentSum("g", "", f.low, f.high),
          HALF_POINTS, "sum of the opponents' game points", "8.1 on game points",
          codes=("BH:GP",), words="wall.sum_gp", cuts="both", coded_in="teams"),
    Entry(DEEP, lambda kinds, f: kinds.sums.DeepBuchholz(), (0.125, 0.0625),
          "Buchholz median 1 of opponents that count as their points and an eighth of their "
          "Buchholz", "own experiments (python -m studies.formula)",
          individual=True, any_points=False),
    Entry("fore-buchholz", lambda kinds, f: kinds.sums.Fore(_buchholz(kinds, f)), MATCH_POINTS,
          "sum of the opponents' {points}, the pairings of the final round drawn", "8.3",
          codes=("FB",), cuts="both", based=True, known_in="lists"),
    Entry("mean-buchholz", lambda kinds, f: kinds.sums.MeanBuchholz(
              # In half points two units make a point.
              _buchholz(kinds, f), f.rounds, 2 if f.boards == 1 or f.by == "g" else 1,
          ), (0.001, 0.001), "mean of the opponents' sums of their opponents' {points}", "8.2",
          codes=("AOB",), takes="F", based=True, known_in="lists"),
    Entry("sssc", lambda kinds, f: kinds.sums.ScheduleStrength(
              _buchholz(kinds, f), f.by, f.rounds, f.boards, f.divisor
          ), (0.01, 0.01),
          "score and strength of schedule: the other points, and the sum of the opponents' "
          "{points} over a divisor", "13.4",
          codes=("SSSC",), takes="FK", based=True, known_in="teams"),
    Entry("aro", lambda kinds, f: kinds.rated.AverageRating(f.low, f.high), COUNTS,
          "mean rating of the opponents", "10.1",
          codes=("ARO",), needs="ratings", cuts="both", unplayed="met"),
    Entry("aroc", lambda kinds, f: kinds.rated.AverageRating(f.low), COUNTS,
          "aro-cut1 under an older name: mean rating of the opponents", "10.1",
          needs="ratings", always_cut=1, unplayed="met"),
    Entry("apro", lambda kinds, f: kinds.rated.OpponentPerformance(), COUNTS,
          "mean performance rating of the opponents", "10.4",
          codes=("APRO",), needs="ratings", unplayed="met"),
    Entry("ptpr", lambda kinds, f: kinds.rated.PerfectPerformance(), COUNTS,
          "lowest rating whose expected score is at least the score", "10.3",
          codes=("PTP",), needs="ratings", unplayed="met"),
    Entry("tpr", lambda kinds, f: kinds.rated.Performance(), COUNTS,
          "performance rating", "10.2",
          codes=("TPR",), needs="ratings", unplayed="met", known_in="lists"),
    Entry("appo", lambda kinds, f: kinds.rated.OpponentPerfectPerformance(), COUNTS,
          "mean perfect performance rating of the opponents", "10.5",
          codes=("APPO",), needs="ratings", unplayed="met", known_in="lists"),
    Entry("rating", lambda kinds, f: kinds.rated.OwnRating(f.reverse), COUNTS,
          "own rating", "10.6",
          codes=("RTNG",), needs="ratings", takes="R", unplayed="own", known_in="lists"),
    Entry("progressive", lambda kinds, f: kinds.own.Progressive(f.low, f.by), MATCH_POINTS,
          "sum of the {points} after every round", "7.5",
          codes=("PS",), cuts="low", based=True, unplayed="recorded"),
    Entry("koya", lambda kinds, f: kinds.sums.Koya(
              # Half a point is a whole unit of half points, and half a unit of match points.
              f.rounds, f.by, f.percent, f.shift * (100 if f.boards == 1 or f.by == "g" else 50)
          ), MATCH_POINTS,
          "{points} against opponents who have at least half of all {points}", "9.2",
          codes=("KS",), takes="L", based=True, unplayed="recorded"),
    Entry("direct", lambda kinds, f: kinds.combined.DirectEncounter(steps=(f.by,)), COUNTS,
          "direct encounter: the rank that the {matches} among those still tied give, 0 for none",
          "6", codes=("DE",), based=True, unplayed="games", shown="rank"),
    _encounter("EDE", "", "13.3"),
    _encounter("EDEC", ", of two by the board count", "13.3.2", "count"),
    _encounter("EDET", ", of two by the top boards", "13.3.2", "top"),
    _encounter("EDEB", ", of two without the bottom boards", "13.3.2", "bottom"),
    _encounter("EDEBT", ", of two by the board count and the top boards", "13.3.2", "count", "top"),
    _encounter("EDEBB", ", of two by the board count and without the bottom boards", "13.3.2",
               "count", "bottom"),
    Entry("board-count", lambda kinds, f: kinds.boards.BoardCount(), HALF_POINTS,
          "sum of the numbers of the boards, each times the points there; the lowest is first",
          "12.1", codes=("BC",), needs="boards", unplayed="own", known_in="teams", shown="lowest"),
    Entry("top-boards", lambda kinds, f: kinds.boards.BoardByBoard("top"), COUNTS,
          "rank among those still tied by the points on board 1, then on board 2, and so on",
          "12.2", codes=("TBR",), needs="boards", unplayed="own", known_in="teams", shown="rank"),
    Entry("bottom-boards", lambda kinds, f: kinds.boards.BoardByBoard("bottom"), COUNTS,
          "rank among those still tied by the points without the last board, then without the last "
          "two, and so on",
          "12.3", codes=("BBE",), needs="boards", unplayed="own", known_in="teams", shown="rank"),
    Entry("wins", lambda kinds, f: kinds.own.Wins(f.by), COUNTS,
          "{matches} won, also by default, and byes that pay a win", "7.1",
          codes=("WIN",), based=True, unplayed="recorded"),
    Entry("games-won", lambda kinds, f: kinds.own.Rounds("won", f.by), COUNTS,
          "{matches} won over the board", "7.2",
          codes=("WON",), based=True, unplayed="own", known_in="lists"),
    Entry("black-wins", lambda kinds, f: kinds.own.Rounds("black-wins", f.by), COUNTS,
          "{matches} won with Black", "7.4",
          codes=("BWG",), needs="colours", based=True, unplayed="own", known_in="lists"),
    Entry("blacks", lambda kinds, f: kinds.own.Rounds("black", f.by), COUNTS,
          "{matches} played with Black", "7.3",
          codes=("BPG",), needs="colours", based=True, unplayed="own"),
    Entry("elected", lambda kinds, f: kinds.own.Rounds("elected"), COUNTS,
          "rounds not missed by one's own choice", "7.6",
          codes=("GE", "REP"), unplayed="own", known_in="lists"),
    Entry("standard-points", lambda kinds, f: kinds.own.StandardPoints(f.by), HALF_POINTS,
          "1 for every round that paid more than a draw, a half for a draw", "7.7",
          codes=("STD",), based=True, unplayed="own", known_in="lists"),
    Entry("number", lambda kinds, f: kinds.own.PairingNumber(f.reverse), COUNTS,
          "number of the start list, the lowest first", "7.8",
          codes=("TPN",), takes="R", unplayed="own", known_in="lists", shown="lowest"),
    Entry("lot", lambda kinds, f: kinds.own.Lot(), COUNTS,
          "a lot, drawn by the results of the event, the lowest first", "4.2",
          codes=("RND",), unplayed="own", known_in="lists", shown="lowest"),
    Entry("game-points", lambda kinds, f: kinds.own.GamePoints(), HALF_POINTS,
          "game points (points of all boards)", "13.1",
          words="wall.gp", unplayed="recorded"),
    Entry("bruno", lambda kinds, f: kinds.sums.Bruno(), (1.0, 0.25),
          "sum of the opponents' {points} times the own ones", _RICCA, any_points=False),
    Entry("least-squares", lambda kinds, f: kinds.paired.LeastSquares(), TEN_THOUSANDTHS,
          "ratings whose differences fit the results of all {matches} best", _CSATO,
          words="wall.least_squares", any_points=False, unplayed="met"),
    Entry("row-sum", lambda kinds, f: kinds.paired.RowSum(kinds.SIX), TEN_THOUSANDTHS,
          "generalized row sum: results, corrected by those of the opponents (epsilon 1/6)", _CSATO,
          any_points=False, unplayed="met"),
)
# fmt: on

ENTRIES: Mapping[str, Entry] = MappingProxyType({entry.name: entry for entry in _ENTRIES})
"""All entries by name."""

NAMED_IN: Mapping[Lists, Mapping[str, Entry]] = MappingProxyType(
    {
        where: {
            name: entry
            for name, entry in ENTRIES.items()
            if entry.known_in in ("rules", "lists", where)
        }
        for where in ("teams", "players")
    }
)
"""Those that lists of criteria may name, of events of teams and of players."""

LIBRARY: Mapping[str, Entry] = MappingProxyType(
    {name: entry for name, entry in ENTRIES.items() if entry.known_in == "rules"}
)
"""Those of rules for any event."""

REFERENCES = ("higher-seed", "posterior-mean", "true-opponents", "all-play-all")
"""References that are assessed beside the rules; they use more than the results of the event."""

RULES = (PRODUCT, LEARNED, FORMULA, *LIBRARY)
"""Rules that need no checkpoint; those of the library may have cuts and be joined by `+`."""


def codes(players: bool) -> dict[str, Entry]:
    """Entries by FIDE's codes, in lists of players or of teams."""
    where: Lists = "players" if players else "teams"
    return {
        code: entry
        for entry in _ENTRIES
        for code in entry.codes
        # Known there, and written there by this code.
        if {entry.known_in, entry.coded_in} <= {"rules", "lists", where}
        and not (entry.individual and not players)
    }


def unplayed_notes(entries: Iterable[Entry], players: bool = False) -> tuple[str, ...]:
    """Lines that name the tie-breaks that no policy for unplayed rounds affects.

    **Arguments:** `players`: of an individual event, whose own results FIDE counts as recorded.
    """
    notes = dict.fromkeys(entry for entry in entries if entry.unplayed in UNPLAYED_NOTES)
    return tuple(
        UNPLAYED_NOTES[entry.unplayed].format(name=entry.name)
        for entry in notes
        if not (players and entry.unplayed == "recorded")
    )


def heading(name: str) -> str:
    """The head of a criterion's column in standings; the rule of the Olympiad's order is TB2."""
    if name in ENTRIES:
        return ENTRIES[name].heading or name
    return "TB2" if name == "tb2" else name
