"""Which rule decides how many ties wrongly: simulated events, real events, incentives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from studies import worlds
from studies.encounter import with_encounter_once
from studies.figures import bias_figure
from studies.frames import where
from studies.script import events_option, report, script, written
from studies.template import wide
from studies.worlds import (
    FAIR,
    FORMULA,
    LEARNED,
    ROSTERS,
    SEEDED,
    TOP,
    WORLD,
    Cell,
    grid,
    load_config,
)
from tb2learn.assessment.by_ratings import against_ratings
from tb2learn.assessment.half_point_probes import PROBES, exact_interval, probe_rules
from tb2learn.assessment.judged import as_judged
from tb2learn.assessment.references import Reference
from tb2learn.assessment.tally import ALL
from tb2learn.catalogue import baseline, find_rule
from tb2learn.config import Config
from tb2learn.events import TeamEvent, read_event
from tb2learn.report.figures import errors_figure
from tb2learn.report.wording import population_name, rule_name
from tb2learn.tiebreaks.library import PRODUCT
from tb2learn.tiebreaks.rules import Rule

RULES = (
    *("game-points", "wins", "direct", "progressive", "koya", "bruno"),
    *("buchholz", "buchholz-cut1", "buchholz-median1"),
    *("emmsb-cut1", "emgsb", "egmsb-cut1", "eggsb-cut1"),
    *("olympiad-180x11", "least-squares", "row-sum", FORMULA),
    *(f"{LEARNED}-pass1", f"{LEARNED}-pass2", FAIR, ROSTERS, LEARNED),
)

RATED = ("aro", "aroc", "apro", "ptpr")  # need ratings, which only some worlds have
# Where seeds are not random. What *all-play-all* draws depends on its place in the list.
SEEDS_KNOWN = (*RATED, "formula", "higher-seed")
LIMIT_EVENTS, PROBED = 2000, 125_000  # events of what takes minutes for so many; probes
SINGLE = {f"single-seed-noise-{noise:g}": noise for noise in (math.inf, 50.0, 0.0)}  # random first

THESIS, POSTERIOR, POSTERIOR_SEEDED = "thesis-own-lists", "posterior-mean", "posterior-mean-seeded"

BESIDE: dict[str, tuple[str, tuple[str, ...]]] = {
    POSTERIOR: (WORLD, (FORMULA, LEARNED, POSTERIOR, FAIR, ROSTERS)),
    POSTERIOR_SEEDED: (SEEDED, ("least-squares", FORMULA, FAIR, ROSTERS, LEARNED, POSTERIOR)),
}
"""The worlds of the posterior mean, and what is judged there on the same events. What it draws
depends on its place in the list, so others are added after it."""

SUMMARISED = (PRODUCT, "buchholz-cut1", "least-squares", FORMULA, ROSTERS, LEARNED)  # at the head


def cells(events: int) -> Iterator[Cell]:
    """All rules in every world; the dear protocols on at most `LIMIT_EVENTS`."""
    few, olympiad = min(events, LIMIT_EVENTS), load_config(WORLD)
    for name, noise in SINGLE.items():
        config = worlds.seeded(olympiad, noise)
        yield Cell(name, config, every_rule(config), events)
    rounds, boards = olympiad.event.rounds, olympiad.event.boards
    rules = {name: as_judged(find_rule(name, rounds, boards)) for name in RULES}
    replayable = [name for name, rule in rules.items() if rule.replayable() is not None]
    replayed = [*replayable, "true-opponents", "all-play-all"]
    yield Cell(THESIS, olympiad, replayed, few, "thesis")
    yield Cell(SEEDED, load_config(SEEDED), every_rule(load_config(SEEDED)), events)
    for name, (world, names) in BESIDE.items():
        yield Cell(name, load_config(world), names, few)


def every_rule(config: Config) -> list[Rule | Reference]:
    """All rules, and those that look at seeds or ratings if there are any."""
    known = SEEDS_KNOWN if config.field.informative else ()
    judged = worlds.other_rules([*RULES, *known, "true-opponents", "all-play-all"], config)
    return [with_encounter_once(one) if isinstance(one, Rule) else one for one in judged]


def measured(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """`error_rates.grid`, `behind_posterior`, `named_against_ratings` and `probe_rules`."""
    rates = grid(cells(events), seed, [POSTERIOR])
    world = load_config(WORLD)
    probed = [
        with_encounter_once(find_rule(name, world.event.rounds, world.event.boards))
        for name in (PRODUCT, *RULES)
    ]
    real = named_against_ratings([read_event("baku2016")], [*RULES, *RATED], seed)
    compared = [name for name in rates.columns if "than_" in name]
    return {
        "rates": worlds.whole_pairs(rates.drop(columns=compared)),
        "behind": behind_posterior(rates),
        "real": real.assign(top=real["top"].replace(ALL, "all").astype(str)),
        "incentive": probe_rules(world, probed, PROBED, seed, label="probes"),
    }


def named_against_ratings(
    events: Sequence[TeamEvent], names: Sequence[str], seed: int
) -> pd.DataFrame:
    """`against_ratings` of events and rules by name, the `baseline` first."""
    first = baseline(events[0].boards)
    known = [first, *(name for name in dict.fromkeys(names) if name != first)]
    rules = [[find_rule(name, event.rounds, event.boards) for name in known] for event in events]
    return against_ratings(events, rules, seed)


def behind_posterior(rates: pd.DataFrame) -> pd.DataFrame:
    """How much more often rules err, and prefer the higher seed, than the posterior mean."""
    rows = rates[rates["world"].isin([*BESIDE])]
    known = where(rows, rule=POSTERIOR)[["world", "top", "error"]]
    rows = rows.merge(known.rename(columns={"error": "other"}), on=["world", "top"])
    behind = worlds.renamed(f"than_{POSTERIOR}", "behind")
    nearer = worlds.renamed(f"near_than_{POSTERIOR}", "nearer")
    rows = rows.rename(columns={**behind, **nearer, "near_equal": "near"})
    columns = ["world", "rule", "top", "pairs", "error", "other", *behind.values()]
    return rows[rows["rule"] != POSTERIOR][[*columns, "near", *nearer.values()]]


def shown(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """What the template shows of the tables."""
    rates, named = frames["rates"], {}
    for name in ("behind", "real", "incentive"):
        named[name] = frames[name].assign(named=frames[name]["rule"].map(rule_name))
    tables = {world: worlds.best_first(rates, world) for world in rates["world"].unique()}
    real = where(named["real"], top="all").sort_values("share", kind="stable")
    compared = ["fewer", "fewer_low", "fewer_high"]
    real[compared] = real[compared].astype(object).mask(real["rule"] == PRODUCT, None)
    probes, parts = named["incentive"], [where(named["behind"], top=t) for t in ("1", "10", TOP)]
    short = where(rates, world=next(iter(SINGLE))).set_index("rule").loc[[*SUMMARISED]]
    short = pd.concat([where(short.reset_index(), top=top) for top in ("10", TOP, "all")])
    short = short.assign(rule=short["rule"].map(rule_name), top=short["top"].map(population_name))
    return {
        **{"real": real, "matches": PROBES, "tables": tables},
        "at": tables[SEEDED].set_index("rule").to_dict("index"),
        "behind_of": {name: where(pd.concat(parts), world=name) for name in BESIDE},
        "short": wide(short, "rule", "top", "error").reset_index(),
        "fairest": list(map(rule_name, worlds.unbeaten(tables[SEEDED]))),
        "unhurt": probes["named"][probes["violations"] == 0].tolist(),
        "least": exact_interval(0, int(probes["within"].iloc[0]))[1],
        "hurt": probes[probes["violations"] > 0],
        "description": load_config(SEEDED).description,
    }


def write(out: Path, frames: Mapping[str, pd.DataFrame], events: int, seed: int) -> None:
    """Write the report on the tables."""
    given = written(out, frames)
    random = next(iter(SINGLE))
    figures = {
        f"{random}.png": errors_figure(where(given["rates"], world=random)),
        f"{SEEDED}-bias.png": bias_figure(where(given["rates"], world=SEEDED), TOP),
    }
    few = min(events, LIMIT_EVENTS)
    about = {"events": events, "few": few, "seed": seed, "top": TOP, "single": SINGLE}
    names = {"learned": LEARNED, "rosters": ROSTERS, "rated": RATED, "world": WORLD}
    report(out, "assessment.md", {**given, **shown(given), **about, **names}, figures)


@script("reports/assessment", events_option(4000, "fresh events of the single-event protocol"))
def main(out: Path, events: int, seed: int) -> None:
    """Compare all rules: both protocols, real events, incentives."""
    write(out, measured(events, seed), events, seed)


if __name__ == "__main__":
    main()
