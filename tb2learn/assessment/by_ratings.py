"""Rules compared with the ratings that the teams had before a real event.

In a real event the true order is unknown. The ratings are used instead: the less often a rule
prefers the lower rated of two tied teams, the better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from tb2learn.events.model import TeamEvent
from tb2learn.events.rank import scores
from tb2learn.stats.bootstrap import interval, resamples
from tb2learn.tiebreaks.confidence_map import Confidence
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import MAX_TEAMS, InputError

RATED_TOPS = (30, MAX_TEAMS)
"""Populations: pairs of the tied groups that touch a place up to this one; the last is all."""

RESAMPLES = 2000
"""Bootstrap samples behind an interval."""


@dataclass(frozen=True)
class Against:
    """One rule on one population of tied pairs of rated teams.

    **Fields:**

    - `rule`, `top`: name of the rule, and population: an entry of `RATED_TOPS`.
    - `pairs`: number of tied pairs of unequal rating.
    - `share`, `ci`: how often the rule prefers the lower rated team (equal scores count half), with
      a 95 % percentile interval from resampling teams.
    - `fewer`, `fewer_ci`: by how much that is less than under the first rule, on the same
      resamples.
    """

    rule: str
    top: int
    pairs: int
    share: float
    ci: tuple[float, float]
    fewer: float
    fewer_ci: tuple[float, float]


def against_ratings(
    events: Sequence[TeamEvent], rules: Sequence[Sequence[Rule]], seed: int
) -> tuple[Against, ...]:
    """How often rules prefer the lower rated of two tied teams, pooled over events.

    **Arguments:**

    - `events`: with ratings; a team without rated players takes no part.
    - `rules`: the rules of each event, in the same order; the others are compared with the first.
    - `seed`: of the resampling. Teams are drawn with replacement within every event; a pair counts
      as often as both were drawn, as the pairs of one team are not independent.

    **Returns:** a row a rule and population, rules in order.

    **Raises:** `InputError` for an event without ratings, or a rule of another format.
    """
    prepared = [_prepare(event, chosen) for event, chosen in zip(events, rules, strict=True)]
    generator = np.random.default_rng(seed)
    draws = [resamples(len(wrong[0]), generator, RESAMPLES) for _, wrong in prepared]
    rows: list[list[Against]] = [[] for _ in rules[0]]
    for column, top in enumerate(RATED_TOPS):
        pairs = sum(int(tied[column].sum()) for tied, _ in prepared)
        totals = np.zeros(1 + len(rules[0]))
        resampled = np.zeros((1 + len(rules[0]), RESAMPLES))
        for (tied, wrong), weights in zip(prepared, draws, strict=True):
            counts = np.stack([tied[column] * 1.0, *(tied[column] * one for one in wrong)])
            totals = totals + counts.sum(axis=(1, 2))
            resampled += np.einsum("kij,ri,rj->kr", counts, weights, weights, optimize=True)
        shares = totals[1:] / max(pairs, 1) if pairs else np.full(len(rules[0]), np.nan)
        with np.errstate(invalid="ignore"):
            drawn = (resampled[1:] / resampled[0]).T
        shares_ci, fewer_ci = interval(drawn).T, interval(drawn[:, :1] - drawn).T
        for k, rule in enumerate(rules[0]):
            rows[k].append(
                Against(
                    rule=rule.name,
                    top=top,
                    pairs=pairs,
                    share=float(shares[k]),
                    ci=_pair(shares_ci[k]),
                    fewer=float(shares[0] - shares[k]),
                    fewer_ci=_pair(fewer_ci[k]),
                )
            )
    return tuple(row for part in rows for row in part)


def _pair(ends: Float[np.ndarray, "2"]) -> tuple[float, float]:
    """Both ends of an interval as floats."""
    return float(ends[0]), float(ends[1])


def mean_ratings(event: TeamEvent) -> Float[np.ndarray, " teams"]:
    """Mean rating of the best players of every team, as many as there are boards.

    **Returns:** NaN for a team without rated players.
    """
    return np.array([np.mean(p[: event.boards]) if p else np.nan for p in event.ratings])


def _prepare(
    event: TeamEvent, rules: Sequence[Rule]
) -> tuple[Bool[np.ndarray, "tops teams teams"], list[Float[np.ndarray, "teams teams"]]]:
    """Tied pairs by population, and for every rule the error of each pair: 0, 1/2 or 1."""
    strength = mean_ratings(event)
    rated = ~np.isnan(strength)
    if rated.sum() < 2:
        raise InputError(f"{event.name}: teams.csv has no ratings to hold a rule against")
    order = np.sign(strength[:, None] - strength[None, :])
    own, _ = scores(event, rules[0])
    tied = np.triu(own[:, None] == own[None, :], k=1) & (rated[:, None] & rated[None, :])
    tied &= order != 0
    first_place = (own[None, :] > own[:, None]).sum(axis=1) + 1
    touching = np.stack([tied & (first_place <= top)[:, None] for top in RATED_TOPS])
    wrong = []
    for rule in rules:
        _, score = scores(event, rule)
        verdict = np.sign(score[:, None] - score[None, :])
        wrong.append(np.where(touching[-1], np.abs(verdict - order) / 2.0, 0.0))
    return touching, wrong


STATED = (0.5, 0.55, 0.65, 0.8, 0.9, 0.95, 1.0)
"""Ends of the classes of stated probability."""


@dataclass(frozen=True)
class Stated:
    """Tied pairs of rated teams of one class of stated probability.

    **Fields:**

    - `low`, `high`: ends of the class; `low` included.
    - `pairs`: number of pairs of unequal rating.
    - `stated`: mean stated probability; NaN without pairs.
    - `rated`, `ci`: how often the higher rated team is preferred, with a 95 % percentile interval
      from resampling teams.
    """

    low: float
    high: float
    pairs: int
    stated: float
    rated: float
    ci: tuple[float, float]


def stated_against_ratings(
    events: Sequence[TeamEvent], rule: Rule, confidence: Confidence, seed: int
) -> tuple[Stated, ...]:
    """How often the team that a rule prefers has the higher rating, by how sure the rule is.

    Ratings are a noisy truth, so the shares are below the probabilities even of a perfect map.

    **Arguments:**

    - `events`: with ratings, of the rule's format.
    - `rule`, `confidence`: the rule and its map.
    - `seed`: of the resampling of teams within every event.
    """
    generator = np.random.default_rng(seed)
    sums = np.zeros((3, len(STATED) - 1))
    resampled = np.zeros((2, RESAMPLES, len(STATED) - 1))
    for event in events:
        tied = _prepare(event, [rule])[0][-1]
        own, score = scores(event, rule)
        first, second = np.nonzero(tied)
        margin = score[first] - score[second]
        stated = confidence.probability(own[first].astype(int), np.abs(margin))
        strength = mean_ratings(event)
        agree = np.sign(margin) * np.sign(strength[first] - strength[second])
        right = (1 + agree) / 2
        column = np.clip(np.searchsorted(STATED, stated, side="right") - 1, 0, len(STATED) - 2)
        weights = resamples(len(own), generator, RESAMPLES)
        both = weights[:, first] * weights[:, second]
        for k in range(len(STATED) - 1):
            chosen = column == k
            sums[:, k] += (chosen.sum(), right[chosen].sum(), stated[chosen].sum())
            resampled[0, :, k] += both[:, chosen].sum(axis=1)
            resampled[1, :, k] += both[:, chosen] @ right[chosen]
    with np.errstate(invalid="ignore", divide="ignore"):
        ends = interval(resampled[1] / resampled[0])
        rated, mean = sums[1] / sums[0], sums[2] / sums[0]
    return tuple(
        Stated(
            STATED[k],
            STATED[k + 1],
            int(sums[0, k]),
            float(mean[k]),
            float(rated[k]),
            _pair(ends[:, k]),
        )
        for k in range(len(STATED) - 1)
    )
