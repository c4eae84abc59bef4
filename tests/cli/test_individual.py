"""An arbiter's commands on an individual event: words, points, what is refused."""

import json

import pytest
from cli_samples import said
from player_samples import HELD, text


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    path = tmp_path_factory.mktemp("held") / "held.trf"
    path.write_text(text(*HELD))
    return str(path)


def test_players_are_ranked_by_fides_list_and_on_request_by_the_formula(held, capsys):
    found = said(capsys, "rank", held, "--format", "json")
    rows = json.loads(found.out)["rows"]
    fide = ["direct", "buchholz-cut1", "buchholz", "sonneborn-berger", "wins", "black-wins"]
    assert list(rows[0]) == ["place", "player", "points", *fide]
    formula = said(capsys, "rank", held, "--tiebreak", "formula", "--format", "csv").out
    assert formula.startswith("place,player,points,formula,direct,")
    assert [row["points"] for row in rows[:5]] == [4, 3.5, 3.5, 3.5, 3.5]
    assert rows[0]["player"] == "Bruno" and "MP" not in found.err
    fide = json.loads(said(capsys, "rank", held, "--tiebreaks", "fide", "--format", "json").out)
    assert list(fide["rows"][0])[2:4] == ["points", "direct"]


def test_the_working_and_the_comparison_speak_of_players(held, capsys):
    found = said(capsys, "explain", held, "david", "--tiebreaks", "BH/C1,deep-buchholz").out
    assert found.split("\n\n")[1].startswith("David: 3.5 points\n") and "round  opponent" in found
    assert "points  result" in found and "MP" not in found and "TB2" not in found
    found = said(capsys, "compare", held, "--tiebreak", "deep-buchholz").out
    assert "FIDE's list and deep-buchholz" in found and "points" in found
    assert "MP" not in found
