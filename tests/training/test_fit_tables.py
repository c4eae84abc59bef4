"""Whole fits: every size, the first passes of a longer fit, several worlds."""

import dataclasses

import numpy as np
import pytest
from training_samples import ODD, PASSES, least_squares_fit

from tb2learn.assessment.estimators import RuleEstimator
from tb2learn.assessment.single_event import tally_event
from tb2learn.config import World
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import sum_events
from tb2learn.tiebreaks.own import GamePoints
from tb2learn.tiebreaks.passes import margin
from tb2learn.training import (
    checkpoint,
    fit_tables,
    table_least_squares,
)
from tb2learn.training.table_moments import Moments
from tb2learn.training.tabulate import pass_table


@pytest.fixture(scope="module")
def fitted():
    return fit_tables.fit_passes(PASSES)


@pytest.mark.slow
def test_a_fit_decides_better_than_game_points(fitted):
    """On held-out events; and its own count of errors is that of the assessment."""
    surfaces, judged, unsettled = fitted
    assert 0 < unsettled < 0.5
    tables = [pass_table(surfaces[:n], "t").tiebreak for n in (1, 2)]
    pairs, errors, *_ = sum_events(
        PASSES.setting,
        Measurement(tally_event),
        EventRange(PASSES.train.seed, Purpose.HELD_OUT, PASSES.train.held_out),
        tuple(RuleEstimator(one, PASSES.event.boards) for one in (GamePoints(), *tables)),
    )
    game_points, *learned = errors[:, -1] / 2
    for part, wrong in zip(judged, learned, strict=True):
        assert part == (pairs[-1], wrong) and wrong < 0.9 * game_points


@pytest.mark.parametrize(("product", "seen"), [(1, 1), (0, 0)])
def test_what_teaches_nothing_trains(product, seen):
    """All teams equally strong; no match counted."""
    assert margin(4) == 1  # eleven columns, five results
    nothing = Moments(
        products=np.full((9, 55, 55), product, np.int64),
        moments=np.zeros((9, 55), np.int64),
        pairs=np.ones(9, np.int64),
        seen=np.full((9, 55), seen, np.int64),
        near=np.zeros((9, 55), np.int64),
        near_pairs=np.zeros(9, np.int64),
        line=np.array([7, 28, 0, 200, 0]),
    )
    raw = least_squares_fit(nothing)
    assert np.isfinite(table_least_squares.normalised(raw, nothing.seen, ODD).mean_value).all()


def mixed_worlds(**changes):
    """The odd world beside one with seeds near the truth."""
    field = dataclasses.replace(ODD.field, seed_noise=20.0)
    return dataclasses.replace(ODD, worlds=(World(0.5, field),), **changes)


def test_seeded_worlds_wait_for_the_last_pass():
    config = mixed_worlds()
    first, last = (fit_tables.worlds_of(config, end) for end in (False, True))
    assert [(number, weight) for number, _, weight in first] == [(0, 1.0)]
    assert [(number, weight) for number, _, weight in last] == [(0, 1.0), (1, 0.5)]
    assert last[1][1].field.seed_noise == 20.0 and last[0][1] == ODD
    alone = dataclasses.replace(config, field=config.worlds[0].field)
    assert len(fit_tables.worlds_of(alone, False)) == 2  # none has random seeds


@pytest.mark.slow
def test_a_fit_to_two_worlds_differs_in_the_last_pass(tmp_path):
    plan = dataclasses.replace(ODD.decisions, fairness=3.0)
    mixed = mixed_worlds(decisions=plan)
    kept = checkpoint.train(mixed)
    plain, *_ = fit_tables.fit_passes(ODD)
    first, last = zip(kept.arrays["coefficients"], plain, strict=True)
    np.testing.assert_array_equal(first[0], first[1].coefficients)
    assert np.abs(last[0] - last[1].coefficients).max() > 1e-3

    assert kept.shorter_tables() == []  # their last pass would be fitted to two worlds, too
    again = checkpoint.load(checkpoint.save(kept, tmp_path))
    assert again.config == mixed
    np.testing.assert_array_equal(again.rule().tables, kept.rule().tables)
