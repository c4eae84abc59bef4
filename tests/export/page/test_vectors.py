"""Both readers answer alike: the page's script, without a browser, as Python.

The same event, notes and standings; or both refuse, with the same line where the page names one.
"""

import subprocess
import sys

import page_vectors
import pytest
from helpers import slow_after
from page_samples import PLAYERS
from page_vectors import POLICIES, compared, read, standings
from quick import QUICK

from tb2learn.data import event_names
from tb2learn.events import usual_order
from tb2learn.events.files.write import convert
from tb2learn.export.page.page import page_data
from tb2learn.tiebreaks.formula_constants import closed_formula
from tb2learn.tiebreaks.rules import product_table


def test_samples_and_mutants():
    """In a process of its own, without types that are checked at run time."""
    command = [sys.executable, page_vectors.__file__, "200" if QUICK else "2000"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.parametrize(
    ("name", "form"),
    slow_after(
        1,
        [("baku2016", form) for form in ("csv", "trf16", "trf26")]
        + [(name, "csv") for name in event_names() if name != "baku2016"],
    ),
)
def test_packaged_events(page, name, form, tmp_path):
    """Hundreds of players; of Baku alone there are games, which TRF and PGN need."""
    target = tmp_path / ("event" if form == "csv" else f"event.{form[:3]}")
    paths, *_ = convert(name, target, form)
    files = {path.name: path.read_bytes() for path in paths}
    assert compared(page, files, {}, ("baku2016",)) == {}


@pytest.mark.parametrize("name", ["given.trf", "all.trf", "three.trf", "names.pgn", "games.csv"])
def test_players_under_every_policy(page, name):
    """By their usual order on a page of any rule, and by the page's own rule for one board."""
    files = {name: PLAYERS[name]}
    assert compared(page, files, {}, POLICIES) == {}
    event = read(files, {})
    for rule in (closed_formula(event.rounds, 1), product_table(event.rounds, 1)):
        allowed = page_data(rule, "en")["policies"]
        expected = [standings(event, usual_order(event, rule), policy) for policy in allowed]
        answers = page.answer(rule, files, policies=allowed)["standings"]
        assert [one if one.startswith("place") else "refused" for one in answers] == [
            one if one.startswith("place") else "refused" for one in expected
        ]
