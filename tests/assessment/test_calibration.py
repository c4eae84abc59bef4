"""Counts by margin against a slow count; the fit recovers a known map; reliability by hand."""

from dataclasses import replace

import numpy as np
import pytest
from assess_samples import CONFIG, PRODUCT, random_table, whole_event
from helpers import exact_strength, joined, measure_each

from studies.confidence import reliability
from tb2learn.assessment import calibration
from tb2learn.assessment.calibration import BLOCKS, MARGINS, TOPS, MarginCounts
from tb2learn.chess.results import Results
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

EVENTS = EventRange(3, Purpose.CALIBRATE, 12)


PUBLISHED = replace(CONFIG, field=replace(CONFIG.field, rating_noise=60.0))


def rated_event(key, event, config, args):
    return *whole_event(key, event, config, args), event.ratings


@pytest.mark.thorough
@pytest.mark.parametrize("rated", [False, True])
def test_counts_are_those_of_a_slow_count(rated):
    rules, widths = [PRODUCT, random_table()], (3, 50)
    found = calibration.count_margins(PUBLISHED, rules, widths, EVENTS, rated=rated)
    played = zip(*joined(measure_each(PUBLISHED, rated_event, EVENTS)), strict=True)
    shape = found[0].pairs.shape
    assert shape == (BLOCKS, len(TOPS), CONFIG.event.max_match_points + 1, MARGINS)
    wanted = np.zeros((2, 2, *shape), np.int64)  # rule, right and pairs
    for number, (rosters, opponents, half_points, own, ratings) in enumerate(played):
        better = ratings if rated else exact_strength(rosters, CONFIG.game)
        better = np.asarray(better).tolist()
        for rule, (table, width) in enumerate(zip(rules, widths, strict=True)):
            scores = scores_of(table, rosters, opponents, half_points, own)
            for i in range(len(own)):
                for j in range(i):
                    if own[i] != own[j] or (rated and better[i] == better[j]):
                        continue
                    place = 1 + sum(1 for other in own if other > own[i])
                    margin = scores[i] - scores[j]
                    agree = np.sign(margin) * np.sign(better[i] - better[j])
                    column = min(abs(margin) // width, MARGINS - 1)
                    for top, last in enumerate(TOPS):
                        if last == 0 or place <= last:
                            wanted[rule, 0, number, top, own[i], column] += 1 + int(agree)
                            wanted[rule, 1, number, top, own[i], column] += 1
    for rule, counts in enumerate(found):
        np.testing.assert_array_equal(counts.right, wanted[rule, 0])
        np.testing.assert_array_equal(counts.pairs, wanted[rule, 1])
    assert found[0].pairs.sum() > 100


@pytest.mark.thorough
def test_rules_for_fewer_rounds_are_judged_on_the_first_rounds():
    """The first rounds of longer events are events of fewer rounds."""
    rounds, boards = PUBLISHED.event.rounds, PUBLISHED.event.boards
    rules = [product_table(rounds - 1, boards), product_table(rounds, boards)]
    few, _ = calibration.count_margins(PUBLISHED, rules, (3, 3), EVENTS)
    assert few.pairs.shape[2] == 2 * (rounds - 1) + 1
    assert few.pairs.sum() > 100 and (few.right <= 2 * few.pairs).all()


def test_ratings_judge_only_where_they_are_published():
    with pytest.raises(InputError, match="no ratings are published"):
        calibration.count_margins(CONFIG, [PRODUCT], (3,), EVENTS, rated=True)


def scores_of(table, rosters, opponents, half_points, own):
    boards = rosters.shape[-1]
    results = Results(opponents, half_points, own, boards)
    return np.asarray(table.tiebreak.scores(results)).astype(np.int64).tolist()


def known_counts(scale, width=2, pairs=40_000, seed=1, blocks=BLOCKS):
    """Verdicts drawn from a known map; margins are exponential."""
    generator = np.random.default_rng(seed)
    right = np.zeros((blocks, len(TOPS), len(scale), MARGINS), np.int64)
    count = np.zeros_like(right)
    for own, c in enumerate(scale):
        margin = generator.exponential(c / 2, pairs).astype(int)
        column = np.minimum(margin // width, MARGINS - 1)
        won = generator.random(pairs) < 1 / (1 + 10 ** (-(margin + 0.0) / c))
        block = generator.integers(0, blocks, pairs)
        for top in range(len(TOPS)):
            np.add.at(count, (block, top, own, column), 1)
            np.add.at(right, (block, top, own, column), 2 * won)
    return MarginCounts(right, count, width)


def test_the_fit_recovers_a_known_map_and_judges_it_right():
    scale = np.array([60.0, 90.0, 120.0, 150.0, 80.0])
    found = calibration.fit(known_counts(scale))
    np.testing.assert_allclose(found, scale, rtol=0.04)
    fresh = known_counts(scale, seed=2)
    classes = reliability(fresh, found, seed=1)
    errors = calibration.calibration_error(fresh, found, seed=1)
    assert (errors["ece"] < 0.01).all() and errors["ece"].between(errors.low, errors.high).all()
    assert classes["pairs"].sum() == fresh.pairs.sum()
    assert (classes["least"] <= classes["stated"]).all()
    assert (classes["stated"] <= classes["most"]).all()
    # Twice as sure as it should be.
    classes = reliability(fresh, found / 2, seed=1)
    errors = calibration.calibration_error(fresh, found / 2, seed=1)
    assert (errors["low"] > 0.05).all()
    assert ((classes["stated"] - classes["observed"]).groupby(classes["top"]).mean() > 0.05).all()


def test_own_scores_with_few_pairs_borrow_from_their_neighbours():
    counts = known_counts(np.array([50.0, 100.0, 100.0, 100.0, 100.0]))
    for part in (counts.right, counts.pairs):
        part[:, :, 3:] = 0
    found = calibration.fit(counts)
    assert found[0] == pytest.approx(50, rel=0.05) and found[2] == pytest.approx(100, rel=0.05)
    assert found[3] == pytest.approx(100, rel=0.05) and found[4] == pytest.approx(100, rel=0.05)
