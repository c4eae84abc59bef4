"""Worlds, shipped rules, and tables of error rates that several scripts share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from tb2learn.assessment.references import Reference, find_judged
from tb2learn.config import Config, EventFormat, Objective, TrainConfig, load_config
from tb2learn.report.frames import where
from tb2learn.report.wording import rule_name
from tb2learn.tiebreaks.library import REFERENCES
from tb2learn.tiebreaks.rules import Rule

WORLD, SEEDED = "olympiad2022-180x11", "seeded-180x11"
"""The Olympiad of 2022 with random seeds; with real rosters and games and seeds near the truth."""

BATUMI, SAMARKAND = "batumi-180x11", "samarkand-188x11"
"""The same near the truth with two other real fields, to which no shipped rule is fitted."""

LEARNED, FORMULA = "learned-180x11", "formula-180x11"

FAIR = "fair-180x11"  # fitted to real fields, too, with a penalty on seed bias

ROSTERS = "rosters-180x11"  # fitted to real fields, too, with random seeds: the default

TRAINED_ON = (  # worlds with random seeds in the format of the Olympiad
    *(WORLD, "baku2016-field", "mixed-180x11"),
    *("literal-180x11", "shock-180x11", "fitted-180x11"),
)

OTHER_FORMATS = ("etcc-38x9", "team-60x7")

NEAR_TRUTH = (  # worlds with their seed noise in rating points; the fourth has the day shock
    *((WORLD, 50), (WORLD, 0), (SEEDED, 50), ("fitted-180x11", 50)),
    *((BATUMI, 50), (SAMARKAND, 50)),
)

OLYMPIADS = ("baku2016", "batumi2018", "batumi2018w", "samarkand2026w")  # that are packaged

TOP = "30"  # the population that tables show; CSV files have all


def seeded(config: Config, noise: float) -> Config:
    """The configuration with another seed noise, in rating points."""
    return replace(config, field=replace(config.field, seed_noise=noise))


def judged_worlds() -> dict[str, Config]:
    """The worlds that tables are judged in, by name: first those with random seeds."""
    worlds = {name: load_config(name) for name in (*TRAINED_ON, *OTHER_FORMATS)}
    return worlds | {
        f"{name}, seed noise {noise}": seeded(load_config(name), float(noise))
        for name, noise in NEAR_TRUTH
    }


def world(shape: tuple[int, int, int], objective: Objective, events: int, seed: int) -> Config:
    """Teams of 1700 to 2800 in random seed order, as the shipped rules are fitted to."""
    teams, rounds, boards = shape
    plan = TrainConfig(objective, events, held_out=max(1, events // 10), seed=seed)
    name = f"{objective}-{teams}x{rounds}-{boards}-boards"
    return Config(name, event=EventFormat(teams, rounds, boards), train=plan)


def shape_name(teams: int, rounds: int, boards: int) -> str:
    """A format in words."""
    return f"{teams} teams, {rounds} rounds, {boards} board{'s' if boards > 1 else ''}"


def renamed(old: str, new: str) -> dict[str, str]:
    """New names of a column and of the ends of its interval."""
    return {f"{old}{end}": f"{new}{end}" for end in ("", "_low", "_high")}


def other_rules(names: Sequence[str], config: Config) -> list[Rule | Reference]:
    """Rules and references by name for a world, without the rule in use."""
    return find_judged(names, config)[1:]


def best_first(rates: pd.DataFrame, world: str, top: str = TOP) -> pd.DataFrame:
    """The rows of one world and population, the lowest error first; `named` is for readers."""
    rows = where(rates, world=world, top=top)
    first = rows["rule"] == rows["rule"].iloc[0]
    saved = ["saved", "saved_low", "saved_high"]
    rows = rows.assign(named=rows["rule"].map(rule_name))
    rows[saved] = rows[saved].astype(object).mask(first, None)
    return rows.sort_values("error", key=np.nan_to_num, kind="stable")


def unbeaten(rows: pd.DataFrame) -> list[str]:
    """The rules, but for references, that no other beats on both error and preference (0.5)."""
    rows = rows[~rows["rule"].isin(REFERENCES)]
    errors, unfair = rows["error"], (rows["near_equal"] - 0.5).abs()
    beaten = [((errors < e) & (unfair < u)).any() for e, u in zip(errors, unfair, strict=True)]
    return rows["rule"][~np.array(beaten, bool)].tolist()


def whole_pairs(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with whole numbers of pairs, also where some are unknown."""
    names = [name for name in frame.columns if str(name).endswith("pairs")]
    return frame.astype(dict.fromkeys(names, "Int64"))
