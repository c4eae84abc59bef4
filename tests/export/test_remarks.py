"""Penalties and withdrawals: seen in standings, workings, on the wall and in an event's page."""

import pytest
from event_samples import sheet_of

from tb2learn.events.files.options import Reading
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import MemoryFile
from tb2learn.export.event_page import event_page
from tb2learn.export.html import document_html
from tb2learn.export.remarks import remarks
from tb2learn.export.standings import explain_event, rank_event
from tb2learn.export.wall import standings_document, standings_to_print
from tb2learn.export.working import sheet_document

MINUS = "\N{MINUS SIGN}"
MATCHES = """round,team_a,team_b,game_points_a,game_points_b
1,Alder,Birch,3,1
1,Cedar,Dogwood,2,2
2,Alder,Cedar,2.5,1.5
3,Cedar,Birch,3,1
4,Birch,Alder,2,2
"""
PENALTIES = "team,round,match_points,game_points\nAlder,2,-1,-0.5\nBirch,,+1,\nCedar,4,-1,0\n"
PLAYERS = """round,white_player,black_player,result
1,Alder,Birch,1-0
2,Birch,Alder,1-0
"""


@pytest.fixture
def event():
    tables = {"matches.csv": MATCHES.encode(), "penalties.csv": PENALTIES.encode()}
    return read_event(MemoryFile("cup", tables), Reading())


def test_standings_have_a_mark(event):
    """Dogwood, absent since round 2, withdrew; Cedar, absent in round 4 alone, did not."""
    ranked = rank_event(event)
    for league in (False, True):
        lines = ranked.table(league).text(80).splitlines()
        named = [next(line for line in lines if name in line) for name in event.teams]
        assert f"Alder ({MINUS}1 MP, {MINUS}0.5 GP) " in named[0]
        assert "Birch (+1 MP) " in named[1] and f"Cedar ({MINUS}1 MP) " in named[2]
        assert "Dogwood (withdrawn) " in named[3]
    table = ranked.table()
    assert {row["team"] for row in table.records()} == {*event.teams}
    assert table.about["remarks"] == {
        "Alder": f"penalty, round 2: {MINUS}1 MP, {MINUS}0.5 GP",
        "Birch": "bonus: +1 MP",
        "Cedar": f"penalty, round 4: {MINUS}1 MP",
        "Dogwood": "withdrawn after round 1",
    }
    assert f"Cedar: penalty, round 4: {MINUS}1 MP" in table.notes


def test_the_round_off_of_an_odd_round_robin_is_free():
    """It is no absence: "not paired" was read as a fault of the file."""
    table = "Round;Home;Away;Result\n1;A;B;3-1\n2;B;C;2-2\n3;C;A;1-3\n"
    event = read_event(MemoryFile("m.csv", table.encode()), Reading())
    assert remarks(event) == ["free 2", "free 3", "free 1"]
    assert remarks(event, "de")[0] == "spielfrei 2"
    (working,) = explain_event(event, ["C"]).workings
    assert [item.who for item in working.items] == ["(free)", "B", "A"]
    assert "(libre)" in document_html(
        sheet_document([sheet_of(event, "C", explain_event(event, ["C"]).rules)], "", "es")
    )
    absent = read_event(MemoryFile("m.csv", f"{table}1;D;E;4-0\n".encode()), Reading())
    assert "free" not in "".join(remarks(absent))


def test_an_event_without_either_has_no_remarks(event):
    bare = read_event(MemoryFile("m.csv", MATCHES.encode()), Reading()).after(1)
    table = rank_event(bare).table()
    assert "remarks" not in table.about and "(" not in table.text().split("\n", 2)[2]


def test_the_working_adds_up_with_a_line_for_the_penalty(event):
    explained = explain_event(event, ["Alder", "Dogwood"])
    _, alder, dogwood, _ = explained.text(80).split("\n\n", 3)
    lines = alder.splitlines()
    # 2 + 2 + 1 of matches, less 1.
    assert lines[0] == "Alder: 4 MP"
    assert f"penalty, round 2: {MINUS}1 MP, {MINUS}0.5 GP" in lines
    assert "withdrawn after round 1" in dogwood.splitlines()
    assert explained.table.about["remarks"] == {
        "Alder": f"penalty, round 2: {MINUS}1 MP, {MINUS}0.5 GP",
        "Dogwood": "withdrawn after round 1",
    }


def test_paper_and_page_have_both(event):
    orders, _ = standings_to_print(rank_event(event), league=True)
    wall, page = document_html(standings_document(orders[0])), event_page(orders)
    sheets = [
        sheet_of(event, name, orders[0].ranking.criteria[1:2]) for name in ("Alder", "Dogwood")
    ]
    one, two = (document_html(sheet_document(of, "")) for of in (sheets[:1], sheets))
    for content in (wall, page, one, two):
        assert f"penalty, round 2: {MINUS}1 MP, {MINUS}0.5 GP" in content
    for content in (wall, page, two):
        assert "withdrawn after round 1" in content


def test_points_of_players_are_one_kind():
    penalties = "team,round,match_points,game_points\nAlder,1,-1,-0.5\n"
    tables = {"matches.csv": PLAYERS.encode(), "penalties.csv": penalties.encode()}
    players = read_event(MemoryFile("cup", tables), Reading())
    about = rank_event(players).table().about
    assert about["remarks"] == {"Alder": f"penalty, round 1: {MINUS}0.5 Points"}
