"""Tie-breaks as pure functions of an event's results, and as published rules.

A tie-break (`base`) is a frozen pytree whose numbers are leaves, so that one compiled program
serves every table. It gives every team a number; of two teams on equal match points the higher one
is placed first. It sees `Results` alone: no seeds, and ratings and colours only if it needs them.

`own` has sums of a team's own results, `additive`, `sums` and `deep` sums over opponents, `passes`
and `formula` the learned rules, `rated` tie-breaks of ratings, `paired` rankings by paired
comparison, `combined` direct encounter and combinations. `library` has the tie-breaks of FIDE's
handbook and of studies by name, `rules` every rule for a format of events, with its tables.
`completed` applies tie-breaks to events whose unplayed rounds a policy completes.
"""

from tb2learn.tiebreaks.additive import Additive, GamePoints, TableRule
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import Combined, DirectEncounter, Grouped
from tb2learn.tiebreaks.deep import DeepBuchholz
from tb2learn.tiebreaks.formula import FormulaRule
from tb2learn.tiebreaks.library import LIBRARY, Entry, find_tiebreak
from tb2learn.tiebreaks.own import Blacks, Progressive, Wins
from tb2learn.tiebreaks.paired import LeastSquares, RowSum
from tb2learn.tiebreaks.passes import PassRule
from tb2learn.tiebreaks.rated import AverageRating, OpponentPerformance, PerfectPerformance
from tb2learn.tiebreaks.sums import Bruno, Buchholz, Koya, OpponentSum

__all__ = [
    "LIBRARY",
    "Additive",
    "AverageRating",
    "Blacks",
    "Bruno",
    "Buchholz",
    "Combined",
    "DeepBuchholz",
    "DirectEncounter",
    "Entry",
    "FormulaRule",
    "GamePoints",
    "Grouped",
    "Koya",
    "LeastSquares",
    "OpponentPerformance",
    "OpponentSum",
    "PassRule",
    "PerfectPerformance",
    "Progressive",
    "RowSum",
    "TableRule",
    "TieBreak",
    "Wins",
    "find_tiebreak",
]
