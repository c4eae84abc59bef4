"""The commands, a small configuration, and what a refused command looks like."""

from tb2learn.cli import main

COMMANDS = [
    "quickstart",
    "train",
    "assess",
    "export",
    "rank",
    "explain",
    "compare",
    "convert",
    "info",
    "ratings",
    "probe",
    "leaderboard",
    "robustness",
    "reproduce",
    "study tiebreaks",
    "study rankings",
    "study unplayed",
    "study games",
]
CONFIG = """
name = "tiny"
description = "test"
[event]
teams = 9
rounds = 4
boards = 2
[train]
events = 40
held_out = 10
"""


def fails(capsys, *arguments):
    """Run a command that must be refused; return its one line."""
    status = main(list(arguments))
    captured = capsys.readouterr()
    assert status == 2 and captured.out == ""
    assert captured.err.count("\n") == 1 and captured.err.startswith("tb2learn: error: ")
    assert captured.err.rstrip("\n").isprintable()
    return captured.err
