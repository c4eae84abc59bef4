"""The formula's loss of four teams in plain numbers, its pairs, and the descents one by one."""

import math
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import jax
import numpy as np
import plain_numpy
import pytest
from training_samples import ODD

from tb2learn.config import EventFormat
from tb2learn.simulation.purposes import Purpose
from tb2learn.training import fit_formula
from tb2learn.training.fit_tables import HeldOutErrors

pytestmark = pytest.mark.usefixtures("untyped")


def shares(results, constants, event, passes):
    """Values that are the half points, in shares of the scale, less the refinement a round."""
    assert (event.boards, passes, event.rounds, results.boards) == (2, 3, 2, 2)
    return constants[0] * results.half_points - constants[1]


AT = np.log([0.25, 0.05]), np.array([0, 0, math.log(3), 0, 0])
"""Scale and refinement, and a steepness of 3 at two match points, of four."""

PLAYED = np.zeros((1, 2, 4)), np.array([[[4, 3, 0, 1], [3, 1, 3, 3]]]), np.array([[2, 2, 2, 1]])
"""In one event A has 7 half points, B 4, C 3 and D 4."""


def loss_of(at, pairs):
    return fit_formula._loss(at, PLAYED, np.array(pairs), EventFormat(4, 2, 2), 3)


def test_the_loss_of_tied_pairs_in_plain_numbers(monkeypatch):
    plain_numpy.use(monkeypatch, fit_formula)
    monkeypatch.setattr(fit_formula, "smooth_values", shares)
    right, wrong = (math.log(1 + math.exp(sign * 3 * 0.25 * 3)) for sign in (-1, 1))
    assert loss_of(AT, [[0], [1]]) == pytest.approx(right)
    assert loss_of(AT, [[1], [0]]) == pytest.approx(wrong)
    # C beside itself is padding; A is four half points before C.
    other = math.log(1 + math.exp(-3 * 0.25 * 4))
    assert loss_of(AT, [[0, 0, 2], [1, 2, 2]]) == pytest.approx((right + other) / 2)
    assert loss_of(AT, [[2], [2]]) == 0


def test_the_gradient_of_the_loss_in_plain_numbers(monkeypatch):
    """Better scores of the better team, and a steeper loss where it is ahead, lower it."""
    monkeypatch.setattr(fit_formula, "smooth_values", shares)
    (constants, steeper) = jax.jit(jax.grad(loss_of), static_argnums=1)(AT, ((0,), (1,)))
    x = 3 * 0.25 * 3
    slope = -x / (1 + math.exp(x))
    assert np.asarray(constants) == pytest.approx([slope, 0], rel=1e-5)
    assert np.asarray(steeper) == pytest.approx([0, 0, slope, 0, 0], rel=1e-5)


def test_pairs_are_the_better_and_the_worse_of_tied_teams():
    points, strengths = np.array([[4, 2, 4], [1, 1, 1]]), np.array([[5, 9, 7], [3, 3, 1]])
    assert fit_formula._pairs(points, strengths).tolist() == [[2, 3, 4], [0, 5, 5]]


def test_the_steps_of_a_descent_are_training_events_in_their_order(played):
    size = fit_formula.STEP_EVENTS

    def totals(asked):
        events = asked.events
        assert asked.measurement.oracle
        points = np.zeros((events.events, 3), np.int32)
        points[size:, 2] = 1  # in the second step one pair an event
        rounds = np.arange(events.events * 3).reshape(-1, 1, 3)
        return [(rounds, rounds, points, np.tile([3, 1, 2], (events.events, 1)))]

    played.totals = totals
    (first, pairs), (second, fewer) = fit_formula._steps(ODD, 6, 2)
    assert played.events() == [(Purpose.TRAIN, ODD.train.seed, 2 * size, 6 * size)]
    assert first[0][0].tolist() == [[0, 1, 2]] and second[0][0].tolist() == [[192, 193, 194]]
    assert pairs[:, :3].tolist() == [[0, 0, 2], [1, 2, 1]] and pairs.shape == (2, 256)
    assert fewer.shape == (2, 256) and fewer[:, :2].tolist() == [[0, 3], [1, 4]]
    assert (fewer[0] != fewer[1]).sum() == size == 64


def descended(monkeypatch, moves):
    """Where a descent ends whose runs change the logs of both constants so; where each began."""
    plain_numpy.use(monkeypatch, fit_formula)
    first = []
    config = replace(ODD, train=replace(ODD.train, events=200))

    def steps(config, number, many):
        first.append((number, many))
        return [(None, None)] * many

    def update(at, state, results, pairs, event, passes, steps):
        change = next(left) / steps
        return (at[0] + np.array([change, -change]), at[1]), state

    left = iter([move for move in moves for _ in range(3)])
    monkeypatch.setattr(fit_formula, "_steps", steps)
    monkeypatch.setattr(fit_formula, "_update", update)
    monkeypatch.setattr(fit_formula, "_optimiser", lambda _: SimpleNamespace(init=lambda at: None))
    monkeypatch.setattr(
        fit_formula, "progress_bar", lambda *_: nullcontext(SimpleNamespace(reset=int, update=int))
    )
    return *fit_formula.descend(config), first


def test_descents_follow_until_one_moves_nothing(monkeypatch):
    """The last one confirms: by 0.04 it moves less than a twentieth, by 0.06 more."""
    found, number, first = descended(monkeypatch, [0.01, 0.06, -0.04])
    assert number == 2 and first == [(0, 3), (3, 3), (6, 3)]
    assert found == pytest.approx([0.25 * math.exp(0.07), 0.05 * math.exp(-0.07)], rel=1e-5)
    _, number, first = descended(monkeypatch, [0.1] * 12)
    assert number == 12 and len(first) == 12


def test_constants_are_rounded_as_they_are_shown(monkeypatch):
    """.1234 of eight match points is .987, .99 on paper; .0777 of them is .311 a game point."""
    monkeypatch.setattr(fit_formula, "descend", lambda config, _: (np.array([0.1234, 0.0777]), 3))
    monkeypatch.setattr(
        fit_formula, "count_held_out", lambda rules, *_: [HeldOutErrors(7, rules[0].passes)]
    )
    formula, judged, descents = fit_formula.fit_formula(ODD)
    assert ODD.event.max_match_points == 8 and descents == 3 and judged == (7, 2)
    assert formula.shares == pytest.approx({"scale": 0.99 / 8, "refinement": 0.31 / 4})
    assert (formula.event_rounds, formula.boards, formula.passes) == (4, 2, 2)
