"""All tie-breaks, from which the entries of `library` are made."""

from tb2learn.tiebreaks.combined import Combined, DirectEncounter
from tb2learn.tiebreaks.formula import FormulaRule
from tb2learn.tiebreaks.own import GamePoints, MatchPoints, Progressive, Rounds, Wins
from tb2learn.tiebreaks.paired import LeastSquares, RowSum
from tb2learn.tiebreaks.passes import PassRule
from tb2learn.tiebreaks.rated import AverageRating, OpponentPerformance, PerfectPerformance
from tb2learn.tiebreaks.sums import Bruno, DeepBuchholz, Koya, OpponentSum
from tb2learn.tiebreaks.tables import TableRule

__all__ = [
    "AverageRating",
    "Bruno",
    "Combined",
    "DeepBuchholz",
    "DirectEncounter",
    "FormulaRule",
    "GamePoints",
    "Koya",
    "LeastSquares",
    "MatchPoints",
    "OpponentPerformance",
    "OpponentSum",
    "PassRule",
    "PerfectPerformance",
    "Progressive",
    "Rounds",
    "RowSum",
    "TableRule",
    "Wins",
]
