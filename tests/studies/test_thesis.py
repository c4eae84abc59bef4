"""The thesis's figures beside ours: the report of a reproduction made by hand."""

import dataclasses
import math

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest

from tb2learn.config import EventFormat, load_config
from tb2learn.simulation import games
from tb2learn.simulation.event import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange
from tb2learn.studies.registry import STUDIES
from tb2learn.studies.reports import text, write
from tb2learn.studies.thesis import measure as null
from tb2learn.studies.thesis.measure import TEAMS, errors_figure, few_teams
from tb2learn.training import difficulty

THESIS = STUDIES["thesis"]


def rates(name, value, low, high, saved):
    reduction = {"": saved, "_low": saved - 0.1, "_high": saved + 0.1}
    return {
        **{f"{name}{part}": x for part, x in (("", value), ("_low", low), ("_high", high))},
        **{f"{name}_reduction{part}": x for part, x in reduction.items()},
    }


@pytest.fixture
def frames():
    about = {"config": "thesis-180x11", "events": 4000, "seed": 1, "law": "sampled", "assessed": 7}
    errors = [
        {"top": 3, "rule": rule, "ours_pairs": 40, **rates("printed", *theirs),
         **rates("ours", *ours)}
        for rule, theirs, ours in (
            ("product", (0.5, 0.4, 0.6, 0.0), (0.2, 0.1, 0.3, 0.0)),
            ("difficulty score", (0.2, 0.1, 0.3, 0.6), (0.18, 0.15, 0.2, 0.1)),
        )
    ]  # fmt: skip
    # GP 1: differences +0.0196004 (beyond 1.96 errors, but not in five digits) and -0.01; GP 2: one
    # cell without a match.
    rows = [(10, 1.0, 0.10, 0.1196004, 0.01), (11, 1.0, 0.20, 0.19, 0.01),
            (10, 2.0, 0.50, 0.56, 0.04), (11, 2.0, 0.60, math.nan, math.nan)]  # fmt: skip
    cells = pd.DataFrame(rows, columns=["opponent_mp", "gp", "printed", "ours", "standard_error"])
    sums = [("USA", 452.6, 452.6104, 406.3), ("Ukraine", 455.5, 455.47, 399.8)]
    return {
        "run": pd.DataFrame([{}]),
        "about": pd.DataFrame([about]),
        "errors": pd.DataFrame(errors),
        "cells": cells,
        "gaps": null.gaps_by_result(cells),
        "sums": pd.DataFrame(sums, columns=["team", "printed", "from_printed_surface", "ours"]),
        "few": pd.DataFrame(
            [(4, 0.0123, 0.007, 0.026, 0.31)], columns=["teams", "median", "low", "high", "above"]
        ),
    }


def test_the_report_has_every_number_and_says_plainly_what_it_claims(frames, tmp_path):
    path = write(THESIS, tmp_path / "own.md", frames)
    written = path.read_text()
    for line in (
        "| 3 | product | 0.5000 | 0.4000 | 0.6000 | 0.2000 | 0.1000 | 0.3000 | 40 | NO |",
        "| 3 | difficulty score | 0.2000 | 0.1000 | 0.3000 | 0.1800 |",
        "| 3 | 0.6000 | 0.5000 | 0.7000 | 0.1000 | 0.0000 | 0.2000 |",
        "| USA | 452.6 | 452.6104 | 406.3 |",
        "the order reverses: USA, Ukraine, where the thesis prints Ukraine, USA",
        "| 4 | 0.0123 | 0.0070 | 0.0260 | 31% |",
        "| 1 | 2 | +0.0048 | 0.0148 | +0.0196 | 1 |",
        "| 2 | 1 | +0.0600 | 0.0600 | +0.0600 | 0 |",
        "3 cells; mean difference +0.0232",
        "largest +0.0600 at opponent MP 10, GP 2. 1 printed cells have no match",
        "[own.csv](own.csv)",
    ):
        assert line in written
    assert written.splitlines()[2].endswith("(own.png)")
    cells = (tmp_path / "own.csv").read_text().splitlines()
    assert cells[1] == "10,1,0.1,0.1196,0.01" and cells[4] == "11,2,0.6,,"
    alone = text(THESIS, frames | {"sums": frames["sums"][:1], "few": frames["few"][:0]})
    assert "the order is the printed one: USA." in alone and "farther off" not in alone
    assert ".png" not in alone and ".csv" not in alone and alone.endswith("|\n")


def test_logs_of_few_teams_lie_off_and_of_more_teams_less(monkeypatch):
    """The deviation falls with the number of teams; without such teams there is none."""
    monkeypatch.setattr(null, "OWN", 8)
    config = load_config("small-20x7")
    config = dataclasses.replace(config, train=dataclasses.replace(config.train, events=40))
    log = difficulty.collect(config, EventRange(config.train.seed, Purpose.TRAIN, 40))
    rows = few_teams(config, log.scores()[8], range(4, 11), 0.0, seed=1)
    assert rows["teams"].tolist() == list(TEAMS)
    assert rows["median"].is_monotonic_decreasing and rows["median"].iloc[-1] > 0
    assert ((rows["low"] <= rows["median"]) & (rows["median"] <= rows["high"])).all()
    assert (rows["above"] == 1.0).all()
    monkeypatch.setattr(null, "OWN", 15)  # more than seven rounds have to give
    assert len(few_teams(config, log.scores()[8], range(4, 11), 0.0, seed=1)) == 0


@pytest.mark.thorough
def test_the_law_of_one_team():
    """Two teams on as many points: one is picked; the opponents' laws are added up."""
    config = load_config("small-20x7")
    config = dataclasses.replace(config, event=EventFormat(4, 1, 4))
    rosters = jnp.array([[2500, 2400, 2300, 2200], [2450] * 4, [2350] * 4, [2300] * 4])
    event = Event(rosters, jnp.array([[2, 3, 0, 1]]), jnp.array([[5, 6, 3, 2]]),
                  jnp.array([2, 2, 0, 0]))  # fmt: skip
    below, matches = null.law_of_one_team(jax.random.key(0), event, config, jnp.int32(2))
    laws = np.asarray(games.all_play_all(rosters, config.game))
    either = [laws[:, team, 2] + laws[:, team, 3] for team in (0, 1)]
    assert matches.tolist() == [2, 0, 1]
    (team,) = (t for t in (0, 1) if below[0].tolist() == either[t].tolist())
    assert below[2].tolist() == laws[:, team, 1 - team].tolist()
    nobody = dataclasses.replace(event, match_points=jnp.array([1, 1, 1, 1]))
    assert not null.law_of_one_team(jax.random.key(0), nobody, config, jnp.int32(2))[1].any()


def test_the_figure_has_a_point_and_an_interval_each(frames):
    panels = errors_figure(frames).axes
    assert [panel.get_title(loc="left") for panel in panels] == ["product", "difficulty score"]
    for panel, row in zip(panels, frames["errors"].to_dict("records"), strict=True):
        points = [tuple(xy) for line in panel.lines for xy in line.get_xydata()]
        segments = [ends.tolist() for lines in panel.collections for ends in lines.get_segments()]
        both = [(-0.1, "printed"), (0.1, "ours")]
        assert points == [(x, row[name]) for x, name in both]
        assert segments == [[[x, row[f"{name}_low"]], [x, row[f"{name}_high"]]] for x, name in both]
