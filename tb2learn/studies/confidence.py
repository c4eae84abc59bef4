"""Calibrate rules: fit how sure their orders are in some worlds, and judge that in others."""

from __future__ import annotations

import functools
import json
import operator
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tb2learn.assessment.by_ratings import stated_against_ratings
from tb2learn.assessment.calibration import (
    BINS,
    TOPS,
    MarginCounts,
    WorldReliability,
    count_margins,
    fit,
    margin_widths,
    price_of_sharing,
    reliability,
)
from tb2learn.catalogue import find_rule
from tb2learn.config import Config, load_config
from tb2learn.disk import files
from tb2learn.events import read_event
from tb2learn.report.figures_confidence import reliability_figure
from tb2learn.report.markdown import csv_table, interval_cells, table
from tb2learn.report.wording import rule_name
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress
from tb2learn.studies.report_folder import write_report_folder
from tb2learn.tiebreaks.confidence_map import Confidence, confidence_name
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError
from tb2learn.version import NUMBERS

REAL_EVENTS = ("baku2016", "batumi2018", "batumi2018w")
"""Events in which stated probabilities are held against ratings."""


@dataclass(frozen=True)
class Shipped:
    """Rules of one format whose confidence is shipped.

    **Fields:**

    - `rules`: their names.
    - `worlds`: the mixture that their maps are fitted in.
    - `others`: worlds outside the mixture in which the maps are judged.
    """

    rules: tuple[str, ...]
    worlds: tuple[str, ...]
    others: tuple[str, ...] = ()


def _passes(name: str) -> tuple[str, ...]:
    """A table in three passes, and those of fewer."""
    return name, f"{name}-pass1", f"{name}-pass2"


SHIPPED = (
    Shipped(
        (
            *(*_passes("learned-180x11"), "formula-180x11", "olympiad-180x11"),
            *("product", "least-squares", "fair-180x11", "rosters-180x11", "formula"),
        ),
        ("fitted-180x11", "seeded-180x11"),
        ("baku2016-field", "olympiad-180x11", "shock-180x11"),
    ),
    Shipped((*_passes("learned-38x9"), "formula-38x9", "formula"), ("learned-38x9", "seeded-38x9")),
    *(
        Shipped(
            (*_passes(f"learned-{boards}boards"), "formula"),
            (f"learned-{boards}boards", f"seeded-{boards}boards"),
        )
        for boards in (6, 8)
    ),
)
"""By format, that of the Olympiad first: there the mixture has rosters and games of Baku 2016."""


@dataclass(frozen=True)
class Calibration:
    """The confidence of a rule and how well it holds, world by world."""

    rule: Rule
    confidence: Confidence
    worlds: tuple[WorldReliability, ...]


def calibrate(
    names: Sequence[str],
    worlds: Sequence[str],
    others: Sequence[str],
    events: int,
    seed: int,
    progress: bool = False,
) -> list[Calibration]:
    """Fit the confidence of rules in a mixture of worlds and judge it on fresh events.

    **Arguments:**

    - `names`: of the rules.
    - `worlds`: configurations, each with the same number of events in the mixture.
    - `others`: further configurations to judge in.
    - `events`: of every world, to fit and again to judge: streams `CALIBRATE` and `ASSESS`.
    - `seed`: of both, and of the bootstrap.
    - `progress`: shows bars on standard error.

    **Raises:** `InputError` for worlds of different formats, or a rule for another one.
    """
    configs = [load_config(name) for name in dict.fromkeys([*worlds, *others])]
    event = configs[0].event
    for config in configs:
        if (config.event.rounds, config.event.boards) != (event.rounds, event.boards):
            raise InputError(
                f"worlds must have the same rounds and boards, {config.name} differs from "
                f"{configs[0].name}"
            )
    rules = [find_rule(name, event.rounds, event.boards, event.teams) for name in names]
    widths = margin_widths(configs[0], rules, seed)

    def counts(config: Config, purpose: Purpose, label: str) -> tuple[MarginCounts, ...]:
        shown = Progress(f"{label} {config.name}" if progress else None)
        return count_margins(config, rules, widths, EventRange(seed, purpose, events), shown)

    mixture = [counts(c, Purpose.CALIBRATE, "fit") for c in configs[: len(set(worlds))]]
    scales = [fit(functools.reduce(operator.add, parts)) for parts in zip(*mixture, strict=True)]
    judged = [counts(config, Purpose.ASSESS, "judge") for config in configs]
    found = []
    for number, (rule, scale) in enumerate(zip(rules, scales, strict=True)):
        rows = tuple(
            WorldReliability(
                config.name,
                index < len(mixture),
                reliability(parts[number], scale, seed),
                price_of_sharing(parts[number], scale),
            )
            for index, (config, parts) in enumerate(zip(configs, judged, strict=True))
        )
        about = _provenance(rows, events, seed)
        found.append(Calibration(rule, _confidence(rule, scale, about), rows))
    return found


def _confidence(rule: Rule, scale: np.ndarray, about: dict[str, Any]) -> Confidence:
    return Confidence(rule.name, rule.digest(), scale * rule.unit, rule.unit, about)


def _provenance(rows: Sequence[WorldReliability], events: int, seed: int) -> dict[str, Any]:
    judged = [
        {"world": row.name, "fitted": row.fitted, "top": one.top or "all", "ece": round(one.ece, 5),
         "ece_ci": [round(end, 5) for end in one.ece_ci]}
        for row in rows
        for one in row.judged
    ]  # fmt: skip
    return {
        "version": NUMBERS,
        "worlds": [row.name for row in rows if row.fitted],
        "events_per_world": events,
        "seed": seed,
        "judged": judged,
    }


def save_confidence(calibration: Calibration, folder: Path) -> Path:
    """Write the map to `confidence/` below the folder of the checkpoints; the path."""
    path = folder / "confidence" / f"{confidence_name(calibration.rule)}.json"
    files.write_text(path, calibration.confidence.to_json())
    return path


def write_report(folder: Path, found: Sequence[Calibration], events: int, seed: int) -> Path:
    """Write the report on calibrations.

    **Arguments:**

    - `folder`: gets `README.md`, `reliability.png`, `margins.csv`, `reliability.csv` and
      `confidence.json`.
    - `found`: as `calibrate` returns them; the picture shows the first.
    - `events`, `seed`: of the calibration.

    **Returns:** the path of the report.
    """
    tables = {
        "margins.csv": csv_table(*_margins(found)),
        "reliability.csv": csv_table(*_reliabilities(found)),
        "confidence.json": json.dumps([_as_json(one) for one in found], indent=1) + "\n",
    }
    figures = {"reliability.png": reliability_figure(found[0].worlds, found[0].confidence.rule)}
    return write_report_folder(folder, _report(found, events, seed), figures, tables)


def _report(found: Sequence[Calibration], events: int, seed: int) -> str:
    first = found[0]
    lines = [
        "# How sure is the order of two tied teams",
        "",
        "![Stated and observed probability](reliability.png)",
        "",
        "Of two teams on equal match points the one with the higher score is the better one with "
        "probability 1 / (1 + 10^(-margin / c)), one c a number of own match points.",
        "",
        f"* Fitted in the mixture of the worlds that the table marks, {events:,} events each, seed "
        f"{seed}; judged on as many fresh events of these worlds and of the others.",
        "* ECE, the expected calibration error, is the mean distance between the stated "
        f"probability and the share of right orders in {BINS} classes; with few pairs it is above "
        "0 even for a perfect map. Intervals are 95 % "
        "bootstrap intervals over events, without the surplus that resampling adds.",
        "",
        "## Expected calibration error, ties that touch the top 10",
        "",
        *table(*_errors(found)),
        "",
        f"## Margins of {rule_name(first.confidence.rule)}",
        "",
        "The smallest difference of two scores at which their order has a probability.",
        "",
        *table(*_margins(found[:1], plain=True)),
        "",
        f"## What it costs to leave coin flips tied ({rule_name(first.confidence.rule)})",
        "",
        "Pairs whose order is less probable than the threshold share their place. Top 10.",
        "",
        *table(*_prices(first)),
        "",
        *_real_section(first),
        "All numbers: [confidence.json](confidence.json), [reliability.csv](reliability.csv), "
        "[margins.csv](margins.csv).",
    ]
    return "\n".join(lines) + "\n"


def _real_section(one: Calibration, seed: int = 1) -> list[str]:
    """Stated probabilities against the ratings of real events, if they have the rule's format."""
    events = [read_event(name) for name in REAL_EVENTS]
    confidence = one.confidence
    own = find_rule(confidence.rule, events[0].rounds, events[0].boards)
    if own.digest() != confidence.digest:
        return []
    rows = stated_against_ratings(events, own, confidence, seed)
    header = ["stated", "pairs", "mean stated", "higher rated preferred", "from", "to"]
    cells = [
        (f"{r.low:.0%} to {r.high:.0%}", r.pairs, f"{r.stated:.3f}", *interval_cells(r.rated, r.ci))
        for r in rows
    ]
    return [
        f"## Real events ({rule_name(confidence.rule)})",
        "",
        f"All ties of {', '.join(REAL_EVENTS)}: how often the rule prefers the higher rated team, "
        "by how sure it is. Ratings are a noisy truth, so the shares stay below the probabilities "
        "even of a perfect map; and ratings were the seeds. Intervals: 95 %, teams resampled, seed "
        f"{seed}.",
        "",
        *table(header, cells),
        "",
    ]


def _errors(found: Sequence[Calibration]) -> tuple[list[str], list[tuple]]:
    header = ["rule", "world", "in the mixture", "ECE", "from", "to"]
    rows = [
        (
            rule_name(one.confidence.rule),
            world.name,
            "yes" if world.fitted else "no",
            *interval_cells(judged.ece, judged.ece_ci, ".4f"),
        )
        for one in found
        for world in one.worlds
        for judged in world.judged
        if judged.top == TOPS[0]
    ]
    return header, rows


def _margins(found: Sequence[Calibration], plain: bool = False) -> tuple[list[str], list[tuple]]:
    rows, header = [], []
    for one in found:
        frame = one.confidence.frame()
        header = ["own MP", *frame.columns[1:]] if plain else ["rule", *frame.columns]
        for values in frame.itertuples(index=False):
            cells = (values[0], *(f"{value:.4g}" for value in values[1:]))
            rows.append(cells if plain else (one.confidence.rule, *cells))
    return list(header), rows


def _reliabilities(found: Sequence[Calibration]) -> tuple[list[str], list[tuple]]:
    header = ["rule", "world", "top", "stated", "observed", "low", "high", "pairs"]
    rows = [
        (one.confidence.rule, world.name, judged.top or "all",
         *(f"{x:.4f}" for x in (judged.stated[k], judged.observed[k], *judged.observed_ci[:, k])),
         int(judged.pairs[k]))
        for one in found for world in one.worlds for judged in world.judged for k in range(BINS)
    ]  # fmt: skip
    return header, rows


def _prices(one: Calibration) -> tuple[list[str], list[tuple]]:
    header = ["world", "below", "left open", "wrong of the decided", "wrong of all",
              "right of those left open"]  # fmt: skip
    rows = [
        (world.name, f"{s.below:.0%}", *("-" if x != x else f"{x:.3f}" for x in (
            s.open, s.wrong, s.wrong_of_all, s.right_of_open)))
        for world in one.worlds for s in world.shared if s.top == TOPS[0]
    ]  # fmt: skip
    return header, rows


def _as_json(one: Calibration) -> dict[str, Any]:
    prices = [
        {"world": w.name} | {k: None if v != v else v for k, v in asdict(s).items()}
        for w in one.worlds
        for s in w.shared
    ]
    return {**json.loads(one.confidence.to_json()), "sharing": prices}
