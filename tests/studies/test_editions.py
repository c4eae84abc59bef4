"""Tables trained for the pairing of 2022: what takes the place of a shipped one; the report."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from helpers import ROOT

from studies.assessment import EDITIONS, RETRAINED, differences, main, replaced, retrained_name
from studies.worlds import LEARNED, ROSTERS
from tb2learn.assessment.tally import TOPS, Tally


@pytest.mark.parametrize(
    ("more", "high", "wanted"),
    [(-0.0011, -0.0001, [LEARNED]), (-0.0009, -0.0005, []), (-0.002, 0.0001, [])],
)
def test_a_table_gives_way_to_one_that_is_better_for_sure_and_by_enough(more, high, wanted):
    """At least .001 fewer errors in the mean over all worlds, and all of the interval below 0."""
    rows = [("2022", LEARNED, "mean", more, high), ("2022", ROSTERS, "mean", 0.001, 0.002)]
    rows += [("2022", ROSTERS, "a", -0.01, -0.005), ("thesis", ROSTERS, "mean", -0.01, -0.005)]
    columns = ["edition", "kind", "world", "more", "more_high"]
    assert replaced(pd.DataFrame(rows, columns=columns)) == wanted


def test_every_world_counts_the_same():
    """Two worlds, one with ten times the pairs: the mean of both differences, block by block."""
    rules = (*RETRAINED, *map(retrained_name, RETRAINED))
    counts = {}
    for world, size, gained in (("a", 100, 2), ("b", 1000, -5)):
        pairs = np.full((20, len(TOPS)), size)
        errors = np.full((20, len(rules), len(TOPS)), size // 4, np.int64)
        errors[:, len(RETRAINED)] += gained * size // 100
        counts[world] = Tally(rules, pairs, errors, 1, None)
    found = differences(counts, "2022", 1).set_index(["kind", "world"])["more"]
    assert found[LEARNED, "a"] == pytest.approx(0.02) and found[LEARNED, "b"] == pytest.approx(
        -0.05
    )
    assert found[LEARNED, "mean"] == pytest.approx(-0.015) and found[ROSTERS, "mean"] == 0


def test_the_shipped_tables_are_those_that_the_report_chooses():
    choosing = pd.read_csv(ROOT / "reports/assessment/choosing.csv", dtype={"edition": str})
    assert replaced(choosing) == []
    default = pd.read_csv(ROOT / "reports/assessment/default.csv", dtype={"edition": str})
    within = default[default["within"] == "yes"].drop_duplicates("edition")
    assert within.set_index("edition")["rule"].to_dict() == {"thesis": ROSTERS, "2010": ROSTERS}
    assert default[default["edition"] == "2022"]["rule"].iloc[0] == ROSTERS  # errs least


@pytest.mark.slow
def test_a_quick_run(tmp_path):
    options = ["--out", str(tmp_path), "--part", "editions", "--retrained", "16", "--events", "4"]
    done = CliRunner().invoke(main, options)
    assert done.exit_code == 0, done.output
    assert "## Rates at top 30" in (tmp_path / "editions.md").read_text("utf-8")
    rates = pd.read_csv(tmp_path / "editions.csv", dtype={"edition": str})
    assert set(rates["edition"]) == set(EDITIONS)
