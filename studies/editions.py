"""Does the edition of the pairing rule change the rates of rules, their seed bias, or the default?

Tables are trained once more, for the pairing of 2022, and judged beside the shipped ones.

**The rule of choice**, written down before its run. A table trained for the pairing of 2022 takes
the place of the shipped table of its kind if it errs at least `MOST_MORE` less in the mean over the
worlds of 2022, each counting the same, and the whole 95 % interval of the difference is below 0; on
events that choose and judge nothing else. Otherwise the shipped file stays. The default is chosen
among the shipped rules as before (`frontier.default_rule`), by edition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from studies.frontier import MOST_MORE, MOST_PREFERENCE, SHIPPED, candidates
from studies.script import events_option, report, script, written
from studies.worlds import (
    BATUMI,
    FAIR,
    LEARNED,
    ROSTERS,
    SAMARKAND,
    SEEDED,
    TOP,
    WORLD,
    whole_pairs,
)
from tb2learn.assessment.evidence import Cell, population, rates, samples, shares
from tb2learn.assessment.tally import TOPS, Tally
from tb2learn.chess.event_format import PairingRule
from tb2learn.config import Config, load_config, with_plan
from tb2learn.report.frames import where
from tb2learn.simulation.run import Progress
from tb2learn.simulation.streams import Purpose
from tb2learn.stats import both_ends, interval
from tb2learn.tiebreaks.library import PRODUCT
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training import checkpoint

EDITIONS: Mapping[str, PairingRule] = {
    "thesis": "median-swiss",
    "2010": "olympiad-2010",
    "2022": "olympiad-2022",
}
"""Pairing rules: the thesis's simplification, FIDE's edition until 2022, and that from 2022 on."""

TODAY = "2022"

WORLDS = (WORLD, SEEDED, BATUMI, SAMARKAND)
"""The first has random seeds, the others have seeds near the truth."""

RETRAINED = (LEARNED, ROSTERS, FAIR)


def paired_by(config: Config, edition: str) -> Config:
    """The configuration with the pairing rule of an edition."""
    return replace(config, event=replace(config.event, pairing=EDITIONS[edition]))


def retrained_name(kind: str) -> str:
    """The name of the table of the same kind that is trained for the pairing of 2022."""
    return f"{kind}-{TODAY}"


def retrained(trained: int, rounds: int) -> list[Rule]:
    """The tables of all kinds, trained for the pairing of 2022."""
    configs = [load_config(kind) for kind in RETRAINED]
    configs = [with_plan(one, min(trained, one.train.events)) for one in configs]
    plans = [paired_by(config, TODAY) for config in configs]
    tables = [checkpoint.train(one, retrained_name(one.name), progress=True) for one in plans]
    return [table.rule(rounds) for table in tables]


def tallies(
    rules: Sequence[Rule], edition: str, count: int, seed: int, purpose: Purpose
) -> dict[str, Tally]:
    """Counts of the shipped rules and of further ones in all worlds of an edition."""
    found = {}
    for name in WORLDS:
        config = paired_by(load_config(name), edition)
        cell = Cell(name, config, [*SHIPPED, *rules], count, purpose=purpose)
        found[name] = cell.tally(seed, Progress(f"{edition}: {name}"))
    return found


def rates_of(counts: Mapping[str, Tally], edition: str, seed: int) -> pd.DataFrame:
    """The rows of `evidence.rates` at `TOP` in all worlds of an edition."""
    parts = [
        rates(tally, seed).assign(edition=edition, world=name) for name, tally in counts.items()
    ]
    frame = where(whole_pairs(pd.concat(parts, ignore_index=True)), top=TOP)
    columns = ["edition", "world", "rule", "pairs", "error", "error_low", "error_high"]
    return frame[[*columns, "near_equal", "near_equal_low", "near_equal_high"]]


def differences(counts: Mapping[str, Tally], edition: str, seed: int) -> pd.DataFrame:
    """How much more the tables trained for 2022 err than the shipped ones, on the same events.

    **Returns:** a row a `kind` and `world`, the last one `mean` over all worlds: `more`, and how
    much more often the higher of two nearly equal seeds is preferred, `nearer` (not where seeds are
    random), with the ends of their 95 % intervals. The mean draws the same blocks in every world.
    """
    column = [[*map(population, TOPS)].index(TOP)]
    drawn: dict[str, dict[str, np.ndarray]] = {kind: {} for kind in RETRAINED}
    near: dict[str, dict[str, np.ndarray]] = {kind: {} for kind in RETRAINED}
    for world, tally in counts.items():
        weights = samples(len(tally.pairs), seed)
        wrong = tally.errors[..., column], tally.pairs[:, column], tally.unit
        errors = shares(weights, *wrong)[..., 0]
        for kind in RETRAINED:
            new, old = (tally.rules.index(name) for name in (retrained_name(kind), kind))
            drawn[kind][world] = errors[:, new] - errors[:, old]
            if tally.seeds:
                halves = tally.seeds.halves[:, 2][..., column]
                higher = shares(weights, halves, tally.seeds.pairs[:, 2][..., column], 2)[..., 0]
                near[kind][world] = higher[:, new] - higher[:, old]
    rows = []
    for kind in RETRAINED:
        for values in filter(None, (drawn[kind], near[kind])):
            values["mean"] = np.mean([*values.values()], axis=0)
        for world, values in drawn[kind].items():
            row = {"edition": edition, "kind": kind, "world": world}
            row |= _with_ends(values, "more")
            if world in near[kind]:
                row |= _with_ends(near[kind][world], "nearer")
            rows.append(row)
    return pd.DataFrame(rows)


def _with_ends(values: Float[np.ndarray, " samples"], name: str) -> dict[str, float]:
    low, high = both_ends(interval(values[1:]))
    return {name: float(values[0]), f"{name}_low": low, f"{name}_high": high}


def replaced(differences: pd.DataFrame) -> list[str]:
    """The kinds whose shipped table gives way, by the rule of choice on events that choose."""
    rows = where(differences, edition=TODAY, world="mean")
    return rows["kind"][(rows["more"] <= -MOST_MORE) & (rows["more_high"] < 0)].tolist()


def measured(trained: int, count: int, seed: int) -> dict[str, pd.DataFrame]:
    """The tables of the report.

    **Returns:** `rates`, as `rates_of`, on events that judge; `retrained` and `choosing`, as
    `differences`, on events that judge and that choose; `default`, as `frontier.candidates`, by
    edition, on events that choose.
    """
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in ("rates", "retrained")}
    parts |= {"choosing": [], "default": []}
    rules = retrained(trained, load_config(WORLD).event.rounds)
    for edition in EDITIONS:
        choosing = tallies(rules, edition, count, seed, Purpose.CHOOSE)
        judging = tallies(rules, edition, count, seed, Purpose.ASSESS)
        parts["rates"].append(rates_of(judging, edition, seed))
        parts["retrained"].append(differences(judging, edition, seed))
        parts["choosing"].append(differences(choosing, edition, seed))
        shipped = rates_of(choosing, edition, seed)
        shipped = shipped[shipped["rule"].isin(SHIPPED)]
        found = candidates(shipped, WORLD, WORLDS[1:])
        found.insert(0, "edition", edition)
        parts["default"].append(found)
    return {name: pd.concat(some, ignore_index=True) for name, some in parts.items()}


def shown(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """What the template shows of the tables."""
    rates, default = frames["rates"], frames["default"]
    within = default[default["within"] == "yes"].drop_duplicates("edition")
    old = [PRODUCT, *SHIPPED]
    return {
        "shipped": {
            world: rates[(rates["world"] == world) & rates["rule"].isin(old)] for world in WORLDS
        },
        "defaults": within.set_index("edition")["rule"].to_dict(),
        "editions": [*EDITIONS],
        "default_left": ROSTERS,
        "least": where(default, edition=TODAY)["rule"].iloc[0],
        "replaced": replaced(frames["choosing"]),
        "chosen_by": where(frames["choosing"], edition=TODAY, world="mean"),
        "retrained_today": where(frames["retrained"], edition=TODAY),
    }


@script(
    "reports/editions",
    events_option(
        20_000, "each table trained for 2022, at most those of its configuration", "--trained"
    ),
    events_option(
        4000, "fresh events of every world and edition that choose, and again that judge"
    ),
)
def main(out: Path, trained: int, events: int, seed: int) -> None:
    """Compare rules, and tables trained anew, by edition of the pairing rule."""
    write(out, measured(trained, events, seed), events, seed)


def write(out: Path, frames: Mapping[str, pd.DataFrame], events: int, seed: int) -> None:
    """Write the report on the tables."""
    given = written(out, frames)
    about = {"events": events, "seed": seed, "top": TOP, "today": TODAY, "random": WORLD}
    about |= {"bounds": (MOST_PREFERENCE, MOST_MORE)}
    report(out, "editions.md", {**given, **shown(given), **about})


if __name__ == "__main__":
    main()
