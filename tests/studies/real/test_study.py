"""Rules judged by recorded events: verdicts by hand, intervals, the report and its files."""

import csv
import io
import json
import math
from functools import cache

import numpy as np
import pytest
from helpers import ROOT

from tb2learn import cli
from tb2learn.catalogue import find_rule
from tb2learn.events import read_event
from tb2learn.studies.real import report
from tb2learn.studies.real.study import UNITS, _events_needed, judge
from tb2learn.studies.real.verdicts import (
    EQUAL,
    RIGHT,
    WRONG,
    populations,
    prediction_verdicts,
    rating_verdicts,
)
from tb2learn.types import InputError

NAMES = ["product", "game-points"]
FIND = cache(find_rule)
MATCHES = """round,match,team_a,team_b,game_points_a,game_points_b,boards_forfeited
1,1,A,D,4,0,0
1,2,B,E,2.5,1.5,0
1,3,C,F,3,1,0
2,1,A,B,1.5,2.5,0
2,2,C,D,2,2,0
2,3,E,F,4,0,4
3,1,A,C,1,3,0
3,2,B,D,4,0,0
3,3,E,F,0.5,3.5,0
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("small")
    (made / "matches.csv").write_text(MATCHES)
    ratings = {"A": 2600, "B": 2500, "C": 2400, "D": 2300, "E": 2200, "F": ""}
    rows = "".join(f"{team},{rating}\n" for team, rating in ratings.items())
    (made / "teams.csv").write_text("team,rating_1\n" + rows)
    return made


@pytest.fixture(scope="module")
def event(folder):
    return read_event(folder)


def test_tied_pairs_are_held_against_the_ratings(event):
    """Final match points: B 6, C 5, A E F 2, D 1; F has no rating, so A and E alone are left."""
    found = rating_verdicts(event, NAMES, FIND)
    assert [tuple(pair) for pair in found.pairs] == [(0, 4)]
    assert found.populations.tolist() == [[True, True, True]]
    # Game points: A 6.5, E 6; the higher rated A is first.
    assert found.verdicts[0, 1] == RIGHT
    assert found.verdicts[0].tolist() == by_product(event)


def by_product(event):
    """The product rule's verdict on A and E by its published scores, then that of game points."""
    from tb2learn.events import rank

    tb2 = {r.team: r.scores["tb2"] for r in rank(event, find_rule("product", 3, 4))}
    return [int(np.sign(tb2["A"] - tb2["E"])) + 1, RIGHT]


def test_later_matches_of_equal_teams_are_predicted(event):
    """After round 1 A, B, C have 2 MP: A-B (B won) and A-C (C won) follow, E-F by default does not.

    D, E, F have 0: E-F is played in round 3, F won. After round 2 C and A have 3 and 2: no pair.
    """
    found = prediction_verdicts(event, NAMES, FIND)
    assert sorted(tuple(pair) for pair in found.pairs) == [(0, 1), (0, 2), (4, 5)]
    by_pair = dict(zip(map(tuple, found.pairs), found.verdicts, strict=True))
    # One opponent, and the weakest is left out: the product rule says nothing.
    assert [verdict[0] for verdict in by_pair.values()] == [EQUAL] * 3
    # Game points after round 1: A 4, C 3, B 2.5, E 1.5, F 1.
    assert [by_pair[pair][1] for pair in ((0, 1), (0, 2), (4, 5))] == [WRONG] * 3
    assert by_pair[0, 1][2] == by_pair[0, 2][2] == WRONG  # the higher rated A lost twice
    assert by_pair[4, 5][2] == EQUAL  # F has no rating
    inside = dict(zip(map(tuple, found.pairs), found.populations.tolist(), strict=True))
    assert inside[0, 1] == [True, True, True, False, False, False]
    assert inside[0, 2] == [False, True, True, False, False, False]


@pytest.fixture(scope="module")
def study():
    """The women's event by two rules that need little time."""
    return judge([read_event("batumi2018w")], ["product", "game-points", "wins"], FIND, seed=1)


def test_rows_add_up(study):
    """Shares by hand from the verdicts, differences, and disagreements from both sides."""
    found = rating_verdicts(read_event("batumi2018w"), study.rules, FIND)
    for number, population in enumerate(populations("ratings")):
        said = found.verdicts[found.populations[:, number]] / RIGHT
        for k, row in enumerate(study.at("ratings", population)):
            assert row.pairs == len(said) and row.right == pytest.approx(said[:, k].mean())
            assert row.more == pytest.approx(said[:, k].mean() - said[:, 0].mean())
            opposite = np.abs(said[:, k] - said[:, 0]) == 1
            assert row.disagree == opposite.sum()
            assert row.disagree_right == (opposite & (said[:, k] == 1)).sum()
            assert row.right_ci[0] <= row.right <= row.right_ci[1]
            assert row.over in ("teams", UNITS["ratings"])
    later, nearer = (study.at("prediction", f"{name}, from round 1") for name in ("later", "next"))
    assert later[0].pairs > nearer[0].pairs and later[-1].rule == "higher-rated"
    assert study.looked_at == 2 * 9 and study.predicted == study.rated == ("batumi2018w",)


def test_intervals_of_units_that_are_independent(monkeypatch):
    """A pair a unit, of teams that meet nobody else: the binomial interval, over either unit."""
    from tb2learn.studies.real import study
    from tb2learn.studies.real.verdicts import Verdicts

    number = 400
    said = np.zeros((number, 2), int)
    said[: number // 4, 1] = RIGHT
    pairs = np.arange(2 * number).reshape(number, 2)
    one = Verdicts(2 * number, pairs, np.arange(number), np.ones((number, 3), bool), said)
    row = study._rows("ratings", [one], ["a", "b"], 0)[1]
    spread = 1.96 * math.sqrt(0.25 * 0.75 / number)
    # Two teams a pair are drawn: the weight's variance is 3 where that of a drawn unit is 1.
    assert row.over == "teams"
    assert row.more == 0.25 and row.more_ci[1] - row.more_ci[0] == pytest.approx(
        2 * spread * math.sqrt(3), rel=0.12
    )


def test_events_that_it_takes():
    """An interval that just reaches zero: as many events for a chance of one half."""
    ends = np.array([0.0, 0.2])
    assert _events_needed(0.1, ends, 3) == (3.0, 7.0)  # (1.96 + 0.84)^2 / 1.96^2 = 2.04
    assert _events_needed(0.05, ends, 3)[0] == 12.0
    assert all(math.isnan(n) for n in _events_needed(0.0, ends, 3))


def test_the_command_writes_a_report(tmp_path, folder, capsys):
    out = tmp_path / "out"
    arguments = ["study", "real", str(folder), "--rules", "game-points", "--out", str(out)]
    assert cli.main(arguments) == 0
    assert capsys.readouterr().out == f"{out / 'README.md'}\n"
    text = (out / "README.md").read_text()
    assert text.splitlines()[2].endswith("](real.png)") and "they are the seeds" in text
    content = json.loads((out / "real.json").read_text())
    assert content["rules"] == ["product", "game-points"] and content["looked_at"] == 9
    rows = list(csv.DictReader(io.StringIO((out / "results.csv").read_text())))
    assert len(rows) == len(content["rows"]) == 3 * 2 + 6 * 3
    assert report.study_json(report.study_of(content)) == (out / "real.json").read_text()


def test_what_is_refused(folder, tmp_path, capsys):
    with pytest.raises(InputError, match="the same event is given twice"):
        judge([read_event(folder)] * 2, NAMES, FIND, 1)
    header = "round,match,team_a,team_b,game_points_a,game_points_b\n"
    (tmp_path / "matches.csv").write_text(header + "1,1,A,B,2,2\n")
    out = str(tmp_path / "out")
    assert cli.main(["study", "real", str(tmp_path), "--rules", "wins", "--out", out]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert "no event has ratings, or rounds" in errors[-1]


def test_the_committed_report_is_that_of_its_json(tmp_path, monkeypatch):
    monkeypatch.setattr("tb2learn.studies.report_folder.figure_png", lambda figure: b"")
    committed = ROOT / "reports" / "real"
    (tmp_path / "real.json").write_bytes((committed / "real.json").read_bytes())
    report.render(tmp_path)
    for name in ("README.md", "results.csv", "disagreements.csv"):
        assert (tmp_path / name).read_text() == (committed / name).read_text()
