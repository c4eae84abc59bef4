"""The formula for one board, fitted to individual events, and error rates of it and of others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from tb2learn.assessment.assess import assess
from tb2learn.catalogue import baseline, find_judged
from tb2learn.config import Config, FieldConfig, load_config
from tb2learn.report.figures_assessment import errors_figure
from tb2learn.report.frames import Frames, where
from tb2learn.report.stored import Csv
from tb2learn.simulation.run import Progress
from tb2learn.studies import worlds
from tb2learn.studies.formula.measure import digits, laws_frame, power_laws
from tb2learn.studies.worlds import Shape
from tb2learn.tiebreaks.formula_constants import FORMULA, closed_formula
from tb2learn.tiebreaks.library import DEEP
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training.pairwise import fit_formula

FITTED: tuple[Shape, ...] = ((60, 7, 1), (100, 9, 1), (200, 9, 1))
"""Formats at which the formula is fitted: players, rounds, one board."""

WORLDS = ("open-60x7", "open-100x9", "open-200x9", "open-100x9-seeded", "individual-100x9")
"""Configurations in which the rules are judged; the first three have random seeds."""

RULES = (FORMULA, DEEP, "least-squares", "buchholz", "sonneborn-berger", "wins")
"""What is judged beside the rule in use (Buchholz cut 1)."""

PROMISED = (FORMULA, DEEP)
"""The rules whose savings the report states."""

NUMBERS = {
    "wrong": "error_rate",
    "from": "low",
    "to": "high",
    "saved": "reduction",
    "saved from": "reduction_low",
    "saved to": "reduction_high",
}
_FORMS = {name: ".3f" if "reduction" in name else ".4f" for name in NUMBERS.values()}

FILES = (
    Csv("formula_players.csv", "laws"),
    Csv("fits.csv", "fits"),
    Csv(
        "errors.csv",
        "errors",
        {"world": "world", "rule": "rule", "ties": "top", "pairs": "pairs", **NUMBERS},
        forms=_FORMS,
    ),
)


def world(shape: Shape, trained: int, seed: int) -> Config:
    """Players of 1600 to 2500 in random seed order: the field that the formula is fitted to.

    **Arguments:** the format; the events of one descent and their seed.
    """
    players, rounds, _ = shape
    return replace(
        worlds.world(shape, "formula", trained, seed),
        name=f"players-{players}x{rounds}",
        field=FieldConfig(low=1600.0, high=2500.0, player_sd=0.0),
    )


def measure(trained: int, events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Fit the formula for one board at several formats, and judge one closed form.

    **Arguments:**

    - `trained`: events of one descent of a fit; descents follow until a plateau is reached.
    - `events`: assessment events of every world.
    - `seed`: of both, which use different streams, and of the bootstrap.

    **Returns:** `laws`, as `laws_frame`; `fits`: a and k in points, fitted to every format and by
    the closed form; `errors`: `Assessment.frame` of every `world`.
    """
    natives = []
    for shape in FITTED:
        config = world(shape, trained, seed)
        natives.append(fit_formula(config, Progress(config.name))[0])
    laws = power_laws(natives)
    fits = []
    for (players, rounds, boards), native in zip(FITTED, natives, strict=True):
        fit = {"players": players, "rounds": rounds}
        for how, one in (("fitted", native), ("closed", closed_formula(rounds, boards, laws))):
            # a is a lead in points, half as many as match points; k, too, is points a point.
            fit |= {f"{how} {name}": digits(x / 2, 3) for name, x in one.constants.items()}
        fits.append(fit)
    errors = []
    for name in WORLDS:
        config = load_config(name)
        closed = closed_formula(config.event.rounds, config.event.boards, laws)
        rules = [
            closed if isinstance(one, Rule) and one.name == FORMULA else one
            for one in find_judged(RULES, config)
        ]
        found = assess(config, rules, events, seed, progress=Progress(f"judge {name}")).frame
        errors.append(found.assign(world=name, top=found["top"].astype(str)))
    return {
        "laws": laws_frame(laws, trained, seed),
        "fits": pd.DataFrame(fits),
        "errors": pd.concat(errors, ignore_index=True),
    }


def summary(frames: Frames) -> dict[str, Any]:
    """Savings of the promised rules, which of them are not shown, and the best for first place.

    Shares in sentences are in per cent.
    """
    errors, numbers = frames["errors"], list(NUMBERS.values())
    percent = errors.assign(**100 * errors[numbers])
    unsure = where(errors, top="all")
    unsure = unsure[~(unsure["reduction_low"] > 0)]
    first = where(percent[percent["world"].isin(WORLDS[:3])], top="1")
    return {
        "savings": [
            (rule, who, where(percent, rule=rule, top=top))
            for rule in PROMISED
            for top, who in (("all", "all ties"), ("1", "ties for first place"))
        ],
        "unproven": [
            f"{rule} in {name}" for rule in PROMISED for name in where(unsure, rule=rule)["world"]
        ],
        "best": first.sort_values("error_rate", kind="stable").iloc[0],
        "shown": errors[errors["top"].isin(("1", "all"))],
        "in_use": baseline(1),
    }


DRAWN = "open-100x9"


def individual_figure(frames: Frames) -> Figure:
    """The error rates of all rules in `DRAWN`."""
    return errors_figure(where(frames["errors"], world=DRAWN))


FIGURES = {"errors.png": individual_figure}
