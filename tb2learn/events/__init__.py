"""Recorded events: read them, rank them, show the working, compare rules. Imports no simulator.

- `files`: read and write events: tables (CSV, XLSX, HTML), TRF, PGN.
- `model`: `TeamEvent` and its teams, players, games, matches, also as DataFrames.
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
    from tb2learn.events.criteria import Criterion as Criterion
    from tb2learn.events.criteria import fide_order as fide_order
    from tb2learn.events.explain import Item as Item
    from tb2learn.events.explain import Working as Working
    from tb2learn.events.explain import explain as explain
    from tb2learn.events.explain import has_working as has_working
    from tb2learn.events.files.options import Reading as Reading
    from tb2learn.events.files.options import reading as reading
    from tb2learn.events.files.read import read_event as read_event
    from tb2learn.events.model import TeamEvent as TeamEvent
    from tb2learn.events.parts import Game as Game
    from tb2learn.events.parts import Match as Match
    from tb2learn.events.parts import Penalty as Penalty
    from tb2learn.events.parts import Player as Player
    from tb2learn.events.rank import Comparison as Comparison
    from tb2learn.events.rank import PlaceChange as PlaceChange
    from tb2learn.events.rank import StandingsRow as StandingsRow
    from tb2learn.events.rank import compare as compare
    from tb2learn.events.rank import listed_order as listed_order
    from tb2learn.events.rank import named_order as named_order
    from tb2learn.events.rank import rank as rank
    from tb2learn.events.rank import recorded_list as recorded_list
    from tb2learn.events.rank import round_robin_notes as round_robin_notes
    from tb2learn.events.rank import scores as scores
    from tb2learn.events.rank import unplayed_notes as unplayed_notes
    from tb2learn.events.rank import usual_order as usual_order
    from tb2learn.events.rank import usual_rule as usual_rule
    from tb2learn.events.terms import terms as terms
    from tb2learn.events.unplayed.policies import POLICIES as POLICIES
    from tb2learn.events.unplayed.policies import usual_policy as usual_policy

_NAMES = {
    "criteria": ("Criterion", "fide_order"),
    "explain": ("Item", "Working", "explain", "has_working"),
    "files.options": ("Reading", "reading"),
    "files.read": ("read_event",),
    "model": ("TeamEvent",),
    "parts": ("Game", "Match", "Penalty", "Player"),
    "rank": (
        "Comparison", "PlaceChange", "StandingsRow", "compare", "listed_order", "named_order",
        "rank", "recorded_list", "round_robin_notes", "scores", "unplayed_notes", "usual_order",
        "usual_rule",
    ),
    "terms": ("terms",),
    "unplayed.policies": ("POLICIES", "usual_policy"),
}  # fmt: skip
_HOMES = {name: module for module, names in _NAMES.items() for name in names}


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
