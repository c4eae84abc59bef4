"""The rules that the study of the frontier fits: tables with other last passes, blends, ridges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tb2learn.assessment.references import Reference
from tb2learn.config import Config, load_config
from tb2learn.simulation.run import Progress
from tb2learn.studies.frontier.blend import BLEND, blend_parts, collect_blend, fit_blend
from tb2learn.studies.frontier.ridge import fit_ridges
from tb2learn.studies.worlds import LEARNED, SEEDED, WORLD, seeded
from tb2learn.tiebreaks.rules import PassTable, Rule
from tb2learn.training import checkpoint
from tb2learn.training.kinds import PassCheckpoint
from tb2learn.training.least_squares import (
    Equations,
    Moments,
    collect_moments,
    equations,
    least_squares,
    normalised,
)
from tb2learn.training.tabulate import pass_table

REAL = "real-180x11"
"""The world as it is with the day shock, and a seed noise that every event draws anew."""

BATUMI = "batumi-180x11"
"""The world as it is with the rosters of an event to which no shipped rule is fitted."""

SUMS = (0.1, 0.15, 0.2, 0.3, 0.5, 0.7)
"""Weights in the sums of the learned table and the one fitted to the world as it is."""


def family_name(weight: float, fairness: float, kind: str = "mixed") -> str:
    """The name of a table whose last pass is fitted with a weight and a penalty."""
    world = "seeded" if math.isinf(weight) else f"{kind}-{weight:g}"
    return f"{world}-fair-{fairness:g}"


def ridge_events(trained: int) -> int:
    """Events of each world that the shrunken least squares are fitted to: they need fewer."""
    return max(1, trained // 4)


SHARP = family_name(math.inf, 0.0)
"""The table whose last pass is fitted to the seeded world alone, without a penalty."""

CURVE = [LEARNED, *(f"sum-{weight:g}" for weight in SUMS), SHARP]
"""The known curve: the learned table, the sums, and the table fitted to the seeded world."""

WEIGHTS, FAIRNESS = (0.35, 1.0, math.inf), (0.0, 10.0, 30.0, 100.0)
"""Weights of the world as it is beside the random one (inf: it alone), and of the penalty."""

REAL_WEIGHTS, REAL_FAIRNESS = (0.35,), (0.0, 10.0, 30.0)
"""The same with `REAL` in place of the seeded world."""

LIMITS = (4, 8)
"""Passes of the tables that repeat the last pass of the learned one."""

BLENDED = (10, 30)
"""Penalties of the blends."""

FEWER = "womens-140x11"


def frontier_rules(trained: int, seed: int) -> tuple[list[Rule | Reference], str]:
    """All rules of the study, fitted to simulated events.

    **Arguments:**

    - `trained`: events of every world.
    - `seed`: of the events.

    **Returns:** the rules; the ridge that fits best in training.
    """
    learned = checkpoint.load(LEARNED)
    assert isinstance(learned, PassCheckpoint)
    tables = [*_tables(learned, trained, seed), *_limits(learned.rule())]
    worlds = [(name, _worlds()[name]) for name in ("random", "rosters")]
    ridges, best = fit_ridges(worlds, ridge_events(trained), seed)
    return [*tables, *_blends(trained, seed), *ridges], best


def _worlds() -> dict[str, Config]:
    """The worlds of the last passes."""
    fifty = load_config(SEEDED)
    return {
        "random": load_config(WORLD),
        "seeded": fifty,
        "rosters": seeded(fifty, math.inf),
        "140": load_config(FEWER),
        "real": load_config(REAL),
        "batumi": seeded(load_config(BATUMI), math.inf),
    }


def _tables(learned: PassCheckpoint, trained: int, seed: int) -> list[PassTable]:
    """Tables that differ from the learned one in their last pass alone."""
    before = list(learned.fit.surfaces[:-1])
    found: dict[str, tuple[Equations, Moments]] = {}
    for number, (name, world) in enumerate(_worlds().items()):
        plan = replace(world.train, events=trained, seed=seed)
        world = replace(world, train=plan, decisions=learned.config.decisions)
        moments = collect_moments(world, before, Progress(name), world=number)
        found[name] = equations(moments, world), moments

    def fitted(name: str, weights: Mapping[str, float], fairness: float = 0.0) -> PassTable:
        config = learned.config
        config = replace(config, decisions=replace(config.decisions, fairness=fairness))
        raw = least_squares([(found[one][0], weight) for one, weight in weights.items()], config)
        seen = np.sum([found[one][1].seen for one in weights], axis=0)
        return pass_table([*before, normalised(raw, seen, config)], name)

    tables = [
        fitted("random", {"random": 1.0}),
        fitted("random+140", {"random": 1.0, "140": 1.0}),
        fitted("rosters", {"rosters": 1.0}),
        fitted("rosters+random", {"rosters": 1.0, "random": 1.0}),
        fitted("two-rosters+random", {"rosters": 0.5, "batumi": 0.5, "random": 1.0}),
    ]
    for weight in WEIGHTS:
        weights = {"seeded": 1.0} if math.isinf(weight) else {"random": 1.0, "seeded": weight}
        tables += [fitted(family_name(weight, one), weights, one) for one in FAIRNESS]
    for weight in REAL_WEIGHTS:
        weights = {"random": 1.0, "real": weight}
        tables += [fitted(family_name(weight, one, "real"), weights, one) for one in REAL_FAIRNESS]
    (alone,) = (one for one in tables if one.name == SHARP)
    return tables + [weighted(f"sum-{one:g}", learned.rule(), alone, one) for one in SUMS]


def weighted(name: str, one: PassTable, other: PassTable, weight: float) -> PassTable:
    """The weighted sum of two tables with the same first passes: a table, too."""
    points = one.points.copy()
    points[-1] = np.rint((1 - weight) * one.points[-1] + weight * other.points[-1])
    return replace(one, name=name, points=points)


def _limits(learned: PassTable) -> list[PassTable]:
    """The learned table with its last pass repeated, towards the fixed point."""
    last = learned.points[-1:]
    return [
        replace(
            learned,
            name=f"limit-{passes}",
            points=np.concatenate([learned.points, *[last] * (passes - len(learned.points))]),
        )
        for passes in LIMITS
    ]


def _blends(trained: int, seed: int) -> list[Reference]:
    """Blends of many rules, fitted to the random and the seeded world alike."""
    worlds = {name: load_config(name) for name in (WORLD, SEEDED)}
    sums = [
        (collect_blend(world, trained, seed, Progress(f"blend, {name}")), name == SEEDED)
        for name, world in worlds.items()
    ]
    parts = blend_parts(worlds[WORLD])
    return [fit_blend(f"{BLEND}-fair-{one}", parts, sums, one) for one in BLENDED]
