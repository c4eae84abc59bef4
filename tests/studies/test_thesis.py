"""The thesis's figures beside ours: chances by counting, the gold of Baku, one quick run."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from studies import thesis
from studies.thesis import NEW, OLD, beside_printed
from tb2learn.assessment.tally import Tally
from tb2learn.config import load_config
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.training import difficulty_log


def test_chances_are_those_of_draws_of_twenty_events(monkeypatch):
    """Half of the events have no error: of twenty, all are such with a chance of 2^-20."""
    monkeypatch.setattr(thesis, "DRAWS", 4000)
    pairs = np.full((8, 4), 2)
    old = np.tile([[0], [2]], (4, 4))
    wrong = np.stack([old, np.ones((8, 4), int)], axis=1)
    tally = Tally((OLD, NEW), pairs, wrong, 1, None)
    printed = pd.DataFrame(
        [(rule, top, error, saved) for rule, error, saved in ((OLD, 0.6, 0.0), (NEW, 0.4, 0.2))
         for top in ("1", "3", "10", "30")],
        columns=["rule", "top", "error", "saved"],
    )  # fmt: skip
    found = beside_printed("own lists", tally, printed, 1).set_index(["rule", "top"])
    # 12 or more of 20 by a fair coin; the other rule always errs in half of the pairs.
    assert found.loc[(OLD, "3"), "chance"] == pytest.approx(0.2517, abs=0.03)
    assert found.loc[(OLD, "3"), "within"] == "yes"
    assert (found.loc[(NEW, "3"), "chance"], found.loc[(NEW, "3"), "within"]) == (0, "NO")
    # 20 % saved if the old rule errs in 62.5 % or more: in 13 of 20.
    assert found.loc[(NEW, "3"), "chance_saved"] == pytest.approx(0.1316, abs=0.03)


def test_a_drawn_log_has_both_sides_of_every_match():
    config = load_config("small-20x7")
    config = replace(config, train=replace(config.train, law="exact"))
    log = thesis.drawn_log(config, 2, 5)
    assert (log.counts == log.counts.transpose(1, 0, 2)[:, :, ::-1]).all()
    exact = difficulty_log.collect(config, EventRange(config.train.seed, Purpose.TRAIN, 2))
    matches = exact.counts.sum(axis=-1) // exact.unit
    assert (log.counts.sum(axis=-1) == thesis.MATCHES * matches).all()
    # Every pair of two events, from both sides.
    assert log.counts.sum() == thesis.MATCHES * 2 * 20 * 19
    busy = matches >= 10
    cells = (part.counts[busy] for part in (log, exact))
    drawn, law = (counts / counts.sum(axis=-1)[:, None] for counts in cells)
    assert drawn == pytest.approx(law, abs=0.1)


def test_the_gold_of_baku():
    found = thesis.gold(thesis.printed_table()).set_index("rule")
    assert found.loc["FIDE"].tolist() == [413.5, 404.5, "USA"]
    printed = found.loc["printed surface"]
    assert printed["USA"] == pytest.approx(452.6104) and printed["first"] == "Ukraine"
    assert printed["Ukraine"] == pytest.approx(455.4704)
    assert found.loc["learned", "first"] == "USA"


def test_the_spread_within_teams():
    frame, picture = thesis.spreads()
    assert frame.loc[0, "by_n_less_1"] == pytest.approx(60.522, abs=0.001)
    assert len(picture.axes) == 2


@pytest.mark.slow
def test_a_quick_run(tmp_path):
    given = ["--out", str(tmp_path), "--events", "40", "--assessed", "8", "--few", "4"]
    run = CliRunner().invoke(thesis.main, given)
    assert run.exit_code == 0, run.output
    text = (tmp_path / "README.md").read_text()
    assert "| printed surface | 452.6 | 455.5 | Ukraine |" in text
    assert "| printed sums | 452.6 | 455.5 | Ukraine |" in text
    found = pd.read_csv(tmp_path / "readings.csv")
    assert len(found) == 7 * 7 * 4 and found["rule"].nunique() == found["reading"].nunique() == 7
    # A noisy log changes nothing but the table of the log.
    rates = found[found["top"] == 30].set_index(["reading", "rule"])["error"]
    assert 0 < rates["a noisy log"][NEW] != rates["own lists"][NEW]
    cells = pd.read_csv(tmp_path / "cells.csv")
    assert len(cells) == 189 and cells["standard_error"].max() > 0
    # How far logs of few teams lie off; with 40 events the order of the medians is chance.
    few = pd.read_csv(tmp_path / "few.csv")
    assert few["teams"].tolist() == [2, 4, 8] and few["median"].between(0, 0.1).all()
