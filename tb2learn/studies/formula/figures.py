"""By how much the errors of the closed form and of the product rule grow, format by format."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from tb2learn.report.figures_assessment import growth_figure
from tb2learn.report.frames import Frames
from tb2learn.report.wording import population_name
from tb2learn.studies.shapes import with_names


def formula_figure(frames: Frames) -> Figure:
    """Growth of the closed form and of the product rule, by population."""
    fits = with_names(frames["fits"])
    fits["format"] += fits["fitted"].map({"yes": ", fitted", "no": ""})
    fits["mark"] = fits["top"].map(population_name)
    grown = fits.filter(like="growth").columns
    product = fits[grown.str.replace("growth", "product")].to_numpy()
    panels = [
        fits.assign(panel="Closed form of the formula"),
        fits.assign(panel="Product rule", **dict(zip(grown, product.T, strict=True))),
    ]
    return growth_figure(pd.concat(panels), "the formula fitted to the format")


FIGURES = {"formula.png": formula_figure}
