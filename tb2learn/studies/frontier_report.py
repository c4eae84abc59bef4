"""The report of the frontier of error and seed bias: which rule is chosen, a figure, tables."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.references import REFERENCES
from tb2learn.assessment.tally import ErrorRate, SeedBias
from tb2learn.export.assessment import assessment_of, population
from tb2learn.report.figures_frontier import frontier_figure
from tb2learn.report.markdown import csv_table, interval_cells, table
from tb2learn.studies.worlds import FAIR, LEARNED, ROSTERS, SEEDED, WORLD
from tb2learn.studies.report_folder import write_report_folder
from tb2learn.studies.seed_bias import DEFINITION, bias_rows, fairest

REAL = "real-180x11"
"""The world as it is with the day shock, and a seed noise that every event draws anew."""

BATUMI = "batumi-180x11"
"""The world as it is with the rosters of an event to which no shipped rule is fitted."""

TOP = 30
"""The population by which rules are chosen."""

SUMS = (0.1, 0.15, 0.2, 0.3, 0.5, 0.7)
"""Weights in the sums of the learned table and the one fitted to the world as it is."""

MOST_PREFERENCE, MOST_MORE = 0.51, 0.001
"""The rule of choice: bounds of the near-equal preference, and of the errors added where seeds are
random."""

LIMITS = (4, 8)
"""Passes of the tables that repeat the last pass of the learned one."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "random seeds, other fields": ("random", "rosters", "two-rosters"),
    "random and seeded world, penalties": ("mixed-",),
    "seeded world alone, penalties": ("seeded-fair-",),
    "the same with day shock, seed noise drawn from 30 to 80": ("real-",),
    "passes repeated": ("limit-",),
    "blends of thirteen rules": ("blend-",),
    "least squares shrunk to a learned prior": ("ridge-",),
}
"""How the names of the rules of a family begin."""

BLEND = "blend"
"""The names of the blends, which cannot be printed, begin with it."""

_KIND = "rosters+random"
"""The kind of the shipped `ROSTERS`."""

RIDGE = "ridge"
"""The names of least squares shrunk to a learned prior, no tables either, begin with it."""

_MOST_DRAWN = 0.25
"""Rules that err more are not in the figure."""


@dataclass(frozen=True)
class Frontier:
    """What the study measured.

    **Fields:**

    - `trained`: events of every world that the last passes were fitted to.
    - `fifty`, `random`, `real`, `batumi`: assessments in the world as it is with a seed noise of
      50, with random seeds, in `REAL`, and of the shipped rules in `BATUMI`.
    - `above_curve`: by rule, how much more it errs in the first than the curve of weighted sums at
      the same preference, with both ends of the interval.
    - `above_learned`: the same in the second, against the learned table.
    - `above_curve_real`: `above_curve` in the third.
    - `best_ridge`: the shrunken least squares that fits best in training.
    """

    trained: int
    fifty: Assessment
    random: Assessment
    real: Assessment
    batumi: Assessment
    above_curve: dict[str, list[float]]
    above_learned: dict[str, list[float]]
    above_curve_real: dict[str, list[float]]
    best_ridge: str

    @property
    def rows(self) -> list[tuple[ErrorRate, SeedBias]]:
        """All rules in the world of the choice, the lowest error first."""
        return bias_rows(self.fifty, TOP)

    @property
    def chosen(self) -> str | None:
        """The rule of the choice."""
        return self.choice(self.fifty)

    def choice(self, world: Assessment) -> str | None:
        """The printable rule with the least error within both bounds; None if there is none.

        **Arguments:** `world`: in which error and preference are judged.
        """
        return next(
            (
                row.rule
                for row, bias in bias_rows(world, TOP)
                if row.rule in self.above_learned
                and row.rule not in REFERENCES
                and not row.rule.startswith((BLEND, RIDGE))
                and bias.near.value <= MOST_PREFERENCE
                and self.above_learned[row.rule][0] <= MOST_MORE
            ),
            None,
        )


def sum_name(weight: float) -> str:
    """The name of a weighted sum."""
    return f"sum-{weight:g}"


def family_name(weight: float, fairness: float, kind: str = "mixed") -> str:
    """The name of a table whose last pass is fitted with a weight and a penalty."""
    world = "seeded" if math.isinf(weight) else f"{kind}-{weight:g}"
    return f"{world}-fair-{fairness:g}"


def limit_name(passes: int) -> str:
    """The name of the learned table with its last pass repeated."""
    return f"limit-{passes}"


def blend_name(fairness: float) -> str:
    """The name of a blend with a penalty."""
    return f"{BLEND}-fair-{fairness:g}"


def ridge_name(ridge: float) -> str:
    """The name of least squares shrunk to a learned prior."""
    return f"{RIDGE}-{ridge:g}"


def ridge_events(trained: int) -> int:
    """Events of each world that the shrunken least squares are fitted to: they need fewer."""
    return max(1, trained // 4)


def curve_names() -> list[str]:
    """The known curve: the learned table, the sums, and the table fitted to the seeded world."""
    return [LEARNED, *map(sum_name, SUMS), family_name(math.inf, 0.0)]


def render_frontier(folder: Path) -> Path:
    """Write the report, its figure and the CSV from `frontier.json` in the folder.

    **Returns:** the path of the report.
    """
    content = {
        one["world"]: one for one in json.loads((folder / "frontier.json").read_text("utf-8"))
    }
    worlds = (assessment_of(content[name]) for name in (SEEDED, WORLD, REAL, BATUMI))
    found = Frontier(
        content[SEEDED]["trained"],
        *worlds,
        content[SEEDED]["above_curve"],
        content[WORLD]["above_learned"],
        content[REAL]["above_curve"],
        content[SEEDED]["best_ridge"],
    )
    figure = frontier_figure(found.fifty, TOP, families(found), _MOST_DRAWN)
    text = "\n".join(frontier_text(found)) + "\n"
    return write_report_folder(
        folder, text, {"frontier.png": figure}, {"frontier.csv": frontier_csv(found)}
    )


def families(found: Frontier) -> dict[str, list[str]]:
    """The rules that a line of the figure joins, by what they are."""
    rules = [row.rule for row, _ in found.rows]

    def of(start: str) -> list[str]:
        kept = [rule for rule in rules if rule.startswith(start)]
        return sorted(kept, key=lambda rule: float(rule.rpartition("-")[2]))

    lines = {"weighted sums (the known curve)": curve_names()}
    lines["last pass: seeded world, penalties"] = of("seeded-fair")
    for start in dict.fromkeys(r.rpartition("-fair")[0] for r in rules if r.startswith("mixed")):
        weight = start.partition("-")[2]
        name = f"last pass: random + {weight} x seeded world, penalties"
        lines[name] = of(f"{start}-fair")
    lines["last pass: the same with day shock, drawn seed noise, penalties"] = of("real-")
    lines["last pass repeated"] = of("limit-")
    lines["blends of thirteen rules, penalties"] = of(f"{BLEND}-fair")
    lines["least squares shrunk to a learned prior"] = of(f"{RIDGE}-")
    kept = {name: [rule for rule in line if rule in rules] for name, line in lines.items()}
    return {name: line for name, line in kept.items() if line}


def frontier_text(found: Frontier) -> list[str]:
    """The report as Markdown, line by line."""
    fifty, random = found.fifty, found.random
    best = fairest(fifty, TOP)
    return [
        "# What accuracy costs in fairness",
        "",
        "![Error against seed bias](frontier.png)",
        "",
        DEFINITION,
        "",
        "**The rule of choice**, stated before the run: of the rules that can be printed as one "
        f"set of tables, the one with the least error at top {TOP} in `{SEEDED}` among those whose "
        f"near-equal preference there is at most {MOST_PREFERENCE}, and that with random seeds "
        f"(`{WORLD}`) err at most {MOST_MORE} more than `{LEARNED}`. "
        + (f"It chooses *{found.chosen}*." if found.chosen else "No rule is within both bounds."),
        "",
        *_verdict(found),
        "",
        "## What the rules are",
        "",
        *_what_the_rules_are(found),
        "",
        f"## The numbers, top {TOP}",
        "",
        *_numbers(found),
        "",
        f"*wrong*, *near-equal*: in `{SEEDED}`, {fifty.events:,} events. *above curve*: how much "
        "more a rule errs than the curve of weighted sums at the same preference. *random seeds*: "
        f"how much more it errs than *{LEARNED}* in `{WORLD}`, {random.events:,} events. From, to: "
        f"95 % bootstrap intervals over events. Seed {fifty.seed}. No rule beats these on both "
        f"wrong and near-equal: {', '.join(f'*{rule}*' for rule in best)}.",
        "",
        "## With the day shock, and a seed noise that every event draws",
        "",
        *_in_the_real_world(found),
        "",
        f"{found.real.events:,} events of `{REAL}`.",
        "",
        "## Rosters of another event",
        "",
        "Shipped rules where the rosters are those of Batumi 2018, to which none of them is fitted "
        f"(`{BATUMI}`, seed noise 50), {found.batumi.events:,} events:",
        "",
        *_elsewhere(found),
        "",
        "All numbers: [frontier.csv](frontier.csv), [frontier.json](frontier.json). Made by "
        "`tb2learn study frontier`.",
    ]


def _what_the_rules_are(found: Frontier) -> list[str]:
    return [
        f"* *{LEARNED}*: the shipped table. *{FAIR}*: a shipped table whose last pass is fitted to "
        f"the seeded world with a penalty, too ([assessment]({FAIR}.txt), [probes](probes.md)). "
        f"`{ROSTERS}` is the shipped table of the kind *rosters+random*: all of its passes are "
        f"fitted to both worlds, with events of its own; [its assessment]({ROSTERS}.txt) on events "
        f"by which nothing was chosen, [that with random seeds]({ROSTERS}-random.txt), and [its "
        "probes](probes-rosters.md).",
        f"* All others of this study are fitted to {found.trained:,} events of every world named. "
        f"Tables have the first two passes of *{LEARNED}*, and a last pass of their own. *random*: "
        "uniform fields with random seeds; *140*: the same with 140 teams; *rosters*: rosters and "
        "games of Baku 2016 with random seeds; *two-rosters*: half of them rosters of Batumi 2018; "
        "*seeded*: as *rosters*, with seeds near the truth.",
        f"* *mixed-W*: random seeds, and the seeded world with weight W. *real-W*: `{REAL}` in its "
        "place, with the day shock, and a seed noise of 30 to 80 rating points that every event "
        "draws anew. *-fair-P*: with a penalty P on the squared mean difference in score between "
        "the higher and the lower seed of nearly equal tied teams, in match points.",
        f"* *sum-W*: the weighted sum of *{LEARNED}* and *seeded-fair-0*: the known curve.",
        f"* *limit-N*: *{LEARNED}* with its last pass repeated, N passes in all.",
        "* *blend-fair-P*: linear scores of thirteen rules, with coefficients for every number of "
        "own match points: the tables of each pass, least squares on board points, the row sum, "
        "Buchholz, Sonneborn-Berger and others, and what the opponents had before they were met. "
        "No table; a bound of what these can be worth together. Fitted to *random* and *seeded*.",
        "* *ridge-N*: least squares on the graph of matches, with every team tied to what its "
        "match points say, as if it had drawn N further matches with a team rated so. This prior, "
        "which rises with the match points, and the weights of board points and wins are "
        f"learned, from {ridge_events(found.trained):,} events each of *random* and *rosters*; *"
        f"{found.best_ridge}* fits best there. No table.",
    ]


def _verdict(found: Frontier) -> list[str]:
    """Sentences on the curve, and on what accuracy costs."""
    inner = {rule: ends for rule, ends in found.above_curve.items() if rule in found.above_learned}
    below = [rule for rule, ends in inner.items() if ends[2] < 0 and rule not in curve_names()]
    rows = {row.rule: (row, bias) for row, bias in found.rows}
    sharp, fair = rows[family_name(math.inf, 0.0)], rows[LEARNED]
    squares = rows["least-squares"]
    lines = [
        f"Accuracy costs fairness: from *{LEARNED}* to the last pass fitted to the seeded world "
        f"errors fall from {fair[0].error_rate:.4f} to {sharp[0].error_rate:.4f}, and the "
        f"preference for the higher of two nearly equal seeds rises from "
        f"{fair[1].near.value:.4f} to {sharp[1].near.value:.4f}.",
        "",
    ]
    if below:
        one = min(below, key=lambda rule: inner[rule][0])
        value, low, high = inner[one]
        lines.append(
            f"Below the curve of weighted sums, with the whole interval: {len(below)} of "
            f"{len(inner)} rules, by at most {-value:.4f} ({-high:.4f} to {-low:.4f}; *{one}*)."
        )
    else:
        lines.append("No rule is shown to lie below the curve of weighted sums.")
    lines += ["", *_best_of_families(found)]
    value, low, high = found.above_curve["least-squares"]
    where = "above" if low > 0 else "below" if high < 0 else "not shown to be off"
    on = "is" if "least-squares" in fairest(found.fifty, TOP) else "is not"
    lines += [
        "",
        f"Least squares on board points ({squares[0].error_rate:.4f} wrong, preference "
        f"{squares[1].near.value:.4f}) is {where} the curve, by {value:+.4f} ({low:+.4f} to "
        f"{high:+.4f}); it {on} on the frontier.",
    ]
    return lines


def _best_of_families(found: Frontier) -> list[str]:
    """How far the lowest rule of every family is below the curve, and what none exceeds."""
    rows, lowest = [], 0.0
    for name, starts in FAMILIES.items():
        inside = [rule for rule in found.above_curve if rule.startswith(starts)]
        if not inside:
            continue
        one = min(inside, key=lambda rule: found.above_curve[rule][0])
        value, low, high = found.above_curve[one]
        lowest = min(lowest, *(found.above_curve[rule][1] for rule in inside))
        rows.append((name, len(inside), one, *interval_cells(value, (low, high), "+.4f")))
    return [
        f"No rule of any family tried lies more than {-lowest:.4f} below the curve: that is the "
        "lowest end of all intervals. The lowest rule of every family:",
        "",
        *table(("family", "rules", "lowest", "above curve", "from", "to"), rows),
    ]


def _numbers(found: Frontier) -> list[str]:
    rows = []
    for row, bias in found.rows:
        random = found.above_learned.get(row.rule)
        curve = found.above_curve[row.rule]
        inside = row.rule in found.above_learned or row.rule == "least-squares"
        rows.append(
            (
                row.rule,
                f"{row.error_rate:.4f}",
                *interval_cells(bias.near.value, bias.near.ci, ".4f"),
                *(interval_cells(curve[0], curve[1:], "+.4f") if inside else (None,) * 3),
                *(interval_cells(random[0], random[1:], "+.4f") if random else (None,) * 3),
            )
        )
    ends = ("from", "to")
    header = ("rule", "wrong", "near-equal", *ends, "above curve", *ends, "random seeds", *ends)
    return table(header, rows)


def _whether_it_holds(found: Frontier) -> str:
    """A sentence on what the rule of choice would take in `REAL`."""
    again, rows = found.choice(found.real), {r.rule: (r, b) for r, b in bias_rows(found.real, TOP)}

    def at(rule: str) -> str:
        row, bias = rows[rule]
        return f"{row.error_rate:.4f} wrong, preference {bias.near.value:.4f}"

    said = f"**The choice where every event draws its seed noise.** With `{REAL}` in place of "
    said += f"`{SEEDED}` the rule of choice takes "
    if again is None or again == found.chosen:
        said += f"the same, *{again}* ({at(again)})" if again else "no rule either"
    elif found.chosen is None:
        said += f"*{again}* ({at(again)})"
    else:
        kept = rows[found.chosen][1].near.value <= MOST_PREFERENCE
        said += f"*{again}* ({at(again)}) instead of *{found.chosen}* ({at(found.chosen)}), which "
        said += "is within the bounds there, too" if kept else "is not within the bounds there"
    return f"{said}. The shipped *{ROSTERS}*: {at(ROSTERS)}."


def _why_the_default(found: Frontier) -> str:
    """Sentences on the shipped default and the shipped table of the chosen kind."""
    rows = {row.rule: (row.error_rate, bias.near.value) for row, bias in bias_rows(found.real, TOP)}
    (error, near), (other, other_near) = rows[LEARNED], rows[ROSTERS]
    accurate = LEARNED if error < other else ROSTERS
    fair = LEARNED if abs(near - 0.5) < abs(other_near - 0.5) else ROSTERS
    more = found.above_learned.get(_KIND)
    said = f"**The shipped default** is `{LEARNED}`, not `{ROSTERS}`. In `{REAL}` "
    if accurate == fair:
        said += f"*{fair}* is better on both axes: "
    else:
        said += f"neither is beaten on both axes, *{fair}* is nearer to fair and *{accurate}* "
        said += "errs less: "
    said += f"*{LEARNED}* has {error:.4f} wrong at a preference of {near:.4f}, *{ROSTERS}* "
    said += f"{other:.4f} at {other_near:.4f}. "
    if max(near, other_near) <= MOST_PREFERENCE:
        said += f"Both preferences are within the bound of {MOST_PREFERENCE}. "
    if more and more[0] > 0:
        said += f"With random seeds *{LEARNED}* errs less, by {more[0]:.4f}, than *{_KIND}*. "
    return said + "The default is chosen for fairness and random seeds, not for this world."


def _in_the_real_world(found: Frontier) -> list[str]:
    ends = ("from", "to")
    rows = []
    for row, bias in bias_rows(found.real, TOP):
        curve = found.above_curve_real[row.rule]
        inside = row.rule in (*found.above_learned, "least-squares", ROSTERS)
        rows.append(
            (
                row.rule,
                *interval_cells(row.error_rate, row.ci, ".4f"),
                f"{unequal_error(bias):.4f}",
                *interval_cells(bias.near.value, bias.near.ci, ".4f"),
                *(interval_cells(curve[0], curve[1:], "+.4f") if inside else (None,) * 3),
            )
        )
    header = ("rule", "wrong", *ends, "wrong, unequal", "near-equal", *ends, "above curve", *ends)
    row, bias = bias_rows(found.real, TOP)[0]
    equal = 1 - (bias.higher.pairs + bias.lower.pairs) / row.pairs
    return [
        _whether_it_holds(found),
        "",
        _why_the_default(found),
        "",
        "Rosters are drawn with replacement, so two teams of one event can be copies of one "
        f"roster: {equal:.1%} of the tied pairs are equally strong. Every rule is charged half an "
        "error in them. *wrong, unequal* leaves them out.",
        "",
        *table(header, rows),
    ]


def _elsewhere(found: Frontier) -> list[str]:
    rows = [
        (
            row.rule,
            *interval_cells(row.error_rate, row.ci, ".4f"),
            *interval_cells(bias.near.value, bias.near.ci, ".4f"),
        )
        for row, bias in bias_rows(found.batumi, TOP)
    ]
    return table(("rule", "wrong", "from", "to", "near-equal", "from", "to"), rows)


def unequal_error(bias: SeedBias) -> float:
    """The error rate in the pairs whose teams are not equally strong."""
    pairs = bias.higher.pairs + bias.lower.pairs
    wrong = bias.higher.value * bias.higher.pairs + bias.lower.value * bias.lower.pairs
    return wrong / pairs if pairs else math.nan


def frontier_csv(found: Frontier) -> str:
    """Every rule of every world and population: error, preference, with intervals."""

    def finite(values: Any) -> list[float | None]:
        return [round(v, 6) if math.isfinite(v) else None for v in values]

    rows = []
    for world, result in (
        (SEEDED, found.fifty),
        (WORLD, found.random),
        (REAL, found.real),
        (BATUMI, found.batumi),
    ):
        for row in result.results:
            near = row.seed_bias.near if row.seed_bias else None
            cells = (near.value, *near.ci) if near else ()
            rows.append(
                [
                    *(world, row.rule, population(row.top), row.pairs),
                    *finite((row.error_rate, *row.ci)),
                    *(finite(cells) if near else (None,) * 3),
                    near.pairs if near else None,
                ]
            )
    header = ("world", "rule", "top", "pairs", "error_rate", "low", "high")
    return csv_table((*header, "near_equal", "near_low", "near_high", "near_pairs"), rows)
