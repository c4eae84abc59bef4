"""The study of multi-tier tournaments: facts of the source, and claims on made-up events."""

import pandas as pd
import pytest

from tb2learn.studies.claims import FAILS, HOLDS, UNDECIDED
from tb2learn.studies.multi_tier import measure
from tb2learn.studies.multi_tier.measure import SHARES


def test_claims(monkeypatch):
    """Simulated ones by their intervals, printed ones by arithmetic."""
    wins = pd.Series(range(20)) * SHARES

    def simulate(ratings, repeats, events, seed):
        return wins, 19, 0 if repeats == 1 else 60

    monkeypatch.setattr(measure, "simulate", simulate)
    found = measure.claims(measure.measure(190, 3)).set_index("claim")
    assert found["verdict"]["the tiers start with ranks 1 to 8, 10 to 14, 15 to 20 (text)"] == FAILS
    white = found.loc["an extra White helps to qualify for the Candidates"]
    assert (white["verdict"], white["figure"]) == (UNDECIDED, "6 of 7 had one: 86% (42% to 100%)")
    lots = found.loc["the rules break almost all ties for the first place, m = 1"]
    assert lots["verdict"] == FAILS and lots["figure"].startswith("left tied in 10.00% (")
    risen = "a low tier's player can progress: reaches the top, m = {}"
    assert [found["verdict"][risen.format(m)] for m in (1, 2)] == [FAILS, HOLDS]
    assert found["figure"]["... and has a chance to win, m = 1"].startswith("wins in 65.26%")


@pytest.mark.slow
def test_simulation():
    wins, lots, risen = measure.simulate(list(range(2830, 2630, -10)), 1, 40, 1)
    assert wins.sum() == 40 * SHARES and 0 <= lots <= 40 and 0 <= risen < 40
