"""The thesis's figures beside ours: the report of a reproduction made by hand."""

import csv
import dataclasses
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tb2learn.assessment.tally import ErrorRate
from tb2learn.config import EventFormat, load_config
from tb2learn.simulation import games
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange
from tb2learn.studies import thesis_null
from tb2learn.studies.thesis import (
    Cell,
    Errors,
    Reproduction,
    Sum,
    as_text,
    errors_figure,
    write_report,
)
from tb2learn.studies.thesis_null import TEAMS, FewTeams, few_teams
from tb2learn.training import difficulty


def rate(rule, value, low, high, saved=0.0):
    return ErrorRate(rule, 3, 40, value, (low, high), saved, (saved - 0.1, saved + 0.1))


@pytest.fixture(scope="module")
def result():
    old, new = "product", "difficulty score"
    return Reproduction(
        load_config("thesis-180x11"),
        7,
        1,
        # GP 1: differences +0.02 (beyond 1.96 errors) and -0.01; GP 2: one cell without a match.
        cells=(
            Cell(10, 2, 0.10, 0.12, 0.01),
            Cell(11, 2, 0.20, 0.19, 0.01),
            Cell(10, 4, 0.50, 0.56, 0.04),
            Cell(11, 4, 0.60, math.nan, math.nan),
        ),
        sums=(Sum("USA", 452.6, 452.6104, 406.3), Sum("Ukraine", 455.5, 455.47, 399.8)),
        errors=(
            Errors(3, old, rate(old, 0.5, 0.4, 0.6), rate(old, 0.2, 0.1, 0.3)),
            Errors(3, new, rate(new, 0.2, 0.1, 0.3, 0.6), rate(new, 0.18, 0.15, 0.2, 0.1)),
        ),
        nulls=(FewTeams(4, 0.0123, (0.007, 0.026), 0.31),),
    )


def test_every_number_has_a_cell_of_its_own(result):
    text = as_text(result)
    assert "| 3 | product | 0.5000 | 0.4000 | 0.6000 | 0.2000 | 0.1000 | 0.3000 | 40 | NO |" in text
    assert "| 3 | difficulty score | 0.2000 | 0.1000 | 0.3000 | 0.1800 |" in text
    assert "| 3 | 0.6000 | 0.5000 | 0.7000 | 0.1000 | 0.0000 | 0.2000 |" in text
    assert "| USA | 452.6 | 452.6104 | 406.3 |" in text


def test_what_the_report_claims_is_said_plainly(result):
    text = as_text(result)
    assert "the order reverses: USA, Ukraine, where the thesis prints Ukraine, USA" in text
    assert "yes does not mean equal" in text
    assert "| 4 | 0.0123 | 0.0070 | 0.0260 | 31% |" in text
    same = dataclasses.replace(result, sums=result.sums[:1], nulls=())
    assert "the order is the printed one: USA." in as_text(same)
    assert "farther off" not in as_text(same)


@pytest.mark.thorough
def test_logs_of_few_teams_lie_off_and_of_more_teams_less(monkeypatch):
    """The deviation falls with the number of teams; without such teams there is none."""
    monkeypatch.setattr(thesis_null, "OWN", 8)
    config = load_config("small-20x7")
    config = dataclasses.replace(config, train=dataclasses.replace(config.train, events=40))
    log = difficulty.collect(config, EventRange(config.train.seed, Purpose.TRAIN, 40))
    rows = few_teams(config, log.scores()[8], range(4, 11), 0.0, seed=1)
    assert [row.teams for row in rows] == list(TEAMS)
    medians = [row.median for row in rows]
    assert medians == sorted(medians, reverse=True) and medians[-1] > 0
    assert all(row.ci[0] <= row.median <= row.ci[1] and row.above == 1.0 for row in rows)
    monkeypatch.setattr(thesis_null, "OWN", 15)  # more than seven rounds have to give
    assert few_teams(config, log.scores()[8], range(4, 11), 0.0, seed=1) == ()


@pytest.mark.thorough
def test_the_law_of_one_team():
    """Two teams on as many points: one is picked; the opponents' laws are added up."""
    config = load_config("small-20x7")
    config = dataclasses.replace(config, event=EventFormat(4, 1, 4))
    rosters = jnp.array([[2500, 2400, 2300, 2200], [2450] * 4, [2350] * 4, [2300] * 4])
    event = Event(rosters, jnp.array([[2, 3, 0, 1]]), jnp.array([[5, 6, 3, 2]]),
                  jnp.array([2, 2, 0, 0]))  # fmt: skip
    below, matches = thesis_null.law_of_one_team(jax.random.key(0), event, config, jnp.int32(2))
    laws = np.asarray(games.all_play_all(rosters, config.game))
    either = [laws[:, team, 2] + laws[:, team, 3] for team in (0, 1)]
    assert matches.tolist() == [2, 0, 1]
    (team,) = (t for t in (0, 1) if below[0].tolist() == either[t].tolist())
    assert below[2].tolist() == laws[:, team, 1 - team].tolist()
    nobody = dataclasses.replace(event, match_points=jnp.array([1, 1, 1, 1]))
    assert not thesis_null.law_of_one_team(jax.random.key(0), nobody, config, jnp.int32(2))[1].any()


def test_cells_are_summed_up_by_result(result):
    text = as_text(result)
    assert "| 1 | 2 | +0.0050 | 0.0150 | +0.0200 | 1 |" in text
    assert "| 2 | 1 | +0.0600 | 0.0600 | +0.0600 | 0 |" in text
    assert "3 cells; mean difference +0.0233" in text and "largest +0.0600 at opponent" in text
    assert "1 printed cells have no match" in text


def test_the_report_has_its_figure_and_every_cell_beside_it(result, tmp_path):
    path = write_report(result, tmp_path / "thesis.md")
    text = path.read_text()
    assert text.splitlines()[2].endswith("(thesis.png)") and "[thesis.csv](thesis.csv)" in text
    assert ".png" not in as_text(result) and ".csv" not in as_text(result)
    assert (tmp_path / "thesis.png").read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader((tmp_path / "thesis.csv").read_text().splitlines()))
    assert [row["gp"] for row in rows] == ["1", "1", "2", "2"]
    assert rows[0] == {
        "opponent_mp": "10", "gp": "1", "printed": "0.1", "ours": "0.12", "standard_error": "0.01"
    }  # fmt: skip
    assert rows[3]["ours"] == rows[3]["standard_error"] == ""


def test_the_figure_has_a_point_and_an_interval_each(result):
    panels = errors_figure(result).axes
    assert [panel.get_title(loc="left") for panel in panels] == ["product", "difficulty score"]
    for panel in panels:
        rows = [row for row in result.errors if row.rule == panel.get_title(loc="left")]
        points = [tuple(xy) for line in panel.lines for xy in line.get_xydata()]
        segments = [ends.tolist() for lines in panel.collections for ends in lines.get_segments()]
        drawn = [(-0.1, row.printed) for row in rows] + [(0.1, row.ours) for row in rows]
        assert points == [(x, one.error_rate) for x, one in drawn]
        assert segments == [[[x, one.ci[0]], [x, one.ci[1]]] for x, one in drawn]
