"""Direct encounter as R. Ricca uses it: studies of numbers from before article 6.3 judge it."""

from __future__ import annotations

from dataclasses import replace

from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import Combined, DirectEncounter
from tb2learn.tiebreaks.rules import Rule


def encounter_once(rule: TieBreak) -> TieBreak:
    """The same tie-break with direct encounter as Ricca uses it, see `DirectEncounter`."""
    if isinstance(rule, Combined):
        return Combined(tuple(map(encounter_once, rule.parts)))
    return DirectEncounter(once=True) if isinstance(rule, DirectEncounter) else rule


def with_encounter_once(rule: Rule) -> Rule:
    """A rule with this direct encounter."""
    return replace(rule, tiebreak=encounter_once(rule.tiebreak))
