"""Half-point probes: a rule that punishes is caught, one that cannot is not, counts by hand."""

import dataclasses

import jax
import numpy as np
import pytest
from assess_samples import CONFIG, one_event

from tb2learn.assessment import incentive
from tb2learn.chess.results import Results
from tb2learn.config import EventFormat
from tb2learn.tiebreaks.rules import LookupTable, classic
from tb2learn.types import BYE, InputError


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
def test_probes_of_one_event_by_hand():
    """The same probes with plain loops: the picks of the event's key, the standings anew.

    The second rule looks at the opponents' ratings.
    """
    event = dataclasses.replace(one_event(), ratings=np.arange(2400, 1980, -20))
    rules, key = (upside_down(), classic("aroc", 5, 2)), jax.random.key(9)
    rules = tuple(rule.tiebreak() for rule in rules)
    probe = jax.jit(incentive.probe_event, static_argnums=2)
    counts, worst = (np.asarray(x) for x in probe(key, event, CONFIG, rules))
    for index, rule in enumerate(rules):
        expected, loss = probed(rule, event, key)
        assert (counts[index].tolist(), worst[index]) == (expected, loss)
    assert counts[0, 2:].all()


def probed(rule, event, key):
    """What is counted of one event under one rule, and the largest loss."""
    numbers = np.asarray(incentive.half_words(key, 2 * incentive.PROBES)).reshape(2, -1)
    opponents, half_points = event.opponents, event.half_points
    expected, losses, old = np.zeros(4, int), [0], rule.scores(event.results)
    for number, team in zip(numbers[0] % 5, numbers[1] % 21, strict=True):
        other = opponents[number, team]
        if other == BYE or half_points[number, team] == 4:
            continue
        raised = half_points.copy()
        raised[number, team] += 1
        raised[number, other] -= 1
        own = (np.sign(raised - 2) + 1).sum(axis=0)
        new = rule.scores(Results(opponents, raised, own, 2, ratings=event.ratings))
        before = event.match_points
        within = own[team] == before[team]
        loss = int(old[team] - new[team]) if within else 0
        losses.append(loss)

        def place(points, scores, team=team):
            rows = list(zip(points, scores, strict=True))
            return sum(row > rows[team] for row in rows)

        fell = place(own, new) > place(before, old)
        expected += [1, within, loss > 0, fell]
    return expected.tolist(), max(losses)


def test_another_format_is_refused():
    other = dataclasses.replace(CONFIG, event=EventFormat(20, 7, 2))
    with pytest.raises(InputError, match="for 5 rounds, the event has 7"):
        incentive.probe_rules(other, [upside_down()], 10, 1)
