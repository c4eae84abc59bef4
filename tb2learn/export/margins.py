"""How sure a rule's orders are, as a small table beside the rule: margin and own MP to probability.

For rules and formats with a calibrated confidence; others have no such table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tb2learn.catalogue import find_confidence
from tb2learn.export.document import Grid
from tb2learn.export.words import words
from tb2learn.tiebreaks.confidence_map import Confidence
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

PROBABILITIES = (0.55, 0.6, 0.7, 0.8, 0.9, 0.95)
"""The columns of the table."""

_FINEST = 0.01
"""The finest step of a margin that is printed, in points of the rule."""

_SAME = 1e-9  # relative: a margin this near to a step below it is that step


def confidence_of(rule: Rule) -> Confidence | None:
    """The confidence of a rule, if it has been calibrated for its format."""
    try:
        return find_confidence(rule.name, rule)
    except InputError:
        return None


def printed_margins(
    confidence: Confidence, probabilities: Sequence[float] = PROBABILITIES
) -> list[list[float]]:
    """The smallest printed margins at which an order has each probability, by own match points.

    **Returns:** a row an own score; rounded up, to whole points for a table and to hundredths for a
    formula, so that an order with the margin has at least the probability.
    """
    step = max(confidence.unit, _FINEST)
    return [
        [
            round(math.ceil(confidence.margin(own, p) / step * (1 - _SAME)) * step, 6)
            for p in probabilities
        ]
        for own in range(len(confidence.scale))
    ]


def sure_grid(rule: Rule, language: str = "en") -> tuple[str, Grid] | None:
    """A sentence that says how to read the table, and the table; None without a confidence.

    **Arguments:** `language`: one of `words.LANGUAGES`.
    """
    confidence = confidence_of(rule)
    if confidence is None:
        return None
    text = words(language)
    form = ".2f" if confidence.unit < _FINEST else "g"
    rows = tuple(
        (own, *(f"{margin:{form}}" for margin in margins))
        for own, margins in enumerate(printed_margins(confidence))
    )
    heads = (text["doc.own_mp"], *(f"{p:.0%}" for p in PROBABILITIES))
    return text["use.sure_text"], Grid(text["use.sure"], heads, rows, together=True)
