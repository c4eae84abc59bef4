"""Ricca's published figures of tie-breaks and of his sample event."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tb2learn.data import load_table, read_rows
from tb2learn.studies.ricca.criteria import CRITERIA, adjusted, evaluation, places, top_scorers

_SAMPLE_ROUNDS = 9


def ricca_values() -> dict[tuple[str, str, str, str], float]:
    """His summary tables: by kind, population, tie-break and criterion."""
    return {
        key: float(value)
        for name in SUMMARIES
        for key, value in _by_criterion(name, ["kind", "population", "tie_break"])
    }


def ricca_between() -> dict[tuple[str, str, str], float]:
    """His evaluation of the criteria against each other: by kind and two criteria."""
    return {key: float(value) for key, value in _by_criterion("criteria", ["kind", "criterion"])}


SUMMARIES = ("tiebreaks", "combinations")


def _by_criterion(name: str, keys: list[str]) -> Iterable[tuple[Any, float]]:
    """The figures of one of his tables by its keys and the criterion of the column."""
    table = load_table("ricca", f"{name}.csv").set_index(keys)
    return table[list(CRITERIA)].stack().dropna().items()


@dataclass(frozen=True)
class SampleCell:
    """One figure that he prints for his sample event.

    **Fields:**

    - `population`, `row`, `criterion`: its cell; rows are tie-breaks, or criteria in the table of
      criteria against each other, whose population is empty.
    - `players`: number of players.
    - `printed`: his figure.
    - `ours`: recomputed from his table of players; None if that needs the games.
    - `possible`: whether any places of as many players have this root mean square difference to
      four decimals.
    """

    population: str
    row: str
    criterion: str
    players: int
    printed: str
    ours: str | None
    possible: bool


def sample_event() -> tuple[SampleCell, ...]:
    """The figures of his sample event, recomputed where possible.

    He prints points and criteria of every player but no games. So criteria can be compared with
    each other; of the tie-breaks only Buchholz can be computed, from BRUNO and the points.
    """
    table = load_table("ricca", "sample_players.csv")
    scores = table.score.to_numpy(float)
    criteria = {name: table[name.lower()].to_numpy(float) for name in CRITERIA}
    buchholz = criteria["BRUNO"] / (100 * scores)
    # The strengths of ZERMELO are printed with too few digits to distinguish all players.
    criteria["ZERMELO"] = -table.zermelo_position.to_numpy(float)
    who = {
        "": np.ones(len(table), bool),
        "all": np.ones(len(table), bool),
        "top33": top_scorers(np.rint(2 * scores).astype(int), _SAMPLE_ROUNDS),
    }

    def cell(population: str, row: str, criterion: str, printed: str) -> SampleCell:
        ours = None
        if row in CRITERIA:
            ours = evaluation(places(criteria[row]), places(criteria[criterion]))
        elif row == "BH":
            by_tiebreak, by_criterion = (
                adjusted(scores, values) for values in (buchholz, criteria[criterion])
            )
            ours = evaluation(by_tiebreak, by_criterion, who[population])
        players = int(who[population].sum())
        return SampleCell(
            population=population,
            row=row,
            criterion=criterion,
            players=players,
            printed=printed,
            ours=None if ours is None else f"{ours:.4f}",
            possible=is_possible(printed, players),
        )

    between = [("", row["criterion"], row) for row in read_rows("ricca", "sample_criteria.csv")]
    tiebreaks = [
        (row["population"], row["tie_break"], row)
        for row in read_rows("ricca", "sample_tiebreaks.csv")
    ]
    return tuple(
        cell(population, name, criterion, row[criterion])
        for population, name, row in (*between, *tiebreaks)
        for criterion in CRITERIA
        if row[criterion]
    )


def is_possible(printed: str, players: int) -> bool:
    """Whether some sum of squares of halves gives the printed root mean square difference."""
    near = round(4 * players * float(printed) ** 2)
    reach = 1 + math.ceil(4 * players * float(printed) * 1e-4)
    return any(
        f"{math.sqrt(total / (4 * players)):.4f}" == printed
        for total in range(max(0, near - reach), near + reach + 1)
    )
