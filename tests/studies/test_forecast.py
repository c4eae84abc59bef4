"""Judging forecasts: losses by hand, and one quick run."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from studies import forecast
from studies.forecast import CONSTANT, FORECAST
from studies.script import recorded
from tb2learn.forecasts.strengths import TEAMS, Offsets


def test_losses_and_differences_by_hand():
    rows = [(FORECAST, 0.5, True), (FORECAST, 0.2, False)]
    rows += [(CONSTANT, 0.9, True), (CONSTANT, 0.9, False)]
    chances = pd.DataFrame(rows, columns=["method", "chance", "hit"])
    chances = chances.assign(event="a", up_to="medals", after=5)
    losses = forecast.losses_of(chances).set_index("method")
    ours, theirs = -np.log([0.5 * 0.8, 0.9 * 0.1]) / 3
    assert losses.log_loss[FORECAST] == pytest.approx(ours) and losses.more[FORECAST] == 0
    assert losses.log_loss[CONSTANT] == pytest.approx(theirs)
    assert losses.more[CONSTANT] == pytest.approx(theirs - ours)
    calibration = forecast.calibration_of(chances)
    assert calibration["method"].tolist() == [FORECAST, FORECAST, CONSTANT]
    assert calibration["number"].tolist() == [1, 1, 2]
    assert calibration["share"].tolist() == [0, 1, 0.5]


@pytest.mark.thorough
def test_the_offsets_of_teams_are_those_that_four_olympiads_give():
    """They were those of other ratings for a while: read anew, not only from the report."""
    fitted = forecast.fitted([recorded(name) for name in forecast.EVENTS])
    assert Offsets(round(float(fitted.points), 1), round(float(fitted.halving))) == TEAMS


@pytest.mark.slow
def test_a_quick_run(monkeypatch, tmp_path):
    monkeypatch.setattr(forecast, "ROUNDS", range(10, 11))
    monkeypatch.setattr(forecast, "EVENTS", ("baku2016", "batumi2018"))
    monkeypatch.setattr(forecast, "fitted", lambda read: Offsets(25.0 + len(read), 300))
    run = CliRunner().invoke(forecast.main, ["--out", str(tmp_path), "--continuations", "50"])
    assert run.exit_code == 0, run.output
    losses = pd.read_csv(tmp_path / "events.csv")
    assert set(losses["method"]) == set(forecast.METHODS) and losses["log_loss"].between(0, 9).all()
