"""The thesis's figures beside ours: the law of one team, and one quick run."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from studies import thesis
from tb2learn.config import EventFormat, load_config
from tb2learn.simulation import games
from tb2learn.simulation.event import Event


@pytest.mark.thorough
def test_the_law_of_one_team():
    """Two teams on as many points: one is picked; the opponents' laws are added up."""
    config = load_config("small-20x7")
    config = dataclasses.replace(config, event=EventFormat(4, 1, 4))
    rosters = jnp.array([[2500, 2400, 2300, 2200], [2450] * 4, [2350] * 4, [2300] * 4])
    played = jnp.array([[2, 3, 0, 1]]), jnp.array([[5, 6, 3, 2]])
    event = Event(rosters, *played, jnp.array([2, 2, 0, 0]))
    below, matches = thesis.law_of_one_team(jax.random.key(0), event, config, jnp.int32(2))
    laws = np.asarray(games.all_play_all(rosters, config.game))
    either = [laws[:, team, 2] + laws[:, team, 3] for team in (0, 1)]
    assert matches.tolist() == [2, 0, 1]
    (team,) = (t for t in (0, 1) if below[0].tolist() == either[t].tolist())
    assert below[2].tolist() == laws[:, team, 1 - team].tolist()


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
