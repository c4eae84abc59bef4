"""Formats and multi-tier events: the numbers of the source, and quick runs."""

from math import comb

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


def test_chances_of_many_extra_whites():
    """By a fair coin for each of the ten, in three and in four tournaments."""
    law = [comb(10, extra) for extra in range(11)]
    kinds = [pd.DataFrame({"kind": kind, "tournaments": number, "extra": range(11), "times": law})
             for kind, number in (("large", 3), ("small", 4))]  # fmt: skip
    shares, chance, least = multi_tier.beside_printed(pd.concat(kinds))
    assert shares["share"].tolist() == [0.5, 0.5] and least == 46
    # 46 or more of 70 fair coins.
    assert chance == pytest.approx(sum(comb(70, n) for n in range(46, 71)) / 2**70)


@pytest.mark.slow
def test_a_quick_run_of_a_multi_tier_event(tmp_path):
    run = CliRunner().invoke(
        multi_tier.main, ["--out", str(tmp_path), "--events", "20", "--swiss", "8"]
    )
    assert run.exit_code == 0, run.output
    wins = pd.read_csv(tmp_path / "wins.csv")
    assert (wins.groupby("repeats")["wins"].sum() == 20 * SHARES).all()
    whites = pd.read_csv(tmp_path / "whites.csv")
    assert whites.groupby("kind")["times"].sum().tolist() == [8, 8]
    text = (tmp_path / "README.md").read_text()
    assert "1,154 subsets are 0 points" in text and "M. Carlsen, the highest rated, wins" in text
