"""An event ranked by paired comparison: rankings, distances, decomposition, curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int

from tb2learn.events import TeamEvent
from tb2learn.simulation.run import progress_bar
from tb2learn.studies.rankings.methods import (
    LEAST_SQUARES,
    MATRICES,
    MatchGraph,
    all_rankings,
    decomposition,
    kemeny_distance,
    least_squares,
    lower_ranked_shares,
    match_graph,
    places,
    renumbered,
    scored,
    weighted_distance,
)
from tb2learn.text import plain
from tb2learn.types import InputError

Places = Int[np.ndarray, " teams"]


Official = Callable[[TeamEvent], Mapping[str, int]]
"""Gives the official places after the rounds of an event; tied teams keep start order."""


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

    - `scores`: places by the row sums.
    - `steps`: places gained in every step.
    - `tied`: whether the rating of a team equals that of another before or after the step, so that
      the places gained depend on how equal ratings are ordered.
    - `final`: places by least squares.
    """

    scores: Places
    steps: Int[np.ndarray, "steps teams"]
    tied: Bool[np.ndarray, "steps teams"]
    final: Places


@dataclass(frozen=True)
class Curves:
    """Rankings evaluated after every round.

    **Fields:**

    - `rounds`: after which they are evaluated.
    - `covered`: number of teams in the largest component of the matches so far; only these count.
    - `values`: by name of the curve (`predictive_mp`, ...) and of the ranking, one number per
      round; NaN if there is no match.
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
    - `among`: whether a team is in the largest component; distances use only these teams.
    - `distances`: by name of the distance, between all rankings in their order.
    - `decomposed`: the steps of least squares.
    - `curves`: None for an event without known rounds, or with too few.
    """

    event: TeamEvent
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


def study(event: TeamEvent, official: Official | None = None, label: str | None = None) -> Study:
    """Rank an event by every method and compare the rankings.

    **Arguments:**

    - `event`: real or simulated. Teams are taken to be in start order unless it says that its
      `order` is another one.
    - `official`: gives the official places; None if they are not known.
    - `label`: shows a progress bar with this label.

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


def _before(event: TeamEvent, graph: MatchGraph, official: Official | None) -> Places:
    """Places that order equal ratings: the official ones, else by MP, GP, start order."""
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


def _rankings(event: TeamEvent, graph: MatchGraph, official: Official | None) -> dict[str, Places]:
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
    # A team is tied if its place changes when ties are broken in the opposite order.
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
"""The curves by name, and what they show; lower is better."""


def _curves(event: TeamEvent, official: Official | None, label: str | None) -> Curves | None:
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
    """The values of all curves for one ranking after one round."""
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
