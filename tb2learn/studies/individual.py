"""Individual events: the formula for one board, fitted and judged beside FIDE's tie-breaks.

`study_individual` also writes the constants that the package contains as
`data/formula_players.csv`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tb2learn.assessment.assess import Assessment, assess
from tb2learn.assessment.tally import ALL, ErrorRate
from tb2learn.catalogue import baseline, find_judged
from tb2learn.config import Config, EventFormat, FieldConfig, TrainConfig, load_config
from tb2learn.disk import files
from tb2learn.export.assessment import population
from tb2learn.report.figures_assessment import leaderboard_figure
from tb2learn.report.markdown import csv_table, interval_cells, table, with_interval
from tb2learn.report.wording import verdict
from tb2learn.simulation.run import Progress
from tb2learn.studies.formula import laws_csv, power_laws
from tb2learn.studies.report_folder import write_report_folder
from tb2learn.studies.shapes import Shape
from tb2learn.tiebreaks.formula_constants import FORMULA, closed_formula
from tb2learn.tiebreaks.library import DEEP
from tb2learn.tiebreaks.rules import Formula, Rule
from tb2learn.training.pairwise import fit_formula

FITTED: tuple[Shape, ...] = ((60, 7, 1), (100, 9, 1), (200, 9, 1))
"""Formats at which the formula is fitted: players, rounds, one board."""

WORLDS = ("open-60x7", "open-100x9", "open-200x9", "open-100x9-seeded", "individual-100x9")
"""Configurations in which the rules are judged; the first three have random seeds."""

_RANDOM = 3
_DRAWN = "open-100x9"

RULES = (FORMULA, DEEP, "least-squares", "buchholz", "sonneborn-berger", "wins")
"""What is judged beside the rule in use (Buchholz cut 1)."""

PROMISED = (FORMULA, DEEP)
"""The rules whose savings the report states."""


@dataclass(frozen=True)
class Fit:
    """The formula that was fitted to a format, and the closed form there."""

    shape: Shape
    native: Formula
    closed: Formula


def world(shape: Shape, trained: int, seed: int) -> Config:
    """Players of 1600 to 2500 in random seed order: the field that the formula is fitted to.

    **Arguments:** the format; the events of one descent and their seed.
    """
    players, rounds, boards = shape
    return Config(
        f"players-{players}x{rounds}",
        event=EventFormat(players, rounds, boards),
        field=FieldConfig(low=1600.0, high=2500.0, player_sd=0.0),
        train=TrainConfig("formula", trained, held_out=max(1, trained // 10), seed=seed),
    )


def study_individual(folder: Path, trained: int, events: int, seed: int) -> Path:
    """Fit the formula for one board at several formats, judge one closed form, write the report.

    **Arguments:**

    - `folder`: gets `README.md`, a figure, `formula_players.csv` (the closed form), `fits.csv` and
      `errors.csv`.
    - `trained`: events of one descent of a fit; descents follow until a plateau is reached.
    - `events`: assessment events of every world.
    - `seed`: of both, which use different streams, and of the bootstrap.

    **Returns:** the path of the report.
    """
    files.check_folder(folder.parent)
    natives = [
        (shape, fit_formula(world(shape, trained, seed), Progress(f"fit {shape[0]}x{shape[1]}"))[0])
        for shape in FITTED
    ]
    laws = power_laws([native for _, native in natives])
    fits = [Fit(shape, one, closed_formula(*shape[1:], laws)) for shape, one in natives]
    judged = []
    for name in WORLDS:
        config = load_config(name)
        judged.append(
            assess(config, _rules(config, laws), events, seed, progress=Progress(f"judge {name}"))
        )
    tables = {
        "formula_players.csv": laws_csv(laws, trained, seed),
        "fits.csv": csv_table(*_fit_rows(fits)),
        "errors.csv": csv_table(*_error_rows(judged, None)),
    }
    drawn = judged[WORLDS.index(_DRAWN)]
    figures = {"errors.png": leaderboard_figure(drawn)}
    text = _report(fits, judged, trained, events, seed)
    return write_report_folder(folder, text, figures, tables)


def _rules(config: Config, laws: dict) -> list:
    """The rule in use, then the others; the formula as it was just fitted."""
    found = find_judged(RULES, config)
    closed = closed_formula(config.event.rounds, config.event.boards, laws)
    return [closed if isinstance(one, Rule) and one.name == FORMULA else one for one in found]


def _fit_rows(fits: Sequence[Fit]) -> tuple[list[str], list[tuple]]:
    header = ["players", "rounds", "fitted a", "fitted k", "closed a", "closed k"]
    # a is a lead in points, half as many as match points; k, too, is points a point.
    rows = [
        (
            *one.shape[:2],
            *(f"{x / 2:.3g}" for x in (one.native.a, one.native.k, one.closed.a, one.closed.k)),
        )
        for one in fits
    ]
    return header, rows


def _error_rows(
    judged: Sequence[Assessment], tops: Sequence[int] | None
) -> tuple[list[str], list[tuple]]:
    header = ["world", "rule", "ties", "pairs", "wrong", "from", "to", "saved", "saved from",
              "saved to"]  # fmt: skip
    rows = [
        (
            one.config.name,
            row.rule,
            population(row.top),
            row.pairs,
            *interval_cells(row.error_rate, row.ci, ".4f"),
            *interval_cells(row.reduction, row.reduction_ci, ".3f"),
        )
        for one in judged
        for row in one.results
        if tops is None or row.top in tops
    ]
    return header, rows


def _found(judged: Sequence[Assessment], rule: str, top: int) -> list[tuple[str, ErrorRate]]:
    """By world the error rate of a rule on a population."""
    return [
        (one.config.name, row)
        for one in judged
        for row in one.results
        if row.rule == rule and row.top == top
    ]


def _percent(value: float, ends: tuple[float, float]) -> str:
    """A share and its interval in per cent."""
    low, high = ends
    return f"{with_interval(100 * value, (100 * low, 100 * high), '.1f')} %"


def _savings(judged: Sequence[Assessment]) -> list[str]:
    """What the promised rules save, world by world."""
    lines = []
    for rule in PROMISED:
        for top, who in ((ALL, "all ties"), (1, "ties for first place")):
            said = ", ".join(
                f"{_percent(row.reduction, row.reduction_ci)} in {name}"
                for name, row in _found(judged, rule, top)
            )
            lines.append(f"* {rule} saves of the errors of {baseline(1)}, {who}: {said}.")
    return lines


def _first_place(judged: Sequence[Assessment]) -> str:
    best = min(
        (row for one in judged[:_RANDOM] for row in one.results if row.top == 1),
        key=lambda row: row.error_rate,
    )
    return (
        "First place stays near a coin flip: with random seeds the best of all rules here decides "
        f"{_percent(best.error_rate, best.ci)} of the ties for first place wrongly ({best.rule})."
    )


def _report(
    fits: Sequence[Fit], judged: Sequence[Assessment], trained: int, events: int, seed: int
) -> str:
    none = [
        f"{rule} in {name}"
        for rule in PROMISED
        for name, row in _found(judged, rule, ALL)
        if verdict(row) != "fewer errors"
    ]
    lines = [
        "# Individual Swiss events",
        "",
        "![Error rates in open-100x9](errors.png)",
        "",
        "Which tie-break orders players on equal points by their true strength? The formula for "
        f"one board is fitted at {len(FITTED)} formats (players of 1600 to 2500, random seeds; "
        f"descents over {trained:,} events each until a plateau, seed {seed}); one closed form of "
        f"its two constants is judged on {events:,} fresh events of every world, with 95 % "
        f"intervals over events. *Saved*: share of the errors of {baseline(1)}, the rule in use. "
        f"{DEEP} is the pencil form: Buchholz median 1 in which an opponent counts as his points "
        "and an eighth of his Buchholz without the player himself. The configurations of the "
        "worlds are in configs/: in the first three seeds are random, in open-100x9-seeded they "
        "are 75 points off the truth, in individual-100x9 they are true.",
        "",
        *_savings(judged),
        "",
        _first_place(judged),
        "",
        f"No saving of all ties is shown for: {', '.join(none) or 'none'}.",
        "",
        *table(*_error_rows(judged, (1, ALL))),
        "",
        "All populations: [errors.csv](errors.csv).",
        "",
        "## The constants",
        "",
        "In points: a is the lead at which ten points to one are expected, k what a point above "
        "expectation is worth. The constants lie in a long flat valley, so that fits differ more "
        "than their errors do.",
        "",
        *table(*_fit_rows(fits)),
        "",
        "The same as [fits.csv](fits.csv); the closed form: "
        "[formula_players.csv](formula_players.csv).",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"
