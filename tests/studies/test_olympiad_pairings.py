"""The script of Olympiad pairings: recorded rounds, and one simulated event of each edition."""

import pandas as pd
import pytest
from click.testing import CliRunner

from studies.olympiad_pairings import chennai, main, real_rounds
from tb2learn.events import read_event


def test_the_rounds_of_2022_are_paired_as_they_were():
    """Aim: .98 of all pairs of 2022 and later, late arrivals apart."""
    found = pd.concat(
        [
            real_rounds(chennai(), "olympiad-2022")[0],
            real_rounds(read_event("samarkand2026w"), "olympiad-2022")[0],
        ]
    )
    assert found["pairs"].sum() == 926 + 940
    assert found["same_on_time"].sum() > 0.975 * found["pairs"].sum()


@pytest.mark.slow
def test_a_quick_run(tmp_path):
    done = CliRunner().invoke(main, ["--out", str(tmp_path), "--events", "1"])
    assert done.exit_code == 0, done.output
    assert "samarkand2026w" in (tmp_path / "README.md").read_text("utf-8")
    lockstep = pd.read_csv(tmp_path / "lockstep.csv")
    assert (lockstep["same"] > 0.95).all()
