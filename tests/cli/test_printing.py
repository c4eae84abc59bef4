"""`--format` and `--out` of rank and explain: every form to a file, and refusals."""

import openpyxl
import pytest
from cli_samples import said

from tb2learn.cli import main

RULE = ["--tiebreak", "emmsb"]
STARTS = {
    "json": b"{", "csv": b"place,team", "txt": b"Cup, after round 2", "pdf": b"%PDF-",
    "html": b"<!doctype html>", "xlsx": b"PK\x03\x04",
}  # fmt: skip


@pytest.mark.parametrize("ending", STARTS)
def test_rank_writes_every_form_by_the_ending_of_the_file(event, ending, tmp_path, capsys):
    path = tmp_path / "new folder" / f"wall.{ending}"
    assert said(capsys, "rank", event, *RULE, "--out", str(path)).out == f"{path}\n"
    assert path.read_bytes().startswith(STARTS[ending])
    assert [p.name for p in path.parent.iterdir()] == [path.name]  # nothing is left over


def test_forms_to_print_are_in_the_language_asked_for(event, tmp_path, capsys):
    path = tmp_path / "aushang.html"
    assert main(["rank", event, *RULE, "--out", str(path), "--lang", "de"]) == 0
    page = path.read_text()
    assert '<html lang="de">' in page and "Was entscheidet" in page and "Standings" not in page
    path = tmp_path / "blatt.xlsx"
    assert main(["explain", event, "A", *RULE, "--out", str(path), "--lang", "de"]) == 0
    assert openpyxl.load_workbook(path)["working"]["A1"].value == "A: Berechnung der Feinwertung"


def test_the_rule_beside_is_the_product_rule_or_the_one_named(event, tmp_path, capsys):
    path = tmp_path / "wall.xlsx"

    def heads(*options, event="etcc2013"):
        assert main(["rank", event, *options, "--out", str(path)]) == 0
        rows = openpyxl.load_workbook(path).worksheets[0].iter_rows(values_only=True)
        (found,) = [row for row in rows if row[0] == "Place"][:1]
        return found

    assert "Place by FIDE's rule" in heads(*RULE)
    # A rule that moves nobody has no column.
    for found in heads(), heads(*RULE, event=event):
        assert "Team" in found and not any("FIDE" in str(one) for one in found)
    assert "Place by buchholz" in heads("--beside", "buchholz")
    assert "Place by FIDE's rule" not in heads("--tiebreaks", "mp,gp")  # only beside one rule
    capsys.readouterr()
