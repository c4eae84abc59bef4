"""The counts of the ideal rule: how they are kept, and of which events they are."""

from dataclasses import replace

import numpy as np
import pytest
from assess_samples import CONFIG, RULES

from tb2learn.assessment import error_rates, ideal
from tb2learn.assessment.tally import SeedCounts, Tally
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import SILENT
from tb2learn.types import InputError

pytestmark = pytest.mark.usefixtures("untyped")


@pytest.fixture
def counted(monkeypatch, tmp_path):
    """What is counted, in place of a run: a pair of every kind in each of so many events."""
    seen = []

    def tally(config, judged, events, progress):
        seen.append((tuple(judged), events))
        rules, number = len(judged), events.events
        ones = np.ones((number, 5), np.int64)
        seeds = SeedCounts(np.ones((number, 4, 5), np.int64), np.ones((number, 4, rules, 5), int))
        return Tally(("x",) * rules, ones, np.ones((number, rules, 5), np.int64), 2, None, seeds)

    monkeypatch.setenv("TB2LEARN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(ideal, "_IN_PROCESS", {})
    monkeypatch.setattr(ideal, "single_event_tally", tally)
    monkeypatch.setattr(ideal, "reference", lambda name, config: name)
    return seen


def test_counts_are_kept_in_the_process_and_on_disk(counted, tmp_path):
    def again(seed=1, config=CONFIG):
        return ideal.ideal_tally(config, EventRange(seed, Purpose.ASSESS, 3), SILENT)

    first = again()
    assert len(counted) == 1 and first.rules == ("posterior-mean",)
    again()
    ideal._IN_PROCESS.clear()
    np.testing.assert_array_equal(again().seeds.halves, first.seeds.halves)
    assert len(counted) == 1
    # The name of a world says nothing of its events; another seed does.
    again(config=replace(CONFIG, name="other"))
    assert len(counted) == 1
    again(seed=2)
    assert len(counted) == 2
    ideal._IN_PROCESS.clear()
    for path in (tmp_path / "ideal").iterdir():
        path.write_bytes(path.read_bytes()[:-9])  # a damaged file is counted again
    again()
    assert len(counted) == 3


def test_more_events_than_the_ideal_gets_are_judged_on_the_first_ones(counted, monkeypatch):
    monkeypatch.setattr(ideal, "MOST_IDEAL", 2)
    events = EventRange(7, Purpose.CHOOSE, 3)
    whole = ideal.single_event_tally(CONFIG, RULES, events, SILENT)
    found = ideal.ideal_beside(CONFIG, RULES, whole, events, SILENT)
    assert [part for _, part in counted[1:]] == [EventRange(7, Purpose.CHOOSE, 2)] * 2
    assert found.rules == ("x",) * len(RULES) + ("posterior-mean",) and len(found.pairs) == 2


def test_the_thesis_protocol_has_no_ideal():
    with pytest.raises(InputError, match="ideal rule is judged under the protocol single"):
        error_rates.assess(CONFIG, RULES, 2, 1, "thesis", ideal=True)
