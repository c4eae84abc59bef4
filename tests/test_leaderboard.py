"""The studies as commands: what they write, and what they refuse."""

import json

import pytest

from tb2learn import cli
from tb2learn.leaderboard import LEARNED, RULES, exact_interval


def test_ratings_of_a_packaged_event(capsys):
    assert cli.main(["ratings", "baku2016", "--rules", "game-points", "product"]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split(" | ")[0].strip("| ") for line in lines[2:]]
    assert names == ["product rule"] * 2 + ["game-points"] * 2


def test_ratings_need_ratings(capsys, tmp_path):
    header = "round,match,team_a,team_b,game_points_a,game_points_b\n"
    (tmp_path / "matches.csv").write_text(header + "1,1,A,B,2,2\n")
    assert cli.main(["ratings", str(tmp_path), "--rules", "product"]) == 2
    out, errors = capsys.readouterr()
    assert out == "" and len(errors.splitlines()) == 1 and "has no ratings" in errors


def test_probes_of_a_rescaled_rule_say_so(capsys):
    command = ["probe", "learned-38x9", "--on", "small-20x7", "--probes", "30"]
    assert cli.main(command) == 0
    out, errors = capsys.readouterr()
    assert "is rescaled here to 7" in errors
    row = out.splitlines()[2].split(" | ")
    assert 0 < int(row[1]) <= 40 and row[3] == "0"


def test_no_violation_bounds_the_rate():
    low, high = exact_interval(0, 1000)
    assert low == 0.0 and high == pytest.approx(0.00368, abs=1e-5)
    assert exact_interval(0, 0) == (0.0, 1.0)


@pytest.mark.slow
def test_leaderboard_and_robustness_write_their_reports(tmp_path, monkeypatch):
    monkeypatch.setattr("tb2learn.leaderboard.PROBED", 40)
    monkeypatch.setattr("tb2learn.leaderboard.TRAINED_ON", ("olympiad-180x11",))
    monkeypatch.setattr("tb2learn.leaderboard.OTHER_FORMATS", ("etcc-38x9",))
    monkeypatch.setattr("tb2learn.leaderboard._DESCENT_STEPS", 1)
    folder = tmp_path / "assessment"
    assert cli.main(["leaderboard", "--events", "4", "--out", str(folder)]) == 0
    text = (folder / "README.md").read_text()
    for name in ("single-seed-noise-inf", "single-seed-noise-0", "thesis-own-lists"):
        assert f"({name}.png)" in text and (folder / f"{name}.png").stat().st_size > 10_000
    found = json.loads((folder / "single-seed-noise-50.json").read_text())
    assert {r["rule"] for r in found["results"]} >= {"product", *RULES, "true-opponents"}
    assert found["config"]["field"]["seed_noise"] == 50

    path = tmp_path / "robustness.md"
    command = ["robustness", "--trained", "8", "--events", "4", "--out", str(path)]
    assert cli.main(command) == 0
    worlds = json.loads(path.with_suffix(".json").read_text())
    assert [w["world"] for w in worlds] == [
        "olympiad-180x11", "etcc-38x9",
        "olympiad-180x11, seed noise 50", "olympiad-180x11, seed noise 0",
    ]  # fmt: skip
    # A printed cell is the one of the JSON, and the verdict is that of its intervals.
    (cell,) = (r for r in worlds[1]["results"] if r["rule"] == LEARNED and r["top"] == "all")
    assert f"{cell['error_rate']:.4f} [{cell['ci'][0]:.4f}" in path.read_text()
    shown = [
        r["reduction_ci"][0] > 0
        for world in worlds
        for r in world["results"]
        if r["rule"] == LEARNED and r["top"] in (10, 30)
    ]
    assert path.read_text().split("\n\n")[1].startswith("In every world") == all(shown)
