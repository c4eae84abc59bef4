"""An assessment: what is refused, and what rounding changes."""

import pytest
from assess_samples import CONFIG

from tb2learn.assessment import assess
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError


def test_wrong_arguments_are_named():
    with pytest.raises(InputError, match="for 7 rounds, the event has 5"):
        assess.assess(CONFIG, [product_table(7, 2)], 1, 1)
    with pytest.raises(InputError, match="on 4 boards, the event has 2"):
        assess.assess(CONFIG, [product_table(5, 4)], 1, 1)
