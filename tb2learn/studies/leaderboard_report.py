"""The report of the leaderboard: a summary, then a section for every assessment."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.by_ratings import Against
from tb2learn.assessment.incentive import PROBES, Incentive
from tb2learn.assessment.tally import ALL
from tb2learn.catalogue import PRODUCT
from tb2learn.export.assessment import assessment_of, ends, number
from tb2learn.report.figures_assessment import bias_figure, leaderboard_figure
from tb2learn.report.markdown import exact_interval, interval_cells, table
from tb2learn.report.wording import percent, population_name, rule_name
from tb2learn.studies.report_folder import write_report_folder
from tb2learn.studies.result_tables import results_csv, results_table
from tb2learn.studies.seed_bias import (
    DEFINITION,
    bias_csv,
    bias_rows,
    bias_section,
    fairest,
    has_bias,
)

WORLD = "olympiad-180x11"

LEARNED = "learned-180x11"

FAIR = "fair-180x11"
"""Fitted to real fields, too, with a penalty on seed bias."""

ROSTERS = "rosters-180x11"
"""Fitted to real fields, too, with random seeds: of the kind that the frontier chooses."""

FORMULA = "formula-180x11"

RATED = ("aro", "aroc", "apro", "ptpr")
"""Rules that need ratings; judged only where the configuration has them."""

SEED_NOISES = (math.inf, 50.0, 0.0)

POSTERIOR, THESIS, SEEDED = "posterior-mean", "thesis-own-lists", "seeded-180x11"
"""Names of the files of the posterior mean, of the thesis protocol, and of the world as it is."""

POSTERIOR_SEEDED = f"{POSTERIOR}-seeded"
"""Of the posterior mean in the world as it is."""

SHOWN_TOP = 30
"""The population that the tables show; the figures and the CSV file show all."""


@dataclass(frozen=True)
class Leaderboard:
    """All that the report of the leaderboard shows.

    **Fields:**

    - `assessments`: by name of the file, random seeds first.
    - `real`: rules compared with ratings.
    - `incentives`: probes of the rules.
    """

    assessments: Mapping[str, Assessment]
    real: tuple[Against, ...]
    incentives: tuple[Incentive, ...]

    @property
    def single(self) -> dict[float, Assessment]:
        """The single-event protocol by seed noise."""
        return {noise: self.assessments[f"single-seed-noise-{noise:g}"] for noise in SEED_NOISES}


def render(folder: Path) -> Path:
    """Write the report, its figures and `results.csv` from the JSON files in the same folder.

    **Returns:** the path of the report.
    """

    def read(name: str) -> Any:
        return json.loads((folder / f"{name}.json").read_text("utf-8"))

    names = [*(f"single-seed-noise-{noise:g}" for noise in SEED_NOISES), POSTERIOR, THESIS, SEEDED]
    if (folder / f"{POSTERIOR_SEEDED}.json").exists():  # not in reports from before it
        names.append(POSTERIOR_SEEDED)
    real = [
        row
        | {name: number(row[name]) for name in ("share", "fewer")}
        | {name: ends(row[name]) for name in ("ci", "fewer_ci")}
        for row in read("real-events")
    ]
    found = Leaderboard(
        {name: assessment_of(read(name)) for name in names},
        tuple(Against(**row) for row in real),
        tuple(Incentive(**row) for row in read("incentive")),
    )
    figures = {
        f"{name}.png": leaderboard_figure(result) for name, result in found.assessments.items()
    }
    figures |= {
        f"{name}-bias.png": bias_figure(result, SHOWN_TOP)
        for name, result in found.assessments.items()
        if has_bias(result)
    }
    tables = {
        "results.csv": results_csv(found.assessments.items(), "assessment"),
        "seed-bias.csv": bias_csv(found.assessments.items(), "assessment"),
    }
    return write_report_folder(folder, leaderboard_text(found), figures, tables)


def leaderboard_text(found: Leaderboard) -> str:
    """The leaderboard as Markdown."""
    first = found.single[math.inf]
    lines = [
        "# Which tie-break is wrong how often",
        "",
        "![Error rates with 95 % intervals, random seeds](single-seed-noise-inf.png)",
        "",
        *_summary(found),
        "",
        "Every section has a figure of all populations and a table of the tied pairs whose group "
        f"includes a place in the top {SHOWN_TOP}; all numbers are in [results.csv](results.csv). "
        "*Saved* is the relative reduction of errors against the product rule. Intervals are 95 % "
        f"bootstrap intervals over events; seed {first.seed}. Made by `tb2learn leaderboard`.",
        "",
    ]
    for noise, result in found.single.items():
        lines += _single_text(noise, result)
    lines += _seeded_text(found.assessments[SEEDED])
    lines += _limit_as_it_is(found.assessments.get(POSTERIOR_SEEDED))
    for section in (_posterior_text, _thesis_text, _real_text, _incentive_text):
        lines += section(found)
    return "\n".join(lines)


def _summary(found: Leaderboard) -> list[str]:
    """The main findings: a short table, then sentences."""
    limit, as_it_is = found.assessments[POSTERIOR], found.assessments[SEEDED]
    (hurt,) = (i for i in found.incentives if i.rule == LEARNED)
    (real,) = (r for r in found.real if r.rule == LEARNED and r.top == ALL)
    times = f"{hurt.violations} times" if hurt.violations else "never"
    return [
        "The share of tied pairs that a rule decides wrongly, with the weaker team first: among "
        "the pairs whose group includes a place in the top 10, in the top 30, and among all:",
        "",
        *_rates_table(found.single[math.inf], (PRODUCT, *_SUMMARISED)),
        "",
        "* With random seeds no rule that uses only the results can do much better. The posterior "
        "mean, which knows the model that the events are drawn from, is wrong in "
        f"{_rate(limit, POSTERIOR, SHOWN_TOP)} of the pairs of the top {SHOWN_TOP}, and the "
        f"learned tables in {_rate(limit, LEARNED, SHOWN_TOP)} on the same {limit.events:,} "
        f"events. For first place even the posterior mean is wrong in "
        f"{_rate(limit, POSTERIOR, 1)} of the cases.",
        "* Where seeds are near the truth this is no bound: the pairings betray the seeds, and a "
        "rule can be right more often by reading them. There a rule is judged by its error and its "
        f"seed bias together: least squares errs less than the learned tables "
        f"({_rate(as_it_is, 'least-squares', SHOWN_TOP)} and "
        f"{_rate(as_it_is, LEARNED, SHOWN_TOP)} of the pairs of the top {SHOWN_TOP}), and prefers "
        f"the higher seed of two nearly equal teams in {_near(as_it_is, 'least-squares')} and "
        f"{_near(as_it_is, LEARNED)} of the cases.{_others_as_it_is(found)}",
        f"* In Baku 2016 the learned tables prefer the lower rated of two tied teams in "
        f"{percent(real.share)} of {real.pairs:,} pairs, the product rule in "
        f"{percent(real.share + real.fewer)}.",
        f"* Half a point more {times} lowered a team's score under them in {hurt.probes:,} probes, "
        f"{hurt.within:,} of which could show it: they left the team's match points unchanged.",
        "* All error rates are measured on simulated events. Ratings, expected scores and draws of "
        "real chess follow this model only roughly; [robustness.md](../robustness.md) shows the "
        "results under other models.",
    ]


def _others_as_it_is(found: Leaderboard) -> str:
    """Sentences on the table for real fields and the posterior mean, if they were judged there."""
    as_it_is, limit = found.assessments[SEEDED], found.assessments.get(POSTERIOR_SEEDED)
    said = ""
    if any(row.rule == ROSTERS for row in as_it_is.results):
        said += (
            f" The table fitted to real fields with random seeds (`{ROSTERS}`) is wrong in "
            f"{_rate(as_it_is, ROSTERS, SHOWN_TOP)}, and prefers the higher seed in "
            f"{_near(as_it_is, ROSTERS)}."
        )
    if limit:
        said += (
            " The posterior mean, which knows the rosters and the games of that world, but reads "
            f"results alone, is wrong in {_rate(limit, POSTERIOR, SHOWN_TOP)}, and prefers the "
            f"higher seed in {_near(limit, POSTERIOR)} ({limit.events:,} events)."
        )
    return said


_SUMMARISED = ("buchholz-cut1", "least-squares", FORMULA, ROSTERS, LEARNED)
"""Rules of the table at the head of the report, after the product rule."""


def _rates_table(result: Assessment, names: Sequence[str]) -> list[str]:
    """Error rates of some rules: a row a rule, a column a population."""
    rates = {(r.rule, r.top): percent(r.error_rate) for r in result.results}
    tops = (10, SHOWN_TOP, ALL)
    judged = [name for name in names if (name, ALL) in rates]
    rows = [(rule_name(name), *(rates[name, top] for top in tops)) for name in judged]
    return table(("rule", *(population_name(top) for top in tops)), rows)


def _rate(result: Assessment, name: str, top: int) -> str:
    """The error rate of a rule in one population."""
    (found,) = (r for r in result.results if r.rule == name and r.top == top)
    return percent(found.error_rate)


def _near(result: Assessment, name: str) -> str:
    """How often a rule prefers the higher seed of two nearly equal teams, with its interval."""
    (found,) = (b for r, b in bias_rows(result, SHOWN_TOP) if r.rule == name)
    return f"{percent(found.near.value)} [{', '.join(map(percent, found.near.ci))}]"


def _single_text(noise: float, result: Assessment) -> list[str]:
    what = {math.inf: "random seeds", 0.0: "seeds by true strength"}.get(
        noise, f"seeds with an error of {noise:g} rating points"
    )
    return [
        f"## Single event, seed noise {noise:g} ({what})",
        "",
        f"{result.events:,} events of `{result.config.name}`, 180 teams, 11 rounds. Rules see only "
        "the results of the event; the true order is that of the exact expected scores of a round "
        "robin. *true-opponents* knows the true ratings of all opponents and estimates the "
        "strength of a team from its own games; it does not know how strengths are distributed. "
        "*all-play-all* is the result of one simulated round robin."
        if noise == math.inf
        else f"{result.events:,} events of the same configuration with other seeds.",
        "",
        *([] if noise == math.inf else [f"![Error rates](single-seed-noise-{noise:g}.png)", ""]),
        *results_table(result, SHOWN_TOP),
        "",
        *_bias_text(f"single-seed-noise-{noise:g}", result),
    ]


def _seeded_text(result: Assessment) -> list[str]:
    """The world as it is, in which error alone cannot judge a rule."""
    rules = ", ".join(rule_name(name) for name in fairest(result, SHOWN_TOP))
    return [
        "## The world as it is: real rosters and games, seeds near the truth",
        "",
        f"{result.events:,} events of `{result.config.name}`: {result.config.description}. "
        f"{DEFINITION}",
        "",
        f"By point estimates no rule beats these on both error and fairness: {rules}.",
        "",
        *_bias_text(SEEDED, result),
        f"![Error rates]({SEEDED}.png)",
        "",
        *results_table(result, SHOWN_TOP),
        "",
    ]


def _bias_text(name: str, result: Assessment) -> list[str]:
    """Error and seed bias of every rule, if it was counted; all populations are in the CSV file."""
    if not has_bias(result):
        return []
    section = bias_section(result, SHOWN_TOP, f"{name}-bias.png")
    return [*section, "", "All populations: [seed-bias.csv](seed-bias.csv).", ""]


def _limit_as_it_is(limit: Assessment | None) -> list[str]:
    """What a rule that knows the world as it is, but reads results alone, reaches there."""
    if limit is None:
        return []
    return [
        "### What reading results alone reaches there",
        "",
        f"The first {limit.events:,} of these events. The posterior mean is the expected strength "
        "of every team given all results, under the rosters and the games that the events are "
        "drawn from, as if seeds were random: it knows neither seeds nor how the pairings were "
        "made. No rule is bound by it: one that reads the seeds out of the pairings can err less, "
        "and then prefers the higher seed.",
        "",
        *_bias_text(POSTERIOR_SEEDED, limit),
        f"![Error rates]({POSTERIOR_SEEDED}.png)",
        "",
        *results_table(limit, SHOWN_TOP),
        "",
    ]


def _posterior_text(found: Leaderboard) -> list[str]:
    limit = found.assessments[POSTERIOR]
    return [
        "## The best possible rule",
        "",
        f"The first {limit.events:,} of the events above, random seeds. The posterior mean is the "
        "expected strength of every team given all results, under the model that the events are "
        "drawn from. With random seeds no rule that uses only the results has a lower expected "
        "error rate; with other seeds the pairings say more than the results.",
        "",
        f"![Error rates]({POSTERIOR}.png)",
        "",
        *results_table(limit, SHOWN_TOP),
        "",
    ]


def _thesis_text(found: Leaderboard) -> list[str]:
    thesis = found.assessments[THESIS]
    return [
        "## Thesis protocol, own lists",
        "",
        f"{thesis.events:,} events, random seeds. Both teams replay their own reduced lists of "
        "opponents thirty times; what an opponent counts as comes from the event that was played. "
        "This removes the luck of the results and measures the bias of the choice of opponents. "
        "The numbers cannot be compared with those above. Rules that are not sums over opponents "
        "(least squares, row sums, direct encounter, progressive scores) cannot be replayed; cuts "
        "are those of the protocol. *all-play-all* is a second run of the protocol's own truth, "
        "and so shows its noise.",
        "",
        f"![Error rates]({THESIS}.png)",
        "",
        *results_table(thesis, SHOWN_TOP),
        "",
    ]


def _real_text(found: Leaderboard) -> list[str]:
    rows = sorted((row for row in found.real if row.top == ALL), key=lambda row: row.share)
    return [
        "## Real events: against the ratings",
        "",
        "How often a rule prefers the lower rated of two tied teams (mean rating of the four best "
        f"who played) in Baku 2016: all {rows[0].pairs:,} tied pairs of unequal rating. *Fewer*: "
        "how much less often than the product rule. The true strength of the teams is unknown. "
        f"Only {', '.join(RATED)} use ratings. Intervals are from a bootstrap over teams. The "
        f"pairs of the top {SHOWN_TOP} are in "
        "[real-events.json](real-events.json).",
        "",
        *table(
            ("rule", "prefers the lower rated", "from", "to", "fewer", "from", "to"),
            [
                (
                    rule_name(row.rule),
                    *interval_cells(row.share, row.ci, ".1%"),
                    *(
                        (None, None, None)
                        if row.rule == PRODUCT
                        else interval_cells(row.fewer, row.fewer_ci, "+.1%")
                    ),
                )
                for row in rows
            ],
        ),
        "",
    ]


def _incentive_text(found: Leaderboard) -> list[str]:
    first = found.incentives[0]
    hurt = [row for row in found.incentives if row.violations]
    unhurt = [rule_name(row.rule) for row in found.incentives if not row.violations]
    least = exact_interval(0, first.within)[1]
    return [
        "## Incentive",
        "",
        "A probe gives a team half a point more in one match of a simulated event, and the "
        f"opponent half a point less (`{WORLD}`, {PROBES} matches per event). Every rule had "
        f"{first.probes:,} probes. A violation is a lower score of the team with unchanged match "
        f"points; only {first.within:,} of the probes could show one, the others raised the match "
        "points.",
        "",
        f"No violation was found under {', '.join(unhurt)}: with a confidence of 97.5 % it happens "
        f"in less than {least:.3%} of such matches.",
        "",
        *_hurt_text(hurt),
        "All rules: [incentive.json](incentive.json).",
        "",
    ]


def _hurt_text(hurt: Sequence[Incentive]) -> list[str]:
    """The rules under which half a point more can lower the score."""
    if not hurt:
        return []
    rows = [
        (
            rule_name(row.rule),
            f"{row.violations:,}",
            *interval_cells(
                row.violations / row.within, exact_interval(row.violations, row.within), ".2%"
            ),
            f"{row.worst:g}",
            f"{row.places:,}",
        )
        for row in hurt
    ]
    return [
        "Under these the score can fall. *Worst loss* is in points of the rule; *worse place* "
        "counts teams that lost places for any reason.",
        "",
        *table(("rule", "violations", "share", "from", "to", "worst loss", "worse place"), rows),
        "",
    ]
