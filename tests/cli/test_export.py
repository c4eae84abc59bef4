"""`export` and `convert`: forms, languages, what cannot be."""

import json
from pathlib import Path

import pytest
from cli_samples import fails, ranked, said


def test_export(tmp_path, capsys):
    name = "olympiad-180x11"
    paths = [Path(p) for p in said(capsys, "export", name, "--out", tmp_path).out.split()]
    assert [p.name for p in paths] == [f"{name}.csv", f"{name}.json"]
    content = json.loads(paths[1].read_text())
    assert content["provenance"]["events"] == 20000 and content["note"] == ""
    options = ["--out", tmp_path, "--format", "json", "--rounds", "3"]
    captured = said(capsys, "export", name, *options)
    path = Path(captured.out.strip())
    assert path.name == f"{name}-3-rounds.json" and "trained at 11 rounds" in captured.err
    assert "trained at 11 rounds" in json.loads(path.read_text())["note"]


@pytest.mark.slow
def test_convert_there_and_back(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    captured = said(capsys, "convert", "baku2016", "baku.trf")
    assert captured.out == "baku.trf\n"
    assert "left out of baku.trf: names beyond its columns" in captured.err
    assert set(said(capsys, "convert", "baku.trf", "again").out.split()) == {
        f"again/{name}.csv" for name in ("event", "teams", "players", "boards", "matches")
    }
    first, _ = ranked(capsys, "baku2016")
    assert ranked(capsys, "again")[0] == first
    assert "exists" in fails(capsys, "convert", "baku2016", "baku.trf")
    assert said(capsys, "convert", "baku2016", "baku.trf", "--overwrite", "--to", "trf16").out
    assert "\r\n013 " in Path("baku.trf").read_bytes().decode()
    assert "players.csv and boards.csv" in fails(capsys, "convert", "etcc2011", "e.trf")
