"""The formula fitted by boards and rounds, and one closed form of its constants judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from tb2learn.assessment.single import single_event_tally
from tb2learn.catalogue import PRODUCT
from tb2learn.report.figures_assessment import growth_figure
from tb2learn.report.frames import Frames, where
from tb2learn.report.stored import Csv
from tb2learn.report.wording import population_name
from tb2learn.simulation.run import Progress
from tb2learn.studies.worlds import Shape, growths, most, with_names, world
from tb2learn.tiebreaks.formula_constants import MIDDLE, PowerLaw, closed_formula
from tb2learn.tiebreaks.rules import Formula, product_table
from tb2learn.training.pairwise import fit_formula
from tb2learn.version import NUMBERS

FITTED: tuple[Shape, ...] = (
    *((60, rounds, boards) for boards in (4, 8) for rounds in (7, 11)),
    (60, 9, 6),
)
"""Formats at which the formula is fitted."""

CHECKED: tuple[Shape, ...] = ((60, 9, 4), (60, 9, 8))
"""Formats that the closed form is not fitted to, only judged in."""

_CONSTANTS = ("scale", "refinement")

_COLUMNS = {
    **{name: name for name in ("teams", "rounds", "boards")},
    "fitted to": "fitted",
    **{name: name for name in ("a", "k")},
    "ties": "top",
    "pairs": "pairs",
    "native wrong": "native_error",
    "closed form grows by": "growth",
    "from": "growth_low",
    "to": "growth_high",
    "product grows by": "product",
    "product from": "product_low",
    "product to": "product_high",
}

FILES = (Csv("formula.csv", "laws"), Csv("fits.csv", "fits", _COLUMNS, digits=5))


def measure(trained: int, events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Fit the formula at several formats, and judge one closed form in all.

    **Arguments:**

    - `trained`: events of one descent of a fit; descents follow until a plateau is reached.
    - `events`: assessment events of every format.
    - `seed`: of both, which use different streams, and of the bootstrap.

    **Returns:** `laws_frame` as `laws`; `fits`, a row a format and population: whether the closed
    form is `fitted` to the format, the constants `a` and `k` of the formula fitted to it with two
    digits, the share of the `pairs` that it decides wrongly (`native_error`), and how much more the
    closed form (`growth`) and the product rule (`product`) do, with the ends of the intervals.
    """
    natives = {}
    for shape in (*FITTED, *CHECKED):
        config = world(shape, "formula", trained, seed)
        natives[shape] = fit_formula(config, Progress(config.name))[0]
    laws = power_laws([natives[shape] for shape in FITTED])
    judged = [_judged(shape, native, laws, events, seed) for shape, native in natives.items()]
    fits = pd.concat(judged, ignore_index=True)
    return {"laws": laws_frame(laws, trained, seed), "fits": fits}


def power_laws(fits: Sequence[Formula]) -> dict[str, PowerLaw]:
    """Power laws of both constants by least squares on their logarithms.

    **Arguments:** `fits`: formulas at three formats or more, of different rounds; if all have the
    same number of boards, that does not enter.
    """
    boards, rounds = MIDDLE
    several = len({one.boards for one in fits}) > 1
    rows = [
        [1.0, several * np.log(one.boards / boards), np.log(one.event_rounds / rounds)]
        for one in fits
    ]
    laws = {}
    for name in _CONSTANTS:
        values = np.log([getattr(one, name) for one in fits])
        middle, by_boards, by_rounds = np.linalg.lstsq(np.array(rows), values, rcond=None)[0]
        laws[name] = PowerLaw(
            digits(np.exp(middle), 3), round(float(by_boards), 2), round(float(by_rounds), 2)
        )
    return laws


def laws_frame(laws: Mapping[str, PowerLaw], trained: int, seed: int) -> pd.DataFrame:
    """Power laws as the package contains them, with the events and the seed behind them."""
    about = {"events": trained, "seed": seed, "version": NUMBERS}
    return pd.DataFrame([{"constant": name, **asdict(law), **about} for name, law in laws.items()])


def digits(value: float, number: int) -> float:
    """A value with so many significant digits."""
    return float(f"{value:.{number}g}")


def _judged(
    shape: Shape, native: Formula, laws: Mapping[str, PowerLaw], events: int, seed: int
) -> pd.DataFrame:
    """The rows of one format."""
    teams, rounds, boards = shape
    config = world(shape, "formula", events, seed)
    # The fitted one and the closed form may have one name; the counts need two.
    own = Formula("native", rounds, boards, native.scale, native.refinement, native.passes)
    closed = closed_formula(rounds, boards, laws)
    rules = [product_table(rounds, boards), own, closed]
    tally = single_event_tally(config, rules, events, seed, Progress(f"judge {config.name}"))
    product = growths(tally, [PRODUCT], own.name, seed, "product").filter(like="product")
    found = growths(tally, [closed.name], own.name, seed).join(product)
    return found.rename(columns={"other": "native_error"}).assign(
        teams=teams,
        rounds=rounds,
        boards=boards,
        fitted="yes" if shape in FITTED else "no",
        a=digits(native.a, 2),
        k=digits(native.k, 2),
        top=found["top"].astype(str),
    )


def summary(frames: Frames) -> dict[str, Any]:
    """The largest growth of every population."""
    fits = frames["fits"]
    tops = fits["top"].unique()
    return {"most": {population_name(top): most(where(fits, top=top)) for top in tops}}


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
