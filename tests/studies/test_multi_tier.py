"""The study of multi-tier tournaments: facts of the source, its report."""

import csv

import numpy as np
import pytest

from tb2learn.studies import multi_tier
from tb2learn.studies.multi_tier import SHARES, Chances, printed_tiers, study_multi_tier


def test_the_printed_tiers_follow_the_rules():
    """Scores add up to 0 within rounding; the best two of a tier are in the next one."""
    tiers = printed_tiers()
    assert [len(found) for found in tiers.values()] == [8, 8, 8]
    sums = [sum(one.score for one in found) for found in tiers.values()]
    assert sums == pytest.approx([-0.006, 0.001, 0.010])
    for tier, found in tiers.items():
        assert abs(sums[tier - 1]) <= sum(one.off for one in found)
        scores = [one.score for one in found]
        assert scores == sorted(scores, reverse=True)
        if tier < 3:
            assert {one.player for one in found[:2]} <= {one.player for one in tiers[tier + 1]}
    start = {one.rank for one in tiers[1]}
    assert start == set(range(13, 21))


def test_report(tmp_path, monkeypatch):
    wins = np.arange(20) * SHARES
    monkeypatch.setattr(
        multi_tier, "_simulate", lambda ratings, repeats, events, seed: Chances(
            repeats, 190, wins, 19, 0 if repeats == 1 else 60
        )
    )  # fmt: skip
    path = study_multi_tier(tmp_path / "report", 190, 3)
    text = path.read_text()
    assert text.splitlines()[2].startswith("![") and "| 1 | -0.006 | 0.022 | MVL, Aronian |" in text
    assert "1,154 of the subsets" in text and "14.39" in text and "0.0563" in text
    assert "10.0%, 10.0%, 10.0% of the events" in text and "190 events each, seed 3" in text
    assert "| 20 players in 3 tiers play 7, 14 or 21 games | holds | 7, 14 or 21 games |" in text
    assert "| 37 players in 2 tiers play 9 or 18 games | holds | 9 or 18 games |" in text
    assert "15 to 20 (text) | does not hold | 13 to 20, 7 to 12, 1 to 6 in table 2 |" in text
    assert "| undecided | 6 of 7 had one: 86% (42% to 100%) |" in text
    assert "for the first place, m = 1 | does not hold | left tied in 10.00% (" in text
    assert "reaches the top, m = 1 | does not hold" in text
    assert "reaches the top, m = 2 | holds" in text
    with open(path.parent / "wins.csv") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 60 and rows[5]["wins"] == str(5 * SHARES)


@pytest.mark.slow
def test_simulation():
    found = multi_tier._simulate(list(range(2830, 2630, -10)), 1, 40, 1)
    assert found.wins.sum() == 40 * SHARES and 0 <= found.lots <= 40
    assert 0 <= found.risen < 40
