"""Where results go: terminals of any width and encoding, computers without POSIX."""

import io
import os
import shlex
import subprocess
import sys

import pytest
from cli_samples import fails, said
from helpers import PATIENCE, ROOT, slow_after

from tb2learn.cli import main
from tb2learn.cli.output import Output, program_name, show

FILES = ROOT / "tests" / "events" / "formats" / "files"


@pytest.mark.parametrize("columns", slow_after(1, [60, 80, 100]))
def test_workings_fit_the_width_of_the_terminal(columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(columns))
    asked = ["baku2016", "Norway", "Faroe Isles", "--beside", "rosters-180x11"]
    lines = said(capsys, "explain", *asked).out.splitlines()
    assert max(map(len, lines)) <= columns
    # Every rule and every opponent is still there: 11 rounds in each of several tables.
    text = " ".join(" ".join(lines).split())
    for heading in ("EMGSB/", *(f"pass {n}" for n in (1, 2, 3))):
        # Of two teams a heading and a sum; what decides stands with their places, too.
        assert text.count(heading) == (6 if heading == "EMGSB/" else 4)
    tables = sum(line.startswith("round") for line in lines)
    assert sum(line.split()[:1] == ["11"] for line in lines) == tables > 2


def test_results_are_one_table_if_asked_for_and_have_80_columns_without_a_terminal(
    monkeypatch, capsys
):
    monkeypatch.delenv("COLUMNS", raising=False)
    for command in (
        ["explain", "baku2016", "Norway", "--beside", "learned"],
        ["compare", "baku2016"],
    ):
        lines = said(capsys, *command).out.splitlines()
        assert max(map(len, lines)) <= 80
        wide = said(capsys, *command, "--wide").out.splitlines()
        assert max(map(len, wide)) > 80 and len(wide) < len(lines)
    monkeypatch.setenv("COLUMNS", "70")
    assert Output("table").width == 70 and Output("table", wide=True).width is None


def test_standings_have_the_codes_of_the_line_above_them_and_fit_80_columns(monkeypatch, capsys):
    """Also five tie-breaks behind the points, and those of an event of players."""
    monkeypatch.delenv("COLUMNS", raising=False)
    for command in (
        ["baku2016"],
        ["baku2016", "--tiebreak", "learned"],
        ["baku2016", "--tiebreaks", "mp,EMGSB/C1,gp,BH/C1,EMMSB,direct"],
        ["examples/league.csv"],
        ["examples/open.trf"],
    ):
        lines = said(capsys, "rank", *command).out.splitlines()
        codes = lines[1].partition(": ")[2].split(", ")
        assert lines[2].split()[-len(codes) :] == codes
        assert max(map(len, lines)) <= 80
        # One table: no part of it stands below with the rest of the columns.
        assert sum(line.startswith("place ") for line in lines) == 1


def test_typos_of_events_and_rules_are_answered(tmp_path, monkeypatch, capsys):
    (tmp_path / "olympiad.trf").write_text("x")
    monkeypatch.chdir(tmp_path)
    for given, meant in {
        ("rank", "baku2061"): "; did you mean 'baku2016',",
        ("rank", "olympaid.trf"): "; did you mean 'olympiad.trf'?",
        ("rank", str(tmp_path / "olimpiad.trf")): "; did you mean 'olympiad.trf'?",
        ("rank", "baku2016", "--tiebreak", "unifrom-180x11"): "did you mean 'uniform-180x11'",
        ("rank", "baku2016", "--tiebreak", "produkt"): "did you mean 'product'?",
        ("rank", "baku2016", "--tiebreaks", "mp,progresive"): "did you mean 'progressive'?",
    }.items():
        assert meant in fails(capsys, *given)


def test_options_of_reading(tmp_path, capsys):
    file = str(FILES / "resting-reserves.trf")
    options = ["--match-points", "3,1,0", "--bye-points", "3,2", "--unplayed", "c07"]
    assert said(capsys, "rank", file, *options, "--tiebreaks", "mp,gp").out.splitlines()[
        3
    ].split() == ["1", "Alpha", "13", "8"]
    assert main(["convert", file, str(tmp_path / "out"), *options[:4]]) == 0
    assert "match_points" in (tmp_path / "out" / "event.csv").read_text(encoding="utf-8")
    assert "note 1: line 13: 0000 - - of a member" in capsys.readouterr().err


# -------------------------------------------------------------------------------------- Windows


def run(*arguments, code="import sys; from tb2learn.cli import main; sys.exit(main())", **more):
    """A command in a process of its own; its standard output as bytes."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHONUTF8")}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        timeout=PATIENCE,
        env=environment | more,
        cwd=ROOT,
    )


def test_what_cannot_be_encoded_is_replaced(monkeypatch, capsys):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    show("Ružomberok\n")
    assert stream.buffer.getvalue() == b"Ru?omberok\n"
    assert "encoding (ascii) does not have are replaced by ?" in capsys.readouterr().err


WITHOUT_POSIX = (
    "import sys, warnings\n"
    "warnings.simplefilter('ignore')\n"
    "for name in ('fcntl', 'resource', 'pwd', 'grp', 'termios', 'tty', 'pty', 'syslog'):\n"
    "    sys.modules[name] = None\n"
    "import os, pathlib\n"
    "def refused(*_, **__): raise OSError('no symbolic links here')\n"
    "os.symlink = os.link = pathlib.Path.symlink_to = refused\n"
    "from tb2learn.cli import main\n"
    "for line in sys.argv[1:]:\n"
    "    assert main(line.split('|')) == 0, line\n"
)


@pytest.mark.slow
def test_nothing_on_the_way_of_an_arbiter_needs_posix(tmp_path):
    lines = (
        "rank|baku2016|--tiebreak|uniform-180x11|--format|csv",
        "explain|baku2016|Norway",
        f"convert|baku2016|{tmp_path / 'out.trf'}",
        f"rank|{tmp_path / 'out.trf'}|--unplayed|fide2026",
        f"export|olympiad-180x11|--out|{tmp_path / 'tables'}|--format|pdf,xlsx,html,csv,json",
    )
    done = run(*lines, code=WITHOUT_POSIX)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert {path.suffix for path in (tmp_path / "tables").iterdir()} == {
        ".pdf", ".xlsx", ".html", ".csv", ".json",
    }  # fmt: skip


def test_a_file_that_is_open_in_a_spreadsheet(tmp_path, monkeypatch, capsys):
    target = tmp_path / "out.trf"
    target.write_text("old")

    def locked(*_):
        raise PermissionError(13, "Access is denied")

    monkeypatch.setattr(os, "replace", locked)
    line = fails(capsys, "convert", str(FILES / "clean.trf"), str(target), "--overwrite")
    assert "out.trf: cannot be written: Access is denied; is it open in another program" in line
    assert target.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["out.trf"]


@pytest.mark.parametrize(
    ("on_path", "called", "typed"),
    [
        ("/usr/bin/tb2learn", "/usr/bin/tb2learn", "tb2learn"),
        (None, "{here}/.venv/bin/tb2learn", ".venv/bin/tb2learn"),
        (None, ".venv/bin/tb2learn", ".venv/bin/tb2learn"),
        (None, "/opt/my tools/tb2learn", "'/opt/my tools/tb2learn'"),
        (None, "/x/tb2learn/__main__.py", f"{shlex.quote(sys.executable)} -m tb2learn"),
    ],
)
def test_a_line_to_type_names_the_command_as_the_shell_finds_it(
    monkeypatch, tmp_path, on_path, called, typed
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shutil.which", lambda name: on_path)
    monkeypatch.setattr("sys.argv", [called.format(here=tmp_path)])
    assert program_name() == typed
