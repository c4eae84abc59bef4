"""Rules held against the ratings of real events: shares by hand, paired intervals, refusals."""

import numpy as np
import pytest

from tb2learn.assessment.by_ratings import RATED_TOPS, against_ratings
from tb2learn.events import rank
from tb2learn.tiebreaks.rules import classic, product_table


def test_shares_by_hand(baku):
    """All tied pairs of the printed standings, one by one."""
    rules = [product_table(11, 4), classic("game-points", 11, 4)]
    found = against_ratings([baku], [rules], 1)
    mean = {
        team: sum(players[:4]) / len(players[:4])
        for team, players in zip(baku.teams, baku.ratings, strict=True)
        if players
    }
    rows = rank(baku, rules[0])
    places = {
        row.scores["mp"]: 1 + sum(r.scores["mp"] > row.scores["mp"] for r in rows) for row in rows
    }
    for top in RATED_TOPS:
        pairs, wrong = 0, np.zeros(2)
        for k, one in enumerate(rows):
            for other in rows[k + 1 :]:
                if one.scores["mp"] != other.scores["mp"] or places[one.scores["mp"]] > top:
                    continue
                if not (one.team in mean and other.team in mean):
                    continue
                gap = np.sign(mean[one.team] - mean[other.team])
                if gap == 0:
                    continue
                pairs += 1
                for rule, verdict in enumerate(
                    (one.scores["tb2"] - other.scores["tb2"], one.scores["gp"] - other.scores["gp"])
                ):
                    wrong[rule] += abs(np.sign(verdict) - gap) / 2
        for rule, name in enumerate(("product", "game-points")):
            (row,) = found[(found["rule"] == name) & (found["top"] == top)].itertuples()
            assert row.pairs == pairs
            assert row.share == pytest.approx(wrong[rule] / pairs)
            assert row.fewer == pytest.approx((wrong[0] - wrong[rule]) / pairs)
