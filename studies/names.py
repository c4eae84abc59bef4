"""What the committed reports and their figures call a rule."""

from __future__ import annotations

from tb2learn.catalogue import is_named
from tb2learn.tiebreaks.library import LEARNED, PRODUCT, REFERENCES


def rule_name(name: str) -> str:
    """The name of a rule in reports: as it is known, or a learned one that was read from a file."""
    if name in REFERENCES:
        return f"reference: {name}"
    known = {PRODUCT: "product rule", LEARNED: "learned rule"}
    return known.get(name) or (name if is_named(name) else f"learned rule {name}")
