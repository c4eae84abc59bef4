"""Round robins, from a seed to a DataFrame."""

import jax
import numpy as np
import pytest
from helpers import check_points

from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config
from tb2learn.simulation.event import Event
from tb2learn.simulation.simulated import simulate

LEAGUE = Config("league", event=EventFormat(5, 10, 3, format="round-robin", repeats=2))
BATCH = 24


@pytest.mark.thorough
def test_a_double_round_robin():
    """Points add up, and a frame has both sides of every match, with colours."""
    league = simulate(LEAGUE, BATCH, seed=1)
    names = "rosters", "opponents", "half_points", "match_points", "whites"
    parts = [np.moveaxis(getattr(league, name), 0, -1) for name in names]
    check_points(jax.vmap(Event, in_axes=-1, out_axes=-1)(*parts), LEAGUE.event.boards)
    matches = league.frame("matches")
    assert matches.white.sum() == BATCH * 20 and matches.white.isna().sum() == BATCH * 10
    assert len(league.frame()) == BATCH * 5
