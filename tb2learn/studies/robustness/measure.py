"""Tables trained in every world, and assessed in all worlds beside the shipped ones."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from tb2learn.assessment.assess import assess
from tb2learn.assessment.references import HigherSeed
from tb2learn.catalogue import find_judged
from tb2learn.config import Config, load_config
from tb2learn.report.stored import Each, Json, columns_of
from tb2learn.simulation.run import Progress
from tb2learn.studies import assessments
from tb2learn.studies.worlds import FAIR, FORMULA, LEARNED, ROSTERS, WORLD, seeded
from tb2learn.training import checkpoint

TRAINED_ON = (
    "olympiad-180x11",
    "baku2016-field",
    "mixed-180x11",
    "literal-180x11",
    "shock-180x11",
    "fitted-180x11",
)


OTHER_FORMATS = ("etcc-38x9", "team-60x7")


RIVALS = ("least-squares", "buchholz-cut1")
"""Rules without a checkpoint that stand beside the tables in every world."""


BESIDE = (
    *("emmsb-cut1", "emgsb", "egmsb-cut1", "eggsb-cut1", "row-sum"),
    *("olympiad-180x11", f"{LEARNED}-pass1", f"{LEARNED}-pass2"),
    *("true-opponents", HigherSeed.name),
)
"""Rules and references that are judged, too, where seeds are not random."""


NEAR_TRUTH = ((WORLD, 50), (WORLD, 0), ("seeded-180x11", 50), ("fitted-180x11", 50))
"""Worlds with their seed noise in rating points: the Olympiad; rosters and games of a real event,
the second with the day shock."""


DESCENT_STEPS = 100


FILES = (
    Json(
        ".json",
        Each(
            "assessments",
            {**columns_of("assessments", "world", "trained"), **assessments.CONTENT},
            by="world",
        ),
        indent=1,
    ),
    assessments.results_csv(".csv", "world"),
    assessments.bias_csv("-seed-bias.csv", "world"),
)


def worlds() -> dict[str, Config]:
    """The configurations that tables are judged in, by name: first with random seeds."""
    found = {name: load_config(name) for name in (*TRAINED_ON, *OTHER_FORMATS)}
    return found | {
        f"{name}, seed noise {noise}": seeded(load_config(name), float(noise))
        for name, noise in NEAR_TRUTH
    }


def measure(trained: int, events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Train a table in every world, and assess all tables in every world.

    **Arguments:**

    - `trained`: events that each table is fitted to (least squares, three passes).
    - `events`: assessment events of every world.
    - `seed`: of both, which use different streams of random numbers.

    **Returns:** the frames of `assessments`, by `world`.
    """
    variants = [*((name, "") for name in TRAINED_ON), (WORLD, "-reduced"), (WORLD, "-logistic")]
    fitted = [_trained_on(name, variant, trained, seed) for name, variant in variants]
    found = {}
    for name, world in worlds().items():
        judged = find_judged([LEARNED, ROSTERS, FAIR, FORMULA, *RIVALS], world)
        judged += [part.rule(world.event.rounds) for part in fitted]
        if world.field.informative:
            judged += find_judged(BESIDE, world)[1:]
        found[name] = assess(world, judged, events, seed, progress=Progress(name))
    frames = assessments.frames_of(found, "world")
    return frames | {"assessments": frames["assessments"].assign(trained=trained)}


def _trained_on(name: str, variant: str, trained: int, seed: int) -> checkpoint.Checkpoint:
    """A table in three passes that is fitted to events of one world for this study."""
    config = load_config(name)
    plan = replace(
        config.train,
        objective="decisions",
        events=trained,
        held_out=max(1, trained // 10),
        seed=seed,
    )
    decisions = replace(
        config.decisions,
        reduced=variant == "-reduced",
        steps=DESCENT_STEPS if variant == "-logistic" else 0,
    )
    config = replace(config, train=plan, decisions=decisions)
    return checkpoint.train(config, f"on-{name}{variant}", progress=True)
