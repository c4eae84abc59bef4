"""`calibrate`, and `rank --confidence` with what it wrote."""

import csv
import io
import json

import pytest
from cli_samples import CONFIG, said

from tb2learn.cli import main


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calibrated")
    for name in ("tiny", "other"):
        (folder / f"{name}.toml").write_text(CONFIG.replace("tiny", name))
    worlds = ["--worlds", str(folder / "tiny.toml"), "--elsewhere", str(folder / "other.toml")]
    out = ["--out", str(folder / "out")]
    assert main(["calibrate", "product", "buchholz", *worlds, "--events", "60", *out]) == 0
    return folder


@pytest.mark.thorough
def test_the_files_of_calibrate(calibrated):
    content = json.loads((calibrated / "out" / "confidence" / "product-2boards.json").read_text())
    assert (content["worlds"], content["events_per_world"], content["seed"]) == (["tiny"], 60, 1)
    ((rounds, only),) = content["rounds"].items()
    assert rounds == "4" and len(only["scale"]) == 9 and min(only["scale"]) > 0
    assert {(row["world"], row["fitted"]) for row in only["judged"]} == {
        ("tiny", True),
        ("other", False),
    }
    names = {path.name for path in (calibrated / "out" / "confidence").iterdir()}
    assert names == {"product-2boards.json", "buchholz-2boards.json"}


def test_rank_says_how_sure_it_is(capsys):
    learned = ["rank", "baku2016", "--tiebreak", "uniform-180x11"]
    captured = said(capsys, *learned, "--confidence", "--format", "json")
    rows = json.loads(captured.out)["rows"]
    assert rows[0]["confidence"] == pytest.approx(0.53, abs=0.01) and rows[1]["confidence"] is None
    assert "United States of America before Ukraine: 53%" in captured.err
    shared = said(capsys, *learned, "--share-below", "55", "--format", "csv").out
    shared = list(csv.DictReader(io.StringIO(shared)))
    assert [row["place"] for row in shared[:3]] == ["1", "1", "3"]
    assert "confidence" not in said(capsys, *learned, "--format", "csv").out
