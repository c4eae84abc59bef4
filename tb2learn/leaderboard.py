"""Every rule on the same events: the leaderboard, and how tables travel between worlds.

Both studies write Markdown with a figure and JSON: first what to take from them, then the numbers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from tb2learn import checkpoint, files
from tb2learn.assess import ALL, Assessment, ErrorRate, assess
from tb2learn.config import Config, load_config, to_dict
from tb2learn.events import read_event
from tb2learn.events.ratings import Against, against_ratings
from tb2learn.export.assessment import assessment_json
from tb2learn.incentive import PROBES, Incentive, probe_rules
from tb2learn.report import (
    figure_png,
    leaderboard_figure,
    matrix_figure,
    percent,
    population_name,
    rule_name,
)
from tb2learn.rules import PRODUCT, find_judged, find_rule
from tb2learn.simulate import Progress
from tb2learn.tables import Rule
from tb2learn.tiebreaks import Additive

WORLD = "olympiad-180x11"
LEARNED = "learned-180x11"
FORMULA = "formula-180x11"
RATED = ("aro", "aroc", "apro", "ptpr")
"""Rules that look at ratings: judged where there are any."""
RULES = (
    "game-points",
    "wins",
    "direct",
    "progressive",
    "koya",
    "bruno",
    "buchholz",
    "buchholz-cut1",
    "buchholz-median1",
    "emmsb-cut1",
    "emgsb",
    "egmsb-cut1",
    "eggsb-cut1",
    "olympiad-180x11",
    "least-squares",
    "row-sum",
    FORMULA,
    f"{LEARNED}-pass1",
    f"{LEARNED}-pass2",
    LEARNED,
)
SEED_NOISES = (math.inf, 50.0, 0.0)
LIMIT_EVENTS = 2000
PROBED = 100_000


# --------------------------------------------------------------------------- the leaderboard


def leaderboard(folder: Path, events: int, seed: int) -> Path:
    """Judge every rule in both protocols, on real events and by incentive; write the report.

    **Arguments:**

    - `folder`: where `README.md`, the figures and the JSON files go.
    - `events`: of the single-event protocol; the thesis protocol and the posterior mean take up to
      `LIMIT_EVENTS` of them.
    - `seed`: of everything.

    **Returns:** the path of the report.
    """
    files.check_folder(folder)
    few = min(events, LIMIT_EVENTS)
    single = {}
    for noise in SEED_NOISES:
        world = _seeded(load_config(WORLD), noise)
        rated = RATED if math.isfinite(noise) else ()
        judged = find_judged([*RULES, *rated, "true-opponents", "all-play-all"], world)
        single[noise] = assess(
            world, judged, events, seed, progress=Progress(f"seed noise {noise:g}")
        )
    world = load_config(WORLD)
    judged = find_judged([FORMULA, LEARNED, "posterior-mean"], world)
    limit = assess(world, judged, few, seed, progress=Progress("posterior mean"))
    rounds, boards = world.event.rounds, world.event.boards
    sums = [r for r in RULES if isinstance(find_rule(r, rounds, boards).tiebreak(), Additive)]
    judged = find_judged([*sums, "true-opponents", "all-play-all"], world)
    thesis = assess(world, judged, few, seed, "thesis", progress=Progress("thesis protocol"))
    real = real_events(["baku2016"], [*RULES, *RATED], seed)
    probed = [find_rule(name, rounds, boards) for name in (PRODUCT, *RULES)]
    incentives = probe_rules(world, probed, PROBED * 5 // 4, seed, label="probes")

    for noise, result in single.items():
        _write_assessment(folder / f"single-seed-noise-{noise:g}", result)
    _write_assessment(folder / "posterior-mean", limit)
    _write_assessment(folder / "thesis-own-lists", thesis)
    text = _leaderboard_text(single, limit, thesis, real, incentives, seed)
    files.write_text(folder / "README.md", text)
    return folder / "README.md"


def _seeded(config: Config, noise: float) -> Config:
    return replace(config, field=replace(config.field, seed_noise=noise))


def _write_assessment(path: Path, result: Assessment) -> None:
    files.write_text(path.with_name(f"{path.name}.json"), assessment_json(result))
    picture = figure_png(leaderboard_figure(result))
    files.write_bytes(path.with_name(f"{path.name}.png"), picture)


def real_events(sources: Sequence[str], names: Sequence[str], seed: int) -> tuple[Against, ...]:
    """`against_ratings` of events and rules by name, the product rule first."""
    events = [read_event(source) for source in sources]
    known = [PRODUCT, *(name for name in dict.fromkeys(names) if name != PRODUCT)]
    rules = [[find_rule(name, e.rounds, e.boards) for name in known] for e in events]
    return against_ratings(events, rules, seed)


def _leaderboard_text(
    single: dict[float, Assessment],
    limit: Assessment,
    thesis: Assessment,
    real: tuple[Against, ...],
    incentives: tuple[Incentive, ...],
    seed: int,
) -> str:
    first = single[math.inf]
    rate = {(r.rule, r.top): r for r in first.results}
    bound = {(r.rule, r.top): r for r in limit.results}
    held = {(r.rule, r.top): r for r in real}
    hurt = {i.rule: i for i in incentives}
    learned, old = rate[LEARNED, 30], rate[PRODUCT, 30]
    all_real = held[LEARNED, ALL]
    lines = [
        "# Which tie-break is wrong how often",
        "",
        f"Of two tied teams whose group reaches into the top 30, FIDE's product rule puts the "
        f"weaker one first in {_rate(old)} of the cases, the learned table in three passes in "
        f"{_rate(learned)}, and a formula with two constants in {_rate(rate[FORMULA, 30])}; for "
        f"the top 10 it is {_rate(rate[PRODUCT, 10])}, {_rate(rate[LEARNED, 10])} and "
        f"{_rate(rate[FORMULA, 10])}. No rule can do much better: all that the results of an event "
        f"hold (the posterior mean, {limit.events:,} events) leaves "
        f"{_rate(bound['posterior-mean', 30])} at top 30, where the learned table has "
        f"{_rate(bound[LEARNED, 30])} on the same events, and "
        f"{_rate(bound['posterior-mean', 10])} against {_rate(bound[LEARNED, 10])} at top 10. For "
        f"first place alone even that is wrong in about a third of the cases: eleven matches do "
        f"not hold more. In Baku 2016 the learned table prefers the lower rated of two tied teams "
        f"in "
        f"{percent(all_real.share)} of {all_real.pairs:,} pairs, {percent(all_real.fewer)} of the "
        f"pairs fewer than the product rule [{all_real.fewer_ci[0]:+.1%}, "
        f"{all_real.fewer_ci[1]:+.1%}]; the {held[LEARNED, 30].pairs} pairs of the top 30 are too "
        f"few to tell. In "
        f"{hurt[LEARNED].probes:,} probes half a point more "
        f"{'never' if not hurt[LEARNED].violations else f'{hurt[LEARNED].violations} times'} "
        "lowered a team's score under it. All this is measured in a model: ratings, expected "
        "scores and draws of real chess only roughly follow it, and "
        "[robustness.md](../robustness.md) says what changes when they do not.",
        "",
        f"95 % intervals over events in brackets; seed {seed}. Made by `tb2learn leaderboard`.",
        "",
    ]
    for noise, result in single.items():
        what = {math.inf: "random seeds", 0.0: "true seeds: the leak"}.get(
            noise, f"seeds off by {noise:g} rating points"
        )
        lines += [
            f"## Single event, seed noise {noise:g} ({what})",
            "",
            f"{result.events:,} events of `{result.config.name}`, 180 teams, 11 rounds. The event "
            "that was played is all the evidence; the truth is the exact expected all-play-all "
            "order.",
            "",
            *_table(result),
            "",
            f"![error rates](single-seed-noise-{noise:g}.png)",
            "",
        ]
    lines += [
        "The limits: *true-opponents* is told the true ratings of all opponents and takes the "
        "most likely strength of a team from its own games; it does not know the field. "
        "*all-play-all* is one full round robin, drawn: the noise of an oracle that plays.",
        "",
        "## The limit of what results hold",
        "",
        f"{limit.events:,} events, the first of those above, random seeds. The posterior mean of "
        "every team's strength given all results, under the very model the events are drawn from: "
        "no rule that reads results alone can expect to be right more often.",
        "",
        *_table(limit),
        "",
        "![error rates](posterior-mean.png)",
        "",
        "## Thesis protocol, own lists",
        "",
        f"{thesis.events:,} events, random seeds. Both teams replay their own reduced lists of "
        "opponents thirty times; what an opponent counts as comes from the event that was played. "
        "It removes luck and measures the bias that the draw of opponents leaves; its numbers "
        "must not be compared with those above. Rules that are no sums over opponents (least "
        "squares, row sums, direct encounter, progressive scores) cannot be replayed; cuts are the "
        "protocol's own. *all-play-all* is the protocol's own oracle once more: "
        "its noise floor.",
        "",
        *_table(thesis),
        "",
        "![error rates](thesis-own-lists.png)",
        "",
        "## Real events: against the ratings",
        "",
        "How often a rule prefers the lower rated of two tied teams (mean rating of the four best "
        f"who played). Nobody knows who really was better; {', '.join(RATED)} see the opponents' "
        "ratings, no other rule has seen one. Intervals resample teams.",
        "",
        *against_table(real),
        "",
        "## Incentive",
        "",
        f"Half a point more in one match of a played event (`{WORLD}`, {PROBES} matches an event), "
        "the opponent half a point less. A violation is a lower score on unchanged match points; "
        "'worse place' counts teams that fell behind others, by whatever way.",
        "",
        *incentive_table(incentives),
        "",
    ]
    return "\n".join(lines)


def _rate(result: ErrorRate) -> str:
    return f"{result.error_rate:.1%} [{result.ci[0]:.1%}, {result.ci[1]:.1%}]"


def _table(result: Assessment) -> list[str]:
    """Rules by row, populations by column: error rate, and the reduction against the first."""
    tops = list(dict.fromkeys(r.top for r in result.results))
    rows = [
        "| rule | " + " | ".join(map(population_name, tops)) + " |",
        "|---" * (len(tops) + 1) + "|",
    ]
    by_rule: dict[str, list[ErrorRate]] = {}
    for r in result.results:
        by_rule.setdefault(r.rule, []).append(r)
    for number, (rule, results) in enumerate(by_rule.items()):
        cells = []
        for r in results:
            if not math.isfinite(r.error_rate):
                cells.append("no pairs")
                continue
            cell = f"{r.error_rate:.4f} [{r.ci[0]:.4f}, {r.ci[1]:.4f}]"
            if number and math.isfinite(r.reduction):
                low, high = r.reduction_ci
                cell += f"<br>{r.reduction:+.1%} [{low:+.1%}, {high:+.1%}]"
            cells.append(cell)
        rows.append(f"| {rule_name(rule)} | " + " | ".join(cells) + " |")
    pairs = " / ".join(f"{r.pairs:,}" for r in next(iter(by_rule.values())))
    return [*rows, "", f"Tied pairs: {pairs}. Second line: errors saved against the product rule."]


def against_table(rows: Sequence[Against]) -> list[str]:
    """`Against` as a Markdown table."""
    lines = [
        "| rule | population | pairs | prefers the lower rated | less often than the first rule |",
        "|---|---|---|---|---|",
    ]
    for r in rows:
        share = f"{r.share:.3f} [{r.ci[0]:.3f}, {r.ci[1]:.3f}]"
        fewer = f"{r.fewer:+.3f} [{r.fewer_ci[0]:+.3f}, {r.fewer_ci[1]:+.3f}]"
        lines.append(
            f"| {rule_name(r.rule)} | {population_name(r.top)} | {r.pairs:,} | {share} | {fewer} |"
        )
    return lines


def incentive_table(rows: Sequence[Incentive]) -> list[str]:
    """`Incentive` as a Markdown table; no violation in n probes bounds the rate by 3/n."""
    lines = [
        "| rule | probes | on unchanged match points | violations | 95 % interval of the rate | "
        "worst loss | worse place |",
        "|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        low, high = exact_interval(r.violations, r.within)
        lines.append(
            f"| {rule_name(r.rule)} | {r.probes:,} | {r.within:,} | {r.violations} | "
            f"[{low:.1e}, {high:.1e}] | {r.worst:g} | {r.places} |"
        )
    return lines


def exact_interval(count: int, trials: int) -> tuple[float, float]:
    """Clopper and Pearson's 95 % interval of a rate."""
    if trials == 0:
        return 0.0, 1.0
    interval = stats.binomtest(count, trials).proportion_ci(0.95, method="exact")
    return float(interval.low), float(interval.high)


# --------------------------------------------------------------------------- robustness


TRAINED_ON = (
    "olympiad-180x11",
    "baku2016-field",
    "mixed-180x11",
    "literal-180x11",
    "shock-180x11",
    "fitted-180x11",
)
OTHER_FORMATS = ("etcc-38x9", "team-60x7")
_DESCENT_STEPS = 100
_MATRIX_TOPS = (10, 30, ALL)


@dataclass(frozen=True)
class Matrix:
    """Tables by the world they were trained in, judged in every world.

    **Fields:**

    - `trained`: names of the rules: the shipped ones, then those trained for this study.
    - `worlds`: names of the worlds.
    - `results`: an assessment a world, the product rule first.
    """

    trained: tuple[str, ...]
    worlds: tuple[str, ...]
    results: tuple[Assessment, ...]

    def at(self, rule: str, world: int, top: int) -> ErrorRate:
        """One cell."""
        (found,) = (r for r in self.results[world].results if r.rule == rule and r.top == top)
        return found


def robustness(path: Path, trained: int, events: int, seed: int) -> Path:
    """Train in every world, judge in every world; write the report.

    **Arguments:**

    - `path`: of the Markdown file; the figure and the JSON go beside it.
    - `trained`: events that each table is fitted to (least squares, three passes).
    - `events`: assessment events of every world.
    - `seed`: of both; the streams differ.

    **Returns:** `path`.
    """
    files.check_folder(path.parent)
    fitted = []
    variants = [*((name, "") for name in TRAINED_ON), (WORLD, "-reduced"), (WORLD, "-logistic")]
    for name, variant in variants:
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
        fitted.append(checkpoint.train(config, f"on-{name}{variant}", progress=True))
    worlds = {name: load_config(name) for name in (*TRAINED_ON, *OTHER_FORMATS)}
    base = load_config(WORLD)
    worlds |= {f"{WORLD}, seed noise {noise:g}": _seeded(base, noise) for noise in (50.0, 0.0)}
    results = []
    for name, world in worlds.items():
        event = world.event
        rules: list[Rule] = [
            find_rule(rule, event.rounds, event.boards) for rule in (PRODUCT, LEARNED, FORMULA)
        ]
        rules += [part.rule(event.rounds) for part in fitted]
        results.append(assess(world, rules, events, seed, progress=Progress(name)))
    names = (LEARNED, FORMULA, *(part.name for part in fitted))
    matrix = Matrix(names, tuple(worlds), tuple(results))
    files.write_text(path, _robustness_text(matrix, trained, events, seed))
    for top in _MATRIX_TOPS[:2]:
        picture = figure_png(_matrix_figure(matrix, top))
        files.write_bytes(path.with_name(f"{path.stem}-top{top}.png"), picture)
    content = [json.loads(assessment_json(result)) for result in results]
    worlds_json = [{"world": w, **c} for w, c in zip(matrix.worlds, content, strict=True)]
    files.write_text(path.with_suffix(".json"), json.dumps(worlds_json, indent=1) + "\n")
    return path


def _matrix_figure(matrix: Matrix, top: int) -> Any:
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


def _robustness_text(matrix: Matrix, trained: int, events: int, seed: int) -> str:
    worse = [
        (matrix.worlds[w], population_name(top))
        for w in range(len(matrix.worlds))
        for top in (10, 30)
        if matrix.at(LEARNED, w, top).reduction_ci[0] <= 0
    ]
    verdict = (
        "In every world, at top 10 and at top 30, the shipped table decides fewer ties wrongly "
        "than the product rule, with the whole 95 % interval of the reduction above zero."
        if not worse
        else "The shipped table is not shown to be better than the product rule in: "
        + "; ".join(f"{world} ({what})" for world, what in worse)
        + "."
    )
    lines = [
        "# How tables travel between worlds",
        "",
        f"{verdict} Every row is a table in three passes; those named *on-...* were fitted for "
        f"this study to {trained:,} events of one world (least squares), *{LEARNED}* is the "
        f"shipped one and *{FORMULA}* the shipped formula; *-reduced* leaves the weakest opponent "
        f"out, *-logistic* was descended from the least squares on the pairwise logistic loss "
        f"({_DESCENT_STEPS} steps). Every column is a world, {events:,} "
        f"fresh events each, the same for all rules, seed {seed}. 38 x 9 and 60 x 7 are judged "
        "with tables trained at 180 x 11, rescaled by match-point shares. Made by "
        "`tb2learn robustness`.",
        "",
    ]
    for top in _MATRIX_TOPS:
        lines += [f"## {population_name(top).capitalize()}", ""]
        lines += ["| rule | " + " | ".join(matrix.worlds) + " |"]
        lines += ["|---" * (len(matrix.worlds) + 1) + "|"]
        for rule in (PRODUCT, *matrix.trained):
            cells = []
            for w in range(len(matrix.worlds)):
                r = matrix.at(rule, w, top)
                cell = f"{r.error_rate:.4f} [{r.ci[0]:.4f}, {r.ci[1]:.4f}]"
                if rule != PRODUCT:
                    low, high = r.reduction_ci
                    cell += f"<br>{r.reduction:+.1%} [{low:+.1%}, {high:+.1%}]"
                cells.append(cell)
            lines.append(f"| {rule} | " + " | ".join(cells) + " |")
        lines.append("")
        if top != ALL:
            lines += [f"![errors saved](robustness-top{top}.png)", ""]
    lines += ["## Worlds", ""]
    for name, result in zip(matrix.worlds, matrix.results, strict=True):
        made = to_dict(result.config)
        about = ", ".join(
            f"{key} {value}" for key, value in (made["field"] | made["game"]).items() if value
        )
        lines.append(f"* **{name}**: {made['description']} ({about})")
    return "\n".join(lines) + "\n"
