"""An arbiter's commands: other files, other orders, other policies, other forms."""

import json
from pathlib import Path

import openpyxl
import pypdfium2
import pytest
from cli_samples import fails

from tb2learn.cli import main
from tb2learn.export.words import LANGUAGES
from tb2learn.training import checkpoint

HEADER = "round,match,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited\n"
ROWS = "1,1,A,B,3,1,4,0\n1,2,C,D,4,0,4,4\n2,1,A,C,2,2,4,0\n2,2,B,D,1,3,4,0\n3,1,A,D,,,,\n"


@pytest.fixture
def event(tmp_path):
    """Three rounds of five, the third not finished, one match won by default."""
    folder = tmp_path / "event"
    folder.mkdir()
    (folder / "matches.csv").write_text(HEADER + ROWS)
    (folder / "event.csv").write_text("key,value\nname,Cup\nrounds,5\n")
    return str(folder)


def ranked(capsys, *arguments):
    assert main(["rank", *arguments, "--format", "json"]) == 0
    captured = capsys.readouterr()
    return json.loads(captured.out), captured.err


def test_standings_by_a_list_of_criteria(capsys):
    rows, _ = ranked(capsys, "baku2016", "--tiebreaks", "mp,tb2:olympiad-180x11,gp,opponents-cut1")
    assert list(rows[0]) == ["place", "team", "mp", "tb2:olympiad-180x11", "gp", "opponents-cut1"]
    default, _ = ranked(capsys, "baku2016", "--tiebreak", "olympiad-180x11")
    assert [list(row.values()) for row in rows] == [list(row.values()) for row in default]
    assert main(["rank", "baku2016", "--tiebreaks", "gp,wins+aro"]) == 0
    header = capsys.readouterr().out.splitlines()[0]
    assert header.split() == ["place", "team", "GP", "wins+aro"]


def test_unfinished_events_say_so(event, capsys):
    rows, notes = ranked(capsys, event)
    assert [row["mp"] for row in rows] == [3, 3, 2, 0]
    assert "round 3 is not finished" in notes and "Cup: after 2 of 5 rounds" in notes
    rows, notes = ranked(capsys, event, "--after", "1")
    assert [row["mp"] for row in rows] == [2, 2, 0, 0] and "after 1 of 5 rounds" in notes
    assert "rounds must be 1..2 in Cup, got 3" in fails(capsys, "rank", event, "--after", "3")


def test_policies_for_unplayed_rounds(event, capsys):
    """C won by default against D, who has 2 MP in the end: a virtual opponent, or D itself."""
    by = ["--tiebreaks", "mp,opponents"]
    rows, _ = ranked(capsys, event, *by)
    assert {row["team"]: row["opponents"] for row in rows}["C"] == (0 + 1 + 1) + 3
    rows, _ = ranked(capsys, event, *by, "--unplayed", "face-value")
    assert {row["team"]: row["opponents"] for row in rows}["C"] == 2 + 3
    rows, _ = ranked(capsys, event, *by, "--unplayed", "virtual-opponent")
    assert {row["team"]: row["opponents"] for row in rows}["C"] == (0 + 0 + 1) + 3
    assert "'x' is not one of 'baku2016'" in fails(capsys, "rank", event, "--unplayed", "x")
    explained = ["explain", event, "C", "--unplayed", "face-value", "--tiebreaks", "gp,opponents"]
    assert main(explained) == 0
    captured = capsys.readouterr()
    assert "D (won by default)" in captured.out and "averages" not in captured.err
    assert main([*explained[:4], "aaso", *explained[5:]]) == 0
    assert "under aaso totals are averages" in capsys.readouterr().err


def test_rules_that_no_policy_changes_say_so(capsys):
    _, notes = ranked(capsys, "baku2016", "--tiebreaks", "mp,wins+aro,buchholz")
    assert "note: wins counts the team's own results as recorded" in notes
    assert "note: aro counts only matches really played, whatever the policy" in notes
    assert "buchholz" not in notes
    assert main(["compare", "baku2016", "--tiebreak", "least-squares"]) == 0
    assert "least-squares counts only matches really played" in capsys.readouterr().err
    _, notes = ranked(capsys, "baku2016", "--tiebreak", "emgsb-cut1")
    assert not notes


@pytest.mark.parametrize(
    "given, message",
    [
        ("mp,mp", "each once"),
        ("", "different names separated by commas"),
        ("mp,nothing", "no such .json file"),
        ("opponents-cut0", "a cut must leave out 1..15 opponents"),
        ("mp,learned-38x9-pass9", "no such .json file"),
    ],
)
def test_criteria_that_are_none(event, capsys, given, message):
    assert message in fails(capsys, "rank", "etcc2011", "--tiebreaks", given)


def test_nothing_to_explain(capsys):
    message = fails(capsys, "explain", "baku2016", "Norway", "--tiebreaks", "mp,gp")
    assert "is a sum over opponents" in message


def test_a_table_of_other_boards_or_rounds(event, capsys):
    _, notes = ranked(capsys, event, "--tiebreak", "olympiad-180x11")
    assert "trained at 11 rounds and is rescaled here to 2" in notes
    three = Path(event, "matches.csv")
    three.write_text(HEADER + "1,1,A,B,2,1,3,0\n")
    message = fails(capsys, "rank", event, "--tiebreaks", "mp,tb2:olympiad-180x11")
    assert "for matches on 4 boards, the event has 3" in message


def test_convert_there_and_back(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["convert", "baku2016", "baku.trf"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "baku.trf\n"
    assert "not held by baku.trf: match numbers" in captured.err
    assert main(["convert", "baku.trf", "again"]) == 0
    assert set(capsys.readouterr().out.split()) == {
        f"again/{name}.csv" for name in ("event", "teams", "players", "boards", "matches")
    }
    first, _ = ranked(capsys, "baku2016")
    assert ranked(capsys, "again")[0] == first
    assert "exists" in fails(capsys, "convert", "baku2016", "baku.trf")
    assert main(["convert", "baku2016", "baku.trf", "--overwrite", "--to", "trf16"]) == 0
    assert "\r\n013 " in Path("baku.trf").read_bytes().decode() and capsys.readouterr().out
    assert "players.csv and boards.csv" in fails(capsys, "convert", "etcc2011", "e.trf")


@pytest.mark.parametrize("language", LANGUAGES)
def test_export_in_every_form_and_language(tmp_path, capsys, language):
    arguments = ["--format", "csv,json,xlsx,pdf,html", "--lang", language, "--out", str(tmp_path)]
    assert main(["export", "olympiad-180x11", *arguments]) == 0
    paths = [Path(line) for line in capsys.readouterr().out.splitlines()]
    ending = "" if language == "en" else f".{language}"
    assert [p.name for p in paths] == [
        f"olympiad-180x11{ending}.{form}" for form in ("csv", "json", "xlsx", "pdf", "html")
    ]
    assert f'<html lang="{language}"' in paths[4].read_text(encoding="utf-8")


def test_all_five_forms_hold_the_same_numbers(tmp_path, capsys):
    """One corner of the table, read back from every file; whole files are in the tests of each."""
    arguments = ["--format", "csv,json,xlsx,pdf,html", "--out", str(tmp_path)]
    assert main(["export", "olympiad-180x11", *arguments, "--pages"]) == 0
    files = {p.suffix: p for p in map(Path, capsys.readouterr().out.splitlines())}
    points = checkpoint.load("olympiad-180x11").rule().tables[0, 18].T  # [GP, opponent MP]
    rows = [list(map(str, row)) for row in points]

    lines = files[".csv"].read_text().splitlines()
    start = lines.index("own MP,18") + 2
    assert [line.split(",")[1:] for line in lines[start : start + 9]] == rows
    content = json.loads(files[".json"].read_text())
    assert content["points"][18] == points.tolist()
    page = files[".html"].read_text()
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert [list(row) for row in zip(*data["points"][0][18], strict=True)] == points.tolist()
    sheet = openpyxl.load_workbook(files[".xlsx"])["MP 18"]
    cells = [[c for c in row if isinstance(c, int)] for row in sheet.iter_rows(values_only=True)]
    assert points[8].tolist() in [row[-23:] for row in cells]
    with pypdfium2.PdfDocument(files[".pdf"]) as document:
        text = document[19].get_textpage().get_text_range()  # after the front page, own MP 0 first
    assert all(" ".join(row) in " ".join(text.split()) for row in rows)


def test_exports_that_cannot_be(tmp_path, capsys):
    out = ["--out", str(tmp_path)]
    message = fails(capsys, "export", "formula-180x11", "--format", "csv,xlsx", *out)
    assert "has no table for a workbook: export it as csv, json or pdf" in message
    assert list(tmp_path.iterdir()) == []
    assert "'it' is not one of 'en', 'hu'" in fails(capsys, "export", "x", *out, "--lang", "it")


def test_study_of_rankings(tmp_path, capsys, event):
    """The packaged cross-table stands beside its published tables; any other event alone."""
    out, target = tmp_path / "out", tmp_path / "r.json"
    arguments = ["study", "rankings", "etcc2011", "--out", str(out), "--json", str(target)]
    assert main(arguments) == 0
    assert capsys.readouterr().out == f"{out / 'README.md'}\n"
    content = json.loads(target.read_text())
    assert content["rankings"]["official"]["Germany"] == 1
    assert content["rankings"]["ls_mp"]["Germany"] == 2 and content["kemeny"]
    assert "Beside the published tables" in (out / "README.md").read_text()
    assert main(["study", "rankings", event, "--out", str(out)]) == 0
    assert "after 2 of 5 rounds" in capsys.readouterr().err
    assert "published" not in (out / "README.md").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("study", ["tiebreaks", "unplayed"])
def test_studies_by_simulation(tmp_path, capsys, study):
    assert main(["study", study, "--events", "2", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'README.md'}\n"
    assert "seed 1" in (tmp_path / "README.md").read_text()
