"""Ricca's published figures of methods for unplayed rounds."""

from __future__ import annotations

from tb2learn.data import read_rows
from tb2learn.studies.claims import Figures, method_name
from tb2learn.studies.ricca.evaluation import RANDOM

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


def ricca_unplayed() -> Figures:
    """His values: by kind, population, our name of method and sum, and criterion."""
    return {
        (
            row["kind"],
            row["population"],
            method_name(RICCA_METHODS[row["method"]], RICCA_SUMS[row["tie_break"]]),
            criterion,
        ): float(row[criterion])
        for row in read_rows("ricca", "unplayed.csv")
        for criterion in (*RICCA_CRITERIA, RANDOM)
        if row[criterion]
    }
