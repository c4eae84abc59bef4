"""Error rates of an assessment as a Markdown table and as CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from tb2learn.assessment.assess import Assessment
from tb2learn.export.assessment import population
from tb2learn.report.markdown import csv_table, interval_cells, table
from tb2learn.report.wording import rule_name


def results_table(result: Assessment, top: int) -> list[str]:
    """A table of the rules, best first: error rate, and relative reduction against the first."""
    rows = [r for r in result.results if r.top == top]
    first = rows[0].rule
    lines = table(
        ("rule", "wrong", "from", "to", "saved", "from", "to"),
        [
            (
                rule_name(r.rule),
                *interval_cells(r.error_rate, r.ci, ".4f"),
                *(
                    (None, None, None)
                    if r.rule == first
                    else interval_cells(r.reduction, r.reduction_ci, "+.1%")
                ),
            )
            for r in sorted(rows, key=lambda r: np.nan_to_num(r.error_rate))
        ],
    )
    return [*lines, "", f"{rows[0].pairs:,} tied pairs."]


def results_csv(named: Iterable[tuple[str, Assessment]], what: str) -> str:
    """All results of some assessments as CSV.

    **Arguments:**

    - `named`: the assessments with their names.
    - `what`: the name of the first column.
    """
    rates = ("error_rate", "low", "high", "reduction", "reduction_low", "reduction_high")

    def finite(value: float) -> float | None:
        return round(value, 6) if math.isfinite(value) else None

    return csv_table(
        (what, "rule", "top", "pairs", *rates),
        [
            (
                *(name, r.rule, population(r.top), r.pairs),
                *map(finite, (r.error_rate, *r.ci, r.reduction, *r.reduction_ci)),
            )
            for name, result in named
            for r in result.results
        ],
    )
