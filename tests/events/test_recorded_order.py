"""The list of tie-breaks in a file: the order of its event, to which its places are held."""

from dataclasses import replace

import pytest
from cli_samples import ranked, said
from trf_samples import HEAD, PLAYERS, SMALL, TEAMS, read, record, text

from tb2learn.catalogue import find_rule
from tb2learn.events import rank, recorded_list
from tb2learn.events.check import check
from tb2learn.events.files.options import Reading
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.model import TIEBREAKS


def with_list(codes, kind="212", *more):
    return read(*HEAD, record(kind, c5=codes), *more, *PLAYERS, *TEAMS)


def order(event):
    def find(name):
        return find_rule(name, event.rounds, 2)

    listed, notes = recorded_list(event, find)
    return [criterion.name for criterion in listed or ()], "".join(notes)


def test_both_records_and_upper_and_lower_case():
    assert order(read(*SMALL)) == ([], "")
    names, note = order(with_list("PTS,EMGSB/C1, ede:gp,Learned"))
    assert names == ["mp", "emgsb-cut1", "ede:GP", "learned"]
    assert note == (
        "the order is the file's own list PTS,EMGSB/C1, ede:gp,Learned; --tiebreaks or --tiebreak "
        "overrules it"
    )
    # Record 202 leaves out the points, of which 192 says which ones decide.
    assert order(with_list("EDET/P,BC", "202"))[0] == ["mp", "edet/P", "board-count"]
    by_games = record("192", c5="FIDE_TEAM_GP_MP")
    assert order(with_list("MPvGP,BH", "202", by_games))[0] == ["gp", "mp", "buchholz-gp"]


@pytest.mark.parametrize(
    ("codes", "which"),
    [
        ("MPTS,XYZ", "XYZ"),
        ("MPTS,OTHER_OF-THE-CLUB,GPTS", "OTHER_OF-THE-CLUB"),
        ("MPTS,OTHER_../X.NPZ", "OTHER_../X.NPZ"),
        ("PTS,./x.npz", "./x.npz"),
        ("PTS,SSSC,PTS", "PTS"),  # each once
        ("PTS,BH/Q", "BH/Q"),
        ("PTS,,BH", ""),
    ],
)
def test_a_list_that_is_not_computed_is_named(codes, which):
    names, note = order(with_list(codes))
    assert names == [] and note == (
        f"the file lists the tie-breaks {codes}, of which {which} is not computed here for this "
        "event: the usual order is used"
    )


def test_it_is_the_default_and_overruled(tmp_path, capsys):
    (tmp_path / "x.trf").write_text(text(*HEAD, record("212", c5="GPTS,TPN"), *PLAYERS, *TEAMS))
    event = str(tmp_path / "x.trf")
    rows, notes = ranked(capsys, event)
    assert list(rows[0]) == ["place", "team", "gp", "number"]
    assert "note: the order is the file's own list GPTS,TPN; " in notes
    for asked, second in (("--tiebreak", "tb2"), ("--tiebreaks", "learned")):
        given = "product" if second == "tb2" else "MPTS,learned,GPTS"
        rows, notes = ranked(capsys, event, asked, given)
        assert list(rows[0])[2:5] == ["mp", second, "gp"] and "own list" not in notes
    upper = said(capsys, "rank", event, "--tiebreaks", "MPTS,LEARNED,GPTS").out
    assert upper == said(capsys, "rank", event, "--tiebreaks", "mpts,learned,gpts").out
    said(capsys, "rank", event, "--out", str(tmp_path / "wall.html"))
    assert "own list GPTS,TPN" in (tmp_path / "wall.html").read_text("utf-8")


def placed(*places, codes="MPTS,GPTS,TPN"):
    """The small event with its list, and printed places of the teams."""
    teams = [line.ljust(68)[:68] + f"{place:3}" + line[71:] for line, place in
             zip((one.ljust(71) for one in TEAMS), places, strict=True)]  # fmt: skip
    return read(*HEAD, record("212", c5=codes), *PLAYERS, *teams)


def by_list(event):
    listed, _ = recorded_list(event, lambda name: find_rule(name, 3, 2))
    own = {row.team: row.place for row in rank(event, listed)}
    return [own[team] for team in event.teams]


def test_places_are_held_to_the_list():
    def found(*given):
        return [one.text for one in check(placed(*given)).findings if one.kind == "place"]

    right = by_list(placed(1, 2, 3, 4, 5))
    assert sorted(right) == [1, 2, 3, 4, 5] and found(*right) == []
    (place,) = (one for one in check(placed(*right)).columns if one.heading == "place")
    assert (place.criterion, place.agreeing, place.cells) == ("MPTS,GPTS,TPN", 5, 5)
    listed = "the file's own list MPTS,GPTS,TPN"
    assert found(*right[1:], right[0]) == [
        f"only 0 of 5 follow from {listed} by c07: Aces 1, printed 3; Dogs 2, printed 4; "
        "Bats 3, printed 5; Eels 4, printed 1; Cats 5, printed 2"
    ]
    # Those who are equal may have any of their places.
    shared = placed(*right, codes="WIN")
    equal = by_list(shared)
    assert len(set(equal)) < 5
    printed = [1 + sorted(range(5), key=lambda t: (equal[t], -t)).index(team) for team in range(5)]
    assert [
        one for one in check(placed(*printed, codes="WIN")).findings if one.kind == "place"
    ] == []


def test_a_place_that_does_not_follow_is_named():
    """Ten games won by White; the first two winners are printed in wrong order."""
    rows = [f"1,P{2 * n + 1:02},P{2 * n + 2:02},1-0," for n in range(10)]
    table = "\n".join(["round,white_player,black_player,result,bye", *rows])
    event = read_event(MemoryFile("x.csv", table.encode()), Reading())
    order = sorted(event.teams, key=lambda name: (int(name[1:]) % 2 == 0, name))
    order[:2] = reversed(order[:2])
    published = {"place": tuple(str(order.index(name) + 1) for name in event.teams)}
    event = replace(event, about={TIEBREAKS: "PTS,TPN"}, published=published)
    assert sorted(one.text for one in check(event).findings if one.kind == "place") == [
        "P01 is printed as 2, by the file's own list PTS,TPN it is 1",
        "P03 is printed as 1, by the file's own list PTS,TPN it is 2",
    ]
