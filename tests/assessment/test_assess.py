"""An assessment: what is refused, and what rounding changes."""

import dataclasses

import pytest
from assess_samples import CONFIG, PRODUCT, random_table

from tb2learn.assessment import assess
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError


@pytest.mark.thorough
def test_rounding_is_counted_against_the_last_rule():
    one = random_table()
    same = dataclasses.replace(one, name="same")
    other = dataclasses.replace(one, points=-one.points)
    results = [
        assess.assess(CONFIG, [PRODUCT, one], 16, 1, unrounded=fine) for fine in (same, other)
    ]
    assert results[0].rounding[0] == 0
    changed, pairs = results[1].rounding
    assert 0 < changed <= pairs  # all but equal scores
    assert [r.rule for r in results[0].results] == ["product"] * 5 + ["random"] * 5


def test_wrong_arguments_are_named():
    with pytest.raises(InputError, match="for 7 rounds, the event has 5"):
        assess.assess(CONFIG, [product_table(7, 2)], 1, 1)
    with pytest.raises(InputError, match="on 4 boards, the event has 2"):
        assess.assess(CONFIG, [product_table(5, 4)], 1, 1)
