"""Does the edition of the pairing rule change the rates of rules, their seed bias, or the default?

Tables are trained once more, for the pairing of 2022, and judged beside the shipped ones. The rule
of choice, written down before its run, is in the template.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from studies import worlds
from studies.frames import where
from studies.frontier import MOST_MORE, MOST_PREFERENCE, SHIPPED, candidates
from studies.script import events_option, report, script, written
from studies.worlds import FAIR, LEARNED, ROSTERS, TOP, WORLD, Cell, load_config, whole_pairs
from tb2learn.assessment.error_rates import population, rates, samples, shares
from tb2learn.assessment.tally import TOPS, Tally
from tb2learn.chess.event_format import PairingRule
from tb2learn.config import Config, with_plan
from tb2learn.simulation.purposes import Purpose
from tb2learn.simulation.simulate import Progress
from tb2learn.stats import with_ends
from tb2learn.tiebreaks.library import PRODUCT
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training import checkpoint

EDITIONS: Mapping[str, PairingRule] = {
    "thesis": "median-swiss",
    "2010": "olympiad-2010",
    "2022": "olympiad-2022",
}

TODAY = "2022"

WORLDS = (WORLD, worlds.SEEDED, worlds.BATUMI, worlds.SAMARKAND)  # the first has random seeds

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
    for name in WORLDS:
        config = paired_by(load_config(name), edition)
        cell = Cell(name, config, [*SHIPPED, *rules], count, purpose=purpose)
        found[name] = cell.tally(seed, Progress(f"{edition}: {name}"))
    return found


def rates_of(counts: Mapping[str, Tally], edition: str, seed: int) -> pd.DataFrame:
    """The rows of `error_rates.rates` at `TOP` in all worlds of an edition."""
    parts = [
        rates(tally, seed).assign(edition=edition, world=name) for name, tally in counts.items()
    ]
    frame = where(whole_pairs(pd.concat(parts, ignore_index=True)), top=TOP)
    columns = ["edition", "world", "rule", "pairs", "error", "error_low", "error_high"]
    return frame[[*columns, "near_equal", "near_equal_low", "near_equal_high"]]


def differences(counts: Mapping[str, Tally], edition: str, seed: int) -> pd.DataFrame:
    """How much more the tables trained for 2022 err than the shipped ones, on the same events.

    **Returns:** by `kind` and `world`, the last one the `mean` over all: `more`, and how much more
    often the higher of two nearly equal seeds is preferred, `nearer` (not with random seeds).
    """
    column = [[*map(population, TOPS)].index(TOP)]
    drawn: dict[tuple[str, str], dict[str, np.ndarray]] = {}
    for world, tally in counts.items():
        weights = samples(len(tally.pairs), seed)
        rates = {"more": (tally.errors, tally.pairs, tally.unit)}
        if tally.seeds:
            rates["nearer"] = tally.seeds.halves[:, 2], tally.seeds.pairs[:, 2], 2
        for what, (wrong, pairs, unit) in rates.items():
            found = shares(weights, wrong[..., column], pairs[:, column], unit)[..., 0]
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


def measured(trained: int, count: int, seed: int) -> dict[str, pd.DataFrame]:
    """The tables of the report: `choosing` and `default` are of events that choose."""
    names = ("rates", "retrained", "choosing", "default")
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in names}
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
    events_option(20_000, "each table trained for 2022, at most as configured", "--trained"),
    events_option(4000, "of every world and edition that choose, and again that judge"),
)
def main(out: Path, trained: int, events: int, seed: int) -> None:
    """Compare rules, and tables trained anew, by edition of the pairing rule."""
    given = written(out, measured(trained, events, seed))
    about = {"events": events, "seed": seed, "top": TOP, "today": TODAY, "random": WORLD}
    about |= {"bounds": (MOST_PREFERENCE, MOST_MORE)}
    report(out, "editions.md", {**given, **shown(given), **about})


if __name__ == "__main__":
    main()
