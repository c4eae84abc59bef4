"""What holds for every study: what lists say of it, its report, a small run of all of it."""

import shutil

import pytest
from helpers import ROOT

from tb2learn.cli import main
from tb2learn.studies import __main__ as lists
from tb2learn.studies import report_folder
from tb2learn.studies.registry import STUDIES
from tb2learn.studies.reports import make, render

MOVED = {name: one for name, one in STUDIES.items() if not one.run and one.help}
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


@pytest.mark.parametrize("study", MOVED.values(), ids=lambda one: one.name)
def test_the_committed_report_follows_from_its_files(study, tmp_path, monkeypatch, capsys):
    """Of a study that takes seconds, from its command."""
    monkeypatch.setattr(report_folder, "figure_png", lambda figure: PICTURE)
    for path, given in study.reports.items():
        given = study.defaults() | given
        if study.minutes:
            for one in study.files:
                shutil.copy(ROOT / path / one.file, tmp_path)
            assert render(study, tmp_path, **given) == tmp_path / "README.md"
        else:
            assert main([*study.command.split(), "--out", str(tmp_path)]) == 0
            assert capsys.readouterr().out == f"{tmp_path / 'README.md'}\n"
        committed = {file.name: file.read_bytes() for file in (ROOT / path).iterdir()}
        pictures = dict.fromkeys(study.figures, PICTURE)
        written = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        # Some folders also hold what other commands write.
        assert written == {name: committed[name] for name in written} | pictures


@pytest.mark.parametrize("study", MOVED.values(), ids=lambda one: one.name)
def test_a_report_opens_with_its_picture_and_names_all_files(study):
    for path in study.reports:
        text = (ROOT / path / "README.md").read_text()
        title, empty, picture, *_ = text.splitlines()
        assert title.startswith("# ") and not empty and picture.startswith("![")
        for name in (*study.figures, *(one.file for one in study.files)):
            assert f"({name})" in text


@pytest.mark.slow
@pytest.mark.parametrize("study", QUICK.values(), ids=lambda one: one.name)
def test_the_whole_study(study, tmp_path):
    path = make(study, tmp_path / "study", **study.quick)
    names = {"README.md", *study.figures, *(one.file for one in study.files)}
    assert {file.name for file in path.parent.iterdir()} == names
    for name in study.figures:
        assert (path.parent / name).stat().st_size > 10_000
