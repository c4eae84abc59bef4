"""An arbiter's commands: other files, other orders, other policies, other forms."""

import shutil
from pathlib import Path

import pytest
from cli_samples import fails, ranked, said
from export_samples import page_texts
from helpers import ROOT

from tb2learn.catalogue import means_other
from tb2learn.chess.berger import round_robin
from tb2learn.cli import main
from tb2learn.events import read_event
from tb2learn.export.standings import explain_event


def test_standings_by_a_list_of_criteria(capsys):
    rows, _ = ranked(capsys, "baku2016", "--tiebreaks", "mp,tb2:olympiad-180x11,gp,opponents-cut1")
    assert list(rows[0]) == ["place", "team", "mp", "tb2:olympiad-180x11", "gp", "opponents-cut1"]
    default, _ = ranked(capsys, "baku2016", "--tiebreak", "olympiad-180x11")
    assert [list(row.values()) for row in rows] == [list(row.values()) for row in default]
    header = said(capsys, "rank", "baku2016", "--tiebreaks", "gp,wins+aro").out.splitlines()[2]
    assert header.split() == ["place", "team", "GPTS", "WIN+ARO"]


def test_unfinished_events_say_so(event, capsys):
    rows, notes = ranked(capsys, event)
    assert [row["mp"] for row in rows] == [3, 3, 2, 0]
    assert "round 3 has no results yet" in notes and "Cup: after 2 of 5 rounds" in notes
    rows, notes = ranked(capsys, event, "--after", "1")
    assert [row["mp"] for row in rows] == [2, 2, 0, 0] and "after 1 of 5 rounds" in notes


def test_totals_of_the_file_count_where_they_are_trusted(capsys):
    """Alpha has 7 MP in its record 310, 8 by its results."""
    path = str(ROOT / "tests/events/formats/files/totals-differ.trf")
    tables = []
    for options in ([], ["--trust-points"]):
        shown = said(capsys, "rank", path, "--format", "csv", *options)
        tables.append(shown.out)
        assert ("count, though the results" if options else "of the results, which") in shown.err
    assert tables[0] != tables[1]


def test_compare_writes_a_page(event, tmp_path, capsys):
    out = tmp_path / "out"
    shown = said(capsys, "compare", event, "--tiebreak", "olympiad-180x11", "--out", out).out
    assert shown.strip().endswith("index.html") and "Tied for first place" in shown
    assert (out / "index.html").read_text().lower().startswith("<!doctype html>")
    assert (out / "comparison.csv").read_text().startswith("old_place,new_place")


def test_teams_are_of_a_pgn(event, capsys, tmp_path):
    """A table of teams is an option of every command that reads events; explain has TEAM, too."""
    table, games = tmp_path / "squads.csv", tmp_path / "x.pgn"
    table.write_text("player,team\na,A\nb,B\n")
    games.write_text(
        '[Round "1"]\n[Board "1"]\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n'
    )
    for command in (["rank"], ["explain", "--tiebreaks", "emmsb"], ["check"]):
        given = [command[0], str(games), *(["A"] if command[0] == "explain" else []), *command[1:]]
        notes = said(capsys, *given, "--teams", str(table)).err
        assert "teams are in order" in notes and "players" not in notes
    assert "names the teams of a PGN" in fails(capsys, "rank", event, "--teams", str(table))
    assert "no such file" in fails(capsys, "rank", str(games), "--teams", str(tmp_path / "none"))
    both = ("rank", str(games), "--teams", str(table), "--individual")
    assert "has no teams (--teams)" in fails(capsys, *both)


def test_open_matches_are_listed_and_not_counted(capsys, tmp_path):
    """A postponed match of round 1: those who have it have played one less."""
    path = tmp_path / "league.csv"
    path.write_text("round;home;away;score\n1;A;B;3-1\n1;C;D;\n2;A;C;2-2\n2;B;D;4-0\n")
    assert main(["rank", str(path), "--format", "csv"]) == 0
    done = capsys.readouterr()
    assert [line.split(",")[1:4] for line in done.out.split()] == [
        ["team", "played", "mp"], ["A", "2", "3"], ["B", "2", "2"], ["C", "1", "1"],
        ["D", "1", "0"],
    ]  # fmt: skip
    assert "1 match is open (round 1 C - D)" in done.err
    assert main(["rank", str(path), "--open", "--format", "csv"]) == 0
    assert capsys.readouterr().out == "round,team_a,team_b\n1,C,D\n"


def test_a_league_table_counts_matches_and_its_page_has_a_crosstable(tmp_path, capsys):
    rows, _ = ranked(capsys, "armstrong2011", "--league")
    first = rows[0]
    assert [int(first[name]) for name in ("played", "won", "drawn", "lost")] == [11, 9, 1, 1]
    assert all(2 * int(row["won"]) + int(row["drawn"]) == int(row["mp"]) for row in rows)
    path = tmp_path / "league.html"
    said(capsys, "rank", "armstrong2011", "--league", "--out", str(path))
    page = path.read_text()
    assert page.count("*</td>") == 12 and "MPTS, GPTS, DE, EMMSB" in page
    assert (
        "a crosstable on paper is for at most 30 teams, 42nd Chess Olympiad, Baku 2016 has 176"
        in fails(capsys, "rank", "baku2016", "--league", "--out", str(tmp_path / "wide.pdf"))
    )


@pytest.mark.parametrize("teams", [12, 20, 24, 30])
def test_a_league_stands_on_one_page_with_its_results(teams, tmp_path, capsys):
    """A column an opponent in the standings: two tables of 24 rows took two pages."""
    rows = [
        f"{number},Team of the town {a},Team of the town {b},4.5,3.5"
        for number, pairs in enumerate(round_robin(teams, 1).games.tolist(), start=1)
        for a, b in pairs
    ]
    header = "round,team_a,team_b,game_points_a,game_points_b"
    path, out = tmp_path / "league.csv", tmp_path / "league.pdf"
    path.write_text("\n".join([header, *rows]))
    said(capsys, "rank", str(path), "--league", "--out", str(out))
    (text,) = page_texts(out.read_bytes())
    assert text.count("*") == teams and "EMMSB" in text and f"Team of the town {teams - 1}" in text


def test_a_crosstable_of_a_double_round_of_24_teams_fits_a_page(tmp_path, capsys):
    games = round_robin(24, 2).games.tolist()
    rows = [
        f"{number},Team of the town {a},Team of the town {b},4.5,3.5"
        for number, pairs in enumerate(games[:40], start=1)
        for a, b in pairs
    ]
    header = "round,team_a,team_b,game_points_a,game_points_b"
    path = tmp_path / "league.csv"
    path.write_text("\n".join([header, *rows]))
    said(capsys, "rank", str(path), "--league", "--out", str(tmp_path / "league.pdf"))
    assert (tmp_path / "league.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    "name", ["open.trf", "team-swiss.trf", "olympiad.trf", "league.csv", "crosstable.html"]
)
def test_explain_works_for_every_entrant_of_the_examples(name):
    """Also for those who are tied with players whom they have not met."""
    event = read_event(ROOT / "examples" / name)
    for entrant in event.teams:
        text = explain_event(event, [entrant]).text(80)
        assert f"{entrant}: place " in " ".join(text.split())


def test_shipped_names_are_those_of_the_package(tmp_path, capsys, monkeypatch):
    """A table of the working folder is taken by its path, or by a name that no other has."""
    event = tmp_path / "e.trf"
    event.write_bytes((ROOT / "examples/team-swiss.trf").read_bytes())
    (tmp_path / "checkpoints").mkdir()
    names = "formula-180x11", "mine"
    for name in names:
        shutil.copy(ROOT / "checkpoints/formula-38x9.npz", tmp_path / f"checkpoints/{name}.npz")
    before, _ = ranked(capsys, str(event), "--tiebreak", "formula-180x11")
    monkeypatch.chdir(tmp_path)
    after, notes = ranked(capsys, str(event), "--tiebreak", "formula-180x11")
    assert after == before
    assert "formula-180x11 is the one that is shipped" in notes
    assert "checkpoints/formula-180x11.npz is taken only by its path" in notes
    _, notes = ranked(capsys, str(event), "--tiebreak", "checkpoints/formula-180x11.npz")
    assert "formula-38x9 was trained" in notes and "shipped" not in notes
    _, notes = ranked(capsys, str(event), "--tiebreak", "mine")
    assert "mine is checkpoints/mine.npz of the working folder" in notes
    # What `train` says of the file that it has written, by its name: of a file, of a rule.
    shutil.copy("checkpoints/mine.npz", "checkpoints/learned.npz")
    other = {name: means_other(Path(f"checkpoints/{name}.npz")) for name in (*names, "learned")}
    assert other == {"formula-180x11": True, "mine": False, "learned": True}
    monkeypatch.chdir(ROOT)
    assert not means_other(Path("checkpoints/formula-180x11.npz"))  # the one that is shipped


def test_names_of_earlier_versions_are_taken(tmp_path, capsys, monkeypatch):
    """With a note; but a file of such a name in the working folder is the user's own."""
    rows, notes = ranked(capsys, "baku2016", "--tiebreak", "learned-180x11-pass1")
    assert "learned-180x11 is called uniform-180x11 today" in notes
    of_today, notes = ranked(capsys, "baku2016", "--tiebreak", "uniform-180x11-pass1")
    assert rows == of_today and "is called" not in notes
    assert "is called" in ranked(capsys, "baku2016", "--tiebreaks", "mp,learned-180x11,gp")[1]
    assert "is called uniform" in said(capsys, "config", "learned-180x11").err
    assert "is called" not in said(capsys, "config", "learned").err
    (tmp_path / "checkpoints").mkdir()
    shutil.copy(
        ROOT / "checkpoints/formula-180x11.npz", tmp_path / "checkpoints/learned-180x11.npz"
    )
    monkeypatch.chdir(tmp_path)
    _, notes = ranked(capsys, "baku2016", "--tiebreak", "learned-180x11")
    assert "is called" not in notes and "learned-180x11 is checkpoints/learned-180x11.npz" in notes


def test_a_crosstable_of_ours_is_read_again(tmp_path, capsys):
    """A bye of half a point, `-½`, stands behind the guard of a formula."""
    path = tmp_path / "crosstable.csv"
    open_trf = str(ROOT / "examples/open.trf")
    said(capsys, "rank", open_trf, "--sheet", "crosstable", "--out", str(path))
    assert "'-½" in path.read_text(encoding="utf-8")
    points = [
        {row["player"]: row["points"] for row in ranked(capsys, event)[0]}
        for event in (open_trf, str(path))
    ]
    assert points[0] == points[1]


def test_a_verdict_needs_no_sum_over_opponents(event, capsys):
    text = said(capsys, "explain", event, "A", "C", "--tiebreaks", "mp,gp").out
    assert "decides" in text and "place" in text
