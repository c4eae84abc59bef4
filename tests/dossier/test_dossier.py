"""The dossier: its files, its languages, what it measures, and what a failure leaves."""

import dataclasses
import datetime
from types import SimpleNamespace

import pandas as pd
import pypdfium2
import pytest
from event_samples import HOSTILE, make_event
from helpers import PASSES_TOML, slow_after

import tb2learn as tb
from tb2learn.catalogue import find_rule
from tb2learn.cli import main
from tb2learn.config import load_config
from tb2learn.disk import files
from tb2learn.dossier import dossier
from tb2learn.dossier import evidence as evidence_module
from tb2learn.dossier.evidence import Evidence, Subject
from tb2learn.export.words import words
from tb2learn.types import InputError
from tb2learn.version import __version__

PARTS = {
    "dossier.pdf", "regulation.pdf", "regulation.txt", "example.pdf", "evidence.pdf",
    "conformance/expected.csv", "conformance/README.txt", "conformance/absences.trf",
}  # fmt: skip


def text_of(path):
    """The words of a PDF, page after page."""
    pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path)]
    return " ".join(" ".join(pages).split())


def pages_before_the_annex(path, text):
    """How many pages have no numbers of the annex, which comes last."""
    pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path)]
    heading = f"{text['dossier.annex']}: "
    return next(number for number, page in enumerate(pages) if heading in page)


def subject(name, rounds=11, boards=4):
    world = load_config("olympiad-180x11")
    world = dataclasses.replace(
        world, event=dataclasses.replace(world.event, rounds=rounds, boards=boards)
    )
    return Subject(name, find_rule(name, rounds, boards), world, 2, 1)


@pytest.fixture
def measured(monkeypatch):
    """In place of measurements, which have a test of their own: two events of each kind."""
    small = load_config("small-20x7")
    kept = {}

    def found(subject, event):
        if "small" not in kept:
            played = Subject("formula", find_rule("formula", 7, 4), small, 2, 1)
            kept["small"] = evidence_module.measure_rule(played, None)
        made = kept["small"]

        def renamed(frame):
            return frame.replace({"rule": {"formula": subject.name}}).drop_duplicates(
                [name for name in ("rule", "top") if name in frame]
            )

        errors, real = (
            dataclasses.replace(one, frame=renamed(one.frame)) for one in (made.errors, made.real)
        )
        return Evidence(errors, real, None, renamed(made.others), renamed(made.probes), ())

    monkeypatch.setattr(dossier, "measure_rule", found)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "rounds", "boards", "language", "heading"),
    slow_after(
        1,
        [
            ("formula", 6, 7, "hu", "Le nem játszott fordulók"),
            ("uniform-180x11", 11, 4, "de", "Nicht gespielte Runden"),
            ("product", 9, 4, "fr", "Rondes non jouées"),
            ("buchholz-cut1", 5, 2, "es", "Rondas no jugadas"),
        ],
    ),
)
def test_a_dossier_has_all_parts(name, rounds, boards, language, heading, measured, tmp_path):
    paths = dossier.write_dossier(subject(name, rounds, boards), tmp_path / "new", language)
    names = {path.relative_to(tmp_path / "new").as_posix() for path in paths}
    assert names >= PARTS and paths[0].name == "dossier.pdf"
    assert {p for p in (tmp_path / "new").rglob("*") if p.is_file()} == set(paths)
    pencil = any(one.endswith("pencil.pdf") for one in names)
    assert pencil == (name in ("uniform-180x11", "formula"))
    whole, text = text_of(tmp_path / "new" / "dossier.pdf"), words(language)
    for key in ("recommend", "changes", "not", "unknown", "limits", "same"):
        assert text[f"dossier.{key}"] in whole
    assert pages_before_the_annex(tmp_path / "new" / "dossier.pdf", text) <= 12
    assert f"tb2learn {__version__}" in whole and datetime.date.today().isoformat() in whole
    evidence = pypdfium2.PdfDocument(tmp_path / "new" / "evidence.pdf")
    image = pypdfium2.raw.FPDF_PAGEOBJ_IMAGE
    pictures = [one for page in evidence for one in page.get_objects() if one.type == image]
    assert len(pictures) == (2 if name == "uniform-180x11" else 1)  # the log of its training
    assert heading in whole and heading in (tmp_path / "new/regulation.txt").read_text("utf-8")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["learned", "uniform-180x11", "formula-180x11"])
def test_the_log_of_the_training_has_a_page(name):
    (page,) = dossier.difficulty_page(subject(name))
    assert page.title == "How hard is a result?" and page.picture[1:4] == b"PNG"
    assert "of 1000 teams on 14 match points" in page.parts[0].lines[0]


def test_a_failure_leaves_what_was_there(measured, tmp_path, monkeypatch):
    old = tmp_path / "dossier.pdf"
    old.write_bytes(b"old")

    def fail(subject, event):
        raise InputError("no")

    monkeypatch.setattr(dossier, "measure_rule", fail)
    with pytest.raises(InputError, match="no"):
        dossier.write_dossier(subject("buchholz-cut1", 5, 2), tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["dossier.pdf"] and old.read_bytes() == b"old"
    # A place that cannot be written is refused before anything is measured.
    (tmp_path / "regulation.txt").mkdir()
    with pytest.raises(InputError, match=r"regulation.txt: cannot be written"):
        dossier.write_dossier(subject("buchholz-cut1", 5, 2), tmp_path)
    assert old.read_bytes() == b"old"


@pytest.mark.thorough
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


@pytest.mark.usefixtures("untyped")
def test_a_dossier_of_the_shipped_table_is_about_that_table(monkeypatch):
    """Asked for as `learned` or by its file's name, readers know it as `learned`."""
    asked, shown = subject("learned"), []
    monkeypatch.setattr(
        evidence_module,
        "tally_verdicts",
        lambda _, judged, *__, **___: shown.append(judged) or SimpleNamespace(rules=("product",)),
    )
    for name in ("rates", "dependence", "probe_rules", "ideal_beside", "excess"):
        monkeypatch.setattr(evidence_module, name, lambda *_, **__: pd.DataFrame())
    monkeypatch.setattr(evidence_module, "OLYMPIADS", ())
    evidence_module.measure_rule(asked, None)
    assert asked.rule.name == asked.name == "learned" != asked.rule.own_name
    by_file = subject("rosters-180x11")
    assert by_file.rule.name == asked.rule.own_name and by_file.name == "learned"
    assert [rule.name for rule in shown[0]][:2] == ["product", "learned"]


@pytest.mark.slow
def test_what_is_measured_is_what_the_other_commands_measure(tmp_path, capsys):
    """A table that was just trained, by its path: errors, places, and that it is rescaled there."""
    (tmp_path / "passes.toml").write_text(PASSES_TOML)
    assert main(["train", str(tmp_path / "passes.toml"), "--out", str(tmp_path / "passes")]) == 0
    rule, out = f"{tmp_path / 'passes'}.npz", tmp_path / "out"
    capsys.readouterr()
    assert main(["dossier", rule, "--out", str(out), "--events", "8", "--seed", "3"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0] == str(out / "dossier.pdf") and "random seeds" in shown.err
    read = {path.stem: pd.read_csv(path) for path in (out / "evidence").glob("*.csv")}
    again = tb.assess(rule, load_config(tmp_path / "passes.toml"), events=8, seed=3).frame
    errors = read["errors"][read["errors"]["rule"].isin(["product", "passes"])]
    pd.testing.assert_frame_equal(
        errors.reset_index(drop=True), again.astype({"top": str}), check_dtype=False, rtol=1e-12
    )
    assert set(read["errors-real"]["rule"]) >= {"product", "passes", "formula", "higher-seed"}
    assert {*read} == {"errors", "errors-real", "others", *(f"changed-{n}" for n in (1, 2, 3))}
    places = read["changed-1"].sort_values("team")
    standings = tb.rank("baku2016", tb.load_rule(rule, rounds=11)).sort_values("team")
    assert places["new_place"].tolist() == standings["place"].tolist()
    assert set(read["others"]["rule"]) == {"product", "passes"}
    whole = text_of(out / "dossier.pdf")
    assert "passes was trained at 5 rounds and is rescaled here to 11" in whole
    assert "How often rules err: seeds drawn at random" in whole and "FIDE's rule" in whole
    assert files.inputs.is_file(out / "tables" / "passes-pass1.pencil.pdf")
    assert "Baku 2016" in whole
