"""Which files of the package load which: the real events and the rules know no simulator."""

import subprocess
import sys

SIMULATOR = {
    f"tb2learn.{name}"
    for name in (
        "rng",
        "field",
        "games",
        "pairing",
        "olympiad",
        "lockstep",
        "simulate",
        "difficulty",
        "oracle",
    )
}


def test_ranking_an_event_imports_no_simulator():
    code = "import sys, tb2learn.events, tb2learn.tiebreaks; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "tb2learn.tables" in done.stdout.split()
    assert not SIMULATOR & set(done.stdout.split())
