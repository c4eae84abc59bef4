"""Rating tables: two formulas, and the report whole, as nothing in it is drawn by chance."""

import pandas as pd
import pytest
from click.testing import CliRunner

from studies import ratings


def test_the_report(tmp_path):
    run = CliRunner().invoke(ratings.main, ["--out", str(tmp_path / "r")])
    assert (run.exit_code, run.output) == (0, f"{tmp_path / 'r'}\n")
    text = (tmp_path / "r/README.md").read_text()
    assert "| normal, 285.71 | 6 |" in text  # FIDE's table, but for six differences
    morphy = pd.read_csv(tmp_path / "r/morphy.csv")
    gaps = morphy.drop(columns=["player", "printed"]).sub(morphy["printed"], axis=0).abs().max()
    assert gaps.idxmin() == "mean of both" and gaps.min() == pytest.approx(5.6)
