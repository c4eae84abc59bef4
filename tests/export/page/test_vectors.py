"""Both readers answer alike: the page's script, without a browser, as Python.

The same event, notes and standings; or both refuse, with the same line where the page names one.
"""

import pytest
from helpers import slow_after
from page_samples import SAMPLES, mutants
from page_vectors import OPTIONS, compared, opened

from tb2learn.data import event_names
from tb2learn.events.formats.convert import convert
from tb2learn.export.page.page import page_data
from tb2learn.tiebreaks.rules import product_table

POLICIES = tuple(page_data(product_table(5, 2), "en")["policies"])
MUTANTS = 2000


def opened_sample(files):
    """The files of a sample, unpacked: only a browser unpacks."""
    return {name: data for one in files.items() for name, data in opened(*one).items()}


@pytest.mark.parametrize("option", OPTIONS)
def test_samples(page, option):
    found = {
        name: compared(page, opened_sample(files), OPTIONS[option], ("baku2016", "c07"))
        for name, files in SAMPLES.items()
    }
    assert {name: how for name, how in found.items() if how} == {}


@pytest.mark.thorough
def test_mutants(page):
    options = [*OPTIONS.values(), {}, {}]
    found = {}
    for number, (name, data) in enumerate(mutants(MUTANTS)):
        asked, policy = options[number % len(options)], POLICIES[number % len(POLICIES)]
        how = compared(page, {name: data}, asked, [policy])
        found |= {(number, name, policy): how} if how else {}
    assert found == {}


@pytest.mark.parametrize(
    ("name", "form"),
    slow_after(
        1,
        [("baku2016", form) for form in ("csv", "trf16", "trf26", "pgn")]
        + [(name, "csv") for name in event_names() if name != "baku2016"],
    ),
)
def test_packaged_events(page, name, form, tmp_path):
    """Hundreds of players; of Baku alone there are games, which TRF and PGN need."""
    target = tmp_path / ("event" if form == "csv" else f"event.{form[:3]}")
    paths, *_ = convert(name, target, form)
    files = {path.name: path.read_bytes() for path in paths}
    assert compared(page, files, {}, ("baku2016",)) == {}
