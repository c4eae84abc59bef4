"""Seed bias in reports: whether a rule rewards what a team did, or where it was seeded."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pandas as pd

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.references import REFERENCES
from tb2learn.assessment.tally import ErrorRate, SeedBias
from tb2learn.export.assessment import population
from tb2learn.report.frames import where
from tb2learn.report.markdown import csv_table, interval_cells, table
from tb2learn.report.wording import population_name, rule_name

DEFINITION = (
    "Where seeds are ratings near the truth, a team's opponents betray its seed, and a rule that "
    "reads the seed out of the pairings errs less without looking at what a team did. So error "
    "alone cannot judge a rule there: placing the higher seed first errs least of all. *Higher "
    "better*, *lower better*: shares decided wrongly where the higher or the lower seed is the "
    "better team. *Near-equal*: among teams less than one expected match point of the all-play-all "
    "apart, the share of verdicts for the higher seed (equal scores count half): 0.5 is fair, "
    "evidence alone decides."
)


def has_bias(result: Assessment) -> bool:
    """Whether seed bias was counted: whether seeds are not random."""
    return any(row.seed_bias for row in result.results)


def bias_rows(result: Assessment, top: int) -> list[tuple[ErrorRate, SeedBias]]:
    """The rules of one population with their seed bias, the lowest error first."""
    rows = [(r, r.seed_bias) for r in result.results if r.top == top and r.seed_bias]
    return sorted(rows, key=lambda both: np.nan_to_num(both[0].error_rate))


def bias_section(result: Assessment, top: int, figure: str) -> list[str]:
    """Error and seed bias of every rule: a picture and a table, as Markdown.

    **Arguments:**

    - `result`: an assessment in a world whose seeds are not random.
    - `top`: the population that the table shows.
    - `figure`: name of the file of `bias_figure`.
    """
    rows = bias_rows(result, top)
    near = rows[0][1].near.pairs
    lines = [f"![Error against seed bias, {population_name(top)}]({figure})", ""]
    lines += table(
        (
            *("rule", "wrong", "higher better", "lower better", "difference", "from", "to"),
            *("near-equal", "from", "to"),
        ),
        [
            (
                *(rule_name(row.rule), f"{row.error_rate:.4f}"),
                *(interval_cells(one.value, one.ci)[0] for one in (bias.higher, bias.lower)),
                *interval_cells(bias.difference, bias.difference_ci, "+.3f"),
                *interval_cells(bias.near.value, bias.near.ci),
            )
            for row, bias in rows
        ],
    )
    return [*lines, "", f"{rows[0][0].pairs:,} tied pairs, {near:,} of them near-equal."]


def bias_csv(named: Iterable[tuple[str, Assessment]], what: str) -> str:
    """All seed biases of some assessments as CSV.

    **Arguments:**

    - `named`: the assessments with their names; those with random seeds have no row.
    - `what`: the name of the first column.
    """

    def finite(value: float) -> float | None:
        return round(value, 6) if math.isfinite(value) else None

    rows = [
        {
            what: name,
            "rule": row.rule,
            "top": population(row.top),
            "error_rate": finite(row.error_rate),
            **{column: finite(value) for column, value in row.seed_bias.columns.items()},
        }
        for name, result in named
        for row in result.results
        if row.seed_bias
    ]
    return csv_table(list(rows[0]) if rows else (what,), [list(row.values()) for row in rows])


def fairest(result: Assessment, top: int) -> list[str]:
    """`unbeaten` in one population of an assessment."""
    return unbeaten(biased(result.frame, top))


def biased(found: pd.DataFrame, top: int, world: str | None = None) -> pd.DataFrame:
    """The rows of one population whose seed bias is known, the lowest error first.

    **Arguments:** `found`: as `Assessment.frame`; the population; the `world`, of several.
    """
    rows = where(found, top=population(top), **({"world": world} if world else {}))
    rows = rows[rows["near_equal_pairs"].notna()]
    return rows.sort_values("error_rate", key=np.nan_to_num, kind="stable")


def unbeaten(rows: pd.DataFrame) -> list[str]:
    """The rules that no other rule beats on both error and distance of the preference from 0.5.

    By point estimates; references, which know more than the results, do not count.
    """
    rows = rows[~rows["rule"].isin(REFERENCES)]
    errors, unfair = rows["error_rate"], (rows["near_equal"] - 0.5).abs()
    beaten = [((errors < e) & (unfair < u)).any() for e, u in zip(errors, unfair, strict=True)]
    return rows["rule"][~np.array(beaten, bool)].tolist()
