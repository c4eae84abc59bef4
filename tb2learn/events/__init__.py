"""Real events: read them, rank them, show the working, compare rules."""

from tb2learn.events.criteria import Criterion, fide_order, parse_criteria
from tb2learn.events.formats.read import read_event
from tb2learn.events.model import EventData, Game, Match, Player
from tb2learn.events.policies import POLICIES
from tb2learn.events.rank import (
    Comparison,
    Item,
    Moved,
    Ranked,
    Working,
    compare,
    explain,
    has_working,
    rank,
    scores,
    unplayed_notes,
)

__all__ = [
    "POLICIES",
    "Comparison",
    "Criterion",
    "EventData",
    "Game",
    "Item",
    "Match",
    "Moved",
    "Player",
    "Ranked",
    "Working",
    "compare",
    "explain",
    "fide_order",
    "has_working",
    "parse_criteria",
    "rank",
    "read_event",
    "scores",
    "unplayed_notes",
]
