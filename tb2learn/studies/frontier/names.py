"""The worlds of the frontier, and the names of the rules that are fitted to them."""

from __future__ import annotations

import math

from tb2learn.studies.worlds import FAIR, FORMULA, LEARNED, ROSTERS, SEEDED, WORLD

__all__ = ["FAIR", "FORMULA", "LEARNED", "ROSTERS", "SEEDED", "WORLD"]

REAL = "real-180x11"
"""The world as it is with the day shock, and a seed noise that every event draws anew."""

BATUMI = "batumi-180x11"
"""The world as it is with the rosters of an event to which no shipped rule is fitted."""

TOP = 30
"""The population by which rules are chosen."""

SUMS = (0.1, 0.15, 0.2, 0.3, 0.5, 0.7)
"""Weights in the sums of the learned table and the one fitted to the world as it is."""

MOST_PREFERENCE, MOST_MORE = 0.51, 0.001
"""The rule of choice: bounds of the near-equal preference, and of the errors added where seeds are
random."""

BLEND, RIDGE = "blend", "ridge"
"""How the names of rules begin that are no tables and cannot be printed."""

KIND = "rosters+random"
"""The kind of the shipped `ROSTERS`."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "random seeds, other fields": ("random", "rosters", "two-rosters"),
    "random and seeded world, penalties": ("mixed-",),
    "seeded world alone, penalties": ("seeded-fair-",),
    "the same with day shock, seed noise drawn from 30 to 80": ("real-",),
    "passes repeated": ("limit-",),
    "blends of thirteen rules": ("blend-",),
    "least squares shrunk to a learned prior": ("ridge-",),
}
"""How the names of the rules of a family begin."""


def family_name(weight: float, fairness: float, kind: str = "mixed") -> str:
    """The name of a table whose last pass is fitted with a weight and a penalty."""
    world = "seeded" if math.isinf(weight) else f"{kind}-{weight:g}"
    return f"{world}-fair-{fairness:g}"


def ridge_events(trained: int) -> int:
    """Events of each world that the shrunken least squares are fitted to: they need fewer."""
    return max(1, trained // 4)


SHARP = family_name(math.inf, 0.0)
"""The table whose last pass is fitted to the seeded world alone, without a penalty."""

CURVE = [LEARNED, *(f"sum-{weight:g}" for weight in SUMS), SHARP]
"""The known curve: the learned table, the sums, and the table fitted to the seeded world."""
