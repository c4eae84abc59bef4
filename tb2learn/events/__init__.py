"""Real events: read them, rank them, show the working, compare rules."""

from tb2learn.events.model import EventData, Match
from tb2learn.events.rank import (
    Comparison,
    Item,
    Moved,
    Ranked,
    Working,
    compare,
    event_results,
    explain,
    has_working,
    rank,
    scores,
)
from tb2learn.events.read import read_event

__all__ = [
    "Comparison",
    "EventData",
    "Item",
    "Match",
    "Moved",
    "Ranked",
    "Working",
    "compare",
    "event_results",
    "explain",
    "has_working",
    "rank",
    "read_event",
    "scores",
]
