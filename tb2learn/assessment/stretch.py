"""How the constants of a confidence change with the spread of an event: fitted to tied pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.optimize

from tb2learn.shapes import Float, Int
from tb2learn.tiebreaks.confidence_map import Spread, Stretch

SAMPLED = 60
"""Most tied pairs of an event that are kept: those of one event are much alike."""

RARE = 0.005
"""Share of the events that are below, and above, what a stretch is fitted to."""

NEAR = 1.2
"""A stretch holds for so many times more, or fewer, teams than those of the events."""

_TIE = 30.0  # weight of a step between neighbouring own scores, whose pairs may be few


class Sample(NamedTuple):
    """Some tied pairs of some events under one rule.

    **Fields:**

    - `spreads`: of every event.
    - `event`: of every pair, from 0.
    - `own`: match points of both teams.
    - `margin`: by which the higher score is higher; at least 0.
    - `right`: 1 if it is that of the better team, 0 if not, 1/2 for a tie.
    - `place`: the first place of their score group, from 1.
    """

    spreads: Float[np.ndarray, "events 3"]
    event: Int[np.ndarray, " pairs"]
    own: Int[np.ndarray, " pairs"]
    margin: Float[np.ndarray, " pairs"]
    right: Float[np.ndarray, " pairs"]
    place: Int[np.ndarray, " pairs"]


def joined(samples: Sequence[Sample]) -> Sample:
    """The pairs of all samples."""
    before = np.cumsum([0, *(len(sample.spreads) for sample in samples)])
    moved = [
        sample._replace(event=sample.event + first)
        for sample, first in zip(samples, before, strict=False)
    ]
    return Sample(*(np.concatenate(part) for part in zip(*moved, strict=True)))


def fit_stretch(sample: Sample, home: Float[np.ndarray, "events 3"]) -> Stretch:
    """The stretch that makes a sample most likely, with a constant of its own for every own score.

    **Arguments:**

    - `sample`: of events of all kinds.
    - `home`: spreads of the events that the constants of the map are fitted to: there the
      logarithm of the factor is 0 on average.
    """
    ends = np.quantile(sample.spreads, [RARE, 1 - RARE], axis=0)
    ends[:, 0] *= 1 / NEAR, NEAR
    middle = Spread(*np.exp(np.log(home).mean(axis=0)).tolist())
    bare = Stretch(middle, np.zeros(9), *(Spread(*end) for end in ends.tolist()))
    slopes = _most_likely_slopes(sample, bare.terms(sample.spreads))
    return Stretch(middle, slopes, bare.least, bare.most)


def _most_likely_slopes(
    sample: Sample, terms: Float[np.ndarray, "events terms"]
) -> Float[np.ndarray, " terms"]:
    """Slopes of the logarithm of a constant, fitted together with the constants of own scores."""
    scores, unit = int(sample.own.max()) + 1, np.median(sample.margin) + 1
    # Alike in size, so that the optimiser steps alike in all of them; but for terms that are the
    # same in all events, such as the number of teams of a league.
    width = terms.std(axis=0)
    width[width < 1e-6] = 1.0
    terms = (terms / width)[sample.event]
    margin = sample.margin * (np.log(10) / unit)

    def loss(values: np.ndarray) -> tuple[float, np.ndarray]:
        own, slopes = values[:scores], values[scores:]
        x = margin * np.exp(-own[sample.own] - terms @ slopes)
        # Minus the log-likelihood; `logaddexp` overflows at no margin.
        sure = sample.right * np.logaddexp(0, -x) + (1 - sample.right) * np.logaddexp(0, x)
        slope = (sample.right - 1 / (1 + np.exp(-x))) * x
        steps = np.diff(own)
        by_own = np.bincount(sample.own, slope, scores)
        by_own[1:] += 2 * _TIE * steps
        by_own[:-1] -= 2 * _TIE * steps
        value = float(sure.sum() + _TIE * (steps**2).sum())
        return value, np.concatenate([by_own, slope @ terms])

    start = np.zeros(scores + terms.shape[1])
    best: Any = scipy.optimize.minimize(loss, start, jac=True, method="L-BFGS-B")
    return best.x[scores:] / width
