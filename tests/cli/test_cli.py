"""The program as its users meet it: help, errors, pipes, completion."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from cli_samples import COMMANDS, fails, said

import tb2learn
from tb2learn.cli.program import program


def test_the_list_above_is_whole():
    assert set(program.commands) == set(COMMANDS)


@pytest.mark.parametrize("command", [*COMMANDS, ""])
def test_help_has_examples_and_describes_everything(capsys, command):
    text = said(capsys, *command.split(), "--help").out
    examples = [line.strip() for line in text.split("Examples:\n")[1].splitlines()]
    assert f"tb2learn {command}".strip() in examples[0]
    for parameter in (program.commands[command] if command else program).params:
        assert parameter.help or parameter.name == "format", parameter.name
    for line in examples:  # every example is a command, with options that there are
        words = shlex.split(line.split(" | ")[0])
        if words[0] == "tb2learn" and "--help" not in words:
            program.commands[words[1]].make_context("tb2learn", words[2:], parent=context())


def test_help_of_the_command_that_most_people_use_is_short(capsys):
    """More is read by nobody."""
    assert len(said(capsys, "rank", "--help").out.splitlines()) <= 61


def context():
    return program.make_context("tb2learn", [], resilient_parsing=True)


def test_version(capsys):
    assert said(capsys, "--version") == (f"tb2learn {tb2learn.__version__}\n", "")


def test_as_a_program_in_a_pipe(tmp_path):
    """The reader may stop early, and progress stays out of the data."""
    command = f"{sys.executable} -m tb2learn rank baku2016 --format csv"
    result = subprocess.run(
        f"{command} | head -2", shell=True, capture_output=True, text=True, check=True
    )
    assert result.stdout == (
        "place,team,mp,tb2,gp,tb4\n1,United States of America,20,413.5,31.5,152\n"
    )
    assert result.stderr == ""


FULL = "tb2learn: error: standard output: cannot be written: No space left on device\n"


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("arguments", ["rank baku2016", "--help", "rank --help", "--version"])
def test_a_full_disk_is_one_line(arguments):
    command = [sys.executable, "-m", "tb2learn.cli", *arguments.split()]
    with open("/dev/full", "w") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (result.returncode, result.stderr) == (2, FULL)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("tb2learn ra", {"plain,rank"}),
        ("tb2learn list p", {"plain,policies"}),
        ("tb2learn rank baku2016 --unplayed fide", {"plain,fide2026"}),
        ("tb2learn rank baku2016 --af", {"plain,--after"}),
        ("tb2learn rank bak", {"plain,baku2016", "plain,baku2016w", "file,bak"}),
        ("tb2learn info olympiad", {"plain,olympiad-180x11", "file,olympiad"}),
        ("tb2learn train small", {"plain,small-20x7", "file,small"}),
        ("tb2learn probe row", {"plain,row-sum", "file,row"}),
        ("tb2learn assess -", None),
    ],
)
def test_completion(capsys, monkeypatch, line, offered):
    words = line.split()
    monkeypatch.setenv("_TB2LEARN_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    found = set(said(capsys).out.split())
    assert found == offered if offered else {"plain,--help", "plain,--no-cache"} < found


@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        ("bash_complete", "is for the shell, which gives the words"),
        ("zsh_complete", "is for the shell, which gives the words"),
        ("nonsense", "must be one of bash_source, zsh_source, fish_source, got 'nonsense'"),
    ],
)
def test_a_completion_without_words_is_one_line(capsys, monkeypatch, instruction, reason):
    monkeypatch.setenv("_TB2LEARN_COMPLETE", instruction)
    monkeypatch.delenv("COMP_WORDS", raising=False)
    monkeypatch.delenv("COMP_CWORD", raising=False)
    assert reason in fails(capsys)


HEAD = "round,team_a,team_b,game_points_a,game_points_b\n"
BAD_EVENTS = {
    "empty.trf": b"", "empty.csv": b"", "wrong.csv": b"a,b\n1,2\n", "none.csv": HEAD.encode(),
    "nan.csv": f"{HEAD}1,A,B,nan,inf\n".encode(), "one.csv": f"{HEAD}1,A,,,\n".encode(),
    "self.csv": f"{HEAD}1,A,A,1,1\n".encode(), "bytes.bin": bytes(range(256)),
    "many.csv": (HEAD + "".join(f"1,a{k},b{k},2,2\n" for k in range(501))).encode(),
    "bytes.zip": b"PK\x03\x04" + bytes(range(256)), "bytes.gz": b"\x1f\x8b" + bytes(range(99)),
    "bytes.trf": b"001 " + bytes(range(1, 256)), "folder": None, "missing.trf": None,
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_EVENTS)
def test_a_file_that_is_no_event_is_refused_by_its_name(capsys, tmp_path, name):
    path, content = tmp_path / name, BAD_EVENTS[name]
    if content is not None:
        path.write_bytes(content)
    elif name == "folder":
        path.mkdir()
    for command in (["rank"], ["explain", "--wide"], ["compare"], ["convert", "--overwrite"]):
        more = {"explain": ["A"], "convert": [str(tmp_path / "x.trf")]}.get(command[0], [])
        message = fails(capsys, *command, str(path), *more)
        assert name in message and len(message) < 500, message
    assert not (tmp_path / "x.trf").exists()
