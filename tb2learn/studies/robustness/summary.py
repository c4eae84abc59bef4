"""What the report shows beside its frames: the shipped table in every world, worlds in words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tb2learn.catalogue import PRODUCT
from tb2learn.config import from_dict
from tb2learn.report.frames import Frames, where
from tb2learn.report.wording import population_name, seeding
from tb2learn.studies import assessments
from tb2learn.studies.robustness.figures import TOPS
from tb2learn.studies.worlds import LEARNED


def summary(frames: Frames) -> dict[str, Any]:
    """The shipped table by population, seed biases by world, the worlds in words."""
    results, about = frames["results"], frames["assessments"]
    biased = results["world"][results["near_equal_pairs"].notna()].unique()
    of_worlds, tables = list(about["world"]), assessments.tables(frames, "world")
    return {
        "first": next(about.itertuples()),
        "shipped": {population_name(top): _shipped(results, top) for top in TOPS[::-1]},
        "not_shown": [
            f"{row.world} ({population_name(row.top)})"
            for row in results[results["top"].isin(TOPS)].itertuples()
            if row.rule == LEARNED and not row.reduction_low > 0
        ],
        "biased": {world: (of_worlds.index(world) + 1, tables[world]) for world in biased},
        "worlds": _in_words(about),
        "shown_top": assessments.SHOWN_TOP,
    }


def _shipped(results: pd.DataFrame, top: int) -> pd.DataFrame:
    """The error rates of the product rule and of the shipped table in every world."""
    old, new = (where(results, rule=rule, top=top) for rule in (PRODUCT, LEARNED))
    return new.merge(old[["world", "error_rate"]], on="world", suffixes=("", "_product"))


def _in_words(about: pd.DataFrame) -> pd.DataFrame:
    # The description is that of the configuration, whatever the seeds of this world.
    configs = [from_dict(one) for one in about["config"]]
    return pd.DataFrame(
        {
            "world": about["world"],
            "what it is": [one.description.replace(", random seeds", "") for one in configs],
            "seeds": [seeding(one) for one in configs],
        }
    )
