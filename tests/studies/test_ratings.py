"""Rating tables: two formulas, and the report whole, as nothing in it is drawn by chance."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from studies import ratings


def test_the_printed_bipartite_formula_is_wrong():
    right, printed = ratings.bipartite_errors(np.array([3, 1, 1]), np.array([1, -3, -3]))
    assert right == pytest.approx(0) and printed > 1
    # Where both sides score alike it is right up to a factor.
    alike = ratings.bipartite_errors(np.array([2, 0, -2]), np.array([1, 0, -1]))
    assert alike == pytest.approx((0, 0))


def test_the_report(tmp_path):
    run = CliRunner().invoke(ratings.main, ["--out", str(tmp_path / "r")])
    assert (run.exit_code, run.output) == (0, f"{tmp_path / 'r'}\n")
    text = (tmp_path / "r/README.md").read_text()
    assert "| normal, 285.71 | 6 |" in text  # FIDE's table, but for six differences
    morphy = pd.read_csv(tmp_path / "r/morphy.csv")
    gaps = morphy.drop(columns=["player", "printed"]).sub(morphy["printed"], axis=0).abs().max()
    assert gaps.idxmin() == "mean of both" and gaps.min() == pytest.approx(5.6)
