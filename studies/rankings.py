"""How do rankings by paired comparison, after Csato, order a team event?

Source: L. Csato, *Ranking in Swiss system chess team tournaments*, 2017. Only matches played over
the board are compared. An entry of a results matrix is half the difference of what the two sides
scored: skew-symmetric even if both sides lost a board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import click
import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy.sparse import csgraph

from studies.script import recorded, report, script, written
from tb2learn import data
from tb2learn.events import TeamEvent, rank, read_event
from tb2learn.events.parts import Match
from tb2learn.report.style import COLOURS, INK, SAME, blank_figure, dress, plain_legend
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

DATA = Path(__file__).parent / "data"

EVENTS = ("etcc2011", "etcc2013", "baku2016")

MATRICES: Mapping[str, float] = {"mp": 0.0, "mb": 1 / 4, "bm": 2 / 3, "bp": 1.0}  # share of bp
EPSILONS: Mapping[str, float] = {"grs1": 1 / 324, "grs2": 1 / 6}  # weights of opponents' results

DECOMPOSED = "ls_mp"
START, OFFICIAL = "start", "official"  # the start order and the final order of the event itself
STEPS, SHOWN_STEPS = 20, 8  # of the decomposition; those that the report shows

FIRST_ROUND = 3  # the first round after which rankings are assessed

SHOWN_TEAMS, FAR = 20, 5  # teams that tables show; a move of so many places counts as far

CURVES = (
    *("predictive_mp", "predictive_bp", "retrodictive_mp", "retrodictive_bp"),
    *("robustness_kemeny", "robustness_weighted"),
)

Official: TypeAlias = Callable[[TeamEvent], Mapping[str, int]]

Places: TypeAlias = Int[np.ndarray, " teams"]
Ratings: TypeAlias = Float[np.ndarray, "teams *matrices"]


@dataclass(frozen=True)
class MatchGraph:
    """Matches between every two teams of an event, in start order, and their results."""

    boards: int  # games of a match
    matches: Float[np.ndarray, "teams teams"]  # how many matches every two teams played
    match_points: Float[np.ndarray, " teams"]  # row sums of the results; a win is 1, a loss -1
    board_points: Float[np.ndarray, " teams"]  # the same: board points above half the boards

    @property
    def laplacian(self) -> Float[np.ndarray, "teams teams"]:
        """``diag(M e) - M``."""
        return np.diag(self.matches.sum(axis=1)) - self.matches

    @property
    def reasonable_epsilon(self) -> float:
        """``1 / (m (n - 2))``, up to which the own results outweigh those of the opponents."""
        return float(1.0 / (self.matches.max() * (len(self.matches) - 2)))

    @property
    def components(self) -> Int[np.ndarray, " teams"]:
        """For every team the number of its connected component of matches; 0 is the largest."""
        _, label = csgraph.connected_components(self.matches, directed=False)
        return np.argsort(np.argsort(-np.bincount(label), kind="stable"))[label]

    def scores(self, share: float) -> Ratings:
        """The row sums ``s = R e`` of the results matrix with this share of board points."""
        return (1.0 - share) * self.match_points + share * (self.board_points / (self.boards / 2))


def match_graph(event: TeamEvent) -> MatchGraph:
    """The graph of the teams of an event and their matches."""
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


def generalized_row_sum(graph: MatchGraph, scores: Ratings, epsilon: float) -> Ratings:
    """Chebotarev's ratings of all teams: ``(I + epsilon L) x = (1 + epsilon m n) s``."""
    teams = len(graph.matches)
    scale = 1.0 + epsilon * graph.matches.max() * teams
    return np.linalg.solve(np.eye(teams) + epsilon * graph.laplacian, scale * scores)


def least_squares(graph: MatchGraph, scores: Ratings) -> Ratings:
    """Ratings whose differences fit all results best: ``L q = s``; each component's add up to 0."""
    return np.linalg.lstsq(graph.laplacian, scores)[0]


def places(ratings: Float[np.ndarray, " teams"], before: Places, component: Any = 0) -> Places:
    """Places by rating within each component; equal ones (nine digits) keep the order `before`."""
    order = np.argsort(-ratings, kind="stable")
    gap = 1e-9 * np.abs(ratings).max(initial=0.0)
    level = np.empty(len(ratings), int)
    level[order] = np.cumsum(-np.diff(ratings[order], prepend=ratings[order][:1]) > gap)
    teams = pd.DataFrame({"level": level, "before": before, "component": component})
    ranked = teams.sort_values(["level", "before"]).groupby("component").cumcount()
    return 1 + ranked.sort_index().to_numpy()


def rankings_of(event: TeamEvent, graph: MatchGraph, official: Official) -> pd.DataFrame:
    """A row a team: its `component` (1 is the largest), and its place in every ranking."""
    given = official(event)
    before = pd.Series([given[team] for team in event.teams]).rank(method="first").astype(int)
    columns = {"team": event.teams, "component": graph.components + 1}
    if "order" not in event.about:  # teams are in start order unless the event says otherwise
        columns[START] = np.arange(1, len(event.teams) + 1)
    columns[OFFICIAL] = before.to_numpy()
    for matrix, share in MATRICES.items():
        scores = graph.scores(share)
        for name, epsilon in EPSILONS.items():
            ratings = generalized_row_sum(graph, scores, epsilon)
            columns[f"{name}_{matrix}"] = places(ratings, columns[OFFICIAL])
        ratings = least_squares(graph, scores)
        columns[f"ls_{matrix}"] = places(ratings, columns[OFFICIAL], graph.components)
    return pd.DataFrame(columns)


def among(rankings: pd.DataFrame) -> pd.DataFrame:
    """The places among the teams of the largest component, a column a ranking."""
    largest = rankings[rankings["component"] == 1]
    return largest.drop(columns=["team", "component"]).rank().astype(int)


def kemeny_distance(first: Places, second: Places) -> int:
    """Number of pairs of teams in opposite order in two rankings; shared places do not count."""
    return int(np.count_nonzero((first[:, None] < first) & (second[:, None] > second)))


def weighted_distance(first: Places, second: Places) -> float:
    """Can's weighted Kemeny distance: to swap places ``i`` and ``i + 1`` costs ``1/i``.

    The cost of moving the first team of the other ranking up, then its second, and so on.
    """
    teams = len(first)
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


def distances_of(ranked: pd.DataFrame) -> pd.DataFrame:
    """Both distances of every `ranking` from every `other` that comes before it."""
    rows = [
        (first, other, *(of(*ranked[[first, other]].to_numpy().T) for of in DISTANCES.values()))
        for number, first in enumerate(ranked)
        for other in ranked.columns[:number]
    ]
    return pd.DataFrame(rows, columns=["ranking", "other", *DISTANCES])


def square(distances: pd.DataFrame, kind: str) -> pd.DataFrame:
    """One of the distances of all rankings from all others; NaN from themselves."""
    names = [distances["other"].iloc[0], *distances["ranking"].unique()]
    turned = distances.rename(columns={"ranking": "other", "other": "ranking"})
    both = pd.concat([distances, turned]).pivot(index="ranking", columns="other", values=kind)
    return both.reindex(index=names, columns=names)


def decomposed(graph: MatchGraph, rankings: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Least squares as a sum: own results, then opponents', then opponents' opponents', ...

    ``q0 = s/D``, ``qk = q(k-1) + (1/D) [(D I - L)/D]^k s``, where `D` is the largest number of
    matches of a team.

    **Returns:** a row a team: its place by `scores`, places gained in every step and in all; and by
    team and step whether the places gained depend on how equal ratings are ordered.
    """
    most = graph.matches.sum(axis=1).max()
    spread = np.eye(len(graph.matches)) - graph.laplacian / most
    terms = [graph.scores(MATRICES["mp"]) / most]
    for _ in range(STEPS):
        terms.append(spread @ terms[-1])
    sums = np.cumsum(terms, axis=0)
    before, final = rankings[OFFICIAL].to_numpy(), rankings[DECOMPOSED]
    # A team is tied if its place changes when ties are broken in the opposite order.
    after, turned = (
        np.array([places(ratings, order, graph.components) for ratings in sums])
        for order in (before, len(before) + 1 - before)
    )
    tied = after != turned
    gained = {f"step_{step}": moved for step, moved in enumerate(-np.diff(after, axis=0), 1)}
    ends = {"cumulated": after[0] - final, "ls": final}
    frame = pd.DataFrame({"team": rankings["team"], "scores": after[0], **gained, **ends})
    around = dict(zip(gained, tied[:-1] | tied[1:], strict=True))
    return frame, pd.DataFrame(around, rankings["team"])


def lower_ranked_shares(matches: Iterable[Match], ranking: Places) -> Float[np.ndarray, "2"]:
    """Shares of all match and board points that the lower ranked sides scored; NaN without a match.

    `ranking` has places, 0 for a team whose matches are ignored.
    """
    lower, all_points = np.zeros(2), np.zeros(2)
    for match in matches:
        sides = sorted(match.teams, key=ranking.__getitem__)
        if match.played and ranking[sides[0]]:
            lower += match.points_of(sides[1])
            for side in sides:
                all_points += match.points_of(side)
    return np.divide(lower, all_points, out=np.full(2, np.nan), where=all_points > 0)


def curves_of(event: TeamEvent, official: Official) -> pd.DataFrame:
    """The rankings after every round, judged, of the largest component of the matches so far."""
    rounds = range(FIRST_ROUND, event.rounds + 1)
    until = {number: event.after(number) for number in rounds}
    after = {n: among(rankings_of(past, match_graph(past), official)) for n, past in until.items()}
    rows = []
    for name in after[FIRST_ROUND]:
        for number in rounds:
            now = after[number][name]
            ranking = now.reindex(range(len(event.teams)), fill_value=0).to_numpy()
            parts = ([m for m in event.matches if m.round > number], until[number].matches)
            shares = np.concatenate([lower_ranked_shares(some, ranking) for some in parts])
            moved = [np.nan for _ in DISTANCES]
            if number + 1 in after:
                both = pd.concat([now, after[number + 1][name]], axis=1, join="inner").rank()
                moved = [of(*both.astype(int).to_numpy().T) for of in DISTANCES.values()]
            rows.append((name, number, *shares, *moved))
    wide = pd.DataFrame(rows, columns=["ranking", "round", *CURVES])
    curves = wide.melt(["ranking", "round"], var_name="curve")
    return curves[["curve", "ranking", "round", "value"]]


def published(name: str) -> dict[str, pd.DataFrame]:
    """The published tables of a packaged event, as text; nothing where there are none."""
    known = name in data.event_names()
    if not (known and data.event_folder(name).joinpath("published_rankings.csv").is_file()):
        return {}
    tables = ("rankings", *FORMS, "decomposition")
    frames = {one: pd.DataFrame(data.read_rows(name, f"published_{one}.csv")) for one in tables}
    return {table: frame.set_index(frame.columns[0]) for table, frame in frames.items()}


def beside(
    frames: Mapping[str, Any], printed: Mapping[str, pd.DataFrame]
) -> dict[str, pd.DataFrame]:
    """Every published table compared with ours.

    **Returns:** `beside`, by `table`: how many of its `cells` are `different`, how many of these
    depend only on the order of equal ratings (`tied`). `different`: the `cell`s themselves.
    """
    rankings, steps = (frames[name].set_index("team") for name in ("rankings", "decomposition"))
    ours = {
        "rankings": rankings.drop(columns=["component", START, OFFICIAL], errors="ignore"),
        **{kind: square(frames["distances"], kind) for kind in FORMS},
        "decomposition": steps.rename(columns={"scores": OFFICIAL}),
    }
    exact_ties = frames["tied"].stack()[lambda is_tied: is_tied].index
    rows, different = [], []
    for name, table in printed.items():
        cells = pd.DataFrame({"printed": table[table != ""].stack()})
        own = ours[name].map(f"{{:{FORMS.get(name, '')}}}".format).stack()
        cells = cells.assign(ours=own.reindex(cells.index)).dropna()
        other = cells[cells["printed"] != cells["ours"]]
        between = "{} and {}" if name in FORMS else "{1} of {0}"
        different.append(other.assign(cell=[between.format(*both) for both in other.index]))
        title = f"{name} distances" if name in FORMS else name
        rows.append((title, len(cells), len(other), other.index.isin(exact_ties).sum()))
    return {
        "beside": pd.DataFrame(rows, columns=["table", "cells", "different", "tied"]),
        "different": pd.concat(different, ignore_index=True),
    }


TITLES = {"kemeny": "Kemeny distance", "weighted": "Weighted distance"}
METHODS = {"grs1": "^", "grs2": "s", "ls": "o"}  # with their marks
SINGLE_MARKS = {START: (SAME, "P"), OFFICIAL: (INK, "D")}
STYLES = SINGLE_MARKS | {
    f"{method}_{matrix}": (colour, marker)
    for matrix, colour in zip(MATRICES, COLOURS, strict=False)
    for method, marker in METHODS.items()
}
MAP_WORDS = {  # the words of the report
    "grs1": "grs1: generalized row sum, epsilon 1/324",
    "grs2": "grs2: generalized row sum, epsilon 1/6",
    "ls": "ls: least squares",
    "mp": "mp: match points",
    "mb": "mb: a quarter board points",
    "bm": "bm: two thirds board points",
    "bp": "bp: board points",
    OFFICIAL: "official: the final order",
    START: "start: the start order",
}


def maps_figure(distances: pd.DataFrame) -> Figure:
    """A map of the rankings for each distance.

    The mark of a ranking says its method, the colour its results.
    """
    figure = blank_figure(12.0, 6.6)
    for panel, (kind, title) in zip(figure.subplots(1, 2), TITLES.items(), strict=True):
        table = square(distances, kind).fillna(0.0)
        points = mds_map(table.to_numpy())
        for name, point in zip(table, points, strict=True):
            colour, marker = STYLES[name]
            # Around a mark of the same place: the official order may be that of a method.
            hollow = {"markersize": 13, "fillstyle": "none"} if name == OFFICIAL else {}
            panel.plot(*point, marker, color=colour, **{"markersize": 8, "alpha": 0.9} | hollow)
        dress(panel, title, "only distances between marks mean something", "")
        panel.set_aspect("equal", adjustable="datalim")
        panel.margins(0.1, 0.1)
    handles = [*map(_map_key, MAP_WORDS)]
    legend = figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    plain_legend(legend)
    return figure


def _map_key(name: str) -> Line2D:
    """The mark of a word in the legend: a method in grey, results as a patch of colour."""
    if name in METHODS:
        colour, marker = SAME, METHODS[name]
    elif name in MATRICES:
        colour, marker = STYLES[f"ls_{name}"][0], "_"
    else:
        colour, marker = SINGLE_MARKS[name]
    style = {"markersize": 9, "markeredgewidth": 6 if marker == "_" else 1}
    fill = "none" if name == OFFICIAL else "full"
    return Line2D(
        [],
        [],
        color=colour,
        marker=marker,
        linestyle="",
        fillstyle=fill,
        label=MAP_WORDS[name],
        **style,
    )


def mds_map(distances: Float[np.ndarray, "n n"]) -> Float[np.ndarray, "n 2"]:
    """Metric multidimensional scaling (scikit-learn's SMACOF, started from the classical solution).

    The map is widest horizontally, with the first point on the left and not below the middle.
    """
    from sklearn.manifold import MDS

    if not distances.any():
        return np.zeros((len(distances), 2))
    scaling = MDS(2, metric="precomputed", init="classical_mds", n_init=1, random_state=0)
    points = scaling.fit_transform(distances / distances.max()) * distances.max()
    points -= points.mean(axis=0)
    points = points @ np.linalg.svd(points, full_matrices=False)[2].T
    return points * np.where(points[0] > 0, (-1.0, 1.0), (1.0, -1.0))


def with_rounds(name: str, event: TeamEvent) -> TeamEvent:
    """The same event with its rounds, where the facts behind the studies have them."""
    folder = DATA / name
    return read_event(folder) if not event.known_rounds and folder.is_dir() else event


def frames_of(event: TeamEvent, official: Official, timed: TeamEvent) -> dict[str, pd.DataFrame]:
    """Rankings of an event, their distances, the decomposition, and curves by round if known.

    **Arguments:** the event; its official order; and the event again with its rounds (`timed`).
    """
    graph = match_graph(event)
    if not graph.matches.any():
        raise InputError(f"{event.name}: no match was played")
    rankings = rankings_of(event, graph, official)
    frame, tied = decomposed(graph, rankings)
    frames = {"rankings": rankings, "distances": distances_of(among(rankings))}
    frames |= {"decomposition": frame, "tied": tied}
    if timed.known_rounds and timed.rounds >= FIRST_ROUND:
        frames["curves"] = curves_of(timed, official)
    return frames


def summary(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """What the template says of the frames, and the first rows of their tables."""
    rankings, distances = frames["rankings"], frames["distances"]
    near = [name for name in rankings if name in ("team", START, OFFICIAL) or name.endswith("_mp")]
    moved = rankings.assign(gained=among(rankings)[OFFICIAL] - among(rankings)[DECOMPOSED])
    method, other = (distances[side].str.split("_").str[0] for side in ("ranking", "other"))
    steps = frames["decomposition"].sort_values("scores", kind="stable").head(SHOWN_TEAMS)
    gained = steps.filter(like="step_").iloc[:, :SHOWN_STEPS]
    # Not the sum of the other steps, which need not reach least squares.
    gained = gained.assign(later=steps["cumulated"] - gained.sum(axis=1), all=steps["cumulated"])
    gained = gained.map(lambda places: f"{places:+d}" if places else "0")
    return {
        "squares": {TITLES[kind]: square(distances, kind).reset_index() for kind in FORMS},
        "forms": {TITLES[kind]: form for kind, form in FORMS.items()},
        "sizes": rankings["component"].value_counts().sort_index(),
        "shown": rankings.sort_values(["component", OFFICIAL])[near].head(SHOWN_TEAMS),
        "moved": moved.sort_values("gained", ascending=False, kind="stable"),
        "spread": distances["kemeny"][method == other].groupby(method, sort=False).mean(),
        "steps": steps[["team", "scores"]].join(gained).assign(**{DECOMPOSED: steps["ls"]}),
    }


def write(out: Path, name: str) -> None:
    """The report of an event, official by its published tables, else by the product rule."""
    event, printed = recorded(name), published(name)

    def official(event: TeamEvent) -> Mapping[str, int]:
        if printed:
            return printed["rankings"][OFFICIAL].astype(int).to_dict()
        rule = product_table(event.rounds, event.boards)
        return {row.team: row.place for row in rank(event, rule)}

    frames = frames_of(event, official, with_rounds(name, event))
    frames |= written(out, {one: frame for one, frame in frames.items() if one != "tied"})
    given: dict[str, Any] = {
        "event": event,
        "graph": match_graph(event),
        "far": FAR,
        **summary(frames),
    }
    given |= beside(frames, printed) if printed else {}
    report(out, "rankings.md", {**frames, **given}, {"maps.png": maps_figure(frames["distances"])})


@script("reports/rankings", click.argument("names", nargs=-1, metavar="[EVENT]..."), seed=None)
def main(out: Path, names: tuple[str, ...]) -> None:
    """Rank events by paired comparison; each gets a folder in the folder of the report."""
    for name in names or EVENTS:
        write(out / Path(name).stem, name)


if __name__ == "__main__":
    main()
