"""Recorded events: read them, rank them, show the working, compare rules. Imports no simulator.

- `formats`: read and write events as CSV folders, TRF and PGN files.
- `model`: `TeamEvent` and its teams, players, games, matches; `frames`: the same as DataFrames.
- `unplayed`: the policies for unplayed rounds.
- `criteria`: the criteria that standings are sorted by, `orders` lists of them;
  `rank`: standings and comparisons of two rules; `explain`: the working of a team's tie-breaks.
"""

from tb2learn.events.criteria import Criterion
from tb2learn.events.explain import Item, Working, explain, has_working
from tb2learn.events.formats.oddities import Reading, reading
from tb2learn.events.formats.read import read_event
from tb2learn.events.model import TeamEvent
from tb2learn.events.orders import fide_order
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
