"""All rules assessed in several worlds and both protocols, held against ratings, and probed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from tb2learn.assessment.assess import Assessment, assess, single_assessment
from tb2learn.assessment.by_ratings import against_ratings
from tb2learn.assessment.incentive import PROBES, probe_rules
from tb2learn.assessment.judged import as_judged
from tb2learn.assessment.references import HigherSeed
from tb2learn.assessment.single import single_event_tally
from tb2learn.assessment.tally import ALL, TOPS
from tb2learn.catalogue import PRODUCT, find_judged, find_rule
from tb2learn.config import Config, load_config
from tb2learn.events import read_event
from tb2learn.report import figures_assessment
from tb2learn.report.frames import Frames, rounded, where, wide, without
from tb2learn.report.markdown import exact_interval, with_interval
from tb2learn.report.stored import Csv, Each, Json, columns_of, stacked
from tb2learn.report.template import Markdown
from tb2learn.report.wording import population_name, rule_name
from tb2learn.simulation.run import Progress
from tb2learn.studies import assessments
from tb2learn.studies.assessments import SHOWN_TOP, biased, unbeaten
from tb2learn.studies.worlds import (
    FAIR,
    FORMULA,
    LEARNED,
    OPPONENTS,
    ROSTERS,
    SEEDED,
    WORLD,
    growths,
    preferences,
    seeded,
)
from tb2learn.tiebreaks.rules import Rule, with_encounter_once

RULES = (
    "game-points",
    "wins",
    "direct",
    "progressive",
    "koya",
    "bruno",
    "buchholz",
    "buchholz-cut1",
    "buchholz-median1",
    "emmsb-cut1",
    "emgsb",
    "egmsb-cut1",
    "eggsb-cut1",
    "olympiad-180x11",
    "least-squares",
    "row-sum",
    FORMULA,
    f"{LEARNED}-pass1",
    f"{LEARNED}-pass2",
    FAIR,
    ROSTERS,
    LEARNED,
)

RATED = ("aro", "aroc", "apro", "ptpr", OPPONENTS)
"""Rules that need ratings; judged only where the configuration has them."""

LIMIT_EVENTS = 2000

PROBED = 100_000

SINGLE = {f"single-seed-noise-{noise:g}": noise for noise in (math.inf, 50.0, 0.0)}
"""The single-event protocol by seed noise, random seeds first."""

POSTERIOR, THESIS = "posterior-mean", "thesis-own-lists"
"""The posterior mean with random seeds; the thesis protocol."""

POSTERIOR_SEEDED = f"{POSTERIOR}-seeded"
"""The posterior mean in the world as it is, which is `SEEDED`."""

BESIDE: dict[str, tuple[str, tuple[str, ...]]] = {
    POSTERIOR: (WORLD, (FORMULA, LEARNED, POSTERIOR, FAIR, ROSTERS)),
    POSTERIOR_SEEDED: (
        SEEDED,
        ("least-squares", FORMULA, FAIR, ROSTERS, LEARNED, POSTERIOR, OPPONENTS),
    ),
}
"""The worlds of the posterior mean, and what is judged there on the same events. What it draws
depends on its place in the list, so others are added after it."""

ASSESSMENTS = (*SINGLE, POSTERIOR, THESIS, SEEDED, POSTERIOR_SEEDED)

BIASED = (*list(SINGLE)[1:], SEEDED, POSTERIOR_SEEDED)
"""Assessments with seeds that are not random."""

_WHAT = "assessment"
_ENDS = ("low", "high")

FILES = (
    *(
        Json(f"{name}.json", assessments.CONTENT, indent=2, only={_WHAT: name})
        for name in ASSESSMENTS
    ),
    Json(
        "real-events.json",
        Each(
            "real",
            {
                **columns_of("real", "rule", "top", "pairs", "share"),
                "ci": [f"real.share_{end}" for end in _ENDS],
                "fewer": "real.fewer",
                "fewer_ci": [f"real.fewer_{end}" for end in _ENDS],
            },
        ),
        indent=1,
    ),
    Json("incentive.json", Each("incentive"), indent=1),
    assessments.results_csv("results.csv", _WHAT),
    assessments.bias_csv("seed-bias.csv", _WHAT),
    Csv("behind.csv", "behind"),
)


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Assess all rules in both protocols, on real events and by probes.

    **Arguments:**

    - `events`: of the single-event protocol; the thesis protocol and the posterior means take up to
      `LIMIT_EVENTS` of them.
    - `seed`: of all random numbers.

    **Returns:** the frames of `assessments`, by `assessment` (`ASSESSMENTS`); `real`, as
    `against_ratings`; `incentive`, as `probe_rules`; `behind`, as `growths` and
    `preferences`, of the rules `BESIDE` the posterior mean, by `assessment`.
    """
    few, world = min(events, LIMIT_EVENTS), load_config(WORLD)
    found = {
        name: _all_rules(seeded(world, noise), events, seed, f"seed noise {noise:g}")
        for name, noise in SINGLE.items()
    }
    found[SEEDED] = _all_rules(load_config(SEEDED), events, seed, SEEDED)
    compared = {
        name: beside_posterior(played, names, few, seed) for name, (played, names) in BESIDE.items()
    }
    found |= {name: one for name, (one, _) in compared.items()}
    rounds, boards = world.event.rounds, world.event.boards
    rules = {name: as_judged(find_rule(name, rounds, boards)) for name in RULES}
    replayable = [name for name, rule in rules.items() if rule.replayable() is not None]
    judged = find_judged([*replayable, "true-opponents", "all-play-all"], world)
    shown = Progress("thesis protocol")
    found[THESIS] = assess(world, judged, few, seed, "thesis", progress=shown)
    probed = [with_encounter_once(find_rule(name, rounds, boards)) for name in (PRODUCT, *RULES)]
    return {
        **assessments.frames_of({name: found[name] for name in ASSESSMENTS}, _WHAT),
        "behind": _stored(compared),
        "real": real_events(["baku2016"], [*RULES, *RATED], seed),
        "incentive": probe_rules(world, probed, PROBED * 5 // 4, seed, label="probes"),
    }


def _all_rules(world: Config, events: int, seed: int, label: str) -> Assessment:
    """All rules in the single-event protocol; those that look at seeds or ratings if there are.

    Direct encounter is R. Ricca's, see `tiebreaks.combined.encounter_once`.
    """
    known = (*RATED, HigherSeed.name) if world.field.informative else ()
    judged = [
        with_encounter_once(one) if isinstance(one, Rule) else one
        for one in find_judged([*RULES, *known, "true-opponents", "all-play-all"], world)
    ]
    return assess(world, judged, events, seed, progress=Progress(label))


def _stored(compared: Mapping[str, tuple[Assessment, pd.DataFrame]]) -> pd.DataFrame:
    """Differences from the posterior mean as the file has them, by `assessment`."""
    parts = [one.assign(assessment=name) for name, (_, one) in compared.items()]
    return rounded(stacked(parts), 6)


def beside_posterior(
    name: str, names: Sequence[str], events: int, seed: int
) -> tuple[Assessment, pd.DataFrame]:
    """The posterior mean and some rules on the same events.

    **Arguments:** the world; the names, with `POSTERIOR` among them; events and seed.

    **Returns:** their assessment; `growths` and `preferences` of the rules over the posterior mean.
    """
    world = load_config(name)
    shown = Progress(f"posterior mean, {world.name}")
    tally = single_event_tally(world, find_judged(names, world), events, seed, shown)
    rules = [rule for rule in tally.rules if rule != POSTERIOR]
    behind = growths(tally, rules, POSTERIOR, seed, "behind", TOPS)
    return single_assessment(world, tally, events, seed), behind.join(
        preferences(tally, rules, POSTERIOR, seed, TOPS)
    )


def real_events(sources: Sequence[str], names: Sequence[str], seed: int) -> pd.DataFrame:
    """`against_ratings` of events and rules by name, the product rule first."""
    events = [read_event(source) for source in sources]
    known = [PRODUCT, *(name for name in dict.fromkeys(names) if name != PRODUCT)]
    rules = [[find_rule(name, e.rounds, e.boards) for name in known] for e in events]
    return against_ratings(events, rules, seed)


BEHIND_TOPS = (1, 10, SHOWN_TOP)
"""Populations in which the report compares rules with the posterior mean."""

_SUMMARISED = (PRODUCT, "buchholz-cut1", "least-squares", FORMULA, ROSTERS, LEARNED)
"""Rules of the table at the head of the report."""


def summary(frames: Frames) -> dict[str, Any]:
    """Tables of the assessments, of real events and of probes."""
    results, top = frames["results"], assessments.SHOWN_TOP
    about = {row.assessment: row for row in frames["assessments"].itertuples()}

    def row(frame: pd.DataFrame, name: str, rule: str, top: int | str) -> Any:
        (found,) = where(frame, assessment=name, rule=rule, top=top).itertuples()
        return found

    def rate(name: str, rule: str, top: int = top) -> Any:
        return row(results, name, rule, top)

    def near(name: str, rule: str) -> Markdown:
        one = rate(name, rule)
        ends = one.near_equal_low, one.near_equal_high
        return Markdown(with_interval(one.near_equal, ends, ".1%"))

    compared = frames["behind"].assign(named=frames["behind"]["rule"].map(rule_name))
    compared["top"] = compared["top"].astype(str)  # as its file has them

    def behind(name: str, rule: str, top: int) -> Markdown:
        one = row(compared, name, rule, str(top))
        return Markdown(with_interval(one.behind, (one.behind_low, one.behind_high), "+.2%"))

    shown = pd.concat([where(compared, top=str(one)) for one in BEHIND_TOPS])
    as_it_is = where(results, assessment=SEEDED)
    real = where(frames["real"], top=ALL).sort_values("share", kind="stable")
    real["named"] = real["rule"].map(rule_name)
    real = without(real, real["rule"] == PRODUCT, "fewer", "fewer_low", "fewer_high")
    probes = frames["incentive"].assign(named=frames["incentive"]["rule"].map(rule_name))
    return {
        "about": about,
        "rate": rate,
        "near": near,
        "behind": behind,
        "behind_of": {name: where(shown, assessment=name) for name in BESIDE},
        "tables": assessments.tables(frames, "assessment"),
        "short": _short(results),
        "fairest": list(map(rule_name, unbeaten(biased(as_it_is, top)))),
        "in_baku": next(real[real["rule"] == LEARNED].itertuples()),
        "real": real,
        "learned_probes": next(probes[probes["rule"] == LEARNED].itertuples()),
        "unhurt": probes["named"][probes["violations"] == 0].tolist(),
        "least": exact_interval(0, int(probes["within"].iloc[0]))[1],
        "hurt": with_shares(probes),
        "matches": PROBES,
        "shown_top": top,
    }


def _short(results: pd.DataFrame) -> pd.DataFrame:
    """Error rates with random seeds: a row a rule, a column a population."""
    tops = {10: 10, assessments.SHOWN_TOP: assessments.SHOWN_TOP, "all": ALL}
    first = where(results, assessment=next(iter(SINGLE)))
    parts = [first[(first["rule"] == rule) & first["top"].isin(list(tops))] for rule in _SUMMARISED]
    found = pd.concat(parts)
    found["rule"] = found["rule"].map(rule_name)
    found["top"] = [population_name(tops[top]) for top in found["top"]]
    return wide(found, "rule", "top", "error_rate").reset_index()


def with_shares(probes: pd.DataFrame) -> pd.DataFrame:
    """Probes of the rules with violations, and their share among those that could show one."""
    hurt = probes[probes["violations"] > 0]
    ends = [exact_interval(*one) for one in hurt[["violations", "within"]].to_numpy().tolist()]
    return hurt.assign(
        share=hurt["violations"] / hurt["within"],
        share_low=[low for low, _ in ends],
        share_high=[high for _, high in ends],
    )


def rates_figure(name: str, frames: Frames) -> Figure:
    """Every rule's error rate in one assessment, best first."""
    return figures_assessment.errors_figure(where(frames["results"], assessment=name))


def bias_figure(name: str, frames: Frames) -> Figure:
    """Every rule's error rate against its near-equal preference."""
    return figures_assessment.bias_figure(where(frames["results"], assessment=name), SHOWN_TOP)


FIGURES = {f"{name}.png": partial(rates_figure, name) for name in ASSESSMENTS} | {
    f"{name}-bias.png": partial(bias_figure, name) for name in BIASED
}
