"""Open matches: what is taken out, and one quick run."""

import numpy as np
import pytest
from click.testing import CliRunner

from studies import open_matches
from studies.open_matches import PRODUCT, RESCALED, STATES, opened_matches
from tb2learn.types import BYE


def test_both_teams_of_a_match_that_is_open_have_it_open():
    opponents = np.array([[1, 0, 3, 2, BYE], [2, BYE, 0, 4, 3]])
    for state in STATES.values():
        drawn = opened_matches(opponents, state, np.random.default_rng(1))
        for r, team in zip(*np.nonzero(drawn), strict=True):
            assert drawn[r, opponents[r, team]] and opponents[r, team] != BYE


@pytest.mark.thorough
def test_a_run_has_every_way_in_every_state(tmp_path):
    done = CliRunner().invoke(open_matches.main, ["--out", str(tmp_path), "--events", "3"])
    assert done.exit_code == 0, done.output
    frame = open_matches.pd.read_csv(tmp_path / "all.csv").set_index(["way", "pairs"])
    assert len(frame) == len(open_matches.WAYS) * 3
    assert frame.error[RESCALED, "all"] < frame.error[PRODUCT, "all"]
