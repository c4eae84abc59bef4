"""The leaderboard: all rules on the same events in both protocols, on real events, by incentive."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tb2learn.assessment.assess import Assessment, assess
from tb2learn.assessment.by_ratings import Against, against_ratings
from tb2learn.assessment.incentive import Incentive, probe_rules
from tb2learn.assessment.judged import as_judged
from tb2learn.assessment.references import HigherSeed
from tb2learn.catalogue import find_judged, find_rule
from tb2learn.config import Config, load_config
from tb2learn.disk import files
from tb2learn.events import read_event
from tb2learn.export.assessment import assessment_json
from tb2learn.simulation.run import Progress
from tb2learn.studies.leaderboard_report import (
    FAIR,
    FORMULA,
    LEARNED,
    POSTERIOR,
    POSTERIOR_SEEDED,
    RATED,
    ROSTERS,
    SEED_NOISES,
    SEEDED,
    THESIS,
    WORLD,
    render,
)
from tb2learn.tiebreaks.library import PRODUCT
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

LIMIT_EVENTS = 2000

PROBED = 100_000


def leaderboard(folder: Path, events: int, seed: int) -> Path:
    """Assess all rules in both protocols, on real events and by probes, and write the report.

    **Arguments:**

    - `folder`: where `README.md`, the figures, the JSON files and `results.csv` go.
    - `events`: of the single-event protocol; the thesis protocol and the posterior means take up to
      `LIMIT_EVENTS` of them.
    - `seed`: of all random numbers.

    **Returns:** the path of the report.
    """
    files.check_folder(folder)
    few = min(events, LIMIT_EVENTS)
    single = {}
    for noise in SEED_NOISES:
        world = seeded(load_config(WORLD), noise)
        single[noise] = _all_rules(world, events, seed, f"seed noise {noise:g}")
    as_it_is = _all_rules(load_config(SEEDED), events, seed, SEEDED)
    world = load_config(WORLD)
    limits = {
        name: _limit(load_config(on), names, few, seed)
        for name, on, names in (
            (POSTERIOR, WORLD, (FORMULA, LEARNED)),
            (POSTERIOR_SEEDED, SEEDED, ("least-squares", FORMULA, FAIR, ROSTERS, LEARNED)),
        )
    }
    rounds, boards = world.event.rounds, world.event.boards
    rules = {name: as_judged(find_rule(name, rounds, boards)) for name in RULES}
    replayable = [name for name, rule in rules.items() if rule.replayable() is not None]
    judged = find_judged([*replayable, "true-opponents", "all-play-all"], world)
    thesis = assess(world, judged, few, seed, "thesis", progress=Progress("thesis protocol"))
    real = real_events(["baku2016"], [*RULES, *RATED], seed)
    probed = [with_encounter_once(find_rule(name, rounds, boards)) for name in (PRODUCT, *RULES)]
    incentives = probe_rules(world, probed, PROBED * 5 // 4, seed, label="probes")

    found = {f"single-seed-noise-{noise:g}": result for noise, result in single.items()}
    found |= {**limits, THESIS: thesis, SEEDED: as_it_is}
    for name, result in found.items():
        files.write_text(folder / f"{name}.json", assessment_json(result))
    files.write_text(folder / "real-events.json", _rows_json(real))
    files.write_text(folder / "incentive.json", _rows_json(incentives))
    return render(folder)


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


def _limit(world: Config, names: Sequence[str], events: int, seed: int) -> Assessment:
    """The posterior mean and some rules on the same events."""
    judged = find_judged([*names, "posterior-mean"], world)
    return assess(world, judged, events, seed, progress=Progress(f"posterior mean, {world.name}"))


def seeded(config: Config, noise: float) -> Config:
    """The configuration with another seed noise, in rating points."""
    return replace(config, field=replace(config.field, seed_noise=noise))


def real_events(sources: Sequence[str], names: Sequence[str], seed: int) -> tuple[Against, ...]:
    """`against_ratings` of events and rules by name, the product rule first."""
    events = [read_event(source) for source in sources]
    known = [PRODUCT, *(name for name in dict.fromkeys(names) if name != PRODUCT)]
    rules = [[find_rule(name, e.rounds, e.boards) for name in known] for e in events]
    return against_ratings(events, rules, seed)


# --------------------------------------------------------------------------- JSON and CSV


def _rows_json(rows: Sequence[Against] | Sequence[Incentive]) -> str:
    """Rows of a table as JSON; null for a number that does not exist."""

    def finite(value: Any) -> Any:
        if isinstance(value, tuple):
            return [finite(part) for part in value]
        return None if isinstance(value, float) and not math.isfinite(value) else value

    content = [{k: finite(value) for k, value in asdict(row).items()} for row in rows]
    return json.dumps(content, indent=1, allow_nan=False) + "\n"
