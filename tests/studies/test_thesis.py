"""The thesis's figures beside ours: one quick run."""

import pandas as pd
import pytest
from click.testing import CliRunner

from studies import thesis


@pytest.mark.slow
def test_a_quick_run(tmp_path):
    given = ["--out", str(tmp_path), "--events", "40", "--assessed", "8"]
    run = CliRunner().invoke(thesis.main, given)
    assert run.exit_code == 0, run.output
    text = (tmp_path / "README.md").read_text()
    assert "| USA | 452.6 | 452.6104 |" in text and "| Ukraine | 455.5 | 455.4704 |" in text
    assert "| 0.1765 |" in text and text.count("| NO |") + text.count("| yes |") == 8
    cells = pd.read_csv(tmp_path / "cells.csv")
    assert len(cells) == 189 and cells["standard_error"].max() > 0
    # How far logs of few teams lie off; with 40 events the order of the medians is chance.
    few = pd.read_csv(tmp_path / "few.csv")
    assert few["teams"].tolist() == [2, 4, 8] and few["median"].between(0, 0.1).all()
