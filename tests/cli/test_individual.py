"""An arbiter's commands on an individual event: words, points, what is refused."""

import json

import pytest
from cli_samples import fails, said
from player_samples import HELD, text


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    path = tmp_path_factory.mktemp("held") / "held.trf"
    path.write_text(text(*HELD))
    return str(path)


def test_players_are_ranked_by_points_the_formula_and_fides_list(held, capsys):
    found = said(capsys, "rank", held, "--format", "json")
    rows = json.loads(found.out)["rows"]
    assert list(rows[0]) == ["place", "player", "points", "formula", "direct", "buchholz-cut1",
                             "buchholz", "sonneborn-berger", "wins", "black-wins"]  # fmt: skip
    assert [row["points"] for row in rows[:5]] == [4, 3.5, 3.5, 3.5, 3.5]
    assert rows[0]["player"] == "Bruno" and "MP" not in found.err
    fide = json.loads(said(capsys, "rank", held, "--tiebreaks", "fide", "--format", "json").out)
    assert list(fide["rows"][0])[2:4] == ["points", "direct"]


def test_the_working_and_the_comparison_speak_of_players(held, capsys):
    found = said(capsys, "explain", held, "david", "--tiebreaks", "BH/C1,deep-buchholz").out
    assert found.startswith("David: 3.5 points\n") and "round  opponent" in found
    assert "points  result" in found and "MP" not in found and "TB2" not in found
    found = said(capsys, "compare", held, "--tiebreak", "deep-buchholz").out
    assert "buchholz-cut1 and deep-buchholz" in found and "points" in found
    assert "MP" not in found


@pytest.mark.parametrize("form", ["html", "xlsx"])
def test_pages_of_an_individual_event(held, capsys, tmp_path, form):
    out = str(tmp_path / f"wall.{form}")
    assert said(capsys, "rank", held, "--tiebreaks", "fide", "--out", out).out == f"{out}\n"
    if form == "html":
        page = (tmp_path / "wall.html").read_text("utf-8")
        assert "Players" in page and "direct encounter" in page and "match points" not in page
    sheet = str(tmp_path / "sheet.xlsx")
    said(capsys, "explain", held, "David", "--out", sheet)


def test_the_pencil_form_and_what_is_refused(held, capsys, tmp_path):
    arguments = ("formula", "--boards", "1", "--rounds", "5", "--format", "pencil")
    found = said(capsys, "export", *arguments, "--out", str(tmp_path)).out
    assert found.endswith("formula-5-rounds-1-boards.pencil.pdf\n")
    assert "confidence is that of a rule: rank teams" in fails(capsys, "rank", held, "--confidence")
    refused = fails(capsys, "rank", held, "--tiebreak", "learned-180x11")
    assert "is for matches on 4 boards, the event has 1" in refused
