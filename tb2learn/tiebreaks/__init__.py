"""Tie-breaks as pure functions of an event's results: one signature, batched like everything else.

A rule is a frozen pytree: its numbers are leaves, so that one compiled program serves every table.
`scores` gives a number a team, higher is better; only teams equal on match points are compared.
A rule sees `Results` alone: no seeds, and ratings and colours only where it is made of them.

`library` has the tie-breaks of FIDE's handbook and of studies by name.
"""

from tb2learn.tiebreaks.additive import Additive, GamePoints, TableRule
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import Combined, DirectEncounter, Grouped
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
