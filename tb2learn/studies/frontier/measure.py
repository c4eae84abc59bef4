"""Families of rules, judged by error and seed bias where seeds are near the truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.references import HigherSeed
from tb2learn.assessment.single import single_event_tally
from tb2learn.assessment.tally import SEED_KINDS, TOPS, Tally, summarise
from tb2learn.catalogue import find_judged
from tb2learn.config import load_config, to_dict
from tb2learn.report.stored import Csv, Each, Json, Known, columns_of, stacked
from tb2learn.simulation.run import Progress
from tb2learn.studies import assessments
from tb2learn.studies.frontier.compared import frontier_rules
from tb2learn.studies.frontier.names import (
    BATUMI,
    CURVE,
    FAIR,
    FORMULA,
    LEARNED,
    REAL,
    ROSTERS,
    SEEDED,
    TOP,
    WORLD,
)
from tb2learn.studies.samples import samples, shares, with_ends

RIVALS = (
    *("buchholz-cut1", "row-sum", "least-squares", FORMULA, LEARNED, FAIR),
    *("true-opponents", HigherSeed.name),
)

KNOWN = {
    SEEDED: RIVALS,
    WORLD: (LEARNED, FAIR),
    # The shipped table of the chosen kind only where nothing is chosen.
    REAL: (*RIVALS, ROSTERS),
    BATUMI: (*RIVALS, ROSTERS),
}
"""What is judged in every world beside the rules of the study."""


def _above(name: str) -> Known:
    return Known(name, Each(name, [f"{name}.{part}" for part in _PARTS], key="rule"))


_PARTS = ("value", "low", "high")
_WORLD = ("world", "trained", "protocol", "lists", "events", "seed", "config")

FILES = (
    Json(
        "frontier.json",
        Each(
            "worlds",
            {
                **columns_of("worlds", *_WORLD),
                "results": assessments.CONTENT["results"],
                "best_ridge": Known("worlds.best_ridge", "worlds.best_ridge"),
                "above_curve": _above("above_curve"),
                "above_learned": _above("above_learned"),
            },
            by="world",
        ),
        indent=1,
    ),
    Csv(
        "frontier.csv",
        "results",
        {
            **{name: name for name in ("world", "rule", "top", "pairs", "error_rate")},
            **{name: name for name in ("low", "high", "near_equal")},
            **{f"near_{part}": f"near_equal_{part}" for part in ("low", "high", "pairs")},
        },
        digits=6,
    ),
)


def measure(trained: int, events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Fit families of rules, and judge them by error and seed bias.

    **Arguments:**

    - `trained`: events of every world that the rules are fitted to.
    - `events`: assessment events of `SEEDED`; half as many of every other world.
    - `seed`: of all streams, which share no random numbers.

    **Returns:**

    - `worlds`: a row a world: what was played; `best_ridge`, the shrunken least squares that fits
      best in training.
    - `results`: `Assessment.frame` of every `world`.
    - `above_curve`, `above_learned`: of the same name, by `world`.
    """
    tables, best_ridge = frontier_rules(trained, seed)
    worlds, results, curves = [], [], []
    learned = pd.DataFrame()
    for name, known in KNOWN.items():
        config, count = load_config(name), events if name == SEEDED else max(1, events // 2)
        judged = [*find_judged(known, config), *(() if name == BATUMI else tables)]
        tally = single_event_tally(config, judged, count, seed, Progress(name))
        result = Assessment("single", None, count, seed, config, summarise(tally, seed), None)
        about = (name, trained, result.protocol, None, count, seed, to_dict(config))
        ridge = best_ridge if name == SEEDED else None
        worlds.append({**dict(zip(_WORLD, about, strict=True)), "best_ridge": ridge})
        results.append(result.frame.assign(world=name))
        if tally.seeds and name != BATUMI:
            curves.append(above_curve(tally, CURVE, seed).assign(world=name))
        if name == WORLD:
            learned = above_rule(tally, LEARNED, seed).assign(world=name)
    return {
        "worlds": pd.DataFrame(worlds),
        "results": stacked(results),
        "above_curve": pd.concat(curves, ignore_index=True),
        "above_learned": learned,
    }


# ------------------------------------------------------------------------------- comparisons


def above_curve(tally: Tally, curve: Sequence[str], seed: int) -> pd.DataFrame:
    """How much more every rule errs than the curve does at the same near-equal preference.

    **Arguments:**

    - `tally`: in a world whose seeds are not random.
    - `curve`: rules between which error and preference are interpolated.
    - `seed`: of the resampling.

    **Returns:** a row a `rule`: the difference in error at top `TOP` (`value`), and the ends of its
    95 % interval.
    """
    assert tally.seeds is not None
    errors = _at_top(tally.errors, tally.pairs, tally.unit, seed)
    kind = SEED_KINDS.index("near_equal")
    near = _at_top(tally.seeds.halves[:, kind], tally.seeds.pairs[:, kind], 2, seed)
    at = [tally.rules.index(name) for name in curve]
    excess = np.empty_like(errors)
    for e, n, out in zip(errors, near, excess, strict=True):
        order = np.argsort(n[at])
        out[:] = e - np.interp(n, n[at][order], e[at][order])
    return pd.DataFrame({"rule": tally.rules, **with_ends(excess)})


def above_rule(tally: Tally, rule: str, seed: int) -> pd.DataFrame:
    """How much more every rule errs than one of them; otherwise as `above_curve`."""
    errors = _at_top(tally.errors, tally.pairs, tally.unit, seed)
    excess = errors - errors[:, [tally.rules.index(rule)]]
    return pd.DataFrame({"rule": tally.rules, **with_ends(excess)})


def _at_top(
    counts: Int[np.ndarray, "blocks rules tops"],
    pairs: Int[np.ndarray, "blocks tops"],
    unit: int,
    seed: int,
) -> Float[np.ndarray, "samples rules"]:
    """`shares` at top `TOP` alone."""
    column = [TOPS.index(TOP)]
    weights = samples(len(pairs), seed)
    return shares(weights, counts[..., column], pairs[:, column], unit)[..., 0]
