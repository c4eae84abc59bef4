"""What does a rule cost with other teams, rounds and boards than it was made for?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pandas as pd

from studies.frames import where
from studies.script import events_option, report, script, written
from studies.worlds import LEARNED, renamed, shape_name, world
from tb2learn.assessment.error_rates import rates
from tb2learn.assessment.single_event import single_event_tally
from tb2learn.assessment.tally import Tally
from tb2learn.catalogue import find_rule
from tb2learn.simulation.purposes import Purpose
from tb2learn.simulation.simulate import Progress
from tb2learn.tiebreaks.library import FORMULA, PRODUCT, TABLES
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training.checkpoint import load
from tb2learn.training.fit_tables import fit_surfaces
from tb2learn.training.tabulate import pass_table

SHAPES = (  # formats that rules are judged in: teams, rounds and boards
    *((*played, boards) for boards in TABLES for played in ((4, 3), (10, 9), (20, 7))),
    *((60, rounds, boards) for boards in TABLES for rounds in (5, 9, 15)),
    *((10, 9, 10), (10, 9, 12), (60, 9, 12), (60, 9, 1)),
    *((180, 5, 4), (180, 11, 4), (1000, 11, 4)),
)

TOPS = ("10", "all")  # populations: ties that affect the first ten places, and all ties

COLUMNS = (
    *("teams", "rounds", "boards", "rule", "top", "pairs", "error", "native_error"),
    *(name for what in ("growth", "over_formula", "choice") for name in renamed(what, what)),
    *("events", "trained"),
)

MIDDLE_TEAMS = 180  # of the field that plays just the given number of events

MOST_JUDGED = 20  # smaller fields play more events, at most this many times the given number

TEAM_EVENTS, MOST_TRAINED = 240_000, 12_000  # events times teams that a table is trained on

NATIVE = "native"

OF_UNIFORM_FIELDS = {**TABLES, 4: LEARNED}  # fitted as native ones are


def judge(shape: tuple[int, int, int], events: int, seed: int) -> pd.DataFrame:
    """The product rule, the shipped tables and the formula in one format (`shape`).

    The native table is the shipped one of so many boards and uniform fields where that is made for
    this format, else one that is trained here in the same way.

    **Returns:** `COLUMNS` by rule and population; `choice` is `over_formula` of the table that
    `learned` takes, on as many other events, which choose and do not judge.
    """
    teams, rounds, boards = shape
    rules = [find_rule(name, rounds, boards) for name in (PRODUCT, FORMULA)]
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
        config = world(shape, "decisions", trained, seed)
        native = pass_table(list(fit_surfaces(config, Progress(config.name))), NATIVE)
    events = max(1, min(MOST_JUDGED * events, events * MIDDLE_TEAMS // teams))
    config = world(shape, "decisions", events, seed)
    shown = Progress(f"judge {config.name}")
    tally = single_event_tally(config, [native, *rules], events, seed, shown)
    rows = compared(tally, seed, {NATIVE: "growth", FORMULA: "over_formula"})
    own = where(rows, rule=NATIVE)[["top", "error"]].rename(columns={"error": "native_error"})
    rows = rows[rows["rule"] != NATIVE].merge(own, on="top")
    if boards in TABLES:
        shown, taken = Progress(f"choose {config.name}"), rules[-1]
        pair = [rules[1], taken]
        tally = single_event_tally(config, pair, events, seed, shown, Purpose.CHOOSE)
        choice = where(compared(tally, seed, {FORMULA: "choice"}), rule=taken.name)
        rows = rows.merge(choice.drop(columns=["pairs", "error"]), "left", on=["rule", "top"])
    rows = rows.assign(**dict(zip(("teams", "rounds", "boards"), shape, strict=True)))
    rows = rows.assign(events=events, trained=pd.array([trained] * len(rows), "Int64"))
    return rows.reindex(columns=COLUMNS)


def compared(tally: Tally, seed: int, differences: Mapping[str, str]) -> pd.DataFrame:
    """Rates of `TOPS`, and by how much they are above those of other rules (with column names)."""
    frame = rates(tally, seed, list(differences))
    new = {}
    for rule, name in differences.items():
        new |= renamed(f"than_{rule}", name)
    frame = frame[frame["top"].isin(TOPS)]
    return frame[["rule", "top", "pairs", "error", *new]].rename(columns=new)


@script(
    "reports/transfer",
    events_option(1000, "fresh events of 180 teams; smaller fields play more, larger ones fewer"),
)
def main(out: Path, events: int, seed: int) -> None:
    """Judge rules in formats that they were not made for; `learned` chooses by transfer.csv."""
    judged = [judge(shape, events, seed) for shape in SHAPES]
    growth = written(out, {"transfer": pd.concat(judged, ignore_index=True)}, 5)["transfer"]
    growth = growth.astype({"trained": "Int64"})
    rows = where(growth, top="all")
    shapes = rows[["teams", "rounds", "boards"]].to_numpy(int)
    rows = rows.assign(format=[shape_name(*shape) for shape in shapes])
    tables = [*OF_UNIFORM_FIELDS.values(), TABLES[4]]
    kinds = {"formula": [FORMULA], "a shipped table": tables, "product rule": [PRODUCT]}
    most = rows.sort_values("growth", ascending=False, kind="stable")
    given = {
        **{"growth": growth, "tables": tables, "events": events, "seed": seed},
        "most": {name: most[most["rule"].isin(rules)].iloc[0] for name, rules in kinds.items()},
        "formula_chosen": list(rows["format"][rows["choice_low"] > 0]),
    }
    report(out, "transfer.md", given)


if __name__ == "__main__":
    main()
