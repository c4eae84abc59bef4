"""Rules compared with the ratings that the teams had before a real event.

In a real event the true order is unknown. The ratings are used instead: the less often a rule
prefers the lower rated of two tied teams, the better.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float, Num

from tb2learn.assessment.pairs import TiedPairs, tied_pairs
from tb2learn.events.criteria import Criterion
from tb2learn.events.model import TeamEvent
from tb2learn.events.ranking import scores
from tb2learn.stats import RESAMPLES, long_frame, with_ends
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import MAX_TEAMS, InputError

RATED_TOPS = (30, MAX_TEAMS)
"""Populations: pairs of the tied groups that touch a place up to this one; the last is all."""


def against_ratings(
    events: Sequence[TeamEvent], rules: Sequence[Sequence[Rule | Sequence[Criterion]]], seed: int
) -> pd.DataFrame:
    """How often rules prefer the lower rated of two tied teams, pooled over events.

    **Arguments:**

    - `events`: with ratings; a team without rated players takes no part.
    - `rules`: the rules, or lists of criteria, of each event, in the same order; the others are
      compared with the first.
    - `seed`: of the resampling. Teams are drawn with replacement within every event; a pair counts
      as often as both were drawn, as the pairs of one team are not independent.

    **Returns:** a row a `rule` and population (`top`, of `RATED_TOPS`), rules in order:

    - `pairs`: number of tied pairs of unequal rating.
    - `share`: how often the rule prefers the lower rated team (equal scores count half), with the
      ends of its 95 % percentile interval.
    - `fewer`: by how much that is less than under the first rule, on the same resamples.

    **Raises:** `InputError` for an event without ratings, or a rule of another format.
    """
    generator = np.random.default_rng(seed)
    shape = len(RATED_TOPS), 1 + len(rules[0])
    sums, resampled = np.zeros(shape), np.zeros((RESAMPLES, *shape))
    for event, chosen in zip(events, rules, strict=True):
        check_rated(event)
        scored = [scores(event, rule) for rule in chosen]
        # Who is tied is the same under every rule: match points alone say it.
        pairs, better = rated_pairs(event, scored[0][0])
        verdicts = [np.sign(pairs.differences(score[None])) for _, score in scored]
        # Of every pair 1, and every rule's error, 0, 1/2 or 1, in the populations it belongs to.
        wrong = [abs(verdict - better) / 2 for verdict in verdicts]
        counts = np.stack([np.ones(len(better)), *wrong])
        # A pair counts in every population that its group touches.
        inside = pairs.place <= np.array(RATED_TOPS)[:, None]
        values = (inside[:, None] * counts).reshape(-1, len(better)).T
        sums += values.sum(axis=0).reshape(shape)
        resampled += pairs.resampled(values, len(event.teams), generator).reshape(-1, *shape)
    # What really happened stands first, then the resamples.
    shares = _shares(np.concatenate([sums[None], resampled])).swapaxes(1, 2)
    columns = {
        "pairs": np.tile(sums[:, 0].astype(int), len(rules[0])),
        **with_ends(shares, "share", "share_"),
        **with_ends(shares[:, :1] - shares, "fewer", "fewer_"),
    }
    names = [by.name if isinstance(by, Rule) else by[-1].name for by in rules[0]]
    return long_frame({"rule": names, "top": RATED_TOPS}, columns)


def _shares(sums: Float[np.ndarray, "*batch columns"]) -> Float[np.ndarray, "*batch rules"]:
    """The first sum is a number of pairs: the others as shares of it, NaN without a pair."""
    with np.errstate(invalid="ignore"):
        return sums[..., 1:] / sums[..., :1]


def mean_ratings(event: TeamEvent) -> Float[np.ndarray, " teams"]:
    """Mean rating of the best players of every team, as many as there are boards.

    **Returns:** NaN for a team without rated players.
    """
    return np.array(event.mean_ratings, float)


def check_rated(event: TeamEvent) -> None:
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
    # Equal ratings, or none, say nothing of who is better.
    decided = np.isfinite(better) & (better != 0)
    return pairs.only(decided), better[decided]
