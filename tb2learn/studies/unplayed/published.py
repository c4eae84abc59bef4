"""Ricca's published figures of methods for unplayed rounds, and his conclusions."""

from __future__ import annotations

import pandas as pd

from tb2learn.data import load_table
from tb2learn.studies.tiebreaks.evaluation import POPULATIONS, RANDOM
from tb2learn.studies.tiebreaks.order_claims import OrderClaim, method_name

SOURCE = "R. Ricca, on unplayed games, FIDE Technical Commission, 2017"

RICCA_SUMS = {
    "BH": "opponents",
    "BHC1": "opponents-cut1",
    "BHM1": "opponents-median1",
    "SB": "emgsb",
}
"""Ricca's names of sums."""

RICCA_METHODS = {
    "StdVOpp": "virtual-opponent",
    "AdjVOpp": "adjusted-virtual-opponent",
    "DrawSelf": "drawself",
    "IgnoreUG": "ignore",
    "FairBAvg": "fair-board-average",
    "FairTied": "fair-tied",
    "FairAvg": "fair-average",
    "FairDraw": "fair-draw",
    "FairZero": "fair-zero",
    "FaceVal": "face-value",
}
"""Ricca's names of methods."""

RICCA_CRITERIA = ("ABSELO", "MISPTS")
"""His criteria."""


def ricca_unplayed() -> pd.DataFrame:
    """His values by our names of methods and sums.

    **Returns:** `kind`, `population`, `method`, `sum`, `tie_break`, `criterion`, `ricca`.
    """
    table = load_table("ricca", "unplayed.csv").rename(columns={"tie_break": "sum"})
    table = table.assign(
        method=table["method"].map(RICCA_METHODS), sum=table["sum"].map(RICCA_SUMS)
    )
    names = [method_name(*one) for one in zip(table["method"], table["sum"], strict=True)]
    keys = ["kind", "population", "method", "sum", "tie_break"]
    long = table.assign(tie_break=names).melt(keys, [*RICCA_CRITERIA, RANDOM], "criterion", "ricca")
    return long.dropna().astype({"ricca": float})


def _order(
    text: str,
    methods: tuple[str, ...],
    sums: tuple[str, ...],
    worst: bool = False,
    populations: tuple[str, ...] = tuple(POPULATIONS),
    criteria: tuple[str, ...] = RICCA_CRITERIA,
) -> OrderClaim:
    """The claim that some of his ten methods are the best, or the worst."""
    others = tuple(other for other in RICCA_METHODS.values() if other not in methods)
    return OrderClaim(text, methods, others, criteria, populations, worst, sums)


_BUCHHOLZ = ("opponents", "opponents-cut1", "opponents-median1")

_BOTH = ("drawself", "virtual-opponent")

ORDERS = (
    _order("FaceVal is the worst for every form of Buchholz", ("face-value",), _BUCHHOLZ, True),
    _order("FairZero is the worst for Sonneborn-Berger", ("fair-zero",), ("emgsb",), True),
    _order("DrawSelf and StdVOpp are the best for every form of Buchholz", _BOTH, _BUCHHOLZ),
    _order("DrawSelf and StdVOpp are the best for Sonneborn-Berger", _BOTH, ("emgsb",)),
    _order(
        "IgnoreUG is the best for Sonneborn-Berger by MISPTS among all players",
        ("ignore",),
        ("emgsb",),
        populations=("all",),
        criteria=("MISPTS",),
    ),
)
"""His conclusions about his ten methods."""
