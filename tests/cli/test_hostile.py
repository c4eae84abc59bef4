"""Commands with hostile arguments and surroundings: one line, the right status, no traceback."""

import os

import click
import pytest
from cli_samples import COMMANDS, fails

from tb2learn.cli import main
from tb2learn.cli.program import program
from tb2learn.cli.studies import study
from tb2learn.training import checkpoint


def command_of(name):
    group, _, last = name.rpartition(" ")
    return (study if group else program).commands[last]


PARAMETERS = [(name, one) for name in COMMANDS for one in command_of(name).params]


# ------------------------------------------------------------------------------------- outputs

OUTPUTS = {
    f"{name} {one.opts[-1]}": one
    for name, one in PARAMETERS
    if one.name in ("out", "json", "figure", "report")
    and not getattr(one, "is_flag", False)
    and name not in ("train", "convert")  # these know their files only when they have read them
}


def test_outputs_are_found():
    assert len(OUTPUTS) == 21, sorted(OUTPUTS)


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs_are_refused_before_the_work(name, tmp_path):
    one = OUTPUTS[name]
    for ending in (".png", ".md"):
        pipe, inside = tmp_path / f"pipe{ending}", tmp_path / f"folder{ending}"
        os.mkfifo(pipe)
        inside.mkdir()
        os.symlink("none", inside / "README.md")
        os.symlink("none", inside / "index.html")
        with pytest.raises(click.BadParameter, match=r"cannot be written|must be a"):
            one.type.convert(str(pipe), one, None)
        if one.metavar == "DIR" and name not in ("export --out", "calibrate --out"):
            with pytest.raises(click.BadParameter, match="is a symbolic link"):
                one.type.convert(str(inside), one, None)


def test_a_checkpoint_replaces_no_links_and_is_written_where_it_says(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    os.symlink("none", tmp_path / "mine.json")
    message = fails(capsys, "train", "small-20x7", "--out", "./mine")
    assert "mine.json: cannot be written: is a symbolic link" in message
    assert os.listdir() == ["mine.json"]
    monkeypatch.setattr(checkpoint, "train", lambda *_, **__: checkpoint.load("formula-38x9"))
    assert main(["train", "small-20x7", "--out", "./other"]) == 0
    assert capsys.readouterr().out.split() == ["formula-38x9.npz", "formula-38x9.json"]
    assert "checkpoint name must be" in fails(capsys, "train", "small-20x7", "--out", "folder/")


@pytest.mark.parametrize("more", [[], ["--overwrite"]])
def test_convert_refuses_what_is_no_file_before_it_reads(more, tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe.trf")
    os.symlink("none", tmp_path / "nowhere.trf")
    os.symlink("/dev/full", tmp_path / "full.trf")
    (tmp_path / "folder").mkdir()
    os.symlink("none", tmp_path / "folder" / "players.csv")
    for name, reason in {
        "pipe.trf": "is a pipe, not a file",
        "nowhere.trf": "is a symbolic link",
        "full.trf": "is a symbolic link",
        "folder": "players.csv: cannot be written: is a symbolic link",
        "pipe.trf/x.pgn": "pipe.trf is not a folder",
    }.items():
        assert reason in fails(capsys, "convert", "no-such-event", str(tmp_path / name), *more)
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {"pipe.trf", "nowhere.trf", "full.trf", "folder"}
    assert "is a device" in fails(capsys, "convert", "baku2016", "/dev/null", "--to", "trf16")


# ------------------------------------------------------------------------------------ arguments

TEXTS = [(name, one) for name, one in PARAMETERS if not getattr(one, "is_flag", False)]


@pytest.mark.parametrize(("name", "one"), TEXTS, ids=[f"{n} {o.opts[-1]}" for n, o in TEXTS])
def test_nothing_may_be_empty(name, one):
    command = command_of(name)
    given = []
    for other in command.params:
        if other is one or other.required:
            value = "" if other is one else "x"
            given += [value] if isinstance(other, click.Argument) else [other.opts[-1], value]
    with pytest.raises(click.BadParameter):
        command.make_context(name, given)
