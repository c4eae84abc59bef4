"""The study of an event's rankings: published tables, numbers by hand, safe pages and pictures."""

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from etcc import championship, small

from tb2learn.data import load_table
from tb2learn.events.parts import Match
from tb2learn.report.frames import where, wide
from tb2learn.studies.rankings.maps import maps_figure, mds_map
from tb2learn.studies.rankings.measure import (
    CURVES,
    among,
    beside,
    curves_figure,
    distances_figure,
    frames_of,
    measure,
    numbers,
    published,
)
from tb2learn.studies.rankings.methods import DISTANCES, FORMS, match_graph, square
from tb2learn.studies.registry import STUDIES
from tb2learn.studies.reports import text
from tb2learn.types import InputError

# Two boards; after every round the order is another one. E joins in round 4, F never plays.
ROUNDS = [
    [(0, 1, 3, 1), (2, 3, 2, 2)],
    [(0, 2, 4, 0), (1, 3, 1, 3)],
    [(0, 3, 1, 3), (1, 2, 4, 0)],
    [(0, 1, 2, 2), (2, 4, 0, 4), (3, None, 2, 0)],
]


def six(**options):
    return small(ROUNDS, ["A", "B", "C", "D", "E", "F"], **options)


def by_points(event):
    """An official order that is easy to follow: match points, then start order."""
    points = dict.fromkeys(event.teams, 0)
    for match in event.matches:
        points[event.teams[match.team_a]] += match.match_points[0]
        if match.team_b is not None:
            points[event.teams[match.team_b]] += match.match_points[1]
    return {team: 1 + sum(p > own for p in points.values()) for team, own in points.items()}


def report_text(frames):
    return text(STUDIES["rankings"], {"run": pd.DataFrame([{}]), **frames})


@pytest.fixture(scope="module")
def of_2011():
    return measure(championship("etcc2011"), None)


@pytest.fixture(scope="module")
def of_six():
    return frames_of(six(), by_points)


def test_differences_from_published_tables_are_found(of_2011):
    """Other places and distances must show."""
    rankings, distances = of_2011["rankings"].copy(), of_2011["distances"].copy()
    rankings["ls_bp"] = rankings["ls_bp"].to_numpy()[::-1]
    distances[[*DISTANCES]] += 0.01
    other = of_2011 | {"rankings": rankings, "distances": distances}
    found = beside(other, published(championship("etcc2011")))["beside"].set_index("table")
    assert found["different"]["rankings"] >= 30
    assert not found["different"]["kemeny distances"]
    assert found["different"]["weighted distances"] == 182


def test_later_steps_lead_to_least_squares_where_twenty_do_not(of_2011):
    decomposition = of_2011["decomposition"].assign(step_20=1)
    assert report_text(of_2011 | {"decomposition": decomposition}) == report_text(of_2011)


def test_json_of_2011(of_2011):
    content = numbers(of_2011)
    printed = load_table("etcc2011", "published_rankings.csv").set_index("team")
    assert content["rankings"] == printed.to_dict()
    assert list(content["rankings"]["ls_mp"])[:2] == ["Azerbaijan", "Germany"]
    assert (content["kemeny"]["start"]["ls_bp"], content["kemeny"]["official"]["grs1_mb"]) == (
        85,
        0,
    )
    assert [len(row) for row in content["weighted"].values()] == [13] * 14
    georgia = content["decomposition"]["Georgia"]
    assert [georgia[one] for one in ("scores", "step_1", "cumulated", "ls")] == [13, -9, -14, 27]
    assert content["matches"] == 171 and content["curves"] is None
    assert content["epsilon"] == pytest.approx(
        {"grs1": 1 / 324, "grs2": 1 / 6, "reasonable": 1 / 36}
    )


# --- an event with rounds, by hand ----------------------------------------------------------------


def test_rankings_of_an_event_that_is_not_connected(of_six):
    """F is a component of its own; everything else is among the other five."""
    rankings = of_six["rankings"]
    assert rankings["component"].tolist() == [1] * 5 + [2]
    assert rankings["start"].tolist() == [1, 2, 3, 4, 5, 6]
    # Match points: A 2 2 0 1, B 0 0 2 1, C 1 0 0 0, D 1 2 2 and 1 for the bye, E 2, F 0.
    assert rankings["official"].tolist() == [2, 3, 5, 1, 4, 6]
    assert rankings["ls_bp"][5] == 1  # of its own component
    assert sorted(rankings["ls_bp"][:5]) == [1, 2, 3, 4, 5]
    assert sorted(rankings["grs1_bp"]) == [1, 2, 3, 4, 5, 6]
    assert all(sorted(among(rankings)[name]) == [1, 2, 3, 4, 5] for name in among(rankings))
    both = among(rankings)[["start", "ls_bp"]].to_numpy().T
    for kind, distance in DISTANCES.items():
        assert square(of_six["distances"], kind)["start"]["ls_bp"] == distance(*both)
    content = numbers(of_six)
    assert content["components"] == [["A", "B", "C", "D", "E"], ["F"]]
    assert content["curves"]["rounds"] == [3, 4] and content["curves"]["teams"] == [4, 5]
    assert len(content["curves"]["predictive_mp"]["start"]) == 2
    text = report_text(of_six)
    assert "**The matches do not connect all teams**: 2 components, of 5, 1 teams" in text
    assert "| team | component | start |" in text
    assert "compared: 4 after round 3, 5 after round 4.\n" in text


def test_curves_by_hand(of_six):
    curves = of_six["curves"]
    assert list(curves["curve"].unique()) == [*CURVES]
    value = {
        name: where(curves, ranking=name).groupby("curve")["value"].apply(list)
        for name in ("start", "official")
    }
    # Start order. After round 3 E and F have met nobody: of round 4 only A-B counts.
    assert value["start"]["predictive_mp"][0] == 1 / 2
    assert value["start"]["predictive_bp"][0] == 2 / 4
    # The lower ranked scored in rounds 1 to 3: B 0 MP 1/2 GP, D 1, 1; C 0, 0; D 2, 3/2; D 2, 3/2;
    # C 0, 0.
    assert value["start"]["retrodictive_mp"][0] == pytest.approx(5 / 12)
    assert value["start"]["retrodictive_bp"][0] == pytest.approx((1 + 2 + 0 + 3 + 3 + 0) / 24)
    # After round 4 also B 1, 1 and E 2, 2.
    assert value["start"]["retrodictive_mp"][1] == pytest.approx(8 / 16)
    assert value["start"]["retrodictive_bp"][1] == pytest.approx((9 + 2 + 4) / 32)
    assert value["start"]["robustness_kemeny"][0] == 0
    # Official order after round 3: D 5, A 4, B 2, C 1; after round 4 the same, E left out.
    assert value["official"]["robustness_weighted"][0] == 0
    # The lower ranked: B 0, C 1; C 0, B 0; A 0, C 0.
    assert value["official"]["retrodictive_mp"][0] == pytest.approx(1 / 12)
    assert value["official"]["retrodictive_bp"][0] == pytest.approx((1 + 2 + 0 + 1 + 1 + 0) / 24)
    for curve in ("predictive_mp", "robustness_kemeny"):  # nothing comes after the last round
        assert where(curves, curve=curve, round=4)["value"].isna().all()


def test_few_rounds_have_no_curves():
    found = frames_of(small([[(0, 1, 3, 1)], [(1, 0, 3, 1)]]), by_points)
    assert "curves" not in found and "fewer than 3 rounds" in report_text(found)
    assert curves_figure(found) is None
    assert numbers(found)["epsilon"]["reasonable"] is None


def test_equal_ratings_stand_in_official_order():
    event = small([[(0, 1, 2, 2), (2, 3, 2, 2)], [(0, 2, 2, 2), (1, 3, 2, 2)]])
    rankings = frames_of(event, lambda event: {"D": 1, "B": 2, "A": 3, "C": 4})["rankings"]
    assert all(rankings[name].tolist() == [3, 2, 4, 1] for name in rankings if "_" in name)


def test_a_study_needs_matches_and_an_order_of_all_teams():
    event = six()
    default = tuple(replace(match, boards_forfeited=2) for match in event.matches)
    with pytest.raises(InputError, match="small: no match was played"):
        frames_of(replace(event, matches=default), by_points)
    with pytest.raises(InputError, match="small: no official place of B"):
        frames_of(event, lambda event: {"A": 1})


# --- files ----------------------------------------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script>",
    "| --- | # _x_ `y` [z](http://e.org) ![i](javascript:a)",
    "www.example.org $x^2$",
    "\u202eesrever\n\n# head",
    "&lt;b&gt; **b** ~~s~~",
]


def test_names_do_not_break_the_report():
    rounds = [[(0, 1, 3, 1), (2, 3, 2, 2)], [(0, 4, 4, 0)], [(1, 2, 3, 1)]]
    event = small(rounds, HOSTILE, name=HOSTILE[1])
    text = report_text(frames_of(event, by_points))
    raw = text.replace("\\\\", "")
    for mark in "|<>`*_[]#!~$&":  # every one in a name stands behind a backslash
        for name in HOSTILE:
            assert name not in raw or mark not in name
    assert "\\<script\\>alert(1)\\</script\\>" in text and "<script" not in raw.replace("\\<", "")
    assert "www\\.example.org \\$x^2\\$" in text and "http\\://e.org" in text
    assert "\u202e" not in text and "\n# head" not in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    tables = [line.replace("\\|", "").count("|") for line in rows]
    assert len(set(tables)) <= 5  # as many columns as the headers of the tables


def test_maps_say_what_they_need(monkeypatch, of_six):
    monkeypatch.setitem(sys.modules, "sklearn.manifold", None)
    with pytest.raises(InputError, match=r"pip install 'tb2learn\[studies\]'"):
        maps_figure(of_six)


def test_curves_have_every_ranking(of_six):
    figure = curves_figure(of_six)
    for panel, (curve, title) in zip(figure.axes, CURVES.items(), strict=True):
        assert panel.get_title(loc="left") == title
        values = wide(where(of_six["curves"], curve=curve), "ranking", "round", "value")
        assert list(values.index) == list(among(of_six["rankings"]))
        for line, expected in zip(panel.lines, values.to_numpy(float), strict=True):
            np.testing.assert_array_equal(line.get_xdata(), values.columns)
            np.testing.assert_array_equal(line.get_ydata(), expected)


def test_distances_are_written_into_their_cells(of_six):
    figure = distances_figure(of_six)
    for panel, (kind, form) in zip(figure.axes, FORMS.items(), strict=True):
        values = square(of_six["distances"], kind)
        np.testing.assert_array_equal(panel.images[0].get_array(), values.fillna(0))
        for cell in panel.texts:
            column, row = cell.get_position()
            assert cell.get_text() == f"{values.iloc[row, column]:{form}}"
        assert len(panel.texts) == len(values) * (len(values) - 1)
        assert [label.get_text() for label in panel.get_yticklabels()] == list(values)


def test_maps_have_every_ranking_at_its_place(of_six):
    for panel, kind in zip(maps_figure(of_six).axes, DISTANCES, strict=True):
        values = square(of_six["distances"], kind).fillna(0)
        points = [line.get_xydata()[0] for line in panel.lines]
        np.testing.assert_allclose(points, mds_map(values.to_numpy()), atol=1e-9)
        named = [name for text in panel.texts for name in text.get_text().split(" = ")]
        assert sorted(named) == sorted(values)


def test_matches_by_default_are_left_out_of_everything():
    event = six()
    default = Match(4, 9, 5, 0, 4, 0, 2, 2)
    with_default = replace(event, matches=(*event.matches, default))
    np.testing.assert_array_equal(match_graph(with_default).matches, match_graph(event).matches)
    first, second = (frames_of(e, lambda e: by_points(six())) for e in (event, with_default))
    assert numbers(first) == numbers(second)
    assert "1 matches in which no game was played" in report_text(second)
