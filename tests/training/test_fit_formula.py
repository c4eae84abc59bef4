"""The constants of the formula: the loss of tied pairs, its descent, and where it ends."""

import dataclasses
import math

import jax
import jax.numpy as jnp
import numpy as np
import plain_python
import pytest
from training_samples import ODD

from tb2learn.training import fit_formula
from tb2learn.types import BYE

STEP = dataclasses.replace(ODD, train=dataclasses.replace(ODD.train, objective="formula", events=1))


@pytest.fixture(scope="module")
def step():
    """The results of some events, and their pairs."""
    (found,) = fit_formula._steps(STEP, 0, 1)
    return found


def slow_loss(at, results, pairs):
    """The loss pair by pair, with the scores of the oracle."""
    scale, refinement = map(float, np.exp(at[0]))
    teams, total = results[2].shape[1], []
    scores = []
    for opponents, half_points, _ in zip(*results, strict=True):
        rounds = [
            [(t, int(o), int(h[t])) for t, o in enumerate(opp) if o > t]
            + [(t, None, int(h[t])) for t, o in enumerate(opp) if o == BYE]
            for opp, h in zip(opponents, half_points, strict=True)
        ]
        played = plain_python.played(teams, 2, rounds)
        # In shares of a match's game points.
        of_event = plain_python.smooth_formula_scores(played, 2, 8 * scale, 8 / 2 * refinement, 2)
        scores += [score / 2 for score in of_event]
    for better, worse in pairs.T:
        if better != worse:
            beta = math.exp(at[1][results[2].ravel()[better]])
            total.append(math.log1p(math.exp(-beta * (scores[better] - scores[worse]))))
    return sum(total) / len(total)


@pytest.mark.slow
def test_the_loss_and_its_gradient_are_those_of_a_loop_over_pairs(step):
    results, pairs = step
    at = np.log([0.3, 0.04]), np.linspace(-0.5, 1.5, 9)
    given = tuple(jnp.asarray(x, jnp.float32) for x in at)
    played = jax.tree.map(jnp.asarray, (results, pairs))
    found, gradient = jax.value_and_grad(fit_formula._loss)(given, *played, ODD.event, 2)
    assert float(found) == pytest.approx(slow_loss(at, results, pairs), rel=1e-5)
    for place, small in ((0, 0), (0, 1), (1, 4)):
        ends = []
        for sign in (1, -1):
            moved = [part.copy() for part in at]
            moved[place][small] += sign * 1e-4
            ends.append(slow_loss(moved, results, pairs))
        slope = (ends[0] - ends[1]) / 2e-4
        assert float(gradient[place][small]) == pytest.approx(slope, rel=2e-3, abs=1e-5)
