"""Half-point probes: a rule that punishes is caught, one that cannot is not, counts by hand."""

import dataclasses

import jax
import numpy as np
import pytest

from tb2learn.assessment import incentive
from tb2learn.catalogue import find_rule
from tb2learn.chess.results import Results
from tb2learn.config import Config, EventFormat, FieldConfig
from tb2learn.simulation.olympiad import play
from tb2learn.tiebreaks.rules import LookupTable, classic
from tb2learn.types import BYE, InputError

CONFIG = Config(name="t", event=EventFormat(21, 5, 2))


def upside_down() -> LookupTable:
    """Game points that count against the team that scores them."""
    points = np.zeros((11, 11, 5), np.int32) - np.arange(5, dtype=np.int32)
    return LookupTable("upside-down", 5, 2, points, unit=0.5)


@pytest.mark.slow
def test_a_rule_that_punishes_points_is_caught():
    rules = [classic("game-points", 5, 2), upside_down()]
    good, bad = incentive.probe_rules(CONFIG, rules, 200, 3).itertuples()
    assert (good.probes, good.within) == (bad.probes, bad.within)
    assert 0 < good.within < good.probes <= 200
    assert good.violations == 0 and good.worst == 0.0
    # The weakest opponent is left out: a probe of its match changes nothing, or what is left out.
    assert 0.5 * bad.within < bad.violations <= bad.within
    assert bad.worst == 0.5 and bad.places > 0


@pytest.mark.thorough
def test_a_rule_that_looks_at_opponents_ratings_is_probed_with_them():
    config = Config("t", event=EventFormat(21, 5, 4), field=FieldConfig(seed_noise=50.0))
    rule = find_rule("opponents-180x11", 5, 4)
    (found,) = incentive.probe_rules(config, [rule], 60, 1).itertuples()
    assert found.violations == 0 and found.within > 10


@pytest.mark.thorough
def test_probes_of_one_event_by_hand():
    """The same probes with plain loops: the picks of the event's key, the standings anew."""
    event = jax.jit(lambda k: play(k, CONFIG))(jax.random.key(4))
    rule, key = upside_down().tiebreak(), jax.random.key(9)
    counts, worst = incentive.probe_event(key, event, CONFIG, (rule,))
    numbers = np.asarray(incentive.half_words(key, 2 * incentive.PROBES)).reshape(2, -1)
    opponents, half_points = np.asarray(event.opponents), np.asarray(event.half_points)
    expected, losses, old = np.zeros(4, int), [0], np.asarray(rule.scores(event.results))
    for number, team in zip(numbers[0] % 5, numbers[1] % 21, strict=True):
        other = opponents[number, team]
        if other == BYE or half_points[number, team] == 4:
            continue
        raised = half_points.copy()
        raised[number, team] += 1
        raised[number, other] -= 1
        own = (np.sign(raised - 2) + 1).sum(axis=0)
        new = np.asarray(rule.scores(Results(opponents, raised, own, 2)))
        before = np.asarray(event.match_points)
        within = own[team] == before[team]
        loss = int(old[team] - new[team]) if within else 0
        losses.append(loss)

        def place(points, scores, team=team):
            rows = list(zip(points, scores, strict=True))
            return sum(row > rows[team] for row in rows)

        fell = place(own, new) > place(before, old)
        expected += [1, within, loss > 0, fell]
    np.testing.assert_array_equal(np.asarray(counts)[0], expected)
    assert int(worst[0]) == max(losses)


def test_another_format_is_refused():
    other = dataclasses.replace(CONFIG, event=EventFormat(20, 7, 2))
    with pytest.raises(InputError, match="for 5 rounds, the event has 7"):
        incentive.probe_rules(other, [upside_down()], 10, 1)
