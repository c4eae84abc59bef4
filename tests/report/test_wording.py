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


OLD = rate("product", "30", 12345, 0.25, (0.24, 0.26), 0.0, (0.0, 0.0))
NEW = rate("mine", "30", 12345, 0.2, (0.19, 0.21), 0.2, (0.15, 0.25))
NOTHING = rate("mine", "1", 0, NAN, (NAN, NAN), NAN, (NAN, NAN))


def test_a_headline_is_short():
    rates = (
        "Of ties that reach into the top 30 the learned rule mine decides 20.0% wrongly, "
        "the product rule 25.0%: "
    )
    fewer = f"{rates}20.0% fewer errors (95% interval 15.0% fewer to 25.0% fewer)."
    assert wording.headline(NEW, OLD) == fewer
    unsure = rate("mine", "30", 12345, 0.2, (0.19, 0.21), 0.2, (-0.01, 0.25))
    assert wording.headline(unsure, OLD) == f"{rates}these events show no difference."
    said = "Of ties for first place there were none in these events."
    assert wording.headline(NOTHING, NOTHING) == said
