"""Stated probabilities in real events, and what it costs to leave orders open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float

from tb2learn.assessment.by_ratings import check_rated, rated_pairs
from tb2learn.assessment.calibration import STATED, TOPS, MarginCounts
from tb2learn.events.model import TeamEvent
from tb2learn.events.rank import scores
from tb2learn.stats import RESAMPLES, with_ends
from tb2learn.tiebreaks.confidence_map import Confidence
from tb2learn.tiebreaks.rules import Rule


def stated_against_ratings(
    events: Sequence[TeamEvent], rule: Rule, confidence: Confidence, seed: int
) -> pd.DataFrame:
    """How often the team that a rule prefers has the higher rating, by how sure the rule is.

    Ratings are a noisy truth, so the shares are below the probabilities even of a perfect map.

    **Arguments:** events with ratings, of the rule's format; the rule and its map; the seed of the
    resampling of teams within every event.

    **Returns:** a row a class of stated probability: its ends `least` (included) and `most`; the
    `pairs` of unequal rating; their mean `stated` probability; how often the higher rated team is
    preferred (`rated`), with the ends `low` and `high` of its 95 % percentile interval. NaN without
    pairs.
    """
    generator = np.random.default_rng(seed)
    classes = np.arange(len(STATED) - 1)
    means, sums = np.zeros(len(classes)), np.zeros(2 * len(classes))
    resampled = np.zeros((RESAMPLES, len(sums)))
    for event in events:
        check_rated(event)
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
    pairs = sums[: len(classes)]
    with np.errstate(invalid="ignore", divide="ignore"):
        both = np.concatenate([sums[None], resampled])
        rated = np.divide(*np.split(both, 2, axis=1)[::-1])
        columns = {"pairs": pairs.astype(int), "stated": means / pairs, **with_ends(rated, "rated")}
    return pd.DataFrame({"least": STATED[:-1], "most": STATED[1:], **columns})


def price_of_sharing(
    counts: MarginCounts,
    scale: Float[np.ndarray, " shares"],
    thresholds: Sequence[float] = (0.5, 0.55, 0.6, 0.7),
) -> pd.DataFrame:
    """What it costs to leave open the order of pairs below a probability: they share their place.

    **Returns:** a row a population (`top`) and threshold (`below`): the share of pairs left `open`;
    the share of `wrong` orders among the decided ones, and `wrong_of_all` pairs; the share of the
    orders given up that were right (`right_of_open`).
    """
    stated = counts.stated(scale)
    rows = []
    for number, top in enumerate(TOPS):
        pairs, right = (x.sum(axis=0)[number] for x in (counts.pairs, counts.right / 2))
        for below in thresholds:
            left = stated < below
            decided, given_up = pairs[~left].sum(), pairs[left].sum()
            wrong = decided - right[~left].sum()
            with np.errstate(invalid="ignore", divide="ignore"):
                parts = given_up / pairs.sum(), wrong / decided, wrong / pairs.sum()
                rows.append((top, below, *parts, right[left].sum() / given_up))
    columns = ["top", "below", "open", "wrong", "wrong_of_all", "right_of_open"]
    return pd.DataFrame(rows, columns=pd.Index(columns))
