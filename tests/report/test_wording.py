"""Words follow the intervals and hold every number."""

from types import SimpleNamespace

import pytest
from report_samples import NAN, row

from tb2learn.report import wording


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ((0.01, 0.2), "fewer errors"),
        ((-0.2, -0.01), "more errors"),
        ((-0.1, 0.2), "these events show no difference"),
        ((0.0, 0.2), "these events show no difference"),
        ((-0.2, 0.0), "these events show no difference"),
        ((NAN, NAN), "these events show no difference"),
    ],
)
def test_the_interval_decides_the_words(interval, words):
    result = rate("new", "10", 100, 0.2, (0.1, 0.3), sum(interval) / 2, interval)
    assert wording.verdict(result) == words


def rate(*values):
    return SimpleNamespace(**row(*values))
