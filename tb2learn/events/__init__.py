"""Real events: read them, rank them, show the working, compare rules."""

from tb2learn.events.criteria import Criterion, fide_order, parse_criteria
from tb2learn.events.explain import Item, Working, explain, has_working
from tb2learn.events.formats.read import read_event
from tb2learn.events.model import Game, Match, Player, TeamEvent
from tb2learn.events.rank import Comparison, Moved, Ranked, compare, rank, scores, unplayed_notes
from tb2learn.events.unplayed.policies import POLICIES

__all__ = [
    "POLICIES",
    "Comparison",
    "Criterion",
    "Game",
    "Item",
    "Match",
    "Moved",
    "Player",
    "Ranked",
    "TeamEvent",
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
