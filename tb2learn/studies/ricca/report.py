"""The report of Ricca's study of tie-breaks, repeated in our events.

It compares his figures with ours. It is written from the JSON file alone (`render`), so that it can
be written again without simulating.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from tb2learn.config import Config, load_config
from tb2learn.disk import files
from tb2learn.report.markdown import csv_table, table
from tb2learn.stats.bootstrap import interval
from tb2learn.studies.claims import agreement_table
from tb2learn.studies.report_folder import write_report_folder
from tb2learn.studies.ricca.claims import (
    CLAIMS,
    INDIVIDUAL,
    TEAMS,
    agreements,
    held,
    single_names,
    worse_than_tied,
)
from tb2learn.studies.ricca.criteria import WHAT_A_VALUE_IS
from tb2learn.studies.ricca.differences import differences_text
from tb2learn.studies.ricca.evaluation import (
    ALL_CRITERIA,
    LOTS,
    POPULATIONS,
    RANDOM,
    SHORT,
    SINGLE,
    TEAM_RULES,
    TRUE,
    Evaluation,
    evaluate,
    ladder,
    ricca_names,
)
from tb2learn.studies.ricca.figures import cell_of, dot_figure, heat_figure
from tb2learn.studies.ricca.published import (
    SampleCell,
    is_possible,
    ricca_between,
    ricca_values,
    sample_event,
)


def study_tiebreaks(out: Path, events: int, seed: int) -> Path:
    """Simulate, evaluate and compare, and write the report.

    **Arguments:**

    - `out`: folder of `README.md`, the figures, `tiebreaks.json` and `values.csv`.
    - `events`: number of events of each kind.
    - `seed`: of all random numbers.

    **Returns:** the path of the report.
    """
    files.check_folder(out)
    kinds = {kind: load_config(name) for kind, name in INDIVIDUAL.items()}
    for config in (random_seeds(kinds["100-9"]), load_config(TEAMS)):
        kinds[config.name] = config
    evaluations = [
        evaluate(
            kind,
            config,
            (*ricca_names(), *(TEAM_RULES if config.event.boards > 1 else ())),
            events,
            seed,
            label=config.name,
        )
        for kind, config in kinds.items()
    ]
    content = as_json(evaluations, sample_event(), events, seed)
    files.write_text(out / "tiebreaks.json", json.dumps(content) + "\n")
    return render(out)


def render(out: Path) -> Path:
    """Write the report, its figures and `values.csv` from `tiebreaks.json` in the same folder.

    **Returns:** the path of the report.
    """
    content = json.loads((out / "tiebreaks.json").read_text("utf-8"))
    figures = {}
    for population in POPULATIONS:
        figures[f"heat-{population}.png"] = heat_figure(content, population)
        figures[f"tiebreaks-{population}.png"] = dot_figure(content, population)
    text = as_text(content, sample_event())
    return write_report_folder(out, text, figures, {"values.csv": values_csv(content)})


def random_seeds(config: Config) -> Config:
    """The configuration with random seeds; Ricca seeds by true strength."""
    field = replace(config.field, seed_noise=math.inf)
    return replace(config, name=f"{config.name}-random-seeds", field=field)


# --------------------------------------------------------------------------- JSON


def as_json(
    evaluations: Sequence[Evaluation], sample: Sequence[SampleCell], events: int, seed: int
) -> dict[str, Any]:
    """All results as JSON, with his figures beside ours."""
    return {
        "events": events,
        "seed": seed,
        "populations": list(POPULATIONS),
        "criteria": list(ALL_CRITERIA),
        "kinds": [_kind_json(evaluation) for evaluation in evaluations],
        "claims": [asdict(held(claim, evaluations)) for claim in CLAIMS],
        "sample": {
            "figures": len(sample),
            "possible": sum(cell.possible for cell in sample),
            "recomputed": [asdict(cell) for cell in sample if cell.ours is not None],
        },
    }


def _kind_json(evaluation: Evaluation) -> dict[str, Any]:
    """One kind: arrays by population, tie-break and criterion; null for what he does not print."""
    his, between = ricca_values(), ricca_between()
    low, high = interval(evaluation.resampled)
    kind = evaluation.kind
    return {
        "kind": kind,
        "config": evaluation.config.name,
        "players": dict(zip(POPULATIONS, evaluation.players.tolist(), strict=True)),
        "tie_breaks": list(evaluation.tiebreaks),
        "value": _rounded(evaluation.values),
        "low": _rounded(low),
        "high": _rounded(high),
        "ricca": [
            [[his.get((kind, p, name, c)) for c in ALL_CRITERIA] for name in evaluation.tiebreaks]
            for p in POPULATIONS
        ],
        "between": {
            "value": _rounded(evaluation.between),
            "low": _rounded(evaluation.between_ci[0]),
            "high": _rounded(evaluation.between_ci[1]),
            "ricca": [[between.get((kind, a, b)) for b in ALL_CRITERIA] for a in ALL_CRITERIA],
        },
        "agreement": [asdict(one) for one in agreements(evaluation)],
        "worse_than_tied": worse_than_tied(evaluation, "all", TRUE),
    }


def _rounded(values: np.ndarray) -> list:
    return np.round(values, 5).tolist()


def values_csv(content: Mapping[str, Any]) -> str:
    """All values as CSV, one row per kind, population, tie-break and criterion."""
    parts = ("value", "low", "high", "ricca")
    return csv_table(
        ("kind", "population", "tie_break", "criterion", *parts),
        [
            (
                *(kind["config"], population, name, criterion),
                *(cell_of(kind, population, name, criterion, part) for part in parts),
            )
            for kind in content["kinds"]
            for population in POPULATIONS
            for name in kind["tie_breaks"]
            for criterion in ALL_CRITERIA
        ],
    )


# --------------------------------------------------------------------------- text


def as_text(content: Mapping[str, Any], sample: Sequence[SampleCell]) -> str:
    """The study as Markdown.

    **Arguments:**

    - `content`: the result of `as_json`.
    - `sample`: his sample event.
    """
    lines = [
        "# Which tie-break is best: R. Ricca's study in our events",
        "",
        "![Tie-breaks by criteria, all players](heat-all.png)",
        "",
        *_summary(content, sample),
        "",
        f"{WHAT_A_VALUE_IS} *RANDOM* is a draw of lots, as a tie-break and as a criterion. *TRUE* "
        "is the order of the expected scores in a round robin, which only a simulation knows.",
        "",
        f"{content['events']:,} events of each kind, seed {content['seed']}; intervals are 95 % "
        "bootstrap intervals over events. Made by `tb2learn study tiebreaks`. All values with "
        "intervals are in [values.csv](values.csv), these and all comparisons in "
        "[tiebreaks.json](tiebreaks.json). Ricca's figures are those of *Looking for the best "
        "tie-break* (FIDE Technical Commission, 2016), means over 5,000 events of each kind "
        "(`tb2learn/data/ricca/`).",
        "",
    ]
    sections: tuple[tuple[str, Callable[[], list[str]]], ...] = (
        ("Single tie-breaks", lambda: _values_text(content)),
        ("Combinations of tie-breaks", lambda: _combinations_text(content)),
        ("His order of the tie-breaks and ours", lambda: _agreement_text(content)),
        ("His conclusions", lambda: _claims_text(content)),
        ("The criteria against each other", lambda: _between_text(content)),
        ("His sample event", lambda: _sample_text(sample)),
        ("How his study and ours differ", lambda: differences_text(content)),
    )
    for title, section in sections:
        lines += [f"## {title}", "", *section(), ""]
    return "\n".join(lines)


def _summary(content: Mapping[str, Any], sample: Sequence[SampleCell]) -> list[str]:
    """The main findings: a short table, then sentences."""
    compared = [one for kind in content["kinds"] for one in kind["agreement"]]
    taus, levels = ([one[field] for one in compared] for field in ("tau", "level"))
    same, unclear, opposite = (
        sum(one[field] for one in compared) for field in ("same", "open", "opposite")
    )
    right = sum(cell.ours == cell.printed for cell in sample)
    known = sum(cell.ours is not None for cell in sample)
    rows = [
        (kind["config"], *_best(kind), ", ".join(kind["worse_than_tied"]))
        for kind in content["kinds"]
    ]
    return [
        "The single tie-breaks that are nearest to the true order among all players, and those "
        "that are worse than leaving players tied, which gives about 0.71 of the value of lots:",
        "",
        *table(("kind of event", "nearest", "second", "third", "worse than ties"), rows),
        "",
        f"* He orders {same + unclear + opposite:,} pairs of single tie-breaks (all kinds, "
        f"populations and criteria). In our events {same:,} of them have the same order and "
        f"{opposite:,} the opposite one; {unclear:,} are undecided. Kendall's tau of his columns "
        f"and ours is {min(taus):.2f} to {max(taus):.2f}, median {np.median(taus):.2f}.",
        f"* Our values are {min(levels):.2f} to {max(levels):.2f} times his (geometric mean of a "
        "column).",
        f"* Of his sample event {right} of the {known} figures that follow from his tables are "
        "reproduced to four decimals; the others need its games, which he does not print.",
    ]


def _best(kind: Mapping[str, Any]) -> list[str]:
    """The three best single tie-breaks by the true order."""
    names = single_names(kind["tie_breaks"])
    values = {name: cell_of(kind, "all", name, TRUE, "value") for name in names}
    return sorted(values, key=values.__getitem__)[:3]


def _values_text(content: Mapping[str, Any]) -> list[str]:
    names = dict.fromkeys(
        name for kind in content["kinds"] for name in single_names(kind["tie_breaks"])
    )
    return [
        "By the true order, among all players:",
        "",
        *_by_kind(content, names),
        "",
        "By every criterion, with intervals; his values are hollow:",
        "",
        "![Tie-breaks with intervals, all players](tiebreaks-all.png)",
        "",
        "The same among the top scorers:",
        "",
        "![Tie-breaks with intervals, top scorers](tiebreaks-top33.png)",
        "",
        "![Tie-breaks by criteria, top scorers](heat-top33.png)",
    ]


def _combinations_text(content: Mapping[str, Any]) -> list[str]:
    kinds = content["kinds"]
    names = dict.fromkeys(name for kind in kinds for name in kind["tie_breaks"])
    combined = [name for name in names if len(ladder(name)) > 1]

    def share(name: str) -> float:
        return sum(
            cell_of(kind, "all", name, TRUE, "value") / cell_of(kind, "all", RANDOM, TRUE, "value")
            for kind in kinds
        )

    best = sorted(combined, key=share)[:_COMBINATIONS]
    steps = ", ".join(f"{short} {name}" for short, name in SHORT.items())
    return [
        f"The {len(best)} of {len(combined)} combinations that are nearest to the true order among "
        f"all players, on average over the kinds. Abbreviations: {steps}; {LOTS} draws lots among "
        f"those still tied. COMPLETE is {SINGLE['COMPLETE']}.",
        "",
        *_by_kind(content, best),
    ]


_COMBINATIONS = 8
"""How many combinations are shown."""


def _by_kind(content: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Values by the true order among all players: one row per tie-break, one column per kind."""

    def shown(kind: Mapping[str, Any], name: str) -> str | None:
        known = name in kind["tie_breaks"]
        return f"{cell_of(kind, 'all', name, TRUE, 'value'):.3f}" if known else None

    kinds = content["kinds"]
    rows = [(name, *(shown(kind, name) for kind in kinds)) for name in names]
    return table(("tie-break", *(kind["config"] for kind in kinds)), rows)


def _agreement_text(content: Mapping[str, Any]) -> list[str]:
    return [
        "All pairs of his 14 single tie-breaks by his five criteria. *Same*: the interval of our "
        "difference confirms his order; *open*: it includes zero; *opposite*: it shows the "
        "opposite order. *Tau* is Kendall's tau of his column and ours for one criterion; *level* "
        "is the geometric mean of our values divided by his.",
        "",
        *agreement_table(
            [(kind["config"], kind["agreement"]) for kind in content["kinds"]], POPULATIONS
        ),
    ]


def _claims_text(content: Mapping[str, Any]) -> list[str]:
    header = (
        *("he says", "first", "second", "his columns", "of which say so"),
        *("shown", "open", "opposite", "true: shown", "open", "opposite"),
    )
    return [
        "A column is a kind, a population and one of his five criteria. *Shown*, *open* and "
        "*opposite* count the columns in which our intervals show his conclusion, decide nothing, "
        "and show the opposite; *true*: the same by the true order, with one column per kind and "
        "population.",
        "",
        *table(
            header,
            [
                (
                    *(found["claim"]["text"], found["claim"]["methods"][0]),
                    *(found["claim"]["others"][0], found["his"][1], found["his"][0]),
                    *(*found["ours"][0], *found["true"][0]),
                )
                for found in content["claims"]
            ],
        ),
    ]


def _between_text(content: Mapping[str, Any]) -> list[str]:
    rows = []
    for i, first in enumerate(ALL_CRITERIA):
        for j, second in enumerate(ALL_CRITERIA[:i]):
            values = [kind["between"]["value"][i][j] for kind in content["kinds"]]
            rows.append((first, second, *(f"{value:.3f}" for value in values)))
    return [
        "Root mean square difference of the places by two criteria among all players, without "
        "regard to points.",
        "",
        *table(("criterion", "and", *(kind["config"] for kind in content["kinds"])), rows),
    ]


def _sample_text(sample: Sequence[SampleCell]) -> list[str]:
    shown = [cell for cell in sample if cell.ours is not None]
    matched = sum(cell.ours == cell.printed for cell in shown)
    lost = len(sample) - len(shown)
    tiebreaks = [cell for cell in sample if cell.population]
    return [
        f"He prints points, criteria and places of all 100 players and {len(sample):,} figures, "
        f"{len(tiebreaks):,} of them of tie-breaks. Recomputed here is what follows from the table "
        "of players: the criteria against each other, and Buchholz, which is BRUNO divided by the "
        f"points. {matched} of these {len(shown)} figures agree in all four decimals. The other "
        f"{lost:,} need the games, which he does not print.",
        "",
        "A weaker check is possible for all figures. A root mean square difference of places, "
        "which are whole or half numbers, of 100 players (all) or 31 (5.5 points and more) can "
        f"only have certain values. {sum(cell.possible for cell in sample):,} of the "
        f"{len(sample):,} figures have such a value; of arbitrary numbers of this size with four "
        f"decimals, one in {round(1 / _chance(tiebreaks))} has.",
        "",
        *table(("population", "of", "recomputed", "equal"), _sample_rows(shown)),
    ]


def _sample_rows(cells: Sequence[SampleCell]) -> Iterator[tuple]:
    """For every row of his tables: how many figures are recomputed, and how many are equal."""
    for population, row in dict.fromkeys((c.population, c.row) for c in cells):
        some = [c for c in cells if (c.population, c.row) == (population, row)]
        equal = sum(c.ours == c.printed for c in some)
        yield POPULATIONS.get(population, "not adjusted"), row, len(some), equal


def _chance(cells: Sequence[SampleCell]) -> float:
    """The share of possible figures among the numbers close to the printed ones."""
    tries = [
        is_possible(f"{float(cell.printed) + step * 1e-4:.4f}", cell.players)
        for cell in cells
        for step in range(-10, 11)
        if float(cell.printed) > 0
    ]
    return sum(tries) / len(tries)
