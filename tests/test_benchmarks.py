"""The programs of benchmarks/ run, and say what they ran on. Nothing is timed here."""

import subprocess
import sys

import pytest
from helpers import ROOT, slow_after, tracked

SMALL = ("--config", "small-20x7")
PROGRAMS = {
    "read_pgn.py": ("--sizes", "1"),
    "commands.py": ("--events", "8", "--only", "rank"),
    "cluster.py": (*SMALL, "--rule", "learned-38x9", "--events", "8", "--repeats", "1", "--tasks",
                   "20"),
    "forecast.py": ("--event", "armstrong2011", "--continuations", "8", "--repeats", "1"),
    "kernels.py": (*SMALL, "--counted", "4"),
    "least_squares.py": (*SMALL, "--events", "8", "--batch", "8", "--checked", "2"),
    "pairings.py": (*SMALL, "--events", "8", "--repeats", "1", "--train", "learned-38x9",
                    "--trained", "16"),
    "profile.py": (*SMALL, "--batch", "4"),
    "simulate.py": (*SMALL, "--events", "8", "--repeats", "1", "--devices", "1"),
}  # fmt: skip


@pytest.mark.thorough
def test_every_program_is_tried():
    assert {*PROGRAMS, "machine.py"} == {path.name for path in tracked("benchmarks/*.py")}


@pytest.mark.thorough
@pytest.mark.parametrize("program", slow_after(1, PROGRAMS))
def test_a_benchmark_runs_and_names_the_processor(program, tmp_path):
    command = [sys.executable, ROOT / "benchmarks" / program, *PROGRAMS[program]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert " KiB of L2 a core" in done.stdout and " cores of " in done.stdout
