"""By how much errors grow in every format."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from tb2learn.catalogue import PRODUCT
from tb2learn.report.figures_assessment import growth_figure
from tb2learn.report.frames import Frames
from tb2learn.studies.shapes import with_names
from tb2learn.tiebreaks.formula_constants import FORMULA, TABLES


def transfer_figure(frames: Frames) -> Figure:
    """Growth over all ties: of the formula and the shipped tables, and of the product rule."""
    found = with_names(frames["growth"][frames["growth"]["top"] == "all"])
    found = found.sort_values(["boards", "teams", "rounds"], kind="stable")
    # By panel and mark, in their order: the formula is judged in every format.
    both, alone = "Formula and shipped tables", "Product rule"
    marks = {FORMULA: (both, [FORMULA]), "shipped table": (both, list(TABLES.values())),
             PRODUCT: (alone, [PRODUCT])}  # fmt: skip
    drawn = [
        found[found["rule"].isin(rules)].assign(panel=panel, mark=mark)
        for mark, (panel, rules) in marks.items()
    ]
    return growth_figure(pd.concat(drawn), "a table made for the format")


FIGURES = {"transfer.png": transfer_figure}
