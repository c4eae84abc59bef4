"""Every one of FIDE's codes, cell by cell against FIDE's checker, in small events of both kinds."""

import importlib.util

import pytest

from tb2learn.studies.checker import measure
from tb2learn.studies.checker.made import made_event
from tb2learn.tiebreaks.library import codes

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("gacrux") is None,
    reason="needs FIDE's tie-break checker: pip install gacrux",
)

SMALL = ("players-retiring", "players-3-1-0", "players-round-robin", "players-unrated",
         "teams-retiring", "teams-3-1-0", "teams-round-robin")  # fmt: skip


def differing(cells, why):
    return cells[cells["why"] == why]


def test_every_cell_is_the_checkers_or_is_explained():
    frames = measure.measure(SMALL)
    cells, events = frames["cells"], frames["events"]
    for kind, where in (("players", True), ("teams", False)):
        heads = set(cells[cells["kind"] == kind]["code"].str.split("/").str[0])
        assert heads >= set(codes(where)) - set(measure.NOT_COMPARED)
    rated = {code for code, one in codes(True).items() if one.needs == "ratings"}
    assert set(cells["why"]) == {"", measure.NOTHING, measure.TEAMS_RATED}
    nothing = differing(cells, measure.NOTHING)
    assert set(nothing["event"]) == {"players-unrated"}
    assert set(nothing["code"].str.split("/").str[0]) == rated
    assert not nothing["code"].str.contains("/U").any()
    same = cells[cells["why"] == ""]
    assert (same["agreeing"] == same["cells"]).all() and len(same) > 800
    # What tie-breaks trip over is there.
    assert (events.groupby("kind")[["byes", "absences", "forfeits", "left"]].sum() > 0).all(
        axis=None
    )


def test_another_number_is_seen(monkeypatch):
    """As those of the edition of 2024 are, where the checker has the newest."""
    newest = measure.complete
    monkeypatch.setattr(measure, "complete", lambda event, _: newest(event, "c07-2024"))
    wrong = differing(measure.measure(["players-retiring"])["cells"], measure.OTHER)
    assert {"BH", "SB/C1", "FB", "AOB"} <= set(wrong["code"])
    assert not {"BH/V2024", "PTS", "KS", "DE"} & set(wrong["code"])
    assert (wrong["agreeing"] < wrong["cells"]).all()


def test_made_up_events_are_the_same_every_time():
    for arguments in measure.MADE.values():
        first, second = (made_event("x", **arguments) for _ in range(2))
        assert first == second and first.individual == (first.boards == 1)
