"""Which parts of the package load which: imports run one way."""

import subprocess
import sys


def test_events_and_tie_breaks_import_no_simulator():
    code = "import sys, tb2learn.events, tb2learn.tiebreaks; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "tb2learn.tiebreaks.rules" in loaded
    assert not {"tb2learn.simulation", "tb2learn.training", "tb2learn.assessment"} & loaded
