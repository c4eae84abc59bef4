"""Recorded events: read them, rank them, show the working, compare rules. Imports no simulator.

- `formats`: read and write events as CSV folders, TRF and PGN files.
- `model`: `TeamEvent` and its teams, players, games, matches; `frames`: the same as DataFrames.
- `unplayed`: the policies for unplayed rounds.
- `criteria`: the criteria that standings are sorted by, and lists of them;
  `rank`: standings and comparisons of two rules; `explain`: the working of a team's tie-breaks.

Names are imported when they are first used, as the command line needs the list of file formats for
its help, and nothing else.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tb2learn.events.criteria import Criterion, fide_order
    from tb2learn.events.explain import Item, Working, explain, has_working
    from tb2learn.events.formats.oddities import Reading, reading
    from tb2learn.events.formats.read import read_event
    from tb2learn.events.model import TeamEvent
    from tb2learn.events.parts import Game, Match, Penalty, Player
    from tb2learn.events.rank import (
        Comparison,
        Moved,
        Ranked,
        compare,
        listed_order,
        named_order,
        rank,
        round_robin_notes,
        scores,
        unplayed_notes,
        usual_order,
        usual_rule,
    )
    from tb2learn.events.terms import terms
    from tb2learn.events.unplayed.policies import POLICIES, usual_policy

_NAMES = {
    "criteria": ("Criterion", "fide_order"),
    "explain": ("Item", "Working", "explain", "has_working"),
    "formats.oddities": ("Reading", "reading"),
    "formats.read": ("read_event",),
    "model": ("TeamEvent",),
    "parts": ("Game", "Match", "Penalty", "Player"),
    "rank": (
        "Comparison", "Moved", "Ranked", "compare", "listed_order", "named_order", "rank",
        "round_robin_notes", "scores", "unplayed_notes", "usual_order", "usual_rule",
    ),
    "terms": ("terms",),
    "unplayed.policies": ("POLICIES", "usual_policy"),
}  # fmt: skip
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "POLICIES",
    "Comparison",
    "Criterion",
    "Game",
    "Item",
    "Match",
    "Moved",
    "Penalty",
    "Player",
    "Ranked",
    "Reading",
    "TeamEvent",
    "Working",
    "compare",
    "explain",
    "fide_order",
    "has_working",
    "listed_order",
    "named_order",
    "rank",
    "read_event",
    "reading",
    "round_robin_notes",
    "scores",
    "terms",
    "unplayed_notes",
    "usual_order",
    "usual_policy",
    "usual_rule",
]


class _Package(types.ModuleType):
    """The package. Its functions hide the modules of the same name, such as `rank`."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, types.ModuleType)):
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        setattr(self, name, value)
        return value


sys.modules[__name__].__class__ = _Package
