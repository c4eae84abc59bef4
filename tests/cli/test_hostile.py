"""Commands with hostile arguments and surroundings: one line, the right status, no traceback."""

import os
import shlex
import signal
import subprocess
import sys

import click
import pytest
from cli_samples import COMMANDS, fails, said
from helpers import ROOT, slow_after

from tb2learn.cli import main
from tb2learn.cli.output import show
from tb2learn.cli.program import program
from tb2learn.training import checkpoint

PARAMETERS = [(name, one) for name in COMMANDS for one in program.commands[name].params]


# ------------------------------------------------------------------------------------- outputs

OUTPUTS = {
    f"{name} {one.opts[-1]}": one
    for name, one in PARAMETERS
    if one.name in ("out", "json", "figure", "report")
    and not getattr(one, "is_flag", False)
    and name not in ("train", "convert")  # these know their files only when they have read them
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs_are_refused_before_the_work(name, tmp_path):
    one = OUTPUTS[name]
    for pipe in (tmp_path / "pipe.png", tmp_path / "pipe.md"):
        os.mkfifo(pipe)
        with pytest.raises(click.BadParameter, match=r"cannot be written|must be a"):
            one.type.convert(str(pipe), one, None)
    if name in ("quickstart --out", "compare --out"):  # others learn the names of their files later
        os.symlink("none", tmp_path / "index.html")
        with pytest.raises(click.BadParameter, match="is a symbolic link"):
            one.type.convert(str(tmp_path), one, None)


def test_a_checkpoint_replaces_no_links_and_is_written_where_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    os.symlink("none", tmp_path / "mine.npz")
    message = fails(capsys, "train", "small-20x7", "--out", "./mine")
    assert "mine.npz: cannot be written: is a symbolic link" in message
    assert os.listdir() == ["mine.npz"]
    monkeypatch.setattr(checkpoint, "train", lambda *_, **__: checkpoint.load("formula-38x9"))
    path, *_ = said(capsys, "train", "small-20x7", "--out", "./other").out.splitlines()
    assert path == "formula-38x9.npz"
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
        "pipe.trf/x.trf": "pipe.trf is not a folder",
    }.items():
        assert reason in fails(capsys, "convert", "no-such-event", str(tmp_path / name), *more)
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {"pipe.trf", "nowhere.trf", "full.trf", "folder"}
    assert "is a device" in fails(capsys, "convert", "baku2016", "/dev/null", "--to", "trf16")


def test_standard_input_that_is_closed(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", None)  # as Python sets it for `<&-`
    assert "standard input: cannot be read: is closed" in fails(capsys, "rank", "-")


# ------------------------------------------------------------------------------------ arguments

TEXTS = [(name, one) for name, one in PARAMETERS if not getattr(one, "is_flag", False)]


@pytest.mark.parametrize(("name", "one"), TEXTS, ids=[f"{n} {o.opts[-1]}" for n, o in TEXTS])
def test_nothing_may_be_empty(name, one):
    command = program.commands[name]
    given = []
    for other in command.params:
        if other is one or other.required:
            value = "" if other is one else "x"
            given += [value] if isinstance(other, click.Argument) else [other.opts[-1], value]
    with pytest.raises(click.BadParameter):
        command.make_context(name, given)


# ---------------------------------------------------------------------------------- interrupts

INTERRUPTED = "tb2learn: interrupted; nothing was written\n"
STOP = "os.kill(os.getpid(), signal.SIGINT); time.sleep(0.01)"
LOADED = (
    "class Finder:\n"
    "    def find_spec(self, name, *_):\n"
    f"        if name == 'click': {STOP}\n"
    "sys.meta_path.insert(0, Finder())\n"
)
MOMENTS = {
    "while a library is loaded": (LOADED, "tb2learn: interrupted\n"),
    "at work": (f"def work(*_): {STOP}\n", INTERRUPTED),
    "where a library makes another error of it": (
        "def work(*_):\n"
        f"    try: {STOP}\n"
        "    except KeyboardInterrupt: raise ImportError('multiarray failed to import')\n",
        INTERRUPTED,
    ),
    "where Python ignores exceptions": (
        "class Lost:\n"
        f"    def __del__(self): {STOP}\n"
        "def work(*_):\n"
        "    Lost()\n"
        "    time.sleep(20)\n",
        INTERRUPTED,
    ),
}


@pytest.mark.parametrize("moment", slow_after(1, MOMENTS))
def test_an_interrupt_is_one_line_at_any_moment(moment):
    code, line = MOMENTS[moment]
    if "def work" in code:
        code += "import click; click.Group.invoke = work\n"
    code = f"import os, signal, sys, time\n{code}from tb2learn.cli import main\nsys.exit(main())"
    done = subprocess.run([sys.executable, "-c", code, "list"], capture_output=True, text=True)
    # A shell says 130 of a process that an interrupt has killed.
    assert (done.returncode in (130, -signal.SIGINT), done.stderr) == (True, line)


# ------------------------------------------------------------------------------------- streams

PROGRAM = f"{shlex.quote(sys.executable)} -m tb2learn"


@pytest.mark.parametrize(
    ("line", "status", "told"),
    [
        (f"{PROGRAM} --version >&-", 2, "cannot be written: Bad file descriptor\n"),
        (f"{PROGRAM} nonsense 2>&-", 2, ""),
        (f"{PROGRAM} --version <&- 2>&-", 0, ""),
        (f"{PROGRAM} rank --help | true", 0, ""),
        (f"({PROGRAM} nonsense; echo $? >&3) 3>&2 2>&1 | true", 0, "2\n"),
    ],
)
def test_closed_streams(line, status, told):
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert done.returncode == status and done.stderr.endswith(told)
    assert done.stderr.count("\n") == told.count("\n")


def test_results_cannot_forge_output(capsys):
    show("a\x1b[2J\u202e\udce9b\nc\n")
    assert capsys.readouterr().out == "a\\x1b[2J\\u202e\\udce9b\nc\n"


# -------------------------------------------------------------------------------- surroundings


def test_a_working_directory_that_is_gone(tmp_path, monkeypatch, capsys):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["info", "formula-38x9"]) == 0
    capsys.readouterr()
    fails(capsys, "rank", ".")
    fails(capsys, "info", "nope")
    fails(capsys, "convert", "etcc2011", "folder")


TEAM_SWISS = ROOT / "examples" / "team-swiss.trf"


CLOSED = """
import ctypes, os, sys
os.umask(0o777)
for right in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    ctypes.CDLL(None).prctl(24, right, 0, 0, 0)  # PR_CAPBSET_DROP
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
"""Runs Python under a mask that closes new folders to the user, who may be root."""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="rights of processes as Linux has them")
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("-m tb2learn convert etcc2011 new/folder", "new/folder: cannot be written to"),
        ("-m tb2learn rank etcc2011 --out new/x.pdf", "new/x.pdf: cannot be written"),
        (f"-m tb2learn pair {TEAM_SWISS} --out new/x.csv", "new/x.csv: cannot be written"),
        ("-m tb2learn export formula-38x9 --format pdf --out new", "new/formula-38x9.pdf: cannot"),
        ("-c 'import tb2learn.report.figures'", ""),
    ],
)
def test_a_mask_that_closes_folders_to_the_user(line, reason, tmp_path):
    """One line, and nothing is left; figures are made, as matplotlib's folders are open to us."""
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    folders = {"HOME": str(home), "TMPDIR": str(home)}
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "MPL"))}
    process = subprocess.run(
        [sys.executable, "-c", CLOSED, *shlex.split(line)], cwd=work, env=environment | folders,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    *_, last = ["", *process.stderr.splitlines()]
    assert process.returncode == (2 if reason else 0) and "Traceback" not in process.stderr
    assert reason in last and [*work.iterdir()] == []
    assert all(path.stat().st_mode & 0o600 == 0o600 for path in home.rglob("*"))


def test_names_that_are_too_long_or_no_text(capsys):
    for name in ("x" * 5000, "\udce9\x1b[2J\n", "a/" * 3000):
        for command in (["rank"], ["info"], ["train"], ["explain", name]):
            assert len(fails(capsys, *command, name)) < 2100
    assert "at most 200 bytes" in fails(capsys, "convert", "baku2016", "x" * 5000 + ".trf")


def test_files_that_are_too_large_or_no_files(tmp_path, capsys):
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(6 << 30)
    for command, name, most in (("info", "x.npz", 1 << 28), ("train", "x.toml", 1 << 20)):
        path = large.rename(tmp_path / name)
        assert f"must be at most {most} bytes, has more" in fails(capsys, command, str(path))
        path.rename(large)
        os.mkfifo(path)
        assert "no such" in fails(capsys, command, str(path))
    folder = tmp_path / "event"
    folder.mkdir()
    os.mkfifo(folder / "matches.csv")
    assert "a folder of an event must hold matches.csv" in fails(capsys, "rank", str(folder))
