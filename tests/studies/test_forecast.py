"""Judging forecasts: scores by hand, and one quick run."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from studies import forecast
from studies.forecast import FORECAST, RATINGS


def test_scores_and_differences_by_hand():
    rows = [("a", FORECAST, "medals", 0.5, True), ("a", FORECAST, "medals", 0.2, False),
            ("a", RATINGS, "medals", 0.9, True), ("a", RATINGS, "medals", 0.9, False)]  # fmt: skip
    chances = pd.DataFrame(rows, columns=["event", "method", "up_to", "chance", "hit"])
    means = forecast.means_of(forecast.scores_of(chances.assign(after=5)))
    ours, theirs = -np.log([0.5 * 0.8, 0.9 * 0.1]) / 3
    assert means["log_loss"].tolist() == pytest.approx([ours, theirs])
    assert means["log_loss_more"].tolist() == pytest.approx([0, theirs - ours])
    assert means["brier"].tolist() == pytest.approx([0.29 / 3, 0.82 / 3])
    calibration = forecast.calibration_of(chances)
    assert calibration["method"].tolist() == [FORECAST, FORECAST, RATINGS]
    assert calibration["number"].tolist() == [1, 1, 2]
    assert calibration["share"].tolist() == [0, 1, 0.5]


@pytest.mark.slow
def test_a_quick_run(monkeypatch, tmp_path):
    monkeypatch.setattr(forecast, "FIRST", 10)
    monkeypatch.setattr(forecast, "EVENTS", ("baku2016", "batumi2018"))
    run = CliRunner().invoke(forecast.main, ["--out", str(tmp_path), "--continuations", "50"])
    assert run.exit_code == 0, run.output
    scores = pd.read_csv(tmp_path / "scores.csv")
    assert set(scores["method"]) == set(forecast.METHODS) and scores["log_loss"].between(0, 9).all()
