"""Stated probabilities of real pairs, one by one; what leaving orders open costs."""

import numpy as np
import pytest

from studies.stated import price_of_sharing, stated_against_ratings
from tb2learn.assessment.by_ratings import mean_ratings
from tb2learn.assessment.calibration import BLOCKS, MARGINS, TOPS, MarginCounts
from tb2learn.catalogue import find_confidence, find_rule
from tb2learn.events import rank


def test_what_leaving_coin_flips_tied_costs():
    counts = MarginCounts(*np.zeros((2, BLOCKS, len(TOPS), 3, MARGINS), np.int64), 1)
    # Own score 1: 10 pairs at margin 0 (5 right), 30 at margin 100 (27 right, 91 % stated).
    counts.pairs[0, :, 1, 0], counts.right[0, :, 1, 0] = 10, 10
    counts.pairs[1, :, 1, 100], counts.right[1, :, 1, 100] = 30, 54
    none, some, *_ = price_of_sharing(counts, np.full(3, 100.0), (0.5, 0.55)).itertuples()
    assert (none.open, none.wrong, none.wrong_of_all) == (0, 8 / 40, 8 / 40)
    assert (some.open, some.wrong, some.wrong_of_all) == (0.25, 3 / 30, 3 / 40)
    assert some.right_of_open == 0.5


@pytest.mark.slow
def test_real_pairs_are_counted_by_how_sure_the_rule_is(baku):
    rule = find_rule("learned-180x11", 11, 4)
    known = find_confidence("learned-180x11", rule)
    rows = stated_against_ratings([baku, baku], rule, known, seed=1)
    teams = rank(baku, rule)
    rating = dict(zip(baku.teams, mean_ratings(baku), strict=True))
    wanted = [[0, 0.0, 0.0] for _ in rows["least"]]
    for i, one in enumerate(teams):
        for other in teams[i + 1 :]:
            a, b = rating[one.team], rating[other.team]
            if one.scores["mp"] != other.scores["mp"] or a == b or np.isnan(a + b):
                continue
            margin = one.scores["tb2"] - other.scores["tb2"]
            p = 1 / (1 + 10 ** (-margin / known.scale[int(one.scores["mp"])]))
            row = wanted[rows["least"].searchsorted(p, "right") - 1]
            row[0] += 1
            row[1] += 0.5 if margin == 0 else a > b
            row[2] += p
    for row, (pairs, higher, stated) in zip(rows.itertuples(), wanted, strict=True):
        assert row.pairs == 2 * pairs > 0
        assert row.rated == pytest.approx(higher / pairs)
        assert row.stated == pytest.approx(stated / pairs)
        assert row.low <= row.rated <= row.high
