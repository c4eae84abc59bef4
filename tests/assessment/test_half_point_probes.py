"""Half-point probes: a rule that punishes is caught, one that cannot is not, counts by hand."""

import jax
import numpy as np
import pytest
from assess_samples import CONFIG, EVENTS, event_of, whole_event
from helpers import joined, measure_each

from tb2learn.assessment import half_point_probes
from tb2learn.catalogue import find_rule
from tb2learn.chess.results import Results
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.rng import stream
from tb2learn.tiebreaks.combined import Combined
from tb2learn.tiebreaks.rules import Rule, classic
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.types import BYE


def upside_down() -> Rule:
    """Game points that count against the team that scores them."""
    points = np.zeros((11, 11, 5), np.int32) - np.arange(5, dtype=np.int32)
    return Rule("upside-down", 5, 2, TableRule(points), unit=0.5)


@pytest.mark.thorough
def test_probes_by_hand():
    """The same with plain loops: the picks of the events' keys, the standings anew."""
    rules = upside_down(), classic("game-points", 5, 2), find_rule("direct+emmsb", 5, 2, 21)
    found = half_point_probes.probe_rules(CONFIG, rules, half_point_probes.PROBES * EVENTS, 5)
    batches = measure_each(CONFIG, whole_event, EventRange(5, Purpose.ASSESS, EVENTS))
    events = [event_of(parts) for parts in zip(*joined(batches), strict=True)]
    for rule, row in zip(rules, found.itertuples(), strict=True):
        by_hand = [probed(rule.tiebreak, *numbered) for numbered in enumerate(events)]
        expected = sum(counts for counts, _ in by_hand).tolist()
        assert [row.probes, row.within, row.violations, row.places] == expected
        assert row.worst == max(loss for _, loss in by_hand) * rule.unit
    bad, good, _ = found.itertuples()
    # The weakest opponent is left out: a probe of its match changes nothing, or what is left out.
    assert 0.5 * bad.within < bad.violations <= bad.within < bad.probes and bad.places > 0
    assert good.violations == good.worst == 0
    assert bad.share == bad.violations / bad.within and bad.share_low < bad.share <= bad.share_high


def probed(rule, number, event):
    """What is counted of one event under one rule, and the largest loss."""
    key = jax.random.fold_in(stream(5, Purpose.ASSESS), number)
    picks = half_point_probes.half_words(jax.random.split(key)[1], 2 * half_point_probes.PROBES)
    numbers = np.asarray(picks).reshape(2, -1)
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
        new = rule.scores(Results(opponents, raised, own, 2))
        before = event.match_points
        within = own[team] == before[team]

        def place(points, scores, team=team):
            rows = list(zip(points, scores, strict=True))
            return sum(row > rows[team] for row in rows)

        behind = place(own, new) - place(before, old)
        # The rank that is a list's score falls where others are tied no more.
        lost = behind if isinstance(rule, Combined) else int(old[team] - new[team])
        losses.append(lost if within else 0)
        expected += [1, within, within and lost > 0, behind > 0]
    return expected, max(losses)
