"""Our files and sums against FIDE's reference tie-break checker, as an independent program."""

import csv
import dataclasses
import importlib.util
import io
import subprocess
import sys

import pytest
from helpers import PATIENCE
from trf_samples import SMALL, read

from tb2learn.events import rank
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.parts import Penalty, with_scoring
from tb2learn.tiebreaks.rules import product_table

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("gacrux") is None,
    reason="needs FIDE's tie-break checker: pip install gacrux",
)

CRITERIA = ("MPTS", "GPTS", "EMGSB/C1")


def checked(event, version, folder, criteria=CRITERIA):
    """Match points, game points and EMGSB/C1 of every team, as the checker has them."""
    file = folder / f"event{version}.trf"
    file.write_bytes(write_trf(event, version).encode())
    run = subprocess.run(
        [sys.executable, "-m", "gacrux.tiebreakchecker", "-i", str(file), "-o", "-", "-dT",
         "-t", *criteria],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, ""), run.stdout[-2000:] + run.stderr
    rows = list(csv.DictReader(io.StringIO(run.stdout), delimiter="\t"))
    assert [int(row["StartNo"]) for row in rows if row["StartNo"]] == list(
        range(1, len(event.teams) + 1)
    )
    return [tuple(float(row[name]) for name in criteria) for row in rows if row["StartNo"]]


def ours(event, unplayed):
    rows = rank(event, product_table(event.rounds, event.boards), unplayed=unplayed)
    scores = {row.team: (row.scores["mp"], row.scores["gp"], row.scores["tb2"]) for row in rows}
    return [scores[team] for team in event.teams]


@pytest.mark.thorough
@pytest.mark.parametrize("version", [2026, pytest.param(2016, marks=pytest.mark.slow)])
def test_baku_under_the_general_rules(baku, version, tmp_path):
    """Every team, also those that missed rounds; the study of the checker has all other codes."""
    assert ours(baku, "c07") == checked(baku, version, tmp_path)


@pytest.mark.parametrize("unplayed", ["c07", "c07-2024"])
def test_penalties_and_other_match_points(unplayed, tmp_path):
    """Penalties of a round, or of all, change the standings; tie-breaks see the results alone."""
    small = read(*SMALL)
    penalties = (Penalty(0, 2, -1, -1), Penalty(3, 0, -2, -3), Penalty(2, 3, 0, -2))
    year = "2024" if unplayed == "c07-2024" else "2026"
    criteria = ("MPTS", "GPTS", f"EMGSB/C1/V{year}")
    for scoring in ((2, 1, 0), (3, 1, 0)):
        event = dataclasses.replace(
            small, scoring=scoring, penalties=penalties, planned=small.rounds,
            matches=with_scoring(
                (m for m in small.matches if m.match_points_a is None), scoring
            ),
        )  # fmt: skip
        assert ours(event, unplayed) == checked(event, 2026, tmp_path, criteria)


@pytest.mark.parametrize("bye", ["half", "full", "zero", "default"])
@pytest.mark.parametrize("version", [2016, 2026])
def test_byes_and_forfeits_are_written_as_the_checker_reads_them(bye, version, tmp_path):
    event = read(*SMALL)
    half_points = {"half": 2, "full": 4, "zero": 0, "default": 4}[bye]
    matches = tuple(
        dataclasses.replace(m, bye=bye, half_points_a=half_points, match_points_a=None)
        if m.bye == "half"
        else m
        for m in event.matches
    )
    event = dataclasses.replace(event, matches=matches, planned=event.rounds)
    assert checked(event, version, tmp_path) == ours(event, "c07")
