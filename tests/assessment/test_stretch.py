"""How constants change with the spread of events: a known law, and one number of teams."""

import numpy as np
import pytest

from tb2learn.assessment.stretch import Sample, fit_stretch, joined


def known_sample(slopes, events=4000, seed=1, teams=(20.0, 60.0, 180.0)):
    """Verdicts of a known law: log c = log 50 + own / 4 + slopes . logs of the spread."""
    generator = np.random.default_rng(seed)
    sizes = generator.choice(teams, events)
    variance, noise = np.exp(generator.uniform(-0.7, 0.7, (2, events)))
    spreads = np.stack([sizes, variance, noise], axis=1)
    event = np.repeat(np.arange(events), 20)
    own = generator.integers(1, 4, len(event))
    logs = np.log(spreads / [60, 1, 1]) @ np.array(slopes)
    scale = 50 * np.exp(own / 4 + logs[event])
    margin = generator.exponential(60.0, len(event))
    right = (generator.random(len(event)) < 1 / (1 + 10 ** (-margin / scale))).astype(float)
    return Sample(spreads, event, own, margin, right, np.ones(len(event), np.int64))


def test_a_known_law_is_recovered():
    slopes = (0.3, -0.8, 0.5)
    sample = known_sample(slopes)
    home = sample.spreads[sample.spreads[:, 0] == 60]
    found = fit_stretch(sample, home)
    assert found.home == pytest.approx((60, 1, 1), rel=0.05)
    assert (found.least.teams, found.most.teams) == pytest.approx((20 / 1.2, 180 * 1.2))
    assert found.least.variance == pytest.approx(np.exp(-0.7), rel=0.02)
    spreads = np.array([[20.0, 0.7, 1.5], [180.0, 1.6, 0.6], [60.0, 1.0, 1.0]])
    wanted = np.exp(np.log(spreads / found.home) @ np.array(slopes))
    np.testing.assert_allclose(found.factor(spreads), wanted, rtol=0.06)


def test_one_size_has_no_slope():
    sample = known_sample((0.3, -0.8, 0.5), 400, teams=(60.0,))
    found = fit_stretch(sample, np.array([[60.0, 1.0, 1.0]]))
    # Those of teams, their square, and their products.
    assert found.slopes[[0, 3, 4, 5]] == pytest.approx(0, abs=1e-6)
    assert found.slopes[1] == pytest.approx(-0.8, abs=0.1)


def test_pairs_keep_their_events():
    one, other = known_sample((0, 0, 0), 2), known_sample((0, 0, 0), 3, seed=2)
    both = joined([one, other])
    assert len(both.spreads) == 5 and both.event.tolist() == np.repeat(np.arange(5), 20).tolist()
    assert both.margin[-1] == other.margin[-1] and both.own.shape == both.place.shape
