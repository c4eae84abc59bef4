"""How the constants of the formula depend on boards and rounds: fitted, and one closed form judged.

`study_formula` also writes the constants that the package contains as `data/formula.csv`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from tb2learn.assessment.single import single_event_tally
from tb2learn.disk import files
from tb2learn.report.figures_growth import growth_figure
from tb2learn.report.markdown import csv_table, table, with_interval
from tb2learn.report.wording import population_name
from tb2learn.simulation.run import Progress
from tb2learn.studies.report_folder import write_report_folder
from tb2learn.studies.shapes import SHOWN, Shape, growths, most, shape_name, world
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


@dataclass(frozen=True)
class FormatFit:
    """The formula at one format.

    **Fields:**

    - `shape`: the format.
    - `native`: the formula that is fitted to it.
    - `closed`: `growths` of the closed form's error against `native`.
    - `product`: those of the product rule.
    """

    shape: Shape
    native: Formula
    closed: pd.DataFrame
    product: pd.DataFrame


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
            float(f"{np.exp(middle):.3g}"), round(float(by_boards), 2), round(float(by_rounds), 2)
        )
    return laws


def study_formula(folder: Path, trained: int, events: int, seed: int) -> Path:
    """Fit the formula at several formats, judge one closed form in all, and write the report.

    **Arguments:**

    - `folder`: gets `README.md`, its figure, `formula.csv` (the closed form) and `fits.csv`.
    - `trained`: events of one descent of a fit; descents follow until a plateau is reached.
    - `events`: assessment events of every format.
    - `seed`: of both, which use different streams, and of the bootstrap.

    **Returns:** the path of the report.
    """
    files.check_folder(folder.parent)
    natives = {}
    for shape in (*FITTED, *CHECKED):
        config = world(shape, "formula", trained, seed)
        natives[shape] = fit_formula(config, Progress(config.name))[0]
    laws = power_laws([natives[shape] for shape in FITTED])
    fits = [_judged(shape, natives[shape], laws, events, seed) for shape in natives]
    tables = {
        "formula.csv": laws_csv(laws, trained, seed),
        "fits.csv": csv_table(*_fit_rows(fits)),
    }
    figures = {"formula.png": _figure(fits)}
    text = _report(fits, laws, trained, events, seed)
    return write_report_folder(folder, text, figures, tables)


def _judged(
    shape: Shape, native: Formula, laws: Mapping[str, PowerLaw], events: int, seed: int
) -> FormatFit:
    """The closed form and the product rule against the formula that was fitted to a format."""
    _, rounds, boards = shape
    config = world(shape, "formula", events, seed)
    # The fitted one and the closed form may have one name; the counts need two.
    own = Formula("native", rounds, boards, native.scale, native.refinement, native.passes)
    rules = [product_table(rounds, boards), own, closed_formula(rounds, boards, laws)]
    tally = single_event_tally(config, rules, events, seed, Progress(f"judge {config.name}"))
    closed, product = (growths(tally, [rule.name], own.name, seed) for rule in (rules[2], rules[0]))
    return FormatFit(shape, native, closed, product)


def laws_csv(laws: Mapping[str, PowerLaw], trained: int, seed: int) -> str:
    """Power laws as the package contains them, with the events and the seed behind them."""
    about = (trained, seed, NUMBERS)
    rows = [(name, law.at_middle, law.boards, law.rounds, *about) for name, law in laws.items()]
    header = ("constant", "at_middle", "boards", "rounds", "events", "seed", "version")
    return csv_table(header, rows)


def _fit_rows(fits: Sequence[FormatFit]) -> tuple[list[str], list[tuple]]:
    header = ["teams", "rounds", "boards", "fitted to", "a", "k", "ties", "pairs", "native wrong",
              "closed form grows by", "from", "to",
              "product grows by", "product from", "product to"]  # fmt: skip
    rows = [
        (
            *one.shape,
            "yes" if one.shape in FITTED else "no",
            *(f"{value:.2g}" for value in (one.native.a, one.native.k)),
            closed.top,
            closed.pairs,
            *five_digits(closed.other, *_growth(closed), *_growth(product)),
        )
        for one in fits
        for closed, product in zip(one.closed.itertuples(), one.product.itertuples(), strict=True)
    ]
    return header, rows


def _growth(one: Any) -> tuple[float, float, float]:
    """The growth and both ends of its interval."""
    return one.growth, one.growth_low, one.growth_high


def five_digits(*values: float) -> tuple[float | None, ...]:
    """Numbers as they stand in a CSV table: five decimals, None for one that is not finite."""
    return tuple(round(value, 5) + 0.0 if np.isfinite(value) else None for value in values)


def four_digits(rows: Sequence[Sequence[Any]]) -> list[tuple]:
    """Rows of a CSV table as a report shows them: fractions with four decimals."""
    return [tuple(f"{x:.4f}" if isinstance(x, float) else x for x in row) for row in rows]


def _figure(fits: Sequence[FormatFit]) -> Figure:
    """Growth of the closed form and of the product rule, by population."""
    panels = {"closed": "Closed form of the formula", "product": "Product rule"}
    found = pd.concat(
        getattr(one, field).assign(
            format=shape_name(*one.shape) + (", fitted" if one.shape in FITTED else ""),
            panel=title,
            mark=[population_name(top) for top in SHOWN],
        )
        for field, title in panels.items()
        for one in fits
    )
    return growth_figure(found, "the formula fitted to the format")


def _law_text(law: PowerLaw, name: str) -> str:
    return (
        f"* {name}: {law.at_middle:g} x (boards/{MIDDLE[0]})^{law.boards:g} x "
        f"(rounds/{MIDDLE[1]})^{law.rounds:g} of the most match points"
    )


def _report(
    fits: Sequence[FormatFit], laws: Mapping[str, PowerLaw], trained: int, events: int, seed: int
) -> str:
    header, rows = _fit_rows(fits)
    closed = pd.concat(one.closed for one in fits)
    worst = [most(rows) for _, rows in closed.groupby("top", sort=False)]
    lines = [
        "# The formula by boards and rounds",
        "",
        "![How much the error of one closed form grows, by format](formula.png)",
        "",
        "`formula` is one rule for every format: a, the lead at which ten game points to one are "
        "expected, and k, what a game point above expectation is worth in match points, follow "
        "from",
        "",
        _law_text(laws["scale"], "a"),
        _law_text(laws["refinement"], "k x boards"),
        "",
        f"fitted to the formulas of {len(FITTED)} formats (60 teams of 1700 to 2800, random seeds; "
        f"descents over {trained:,} events each until a plateau, seed {seed}) and judged in these "
        f"and {len(CHECKED)} others on {events:,} fresh events each. *Grows by*: share of the ties "
        "that it decides wrongly, less that of the formula fitted to the format itself, with 95 % "
        "intervals over events.",
        "",
        "The most that the closed form loses in one format: "
        + ", ".join(
            f"{with_interval(part.growth, _growth(part)[1:], '+.4f')} of {population_name(top)}"
            for top, part in zip(SHOWN, worst, strict=True)
        )
        + ".",
        "",
        *table(header, four_digits(rows)),
        "",
        "The same as [fits.csv](fits.csv); the constants: [formula.csv](formula.csv).",
    ]
    return "\n".join(lines) + "\n"
