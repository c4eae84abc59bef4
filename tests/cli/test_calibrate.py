"""`calibrate`, and `rank --confidence` with what it wrote."""

import csv
import io
import json
from pathlib import Path

import pytest
from cli_samples import CONFIG, fails, said

from tb2learn.cli import main


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calibrated")
    for name in ("tiny", "other"):
        (folder / f"{name}.toml").write_text(CONFIG.replace("tiny", name))
    worlds = ["--worlds", str(folder / "tiny.toml"), "--others", str(folder / "other.toml")]
    out = ["--out", str(folder / "out")]
    assert main(["calibrate", "product", "buchholz", *worlds, "--events", "60", *out]) == 0
    return folder


@pytest.mark.thorough
def test_the_files_of_calibrate(calibrated):
    content = json.loads((calibrated / "out" / "confidence" / "product-4x2.json").read_text())
    assert (content["worlds"], content["events_per_world"], content["seed"]) == (["tiny"], 60, 1)
    assert len(content["scale"]) == 9 and min(content["scale"]) > 0
    assert {(row["world"], row["fitted"]) for row in content["judged"]} == {
        ("tiny", True),
        ("other", False),
    }
    names = {path.name for path in (calibrated / "out" / "confidence").iterdir()}
    assert names == {"product-4x2.json", "buchholz-4x2.json"}


@pytest.mark.thorough
def test_it_depends_on_the_seed_alone(calibrated, tmp_path, capsys):
    world = ["--worlds", str(calibrated / "tiny.toml"), "--others", str(calibrated / "other.toml")]
    command = ["calibrate", "product", *world, "--events", "60", "--out", str(tmp_path)]
    assert main(command) == 0
    assert (
        Path(capsys.readouterr().out.strip()).read_bytes()
        == (calibrated / "out" / "confidence" / "product-4x2.json").read_bytes()
    )


def test_bad_worlds_are_one_line(tmp_path, capsys):
    (tmp_path / "tiny.toml").write_text(CONFIG)
    (tmp_path / "longer.toml").write_text(CONFIG.replace("rounds = 4", "rounds = 5"))
    tiny = str(tmp_path / "tiny.toml")
    line = fails(capsys, "calibrate", "product", "--worlds", f"{tiny},{tmp_path / 'longer.toml'}",
                 "--out", str(tmp_path))  # fmt: skip
    assert "worlds must have the same rounds and boards" in line


def test_rank_says_how_sure_it_is(capsys):
    learned = ["rank", "baku2016", "--tiebreak", "learned-180x11"]
    captured = said(capsys, *learned, "--confidence", "--format", "json")
    rows = json.loads(captured.out)["rows"]
    assert rows[0]["confidence"] == pytest.approx(0.52, abs=0.01) and rows[1]["confidence"] is None
    assert "United States of America before Ukraine: 52%" in captured.err
    shared = said(capsys, *learned, "--share-below", "55", "--format", "csv").out
    shared = list(csv.DictReader(io.StringIO(shared)))
    assert [row["place"] for row in shared[:3]] == ["1", "1", "3"]
    assert "confidence" not in said(capsys, *learned, "--format", "csv").out
