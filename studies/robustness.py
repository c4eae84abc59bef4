"""Do the tables hold in worlds that they were not trained in?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd

from studies import worlds
from studies.frames import where
from studies.script import events_option, report, script, written
from studies.template import wide
from studies.worlds import FAIR, FORMULA, LEARNED, ROSTERS, TOP, TRAINED_ON, Cell, grid, load_config
from tb2learn.report.wording import population_name, seeding
from tb2learn.tiebreaks.library import PRODUCT
from tb2learn.training import checkpoint

RIVALS = ("least-squares", "buchholz-cut1")  # rules without a checkpoint

BESIDE = (  # rules and references that are judged, too, where seeds are not random
    *("emmsb-cut1", "emgsb", "egmsb-cut1", "eggsb-cut1", "row-sum"),
    *("olympiad-180x11", f"{LEARNED}-pass1", f"{LEARNED}-pass2"),
    *("true-opponents", "higher-seed"),
)

TOPS = (TOP, "10")


def cells(trained: int, events: int, seed: int) -> Iterator[Cell]:
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
        beside = worlds.other_rules(BESIDE, config) if config.field.informative else []
        yield Cell(name, config, [*shipped, *here, *beside], events)


def write(out: Path, rates: pd.DataFrame, **about: int) -> None:
    """Write the report on the table of all rates."""
    rates = written(out, {"rates": rates})["rates"]
    configs = worlds.judged_worlds()
    # The description is that of the configuration, whatever the seeds of this world.
    what = [config.description.replace(", random seeds", "") for config in configs.values()]
    seeds = [seeding(config) for config in configs.values()]
    shipped, saved = {}, {}
    for top in TOPS:
        rows = where(rates, top=top)
        old, new = (where(rows, rule=rule) for rule in (PRODUCT, LEARNED))
        old = old[["world", "error"]]
        shipped[population_name(top)] = new.merge(old, on="world", suffixes=("", "_product"))
        everywhere = set(where(rows, world=next(iter(configs)))["rule"]) - {PRODUCT}
        rows = rows[rows["rule"].isin(everywhere)]
        saved[population_name(top)] = wide(rows, "world", "rule", "saved").reset_index()
    seeded = rates["world"][rates["near_equal_pairs"].notna()].unique()
    given = {
        **{"shipped": shipped, "saved": saved, "top": TOP},
        "saves": where(rates[rates["top"].isin(TOPS)], rule=LEARNED)["saved_low"] > 0,
        "biased": {world: worlds.best_first(rates, world) for world in seeded},
        "worlds": pd.DataFrame({"world": [*configs], "what it is": what, "seeds": seeds}),
        **{"rosters": ROSTERS, "fair": FAIR, **about},
    }
    report(out, "robustness.md", given)


@script(
    "reports/robustness",
    events_option(1000, "the world that a table is fitted to", "--trained"),
    events_option(1000, "fresh events of every world"),
)
def main(out: Path, trained: int, events: int, seed: int) -> None:
    """Judge the tables of every world in all of them."""
    rates = worlds.whole_pairs(grid(cells(trained, events, seed), seed))
    write(out, rates, trained=trained, events=events, seed=seed)


if __name__ == "__main__":
    main()
