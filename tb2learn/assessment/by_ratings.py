"""Rules compared with the ratings that the teams had before a real event.

In a real event the true order is unknown. The ratings are used instead: the less often a rule
prefers the lower rated of two tied teams, the better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float, Num

from tb2learn.assessment.pairs import TiedPairs, tied_pairs
from tb2learn.events.model import TeamEvent
from tb2learn.events.rank import scores
from tb2learn.stats import RESAMPLES, both_ends, interval
from tb2learn.tiebreaks.confidence_map import Confidence
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import MAX_TEAMS, InputError

RATED_TOPS = (30, MAX_TEAMS)
"""Populations: pairs of the tied groups that touch a place up to this one; the last is all."""


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
    generator = np.random.default_rng(seed)
    shape = len(RATED_TOPS), 1 + len(rules[0])
    sums, resampled = np.zeros(shape), np.zeros((RESAMPLES, *shape))
    for event, chosen in zip(events, rules, strict=True):
        _check_rated(event)
        found = [scores(event, one) for one in chosen]
        pairs, better = rated_pairs(event, found[0][0])
        verdicts = [np.sign(pairs.differences(score[None])) for _, score in found]
        # Of every pair 1, and every rule's error, 0, 1/2 or 1, in the populations it belongs to.
        counts = np.stack([np.ones(len(better)), *(abs(one - better) / 2 for one in verdicts)])
        inside = pairs.place <= np.array(RATED_TOPS)[:, None]
        values = (inside[:, None] * counts).reshape(-1, len(better)).T
        sums += values.sum(axis=0).reshape(shape)
        resampled += pairs.resampled(values, len(event.teams), generator).reshape(-1, *shape)
    shares, drawn = _shares(sums), _shares(resampled)
    shares_ci, fewer_ci = interval(drawn), interval(drawn[..., :1] - drawn)
    return tuple(
        Against(
            rule=rule.name,
            top=top,
            pairs=int(sums[column, 0]),
            share=float(shares[column, k]),
            ci=both_ends(shares_ci[:, column, k]),
            fewer=float(shares[column, 0] - shares[column, k]),
            fewer_ci=both_ends(fewer_ci[:, column, k]),
        )
        for k, rule in enumerate(rules[0])
        for column, top in enumerate(RATED_TOPS)
    )


def _shares(sums: Float[np.ndarray, "*batch columns"]) -> Float[np.ndarray, "*batch rules"]:
    """The first sum is a number of pairs: the others as shares of it, NaN without a pair."""
    with np.errstate(invalid="ignore"):
        return sums[..., 1:] / sums[..., :1]


def mean_ratings(event: TeamEvent) -> Float[np.ndarray, " teams"]:
    """Mean rating of the best players of every team, as many as there are boards.

    **Returns:** NaN for a team without rated players.
    """
    return np.array([np.mean(p[: event.boards]) if p else np.nan for p in event.ratings])


def _check_rated(event: TeamEvent) -> None:
    """**Raises:** `InputError` if fewer than two teams have rated players."""
    if sum(map(bool, event.ratings)) < 2:
        raise InputError(f"{event.name}: teams.csv has no ratings to hold a rule against")


def rated_pairs(
    event: TeamEvent, own: Num[np.ndarray, " teams"]
) -> tuple[TiedPairs, Float[np.ndarray, " pairs"]]:
    """Tied pairs of teams of different ratings, and 1 where the first is rated higher, else -1.

    **Arguments:**

    - `event`: a team without rated players takes no part.
    - `own`: match points of its teams.
    """
    pairs = tied_pairs(own[None])
    better = np.sign(pairs.differences(mean_ratings(event)[None]))
    known = np.isfinite(better) & (better != 0)
    return pairs.only(known), better[known]


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
    classes = np.arange(len(STATED) - 1)
    means, sums = np.zeros(len(classes)), np.zeros(2 * len(classes))
    resampled = np.zeros((RESAMPLES, len(sums)))
    for event in events:
        _check_rated(event)
        own, score = scores(event, rule)
        pairs, better = rated_pairs(event, own)
        margin = pairs.differences(score[None])
        stated = confidence.probability(own[pairs.first].astype(int), np.abs(margin))
        right = (1 + np.sign(margin) * better) / 2
        column = np.clip(np.searchsorted(STATED, stated, side="right") - 1, 0, len(classes) - 1)
        chosen = column[:, None] == classes
        means += [stated[one].sum() for one in chosen.T]
        values = np.concatenate([chosen, chosen * right[:, None]], axis=1)
        sums += values.sum(axis=0)
        resampled += pairs.resampled(values, len(own), generator)
    with np.errstate(invalid="ignore", divide="ignore"):
        pairs, rated = np.split(sums, 2)
        ends = interval(np.divide(*np.split(resampled, 2, axis=1)[::-1]))
        means, shares = means / pairs, rated / pairs
    return tuple(
        Stated(
            low=low,
            high=high,
            pairs=int(pairs[k]),
            stated=float(means[k]),
            rated=float(shares[k]),
            ci=both_ends(ends[:, k]),
        )
        for k, (low, high) in enumerate(pairwise(STATED))
    )
