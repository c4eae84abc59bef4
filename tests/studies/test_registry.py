"""What holds for every study: what lists say of it, its report, a small run of all of it."""

import shutil

import pytest
from helpers import ROOT

from tb2learn.cli import main
from tb2learn.studies import __main__ as lists
from tb2learn.studies import reports
from tb2learn.studies.registry import STUDIES
from tb2learn.studies.reports import make, render

STORED = {name: one for name, one in STUDIES.items() if name != "thesis"}
"""Of the thesis the files hold only the cells of one table."""

QUICK = {name: one for name, one in STUDIES.items() if one.quick is not None}
PICTURE = b"\x89PNG"


def test_lists_of_studies_are_current(monkeypatch):
    """`make studies` writes both."""
    monkeypatch.chdir(ROOT)
    assert lists.makefile() == lists.RULES.read_text()
    assert lists.docs() == lists.DOCS.read_text()


@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda one: one.name)
def test_a_study_is_described(study):
    assert study.question and "\n" not in study.question
    assert not study.help or study.help.splitlines()[0].endswith(".")
    assert all(one.help or one.argument for one in study.options)
    for given in study.reports.values():
        assert given.keys() <= study.defaults().keys()
    made = {name for one in STUDIES.values() for name in one.packaged.values()}
    assert made >= set(study.reads)


@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda one: one.name)
def test_the_package_has_what_the_committed_report_says(study):
    for file, name in study.packaged.items():
        committed = (ROOT / study.out / file).read_bytes()
        assert (ROOT / "tb2learn" / "data" / name).read_bytes() == committed


def names(study, path):
    """The report of a study, and its other files with their own names."""
    stem = path.stem if study.in_one_file else ""
    folder, text = (path.parent, path.name) if stem else (path, "README.md")
    files = {one.file: f"{stem}{one.file}" for one in study.files}
    return folder, text, files, [f"{stem}{name}" for name in study.figures]


@pytest.mark.thorough
@pytest.mark.parametrize("study", STORED.values(), ids=lambda one: one.name)
def test_the_committed_report_follows_from_its_files(study, tmp_path, monkeypatch, capsys):
    """Of a study that takes seconds, from its command."""
    monkeypatch.setattr(reports, "figure_png", lambda figure: PICTURE)
    for path, given in study.reports.items():
        folder, text, files, figures = names(study, ROOT / path)
        made = tmp_path if study.in_one_file else tmp_path / folder.name
        out = made / path.split("/")[-1] if study.in_one_file else made
        if study.minutes:
            made.mkdir(exist_ok=True)
            for file in files.values():
                shutil.copy(folder / file, made)
            assert render(study, out, **study.defaults() | given) == made / text
        else:
            words = [*study.command.split(), *lists.words(study, given), "--out", str(out)]
            assert main(words) == 0
            assert capsys.readouterr().out == f"{made / text}\n"
        committed = {
            name: PICTURE if name in figures else (folder / name).read_bytes()
            for name in (text, *files.values(), *figures)
            if (folder / name).exists()
        }
        assert {file.name: file.read_bytes() for file in made.iterdir()} == committed


@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda one: one.name)
def test_a_report_opens_with_its_picture_and_names_all_files(study):
    """A file can be missing where its report does not name it, but not from all reports."""
    missing = set.intersection(*(missing_files(study, ROOT / path) for path in study.reports))
    assert not missing


def missing_files(study, path):
    folder, main_file, files, figures = names(study, path)
    text = (folder / main_file).read_text()
    title, empty, picture, *_ = text.splitlines()
    assert title.startswith("# ") and not empty and picture.startswith("![")
    there = {name for name in (*figures, *files.values()) if (folder / name).is_file()}
    assert there == {name for name in (*figures, *files.values()) if f"({name})" in text}
    return {*figures, *files.values()} - there


@pytest.mark.slow
@pytest.mark.parametrize("study", QUICK.values(), ids=lambda one: one.name)
def test_the_whole_study(study, tmp_path):
    path = make(study, tmp_path / "study", **study.quick)
    made = {"README.md", *study.figures, *(one.file for one in study.files)}
    assert {file.name for file in path.parent.iterdir()} == made
    for name in study.figures:
        assert (path.parent / name).stat().st_size > 10_000
    if study.minutes and study.name in STORED:
        measured = {file.name: file.read_bytes() for file in path.parent.iterdir()}
        render(study, path.parent, **study.defaults() | study.quick)
        assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == measured
