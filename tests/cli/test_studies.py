"""`reproduce` and `study`."""

import json

import pytest
from cli_samples import said


@pytest.mark.slow
def test_reproduce_small(tmp_path, capsys):
    target = tmp_path / "thesis.md"
    arguments = ["reproduce", "thesis", "--events", "40", "--assessed", "8", "--out", str(target)]
    shown = said(capsys, *arguments).out
    written = target.read_text()
    assert set(shown.splitlines()) <= set(written.splitlines())
    assert "](thesis.png)" in written and "](thesis.png)" not in shown
    assert "| USA | 452.6 | 452.6104 |" in shown and "| Ukraine | 455.5 | 455.4704 |" in shown
    assert "| 0.1765 |" in shown and shown.count("| NO |") + shown.count("| yes |") == 8


@pytest.mark.thorough
def test_study_of_rankings(tmp_path, capsys, event):
    """The packaged cross-table stands beside its published tables; any other event alone."""
    out, target = tmp_path / "out", tmp_path / "r.json"
    arguments = ["study", "rankings", "etcc2011", "--out", str(out), "--json", str(target)]
    assert said(capsys, *arguments).out == f"{out / 'README.md'}\n"
    content = json.loads(target.read_text())
    assert content["rankings"]["official"]["Germany"] == 1
    assert content["rankings"]["ls_mp"]["Germany"] == 2 and content["kemeny"]
    assert "Comparison with the published tables" in (out / "README.md").read_text()
    assert "after 2 of 5 rounds" in said(capsys, "study", "rankings", event, "--out", str(out)).err
    assert "published" not in (out / "README.md").read_text()
