"""Coalitions of two: places won by plain loops, the frame, the command."""

from dataclasses import replace

import assess_samples
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tb2learn.assessment import coalition_probes, half_point_probes
from tb2learn.chess.results import Results
from tb2learn.config import EventFormat
from tb2learn.tiebreaks.rules import classic, product_table
from tb2learn.types import BYE

CONFIG = replace(assess_samples.CONFIG, event=EventFormat(21, 5, 4))
RULES = [product_table(5, 4), classic("game-points", 5, 4)]


def places(opponents, half_points, rule):
    """The place of every team, from 0, and match points."""
    own = (np.sign(half_points - 4) + 1).sum(axis=0)
    results = Results(opponents, half_points, own, 4)
    rows = [*zip(own.tolist(), rule.tiebreak.scores(results).tolist(), strict=True)]
    return np.array([sum(other > row for other in rows) for row in rows]), own


@pytest.mark.thorough
def test_places_won_in_one_event_by_hand():
    event, key = assess_samples.one_event(), jax.random.key(9)
    rosters = jnp.repeat(event.rosters, 2, axis=1)  # every game twice: four boards
    event = replace(event, rosters=rosters, half_points=2 * event.half_points)
    probe = jax.jit(coalition_probes.probe_event, static_argnums=2)
    found = probe(key, event, CONFIG.setting, tuple(rule.tiebreak for rule in RULES))
    counts, won = map(np.asarray, found)
    opponents, half_points = event.opponents, event.half_points
    picks = np.asarray(half_point_probes.picked(key, 5, 21)).tolist()
    for index, rule in enumerate(RULES):
        before, own = places(opponents, half_points, rule)
        found = {(kind, who): [] for kind in (0, 1) for who in (0, 1)}
        for number, team in picks:
            other, best = opponents[number, team], {}
            for winner, loser in ((team, other), (other, team)):
                if other == BYE or half_points[number, loser] < 2:
                    continue
                arranged = half_points.copy()
                arranged[number, winner] += 2
                arranged[number, loser] -= 2
                after, points = places(opponents, arranged, rule)
                gains = (before - after)[[team, other]]
                kind = int(points[winner] != own[winner])
                for who, gain in enumerate((gains.sum(), gains.max())):
                    best[kind, who] = max(best.get((kind, who), 0), gain)
            for what, gain in best.items():
                found[what].append(gain)
        for (kind, who), gains in found.items():
            reached = [sum(gain >= least for gain in gains) for least in coalition_probes.GAINS]
            assert counts[index, kind, who].tolist() == [len(gains), sum(gains), *reached]
            assert won[index, kind, who].tolist() == np.bincount(gains, minlength=42).tolist()
    assert counts[..., 0].min() > 3 and (counts[..., 1] > 0).all()
