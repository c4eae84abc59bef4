"""Both readers answer alike: the page's script, without a browser, as Python.

The same event, notes and standings; or both refuse, with the same line where the page names one.
"""

import subprocess
import sys
from random import Random

import page_vectors
import pytest
from helpers import slow_after
from page_samples import GAME_ROWS, PLAYERS, folder, written
from page_vectors import POLICIES, compared, read, standings
from quick import QUICK

from tb2learn.data import event_names
from tb2learn.events import usual_order
from tb2learn.events.formats.write import convert
from tb2learn.events.model import team_totals
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


def test_what_follows_a_tie_that_direct_encounter_leaves(page):
    """Six players on equal points: all met or not, twice, by default, and in a bye."""
    random = Random(5)
    for _ in range(60):
        rows = [GAME_ROWS.strip().split(",")]
        for r in range(1, random.randint(2, 5)):
            order = random.sample("ABCDEF", 6)
            while len(order) > 1:
                a, b = order.pop(), order.pop()
                result = random.choice(("1-0", "0-1", "1/2-1/2", "1/2-1/2", "+--", "0-0"))
                rows.append([r, "", a, b, result, *[""] * 6])
            if random.random() < 0.2:
                del rows[-1]
        penalties = [["team", "match_points", "game_points"], *_levelled(written(rows))]
        files = {"matches.csv": written(rows), "penalties.csv": written(penalties)}
        assert compared(page, folder(files), {}, ("c07", "face-value")) == {}


def _levelled(matches):
    """Penalties that leave all players without a point."""
    event = read({"matches.csv": matches.encode()}, {})
    totals = zip(event.teams, team_totals(event), strict=True)
    return [[name, -mp, -half / 2] for name, (mp, half) in totals if mp]
