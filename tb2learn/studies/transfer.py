"""What a rule costs in formats that it was not made for: teams, rounds and boards.

`study_transfer` also writes the facts that the package contains as `data/transfer.csv`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tb2learn import files
from tb2learn.assessment.single import single_event_tally
from tb2learn.catalogue import PRODUCT, find_rule
from tb2learn.export.assessment import population
from tb2learn.report.markdown import csv_table, table
from tb2learn.simulation.run import Progress
from tb2learn.studies.formula import (
    SHOWN,
    Growth,
    Shape,
    five_digits,
    four_digits,
    growth,
    world,
)
from tb2learn.studies.report_folder import write_report_folder
from tb2learn.tiebreaks.formats import FORMULA, TABLES
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training.checkpoint import load
from tb2learn.training.pairwise import fit_surfaces
from tb2learn.training.tabulate import pass_table

SHAPES: tuple[Shape, ...] = (
    *((180, 11, 4), (60, 9, 6), (60, 9, 8)),
    *((20, 7, 4), (20, 7, 6), (20, 7, 8)),
)
"""Formats that rules are judged in: teams, rounds, boards."""

_TEAM_EVENTS = 240_000
_MOST_TRAINED = 8000
"""A table of a format is trained on as many events as have this many teams, at most."""

NATIVE = "native"


@dataclass(frozen=True)
class Judged:
    """Some rules in one format.

    **Fields:**

    - `shape`: the format.
    - `trained`: events behind the table that was trained for it; None where it is a shipped one.
    - `rules`: by name the growth of the error against that table, a population each.
    """

    shape: Shape
    trained: int | None
    rules: dict[str, tuple[Growth, ...]]


def study_transfer(folder: Path, events: int, seed: int, shapes: Sequence[Shape] = SHAPES) -> Path:
    """Judge the product rule, the shipped tables and the formula in many formats.

    **Arguments:**

    - `folder`: gets `README.md` and `transfer.csv`.
    - `events`: assessment events of every format.
    - `seed`: of them, of the training of the tables they are compared with, of the bootstrap.
    - `shapes`: the formats.

    **Returns:** the path of the report.
    """
    files.check_folder(folder.parent)
    found = [judge_shape(shape, events, seed) for shape in shapes]
    tables = {"transfer.csv": csv_table(*_rows(found))}
    return write_report_folder(folder, _report(found, events, seed), {}, tables)


def judge_shape(shape: Shape, events: int, seed: int) -> Judged:
    """The rules in one format against a table that was trained for it.

    That is the shipped table of so many boards where it is made for this format, else one that is
    trained here in the same way.
    """
    teams, rounds, boards = shape
    rules = [find_rule(name, rounds, boards) for name in (PRODUCT, FORMULA)]
    trained = None
    native: Rule | None = None
    if boards in TABLES:
        shipped = find_rule(TABLES[boards], rounds, boards)
        rules.append(shipped)
        event = load(TABLES[boards]).config.event
        if (event.teams, event.rounds) == (teams, rounds):
            native = replace(shipped, name=NATIVE)
    if native is None:
        trained = min(_MOST_TRAINED, _TEAM_EVENTS // teams)
        config = world(shape, "decisions", trained, seed)
        *_, (surfaces, _) = fit_surfaces(config, Progress(config.name))
        native = pass_table(surfaces, NATIVE)
    config = world(shape, "decisions", events, seed)
    shown = Progress(f"judge {config.name}")
    tally = single_event_tally(config, [native, *rules], events, seed, shown)
    grown = {
        rule.name: tuple(growth(tally, rule.name, NATIVE, top, seed) for top in SHOWN)
        for rule in rules
    }
    return Judged(shape, trained, grown)


def _rows(found: Sequence[Judged]) -> tuple[list[str], list[tuple]]:
    header = ["teams", "rounds", "boards", "rule", "top", "pairs", "error", "native_error",
              "growth", "growth_low", "growth_high", "trained"]  # fmt: skip
    rows = [
        (
            *one.shape,
            name,
            population(part.top),
            part.pairs,
            *five_digits(part.error, part.other, part.growth, *part.ci),
            one.trained,
        )
        for one in found
        for name, parts in one.rules.items()
        for part in parts
    ]
    return header, rows


def _report(found: Sequence[Judged], events: int, seed: int) -> str:
    header, rows = _rows(found)
    lines = [
        "# Rules in formats that they were not made for",
        "",
        "How many more ties a rule decides wrongly than a table that was trained for just that "
        "format (three passes, least squares), on the same events. *growth* is the difference of "
        "both shares with its 95 % interval over events.",
        "",
        f"* {events:,} fresh events a format, seed {seed}; teams of 1700 to 2800 in random seed "
        "order, in every format the same field.",
        f"* The shipped tables are {', '.join(TABLES.values())}; each is rescaled by match-point "
        "shares to the rounds. Where one is made for the format, it is the native table itself "
        "and its growth is 0.",
        f"* The other native tables are trained on as many events as have {_TEAM_EVENTS:,} teams, "
        f"at most {_MOST_TRAINED:,}, seed {seed}. A table of few events is itself a little worse "
        "than it could be, so a growth can be negative.",
        "* Formats outside this grid, other boards among them, are not judged: the notes of the "
        "commands name the judged format that is nearest to an event's.",
        "",
        *table(header, four_digits(rows)),
        "",
        "The same as [transfer.csv](transfer.csv), which the package contains: `rank`, `explain`, "
        "`compare` and `assess` read their notes from it.",
    ]
    return "\n".join(lines) + "\n"
