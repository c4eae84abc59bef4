"""The report of Csato's study for any team event, as Markdown with figures, CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tb2learn.disk import files
from tb2learn.events import TeamEvent, rank
from tb2learn.report.markdown import csv_table, escaped, table
from tb2learn.studies.rankings.figures import METHODS, curves_figure, distances_figure, maps_figure
from tb2learn.studies.rankings.methods import (
    EPSILONS,
    LEAST_SQUARES,
    MATRICES,
    is_compared,
    renumbered,
)
from tb2learn.studies.rankings.published import Beside, Published, beside, published
from tb2learn.studies.rankings.study import (
    CURVES,
    DECOMPOSED,
    DISTANCES,
    FIRST_ROUND,
    OFFICIAL,
    START,
    STEPS,
    Curves,
    Official,
    Study,
    steps_of,
    study,
)
from tb2learn.studies.report_folder import write_report_folder
from tb2learn.tiebreaks.rules import product_table

# --------------------------------------------------------------------------- JSON and CSV

SHOWN_STEPS = 8
"""Steps of the decomposition that the report shows; later ones are shown as one."""


SHOWN_TEAMS = 20
"""Teams that the tables of the report show; the CSV files have all."""


_FAR = 5  # moves of so many places or more are reported


def study_json(found: Study) -> str:
    """The study as JSON: places by ranking and team, distances, decomposition, curves."""
    event, names = found.event, list(found.rankings)

    def finite(value: float) -> float | None:
        return value if np.isfinite(value) else None

    content: dict[str, Any] = {
        "event": event.name,
        "matches": int(found.graph.matches.sum()) // 2,
        "epsilon": {**EPSILONS, "reasonable": finite(found.graph.reasonable_epsilon)},
        "components": [[event.teams[team] for team in group] for group in _components(found)],
        "rankings": {
            name: {event.teams[team]: int(ranking[team]) for team in np.argsort(ranking)}
            for name, ranking in found.rankings.items()
        },
    }
    for kind, number in (("kemeny", int), ("weighted", float)):
        content[kind] = {
            first: {
                second: number(value)
                for second, value in zip(names, row, strict=True)
                if first != second
            }
            for first, row in zip(names, found.distances[kind], strict=True)
        }
    content["decomposition"] = {
        event.teams[team]: steps_of(found.decomposed, int(team))
        for team in np.argsort(found.decomposed.scores, kind="stable")
    }
    content["curves"] = found.curves and {
        "rounds": found.curves.rounds,
        "teams": found.curves.covered,
        **{
            curve: {name: [finite(value) for value in line] for name, line in lines.items()}
            for curve, lines in found.curves.values.items()
        },
    }
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def study_csv(found: Study) -> dict[str, str]:
    """The study as CSV, by name of the file."""
    teams, names = found.event.teams, list(found.rankings)
    curves = found.curves
    steps = {team: steps_of(found.decomposed, number) for number, team in enumerate(teams)}
    tables = {
        "rankings": csv_table(
            ("team", "component", *names),
            [
                (team, found.graph.components[n] + 1, *(found.rankings[name][n] for name in names))
                for n, team in enumerate(teams)
            ],
        ),
        "distances": csv_table(
            ("ranking", "other", *DISTANCES),
            [
                (first, second, *(float(found.distances[kind][i, j]) for kind in DISTANCES))
                for i, first in enumerate(names)
                for j, second in enumerate(names[:i])
            ],
        ),
        "decomposition": csv_table(
            ("team", *steps[teams[0]]), [(team, *row.values()) for team, row in steps.items()]
        ),
    }
    if curves:
        tables["curves"] = csv_table(
            ("curve", "ranking", "round", "value"),
            [
                (curve, name, number, float(value) if np.isfinite(value) else None)
                for curve, lines in curves.values.items()
                for name, line in lines.items()
                for number, value in zip(curves.rounds, line, strict=True)
            ],
        )
    return {f"{name}.csv": content for name, content in tables.items()}


def _components(found: Study) -> list[np.ndarray]:
    component = found.graph.components
    return [np.flatnonzero(component == number) for number in range(component.max() + 1)]


# --------------------------------------------------------------------------- the report


def study_event(out: Path, event: TeamEvent, json_path: str | None) -> Path:
    """Study a recorded event; a packaged one beside its published tables.

    **Arguments:**

    - `out`: as for `study_rankings`.
    - `event`: without published tables its official order is that of the product rule.
    - `json_path`: where to write the numbers as JSON, if anywhere.

    **Returns:** the path of the report.
    """
    printed = published(event)

    def official(event: TeamEvent) -> dict[str, int]:
        rows = rank(event, product_table(event.rounds, event.boards))
        return {row.team: row.place for row in rows}

    places = printed.official if printed else official
    return study_rankings(
        event, out, places, Path(json_path) if json_path else None, printed, "rankings"
    )


def study_rankings(
    event: TeamEvent,
    out: Path,
    official: Official | None = None,
    json_path: Path | None = None,
    printed: Published | None = None,
    label: str | None = None,
) -> Path:
    """Study an event's rankings and write the report.

    **Arguments:**

    - `event`: real or simulated.
    - `out`: the folder for `README.md`, the figures and the CSV files.
    - `official`: gives the official places; None if they are not known.
    - `json_path`: where to write the numbers as JSON; None for nowhere.
    - `printed`: published tables to compare with ours.
    - `label`: shows a progress bar with this label.

    **Returns:** the path of the report.

    **Raises:** `InputError` if no match was played, or a file cannot be written.
    """
    files.check_folder(out)
    found = study(event, official, label)
    figures = {"distances.png": distances_figure(found), "maps.png": maps_figure(found)}
    if found.curves:
        figures["curves.png"] = curves_figure(found.curves)
    if json_path:
        files.write_text(json_path, study_json(found))
    return write_report_folder(out, report_text(found, printed), figures, study_csv(found))


def report_text(found: Study, printed: Published | None = None) -> str:
    """The report as Markdown; names of teams in it are escaped."""
    lines = [
        f"# Rankings by paired comparison: {escaped(found.event.name)}",
        "",
        "![Maps of the rankings: the nearer two points, the more alike](maps.png)",
        "",
        *_summary(found),
        "",
        *_method(found),
        "",
    ]
    if printed:
        lines += _beside_text(beside(found, printed))
    lines += _rankings_text(found)
    lines += _distances_text(found)
    lines += _decomposition_text(found)
    lines += _curves_text(found)
    return "\n".join(lines).rstrip("\n") + "\n"


def _summary(found: Study) -> list[str]:
    """The main findings."""
    lines = [_moved(found)]
    names = list(found.rankings)
    spread = {}
    for method in METHODS:
        rows = [names.index(f"{method}_{matrix}") for matrix in MATRICES]
        block = found.distances["kemeny"][np.ix_(rows, rows)]
        spread[method] = block.sum() / (len(rows) * (len(rows) - 1))
    said = ", ".join(f"{value:.1f} for `{method}`" for method, value in spread.items())
    lines.append(
        "- Effect of the choice between match and board points, as the mean Kemeny distance "
        f"between the four rankings of a method: {said}."
    )
    if found.curves:
        lines += _best_curves(found.curves)
    return lines


def _moved(found: Study) -> str:
    """A sentence on how far teams move by least squares."""
    base = OFFICIAL if OFFICIAL in found.rankings else "grs1_mp"
    old = renumbered(found.rankings[base], found.among)
    new = renumbered(found.rankings[DECOMPOSED], found.among)
    up = (old - new) * found.among
    far = int((np.abs(up) >= _FAR).sum())
    best, worst = int(up.argmax()), int(up.argmin())
    teams = found.event.teams
    line = (
        f"- Least squares on match points (`{DECOMPOSED}`) moves {far} of {int(found.among.sum())} "
        f"teams by {_FAR} places or more against `{base}`"
    )
    if far:
        line += (
            f": {escaped(teams[best])} goes from {old[best]} to {new[best]}, "
            f"{escaped(teams[worst])} from {old[worst]} to {new[worst]}"
        )
    return line + "."


def _best_curves(curves: Curves) -> list[str]:
    """The best and the worst ranking by three of the curves, as sentences."""
    lines = []
    for curve, what in (
        ("predictive_mp", "Lowest share of match points of the lower ranked side in later rounds"),
        ("retrodictive_mp", "Lowest share of match points of the lower ranked side so far"),
        ("robustness_weighted", "Lowest weighted distance to the ranking a round later"),
    ):
        means = _means(curves.values[curve])
        if curve.startswith("robustness"):
            means.pop(START, None)  # it never changes
        if means:
            first, last = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
            form = _form(curve)
            lines.append(
                f"- {what}: `{first}`, {form.format(means[first])} on average over the rounds. "
                f"Highest: `{last}`, {form.format(means[last])}."
            )
    return [
        *lines,
        "- One event is little evidence: another event may order the rankings differently.",
    ]


def _means(lines: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The mean over the rounds of every ranking that has a value in some round."""
    kept = {name: [value for value in line if np.isfinite(value)] for name, line in lines.items()}
    return {name: float(np.mean(values)) for name, values in kept.items() if values}


def _form(curve: str) -> str:
    return "{:.2f}" if curve.startswith("robustness") else "{:.1%}"


def _method(found: Study) -> list[str]:
    event, graph = found.event, found.graph
    compared = sum(map(is_compared, event.matches))
    byes = sum(match.team_b is None for match in event.matches)
    lines = [
        f"{len(event.teams)} teams, {compared} matches on {event.boards} boards. Left out, as they "
        f"are no evidence of strength: {byes} byes and {len(event.matches) - compared - byes} "
        "matches in which no game was played.",
        "",
        "`mp`: results are match points; `bp`: board points; `mb`, `bm`: mixtures with a quarter "
        "and two thirds board points. `grs1`, `grs2`: generalized row sum with "
        "epsilon = 1/324 and 1/6 (by Chebotarev's criterion, epsilon is reasonable here up to "
        f"{graph.reasonable_epsilon:.4f}); `ls`: least squares. "
        f"`{OFFICIAL}`: the event's own final order; `{START}`: the start order. Equal ratings are "
        + ("ordered as officially." if OFFICIAL in found.rankings else "ordered by MP, GP, start."),
    ]
    if START not in found.rankings:
        lines += ["", "The start order of this event is not known."]
    if OFFICIAL not in found.rankings:
        lines += ["", "The official order of this event is not known."]
    if not found.connected:
        groups = [len(group) for group in _components(found)]
        lines += [
            "",
            f"**The matches do not connect all teams**: {len(groups)} components, of "
            f"{', '.join(map(str, groups[:12]))}{', ...' if len(groups) > 12 else ''} teams. Least "
            "squares cannot compare teams of different components, so its places are counted "
            "within each. Distances, maps and curves use only the teams of the largest component.",
        ]
    return lines


def _beside_text(tables: Sequence[Beside]) -> list[str]:
    lines = [
        "## Comparison with the published tables",
        "",
        *table(
            ["table", "cells", "different", "of which exact ties"],
            [[one.table, one.cells, len(one.different), one.tied] for one in tables],
        ),
        "",
    ]
    lines += [f"- {escaped(cell)}" for one in tables for cell in one.different]
    if any(one.different for one in tables):
        lines.append("")
    return lines


def _first(found: Study) -> str:
    """Which teams a table shows."""
    teams = len(found.event.teams)
    return f"the first {SHOWN_TEAMS} of {teams} teams" if teams > SHOWN_TEAMS else "all teams"


def _rankings_text(found: Study) -> list[str]:
    component = found.graph.components
    by = OFFICIAL if OFFICIAL in found.rankings else DECOMPOSED
    order = np.lexsort((found.rankings[by], component))[:SHOWN_TEAMS]
    shown = [name for name in found.rankings if name in (START, OFFICIAL) or name.endswith("_mp")]
    header = ["team", *([] if found.connected else ["component"]), *shown]
    rows = [
        [
            found.event.teams[team],
            *([] if found.connected else [component[team] + 1]),
            *(found.rankings[name][team] for name in shown),
        ]
        for team in order
    ]
    return [
        "## Rankings",
        "",
        f"Rankings by match points, {_first(found)}. All rankings of all teams are in "
        "[rankings.csv](rankings.csv).",
        "",
        *table(header, rows),
        "",
    ]


def _distances_text(found: Study) -> list[str]:
    return [
        "## Distances",
        "",
        "The Kemeny distance is the number of pairs of teams in opposite order. The weighted "
        "distance is the cost of turning one ranking into the other by swapping neighbours, where "
        "a swap of places i and i + 1 costs 1/i, so that the first places count most. The maps at "
        "the top of the page show approximate distances. All numbers are in "
        "[distances.csv](distances.csv).",
        "",
        "![Distances](distances.png)",
        "",
    ]


def _decomposition_text(found: Study) -> list[str]:
    shown = min(SHOWN_STEPS, STEPS)
    header = ["team", "scores", *map(str, range(1, shown + 1)), "later", "cumulated", DECOMPOSED]
    rows = []
    for team in np.argsort(found.decomposed.scores, kind="stable")[:SHOWN_TEAMS]:
        row = steps_of(found.decomposed, int(team))
        steps = [row[f"step_{k}"] for k in range(1, shown + 1)]
        cumulated = row["cumulated"]
        moved = [
            f"{value:+d}" if value else "0" for value in (*steps, cumulated - sum(steps), cumulated)
        ]
        rows.append([found.event.teams[team], row["scores"], *moved, row[LEAST_SQUARES]])
    return [
        "## Decomposition",
        "",
        f"From the scores to `{DECOMPOSED}`: places gained when the results of the opponents count "
        f"(step 1), then those of their opponents (step 2), and so on; {_first(found)}, sorted by "
        f"scores. All teams and {STEPS} steps are in [decomposition.csv](decomposition.csv).",
        "",
        *table(header, rows),
        "",
    ]


def _curves_text(found: Study) -> list[str]:
    lines = ["## Round by round", ""]
    if found.curves is None:
        known = all(match.round for match in found.event.matches)
        why = f"fewer than {FIRST_ROUND} rounds" if known else "no rounds in the record"
        return [*lines, f"Not shown: {why}.", ""]
    curves = found.curves
    lines += [
        "*predictive* and *retrodictive*: share of the points that the lower ranked sides scored "
        "in later rounds, and in the rounds so far. *robustness*: distance to the ranking a round "
        "later. Lower is better for all.",
        "",
        "![Curves by round](curves.png)",
        "",
    ]
    if any(teams < len(found.event.teams) for teams in curves.covered):
        said = ", ".join(
            f"{teams} after round {number}"
            for number, teams in zip(curves.rounds, curves.covered, strict=True)
        )
        lines += [f"Only teams connected by the matches so far are compared: {said}.", ""]
    means = {curve: _means(values) for curve, values in curves.values.items()}
    rows = [
        [name, *(_form(c).format(by[name]) if name in by else "-" for c, by in means.items())]
        for name in found.rankings
    ]
    return [
        *lines,
        "Means over the rounds; the values of every round are in [curves.csv](curves.csv).",
        "",
        *table(["ranking", *(curve.replace("_", " ") for curve in CURVES)], rows),
        "",
    ]
