"""What a rule's score adds to the ratings: logistic regressions of who wins a later match.

The winner of a match is explained by the difference of both teams' ratings, and by that and the
difference of their scores. Both models have no constant, as either team may be named first. What a
rule gains is the log likelihood of the second model less that of the first. The coefficients are
free, so that the unit of a score does not matter; that of `Verdicts.leads` makes one coefficient do
for all rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd
from jaxtyping import Float
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from tb2learn.stats import long_frame, with_ends
from tb2learn.studies.real.native import NATIVE
from tb2learn.studies.real.verdicts import Verdicts, counted, populations, weights
from tb2learn.studies.worlds import LEARNED

PENALTY = 1e-3
"""Half of it times the sum of the squared coefficients is taken from the log likelihood that is
maximized, so that they stay finite where a score tells all winners."""

Events: TypeAlias = list[tuple[Float[np.ndarray, "_ columns"], Float[np.ndarray, "times _"]]]
"""Of some events, by how much winners are ahead, and how often they count in each resample."""

SAMPLES = ("", "held_")
"""What columns begin with. In sample: fitted to all events. Held out: every event is predicted by
what was fitted to the others."""


def gains(found: Sequence[Verdicts], seed: int) -> pd.DataFrame:
    """What every rule's score adds to the ratings in prediction, pooled over events.

    Log likelihoods are natural ones, added up over predictions: a match that is predicted after
    several rounds counts every time. Intervals are 95 % percentile bootstrap intervals over the
    teams of every event. In a resample the coefficients are fitted again, by one Newton step.

    **Arguments:**

    - `found`: of every event, as `prediction_verdicts`, with the ratings in the last column; pairs
      with an unknown rating take no part.
    - `seed`: of the resampling.

    **Returns:** a row a population and rule; none for a population without a pair:

    - `population`, `rule`: names; `pairs`, `units`: number of predictions, and of their matches.
    - `gain`: log likelihood of ratings and score, less that of ratings alone.
    - `lead`: gain less that of the learned rule, or of the first rule if that is not judged.
    - `native`: gain less that of the learned rule with native tables, if that is judged. NaN, like
      `lead`, for that rule itself.
    - `held_gain`, ...: the same held out; NaN with one event.
    - for every one of these the ends of its interval, as `gain_low` and `gain_high`.
    """
    if not found:
        return pd.DataFrame()
    generator = np.random.default_rng(seed)
    drawn = [weights(one, "teams", generator) for one in found]
    # The verdicts themselves are the first resample.
    drawn = [np.concatenate([np.ones_like(one[:1]), one]) for one in drawn]
    inside = [one.populations & np.isfinite(one.leads[:, -1:]) for one in found]
    rules = found[0].rules[:-1]
    rows = []
    for population, pairs, units, *chosen in zip(
        populations("prediction"),
        *counted(found, inside),
        *(some.T for some in inside),
        strict=True,
    ):
        if not pairs:
            continue
        leads = [one.leads[some] for one, some in zip(found, chosen, strict=True)]
        counts = [one[:, some] for one, some in zip(drawn, chosen, strict=True)]
        ratings = _likelihoods([one[:, -1:] for one in leads], counts)
        gained = np.stack(
            [
                _likelihoods([one[:, [rule, -1]] for one in leads], counts) - ratings
                for rule in range(len(rules))
            ],
            axis=-1,
        )
        cells = {"pairs": np.full(len(rules), pairs), "units": np.full(len(rules), units)}
        for sample, values in zip(SAMPLES, gained, strict=True):
            for what, other in bases(rules).items():
                less = values[:, [rules.index(other)]] if other else 0.0
                apart = np.where([one == other for one in rules], np.nan, values - less)
                cells |= with_ends(apart, f"{sample}{what}", f"{sample}{what}_")
        rows.append(long_frame({"population": [population], "rule": rules}, cells))
    return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame()


def bases(rules: Sequence[str]) -> dict[str, str | None]:
    """Columns of `gains`, and the rule whose gain is taken from the others' in each."""
    learned = LEARNED if LEARNED in rules else rules[0]
    return {"gain": None, "lead": learned} | ({"native": NATIVE} if NATIVE in rules else {})


def _likelihoods(
    leads: Sequence[Float[np.ndarray, "_ columns"]],
    counts: Sequence[Float[np.ndarray, "times _"]],
) -> Float[np.ndarray, "2 times"]:
    """Log likelihood of all events in resamples, in sample and held out (`SAMPLES`).

    **Arguments:**

    - `leads`: of the verdicts of every event, by how much the winner is ahead in each column.
    - `counts`: how often every verdict counts in each resample.
    """
    events = list(zip(leads, counts, strict=True))
    held_out = [_judged(events[:n] + events[n + 1 :], [one]) for n, one in enumerate(events)]
    return np.stack([_judged(events, events), np.sum(held_out, axis=0)])


def _judged(fitted: Events, judged: Events) -> Float[np.ndarray, " times"]:
    """Log likelihood of some events in resamples, by what is fitted to others in the same resample.

    The coefficients are those of all verdicts, and one Newton step from there in each resample. The
    log likelihood there is that of its expansion to the second order. NaN without a verdict to fit
    to.
    """
    if not sum(len(leads) for leads, _ in fitted):
        return np.full(len(judged[0][1]), np.nan)
    by = _maximum(np.concatenate([leads for leads, _ in fitted]))
    _, slope, curve = _expanded(fitted, by)
    slope, curve = slope - PENALTY * by, curve + PENALTY * np.eye(len(by))
    step = np.linalg.solve(curve, slope[..., None])[..., 0]
    value, slope, curve = _expanded(judged, by)
    return value + (slope * step).sum(axis=1) - np.einsum("ti,tij,tj->t", step, curve, step) / 2


def _expanded(
    events: Events, by: Float[np.ndarray, " columns"]
) -> tuple[
    Float[np.ndarray, " times"],
    Float[np.ndarray, "times columns"],
    Float[np.ndarray, "times columns columns"],
]:
    """Log likelihood in resamples, its slope, and its curvature with the opposite sign."""
    found = []
    for leads, counts in events:
        ahead = leads @ by
        surprise = expit(-ahead)
        curved = (surprise * expit(ahead))[:, None, None] * leads[:, :, None] * leads[:, None]
        parts = log_expit(ahead), surprise[:, None] * leads, curved
        found.append([np.tensordot(counts, part, 1) for part in parts])
    value, slope, curve = (np.sum(parts, axis=0) for parts in zip(*found, strict=True))
    return value, slope, curve


def _maximum(leads: Float[np.ndarray, "items columns"]) -> Float[np.ndarray, " columns"]:
    """The coefficients that maximize the log likelihood of all verdicts, less the penalty."""

    def loss(by: Float[np.ndarray, " columns"]) -> tuple[float, Float[np.ndarray, " columns"]]:
        ahead = leads @ by
        value = PENALTY / 2 * by @ by - log_expit(ahead).sum()
        return value, PENALTY * by - expit(-ahead) @ leads

    return minimize(loss, np.zeros(leads.shape[1]), jac=True, method="BFGS").x
