"""The report on real events: Markdown with a figure, the full grid as JSON and CSV."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from typing import Any

from tb2learn.catalogue import PRODUCT, find_rule
from tb2learn.disk import files
from tb2learn.events import read_event
from tb2learn.report.markdown import csv_table, escaped, interval_cells, table, with_interval
from tb2learn.report.wording import rule_name
from tb2learn.studies.real.figures import SHOWN, best_first, differences_figure
from tb2learn.studies.real.study import UNITS, Disagreement, RealStudy, Row, judge
from tb2learn.studies.real.verdicts import HIGHER_RATED, populations
from tb2learn.studies.report_folder import write_report_folder

EVENTS = ("baku2016", "batumi2018", "batumi2018w")
"""The packaged events with ratings and rounds."""

LEARNED, LEAST_SQUARES = "learned-180x11", "least-squares"

RULES = (
    PRODUCT,
    "buchholz-cut1",
    "emmsb-cut1",
    "emgsb",
    "egmsb-cut1",
    "eggsb-cut1",
    "game-points",
    "row-sum",
    LEAST_SQUARES,
    "olympiad-180x11",
    "formula-180x11",
    f"{LEARNED}-pass1",
    f"{LEARNED}-pass2",
    "rosters-180x11",
    LEARNED,
)
"""Rules that are judged by default."""

_SINGLE = ("pairs", "right", "more", "disagree", "disagree_right", "events_half", "events_most")


def study_real(folder: Path, sources: Sequence[str], names: Sequence[str], seed: int) -> Path:
    """Judge rules by recorded events and write the report.

    **Arguments:**

    - `folder`: where `README.md`, `real.png`, `real.json`, `results.csv` and `disagreements.csv`
      go.
    - `sources`: events of any form that can be read; the packaged `EVENTS` if there are none.
    - `names`: of rules; the product rule comes first in any case. `RULES` if there are none.
    - `seed`: of the resampling.

    **Returns:** the path of the report.

    **Raises:** `InputError` as `read_event`, `find_rule` and `judge`.
    """
    files.check_folder(folder)
    events = [read_event(source) for source in sources or EVENTS]
    rules = list(dict.fromkeys([PRODUCT, *(names or RULES)]))
    found = judge(events, rules, cache(find_rule), seed, "real events")
    files.write_text(folder / "real.json", study_json(found))
    return render(folder)


def render(folder: Path) -> Path:
    """Write the report, its figure and the CSV files from `real.json` in the same folder."""
    found = study_of(json.loads((folder / "real.json").read_text("utf-8")))
    figures = {"real.png": differences_figure(found)}
    return write_report_folder(folder, report_text(found), figures, _csv(found))


# --------------------------------------------------------------------------- JSON and CSV


def study_json(found: RealStudy) -> str:
    """The study as JSON; null for a number that does not exist."""

    def finite(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: finite(part) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [finite(part) for part in value]
        return None if isinstance(value, float) and not math.isfinite(value) else value

    content = finite(asdict(found)) | {"looked_at": found.looked_at}
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def study_of(content: dict[str, Any]) -> RealStudy:
    """The study that `study_json` wrote."""

    def number(value: float | None) -> float:
        return math.nan if value is None else value

    def row(one: dict[str, Any]) -> Row:
        both = {name: tuple(map(number, one[name])) for name in ("right_ci", "more_ci")}
        return Row(**one | both | {name: number(one[name]) for name in _SINGLE})

    values = {field.name: content[field.name] for field in fields(RealStudy)}
    return RealStudy(
        **{name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}
        | {
            "rows": tuple(map(row, content["rows"])),
            "disagreements": tuple(Disagreement(**one) for one in content["disagreements"]),
        }
    )


def _csv(found: RealStudy) -> dict[str, str]:
    """All rows and all disagreements as CSV, by name of the file."""

    def shown(value: float) -> float | None:
        return round(value, 6) if math.isfinite(value) else None

    results = [
        (
            *(row.test, row.population, row.rule, row.pairs, row.units),
            *map(shown, (row.right, *row.right_ci, row.more, *row.more_ci)),
            *(row.over, row.disagree, row.disagree_right),
            *map(shown, (row.events_half, row.events_most)),
        )
        for row in found.rows
    ]
    header = (
        *("test", "population", "rule", "pairs", "units", "right", "right_low", "right_high"),
        *("more", "more_low", "more_high", "over", "disagree", "disagree_right"),
        *("events_half", "events_most"),
    )
    against = ("test", "population", "one", "other", "pairs", "one_right")
    return {
        "results.csv": csv_table(header, results),
        "disagreements.csv": csv_table(
            against, [[getattr(one, name) for name in against] for one in found.disagreements]
        ),
    }


# --------------------------------------------------------------------------- the report


def report_text(found: RealStudy) -> str:
    """The report as Markdown."""
    first = rule_name(found.rules[0])
    lines = [
        "# Real events as judges of tie-breaks",
        "",
        f"![By how much more often each rule is right than the {first}](real.png)",
        "",
        *_summary(found),
        "",
        f"Events: {escaped(', '.join(found.events))}. Intervals are 95 % bootstrap intervals "
        "within events, each the wider of two: over teams, and over score groups (ratings) or "
        f"matches (prediction); seed {found.seed}. All populations are in "
        "[results.csv](results.csv). Made by `tb2learn study real`.",
        "",
    ]
    for test, text in (("ratings", _ratings_text), ("prediction", _prediction_text)):
        if any(row.test == test for row in found.rows):
            lines += text(found)
    lines += _disagree_text(found)
    lines += _power_text(found)
    return "\n".join(lines) + "\n"


def _summary(found: RealStudy) -> list[str]:
    """What is shown, what is not, and how many differences were looked at."""
    first = rule_name(found.rules[0])
    judged = [r for r in found.rows if r.rule not in (found.rules[0], HIGHER_RATED)]
    lines = []
    for test, shown in SHOWN.items():
        rows = [r for r in judged if (r.test, r.population) == (test, shown[0])]
        better = ", ".join(
            f"{rule_name(r.rule)} (by {with_interval(r.more, r.more_ci)})"
            for r in best_first([r for r in rows if r.more_ci[0] > 0])
        )
        if rows:
            lines.append(
                f"* {test.capitalize()}, {populations(test)[shown[0]]}: shown to be right more "
                f"often than the {first}: {better or 'no rule'}."
            )
    worse = ", ".join(
        f"{rule_name(r.rule)} ({r.test}, {r.population}: {with_interval(r.more, r.more_ci)})"
        for r in judged
        if r.rule in _POWERED and r.more_ci[1] < 0
    )
    if worse:
        lines.append(f"* Shown to be right less often than the {first} somewhere: {worse}.")
    looked, clear = found.looked_at, sum(row.shown for row in judged)
    return [
        *lines,
        f"* {looked} differences to the {first} were looked at, and nothing is corrected for that: "
        f"the intervals of {clear} exclude zero, where about {0.05 * looked:.0f} would do so "
        "without any difference. The populations overlap, so that they are not independent.",
    ]


def _results(rows: Sequence[Row], wrong: bool, first: str) -> list[str]:
    """A table of one population, best first."""
    share = "wrong" if wrong else "right"
    return table(
        ("rule", share, "from", "to", "better by", "from", "to"),
        [
            (
                "higher rated first" if row.rule == HIGHER_RATED else rule_name(row.rule),
                *(
                    interval_cells(1 - row.right, [1 - x for x in row.right_ci[::-1]])
                    if wrong
                    else interval_cells(row.right, row.right_ci)
                ),
                *(
                    (None, None, None)
                    if row.rule == first
                    else interval_cells(row.more, row.more_ci, "+.3f")
                ),
            )
            for row in best_first(rows)
        ],
    )


def _tables(found: RealStudy, test: str) -> list[str]:
    lines = []
    for population in SHOWN[test]:
        rows = found.at(test, population)
        what = populations(test)[population]
        lines += [
            f"### {what[0].upper()}{what[1:]}: {rows[0].pairs:,} pairs of "
            f"{rows[0].units:,} {UNITS[test]}",
            "",
        ]
        lines += [*_results(rows, test == "ratings", found.rules[0]), ""]
    return lines


def _ratings_text(found: RealStudy) -> list[str]:
    return [
        "## Ratings: how often is the lower rated team first",
        "",
        f"All pairs of rated teams on equal final match points in "
        f"{escaped(', '.join(found.rated))}; equal scores count half.",
        "",
        "**Ratings are not the truth, and they are the seeds.** A team is paired by its seed, so "
        "strong opponents and a high rating go together, and a rule that rewards strong opponents "
        "looks better here than it is.",
        "",
        *_tables(found, "ratings"),
    ]


def _prediction_text(found: RealStudy) -> list[str]:
    higher = found.at("prediction", SHOWN["prediction"][0])[-1]
    return [
        "## Prediction: does the favourite win later",
        "",
        "After every round, all teams on equal match points that meet in a later round and do not "
        f"draw, in {escaped(', '.join(found.predicted))}: is the team that the rule places first "
        "the winner? Rules see the results up to that round alone, tables are rescaled to its "
        "number, and equal scores count half. A match can be predicted after several rounds; it is "
        "resampled as one.",
        "",
        "**No rating is used, but the pairings were made by ratings.** The opponents of the first "
        "rounds betray a team's seed, and a rule that reads it out of the schedule predicts better "
        f"without being fairer. Simply placing the higher rated team first is right in "
        f"{higher.right:.1%} of the {higher.pairs:,} predictions of the first table.",
        "",
        *_tables(found, "prediction"),
    ]


def _disagree_text(found: RealStudy) -> list[str]:
    """Where two rules disagree: against the first rule, and the learned table and least squares."""
    lines = [
        "## Where two rules disagree",
        "",
        f"Pairs that a rule and the {rule_name(found.rules[0])} put in opposite order, and how "
        "many each of them gets right. Any two rules: [disagreements.csv](disagreements.csv).",
        "",
    ]
    for test, shown in SHOWN.items():
        rows = [row for row in found.at(test, shown[0])[1:] if row.rule != HIGHER_RATED]
        if rows:
            lines += [f"### {test.capitalize()}: {populations(test)[shown[0]]}", ""]
            lines += table(
                ("rule", "opposite order", "rule right", f"{rule_name(found.rules[0])} right"),
                [
                    (
                        *(rule_name(row.rule), f"{row.disagree:,}", f"{row.disagree_right:,}"),
                        f"{row.disagree - row.disagree_right:,}",
                    )
                    for row in sorted(rows, key=lambda row: -row.disagree)
                ],
            )
            lines.append("")
    both = [d for d in found.disagreements if {d.one, d.other} == {LEARNED, LEAST_SQUARES}]
    if both:
        lines += [f"### {rule_name(both[0].one)} and {rule_name(both[0].other)}", ""]
        lines += table(
            ("test", "population", "opposite order", f"{both[0].one} right", "other right"),
            [
                (d.test, d.population, d.pairs, d.one_right, d.pairs - d.one_right)
                for d in both
                if d.population in SHOWN[d.test]
            ],
        )
        lines.append("")
    return lines


def _power_text(found: RealStudy) -> list[str]:
    """How many events it takes to show the differences that were found."""
    rows = [
        (
            *(rule_name(row.rule), test, population, f"{row.more:+.3f}"),
            *(f"{n:,.0f}" if n < _MANY else f"over {_MANY:,}" for n in needed),
        )
        for test, shown in SHOWN.items()
        for population in shown
        for row in found.at(test, population)[1:]
        if row.rule in _POWERED
        and all(map(math.isfinite, needed := (row.events_half, row.events_most)))
    ]
    if not rows:
        return []
    return [
        "## How many events it takes",
        "",
        "Events like these, in all, until a difference to the "
        f"{rule_name(found.rules[0])} of the size found is significant (5 %, two-sided, one test) "
        "with a chance of one half, and of 80 %. The size itself is uncertain: where the interval "
        "includes zero the true difference may be smaller, and the number of events larger.",
        "",
        *table(("rule", "test", "population", "difference", "one half", "80 %"), rows),
        "",
    ]


_MANY = 1000
"""More events than this are not counted."""

_POWERED = ("buchholz-cut1", LEAST_SQUARES, "formula-180x11", "rosters-180x11", LEARNED)
"""Rules whose power is shown."""
