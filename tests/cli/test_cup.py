"""A cup of 24 teams from the first pairing to the last sheet, through the commands alone."""

import csv
import io
import json
from itertools import pairwise
from random import Random

import pytest
from cli_samples import ranked, said

from tb2learn.cli import main

TEAMS = [f"Town {number:02}" for number in range(1, 25)]
ROUNDS, GONE_AFTER = 7, 3
HEADER = "round,match,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited\n"
BOARDS = "round,match,board,white_team,black_team,result,status,white_player,black_player\n"
RESULTS = {2: "1-0", 1: "1/2-1/2", 0: "0-1"}


def write_cup(folder, rows, boards):
    (folder / "matches.csv").write_text(HEADER + "".join(rows))
    (folder / "event.csv").write_text(
        f"key,value\nname,Cup of Towns\nrounds,{ROUNDS}\nstart,2026-05-02\n"
    )
    (folder / "teams.csv").write_text("team\n" + "".join(f"{team}\n" for team in TEAMS))
    if boards:
        players = "".join(f"{team},{team} {k}\n" for team in TEAMS for k in range(1, 5))
        (folder / "players.csv").write_text("team,name\n" + players)
        (folder / "boards.csv").write_text(BOARDS + "".join(boards))


def boards_of(random, number, match, pair, half_points):
    """The boards of a match: so many half points of the first team, who has White on the first."""
    points = [2] * (half_points // 2) + [1] * (half_points % 2)
    points += [0] * (4 - len(points))
    random.shuffle(points)
    for board, half in enumerate(points, start=1):
        white, black = pair if board % 2 else pair[::-1]
        result = RESULTS[half if board % 2 else 2 - half]
        status = "forfeit" if half_points == 8 else "played"
        players = f"{white} {board},{black} {board}"
        yield f"{number},{match},{board},{white},{black},{result},{status},{players}\n"


def next_pairs(capsys, folder, *options):
    """The pairs of the next round as the program prints them."""
    text = said(capsys, "pair", str(folder), "--format", "csv", *options).out
    return [(row["team_a"], row["team_b"]) for row in csv.DictReader(io.StringIO(text))]


@pytest.mark.thorough
def test_a_cup_of_24_teams_from_the_first_pairing_to_the_last_sheet(tmp_path, capsys):
    """Seven rounds: a default in round 2, Town 24 leaves after round 3, a bye from then on."""
    folder, random, rows = tmp_path / "cup", Random(24), list[str]()
    boards = list[str]()
    folder.mkdir()
    points, met = dict.fromkeys(TEAMS, 0), set[frozenset[str]]()
    # Before the first match there are the teams alone, or headings without a row.
    write_cup(folder, rows, boards)
    pairs = next_pairs(capsys, folder)
    assert pairs == [(TEAMS[k], TEAMS[k + 12])[:: 1 - 2 * (k % 2)] for k in range(12)]
    (folder / "matches.csv").unlink()
    assert next_pairs(capsys, folder) == pairs
    byes = []
    for number in range(1, ROUNDS + 1):
        for at, (team_a, team_b) in enumerate(pairs, start=1):
            if not team_b:
                rows.append(f"{number},{at},{team_a},,2,0,0,0\n")
                points[team_a] += 1
                byes.append(team_a)
                continue
            assert frozenset((team_a, team_b)) not in met
            met.add(frozenset((team_a, team_b)))
            is_default = number == 2 and at == 6
            half_points = 8 if is_default else random.randint(1, 7)
            rows.append(
                f"{number},{at},{team_a},{team_b},{half_points / 2},{4 - half_points / 2},4,"
                f"{4 * is_default}\n"
            )
            boards += boards_of(random, number, at, (team_a, team_b), half_points)
            points[team_a] += (half_points > 4) * 2 + (half_points == 4)
            points[team_b] += (half_points < 4) * 2 + (half_points == 4)
        write_cup(folder, rows, boards)
        if number == 4:
            points["Town 05"] -= 1
        if number >= 4:
            (folder / "penalties.csv").write_text(
                "team,round,match_points,game_points\nTown 05,4,-1,0\n"
            )
        standings, notes = ranked(capsys, str(folder))
        assert {row["team"]: row["mp"] for row in standings} == points
        if number < ROUNDS:
            away = ["--absent", "Town 24"] if number >= GONE_AFTER else []
            pairs = next_pairs(capsys, folder, *away)
            # With a team less one has the bye.
            assert len(pairs) == 12 and ("" in dict(pairs).values()) == bool(away)
            drawn = [
                f"{number + 1},{k},{a},{b},,,,\n" for k, (a, b) in enumerate(pairs, start=1) if b
            ]
            write_cup(folder, [*rows, *drawn], boards)
            out = tmp_path / f"round-{number + 1}.html"
            said(capsys, "rank", str(folder), "--sheet", "pairings", "--out", str(out))
            assert all(team in out.read_text() for pair in pairs for team in pair if pair[1])
    assert len(byes) == len(set(byes)) == ROUNDS - GONE_AFTER
    assert "penalty, round 4: \N{MINUS SIGN}1 MP" in notes

    assert "nothing wrong" in said(capsys, "check", str(folder)).out
    first, second = next(
        (a["team"], b["team"]) for a, b in pairwise(standings) if a["mp"] == b["mp"]
    )
    explained = said(capsys, "explain", str(folder), first, second, "--format", "json").out
    assert json.loads(explained)["verdict"].startswith(f"{first} is before {second}")
    for sheet in ("wall", "crosstable", "results", "line-ups", "board-prizes"):
        for form in ("pdf", "html"):
            out = tmp_path / f"{sheet}.{form}"
            options = [] if sheet == "wall" else ["--sheet", sheet]
            said(capsys, "rank", str(folder), *options, "--out", str(out))
            assert out.stat().st_size > 1000
    said(capsys, "explain", str(folder), *TEAMS, "--out", str(tmp_path / "working.pdf"))
    assert "withdrawn" in (tmp_path / "wall.html").read_text()
    assert main(["convert", str(folder), str(tmp_path / "copy")]) == 0
    capsys.readouterr()
    again, _ = ranked(capsys, str(tmp_path / "copy"))
    assert [row["team"] for row in again] == [row["team"] for row in standings]
