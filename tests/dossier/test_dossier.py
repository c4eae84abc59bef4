"""The dossier: its files, its languages, what it measures, and what a failure leaves."""

import csv
import dataclasses
import io
import math

import pandas as pd
import pypdfium2
import pytest
from event_samples import HOSTILE, make_event
from helpers import PASSES_TOML

import tb2learn as tb
from tb2learn.catalogue import find_rule
from tb2learn.cli import main
from tb2learn.config import load_config
from tb2learn.disk import files
from tb2learn.dossier import dossier, findings
from tb2learn.dossier.findings import Evidence, Subject
from tb2learn.report.style import blank_figure
from tb2learn.types import InputError

PARTS = {
    "dossier.pdf", "regulation.pdf", "regulation.txt", "example.pdf", "evidence.pdf",
    "conformance/expected.csv", "conformance/README.txt", "conformance/absences.trf",
}  # fmt: skip


def text_of(path):
    """The words of a PDF, page after page."""
    pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path)]
    return " ".join(" ".join(pages).split())


def subject(name, rounds=11, boards=4):
    world = load_config("olympiad-180x11")
    world = dataclasses.replace(
        world, event=dataclasses.replace(world.event, rounds=rounds, boards=boards)
    )
    return Subject(name, find_rule(name, rounds, boards), world, 2, 1)


@pytest.fixture
def measured(monkeypatch):
    """In place of measurements, which have a test of their own: a finding with hostile words."""
    frame = pd.DataFrame({"team": HOSTILE, "x": range(len(HOSTILE))})
    found = [
        Evidence("errors", "Errors", f"Found {HOSTILE[4]} <b>", "2 events", blank_figure(3, 2))
    ]
    found.append(Evidence("unknown", "What is not known", "Nothing.", "nothing", None, frame))
    monkeypatch.setattr(dossier, "findings", lambda subject, event: iter(found))


@pytest.mark.parametrize(
    ("name", "rounds", "boards", "language", "heading"),
    [
        ("learned-180x11", 11, 4, "de", "Nicht gespielte Runden"),
        ("formula", 6, 7, "hu", "Le nem játszott fordulók"),
        ("product", 9, 4, "fr", "Rondes non jouées"),
        ("buchholz-cut1", 5, 2, "es", "Rondas no jugadas"),
    ],
)
def test_a_dossier_has_all_parts(name, rounds, boards, language, heading, measured, tmp_path):
    paths = dossier.write_dossier(subject(name, rounds, boards), tmp_path / "new", language)
    names = {path.relative_to(tmp_path / "new").as_posix() for path in paths}
    assert names >= PARTS and paths[0].name == "dossier.pdf"
    assert {p for p in (tmp_path / "new").rglob("*") if p.is_file()} == set(paths)
    pencil = any(one.endswith("pencil.pdf") for one in names)
    assert pencil == (name in ("learned-180x11", "formula"))
    whole = text_of(tmp_path / "new" / "dossier.pdf")
    assert heading in whole and "What is not known" in whole and "<b>" in whole
    assert heading in (tmp_path / "new" / "regulation.txt").read_text("utf-8")
    assert "\u202e" not in whole
    rows = list(csv.reader(io.StringIO((tmp_path / "new/evidence/unknown.csv").read_text("utf-8"))))
    assert rows[1][0].startswith("'=")


def test_a_failure_leaves_what_was_there(measured, tmp_path, monkeypatch):
    old = tmp_path / "dossier.pdf"
    old.write_bytes(b"old")

    def fail(subject, event):
        raise InputError("no")

    monkeypatch.setattr(dossier, "findings", fail)
    with pytest.raises(InputError, match="no"):
        dossier.write_dossier(subject("buchholz-cut1", 5, 2), tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["dossier.pdf"] and old.read_bytes() == b"old"
    # A place that cannot be written is refused before anything is measured.
    (tmp_path / "regulation.txt").mkdir()
    with pytest.raises(InputError, match=r"regulation.txt: cannot be written"):
        dossier.write_dossier(subject("buchholz-cut1", 5, 2), tmp_path)
    assert old.read_bytes() == b"old"


def test_another_event_is_worked_out_with_its_names(measured, tmp_path):
    quoted = [f'"{name.replace(chr(34), 2 * chr(34))}"' for name in HOSTILE]
    rows = "".join(f"1,{a},{b},3,1\n" for a, b in zip(quoted[::2], quoted[1::2], strict=False))
    folder = tmp_path / "event"
    folder.mkdir()
    event = make_event(folder, rows)
    (tmp_path / "out" / "tables").mkdir(parents=True)
    for name in ("dossier.pdf", "tables/other-rule.csv", "notes.txt"):
        (tmp_path / "out" / name).write_text("old")
    dossier.write_dossier(subject("buchholz-cut1", 1, event.boards), tmp_path / "out", event=event)
    # An older dossier is replaced whole: no table of its rule stays beside the new regulation.
    left = [
        p.name for p in (tmp_path / "out").rglob("*") if p.is_file() and p.read_bytes() == b"old"
    ]
    assert left == ["notes.txt"]
    text = text_of(tmp_path / "out" / "example.pdf")
    assert HOSTILE[0] in text and "\x1b" not in text


@pytest.mark.slow
def test_what_is_measured_is_what_the_other_commands_measure(tmp_path, capsys, monkeypatch):
    """A table that was just trained, by its path: errors, fairness, probes, formats, places."""
    others = findings.other_formats
    monkeypatch.setattr(findings, "other_formats", lambda config: others(config)[:1])
    (tmp_path / "passes.toml").write_text(PASSES_TOML)
    assert main(["train", str(tmp_path / "passes.toml"), "--out", str(tmp_path / "passes")]) == 0
    rule, out = f"{tmp_path / 'passes'}.npz", tmp_path / "out"
    capsys.readouterr()
    assert main(["dossier", rule, "--out", str(out), "--events", "8", "--seed", "3"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0] == str(out / "dossier.pdf")
    assert "random seeds" in shown.err and "fit margins" in shown.err
    read = {path.stem: pd.read_csv(path) for path in (out / "evidence").glob("*.csv")}
    world = load_config(tmp_path / "passes.toml")
    again = tb.assess(rule, world, events=8, seed=3).frame
    again = again.astype({"top": str})
    assert math.isinf(world.field.seed_noise)
    pd.testing.assert_frame_equal(read["errors"], again, check_dtype=False, rtol=1e-12)
    assert set(read["errors-real"]["rule"]) == {"product", "passes", "higher-seed"}
    assert read["half-point"]["violations"].tolist()[0] == 0
    assert others(world) == [(10, 5), (40, 5), (20, 3), (20, 7)]
    assert read["formats"]["format"].tolist() == ["10 teams, 5 rounds"]
    assert {"changed-1", "changed-2", "changed-3", "coalitions", "how-sure", "unknown"} <= set(read)
    places = read["changed-1"].sort_values("team")
    standings = tb.rank("baku2016", tb.load_rule(rule, rounds=11)).sort_values("team")
    assert places["new"].tolist() == standings["place"].tolist()
    whole = text_of(out / "dossier.pdf")
    for title in (
        "How often it is wrong in a field like a real one",
        "What a coalition wins",
        *findings.LIMITS,
    ):
        assert title in whole
    assert files.inputs.is_file(out / "tables" / "passes-pass1.pencil.pdf")
