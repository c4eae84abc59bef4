"""Paired comparison: definitions by other means, cases by hand, published tables, one report."""

import itertools
from dataclasses import replace

import numpy as np
from click.testing import CliRunner
from etcc import championship, small
from hypothesis import given
from hypothesis import strategies as st

from studies import rankings
from studies.rankings import MATRICES, MatchGraph, match_graph
from tb2learn.events.parts import Match

# Two boards. A-B 3:1 and again 1:3 (of half points), C has a bye, C-D 4:0, D-C by default, B-C 1:0
# where a board was lost by both.
ROUNDS = [[(0, 1, 3, 1), (2, None, 2, 0)], [(0, 1, 1, 3), (2, 3, 4, 0)], [(1, 2, 1, 0)]]


def by_hand():
    event = small(ROUNDS)
    default = Match(3, 2, 3, 2, 4, 0, 2, 2)
    return replace(event, matches=(*event.matches, default))


def test_comparison_by_hand():
    graph = match_graph(by_hand())
    assert graph.matches.tolist() == [[0, 2, 0, 0], [2, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    assert graph.match_points.tolist() == [0, 1, 0, -1]
    # B less C: half a board more; C less D: two boards of two, one more than half.
    assert graph.board_points.tolist() == [0, 0.25, 0.75, -1]
    assert graph.scores(0.25).tolist() == [0, 0.75 + 0.0625, 0.1875, -1]
    assert graph.reasonable_epsilon == 1 / 4
    first = match_graph(by_hand().after(1))
    assert first.components.tolist() == [0, 0, 1, 2] and first.board_points[0] == 0.5


@st.composite
def graphs(draw):
    """Any matches of 2 to 7 teams, with any results; often unconnected."""
    teams = draw(st.integers(2, 7))
    pairs = list(itertools.combinations(range(teams), 2))
    played = draw(st.lists(st.tuples(st.sampled_from(pairs), st.integers(0, 4)), max_size=14))
    matches, (match_points, board_points) = np.zeros((teams, teams)), np.zeros((2, teams))
    for (a, b), half in played:
        for i, j, sign in ((a, b, 1), (b, a, -1)):
            matches[i, j] += 1
            match_points[i] += sign * np.sign(half - 2)
            board_points[i] += sign * (half - 2) / 2
    return MatchGraph(2, matches, match_points, board_points), played


@given(graphs(), st.sampled_from([*MATRICES.values()]))
def test_least_squares_fits_every_match_best(drawn, share):
    graph, played = drawn
    ratings = rankings.least_squares(graph, graph.scores(share))
    rows, scored = np.zeros((len(played) + 1, len(ratings))), np.zeros(len(played) + 1)
    for number, ((a, b), half) in enumerate(played):
        rows[number, [a, b]] = 1.0, -1.0
        scored[number] = (1 - share) * np.sign(half - 2) + share * (half - 2) / 2
    # The shortest of all best fits is the one in which every component adds up to 0.
    np.testing.assert_allclose(ratings, np.linalg.lstsq(rows, scored)[0], atol=1e-9)
    assert (np.diff(np.bincount(graph.components)) <= 0).all()


# --- whole events ---------------------------------------------------------------------------------


def test_the_report_of_2011_and_its_published_tables(tmp_path):
    run = CliRunner().invoke(rankings.main, ["etcc2011", "--out", str(tmp_path)])
    assert run.exit_code == 0, run.output
    text = (tmp_path / "etcc2011/README.md").read_text()
    assert "| rankings | 456 | 0 | 0 |" in text and "| weighted distances | 182 | 0 |" in text
    event, printed = championship("etcc2011"), rankings.published("etcc2011")
    official = printed["rankings"]["official"].astype(int).to_dict()
    frames = rankings.frames_of(event, lambda event: official)
    frames["rankings"]["ls_bp"] = frames["rankings"]["ls_bp"].to_numpy()[::-1]
    assert rankings.beside(frames, printed)["beside"]["different"][0] >= 30
