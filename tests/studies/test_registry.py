"""What holds for every study: what lists say of it, its report, a small run of all of it."""

import shutil

import pytest
from helpers import ROOT

from tb2learn.cli import main
from tb2learn.studies import __main__ as lists
from tb2learn.studies import report_folder
from tb2learn.studies.registry import STUDIES
from tb2learn.studies.reports import make, render

MOVED = {name: one for name, one in STUDIES.items() if not one.run}
STORED = {name: one for name, one in MOVED.items() if name != "thesis"}
"""Of the thesis the files hold only the cells of one table."""

QUICK = {name: one for name, one in MOVED.items() if one.quick is not None}
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


@pytest.mark.parametrize("study", STORED.values(), ids=lambda one: one.name)
def test_the_committed_report_follows_from_its_files(study, tmp_path, monkeypatch, capsys):
    """Of a study that takes seconds, from its command."""
    monkeypatch.setattr(report_folder, "figure_png", lambda figure: PICTURE)
    for path, given in study.reports.items():
        folder, text, files, figures = names(study, ROOT / path)
        out = tmp_path / path.split("/")[-1] if study.in_one_file else tmp_path
        given = study.defaults() | given
        if study.minutes:
            for file in files.values():
                shutil.copy(folder / file, tmp_path)
            assert render(study, out, **given) == tmp_path / text
        else:
            assert main([*study.command.split(), "--out", str(out)]) == 0
            assert capsys.readouterr().out == f"{tmp_path / text}\n"
        committed = {name: (folder / name).read_bytes() for name in (text, *files.values())}
        written = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        assert written == committed | dict.fromkeys(figures, PICTURE)


@pytest.mark.parametrize("study", MOVED.values(), ids=lambda one: one.name)
def test_a_report_opens_with_its_picture_and_names_all_files(study):
    for path in study.reports:
        folder, main_file, files, figures = names(study, ROOT / path)
        text = (folder / main_file).read_text()
        title, empty, picture, *_ = text.splitlines()
        assert title.startswith("# ") and not empty and picture.startswith("![")
        for name in (*figures, *files.values()):
            assert f"({name})" in text and (folder / name).is_file()


@pytest.mark.slow
@pytest.mark.parametrize("study", QUICK.values(), ids=lambda one: one.name)
def test_the_whole_study(study, tmp_path):
    path = make(study, tmp_path / "study", **study.quick)
    made = {"README.md", *study.figures, *(one.file for one in study.files)}
    assert {file.name for file in path.parent.iterdir()} == made
    for name in study.figures:
        assert (path.parent / name).stat().st_size > 10_000
