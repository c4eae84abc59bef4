"""Tie-breaks, each defined once, for simulated and recorded events, teams and players.

A tie-break (`base`) is a frozen pytree whose numbers are leaves, so that one compiled program
serves every table. It gives every team a number; of two teams on equal match points the higher one
is placed first. It sees an event as `chess.results.EventView`: no seeds, and ratings and colours
only if it needs them.

`own` has sums of a team's own results, `sums` sums over opponents, `tables`, `passes` and `formula`
the product rule and the learned ones, `rated` tie-breaks of ratings, `paired` rankings by paired
comparison, `combined` direct encounter and combinations; `modules` lists them all. `library` has
the entry of every tie-break with a name, and what is known of it; it imports none of them, nor
NumPy.
`names` reads their names, in words and in FIDE's codes; `rules` has every rule for a format of
events, with its tables.

The names below may be imported from here, too. Each loads its own module only.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_NAMES = {
    "base": ("Additive", "TieBreak"),
    "combined": ("Combined", "DirectEncounter"),
    "formula": ("FormulaRule",),
    "library": ("LIBRARY", "Entry"),
    "names": ("find_tiebreak",),
    "own": ("GamePoints", "Progressive", "Wins"),
    "paired": ("LeastSquares", "RowSum"),
    "passes": ("PassRule",),
    "rated": ("AverageRating", "OpponentPerformance", "PerfectPerformance"),
    "sums": ("Bruno", "DeepBuchholz", "Koya", "OpponentSum"),
    "tables": ("TableRule",),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """A public name of a module of this room."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
