"""Crosstable by rounds, pairings, results, line-ups and board prizes, by hand and in every form."""

import json
from dataclasses import replace

import pypdfium2
import pytest
from cli_samples import fails, said
from export_samples import opened
from page_reader import Page

from tb2learn.events import Reading
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import MemoryFile
from tb2learn.export.event_sheets import event_sheet
from tb2learn.export.forms import LANGUAGES, SHEETS
from tb2learn.export.standings import rank_event
from tb2learn.export.wall import standings_to_print

TEAMS, OPEN = "examples/team-swiss.trf", "examples/open.trf"
PGN = """[Event "Cup"]
[Round "{round}"]
[White "{white}"]
[Black "{black}"]
[WhiteTeam "{white_team}"]
[BlackTeam "{black_team}"]
[WhiteElo "{white_rating}"]
[BlackElo "{black_rating}"]
[Result "{result}"]

{result}

"""
RATINGS = {"Ann": 2400, "Bob": 2300, "Cid": 2200, "Dan": 2100, "Eve": 2000, "Fay": 0}
TEAM = {"Ann": "X", "Bob": "X", "Cid": "Y", "Dan": "Y", "Eve": "Z", "Fay": "Z"}
GAMES = (
    ("1.1", "Ann", "Cid", "1-0"), ("1.2", "Dan", "Bob", "1/2-1/2"),
    ("2.1", "Cid", "Eve", "1/2-1/2"), ("2.2", "Fay", "Dan", "0-1"),
    ("3.1", "Eve", "Ann", "0-1"), ("3.2", "Bob", "Fay", "1-0"),
)  # fmt: skip


def cup():
    text = ""
    for number, white, black, result in GAMES:
        text += PGN.format(
            round=number, white=white, black=black, white_team=TEAM[white], black_team=TEAM[black],
            white_rating=RATINGS[white] or "", black_rating=RATINGS[black] or "", result=result,
        )  # fmt: skip
    return read_event(MemoryFile("cup.pgn", text.encode()), Reading())


def sheet(event, name, team=None, language="en"):
    (standings, *_), _ = standings_to_print(rank_event(event), language=language)
    return event_sheet(standings, name, team)


def test_a_crosstable_by_rounds_names_opponent_colour_and_points():
    table = sheet(cup(), "crosstable").table
    cells = {row[1]: row[2:5] for row in table.rows}
    # X 4 MP, Y 3, Z 0; in the round off nobody is met.
    assert [row[:2] for row in table.rows] == [[1, "X"], [2, "Y"], [3, "Z"]]
    assert cells["X"] == ["2w1½", "", "3b2"]
    assert cells["Y"] == ["1b½", "3w1½", ""]
    assert cells["Z"] == ["", "2b½", "1w0"]


def test_results_stand_in_the_order_of_points_and_pairings_need_a_draw(capsys):
    table = sheet(cup(), "results").table
    assert table.rows == [[1, "Z", 0, "0 : 2", 2, "X"]]
    shown = said(capsys, "rank", TEAMS, "--sheet", "pairings", "--format", "json").out
    rows = json.loads(shown)["rows"]
    most = [max(row["points_a"], row["points_b"]) for row in rows]
    assert most == sorted(most, reverse=True) and not any(row["result"] for row in rows)
    assert "has no pairings of round 4: the sheet results" in fails(
        capsys, "rank", TEAMS, "--after", "3", "--sheet", "pairings"
    )
    text = said(capsys, "rank", OPEN, "--sheet", "results").out
    assert text.startswith("Round 6\n") and text.rstrip().endswith("bye")


def test_line_ups_have_boards_colours_results_and_performance():
    event = cup()
    one = sheet(event, "line-ups", "x").table
    (ann, bob) = one.rows
    assert ann[:7] == ["X", 1, "Ann", 2400, "1w1", "", "1b1"] and ann[7:9] == [2, 2]
    # Two wins against 2200 and 2000: 2100 and 800 more.
    assert ann[9] == 2900
    # A draw with 2100; the opponent of round 3 has no rating.
    assert bob[4:] == ["2b½", "", "2w1", 1.5, 2, 2100]
    every = sheet(event, "line-ups")
    assert [part.title for part in every.parts] == ["X", "Y", "Z"]


def test_board_prizes_are_by_performance_among_those_with_enough_games():
    """Three rounds: 8 of 11 are at least three games, which nobody has; of two rounds two."""
    assert sheet(cup(), "board-prizes").table.rows == []
    by_board = sheet(cup().after(2), "board-prizes")
    assert [part.title for part in by_board.parts] == ["Board 1", "Board 2"]
    rows = {row[2]: row for row in by_board.table.rows}
    assert set(rows) == {"Cid", "Dan"}
    # 25 % against 2400 and 2000: d(.25) is -193.
    assert rows["Cid"][4:] == [2200, 0.5, 2, 25, 2007]
    assert "at least 2 games" in by_board.lines[0]


@pytest.mark.parametrize("name", SHEETS)
def test_every_form_of_a_sheet_is_made_of_one_table(name, tmp_path, capsys):
    given = ["rank", TEAMS, "--sheet", name]
    rows = json.loads(said(capsys, *given, "--format", "json").out)["rows"]
    names = {str(value) for row in rows for key, value in row.items() if key in (
        "team", "team_a", "team_b", "player")}  # fmt: skip
    assert len(names) > 10
    for form in ("html", "pdf", "xlsx"):
        said(capsys, *given, "--lang", "de", "--out", str(tmp_path / f"sheet.{form}"))
    page = Page((tmp_path / "sheet.html").read_text("utf-8"))
    page = " ".join(text for _, text in page.all("td"))
    with pypdfium2.PdfDocument((tmp_path / "sheet.pdf").read_bytes()) as document:
        pdf = " ".join(part.get_textpage().get_text_range() for part in document)
    book = opened((tmp_path / "sheet.xlsx").read_bytes())
    cells = {str(c.value) for sheet in book.worksheets for row in sheet.iter_rows() for c in row}
    for each in names:
        assert each in pdf and any(each in cell for cell in cells)
        # Teams of line-ups are headings there.
        assert each in page or name == "line-ups"


def test_sheets_speak_every_language_and_refuse_what_is_not_there(capsys):
    event = cup()
    titles = {
        name: {sheet(event, name, language=language).title for language in LANGUAGES}
        for name in SHEETS
        if name != "pairings"
    }
    assert all(len(found) == len(LANGUAGES) for found in titles.values())
    assert "is an event of players: the sheet line-ups is for teams" in fails(
        capsys, "rank", OPEN, "--sheet", "line-ups"
    )
    assert "has no players on boards" in fails(capsys, "rank", "batumi2018", "--sheet", "line-ups")
    assert "a single team is for the sheet line-ups" in fails(
        capsys, "rank", TEAMS, "--sheet", "results", "--team", "Aalborg"
    )
    recorded = replace(event, matches=tuple(replace(m, round=0) for m in event.matches))
    (standings, *_), _ = standings_to_print(rank_event(recorded))
    with pytest.raises(ValueError, match="is recorded without rounds"):
        event_sheet(standings, "crosstable")


def test_the_crosstable_as_csv_is_read_again(tmp_path, capsys):
    path = tmp_path / "crosstable.csv"
    for event in (OPEN, TEAMS):
        said(capsys, "rank", event, "--after", "2", "--sheet", "crosstable", "--out", str(path))
        first = said(capsys, "rank", event, "--after", "2", "--format", "json").out
        again = said(capsys, "rank", str(path), "--format", "json").out
        points = [
            {row.get("player", row.get("team")): row.get("points", row.get("mp")) for row in rows}
            for rows in (json.loads(first)["rows"], json.loads(again)["rows"])
        ]
        assert points[0] == points[1]
