"""Robustness: tables trained for each configuration (world), assessed in all of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from tb2learn.assessment.assess import Assessment, assess
from tb2learn.assessment.references import HigherSeed
from tb2learn.assessment.tally import ErrorRate
from tb2learn.catalogue import PRODUCT, find_judged
from tb2learn.config import load_config
from tb2learn.disk import files
from tb2learn.export.assessment import assessment_json, assessment_of
from tb2learn.report.figures_assessment import bias_figure, matrix_figure
from tb2learn.report.markdown import interval_cells, table
from tb2learn.report.style import figure_png
from tb2learn.report.wording import population_name, seeding
from tb2learn.simulation.run import Progress
from tb2learn.studies.leaderboard import seeded
from tb2learn.studies.leaderboard_report import FAIR, FORMULA, LEARNED, ROSTERS, WORLD
from tb2learn.studies.result_tables import results_csv
from tb2learn.studies.seed_bias import DEFINITION, bias_csv, bias_section, has_bias
from tb2learn.training import checkpoint

TRAINED_ON = (
    "olympiad-180x11",
    "baku2016-field",
    "mixed-180x11",
    "literal-180x11",
    "shock-180x11",
    "fitted-180x11",
)


OTHER_FORMATS = ("etcc-38x9", "team-60x7")


RIVALS = ("least-squares", "buchholz-cut1")
"""Rules without a checkpoint that stand beside the tables in every world."""


BESIDE = (
    *("emmsb-cut1", "emgsb", "egmsb-cut1", "eggsb-cut1", "row-sum"),
    *("olympiad-180x11", f"{LEARNED}-pass1", f"{LEARNED}-pass2"),
    *("true-opponents", HigherSeed.name),
)
"""Rules and references that are judged, too, where seeds are not random."""


SEEDED_WORLDS = ("seeded-180x11", "fitted-180x11")
"""Rosters and games of a real event with seeds near the truth; the second with the day shock."""


_DESCENT_STEPS = 100


_MATRIX_TOPS = (10, 30)


_BIAS_TOP = 30


@dataclass(frozen=True)
class Matrix:
    """Error rates of tables in every world.

    **Fields:**

    - `trained`: names of the rules: the shipped ones, then those trained for this study.
    - `worlds`: names of the worlds.
    - `results`: one assessment per world, the product rule first.
    """

    trained: tuple[str, ...]
    worlds: tuple[str, ...]
    results: tuple[Assessment, ...]

    def at(self, rule: str, world: int, top: int) -> ErrorRate:
        """The error rate of a rule in a world."""
        (found,) = (r for r in self.results[world].results if r.rule == rule and r.top == top)
        return found


def robustness(path: Path, trained: int, events: int, seed: int) -> Path:
    """Train a table in every world, assess all tables in every world, and write the report.

    **Arguments:**

    - `path`: of the Markdown file; the figures, the JSON and the CSV go beside it.
    - `trained`: events that each table is fitted to (least squares, three passes).
    - `events`: assessment events of every world.
    - `seed`: of both, which use different streams of random numbers.

    **Returns:** `path`.
    """
    files.check_file(*(path.with_suffix(ending) for ending in (".md", ".json", ".csv")))
    variants = [*((name, "") for name in TRAINED_ON), (WORLD, "-reduced"), (WORLD, "-logistic")]
    fitted = [_trained_on(name, variant, trained, seed) for name, variant in variants]
    worlds = {name: load_config(name) for name in (*TRAINED_ON, *OTHER_FORMATS)}
    base = load_config(WORLD)
    worlds |= {f"{WORLD}, seed noise {noise:g}": seeded(base, noise) for noise in (50.0, 0.0)}
    near_truth = {name: seeded(load_config(name), 50.0) for name in SEEDED_WORLDS}
    worlds |= {f"{name}, seed noise 50": world for name, world in near_truth.items()}
    results = []
    for name, world in worlds.items():
        judged = find_judged([LEARNED, ROSTERS, FAIR, FORMULA, *RIVALS], world)
        judged += [part.rule(world.event.rounds) for part in fitted]
        if world.field.informative:
            judged += find_judged(BESIDE, world)[1:]
        results.append(assess(world, judged, events, seed, progress=Progress(name)))
    worlds_json = [
        {"world": name, "trained": trained, **json.loads(assessment_json(result))}
        for name, result in zip(worlds, results, strict=True)
    ]
    files.write_text(path.with_suffix(".json"), json.dumps(worlds_json, indent=1) + "\n")
    return render_robustness(path)


def _trained_on(name: str, variant: str, trained: int, seed: int) -> checkpoint.Checkpoint:
    """A table in three passes that is fitted to events of one world for this study."""
    config = load_config(name)
    plan = replace(
        config.train,
        objective="decisions",
        events=trained,
        held_out=max(1, trained // 10),
        seed=seed,
    )
    decisions = replace(
        config.decisions,
        reduced=variant == "-reduced",
        steps=_DESCENT_STEPS if variant == "-logistic" else 0,
    )
    config = replace(config, train=plan, decisions=decisions)
    return checkpoint.train(config, f"on-{name}{variant}", progress=True)


def _matrix_figure(matrix: Matrix, top: int) -> Figure:
    values = np.array(
        [
            [matrix.at(rule, w, top).reduction for w in range(len(matrix.worlds))]
            for rule in matrix.trained
        ]
    )
    return matrix_figure(
        values,
        matrix.trained,
        matrix.worlds,
        f"Errors saved against the product rule, {population_name(top)}",
    )


def render_robustness(path: Path) -> Path:
    """Write the report, its figures and the CSV from the JSON file beside it.

    **Arguments:**

    - `path`: of the Markdown file.

    **Returns:** `path`.
    """
    content = json.loads(path.with_suffix(".json").read_text("utf-8"))
    results = tuple(assessment_of(one) for one in content)
    rules = dict.fromkeys(r.rule for r in results[0].results)
    matrix = Matrix(
        tuple(rule for rule in rules if rule != PRODUCT),
        tuple(one["world"] for one in content),
        results,
    )
    for top in _MATRIX_TOPS:
        picture = figure_png(_matrix_figure(matrix, top))
        files.write_bytes(path.with_name(f"{path.stem}-top{top}.png"), picture)
    named = list(zip(matrix.worlds, matrix.results, strict=True))
    files.write_text(path.with_suffix(".csv"), results_csv(named, "world"))
    for number, (_, result) in enumerate(named):
        if has_bias(result):
            picture = figure_png(bias_figure(result, _BIAS_TOP))
            files.write_bytes(path.with_name(_bias_file(path.stem, number)), picture)
    if any(has_bias(result) for result in results):
        files.write_text(path.with_name(f"{path.stem}-seed-bias.csv"), bias_csv(named, "world"))
    files.write_text(path, robustness_text(matrix, content[0]["trained"], path.stem))
    return path


def robustness_text(matrix: Matrix, trained: int, stem: str) -> str:
    """The report as Markdown.

    **Arguments:**

    - `matrix`: what was judged.
    - `trained`: events that each table was fitted to.
    - `stem`: the names of the figures and of the CSV file begin with it.
    """
    first = matrix.results[0]
    lines = [
        "# Tables in other worlds than they were trained in",
        "",
        f"![Errors saved against the product rule, top 30]({stem}-top30.png)",
        "",
        _verdict(matrix),
        "",
        f"Every row of the figure is a rule, every column a world: a configuration of simulated "
        f"events, with {first.events:,} fresh events that are the same for all rules; seed "
        f"{first.seed}.",
        "",
        f"* *{LEARNED}* is the shipped table in three passes, *{FORMULA}* the shipped formula.",
        *_others_text(matrix),
        f"* *on-...*: tables in three passes that were fitted for this study to {trained:,} events "
        "of the world named.",
        "* *-reduced* leaves the weakest opponent out.",
        f"* *-logistic* was improved by {_DESCENT_STEPS} steps of gradient descent on the pairwise "
        "logistic loss.",
        "* For 38 x 9 and 60 x 7 the tables of 180 x 11 are rescaled by match-point shares.",
        "",
        f"All numbers with intervals are in [{stem}.csv]({stem}.csv). Made by `tb2learn "
        "robustness`.",
        "",
        "## The shipped table against the product rule",
        "",
        "Shares of tied pairs decided wrongly, and the relative reduction of errors by the shipped "
        "table with its 95 % interval.",
        "",
    ]
    for top in _MATRIX_TOPS[::-1]:
        lines += [f"### {population_name(top).capitalize()}", "", *_shipped_table(matrix, top), ""]
    lines += [
        "## All tables, top 10",
        "",
        f"![Errors saved against the product rule, top 10]({stem}-top10.png)",
        "",
        *_bias_sections(matrix, stem),
        "## Worlds",
        "",
    ]
    lines += table(
        ("world", "what it is", "seeds"),
        [
            # The description is that of the configuration, whatever the seeds of this world.
            (name, result.config.description.replace(", random seeds", ""), seeding(result.config))
            for name, result in zip(matrix.worlds, matrix.results, strict=True)
        ],
    )
    return "\n".join([*lines, "", "All numbers of the worlds: `configs/`."]) + "\n"


def _others_text(matrix: Matrix) -> list[str]:
    """What the other rules that were not fitted for this study are, if the study had them."""
    lines = []
    if ROSTERS in matrix.trained:
        lines.append(
            f"* *{ROSTERS}*: the shipped table fitted to real fields, too, with random seeds; "
            f"*{FAIR}*: with near-true seeds and a penalty on seed bias "
            "([frontier](frontier/README.md))."
        )
    elif FAIR in matrix.trained:
        lines.append(f"* *{FAIR}*: the table for real fields ([frontier](frontier/README.md)).")
    if set(RIVALS) <= set(matrix.trained):
        lines.append(
            f"* *{RIVALS[0]}* (on board points) and *{RIVALS[1]}* are rules without a checkpoint, "
            "for comparison."
        )
    return lines


def _bias_file(stem: str, world: int) -> str:
    """The name of the figure of error against seed bias in a world."""
    return f"{stem}-bias-{world + 1}.png"


def _bias_sections(matrix: Matrix, stem: str) -> list[str]:
    """Error and seed bias in every world whose seeds are not random."""
    lines: list[str] = []
    for number, (world, result) in enumerate(zip(matrix.worlds, matrix.results, strict=True)):
        if has_bias(result):
            section = bias_section(result, _BIAS_TOP, _bias_file(stem, number))
            lines += [f"### {world}", "", *section, ""]
    if not lines:
        return []
    head = f"## Error and seed bias, {population_name(_BIAS_TOP)}"
    every = f"All populations: [{stem}-seed-bias.csv]({stem}-seed-bias.csv)."
    return [head, "", f"{DEFINITION} {every}", "", *lines]


def _verdict(matrix: Matrix) -> str:
    """A sentence on whether the shipped table is shown to be better in all worlds."""
    worse = [
        f"{world} ({population_name(top)})"
        for number, world in enumerate(matrix.worlds)
        for top in _MATRIX_TOPS
        if not matrix.at(LEARNED, number, top).reduction_ci[0] > 0
    ]
    if worse:
        found = "; ".join(worse)
        return f"The shipped table is not shown to be better than the product rule in: {found}."
    return (
        "In every world, at top 10 and at top 30, the shipped table decides fewer ties wrongly "
        "than the product rule; the whole 95 % interval of the reduction is above zero."
    )


def _shipped_table(matrix: Matrix, top: int) -> list[str]:
    rows = []
    for number, world in enumerate(matrix.worlds):
        old, new = (matrix.at(rule, number, top) for rule in (PRODUCT, LEARNED))
        saved = interval_cells(new.reduction, new.reduction_ci, "+.1%")
        rows.append((world, f"{old.error_rate:.4f}", f"{new.error_rate:.4f}", *saved))
    return table(("world", "product rule", "shipped table", "saved", "from", "to"), rows)
