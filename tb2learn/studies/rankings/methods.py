"""Rankings of one event by paired comparison: row sums, least squares, distances of rankings.

Source: L. Csato, *Ranking in Swiss system chess team tournaments*, 2017. All computations are in
double precision on one event, whose rounds need not be known; `tiebreaks.paired` has the same
ratings in whole units for many events at once.

Only matches played over the board are compared: byes and matches won by default are no evidence of
strength. An entry of a results matrix is half the difference of what the two sides scored, so that
the matrix is skew-symmetric even if boards were lost by both sides. Otherwise it equals what one
side scored minus half of the points of the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from scipy.sparse import csgraph

from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Match
from tb2learn.types import InputError

MATRICES: Mapping[str, float] = {"mp": 0.0, "mb": 1 / 4, "bm": 2 / 3, "bp": 1.0}
"""Results matrices by name: their share of board points; the rest are match points."""

EPSILONS: Mapping[str, float] = {"grs1": 1 / 324, "grs2": 1 / 6}
"""The generalized row sums of the paper by name: the weight epsilon of the opponents' results."""

LEAST_SQUARES = "ls"

START, OFFICIAL = "start", "official"
"""The start order and the final order of the event itself, as rankings."""

_EQUAL = 1e-9  # ratings that differ by less than this share of the largest one are equal


@dataclass(frozen=True)
class MatchGraph:
    """Matches between every two teams of an event, in start order, and their results.

    **Fields:**

    - `boards`: games of a match.
    - `matches`: number of matches of every two teams.
    - `match_points`: row sums of the results matrix of match points: a win is 1, a loss -1.
    - `board_points`: row sums of the results matrix of board points: those above half the boards.
    """

    boards: int
    matches: Float[np.ndarray, "teams teams"]
    match_points: Float[np.ndarray, " teams"]
    board_points: Float[np.ndarray, " teams"]

    @property
    def laplacian(self) -> Float[np.ndarray, "teams teams"]:
        """``diag(M e) - M``."""
        return np.diag(self.matches.sum(axis=1)) - self.matches

    @property
    def most_of_a_pair(self) -> float:
        """`m`: the largest number of matches between two teams."""
        return float(self.matches.max(initial=0.0))

    @property
    def reasonable_epsilon(self) -> float:
        """``1 / (m (n - 2))``, up to which the own results outweigh those of the opponents."""
        bound = self.most_of_a_pair * (len(self.matches) - 2)
        return 1.0 / bound if bound > 0 else np.inf

    @property
    def components(self) -> Int[np.ndarray, " teams"]:
        """For every team the number of its connected component of matches; 0 is the largest."""
        _, label = csgraph.connected_components(self.matches, directed=False)
        sizes = np.bincount(label)
        rank = np.empty_like(sizes)
        rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
        return rank[label]

    def scores(self, *shares: float) -> Float[np.ndarray, "teams shares"]:
        """The row sums ``s = R e`` of results matrices that mix both, one per column.

        **Arguments:**

        - `shares`: weights of the board points, 0..1: 0 gives match points, 1 gives board points in
          units of half a match.

        **Raises:** `InputError` for another share.
        """
        for share in shares:
            if not 0.0 <= share <= 1.0:
                raise InputError(f"share of board points must be 0..1, got {share:g}")
        board = self.board_points / (self.boards / 2)
        return np.stack([(1.0 - one) * self.match_points + one * board for one in shares], axis=1)


def match_graph(event: TeamEvent) -> MatchGraph:
    """The graph of the teams of an event and their matches; rounds need not be known."""
    teams = len(event.teams)
    matches, (match_points, board_points) = np.zeros((teams, teams)), np.zeros((2, teams))
    for match in event.matches:
        if match.played:
            won, lost = match.match_points
            for i, j, sign in zip(match.teams, match.teams[::-1], (0.5, -0.5), strict=True):
                matches[i, j] += 1.0
                match_points[i] += sign * (won - lost)
                board_points[i] += sign * (match.half_points_a - match.half_points_b) / 2
    return MatchGraph(event.boards, matches, match_points, board_points)


# --------------------------------------------------------------------------- ratings


def generalized_row_sum(
    graph: MatchGraph, scores: Float[np.ndarray, "teams *shares"], epsilon: float
) -> Float[np.ndarray, "teams *shares"]:
    """Chebotarev's ratings: ``(I + epsilon L) x = (1 + epsilon m n) s``.

    **Arguments:**

    - `graph`: of the teams.
    - `scores`: ``s``, of one results matrix or of several side by side; see `MatchGraph.scores`.
    - `epsilon`: at least 0, which gives the scores; large values give the order of least squares.

    **Returns:** the ratings, in units of the results matrix. They order all teams, even if the
    matches do not connect them.

    **Raises:** `InputError` if epsilon is negative or not finite.
    """
    if not 0.0 <= epsilon < np.inf:
        raise InputError(f"epsilon must be finite and not negative, got {epsilon:g}")
    teams = len(graph.matches)
    scale = 1.0 + epsilon * graph.most_of_a_pair * teams
    return np.linalg.solve(np.eye(teams) + epsilon * graph.laplacian, scale * scores)


def least_squares(
    graph: MatchGraph, scores: Float[np.ndarray, "teams *shares"]
) -> Float[np.ndarray, "teams *shares"]:
    """Ratings whose differences fit the results of all matches best: ``L q = s``.

    **Arguments:** as for `generalized_row_sum`.

    **Returns:** the ratings, in units of the results matrix. The ratings of each component add up
    to 0, as the shortest of all solutions do; teams of different components cannot be compared.
    """
    return np.linalg.lstsq(graph.laplacian, scores)[0]


def decomposition(
    graph: MatchGraph, scores: Float[np.ndarray, "teams *shares"], steps: int
) -> Float[np.ndarray, "steps1 teams *shares"]:
    """Least squares as a sum: own results, then opponents', then opponents' opponents', ...

    **Arguments:** as for `generalized_row_sum`; at least one match was played.

    **Returns:** the ratings after 0, 1, ... `steps` steps: ``q0 = s/D``, ``qk = q(k-1) + (1/D)
    [(D I - L)/D]^k s``, where `D` is the largest number of matches of a team. They tend to those of
    least squares, unless a component is bipartite and all its teams have `D` matches.
    """
    most = graph.matches.sum(axis=1).max()
    spread = np.eye(len(graph.matches)) - graph.laplacian / most
    terms = [scores / most]
    for _ in range(steps):
        terms.append(spread @ terms[-1])
    return np.cumsum(terms, axis=0)


# --------------------------------------------------------------------------- places


def places(
    ratings: Float[np.ndarray, " teams"],
    before: Int[np.ndarray, " teams"],
    component: Int[np.ndarray, " teams"] | int = 0,
) -> Int[np.ndarray, " teams"]:
    """The places by rating, 1 for the highest; equal ratings keep the order of `before`.

    **Arguments:**

    - `ratings`: of every team.
    - `before`: places that decide between equal ratings (to nine digits), all different.
    - `component`: if given, places are counted within each component.
    """
    order = np.argsort(-ratings, kind="stable")
    gap = _EQUAL * np.abs(ratings).max(initial=0.0)
    level = np.empty(len(ratings), int)
    level[order] = np.cumsum(-np.diff(ratings[order], prepend=ratings[order][:1]) > gap)
    teams = pd.DataFrame({"level": level, "before": before, "component": component})
    ranked = teams.sort_values(["level", "before"]).groupby("component").cumcount()
    return 1 + ranked.sort_index().to_numpy()


def all_rankings(
    graph: MatchGraph, before: Int[np.ndarray, " teams"]
) -> dict[str, Int[np.ndarray, " teams"]]:
    """The rankings of the paper: every method with every results matrix.

    **Arguments:**

    - `graph`: of the teams.
    - `before`: places that decide between equal ratings.

    **Returns:** places by the name of the method and of the matrix, as in `grs1_mp` and `ls_bp`;
    those of least squares are counted within each component.
    """
    scores, component = graph.scores(*MATRICES.values()), graph.components
    rated: dict[str, tuple[np.ndarray, np.ndarray | int]] = {
        name: (generalized_row_sum(graph, scores, e), 0) for name, e in EPSILONS.items()
    }
    rated[LEAST_SQUARES] = least_squares(graph, scores), component
    return {
        f"{name}_{matrix}": places(ratings[:, column], before, within)
        for column, matrix in enumerate(MATRICES)
        for name, (ratings, within) in rated.items()
    }


# --------------------------------------------------------------------------- distances


def kemeny_distance(first: Int[np.ndarray, " teams"], second: Int[np.ndarray, " teams"]) -> int:
    """Number of pairs of teams in opposite order in two rankings.

    **Arguments:**

    - `first`, `second`: places of the same teams; a pair that shares a place does not count.
    """
    return int(np.count_nonzero((first[:, None] < first) & (second[:, None] > second)))


def weighted_distance(first: Int[np.ndarray, " teams"], second: Int[np.ndarray, " teams"]) -> float:
    """Can's weighted Kemeny distance with weights 1/i, in which the first places count most.

    It is the cost of turning one ranking into the other by moving the first team of the other
    ranking up, then its second, and so on; to swap places ``i`` and ``i + 1`` costs ``1/i``.

    **Arguments:**

    - `first`, `second`: places of the same teams, 1..n, each once.

    **Returns:** 0 for equal rankings, n - 1 for opposite ones; the distance is symmetric.

    **Raises:** `InputError` if a place is shared or missing.
    """
    teams = len(first)
    for given in (first, second):
        if not np.array_equal(np.sort(given), np.arange(1, teams + 1)):
            raise InputError(f"places must be 1..{teams}, each once")
    harmonic = np.concatenate([[0.0, 0.0], np.cumsum(1.0 / np.arange(1, teams))])
    now, cost = first.copy(), 0.0
    for place, team in enumerate(np.argsort(second), start=1):
        came_from = now[team]
        cost += harmonic[came_from] - harmonic[place]
        now += (now >= place) & (now < came_from)
        now[team] = place
    return float(cost)


DISTANCES = {"kemeny": kemeny_distance, "weighted": weighted_distance}

FORMS = {"kemeny": ".0f", "weighted": ".2f"}
"""Number formats of the distances."""


def square(distances: pd.DataFrame, kind: str) -> pd.DataFrame:
    """One of the distances of all rankings from all others; NaN from themselves.

    **Arguments:**

    - `distances`: a row for two rankings, `ranking` and `other`, of which `other` comes first.
    - `kind`: its column with the distance.
    """
    names = [distances["other"].iloc[0], *distances["ranking"].unique()]
    turned = distances.rename(columns={"ranking": "other", "other": "ranking"})
    found = pd.concat([distances, turned]).pivot(index="ranking", columns="other", values=kind)
    return found.reindex(index=names, columns=names)


# --------------------------------------------------------------------------- assessment


def lower_ranked_shares(
    matches: Iterable[Match], ranking: Int[np.ndarray, " teams"]
) -> Float[np.ndarray, "2"]:
    """Shares of the points that the lower ranked sides scored; they are low for a good ranking.

    For later matches this measures how well a ranking predicts, for earlier ones how well it
    explains.

    **Arguments:**

    - `matches`: those not played over the board, or of teams outside the ranking, are ignored.
    - `ranking`: places, 1 for the first; 0 for a team outside the ranking.

    **Returns:** shares of all match points and of all board points, 0..1; NaN without a match.
    """
    lower, all_points = np.zeros(2), np.zeros(2)
    for match in matches:
        sides = sorted(match.teams, key=ranking.__getitem__)
        if match.played and ranking[sides[0]]:
            lower += match.points_of(sides[1])
            for side in sides:
                all_points += match.points_of(side)
    return np.divide(lower, all_points, out=np.full(2, np.nan), where=all_points > 0)
