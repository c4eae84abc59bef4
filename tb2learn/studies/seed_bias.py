"""Seed bias in reports: whether a rule rewards what a team did, or where it was seeded."""

from __future__ import annotations

import numpy as np

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.references import REFERENCES
from tb2learn.assessment.tally import ErrorRate, SeedBias

DEFINITION = (
    "Where seeds are ratings near the truth, a team's opponents betray its seed, and a rule that "
    "reads the seed out of the pairings errs less without looking at what a team did. So error "
    "alone cannot judge a rule there: placing the higher seed first errs least of all. *Higher "
    "better*, *lower better*: shares decided wrongly where the higher or the lower seed is the "
    "better team. *Near-equal*: among teams less than one expected match point of the all-play-all "
    "apart, the share of verdicts for the higher seed (equal scores count half): 0.5 is fair, "
    "evidence alone decides."
)


def bias_rows(result: Assessment, top: int) -> list[tuple[ErrorRate, SeedBias]]:
    """The rules of one population with their seed bias, the lowest error first."""
    rows = [(r, r.seed_bias) for r in result.results if r.top == top and r.seed_bias]
    return sorted(rows, key=lambda both: np.nan_to_num(both[0].error_rate))


def fairest(result: Assessment, top: int) -> list[str]:
    """The rules that no other rule beats on both error and distance of the preference from 0.5.

    By point estimates; references, which know more than the results, do not count.
    """
    rows = [
        (row.rule, row.error_rate, abs(bias.near.value - 0.5))
        for row, bias in bias_rows(result, top)
        if row.rule not in REFERENCES
    ]
    return [
        rule
        for rule, error, unfair in rows
        if not any(e < error and u < unfair for _, e, u in rows)
    ]
