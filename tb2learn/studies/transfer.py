"""What a rule costs in formats that it was not made for: teams, rounds and boards.

`study_transfer` also writes the facts that the package contains as `data/transfer.csv`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from matplotlib.figure import Figure

from tb2learn.assessment.single import single_event_tally
from tb2learn.catalogue import PRODUCT, find_rule
from tb2learn.disk import files
from tb2learn.export.assessment import population
from tb2learn.report.figures_transfer import Measured, growth_figure
from tb2learn.report.markdown import csv_table, table, with_interval
from tb2learn.simulation.run import Progress
from tb2learn.studies.formula import (
    SHOWN,
    Growth,
    Shape,
    five_digits,
    four_digits,
    growth,
    measured,
    shape_name,
    world,
)
from tb2learn.studies.report_folder import write_report_folder
from tb2learn.tiebreaks.formula_constants import FORMULA, TABLES
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
"""Formats that rules are judged in: teams, rounds, boards."""

_MIDDLE_TEAMS = 180
"""The field that the number of assessment events is said for."""

_MOST_JUDGED = 20
"""Small fields play at most so many times as many assessment events."""

_TEAM_EVENTS = 240_000
_MOST_TRAINED = 12_000
"""A table of a format is trained on as many events as have this many teams, at most."""

NATIVE = "native"


@dataclass(frozen=True)
class Judged:
    """Some rules in one format.

    **Fields:**

    - `shape`: the format.
    - `events`: assessment events.
    - `trained`: events behind the table that was trained for it; None where it is a shipped one.
    - `rules`: by name the growth of the error against that table, a population each.
    - `over_formula`: by name the same against the formula.
    """

    shape: Shape
    events: int
    trained: int | None
    rules: Mapping[str, tuple[Growth, ...]]
    over_formula: Mapping[str, tuple[Growth, ...]]


def study_transfer(folder: Path, events: int, seed: int, shapes: Sequence[Shape] = SHAPES) -> Path:
    """Judge the product rule, the shipped tables and the formula in many formats.

    **Arguments:**

    - `folder`: gets `README.md`, its figure and `transfer.csv`.
    - `events`: assessment events of 180 teams; in other fields as many as have as many teams, but
      at most 20 times as many.
    - `seed`: of them, of the training of the tables they are compared with, of the bootstrap.
    - `shapes`: the formats.

    **Returns:** the path of the report.
    """
    files.check_folder(folder.parent)
    found = [judge_shape(shape, events, seed) for shape in shapes]
    tables = {"transfer.csv": csv_table(*_rows(found))}
    figures = {"transfer.png": _figure(found)}
    return write_report_folder(folder, _report(found, events, seed), figures, tables)


def judge_shape(shape: Shape, events: int, seed: int) -> Judged:
    """The rules in one format against a table that was trained for it.

    That is the shipped table of so many boards where it is made for this format, else one that is
    trained here in the same way.

    **Arguments:** as `study_transfer`.
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
    judged = max(1, min(_MOST_JUDGED * events, events * _MIDDLE_TEAMS // teams))
    config = world(shape, "decisions", judged, seed)
    shown = Progress(f"judge {config.name}")
    tally = single_event_tally(config, [native, *rules], judged, seed, shown)

    def grown(other: str) -> dict[str, tuple[Growth, ...]]:
        return {
            rule.name: tuple(growth(tally, rule.name, other, top, seed) for top in SHOWN)
            for rule in rules
        }

    return Judged(shape, judged, trained, grown(NATIVE), grown(FORMULA))


def _rows(found: Sequence[Judged]) -> tuple[list[str], list[tuple]]:
    header = ["teams", "rounds", "boards", "rule", "top", "pairs", "error", "native_error",
              "growth", "growth_low", "growth_high",
              "over_formula", "over_formula_low", "over_formula_high",
              "events", "trained"]  # fmt: skip
    rows = [
        (
            *one.shape,
            name,
            population(part.top),
            part.pairs,
            *five_digits(part.error, part.other, *measured(part), *measured(over)),
            one.events,
            one.trained,
        )
        for one in found
        for name, parts in one.rules.items()
        for part, over in zip(parts, one.over_formula[name], strict=True)
    ]
    return header, rows


def _figure(found: Sequence[Judged]) -> Figure:
    """Growth over all ties: of the formula and the shipped tables, and of the product rule."""
    shown = sorted(found, key=lambda one: (one.shape[2], *one.shape))

    def marks(name_of: Callable[[Judged], str | None]) -> list[Measured | None]:
        names = [name_of(one) for one in shown]
        return [
            measured(one.rules[name][-1]) if name in one.rules else None
            for one, name in zip(shown, names, strict=True)
        ]

    return growth_figure(
        [shape_name(one.shape) for one in shown],
        {
            "Formula and shipped tables": {
                FORMULA: marks(lambda one: FORMULA),
                "shipped table": marks(lambda one: TABLES.get(one.shape[2])),
            },
            "Product rule": {PRODUCT: marks(lambda one: PRODUCT)},
        },
        "a table made for the format",
    )


def _most(found: Sequence[Judged], names: Sequence[str]) -> str:
    """The largest growth over all ties of some rules, with its interval and its format."""
    part, shape = max(
        ((one.rules[name][-1], one.shape) for one in found for name in names if name in one.rules),
        key=lambda growth: growth[0].growth,
    )
    return f"{with_interval(part.growth, part.ci, '.4f')} ({shape_name(shape)})"


def _formula_chosen(found: Sequence[Judged]) -> str:
    """The formats in which the formula is better than the shipped table."""
    chosen = [
        shape_name(one.shape)
        for one in found
        if (table := TABLES.get(one.shape[2])) in one.rules
        and one.over_formula[table][-1].ci[0] > 0
    ]
    return "; ".join(chosen) or "none"


def _report(found: Sequence[Judged], events: int, seed: int) -> str:
    header, rows = _rows(found)
    tables = list(TABLES.values())
    lines = [
        "# Rules in formats that they were not made for",
        "",
        "![How much the errors of rules grow, by format](transfer.png)",
        "",
        "How many more ties a rule decides wrongly than a table that was trained for just that "
        "format (three passes, least squares), on the same events. *growth* is the difference of "
        "both shares with its 95 % interval over events, *over_formula* that to the formula's "
        "share. The figure shows all ties.",
        "",
        "The most that it is in one format, over all ties: "
        f"formula {_most(found, [FORMULA])}; "
        f"a shipped table {_most(found, tables)}; "
        f"product rule {_most(found, [PRODUCT])}.",
        "",
        f"* As many fresh events of a format as have as many teams as {events:,} events of "
        f"{_MIDDLE_TEAMS} (column *events*), at most {_MOST_JUDGED * events:,}, seed {seed}; teams "
        "of 1700 to 2800 in random seed order, in every format the same field.",
        f"* The shipped tables are {', '.join(tables)}; each is rescaled by match-point "
        "shares to the rounds. Where one is made for the format, it is the native table itself "
        "and its growth is 0.",
        f"* The other native tables are trained on as many events as have {_TEAM_EVENTS:,} teams, "
        f"at most {_MOST_TRAINED:,} (column *trained*), seed {seed}. A table of few events is "
        "itself a little worse than it could be, so a growth can be negative.",
        "* `learned` takes the formula where the interval of the shipped table's *over_formula* is "
        "above 0 in the judged format nearest to an event's (all ties), else the table. It takes "
        f"the formula near these of the formats: {_formula_chosen(found)}.",
        "* Rounds are fewer than teams here: double rounds are not judged.",
        "",
        *table(header, four_digits(rows)),
        "",
        "The same as [transfer.csv](transfer.csv), which the package contains: `learned` chooses "
        "by it, and notes of commands and printed tables are taken from it.",
    ]
    return "\n".join(lines) + "\n"
