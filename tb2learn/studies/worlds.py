"""Names of worlds and shipped rules that several studies judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from tb2learn.assessment.tally import SEED_KINDS, TOPS, Tally
from tb2learn.config import Config, EventFormat, Objective, TrainConfig
from tb2learn.report.assessment import population
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
    tally: Tally,
    rules: Sequence[str],
    other: str,
    seed: int,
    name: str = "growth",
    tops: Sequence[int] = SHOWN,
) -> pd.DataFrame:
    """By how much more often some rules are wrong than another one on the same events.

    **Arguments:**

    - `tally`: the counts.
    - `rules`, `other`: names of rules in it.
    - `seed`: of the bootstrap.
    - `name`: of the column with the difference.
    - `tops`: populations, of `TOPS`.

    **Returns:** a row a rule and population: `rule`, `top` (a place, or `all`), `pairs`;
    `error` and `other`, the shares decided wrongly by the rule and by the other one; `growth`,
    their difference, with the ends of its 95 % bootstrap interval over events. NaN without pairs.
    """
    columns = [TOPS.index(top) for top in tops]
    pairs, errors = tally.pairs[:, columns], tally.errors[..., columns]
    wrong, reference, apart = _compared(tally.rules, pairs, errors, tally.unit, rules, other, seed)
    found = {
        "pairs": pairs.sum(axis=0),
        "error": wrong[0],
        "other": reference[0],
        **with_ends(apart, name, f"{name}_"),
    }
    whole = {name: np.broadcast_to(one, wrong[0].shape) for name, one in found.items()}
    return long_frame({"rule": rules, "top": list(map(population, tops))}, whole)


def preferences(
    tally: Tally, rules: Sequence[str], other: str, seed: int, tops: Sequence[int] = SHOWN
) -> pd.DataFrame:
    """By how much more often some rules than another one prefer the higher seed of equals.

    **Arguments:** as for `growths`.

    **Returns:** its rows in its order: `near`, the rule's near-equal preference, and `nearer`, that
    less the other one's, with the ends of its interval. Nothing but the rows with random seeds.
    """
    if tally.seeds is None:
        return pd.DataFrame(index=range(len(rules) * len(tops)))
    columns, kind = [TOPS.index(top) for top in tops], SEED_KINDS.index("near_equal")
    pairs, halves = (one[:, kind][..., columns] for one in (tally.seeds.pairs, tally.seeds.halves))
    near, _, apart = _compared(tally.rules, pairs, halves, 2, rules, other, seed)
    found = {"near": near[0], **with_ends(apart, "nearer", "nearer_")}
    return pd.DataFrame({name: np.ravel(one) for name, one in found.items()})


def _compared(
    known: Sequence[str],
    pairs: Int[np.ndarray, "blocks tops"],
    counts: Int[np.ndarray, "blocks known tops"],
    unit: int,
    rules: Sequence[str],
    other: str,
    seed: int,
) -> list[Float[np.ndarray, "samples rules tops"]]:
    """`shares` of some rules and of another one, and their difference."""
    own, base = (counts[:, [known.index(one) for one in some]] for some in (rules, [other]))
    weights = samples(len(pairs), seed)
    return [shares(weights, part, pairs, unit) for part in (own, base, own - base)]


def most(found: pd.DataFrame) -> pd.Series:
    """The row of `growths` in which the error grows most."""
    return found.sort_values("growth", ascending=False, kind="stable").iloc[0]
