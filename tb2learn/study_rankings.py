"""Csato's study of any team event: its rankings, their distances, and which one predicts best.

It writes Markdown with figures, CSV and JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from tb2learn import data, files
from tb2learn.events import EventData
from tb2learn.markdown import csv_table, escaped, table
from tb2learn.rankings import (
    EPSILONS,
    LEAST_SQUARES,
    MATRICES,
    MatchGraph,
    all_rankings,
    decomposition,
    is_compared,
    kemeny_distance,
    least_squares,
    lower_ranked_shares,
    match_graph,
    mds_map,
    places,
    renumbered,
    scored,
    weighted_distance,
)
from tb2learn.report import COLOURS, INK, SAME, blank_figure, dress, figure_png
from tb2learn.simulate import progress_bar
from tb2learn.text import plain
from tb2learn.types import InputError

Places = Int[np.ndarray, " teams"]

Official = Callable[[EventData], Mapping[str, int]]
"""The official places after the rounds that an event has; teams that share one keep start order."""

START, OFFICIAL = "start", "official"
DISTANCES = {"kemeny": kemeny_distance, "weighted": weighted_distance}

DECOMPOSED = f"{LEAST_SQUARES}_mp"
"""The ranking that is decomposed."""

STEPS = 20
"""Steps of the decomposition."""

FIRST_ROUND = 3
"""The first round after which rankings are assessed."""


@dataclass(frozen=True)
class Decomposed:
    """Least squares on match points, step by step.

    **Fields:**

    - `scores`: places by the row sums alone.
    - `steps`: places gained in every step.
    - `tied`: whether a team's rating equals another's before or after the step, so that its places
      depend only on how equal ratings are ordered.
    - `final`: places by least squares.
    """

    scores: Places
    steps: Int[np.ndarray, "steps teams"]
    tied: Bool[np.ndarray, "steps teams"]
    final: Places


@dataclass(frozen=True)
class Curves:
    """Rankings judged round by round; NaN where no match can be judged.

    **Fields:**

    - `rounds`: after which they are judged.
    - `covered`: teams in the largest component of the matches so far, among which they are judged.
    - `values`: by name of the curve (`predictive_mp`, ...) and of the ranking, a number a round.
    """

    rounds: tuple[int, ...]
    covered: tuple[int, ...]
    values: Mapping[str, Mapping[str, tuple[float, ...]]]


@dataclass(frozen=True)
class Study:
    """All that the report shows.

    **Fields:**

    - `event`, `graph`: what was ranked.
    - `rankings`: places by the name of the ranking; those of least squares are counted within each
      component of an unconnected event.
    - `among`: the teams of the largest component, among which distances are taken.
    - `distances`: by name, between all rankings in their order.
    - `decomposed`: the steps of least squares.
    - `curves`: None for an event without rounds, or with too few.
    """

    event: EventData
    graph: MatchGraph
    rankings: Mapping[str, Places]
    among: Bool[np.ndarray, " teams"]
    distances: Mapping[str, Float[np.ndarray, "rankings rankings"]]
    decomposed: Decomposed
    curves: Curves | None

    @property
    def connected(self) -> bool:
        """Whether the matches connect all teams."""
        return bool(self.among.all())


# --------------------------------------------------------------------------- the numbers


def study(event: EventData, official: Official | None = None, label: str | None = None) -> Study:
    """Rank an event by every method and compare the rankings.

    **Arguments:**

    - `event`: real or simulated. Teams are taken to be in start order unless it says that its
      `order` is another one.
    - `official`: gives the official places; None where they are not known.
    - `label`: of a progress bar; silent without.

    **Raises:** `InputError` if no match was played, or `official` does not know a team.
    """
    graph = match_graph(event)
    if not graph.matches.any():
        raise InputError(f"{event.name}: no match was played")
    rankings = _rankings(event, graph, official)
    among = graph.components == 0
    kept = [renumbered(ranking, among)[among] for ranking in rankings.values()]
    return Study(
        event,
        graph,
        rankings,
        among,
        {name: _distances(kept, distance) for name, distance in DISTANCES.items()},
        _decomposed(graph, _before(event, graph, official)),
        _curves(event, official, label),
    )


def _before(event: EventData, graph: MatchGraph, official: Official | None) -> Places:
    """Places that decide between equal ratings: the official ones, else MP, GP, start order."""
    if official is None:
        keys = (-graph.board_points.sum(axis=1), -graph.match_points.sum(axis=1))
    else:
        given = official(event)
        missing = [team for team in event.teams if team not in given]
        if missing:
            raise InputError(f"{event.name}: no official place of {plain(missing[0])}")
        keys = (np.array([given[team] for team in event.teams]),)
    found = np.empty(len(event.teams), int)
    found[np.lexsort(keys)] = np.arange(1, len(event.teams) + 1)
    return found


def _rankings(event: EventData, graph: MatchGraph, official: Official | None) -> dict[str, Places]:
    before = _before(event, graph, official)
    found = {}
    if "order" not in event.about:
        found[START] = np.arange(1, len(event.teams) + 1)
    if official is not None:
        found[OFFICIAL] = before
    return found | all_rankings(graph, before)


def _distances(rankings: Sequence[Places], distance: Callable[[Places, Places], float]) -> Any:
    found = np.zeros((len(rankings), len(rankings)))
    for i, first in enumerate(rankings):
        for j, second in enumerate(rankings[:i]):
            found[i, j] = found[j, i] = distance(first, second)
    return found


def _decomposed(graph: MatchGraph, before: Places) -> Decomposed:
    scores = graph.scores(MATRICES["mp"])[:, 0]
    rated, component = least_squares(graph, scores)
    sums = decomposition(graph, scores, STEPS)
    after = [places(ratings, before, component) for ratings in sums]
    steps = np.array([old - new for old, new in pairwise(after)])
    # A team is tied if its place changes when ties are decided the other way round.
    turned = [places(ratings, len(before) + 1 - before, component) for ratings in sums]
    tied = np.array([one != other for one, other in zip(after, turned, strict=True)])
    final = places(rated, before, component)
    return Decomposed(after[0], steps, tied[:-1] | tied[1:], final)


CURVES = {
    "predictive_mp": "Later rounds: match points of the lower ranked",
    "predictive_bp": "Later rounds: board points of the lower ranked",
    "retrodictive_mp": "Rounds so far: match points of the lower ranked",
    "retrodictive_bp": "Rounds so far: board points of the lower ranked",
    "robustness_kemeny": "Kemeny distance to the ranking a round later",
    "robustness_weighted": "Weighted distance to the ranking a round later",
}
"""The curves by name, and what they show; the lower the better."""


def _curves(event: EventData, official: Official | None, label: str | None) -> Curves | None:
    numbers = range(FIRST_ROUND, event.rounds + 1)
    if not numbers or not all(match.round for match in event.matches):
        return None
    after: list[dict[str, Places]] = []
    with progress_bar(len(numbers), label, "round") as bar:
        for number in numbers:
            so_far = event.after(number)
            graph = match_graph(so_far)
            among = graph.components == 0
            found = _rankings(so_far, graph, official)
            after.append({name: renumbered(ranking, among) for name, ranking in found.items()})
            bar.update()
    halves = [
        {
            "predictive": scored(m for m in event.matches if m.round > number),
            "retrodictive": scored(m for m in event.matches if m.round <= number),
        }
        for number in numbers
    ]
    values: dict[str, dict[str, tuple[float, ...]]] = {name: {} for name in CURVES}
    for name in after[0]:
        judged = [
            _judged(matches, rankings[name], later and later[name])
            for matches, rankings, later in zip(halves, after, [*after[1:], None], strict=True)
        ]
        for curve in CURVES:
            values[curve][name] = tuple(one[curve] for one in judged)
    covered = tuple(int(np.count_nonzero(next(iter(r.values())))) for r in after)
    return Curves(tuple(numbers), covered, values)


def _judged(
    halves: Mapping[str, np.ndarray], ranking: Places, later: Places | None
) -> dict[str, float]:
    """One ranking after one round, by every curve."""
    found = {}
    for curve, matches in halves.items():
        for points, share in zip(("mp", "bp"), lower_ranked_shares(matches, ranking), strict=True):
            found[f"{curve}_{points}"] = share
    for name, distance in DISTANCES.items():
        found[f"robustness_{name}"] = np.nan
        if later is not None:
            both = (ranking > 0) & (later > 0)
            sides = (renumbered(side, both)[both] for side in (ranking, later))
            found[f"robustness_{name}"] = float(distance(*sides))
    return found


def steps_of(decomposed: Decomposed, team: int) -> dict[str, int]:
    """A row of the decomposition table: the scores, the steps, their sum and the final place."""
    steps = {f"step_{k}": int(step[team]) for k, step in enumerate(decomposed.steps, start=1)}
    scores, final = int(decomposed.scores[team]), int(decomposed.final[team])
    return {"scores": scores, **steps, "cumulated": scores - final, LEAST_SQUARES: final}


# --------------------------------------------------------------------------- published tables


@dataclass(frozen=True)
class Published:
    """What was printed of a packaged event.

    **Fields:**

    - `places`: by ranking and team.
    - `distances`: by kind and the two rankings, as printed.
    - `decomposition`: by team and column.
    """

    places: Mapping[str, Mapping[str, int]]
    distances: Mapping[str, Mapping[tuple[str, str], str]]
    decomposition: Mapping[str, Mapping[str, int]]

    def official(self, event: EventData) -> Mapping[str, int]:
        """The official final places."""
        return self.places[OFFICIAL]


def published(name: str) -> Published | None:
    """The published tables of a packaged event; None where there are none."""
    if name not in data.event_names():
        return None
    if not data.event_folder(name).joinpath("published_rankings.csv").is_file():
        return None
    return Published(
        data.load_table(name, "published_rankings.csv").set_index("team").to_dict(),
        {
            kind: {
                (row["ranking"], column): printed
                for row in data.read_rows(name, f"published_{kind}.csv")
                for column, printed in row.items()
                if column not in ("ranking", row["ranking"])
            }
            for kind in DISTANCES
        },
        data.load_table(name, "published_decomposition.csv")
        .set_index("team")
        .to_dict(orient="index"),
    )


@dataclass(frozen=True)
class Beside:
    """One published table beside ours.

    **Fields:**

    - `table`, `cells`: its name, and how many cells it has.
    - `different`: the cells where ours has another value.
    - `tied`: how many of those depend only on how equal ratings are ordered.
    """

    table: str
    cells: int
    different: tuple[str, ...]
    tied: int = 0


def beside(found: Study, printed: Published) -> tuple[Beside, ...]:
    """Every published table beside ours."""
    teams, names = found.event.teams, list(found.rankings)
    compared = {
        "rankings": [
            (f"{name} of {team}", place, int(found.rankings[name][teams.index(team)]))
            for name, by_team in printed.places.items()
            if name in names and name not in (START, OFFICIAL)
            for team, place in by_team.items()
        ]
    }
    for kind, form in (("kemeny", "{:.0f}"), ("weighted", "{:.2f}")):
        compared[f"{kind} distances"] = [
            (
                f"{first} and {second}",
                value,
                form.format(found.distances[kind][names.index(first), names.index(second)]),
            )
            for (first, second), value in printed.distances[kind].items()
            if first in names and second in names
        ]
    ours = {team: steps_of(found.decomposed, number) for number, team in enumerate(teams)}
    compared["decomposition"] = [
        (f"{column} of {team}", value, ours[team]["scores" if column == OFFICIAL else column])
        for team, row in printed.decomposition.items()
        for column, value in row.items()
    ]
    different = {
        table: [f"{what}: printed {a}, ours {b}" for what, a, b in cells if a != b]
        for table, cells in compared.items()
    }
    tied = sum(
        bool(found.decomposed.tied[int(column[5:]) - 1, teams.index(team)])
        for team, row in printed.decomposition.items()
        for column, value in row.items()
        if column.startswith("step_") and ours[team][column] != value
    )
    return tuple(
        Beside(
            table,
            len(cells),
            tuple(different[table]),
            tied if table == "decomposition" else 0,
        )
        for table, cells in compared.items()
    )


# --------------------------------------------------------------------------- figures

_MATRIX_COLOURS = dict(zip(MATRICES, COLOURS, strict=False))
METHODS = {**{name: name for name in EPSILONS}, LEAST_SQUARES: LEAST_SQUARES}
_METHOD_MARKERS = dict(zip(METHODS, "^so", strict=True))
_METHOD_DASHES = dict(zip(METHODS, (":", "--", "-"), strict=True))

FORMS = {"kemeny": "{:.0f}", "weighted": "{:.2f}"}
"""How distances are written."""

TITLES = {"kemeny": "Kemeny distance", "weighted": "Weighted distance"}


def _style(name: str) -> tuple[str, str, str]:
    """Colour (by results matrix), marker and dashes (by method) of a ranking."""
    if name in (START, OFFICIAL):
        return (SAME, "P", "-") if name == START else (INK, "D", "-")
    method, matrix = name.split("_")
    return _MATRIX_COLOURS[matrix], _METHOD_MARKERS[method], _METHOD_DASHES[method]


def maps_figure(found: Study) -> Figure:
    """A map of the rankings a distance: the nearer two points, the more alike the rankings."""
    figure = blank_figure(13.0, 6.2)
    panels = figure.subplots(1, len(DISTANCES))
    maps = [mds_map(found.distances[kind]) for kind in DISTANCES]
    for panel, kind, points in zip(panels, DISTANCES, maps, strict=True):
        for name, point in zip(found.rankings, points, strict=True):
            colour, marker, _ = _style(name)
            panel.plot(*point, marker, color=colour, markersize=7, alpha=0.85)
        dress(panel, TITLES[kind], "", "")
        panel.set_aspect("equal", adjustable="datalim")
        panel.margins(0.2, 0.1)
    figure.legend(
        handles=_legend(found.rankings, lines=False),
        loc="outside lower center",
        ncols=7,
        frameon=False,
        fontsize=9,
    )
    figure.draw_without_rendering()  # so that positions in pixels are known
    for panel, points in zip(panels, maps, strict=True):
        _name_points(panel, points, list(found.rankings))
    return figure


def _name_points(panel: Axes, points: np.ndarray, names: Sequence[str]) -> None:
    """Write names beside points, each where it covers least; equal points share one name."""
    at: dict[tuple[float, ...], list[str]] = {}
    scale = max(float(np.ptp(points)), 1e-12)
    for point, name in zip(points, names, strict=True):
        at.setdefault(tuple(np.round(point / scale, 3)), []).append(name)
    pixels = panel.transData.transform(np.array(list(at)) * scale)
    dot = panel.figure.dpi / 72
    taken = [np.array([x - 5, y - 5, x + 5, y + 5]) for x, y in pixels / dot]
    for (x, y), (point, some) in zip(pixels / dot, at.items(), strict=True):
        text = " = ".join(some)
        width, height = 4.6 * len(text), 10.0
        best: tuple[float, float, float] | None = None
        for reach in (9.0, 18.0, 30.0, 44.0, 60.0):
            for angle in np.arange(0, 2 * np.pi, np.pi / 8):
                middle = x + np.cos(angle) * (reach + width / 2), y + np.sin(angle) * reach
                box = np.array([*middle, *middle]) + np.array([-width, -height, width, height]) / 2
                cost = 200.0 * sum(_overlap(box, other) > 0 for other in taken) + reach
                if best is None or cost < best[0]:
                    best, chosen = (cost, *middle), box
        taken.append(chosen)
        far = np.hypot(best[1] - x, best[2] - y) - width / 2 > 12.0
        panel.annotate(
            text,
            np.array(point) * scale,
            xytext=(best[1] - x, best[2] - y),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=8,
            color=INK,
            arrowprops={"arrowstyle": "-", "color": SAME, "linewidth": 0.6} if far else None,
        )


def _overlap(one: np.ndarray, other: np.ndarray) -> float:
    sides = np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2])
    return float(np.prod(np.maximum(sides, 0.0)))


def curves_figure(curves: Curves) -> Figure:
    """Every curve of every ranking, round by round."""
    figure = blank_figure(12.5, 12.0)
    panels = figure.subplots(3, 2)
    for panel, (curve, title) in zip(panels.flat, CURVES.items(), strict=True):
        for name, line in curves.values[curve].items():
            colour, _, dashes = _style(name)
            bold = 2.2 if name in (START, OFFICIAL) else 1.5
            panel.plot(curves.rounds, line, dashes, color=colour, linewidth=bold, alpha=0.9)
        dress(panel, title, "after round", "")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
        if not curve.startswith("robustness"):
            panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    figure.legend(
        handles=_legend(curves.values["predictive_mp"], lines=True),
        loc="outside lower center",
        ncols=7,
        frameon=False,
        fontsize=9,
        handlelength=3.0,
    )
    return figure


def _legend(names: Any, lines: bool) -> list[Line2D]:
    handles = []
    for name in names:
        colour, marker, dashes = _style(name)
        handles.append(
            Line2D([], [], color=colour, linestyle=dashes, label=name, linewidth=1.8)
            if lines
            else Line2D([], [], color=colour, linestyle="", marker=marker, label=name)
        )
    return handles


def distances_figure(found: Study) -> Figure:
    """Both distances between all rankings: the darker, the further apart."""
    names = list(found.rankings)
    figure = blank_figure(15.0, 7.2)
    panels = figure.subplots(1, len(DISTANCES))
    for panel, (kind, form) in zip(panels, FORMS.items(), strict=True):
        values = found.distances[kind]
        farthest = max(float(values.max()), 1e-9)
        panel.imshow(values, cmap="Blues", vmin=0.0, vmax=farthest)
        for (row, column), value in np.ndenumerate(values):
            if row != column:
                ink = "white" if value > 0.6 * farthest else INK
                panel.text(
                    column,
                    row,
                    form.format(value),
                    ha="center",
                    va="center",
                    color=ink,
                    fontsize=7.5,
                )
        panel.set_xticks(range(len(names)), names, rotation=60, ha="right")
        panel.set_yticks(range(len(names)), names)
        dress(panel, TITLES[kind], "", "", grid=False)
    return figure


# --------------------------------------------------------------------------- JSON and CSV

SHOWN_STEPS = 8
"""Steps of the decomposition in the report; the rest is shown as one."""

SHOWN_TEAMS = 20
"""Teams in the tables of the report; the CSV files have all."""

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
    """The same as CSV, by name of the file."""
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


def study_rankings(
    event: EventData,
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
    - `official`: gives the official places; None where they are not known.
    - `json_path`: where the numbers go as JSON, if anywhere.
    - `printed`: published tables to stand beside ours.
    - `label`: of a progress bar; silent without.

    **Returns:** the path of the report.

    **Raises:** `InputError` if no match was played, or a file cannot be written.
    """
    files.check_folder(out)
    found = study(event, official, label)
    figures = {"distances.png": distances_figure(found), "maps.png": maps_figure(found)}
    if found.curves:
        figures["curves.png"] = curves_figure(found.curves)
    for name, figure in figures.items():
        files.write_bytes(out / name, figure_png(figure))
    for name, content in study_csv(found).items():
        files.write_text(out / name, content)
    if json_path:
        files.write_text(json_path, study_json(found))
    files.write_text(out / "README.md", report_text(found, printed))
    return out / "README.md"


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
    """What to take from it."""
    lines = [_moved(found)]
    names = list(found.rankings)
    spread = {}
    for method in METHODS:
        rows = [names.index(f"{method}_{matrix}") for matrix in MATRICES]
        block = found.distances["kemeny"][np.ix_(rows, rows)]
        spread[method] = block.sum() / (len(rows) * (len(rows) - 1))
    said = ", ".join(f"{value:.1f} for `{method}`" for method, value in spread.items())
    lines.append(
        "- How much depends on the choice between match and board points (mean Kemeny distance of "
        f"a method's four rankings): {said}."
    )
    if found.curves:
        lines += _best_curves(found.curves)
    return lines


def _moved(found: Study) -> str:
    """How far teams move by least squares, as a sentence."""
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
        ("predictive_mp", "Later rounds: the lower ranked side scores the fewest match points"),
        ("retrodictive_mp", "Rounds so far: the lower ranked side scored the fewest"),
        ("robustness_weighted", "From round to round: the least weighted distance"),
    ):
        means = _means(curves.values[curve])
        if curve.startswith("robustness"):
            means.pop(START, None)  # it never changes
        if means:
            first, last = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
            form = _form(curve)
            lines.append(
                f"- {what} by `{first}`, {form.format(means[first])} on average over the "
                f"rounds; the most by `{last}`, {form.format(means[last])}."
            )
    return [
        *lines,
        "- One event is little evidence: the next one may order the rankings otherwise.",
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
        f"say nothing of strength: {byes} rounds without an opponent, "
        f"{len(event.matches) - compared - byes} matches in which no game was played.",
        "",
        "`mp`: results are match points; `bp`: board points; `mb`, `bm`: mixtures with a quarter "
        "and two thirds board points. `grs1`, `grs2`: generalized row sum with "
        "epsilon = 1/324 and 1/6 (reasonable here, by Chebotarev's criterion, are those up to "
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
            "squares says nothing of the order of teams in different components: its places are "
            "counted within each. Distances, maps and curves are among the teams of the largest "
            "component.",
        ]
    return lines


def _beside_text(tables: Sequence[Beside]) -> list[str]:
    lines = [
        "## Beside the published tables",
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
    """What part of the teams a table shows."""
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
        f"By match points, {_first(found)}; every ranking of every team: "
        "[rankings.csv](rankings.csv).",
        "",
        *table(header, rows),
        "",
    ]


def _distances_text(found: Study) -> list[str]:
    return [
        "## Distances",
        "",
        "Kemeny: pairs of teams that two rankings order oppositely. Weighted: swaps of neighbours "
        "that turn one into the other, a swap of places i and i + 1 for 1/i, so that the top "
        "counts most. The maps at the head show them as distances in the plane, as well as a plane "
        "can. As numbers: [distances.csv](distances.csv).",
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
        f"From the scores to `{DECOMPOSED}`: places gained when the results of opponents count "
        f"(step 1), then those of their opponents (step 2), and so on; {_first(found)} by scores. "
        f"All teams and {STEPS} steps: [decomposition.csv](decomposition.csv).",
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
        "What the lower ranked side of a match scored, as a share of all points: in later rounds "
        "(how well a ranking predicts) and in the rounds that it is made from (how well it "
        "explains); and how far it is from the ranking a round later. The lower the better.",
        "",
        "![Curves by round](curves.png)",
        "",
    ]
    if any(teams < len(found.event.teams) for teams in curves.covered):
        said = ", ".join(
            f"{teams} after round {number}"
            for number, teams in zip(curves.rounds, curves.covered, strict=True)
        )
        lines += [f"Judged among the teams that the matches so far connect: {said}.", ""]
    means = {curve: _means(values) for curve, values in curves.values.items()}
    rows = [
        [name, *(_form(c).format(by[name]) if name in by else "-" for c, by in means.items())]
        for name in found.rankings
    ]
    return [
        *lines,
        "Means over the rounds; round by round: [curves.csv](curves.csv).",
        "",
        *table(["ranking", *(curve.replace("_", " ") for curve in CURVES)], rows),
        "",
    ]
