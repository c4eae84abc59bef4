"""The logistic loss of pairs, and its gradients."""

import dataclasses
import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import joined, measure_each
from training_samples import ODD, ODD_SURFACE

from tb2learn.simulation.event import Event
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.tiebreaks.passes import margin
from tb2learn.training import descent, least_squares


def slow_loss(scores, log_beta, match_points, strength):
    total = 0.0
    for i, j in itertools.combinations(range(len(scores)), 2):
        if match_points[i] == match_points[j] and strength[i] != strength[j]:
            better, worse = (i, j) if strength[i] > strength[j] else (j, i)
            steepness = math.exp(log_beta[match_points[i]])
            total += math.log1p(math.exp(-steepness * (scores[better] - scores[worse])))
    return total


def test_pairwise_logistic_is_a_loop_over_pairs():
    generator, loss = np.random.default_rng(0), jax.jit(descent.pairwise_logistic)
    for _ in range(5):
        own, strength = generator.integers(0, 4, 12), generator.integers(0, 5, 12)
        scores, log_beta = generator.normal(size=12), generator.normal(size=5)
        found = loss(
            jnp.asarray(scores, jnp.float32),
            jnp.asarray(log_beta, jnp.float32),
            jnp.asarray(own),
            jnp.asarray(strength),
        )
        assert float(found) == pytest.approx(slow_loss(scores, log_beta, own, strength), rel=1e-5)


@pytest.fixture(scope="module")
def one_event():
    """Some event of `ODD`, and a second pass that sees it."""
    before = least_squares.rule_before(list(ODD_SURFACE), ODD)
    batches = measure_each(ODD, whole_event, EventRange(3, Purpose.TRAIN, 1))
    return Event(*(jnp.asarray(part[0]) for part in joined(batches))), before


def whole_event(key, event, config, args):
    return event.rosters, event.opponents, event.half_points, event.match_points


def differences(loss, at, step=1e-5):
    """The gradient of a loss by central differences."""
    gradient = np.zeros(at.shape)
    for where in np.ndindex(at.shape):
        ends = []
        for sign in (1, -1):
            moved = at.copy()
            moved[where] += sign * step
            ends.append(loss(moved))
        gradient[where] = (ends[0] - ends[1]) / (2 * step)
    return gradient


@pytest.mark.slow
def test_the_gradient_of_a_table_is_that_of_differences(one_event):
    event, before = one_event
    generator = np.random.default_rng(1)
    table = generator.normal(size=before.points.shape[1:])
    log_beta = generator.normal(0.5, 0.3, 9)
    shown = tuple(jnp.asarray(x, jnp.float32) for x in (table, log_beta))
    loss, pairs, (by_table, by_beta) = jax.jit(descent.table_gradient, static_argnums=2)(
        jax.random.key(0), event, ODD, (shown, before)
    )
    own = np.asarray(event.match_points)
    strength = np.asarray(least_squares.strength(event, ODD))
    reading, half = (
        np.asarray(before.opponent_score(event.results)),
        np.asarray(event.half_points).T,
    )
    counted, beyond = np.asarray(before.counted(event.results)), margin(4)
    assert int(pairs) == sum(a == b for a, b in itertools.combinations(own, 2)) > 0

    def slow(table, log_beta):
        scores = np.zeros(7)
        for team, r in zip(*np.nonzero(counted), strict=True):
            whole, tenths = divmod(reading[team, r], 10)
            block = table[own[team], :, half[team, r]]
            scores[team] += (10 - tenths) / 10 * block[whole + beyond]
            if tenths:
                scores[team] += tenths / 10 * block[whole + beyond + 1]
        return slow_loss(scores, log_beta, own, strength) / 7

    unit = 1 << 15
    assert int(loss) == pytest.approx(unit * slow(table, log_beta), abs=1)
    expected = unit * differences(lambda x: slow(x, log_beta), table)
    assert np.abs(np.asarray(by_table) - expected).max() < 0.6 and np.abs(expected).max() > 500
    expected = unit * differences(lambda x: slow(table, x), log_beta)
    assert np.abs(np.asarray(by_beta) - expected).max() < 0.6 and np.abs(expected).max() > 500


@pytest.mark.slow
def test_the_gradient_of_the_formula_is_that_of_differences(one_event):
    import slow_oracle

    event, _ = one_event
    logs, log_beta = np.log([0.3, 0.04]), np.linspace(-0.5, 1.5, 9)
    shown = tuple(jnp.asarray(x, jnp.float32) for x in (logs, log_beta))
    loss, _, (by_logs, _) = jax.jit(descent.formula_gradient, static_argnums=2)(
        jax.random.key(0), event, ODD, (shown, None)
    )
    rounds = [
        [(t, int(o), int(h[t])) for t, o in enumerate(opp) if o > t]
        + [(t, None, int(h[t])) for t, o in enumerate(opp) if o < 0]
        for opp, h in zip(np.asarray(event.opponents), np.asarray(event.half_points), strict=True)
    ]
    played = slow_oracle.played(7, 2, rounds)
    strength = np.asarray(least_squares.strength(event, ODD))

    def slow(logs):
        scale, refinement = np.exp(logs)
        scores = slow_oracle.formula_scores(played, 2, 8 * scale, 8 / 2 * refinement, 2)
        # In shares of a match's game points.
        return slow_loss(np.array(scores) / 2, log_beta, played.mp, strength) / 7

    assert int(loss) == pytest.approx((1 << 15) * slow(logs), abs=1)
    expected = (1 << 15) * differences(slow, logs)
    assert np.abs(np.asarray(by_logs) - expected).max() < 1 and np.abs(expected).min() > 5


@pytest.mark.parametrize(
    ("scales", "kept", "descents"),
    [
        ([0.20, 0.205], 0.20, 1),  # the second descent confirms the first
        ([0.30, 0.40, 0.45, 0.46], 0.45, 3),
        ([0.1 * 1.1**n for n in range(20)], 0.1 * 1.1**11, 12),  # no plateau in sight
    ],
)
def test_the_formula_is_fitted_to_a_plateau(monkeypatch, scales, kept, descents):
    """Descents follow over further events until one moves no constant by 5 %."""
    ends, starts = iter(scales), []

    def descend(config, objective, parameters, schedule, progress):
        starts.append((float(np.exp(parameters[0][0])), schedule.first, schedule.steps))
        return (jnp.log(jnp.array([next(ends), 0.1])), parameters[1]), np.arange(3.0)

    monkeypatch.setattr(descent, "_descend", descend)
    config = dataclasses.replace(ODD, train=dataclasses.replace(ODD.train, events=640))
    (scale, refinement), losses, number = descent.descend_formula(config)
    assert (scale, refinement, number) == (pytest.approx(kept), pytest.approx(0.1), descents)
    assert losses.tolist() == [0, 1, 2]
    # Each starts where the one before ended, on events of its own.
    assert [start[0] for start in starts] == pytest.approx([0.25, *scales][: len(starts)])
    assert [start[1:] for start in starts] == [(640 * n, 10) for n in range(len(starts))]
