"""The rule of choice by excess: who is admitted, and who is chosen."""

import pandas as pd
import pytest

from studies import choice
from studies.choice import WORLDS
from studies.worlds import ROSTERS


def rates(rules):
    """By rule: the error in every world, more than the default and its ends, excess and its end."""
    rows = []
    for rule, (error, *more, excess, end) in rules.items():
        for top in ("10", "30"):
            for number, world in enumerate((*WORLDS, "mean")):
                # The second world is the one with the largest excess.
                here = excess - 0.004 * abs(number - 1)
                rows.append((world, rule, top, error, *more, here, here + end - excess))
    names = ["world", "rule", "top", "error", "more", "more_low", "more_high"]
    return pd.DataFrame(rows, columns=[*names, "excess", "excess_high"])


BEST = {"best": (0.200, -0.004, -0.006, -0.002, 0.008, 0.013)}
OLD = {ROSTERS: (0.2005, 0.0, 0.0, 0.0, 0.004, 0.009)}


@pytest.mark.parametrize(
    ("best", "wanted"),
    [
        ({}, "best"),
        ({"more_high": 0.001}, ROSTERS),  # its difference has an interval with 0
        ({"excess": 0.0101}, ROSTERS),
        ({"end": 0.0151}, ROSTERS),
        ({"error": 0.2016}, ROSTERS),  # and with random seeds it errs too often
    ],
)
def test_the_least_error_within_all_bounds(best, wanted):
    names = ("error", "more", "more_low", "more_high", "excess", "end")
    row = dict(zip(names, BEST["best"], strict=True)) | best
    looked_at = choice.candidates(rates({"best": (*row.values(),)} | OLD), ["best", ROSTERS])
    assert choice.chosen(looked_at) == wanted
    found = looked_at.set_index("rule").loc["best"]
    assert found["excess"] == pytest.approx(row["excess"]) and found["ten"] == row["error"]


def test_the_least_excess_if_nobody_is_admitted():
    rules = {"a": (0.1, -0.1, -0.1, -0.1, 0.03, 0.04), ROSTERS: (0.2, 0, 0, 0, 0.011, 0.02)}
    looked_at = choice.candidates(rates(rules), [*rules])
    assert looked_at["admitted"].tolist() == ["no", "no"] and choice.chosen(looked_at) == ROSTERS
    assert looked_at["rule"].tolist() == ["a", ROSTERS]
