"""`export` and `convert`: forms, languages, what cannot be."""

import json
from pathlib import Path

import openpyxl
import pypdfium2
import pytest
from cli_samples import fails, ranked, said

from tb2learn.training import checkpoint


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
    assert "not held by baku.trf: names beyond its columns" in captured.err
    assert set(said(capsys, "convert", "baku.trf", "again").out.split()) == {
        f"again/{name}.csv" for name in ("event", "teams", "players", "boards", "matches")
    }
    first, _ = ranked(capsys, "baku2016")
    assert ranked(capsys, "again")[0] == first
    assert "exists" in fails(capsys, "convert", "baku2016", "baku.trf")
    assert said(capsys, "convert", "baku2016", "baku.trf", "--overwrite", "--to", "trf16").out
    assert "\r\n013 " in Path("baku.trf").read_bytes().decode()
    assert "players.csv and boards.csv" in fails(capsys, "convert", "etcc2011", "e.trf")


def test_all_five_forms_hold_the_same_numbers(tmp_path, capsys):
    """One corner of the table, read back from every file; whole files are in the tests of each."""
    forms = ["csv", "json", "xlsx", "pdf", "html"]
    arguments = ["--format", ",".join(forms), "--out", str(tmp_path), "--lang", "hu", "--pages"]
    paths = list(map(Path, said(capsys, "export", "olympiad-180x11", *arguments).out.splitlines()))
    assert [path.name for path in paths] == [f"olympiad-180x11.hu.{form}" for form in forms]
    files = {path.suffix: path for path in paths}
    points = checkpoint.load("olympiad-180x11").rule().tables[0, 18].T  # [GP, opponent MP]
    rows = [list(map(str, row)) for row in points]

    lines = files[".csv"].read_text().splitlines()
    start = lines.index("own MP,18") + 2
    assert [line.split(",")[1:] for line in lines[start : start + 9]] == rows
    content = json.loads(files[".json"].read_text())
    assert content["points"][18] == points.tolist()
    page = files[".html"].read_text()
    assert '<html lang="hu"' in page
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert [list(row) for row in zip(*data["points"][0][18], strict=True)] == points.tolist()
    sheet = openpyxl.load_workbook(files[".xlsx"])["MP 18"]
    cells = [[c for c in row if isinstance(c, int)] for row in sheet.iter_rows(values_only=True)]
    assert points[8].tolist() in [row[-23:] for row in cells]
    with pypdfium2.PdfDocument(files[".pdf"]) as document:
        texts = (page.get_textpage().get_text_range() for page in document)
        text = next(text for text in texts if "Saját MP: 18" in text)
    assert all(" ".join(row) in " ".join(text.split()) for row in rows)
