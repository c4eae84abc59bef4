"""Families of rules, judged by error and seed bias where seeds are near the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from matplotlib.figure import Figure

from tb2learn.assessment import REFERENCES
from tb2learn.assessment.assess import single_assessment
from tb2learn.assessment.references import HigherSeed
from tb2learn.assessment.single import single_event_tally
from tb2learn.assessment.tally import SEED_KINDS, TOPS, Tally
from tb2learn.catalogue import find_judged
from tb2learn.config import load_config, to_dict
from tb2learn.report.figures_assessment import draw_bias, dress_bias
from tb2learn.report.frames import Frames, where
from tb2learn.report.stored import Csv, Each, IfKnown, Json, columns_of, stacked
from tb2learn.report.style import COLOURS, INK, MARKERS, SAME, blank_figure, in_percent, short_name
from tb2learn.simulation.run import Progress
from tb2learn.simulation.streams import Purpose
from tb2learn.stats import with_ends
from tb2learn.studies import assessments
from tb2learn.studies.assessments import biased, unbeaten
from tb2learn.studies.frontier.blend import BLEND
from tb2learn.studies.frontier.compared import (
    BATUMI,
    CURVE,
    REAL,
    SHARP,
    frontier_rules,
    ridge_events,
)
from tb2learn.studies.frontier.ridge import RIDGE
from tb2learn.studies.frontier.shipped import (
    MOST_MORE,
    MOST_PREFERENCE,
    TOP,
    candidates,
    default_rule,
    judge_shipped,
    seeded_with_error,
)
from tb2learn.studies.samples import samples, shares
from tb2learn.studies.worlds import (
    FAIR,
    FORMULA,
    LEARNED,
    OPPONENTS,
    ROSTERS,
    SEEDED,
    WORLD,
)

RIVALS = (
    *("buchholz-cut1", "row-sum", "least-squares", FORMULA, LEARNED, FAIR),
    *("true-opponents", HigherSeed.name, ROSTERS, OPPONENTS),
)

KNOWN = {SEEDED: RIVALS, WORLD: (LEARNED, FAIR), REAL: RIVALS, BATUMI: RIVALS}
"""What is judged in every world beside the rules of the study."""


def _above(name: str) -> IfKnown:
    return IfKnown(name, Each(name, [f"{name}.{part}" for part in _PARTS], key="rule"))


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
                "best_ridge": IfKnown("worlds.best_ridge", "worlds.best_ridge"),
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
    Csv("default.csv", "rates"),
    Csv("paired.csv", "paired"),
)


def measure(trained: int, events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Fit families of rules, and judge them by error and seed bias.

    **Arguments:**

    - `trained`: events of every world that the rules are fitted to.
    - `events`: of `SEEDED`; half as many of every other world of `KNOWN`. The default is chosen by
      a quarter as many of every world, and the shipped rules are judged by as many others.
    - `seed`: of all streams, which share no random numbers.

    **Returns:**

    - `worlds`: a row a world: what was played; `best_ridge`, the shrunken least squares that fits
      best in training.
    - `results`: `Assessment.frame` of every `world`.
    - `above_curve`, `above_learned`: of the same name, by `world`.
    - `rates`, `paired`: as `judge_shipped`, of events that choose and of others.
    """
    tables, best_ridge = frontier_rules(trained, seed)
    worlds, results, curves = [], [], []
    learned = pd.DataFrame()
    for name, known in KNOWN.items():
        config, count = load_config(name), events if name == SEEDED else max(1, events // 2)
        judged = [*find_judged(known, config), *(() if name == BATUMI else tables)]
        tally = single_event_tally(config, judged, count, seed, Progress(name), Purpose.CHOOSE)
        result = single_assessment(config, tally, count, seed)
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
        "rates": judge_shipped(max(1, events // 4), seed, Purpose.CHOOSE)["rates"],
        "paired": judge_shipped(max(1, events // 4), seed, Purpose.ASSESS)["paired"],
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


KIND = "rosters+random"
"""The kind of the shipped `ROSTERS`."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "random seeds, other fields": ("random", "rosters", "two-rosters"),
    "random and seeded world, penalties": ("mixed-",),
    "seeded world alone, penalties": ("seeded-fair-",),
    "the same with day shock, seed noise drawn from 30 to 80": ("real-",),
    "passes repeated": ("limit-",),
    "blends of thirteen rules": ("blend-",),
    "least squares shrunk to a learned prior": ("ridge-",),
}
"""How the names of the rules of a family begin."""

SQUARES = "least-squares"


def summary(frames: Frames) -> dict[str, Any]:
    """Rows of every world, the rules of choice, differences from the curve."""
    results = frames["results"]
    fifty, real, batumi = (biased(results, TOP, name) for name in (SEEDED, REAL, BATUMI))
    learned = _by_rule(frames["above_learned"], "random")
    curve, curve_real = (
        _by_rule(where(frames["above_curve"], world=name), "curve") for name in (SEEDED, REAL)
    )
    fitted = curve[curve.index.isin(learned.index)]
    inside = [*learned.index, SQUARES, ROSTERS, OPPONENTS]
    families, lowest = _families(curve)
    better = fitted[(fitted["curve_high"] < 0) & ~fitted.index.isin(CURVE)]
    at_real = real.set_index("rule")
    unequal = real[["higher_better_pairs", "lower_better_pairs"]].sum(axis=1) / real["pairs"]
    worlds = {one["world"]: one for one in frames["worlds"].to_dict("records")}
    return {
        "sharp": SHARP,
        "worlds": worlds,
        "ridge_events": ridge_events(worlds[SEEDED]["trained"]),
        "chosen": chosen(fifty, learned),
        "chosen_real": chosen(real, learned),
        "at": fifty.set_index("rule").to_dict("index"),
        "at_real": at_real.to_dict("index"),
        "better": better.sort_values("curve"),
        "fitted": fitted,
        "families": families,
        "lowest": lowest,
        "squares": curve.loc[SQUARES],
        "unbeaten": unbeaten(fifty),
        "numbers": fifty.join(curve[curve.index.isin(inside)], on="rule").join(learned, on="rule"),
        "real": real.assign(unequal=unequal_errors(real)).join(
            curve_real[curve_real.index.isin(inside)], on="rule"
        ),
        "equal": 1 - unequal.iloc[0],
        "batumi": batumi,
        **about_default(frames),
    }


def _by_rule(above: pd.DataFrame, name: str) -> pd.DataFrame:
    """Differences with their intervals by rule, under a name."""
    columns = {"value": name, "low": f"{name}_low", "high": f"{name}_high"}
    return above.set_index("rule")[[*columns]].rename(columns=columns)


def about_default(frames: Frames) -> dict[str, Any]:
    """The default, what the rule of choice looks at, and the other shipped rules beside it."""
    paired, default = frames["paired"], default_rule(frames["rates"])
    fair = where(paired, rule=FAIR, than=LEARNED)
    better, worse = fair[fair["more_high"] < 0], fair[fair["more_low"] > 0]
    other = better["near"] - better["nearer"]  # the preference of the learned table
    beside = where(paired, than=default)
    beside = beside.assign(own=beside["near"] - beside["nearer"])  # that of the default
    bounded = beside["world"].isin(seeded_with_error())
    outside = bounded & ((beside["own"] - 0.5).abs() > MOST_PREFERENCE - 0.5)
    return {
        "default": default,
        "candidates": candidates(frames["rates"]),
        "beside_default": beside,
        "default_outside": list(dict.fromkeys(beside["world"][outside])),
        "fair_over_learned": fair,
        "fair_errs_less": list(better["world"]),
        "fair_errs_more": list(worse["world"]),
        "fair_nearer": list(better["world"][(better["near"] - 0.5).abs() < (other - 0.5).abs()]),
    }


def chosen(rows: pd.DataFrame, learned: pd.DataFrame) -> str | None:
    """The printable rule with the least error within both bounds; None if there is none.

    **Arguments:**

    - `rows`: `biased`, in the world in which error and preference are judged.
    - `learned`: by rule, how much more it errs than the learned table with random seeds.
    """
    printable = ~rows["rule"].isin(REFERENCES) & ~rows["rule"].str.startswith((BLEND, RIDGE))
    more = rows["rule"].map(learned["random"])
    within = (rows["near_equal"] <= MOST_PREFERENCE) & (more <= MOST_MORE)
    return next(iter(rows["rule"][printable & within]), None)


def _families(curve: pd.DataFrame) -> tuple[pd.DataFrame, float]:
    """How far the lowest rule of every family is below the curve, and what none exceeds."""
    rows, lowest = [], 0.0
    for name, starts in FAMILIES.items():
        inside = curve[curve.index.str.startswith(starts)]
        if len(inside):
            one = inside.sort_values("curve", kind="stable").iloc[0]
            rows.append({"family": name, "rules": len(inside), "lowest": one.name, **one})
            lowest = min(lowest, inside["curve_low"].min())
    return pd.DataFrame(rows), -lowest


def unequal_errors(rows: pd.DataFrame) -> pd.Series:
    """The error rates in the pairs whose teams are not equally strong."""
    higher, lower = (rows[f"{kind}_better_pairs"].astype(float) for kind in ("higher", "lower"))
    wrong = rows["higher_better"] * higher + rows["lower_better"] * lower
    return wrong / (higher + lower)


MOST = 0.25
"""Single rules that err more are left out."""


def frontier_figure(frames: Frames) -> Figure:
    """Error against near-equal preference, with 95 % intervals: lines of rules, and single rules.

    The order by seed alone is out of the picture, and so are rules that err often.
    """
    rows = where(frames["results"], world=SEEDED, top=TOP).set_index("rule")
    families = lines_of(biased(frames["results"], TOP, SEEDED)["rule"].tolist())
    joined = {HigherSeed.name}.union(*families.values())
    single = [rule for rule in rows.index[rows["error_rate"] <= MOST] if rule not in joined]
    figure = blank_figure(10.5, 6.0)
    panel = figure.subplots()
    panel.axvline(0.5, color=INK, linewidth=1.0)
    lines = [*families.items(), *((rule, [rule]) for rule in single)]
    for number, (name, rules) in enumerate(lines):
        colour = SAME if number == 0 else COLOURS[number % len(COLOURS)]
        marker = "." if number == 0 else MARKERS[number // len(COLOURS) % len(MARKERS)]
        drawn, many = rows.loc[list(rules)], len(rules) > 1
        style = {"linestyle": "-" if many else "", "linewidth": 1, "markersize": 6}
        draw_bias(panel, drawn, colour, marker, alpha=0.3, label=short_name(name, 60), **style)
    dress_bias(figure, panel, TOP)
    in_percent(panel.yaxis, decimals=1)
    return figure


def lines_of(rules: Sequence[str]) -> dict[str, list[str]]:
    """The rules that a line joins, by what they are.

    **Arguments:** `rules`: those that were judged.
    """

    def of(start: str) -> list[str]:
        kept = [rule for rule in rules if rule.startswith(start)]
        return sorted(kept, key=lambda rule: float(rule.rpartition("-")[2]))

    lines = {"weighted sums (the known curve)": [rule for rule in CURVE if rule in rules]}
    lines["last pass: seeded world, penalties"] = of("seeded-fair")
    for start in dict.fromkeys(r.rpartition("-fair")[0] for r in rules if r.startswith("mixed")):
        weight = start.partition("-")[2]
        name = f"last pass: random + {weight} x seeded world, penalties"
        lines[name] = of(f"{start}-fair")
    lines["last pass: the same with day shock, drawn seed noise, penalties"] = of("real-")
    lines["last pass repeated"] = of("limit-")
    lines["blends of thirteen rules, penalties"] = of(f"{BLEND}-fair")
    lines["least squares shrunk to a learned prior"] = of(f"{RIDGE}-")
    return {name: line for name, line in lines.items() if line}


FIGURES = {"frontier.png": frontier_figure}
