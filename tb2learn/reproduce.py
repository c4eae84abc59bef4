"""The thesis's printed figures beside ours (M. Naray, ELTE Budapest, 2020).

Nothing here is fitted to a printed figure. What does not match is shown as not matching.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import jax.numpy as jnp
import numpy as np

from tb2learn import difficulty
from tb2learn.assess import REPEATS, TOPS, ErrorRate, Tally, assess, summarise
from tb2learn.config import Config
from tb2learn.data import read_table
from tb2learn.difficulty import DifficultyLog
from tb2learn.fit import fit_surface
from tb2learn.rng import Purpose
from tb2learn.simulate import EventRange, Progress
from tb2learn.standings import reduced_sum, weakest_item
from tb2learn.tables import product_table
from tb2learn.tabulate import surface_table

GROUPS = 20
"""The training events are split into this many groups for the jackknife intervals."""

FULL_SCALE = 88
"""The thesis multiplies its scores by 22 match points x 4 game points to compare with the old."""


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
    """One row of the error tables 4.4 to 4.7, with theirs judged as ours are."""

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
    """Everything `tb2learn reproduce thesis` prints."""

    config: Config
    assessed: int
    seed: int
    cells: tuple[Cell, ...]
    sums: tuple[Sum, ...]
    errors: tuple[Errors, ...]


def reproduce_thesis(
    config: Config, assessed: int, seed: int, progress: bool = False
) -> Reproduction:
    """Recompute Tables 4.4 to 4.9.

    **Arguments:**

    - `config`: the thesis's generator; `config.train` says how many events fill the log.
    - `assessed`, `seed`: events of the assessment, and its seed.
    - `progress`: shows progress bars.
    """
    log, groups = _grouped_log(config, "simulate" if progress else None)
    # The smooth surface of the same log plays the part of the thesis's scoring function: the raw
    # log has cells without a match.
    surface = fit_surface(log, log, config.surface, "fit" if progress else None).surface
    table = surface_table(surface, "difficulty score")
    product = product_table(config.event.rounds, config.event.boards)
    ours = assess(
        config,
        [product, table],
        assessed,
        seed,
        "thesis",
        "own",
        progress=Progress("assess" if progress else None),
    )
    return Reproduction(
        config=config,
        assessed=assessed,
        seed=seed,
        cells=tuple(_table_4_9(log, groups)),
        sums=tuple(_table_4_8(table.points)),
        errors=tuple(_error_tables(ours.results)),
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
    log = groups[0]
    for group in groups[1:]:
        log = difficulty.merge(log, group)
    return log, groups


def _table_4_9(log: DifficultyLog, groups: list[DifficultyLog]) -> Iterator[Cell]:
    ours = log.scores()[20]
    without = np.stack([replace(log, counts=log.counts - g.counts).scores()[20] for g in groups])
    spread = without - without.mean(axis=0)
    error = np.sqrt((len(groups) - 1) / len(groups) * (spread**2).sum(axis=0))
    for row in read_table("thesis", "table_4_9_surface_own20.csv"):
        opponent, half_points = int(row["opp_mp"]), round(2 * float(row["gp"]))
        yield Cell(
            opponent,
            half_points,
            float(row["new_c"]),
            float(ours[opponent, half_points]),
            float(error[opponent, half_points]),
        )


def _table_4_8(points: np.ndarray) -> Iterator[Sum]:
    printed = {
        (int(row["opp_mp"]), round(2 * float(row["gp"]))): float(row["new_c"])
        for row in read_table("thesis", "table_4_9_surface_own20.csv")
    }
    rows = read_table("thesis", "table_4_8_usa_ukraine.csv")
    # The sums the thesis prints under the table.
    for team, total in {"USA": 452.6, "Ukraine": 455.5}.items():
        games = [(int(r["opp_mp"]), round(2 * float(r["gp"]))) for r in rows if r["team"] == team]
        recomputed = _reduced(games, np.array([round(1e4 * printed[g]) for g in games]))
        ours = _reduced(games, np.array([points[20][g] for g in games]))
        yield Sum(team, total, FULL_SCALE * recomputed / 1e4, FULL_SCALE * ours / points.max())


def _reduced(games: list[tuple[int, int]], values: np.ndarray) -> int:
    opponents = jnp.array([opponent for opponent, _ in games])
    items = jnp.asarray(values)
    weakest = weakest_item(opponents, items, jnp.zeros(len(games), bool))
    return int(reduced_sum(items, weakest))


def _error_tables(ours: tuple[ErrorRate, ...]) -> Iterator[Errors]:
    rows = read_table("thesis", "tables_4_4_to_4_7_runs.csv")
    runs = sorted({int(row["run"]) for row in rows})
    at = {(int(row["top_n"]), int(row["run"])): row for row in rows}

    def column(kind: str) -> np.ndarray:
        return np.array([[int(at[top, run][kind]) for top in TOPS[:-1]] for run in runs])

    wrong = np.stack([column("old_wrong"), column("new_wrong")], axis=1)
    pairs = column("old_wrong") + column("old_correct")
    printed = summarise(Tally(("product", "difficulty score"), pairs, wrong, 1, None), seed=0)
    for theirs in sorted(printed, key=lambda r: r.top):
        (mine,) = (r for r in ours if (r.rule, r.top) == (theirs.rule, theirs.top))
        yield Errors(theirs.top, theirs.rule, theirs, mine)


def as_text(result: Reproduction) -> str:
    """The reproduction as Markdown that also reads well in a terminal."""
    plan = result.config.train
    found = [c for c in result.cells if np.isfinite(c.ours)]
    gaps = np.array([c.ours - c.printed for c in found])
    largest = found[int(np.argmax(np.abs(gaps)))]
    lines = [
        "# The thesis's printed figures, recomputed",
        "",
        f"Configuration {result.config.name}: {plan.events} events, seed {plan.seed}, "
        f"{plan.law} law; assessment {result.assessed} events, seed {result.seed}.",
        "",
        "## Table 4.9: the scoring function at own MP 20",
        "",
        f"{len(found)} cells; mean difference {gaps.mean():+.4f}, mean absolute difference "
        f"{np.abs(gaps).mean():.4f}, largest {largest.ours - largest.printed:+.4f} at opponent MP "
        f"{largest.opponent}, GP {largest.half_points / 2:g}.",
        f"{len(result.cells) - len(found)} printed cells have no match in our log. "
        "Each entry: printed, ours +- 1.96 standard errors (events; the printed figures have a "
        "sampling error of their own, of a few hundred matches a cell).",
        "",
    ]
    halves = sorted({c.half_points for c in result.cells})
    at = {(c.opponent, c.half_points): c for c in result.cells}
    lines.append("| opp MP | " + " | ".join(f"GP {h / 2:g}" for h in halves) + " |")
    lines.append("|---" * (len(halves) + 1) + "|")
    for opponent in sorted({c.opponent for c in result.cells}):
        row = [at[opponent, h] for h in halves]
        cells = [
            f"{c.printed:.3f} {c.ours:.3f}+-{1.96 * c.error:.3f}"
            if np.isfinite(c.ours)
            else f"{c.printed:.3f} none"
            for c in row
        ]
        lines.append(f"| {opponent} | " + " | ".join(cells) + " |")
    lines += [
        "",
        "## Table 4.8: Baku 2016, first place",
        "",
        "| team | printed | from the printed surface | from our surface |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {s.team} | {s.printed:.1f} | {s.from_printed_surface:.4f} | {s.ours:.1f} |"
        for s in result.sums
    ]
    lines += [
        "",
        "## Tables 4.4 to 4.7: share of ties decided wrongly (thesis protocol, own lists, "
        f"{REPEATS} repeats)",
        "",
        "95 % bootstrap intervals over events: 20 printed ones, ours as above. "
        "'Matches' says whether the two intervals overlap.",
        "",
        "| top | rule | printed | ours | our pairs | reduction printed | ours | matches |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in result.errors:
        lines.append(
            f"| {row.top} | {row.rule} | {_rate(row.printed.error_rate, row.printed.ci)} "
            f"| {_rate(row.ours.error_rate, row.ours.ci)} | {row.ours.pairs} "
            f"| {_rate(row.printed.reduction, row.printed.reduction_ci)} "
            f"| {_rate(row.ours.reduction, row.ours.reduction_ci)} "
            f"| {'yes' if row.matches else 'NO'} |"
        )
    return "\n".join(lines) + "\n"


def _rate(value: float, interval: tuple[float, float]) -> str:
    return f"{value:.4f} [{interval[0]:.4f}, {interval[1]:.4f}]"
