"""Evaluations that agree with R. Ricca's figures, or differ from them as a test wants."""

import numpy as np

from tb2learn.studies.tiebreaks.evaluation import ALL_CRITERIA, POPULATIONS, Evaluation


def imitated(kind, config, tiebreaks, value, between, change, spread):
    """An evaluation whose values are changed ones of his.

    `value` gives one by population, number and name of the tie-break, and criterion; `between` one
    of two criteria; `spread` is the standard deviation of its samples.
    """
    table = change(
        np.array(
            [[[value(p, n, one, c) for c in ALL_CRITERIA] for n, one in enumerate(tiebreaks)]
             for p in POPULATIONS]
        )
    )  # fmt: skip
    pairs = np.array([[between(a, b) for b in ALL_CRITERIA] for a in ALL_CRITERIA])
    noise = np.random.default_rng(0).normal(scale=spread, size=(41, *table.shape))
    return Evaluation(
        kind=kind,
        config=config,
        tiebreaks=tuple(tiebreaks),
        players=np.array([100.0, 31.0]),
        values=np.concatenate([table[None], table + noise]),
        between=np.concatenate([pairs[None], pairs + noise[:, :1, :1, 0]]),
    )
