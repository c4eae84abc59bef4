"""Tie-breaks as pure functions of an event's results: one signature, batched like everything else.

A rule is a frozen pytree: its numbers are leaves, so that one compiled program serves every table.
`scores` gives a number a team, higher is better; only teams equal on match points are compared.
A rule sees `Results` alone: no ratings, no seeds, no round order beyond what they hold.
"""

from tb2learn.tiebreaks.additive import (
    Additive,
    Buchholz,
    FormulaRule,
    GamePoints,
    PassRule,
    TableRule,
)
from tb2learn.tiebreaks.paired import LeastSquares, RowSum
from tb2learn.tiebreaks.rule import TieBreak

__all__ = [
    "Additive",
    "Buchholz",
    "FormulaRule",
    "GamePoints",
    "LeastSquares",
    "PassRule",
    "RowSum",
    "TableRule",
    "TieBreak",
]
