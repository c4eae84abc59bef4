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
HEADER = "round,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited\n"


def write_cup(folder, rows):
    (folder / "matches.csv").write_text(HEADER + "".join(rows))
    (folder / "event.csv").write_text(
        f"key,value\nname,Cup of Towns\nrounds,{ROUNDS}\nstart,2026-05-02\n"
    )
    (folder / "teams.csv").write_text("team\n" + "".join(f"{team}\n" for team in TEAMS))


@pytest.mark.thorough
def test_a_cup_of_24_teams_from_the_first_pairing_to_the_last_sheet(tmp_path, capsys):
    """Seven rounds: a default in round 2, Town 24 leaves after round 3, a bye from then on."""
    folder, random, rows = tmp_path / "cup", Random(24), list[str]()
    folder.mkdir()
    points, met = dict.fromkeys(TEAMS, 0), set[frozenset[str]]()
    pairs = [(TEAMS[k], TEAMS[k + 12])[:: 1 - 2 * (k % 2)] for k in range(12)]
    byes = []
    for number in range(1, ROUNDS + 1):
        for at, (team_a, team_b) in enumerate(pairs):
            if not team_b:
                rows.append(f"{number},{team_a},,2,0,0,0\n")
                points[team_a] += 1
                byes.append(team_a)
                continue
            assert frozenset((team_a, team_b)) not in met
            met.add(frozenset((team_a, team_b)))
            is_default = number == 2 and at == 5
            half_points = 8 if is_default else random.randint(1, 7)
            rows.append(
                f"{number},{team_a},{team_b},{half_points / 2},{4 - half_points / 2},4,"
                f"{4 * is_default}\n"
            )
            points[team_a] += (half_points > 4) * 2 + (half_points == 4)
            points[team_b] += (half_points < 4) * 2 + (half_points == 4)
        write_cup(folder, rows)
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
            text = said(capsys, "pair", str(folder), "--format", "csv", *away).out
            pairs = [(row["team_a"], row["team_b"]) for row in csv.DictReader(io.StringIO(text))]
            # With a team less one has the bye.
            assert len(pairs) == 12 and ("" in dict(pairs).values()) == bool(away)
    assert len(byes) == len(set(byes)) == ROUNDS - GONE_AFTER
    assert "penalty, round 4: \N{MINUS SIGN}1 MP" in notes

    assert "nothing wrong" in said(capsys, "check", str(folder)).out
    first, second = next(
        (a["team"], b["team"]) for a, b in pairwise(standings) if a["mp"] == b["mp"]
    )
    explained = said(capsys, "explain", str(folder), first, second, "--format", "json").out
    assert json.loads(explained)["verdict"].startswith(f"{first} is before {second}")
    for sheet in ("wall", "crosstable", "results"):
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
