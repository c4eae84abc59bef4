"""The study of an event's rankings: published tables, numbers by hand, safe pages and pictures."""

import csv
import io
import json
import sys
from dataclasses import replace

import numpy as np
import pytest
from etcc import championship, small

from tb2learn.data import load_table
from tb2learn.events.parts import Match
from tb2learn.report.style import figure_png
from tb2learn.studies.rankings.figures import FORMS, curves_figure, distances_figure, maps_figure
from tb2learn.studies.rankings.methods import (
    kemeny_distance,
    match_graph,
    mds_map,
    renumbered,
    weighted_distance,
)
from tb2learn.studies.rankings.published import beside, published
from tb2learn.studies.rankings.report import report_text, study_csv, study_json, study_rankings
from tb2learn.studies.rankings.study import CURVES, DISTANCES, study
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


@pytest.fixture(scope="module")
def printed():
    return published(championship("etcc2011"))


@pytest.fixture(scope="module")
def of_2011(printed):
    return study(championship("etcc2011"), printed.official)


@pytest.fixture(scope="module")
def of_six():
    return study(six(), by_points)


def test_2011_beside_the_published_tables(of_2011, printed):
    tables = {one.table: one for one in beside(of_2011, printed)}
    assert {name: (one.cells, len(one.different), one.tied) for name, one in tables.items()} == {
        "rankings": (456, 0, 0),
        "kemeny distances": (182, 0, 0),
        "weighted distances": (182, 0, 0),
        "decomposition": (380, 4, 4),
    }
    assert "step_1 of Sweden: printed 3, ours 2" in tables["decomposition"].different


def test_differences_from_published_tables_are_found(of_2011, printed):
    """Other places and distances must show."""
    rankings = dict(of_2011.rankings)
    rankings["ls_bp"] = rankings["ls_bp"][::-1]
    distances = {kind: values + 0.01 for kind, values in of_2011.distances.items()}
    other = replace(of_2011, rankings=rankings, distances=distances)
    tables = {one.table: one for one in beside(other, printed)}
    assert len(tables["rankings"].different) >= 30
    assert not tables["kemeny distances"].different
    assert len(tables["weighted distances"].different) == 182


def test_published_tables_of_an_event_without_its_official_order(printed):
    tables = {one.table: one for one in beside(study(championship("etcc2011")), printed)}
    assert tables["rankings"].cells == 456 and not tables["rankings"].different
    assert tables["kemeny distances"].cells == 13 * 12


def test_only_some_events_have_published_tables():
    assert published(championship("etcc2013")) is None and published(six()) is None


def test_json_of_2011(of_2011):
    content = json.loads(study_json(of_2011))
    published = load_table("etcc2011", "published_rankings.csv").set_index("team")
    assert content["rankings"] == published.to_dict()
    assert list(content["rankings"]["ls_mp"])[:2] == ["Azerbaijan", "Germany"]
    assert content["kemeny"]["start"]["ls_bp"] == 85
    assert content["kemeny"]["official"]["grs1_mb"] == 0
    assert round(content["weighted"]["ls_mp"]["ls_mb"], 2) == 0.53
    assert len(content["kemeny"]) == 14 and all(
        len(row) == 13 for row in content["kemeny"].values()
    )
    assert content["decomposition"]["Georgia"]["scores"] == 13
    assert content["decomposition"]["Georgia"]["step_1"] == -9
    assert content["decomposition"]["Georgia"]["cumulated"] == -14
    assert content["decomposition"]["Georgia"]["ls"] == 27
    assert len(content["components"]) == 1 and len(content["components"][0]) == 38
    assert content["matches"] == 171 and content["curves"] is None
    assert content["epsilon"] == pytest.approx(
        {"grs1": 1 / 324, "grs2": 1 / 6, "reasonable": 1 / 36}
    )


def test_2013_without_start_or_official_order():
    found = study(championship("etcc2013"))
    assert len(found.rankings) == 12 and found.connected and found.curves is None
    assert all(sorted(ranking) == list(range(1, 39)) for ranking in found.rankings.values())
    text = report_text(found)
    assert "start order of this event is not known" in text
    assert "official order of this event is not known" in text
    assert "no rounds in the record" in text


# --- an event with rounds, by hand ----------------------------------------------------------------


def test_rankings_of_an_event_that_is_not_connected(of_six):
    """F is a component of its own; everything else is among the other five."""
    assert of_six.among.tolist() == [True] * 5 + [False] and not of_six.connected
    assert of_six.rankings["start"].tolist() == [1, 2, 3, 4, 5, 6]
    # Match points: A 2 2 0 1, B 0 0 2 1, C 1 0 0 0, D 1 2 2 and 1 for the bye, E 2, F 0.
    assert of_six.rankings["official"].tolist() == [2, 3, 5, 1, 4, 6]
    assert of_six.rankings["ls_bp"][5] == 1  # of its own component
    assert sorted(of_six.rankings["ls_bp"][:5]) == [1, 2, 3, 4, 5]
    assert sorted(of_six.rankings["grs1_bp"]) == [1, 2, 3, 4, 5, 6]
    first, second = (renumbered(of_six.rankings[n], of_six.among)[:5] for n in ("start", "ls_bp"))
    names = list(of_six.rankings)
    at = names.index("start"), names.index("ls_bp")
    assert of_six.distances["kemeny"][at] == kemeny_distance(first, second)
    assert of_six.distances["weighted"][at] == pytest.approx(weighted_distance(first, second))
    content = json.loads(study_json(of_six))
    assert content["components"] == [["A", "B", "C", "D", "E"], ["F"]]
    text = report_text(of_six)
    assert "**The matches do not connect all teams**: 2 components, of 5, 1 teams" in text
    assert "| team | component | start |" in text


def test_curves_by_hand(of_six):
    curves = of_six.curves
    assert curves.rounds == (3, 4) and curves.covered == (4, 5)
    assert set(curves.values) == set(CURVES)
    value = {
        name: {curve: line[name] for curve, line in curves.values.items()}
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
        assert np.isnan([line[1] for line in curves.values[curve].values()]).all()


def test_robustness_is_the_distance_of_two_rounds():
    rounds = [[(0, 1, 4, 0), (2, 3, 4, 0)], [(0, 2, 3, 1), (1, 3, 3, 1)], [(0, 3, 4, 0)]]
    event = small([*rounds, [(3, 1, 4, 0), (2, 0, 4, 0)]])
    found = study(event, by_points)
    # A 6, B 2, C 2, D 0; then C 4, D 2, A 6 and B 2: A C B D, from A B C D.
    assert found.curves.values["robustness_kemeny"]["official"][0] == 1
    assert found.curves.values["robustness_weighted"]["official"][0] == 1 / 2


def test_few_rounds_have_no_curves():
    event = small([[(0, 1, 3, 1)], [(1, 0, 3, 1)]])
    found = study(event)
    assert found.curves is None and "fewer than 3 rounds" in report_text(found)
    assert found.graph.most_of_a_pair == 2
    assert json.loads(study_json(found))["epsilon"]["reasonable"] is None


def test_equal_ratings_stand_in_official_order():
    event = small([[(0, 1, 2, 2), (2, 3, 2, 2)], [(0, 2, 2, 2), (1, 3, 2, 2)]])
    order = {"D": 1, "B": 2, "A": 3, "C": 4}
    found = study(event, lambda event: order)
    assert all(
        found.rankings[name].tolist() == [3, 2, 4, 1] for name in found.rankings if "_" in name
    )
    found = study(event)
    assert found.rankings["ls_mp"].tolist() == [1, 2, 3, 4]
    # Without an official order: match points, then board points, then start order.
    event = small([[(0, 1, 1, 3), (2, 3, 0, 4)], [(0, 2, 2, 2), (1, 3, 2, 2)]])
    assert study(event).rankings["grs1_mp"].tolist() == [3, 2, 4, 1]


def test_a_study_needs_matches_and_an_order_of_all_teams():
    event = six()
    default = tuple(replace(match, boards_forfeited=2) for match in event.matches)
    with pytest.raises(InputError, match="small: no match was played"):
        study(replace(event, matches=default))
    with pytest.raises(InputError, match="small: no official place of B"):
        study(event, lambda event: {"A": 1})


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
    text = report_text(study(event, by_points))
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


@pytest.mark.thorough
def test_files_are_written_and_the_same_again(tmp_path, of_six):
    report = study_rankings(six(), tmp_path / "new", by_points, tmp_path / "numbers.json")
    assert report == tmp_path / "new" / "README.md"
    names = sorted(path.name for path in report.parent.iterdir())
    assert names == [
        "README.md", "curves.csv", "curves.png", "decomposition.csv", "distances.csv",
        "distances.png", "maps.png", "rankings.csv",
    ]  # fmt: skip
    for name, content in study_csv(of_six).items():
        assert (report.parent / name).read_text() == content
    assert report.read_text() == report_text(of_six)
    assert (tmp_path / "numbers.json").read_text() == study_json(of_six)
    assert (report.parent / "maps.png").read_bytes() == figure_png(maps_figure(of_six))
    assert all(f"]({name})" in report.read_text() for name in names if name.endswith("png"))


def test_the_report_of_2011(of_2011, printed):
    text = report_text(of_2011, printed)
    assert "| rankings | 456 | 0 | 0 |" in text and "| decomposition | 380 | 4 | 4 |" in text
    assert "France goes from 19 to 10, Georgia from 13 to 27." in text
    assert "| Georgia | 15 | 13 | 17 | 22 | 27 |\n" in text
    assert "| Georgia | 13 | -9 | -1 | -1 | -1 | -1 | 0 | 0 | -1 | 0 | -14 | 27 |" in text
    assert "curves.png" not in text and "the first 20 of 38 teams" in text


def test_the_csv_of_2011(of_2011, printed):
    tables = {name: list(csv.DictReader(io.StringIO(t))) for name, t in study_csv(of_2011).items()}
    assert set(tables) == {"rankings.csv", "distances.csv", "decomposition.csv"}
    for row in tables["rankings.csv"]:
        for name, by_team in printed.places.items():
            assert int(row[name]) == by_team[row["team"]]
    assert len(tables["distances.csv"]) == 14 * 13 / 2
    first = tables["distances.csv"][0]
    assert (first["ranking"], first["other"]) == ("official", "start")
    assert f"{float(first['weighted']):.2f}" == "10.79"
    (georgia,) = (row for row in tables["decomposition.csv"] if row["team"] == "Georgia")
    assert [int(georgia[f"step_{k}"]) for k in (1, 2, 6, 8)] == [-9, -1, 0, -1]
    assert (georgia["cumulated"], georgia["ls"]) == ("-14", "27")


def test_the_csv_of_an_event_with_rounds(of_six):
    tables = {name: list(csv.DictReader(io.StringIO(t))) for name, t in study_csv(of_six).items()}
    values = {
        (row["curve"], row["ranking"], row["round"]): row["value"] for row in tables["curves.csv"]
    }
    assert float(values["predictive_mp", "start", "3"]) == 1 / 2
    assert values["robustness_kemeny", "start", "4"] == ""  # nothing comes after the last round
    assert [row["component"] for row in tables["rankings.csv"]] == ["1"] * 5 + ["2"]


def test_formulas_in_names_are_no_cells():
    found = study(small([[(0, 1, 3, 1)]], ["=1+1", "B"]), by_points)
    assert "\n'=1+1,1," in study_csv(found)["rankings.csv"]


def test_maps_say_what_they_need(monkeypatch, of_six):
    monkeypatch.setitem(sys.modules, "sklearn.manifold", None)
    with pytest.raises(InputError, match=r"pip install 'tb2learn\[studies\]'"):
        maps_figure(of_six)


def test_the_summary_of_curves(of_six):
    """Nothing predicts round 4 but one drawn match, to everybody alike."""
    text = report_text(of_six)
    later = "Lowest share of match points of the lower ranked side in later rounds"
    assert f"- {later}: `start`, 50.0% on average over the rounds. Highest: `" in text
    least = min(np.mean(line) for line in of_six.curves.values["retrodictive_mp"].values())
    assert f"{least:.1%} on average" in text
    robust = text.split("Lowest weighted distance to the ranking a round later: ")[1].split(",")[0]
    assert robust != "`start`"  # which never changes


def test_curves_have_every_ranking(of_six):
    figure = curves_figure(of_six.curves)
    for panel, (curve, title) in zip(figure.axes, CURVES.items(), strict=True):
        assert panel.get_title(loc="left") == title
        values = of_six.curves.values[curve]
        assert list(values) == list(of_six.rankings)
        for line, expected in zip(panel.lines, values.values(), strict=True):
            np.testing.assert_array_equal(line.get_xdata(), of_six.curves.rounds)
            np.testing.assert_array_equal(line.get_ydata(), expected)


def test_distances_are_written_into_their_cells(of_six):
    figure = distances_figure(of_six)
    names = list(of_six.rankings)
    for panel, (kind, form) in zip(figure.axes, FORMS.items(), strict=True):
        np.testing.assert_array_equal(panel.images[0].get_array(), of_six.distances[kind])
        for text in panel.texts:
            column, row = text.get_position()
            assert text.get_text() == form.format(of_six.distances[kind][row, column])
        assert len(panel.texts) == len(names) * (len(names) - 1)
        assert [label.get_text() for label in panel.get_yticklabels()] == names


def test_maps_have_every_ranking_at_its_place(of_six):
    for panel, kind in zip(maps_figure(of_six).axes, DISTANCES, strict=True):
        points = [line.get_xydata()[0] for line in panel.lines]
        np.testing.assert_allclose(points, mds_map(of_six.distances[kind]), atol=1e-9)
        named = [name for text in panel.texts for name in text.get_text().split(" = ")]
        assert sorted(named) == sorted(of_six.rankings)


def test_matches_by_default_are_left_out_of_everything():
    event = six()
    default = Match(4, 9, 5, 0, 4, 0, 2, 2)
    with_default = replace(event, matches=(*event.matches, default))
    np.testing.assert_array_equal(match_graph(with_default).matches, match_graph(event).matches)
    first, second = (study(e, lambda e: by_points(six())) for e in (event, with_default))
    assert study_json(first) == study_json(second)
    assert "1 matches in which no game was played" in report_text(second)
