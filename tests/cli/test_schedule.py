"""`schedule`: the same games in every form."""

import csv
import io
import json

import openpyxl
import pypdfium2
import pytest
from cli_samples import fails, said

from tb2learn.export.rounds import MOST_GAMES


def shown(capsys, *arguments):
    return said(capsys, "schedule", *arguments)


def test_on_the_screen(capsys):
    result = shown(capsys, "5")
    assert result.out.splitlines()[0] == "round 1: 2-5, 3-4, 1 rests"
    assert len(result.out.splitlines()) == 5
    assert "Nobody has the colour of the game before again." in result.err
    assert "equally often" in result.err
    assert shown(capsys, "14").out.startswith("round  1: 1-14, 2-13, ")
    assert max(map(len, shown(capsys, "60").out.splitlines())) <= 80


def test_as_data(capsys):
    rows = list(csv.DictReader(io.StringIO(shown(capsys, "8", "--format", "csv").out)))
    assert len(rows) == 28
    assert rows[4] == {"round": "2", "board": "1", "white": "8", "black": "5"}
    content = json.loads(shown(capsys, "5", "--double", "--format", "json").out)
    assert content["players"] == 5 and content["rests"][:3] == [1, 4, 2]
    rows = [tuple(row.values()) for row in content["rows"]]
    assert rows[:2] == [(1, 1, 2, 5), (1, 2, 3, 4)]
    assert rows[10:12] == [(6, 1, 5, 2), (6, 2, 4, 3)] and len(rows) == 20


@pytest.mark.parametrize(
    ("players", "form", "games"), [("201", "pdf", 40_200), ("1000", "xlsx", 999_000)]
)
def test_more_games_than_a_form_takes_in_time(tmp_path, capsys, players, form, games):
    path = tmp_path / f"wall.{form}"
    message = fails(capsys, "schedule", players, "--double", "--out", str(path))
    assert f"as {form} must have at most {MOST_GAMES[form]} games, got {games}: take csv" in message
    assert not path.exists()
    assert f"{MOST_GAMES[form]:,}" in shown(capsys, "--help").out


@pytest.mark.parametrize("form", ["html", "pdf", "xlsx"])
def test_as_a_page(tmp_path, capsys, form):
    path = tmp_path / f"wall.{form}"
    assert shown(capsys, "20", "--double", "--out", str(path)).out == f"{path}\n"
    if form == "html":
        text = path.read_text()
    elif form == "pdf":
        with pypdfium2.PdfDocument(path) as document:
            text = "".join(page.get_textpage().get_text_range() for page in document)
    else:
        cells = openpyxl.load_workbook(path).active.iter_rows(values_only=True)
        text = " ".join(str(cell) for row in cells for cell in row)
    assert "Double round robin of 20" in text and "1 \N{EN DASH} 20" in text
