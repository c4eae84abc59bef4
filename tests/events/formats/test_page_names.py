"""Names of tie-breaks below a page: an exact table, which the printed columns outvote."""

from pathlib import Path

import pytest

from tb2learn.events import Reading, read_event
from tb2learn.events.check import check
from tb2learn.events.files.page_names import CUTS, OTHERS, SWISS_MANAGER, codes_of
from tb2learn.events.files.source import MemoryFile
from tb2learn.export.standings import rank_event
from tb2learn.tiebreaks.names import coded

PAGES = Path(__file__).with_name("files") / "pages"


def test_every_code_of_the_table_is_one():
    names = [name for name, _ in SWISS_MANAGER]
    assert len(names) == len({*names}) == 91  # one of the 92 stands twice
    for name in (*names, *(word for words in OTHERS.values() for word in words.split("|"))):
        for code in codes_of(name):
            # Of players or of teams.
            assert code in ("PTS", "MPTS", "GPTS") or any(
                _is_code(code, players) for players in (True, False)
            ), (name, code)


def _is_code(code, players):
    try:
        return coded(code, players) is not None
    except ValueError:
        return False


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("Sum Matchpoints (2,1,0) without lowest result (Olympiad)", ("BH:MP/C1",)),
        ("Buchholz Tie-Breaks (sum of team-points of the opponents)", ("BH:MP",)),
        ("Buchholz Tie-Breaks (sum of team-points of the opponents and own points)", ()),
        ("Buchholz Tie-Break Variable (2023)", tuple(f"BH{cut}" for cut in CUTS)),
        ("buchholz tie breaks: all results", ("BH",)),
        ("Sonneborn-Berger-Tie-Break (analog [57] but with all results)", ("EMGSB",)),
        ("Extended Sonneborn-Berger for teams (ESB)", ("EMMSB", "EMGSB", "EGMSB", "EGGSB")),
        ("Rounds Elected to Play", ("REP",)),
        ("Arranz System (Win:1 / Draw: 0.6 black, 0.4 white, lost: 0)", ()),
        ("Special Gamepoints for white and black", ()),
        ("Better result (Victory or Draw) against player with the lowest starting rank", ()),
        ("Manually input (after Tie-Break matches)", ()),
        ("Direkte Begegnung", ("DE",)), ("Бухгольц", ("BH",)), ("Number of wins (WIN)", ("WIN",)),
        # Nothing is read by likeness.
        ("Buchholz of our club", ()), ("Matchpoints, or so", ()), ("The black sheep", ()),
    ],
)  # fmt: skip
def test_names_are_exact(name, codes):
    assert codes_of(name) == codes


@pytest.mark.parametrize(
    ("page", "scoring", "listed"),
    [
        ("page-mp310.csv", (3, 1, 0), "MPTS,GPTS"), ("page-mp321.csv", (3, 2, 1), "MPTS,GPTS"),
        ("page-sum-mp-cut.csv", (2, 1, 0), "MPTS,BH:MP/C1,GPTS"),
    ],
)  # fmt: skip
def test_a_page_is_ranked_as_it_is_printed(page, scoring, listed):
    event = read_event(PAGES / page)
    assert event.scoring == scoring and event.about["tiebreaks"] == listed
    printed = sorted(zip(map(int, event.published["place"]), event.teams, strict=True))
    assert [(row.place, row.team) for row in rank_event(event).ranking] == printed
    assert not check(event).findings


def named(page, number, name):
    """A page whose column has another name."""
    lines = (PAGES / page).read_text(encoding="utf-8-sig").splitlines()
    begin = f"Tie Break{number}: "
    text = "\n".join(begin + name if line.startswith(begin) else line for line in lines)
    return read_event(MemoryFile("page.csv", f"{text}\n".encode()), Reading())


@pytest.mark.parametrize("name", ["Buchholz Tie-Breaks (all Results)", "Koya System (KS)"])
def test_the_printed_column_outvotes_the_name(name):
    event = named("page-sum-mp-cut.csv", 2, name)
    assert event.about["tiebreaks"] == "MPTS,BH/C1,GPTS"
    (note,) = (note for note in event.notes if "TB2" in note)
    assert note.startswith(f"TB2 is called {name}") and note.endswith("are those of BH/C1")
    assert not check(event).findings


def test_match_points_of_a_name_count_where_the_column_has_them():
    name = "Matchpoints (3 for wins, 1 for Draws, 0 for Losses)"
    assert named("page-sum-mp-cut.csv", 1, name).scoring == (2, 1, 0)
    assert named("page-mp310.csv", 1, "Matchpoints (variabel)").scoring == (2, 1, 0)
