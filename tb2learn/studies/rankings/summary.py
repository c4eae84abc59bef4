"""What the report shows beside the frames: who moves far, the best rankings, short tables."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tb2learn.report.frames import Frames
from tb2learn.studies.rankings.measure import DECOMPOSED, among
from tb2learn.studies.rankings.methods import LEAST_SQUARES
from tb2learn.studies.rankings.published import OFFICIAL, START

SHOWN_STEPS = 8
"""Steps of the decomposition that the report shows; later ones are shown as one."""

SHOWN_TEAMS = 20
"""Teams that the tables of the report show; the CSV files have all."""

FAR = 5
"""Moves of so many places or more are reported."""

_COMPARED = {
    "predictive_mp": "Lowest share of match points of the lower ranked side in later rounds",
    "retrodictive_mp": "Lowest share of match points of the lower ranked side so far",
    "robustness_weighted": "Lowest weighted distance to the ranking a round later",
}
"""The curves whose best and worst ranking are named."""


def summary(frames: Frames) -> dict[str, Any]:
    """Findings on the event and the first rows of its tables."""
    rankings = frames["rankings"]
    sizes = rankings["component"].value_counts().sort_index()
    teams = len(rankings)
    near = [name for name in rankings if name in ("team", START, OFFICIAL) or name.endswith("_mp")]
    if len(sizes) > 1:
        near.insert(1, "component")
    found = {
        "about": frames["event"].iloc[0],
        "sizes": sizes,
        "first": f"the first {SHOWN_TEAMS} of {teams}" if teams > SHOWN_TEAMS else "all",
        "shown": rankings.sort_values(["component", OFFICIAL])[near].head(SHOWN_TEAMS),
        "far": FAR,
        **_moved(rankings),
        "spread": _spread(frames["distances"]),
        "steps": _steps(frames["decomposition"]),
    }
    return found | (_curves(frames["curves"]) if "curves" in frames else {})


def _moved(rankings: pd.DataFrame) -> dict[str, Any]:
    """Places among the largest component, officially and by least squares, and who moves most."""
    found = among(rankings).rename(columns={OFFICIAL: "old", DECOMPOSED: "new"})
    found = found.assign(team=rankings["team"], gained=found["old"] - found["new"])
    gained = found["gained"].to_numpy()
    ends = {"up": gained.argmax(), "down": gained.argmin()}
    return {"moved": found} | {end: found.iloc[row] for end, row in ends.items()}


def _spread(distances: pd.DataFrame) -> pd.Series:
    """By method the mean Kemeny distance between its rankings."""
    one, other = (distances[side].str.split("_").str[0] for side in ("ranking", "other"))
    return distances["kemeny"][one == other].groupby(one, sort=False).mean()


def _steps(decomposition: pd.DataFrame) -> pd.DataFrame:
    """The first rows and steps of the decomposition, with signs."""
    found = decomposition.sort_values("scores", kind="stable").head(SHOWN_TEAMS)
    moved = found.filter(like="step_").iloc[:, :SHOWN_STEPS]
    # Not the sum of the other steps, which need not reach least squares.
    moved = moved.assign(later=found["cumulated"] - moved.sum(axis=1), cumulated=found["cumulated"])
    moved = moved.rename(columns=lambda name: name.removeprefix("step_"))
    moved = moved.map(lambda places: f"{places:+d}" if places else "0")
    return found[["team", "scores"]].join(moved).assign(**{DECOMPOSED: found[LEAST_SQUARES]})


def _curves(curves: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Means over the rounds, and the best and the worst ranking by some of the curves."""
    means = curves.pivot_table("value", "ranking", "curve", sort=False, dropna=False)
    rows = []
    for curve, text in _COMPARED.items():
        robust = curve.startswith("robustness")
        # The start order never changes.
        known = means[curve].drop(START if robust else [], errors="ignore").dropna()
        form = "{:.2f}" if robust else "{:.1%}"
        if len(known):
            best, worst = known.min(), known.max()
            names = known.idxmin(), known.idxmax()
            rows.append((text, names[0], form.format(best), names[1], form.format(worst)))
    best = pd.DataFrame(rows, columns=["text", "best", "lowest", "worst", "highest"])
    return {"means": means.reset_index(), "best": best}
