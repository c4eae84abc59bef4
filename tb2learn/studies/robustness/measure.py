"""Tables trained in every world, and assessed in all worlds beside the shipped ones."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from tb2learn.assessment.assess import assess
from tb2learn.assessment.references import HigherSeed
from tb2learn.catalogue import PRODUCT, find_judged
from tb2learn.config import Config, from_dict, load_config
from tb2learn.report import figures_assessment
from tb2learn.report.frames import Frames, where, wide
from tb2learn.report.stored import Each, Json, columns_of
from tb2learn.report.wording import population_name, seeding
from tb2learn.simulation.run import Progress
from tb2learn.studies import assessments
from tb2learn.studies.assessments import SHOWN_TOP
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


TOPS = (10, 30)


def saved_figure(top: int, frames: Frames) -> Figure:
    """Errors saved against the product rule: a row a table, a column a world."""
    results = where(frames["results"], top=top)
    everywhere = results["rule"][results["world"] == results["world"].iloc[0]]
    shown = results[results["rule"].isin(set(everywhere) - {PRODUCT})]
    values = wide(shown, "rule", "world", "reduction")
    title = f"Errors saved against the product rule, {population_name(top)}"
    names = list(values.index), list(values.columns)
    return figures_assessment.matrix_figure(values.to_numpy(float), *names, title)


def bias_figure(number: int, frames: Frames) -> Figure:
    """Every rule's error rate against its near-equal preference in one of the worlds."""
    world = frames["assessments"]["world"].iloc[number]
    return figures_assessment.bias_figure(where(frames["results"], world=world), SHOWN_TOP)


RANDOM = len(TRAINED_ON) + len(OTHER_FORMATS)
"""How many worlds have random seeds. They come first."""

FIGURES = {f"-top{top}.png": partial(saved_figure, top) for top in TOPS} | {
    f"-bias-{number + 1}.png": partial(bias_figure, number)
    for number in range(RANDOM, RANDOM + len(NEAR_TRUTH))
}


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
