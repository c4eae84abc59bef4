"""An event ranked by paired comparison: rankings, distances, decomposition, curves."""

from __future__ import annotations

import json as json_form
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from tb2learn.disk import files
from tb2learn.events import TeamEvent, rank
from tb2learn.report.frames import Frames, plain
from tb2learn.report.stored import Csv
from tb2learn.simulation.run import progress_bar
from tb2learn.studies.rankings.methods import (
    DISTANCES,
    EPSILONS,
    LEAST_SQUARES,
    MATRICES,
    MatchGraph,
    all_rankings,
    decomposition,
    lower_ranked_shares,
    match_graph,
    places,
    square,
)
from tb2learn.studies.rankings.published import OFFICIAL, START, beside, published
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
