"""Forecasts as DataFrames."""

from __future__ import annotations

import numpy as np
import pandas as pd

from tb2learn.forecasts.chances import Chances
from tb2learn.forecasts.ranking import BOUNDARIES
from tb2learn.stats import long_frame

NAMES = ("winner", "medals", "ten")
"""Columns and names of the `BOUNDARIES`: the first, the first three, the first ten."""


def teams_frame(found: Chances) -> pd.DataFrame:
    """Chances of every team under every rule.

    **Returns:** a row a rule and team, the most probable winner of the first rule first: `rule`,
    `team`, `mp` (match points of the standings so far; of players points), for every one of `NAMES`
    its chance and, with `_error`, its Monte Carlo standard error, and `mean_place`.
    """
    record, rules = found.begun.record, list(found.orders)
    points = record.standing_points / (2 if record.individual else 1)
    values: dict[str, np.ndarray] = {"mp": np.broadcast_to(points, found.mean_places.shape)}
    for name, most in zip(NAMES, BOUNDARIES, strict=True):
        values[name] = found.up_to(most)
        values[f"{name}_error"] = found.error(values[name])
    values["mean_place"] = found.mean_places
    first = [-found.up_to(most)[0] for most in BOUNDARIES[::-1]]
    order = np.lexsort([found.mean_places[0], *first])
    ordered = {name: value[:, order] for name, value in values.items()}
    names = [found.begun.event.teams[team] for team in order]
    return long_frame({"rule": rules, "team": names}, ordered)


def places_frame(found: Chances) -> pd.DataFrame:
    """The chance of every place: a row a `rule`, `team` and `place` that occurred; `chance`."""
    counts = found.counts["places"]
    axes = {
        "rule": list(found.orders),
        "team": list(found.begun.event.teams),
        "place": range(1, counts.shape[-1] + 1),
    }
    chance = counts / found.continuations
    frame = long_frame(axes, {"chance": chance, "error": found.error(chance)})
    return frame[frame.chance > 0].reset_index(drop=True)


def decided_frame(found: Chances) -> pd.DataFrame:
    """What separates the last team up to a boundary from the next one.

    **Returns:** a row a rule and boundary that has a next team: `rule`, `up_to` (one of `NAMES`);
    the chances that it is the `points`, that they are equal (`tied`) and the tie-break decides; of
    the latter that it is the rule itself (`by_rule`), a `later` criterion, or none (`shared`); and
    `differ`: that the teams up to the boundary are not the same under both rules.
    """
    decided = found.counts["decided"] / found.continuations
    rows = []
    for number, rule in enumerate(found.orders):
        criteria = len(found.orders[rule])
        for boundary, (name, most) in enumerate(zip(NAMES, BOUNDARIES, strict=True)):
            if most >= len(found.begun.event.teams):
                continue
            share = decided[number, boundary]
            rows.append(
                {
                    "rule": rule,
                    "up_to": name,
                    "points": share[0],
                    "tied": share[1:].sum(),
                    "by_rule": share[1],
                    "later": share[2:criteria].sum(),
                    "shared": share[criteria:].sum(),
                    "differ": found.counts["differ"][boundary] / found.continuations,
                }
            )
    return pd.DataFrame(rows)
