"""Rankings of one event by paired comparison: row sums, least squares, distances of rankings.

Source: L. Csato, *Ranking in Swiss system chess team tournaments*, 2017. All computations are in
double precision on one event; `tiebreaks.paired` has the same ratings for many events at once.

Only matches played over the board are compared: byes and matches won by default are no evidence of
strength. An entry of a results matrix is half the difference of what the two sides scored, so that
the matrix is skew-symmetric even if boards were lost by both sides. Otherwise it equals what one
side scored minus half of the points of the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.sparse import csgraph

from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Match
from tb2learn.types import InputError

MATRICES: Mapping[str, float] = {"mp": 0.0, "mb": 1 / 4, "bm": 2 / 3, "bp": 1.0}
"""Results matrices by name: their share of board points; the rest are match points."""

EPSILONS: Mapping[str, float] = {"grs1": 1 / 324, "grs2": 1 / 6}
"""The generalized row sums of the paper by name: the weight epsilon of the opponents' results."""

LEAST_SQUARES = "ls"

_EQUAL = 1e-9  # ratings that differ by less than this share of the largest one are equal


@dataclass(frozen=True)
class MatchGraph:
    """Matches between every two teams of an event, and their results.

    **Fields:**

    - `teams`: names in start order.
    - `boards`: games of a match.
    - `matches`: number of matches of every two teams.
    - `match_points`: results matrix of match points: 1 a win, -1 a loss, summed over rematches.
    - `board_points`: results matrix of board points: those above half of the boards.
    """

    teams: tuple[str, ...]
    boards: int
    matches: Float[np.ndarray, "teams teams"]
    match_points: Float[np.ndarray, "teams teams"]
    board_points: Float[np.ndarray, "teams teams"]

    @property
    def laplacian(self) -> Float[np.ndarray, "teams teams"]:
        """``diag(M e) - M``."""
        return np.diag(self.matches.sum(axis=1)) - self.matches

    @property
    def most_of_a_pair(self) -> float:
        """`m`: the largest number of matches between two teams."""
        return float(self.matches.max(initial=0.0))

    @property
    def most_of_a_team(self) -> float:
        """`D`: the largest number of matches of a team."""
        return float(self.matches.sum(axis=1).max(initial=0.0))

    @property
    def reasonable_epsilon(self) -> float:
        """``1 / (m (n - 2))``, up to which the own results outweigh those of the opponents."""
        bound = self.most_of_a_pair * (len(self.teams) - 2)
        return 1.0 / bound if bound > 0 else np.inf

    @property
    def components(self) -> Int[np.ndarray, " teams"]:
        """For every team the number of its connected component of matches; 0 is the largest."""
        _, label = csgraph.connected_components(self.matches, directed=False)
        sizes = np.bincount(label)
        rank = np.empty_like(sizes)
        rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
        return rank[label]

    def results(self, share: float) -> Float[np.ndarray, "teams teams"]:
        """The results matrix that mixes match points and board points.

        **Arguments:**

        - `share`: weight of the board points, 0..1: 0 gives match points, 1 gives board points in
          units of half a match.

        **Raises:** `InputError` for another share.
        """
        if not 0.0 <= share <= 1.0:
            raise InputError(f"share of board points must be 0..1, got {share:g}")
        return (1.0 - share) * self.match_points + share * self.board_points / (self.boards / 2)

    def scores(self, *shares: float) -> Float[np.ndarray, "teams shares"]:
        """The row sums ``s = R e`` of the results matrices with these shares, one per column."""
        return np.stack([self.results(share).sum(axis=1) for share in shares], axis=1)


def is_compared(match: Match) -> bool:
    """Whether a match was played over the board, so that its result counts."""
    return match.team_b is not None and not match.by_default


def match_graph(event: TeamEvent, after_round: int | None = None) -> MatchGraph:
    """The graph of the teams of an event and their matches.

    **Arguments:**

    - `event`: real or simulated; rounds need not be known.
    - `after_round`: only matches up to this round; all if not given.

    **Raises:** `InputError` if the event has no such round.
    """
    if after_round is not None:
        event = event.after(after_round)
    teams = len(event.teams)
    matches, match_points, board_points = np.zeros((3, teams, teams))
    for match in filter(is_compared, event.matches):
        a, b = match.team_a, match.team_b
        won, lost = match.match_points
        for i, j, sign in ((a, b, 0.5), (b, a, -0.5)):
            matches[i, j] += 1.0
            match_points[i, j] += sign * (won - lost)
            board_points[i, j] += sign * (match.half_points_a - match.half_points_b) / 2
    return MatchGraph(event.teams, event.boards, matches, match_points, board_points)


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
    teams = len(graph.teams)
    scale = 1.0 + epsilon * graph.most_of_a_pair * teams
    matrix = np.eye(teams) + epsilon * graph.laplacian
    return np.linalg.solve(matrix, scale * scores)


def least_squares(
    graph: MatchGraph, scores: Float[np.ndarray, "teams *shares"]
) -> tuple[Float[np.ndarray, "teams *shares"], Int[np.ndarray, " teams"]]:
    """Ratings whose differences fit the results of all matches best: ``L q = s``.

    **Arguments:**

    - `graph`: of the teams.
    - `scores`: ``s``, of one results matrix or of several side by side; see `MatchGraph.scores`.

    **Returns:** the ratings, in units of the results matrix; and the component of every team. The
    ratings of each component add up to 0; teams of different components cannot be compared.
    """
    component = graph.components
    # Adding ones within a component makes its ratings add up to 0 and does not change L q = s.
    same = (component[:, None] == component).astype(float)
    matrix = graph.laplacian + same / same.sum(axis=1)
    return np.linalg.solve(matrix, scores), component


def decomposition(
    graph: MatchGraph, scores: Float[np.ndarray, "teams *shares"], steps: int
) -> Float[np.ndarray, "steps1 teams *shares"]:
    """Least squares as a sum: own results, then opponents', then opponents' opponents', ...

    **Returns:** the ratings after 0, 1, ... `steps` steps: ``q0 = s/D``, ``qk = q(k-1) + (1/D)
    [(D I - L)/D]^k s``. They tend to those of least squares, unless a component is bipartite and
    all its teams have `D` matches.

    **Raises:** `InputError` if no match was played.
    """
    most = graph.most_of_a_team
    if not most:
        raise InputError("no match was played")
    spread = np.eye(len(graph.teams)) - graph.laplacian / most
    terms = [scores / most]
    for _ in range(steps):
        terms.append(spread @ terms[-1])
    return np.cumsum(terms, axis=0)


# --------------------------------------------------------------------------- places


def places(
    ratings: Float[np.ndarray, " teams"],
    before: Int[np.ndarray, " teams"],
    component: Int[np.ndarray, " teams"] | None = None,
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
    found = np.empty(len(ratings), int)
    for group in [np.arange(len(ratings))] if component is None else _groups(component):
        found[group[np.lexsort((before[group], level[group]))]] = np.arange(1, len(group) + 1)
    return found


def _groups(component: Int[np.ndarray, " teams"]) -> list[np.ndarray]:
    return [np.flatnonzero(component == number) for number in np.unique(component)]


def renumbered(
    ranking: Int[np.ndarray, " teams"], among: Bool[np.ndarray, " teams"]
) -> Int[np.ndarray, " teams"]:
    """Places among some of the teams; 0 for the others."""
    kept = np.flatnonzero(among)
    found = np.zeros_like(ranking)
    found[kept[np.argsort(ranking[kept], kind="stable")]] = np.arange(1, len(kept) + 1)
    return found


def all_rankings(
    graph: MatchGraph,
    before: Int[np.ndarray, " teams"],
    epsilons: Mapping[str, float] = EPSILONS,
) -> dict[str, Int[np.ndarray, " teams"]]:
    """The rankings of the paper: every method with every results matrix.

    **Arguments:**

    - `graph`: of the teams.
    - `before`: places that decide between equal ratings.
    - `epsilons`: the generalized row sums, by name.

    **Returns:** places by the name of the method and of the matrix, as in `grs1_mp` and `ls_bp`;
    those of least squares are counted within each component.
    """
    scores = graph.scores(*MATRICES.values())
    row_sums = {
        name: generalized_row_sum(graph, scores, epsilon) for name, epsilon in epsilons.items()
    }
    ratings, component = least_squares(graph, scores)
    found = {}
    for column, matrix in enumerate(MATRICES):
        for name, rated in row_sums.items():
            found[f"{name}_{matrix}"] = places(rated[:, column], before)
        found[f"{LEAST_SQUARES}_{matrix}"] = places(ratings[:, column], before, component)
    return found


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


def mds_map(distances: Float[np.ndarray, "n n"]) -> Float[np.ndarray, "n 2"]:
    """Points in the plane whose distances approximate the given ones.

    Metric multidimensional scaling (scikit-learn's SMACOF, started from the classical solution);
    equal distances give equal maps on the same machine. The map is rotated so that it is widest
    horizontally, with the first point on the left and not below the middle.

    **Raises:** `InputError` if scikit-learn, which only this function needs, is not installed.
    """
    try:
        from sklearn.manifold import MDS
    except ImportError:
        raise InputError(
            "maps of rankings need scikit-learn: pip install 'tb2learn[studies]'"
        ) from None
    if not distances.any():
        return np.zeros((len(distances), 2))
    scaling = MDS(2, metric="precomputed", init="classical_mds", n_init=1, random_state=0)
    points = scaling.fit_transform(distances / distances.max()) * distances.max()
    points -= points.mean(axis=0)
    points = points @ np.linalg.svd(points, full_matrices=False)[2].T
    return points * np.where(points[0] > 0, (-1.0, 1.0), (1.0, -1.0))


# --------------------------------------------------------------------------- assessment


def scored(matches: Iterable[Match]) -> Int[np.ndarray, "matches 3 2"]:
    """Teams, match points and half points of both sides of all matches played over the board."""
    rows = [
        ((m.team_a, m.team_b), m.match_points, (m.half_points_a, m.half_points_b))
        for m in matches
        if is_compared(m)
    ]
    return np.array(rows, int).reshape(-1, 3, 2)


def lower_ranked_shares(
    matches: Int[np.ndarray, "matches 3 2"], ranking: Int[np.ndarray, " teams"]
) -> tuple[float, float]:
    """Shares of the points that the lower ranked sides scored; they are low for a good ranking.

    For later matches this measures how well a ranking predicts, for earlier ones how well it
    explains.

    **Arguments:**

    - `matches`: see `scored`; those of teams outside the ranking are ignored.
    - `ranking`: places, 1 for the first; 0 for a team outside the ranking.

    **Returns:** shares of all match points and of all board points, 0..1; NaN without a match.
    """
    sides = ranking[matches[:, 0]]
    ranked = (sides > 0).all(axis=1)
    points, below = matches[ranked, 1:], sides[ranked].argmax(axis=1)
    lower = np.take_along_axis(points, below[:, None, None], axis=2).sum(axis=(0, 2))
    total = points.sum(axis=(0, 2))
    shares = np.divide(lower, total, out=np.full(2, np.nan), where=total > 0)
    return float(shares[0]), float(shares[1])
