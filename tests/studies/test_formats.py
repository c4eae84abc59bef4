"""Formats and multi-tier events: the numbers of the source, and quick runs."""

import pandas as pd
import pytest
from click.testing import CliRunner

from studies import formats, multi_tier
from studies.formats import SHARES, judge_league
from studies.frames import where
from tb2learn.chess.berger import round_robin


@pytest.mark.slow
def test_a_league_is_judged():
    found = judge_league("10 grandmasters", 20, 1)
    assert found["rule"].tolist() == [rule for rule in formats.PLAYER_RULES for _ in range(2)]
    assert found["top"].tolist() == ["1", "all"] * len(formats.PLAYER_RULES)
    assert (where(found, top="1")["pairs"] < where(found, top="all")["pairs"].max()).all()
    assert found["error"].between(found["low"], found["high"]).all()


def test_the_arithmetic_of_the_source():
    """What the template of the report states of Brams and Ismail's numbers."""
    colours = round_robin(8).colour_counts()
    assert (colours.repeats, colours.longest, colours.surplus) == (6, 2, 1)
    sums = multi_tier.printed_sums()
    assert (sums["sum"].abs() <= sums["off"]).all()
    assert sums["ranks"].tolist() == ["13 to 20", "7 to 12", "1 to 6"]
    assert sums["best"].tolist() == ["MVL, Aronian", "MVL, Aronian", "Carlsen"]


@pytest.mark.slow
def test_a_quick_run_of_a_multi_tier_event(tmp_path):
    run = CliRunner().invoke(multi_tier.main, ["--out", str(tmp_path), "--events", "20"])
    assert run.exit_code == 0, run.output
    wins = pd.read_csv(tmp_path / "wins.csv")
    assert (wins.groupby("repeats")["wins"].sum() == 20 * SHARES).all()
    text = (tmp_path / "README.md").read_text()
    assert "1,154 subsets are 0 points" in text and "M. Carlsen, the highest rated, wins" in text
