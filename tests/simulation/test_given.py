"""Events that are given are judged as they are: whole, in part, or changed."""

from dataclasses import replace

import numpy as np
import pytest

import tb2learn as tb
from tb2learn.assessment.error_rates import assess
from tb2learn.assessment.references import find_judged
from tb2learn.simulation.purposes import Purpose
from tb2learn.types import InputError

WORLD = tb.Config(teams=6, rounds=3, boards=1, pairing="thesis")
RULES = ["game-points", "all-play-all", "higher-seed"]


@pytest.fixture(scope="module")
def events():
    return tb.simulate(WORLD, events=30, seed=3)


def all_places(frame, rule):
    return frame.query("rule == @rule and top == 'all'").iloc[0]


def counted(events, rule):
    """Pairs and errors of a rule, from the frame of ties and the scores."""
    scores, ties = events.scores(tb.load_rule(rule, rounds=3, boards=1)), events.frame("ties")
    verdict = np.sign(scores[ties.event, ties.team - 1] - scores[ties.event, ties.other - 1])
    return len(ties), ((1 - verdict * np.sign(ties.ahead)) / 2).mean()


@pytest.mark.parametrize("part", [slice(None), slice(7, 20), [3, 3, 29], np.arange(30) % 4 == 1])
def test_what_was_simulated_is_what_is_judged(events, part):
    row = all_places(tb.assess("game-points", events[part]).frame, "game-points")
    pairs, error = counted(events[part], "game-points")
    assert (row.pairs, row.error) == (pairs, pytest.approx(error))


def test_a_changed_oracle_is_the_one_that_judges(events):
    turned = replace(events, oracle=10 - events.oracle)
    row = all_places(tb.assess("game-points", turned).frame, "game-points")
    assert row.error == pytest.approx(counted(turned, "game-points")[1])
    assert row.error == pytest.approx(1 - counted(events, "game-points")[1])


def test_given_events_are_judged_as_those_of_their_stream(events):
    """By the same keys, too, with which a reference draws; in parts as in the whole."""
    judged = find_judged(RULES, WORLD.setting)
    of_stream = assess(WORLD, judged, 30, 3, purpose=Purpose.EXPLORE).frame
    assert tb.assess(RULES, events).frame.equals(of_stream)
    parts = [tb.assess(RULES, events[part]).frame for part in (slice(0, 11), slice(11, 30))]
    wrong = sum(frame.error * frame.pairs for frame in parts)
    np.testing.assert_allclose(wrong, of_stream.error * of_stream.pairs)


def test_a_reference_draws_the_same_beside_whatever_else(events):
    names = ["all-play-all", "posterior-mean"]
    frames = [
        tb.assess(order, events[:6]).frame
        for order in (names, names[::-1], ["higher-seed", *names])
    ]
    for name in names:
        first, *others = (frame[frame.rule == name].error.to_list() for frame in frames)
        assert all(errors == first for errors in others)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"oracle": np.zeros((3, 6))}, r"rosters must be \(3, 6, 1\) numbers in 0..4000, got"),
        ({"match_points": np.full((30, 6), 7)}, r"match_points must be .* in 0..6, got"),
        ({"oracle": np.full((30, 6), np.nan)}, r"oracle must be .* in 0..10, got"),
        ({"opponents": np.full((30, 3, 6), 6)}, r"opponents must be .* in -1..5, got"),
    ],
)
@pytest.mark.usefixtures("untyped")
def test_arrays_that_no_event_has_are_refused(events, change, message):
    with pytest.raises(InputError, match=message):
        tb.assess("game-points", replace(events, **change))


def test_a_part_is_an_index_of_events(events):
    for part in ("a", 30, 1.5):
        with pytest.raises(InputError, match="events must be a slice, places or a mask, got"):
            events[part]
    with pytest.raises(InputError, match="events must be at least one, got 0"):
        tb.assess("game-points", events[:0])
