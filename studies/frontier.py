"""What does accuracy cost in fairness where seeds are near the truth? And a first choice.

It took a preference of 1/2 for fair; `choice.py` has the rule of choice that holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from studies.figures import bias_figure, ideal_rates
from studies.frames import where
from studies.script import events_option, report, script, written
from studies.worlds import (
    BATUMI,
    FAIR,
    FORMULA,
    LEARNED,
    REAL,
    ROSTERS,
    SEEDED,
    TOP,
    WORLD,
    Cell,
    best_first,
    grid,
    judged_worlds,
    load_config,
    renamed,
    seeded,
    whole_pairs,
)
from tb2learn.assessment.error_rates import population, rates, samples, shares_of_pairs
from tb2learn.assessment.tally import SEED_KINDS, TOPS, Tally
from tb2learn.config import Config
from tb2learn.simulation.purposes import Purpose
from tb2learn.simulation.simulate import Progress
from tb2learn.stats import with_ends
from tb2learn.tiebreaks.library import PRODUCT, REFERENCES
from tb2learn.tiebreaks.passes import PassRule
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training import checkpoint
from tb2learn.training.objectives import value_surfaces
from tb2learn.training.table_least_squares import equations, least_squares, normalised
from tb2learn.training.table_moments import collect_moments
from tb2learn.training.tabulate import pass_table

SUMS = (0.1, 0.15, 0.2, 0.3, 0.5, 0.7)  # weights of `SHARP` beside the learned table
SHARP = "seeded-fair-0"  # last pass fitted to the seeded world alone, without a penalty
CURVE = [LEARNED, *(f"sum-{weight:g}" for weight in SUMS), SHARP]  # the known curve

PENALTIES = (0.0, 10.0, 30.0, 100.0)  # weights of the penalty on seed bias


def fitted_to() -> dict[str, Config]:
    """The worlds that last passes are fitted to."""
    fifty = load_config(SEEDED)
    return {
        "random": load_config(WORLD),
        "seeded": fifty,
        "rosters": seeded(fifty, math.inf),
        "140": load_config("womens-140x11"),
        "real": load_config(REAL),
        "batumi": seeded(load_config(BATUMI), math.inf),
    }


def plans() -> dict[str, tuple[Mapping[str, float], float]]:
    """By table: the weights of the worlds that its last pass is fitted to, and the penalty."""
    fitted = {
        "random": {"random": 1.0},
        "random+140": {"random": 1.0, "140": 1.0},
        "rosters": {"rosters": 1.0},
        "rosters+random": {"rosters": 1.0, "random": 1.0},
        "two-rosters+random": {"rosters": 0.5, "batumi": 0.5, "random": 1.0},
    }
    penalised = {
        "mixed-0.35": {"random": 1.0, "seeded": 0.35},
        "mixed-1": {"random": 1.0, "seeded": 1.0},
        "seeded": {"seeded": 1.0},
        "real-0.35": {"random": 1.0, "real": 0.35},
    }
    tables = {name: (weights, 0.0) for name, weights in fitted.items()}
    for name, weights in penalised.items():
        penalties = PENALTIES[:3] if "real" in weights else PENALTIES
        tables |= {f"{name}-fair-{one:g}": (weights, one) for one in penalties}
    return tables


def families(trained: int, seed: int) -> list[Rule]:
    """Tables that differ from the learned one in their last pass alone, and weighted sums."""
    learned = checkpoint.load(LEARNED)
    before = value_surfaces(learned)[:-1]
    known = {}
    for number, (name, config) in enumerate(fitted_to().items()):
        plan = replace(config.train, events=trained, seed=seed)
        config = replace(config, train=plan, decisions=learned.config.decisions)
        moments = collect_moments(config, before, Progress(name), world=number)
        known[name] = equations(moments, config), moments
    tables = {}
    for name, (weights, penalty) in plans().items():
        config = learned.config
        config = replace(config, decisions=replace(config.decisions, fairness=penalty))
        raw = least_squares([(known[one][0], weight) for one, weight in weights.items()], config)
        seen = np.sum([known[one][1].seen for one in weights], axis=0)
        tables[name] = pass_table([*before, normalised(raw, seen, config)], name)
    for weight in SUMS:
        points = learned.rule().tables.copy()
        points[-1] = np.rint((1 - weight) * points[-1] + weight * tables[SHARP].tables[-1])
        name = f"sum-{weight:g}"
        tables[name] = replace(learned.rule(), name=name, tiebreak=PassRule(points))
    return list(tables.values())


RIVALS = (
    *("buchholz-cut1", "row-sum", "least-squares", FORMULA, LEARNED, FAIR),
    *("true-opponents", "higher-seed", ROSTERS),
)

KNOWN = {SEEDED: RIVALS, WORLD: (LEARNED, FAIR), REAL: RIVALS, BATUMI: RIVALS}  # beside families


def above_curve(tally: Tally, seed: int) -> pd.DataFrame:
    """How much more every rule errs at `TOP` than the curve does at the same preference."""
    assert tally.seeds is not None
    column = [list(map(population, TOPS)).index(TOP)]
    weights, kind = samples(len(tally.pairs), seed), SEED_KINDS.index("near_equal")
    errors = shares_of_pairs(
        weights, tally.errors[..., column], tally.pairs[:, column], tally.unit
    )[..., 0]
    halves, pairs = (part[:, kind][..., column] for part in (tally.seeds.halves, tally.seeds.pairs))
    near = shares_of_pairs(weights, halves, pairs, 2)[..., 0]
    at = [tally.rules.index(name) for name in CURVE]
    above = np.empty_like(errors)
    for e, n, out in zip(errors, near, above, strict=True):
        order = np.argsort(n[at])
        out[:] = e - np.interp(n, n[at][order], e[at][order])
    return pd.DataFrame({"rule": tally.rules, **with_ends(above, "curve", "curve_")})


def judge_families(trained: int, count: int, seed: int) -> pd.DataFrame:
    """Rates of the families and of known rules, on events that choose.

    With `curve` (see `above_curve`) where seeds are not random, and `random`, the error less that
    of `LEARNED`, in `WORLD`.
    """
    tables, parts = families(trained, seed), []
    for name, known in KNOWN.items():
        played = count if name == SEEDED else max(1, count // 2)
        judged = known if name == BATUMI else [*known, *tables]
        cell = Cell(name, load_config(name), judged, played, purpose=Purpose.CHOOSE)
        tally = cell.tally(seed, Progress(name))
        rows = rates(tally, seed, [LEARNED] if name == WORLD else [])
        rows = rows.rename(columns=renamed(f"than_{LEARNED}", "random"))
        rows = rows.assign(world=name, events=played)
        if tally.seeds and name != BATUMI:
            rows = rows.merge(above_curve(tally, seed).assign(top=TOP), "left", on=["rule", "top"])
        parts.append(rows)
    return whole_pairs(pd.concat(parts, ignore_index=True).set_index("world").reset_index())


SHIPPED = ("olympiad-180x11", FORMULA, LEARNED, FAIR, ROSTERS)  # for 180 x 11 on 4 boards

MOST_PREFERENCE, MOST_MORE = 0.51, 0.001
"""The rules of choice: bounds of the near-equal preference, and of the errors added where seeds are
random."""


def worlds() -> dict[str, Config]:
    """The worlds of this report: those of robustness in which no table is rescaled, and `REAL`."""
    home = load_config(WORLD).event
    known = judged_worlds() | {REAL: load_config(REAL)}
    return {name: config for name, config in known.items() if config.event.rounds == home.rounds}


def seeded_with_error() -> list[str]:
    """The worlds whose seeds are ratings with an error: else the higher seed is the better team."""
    fields = {name: config.field for name, config in worlds().items()}
    return [name for name, field in fields.items() if field.informative and field.seed_noise != 0]


def judge_shipped(count: int, seed: int, purpose: Purpose) -> pd.DataFrame:
    """Rates of the shipped rules at `TOP` in all worlds, each compared with each."""
    fields = worlds().items()
    cells = (Cell(name, config, SHIPPED, count, purpose=purpose) for name, config in fields)
    frame = where(whole_pairs(grid(cells, seed, SHIPPED)), top=TOP)
    return frame[frame["rule"].isin(SHIPPED)].assign(events=count)


def paired(frame: pd.DataFrame) -> pd.DataFrame:
    """By how much a rule errs `more` `than` another, and more often prefers the higher seed."""
    parts = []
    for than in SHIPPED:
        new = renamed(f"than_{than}", "more") | renamed(f"near_than_{than}", "nearer")
        rows = frame[frame["rule"] != than].rename(columns={**new, "near_equal": "near"})
        columns = ["world", "rule", "pairs", "error", "near", *new.values(), "events"]
        parts.append(rows[columns].assign(than=than))
    return pd.concat(parts, ignore_index=True)


def candidates(
    rates: pd.DataFrame, random: str = WORLD, bounded: Sequence[str] | None = None
) -> pd.DataFrame:
    """What the rule of choice of the default looks at.

    **Arguments:** rows of `judge_shipped`, on events that choose; the world with random seeds;
    worlds whose seeds are ratings with an error, those of this report if not given.

    **Returns:** a row a `rule`, the least `mean` error first, each world counting the same;
    `unfair` is the largest difference of its near-equal preference from 0.5 in a bounded world.
    """
    errors = rates.pivot(index="rule", columns="world", values="error")
    fair = rates[rates["world"].isin(seeded_with_error() if bounded is None else bounded)]
    unfair = (fair["near_equal"] - 0.5).abs().groupby(fair["rule"]).max()
    more = errors[random] - errors.loc[LEARNED, random]
    within = (unfair <= MOST_PREFERENCE - 0.5) & (more <= MOST_MORE)
    looked_at = {"mean": errors.mean(axis=1), "unfair": unfair, "more": more}
    looked_at["within"] = within.map({True: "yes", False: "no"})
    return pd.DataFrame(looked_at).sort_values("mean", kind="stable").reset_index()


def default_rule(rates: pd.DataFrame) -> str | None:
    """The default by these bounds: the first of `candidates` within both, if there is one."""
    rows = candidates(rates)
    return next(iter(rows["rule"][rows["within"] == "yes"]), None)


def measured(trained: int, count: int, seed: int) -> dict[str, pd.DataFrame]:
    """The tables of the report; events of every world that choose the default do not judge it."""
    quarter = max(1, count // 4)
    choosing = judge_shipped(quarter, seed, Purpose.CHOOSE)
    return {
        "frontier": judge_families(trained, count, seed),
        "default": choosing[[name for name in choosing.columns if "than_" not in name]],
        "paired": paired(judge_shipped(quarter, seed, Purpose.ASSESS)),
    }


FAMILIES = {  # how the names of their rules begin
    "random seeds, other fields": ("random", "rosters", "two-rosters"),
    "random and seeded world, penalties": ("mixed-",),
    "seeded world alone, penalties": ("seeded-fair-",),
    "the same with day shock, seed noise drawn from 30 to 80": ("real-",),
}


def shown(results: pd.DataFrame) -> dict[str, Any]:
    """What the template shows of the families."""
    rows = {name: best_first(results, name) for name in KNOWN}
    fifty, real = rows[SEEDED], rows[REAL]
    learned = where(results, world=WORLD, top=TOP).set_index("rule")
    learned = learned[["random", "random_low", "random_high"]]
    fitted = fifty[fifty["rule"].isin(learned.index)].set_index("rule")
    below = fitted[(fitted["curve_high"] < 0) & ~fitted.index.isin(CURVE)]
    lowest = []
    for name, starts in FAMILIES.items():
        inside = fifty[fifty["rule"].str.startswith(starts)]
        row = inside.sort_values("curve", kind="stable").iloc[0]
        lowest.append({**row, "family": name, "rules": len(inside), "lowest": row["rule"]})
    fifty = fifty.drop(columns=learned.columns).join(learned, on="rule")
    ten = where(results, world=SEEDED, top="10").set_index("rule")["error"]
    fifty = fifty.assign(ten=fifty["rule"].map(ten))
    # Error rates in the pairs whose teams are not equally strong.
    pairs = real[["higher_better_pairs", "lower_better_pairs"]].astype(float).to_numpy()
    wrong = (real[["higher_better", "lower_better"]].to_numpy() * pairs).sum(axis=1)
    real = real.assign(unequal=wrong / pairs.sum(axis=1))
    compared = [*learned.index, "least-squares", ROSTERS]  # of which the text says more
    for part in (fifty, real):
        off = ~part["rule"].isin(compared)
        part.loc[off, ["curve", "curve_low", "curve_high"]] = np.nan
    return {
        "chosen": chosen(fifty, learned["random"]),
        "chosen_real": chosen(real, learned["random"]),
        "at": fifty.set_index("rule").to_dict("index"),
        "at_real": real.set_index("rule").to_dict("index"),
        "below": below.sort_values("curve"),
        "fitted": fitted,
        "families": pd.DataFrame(lowest),
        "farthest": -min(row["curve_low"] for row in lowest),
        "numbers": fifty,
        "real": real,
        "equal": 1 - pairs[0].sum() / real["pairs"].iloc[0],
        "batumi": rows[BATUMI],
        "played": results.groupby("world")["events"].first().to_dict(),
    }


def chosen(rows: pd.DataFrame, more: pd.Series) -> str | None:
    """The first rule within both bounds, by rows in order and how much more it errs if random."""
    fair = rows["near_equal"] <= MOST_PREFERENCE
    within = fair & (rows["rule"].map(more) <= MOST_MORE) & ~rows["rule"].isin(REFERENCES)
    return next(iter(rows["rule"][within]), None)


def shown_of_default(choosing: pd.DataFrame, pairs: pd.DataFrame) -> dict[str, Any]:
    """The default, what the rule of choice looks at, and the other shipped rules beside it."""
    chosen, default = default_rule(choosing), default_rule(choosing) or ROSTERS
    beside = where(pairs, than=default)
    beside = beside.assign(own=beside["near"] - beside["nearer"])  # that of the default
    bounded = beside["world"].isin(seeded_with_error())
    outside = bounded & ((beside["own"] - 0.5).abs() > MOST_PREFERENCE - 0.5)
    return {
        "default": default,
        "chosen_default": chosen,
        "candidates": candidates(choosing),
        "beside_default": beside,
        "default_outside": list(dict.fromkeys(beside["world"][outside])),
        "fair_over_learned": where(pairs, rule=FAIR, than=LEARNED),
    }


def frontier_figure(results: pd.DataFrame) -> Figure:
    """Error against seed bias where seeds are near the truth: the curve, and rules beside it."""
    series = {
        f"weighted sums of {LEARNED} and {SHARP}": CURVE,
        "least-squares": ("least-squares",),
        f"{FAIR}, shipped": (FAIR,),
        f"{ROSTERS}, the default": (ROSTERS,),
        "product rule": (PRODUCT,),
    }
    return bias_figure(where(results, world=SEEDED), TOP, series, ideal_rates(TOP))


@script(
    "reports/frontier",
    events_option(3000, "each world that a table is fitted to", "--trained"),
    events_option(3000, "fresh events of the seeded world, half as many of the others"),
)
def main(out: Path, trained: int, events: int, seed: int) -> None:
    """Measure what accuracy costs in fairness."""
    given = written(out, measured(trained, events, seed))
    results = given["frontier"]
    given["default_rates"] = given["default"]
    given |= shown(results) | shown_of_default(given["default"], given["paired"])
    given |= {"judged": given["paired"]["events"].iloc[0], "trained": trained, "seed": seed}
    given |= {"top": TOP, "bounds": (MOST_PREFERENCE, MOST_MORE), "sharp": SHARP}
    names = {"learned": LEARNED, "fair": FAIR, "rosters": ROSTERS}
    names |= {"seeded": SEEDED, "random": WORLD, "real_world": REAL, "batumi_world": BATUMI}
    report(out, "frontier.md", {**given, **names}, {"frontier.png": frontier_figure(results)})


if __name__ == "__main__":
    main()
