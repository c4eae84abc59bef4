"""One vocabulary of verdicts, from intervals and from counts of columns."""

import numpy as np
import pytest

from tb2learn.studies.claims import (
    FAILS,
    HOLDS,
    UNDECIDED,
    VERDICTS,
    combined,
    in_columns,
    judged,
    verdicts,
)


def test_intervals_decide():
    low, high = np.array([0.1, -0.2, -0.2, 0.0]), np.array([0.2, -0.1, 0.2, 0.1])
    assert verdicts(low, high).tolist() == [HOLDS, FAILS, UNDECIDED, UNDECIDED]
    assert verdicts(low, high, -0.05).tolist() == [HOLDS, FAILS, UNDECIDED, HOLDS]


@pytest.mark.parametrize(
    ("counts", "verdict"), [((3, 0, 0), HOLDS), ((2, 1, 0), UNDECIDED), ((2, 1, 1), FAILS)]
)
def test_one_figure_against_a_claim_refutes_it(counts, verdict):
    assert in_columns(dict(zip(VERDICTS, counts, strict=True)))[1] == verdict
    assert combined(np.repeat(VERDICTS, counts)) == verdict


def test_claims_are_one_table():
    assert judged("b", [("a", "1", HOLDS)]).to_numpy().tolist() == [["a", "b", "1", HOLDS]]
