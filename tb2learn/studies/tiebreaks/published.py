"""Ricca's published figures of tie-breaks and of his sample event."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from tb2learn.data import load_table, read_rows
from tb2learn.studies.tiebreaks.accuracy import CRITERIA, adjusted, evaluation, places, top_scorers

SUMMARIES = ("tiebreaks", "combinations")
"""His summary tables: single tie-breaks and combinations."""

_SAMPLE, _SAMPLE_ROUNDS = ("criteria", "tiebreaks"), 9


def ricca_values() -> pd.DataFrame:
    """His summary tables: `kind`, `population`, `tie_break`, `criterion`, `ricca`."""
    keys = ["kind", "population", "tie_break"]
    return pd.concat([_by_criterion(name, keys) for name in SUMMARIES], ignore_index=True)


def ricca_between() -> pd.DataFrame:
    """His evaluation of the criteria against each other: `kind`, `criterion`, `other`, `ricca`."""
    table = _by_criterion("criteria", ["kind", "first"])
    return table.rename(columns={"criterion": "other", "first": "criterion"})


def _by_criterion(name: str, keys: list[str]) -> pd.DataFrame:
    """The figures of one of his tables by its keys and the criterion of the column."""
    table = load_table("ricca", f"{name}.csv")
    table.columns = pd.Index([*keys, *table.columns[len(keys) :]])
    long = table.melt(keys, list(CRITERIA), "criterion", "ricca").dropna()
    return long.astype({"ricca": float})


def sample_event() -> pd.DataFrame:
    """The figures of his sample event, recomputed where possible.

    He prints points and criteria of every player but no games. So criteria can be compared with
    each other; of the tie-breaks only Buchholz can be computed, from BRUNO and the points.

    **Returns:** a row a figure:

    - `population`, `row`, `criterion`: its cell; rows are tie-breaks, or criteria in the table of
      criteria against each other, whose population is empty.
    - `players`: number of players.
    - `printed`: his figure.
    - `ours`: recomputed from his table of players; None if that needs the games.
    - `possible`: whether any places of as many players have this root mean square difference to
      four decimals.
    """
    table = load_table("ricca", "sample_players.csv")
    scores = table.score.to_numpy(float)
    criteria = {name: table[name.lower()].to_numpy(float) for name in CRITERIA}
    buchholz = criteria["BRUNO"] / (100 * scores)
    # The strengths of ZERMELO are printed with too few digits to distinguish all players.
    criteria["ZERMELO"] = -table.zermelo_position.to_numpy(float)
    everybody = np.ones(len(table), bool)
    best = top_scorers(np.rint(2 * scores).astype(int), _SAMPLE_ROUNDS)
    who = {"": everybody, "all": everybody, "top33": best}

    def recomputed(population: str, row: str, criterion: str) -> str | None:
        if row in CRITERIA:
            return f"{evaluation(places(criteria[row]), places(criteria[criterion])):.4f}"
        if row != "BH":
            return None
        ours, his = (adjusted(scores, values) for values in (buchholz, criteria[criterion]))
        return f"{evaluation(ours, his, who[population]):.4f}"

    tables = (pd.DataFrame(read_rows("ricca", f"sample_{one}.csv")) for one in _SAMPLE)
    printed = pd.concat(
        [one.rename(columns={"criterion": "row", "tie_break": "row"}) for one in tables],
        ignore_index=True,
    ).fillna({"population": ""})
    keys = ["population", "row"]
    cells = printed.melt(keys, list(CRITERIA), "criterion", "printed", ignore_index=False)
    found = cells[cells["printed"] != ""].sort_index(kind="stable", ignore_index=True)
    found.insert(3, "players", [int(who[one].sum()) for one in found["population"]])
    return found.assign(
        ours=pd.Series(list(map(recomputed, *(found[name] for name in (*keys, "criterion"))))),
        possible=list(map(is_possible, found["printed"], found["players"])),
    )


def is_possible(printed: str, players: int) -> bool:
    """Whether some sum of squares of halves gives the printed root mean square difference."""
    near = round(4 * players * float(printed) ** 2)
    reach = 1 + math.ceil(4 * players * float(printed) * 1e-4)
    return any(
        f"{math.sqrt(total / (4 * players)):.4f}" == printed
        for total in range(max(0, near - reach), near + reach + 1)
    )
