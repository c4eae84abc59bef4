"""Tables 4.4 to 4.9 of the thesis beside our own figures.

Nothing is fitted to the printed figures; differences are shown.
"""

from __future__ import annotations

from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Num

from tb2learn.assessment.assess import Assessment, assess
from tb2learn.assessment.tally import TOPS, Tally, summarise
from tb2learn.chess.results import reduced_sum, weakest_item
from tb2learn.config import Config, load_config, with_plan
from tb2learn.data import load_table
from tb2learn.report.stored import Csv
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress
from tb2learn.studies.thesis.few_teams import OWN, few_teams
from tb2learn.tiebreaks.rules import product_table
from tb2learn.training import difficulty
from tb2learn.training.difficulty_log import DifficultyLog
from tb2learn.training.surface_fit import fit_surface
from tb2learn.training.tabulate import surface_table

CONFIG = "thesis-180x11"

GROUPS = 20
"""Groups of training events for the jackknife intervals."""

FULL_SCALE = 88
"""The thesis scales its scores by 22 match points x 4 game points to compare with the old rule."""

PRINTED_SUMS = {"USA": 452.6, "Ukraine": 455.5}
"""The sums that the thesis prints below Table 4.8."""

OLD, NEW = "product", "difficulty score"

FILES = (Csv(".csv", "cells", digits=5),)


def measure(events: int | None, seed: int | None, assessed: int) -> dict[str, pd.DataFrame]:
    """Recompute Tables 4.4 to 4.9.

    **Arguments:**

    - `events`, `seed`: how many events fill the log, and the seed of all; by default those of the
      configuration.
    - `assessed`: number of events of the assessment.

    **Returns:**

    - `about`: what was simulated.
    - `cells`: Table 4.9, the new scoring function at own match points 20: a row a cell, `printed`
      and `ours` (NaN where our log has no match) with its standard error, a delete-a-group
      jackknife over events.
    - `sums`: Table 4.8, a row a team.
    - `errors`: the error tables 4.4 to 4.7, a row a population and rule: `printed` and `ours` with
      the ends of their intervals, and so the reductions; tied `pairs` of ours.
    - `few`: `few_teams` for the cells.
    """
    config = with_plan(load_config(CONFIG), events, seed)
    plan = config.train
    log, groups = _grouped_log(config)
    # The smooth surface of the same log stands for the scoring function of the thesis, as the raw
    # log has cells without a match.
    learned = surface_table(fit_surface(log, log, config.surface, "fit").surface, NEW)
    rules = [product_table(config.event.rounds, config.event.boards), learned]
    shown = Progress("assess")
    ours = assess(config, rules, assessed, plan.seed, "thesis", "own", progress=shown)
    cells = _table_4_9(log, groups)
    observed = float((cells["ours"] - cells["printed"]).abs().mean())
    opponents = sorted(cells["opponent_mp"].unique())
    few = few_teams(config, log.scores()[OWN], opponents, observed, plan.seed, "few teams")
    about = {
        "config": config.name,
        "events": plan.events,
        "seed": plan.seed,
        "law": plan.law,
        "assessed": assessed,
    }
    return {
        "about": pd.DataFrame([about]),
        "cells": cells,
        "sums": _table_4_8(learned.points),
        "errors": _error_tables(ours),
        "few": few,
    }


def _grouped_log(config: Config) -> tuple[DifficultyLog, list[DifficultyLog]]:
    size = -(-config.train.events // GROUPS)
    groups = [
        difficulty.collect(
            config,
            EventRange(config.train.seed, Purpose.TRAIN, size, g * size),
            progress=Progress(f"simulate {g + 1}/{GROUPS}"),
        )
        for g in range(GROUPS)
    ]
    whole = EventRange(config.train.seed, Purpose.TRAIN, size * GROUPS)
    counts = sum(group.counts for group in groups)
    return replace(groups[0], counts=counts, events=whole), groups


def _table_4_9(log: DifficultyLog, groups: list[DifficultyLog]) -> pd.DataFrame:
    ours = log.scores()[OWN]
    without = np.stack([replace(log, counts=log.counts - g.counts).scores()[OWN] for g in groups])
    spread = without - without.mean(axis=0)
    error = np.sqrt((len(groups) - 1) / len(groups) * (spread**2).sum(axis=0))
    printed = load_table("thesis", "table_4_9_surface_own20.csv")
    at = _places(printed)
    return pd.DataFrame(
        {"opponent_mp": at[0], "gp": at[1] / 2, "printed": printed["new_c"],
         "ours": ours[at].astype(float), "standard_error": error[at].astype(float)}
    )  # fmt: skip


def _places(table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Opponent's match points and half game points of the rows of a printed table."""
    half_points = (2 * table["gp"]).round()
    return table["opp_mp"].to_numpy(int), half_points.to_numpy(int)


def _table_4_8(points: Num[np.ndarray, "shares shares results"]) -> pd.DataFrame:
    surface = load_table("thesis", "table_4_9_surface_own20.csv")
    printed = np.full(points.shape[1:], np.nan)
    printed[_places(surface)] = surface["new_c"]
    results, rows = load_table("thesis", "table_4_8_usa_ukraine.csv"), []
    for team, total in PRINTED_SUMS.items():
        at = _places(results[results["team"] == team])
        recomputed = _reduced(at[0], np.round(1e4 * printed[at]).astype(int)) / 1e4
        ours = _reduced(at[0], points[OWN][at]) / points.max()
        rows.append((team, total, FULL_SCALE * recomputed, FULL_SCALE * ours))
    return pd.DataFrame(rows, columns=["team", "printed", "from_printed_surface", "ours"])


def _reduced(opponents: Num[np.ndarray, " games"], values: Num[np.ndarray, " games"]) -> int:
    items = jnp.asarray(values)
    weakest = weakest_item(jnp.asarray(opponents), items, jnp.zeros(len(values), bool))
    return int(reduced_sum(items, weakest))


def _error_tables(ours: Assessment) -> pd.DataFrame:
    table = load_table("thesis", "tables_4_4_to_4_7_runs.csv")

    def column(kind: str) -> np.ndarray:
        return table.pivot(index="run", columns="top_n", values=kind)[list(TOPS[:-1])].to_numpy(int)

    wrong = np.stack([column("old_wrong"), column("new_wrong")], axis=1)
    pairs = column("old_wrong") + column("old_correct")
    printed = summarise(Tally((OLD, NEW), pairs, wrong, 1, None), seed=0)
    keys = ["top", "rule"]
    found = {"printed": replace(ours, results=printed).frame, "ours": ours.frame}
    named = (
        frame.astype({"top": object}).set_index(keys).add_prefix(f"{name}_")
        for name, frame in found.items()
    )
    both = pd.concat(named, axis=1, join="inner").reset_index()
    both = both.rename(columns=lambda name: name.removesuffix("_error_rate"))
    return both.sort_values("top", kind="stable", ignore_index=True)
