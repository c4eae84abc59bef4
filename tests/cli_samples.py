"""The commands, a small configuration, and what a refused command looks like."""

import json

from tb2learn.cli import main

COMMANDS = [
    "quickstart",
    "train",
    "config",
    "assess",
    "export",
    "dossier",
    "conform",
    "rank",
    "explain",
    "compare",
    "convert",
    "check",
    "pair",
    "forecast",
    "schedule",
    "calibrate",
    "info",
    "probe",
    "list",
]
CONFIG = """
name = "tiny"
description = "test"
[event]
teams = 9
rounds = 4
boards = 2
pairing = "thesis"
[train]
events = 40
held_out = 10
"""


def fails(capsys, *arguments):
    """Run a command that must be refused; return its one line, which notes may precede."""
    status = main(list(map(str, arguments)))
    captured = capsys.readouterr()
    assert status == 2 and captured.out == ""
    *notes, line = captured.err.split("\n")[:-1]
    assert all(note.startswith("tb2learn: note") for note in notes)
    assert line.startswith("tb2learn: error: ") and line.isprintable()
    return line + "\n"


def said(capsys, *arguments):
    """Run a command that must end well; return what it wrote, as `out` and `err`."""
    assert main(list(map(str, arguments))) == 0
    return capsys.readouterr()


OTHER_WORLD = """
name = "other"
[event]
teams = 12
rounds = 5
boards = 4
pairing = "thesis"
[field]
low = 2200
high = 2600
"""
HEADER = "round,match,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited\n"
ROWS = "1,1,A,B,3,1,4,0\n1,2,C,D,4,0,4,4\n2,1,A,C,2,2,4,0\n2,2,B,D,1,3,4,0\n3,1,A,D,,,,\n"


def ranked(capsys, *arguments):
    captured = said(capsys, "rank", *arguments, "--format", "json")
    return json.loads(captured.out)["rows"], captured.err
