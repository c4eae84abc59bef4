"""Which rule decides how many ties wrongly, in the Olympiad, in other worlds, formats and editions?

One grid of rules and worlds, seen in four pages. *Rules*: all rules, in simulated and real events,
and incentives. *Robustness*: do tables hold in worlds that they were not trained in? *Transfer*:
what does a rule cost with other teams, rounds and boards than it was made for? *Editions*: does the
edition of the pairing rule change rates, seed bias or the default? There tables are trained once
more, for the pairing of 2022; the rule of choice, written down before its run, is in the template.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from studies import worlds
from studies.encounter import with_encounter_once
from studies.figures import bias_figure, ideal_rates
from studies.frames import where
from studies.frontier import MOST_MORE, MOST_PREFERENCE, SHIPPED, candidates
from studies.names import rule_name
from studies.script import events_option, report, script, written
from studies.template import wide
from studies.worlds import (
    FAIR,
    FORMULA,
    LEARNED,
    ROSTERS,
    SEEDED,
    TOP,
    TRAINED_ON,
    WORLD,
    Cell,
    grid,
    load_config,
)
from tb2learn.assessment.by_ratings import against_ratings
from tb2learn.assessment.error_rates import population, rates, samples, shares_of_pairs
from tb2learn.assessment.estimators import as_estimator
from tb2learn.assessment.half_point_probes import PROBES, exact_interval, probe_rules
from tb2learn.assessment.references import Reference
from tb2learn.assessment.single_event import single_event_tally
from tb2learn.assessment.tally import ALL, TOPS, Tally
from tb2learn.catalogue import find_rule
from tb2learn.chess.event_format import PairingRule
from tb2learn.config import Config, with_plan
from tb2learn.events import TeamEvent, read_event
from tb2learn.report.figures import errors_figure
from tb2learn.report.wording import population_name, seeding
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress
from tb2learn.stats import with_ends
from tb2learn.tiebreaks.library import FORMULA as ANY_FORMULA
from tb2learn.tiebreaks.library import PRODUCT, TABLES, baseline
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training import checkpoint
from tb2learn.training.checkpoint import load
from tb2learn.training.fit_tables import fit_surfaces
from tb2learn.training.tabulate import pass_table

# --------------------------------------------------------------------------- all rules

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

LABELLED = (
    PRODUCT,
    "buchholz-cut1",
    "least-squares",
    LEARNED,
    ROSTERS,
)  # in the figure of seed bias


def cells(events: int) -> Iterator[Cell]:
    """All rules in every world; the dear protocols on at most `LIMIT_EVENTS`."""
    few, olympiad = min(events, LIMIT_EVENTS), load_config(WORLD)
    for name, noise in SINGLE.items():
        config = worlds.seeded(olympiad, noise)
        yield Cell(name, config, every_rule(config), events)
    rounds, boards = olympiad.event.rounds, olympiad.event.boards
    rules = {name: as_estimator(find_rule(name, rounds, boards)) for name in RULES}
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
        "unhurt": probes["named"][probes["violations"] == 0].tolist(),
        "least": exact_interval(0, int(probes["within"].iloc[0]))[1],
        "hurt": probes[probes["violations"] > 0],
        "description": load_config(SEEDED).description,
    }


def seed_bias(rates: pd.DataFrame) -> Figure:
    """Error against seed bias where seeds are near the truth."""
    series = {rule_name(rule): (rule,) for rule in LABELLED}
    return bias_figure(where(rates, world=SEEDED), TOP, series, ideal_rates(TOP, rates))


def write(out: Path, frames: Mapping[str, pd.DataFrame], events: int, seed: int) -> None:
    """Write the report on the tables."""
    given = written(out, frames)
    random = next(iter(SINGLE))
    figures = {
        f"{random}.png": errors_figure(where(given["rates"], world=random)),
        f"{SEEDED}-bias.png": seed_bias(given["rates"]),
    }
    few = min(events, LIMIT_EVENTS)
    about = {"events": events, "few": few, "seed": seed, "top": TOP, "single": SINGLE}
    names = {"learned": LEARNED, "rosters": ROSTERS, "rated": RATED, "world": WORLD}
    report(out, "assessment.md", {**given, **shown(given), **about, **names}, figures)


# --------------------------------------------------------------------------- other worlds

RIVALS = ("least-squares", "buchholz-cut1")  # rules without a checkpoint

SEEDED_BESIDE = (  # rules and references that are judged, too, where seeds are not random
    *("emmsb-cut1", "emgsb", "egmsb-cut1", "eggsb-cut1", "row-sum"),
    *("olympiad-180x11", f"{LEARNED}-pass1", f"{LEARNED}-pass2"),
    *("true-opponents", "higher-seed"),
)

ROBUST_TOPS = (TOP, "10")


def robustness_cells(trained: int, events: int, seed: int) -> Iterator[Cell]:
    """Every world with the shipped rules and tables in three passes, trained in each world."""
    tables = []
    for name in TRAINED_ON:
        config, held_out = load_config(name), max(1, trained // 10)
        plan = {"objective": "decisions", "events": trained, "held_out": held_out, "seed": seed}
        config = replace(config, train=replace(config.train, **plan))
        tables.append(checkpoint.train(config, f"on-{name}", progress=True))
    for name, config in worlds.judged_worlds().items():
        shipped = worlds.other_rules([LEARNED, ROSTERS, FAIR, FORMULA, *RIVALS], config)
        here = [table.rule(config.event.rounds) for table in tables]
        beside = worlds.other_rules(SEEDED_BESIDE, config) if config.field.informative else []
        yield Cell(name, config, [*shipped, *here, *beside], events)


def write_robustness(out: Path, rates: pd.DataFrame, **about: int) -> None:
    """Write the report on the table of all rates."""
    rates = written(out, {"robustness": rates})["robustness"]
    configs = worlds.judged_worlds()
    # The description is that of the configuration, whatever the seeds of this world.
    what = [config.description.replace(", random seeds", "") for config in configs.values()]
    seeds = [seeding(config) for config in configs.values()]
    shipped, saved = {}, {}
    for top in ROBUST_TOPS:
        rows = where(rates, top=top)
        old, new = (where(rows, rule=rule) for rule in (PRODUCT, ROSTERS))
        old = old[["world", "error"]]
        shipped[population_name(top)] = new.merge(old, on="world", suffixes=("", "_product"))
        everywhere = set(where(rows, world=next(iter(configs)))["rule"]) - {PRODUCT}
        rows = rows[rows["rule"].isin(everywhere)]
        saved[population_name(top)] = wide(rows, "world", "rule", "saved").reset_index()
    seeded = [world for world, config in configs.items() if config.field.informative]
    given = {
        **{"shipped": shipped, "saved": saved, "top": TOP},
        "saves": where(rates[rates["top"].isin(ROBUST_TOPS)], rule=ROSTERS)["saved_low"] > 0,
        "biased": {world: worlds.best_first(rates, world) for world in seeded},
        "worlds": pd.DataFrame({"world": [*configs], "what it is": what, "seeds": seeds}),
        **{"rosters": ROSTERS, "fair": FAIR, **about},
    }
    report(out, "robustness.md", given, page="robustness.md")


# --------------------------------------------------------------------------- other formats

SHAPES = (  # formats that rules are judged in: teams, rounds and boards
    *((*played, boards) for boards in TABLES for played in ((4, 3), (10, 9), (20, 7))),
    *((60, rounds, boards) for boards in TABLES for rounds in (5, 9, 15)),
    *((10, 9, 10), (10, 9, 12), (60, 9, 12), (60, 9, 1)),
    *((180, 5, 4), (180, 11, 4), (1000, 11, 4)),
)

FORMAT_TOPS = ("10", "all")  # populations: ties that affect the first ten places, and all ties

FORMAT_COLUMNS = (
    *("teams", "rounds", "boards", "rule", "top", "pairs", "error", "native_error"),
    *(name for what in ("growth", "over_formula", "choice") for name in worlds.renamed(what, what)),
    *("events", "trained"),
)

MIDDLE_TEAMS = 180  # of the field that plays just the given number of events

MOST_JUDGED = 20  # smaller fields play more events, at most this many times the given number

TEAM_EVENTS, MOST_TRAINED = 240_000, 12_000  # events times teams that a table is trained on

NATIVE = "native"

OF_UNIFORM_FIELDS = {**TABLES, 4: LEARNED}  # fitted as native ones are


def judge_format(shape: tuple[int, int, int], events: int, seed: int) -> pd.DataFrame:
    """The product rule, the shipped tables and the formula in one format (`shape`).

    The native table is the shipped one of so many boards and uniform fields where that is made for
    this format, else one that is trained here in the same way.

    **Returns:** `FORMAT_COLUMNS` by rule and population; `choice` is `over_formula` of the table
    that `learned` takes, on as many other events, which choose and do not judge.
    """
    teams, rounds, boards = shape
    rules = [find_rule(name, rounds, boards) for name in (PRODUCT, ANY_FORMULA)]
    native: Rule | None = None
    if boards in TABLES:
        of_uniform = OF_UNIFORM_FIELDS[boards]
        names = dict.fromkeys((of_uniform, TABLES[boards]))
        rules += [find_rule(name, rounds, boards) for name in names]
        made_for = load(of_uniform).config.event
        if (made_for.teams, made_for.rounds) == (teams, rounds):
            native = replace(rules[2], name=NATIVE)
    trained = None
    if native is None:
        trained = min(MOST_TRAINED, TEAM_EVENTS // teams)
        config = worlds.world(shape, "decisions", trained, seed)
        native = pass_table(list(fit_surfaces(config, Progress(config.name))), NATIVE)
    events = max(1, min(MOST_JUDGED * events, events * MIDDLE_TEAMS // teams))
    config = worlds.world(shape, "decisions", events, seed)
    shown = Progress(f"judge_format {config.name}")
    judged_on = EventRange(seed, Purpose.ASSESS, events)
    tally = single_event_tally(config, [native, *rules], judged_on, shown)
    rows = compared(tally, seed, {NATIVE: "growth", ANY_FORMULA: "over_formula"})
    own = where(rows, rule=NATIVE)[["top", "error"]].rename(columns={"error": "native_error"})
    rows = rows[rows["rule"] != NATIVE].merge(own, on="top")
    if boards in TABLES:
        shown, taken = Progress(f"choose {config.name}"), rules[-1]
        pair = [rules[1], taken]
        chosen_on = EventRange(seed, Purpose.CHOOSE, events)
        tally = single_event_tally(config, pair, chosen_on, shown)
        choice = where(compared(tally, seed, {ANY_FORMULA: "choice"}), rule=taken.name)
        rows = rows.merge(choice.drop(columns=["pairs", "error"]), "left", on=["rule", "top"])
    rows = rows.assign(**dict(zip(("teams", "rounds", "boards"), shape, strict=True)))
    rows = rows.assign(events=events, trained=pd.array([trained] * len(rows), "Int64"))
    return rows.reindex(columns=FORMAT_COLUMNS)


def compared(tally: Tally, seed: int, differences: Mapping[str, str]) -> pd.DataFrame:
    """Rates of `FORMAT_TOPS`, and by how much they are above those of rules (by column)."""
    frame = rates(tally, seed, list(differences))
    new = {}
    for rule, name in differences.items():
        new |= worlds.renamed(f"than_{rule}", name)
    frame = frame[frame["top"].isin(FORMAT_TOPS)]
    return frame[["rule", "top", "pairs", "error", *new]].rename(columns=new)


def write_formats(out: Path, events: int, seed: int) -> None:
    """Judge rules in formats that they were not made for; `learned` chooses by transfer.csv."""
    judged = [judge_format(shape, events, seed) for shape in SHAPES]
    growth = written(out, {"transfer": pd.concat(judged, ignore_index=True)}, 5)["transfer"]
    growth = growth.astype({"trained": "Int64"})
    rows = where(growth, top="all")
    shapes = rows[["teams", "rounds", "boards"]].to_numpy(int)
    rows = rows.assign(format=[worlds.shape_name(*shape) for shape in shapes])
    tables = [*OF_UNIFORM_FIELDS.values(), TABLES[4]]
    kinds = {"formula": [ANY_FORMULA], "a shipped table": tables, "product rule": [PRODUCT]}
    most = rows.sort_values("growth", ascending=False, kind="stable")
    given = {
        **{"growth": growth, "tables": tables, "events": events, "seed": seed},
        "most": {name: most[most["rule"].isin(rules)].iloc[0] for name, rules in kinds.items()},
        "formula_chosen": list(rows["format"][rows["choice_low"] > 0]),
    }
    report(out, "transfer.md", given, page="transfer.md")


# --------------------------------------------------------------------------- editions

EDITIONS: Mapping[str, PairingRule] = {
    "thesis": "median-swiss",
    "2010": "olympiad-2010",
    "2022": "olympiad-2022",
}

TODAY = "2022"

EDITION_WORLDS = (
    WORLD,
    worlds.SEEDED,
    worlds.BATUMI,
    worlds.SAMARKAND,
)  # the first has random seeds

RETRAINED = (LEARNED, ROSTERS, FAIR)


def paired_by(config: Config, edition: str) -> Config:
    """The configuration with the pairing rule of an edition."""
    return replace(config, event=replace(config.event, pairing=EDITIONS[edition]))


def retrained_name(kind: str) -> str:
    """The name of the table of a kind that is trained for the pairing of 2022."""
    return f"{kind}-{TODAY}"


def retrained(trained: int, rounds: int) -> list[Rule]:
    """The tables of all kinds, trained for the pairing of 2022 on at most so many events."""
    tables = []
    for kind in RETRAINED:
        config = load_config(kind)
        config = paired_by(with_plan(config, min(trained, config.train.events)), TODAY)
        tables.append(checkpoint.train(config, retrained_name(kind), progress=True))
    return [table.rule(rounds) for table in tables]


def tallies(
    rules: Sequence[Rule], edition: str, count: int, seed: int, purpose: Purpose
) -> dict[str, Tally]:
    """Counts of the shipped rules and of further ones in all worlds of an edition."""
    found = {}
    for name in EDITION_WORLDS:
        config = paired_by(load_config(name), edition)
        cell = Cell(name, config, [*SHIPPED, *rules], count, purpose=purpose)
        found[name] = cell.tally(seed, Progress(f"{edition}: {name}"))
    return found


def rates_of(counts: Mapping[str, Tally], edition: str, seed: int) -> pd.DataFrame:
    """The rows of `error_rates.rates` at `TOP` in all worlds of an edition."""
    parts = [
        rates(tally, seed).assign(edition=edition, world=name) for name, tally in counts.items()
    ]
    frame = where(worlds.whole_pairs(pd.concat(parts, ignore_index=True)), top=TOP)
    columns = ["edition", "world", "rule", "pairs", "error", "error_low", "error_high"]
    return frame[[*columns, "near_equal", "near_equal_low", "near_equal_high"]]


def differences(counts: Mapping[str, Tally], edition: str, seed: int) -> pd.DataFrame:
    """How much more the tables trained for 2022 err than the shipped ones, on the same events.

    **Returns:** by `kind` and `world`, the last one the `mean` over all: `more`, and how much more
    often the higher of two nearly equal seeds is preferred, `nearer`.
    """
    column = [[*map(population, TOPS)].index(TOP)]
    drawn: dict[tuple[str, str], dict[str, np.ndarray]] = {}
    for world, tally in counts.items():
        weights = samples(len(tally.pairs), seed)
        rates = {"more": (tally.errors, tally.pairs, tally.unit)}
        if tally.seeds:
            rates["nearer"] = tally.seeds.halves[:, 2], tally.seeds.pairs[:, 2], 2
        for what, (wrong, pairs, unit) in rates.items():
            found = shares_of_pairs(weights, wrong[..., column], pairs[:, column], unit)[..., 0]
            for kind in RETRAINED:
                new, old = (tally.rules.index(name) for name in (retrained_name(kind), kind))
                drawn.setdefault((kind, world), {})[what] = found[:, new] - found[:, old]
    rows = []
    for kind in RETRAINED:
        own = [drawn[kind, world] for world in counts]
        parts = {what: [one[what] for one in own if what in one] for what in ("more", "nearer")}
        mean = {what: np.mean(some, axis=0) for what, some in parts.items() if some}
        for world, found in [*zip(counts, own, strict=True), ("mean", mean)]:
            row = {"edition": edition, "kind": kind, "world": world}
            for what, values in found.items():
                ends = with_ends(values[:, None], what, f"{what}_")
                row |= {name: cell.item() for name, cell in ends.items()}
            rows.append(row)
    return pd.DataFrame(rows)


def replaced(differences: pd.DataFrame) -> list[str]:
    """The kinds whose shipped table gives way, by the rule of choice on events that choose."""
    rows = where(differences, edition=TODAY, world="mean")
    return rows["kind"][(rows["more"] <= -MOST_MORE) & (rows["more_high"] < 0)].tolist()


def by_edition(trained: int, count: int, seed: int) -> dict[str, pd.DataFrame]:
    """The tables of the report: `choosing` and `default` are of events that choose."""
    names = ("editions", "retrained", "choosing", "default")
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in names}
    rules = retrained(trained, load_config(WORLD).event.rounds)
    for edition in EDITIONS:
        choosing = tallies(rules, edition, count, seed, Purpose.CHOOSE)
        judging = tallies(rules, edition, count, seed, Purpose.ASSESS)
        parts["editions"].append(rates_of(judging, edition, seed))
        parts["retrained"].append(differences(judging, edition, seed))
        parts["choosing"].append(differences(choosing, edition, seed))
        shipped = rates_of(choosing, edition, seed)
        shipped = shipped[shipped["rule"].isin(SHIPPED)]
        found = candidates(shipped, WORLD, EDITION_WORLDS[1:])
        found.insert(0, "edition", edition)
        parts["default"].append(found)
    return {name: pd.concat(some, ignore_index=True) for name, some in parts.items()}


def shown_by_edition(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """What the template shows of the tables."""
    rates, default = frames["editions"], frames["default"]
    within = default[default["within"] == "yes"].drop_duplicates("edition")
    old = [PRODUCT, *SHIPPED]
    return {
        "shipped": {
            world: rates[(rates["world"] == world) & rates["rule"].isin(old)]
            for world in EDITION_WORLDS
        },
        "defaults": within.set_index("edition")["rule"].to_dict(),
        "editions": [*EDITIONS],
        "default_left": ROSTERS,
        "least": where(default, edition=TODAY)["rule"].iloc[0],
        "replaced": replaced(frames["choosing"]),
        "chosen_by": where(frames["choosing"], edition=TODAY, world="mean"),
        "retrained_today": where(frames["retrained"], edition=TODAY),
    }


def write_editions(out: Path, trained: int, events: int, seed: int) -> None:
    """Compare rules, and tables trained anew, by edition of the pairing rule."""
    given = written(out, by_edition(trained, events, seed))
    about = {"events": events, "seed": seed, "top": TOP, "today": TODAY, "random": WORLD}
    about |= {"bounds": (MOST_PREFERENCE, MOST_MORE)}
    about |= shown_by_edition(given)
    report(out, "editions.md", {**given, **about}, page="editions.md")


# --------------------------------------------------------------------------- the report

PARTS = ("rules", "robustness", "transfer", "editions")


@script(
    "reports/assessment",
    events_option(4000, "fresh events of the single-event protocol, and of every edition"),
    events_option(1000, "fresh events of every other world, and of 180 teams of a format", "--few"),
    events_option(1000, "the world that a table of robustness is fitted to", "--trained"),
    events_option(20_000, "each table trained for 2022, at most as configured", "--retrained"),
    click.option("--part", "chosen", type=click.Choice(PARTS), multiple=True, help="all if none"),
)
def main(
    out: Path, seed: int, events: int, few: int, trained: int, retrained: int, chosen: Sequence[str]
) -> None:
    """Compare rules in a grid of worlds."""
    chosen = chosen or PARTS
    if "rules" in chosen:
        write(out, measured(events, seed), events, seed)
    if "robustness" in chosen:
        rates = worlds.whole_pairs(grid(robustness_cells(trained, few, seed), seed))
        write_robustness(out, rates, trained=trained, events=few, seed=seed)
    if "transfer" in chosen:
        write_formats(out, few, seed)
    if "editions" in chosen:
        write_editions(out, retrained, events, seed)


if __name__ == "__main__":
    main()
