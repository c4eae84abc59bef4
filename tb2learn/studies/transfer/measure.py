"""Rules judged in many formats against a table that was trained for just that format."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from tb2learn.assessment.single import single_event_tally
from tb2learn.catalogue import PRODUCT, find_rule
from tb2learn.report.figures_assessment import growth_figure
from tb2learn.report.frames import Frames
from tb2learn.report.stored import Csv
from tb2learn.simulation.run import Progress
from tb2learn.simulation.streams import Purpose
from tb2learn.studies.worlds import LEARNED, Shape, growths, most, with_names, world
from tb2learn.tiebreaks.library import FORMULA, TABLES
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training.checkpoint import load
from tb2learn.training.pairwise import fit_surfaces
from tb2learn.training.tabulate import pass_table

SHAPES: tuple[Shape, ...] = (
    *((*played, boards) for boards in TABLES for played in ((4, 3), (10, 9), (20, 7))),
    *((60, rounds, boards) for boards in TABLES for rounds in (5, 9, 15)),
    *((10, 9, 10), (10, 9, 12), (60, 9, 12), (60, 9, 1)),
    *((180, 5, 4), (180, 11, 4), (1000, 11, 4)),
)
"""Formats that rules are judged in."""

MIDDLE_TEAMS = 180
"""Teams of the field in which the study plays just the number of events that it is given."""

MOST_JUDGED = 20
"""Smaller fields play more assessment events, at most this many times the given number."""

TEAM_EVENTS = 240_000
MOST_TRAINED = 12_000
"""A table is trained on `TEAM_EVENTS` divided by the teams of its field, at most `MOST_TRAINED`."""

NATIVE = "native"

OF_UNIFORM_FIELDS = {**TABLES, 4: LEARNED}
"""The shipped tables by number of boards that are fitted as the native ones are."""

FILES = (Csv("transfer.csv", "growth", digits=5),)


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Judge the product rule, the shipped tables and the formula in all `SHAPES`.

    **Arguments:**

    - `events`: assessment events in a field of `MIDDLE_TEAMS` teams. A field of n teams plays
      `events * MIDDLE_TEAMS / n` of them, at most `MOST_JUDGED * events`.
    - `seed`: of them, of the training of the tables they are compared with, of the bootstrap.

    **Returns:** `growth`, a row a format, rule and population: tied pairs, the shares that the rule
    and the native table decide wrongly, `growth` and `over_formula` (the share less that of the
    native table, and of the formula) with the ends of their intervals, assessment events, events
    that the native table was trained on (none where it is a shipped one), and of shipped tables
    `choice`, as `over_formula` in `by_choosing`.
    """
    return {"growth": pd.concat([judge(one, events, seed) for one in SHAPES], ignore_index=True)}


def judge(shape: Shape, events: int, seed: int) -> pd.DataFrame:
    """The rows of one format.

    The native table is the shipped one of so many boards and uniform fields where that is made for
    this format, else one that is trained here in the same way.

    **Arguments:** as for `measure`.
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
    judged = judged_events(teams, events)
    config = world(shape, "decisions", judged, seed)
    shown = Progress(f"judge {config.name}")
    tally = single_event_tally(config, [native, *rules], judged, seed, shown)
    names = [rule.name for rule in rules]
    over_formula = growths(tally, names, FORMULA, seed, "over_formula").filter(like="over_formula")
    found = growths(tally, names, NATIVE, seed).join(over_formula)
    found = found.merge(by_choosing(shape, events, seed), "left", on=["rule", "top"])
    about = pd.DataFrame([shape] * len(found), columns=["teams", "rounds", "boards"])
    trained_on = pd.array([trained] * len(found), "Int64")
    found = about.join(found.assign(events=judged, trained=trained_on))
    return found.rename(columns={"other": "native_error"})


def judged_events(teams: int, events: int) -> int:
    """Events of a field that stand for so many of `MIDDLE_TEAMS` teams."""
    return max(1, min(MOST_JUDGED * events, events * MIDDLE_TEAMS // teams))


def by_choosing(shape: Shape, events: int, seed: int) -> pd.DataFrame:
    """How much more often shipped tables are wrong than the formula, on events that choose.

    **Arguments:** as for `measure`. The events are other ones than those that judge.

    **Returns:** `rule`, `top`, and `choice`, the difference, with the ends of its interval, for the
    table that `learned` takes; no row where none is shipped for so many boards.
    """
    teams, rounds, boards = shape
    columns = ["rule", "top", "choice", "choice_low", "choice_high"]
    if boards not in TABLES:
        return pd.DataFrame(columns=columns).astype(dict.fromkeys(columns[2:], float))
    judged = judged_events(teams, events)
    config = world(shape, "decisions", judged, seed)
    rules = [find_rule(name, rounds, boards) for name in (FORMULA, TABLES[boards])]
    shown = Progress(f"choose {config.name}")
    tally = single_event_tally(config, rules, judged, seed, shown, Purpose.CHOOSE)
    return growths(tally, [TABLES[boards]], FORMULA, seed, "choice")[columns]


def summary(frames: Frames) -> dict[str, Any]:
    """The rows with the largest growth, formats in which the formula is better."""
    found = with_names(frames["growth"][frames["growth"]["top"] == "all"])
    tables = [*OF_UNIFORM_FIELDS.values(), TABLES[4]]
    kinds = {"formula": [FORMULA], "a shipped table": tables, "product rule": [PRODUCT]}
    better = found["choice_low"] > 0
    return {
        "most": {name: most(found[found["rule"].isin(rules)]) for name, rules in kinds.items()},
        "formula_chosen": list(found["format"][better]),
        "tables": tables,
    }


def transfer_figure(frames: Frames) -> Figure:
    """Growth over all ties: of the formula and the shipped tables, and of the product rule."""
    found = with_names(frames["growth"][frames["growth"]["top"] == "all"])
    found = found.sort_values(["boards", "teams", "rounds"], kind="stable")
    # By panel and mark, in their order: the formula is judged in every format.
    both, alone = "Formula and shipped tables", "Product rule"
    marks = {FORMULA: (both, [FORMULA]), "shipped table": (both, list(OF_UNIFORM_FIELDS.values())),
             TABLES[4]: (both, [TABLES[4]]), PRODUCT: (alone, [PRODUCT])}  # fmt: skip
    drawn = [
        found[found["rule"].isin(rules)].assign(panel=panel, mark=mark)
        for mark, (panel, rules) in marks.items()
    ]
    return growth_figure(pd.concat(drawn), "a table made for the format")


FIGURES = {"transfer.png": transfer_figure}
