"""What the report shows beside its frame: where errors grow most, and what `learned` chooses."""

from __future__ import annotations

from typing import Any

from tb2learn.catalogue import PRODUCT
from tb2learn.report.frames import Frames
from tb2learn.studies.shapes import most, with_names
from tb2learn.tiebreaks.formula_constants import FORMULA, TABLES


def summary(frames: Frames) -> dict[str, Any]:
    """The rows with the largest growth, formats in which the formula is better."""
    found = with_names(frames["growth"][frames["growth"]["top"] == "all"])
    tables = list(TABLES.values())
    kinds = {"formula": [FORMULA], "a shipped table": tables, "product rule": [PRODUCT]}
    better = found["rule"].isin(tables) & (found["over_formula_low"] > 0)
    return {
        "most": {name: most(found[found["rule"].isin(rules)]) for name, rules in kinds.items()},
        "formula_chosen": list(found["format"][better]),
        "tables": tables,
    }
