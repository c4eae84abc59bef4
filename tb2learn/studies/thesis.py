"""The printed figures of the thesis (M. Naray, ELTE Budapest, 2020), recomputed.

Nothing is fitted to the printed figures; differences are shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import jax.numpy as jnp
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.assessment.assess import assess
from tb2learn.assessment.tally import TOPS, ErrorRate, Tally, summarise
from tb2learn.assessment.thesis_protocol import REPEATS
from tb2learn.chess.results import reduced_sum, weakest_item
from tb2learn.config import Config
from tb2learn.data import load_table
from tb2learn.disk import files
from tb2learn.report.markdown import csv_table, interval_cells, table
from tb2learn.report.style import COLOURS, blank_figure, dress, figure_png
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress
from tb2learn.studies.thesis_null import MATCHES, OWN, FewTeams, few_teams
from tb2learn.tiebreaks.rules import product_table
from tb2learn.training import difficulty
from tb2learn.training.difficulty_log import DifficultyLog
from tb2learn.training.surface_fit import fit_surface
from tb2learn.training.tabulate import surface_table

GROUPS = 20
"""Groups of training events for the jackknife intervals."""

FULL_SCALE = 88
"""The thesis scales its scores by 22 match points x 4 game points to compare with the old rule."""


@dataclass(frozen=True)
class Cell:
    """One cell of Table 4.9: the new scoring function at own match points 20."""

    opponent: int
    half_points: int
    printed: float
    ours: float
    error: float  # standard error of ours, delete-a-group jackknife over events


@dataclass(frozen=True)
class Sum:
    """One team's column of Table 4.8."""

    team: str
    printed: float
    from_printed_surface: float
    ours: float


@dataclass(frozen=True)
class Errors:
    """One row of the error tables 4.4 to 4.7, printed and ours."""

    top: int
    rule: str
    printed: ErrorRate
    ours: ErrorRate

    @property
    def matches(self) -> bool:
        """Whether the two 95 % intervals overlap."""
        (a, b), (c, d) = self.printed.ci, self.ours.ci
        return a <= d and c <= b


@dataclass(frozen=True)
class Reproduction:
    """All that `tb2learn reproduce thesis` prints."""

    config: Config
    assessed: int
    seed: int
    cells: tuple[Cell, ...]
    sums: tuple[Sum, ...]
    errors: tuple[Errors, ...]
    nulls: tuple[FewTeams, ...] = ()  # what Table 4.9 would deviate by if only its log were small


def reproduce_thesis(
    config: Config, assessed: int, seed: int, progress: bool = False
) -> Reproduction:
    """Recompute Tables 4.4 to 4.9.

    **Arguments:**

    - `config`: the thesis's generator; `config.train` says how many events fill the log.
    - `assessed`, `seed`: number of events of the assessment, and its seed.
    - `progress`: whether to show progress bars.
    """
    log, groups = _grouped_log(config, "simulate" if progress else None)
    # The smooth surface of the same log stands for the scoring function of the thesis, as the raw
    # log has cells without a match.
    surface = fit_surface(log, log, config.surface, "fit" if progress else None).surface
    learned = surface_table(surface, "difficulty score")
    product = product_table(config.event.rounds, config.event.boards)
    ours = assess(
        config,
        [product, learned],
        assessed,
        seed,
        "thesis",
        "own",
        progress=Progress("assess" if progress else None),
    )
    cells = tuple(_table_4_9(log, groups))
    observed = float(np.nanmean([abs(cell.ours - cell.printed) for cell in cells]))
    opponents = sorted({cell.opponent for cell in cells})
    label = "few teams" if progress else None
    return Reproduction(
        config=config,
        assessed=assessed,
        seed=seed,
        cells=cells,
        sums=tuple(_table_4_8(learned.points)),
        errors=tuple(_error_tables(ours.results)),
        nulls=few_teams(config, log.scores()[OWN], opponents, observed, seed, label),
    )


def _grouped_log(config: Config, label: str | None) -> tuple[DifficultyLog, list[DifficultyLog]]:
    size = -(-config.train.events // GROUPS)
    groups = [
        difficulty.collect(
            config,
            EventRange(config.train.seed, Purpose.TRAIN, size, g * size),
            progress=Progress(label and f"{label} {g + 1}/{GROUPS}"),
        )
        for g in range(GROUPS)
    ]
    whole = EventRange(config.train.seed, Purpose.TRAIN, size * GROUPS)
    counts = sum(group.counts for group in groups)
    return replace(groups[0], counts=counts, events=whole), groups


def _table_4_9(log: DifficultyLog, groups: list[DifficultyLog]) -> Iterator[Cell]:
    ours = log.scores()[OWN]
    without = np.stack([replace(log, counts=log.counts - g.counts).scores()[OWN] for g in groups])
    spread = without - without.mean(axis=0)
    error = np.sqrt((len(groups) - 1) / len(groups) * (spread**2).sum(axis=0))
    for row in load_table("thesis", "table_4_9_surface_own20.csv").itertuples():
        opponent, half_points = int(row.opp_mp), round(2 * row.gp)
        yield Cell(
            opponent,
            half_points,
            row.new_c,
            float(ours[opponent, half_points]),
            float(error[opponent, half_points]),
        )


def _table_4_8(points: np.ndarray) -> Iterator[Sum]:
    printed = {
        (row.opp_mp, round(2 * row.gp)): row.new_c
        for row in load_table("thesis", "table_4_9_surface_own20.csv").itertuples()
    }
    table = load_table("thesis", "table_4_8_usa_ukraine.csv")
    # The sums that the thesis prints below the table.
    for team, total in {"USA": 452.6, "Ukraine": 455.5}.items():
        rows = table[table.team == team].itertuples()
        games = [(int(row.opp_mp), round(2 * row.gp)) for row in rows]
        recomputed = _reduced(games, np.array([round(1e4 * printed[g]) for g in games]))
        ours = _reduced(games, np.array([points[OWN][g] for g in games]))
        yield Sum(team, total, FULL_SCALE * recomputed / 1e4, FULL_SCALE * ours / points.max())


def _reduced(games: list[tuple[int, int]], values: np.ndarray) -> int:
    opponents = jnp.array([opponent for opponent, _ in games])
    items = jnp.asarray(values)
    weakest = weakest_item(opponents, items, jnp.zeros(len(games), bool))
    return int(reduced_sum(items, weakest))


def _error_tables(ours: tuple[ErrorRate, ...]) -> Iterator[Errors]:
    table = load_table("thesis", "tables_4_4_to_4_7_runs.csv")

    def column(kind: str) -> np.ndarray:
        return table.pivot(index="run", columns="top_n", values=kind)[list(TOPS[:-1])].to_numpy(int)

    wrong = np.stack([column("old_wrong"), column("new_wrong")], axis=1)
    pairs = column("old_wrong") + column("old_correct")
    printed = summarise(Tally(("product", "difficulty score"), pairs, wrong, 1, None), seed=0)
    for theirs in sorted(printed, key=lambda r: r.top):
        (mine,) = (r for r in ours if (r.rule, r.top) == (theirs.rule, theirs.top))
        yield Errors(theirs.top, theirs.rule, theirs, mine)


def write_report(result: Reproduction, path: Path) -> Path:
    """Write the reproduction as Markdown; its figure and the cells as CSV go beside it.

    **Arguments:**

    - `result`: what was recomputed.
    - `path`: of the Markdown file.

    **Returns:** `path`.
    """
    files.write_bytes(path.with_suffix(".png"), figure_png(errors_figure(result)))
    files.write_text(path.with_suffix(".csv"), cells_csv(result))
    files.write_text(path, as_text(result, path.stem))
    return path


def cells_csv(result: Reproduction) -> str:
    """Table 4.9 as CSV: printed, ours and its standard error; empty where our log has no match."""
    return csv_table(
        ("opponent_mp", "gp", "printed", "ours", "standard_error"),
        [
            (
                *(cell.opponent, cell.half_points / 2, cell.printed),
                *(
                    round(value, 5) if np.isfinite(value) else None
                    for value in (cell.ours, cell.error)
                ),
            )
            for cell in result.cells
        ],
    )


def errors_figure(result: Reproduction) -> Figure:
    """Tables 4.4 to 4.7: printed and ours with 95 % intervals, one panel per rule."""
    rules = list(dict.fromkeys(row.rule for row in result.errors))
    figure = blank_figure(9.0, 3.6)
    panels = figure.subplots(1, len(rules), sharey=True, squeeze=False)[0]
    for panel, rule in zip(panels, rules, strict=True):
        rows = [row for row in result.errors if row.rule == rule]
        _draw_errors(panel, [row.printed for row in rows], -0.1, COLOURS[1], "printed")
        _draw_errors(panel, [row.ours for row in rows], 0.1, COLOURS[0], "ours")
        dress(panel, rule, "", "")
        panel.set_xticks(range(len(rows)), [f"top {row.top}" for row in rows])
        panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    panels[0].set_ylabel("ties decided wrongly")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def _draw_errors(panel: Axes, rows: list[ErrorRate], shift: float, colour: str, label: str) -> None:
    across = np.arange(len(rows)) + shift
    panel.plot(across, [row.error_rate for row in rows], "o", color=colour, label=label)
    for x, row in zip(across, rows, strict=True):
        panel.vlines(x, *row.ci, color=colour, linewidth=2)


def as_text(result: Reproduction, stem: str = "") -> str:
    """The reproduction as Markdown that also reads well in a terminal.

    **Arguments:**

    - `result`: what was recomputed.
    - `stem`: of the names of the figure and the CSV file; without it the text links to neither.
    """
    plan = result.config.train
    lines = ["# The thesis's printed figures, recomputed", ""]
    if stem:
        lines += [f"![Ties decided wrongly, printed and ours]({stem}.png)", ""]
    lines += [
        f"Configuration {result.config.name}: {plan.events} events, seed {plan.seed}, "
        f"{plan.law} law; assessment {result.assessed} events, seed {result.seed}.",
        "",
        "## Tables 4.4 to 4.7: share of ties decided wrongly",
        "",
        *_errors_text(result),
        "",
        "## Table 4.8: Baku 2016, first place",
        "",
        *table(
            ("team", "printed", "from the printed surface", "from our surface"),
            [
                (s.team, f"{s.printed:.1f}", f"{s.from_printed_surface:.4f}", f"{s.ours:.1f}")
                for s in result.sums
            ],
        ),
        *_order_text(result),
        "",
        "## Table 4.9: the scoring function at own MP 20",
        "",
        *_cells_text(result),
        *_null_text(result),
    ]
    if stem:
        lines += ["", f"Every cell with its standard error: [{stem}.csv]({stem}.csv)."]
    return "\n".join(lines) + "\n"


def _order_text(result: Reproduction) -> list[str]:
    """Whether our surface orders the teams of Table 4.8 as the printed one does."""
    printed, ours = (
        [s.team for s in sorted(result.sums, key=key)]
        for key in (lambda s: -s.printed, lambda s: -s.ours)
    )
    if printed == ours:
        return ["", f"Under our surface the order is the printed one: {', '.join(ours)}."]
    return [
        "",
        f"Under our surface the order reverses: {', '.join(ours)}, where the thesis prints "
        f"{', '.join(printed)}. The printed order rests on a log of few teams (Table 4.9).",
    ]


def _null_text(result: Reproduction) -> list[str]:
    """What deviation few teams in the log would make alone."""
    if not result.nulls:
        return []
    rows = [
        (few.teams, *interval_cells(few.median, few.ci, ".4f"), f"{few.above:.0%}")
        for few in result.nulls
    ]
    return [
        "",
        f"The thesis's log has few teams on {OWN} match points. Logs of so many such teams, drawn "
        f"from our own generator with {MATCHES} matches a pair, lie off the log of all teams by "
        "this mean absolute difference (median, and the middle 95 % of the drawn logs); the last "
        "column is the share of drawn logs that lie farther off than the printed figures.",
        "",
        *table(("teams", "median", "from", "to", "farther off"), rows),
    ]


def _errors_text(result: Reproduction) -> list[str]:
    rates, reductions = [], []
    for row in result.errors:
        printed, ours = row.printed, row.ours
        rates.append(
            (
                *(row.top, row.rule, *interval_cells(printed.error_rate, printed.ci, ".4f")),
                *interval_cells(ours.error_rate, ours.ci, ".4f"),
                *(ours.pairs, "yes" if row.matches else "NO"),
            )
        )
        if row.rule != result.errors[0].rule:
            reductions.append(
                (
                    row.top,
                    *interval_cells(printed.reduction, printed.reduction_ci, ".4f"),
                    *interval_cells(ours.reduction, ours.reduction_ci, ".4f"),
                )
            )
    both = ("printed", "from", "to", "ours", "from", "to")
    return [
        f"Thesis protocol, own lists, {REPEATS} repeats. 95 % bootstrap intervals over events: 20 "
        "events for the printed figures, those above for ours. *Matches* says only whether the two "
        "intervals overlap: 20 events make wide intervals, and yes does not mean equal.",
        "",
        *table(("top", "rule", *both, "our pairs", "matches"), rates),
        "",
        "Reduction of the errors by the new rule:",
        "",
        *table(("top", *both), reductions),
    ]


def _cells_text(result: Reproduction) -> list[str]:
    """Differences of the cells, summarised by result."""
    found = [cell for cell in result.cells if np.isfinite(cell.ours)]
    gaps = np.array([cell.ours - cell.printed for cell in found])
    largest = found[int(np.argmax(np.abs(gaps)))]
    rows = []
    for half_points in sorted({cell.half_points for cell in found}):
        some = [cell for cell in found if cell.half_points == half_points]
        apart = np.array([cell.ours - cell.printed for cell in some])
        beyond = sum(abs(c.ours - c.printed) > 1.96 * c.error for c in some)
        widest = apart[int(np.argmax(np.abs(apart)))]
        rows.append(
            (
                *(f"{half_points / 2:g}", len(some), f"{apart.mean():+.4f}"),
                *(f"{np.abs(apart).mean():.4f}", f"{widest:+.4f}", beyond),
            )
        )
    return [
        f"{len(found)} cells; mean difference {gaps.mean():+.4f}, mean absolute difference "
        f"{np.abs(gaps).mean():.4f}, largest {largest.ours - largest.printed:+.4f} at opponent MP "
        f"{largest.opponent}, GP {largest.half_points / 2:g}.",
        f"{len(result.cells) - len(found)} printed cells have no match in our log. Differences are "
        "ours minus printed. *Beyond* counts cells that differ by more than 1.96 of our standard "
        "errors over events; the printed figures have sampling errors too, from a few hundred "
        "matches per cell.",
        "",
        *table(("GP", "cells", "mean", "mean absolute", "largest", "beyond"), rows),
    ]
