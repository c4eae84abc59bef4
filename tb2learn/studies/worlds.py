"""Names of worlds and shipped rules that several studies judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pandas as pd

from tb2learn.assessment.tally import TOPS, Tally
from tb2learn.config import Config, EventFormat, Objective, TrainConfig
from tb2learn.export.assessment import population
from tb2learn.stats import long_frame, with_ends
from tb2learn.studies.samples import samples, shares

WORLD, SEEDED = "olympiad-180x11", "seeded-180x11"
"""The Olympiad with random seeds; with rosters and games of a real event and seeds near the truth.
"""

LEARNED, FORMULA = "learned-180x11", "formula-180x11"

FAIR = "fair-180x11"
"""Fitted to real fields, too, with a penalty on seed bias."""

ROSTERS = "rosters-180x11"
"""Fitted to real fields, too, with random seeds: of the kind that the frontier chooses."""

OPPONENTS = "opponents-180x11"
"""Fitted to real fields with random seeds; looks at the opponents' published ratings, too."""


def seeded(config: Config, noise: float) -> Config:
    """The configuration with another seed noise, in rating points."""
    return replace(config, field=replace(config.field, seed_noise=noise))


Shape: TypeAlias = tuple[int, int, int]
"""Teams, rounds and boards."""

SHOWN = (10, TOPS[-1])
"""Populations: ties that touch the first ten places, and all ties."""


def world(shape: Shape, objective: Objective, events: int, seed: int) -> Config:
    """Teams of 1700 to 2800 in random seed order, the field that the shipped rules are fitted to.

    **Arguments:** the format; what is trained, on how many events of which seed.
    """
    teams, rounds, boards = shape
    plan = TrainConfig(objective, events, held_out=max(1, events // 10), seed=seed)
    name = f"{objective}-{teams}x{rounds}-{boards}-boards"
    return Config(name, event=EventFormat(teams, rounds, boards), train=plan)


def shape_name(teams: int, rounds: int, boards: int) -> str:
    """A format in words."""
    return f"{teams} teams, {rounds} rounds, {boards} board{'s' if boards > 1 else ''}"


def with_names(found: pd.DataFrame) -> pd.DataFrame:
    """Rows of formats with the format in words, as `format`."""
    shapes = found[["teams", "rounds", "boards"]].to_numpy(int).tolist()
    return found.assign(format=[shape_name(*shape) for shape in shapes])


def growths(
    tally: Tally, rules: Sequence[str], other: str, seed: int, name: str = "growth"
) -> pd.DataFrame:
    """By how much more often some rules are wrong than another one on the same events.

    **Arguments:**

    - `tally`: the counts.
    - `rules`, `other`: names of rules in it.
    - `seed`: of the bootstrap.
    - `name`: of the column with the difference.

    **Returns:** a row a rule and population of `SHOWN`: `rule`, `top` (a place, or `all`), `pairs`;
    `error` and `other`, the shares decided wrongly by the rule and by the other one; `growth`,
    their difference, with the ends of its 95 % bootstrap interval over events. NaN without pairs.
    """
    columns = [TOPS.index(top) for top in SHOWN]
    pairs, errors = tally.pairs[:, columns], tally.errors[..., columns]
    own, base = (errors[:, [tally.rules.index(one) for one in some]] for some in (rules, [other]))
    weights = samples(len(pairs), seed)
    wrong, reference, apart = (
        shares(weights, part, pairs, tally.unit) for part in (own, base, own - base)
    )
    found = {
        "pairs": pairs.sum(axis=0),
        "error": wrong[0],
        "other": reference[0],
        **with_ends(apart, name, f"{name}_"),
    }
    whole = {name: np.broadcast_to(one, wrong[0].shape) for name, one in found.items()}
    return long_frame({"rule": rules, "top": list(map(population, SHOWN))}, whole)


def most(found: pd.DataFrame) -> pd.Series:
    """The row of `growths` in which the error grows most."""
    return found.sort_values("growth", ascending=False, kind="stable").iloc[0]
