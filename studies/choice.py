"""Which table is the default, by a rule of choice that bounds the excess over an ideal rule?

*Excess*: how much more often a rule prefers the higher of two nearly equal seeds than the posterior
mean does, on the same pairs. The rule of choice was written before any run, and is in the template.
Beside the shipped tables stand last passes that are fitted to seeded worlds, too, with penalties on
seed bias. Events that choose are those of nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from studies.frames import where
from studies.script import events_option, report, script, written
from studies.worlds import (
    BATUMI,
    FAIR,
    FORMULA,
    LEARNED,
    ROSTERS,
    SAMARKAND,
    SEEDED,
    TOP,
    WORLD,
    Cell,
    load_config,
    seeded,
)
from tb2learn.assessment.error_rates import population, samples, shares_of_pairs
from tb2learn.assessment.ideal import ideal_tally
from tb2learn.assessment.tally import SEED_KINDS, TOPS, Tally
from tb2learn.config import Config
from tb2learn.simulation.purposes import Purpose
from tb2learn.simulation.simulate import Progress
from tb2learn.stats import long_frame, with_ends
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training import checkpoint
from tb2learn.training.near_pairs import sum_ideal
from tb2learn.training.objectives import value_surfaces
from tb2learn.training.table_least_squares import equations, least_squares, normalised
from tb2learn.training.table_moments import collect_moments
from tb2learn.training.tabulate import pass_table

WORLDS = (WORLD, SEEDED, BATUMI, SAMARKAND)
"""The worlds of 2022 that choose; the first has random seeds."""

PENALTIES = {"equal": (0.0, 3.0, 10.0, 30.0), "ideal": (3.0, 10.0, 30.0)}
"""Weights of the penalty on seed bias, by what it aims at, see `DecisionConfig.aim`."""

MOST_EXCESS, MOST_END, MOST_MORE = 0.010, 0.015, 0.001
"""Bounds of the rule of choice: the excess and the upper end of its interval in every world; errors
added where seeds are random."""

SHIPPED = ("least-squares", "olympiad-180x11", FORMULA, LEARNED, FAIR, ROSTERS)

SHIPPED_TABLES = SHIPPED[1:2] + SHIPPED[3:]
"""Those that may be chosen: least squares and the formula stand beside them."""

SHOWN_TOPS = ("10", TOP)


def fitted_to() -> dict[str, Config]:
    """The worlds that last passes are fitted to, paired by the rule of 2022."""
    fifty = load_config(SEEDED)
    return {
        "uniform": load_config(WORLD),
        "baku-random": seeded(fifty, float("inf")),
        "baku": fifty,
        "batumi": load_config(BATUMI),
    }


SEEDED_WEIGHT = 0.35  # of each seeded world, beside the random ones


def tables(trained: int, seed: int) -> list[Rule]:
    """Last passes after the first two of the learned table, fitted with several penalties."""
    learned = checkpoint.load(LEARNED)
    before = value_surfaces(learned)[:-1]
    known = {}
    for number, (name, config) in enumerate(fitted_to().items()):
        plan = replace(config.train, events=trained, seed=seed)
        # With any penalty the moments also say what the ideal is held against.
        decisions = replace(learned.config.decisions, fairness=1.0, aim="ideal")
        config = replace(config, train=plan, decisions=decisions)
        moments = collect_moments(config, before, Progress(f"moments {name}"), world=number)
        ideal = sum_ideal(config, Progress(f"ideal {name}"), number)
        aims = {"equal": equations(moments, config), "ideal": equations(moments, config, ideal)}
        known[name] = aims, moments.seen
    random, every = ("uniform", "baku-random"), tuple(known)
    plans = {"random-2022": (random, 0.0, "equal")}
    for aim, penalties in PENALTIES.items():
        plans |= {f"mixed-{aim}-{penalty:g}": (every, penalty, aim) for penalty in penalties}
    found = []
    for name, (worlds, penalty, aim) in plans.items():
        decisions = replace(learned.config.decisions, fairness=penalty)
        config = replace(learned.config, decisions=decisions)
        weighted = [
            (known[world][0][aim], 1.0 if world in random else SEEDED_WEIGHT) for world in worlds
        ]
        seen = np.sum([known[world][1] for world in worlds], axis=0)
        surface = normalised(least_squares(weighted, config), seen, config)
        found.append(pass_table([*before, surface], name))
    return found


def judge(rules: Sequence[Rule], events: int, ideal: int, seed: int) -> pd.DataFrame:
    """Rates of all rules in all worlds, on events that choose.

    **Arguments:** the rules, beside the shipped ones; events of every world; how many of them, the
    first ones, the ideal sees; and the seed.

    **Returns:** a row a `world`, `rule` and `top`: `error`; `near`, the near-equal preference;
    `excess` and `behind` of the ideal; `more`: error less that of the present default; and the rows
    of the `mean` of all worlds, each of them counting the same, with `error` and `more` alone.
    """
    rows, drawn = [], []
    for name in WORLDS:
        config = load_config(name)
        cell = Cell(name, config, [*SHIPPED, *rules], events, purpose=Purpose.CHOOSE)
        tally, few = cell.tally(seed, Progress(name)), min(events, ideal)
        first = replace(cell, events=few).tally(seed, Progress(f"{name}, first events"))
        known = ideal_tally(config, few, seed, Progress(f"{name}, ideal"), Purpose.CHOOSE)
        shares = shares_of_world(tally, seed) | above_ideal(first.beside(known), seed)
        rows.append(frame_of(tally.rules, shares).assign(world=name))
        drawn.append(shares)
    mean = {name: np.mean([part[name] for part in drawn], axis=0) for name in ("error", "more")}
    names = rows[0]["rule"].unique().tolist()
    rows.append(frame_of(names, mean).assign(world="mean"))
    frame = pd.concat(rows, ignore_index=True)
    return frame.set_index(["world", "rule", "top"]).reset_index()


def shares_of_world(tally: Tally, seed: int) -> dict[str, np.ndarray]:
    """`error`, `more` than the present default and `near` of `SHOWN_TOPS` in every sample."""
    error, near = errors_and_preferences(tally, seed)
    return {"error": error, "more": error - error[:, [tally.rules.index(ROSTERS)]], "near": near}


def above_ideal(beside: Tally, seed: int) -> dict[str, np.ndarray]:
    """The differences to the ideal, the last rule, of all others: `behind` and `excess`."""
    error, near = errors_and_preferences(beside, seed)
    return {"behind": (error - error[:, -1:])[:, :-1], "excess": (near - near[:, -1:])[:, :-1]}


def errors_and_preferences(tally: Tally, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Errors and near-equal preferences, `[samples, rules, tops]`."""
    assert tally.seeds is not None
    columns = [list(map(population, TOPS)).index(top) for top in SHOWN_TOPS]
    weights, near = samples(len(tally.pairs), seed), SEED_KINDS.index("near_equal")
    error = shares_of_pairs(weights, tally.errors, tally.pairs, tally.unit)
    halves, pairs = tally.seeds.halves[:, near], tally.seeds.pairs[:, near]
    return error[..., columns], shares_of_pairs(weights, halves, pairs, 2)[..., columns]


def frame_of(rules: Sequence[str], shares: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """A row a rule and population, with the ends of all intervals."""
    columns: dict[str, Any] = {}
    for name, values in shares.items():
        columns |= with_ends(values, name, f"{name}_")
    return long_frame({"rule": rules, "top": SHOWN_TOPS}, columns)


def candidates(rates: pd.DataFrame, tables: Sequence[str]) -> pd.DataFrame:
    """What the rule of choice looks at, at `TOP`: a row a table, the least mean error first.

    **Returns:** `mean` error of the four worlds, and the same at top 10; `more` than the present
    default; the largest `excess` and upper `end`; `random`, the errors added where seeds are
    random; and whether the table is `admitted`.
    """
    at = where(rates, top=TOP)
    at = at[at["rule"].isin(tables)]
    worlds, mean = at[at["world"] != "mean"], where(at, world="mean").set_index("rule")
    ten = where(rates, world="mean", top="10").set_index("rule")["error"]
    errors = where(at, world=WORLD).set_index("rule")["error"]
    by_rule = worlds.groupby("rule")
    looked_at = pd.DataFrame(
        {
            "mean": mean["error"],
            "ten": ten.reindex(mean.index),
            **{name: mean[name] for name in ("more", "more_low", "more_high")},
            "excess": by_rule["excess"].max(),
            "end": by_rule["excess_high"].max(),
            "random": errors - errors.min(),
        }
    )
    within = (looked_at["excess"] <= MOST_EXCESS) & (looked_at["end"] <= MOST_END)
    within &= looked_at["random"] <= MOST_MORE
    looked_at["admitted"] = within.map({True: "yes", False: "no"})
    return looked_at.sort_values("mean", kind="stable").rename_axis("rule").reset_index()


def chosen(looked_at: pd.DataFrame) -> str:
    """The default by the rule of choice, which the template states."""
    admitted = where(looked_at, admitted="yes")
    if admitted.empty:
        return str(looked_at.sort_values("excess", kind="stable")["rule"].iloc[0])
    first = admitted.iloc[0]
    differs = first["more_low"] > 0 or first["more_high"] < 0
    stays = ROSTERS in set(admitted["rule"]) and not differs
    return ROSTERS if stays else str(first["rule"])


@script(
    "reports/choice",
    events_option(3000, "each world that a last pass is fitted to", "--trained"),
    events_option(4000, "each world that chooses"),
    events_option(4000, "these, on which rules are held against the ideal", "--ideal"),
)
def main(out: Path, trained: int, events: int, ideal: int, seed: int) -> None:
    """Choose the default among tables by excess over an ideal rule."""
    fitted = tables(trained, seed)
    rates = judge(fitted, events, ideal, seed)
    looked_at = candidates(rates, [*SHIPPED_TABLES, *(table.name for table in fitted)])
    about = {"trained": trained, "events": events, "ideal": min(events, ideal), "seed": seed}
    write(out, rates, looked_at, about)


def write(
    out: Path, rates: pd.DataFrame, looked_at: pd.DataFrame, about: Mapping[str, int]
) -> None:
    """Write the report on the tables."""
    given = written(out, {"rates": rates, "candidates": looked_at})
    given["rates"] = given["rates"].astype({"top": str})
    shown = {"bounds": (MOST_EXCESS, MOST_END, MOST_MORE), "default": ROSTERS, "top": TOP}
    shown |= {
        "learned": LEARNED,
        "chosen": chosen(given["candidates"]),
        "weight": SEEDED_WEIGHT,
        "worlds": WORLDS,
    }
    report(out, "choice.md", {**given, **about, **shown})


if __name__ == "__main__":
    main()
