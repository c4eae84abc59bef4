"""What the report of the frontier says beside its frames: the choice, and what lies where."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tb2learn.assessment import REFERENCES
from tb2learn.report.frames import Frames, where
from tb2learn.studies.frontier import names
from tb2learn.studies.frontier.names import BATUMI, LEARNED, REAL, ROSTERS, SEEDED, TOP
from tb2learn.studies.seed_bias import biased, unbeaten

SQUARES = "least-squares"


def summary(frames: Frames) -> dict[str, Any]:
    """Rows of every world, the rules of choice, differences from the curve, and all names."""
    results = frames["results"]
    fifty, real, batumi = (biased(results, TOP, name) for name in (SEEDED, REAL, BATUMI))
    learned = _by_rule(frames["above_learned"], "random")
    curve, curve_real = (
        _by_rule(where(frames["above_curve"], world=name), "curve") for name in (SEEDED, REAL)
    )
    fitted = curve[curve.index.isin(learned.index)]
    inside = [*learned.index, SQUARES]
    families, lowest = _families(curve)
    better = fitted[(fitted["curve_high"] < 0) & ~fitted.index.isin(names.CURVE)]
    at_real = real.set_index("rule")
    unequal = real[["higher_better_pairs", "lower_better_pairs"]].sum(axis=1) / real["pairs"]
    worlds = {one["world"]: one for one in frames["worlds"].to_dict("records")}
    return {
        "names": names,
        "worlds": worlds,
        "ridge_events": names.ridge_events(worlds[SEEDED]["trained"]),
        "chosen": chosen(fifty, learned),
        "chosen_real": chosen(real, learned),
        "at": fifty.set_index("rule").to_dict("index"),
        "at_real": at_real.to_dict("index"),
        "better": better.sort_values("curve"),
        "fitted": fitted,
        "families": families,
        "lowest": lowest,
        "squares": curve.loc[SQUARES],
        "unbeaten": unbeaten(fifty),
        "numbers": fifty.join(curve[curve.index.isin(inside)], on="rule").join(learned, on="rule"),
        "more": learned["random"].get(names.KIND, 0.0),
        "real": real.assign(unequal=unequal_errors(real)).join(
            curve_real[curve_real.index.isin([*inside, ROSTERS])], on="rule"
        ),
        "equal": 1 - unequal.iloc[0],
        "batumi": batumi,
        "accurate": _least(at_real["error_rate"]),
        "fair": _least((at_real["near_equal"] - 0.5).abs()),
    }


def _by_rule(above: pd.DataFrame, name: str) -> pd.DataFrame:
    """Differences with their intervals by rule, under a name."""
    columns = {"value": name, "low": f"{name}_low", "high": f"{name}_high"}
    return above.set_index("rule")[[*columns]].rename(columns=columns)


def _least(values: pd.Series) -> str:
    """The learned table or the shipped one of the chosen kind, whichever has less."""
    return LEARNED if values[LEARNED] < values[ROSTERS] else ROSTERS


def chosen(rows: pd.DataFrame, learned: pd.DataFrame) -> str | None:
    """The printable rule with the least error within both bounds; None if there is none.

    **Arguments:**

    - `rows`: `biased`, in the world in which error and preference are judged.
    - `learned`: by rule, how much more it errs than the learned table with random seeds.
    """
    printable = ~rows["rule"].isin(REFERENCES) & ~rows["rule"].str.startswith(
        (names.BLEND, names.RIDGE)
    )
    more = rows["rule"].map(learned["random"])
    within = (rows["near_equal"] <= names.MOST_PREFERENCE) & (more <= names.MOST_MORE)
    return next(iter(rows["rule"][printable & within]), None)


def _families(curve: pd.DataFrame) -> tuple[pd.DataFrame, float]:
    """How far the lowest rule of every family is below the curve, and what none exceeds."""
    rows, lowest = [], 0.0
    for name, starts in names.FAMILIES.items():
        inside = curve[curve.index.str.startswith(starts)]
        if len(inside):
            one = inside.sort_values("curve", kind="stable").iloc[0]
            rows.append({"family": name, "rules": len(inside), "lowest": one.name, **one})
            lowest = min(lowest, inside["curve_low"].min())
    return pd.DataFrame(rows), -lowest


def unequal_errors(rows: pd.DataFrame) -> pd.Series:
    """The error rates in the pairs whose teams are not equally strong."""
    higher, lower = (rows[f"{kind}_better_pairs"].astype(float) for kind in ("higher", "lower"))
    wrong = rows["higher_better"] * higher + rows["lower_better"] * lower
    return wrong / (higher + lower)
