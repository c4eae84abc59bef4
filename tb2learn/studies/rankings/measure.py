"""An event ranked by paired comparison: rankings, distances, decomposition, curves."""

from __future__ import annotations

import json as json_form
from collections.abc import Callable, Mapping
from functools import partial
from operator import lt
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tb2learn import data
from tb2learn.disk import files
from tb2learn.events import TeamEvent, rank, read_event
from tb2learn.report.frames import Frames, plain, where
from tb2learn.report.stored import Csv
from tb2learn.report.style import blank_figure, draw_heat, dress, in_percent
from tb2learn.simulation.run import progress_bar
from tb2learn.studies.rankings.maps import STYLES, TITLES, add_legend, maps_figure
from tb2learn.studies.rankings.methods import (
    DISTANCES,
    EPSILONS,
    FORMS,
    LEAST_SQUARES,
    MATRICES,
    OFFICIAL,
    START,
    MatchGraph,
    all_rankings,
    decomposition,
    lower_ranked_shares,
    match_graph,
    places,
    square,
)
from tb2learn.text import plain as safe
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

Official: TypeAlias = Callable[[TeamEvent], Mapping[str, int]]
"""Gives the official places after the rounds of an event; tied teams keep start order."""

DECOMPOSED = f"{LEAST_SQUARES}_mp"
"""The ranking that is decomposed."""

STEPS = 20
"""Steps of the decomposition."""

FIRST_ROUND = 3
"""The first round after which rankings are assessed."""

CURVES = {
    "predictive_mp": "Later rounds: match points of the lower ranked",
    "predictive_bp": "Later rounds: board points of the lower ranked",
    "retrodictive_mp": "Rounds so far: match points of the lower ranked",
    "retrodictive_bp": "Rounds so far: board points of the lower ranked",
    "robustness_kemeny": "Kemeny distance to the ranking a round later",
    "robustness_weighted": "Weighted distance to the ranking a round later",
}
"""The curves by name, and what they show; lower is better."""

FILES = tuple(
    Csv(f"{name}.csv", name) for name in ("rankings", "distances", "decomposition", "curves")
)


def measure(event: TeamEvent, json: str | None) -> dict[str, pd.DataFrame]:
    """Rank a recorded event; a packaged one beside its published tables.

    **Arguments:**

    - `event`: without published tables its official order is that of the product rule.
    - `json`: where to write the numbers as JSON, if anywhere.

    **Returns:** as `frames_of`. With published tables also `beside` and `different`, see there.

    **Raises:** `InputError` as `frames_of`, or if the file cannot be written.
    """
    printed = published(event)
    places_told = printed["rankings"][OFFICIAL] if printed else {}
    told = {str(team): int(place) for team, place in places_told.items()}

    def official(event: TeamEvent) -> Mapping[str, int]:
        by_product = product_table(event.rounds, event.boards)
        return told or {one.team: one.place for one in rank(event, by_product)}

    frames = frames_of(event, official)
    if printed:
        frames |= beside(frames, printed)
    if json:
        text = json_form.dumps(numbers(frames), indent=1, allow_nan=False)
        files.write_text(Path(json), f"{text}\n")
    return frames


def frames_of(event: TeamEvent, official: Official) -> dict[str, pd.DataFrame]:
    """Rank an event by every method and compare the rankings.

    **Arguments:**

    - `event`: real or simulated. Teams are taken to be in start order unless it says that its
      `order` is another one.
    - `official`: gives the official places.

    **Returns:**

    - `event`: its `name`, number of `teams` and of `boards`, `known_rounds`; how many `matches` are
      compared, `byes` and matches `unplayed`; up to which epsilon is `reasonable`.
    - `rankings`: a row a team: `team`; `component`, 1 for the largest; and its place in every
      ranking. Places of least squares are counted within each component.
    - `distances`: a row for two rankings of the largest component: `ranking`, `other`, and
      `DISTANCES`.
    - `decomposition`: a row a team: places by `scores`, places gained in `step_1` and the others,
      `cumulated`, and the place `ls`.
    - `tied`: whether the rating of a team equals that of another before or after a step, so that
      the places gained depend on how equal ratings are ordered.
    - `curves`: `value` by `curve`, `ranking` and `round`; and `covered`, by `round` the number of
      `teams` in the largest component of the matches so far, which alone count. Both are missing
      for an event without known rounds, or with too few.

    **Raises:** `InputError` if no match was played, or `official` does not know a team.
    """
    graph = match_graph(event)
    if not graph.matches.any():
        raise InputError(f"{event.name}: no match was played")
    played = sum(match.played for match in event.matches)
    byes = sum(match.team_b is None for match in event.matches)
    about = {
        "name": event.name,
        "teams": len(event.teams),
        "boards": event.boards,
        "known_rounds": event.known_rounds,
        "matches": played,
        "byes": byes,
        "unplayed": len(event.matches) - played - byes,
        "reasonable": graph.reasonable_epsilon,
    }
    rankings = _rankings(event, graph, official)
    return {
        "event": pd.DataFrame([about]),
        "rankings": rankings,
        "distances": _distances(among(rankings)),
        **_decomposed(graph, rankings),
        **_curves(event, official),
    }


def _rankings(event: TeamEvent, graph: MatchGraph, official: Official) -> pd.DataFrame:
    given = official(event)
    missing = [team for team in event.teams if team not in given]
    if missing:
        raise InputError(f"{event.name}: no official place of {safe(missing[0])}")
    before = pd.Series([given[team] for team in event.teams]).rank(method="first").astype(int)
    found = {"team": event.teams, "component": graph.components + 1}
    if "order" not in event.about:
        found[START] = np.arange(1, len(event.teams) + 1)
    return pd.DataFrame({**found, OFFICIAL: before, **all_rankings(graph, before.to_numpy())})


def among(rankings: pd.DataFrame) -> pd.DataFrame:
    """The places among the teams of the largest component, a column a ranking."""
    largest = rankings[rankings["component"] == 1]
    return largest.drop(columns=["team", "component"]).rank().astype(int)


def _distances(found: pd.DataFrame) -> pd.DataFrame:
    rows = [
        (first, second, *(of(*found[[first, second]].to_numpy().T) for of in DISTANCES.values()))
        for number, first in enumerate(found)
        for second in found.columns[:number]
    ]
    return pd.DataFrame(rows, columns=["ranking", "other", *DISTANCES])


def _decomposed(graph: MatchGraph, rankings: pd.DataFrame) -> dict[str, pd.DataFrame]:
    before, final = rankings[OFFICIAL].to_numpy(), rankings[DECOMPOSED]
    sums = decomposition(graph, graph.scores(MATRICES["mp"])[:, 0], STEPS)
    # A team is tied if its place changes when ties are broken in the opposite order.
    after, turned = (
        np.array([places(ratings, order, graph.components) for ratings in sums])
        for order in (before, len(before) + 1 - before)
    )
    tied = after != turned
    steps = {f"step_{step}": gained for step, gained in enumerate(-np.diff(after, axis=0), 1)}
    found = {"team": rankings["team"], "scores": after[0], **steps, "cumulated": after[0] - final}
    around = dict(zip(steps, tied[:-1] | tied[1:], strict=True))
    return {
        "decomposition": pd.DataFrame(found | {LEAST_SQUARES: final}),
        "tied": pd.DataFrame(around, rankings["team"]),
    }


def _curves(event: TeamEvent, official: Official) -> dict[str, pd.DataFrame]:
    rounds = range(FIRST_ROUND, event.rounds + 1)
    if not rounds or not event.known_rounds:
        return {}
    after: dict[int, pd.DataFrame] = {}
    with progress_bar(len(rounds), "rankings", "round") as bar:
        for number in rounds:
            so_far = event.after(number)
            after[number] = among(_rankings(so_far, match_graph(so_far), official))
            bar.update()
    rows = [
        (name, number, *_judged(event, name, number, after))
        for name in map(str, after[FIRST_ROUND])
        for number in rounds
    ]
    wide = pd.DataFrame(rows, columns=["ranking", "round", *CURVES])
    curves = wide.melt(["ranking", "round"], var_name="curve")
    covered = [(number, len(found)) for number, found in after.items()]
    return {
        "curves": curves[["curve", "ranking", "round", "value"]],
        "covered": pd.DataFrame(covered, columns=["round", "teams"]),
    }


def _judged(
    event: TeamEvent, name: str, number: int, after: Mapping[int, pd.DataFrame]
) -> tuple[float, ...]:
    """The values of all curves for one ranking after one round."""
    now = after[number][name]
    ranking = now.reindex(range(len(event.teams)), fill_value=0).to_numpy()
    later = [match for match in event.matches if match.round > number]
    so_far = [match for match in event.matches if match.round <= number]
    shares = (*lower_ranked_shares(later, ranking), *lower_ranked_shares(so_far, ranking))
    if number + 1 not in after:
        return (*shares, *(np.nan for _ in DISTANCES))
    both = pd.concat([now, after[number + 1][name]], axis=1, join="inner").rank().astype(int)
    return (*shares, *(distance(*both.to_numpy().T) for distance in DISTANCES.values()))


def numbers(frames: Frames) -> dict[str, Any]:
    """What is written as JSON: places by ranking and team, distances, decomposition, curves."""
    about, rankings = frames["event"].iloc[0], frames["rankings"].set_index("team")
    by_scores = frames["decomposition"].sort_values("scores", kind="stable").set_index("team")
    curves = None
    if "curves" in frames:
        curves = frames["covered"].rename(columns={"round": "rounds"}).to_dict("list")
        lines = frames["curves"].groupby(["curve", "ranking"], sort=False)["value"]
        for (curve, ranking), values in lines:
            curves.setdefault(curve, {})[ranking] = [*map(plain, values)]
    return {
        "event": about["name"],
        "matches": plain(about["matches"]),
        "epsilon": {**EPSILONS, "reasonable": plain(about["reasonable"])},
        "components": [[*one.index] for _, one in rankings.groupby("component")],
        "rankings": {
            name: ranking.sort_values().to_dict()
            for name, ranking in rankings.drop(columns="component").items()
        },
        **{kind: _by_both(frames["distances"], kind) for kind in DISTANCES},
        "decomposition": by_scores.to_dict("index"),
        "curves": curves,
    }


def _by_both(distances: pd.DataFrame, kind: str) -> dict[str, dict[str, Any]]:
    """The distances by both rankings."""
    rows = square(distances, kind).iterrows()
    like = distances[kind].dtype
    return {
        str(one): {str(other): n for other, n in row.dropna().astype(like).items()}
        for one, row in rows
    }


SHOWN_STEPS = 8
"""Steps of the decomposition that the report shows; later ones are shown as one."""

SHOWN_TEAMS = 20
"""Teams that the tables of the report show; the CSV files have all."""

FAR = 5
"""Moves of so many places or more are reported."""

_COMPARED = {
    "predictive_mp": "Lowest share of match points of the lower ranked side in later rounds",
    "retrodictive_mp": "Lowest share of match points of the lower ranked side so far",
    "robustness_weighted": "Lowest weighted distance to the ranking a round later",
}
"""The curves whose best and worst ranking are named."""


def summary(frames: Frames) -> dict[str, Any]:
    """Findings on the event and the first rows of its tables."""
    rankings = frames["rankings"]
    sizes = rankings["component"].value_counts().sort_index()
    teams = len(rankings)
    near = [name for name in rankings if name in ("team", START, OFFICIAL) or name.endswith("_mp")]
    if len(sizes) > 1:
        near.insert(1, "component")
    found = {
        "about": frames["event"].iloc[0],
        "sizes": sizes,
        "first": f"the first {SHOWN_TEAMS} of {teams}" if teams > SHOWN_TEAMS else "all",
        "shown": rankings.sort_values(["component", OFFICIAL])[near].head(SHOWN_TEAMS),
        "far": FAR,
        **_moved(rankings),
        "spread": _spread(frames["distances"]),
        "steps": _steps(frames["decomposition"]),
    }
    return found | (_curve_means(frames["curves"]) if "curves" in frames else {})


def _moved(rankings: pd.DataFrame) -> dict[str, Any]:
    """Places among the largest component, officially and by least squares, and who moves most."""
    found = among(rankings).rename(columns={OFFICIAL: "old", DECOMPOSED: "new"})
    found = found.assign(team=rankings["team"], gained=found["old"] - found["new"])
    gained = found["gained"].to_numpy()
    ends = {"up": gained.argmax(), "down": gained.argmin()}
    return {"moved": found} | {end: found.iloc[row] for end, row in ends.items()}


def _spread(distances: pd.DataFrame) -> pd.Series:
    """By method the mean Kemeny distance between its rankings."""
    one, other = (distances[side].str.split("_").str[0] for side in ("ranking", "other"))
    return distances["kemeny"][one == other].groupby(one, sort=False).mean()


def _steps(decomposition: pd.DataFrame) -> pd.DataFrame:
    """The first rows and steps of the decomposition, with signs."""
    found = decomposition.sort_values("scores", kind="stable").head(SHOWN_TEAMS)
    moved = found.filter(like="step_").iloc[:, :SHOWN_STEPS]
    # Not the sum of the other steps, which need not reach least squares.
    moved = moved.assign(later=found["cumulated"] - moved.sum(axis=1), cumulated=found["cumulated"])
    moved = moved.rename(columns=lambda name: name.removeprefix("step_"))
    moved = moved.map(lambda places: f"{places:+d}" if places else "0")
    return found[["team", "scores"]].join(moved).assign(**{DECOMPOSED: found[LEAST_SQUARES]})


def _curve_means(curves: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Means over the rounds, and the best and the worst ranking by some of the curves."""
    means = curves.pivot_table("value", "ranking", "curve", sort=False, dropna=False)
    rows = []
    for curve, text in _COMPARED.items():
        robust = curve.startswith("robustness")
        # The start order never changes.
        known = means[curve].drop(START if robust else [], errors="ignore").dropna()
        form = "{:.2f}" if robust else "{:.1%}"
        if len(known):
            best, worst = known.min(), known.max()
            names = known.idxmin(), known.idxmax()
            rows.append((text, names[0], form.format(best), names[1], form.format(worst)))
    best = pd.DataFrame(rows, columns=["text", "best", "lowest", "worst", "highest"])
    return {"means": means.reset_index(), "best": best}


def curves_figure(frames: Frames) -> Figure | None:
    """All curves of all rankings, round by round; None where there are none."""
    if "curves" not in frames:
        return None
    figure = blank_figure(12.5, 12.0)
    panels = figure.subplots(3, 2)
    curves = frames["curves"]
    for panel, (curve, title) in zip(panels.flat, CURVES.items(), strict=True):
        for name, line in where(curves, curve=curve).groupby("ranking", sort=False):
            colour, _, dashes = STYLES[str(name)]
            bold = 2.2 if name in (START, OFFICIAL) else 1.5
            panel.plot(
                *(line["round"], line["value"], dashes), color=colour, linewidth=bold, alpha=0.9
            )
        dress(panel, title, "after round", "")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
        if not curve.startswith("robustness"):
            in_percent(panel.yaxis)
            # Steps of whole percents, as the labels have no decimals.
            panel.yaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))
    add_legend(figure, curves["ranking"].unique(), lines=True)
    return figure


def distances_figure(frames: Frames) -> Figure:
    """Heat maps of both distances between all rankings; darker cells are further apart."""
    figure = blank_figure(15.0, 7.2)
    panels = figure.subplots(1, len(TITLES))
    for panel, (kind, title) in zip(panels, TITLES.items(), strict=True):
        table = square(frames["distances"], kind).fillna(0.0)
        most = float(table.to_numpy().max())
        draw_heat(
            *(panel, table, Normalize(0.0, max(most, 1e-9))),
            colours="Blues",
            form=FORMS[kind],
            size=7.5,
            turn=60,
            pale=partial(lt, 0.6 * most),
        )
        panel.set_aspect("equal")
        for text in panel.texts[:: len(table) + 1]:
            text.remove()  # the distance from itself
        dress(panel, title, "", "", grid=False)
    return figure


FIGURES = {
    "distances.png": distances_figure,
    "maps.png": maps_figure,
    "curves.png": curves_figure,
}

_TABLES = ("rankings", *FORMS, "decomposition")


def published(event: TeamEvent) -> dict[str, pd.DataFrame] | None:
    """The published tables of a packaged event; None where there are none.

    **Returns:** by name what is printed, as text: `rankings` and `decomposition`, a row a team, and
    the distances, a row a ranking.
    """
    for name in data.event_names():
        if data.event_folder(name).joinpath("published_rankings.csv").is_file():
            if read_event(name).matches == event.matches:
                return {one: _table(name, one) for one in _TABLES}
    return None


def _table(name: str, table: str) -> pd.DataFrame:
    rows = pd.DataFrame(data.read_rows(name, f"published_{table}.csv"))
    return rows.set_index(rows.columns[0])


def beside(frames: Frames, printed: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Every published table compared with ours.

    **Arguments:** the frames of the event, and its published tables.

    **Returns:**

    - `beside`: a row a `table`: its number of `cells`, how many are `different`, and how many of
      these are `tied`: they depend only on the order of equal ratings.
    - `different`: the `cell`s for which we find another value, `printed` and `ours`.
    """
    rankings, steps = (frames[name].set_index("team") for name in ("rankings", "decomposition"))
    given = ["component", START, OFFICIAL]
    ours = {
        "rankings": rankings.drop(columns=given, errors="ignore"),
        **{kind: square(frames["distances"], kind) for kind in FORMS},
        "decomposition": steps.rename(columns={"scores": OFFICIAL}),
    }
    rows, different = [], []
    for name, table in printed.items():
        cells = pd.DataFrame({"printed": table[table != ""].stack()})
        found = ours[name].map(f"{{:{FORMS.get(name, '')}}}".format).stack()
        cells = cells.assign(ours=found.reindex(cells.index)).dropna()
        other = cells[cells["printed"] != cells["ours"]]
        between = "{} and {}" if name in FORMS else "{1} of {0}"
        different.append(other.assign(cell=[between.format(*both) for both in other.index]))
        tied = other.index.isin(frames["tied"].stack()[lambda is_tied: is_tied].index)
        title = f"{name} distances" if name in FORMS else name
        rows.append((title, len(cells), len(other), tied.sum()))
    return {
        "beside": pd.DataFrame(rows, columns=["table", "cells", "different", "tied"]),
        "different": pd.concat(different, ignore_index=True),
    }
